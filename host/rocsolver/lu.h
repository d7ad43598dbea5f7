// LU factorisations that several families use.
#pragma once

#include "rs.h"

namespace sx::rs {

// Without pivoting, which LAPACK lacks: a narrow panel column by column, then trsm and gemm on what is right of it. The
// answer is the place of the first zero pivot, 0 for none; columns are not divided by a zero pivot.
template <class T>
i64 lu_no_pivots(i64 m, i64 n, T* A, i64 lda) {
  constexpr i64 width = 32;
  const i64 least = std::min(m, n);
  i64 info = 0;
  for (i64 j = 0; j < least; j += width) {
    const i64 end = std::min(least, j + width);
    for (i64 k = j; k < end; ++k) {
      T* column = A + k * lda;
      const T pivot = column[k];
      if (pivot == T(0)) {
        if (!info) info = k + 1;
        continue;
      }
      for (i64 i = k + 1; i < m; ++i) column[i] /= pivot;
      if (k + 1 < end && k + 1 < m)
        blas::geru(m - k - 1, end - k - 1, T(-1), column + k + 1, 1, A + k + (k + 1) * lda, lda,
                   A + k + 1 + (k + 1) * lda, lda);
    }
    if (end == n) continue;
    T* right = A + end * lda;
    blas::trsm(rocblas_side_left, rocblas_fill_lower, rocblas_operation_none, rocblas_diagonal_unit, end - j, n - end,
               T(1), A + j + j * lda, lda, right + j, lda);
    gemm_run(rocblas_operation_none, rocblas_operation_none, m - end, n - end, end - j, T(-1), A + end + j * lda, lda,
             right + j, lda, T(1), right + end, lda);
  }
  return info;
}

// The place of the first zero on the diagonal, 0 for none.
template <class T>
i64 singular_at(i64 n, const T* A, i64 lda) {
  for (i64 i = 0; i < n; ++i)
    if (A[i + i * lda] == T(0)) return i + 1;
  return 0;
}

}  // namespace sx::rs
