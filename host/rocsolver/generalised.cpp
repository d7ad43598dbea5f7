// Generalised Hermitian eigenproblems: sygst, sygv, sygvd, sygvdj, sygvj, sygvx, sygvdx and their complex twins. B is
// factorised, the problem reduced to a standard one, its vectors transformed back; info n + i: minor i of B is not
// positive.
#include "blocked.h"
#include "jacobi.h"

namespace sx::rs {

namespace {

template <class T>
struct Problem {
  rocblas_eform itype;
  bool vectors;
  rocblas_fill uplo;
  i64 n;
  Arr<T> A, B;
};

i64 number(rocblas_eform t) { return t == rocblas_eform_ax ? 1 : t == rocblas_eform_abx ? 2 : 3; }

// x from y: itype 1, 2: op(factor)^-1 y; itype 3: op(factor) y.
template <class T>
void transform_back(const Problem<T>& p, i64 b, i64 count, T* Z, i64 ldz) {
  const bool upper = p.uplo == rocblas_fill_upper;
  constexpr auto adjoint = is_complex<T> ? rocblas_operation_conjugate_transpose : rocblas_operation_transpose;
  if (p.itype == rocblas_eform_bax)
    blas::trmm(rocblas_side_left, p.uplo, upper ? adjoint : rocblas_operation_none, rocblas_diagonal_non_unit, p.n,
               count, T(1), p.B.at(b), p.B.ld, Z, ldz);
  else
    blas::trsm(rocblas_side_left, p.uplo, upper ? rocblas_operation_none : adjoint, rocblas_diagonal_non_unit, p.n,
               count, T(1), p.B.at(b), p.B.ld, Z, ldz);
}

// standard() solves the reduced problem, in A, and returns its info; Z() gives the vectors and how many.
template <class T, class Standard, class Vectors>
rocblas_int reduce_and_solve(const Problem<T>& p, i64 b, Standard&& standard, Vectors&& vectors) {
  const i64 minor = cholesky_factorise(p.uplo, p.n, p.B.at(b), p.B.ld);
  if (minor) return static_cast<rocblas_int>(p.n + minor);
  lapack::info<T>(lapack::sygst, number(p.itype), letter(p.uplo), p.n, p.A.at(b), p.A.ld, p.B.at(b), p.B.ld);
  const i64 info = standard();
  if (p.vectors) vectors();
  return static_cast<rocblas_int>(info);
}

template <class T>
bool forms(const Problem<T>& p, rocblas_evect evect) {
  return is_eform(p.itype) && is_evect_or_none(evect) && is_fill(p.uplo);
}
template <class T>
bool sizes(const Problem<T>& p, i64 batch) {
  return p.n >= 0 && p.A.ld >= p.n && p.B.ld >= p.n && batch >= 0;
}
template <class T>
bool arrays(const Problem<T>& p, const Arr<real_t<T>>& W, const Arr<rocblas_int>& info, i64 batch) {
  return have(p.n, p.A) && have(p.n, p.B) && have(p.n, W) && have(batch, info.base);
}

}  // namespace

template <class T>
static rocblas_status sygst(rocblas_handle h, rocblas_eform itype, rocblas_fill uplo, i64 n, Arr<T> A, Arr<T> B,
                            i64 batch) {
  const Problem<T> p{itype, false, uplo, n, A, B};
  SX_TRY(check(h, forms(p, rocblas_evect_none), sizes(p, batch), have(n, A) && have(n, B)));
  return run(h, bytes_of<T>(n ? 3 + 64 * n : 0, batch), batch, product_cost<T>(n, n, n), [=](i64 b) {
    if (n) lapack::info<T>(lapack::sygst, number(itype), letter(uplo), n, A.at(b), A.ld, B.at(b), B.ld);
  });
}

template <class T>
static rocblas_status sygv(rocblas_handle h, rocblas_eform itype, rocblas_evect evect, rocblas_fill uplo, i64 n,
                           Arr<T> A, Arr<T> B, Arr<real_t<T>> D, Arr<real_t<T>> E, Arr<rocblas_int> info, i64 batch) {
  const Problem<T> p{itype, evect != rocblas_evect_none, uplo, n, A, B};
  SX_TRY(check(h, forms(p, evect), sizes(p, batch), arrays(p, D, info, batch) && have(n, E)));
  return run(h, eigen_bytes<T>(n, batch, 2), batch, 6 * product_cost<T>(n, n, n), [=](i64 b) {
    *info.at(b) = 0;
    if (!n) return;
    *info.at(b) = reduce_and_solve(
        p, b, [&] { return eigen_all(p.vectors, uplo, n, A.at(b), A.ld, D.at(b)); },
        [&] { transform_back(p, b, n, A.at(b), A.ld); });
    std::fill(E.at(b), E.at(b) + n, real_t<T>(0));
  });
}

template <class T>
static rocblas_status sygvdj(rocblas_handle h, rocblas_eform itype, rocblas_evect evect, rocblas_fill uplo, i64 n,
                             Arr<T> A, Arr<T> B, Arr<real_t<T>> D, Arr<rocblas_int> info, i64 batch) {
  const Problem<T> p{itype, evect != rocblas_evect_none, uplo, n, A, B};
  SX_TRY(check(h, forms(p, evect), sizes(p, batch), arrays(p, D, info, batch)));
  return run(h, eigen_bytes<T>(n, batch, 2), batch, 6 * product_cost<T>(n, n, n), [=](i64 b) {
    *info.at(b) = 0;
    if (!n) return;
    *info.at(b) = reduce_and_solve(
        p, b, [&] { return eigen_all(p.vectors, uplo, n, A.at(b), A.ld, D.at(b)); },
        [&] { transform_back(p, b, n, A.at(b), A.ld); });
  });
}

template <class T>
static rocblas_status sygvj(rocblas_handle h, rocblas_eform itype, rocblas_evect evect, rocblas_fill uplo, i64 n,
                            Arr<T> A, Arr<T> B, real_t<T> abstol, Arr<real_t<T>> residual, i64 max_sweeps,
                            Arr<rocblas_int> n_sweeps, Arr<real_t<T>> W, Arr<rocblas_int> info, i64 batch) {
  const Problem<T> p{itype, evect != rocblas_evect_none, uplo, n, A, B};
  SX_TRY(check(h, forms(p, evect), sizes(p, batch) && max_sweeps > 0,
               arrays(p, W, info, batch) && have(batch, residual.base) && have(batch, n_sweeps.base)));
  return run(h, eigen_bytes<T>(n, batch, 2), batch, 40 * product_cost<T>(n, n, n), [=](i64 b) {
    *info.at(b) = 0, *residual.at(b) = 0, *n_sweeps.at(b) = 0;
    if (!n) return;
    auto v = scratch<T>(p.vectors ? n * n : 1);
    T* vectors = p.vectors ? v.data() : nullptr;
    *info.at(b) = reduce_and_solve(
        p, b,
        [&] {
          auto full = full_hermitian(uplo, n, A.at(b), A.ld);
          const auto done = jacobi(n, full.data(), vectors, abstol, max_sweeps);
          sort_eigen(n, full.data(), vectors, W.at(b), true);
          *residual.at(b) = done.residual;
          *n_sweeps.at(b) = static_cast<rocblas_int>(done.count);
          return i64{!done.converged};
        },
        [&] {
          copy_matrix(n, n, vectors, n, A.at(b), A.ld);
          transform_back(p, b, n, A.at(b), A.ld);
        });
  });
}

template <class T>
static rocblas_status part(rocblas_handle h, bool bisect, const Problem<T>& p, rocblas_evect evect,
                           Range<real_t<T>> range, real_t<T> abstol, Arr<rocblas_int> nev, Arr<real_t<T>> W, Arr<T> Z,
                           Arr<rocblas_int> ifail, Arr<rocblas_int> info, i64 batch) {
  const i64 n = p.n;
  SX_TRY(check(
      h, forms(p, evect) && is_erange(range.kind),
      sizes(p, batch) && (!p.vectors || Z.ld >= n) && range_fits(range.kind, n, range.vl, range.vu, range.il, range.iu),
      arrays(p, W, info, batch) && have(batch, nev.base) && have(p.vectors && n, Z) &&
          have(p.vectors && n && bisect, ifail)));
  return run(h, eigen_bytes<T>(n, batch, 1), batch, 6 * product_cost<T>(n, n, n), [=](i64 b) {
    *nev.at(b) = 0, *info.at(b) = 0;
    if (!n) return;
    const Output<T> out{W.at(b), p.vectors ? Z.at(b) : nullptr, Z.ld, nev.at(b),
                        bisect && p.vectors ? ifail.at(b) : nullptr};
    *info.at(b) = reduce_and_solve(
        p, b, [&] { return store_range(p.vectors, range, p.uplo, n, p.A.at(b), p.A.ld, bisect, abstol, out); },
        [&] { transform_back(p, b, *nev.at(b), Z.at(b), Z.ld); });
  });
}

template <class T>
static rocblas_status sygvx(rocblas_handle h, rocblas_eform itype, rocblas_evect evect, rocblas_erange range,
                            rocblas_fill uplo, i64 n, Arr<T> A, Arr<T> B, real_t<T> vl, real_t<T> vu, i64 il, i64 iu,
                            real_t<T> abstol, Arr<rocblas_int> nev, Arr<real_t<T>> W, Arr<T> Z, Arr<rocblas_int> ifail,
                            Arr<rocblas_int> info, i64 batch) {
  const Problem<T> p{itype, evect != rocblas_evect_none, uplo, n, A, B};
  return part(h, true, p, evect, {range, vl, vu, il, iu}, abstol, nev, W, Z, ifail, info, batch);
}
template <class T>
static rocblas_status sygvdx(rocblas_handle h, rocblas_eform itype, rocblas_evect evect, rocblas_erange range,
                             rocblas_fill uplo, i64 n, Arr<T> A, Arr<T> B, real_t<T> vl, real_t<T> vu, i64 il, i64 iu,
                             Arr<rocblas_int> nev, Arr<real_t<T>> W, Arr<T> Z, Arr<rocblas_int> info, i64 batch) {
  const Problem<T> p{itype, evect != rocblas_evect_none, uplo, n, A, B};
  return part(h, false, p, evect, {range, vl, vu, il, iu}, real_t<T>(0), nev, W, Z, {}, info, batch);
}
// Vectors in A, the number of eigenvalues in host memory: the call waits.
template <class T>
static rocblas_status sygvdx_inplace(rocblas_handle h, rocblas_eform itype, rocblas_evect evect, rocblas_erange range,
                                     rocblas_fill uplo, i64 n, Arr<T> A, Arr<T> B, real_t<T> vl, real_t<T> vu, i64 il,
                                     i64 iu, real_t<T>, Arr<rocblas_int> nev, Arr<real_t<T>> W, Arr<rocblas_int> info,
                                     i64 batch) {
  const Problem<T> p{itype, evect != rocblas_evect_none, uplo, n, A, B};
  SX_TRY(part(h, false, p, evect, {range, vl, vu, il, iu}, real_t<T>(0), nev, W, A, {}, info, batch));
  return status_of(internal_sync(h->stream));
}

}  // namespace sx::rs

