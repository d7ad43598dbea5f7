// Reflections, interchanges, rotations: lacgv, laswp, larf, larfg, larft, larfb, lasr.
#include "rs.h"

namespace sx::rs {

static char letter(rocblas_direct d) { return d == rocblas_forward_direction ? 'F' : 'B'; }
static char letter(rocblas_storev s) { return s == rocblas_column_wise ? 'C' : 'R'; }
static bool is_direct(rocblas_direct d) { return d == rocblas_forward_direction || d == rocblas_backward_direction; }
static bool is_storev(rocblas_storev s) { return s == rocblas_column_wise || s == rocblas_row_wise; }

template <class T>
static rocblas_status lacgv(rocblas_handle h, i64 n, Arr<T> x, i64) {
  SX_TRY(check(h, true, n >= 0 && x.ld, have(n, x)));
  return run(h, 0, 1, 0, [=](i64 b) {
    T* p = first(x.at(b), n, x.ld);
    for (i64 i = 0; i < n; ++i) p[i * x.ld] = conj(p[i * x.ld]);
  });
}

template <class T>
static rocblas_status laswp(rocblas_handle h, i64 n, Arr<T> A, i64 k1, i64 k2, Arr<const rocblas_int> ipiv, i64) {
  SX_TRY(check(h, true, n >= 0 && A.ld >= 1 && k1 >= 1 && k2 >= k1 && ipiv.ld, have(n, A) && !ipiv.null()));
  return run(h, 0, 1, 0, [=](i64 b) {
    if (!n) return;
    const i64 step = std::abs(ipiv.ld);
    const auto p = load_pivots(ipiv.at(b), k1 + (k2 - k1) * step);
    lapack::call<T>(lapack::laswp, n, A.at(b), A.ld, k1, k2, p.data(), ipiv.ld);
  });
}

template <class T>
static rocblas_status larfg(rocblas_handle h, i64 n, T* alpha, Arr<T> x, T* tau, i64) {
  SX_TRY(check(h, true, n >= 0 && x.ld >= 1, have(n > 1, x) && have(n, alpha) && have(n, tau)));
  return run(h, bytes_of<T>(n > 1 ? 2 + n / 64 : 0, 1), 1, 0, [=](i64 b) {
    if (n) lapack::call<T>(lapack::larfg, n, alpha, x.at(b), x.ld, tau);
  });
}

template <class T>
static rocblas_status larf(rocblas_handle h, rocblas_side side, i64 m, i64 n, Arr<T> x, const T* alpha, Arr<T> A, i64) {
  const bool left = side == rocblas_side_left;
  SX_TRY(check(h, is_side(side), n >= 0 && m >= 0 && A.ld >= m && x.ld,
               have(m && n, A) && have(left ? m : n, alpha) && have(left ? m : n, x)));
  return run(h, m && n ? bytes_of<T>(2 + (left ? n : m), 1) : 0, 1, 0, [=](i64 b) {
    if (!m || !n) return;
    auto work = scratch<T>(std::max(m, n));
    lapack::call<T>(lapack::larf, rs::letter(side), m, n, x.at(b), x.ld, alpha, A.at(b), A.ld, work.data());
  });
}

template <class T>
static rocblas_status larft(rocblas_handle h, rocblas_direct direct, rocblas_storev storev, i64 n, i64 k, Arr<T> V,
                            Arr<T> tau, Arr<T> F, i64) {
  SX_TRY(check(h, is_direct(direct) && is_storev(storev),
               n >= 0 && k >= 1 && F.ld >= k && V.ld >= (storev == rocblas_row_wise ? k : n),
               have(n, V) && !tau.null() && !F.null()));
  return run(h, n ? bytes_of<T>(3 + k * 2, 1) : 0, 1, 0, [=](i64 b) {
    if (n)
      lapack::call<T>(lapack::larft, letter(direct), letter(storev), n, k, V.at(b), V.ld, tau.at(b), F.at(b), F.ld);
  });
}

template <class T>
static rocblas_status larfb(rocblas_handle h, rocblas_side side, rocblas_operation trans, rocblas_direct direct,
                            rocblas_storev storev, i64 m, i64 n, i64 k, Arr<T> V, Arr<T> F, Arr<T> A, i64) {
  const bool left = side == rocblas_side_left;
  const i64 order = left ? m : n, other = left ? n : m;
  SX_TRY(check(h, is_side(side) && is_op(trans) && is_direct(direct) && is_storev(storev),
               m >= 0 && n >= 0 && k >= 1 && A.ld >= m && F.ld >= k && V.ld >= (storev == rocblas_row_wise ? k : order),
               have(order, V) && have(m && n, A) && !F.null()));
  return run(h, m && n ? bytes_of<T>(k * other, 1) : 0, 1, 0, [=](i64 b) {
    if (!m || !n) return;
    auto work = scratch<T>(k * other);
    lapack::call<T>(lapack::larfb, rs::letter(side), rs::letter(trans), letter(direct), letter(storev), m, n, k,
                    V.at(b), V.ld, F.at(b), F.ld, A.at(b), A.ld, work.data(), std::max<i64>(other, 1));
  });
}

template <class T>
static rocblas_status lasr(rocblas_handle h, rocblas_side side, rocblas_pivot pivot, rocblas_direct direct, i64 m,
                           i64 n, Arr<real_t<T>> C, Arr<real_t<T>> S, Arr<T> A, i64) {
  const bool is_pivot = pivot == rocblas_pivot_variable || pivot == rocblas_pivot_top || pivot == rocblas_pivot_bottom;
  const i64 order = side == rocblas_side_left ? m : n;
  SX_TRY(check(h, is_side(side) && is_pivot && is_direct(direct), m >= 0 && n >= 0 && A.ld >= m,
               have(m && n, A) && have(order > 1, C) && have(order > 1, S)));
  return run(h, 0, 1, 0, [=](i64 b) {
    if (!m || !n) return;
    const char p = pivot == rocblas_pivot_variable ? 'V' : pivot == rocblas_pivot_top ? 'T' : 'B';
    lapack::call<T>(lapack::lasr, rs::letter(side), p, letter(direct), m, n, C.at(b), S.at(b), A.at(b), A.ld);
  });
}

}  // namespace sx::rs

