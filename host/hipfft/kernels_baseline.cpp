// Transforms for any processor that the engine runs on; on x86-64, those before AVX2, without vectors.
#if defined(__x86_64__)
#define DUCC0_NO_SIMD
#endif
#define DUCC0_NAMESPACE sx_ducc_baseline
#define SX_FFT_FLOAT
#define SX_FFT_DOUBLE
#include "kernels_body.h"

namespace sx::fft {

const Kernels float_baseline = {sx_ducc_baseline::Of<float>::c2c, sx_ducc_baseline::Of<float>::r2c,
                                sx_ducc_baseline::Of<float>::c2r};
const Kernels double_baseline = {sx_ducc_baseline::Of<double>::c2c, sx_ducc_baseline::Of<double>::r2c,
                                 sx_ducc_baseline::Of<double>::c2r};

#if defined(__x86_64__)
static bool has_v3() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
}
// 512-bit vectors were measured to gain nothing.
const Kernels& float_kernels() {
  static const Kernels& best = has_v3() ? float_v3 : float_baseline;
  return best;
}
const Kernels& double_kernels() {
  static const Kernels& best = has_v3() ? double_v3 : double_baseline;
  return best;
}
#else
const Kernels& float_kernels() { return float_baseline; }
const Kernels& double_kernels() { return double_baseline; }
#endif

}  // namespace sx::fft
