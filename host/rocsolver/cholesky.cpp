// Positive definite matrices: potf2, potrf, potrs, potri, posv; lauum.
#include "blocked.h"

namespace sx::rs {

template <class T, class J>
static rocblas_status potrf(rocblas_handle h, rocblas_fill uplo, i64 n, Arr<T> A, Arr<J> info, i64 batch) {
  SX_TRY(check(h, is_fill(uplo), n >= 0 && A.ld >= n && batch >= 0, have(n, A) && have(batch, info.base)));
  return run(h, bytes_of<T>(n ? 3 + n * std::min<i64>(n, 64) : 0, batch), batch, product_cost<T>(n, n, n) / 6,
             [=](i64 b) {
               *info.at(b) = 0;
               if (n) *info.at(b) = static_cast<J>(cholesky_factorise(uplo, n, A.at(b), A.ld));
             });
}

template <class T>
static rocblas_status potrs(rocblas_handle h, rocblas_fill uplo, i64 n, i64 nrhs, Arr<T> A, Arr<T> B, i64 batch) {
  SX_TRY(check(h, is_fill(uplo), n >= 0 && nrhs >= 0 && A.ld >= n && B.ld >= n && batch >= 0,
               have(n, A) && have(n && nrhs, B)));
  return run(h, bytes_of<T>(n * std::min<i64>(nrhs, 64), batch), batch, product_cost<T>(n, n, nrhs), [=](i64 b) {
    if (n && nrhs) lapack::info<T>(lapack::potrs, letter(uplo), n, nrhs, A.at(b), A.ld, B.at(b), B.ld);
  });
}

// A := A^-1 from its factor; a singular factor stays as it is.
template <class T>
static rocblas_status potri(rocblas_handle h, rocblas_fill uplo, i64 n, Arr<T> A, Arr<rocblas_int> info, i64 batch) {
  SX_TRY(check(h, is_fill(uplo), n >= 0 && A.ld >= n && batch >= 0, have(n, A) && have(batch, info.base)));
  return run(h, bytes_of<T>(n * n, batch), batch, product_cost<T>(n, n, n), [=](i64 b) {
    *info.at(b) = 0;
    if (n) *info.at(b) = static_cast<rocblas_int>(lapack::info<T>(lapack::potri, letter(uplo), n, A.at(b), A.ld));
  });
}

template <class T>
static rocblas_status posv(rocblas_handle h, rocblas_fill uplo, i64 n, i64 nrhs, Arr<T> A, Arr<T> B,
                           Arr<rocblas_int> info, i64 batch) {
  SX_TRY(check(h, is_fill(uplo), n >= 0 && nrhs >= 0 && A.ld >= n && B.ld >= n && batch >= 0,
               have(n, A) && have(n && nrhs, B) && have(batch, info.base)));
  const bool filled = n && nrhs;
  const size_t bytes = filled ? bytes_of<T>(3 + n * (std::min<i64>(n, 64) + nrhs), batch) : 0;
  return run(h, bytes, batch, product_cost<T>(n, n, n / 6 + nrhs), [=](i64 b) {
    *info.at(b) = 0;
    if (!filled) return;  // A is not factorised either
    const i64 minor = cholesky_factorise(uplo, n, A.at(b), A.ld);
    *info.at(b) = static_cast<rocblas_int>(minor);
    if (!minor) lapack::info<T>(lapack::potrs, letter(uplo), n, nrhs, A.at(b), A.ld, B.at(b), B.ld);
  });
}

template <class T>
static rocblas_status lauum(rocblas_handle h, rocblas_fill uplo, i64 n, Arr<T> A, i64 batch) {
  SX_TRY(check(h, is_fill(uplo), n >= 0 && A.ld >= n, have(n, A)));
  return run(h, bytes_of<T>(n * n, batch), batch, product_cost<T>(n, n, n) / 3, [=](i64 b) {
    if (n) lapack::info<T>(lapack::lauum, letter(uplo), n, A.at(b), A.ld);
  });
}

}  // namespace sx::rs

// clang-format off
#define POTRF(V, MAT, SMAT, VEC, EACH, I, J, T, R) V(rocblas_fill, uplo) V(I, n) MAT(I, T, A, lda) EACH(J, info)
SX_SOLVER_ALL(SX_SOLVER_3, potrf, potrf, POTRF)
SX_SOLVER_ALL(SX_SOLVER_3_64, potrf, potrf, POTRF)
SX_SOLVER_ALL(SX_SOLVER_3, potf2, potrf, POTRF)
SX_SOLVER_ALL(SX_SOLVER_3_64, potf2, potrf, POTRF)
SX_SOLVER_ALL(SX_SOLVER_INFO32, potrf_info32, potrf, POTRF)
SX_SOLVER_ALL(SX_SOLVER_3, potri, potri, POTRF)
#define POTRS(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_fill, uplo) V(I, n) V(I, nrhs) MAT(I, T, A, lda) MAT(I, T, B, ldb)
SX_SOLVER_ALL(SX_SOLVER_3, potrs, potrs, POTRS)
SX_SOLVER_ALL(SX_SOLVER_3_64, potrs, potrs, POTRS)
#define POSV(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_fill, uplo) V(I, n) V(I, nrhs) MAT(I, T, A, lda) MAT(I, T, B, ldb) EACH(J, info)
SX_SOLVER_ALL(SX_SOLVER_3, posv, posv, POSV)
#define LAUUM(V, MAT, SMAT, VEC, EACH, I, J, T, R) V(rocblas_fill, uplo) V(I, n) MAT(I, T, A, lda)
SX_SOLVER_ALL(SX_SOLVER_1, lauum, lauum, LAUUM)
// clang-format on
