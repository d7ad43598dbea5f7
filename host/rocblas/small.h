// Products and factorisations of small real matrices in AVX-512 registers: for a few dozen rows BLAS and LAPACK
// spend more time on getting ready than on computing, and batches are made of such matrices.
#pragma once

#include "rb.h"

namespace sx::rb::small {

// C := alpha A op(B) + beta C; alpha is not 0. False, and nothing done, when this is not the way to do it.
bool gemm(rocblas_operation ta, rocblas_operation tb, i64 m, i64 n, i64 k, float alpha, const float* A, i64 lda,
          const float* B, i64 ldb, float beta, float* C, i64 ldc);
bool gemm(rocblas_operation ta, rocblas_operation tb, i64 m, i64 n, i64 k, double alpha, const double* A, i64 lda,
          const double* B, i64 ldb, double beta, double* C, i64 ldc);
template <class T>
bool gemm(rocblas_operation, rocblas_operation, i64, i64, i64, T, const T*, i64, const T*, i64, T, T*, i64) {
  return false;
}

// P A = L U as LAPACK's getrf, the place of the first zero pivot in ``info``. False as above.
bool lu(i64 m, i64 n, float* A, i64 lda, i64* pivots, i64* info);
bool lu(i64 m, i64 n, double* A, i64 lda, i64* pivots, i64* info);
template <class T>
bool lu(i64, i64, T*, i64, i64*, i64*) {
  return false;
}

// A = L L' or U' U in one triangle, the order of the first minor that is not positive in ``info``. False as above.
bool cholesky(rocblas_fill uplo, i64 n, float* A, i64 lda, i64* info);
bool cholesky(rocblas_fill uplo, i64 n, double* A, i64 lda, i64* info);
template <class T>
bool cholesky(rocblas_fill, i64, T*, i64, i64*) {
  return false;
}

}  // namespace sx::rb::small
