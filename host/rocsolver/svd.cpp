// Singular value decompositions by QR and divide and conquer: gesvd, gesdd, gesvdx.
#include "svd.h"

namespace sx::rs {

namespace {

bool wants(rocblas_svect s) { return s == rocblas_svect_all || s == rocblas_svect_singular; }

// Leading dimensions: of U at least m; of V at least n (all) or as many as there are vectors.
bool vectors_fit(rocblas_svect left, rocblas_svect right, i64 m, i64 n, i64 ldu, i64 ldv) {
  if (ldu < 1 || ldv < 1) return false;
  if (wants(left) && ldu < m) return false;
  return !(right == rocblas_svect_all && ldv < n) && !(right == rocblas_svect_singular && ldv < std::min(m, n));
}

template <class T>
size_t svd_bytes(i64 m, i64 n, i64 batch) {
  const i64 least = std::min(m, n);
  return least ? bytes_of<T>(3 + least * (least + 2) + 64 * (m + n), batch) : 0;
}

}  // namespace

template <class T>
static rocblas_status gesvd(rocblas_handle h, rocblas_svect left, rocblas_svect right, i64 m, i64 n, Arr<T> A,
                            Arr<real_t<T>> S, Arr<T> U, Arr<T> V, Arr<real_t<T>> E, rocblas_workmode,
                            Arr<rocblas_int> info, i64 batch) {
  const auto job = [](rocblas_svect s) { return wants(s) || s == rocblas_svect_overwrite || s == rocblas_svect_none; };
  const i64 least = std::min(m, n);
  SX_TRY(check(h, job(left) && job(right) && !(left == rocblas_svect_overwrite && right == rocblas_svect_overwrite),
               n >= 0 && m >= 0 && A.ld >= m && batch >= 0 && vectors_fit(left, right, m, n, U.ld, V.ld),
               have(n && m, A) && have(least > 1, E) && have(least, S) && have(batch, info.base) &&
                   have(left == rocblas_svect_all && m, U) && have(left == rocblas_svect_singular && least, U) &&
                   have(wants(right) && n, V)));
  return run(h, svd_bytes<T>(m, n, batch), batch, 10 * product_cost<T>(m, n, least), [=](i64 b) {
    *info.at(b) = 0;
    if (!least) return;
    *info.at(b) = static_cast<rocblas_int>(
        svd_any(left, right, m, n, A.at(b), A.ld, S.at(b), U.at(b), U.ld, V.at(b), V.ld, E.null() ? nullptr : E.at(b)));
  });
}

template <class T>
static rocblas_status gesdd(rocblas_handle h, rocblas_svect left, rocblas_svect right, i64 m, i64 n, Arr<T> A,
                            Arr<real_t<T>> S, Arr<T> U, Arr<T> V, Arr<rocblas_int> info, i64 batch) {
  const auto job = [](rocblas_svect s) { return wants(s) || s == rocblas_svect_none; };
  const i64 least = std::min(m, n);
  SX_TRY(check(h, job(left) && job(right),
               n >= 0 && m >= 0 && A.ld >= m && batch >= 0 && vectors_fit(left, right, m, n, U.ld, V.ld),
               have(n && m, A) && have(least, S) && have(batch, info.base) && have(left == rocblas_svect_all && m, U) &&
                   have(left == rocblas_svect_singular && least, U) && have(right == rocblas_svect_all && n, V) &&
                   have(right == rocblas_svect_singular && least, V)));
  return run(h, svd_bytes<T>(m, n, batch), batch, 10 * product_cost<T>(m, n, least), [=](i64 b) {
    *info.at(b) = 0;
    if (!least) return;
    *info.at(b) = static_cast<rocblas_int>(svd_any(left, right, m, n, A.at(b), A.ld, S.at(b), U.at(b), U.ld, V.at(b),
                                                   V.ld, static_cast<real_t<T>*>(nullptr)));
  });
}

// ---- some of the singular values: [vl, vu), or the il-th to the iu-th largest
// --------------------------------------------
namespace {

template <class T>
struct Some {
  bool left, right, transposed;
  rocblas_srange range;
  real_t<T> vl, vu;
  i64 il, iu;

