// Jacobi's method for Hermitian matrices, which LAPACK lacks: its tolerance, sweeps and residual are rocSOLVER's
// arguments.
#pragma once

#include "eigen.h"

namespace sx::rs {

template <class R>
struct Sweeps {
  R residual;  // Frobenius norm of what is left off the diagonal
  i64 count;
  bool converged;
};

// The rotation of rows and columns p, q that clears A(p, q); A is a full Hermitian matrix of order n, V collects
// columns.
template <class T>
void rotate(i64 n, T* A, T* V, i64 p, i64 q) {
  using R = real_t<T>;
  const T apq = A[p + q * n];
  const R size = std::abs(apq);
  if (size == R(0)) return;
  const R theta = (real(A[q + q * n]) - real(A[p + p * n])) / (2 * size);
  const R t = (theta >= 0 ? R(1) : R(-1)) / (std::abs(theta) + std::hypot(theta, R(1)));
  const R c = 1 / std::hypot(t, R(1)), s = t * c;
  const T phase = apq / size;
  const auto columns = [&](T* M) {
    T *x = M + p * n, *y = M + q * n;
    for (i64 i = 0; i < n; ++i) {
      const T xi = x[i], yi = y[i];
      x[i] = c * xi - s * conj(phase) * yi;
      y[i] = s * phase * xi + c * yi;
    }
  };
  columns(A);
  for (i64 i = 0; i < n; ++i) {
    const T xi = A[p + i * n], yi = A[q + i * n];
    A[p + i * n] = c * xi - s * phase * yi;
    A[q + i * n] = s * conj(phase) * xi + c * yi;
  }
  A[p + q * n] = A[q + p * n] = T(0);
  A[p + p * n] = real(A[p + p * n]), A[q + q * n] = real(A[q + q * n]);
  if (V) columns(V);
}

// The power of two that takes the largest finite entry near 1, where squares neither overflow nor vanish.
template <class T>
real_t<T> near_one(i64 m, i64 n, const T* A, i64 lda) {
  using R = real_t<T>;
  using L = std::numeric_limits<R>;
  R largest = 0;
  for (i64 j = 0; j < n; ++j)
    for (i64 i = 0; i < m; ++i)
      largest = std::max({largest, std::abs(std::real(A[i + j * lda])), std::abs(std::imag(A[i + j * lda]))});
  if (!(largest > 0 && std::isfinite(largest))) return 1;
  return std::ldexp(R(1), std::clamp(-std::ilogb(largest), L::min_exponent + 1, L::max_exponent - 2));
}

template <class T>
void multiply(i64 m, i64 n, T* A, i64 lda, real_t<T> by) {
  if (by == 1) return;
  for (i64 j = 0; j < n; ++j)
    for (i64 i = 0; i < m; ++i) A[i + j * lda] *= by;
}

template <class T>
real_t<T> off_diagonal(i64 n, const T* A, real_t<T>* all) {
  double off = 0, on = 0;
  for (i64 j = 0; j < n; ++j)
    for (i64 i = 0; i < n; ++i) (i == j ? on : off) += static_cast<double>(std::norm(A[i + j * n]));
  if (all) *all = static_cast<real_t<T>>(std::sqrt(on + off));
  return static_cast<real_t<T>>(std::sqrt(off));
}

// Jacobi's method needs as many for most matrices: who allows fewer may ask what it has not reached by then.
constexpr i64 few_sweeps = 6;

// A (full, order n) becomes diagonal up to abstol ||A||, V the product of the rotations. All but small ones are first
// made nearly diagonal by LAPACK, which leaves a sweep or two, unless only a few sweeps are allowed.
template <class T>
Sweeps<real_t<T>> jacobi(i64 n, T* A, T* V, real_t<T> abstol, i64 max_sweeps) {
  using R = real_t<T>;
  const bool helped = n > 12 && max_sweeps >= few_sweeps;
  const R tolerance = abstol > 0 ? abstol : std::numeric_limits<R>::epsilon();
  R all = 0;
  const R factor = near_one(n, n, A, n);
  multiply(n, n, A, n, factor);
  auto own = scratch<T>(V ? 1 : helped ? n * n : 1);
  T* v = V ? V : helped ? own.data() : nullptr;
  if (helped) {
    auto half = scratch<T>(n * n);
    auto w = scratch<R>(n);
    copy_matrix(n, n, A, n, v, n);
    eigen_all(true, rocblas_fill_lower, n, v, n, w.data());
    constexpr auto adjoint = is_complex<T> ? rocblas_operation_conjugate_transpose : rocblas_operation_transpose;
    gemm_run(rocblas_operation_none, rocblas_operation_none, n, n, n, T(1), A, n, v, n, T(0), half.data(), n);
    gemm_run(adjoint, rocblas_operation_none, n, n, n, T(1), v, n, half.data(), n, T(0), A, n);
  } else if (v) {
    clear_matrix(n, n, v, n);
    for (i64 i = 0; i < n; ++i) v[i + i * n] = T(1);
  }
  R off = off_diagonal(n, A, &all);
  if (std::isinf(all)) off = std::numeric_limits<R>::quiet_NaN();  // within no tolerance of infinity
  i64 sweeps = 0;
  for (; sweeps < max_sweeps && off > tolerance * all; ++sweeps) {
    const R small = tolerance * all / static_cast<R>(n);  // all of these together are within the tolerance
    for (i64 p = 0; p < n; ++p)
      for (i64 q = p + 1; q < n; ++q)
        if (!(std::abs(A[p + q * n]) <= small)) rotate(n, A, v, p, q);
    off = off_diagonal(n, A, static_cast<R*>(nullptr));
  }
  multiply(n, n, A, n, 1 / factor);
  return {off / factor, sweeps, off <= tolerance * all};
}

// Ascending (or descending) eigenvalues of a diagonalised A in W, and V's columns in the same order.
template <class T>
void sort_eigen(i64 n, const T* A, T* V, real_t<T>* W, bool sorted, bool descending = false) {
  std::vector<i64> order(static_cast<size_t>(n));
  for (i64 i = 0; i < n; ++i) order[static_cast<size_t>(i)] = i;
  const auto value = [&](i64 i) { return real(A[i + i * n]); };
  if (sorted)
    std::stable_sort(order.begin(), order.end(), [&](i64 i, i64 j) {
      const auto x = value(i), y = value(j);
      return (descending ? x > y : x < y) || (x == x && y != y);  // NaN last
    });
  std::vector<T> copy(V ? V : A, V ? V + n * n : A);
  for (i64 i = 0; i < n; ++i) {
    const i64 from = order[static_cast<size_t>(i)];
    W[i] = value(from);
    if (V) std::copy(copy.data() + from * n, copy.data() + (from + 1) * n, V + i * n);
  }
}

// The full matrix that one triangle of A stands for.
template <class T>
std::vector<T> full_hermitian(rocblas_fill uplo, i64 n, const T* A, i64 lda) {
  auto full = scratch<T>(n * n);
  for (i64 j = 0; j < n; ++j)
    for (i64 i = 0; i <= j; ++i) {
      const T v = uplo == rocblas_fill_upper ? A[i + j * lda] : conj(A[j + i * lda]);
      full[static_cast<size_t>(i + j * n)] = i == j ? T(real(v)) : v;
      full[static_cast<size_t>(j + i * n)] = i == j ? T(real(v)) : conj(v);
    }
  return full;
}

}  // namespace sx::rs
