// Factorisations of one large matrix on the pool: LAPACK's panels, and for what is right of a panel LAPACK's and BLAS's
// single-threaded routines on one part per thread. Small matrices, and batches that keep the pool busy, are LAPACK's
// alone.
#pragma once

#include "../rocblas/level3.h"
#include "rs.h"

namespace sx::rs {

inline bool worth_blocking(i64 m, i64 n) { return std::min(m, n) >= 384 && sx::pool_threads() > 1 && !sx::in_pool(); }
inline i64 panel_width(i64 n) { return n >= 2048 ? 128 : 64; }

// f(first column, columns) on parts of n columns, one per thread.
template <class F>
void column_parts(i64 n, F&& f) {
  if (n <= 0) return;
  const i64 parts = std::min<i64>(sx::pool_threads(), (n + 15) / 16);
  sx::parallel(static_cast<int>(parts), [&](int part, int) {
    const i64 begin = n * part / parts, end = n * (part + 1) / parts;
    f(begin, end - begin);
  });
}

// P A = L U; the answer is LAPACK's info.
template <class T>
i64 lu_factorise(i64 m, i64 n, T* A, i64 lda, i64* pivots) {
  const i64 least = std::min(m, n), width = panel_width(least);
  i64 info = 0;
  if (small::lu(m, n, A, lda, pivots, &info)) return info;
  if (!worth_blocking(m, n)) return lapack::info<T>(lapack::getrf, m, n, A, lda, pivots);
  for (i64 j = 0; j < least; j += width) {
    const i64 size = std::min(width, least - j);
    T* panel = A + j + j * lda;
    const i64 zero = lapack::info<T>(lapack::getrf, m - j, size, panel, lda, pivots + j);
    if (zero && !info) info = zero + j;
    column_parts(n - j - size, [&](i64 first, i64 columns) {
      T* right = A + j + (j + size + first) * lda;
      lapack::call<T>(lapack::laswp, columns, right, lda, i64{1}, size, pivots + j, i64{1});
      blas::trsm(rocblas_side_left, rocblas_fill_lower, rocblas_operation_none, rocblas_diagonal_unit, size, columns,
                 T(1), panel, lda, right, lda);
      if (m > j + size)
        blas::gemm(rocblas_operation_none, rocblas_operation_none, m - j - size, columns, size, T(-1), panel + size,
                   lda, right, lda, T(1), right + size, lda);
    });
    column_parts(j, [&](i64 first, i64 columns) {
      lapack::call<T>(lapack::laswp, columns, A + j + first * lda, lda, i64{1}, size, pivots + j, i64{1});
    });
    for (i64 i = j; i < j + size; ++i) pivots[i] += j;
  }
  return info;
}

// A = Q R.
template <class T>
void qr_factorise(i64 m, i64 n, T* A, i64 lda, T* tau) {
  const i64 least = std::min(m, n), width = 64;
  auto work = scratch<T>(block_work(n));
  if (!worth_blocking(m, n)) {
    lapack::info<T>(lapack::geqrf, m, n, A, lda, tau, work.data(), block_work(n));
    return;
  }
  auto t = scratch<T>(width * width);
  for (i64 j = 0; j < least; j += width) {
    const i64 size = std::min(width, least - j), right = n - j - size;
    T* panel = A + j + j * lda;
    lapack::info<T>(lapack::geqrf, m - j, size, panel, lda, tau + j, work.data(), block_work(n));
    if (right <= 0) continue;
    lapack::call<T>(lapack::larft, 'F', 'C', m - j, size, panel, lda, tau + j, t.data(), width);
    column_parts(right, [&](i64 first, i64 columns) {
      auto own = scratch<T>(columns * size);
      lapack::call<T>(lapack::larfb, 'L', is_complex<T> ? 'C' : 'T', 'F', 'C', m - j, columns, size, panel, lda,
                      t.data(), width, A + j + (j + size + first) * lda, lda, own.data(), columns);
    });
  }
}

template <class T>
i64 cholesky_blocked(rocblas_fill uplo, i64 n, T* A, i64 lda) {
  using R = real_t<T>;
  constexpr auto adjoint = is_complex<T> ? rocblas_operation_conjugate_transpose : rocblas_operation_transpose;
  const bool lower = uplo == rocblas_fill_lower;
  const i64 width = panel_width(n);
  for (i64 j = 0; j < n; j += width) {
    const i64 size = std::min(width, n - j), rest = n - j - size;
    T* corner = A + j + j * lda;
    const i64 minor = lapack::info<T>(lapack::potrf, letter(uplo), size, corner, lda);
    if (minor) return minor + j;
    T* panel = lower ? corner + size : corner + size * lda;
    T* trailing = corner + size + size * lda;
    column_parts(rest, [&](i64 first, i64 count) {
      T* part = lower ? panel + first : panel + first * lda;
      blas::trsm(lower ? rocblas_side_right : rocblas_side_left, uplo, adjoint, rocblas_diagonal_non_unit,
                 lower ? count : size, lower ? size : count, T(1), corner, lda, part, lda);
    });
    const auto row = [&](i64 i) { return lower ? panel + i : panel + i * lda; };
    const auto first = lower ? rocblas_operation_none : adjoint, second = lower ? adjoint : rocblas_operation_none;
    triangle_blocks(
        uplo, rest, product_cost<T>(rest, rest, size) / 2,
        [&](i64 c, i64 end) {
          if constexpr (is_complex<T>)
            blas::herk(uplo, first, end - c, size, R(-1), row(c), lda, R(1), trailing + c + c * lda, lda);
          else
            blas::syrk(uplo, first, end - c, size, R(-1), row(c), lda, R(1), trailing + c + c * lda, lda);
        },
        [&](i64 r, i64 r_end, i64 c, i64 end) {
          blas::gemm(first, second, r_end - r, end - c, size, T(-1), row(r), lda, row(c), lda, T(1),
                     trailing + r + c * lda, lda);
        });
  }
  return 0;
}

// A = L L^H or U^H U in one triangle; the answer is the order of the first minor that is not positive. Since ROCm 6.2
// (potf2_simple) rocSOLVER counts a NaN or infinite pivot as such; OpenBLAS goes on.
template <class T>
i64 cholesky_factorise(rocblas_fill uplo, i64 n, T* A, i64 lda) {
  i64 minor = 0;
  if (!small::cholesky(uplo, n, A, lda, &minor))
    minor = worth_blocking(n, n) ? cholesky_blocked(uplo, n, A, lda)
                                 : lapack::info<T>(lapack::potrf, letter(uplo), n, A, lda);
  if (sx::release() < 602) return minor;
  for (i64 k = 0; k < (minor ? minor - 1 : n); ++k)
    if (!std::isfinite(std::real(A[k + k * lda]))) return k + 1;
  return minor;
}

}  // namespace sx::rs
