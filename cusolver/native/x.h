// The 64-bit API of cuSOLVER: sizes of 64 bits, workspaces in bytes on the device and on the host, types as arguments.
//
// Its functions stand on the typed ones. Sizes that no typed function can take are refused: a dense matrix of more than
// 2^31 columns or rows of that many fits no device.
#pragma once

#include "scalex/wrap.h"
#include "solver.h"
#include "typed.h"

template <class... Sizes>
bool sx_fit(Sizes... sizes) {
  return (sx_fits(sizes) && ...);
}

// A workspace in bytes as a typed function counts it.
template <class T>
int sx_elements(size_t bytes) {
  const size_t count = bytes / sizeof(T);
  return count > INT_MAX ? INT_MAX : static_cast<int>(count);
}

// A size that is only asked about: NVIDIA's size functions hardly look at what they are given.
static inline int sx_size_of(int64_t n) { return n < 0 ? 0 : n > INT_MAX ? INT_MAX : static_cast<int>(n); }
static inline int sx_ld_of(int64_t ld, int64_t rows) { return sx_max(sx_max(sx_size_of(ld), sx_size_of(rows)), 1); }

// Both workspace sizes from a typed size function, which ``query`` calls with where to put its elements.
template <class T, class Query>
cusolverStatus_t sx_bytes(size_t* device, size_t* host, const Query& query) {
  int elements = 0;
  const cusolverStatus_t status = query(&elements);
  *device = status == CUSOLVER_STATUS_SUCCESS ? static_cast<size_t>(elements) * sizeof(T) : 0;
  *host = 0;
  return status;
}

static inline cusolverStatus_t sx_no_bytes(size_t* device, size_t* host, cusolverStatus_t status) {
  *device = 0;
  *host = 0;
  return status;
}

template <class T>
T* sx_as(void* p) {
  return static_cast<T*>(p);
}
template <class T>
const T* sx_as(const void* p) {
  return static_cast<const T*>(p);
}

// Scalars of the element type.
static inline float sx_number(float, float v) { return v; }
static inline double sx_number(double, double v) { return v; }
static inline cuComplex sx_number(cuComplex, float v) { return {v, 0}; }
static inline cuDoubleComplex sx_number(cuDoubleComplex, double v) { return {v, 0}; }

// A call was successful, also when it only told its size.
static inline bool sx_good(rocblas_status s) {
  return s == rocblas_status_success || s == rocblas_status_size_increased || s == rocblas_status_size_unchanged;
}

// Columns of ``width`` bytes from one place of the device to another.
static inline bool sx_copy_columns(hipStream_t stream, void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                   size_t width, size_t columns) {
  const auto copy = sx_rocm->hipMemcpy2DAsync;
  return copy && copy(to, to_pitch, from, from_pitch, width, columns, hipMemcpyDeviceToDevice, stream) == hipSuccess;
}
