// Singular values and vectors of one matrix by LAPACK.
#pragma once

#include "rs.h"

namespace sx::rs {

inline char letter(rocblas_svect s) {
  return s == rocblas_svect_all ? 'A' : s == rocblas_svect_singular ? 'S' : s == rocblas_svect_overwrite ? 'O' : 'N';
}

// A matrix that holds a NaN: LAPACK refuses it, rocSOLVER does not look.
template <class T>
i64 not_numbers(char job, i64 m, i64 n, real_t<T>* S, T* U, i64 ldu, T* V, i64 ldv) {
  const i64 least = std::min(m, n), left = job == 'A' ? m : least, right = job == 'A' ? n : least;
  const auto nan = std::numeric_limits<real_t<T>>::quiet_NaN();
  std::fill(S, S + least, nan);
  for (i64 j = 0; job != 'N' && j < left; ++j) std::fill(U + j * ldu, U + j * ldu + m, T(nan));
  for (i64 j = 0; job != 'N' && j < n; ++j) std::fill(V + j * ldv, V + j * ldv + right, T(nan));
  return 0;
}

// One job for both sides, by divide and conquer: N, S or A.
template <class T>
i64 svd_divided(char job, i64 m, i64 n, T* A, i64 lda, real_t<T>* S, T* U, i64 ldu, T* V, i64 ldv) {
  using R = real_t<T>;
  const i64 least = std::min(m, n), most = std::max(m, n);
  auto iwork = scratch<i64>(8 * least);
  i64 info = 0;
  if constexpr (is_complex<T>) {
    const i64 size = least * least + 3 * least + 64 * (m + n);
    auto work = scratch<T>(size);
    auto rwork = scratch<R>(std::max(5 * least * least + 7 * least, 2 * most * least + 2 * least * least + least));
    info = lapack::info<T>(lapack::gesdd, job, m, n, A, lda, S, U, ldu, V, ldv, work.data(), size, rwork.data(),
                           iwork.data());
  } else {
    const i64 size = 4 * least * least + 7 * least + 64 * (m + n);
    auto work = scratch<T>(size);
    info = lapack::info<T>(lapack::gesdd, job, m, n, A, lda, S, U, ldu, V, ldv, work.data(), size, iwork.data());
  }
  return info < 0 ? not_numbers(job, m, n, S, U, ldu, V, ldv) : info;
}

// Any two jobs; E takes what did not converge.
template <class T>
i64 svd_any(rocblas_svect left, rocblas_svect right, i64 m, i64 n, T* A, i64 lda, real_t<T>* S, T* U, i64 ldu, T* V,
            i64 ldv, real_t<T>* E) {
  using R = real_t<T>;
  const i64 least = std::min(m, n);
  if (E) std::fill(E, E + (least - 1), R(0));
  if (left == right && left != rocblas_svect_overwrite)
    return svd_divided(letter(left), m, n, A, lda, S, U, ldu, V, ldv);
  const i64 size = least * least + 8 * least + 64 * (m + n);
  auto work = scratch<T>(size);
  i64 info = 0;
  if constexpr (is_complex<T>) {
    auto rwork = scratch<R>(5 * least);
    info = lapack::info<T>(lapack::gesvd, letter(left), letter(right), m, n, A, lda, S, U, ldu, V, ldv, work.data(),
                           size, rwork.data());
    if (info > 0 && E) std::copy(rwork.begin(), rwork.begin() + (least - 1), E);
  } else {
    info =
        lapack::info<T>(lapack::gesvd, letter(left), letter(right), m, n, A, lda, S, U, ldu, V, ldv, work.data(), size);
    if (info > 0 && E) std::copy(work.begin() + 1, work.begin() + least, E);
  }
  return info;
}

// V := X^H, for X of m x n.
template <class T>
void adjoint_copy(i64 m, i64 n, const T* X, i64 ldx, T* V, i64 ldv) {
  for (i64 j = 0; j < n; ++j)
    for (i64 i = 0; i < m; ++i) V[j + i * ldv] = conj(X[i + j * ldx]);
}

}  // namespace sx::rs
