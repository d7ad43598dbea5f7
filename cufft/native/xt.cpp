// Plans of several devices.
#include "fft.h"

namespace sx_fft_native {

cufftResult make_on_several(sx_fft_slot*, const Problem&, size_t*) { return CUFFT_NOT_SUPPORTED; }

}  // namespace sx_fft_native
