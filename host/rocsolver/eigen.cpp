// Hermitian eigenproblems: syev, syevd, syevdj, syevj, syevx, syevdx and their complex twins.
#include "jacobi.h"

namespace sx::rs {

// ---- all eigenvalues
// ---------------------------------------------------------------------------------------------------
template <class T>
static rocblas_status syev(rocblas_handle h, rocblas_evect evect, rocblas_fill uplo, i64 n, Arr<T> A, Arr<real_t<T>> D,
                           Arr<real_t<T>> E, Arr<rocblas_int> info, i64 batch) {
  SX_TRY(check(h, is_evect_or_none(evect) && is_fill(uplo), n >= 0 && A.ld >= n && batch >= 0,
               have(n, A) && have(n, E) && have(n, D) && have(batch, info.base)));
  const bool vectors = evect != rocblas_evect_none;
  return run(h, eigen_bytes<T>(n, batch, vectors ? 2 : 0), batch, 5 * product_cost<T>(n, n, n), [=](i64 b) {
    *info.at(b) = 0;
    if (!n) return;
    *info.at(b) = static_cast<rocblas_int>(eigen_all(vectors, uplo, n, A.at(b), A.ld, D.at(b)));
    std::fill(E.at(b), E.at(b) + n, real_t<T>(0));
  });
}

template <class T>
static rocblas_status syevdj(rocblas_handle h, rocblas_evect evect, rocblas_fill uplo, i64 n, Arr<T> A,
                             Arr<real_t<T>> D, Arr<rocblas_int> info, i64 batch) {
  SX_TRY(check(h, is_evect_or_none(evect) && is_fill(uplo), n >= 0 && A.ld >= n && batch >= 0,
               have(n, A) && have(n, D) && have(batch, info.base)));
  const bool vectors = evect != rocblas_evect_none;
  return run(h, eigen_bytes<T>(n, batch, 2), batch, 5 * product_cost<T>(n, n, n), [=](i64 b) {
    *info.at(b) = n ? static_cast<rocblas_int>(eigen_all(vectors, uplo, n, A.at(b), A.ld, D.at(b))) : 0;
  });
}

// ---- Jacobi
// ------------------------------------------------------------------------------------------------------------
template <class T>
static rocblas_status syevj(rocblas_handle h, rocblas_esort esort, rocblas_evect evect, rocblas_fill uplo, i64 n,
                            Arr<T> A, real_t<T> abstol, Arr<real_t<T>> residual, i64 max_sweeps,
                            Arr<rocblas_int> n_sweeps, Arr<real_t<T>> W, Arr<rocblas_int> info, i64 batch) {
  SX_TRY(check(
      h, (esort == rocblas_esort_none || esort == rocblas_esort_ascending) && is_evect_or_none(evect) && is_fill(uplo),
      n >= 0 && A.ld >= n && max_sweeps > 0 && batch >= 0,
      have(n, A) && have(n, W) && have(batch, residual.base) && have(batch, n_sweeps.base) && have(batch, info.base)));
  const bool vectors = evect != rocblas_evect_none;
  return run(h, eigen_bytes<T>(n, batch, 2), batch, 40 * product_cost<T>(n, n, n), [=](i64 b) {
    *residual.at(b) = 0, *n_sweeps.at(b) = 0, *info.at(b) = 0;
    if (!n) return;
    auto full = full_hermitian(uplo, n, A.at(b), A.ld);
    auto v = scratch<T>(vectors ? n * n : 1);
    const auto done = jacobi(n, full.data(), vectors ? v.data() : nullptr, abstol, max_sweeps);
    sort_eigen(n, full.data(), vectors ? v.data() : nullptr, W.at(b), esort == rocblas_esort_ascending);
    if (vectors) copy_matrix(n, n, v.data(), n, A.at(b), A.ld);
    *residual.at(b) = done.residual;
    *n_sweeps.at(b) = static_cast<rocblas_int>(done.count);
    *info.at(b) = !done.converged;
  });
}

// ---- a part of the spectrum
// ----------------------------------------------------------------------------------------------
template <class T>
static rocblas_status part(rocblas_handle h, bool bisect, rocblas_evect evect, rocblas_erange range, rocblas_fill uplo,
                           i64 n, Arr<T> A, real_t<T> vl, real_t<T> vu, i64 il, i64 iu, real_t<T> abstol,
                           Arr<rocblas_int> nev, Arr<real_t<T>> W, Arr<T> Z, Arr<rocblas_int> ifail,
                           Arr<rocblas_int> info, i64 batch) {
  const bool vectors = evect != rocblas_evect_none;
  SX_TRY(check(h, is_evect_or_none(evect) && is_erange(range) && is_fill(uplo),
               n >= 0 && A.ld >= n && (!vectors || Z.ld >= n) && batch >= 0 && range_fits(range, n, vl, vu, il, iu),
               have(n, A) && have(n, W) && have(batch, nev.base) && have(batch, info.base) && have(vectors && n, Z) &&
                   have(vectors && n && bisect, ifail)));
  return run(h, eigen_bytes<T>(n, batch, 1), batch, 4 * product_cost<T>(n, n, n), [=](i64 b) {
    *nev.at(b) = 0, *info.at(b) = 0;
    if (!n) return;
    const Output<T> out{W.at(b), vectors ? Z.at(b) : nullptr, Z.ld, nev.at(b),
                        bisect && vectors ? ifail.at(b) : nullptr};
    *info.at(b) = static_cast<rocblas_int>(
        store_range(vectors, {range, vl, vu, il, iu}, uplo, n, A.at(b), A.ld, bisect, abstol, out));
  });
}

template <class T>
static rocblas_status syevx(rocblas_handle h, rocblas_evect evect, rocblas_erange range, rocblas_fill uplo, i64 n,
                            Arr<T> A, real_t<T> vl, real_t<T> vu, i64 il, i64 iu, real_t<T> abstol,
                            Arr<rocblas_int> nev, Arr<real_t<T>> W, Arr<T> Z, Arr<rocblas_int> ifail,
                            Arr<rocblas_int> info, i64 batch) {
  return part(h, true, evect, range, uplo, n, A, vl, vu, il, iu, abstol, nev, W, Z, ifail, info, batch);
}
template <class T>
static rocblas_status syevdx(rocblas_handle h, rocblas_evect evect, rocblas_erange range, rocblas_fill uplo, i64 n,
                             Arr<T> A, real_t<T> vl, real_t<T> vu, i64 il, i64 iu, Arr<rocblas_int> nev,
                             Arr<real_t<T>> W, Arr<T> Z, Arr<rocblas_int> info, i64 batch) {
  return part(h, false, evect, range, uplo, n, A, vl, vu, il, iu, real_t<T>(0), nev, W, Z, {}, info, batch);
}

// Vectors in A, the number of eigenvalues in host memory: the call waits.
template <class T>
static rocblas_status syevdx_inplace(rocblas_handle h, rocblas_evect evect, rocblas_erange range, rocblas_fill uplo,
                                     i64 n, Arr<T> A, real_t<T> vl, real_t<T> vu, i64 il, i64 iu, real_t<T>,
                                     Arr<rocblas_int> nev, Arr<real_t<T>> W, Arr<rocblas_int> info, i64 batch) {
  SX_TRY(part(h, false, evect, range, uplo, n, A, vl, vu, il, iu, real_t<T>(0), nev, W, A, {}, info, batch));
  return status_of(internal_sync(h->stream));
}

}  // namespace sx::rs

