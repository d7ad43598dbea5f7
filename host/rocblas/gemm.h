// The product that everything in level 3 is made of: OpenBLAS's single-threaded gemm on parts of C, one per thread.
#pragma once

#include <vector>

#include "blas.h"
#include "kernels.h"
#include "small.h"

namespace sx::rb {

template <class T>
inline constexpr double flop_weight = (is_complex<T> ? 4.0 : 1.0) * (sizeof(real_t<compute_t<T>>) == 8 ? 2.0 : 1.0);

// Nanoseconds of m n k multiply-adds on one core: about 50 a nanosecond in float.
template <class T>
double product_cost(i64 m, i64 n, i64 k) {
  return 40 + 0.02 * flop_weight<T> * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
}

// f(r, r_end, c, c_end) for parts of an m x n matrix that tile it, one per thread, each cut a multiple of 16: the
// larger dimension is cut, as often as leaves at least 32 rows or columns; ``cost`` is the whole's, in nanoseconds.
template <class F>
void tiles(i64 m, i64 n, double cost, F&& f) {
  const i64 threads =
      std::min<i64>(sx::pool_threads(), static_cast<i64>(cost / 2.5e3));  // no thread for less than that
  if (threads <= 1) return f(i64{0}, m, i64{0}, n);
  i64 down = 1, across = 1;  // parts along m, n
  for (i64 left = threads, p = 2; left > 1; ++p)
    for (; left % p == 0; left /= p) (m / down > n / across ? down : across) *= p;
  const auto cut = [](i64 size, i64 part, i64 parts) {
    return part == parts ? size : std::min(size, (size * part / parts + 15) / 16 * 16);
  };
  down = std::min(down, std::max<i64>(1, m / 32)), across = std::min(across, std::max<i64>(1, n / 32));
  sx::parallel(static_cast<int>(down * across), [&](int part, int) {
    const i64 i = part % down, j = part / down;
    const i64 r = cut(m, i, down), r_end = cut(m, i + 1, down), c = cut(n, j, across), c_end = cut(n, j + 1, across);
    if (r < r_end && c < c_end) f(r, r_end, c, c_end);
  });
}

// Where row r, column c of op(A) is.
template <class T>
const T* at(rocblas_operation op, const T* A, i64 ld, i64 r, i64 c) {
  return op == rocblas_operation_none ? A + r + c * ld : A + c + r * ld;
}

// C := beta C; beta 0 clears whatever C holds.
template <class T>
void scale_matrix(i64 m, i64 n, T beta, T* C, i64 ldc) {
  if (beta == T(1)) return;
  split(n, 65536 / (m + 1) + 1, [&](i64 j, i64 end) {
    for (; j < end; ++j) {
      if (beta == T(0))
        std::fill(C + j * ldc, C + j * ldc + m, T(0));
      else
        scale(m, beta, C + j * ldc);
    }
  });
}

// On one thread.
template <class T>
void gemm_here(rocblas_operation ta, rocblas_operation tb, i64 m, i64 n, i64 k, T alpha, const T* A, i64 lda,
               const T* B, i64 ldb, T beta, T* C, i64 ldc) {
  if (!small::gemm(ta, tb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc))
    blas::gemm(ta, tb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
}

template <class T>
void gemm_run(rocblas_operation ta, rocblas_operation tb, i64 m, i64 n, i64 k, T alpha, const T* A, i64 lda, const T* B,
              i64 ldb, T beta, T* C, i64 ldc) {
  if (m <= 0 || n <= 0) return;
  if (k == 0 || alpha == T(0)) return scale_matrix(m, n, beta, C, ldc);
  tiles(m, n, product_cost<T>(m, n, k), [&](i64 r, i64 r_end, i64 c, i64 c_end) {
    gemm_here(ta, tb, r_end - r, c_end - c, k, alpha, at(ta, A, lda, r, 0), lda, at(tb, B, ldb, 0, c), ldb, beta,
              C + r + c * ldc, ldc);
  });
}

}  // namespace sx::rb
