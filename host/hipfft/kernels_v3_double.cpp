// Double precision transforms for processors with AVX2; compiled with -march=x86-64-v3.
#if defined(__x86_64__)
#define DUCC0_NAMESPACE sx_ducc_v3_double
#define SX_FFT_DOUBLE
#include "kernels_body.h"

namespace sx::fft {

const Kernels double_v3 = {sx_ducc_v3_double::Of<double>::c2c, sx_ducc_v3_double::Of<double>::r2c,
                           sx_ducc_v3_double::Of<double>::c2r};

}  // namespace sx::fft
#endif
