// Reductions to condensed form: sytrd, hetrd, gebrd and their panels; the factorisation of symmetric indefinite
// matrices.
#include "rs.h"

namespace sx::rs {

// ---- to tridiagonal form
// -----------------------------------------------------------------------------------------------
template <class T>
static rocblas_status sytrd(rocblas_handle h, rocblas_fill uplo, i64 n, Arr<T> A, Arr<real_t<T>> D, Arr<real_t<T>> E,
                            Arr<T> tau, i64 batch) {
  SX_TRY(check(h, is_fill(uplo), n >= 0 && A.ld >= n && batch >= 0,
               have(n, A) && have(n, D) && have(n > 1, E) && have(n > 1, tau)));
  return run(h, bytes_of<T>(n ? 3 + n * 64 : 0, batch), batch, 1.3 * product_cost<T>(n, n, n), [=](i64 b) {
    if (!n) return;
    auto work = scratch<T>(block_work(n));
    lapack::info<T>(lapack::sytrd, letter(uplo), n, A.at(b), A.ld, D.at(b), E.at(b), tau.at(b), work.data(),
                    block_work(n));
  });
}

template <class T>
static rocblas_status latrd(rocblas_handle h, rocblas_fill uplo, i64 n, i64 k, Arr<T> A, Arr<real_t<T>> E, Arr<T> tau,
                            Arr<T> W, i64) {
  SX_TRY(check(h, is_fill(uplo), n >= 0 && k >= 0 && k <= n && A.ld >= n && W.ld >= n,
               have(n, A) && have(n, E) && have(n, tau) && have(n && k, W)));
  return run(h, bytes_of<T>(n && k ? 3 + n : 0, 1), 1, 0, [=](i64 b) {
    if (n && k) lapack::call<T>(lapack::latrd, letter(uplo), n, k, A.at(b), A.ld, E.at(b), tau.at(b), W.at(b), W.ld);
  });
}

// ---- to bidiagonal form
// ------------------------------------------------------------------------------------------------
template <class T>
static rocblas_status gebrd(rocblas_handle h, i64 m, i64 n, Arr<T> A, Arr<real_t<T>> D, Arr<real_t<T>> E, Arr<T> tauq,
                            Arr<T> taup, i64 batch) {
  const bool filled = m && n;
  SX_TRY(check(
      h, true, m >= 0 && n >= 0 && A.ld >= m && batch >= 0,
      have(filled, A) && have(filled, D) && have(filled, tauq) && have(filled, taup) && have(std::min(m, n) > 1, E)));
  const size_t bytes = filled ? bytes_of<T>(3 + (m + n) * 32, batch) : 0;
  return run(h, bytes, batch, 3 * product_cost<T>(m, n, std::min(m, n)), [=](i64 b) {
    if (!filled) return;
    auto work = scratch<T>(block_work(m + n));
    lapack::info<T>(lapack::gebrd, m, n, A.at(b), A.ld, D.at(b), E.at(b), tauq.at(b), taup.at(b), work.data(),
                    block_work(m + n));
  });
}

template <class T>
static rocblas_status labrd(rocblas_handle h, i64 m, i64 n, i64 nb, Arr<T> A, Arr<real_t<T>> D, Arr<real_t<T>> E,
                            Arr<T> tauq, Arr<T> taup, Arr<T> X, Arr<T> Y, i64) {
  SX_TRY(check(h, true, m >= 0 && n >= 0 && nb >= 0 && nb <= std::min(m, n) && A.ld >= m && X.ld >= m && Y.ld >= n,
               have(m && n, A) && have(nb, D) && have(nb, E) && have(nb, tauq) && have(nb, taup) && have(m && nb, X) &&
                   have(n && nb, Y)));
  return run(h, bytes_of<T>(nb ? 3 + m + n : 0, 1), 1, 0, [=](i64 b) {
    if (!m || !n || !nb) return;
    lapack::call<T>(lapack::labrd, m, n, nb, A.at(b), A.ld, D.at(b), E.at(b), tauq.at(b), taup.at(b), X.at(b), X.ld,
                    Y.at(b), Y.ld);
  });
}

// ---- symmetric indefinite (also of complex matrices: not Hermitian)
// ----------------------------------------------------
template <class T>
static rocblas_status sytrf(rocblas_handle h, rocblas_fill uplo, i64 n, Arr<T> A, Arr<rocblas_int> ipiv,
                            Arr<rocblas_int> info, i64 batch) {
  SX_TRY(check(h, is_fill(uplo), n >= 0 && A.ld >= n && batch >= 0,
               have(n, A) && have(n, ipiv) && have(batch, info.base)));
  return run(h, bytes_of<T>(n * std::min<i64>(n, 64), batch), batch, product_cost<T>(n, n, n) / 6, [=](i64 b) {
    *info.at(b) = 0;
    if (!n) return;
    auto p = scratch<i64>(n);
    auto work = scratch<T>(block_work(n));
    *info.at(b) = static_cast<rocblas_int>(
        lapack::info<T>(lapack::sytrf, letter(uplo), n, A.at(b), A.ld, p.data(), work.data(), block_work(n)));
    store_pivots(p, n, ipiv.at(b));
  });
}

// The last (upper) or first (lower) nb columns, or one fewer: how many in kb.
template <class T>
static rocblas_status lasyf(rocblas_handle h, rocblas_fill uplo, i64 n, i64 nb, rocblas_int* kb, Arr<T> A,
                            Arr<rocblas_int> ipiv, rocblas_int* info, i64) {
  SX_TRY(check(h, is_fill(uplo), n >= 0 && nb >= 0 && nb <= n && A.ld >= n, kb && have(n, A) && have(n, ipiv) && info));
  return run(h, bytes_of<T>(n * nb, 1), 1, 0, [=](i64 b) {
    *kb = 0, *info = 0;
    if (!n || !nb) return;
    auto p = scratch<i64>(n);
    auto work = scratch<T>(n * (nb + 1));
    i64 done = 0;
    if (nb == n) {  // lasyf would leave the last column to the next block
      auto more = scratch<T>(block_work(n));
      *info = static_cast<rocblas_int>(
          lapack::info<T>(lapack::sytrf, letter(uplo), n, A.at(b), A.ld, p.data(), more.data(), block_work(n)));
      done = n;
    } else {
      *info = static_cast<rocblas_int>(
          lapack::info<T>(lapack::lasyf, letter(uplo), n, nb, &done, A.at(b), A.ld, p.data(), work.data(), n));
    }
    *kb = static_cast<rocblas_int>(done);
    const i64 start = uplo == rocblas_fill_upper ? n - done : 0;
    for (i64 i = start; i < start + done; ++i) ipiv.at(b)[i] = static_cast<rocblas_int>(p[static_cast<size_t>(i)]);
  });
}

}  // namespace sx::rs

