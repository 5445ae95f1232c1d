#include <immintrin.h>

#define WOODSTOCK_COLUMN_WORDS 8
// A mask register spreads 64 bits over 64 bytes in one instruction.
#define WOODSTOCK_EXPAND_WORD                                                                                   \
  inline void expand_word(Word bits, uint8_t* to) { _mm512_storeu_si512(to, _mm512_maskz_set1_epi8(bits, 1)); } \
  inline void expand_part(Word bits, size_t count, uint8_t* to) {                                               \
    const __mmask64 kept = (__mmask64{1} << count) - 1;                                                         \
    _mm512_mask_storeu_epi8(to, kept, _mm512_maskz_set1_epi8(bits, 1));                                         \
  }
#include "env/rows_impl.hpp"

const RowKernel* avx512_rows() { return avx512_kernel() != nullptr ? &kRows : nullptr; }

}  // namespace woodstock
