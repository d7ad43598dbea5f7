// Callbacks are device code compiled for NVIDIA's GPUs. NVIDIA's shared library itself refuses the legacy kind, and
// accepts of the other kind what it then cannot compile; both are answered the same here.
#include "fft.h"

using namespace sx_fft_native;

namespace {

cufftResult set_jit(cufftHandle plan, const char* name, const void* code, size_t bytes) {
  sx_fft_slot* slot = sx_fft_find(plan);
  if (slot == nullptr) return CUFFT_INVALID_PLAN;
  if (__atomic_load_n(&slot->state, __ATOMIC_RELAXED) != SX_FFT_CREATED) return CUFFT_INVALID_PLAN;
  if (name == nullptr || code == nullptr || bytes == 0) return CUFFT_INVALID_VALUE;
  slot->jit_callback = 1;  // planning answers INTERNAL_ERROR
  return CUFFT_SUCCESS;
}

}  // namespace

cufftResult sx_cufftXtSetCallback(cufftHandle plan, void**, cufftXtCallbackType, void**) {
  return sx_fft_find(plan) ? CUFFT_NOT_IMPLEMENTED : CUFFT_INVALID_PLAN;
}

cufftResult sx_cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType) {
  return sx_fft_find(plan) ? CUFFT_NOT_IMPLEMENTED : CUFFT_INVALID_PLAN;
}

cufftResult sx_cufftXtSetCallbackSharedSize(cufftHandle, cufftXtCallbackType, size_t) { return CUFFT_INVALID_PLAN; }

cufftResult sx_cufftXtSetJITCallback(cufftHandle plan, const char* name, const void* code, size_t bytes,
                                     cufftXtCallbackType, void**) {
  return set_jit(plan, name, code, bytes);
}

cufftResult sx___cufftXtSetJITCallback_12_7(cufftHandle plan, const char* name, const void* code, size_t bytes,
                                            cufftXtCallbackType, void**) {
  return set_jit(plan, name, code, bytes);
}