// clang-format off
#define SYTRD(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_fill, uplo) V(I, n) MAT(I, T, A, lda) VEC(R, D) VEC(R, E) VEC(T, tau)
SX_SOLVER_SD(SX_SOLVER_3, sytrd, sytrd, SYTRD)
SX_SOLVER_CZ(SX_SOLVER_3, hetrd, sytrd, SYTRD)
SX_SOLVER_SD(SX_SOLVER_3, sytd2, sytrd, SYTRD)
SX_SOLVER_CZ(SX_SOLVER_3, hetd2, sytrd, SYTRD)
#define LATRD(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_fill, uplo) V(I, n) V(I, k) MAT(I, T, A, lda) VEC(R, E) VEC(T, tau) MAT(I, T, W, ldw)
SX_SOLVER_ALL(SX_SOLVER_1, latrd, latrd, LATRD)
#define GEBRD(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(I, m) V(I, n) MAT(I, T, A, lda) VEC(R, D) VEC(R, E) VEC(T, tauq) VEC(T, taup)
SX_SOLVER_ALL(SX_SOLVER_3, gebrd, gebrd, GEBRD)
SX_SOLVER_ALL(SX_SOLVER_3, gebd2, gebrd, GEBRD)
#define LABRD(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(I, m) V(I, n) V(I, k) MAT(I, T, A, lda) VEC(R, D) VEC(R, E) VEC(T, tauq) VEC(T, taup) MAT(I, T, X, ldx) \
  MAT(I, T, Y, ldy)
SX_SOLVER_ALL(SX_SOLVER_1, labrd, labrd, LABRD)
#define SYTRF(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_fill, uplo) V(I, n) MAT(I, T, A, lda) VEC(I, ipiv) EACH(J, info)
SX_SOLVER_ALL(SX_SOLVER_3, sytrf, sytrf, SYTRF)
SX_SOLVER_ALL(SX_SOLVER_3, sytf2, sytrf, SYTRF)
#define LASYF(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_fill, uplo) V(I, n) V(I, nb) V(rocblas_int*, kb) MAT(I, T, A, lda) VEC(I, ipiv) V(rocblas_int*, info)
SX_SOLVER_ALL(SX_SOLVER_1, lasyf, lasyf, LASYF)
// clang-format on
