// Q of the orthogonal factorisations: made explicit (org, ung) and applied (orm, unm). The unblocked functions do the
// same.
#include "rs.h"

namespace sx::rs {

enum class Kind { qr, lq, ql };

template <Kind kind>
constexpr const lapack::Routine& generator() {
  return kind == Kind::qr ? lapack::orgqr : kind == Kind::lq ? lapack::orglq : lapack::orgql;
}
template <Kind kind>
constexpr const lapack::Routine& applier() {
  return kind == Kind::qr ? lapack::ormqr : kind == Kind::lq ? lapack::ormlq : lapack::ormql;
}

// What LAPACK's blocked appliers like: columns of the other side, and their own triangular factors.
static i64 apply_work(i64 n) { return block_work(n) + 65 * 65; }

template <Kind kind, class T>
static rocblas_status generate(rocblas_handle h, i64 m, i64 n, i64 k, Arr<T> A, Arr<T> tau, i64 batch) {
  const i64 most = kind == Kind::lq ? n : m, least = kind == Kind::lq ? m : n;
  SX_TRY(check(h, true, m >= 0 && n >= 0 && least <= most && k >= 0 && k <= least && A.ld >= m,
               have(k, tau) && have(m && n, A)));
  const size_t bytes = m && n ? bytes_of<T>(3 + std::max(m, n) + 64 * (64 + std::max(m, n)), batch) : 0;
  return run(h, bytes, batch, 2 * product_cost<T>(m, n, k), [=](i64 b) {
    if (!m || !n) return;
    auto work = scratch<T>(block_work(std::max(m, n)));
    lapack::info<T>(generator<kind>(), m, n, k, A.at(b), A.ld, tau.at(b), work.data(), block_work(std::max(m, n)));
  });
}

template <Kind kind, class T>
static rocblas_status apply(rocblas_handle h, rocblas_side side, rocblas_operation trans, i64 m, i64 n, i64 k, Arr<T> A,
                            Arr<T> tau, Arr<T> C, i64 batch) {
  const i64 order = side == rocblas_side_left ? m : n;
  SX_TRY(check(h, is_side(side) && is_op_of<T>(trans),
               m >= 0 && n >= 0 && k >= 0 && C.ld >= m && k <= order && A.ld >= (kind == Kind::lq ? k : order),
               have(m && n, C) && have(k, tau) && have(order && k, A)));
  const size_t bytes = m && n && k ? bytes_of<T>(3 + std::max(m, n) + 64 * (64 + std::max(m, n)), batch) : 0;
  return run(h, bytes, batch, 2 * product_cost<T>(m, n, k), [=](i64 b) {
    if (!m || !n || !k) return;
    const i64 size = apply_work(std::max(m, n));
    auto work = scratch<T>(size);
    lapack::info<T>(applier<kind>(), letter(side), letter(trans), m, n, k, A.at(b), std::max<i64>(A.ld, 1), tau.at(b),
                    C.at(b), C.ld, work.data(), size);
  });
}

// ---- Q and P of gebrd
// --------------------------------------------------------------------------------------------------
static char letter(rocblas_storev s) { return s == rocblas_column_wise ? 'Q' : 'P'; }
static bool is_storev(rocblas_storev s) { return s == rocblas_column_wise || s == rocblas_row_wise; }

template <class T>
static rocblas_status orgbr(rocblas_handle h, rocblas_storev storev, i64 m, i64 n, i64 k, Arr<T> A, Arr<T> tau,
                            i64 batch) {
  const bool row = storev == rocblas_row_wise;
  const bool sizes = row ? m <= n && m >= std::min(n, k) : n <= m && n >= std::min(m, k);
  SX_TRY(check(h, is_storev(storev), m >= 0 && n >= 0 && k >= 0 && A.ld >= m && sizes,
               have(m && n, A) && have(std::min(row ? n : m, k) > 0, tau)));
  const size_t bytes = m && n ? bytes_of<T>(3 + 64 * (64 + std::max(m, n)) + m * n, batch) : 0;
  return run(h, bytes, batch, 2 * product_cost<T>(m, n, k), [=](i64 b) {
    if (!m || !n) return;
    const i64 size = block_work(std::max(m, n));
    auto work = scratch<T>(size);
    lapack::info<T>(lapack::orgbr, letter(storev), m, n, k, A.at(b), A.ld, tau.at(b), work.data(), size);
  });
}

template <class T>
static rocblas_status ormbr(rocblas_handle h, rocblas_storev storev, rocblas_side side, rocblas_operation trans, i64 m,
                            i64 n, i64 k, Arr<T> A, Arr<T> tau, Arr<T> C, i64 batch) {
  const i64 order = side == rocblas_side_left ? m : n, least = std::min(order, k);
  SX_TRY(check(h, is_side(side) && is_op_of<T>(trans) && is_storev(storev),
               m >= 0 && n >= 0 && k >= 0 && C.ld >= m && A.ld >= (storev == rocblas_row_wise ? least : order),
               have(least > 0, A) && have(least > 0, tau) && have(m && n, C)));
  const size_t bytes = m && n && k ? bytes_of<T>(3 + std::max(m, n) + 64 * (64 + std::max(m, n)), batch) : 0;
  return run(h, bytes, batch, 2 * product_cost<T>(m, n, least), [=](i64 b) {
    if (!m || !n || !k) return;
    const i64 size = apply_work(std::max(m, n));
    auto work = scratch<T>(size);
    lapack::info<T>(lapack::ormbr, letter(storev), rs::letter(side), rs::letter(trans), m, n, k, A.at(b), A.ld,
                    tau.at(b), C.at(b), C.ld, work.data(), size);
  });
}

// ---- Q of sytrd and hetrd
// ----------------------------------------------------------------------------------------------
template <class T>
static rocblas_status orgtr(rocblas_handle h, rocblas_fill uplo, i64 n, Arr<T> A, Arr<T> tau, i64 batch) {
  SX_TRY(check(h, is_fill(uplo), n >= 0 && A.ld >= n, have(n, A) && have(n > 1, tau)));
  return run(h, bytes_of<T>(n ? 3 + n * n + 64 * 64 : 0, batch), batch, 2 * product_cost<T>(n, n, n), [=](i64 b) {
    if (!n) return;
    auto work = scratch<T>(block_work(n));
    lapack::info<T>(lapack::orgtr, rs::letter(uplo), n, A.at(b), A.ld, tau.at(b), work.data(), block_work(n));
  });
}

template <class T>
static rocblas_status ormtr(rocblas_handle h, rocblas_side side, rocblas_fill uplo, rocblas_operation trans, i64 m,
                            i64 n, Arr<T> A, Arr<T> tau, Arr<T> C, i64 batch) {
  const i64 order = side == rocblas_side_left ? m : n;
  SX_TRY(check(h, is_side(side) && is_op_of<T>(trans) && is_fill(uplo), m >= 0 && n >= 0 && C.ld >= m && A.ld >= order,
               have(order > 0, A) && have(order > 1, tau) && have(m && n, C)));
  const size_t bytes = m && n ? bytes_of<T>(3 + std::max(m, n) + 64 * (64 + std::max(m, n)), batch) : 0;
  return run(h, bytes, batch, 2 * product_cost<T>(m, n, order), [=](i64 b) {
    if (!m || !n) return;
    const i64 size = apply_work(std::max(m, n));
    auto work = scratch<T>(size);
    lapack::info<T>(lapack::ormtr, rs::letter(side), rs::letter(uplo), rs::letter(trans), m, n, A.at(b), A.ld,
                    tau.at(b), C.at(b), C.ld, work.data(), size);
  });
}

}  // namespace sx::rs

