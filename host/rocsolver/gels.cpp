// Least squares and minimum norm solutions by QR or LQ. Unlike LAPACK's gels nothing is scaled, and a zero matrix is
// singular.
#include "blocked.h"
#include "lu.h"

namespace sx::rs {

namespace {

template <class T>
constexpr rocblas_operation adjoint =
    is_complex<T> ? rocblas_operation_conjugate_transpose : rocblas_operation_transpose;

template <class T>
void apply(const lapack::Routine& q, rocblas_operation trans, i64 rows, i64 nrhs, i64 k, T* A, i64 lda, T* tau, T* B,
           i64 ldb) {
  auto work = scratch<T>(block_work(nrhs) + 65 * 65);
  lapack::info<T>(q, 'L', letter(trans), rows, nrhs, k, A, lda, tau, B, ldb, work.data(), block_work(nrhs) + 65 * 65);
}

// B, of max(m, n) rows, becomes the solution; the answer is the place of a zero on the factor's diagonal, or 0.
template <class T>
i64 solve(bool plain, i64 m, i64 n, i64 nrhs, T* A, i64 lda, T* B, i64 ldb) {
  const bool tall = m >= n;
  const i64 least = std::min(m, n), most = std::max(m, n);
  const auto& q = tall ? lapack::ormqr : lapack::ormlq;
  auto tau = scratch<T>(least);
  auto work = scratch<T>(block_work(least));
  if (tall)
    qr_factorise(m, n, A, lda, tau.data());
  else
    lapack::info<T>(lapack::gelqf, m, n, A, lda, tau.data(), work.data(), block_work(least));
  const i64 zero = singular_at(least, A, lda);
  const bool overdetermined = tall == plain;
  if (overdetermined)
    apply(q, tall ? adjoint<T> : rocblas_operation_none, most, nrhs, least, A, lda, tau.data(), B, ldb);
  if (zero) return zero;
  blas::trsm(rocblas_side_left, tall ? rocblas_fill_upper : rocblas_fill_lower,
             plain ? rocblas_operation_none : adjoint<T>, rocblas_diagonal_non_unit, least, nrhs, T(1), A, lda, B, ldb);
  if (!overdetermined) {
    clear_matrix(most - least, nrhs, B + least, ldb);
    apply(q, tall ? rocblas_operation_none : adjoint<T>, most, nrhs, least, A, lda, tau.data(), B, ldb);
  }
  return 0;
}

template <class T>
size_t gels_bytes(i64 m, i64 n, i64 nrhs, i64 batch, i64 saved) {
  if (!m || !n || !nrhs) return 0;
  const i64 least = std::min(m, n);
  return bytes_of<T>(3 + least + std::min<i64>(least, 64) * (64 + std::max(n, nrhs)) + saved * nrhs, batch);
}

}  // namespace

template <class T>
static rocblas_status gels(rocblas_handle h, rocblas_operation trans, i64 m, i64 n, i64 nrhs, Arr<T> A, Arr<T> B,
                           Arr<rocblas_int> info, i64 batch) {
  SX_TRY(check(h, is_op_of<T>(trans),
               m >= 0 && n >= 0 && nrhs >= 0 && A.ld >= m && B.ld >= m && B.ld >= n && batch >= 0,
               have(m && n, A) && have((m || n) && nrhs, B) && have(batch, info.base)));
  const bool plain = trans == rocblas_operation_none;
  return run(h, gels_bytes<T>(m, n, nrhs, batch, 0), batch, 2 * product_cost<T>(m, n, std::min(m, n) + nrhs),
             [=](i64 b) {
               *info.at(b) = 0;
               if (!nrhs) return;
               if (!m || !n) return clear_matrix(std::max(m, n), nrhs, B.at(b), B.ld);
               *info.at(b) = static_cast<rocblas_int>(solve(plain, m, n, nrhs, A.at(b), A.ld, B.at(b), B.ld));
             });
}

// The solution in X, with as many rows as it has; B stays.
template <class T>
static rocblas_status gels_outofplace(rocblas_handle h, rocblas_operation trans, i64 m, i64 n, i64 nrhs, Arr<T> A,
                                      Arr<T> B, Arr<T> X, Arr<rocblas_int> info, i64 batch) {
  const bool plain = trans == rocblas_operation_none;
  const i64 rows_b = plain ? m : n, rows_x = plain ? n : m;
  SX_TRY(check(h, is_op_of<T>(trans),
               m >= 0 && n >= 0 && nrhs >= 0 && A.ld >= m && B.ld >= rows_b && X.ld >= rows_x && batch >= 0,
               have(m && n, A) && have(rows_b && nrhs, B) && have(rows_x && nrhs, X) && have(batch, info.base)));
  return run(h, gels_bytes<T>(m, n, nrhs, batch, rows_b), batch, 2 * product_cost<T>(m, n, std::min(m, n) + nrhs),
             [=](i64 b) {
               *info.at(b) = 0;
               if (!nrhs) return;
               if (!m || !n) return clear_matrix(rows_x, nrhs, X.at(b), X.ld);
               const i64 rows = std::max(m, n);
               auto work = scratch<T>(rows * nrhs);
               copy_matrix(rows_b, nrhs, B.at(b), B.ld, work.data(), rows);
               *info.at(b) = static_cast<rocblas_int>(solve(plain, m, n, nrhs, A.at(b), A.ld, work.data(), rows));
               copy_matrix(rows_x, nrhs, work.data(), rows, X.at(b), X.ld);
             });
}

}  // namespace sx::rs

// clang-format off
#define GELS(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_operation, trans) V(I, m) V(I, n) V(I, nrhs) MAT(I, T, A, lda) MAT(I, T, B, ldb) EACH(J, info)
SX_SOLVER_ALL(SX_SOLVER_3, gels, gels, GELS)
#define GELS_OUT(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_operation, trans) V(I, m) V(I, n) V(I, nrhs) MAT(I, T, A, lda) MAT(I, T, B, ldb) MAT(I, T, X, ldx) \
  EACH(J, info)
SX_SOLVER_ALL(SX_SOLVER_1, gels_outofplace, gels_outofplace, GELS_OUT)
// clang-format on
