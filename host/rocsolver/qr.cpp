// Orthogonal factorisations: QR, LQ, QL, RQ. The unblocked functions give the same factors.
#include "blocked.h"

namespace sx::rs {

enum class Kind { qr, lq, ql, rq };

template <Kind kind>
constexpr const lapack::Routine& routine() {
  return kind == Kind::qr   ? lapack::geqrf
         : kind == Kind::lq ? lapack::gelqf
         : kind == Kind::ql ? lapack::geqlf
                            : lapack::gerqf;
}

template <Kind kind, class T>
static rocblas_status factorise(rocblas_handle h, i64 m, i64 n, Arr<T> A, Arr<T> tau, i64 batch) {
  const bool filled = m && n;
  SX_TRY(check(h, true, m >= 0 && n >= 0 && A.ld >= m && batch >= 0, have(filled, A) && have(filled, tau)));
  const i64 least = std::min(m, n), across = kind == Kind::qr || kind == Kind::ql ? n : m;
  const size_t bytes = filled ? bytes_of<T>(3 + least + std::min<i64>(least, 64) * (64 + across), batch) : 0;
  return run(h, bytes, batch, 2 * product_cost<T>(m, n, least), [=](i64 b) {
    if (!filled) return;
    if (kind == Kind::qr) return qr_factorise(m, n, A.at(b), A.ld, tau.at(b));
    auto work = scratch<T>(block_work(across));
    lapack::info<T>(routine<kind>(), m, n, A.at(b), A.ld, tau.at(b), work.data(), block_work(across));
  });
}

}  // namespace sx::rs

// clang-format off
#define FACTORS(V, MAT, SMAT, VEC, EACH, I, J, T, R) V(I, m) V(I, n) MAT(I, T, A, lda) VEC(T, ipiv)
SX_SOLVER_ALL(SX_SOLVER_3, geqrf, factorise<sx::rs::Kind::qr>, FACTORS)
SX_SOLVER_ALL(SX_SOLVER_3, geqr2, factorise<sx::rs::Kind::qr>, FACTORS)
SX_SOLVER_ALL(SX_SOLVER_3_64, geqrf, factorise<sx::rs::Kind::qr>, FACTORS)
SX_SOLVER_ALL(SX_SOLVER_3_64, geqr2, factorise<sx::rs::Kind::qr>, FACTORS)
SX_SOLVER_ALL(SX_SOLVER_3, gelqf, factorise<sx::rs::Kind::lq>, FACTORS)
SX_SOLVER_ALL(SX_SOLVER_3, gelq2, factorise<sx::rs::Kind::lq>, FACTORS)
SX_SOLVER_ALL(SX_SOLVER_3, geqlf, factorise<sx::rs::Kind::ql>, FACTORS)
SX_SOLVER_ALL(SX_SOLVER_3, geql2, factorise<sx::rs::Kind::ql>, FACTORS)
SX_SOLVER_ALL(SX_SOLVER_3, gerqf, factorise<sx::rs::Kind::rq>, FACTORS)
SX_SOLVER_ALL(SX_SOLVER_3, gerq2, factorise<sx::rs::Kind::rq>, FACTORS)

// As geqrf_batched, with an array of pointers for the scalar factors too.
#define GEQRF_PTR(name, impl, T)                                                                                     \
  extern "C" rocblas_status name(rocblas_handle handle, rocblas_int m, rocblas_int n, T* const A[], rocblas_int lda, \
                                 T* const tau[], rocblas_int batch_count) try {                                      \
    return ::sx::rs::impl(handle, m, n, ::sx::rb::arr(A, lda), ::sx::rb::arr(tau, 1), batch_count);                  \
  } catch (...) {                                                                                                    \
    return ::sx::rb::failure();                                                                                      \
  }
GEQRF_PTR(rocsolver_sgeqrf_ptr_batched, factorise<sx::rs::Kind::qr>, float)
GEQRF_PTR(rocsolver_dgeqrf_ptr_batched, factorise<sx::rs::Kind::qr>, double)
GEQRF_PTR(rocsolver_cgeqrf_ptr_batched, factorise<sx::rs::Kind::qr>, rocblas_float_complex)
GEQRF_PTR(rocsolver_zgeqrf_ptr_batched, factorise<sx::rs::Kind::qr>, rocblas_double_complex)
// clang-format on
