// Plain 64-bit words: the compiler uses what every machine of the architecture has (SSE2, NEON).

#define WOODSTOCK_KERNEL_NAME "portable"
#define WOODSTOCK_BLOCKS 4
#define WOODSTOCK_VECTOR_BYTES 16
#include "circuit/kernel_impl.hpp"

const Kernel& portable_kernel() { return kKernel; }

#if !defined(__x86_64__)
const Kernel* avx2_kernel() { return nullptr; }
const Kernel* avx512_kernel() { return nullptr; }
#endif

}  // namespace woodstock
