// Singular value decompositions for the typed and the 64-bit entry points: arguments are already checked.
#pragma once

#include "spectral.h"

template <class T>
struct sx_svd {
  signed char jobu, jobvt;
  int64_t m, n;
  T* A;
  int64_t lda;
  sx_real<T>* S;
  T* U;
  int64_t ldu;
  T* VT;
  int64_t ldvt;
  sx_real<T>* rwork;  // takes the superdiagonal that did not converge; may be NULL
};

// Bytes that suffice for all jobs.
template <class T>
cusolverStatus_t sx_svd_bytes(cusolverDnHandle_t handle, int64_t m, int64_t n, size_t* bytes);
template <class T>
cusolverStatus_t sx_svd_run(cusolverDnHandle_t handle, const sx_svd<T>& p, void* work, size_t bytes, int* info);

// C := op(X), of rows x cols, for each of ``count`` matrices; leading dimensions, strides between matrices.
template <class T>
static rocblas_status sx_copies(rocblas_handle h, rocblas_operation op, int rows, int cols, const T* X, int ldx,
                                int64_t stride_x, T* C, int ldc, int64_t stride_c, int count) {
  using Rocm = typename sx_solver_type<T>::type;
  const auto geam = sx_spectral<T>::geam_batch();
  if (geam == nullptr) return rocblas_status_not_implemented;
  const sx_real<T> one[2] = {1, 0}, zero[2] = {0, 0};
  return geam(h, op, rocblas_operation_none, rows, cols, reinterpret_cast<const Rocm*>(one), sx_rocm_ptr(X), ldx,
              stride_x, reinterpret_cast<const Rocm*>(zero), sx_rocm_ptr(C), ldc, stride_c, sx_rocm_ptr(C), ldc,
              stride_c, count);
}

// V := X^H for each of ``count`` matrices X of rows x cols.
template <class T>
static rocblas_status sx_adjoint(rocblas_handle h, int rows, int cols, const T* X, int ldx, int64_t stride_x, T* V,
                                 int ldv, int64_t stride_v, int count) {
  constexpr auto op = sx_solver_type<T>::complex ? rocblas_operation_conjugate_transpose : rocblas_operation_transpose;
  return sx_copies(h, op, cols, rows, X, ldx, stride_x, V, ldv, stride_v, count);
}