// clang-format off
#define SYEV(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_evect, evect) V(rocblas_fill, uplo) V(I, n) MAT(I, T, A, lda) VEC(R, D) VEC(R, E) EACH(J, info)
#define SYEVDJ(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_evect, evect) V(rocblas_fill, uplo) V(I, n) MAT(I, T, A, lda) VEC(R, D) EACH(J, info)
#define SYEVJ(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_esort, esort) V(rocblas_evect, evect) V(rocblas_fill, uplo) V(I, n) MAT(I, T, A, lda) V(R, abstol) \
  EACH(R, residual) V(I, max_sweeps) EACH(J, n_sweeps) VEC(R, W) EACH(J, info)
#define SYEVX_HEAD(V, MAT, I, T, R) \
  V(rocblas_evect, evect) V(rocblas_erange, erange) V(rocblas_fill, uplo) V(I, n) MAT(I, T, A, lda) V(R, vl) \
  V(R, vu) V(I, il) V(I, iu)
#define SYEVX(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  SYEVX_HEAD(V, MAT, I, T, R) V(R, abstol) EACH(J, nev) VEC(R, W) MAT(I, T, Z, ldz) VEC(J, ifail) EACH(J, info)
#define SYEVDX(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  SYEVX_HEAD(V, MAT, I, T, R) EACH(J, nev) VEC(R, W) MAT(I, T, Z, ldz) EACH(J, info)
#define SYEVDX_INPLACE(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  SYEVX_HEAD(V, MAT, I, T, R) V(R, abstol) EACH(J, nev) VEC(R, W) EACH(J, info)

#define HERMITIAN(X, suffix, impl, LIST)  \
  SX_SOLVER_SD(X, sy##suffix, impl, LIST) \
  SX_SOLVER_CZ(X, he##suffix, impl, LIST)
HERMITIAN(SX_SOLVER_3, ev, syev, SYEV)
HERMITIAN(SX_SOLVER_3, evd, syev, SYEV)
HERMITIAN(SX_SOLVER_3, evdj, syevdj, SYEVDJ)
HERMITIAN(SX_SOLVER_3, evj, syevj, SYEVJ)
HERMITIAN(SX_SOLVER_3, evx, syevx, SYEVX)
HERMITIAN(SX_SOLVER_3, evdx, syevdx, SYEVDX)
HERMITIAN(SX_SOLVER_1, evdx_inplace, syevdx_inplace, SYEVDX_INPLACE)
// clang-format on
