// What the level 2 families share: y := beta y, packed columns, alpha and beta's checks.
#pragma once

#include <vector>

#include "blas.h"
#include "kernels.h"

namespace sx::rb {

// Nanoseconds of a matrix-vector product: it reads its matrix once.
inline double matrix_cost(double elements) { return 0.3 * elements; }

// beta 0 clears whatever y holds.
template <class T, class C>
void scale_vector(i64 n, C beta, T* y, i64 inc) {
  if (beta == C(1)) return;
  y = first(y, n, inc);
  for (i64 i = 0; i < n; ++i) {
    if (beta == C(0))
      y[i * inc] = T{};
    else
      round_to(mul(beta, up(y[i * inc])), &y[i * inc]);
  }
}

// A vector's elements in order.
template <class T>
std::vector<T> gather(i64 n, const T* x, i64 inc) {
  std::vector<T> out(static_cast<size_t>(n));
  x = first(x, n, inc);
  for (i64 i = 0; i < n; ++i) out[static_cast<size_t>(i)] = x[i * inc];
  return out;
}

// The stored part of column j of a triangle: rows [begin, end), where in memory row ``begin`` is.
struct Column {
  i64 begin, end, offset;
};
inline Column full_column(rocblas_fill uplo, i64 n, i64 lda, i64 j) {
  return uplo == rocblas_fill_upper ? Column{0, j + 1, j * lda} : Column{j, n, j * lda + j};
}
inline Column packed_column(rocblas_fill uplo, i64 n, i64, i64 j) {
  return uplo == rocblas_fill_upper ? Column{0, j + 1, j * (j + 1) / 2} : Column{j, n, j * (2 * n - j + 1) / 2};
}

// y := alpha A x + beta y: the checks of every routine of this shape after sizes and quick return.
template <class T>
rocblas_status check_product(rocblas_handle h, const T* alpha, const T* beta, bool operands, bool result) {
  if (!alpha || !beta) return rocblas_status_invalid_pointer;
  if (!h->host_mode()) return rocblas_status_continue;
  if (*alpha == T(0) && *beta == T(1)) return rocblas_status_success;
  if (!result || (*alpha != T(0) && !operands)) return rocblas_status_invalid_pointer;
  return rocblas_status_continue;
}

// A := alpha x y^T + A and kin.
template <class T>
rocblas_status check_update(rocblas_handle h, const T* alpha, bool operands) {
  if (!alpha) return rocblas_status_invalid_pointer;
  if (!h->host_mode()) return rocblas_status_continue;
  if (*alpha == T(0)) return rocblas_status_success;
  return operands ? rocblas_status_continue : rocblas_status_invalid_pointer;
}

}  // namespace sx::rb
