// What cuBLAS answers without a device: versions, texts, logging.
#include "native.h"
#include "scalex/cublas_info.h"

extern "C" __attribute__((visibility("hidden"))) const sx_abi_info sx_abi;

cublasStatus_t sx_get_version(cublasHandle_t, int* version) {
  *version = sx_abi.library_version;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_get_property(libraryPropertyType type, int* value) {
  return sx_cublas_property(sx_abi.library_version, type, value) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

size_t sx_get_cudart_version() { return sx_cudart_version(sx_abi.cuda_major); }

const char* sx_get_status_name(cublasStatus_t status) { return sx_cublas_status_name(status); }

const char* sx_get_status_string(cublasStatus_t status) { return sx_cublas_status_text(status); }

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
