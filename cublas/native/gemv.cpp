// gemv where no single rocBLAS call does it: increment 0, and conj(A) with a vector that is walked backwards.
//
// A vector with increment 0 is one element repeated; as an output it is one element written m times, in an order that
// NVIDIA leaves open: here the last row's result stays. conj(A) x is the row x' A^H, a gemm, for which both vectors
// must run forwards: others are copied to scratch memory and back.
#include <initializer_list>

#include "blas_types.h"
#include "scratch.h"

namespace {

constexpr bool is_complex(const void*) { return false; }
constexpr bool is_complex(const cuComplex*) { return true; }
constexpr bool is_complex(const cuDoubleComplex*) { return true; }

template <class T>
struct Gemv {
  cublasOperation_t trans;
  int m, n;
  const T* alpha;
  const T* A;
  int lda;
  const T* x;
  int incx;
  const T* beta;
  T* y;
  int incy;
};

template <class T>
rocblas_status multiply(rocblas_handle handle, const Gemv<T>& g, bool conj) {
  using B = sx_blas<T>;
  if (!conj) {
    const cublasOperation_t op = g.trans == CUBLAS_OP_CONJG ? CUBLAS_OP_N : g.trans;
    return B::gemv()(handle, sx_to_rocblas_operation(op), g.m, g.n, sx_rocm_ptr(g.alpha), sx_rocm_ptr(g.A), g.lda,
                     sx_rocm_ptr(g.x), g.incx, sx_rocm_ptr(g.beta), sx_rocm_ptr(g.y), g.incy);
  }
  return B::gemm()(handle, rocblas_operation_none, rocblas_operation_conjugate_transpose, 1, g.m, g.n,
                   sx_rocm_ptr(g.alpha), sx_rocm_ptr(g.x), g.incx, sx_rocm_ptr(g.A), g.lda, sx_rocm_ptr(g.beta),
                   sx_rocm_ptr(g.y), g.incy);
}

template <class T>
cublasStatus_t run(cublasHandle_t handle, Gemv<T> g) {
  using B = sx_blas<T>;
  if (B::copy() == nullptr || B::gemv() == nullptr || B::gemm() == nullptr) return CUBLAS_STATUS_NOT_SUPPORTED;
  sx_blas_slot* const slot = sx_slot_of(handle, SX_KIND_BLAS);
  const bool by_columns = g.trans == CUBLAS_OP_N || g.trans == CUBLAS_OP_CONJG;
  if (g.incy == 0) {
    int& length = by_columns ? g.m : g.n;
    g.A += static_cast<ptrdiff_t>(length - 1) * (by_columns ? 1 : g.lda);
    length = 1;
    g.incy = 1;
  }
  const int x_length = by_columns ? g.n : g.m, y_length = by_columns ? g.m : g.n;
  const bool conj = is_complex(g.A) && g.trans == CUBLAS_OP_CONJG;

  sx_borrowed blas(slot);
  if (blas.error != 0) return static_cast<cublasStatus_t>(blas.error);
  const bool host = sx_host_mode(slot);
  sx_scalar<T> alpha, beta;
  g.alpha = alpha.at(g.alpha, host);
  g.beta = beta.at(g.beta, host);
  sx_scratch scratch(slot->stream);
  rocblas_status status = rocblas_status_success;
  if (g.incx == 0 || (conj && g.incx < 0)) {
    T* const forward = scratch.take<T>(x_length);
    if (forward == nullptr) return CUBLAS_STATUS_ALLOC_FAILED;
    status = B::copy()(blas.loan.handle, x_length, sx_rocm_ptr(g.x), g.incx, sx_rocm_ptr(forward), 1);
    g.x = forward;
    g.incx = 1;
  }
  T* const y = g.y;
  const int incy = g.incy;
  const bool backwards = conj && incy < 0;
  if (backwards && status == rocblas_status_success) {
    g.y = scratch.take<T>(y_length);
    if (g.y == nullptr) return CUBLAS_STATUS_ALLOC_FAILED;
    g.incy = 1;
    status = B::copy()(blas.loan.handle, y_length, sx_rocm_ptr(y), incy, sx_rocm_ptr(g.y), 1);
  }
  if (status == rocblas_status_success) status = multiply(blas.loan.handle, g, conj);
  if (backwards && status == rocblas_status_success) {
    status = B::copy()(blas.loan.handle, y_length, sx_rocm_ptr(g.y), 1, sx_rocm_ptr(y), incy);
  }
  return sx_from_rocblas_status(status);
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
