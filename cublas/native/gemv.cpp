// gemv where no single rocBLAS call does it: see gemv.h.
#include <initializer_list>

#include "gemv.h"

namespace {

using sx_gemv::Gemv;

template <class T>
cublasStatus_t run(cublasHandle_t handle, Gemv<T> g) {
  sx_blas_slot* const slot = sx_slot_of(handle, SX_KIND_BLAS);
  sx_borrowed blas(slot);
  if (blas.error != 0) return static_cast<cublasStatus_t>(blas.error);
  const bool host = sx_host_mode(slot);
  sx_scalar<T> alpha, beta;
  g.alpha = alpha.at(g.alpha, host);
  g.beta = beta.at(g.beta, host);
  return sx_from_rocblas_status(sx_gemv::general(blas, slot->stream, g));
}

template <class T>
cublasStatus_t run_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const T* alpha, const T* A,
                      int64_t lda, const T* x, int64_t incx, const T* beta, T* y, int64_t incy) {
  for (const int64_t value : {m, n, lda, incx, incy}) {
    if (!sx_fits(value)) return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  return run<T>(handle, {trans, static_cast<int>(m), static_cast<int>(n), alpha, A, static_cast<int>(lda), x,
                         static_cast<int>(incx), beta, y, static_cast<int>(incy)});
}

}  // namespace

cublasStatus_t sx_gemv_rare(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const float* alpha,
                            const float* A, int lda, const float* x, int incx, const float* beta, float* y, int incy) {
  return run<float>(handle, {trans, m, n, alpha, A, lda, x, incx, beta, y, incy});
}
cublasStatus_t sx_gemv_rare(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const float* alpha,
                            const float* A, int64_t lda, const float* x, int64_t incx, const float* beta, float* y,
                            int64_t incy) {
  return run_64<float>(handle, trans, m, n, alpha, A, lda, x, incx, beta, y, incy);
}

cublasStatus_t sx_gemv_rare(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const double* alpha,
                            const double* A, int lda, const double* x, int incx, const double* beta, double* y,
                            int incy) {
  return run<double>(handle, {trans, m, n, alpha, A, lda, x, incx, beta, y, incy});
}
cublasStatus_t sx_gemv_rare(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const double* alpha,
                            const double* A, int64_t lda, const double* x, int64_t incx, const double* beta, double* y,
                            int64_t incy) {
  return run_64<double>(handle, trans, m, n, alpha, A, lda, x, incx, beta, y, incy);
}

cublasStatus_t sx_gemv_rare(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const cuComplex* alpha,
                            const cuComplex* A, int lda, const cuComplex* x, int incx, const cuComplex* beta,
                            cuComplex* y, int incy) {
  return run<cuComplex>(handle, {trans, m, n, alpha, A, lda, x, incx, beta, y, incy});
}
cublasStatus_t sx_gemv_rare(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n,
                            const cuComplex* alpha, const cuComplex* A, int64_t lda, const cuComplex* x, int64_t incx,
                            const cuComplex* beta, cuComplex* y, int64_t incy) {
  return run_64<cuComplex>(handle, trans, m, n, alpha, A, lda, x, incx, beta, y, incy);
}

cublasStatus_t sx_gemv_rare(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const cuDoubleComplex* alpha,
                            const cuDoubleComplex* A, int lda, const cuDoubleComplex* x, int incx,
                            const cuDoubleComplex* beta, cuDoubleComplex* y, int incy) {
  return run<cuDoubleComplex>(handle, {trans, m, n, alpha, A, lda, x, incx, beta, y, incy});
}
cublasStatus_t sx_gemv_rare(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n,
                            const cuDoubleComplex* alpha, const cuDoubleComplex* A, int64_t lda,
                            const cuDoubleComplex* x, int64_t incx, const cuDoubleComplex* beta, cuDoubleComplex* y,
                            int64_t incy) {
  return run_64<cuDoubleComplex>(handle, trans, m, n, alpha, A, lda, x, incx, beta, y, incy);
}
