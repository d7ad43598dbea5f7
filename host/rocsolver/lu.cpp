// LU: getf2, getrf with and without pivoting, getrs, gesv.
#include "blocked.h"
#include "lu.h"

namespace sx::rs {

template <class T, class I, class J>
static rocblas_status getrf_any(rocblas_handle h, i64 m, i64 n, Arr<T> A, const Arr<I>* pivots, Arr<J> info,
                                i64 batch) {
  const bool filled = m && n, pivoting = pivots != nullptr;
  const Arr<I> ipiv = pivoting ? *pivots : Arr<I>{};
  SX_TRY(check(h, true, m >= 0 && n >= 0 && A.ld >= m && batch >= 0,
               have(filled, A) && have(filled && pivoting, ipiv) && have(batch, info.base)));
  const i64 least = std::min(m, n);
  const size_t bytes = filled ? bytes_of<T>(3 + least + n * least / 2, batch) : 0;
  return run(h, bytes, batch, product_cost<T>(m, n, least) / 3, [=](i64 b) {
    T* a = A.at(b);
    if (!filled) return void(*info.at(b) = 0);
    if (!pivoting) return void(*info.at(b) = static_cast<J>(lu_no_pivots(m, n, a, A.ld)));
    auto p = scratch<i64>(least);
    *info.at(b) = static_cast<J>(lu_factorise(m, n, a, A.ld, p.data()));
    store_pivots(p, least, ipiv.at(b));
  });
}

template <class T, class I, class J>
static rocblas_status getrf(rocblas_handle h, i64 m, i64 n, Arr<T> A, Arr<I> ipiv, Arr<J> info, i64 batch) {
  return getrf_any(h, m, n, A, &ipiv, info, batch);
}
template <class T, class J>
static rocblas_status getrf_npvt(rocblas_handle h, i64 m, i64 n, Arr<T> A, Arr<J> info, i64 batch) {
  return getrf_any(h, m, n, A, static_cast<Arr<rocblas_int>*>(nullptr), info, batch);
}

template <class T, class I>
static rocblas_status getrs(rocblas_handle h, rocblas_operation trans, i64 n, i64 nrhs, Arr<T> A, Arr<I> ipiv, Arr<T> B,
                            i64 batch) {
  SX_TRY(check(h, is_op(trans), n >= 0 && nrhs >= 0 && A.ld >= n && B.ld >= n && batch >= 0,
               have(n, A) && have(n, ipiv) && have(n && nrhs, B)));
  return run(h, n && nrhs ? bytes_of<T>(n * std::min<i64>(nrhs, 64), batch) : 0, batch, product_cost<T>(n, n, nrhs),
             [=](i64 b) {
               if (!n || !nrhs) return;
               const auto p = load_pivots(ipiv.at(b), n);
               lapack::info<T>(lapack::getrs, letter(trans), n, nrhs, A.at(b), A.ld, p.data(), B.at(b), B.ld);
             });
}

// Solves with X, a copy of B, unless A is singular; X may be B.
template <class T>
static rocblas_status gesv_any(rocblas_handle h, i64 n, i64 nrhs, Arr<T> A, Arr<rocblas_int> ipiv, Arr<T> B, Arr<T> X,
                               Arr<rocblas_int> info, i64 batch) {
  const bool filled = n && nrhs;
  SX_TRY(check(h, true, n >= 0 && nrhs >= 0 && A.ld >= n && B.ld >= n && X.ld >= n && batch >= 0,
               have(n, A) && have(n, ipiv) && have(filled, B) && have(filled, X) && have(batch, info.base)));
  const size_t bytes = filled ? bytes_of<T>(3 + n * (1 + std::min<i64>(nrhs, 64)), batch) : 0;
  return run(h, bytes, batch, product_cost<T>(n, n, n / 3 + nrhs), [=](i64 b) {
    *info.at(b) = 0;
    if (!filled) return;  // A is not factorised either
    auto p = scratch<i64>(n);
    const i64 zero = lu_factorise(n, n, A.at(b), A.ld, p.data());
    *info.at(b) = static_cast<rocblas_int>(zero);
    store_pivots(p, n, ipiv.at(b));
    if (B.at(b) != X.at(b)) copy_matrix(n, nrhs, B.at(b), B.ld, X.at(b), X.ld);
    if (zero) return;
    lapack::info<T>(lapack::getrs, 'N', n, nrhs, A.at(b), A.ld, p.data(), X.at(b), X.ld);
  });
}
template <class T>
static rocblas_status gesv(rocblas_handle h, i64 n, i64 nrhs, Arr<T> A, Arr<rocblas_int> ipiv, Arr<T> B,
                           Arr<rocblas_int> info, i64 batch) {
  return gesv_any(h, n, nrhs, A, ipiv, B, B, info, batch);
}

}  // namespace sx::rs

// clang-format off
#define GETRF(V, MAT, SMAT, VEC, EACH, I, J, T, R) V(I, m) V(I, n) MAT(I, T, A, lda) VEC(I, ipiv) EACH(J, info)
SX_SOLVER_ALL(SX_SOLVER_3, getrf, getrf, GETRF)
SX_SOLVER_ALL(SX_SOLVER_3_64, getrf, getrf, GETRF)
SX_SOLVER_ALL(SX_SOLVER_3, getf2, getrf, GETRF)
SX_SOLVER_ALL(SX_SOLVER_3_64, getf2, getrf, GETRF)

#define GETRF_NPVT(V, MAT, SMAT, VEC, EACH, I, J, T, R) V(I, m) V(I, n) MAT(I, T, A, lda) EACH(J, info)
SX_SOLVER_ALL(SX_SOLVER_3, getrf_npvt, getrf_npvt, GETRF_NPVT)
SX_SOLVER_ALL(SX_SOLVER_3_64, getrf_npvt, getrf_npvt, GETRF_NPVT)
SX_SOLVER_ALL(SX_SOLVER_3, getf2_npvt, getrf_npvt, GETRF_NPVT)
SX_SOLVER_ALL(SX_SOLVER_3_64, getf2_npvt, getrf_npvt, GETRF_NPVT)

SX_SOLVER_ALL(SX_SOLVER_INFO32, getrf_info32, getrf, GETRF)
SX_SOLVER_ALL(SX_SOLVER_INFO32, getrf_npvt_info32, getrf_npvt, GETRF_NPVT)

#define GETRS(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_operation, trans) V(I, n) V(I, nrhs) MAT(I, T, A, lda) VEC(const I, ipiv) MAT(I, T, B, ldb)
SX_SOLVER_ALL(SX_SOLVER_3, getrs, getrs, GETRS)
SX_SOLVER_ALL(SX_SOLVER_3_64, getrs, getrs, GETRS)

#define GESV(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(I, n) V(I, nrhs) MAT(I, T, A, lda) VEC(I, ipiv) MAT(I, T, B, ldb) EACH(J, info)
SX_SOLVER_ALL(SX_SOLVER_3, gesv, gesv, GESV)
#define GESV_OUT(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(I, n) V(I, nrhs) MAT(I, T, A, lda) VEC(I, ipiv) MAT(I, T, B, ldb) MAT(I, T, X, ldx) EACH(J, info)
SX_SOLVER_ALL(SX_SOLVER_1, gesv_outofplace, gesv_any, GESV_OUT)
// clang-format on
