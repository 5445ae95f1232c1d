#define WOODSTOCK_COLUMN_WORDS 2
#include "env/rows_impl.hpp"

// Bytes are stored in order of their bits.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

const RowKernel& portable_rows() { return kRows; }

#if !defined(__x86_64__)
const RowKernel* avx2_rows() { return nullptr; }
const RowKernel* avx512_rows() { return nullptr; }
#endif

const RowKernel& rows_for(const Kernel& kernel) {
  if (&kernel == avx512_kernel() && avx512_rows() != nullptr) return *avx512_rows();
  if (&kernel == avx2_kernel() && avx2_rows() != nullptr) return *avx2_rows();
  return portable_rows();
}

}  // namespace woodstock
