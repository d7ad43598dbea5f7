// nrm2 with a host result: plain squares by rocBLAS, and once more on a scaled copy when they left the range.
//
// cuBLAS scales, rocBLAS does not: 1e200 squared is Inf there, 1e-200 squared is 0. A norm inside the safe range proves
// that nothing that matters was lost, so the ordinary case is the one rocBLAS call.
#include <cmath>
#include <limits>

#include "blas_types.h"
#include "scratch.h"

namespace {

template <class T>
struct Norm;
#define SX_NORM(cuda_type, real_type, rocm_name, i_name, scal_name)     \
  template <>                                                           \
  struct Norm<cuda_type> {                                              \
    using real = real_type;                                             \
    static auto norm() { return sx_rocm->rocblas_##rocm_name; }         \
    static auto norm_64() { return sx_rocm->rocblas_##rocm_name##_64; } \
    static auto largest() { return sx_rocm->rocblas_##i_name; }         \
    static auto scale() { return sx_rocm->rocblas_##scal_name; }        \
  }
SX_NORM(float, float, snrm2, isamax, sscal);
SX_NORM(double, double, dnrm2, idamax, dscal);
SX_NORM(cuComplex, float, scnrm2, icamax, csscal);
SX_NORM(cuDoubleComplex, double, dznrm2, izamax, zdscal);
#undef SX_NORM

float magnitude(float x) { return std::fabs(x); }
double magnitude(double x) { return std::fabs(x); }
float magnitude(cuComplex x) { return std::fmax(std::fabs(x.x), std::fabs(x.y)); }
double magnitude(cuDoubleComplex x) { return std::fmax(std::fabs(x.x), std::fabs(x.y)); }

// Squares neither vanished nor overflowed.
template <class R>
bool safe(R norm) {
  static const R smallest = std::sqrt(std::numeric_limits<R>::min() / std::numeric_limits<R>::epsilon());
  return norm > smallest && norm <= std::numeric_limits<R>::max();
}

// The norm of a copy scaled by a power of two that brings its largest element near 1.
template <class T, class R>
rocblas_status rescaled(const sx_borrowed& blas, hipStream_t stream, int n, const T* x, int incx, R* norm) {
  using N = Norm<T>;
  rocblas_handle const handle = blas.loan.handle;
  int place = 0;
  rocblas_status status = N::largest()(handle, n, sx_rocm_ptr(x), incx, &place);
  if (status != rocblas_status_success || place < 1 || place > n) return status;
  T element;
  const T* const from = x + static_cast<ptrdiff_t>(place - 1) * incx;
  if (sx_rocm->hipMemcpy(&element, from, sizeof element, hipMemcpyDeviceToHost) != hipSuccess) {
    return rocblas_status_internal_error;
  }
  const R largest = magnitude(element);
  if (!(largest > 0 && largest <= std::numeric_limits<R>::max())) return rocblas_status_success;  // 0, Inf, NaN: right
  int exponent;
  std::frexp(largest, &exponent);
  const int limit = std::numeric_limits<R>::max_exponent - 2;
  exponent = exponent < -limit ? -limit : exponent;
  const R factor = std::ldexp(R{1}, -exponent);
  sx_scratch scratch(stream);
  T* const copy = scratch.take<T>(n);
  if (copy == nullptr) return rocblas_status_memory_error;
  status = sx_blas<T>::copy()(handle, n, sx_rocm_ptr(x), incx, sx_rocm_ptr(copy), 1);
  if (status == rocblas_status_success) status = N::scale()(handle, n, &factor, sx_rocm_ptr(copy), 1);
  R scaled = 0;
  if (status == rocblas_status_success) status = N::norm()(handle, n, sx_rocm_ptr(copy), 1, &scaled);
  if (status == rocblas_status_success) *norm = std::ldexp(scaled, exponent);
  return status;
}

template <class T, class R>
cublasStatus_t run(cublasHandle_t handle, int64_t n, const T* x, int64_t incx, R* result) {
  using N = Norm<T>;
  sx_blas_slot* const slot = sx_slot_of(handle, SX_KIND_BLAS);
  const bool narrow = sx_fits(n) && sx_fits(incx);
  if (N::norm() == nullptr || (!narrow && N::norm_64() == nullptr)) return CUBLAS_STATUS_NOT_SUPPORTED;
  sx_borrowed blas(slot);
  if (blas.error != 0) return static_cast<cublasStatus_t>(blas.error);
  R norm = 0;
  rocblas_status status =
      narrow ? N::norm()(blas.loan.handle, static_cast<int>(n), sx_rocm_ptr(x), static_cast<int>(incx), &norm)
             : N::norm_64()(blas.loan.handle, n, sx_rocm_ptr(x), incx, &norm);
  const bool empty = n <= 0 || incx <= 0;
  if (status == rocblas_status_success && !empty && !safe(norm) && !std::isnan(norm) && narrow) {
    status = rescaled<T, R>(blas, slot->stream, static_cast<int>(n), x, static_cast<int>(incx), &norm);
  }
  if (status == rocblas_status_success) memcpy(result, &norm, sizeof norm);
  return sx_from_rocblas_status(status);
}

}  // namespace

cublasStatus_t sx_nrm2_host(cublasHandle_t handle, int n, const float* x, int incx, float* result) {
  return run<float, float>(handle, n, x, incx, result);
}

cublasStatus_t sx_nrm2_host(cublasHandle_t handle, int64_t n, const float* x, int64_t incx, float* result) {
  return run<float, float>(handle, n, x, incx, result);
}

cublasStatus_t sx_nrm2_host(cublasHandle_t handle, int n, const double* x, int incx, double* result) {
  return run<double, double>(handle, n, x, incx, result);
}

cublasStatus_t sx_nrm2_host(cublasHandle_t handle, int64_t n, const double* x, int64_t incx, double* result) {
  return run<double, double>(handle, n, x, incx, result);
}

cublasStatus_t sx_nrm2_host(cublasHandle_t handle, int n, const cuComplex* x, int incx, float* result) {
  return run<cuComplex, float>(handle, n, x, incx, result);
}

cublasStatus_t sx_nrm2_host(cublasHandle_t handle, int64_t n, const cuComplex* x, int64_t incx, float* result) {
  return run<cuComplex, float>(handle, n, x, incx, result);
}

cublasStatus_t sx_nrm2_host(cublasHandle_t handle, int n, const cuDoubleComplex* x, int incx, double* result) {
  return run<cuDoubleComplex, double>(handle, n, x, incx, result);
}

cublasStatus_t sx_nrm2_host(cublasHandle_t handle, int64_t n, const cuDoubleComplex* x, int64_t incx, double* result) {
  return run<cuDoubleComplex, double>(handle, n, x, incx, result);
}

namespace {

template <class Size>
cublasStatus_t run_ex(cublasHandle_t handle, Size n, const void* x, cudaDataType type, Size incx, void* result) {
  switch (type) {
    case CUDA_R_32F:
      return run(handle, n, static_cast<const float*>(x), incx, static_cast<float*>(result));
    case CUDA_R_64F:
      return run(handle, n, static_cast<const double*>(x), incx, static_cast<double*>(result));
    case CUDA_C_32F:
      return run(handle, n, static_cast<const cuComplex*>(x), incx, static_cast<float*>(result));
    case CUDA_C_64F:
      return run(handle, n, static_cast<const cuDoubleComplex*>(x), incx, static_cast<double*>(result));
    default:
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

}  // namespace

cublasStatus_t sx_nrm2_ex_host(cublasHandle_t handle, int n, const void* x, cudaDataType xType, int incx, void* result,
                               cudaDataType, cudaDataType) {
  return run_ex(handle, n, x, xType, incx, result);
}

cublasStatus_t sx_nrm2_ex_host(cublasHandle_t handle, int64_t n, const void* x, cudaDataType xType, int64_t incx,
                               void* result, cudaDataType, cudaDataType) {
  return run_ex(handle, n, x, xType, incx, result);
}
