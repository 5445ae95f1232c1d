#define WOODSTOCK_KERNEL_NAME "avx2"
#define WOODSTOCK_BLOCKS 4
#define WOODSTOCK_VECTOR_BYTES 32
#include "circuit/kernel_impl.hpp"

const Kernel* avx2_kernel() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") ? &kKernel
                                                                                                              : nullptr;
}

}  // namespace woodstock