// clang-format off
#define SYGST(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_eform, itype) V(rocblas_fill, uplo) V(I, n) MAT(I, T, A, lda) MAT(I, T, B, ldb)
#define SYGV_HEAD(V, MAT, I, T) \
  V(rocblas_eform, itype) V(rocblas_evect, evect) V(rocblas_fill, uplo) V(I, n) MAT(I, T, A, lda) \
  MAT(I, T, B, ldb)
#define SYGV(V, MAT, SMAT, VEC, EACH, I, J, T, R) SYGV_HEAD(V, MAT, I, T) VEC(R, D) VEC(R, E) EACH(J, info)
#define SYGVDJ(V, MAT, SMAT, VEC, EACH, I, J, T, R) SYGV_HEAD(V, MAT, I, T) VEC(R, D) EACH(J, info)
#define SYGVJ(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  SYGV_HEAD(V, MAT, I, T) V(R, abstol) EACH(R, residual) V(I, max_sweeps) EACH(J, n_sweeps) VEC(R, W) \
  EACH(J, info)
#define SYGVX_HEAD(V, MAT, I, T, R) \
  V(rocblas_eform, itype) V(rocblas_evect, evect) V(rocblas_erange, erange) V(rocblas_fill, uplo) V(I, n) \
  MAT(I, T, A, lda) MAT(I, T, B, ldb) V(R, vl) V(R, vu) V(I, il) V(I, iu)
