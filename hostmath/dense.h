// Dense LAPACK of one element type, as the table holds it.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "lapack.h"
#include "scalex/hostmath.h"

namespace sx::hm {

template <class T>
bool finite(T v) {
  if constexpr (is_complex<T>)
    return std::isfinite(v.real()) && std::isfinite(v.imag());
  else
    return std::isfinite(v);
}

template <class T>
void fill(T* a, i64 rows, i64 cols, i64 ld, real_t<T> value) {
  for (i64 j = 0; j < cols; ++j) std::fill(a + j * ld, a + j * ld + rows, T(value));
}

template <class T>
i64 geev_of(char jobvl, char jobvr, i64 n, T* a, i64 lda, T* wr, T* wi, T* vl, i64 ldvl, T* vr, i64 ldvr) {
  bool sound = true;
  for (i64 j = 0; j < n; ++j) sound = sound && std::all_of(a + j * lda, a + j * lda + n, finite<T>);
  if (!sound) {  // the QR iteration may not end
    const auto nan = std::numeric_limits<real_t<T>>::quiet_NaN();
    fill(wr, n, 1, n, nan);
    if constexpr (!is_complex<T>) fill(wi, n, 1, n, nan);
    if (jobvl == 'V') fill(vl, n, n, ldvl, nan);
    if (jobvr == 'V') fill(vr, n, n, ldvr, nan);
    return n;
  }
  T wanted{};
  const auto rwork = array<real_t<T>>(2 * n);
  if (const i64 info = geev(jobvl, jobvr, n, a, lda, wr, wi, vl, ldvl, vr, ldvr, &wanted, -1, rwork.get())) return info;
  const i64 lwork = std::max<i64>(4 * n + 1, static_cast<i64>(std::real(wanted)));
  const auto work = array<T>(lwork);
  return geev(jobvl, jobvr, n, a, lda, wr, wi, vl, ldvl, vr, ldvr, work.get(), lwork, rwork.get());
}

// The pivots of 1x1 blocks that nothing was interchanged for.
inline std::unique_ptr<i64[]> natural_pivots(i64 n) {
  auto pivots = array<i64>(n);
  for (i64 i = 0; i < n; ++i) pivots[i] = i + 1;
  return pivots;
}

template <class T>
struct Factors {
  static i64 factor(bool hermitian, char uplo, i64 n, T* a, i64 lda, i64* ipiv) {
    const i64 lwork = std::max<i64>(1, n) * 64;
    const auto work = array<T>(lwork);
    if constexpr (is_complex<T>) {
      if (hermitian) return hetrf(uplo, n, a, lda, ipiv, work.get(), lwork);
    }
    return sytrf(uplo, n, a, lda, ipiv, work.get(), lwork);
  }

  static i64 solve(bool hermitian, char uplo, i64 n, i64 nrhs, const T* a, i64 lda, const i64* ipiv, T* b, i64 ldb) {
    const auto natural = ipiv ? nullptr : natural_pivots(n);
    if (ipiv == nullptr) ipiv = natural.get();
    if constexpr (is_complex<T>) {
      if (hermitian) return hetrs(uplo, n, nrhs, a, lda, ipiv, b, ldb);
    }
    return sytrs(uplo, n, nrhs, a, lda, ipiv, b, ldb);
  }

  static i64 invert(bool hermitian, char uplo, i64 n, T* a, i64 lda, const i64* ipiv) {
    const auto natural = ipiv ? nullptr : natural_pivots(n);
    if (ipiv == nullptr) ipiv = natural.get();
    const auto work = array<T>(2 * n);
    if constexpr (is_complex<T>) {
      if (hermitian) return hetri(uplo, n, a, lda, ipiv, work.get());
    }
    return sytri(uplo, n, a, lda, ipiv, work.get());
  }
};

}  // namespace sx::hm
