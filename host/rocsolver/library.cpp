// What is about the library and not about matrices: version, logging, algorithm modes, the old names of rocBLAS's
// functions.
#include "rs.h"

namespace {

// ROCm release -> rocSOLVER version.
const char* version() {
  struct Version {
    int release;
    const char* text;
  };
  static const Version versions[] = {{1001, "3.37.0."}, {702, "3.32.0."}, {701, "3.31.0."},
                                     {700, "3.30.0."},  {604, "3.28.0."}, {603, "3.27.0."},
                                     {602, "3.26.0."},  {601, "3.25.0."}, {600, "3.24.0."}};
  for (const Version& v : versions)
    if (sx::release() >= v.release) return v.text;
  return "3.23.0.";
}

bool log_open = false;
rocblas_status if_logging() { return log_open ? rocblas_status_success : rocblas_status_internal_error; }

bool is_hybrid_function(rocsolver_function f) {
  return f == rocsolver_function_bdsqr || f == rocsolver_function_gesvd || f == rocsolver_function_sterf ||
         f == rocsolver_function_steqr || f == rocsolver_function_syev_heev;
}

}  // namespace

extern "C" {

rocblas_status rocsolver_get_version_string(char* buf, size_t len) {
  if (!buf) return rocblas_status_invalid_pointer;
  const char* text = version();
  if (len < strlen(text) + 1) return rocblas_status_invalid_size;
  memcpy(buf, text, strlen(text) + 1);
  return rocblas_status_success;
}
rocblas_status rocsolver_get_version_string_size(size_t* len) {
  if (!len) return rocblas_status_invalid_pointer;
  *len = strlen(version()) + 1;
  return rocblas_status_success;
}

// Nothing is logged; the functions answer as if it were.
rocblas_status rocsolver_log_begin() {
  if (log_open) return rocblas_status_internal_error;
  log_open = true;
  return rocblas_status_success;
}
rocblas_status rocsolver_log_end() {
  const rocblas_status status = if_logging();
  log_open = false;
  return status;
}
rocblas_status rocsolver_log_set_layer_mode(const rocblas_layer_mode_flags) { return if_logging(); }
rocblas_status rocsolver_log_set_max_levels(const rocblas_int max_levels) {
  if (!log_open) return rocblas_status_internal_error;
  return max_levels < 1 ? rocblas_status_invalid_value : rocblas_status_success;
}
rocblas_status rocsolver_log_restore_defaults() { return if_logging(); }
rocblas_status rocsolver_log_write_profile() { return if_logging(); }
rocblas_status rocsolver_log_flush_profile() { return if_logging(); }

// Where some functions do part of their work on the host: no difference here.
rocblas_status rocsolver_set_alg_mode(rocblas_handle handle, const rocsolver_function func,
                                      const rocsolver_alg_mode mode) {
  if (!handle) return rocblas_status_invalid_handle;
  if (!is_hybrid_function(func) || (mode != rocsolver_alg_mode_gpu && mode != rocsolver_alg_mode_hybrid))
    return rocblas_status_invalid_value;
  handle->solver_modes[func % 8] = mode;
  return rocblas_status_success;
}
rocblas_status rocsolver_get_alg_mode(rocblas_handle handle, const rocsolver_function func, rocsolver_alg_mode* mode) {
  if (!handle) return rocblas_status_invalid_handle;
  if (!is_hybrid_function(func)) return rocblas_status_invalid_value;
  if (!mode) return rocblas_status_invalid_pointer;
  const int set = handle->solver_modes[func % 8];
  *mode = set ? static_cast<rocsolver_alg_mode>(set) : rocsolver_alg_mode_gpu;
  return rocblas_status_success;
}

rocsolver_status rocsolver_create_handle(rocsolver_handle* handle) { return rocblas_create_handle(handle); }
rocsolver_status rocsolver_destroy_handle(rocsolver_handle handle) { return rocblas_destroy_handle(handle); }
rocsolver_status rocsolver_set_stream(rocsolver_handle handle, hipStream_t stream) {
  return rocblas_set_stream(handle, stream);
}
rocsolver_status rocsolver_get_stream(rocsolver_handle handle, hipStream_t* stream) {
  return rocblas_get_stream(handle, stream);
}
rocsolver_status rocsolver_set_vector(rocsolver_int n, rocsolver_int elem_size, const void* x, rocsolver_int incx,
                                      void* y, rocsolver_int incy) {
  return rocblas_set_vector(n, elem_size, x, incx, y, incy);
}
rocsolver_status rocsolver_get_vector(rocsolver_int n, rocsolver_int elem_size, const void* x, rocsolver_int incx,
                                      void* y, rocsolver_int incy) {
  return rocblas_get_vector(n, elem_size, x, incx, y, incy);
}
rocsolver_status rocsolver_set_matrix(rocsolver_int rows, rocsolver_int cols, rocsolver_int elem_size, const void* a,
                                      rocsolver_int lda, void* b, rocsolver_int ldb) {
  return rocblas_set_matrix(rows, cols, elem_size, a, lda, b, ldb);
}
rocsolver_status rocsolver_get_matrix(rocsolver_int rows, rocsolver_int cols, rocsolver_int elem_size, const void* a,
                                      rocsolver_int lda, void* b, rocsolver_int ldb) {
  return rocblas_get_matrix(rows, cols, elem_size, a, lda, b, ldb);
}

}  // extern "C"