#define SYGVX(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  SYGVX_HEAD(V, MAT, I, T, R) V(R, abstol) EACH(J, nev) VEC(R, W) MAT(I, T, Z, ldz) VEC(J, ifail) EACH(J, info)
#define SYGVDX(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  SYGVX_HEAD(V, MAT, I, T, R) EACH(J, nev) VEC(R, W) MAT(I, T, Z, ldz) EACH(J, info)
#define SYGVDX_INPLACE(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  SYGVX_HEAD(V, MAT, I, T, R) V(R, abstol) EACH(J, h_nev) VEC(R, W) EACH(J, info)

#define HERMITIAN(X, suffix, impl, LIST)  \
  SX_SOLVER_SD(X, sy##suffix, impl, LIST) \
  SX_SOLVER_CZ(X, he##suffix, impl, LIST)
HERMITIAN(SX_SOLVER_3, gst, sygst, SYGST)
HERMITIAN(SX_SOLVER_3, gs2, sygst, SYGST)
HERMITIAN(SX_SOLVER_3, gv, sygv, SYGV)
HERMITIAN(SX_SOLVER_3, gvd, sygv, SYGV)
HERMITIAN(SX_SOLVER_3, gvdj, sygvdj, SYGVDJ)
HERMITIAN(SX_SOLVER_3, gvj, sygvj, SYGVJ)
HERMITIAN(SX_SOLVER_3, gvx, sygvx, SYGVX)
HERMITIAN(SX_SOLVER_3, gvdx, sygvdx, SYGVDX)
HERMITIAN(SX_SOLVER_1, gvdx_inplace, sygvdx_inplace, SYGVDX_INPLACE)
// clang-format on
