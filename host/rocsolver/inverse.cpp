// Inverses: getri in place and out of place, with and without pivots; trtri.
#include "lu.h"

namespace sx::rs {

using Pivots = Arr<rocblas_int>;
using Info = Arr<rocblas_int>;

static std::vector<i64> identity_pivots(i64 n) {
  auto p = scratch<i64>(n);
  for (i64 i = 0; i < n; ++i) p[static_cast<size_t>(i)] = i + 1;
  return p;
}
static std::vector<i64> pivots_of(const Pivots* ipiv, i64 b, i64 n) {
  return ipiv ? load_pivots(ipiv->at(b), n) : identity_pivots(n);
}

// A := A^-1 from its factors; a singular A stays as it is.
template <class T>
static rocblas_status invert_in_place(rocblas_handle h, i64 n, Arr<T> A, const Pivots* given, Info info, i64 batch) {
  const bool pivoting = given != nullptr;
  const Pivots ipiv = pivoting ? *given : Pivots{};
  SX_TRY(check(h, true, n >= 0 && A.ld >= n && batch >= 0,
               have(n, A) && have(n && pivoting, ipiv) && have(batch, info.base)));
  return run(h, bytes_of<T>(n * std::min<i64>(n, 64) + n, batch), batch, 1.4 * product_cost<T>(n, n, n), [=](i64 b) {
    *info.at(b) = 0;
    if (!n) return;
    const auto p = pivots_of(pivoting ? &ipiv : nullptr, b, n);
    auto work = scratch<T>(block_work(n));
    *info.at(b) = static_cast<rocblas_int>(
        lapack::info<T>(lapack::getri, n, A.at(b), A.ld, p.data(), work.data(), block_work(n)));
  });
}

// C := A^-1: solves with the identity; a singular A gives infinities.
template <class T>
static rocblas_status invert_out_of_place(rocblas_handle h, i64 n, Arr<T> A, const Pivots* given, Arr<T> C, Info info,
                                          i64 batch) {
  const bool pivoting = given != nullptr;
  const Pivots ipiv = pivoting ? *given : Pivots{};
  SX_TRY(check(h, true, n >= 0 && A.ld >= n && C.ld >= n && batch >= 0,
               have(n, A) && have(n, C) && have(n && pivoting, ipiv) && have(batch, info.base)));
  return run(h, bytes_of<T>(n * std::min<i64>(n, 64), batch), batch, 1.4 * product_cost<T>(n, n, n), [=](i64 b) {
    *info.at(b) = 0;
    if (!n) return;
    *info.at(b) = static_cast<rocblas_int>(singular_at(n, A.at(b), A.ld));
    const auto p = pivots_of(pivoting ? &ipiv : nullptr, b, n);
    T* c = C.at(b);
    clear_matrix(n, n, c, C.ld);
    for (i64 i = 0; i < n; ++i) c[i + i * C.ld] = T(1);
    lapack::info<T>(lapack::getrs, 'N', n, n, A.at(b), A.ld, p.data(), c, C.ld);
  });
}

template <class T>
static rocblas_status getri(rocblas_handle h, i64 n, Arr<T> A, Pivots ipiv, Info info, i64 batch) {
  return invert_in_place(h, n, A, &ipiv, info, batch);
}
template <class T>
static rocblas_status getri_npvt(rocblas_handle h, i64 n, Arr<T> A, Info info, i64 batch) {
  return invert_in_place(h, n, A, nullptr, info, batch);
}
template <class T>
static rocblas_status getri_outofplace(rocblas_handle h, i64 n, Arr<T> A, Pivots ipiv, Arr<T> C, Info info, i64 batch) {
  return invert_out_of_place(h, n, A, &ipiv, C, info, batch);
}
template <class T>
static rocblas_status getri_npvt_outofplace(rocblas_handle h, i64 n, Arr<T> A, Arr<T> C, Info info, i64 batch) {
  return invert_out_of_place(h, n, A, nullptr, C, info, batch);
}

template <class T>
static rocblas_status trtri(rocblas_handle h, rocblas_fill uplo, rocblas_diagonal diag, i64 n, Arr<T> A, Info info,
                            i64 batch) {
  SX_TRY(check(h, is_fill(uplo) && is_diag(diag), n >= 0 && A.ld >= n && batch >= 0,
               have(n, A) && have(batch, info.base)));
  return run(h, bytes_of<T>(n * n, batch), batch, product_cost<T>(n, n, n) / 3, [=](i64 b) {
    *info.at(b) = 0;
    if (!n) return;
    *info.at(b) =
        static_cast<rocblas_int>(lapack::info<T>(lapack::trtri, letter(uplo), letter(diag), n, A.at(b), A.ld));
  });
}

}  // namespace sx::rs

// clang-format off
#define GETRI(V, MAT, SMAT, VEC, EACH, I, J, T, R) V(I, n) MAT(I, T, A, lda) VEC(I, ipiv) EACH(J, info)
SX_SOLVER_ALL(SX_SOLVER_3, getri, getri, GETRI)
#define GETRI_NPVT(V, MAT, SMAT, VEC, EACH, I, J, T, R) V(I, n) MAT(I, T, A, lda) EACH(J, info)
SX_SOLVER_ALL(SX_SOLVER_3, getri_npvt, getri_npvt, GETRI_NPVT)
#define GETRI_OUT(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(I, n) MAT(I, T, A, lda) VEC(I, ipiv) MAT(I, T, C, ldc) EACH(J, info)
SX_SOLVER_ALL(SX_SOLVER_3, getri_outofplace, getri_outofplace, GETRI_OUT)
#define GETRI_NPVT_OUT(V, MAT, SMAT, VEC, EACH, I, J, T, R) V(I, n) MAT(I, T, A, lda) MAT(I, T, C, ldc) EACH(J, info)
SX_SOLVER_ALL(SX_SOLVER_3, getri_npvt_outofplace, getri_npvt_outofplace, GETRI_NPVT_OUT)

#define TRTRI(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_fill, uplo) V(rocblas_diagonal, diag) V(I, n) MAT(I, T, A, lda) EACH(J, info)
SX_SOLVER_ALL(SX_SOLVER_3, trtri, trtri, TRTRI)
// clang-format on
