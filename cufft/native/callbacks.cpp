// Callbacks are device code. NVIDIA's shared library refuses the legacy kind, as hipFFT does where it cannot take them;
// code for the newer kind is NVIDIA's, accepted there and here, and then planning fails as it does when it does not
// compile.
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

// hipFFT's plan is the one that runs, on the program's own memory.
bool can_have(const sx_fft_slot* slot) {
  return __atomic_load_n(&slot->state, __ATOMIC_RELAXED) == SX_FFT_PLANNED && slot->gpu_count < 2 && !slot->bfloat16;
}

}  // namespace

cufftResult sx_cufftXtSetCallback(cufftHandle plan, void** routines, cufftXtCallbackType type, void** data) {
  sx_fft_slot* slot = sx_fft_find(plan);
  if (slot == nullptr) return CUFFT_INVALID_PLAN;
  if (!can_have(slot) || routines == nullptr || !sx_rocm->hipfftXtSetCallback) return CUFFT_NOT_IMPLEMENTED;
  const hipfftResult status = sx_rocm->hipfftXtSetCallback(
      slot->plan, routines, static_cast<hipfftXtCallbackType>(static_cast<int>(type)), data);
  if (status == HIPFFT_SUCCESS) slot->callback = true;  // such a plan is for nobody else
  return from(status);
}

cufftResult sx_cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType type) {
  const sx_fft_slot* slot = sx_fft_find(plan);
  if (slot == nullptr) return CUFFT_INVALID_PLAN;
  if (!can_have(slot) || !slot->callback || !sx_rocm->hipfftXtClearCallback) return CUFFT_NOT_IMPLEMENTED;
  return from(sx_rocm->hipfftXtClearCallback(slot->plan, static_cast<hipfftXtCallbackType>(static_cast<int>(type))));
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