// clang-format off
#define GENERATE(V, MAT, SMAT, VEC, EACH, I, J, T, R) V(I, m) V(I, n) V(I, k) MAT(I, T, A, lda) VEC(T, ipiv)
#define APPLY(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_side, side) V(rocblas_operation, trans) V(I, m) V(I, n) V(I, k) MAT(I, T, A, lda) VEC(T, ipiv) \
  MAT(I, T, C, ldc)
#define Q_OF(qr, kind)                                                       \
  SX_SOLVER_SD(SX_SOLVER_1, org##qr, generate<sx::rs::Kind::kind>, GENERATE) \
  SX_SOLVER_CZ(SX_SOLVER_1, ung##qr, generate<sx::rs::Kind::kind>, GENERATE) \
  SX_SOLVER_SD(SX_SOLVER_1, orm##qr, apply<sx::rs::Kind::kind>, APPLY)       \
  SX_SOLVER_CZ(SX_SOLVER_1, unm##qr, apply<sx::rs::Kind::kind>, APPLY)
Q_OF(qr, qr)
Q_OF(2r, qr)
Q_OF(lq, lq)
Q_OF(l2, lq)
Q_OF(ql, ql)
Q_OF(2l, ql)

#define ORGBR(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_storev, storev) GENERATE(V, MAT, SMAT, VEC, EACH, I, J, T, R)
SX_SOLVER_SD(SX_SOLVER_1, orgbr, orgbr, ORGBR)
SX_SOLVER_CZ(SX_SOLVER_1, ungbr, orgbr, ORGBR)
#define ORMBR(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_storev, storev) APPLY(V, MAT, SMAT, VEC, EACH, I, J, T, R)
SX_SOLVER_SD(SX_SOLVER_1, ormbr, ormbr, ORMBR)
SX_SOLVER_CZ(SX_SOLVER_1, unmbr, ormbr, ORMBR)
#define ORGTR(V, MAT, SMAT, VEC, EACH, I, J, T, R) V(rocblas_fill, uplo) V(I, n) MAT(I, T, A, lda) VEC(T, ipiv)
SX_SOLVER_SD(SX_SOLVER_1, orgtr, orgtr, ORGTR)
SX_SOLVER_CZ(SX_SOLVER_1, ungtr, orgtr, ORGTR)
#define ORMTR(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_side, side) V(rocblas_fill, uplo) V(rocblas_operation, trans) V(I, m) V(I, n) MAT(I, T, A, lda) \
  VEC(T, ipiv) MAT(I, T, C, ldc)
SX_SOLVER_SD(SX_SOLVER_1, ormtr, ormtr, ORMTR)
SX_SOLVER_CZ(SX_SOLVER_1, unmtr, ormtr, ORMTR)
// clang-format on
