// What the level 3 families on triangles share.
#pragma once

#include "gemm.h"

namespace sx::rb {

// C := beta C on a triangle; Hermitian matrices get a real diagonal.
template <class T, class R>
void scale_triangle(rocblas_fill uplo, i64 n, R beta, T* C, i64 ldc, bool hermitian) {
  for (i64 j = 0; j < n; ++j) {
    T* column = C + j * ldc;
    const i64 begin = uplo == rocblas_fill_upper ? 0 : j, end = uplo == rocblas_fill_upper ? j + 1 : n;
    if (beta == R(0))
      std::fill(column + begin, column + end, T(0));
    else if (beta != R(1))
      for (i64 i = begin; i < end; ++i) column[i] = mul(beta, column[i]);
    if constexpr (is_complex<T>) {
      if (hermitian) column[j] = column[j].real();
    }
  }
}

// A triangle of order n cut into columns of blocks: diagonal(j, end) for the square on the diagonal, and
// rectangle(r, r_end, j, end) for the rest of those columns. ``cost`` in nanoseconds.
template <class D, class F>
void triangle_blocks(rocblas_fill uplo, i64 n, double cost, D&& diagonal, F&& rectangle) {
  const i64 threads = cost < 2e4 ? 1 : sx::pool_threads();
  if (threads == 1) return diagonal(i64{0}, n);
  const i64 width = std::max<i64>(64, (n / (6 * threads) + 15) / 16 * 16), count = (n + width - 1) / width;
  sx::parallel(static_cast<int>(count), [&](int part, int) {
    // long columns first: upper triangles have them at the end
    const i64 p = uplo == rocblas_fill_upper ? count - 1 - part : part;
    const i64 j = p * width, end = std::min(n, j + width);
    if (uplo == rocblas_fill_upper && j > 0) rectangle(i64{0}, j, j, end);
    if (uplo == rocblas_fill_lower && end < n) rectangle(end, n, j, end);
    diagonal(j, end);
  });
}

// The triangle of C on its diagonal block: C := alpha op(A) op(B) + beta C, through a square in scratch.
template <class T, class R>
void gemm_triangle(rocblas_fill uplo, rocblas_operation ta, rocblas_operation tb, i64 n, i64 k, T alpha, const T* A,
                   i64 lda, const T* B, i64 ldb, R beta, T* C, i64 ldc, bool hermitian) {
  constexpr i64 width = 64;
  std::vector<T> square(static_cast<size_t>(width * width));
  for (i64 j = 0; j < n; j += width) {
    const i64 size = std::min(width, n - j);
    const T* a = at(ta, A, lda, j, 0);
    const T* b = at(tb, B, ldb, 0, j);
    if (uplo == rocblas_fill_upper && j > 0)
      blas::gemm(ta, tb, j, size, k, alpha, A, lda, b, ldb, T(beta), C + j * ldc, ldc);
    if (uplo == rocblas_fill_lower && j + size < n)
      blas::gemm(ta, tb, n - j - size, size, k, alpha, at(ta, A, lda, j + size, 0), lda, b, ldb, T(beta),
                 C + j + size + j * ldc, ldc);
    blas::gemm(ta, tb, size, size, k, alpha, a, lda, b, ldb, T(0), square.data(), width);
    T* block_c = C + j + j * ldc;
    scale_triangle(uplo, size, beta, block_c, ldc, hermitian);
    for (i64 q = 0; q < size; ++q) {
      const i64 begin = uplo == rocblas_fill_upper ? 0 : q, end = uplo == rocblas_fill_upper ? q + 1 : size;
      for (i64 i = begin; i < end; ++i) block_c[i + q * ldc] += square[static_cast<size_t>(i + q * width)];
      if constexpr (is_complex<T>) {
        if (hermitian) block_c[q + q * ldc] = block_c[q + q * ldc].real();
      }
    }
  }
}

// Checks of C := alpha op(A) op(B) + beta C on a triangle, after its quick return.
template <class T, class R>
rocblas_status check_rank_k(i64 k, const T* alpha, const Scalar<T>& a, const R* beta, const Scalar<R>& b, bool operands,
                            bool result) {
  if ((k > 0 && !alpha) || !beta) return rocblas_status_invalid_pointer;
  if (!a.readable() || !b.readable()) return rocblas_status_continue;
  const bool product = k > 0 && a() != T(0);
  if (!product && b() == R(1)) return rocblas_status_success;
  if ((product && !operands) || ((product || b() != R(1)) && !result)) return rocblas_status_invalid_pointer;
  return rocblas_status_continue;
}

}  // namespace sx::rb
