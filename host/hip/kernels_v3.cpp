// The kernels for processors with AVX2; compiled with -march=x86-64-v3.
#if defined(__x86_64__)
#define sx_kernel sx_kernel_v3
#include "kernels_body.h"

namespace sx {
const NativeKernel* native_kernel_v3(const char* name) { return sx_kernel_v3::find(name); }
}  // namespace sx
#endif
