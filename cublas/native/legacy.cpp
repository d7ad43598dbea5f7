// The legacy interface's own functions: one handle for the process, and the error that cublasGetError answers.
#include "native.h"
#include "own.h"

namespace {

hipError_t allocate(void** p, size_t bytes) {
  return sx_rocm->hipMalloc != nullptr ? sx_rocm->hipMalloc(p, bytes) : hipErrorNotSupported;
}

}  // namespace

cublasStatus_t sx_legacy_init() {
  if (sx_own_handle() != nullptr) return CUBLAS_STATUS_SUCCESS;
  cublasHandle_t handle = nullptr;
  if (const cublasStatus_t status = cublasCreate_v2(&handle); status != CUBLAS_STATUS_SUCCESS) return status;
  void* none = nullptr;
  if (!__atomic_compare_exchange_n(&sx_process.legacy_handle, &none, static_cast<void*>(handle), false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    return cublasDestroy_v2(handle);  // another thread was first
  }
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_legacy_shutdown() {
  auto* handle = static_cast<cublasHandle_t>(__atomic_exchange_n(&sx_process.legacy_handle, nullptr, __ATOMIC_ACQ_REL));
  return cublasDestroy_v2(handle);
}

cublasStatus_t sx_legacy_get_error() {
  return static_cast<cublasStatus_t>(__atomic_exchange_n(&sx_process.legacy_error, 0, __ATOMIC_RELAXED));
}

cublasStatus_t sx_legacy_alloc(int n, int elemSize, void** devicePtr) {
  if (sx_own_handle() == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  void* p = nullptr;
  const size_t bytes = static_cast<size_t>(n) * static_cast<size_t>(elemSize);
  if (allocate(&p, bytes) != hipSuccess) return CUBLAS_STATUS_ALLOC_FAILED;
  *devicePtr = p;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_legacy_free(void* devicePtr) {
  if (sx_own_handle() == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (devicePtr == nullptr) return CUBLAS_STATUS_SUCCESS;
  const bool freed = sx_rocm->hipFree != nullptr && sx_rocm->hipFree(devicePtr) == hipSuccess;
  return freed ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR;
}

cublasStatus_t sx_legacy_set_stream(cudaStream_t stream) { return cublasSetStream_v2(sx_own_handle(), stream); }
