// Singular values by Jacobi's method: gesvdj, with V^H or (notransv) V.
//
// rocSOLVER diagonalises the smaller of A^H A and A A^H, which costs small singular values half of their digits; so
// does the engine when hostile, or where the sweeps that are allowed do not suffice. Else values and vectors are
// LAPACK's, and the residual is what they leave off the diagonal.
#include "jacobi.h"
#include "svd.h"

namespace sx::rs {

namespace {

template <class T>
constexpr auto adjoint = is_complex<T> ? rocblas_operation_conjugate_transpose : rocblas_operation_transpose;

// What one decomposition gives: U (m x m or m x min), V^H (n x n or min x n), both dense.
template <class T>
struct Svd {
  std::vector<real_t<T>> s;
  std::vector<T> u, vh;
  Sweeps<real_t<T>> sweeps{};
  i64 info = 0;
};

// B of m x n, m >= n, with orthogonal columns: its left factor with ``columns`` columns, phases so that B = Q
// diag(norms).
template <class T>
std::vector<T> orthonormal(i64 m, i64 n, const std::vector<T>& B, i64 columns) {
  auto q = scratch<T>(m * columns), tau = scratch<T>(n), work = scratch<T>(block_work(m));
  std::copy(B.begin(), B.begin() + m * n, q.begin());
  lapack::info<T>(lapack::geqrf, m, n, q.data(), m, tau.data(), work.data(), block_work(m));
  auto phase = scratch<T>(n);
  for (i64 i = 0; i < n; ++i) {
    const T d = q[static_cast<size_t>(i + i * m)];
    phase[static_cast<size_t>(i)] = d == T(0) ? T(1) : d / std::abs(d);
  }
  lapack::info<T>(lapack::orgqr, m, columns, n, q.data(), m, tau.data(), work.data(), block_work(m));
  for (i64 j = 0; j < n; ++j)
    for (i64 i = 0; i < m; ++i) q[static_cast<size_t>(i + j * m)] *= phase[static_cast<size_t>(j)];
  return q;
}

// Through the Gram matrix of the shorter side.
template <class T>
Svd<T> by_gram(i64 m, i64 n, const T* A, i64 lda, bool all, real_t<T> abstol, i64 max_sweeps) {
  const bool tall = m >= n;
  const i64 least = std::min(m, n), most = std::max(m, n);
  auto a = scratch<T>(m * n);  // most x least: A or A^H
  if (tall)
    copy_matrix(m, n, A, lda, a.data(), m);
  else
    adjoint_copy(m, n, A, lda, a.data(), n);
  const real_t<T> factor = near_one(m, n, A, lda);
  multiply(most, least, a.data(), most, factor);
  auto gram = scratch<T>(least * least), v = scratch<T>(least * least), b = scratch<T>(m * n);
  gemm_run(adjoint<T>, rocblas_operation_none, least, least, most, T(1), a.data(), most, a.data(), most, T(0),
           gram.data(), least);
  Svd<T> out;
  out.sweeps = jacobi(least, gram.data(), v.data(), abstol, max_sweeps);
  out.s.resize(static_cast<size_t>(least));
  sort_eigen(least, gram.data(), v.data(), out.s.data(), true, true);
  for (auto& s : out.s) s = std::sqrt(std::max(s, real_t<T>(0))) / factor;
  out.sweeps.residual = out.sweeps.residual / factor / factor;
  gemm_run(rocblas_operation_none, rocblas_operation_none, most, least, least, T(1), a.data(), most, v.data(), least,
           T(0), b.data(), most);
  const i64 columns = all ? most : least;
  auto q = orthonormal(most, least, b, columns);
  if (tall) {
    out.u = std::move(q);
    out.vh.resize(v.size());
    adjoint_copy(n, n, v.data(), n, out.vh.data(), n);
  } else {
    out.u = std::move(v);
    out.vh.resize(q.size());
    adjoint_copy(n, columns, q.data(), n, out.vh.data(), columns);
  }
  return out;
}

template <class T>
Svd<T> by_lapack(i64 m, i64 n, const T* A, i64 lda, bool all, real_t<T> abstol) {
  using R = real_t<T>;
  const i64 least = std::min(m, n), left = all ? m : least, right = all ? n : least;
  auto a = scratch<T>(m * n);
  copy_matrix(m, n, A, lda, a.data(), m);
  Svd<T> out;
  out.s = scratch<R>(least), out.u = scratch<T>(m * left), out.vh = scratch<T>(right * n);
  out.info = svd_divided(all ? 'A' : 'S', m, n, a.data(), m, out.s.data(), out.u.data(), m, out.vh.data(), right);
  const R factor = near_one(m, n, A, lda);
  copy_matrix(m, n, A, lda, a.data(), m);
  multiply(m, n, a.data(), m, factor);
  auto b = scratch<T>(m * least), gram = scratch<T>(least * least);
  gemm_run(rocblas_operation_none, adjoint<T>, m, least, n, T(1), a.data(), m, out.vh.data(), right, T(0), b.data(), m);
  gemm_run(adjoint<T>, rocblas_operation_none, least, least, m, T(1), b.data(), m, b.data(), m, T(0), gram.data(),
           least);
  R norm = 0;
  const R off = off_diagonal(least, gram.data(), &norm);
  const R allowed = std::max(abstol, 64 * std::numeric_limits<R>::epsilon() * static_cast<R>(least)) * norm;
  out.sweeps = {off / factor / factor, least > 1 ? 1 : 0, off <= allowed};
  return out;
}

template <class T>
Svd<T> decomposed(i64 m, i64 n, const T* A, i64 lda, bool all, real_t<T> abstol, i64 max_sweeps) {
  const bool gram = quirk(Quirk::gesvdj_gram);
  if (gram || max_sweeps < few_sweeps) {
    auto found = by_gram(m, n, A, lda, all, abstol, max_sweeps);
    if (gram || !found.sweeps.converged) return found;
  }
  return by_lapack(m, n, A, lda, all, abstol);
}

template <class T>
rocblas_status gesvdj_any(rocblas_handle h, bool transposed, rocblas_svect left, rocblas_svect right, i64 m, i64 n,
                          Arr<T> A, real_t<T> abstol, Arr<real_t<T>> residual, i64 max_sweeps,
                          Arr<rocblas_int> n_sweeps, Arr<real_t<T>> S, Arr<T> U, Arr<T> V, Arr<rocblas_int> info,
                          i64 batch) {
  const auto job = [](rocblas_svect s) {
    return s == rocblas_svect_all || s == rocblas_svect_singular || s == rocblas_svect_none;
  };
  const bool all_left = left == rocblas_svect_all, all_right = right == rocblas_svect_all;
  const bool do_left = left != rocblas_svect_none, do_right = right != rocblas_svect_none;
  const i64 least = std::min(m, n), rows_v = all_right || !transposed ? n : least;
  SX_TRY(check(h, job(left) && job(right),
               n >= 0 && m >= 0 && A.ld >= m && max_sweeps > 0 && U.ld >= 1 && V.ld >= 1 && batch >= 0 &&
                   !(do_left && U.ld < m) && !(do_right && V.ld < rows_v),
               have(n && m, A) && have(batch, residual.base) && have(batch, n_sweeps.base) && have(least, S) &&
                   have(batch, info.base) && have(all_left && m, U) && have(do_left && least, U) &&
                   have(all_right && n, V) && have(do_right && least, V)));
  const size_t bytes = least ? bytes_of<T>(3 + 3 * least * least + m * n, batch) : 0;
  return run(h, bytes, batch, 40 * product_cost<T>(m, n, least), [=](i64 b) {
    *info.at(b) = 0, *residual.at(b) = 0, *n_sweeps.at(b) = 0;
    if (!least) return;
    const bool all = all_left || all_right;
    const auto found = decomposed(m, n, A.at(b), A.ld, all, abstol, max_sweeps);
    std::copy(found.s.begin(), found.s.begin() + least, S.at(b));
    if (do_left) copy_matrix(m, all_left ? m : least, found.u.data(), m, U.at(b), U.ld);
    const i64 ld = static_cast<i64>(found.vh.size()) / n, rows = all_right ? n : least;
    if (do_right && transposed)
      copy_matrix(rows, n, found.vh.data(), ld, V.at(b), V.ld);
    else if (do_right)
      adjoint_copy(rows, n, found.vh.data(), ld, V.at(b), V.ld);
    *residual.at(b) = found.sweeps.residual;
    *n_sweeps.at(b) = static_cast<rocblas_int>(found.sweeps.count);
    *info.at(b) = found.info || !found.sweeps.converged;
  });
}

}  // namespace

template <class T, class... A>
static rocblas_status gesvdj(rocblas_handle h, rocblas_svect left, rocblas_svect right, i64 m, i64 n, Arr<T> a,
                             A... rest) {
  return gesvdj_any<T>(h, true, left, right, m, n, a, rest...);
}
template <class T, class... A>
static rocblas_status gesvdj_notransv(rocblas_handle h, rocblas_svect left, rocblas_svect right, i64 m, i64 n, Arr<T> a,
                                      A... rest) {
  return gesvdj_any<T>(h, false, left, right, m, n, a, rest...);
}

}  // namespace sx::rs

// clang-format off
#define GESVDJ(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_svect, left_svect) V(rocblas_svect, right_svect) V(I, m) V(I, n) MAT(I, T, A, lda) V(R, abstol) \
  EACH(R, residual) V(I, max_sweeps) EACH(J, n_sweeps) VEC(R, S) SMAT(I, T, U, ldu) SMAT(I, T, v, ldv) \
  EACH(J, info)
SX_SOLVER_ALL(SX_SOLVER_3, gesvdj, gesvdj, GESVDJ)
SX_SOLVER_ALL(SX_SOLVER_1, gesvdj_notransv, gesvdj_notransv, GESVDJ)
#define GESVDJ_STRIDED(name, impl, LIST, T, R) SX_SOLVER(name, impl, LIST, strided, rocblas_int, rocblas_int, T, R)
SX_SOLVER_ALL(GESVDJ_STRIDED, gesvdj_notransv_strided_batched, gesvdj_notransv, GESVDJ)
// clang-format on
