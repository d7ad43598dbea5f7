// set/get vector/matrix: copies between host and device, as HIP copies of two dimensions.
#include "rb.h"

namespace {

using sx::rb::i64;

struct Copy {
  hipMemcpyKind kind;
  bool async;
  hipStream_t stream;

  // A failing copy, say from memory that is not a device's, is an internal error since ROCm 7.0; before it was only
  // printed.
  rocblas_status run(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                     size_t height) const {
    const hipError_t error = start(to, to_pitch, from, from_pitch, width, height);
    return error == hipSuccess || sx::release() < 700 ? rocblas_status_success : rocblas_status_internal_error;
  }

  hipError_t start(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height) const {
    if (to_pitch == width && from_pitch == width) {
      if (async) return hipMemcpyAsync(to, from, width * height, kind, stream);
      return hipMemcpy(to, from, width * height, kind);
    }
    if (async) return hipMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, stream);
    return hipMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
  }
};

rocblas_status vector(Copy copy, i64 n, i64 elem_size, const void* x, i64 incx, void* y, i64 incy) {
  if (n == 0) return rocblas_status_success;
  if (n < 0 || incx <= 0 || incy <= 0 || elem_size <= 0) return rocblas_status_invalid_size;
  if (!x || !y) return rocblas_status_invalid_pointer;
  const auto size = static_cast<size_t>(elem_size);
  return copy.run(y, size * static_cast<size_t>(incy), x, size * static_cast<size_t>(incx), size,
                  static_cast<size_t>(n));
}

rocblas_status matrix(Copy copy, i64 rows, i64 cols, i64 elem_size, const void* a, i64 lda, void* b, i64 ldb) {
  if (rows == 0 || cols == 0) return rocblas_status_success;
  if (rows < 0 || cols < 0 || lda <= 0 || ldb <= 0 || rows > lda || rows > ldb || elem_size <= 0)
    return rocblas_status_invalid_size;
  if (!a || !b) return rocblas_status_invalid_pointer;
  const auto size = static_cast<size_t>(elem_size);
  return copy.run(b, size * static_cast<size_t>(ldb), a, size * static_cast<size_t>(lda),
                  size * static_cast<size_t>(rows), static_cast<size_t>(cols));
}

}  // namespace

#define SX_TRANSFER(direction, kind, suffix, I)                                                                     \
  extern "C" rocblas_status rocblas_##direction##_vector##suffix(I n, I elem_size, const void* x, I incx, void* y,  \
                                                                 I incy) {                                          \
    return vector({kind, false, nullptr}, n, elem_size, x, incx, y, incy);                                          \
  }                                                                                                                 \
  extern "C" rocblas_status rocblas_##direction##_vector_async##suffix(I n, I elem_size, const void* x, I incx,     \
                                                                       void* y, I incy, hipStream_t stream) {       \
    return vector({kind, true, stream}, n, elem_size, x, incx, y, incy);                                            \
  }                                                                                                                 \
  extern "C" rocblas_status rocblas_##direction##_matrix##suffix(I rows, I cols, I elem_size, const void* a, I lda, \
                                                                 void* b, I ldb) {                                  \
    return matrix({kind, false, nullptr}, rows, cols, elem_size, a, lda, b, ldb);                                   \
  }                                                                                                                 \
  extern "C" rocblas_status rocblas_##direction##_matrix_async##suffix(I rows, I cols, I elem_size, const void* a,  \
                                                                       I lda, void* b, I ldb, hipStream_t stream) { \
    return matrix({kind, true, stream}, rows, cols, elem_size, a, lda, b, ldb);                                     \
  }

SX_TRANSFER(set, hipMemcpyHostToDevice, , rocblas_int)
SX_TRANSFER(set, hipMemcpyHostToDevice, _64, int64_t)
SX_TRANSFER(get, hipMemcpyDeviceToHost, , rocblas_int)
SX_TRANSFER(get, hipMemcpyDeviceToHost, _64, int64_t)
