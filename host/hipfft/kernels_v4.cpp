// Double precision transforms for processors with AVX-512; compiled with -march=x86-64-v4.
#if defined(__x86_64__)
#define DUCC0_NAMESPACE sx_ducc_v4
#define SX_FFT_DOUBLE
#include "kernels_body.h"

namespace sx::fft {

const Kernels double_v4 = {sx_ducc_v4::Of<double>::c2c, sx_ducc_v4::Of<double>::r2c, sx_ducc_v4::Of<double>::c2r};

}  // namespace sx::fft
#endif