// clang-format off
#define LACGV(V, MAT, SMAT, VEC, EACH, I, J, T, R) V(I, n) MAT(I, T, x, incx)
SX_SOLVER_CZ(SX_SOLVER_1, lacgv, lacgv, LACGV)
SX_SOLVER_CZ(SX_SOLVER_1_64, lacgv, lacgv, LACGV)
#define LASWP(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(I, n) MAT(I, T, A, lda) V(I, k1) V(I, k2) MAT(I, const I, ipiv, incx)
SX_SOLVER_ALL(SX_SOLVER_1, laswp, laswp, LASWP)
#define LARFG(V, MAT, SMAT, VEC, EACH, I, J, T, R) V(I, n) V(T*, alpha) MAT(I, T, x, incx) V(T*, tau)
SX_SOLVER_ALL(SX_SOLVER_1, larfg, larfg, LARFG)
SX_SOLVER_ALL(SX_SOLVER_1_64, larfg, larfg, LARFG)
#define LARF(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_side, side) V(I, m) V(I, n) MAT(I, T, x, incx) V(const T*, alpha) MAT(I, T, A, lda)
SX_SOLVER_ALL(SX_SOLVER_1, larf, larf, LARF)
SX_SOLVER_ALL(SX_SOLVER_1_64, larf, larf, LARF)
#define LARFT(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_direct, direct) V(rocblas_storev, storev) V(I, n) V(I, k) MAT(I, T, v, ldv) VEC(T, tau) \
  MAT(I, T, f, ldf)
SX_SOLVER_ALL(SX_SOLVER_1, larft, larft, LARFT)
#define LARFB(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_side, side) V(rocblas_operation, trans) V(rocblas_direct, direct) V(rocblas_storev, storev) V(I, m) \
  V(I, n) V(I, k) MAT(I, T, v, ldv) MAT(I, T, f, ldf) MAT(I, T, A, lda)
SX_SOLVER_ALL(SX_SOLVER_1, larfb, larfb, LARFB)
#define LASR(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_side, side) V(rocblas_pivot, pivot) V(rocblas_direct, direct) V(I, m) V(I, n) VEC(R, C) VEC(R, S) \
  MAT(I, T, A, lda)
SX_SOLVER_ALL(SX_SOLVER_1, lasr, lasr, LASR)
// clang-format on
