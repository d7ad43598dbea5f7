// What is set on a plan and asked of it.
#include "fft.h"

using namespace sx_fft_native;

namespace {

bool planned(const sx_fft_slot* slot) { return __atomic_load_n(&slot->state, __ATOMIC_RELAXED) == SX_FFT_PLANNED; }

// The only property that this cuFFT has on one device.
constexpr int kPatientJit = NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT;
constexpr int kHostThreads = NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS;

cufftResult known(cufftProperty property) {
  if (property == kPatientJit) return CUFFT_SUCCESS;
  return property == kHostThreads ? CUFFT_NOT_SUPPORTED : CUFFT_INVALID_VALUE;
}

cufftResult set_property(cufftHandle plan, cufftProperty property, int value) {
  sx_fft_slot* slot = sx_fft_find(plan);
  if (slot == nullptr) return CUFFT_INVALID_PLAN;
  if (planned(slot)) return CUFFT_NOT_SUPPORTED;  // of every property
  if (const cufftResult e = known(property)) return e;
  __atomic_store_n(&slot->patient_jit, value, __ATOMIC_RELAXED);
  return CUFFT_SUCCESS;
}

}  // namespace

cufftResult sx_cufftSetStream(cufftHandle plan, cudaStream_t stream) {
  sx_fft_slot* slot = sx_fft_find(plan);
  if (slot == nullptr) return CUFFT_INVALID_PLAN;
  slot->cuda_stream = stream;
  __atomic_store_n(&slot->stream, sx_to_hip_stream(stream), __ATOMIC_RELAXED);
  return planned(slot) && slot->plan ? from(sx_rocm->hipfftSetStream(slot->plan, slot->stream)) : CUFFT_SUCCESS;
}

cufftResult sx_cufftSetAutoAllocation(cufftHandle plan, int autoAllocate) {
  sx_fft_slot* slot = sx_fft_find(plan);
  if (slot == nullptr) return CUFFT_INVALID_PLAN;
  __atomic_store_n(&slot->auto_allocate, autoAllocate, __ATOMIC_RELAXED);
  return CUFFT_SUCCESS;
}

// NULL takes the area away; a plan that needs one then answers NO_WORKSPACE.
cufftResult sx_cufftSetWorkArea(cufftHandle plan, void* workArea) {
  sx_fft_slot* slot = sx_fft_find(plan);
  if (slot == nullptr) return CUFFT_INVALID_PLAN;
  if (slot->own_work && sx_rocm->hipFree) sx_rocm->hipFree(slot->own_work);
  slot->own_work = nullptr;
  __atomic_store_n(&slot->work, workArea, __ATOMIC_RELAXED);
  if (workArea == nullptr || !planned(slot) || slot->hip_work_bytes == 0) return CUFFT_SUCCESS;
  return from(sx_rocm->hipfftSetWorkArea(slot->plan, static_cast<char*>(workArea) + slot->copy_bytes));
}

cufftResult sx_cufftGetSize(cufftHandle handle, size_t* workSize) {
  const sx_fft_slot* slot = sx_fft_find(handle);
  if (slot == nullptr || !planned(slot)) return CUFFT_INVALID_PLAN;
  if (workSize == nullptr) return CUFFT_INVALID_VALUE;
  *workSize = slot->work_bytes;
  return CUFFT_SUCCESS;
}

// ---- properties of a plan -------------------------------------------------------------------------------------------

cufftResult sx_cufftSetPlanPropertyInt64(cufftHandle plan, cufftProperty property, const long long value) {
  return set_property(plan, property, value != 0);
}

cufftResult sx_cufftResetPlanProperty(cufftHandle plan, cufftProperty property) {
  return set_property(plan, property, 0);
}

cufftResult sx_cufftGetPlanPropertyInt64(cufftHandle plan, cufftProperty property, long long* value) {
  const sx_fft_slot* slot = sx_fft_find(plan);
  if (slot == nullptr) return CUFFT_INVALID_PLAN;
  if (value == nullptr) return CUFFT_INVALID_VALUE;
  if (const cufftResult e = known(property)) return e;
  *value = slot->patient_jit;
  return CUFFT_SUCCESS;
}

// ---- the library ----------------------------------------------------------------------------------------------------

cufftResult sx_cufftGetVersion(int* version) {
  if (version == nullptr) return CUFFT_INVALID_VALUE;
  *version = sx_abi.library_version;
  return CUFFT_SUCCESS;
}

cufftResult sx_cufftGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr) return CUFFT_INVALID_VALUE;
  const int version = sx_abi.library_version;
  switch (static_cast<int>(type)) {
    case MAJOR_VERSION:
      *value = version / 1000;
      return CUFFT_SUCCESS;
    case MINOR_VERSION:
      *value = version / 100 % 10;
      return CUFFT_SUCCESS;
    case PATCH_LEVEL:
      *value = version % 100;
      return CUFFT_SUCCESS;
    default:
      return CUFFT_INVALID_TYPE;
  }
}
