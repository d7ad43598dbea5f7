// cuBLASLt's handle, versions, texts and log.
#include "native.h"
#include "scalex/cublas_info.h"
#include "scalex/lt.h"

extern "C" __attribute__((visibility("hidden"))) const sx_abi_info sx_abi;

namespace {

cublasStatus_t of(bool good) { return good ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE; }

}  // namespace

// The slot names the device; a hipBLASLt handle is made now, because a capture may forbid it later.
cublasStatus_t sx_lt_create(cublasLtHandle_t* handle) {
  if (sx_provider_load() != 0) return CUBLAS_STATUS_NOT_INITIALIZED;
  int device = 0;
  if (sx_rocm->hipGetDevice && sx_rocm->hipGetDevice(&device) != hipSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (sx_rocm->hipblasLtCreate != nullptr) {
    const int status = sx_lt_warm(device);
    if (status != 0) return static_cast<cublasStatus_t>(status);
  }
  auto* const slot = static_cast<sx_blas_slot*>(sx_slot_new(SX_KIND_LT));
  if (slot == nullptr) return CUBLAS_STATUS_ALLOC_FAILED;
  slot->device = device;
  *handle = reinterpret_cast<cublasLtHandle_t>(slot);
  return CUBLAS_STATUS_SUCCESS;
}

// A cuBLAS handle is no business of this function, although calls take it for a handle of cuBLASLt.
cublasStatus_t sx_lt_destroy(cublasLtHandle_t handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  sx_blas_slot* const slot = sx_slot_of(handle, SX_KIND_LT);
  if (slot == nullptr || !sx_slot_retire(slot, SX_KIND_LT)) return CUBLAS_STATUS_NOT_INITIALIZED;
  sx_slot_free(slot);
  return CUBLAS_STATUS_SUCCESS;
}

size_t sx_lt_version() { return static_cast<size_t>(sx_abi.library_version); }
size_t sx_lt_cudart_version() { return sx_cudart_version(sx_abi.cuda_major); }
cublasStatus_t sx_lt_property(libraryPropertyType type, int* value) {
  return of(sx_cublas_property(sx_abi.library_version, type, value));
}
const char* sx_lt_status_name(cublasStatus_t status) { return sx_cublas_status_name(status); }
const char* sx_lt_status_string(cublasStatus_t status) { return sx_cublas_status_text(status); }

// Plans are few and per thread, so the number is kept only.
cublasStatus_t sx_lt_cache_get(size_t* capacity) {
  *capacity = __atomic_load_n(&sx_lt_process.cache_capacity, __ATOMIC_RELAXED);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t sx_lt_cache_set(size_t capacity) {
  __atomic_store_n(&sx_lt_process.cache_capacity, capacity, __ATOMIC_RELAXED);
  return CUBLAS_STATUS_SUCCESS;
}

// ---- log
// --------------------------------------------------------------------------------------------------------------

cublasStatus_t sx_lt_set_callback(cublasLtLoggerCallback_t callback) {
  __atomic_store_n(&sx_lt_process.log_callback, callback, __ATOMIC_RELAXED);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t sx_lt_set_file(FILE* file) {
  sx_lt_log_file(file);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t sx_lt_open_file(const char* path) { return of(sx_lt_log_open(path)); }

// Measured: negative levels are refused, levels above 5 mean 5, any mask is taken.
cublasStatus_t sx_lt_set_level(int level) {
  if (level < 0) return CUBLAS_STATUS_INVALID_VALUE;
  sx_lt_log_level(level);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t sx_lt_set_mask(int mask) {
  __atomic_store_n(&sx_lt_process.log_mask, mask, __ATOMIC_RELAXED);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t sx_lt_force_disable() {
  __atomic_store_n(&sx_lt_process.log_dead, 1, __ATOMIC_RELAXED);
  return CUBLAS_STATUS_SUCCESS;
}
