// Set/GetVector and Set/GetMatrix: HIP's copies. The emitted wrappers have checked every argument.
#include "native.h"

namespace {

enum class When { now, later };

struct Direction {
  hipMemcpyKind kind;
  When when;
  hipStream_t stream;
};

Direction now(hipMemcpyKind kind) { return {kind, When::now, nullptr}; }
Direction later(hipMemcpyKind kind, cudaStream_t stream) { return {kind, When::later, sx_to_hip_stream(stream)}; }

hipError_t copy_bytes(void* to, const void* from, size_t bytes, const Direction& d) {
  const sx_rocm_table& rocm = *sx_rocm;
  if (d.when == When::now) return rocm.hipMemcpy ? rocm.hipMemcpy(to, from, bytes, d.kind) : hipErrorNotSupported;
  return rocm.hipMemcpyAsync ? rocm.hipMemcpyAsync(to, from, bytes, d.kind, d.stream) : hipErrorNotSupported;
}

hipError_t copy_pitched(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                        const Direction& d) {
  const sx_rocm_table& rocm = *sx_rocm;
  if (d.when == When::now) {
    return rocm.hipMemcpy2D ? rocm.hipMemcpy2D(to, to_pitch, from, from_pitch, width, height, d.kind)
                            : hipErrorNotSupported;
  }
  return rocm.hipMemcpy2DAsync ? rocm.hipMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, d.kind, d.stream)
                               : hipErrorNotSupported;
}

// ``height`` pieces of ``width`` bytes; sizes that leave 64 bits are no memory that exists.
hipError_t copy(void* to, int64_t to_step, const void* from, int64_t from_step, int64_t width, int64_t height,
                int64_t element, const Direction& d) {
  const int64_t bytes = sx_mul(width, element);
  const int64_t to_pitch = sx_mul(to_step, element), from_pitch = sx_mul(from_step, element);
  const int64_t longest = sx_mul(to_pitch > from_pitch ? to_pitch : from_pitch, height);
  if (longest == INT64_MAX) return hipErrorInvalidValue;
  if (height == 1 || (to_step == width && from_step == width)) {
    return copy_bytes(to, from, static_cast<size_t>(bytes) * static_cast<size_t>(height), d);
  }
  return copy_pitched(to, static_cast<size_t>(to_pitch), from, static_cast<size_t>(from_pitch),
                      static_cast<size_t>(bytes), static_cast<size_t>(height), d);
}

// A failed copy is also the runtime's last error, as if the program had called the runtime.
cublasStatus_t answer(hipError_t error) {
  return sx_runtime_error_set(static_cast<int>(error)) == 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

cublasStatus_t vector(int64_t n, int64_t element, const void* x, int64_t incx, void* y, int64_t incy,
                      const Direction& d) {
  return answer(copy(y, incy, x, incx, 1, n, element, d));
}

cublasStatus_t matrix(int64_t rows, int64_t cols, int64_t element, const void* a, int64_t lda, void* b, int64_t ldb,
                      const Direction& d) {
  const hipError_t error = copy(b, ldb, a, lda, rows, cols, element, d);
  if (d.when == When::now) return answer(error);
  // the asynchronous ones answer whatever error the runtime holds, and clear it
  const int stale = sx_runtime_error_get(true);
  return error == hipSuccess && stale == 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

constexpr hipMemcpyKind kUp = hipMemcpyHostToDevice, kDown = hipMemcpyDeviceToHost;

}  // namespace

cublasStatus_t sx_set_vector(int64_t n, int64_t elemSize, const void* x, int64_t incx, void* y, int64_t incy) {
  return vector(n, elemSize, x, incx, y, incy, now(kUp));
}
cublasStatus_t sx_set_vector(int n, int elemSize, const void* x, int incx, void* y, int incy) {
  return vector(n, elemSize, x, incx, y, incy, now(kUp));
}
cublasStatus_t sx_get_vector(int64_t n, int64_t elemSize, const void* x, int64_t incx, void* y, int64_t incy) {
  return vector(n, elemSize, x, incx, y, incy, now(kDown));
}
cublasStatus_t sx_get_vector(int n, int elemSize, const void* x, int incx, void* y, int incy) {
  return vector(n, elemSize, x, incx, y, incy, now(kDown));
}
cublasStatus_t sx_set_vector_async(int64_t n, int64_t elemSize, const void* x, int64_t incx, void* y, int64_t incy,
                                   cudaStream_t stream) {
  return vector(n, elemSize, x, incx, y, incy, later(kUp, stream));
}
cublasStatus_t sx_set_vector_async(int n, int elemSize, const void* x, int incx, void* y, int incy,
                                   cudaStream_t stream) {
  return vector(n, elemSize, x, incx, y, incy, later(kUp, stream));
}
cublasStatus_t sx_get_vector_async(int64_t n, int64_t elemSize, const void* x, int64_t incx, void* y, int64_t incy,
                                   cudaStream_t stream) {
  return vector(n, elemSize, x, incx, y, incy, later(kDown, stream));
}
cublasStatus_t sx_get_vector_async(int n, int elemSize, const void* x, int incx, void* y, int incy,
                                   cudaStream_t stream) {
  return vector(n, elemSize, x, incx, y, incy, later(kDown, stream));
}

cublasStatus_t sx_set_matrix(int64_t rows, int64_t cols, int64_t elemSize, const void* a, int64_t lda, void* b,
                             int64_t ldb) {
  return matrix(rows, cols, elemSize, a, lda, b, ldb, now(kUp));
}
cublasStatus_t sx_set_matrix(int rows, int cols, int elemSize, const void* a, int lda, void* b, int ldb) {
  return matrix(rows, cols, elemSize, a, lda, b, ldb, now(kUp));
}
cublasStatus_t sx_get_matrix(int64_t rows, int64_t cols, int64_t elemSize, const void* a, int64_t lda, void* b,
                             int64_t ldb) {
  return matrix(rows, cols, elemSize, a, lda, b, ldb, now(kDown));
}
cublasStatus_t sx_get_matrix(int rows, int cols, int elemSize, const void* a, int lda, void* b, int ldb) {
  return matrix(rows, cols, elemSize, a, lda, b, ldb, now(kDown));
}
cublasStatus_t sx_set_matrix_async(int64_t rows, int64_t cols, int64_t elemSize, const void* a, int64_t lda, void* b,
                                   int64_t ldb, cudaStream_t stream) {
  return matrix(rows, cols, elemSize, a, lda, b, ldb, later(kUp, stream));
}
cublasStatus_t sx_set_matrix_async(int rows, int cols, int elemSize, const void* a, int lda, void* b, int ldb,
                                   cudaStream_t stream) {
  return matrix(rows, cols, elemSize, a, lda, b, ldb, later(kUp, stream));
}
cublasStatus_t sx_get_matrix_async(int64_t rows, int64_t cols, int64_t elemSize, const void* a, int64_t lda, void* b,
                                   int64_t ldb, cudaStream_t stream) {
  return matrix(rows, cols, elemSize, a, lda, b, ldb, later(kDown, stream));
}
cublasStatus_t sx_get_matrix_async(int rows, int cols, int elemSize, const void* a, int lda, void* b, int ldb,
                                   cudaStream_t stream) {
  return matrix(rows, cols, elemSize, a, lda, b, ldb, later(kDown, stream));
}
