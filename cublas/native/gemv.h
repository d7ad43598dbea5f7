// gemv where no single rocBLAS call does it: increment 0, and conj(A) with a vector that is walked backwards.
//
// A vector with increment 0 is one element repeated; as an output it is one element written m times, in an order that
// NVIDIA leaves open: here the last row's result stays. conj(A) x is the row x' A^H, a gemm, for which both vectors
// must run forwards: others are copied to scratch memory and back.
#pragma once

#include "blas_types.h"
#include "scratch.h"

namespace sx_gemv {

inline constexpr bool is_complex(const void*) { return false; }
inline constexpr bool is_complex(const cuComplex*) { return true; }
inline constexpr bool is_complex(const cuDoubleComplex*) { return true; }

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

// Scalars are aligned.
template <class T>
rocblas_status general(const sx_borrowed& blas, hipStream_t stream, Gemv<T> g) {
  using B = sx_blas<T>;
  if (B::copy() == nullptr || B::gemv() == nullptr || B::gemm() == nullptr) return rocblas_status_not_implemented;
  const bool by_columns = g.trans == CUBLAS_OP_N || g.trans == CUBLAS_OP_CONJG;
  if (g.incy == 0) {
    int& length = by_columns ? g.m : g.n;
    g.A += static_cast<ptrdiff_t>(length - 1) * (by_columns ? 1 : g.lda);
    length = 1;
    g.incy = 1;
  }
  const int x_length = by_columns ? g.n : g.m, y_length = by_columns ? g.m : g.n;
  const bool conj = is_complex(g.A) && g.trans == CUBLAS_OP_CONJG;

  sx_scratch scratch(stream);
  rocblas_status status = rocblas_status_success;
  if (g.incx == 0 || (conj && g.incx < 0)) {
    T* const forward = scratch.take<T>(x_length);
    if (forward == nullptr) return rocblas_status_memory_error;
    status = B::copy()(blas.loan.handle, x_length, sx_rocm_ptr(g.x), g.incx, sx_rocm_ptr(forward), 1);
    g.x = forward;
    g.incx = 1;
  }
  T* const y = g.y;
  const int incy = g.incy;
  const bool backwards = conj && incy < 0;
  if (backwards && status == rocblas_status_success) {
    g.y = scratch.take<T>(y_length);
    if (g.y == nullptr) return rocblas_status_memory_error;
    g.incy = 1;
    status = B::copy()(blas.loan.handle, y_length, sx_rocm_ptr(y), incy, sx_rocm_ptr(g.y), 1);
  }
  if (status == rocblas_status_success) status = multiply(blas.loan.handle, g, conj);
  if (backwards && status == rocblas_status_success) {
    status = B::copy()(blas.loan.handle, y_length, sx_rocm_ptr(g.y), 1, sx_rocm_ptr(y), incy);
  }
  return status;
}

}  // namespace sx_gemv
