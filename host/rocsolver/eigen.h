// Eigenvalues and vectors of one Hermitian matrix by LAPACK.
#pragma once

#include "rs.h"

namespace sx::rs {

inline bool is_evect_or_none(rocblas_evect e) { return e == rocblas_evect_none || e == rocblas_evect_original; }
inline bool is_eform(rocblas_eform t) {
  return t == rocblas_eform_ax || t == rocblas_eform_abx || t == rocblas_eform_bax;
}
inline bool is_erange(rocblas_erange r) {
  return r == rocblas_erange_all || r == rocblas_erange_value || r == rocblas_erange_index;
}
// vl < vu, or 1 <= il <= iu <= n.
template <class R>
bool range_fits(rocblas_erange range, i64 n, R vl, R vu, i64 il, i64 iu) {
  if (range == rocblas_erange_value) return vl < vu;
  if (range == rocblas_erange_index) return il >= 1 && iu >= 0 && iu <= n && !(n > 0 && il > iu);
  return true;
}

// All eigenvalues, ascending; vectors in A. The answer is LAPACK's info.
template <class T>
i64 eigen_all(bool vectors, rocblas_fill uplo, i64 n, T* A, i64 lda, real_t<T>* W) {
  using R = real_t<T>;
  const char job = vectors ? 'V' : 'N';
  const i64 integers = 3 + 5 * n, reals = 1 + 6 * n + 2 * n * n + 64 * n;
  auto iwork = scratch<i64>(integers);
  auto work = scratch<R>(reals);
  if constexpr (is_complex<T>) {
    const i64 complexes = 2 * n + n * n + 64 * n;
    auto cwork = scratch<T>(complexes);
    return lapack::info<T>(lapack::syevd, job, letter(uplo), n, A, lda, W, cwork.data(), complexes, work.data(), reals,
                           iwork.data(), integers);
  } else {
    return lapack::info<T>(lapack::syevd, job, letter(uplo), n, A, lda, W, work.data(), reals, iwork.data(), integers);
  }
}

// A part of the spectrum.
template <class R>
struct Range {
  rocblas_erange kind;
  R vl, vu;
  i64 il, iu;

  char letter() const { return kind == rocblas_erange_all ? 'A' : kind == rocblas_erange_value ? 'V' : 'I'; }
};

// Whether the triangle that is read holds a NaN or an infinity: bisection and MRRR are not for such matrices.
template <class T>
bool all_finite(rocblas_fill uplo, i64 n, const T* A, i64 lda) {
  for (i64 j = 0; j < n; ++j)
    for (i64 i = uplo == rocblas_fill_upper ? 0 : j; i < (uplo == rocblas_fill_upper ? j + 1 : n); ++i)
      if (!std::isfinite(std::abs(A[i + j * lda]))) return false;
  return true;
}

// By bisection and inverse iteration; A is destroyed. W and Z (n x n, leading dimension n) hold ``found`` results.
template <class T>
i64 eigen_bisect(bool vectors, Range<real_t<T>> range, rocblas_fill uplo, i64 n, T* A, i64 lda, real_t<T> abstol,
                 i64* found, real_t<T>* W, T* Z, i64* ifail) {
  using R = real_t<T>;
  const char job = vectors ? 'V' : 'N';
  const i64 size = 72 * n;
  auto work = scratch<T>(size);
  auto iwork = scratch<i64>(5 * n);
  if constexpr (is_complex<T>) {
    auto rwork = scratch<R>(7 * n);
    return lapack::info<T>(lapack::syevx, job, range.letter(), letter(uplo), n, A, lda, range.vl, range.vu, range.il,
                           range.iu, abstol, found, W, Z, n, work.data(), size, rwork.data(), iwork.data(), ifail);
  } else {
    return lapack::info<T>(lapack::syevx, job, range.letter(), letter(uplo), n, A, lda, range.vl, range.vu, range.il,
                           range.iu, abstol, found, W, Z, n, work.data(), size, iwork.data(), ifail);
  }
}

// The same by LAPACK's fastest method.
template <class T>
i64 eigen_range(bool vectors, Range<real_t<T>> range, rocblas_fill uplo, i64 n, T* A, i64 lda, i64* found, real_t<T>* W,
                T* Z) {
  using R = real_t<T>;
  if (range.kind == rocblas_erange_all) {
    *found = n;
    const i64 info = eigen_all(vectors, uplo, n, A, lda, W);
    if (vectors) copy_matrix(n, n, A, lda, Z, n);
    return info;
  }
  const char job = vectors ? 'V' : 'N';
  const i64 size = 96 * n, integers = 10 * n;
  auto work = scratch<T>(size);
  auto iwork = scratch<i64>(integers), support = scratch<i64>(2 * n);
  if constexpr (is_complex<T>) {
    auto rwork = scratch<R>(24 * n);
    return lapack::info<T>(lapack::syevr, job, range.letter(), letter(uplo), n, A, lda, range.vl, range.vu, range.il,
                           range.iu, R(0), found, W, Z, n, support.data(), work.data(), size, rwork.data(), 24 * n,
                           iwork.data(), integers);
  } else {
    return lapack::info<T>(lapack::syevr, job, range.letter(), letter(uplo), n, A, lda, range.vl, range.vu, range.il,
                           range.iu, R(0), found, W, Z, n, support.data(), work.data(), size, iwork.data(), integers);
  }
}

// What a spectrum's part costs in workspace: the reduction and the vectors.
template <class T>
size_t eigen_bytes(i64 n, i64 batch, i64 matrices) {
  return n ? bytes_of<T>(3 + n * 70 + matrices * n * n, batch) : 0;
}

// ---- one problem of each kind: what the standard and the generalised functions share
// -------------------------------------
template <class T>
struct Output {
  real_t<T>* W;
  T* Z;  // vectors, when wanted
  i64 ldz;
  rocblas_int *nev, *ifail;
};

// Results of a part of the spectrum where the caller wants them.
template <class T>
i64 store_range(bool vectors, Range<real_t<T>> range, rocblas_fill uplo, i64 n, T* A, i64 lda, bool bisect,
                real_t<T> abstol, const Output<T>& out) {
  *out.nev = 0;
  if (!all_finite(uplo, n, A, lda)) return n;
  auto w = scratch<real_t<T>>(n);
  auto z = scratch<T>(vectors ? n * n : 1);
  auto failed = scratch<i64>(n);
  i64 found = 0;
  const i64 info =
      bisect ? eigen_bisect(vectors, range, uplo, n, A, lda, abstol, &found, w.data(), z.data(), failed.data())
             : eigen_range(vectors, range, uplo, n, A, lda, &found, w.data(), z.data());
  *out.nev = static_cast<rocblas_int>(found);
  std::copy(w.begin(), w.begin() + found, out.W);
  if (vectors) {
    copy_matrix(n, found, z.data(), n, out.Z, out.ldz);
    if (out.ifail) store_pivots(failed, found, out.ifail);
  }
  return info;
}

}  // namespace sx::rs
