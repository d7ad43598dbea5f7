// The kernels for any processor, and the choice between the two.
#include "kernels_body.h"

namespace sx {

const NativeKernel* native_kernel(const char* name) {
#if defined(__x86_64__)
  static const bool v3 =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  if (v3) return native_kernel_v3(name);
#endif
  return sx_kernel::find(name);
}

}  // namespace sx
