#define WOODSTOCK_KERNEL_NAME "avx512"
#define WOODSTOCK_BLOCKS 8
#define WOODSTOCK_VECTOR_BYTES 64
#include "circuit/kernel_impl.hpp"

const Kernel* avx512_kernel() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                 __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                 __builtin_cpu_supports("bmi2")
             ? &kKernel
             : nullptr;
}

}  // namespace woodstock
