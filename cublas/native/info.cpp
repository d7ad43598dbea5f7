// What cuBLAS answers without a device: versions, texts, logging.
#include "native.h"

extern "C" __attribute__((visibility("hidden"))) const sx_abi_info sx_abi;

cublasStatus_t sx_get_version(cublasHandle_t, int* version) {
  *version = sx_abi.library_version;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_get_property(libraryPropertyType type, int* value) {
  const int version = sx_abi.library_version;  // 120903: 12.9.3
  switch (static_cast<int>(type)) {
    case MAJOR_VERSION:
      *value = version / 10000;
      return CUBLAS_STATUS_SUCCESS;
    case MINOR_VERSION:
      *value = version / 100 % 100;
      return CUBLAS_STATUS_SUCCESS;
    case PATCH_LEVEL:
      *value = version % 100;
      return CUBLAS_STATUS_SUCCESS;
    default:
      return CUBLAS_STATUS_INVALID_VALUE;
  }
}

size_t sx_get_cudart_version() {
  switch (sx_abi.cuda_major) {
    case 11:
      return 11080;
    case 12:
      return 12090;
    default:
      return static_cast<size_t>(sx_abi.cuda_major) * 1000;
  }
}

const char* sx_get_status_name(cublasStatus_t status) {
  switch (static_cast<int>(status)) {
    case CUBLAS_STATUS_SUCCESS:
      return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED:
      return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_ARCH_MISMATCH:
      return "CUBLAS_STATUS_ARCH_MISMATCH";
    case CUBLAS_STATUS_MAPPING_ERROR:
      return "CUBLAS_STATUS_MAPPING_ERROR";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_INTERNAL_ERROR:
      return "CUBLAS_STATUS_INTERNAL_ERROR";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
    case CUBLAS_STATUS_LICENSE_ERROR:
      return "CUBLAS_STATUS_LICENSE_ERROR";
    default:
      return "unrecognized status";
  }
}

const char* sx_get_status_string(cublasStatus_t status) {
  switch (static_cast<int>(status)) {
    case CUBLAS_STATUS_SUCCESS:
      return "success";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "the library was not initialized";
    case CUBLAS_STATUS_ALLOC_FAILED:
      return "the resource allocation failed";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "an unsupported value or parameter was passed to the function";
    case CUBLAS_STATUS_ARCH_MISMATCH:
      return "the function requires an architectural feature absent from the device";
    case CUBLAS_STATUS_MAPPING_ERROR:
      return "an access to GPU memory space failed";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "the function failed to launch on the GPU";
    case CUBLAS_STATUS_INTERNAL_ERROR:
      return "an internal operation failed";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "the requested functionality is not supported";
    case CUBLAS_STATUS_LICENSE_ERROR:
      return "the license check failed";
    default:
      return "unrecognized status";
  }
}

void sx_print_xerbla(const char* routine, int number) { sx_xerbla(routine ? routine : "", number); }

cublasStatus_t sx_logger_configure(int, int, int, const char*) { return CUBLAS_STATUS_SUCCESS; }

cublasStatus_t sx_set_logger_callback(cublasLogCallback callback) {
  __atomic_store_n(&sx_logger_callback, callback, __ATOMIC_RELAXED);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_get_logger_callback(cublasLogCallback* callback) {
  *callback = __atomic_load_n(&sx_logger_callback, __ATOMIC_RELAXED);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_set_environment_mode() { return CUBLAS_STATUS_SUCCESS; }
