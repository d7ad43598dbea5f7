// geam with alpha or beta NULL, which cuBLAS takes for 0 and rocBLAS refuses.
#include <initializer_list>

#include "blas_types.h"
#include "scratch.h"

namespace {

template <class T>
cublasStatus_t run(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n,
                   const T* alpha, const T* A, int64_t lda, const T* beta, const T* B, int64_t ldb, T* C, int64_t ldc) {
  for (const int64_t value : {m, n, lda, ldb, ldc}) {
    if (!sx_fits(value)) return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  if (sx_blas<T>::geam() == nullptr) return CUBLAS_STATUS_NOT_SUPPORTED;
  sx_blas_slot* const slot = sx_slot_of(handle, SX_KIND_BLAS);
  sx_borrowed blas(slot);
  if (blas.error != 0) return static_cast<cublasStatus_t>(blas.error);
  const T nothing{};
  const T* zero = &nothing;
  sx_scratch scratch(slot->stream);
  if (!sx_host_mode(slot)) {
    T* const on_device = scratch.take<T>(1);
    if (on_device == nullptr) return CUBLAS_STATUS_ALLOC_FAILED;
    if (sx_rocm->hipMemsetAsync(on_device, 0, sizeof(T), slot->stream) != hipSuccess)
      return CUBLAS_STATUS_EXECUTION_FAILED;
    zero = on_device;
  }
  const bool host = sx_host_mode(slot);
  sx_scalar<T> alpha_copy, beta_copy;
  alpha = alpha == nullptr ? zero : alpha_copy.at(alpha, host);
  beta = beta == nullptr ? zero : beta_copy.at(beta, host);
  return sx_from_rocblas_status(sx_blas<T>::geam()(
      blas.loan.handle, sx_to_rocblas_operation(transa), sx_to_rocblas_operation(transb), static_cast<int>(m),
      static_cast<int>(n), sx_rocm_ptr(alpha), sx_rocm_ptr(A), static_cast<int>(lda), sx_rocm_ptr(beta), sx_rocm_ptr(B),
      static_cast<int>(ldb), sx_rocm_ptr(C), static_cast<int>(ldc)));
}

}  // namespace

cublasStatus_t sx_geam_null(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                            const float* alpha, const float* A, int lda, const float* beta, const float* B, int ldb,
                            float* C, int ldc) {
  return run<float>(handle, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc);
}

cublasStatus_t sx_geam_null(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m,
                            int64_t n, const float* alpha, const float* A, int64_t lda, const float* beta,
                            const float* B, int64_t ldb, float* C, int64_t ldc) {
  return run<float>(handle, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc);
}

cublasStatus_t sx_geam_null(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                            const double* alpha, const double* A, int lda, const double* beta, const double* B, int ldb,
                            double* C, int ldc) {
  return run<double>(handle, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc);
}

cublasStatus_t sx_geam_null(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m,
                            int64_t n, const double* alpha, const double* A, int64_t lda, const double* beta,
                            const double* B, int64_t ldb, double* C, int64_t ldc) {
  return run<double>(handle, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc);
}

cublasStatus_t sx_geam_null(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                            const cuComplex* alpha, const cuComplex* A, int lda, const cuComplex* beta,
                            const cuComplex* B, int ldb, cuComplex* C, int ldc) {
  return run<cuComplex>(handle, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc);
}

cublasStatus_t sx_geam_null(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m,
                            int64_t n, const cuComplex* alpha, const cuComplex* A, int64_t lda, const cuComplex* beta,
                            const cuComplex* B, int64_t ldb, cuComplex* C, int64_t ldc) {
  return run<cuComplex>(handle, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc);
}

cublasStatus_t sx_geam_null(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                            const cuDoubleComplex* alpha, const cuDoubleComplex* A, int lda,
                            const cuDoubleComplex* beta, const cuDoubleComplex* B, int ldb, cuDoubleComplex* C,
                            int ldc) {
  return run<cuDoubleComplex>(handle, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc);
}

cublasStatus_t sx_geam_null(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m,
                            int64_t n, const cuDoubleComplex* alpha, const cuDoubleComplex* A, int64_t lda,
                            const cuDoubleComplex* beta, const cuDoubleComplex* B, int64_t ldb, cuDoubleComplex* C,
                            int64_t ldc) {
  return run<cuDoubleComplex>(handle, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc);
}
