// Single precision transforms for processors with AVX2; compiled with -march=x86-64-v3.
#if defined(__x86_64__)
#define DUCC0_NAMESPACE sx_ducc_v3_float
#define SX_FFT_FLOAT
#include "kernels_body.h"

namespace sx::fft {

const Kernels float_v3 = {sx_ducc_v3_float::Of<float>::c2c, sx_ducc_v3_float::Of<float>::r2c,
                          sx_ducc_v3_float::Of<float>::c2r};

}  // namespace sx::fft
#endif