  bool takes(i64 i, real_t<T> s) const {
    if (range == rocblas_srange_value) return s >= vl && s < vu;
    return range == rocblas_srange_all || (i + 1 >= il && i + 1 <= iu);
  }
};

template <class T>
void solve(const Some<T>& some, i64 m, i64 n, T* A, i64 lda, real_t<T>* S, T* U, i64 ldu, T* V, i64 ldv,
           rocblas_int* nsv, rocblas_int* ifail, rocblas_int* info) {
  const i64 least = std::min(m, n);
  const bool vectors = some.left || some.right;
  auto s = scratch<real_t<T>>(least);
  auto u = scratch<T>(vectors ? m * least : 1), v = scratch<T>(vectors ? least * n : 1);
  *info =
      static_cast<rocblas_int>(svd_divided(vectors ? 'S' : 'N', m, n, A, lda, s.data(), u.data(), m, v.data(), least));
  i64 found = 0;
  for (i64 i = 0; i < least; ++i) {
    if (!some.takes(i, s[static_cast<size_t>(i)])) continue;
    S[found] = s[static_cast<size_t>(i)];
    if (some.left) copy_matrix(m, 1, u.data() + i * m, m, U + found * ldu, ldu);
    for (i64 j = 0; some.right && j < n; ++j) {
      const T x = v[static_cast<size_t>(i + j * least)];
      if (some.transposed)
        V[found + j * ldv] = x;
      else
        V[j + found * ldv] = conj(x);
    }
    if (vectors) ifail[found] = 0;
    ++found;
  }
  *nsv = static_cast<rocblas_int>(found);
}

template <class T>
rocblas_status gesvdx_any(rocblas_handle h, bool transposed, rocblas_svect left, rocblas_svect right,
                          rocblas_srange range, i64 m, i64 n, Arr<T> A, real_t<T> vl, real_t<T> vu, i64 il, i64 iu,
                          Arr<rocblas_int> nsv, Arr<real_t<T>> S, Arr<T> U, Arr<T> V, Arr<rocblas_int> ifail,
                          Arr<rocblas_int> info, i64 batch) {
  const auto job = [](rocblas_svect s) { return s == rocblas_svect_singular || s == rocblas_svect_none; };
  const bool value = range == rocblas_srange_value, index = range == rocblas_srange_index;
  const Some<T> some{
      left == rocblas_svect_singular, right == rocblas_svect_singular, transposed, range, vl, vu, il, iu};
  const i64 least = std::min(m, n), most = index ? iu - il + 1 : least;
  const bool fits = n >= 0 && m >= 0 && A.ld >= m && U.ld >= 1 && V.ld >= 1 && batch >= 0 && !(some.left && U.ld < m) &&
                    !(some.right && V.ld < (transposed ? most : n));
  const bool range_fits =
      !(value && (vl < 0 || vl >= vu)) && !(index && (il < 1 || iu < 0 || iu > least || (least > 0 && il > iu)));
  SX_TRY(check(h, job(left) && job(right) && (value || index || range == rocblas_srange_all), fits && range_fits,
               have(n && m, A) && have(most, S) && have(batch, info.base) && have(batch, nsv.base) &&
                   have((some.left || some.right) && least, ifail) && have(some.left && m && most, U) &&
                   have(some.right && n && most, V)));
  return run(h, svd_bytes<T>(m, n, batch), batch, 10 * product_cost<T>(m, n, least), [=](i64 b) {
    *info.at(b) = 0, *nsv.at(b) = 0;
    if (!least) return;
    solve(some, m, n, A.at(b), A.ld, S.at(b), some.left ? U.at(b) : nullptr, U.ld, some.right ? V.at(b) : nullptr, V.ld,
          nsv.at(b), ifail.null() ? nullptr : ifail.at(b), info.at(b));
  });
}

}  // namespace

template <class T, class... A>
static rocblas_status gesvdx(rocblas_handle h, rocblas_svect left, rocblas_svect right, rocblas_srange range, i64 m,
                             i64 n, Arr<T> a, A... rest) {
  return gesvdx_any<T>(h, true, left, right, range, m, n, a, rest...);
}
template <class T, class... A>
static rocblas_status gesvdx_notransv(rocblas_handle h, rocblas_svect left, rocblas_svect right, rocblas_srange range,
                                      i64 m, i64 n, Arr<T> a, A... rest) {
  return gesvdx_any<T>(h, false, left, right, range, m, n, a, rest...);
}

}  // namespace sx::rs

// clang-format off
#define SVD_HEAD(V, MAT, I, T) \
  V(rocblas_svect, left_svect) V(rocblas_svect, right_svect) V(I, m) V(I, n) MAT(I, T, A, lda)
#define GESVD(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  SVD_HEAD(V, MAT, I, T) VEC(R, S) SMAT(I, T, U, ldu) SMAT(I, T, v, ldv) VEC(R, E) V(rocblas_workmode, fast_alg) \
  EACH(J, info)
SX_SOLVER_ALL(SX_SOLVER_3, gesvd, gesvd, GESVD)
#define GESDD(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  SVD_HEAD(V, MAT, I, T) VEC(R, S) SMAT(I, T, U, ldu) SMAT(I, T, v, ldv) EACH(J, info)
SX_SOLVER_ALL(SX_SOLVER_3, gesdd, gesdd, GESDD)

#define GESVDX(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_svect, left_svect) V(rocblas_svect, right_svect) V(rocblas_srange, srange) V(I, m) V(I, n) \
  MAT(I, T, A, lda) V(R, vl) V(R, vu) V(I, il) V(I, iu) EACH(J, nsv) VEC(R, S) SMAT(I, T, U, ldu) \
  SMAT(I, T, v, ldv) VEC(J, ifail) EACH(J, info)
SX_SOLVER_ALL(SX_SOLVER_3, gesvdx, gesvdx, GESVDX)
#define GESVDX_NOTRANSV(name, impl, LIST, T, R) SX_SOLVER(name, impl, LIST, strided, rocblas_int, rocblas_int, T, R)
SX_SOLVER_ALL(GESVDX_NOTRANSV, gesvdx_notransv_strided_batched, gesvdx_notransv, GESVDX)
// clang-format on
