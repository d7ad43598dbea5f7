// Pointer attributes and the functions whose parameters changed between CUDA majors.
#include "runtime.h"

namespace {

// Facts about a pointer; memory that HIP does not know is plain host memory.
hipError_t attributes_of(hipPointerAttribute_t* out, const void* p) {
  memset(out, 0, sizeof *out);
  if (sx_rocm->hipPointerGetAttributes == nullptr) return hipErrorNotSupported;
  const hipError_t error = sx_rocm->hipPointerGetAttributes(out, p);
  if (error != hipErrorInvalidValue) return error;
  if (sx_rocm->hipGetLastError != nullptr) sx_rocm->hipGetLastError();  // ROCm before 7.0 calls such memory an error
  memset(out, 0, sizeof *out);
  return hipSuccess;
}

cudaMemoryType type_of(const hipPointerAttribute_t& a) {
  if (a.isManaged != 0) return cudaMemoryTypeManaged;
  if (a.type == hipMemoryTypeDevice) return cudaMemoryTypeDevice;
  return a.type == hipMemoryTypeHost && a.hostPointer != nullptr ? cudaMemoryTypeHost : cudaMemoryTypeUnregistered;
}

// A hint about managed memory: checked, and otherwise without effect. Later parameters differ by CUDA major, and are
// not looked at for that reason.
cudaError_t hint(const void* p, size_t count) {
  if (p == nullptr || count == 0) return sx_error(cudaErrorInvalidValue);
  hipPointerAttribute_t a;
  if (const hipError_t error = attributes_of(&a, p)) return sx_answer(error);
  return type_of(a) == cudaMemoryTypeManaged ? cudaSuccess : sx_error(cudaErrorInvalidValue);
}

}  // namespace

cudaError_t sx_cudaPointerGetAttributes(struct cudaPointerAttributes* out, const void* p) {
  if (out == nullptr) return sx_error(cudaErrorInvalidValue);
  hipPointerAttribute_t a{};
  if (p != nullptr) {
    if (const hipError_t error = attributes_of(&a, p)) return sx_answer(error);
  }
  constexpr size_t old_bytes = 24;
  memset(static_cast<void*>(out), 0, sx_abi.cuda_major >= 13 ? sizeof *out : old_bytes);
  const cudaMemoryType type = type_of(a);
  out->type = type;
  out->device = type == cudaMemoryTypeUnregistered ? -2 : a.device;
  out->devicePointer = type == cudaMemoryTypeUnregistered ? nullptr : a.devicePointer;
  out->hostPointer = type == cudaMemoryTypeUnregistered ? const_cast<void*>(p) : a.hostPointer;
  return cudaSuccess;
}

cudaError_t sx_cudaMemPrefetchAsync(const void* p, size_t count, struct cudaMemLocation, unsigned int, cudaStream_t) {
  return hint(p, count);
}
cudaError_t sx_cudaMemPrefetchAsync_ptsz(const void* p, size_t count, struct cudaMemLocation, unsigned int,
                                         cudaStream_t) {
  return hint(p, count);
}
cudaError_t sx_cudaMemAdvise(const void* p, size_t count, enum cudaMemoryAdvise advice, struct cudaMemLocation) {
  if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
    return sx_error(cudaErrorInvalidValue);
  return hint(p, count);
}

cudaError_t sx_cudaMallocAsync_ptsz(void** p, size_t bytes, cudaStream_t stream) {
  return SX_HIP(hipMallocAsync, p, bytes, sx_per_thread(stream));
}
cudaError_t sx_cudaFreeAsync_ptsz(void* p, cudaStream_t stream) {
  return SX_HIP(hipFreeAsync, p, sx_per_thread(stream));
}
