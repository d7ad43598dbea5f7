// Block tridiagonal systems without pivoting: geblttrf_npvt, geblttrs_npvt, also with the elements of a batch
// interleaved. Blocks stand side by side: A below the diagonal, B on it, C above it.
#include "lu.h"

namespace sx::rs {

namespace {

// The blocks of one operand; element (i, j) of block k is at i inc + (j + k columns) ld.
template <class T>
struct Blocks {
  Arr<T> array;
  i64 inc = 1;

  bool fits(i64 rows) const { return inc >= 1 && array.ld >= inc * rows; }
  T* at(i64 b, i64 column) const { return array.at(b) + column * array.ld; }
};

template <class T>
std::vector<T> gather(const Blocks<T>& from, i64 b, i64 rows, i64 columns) {
  auto out = scratch<T>(rows * columns);
  for (i64 j = 0; j < columns; ++j)
    for (i64 i = 0; i < rows; ++i) out[static_cast<size_t>(i + j * rows)] = from.at(b, j)[i * from.inc];
  return out;
}
template <class T>
void scatter(const std::vector<T>& from, const Blocks<T>& to, i64 b, i64 rows, i64 columns) {
  for (i64 j = 0; j < columns; ++j)
    for (i64 i = 0; i < rows; ++i) to.at(b, j)[i * to.inc] = from[static_cast<size_t>(i + j * rows)];
}

constexpr auto plain = rocblas_operation_none;

template <class T>
void solve_block(i64 nb, i64 nrhs, const T* factors, T* x) {
  blas::trsm(rocblas_side_left, rocblas_fill_lower, plain, rocblas_diagonal_unit, nb, nrhs, T(1), factors, nb, x, nb);
  blas::trsm(rocblas_side_left, rocblas_fill_upper, plain, rocblas_diagonal_non_unit, nb, nrhs, T(1), factors, nb, x,
             nb);
}
// Z := Z - X Y
template <class T>
void subtract_product(i64 nb, i64 n, const T* X, const T* Y, T* Z) {
  blas::gemm(plain, plain, nb, n, nb, T(-1), X, nb, Y, nb, T(1), Z, nb);
}

template <class T>
rocblas_status factorise(rocblas_handle h, i64 nb, i64 nblocks, Blocks<T> A, Blocks<T> B, Blocks<T> C,
                         Arr<rocblas_int> info, i64 batch) {
  SX_TRY(check(h, true, nb >= 0 && nblocks >= 0 && batch >= 0 && A.fits(nb) && B.fits(nb) && C.fits(nb),
               have(nb && nblocks > 1, A.array) && have(nb && nblocks, B.array) && have(nb && nblocks > 1, C.array) &&
                   have(batch, info.base)));
  return run(h, nblocks ? bytes_of<T>(nb * 64, batch) : 0, batch,
             static_cast<double>(nblocks) * product_cost<T>(nb, nb, nb), [=](i64 b) {
               if (!nb || !nblocks) return;  // info stays as it is
               const i64 size = nb * nb, off = nblocks - 1;
               const auto a = gather(A, b, nb, nb * off);
               auto d = gather(B, b, nb, nb * nblocks), c = gather(C, b, nb, nb * off);
               i64 first = lu_no_pivots(nb, nb, d.data(), nb);
               for (i64 k = 0; k < off; ++k) {
                 T* next = d.data() + (k + 1) * size;
                 solve_block(nb, nb, d.data() + k * size, c.data() + k * size);
                 subtract_product(nb, nb, a.data() + k * size, c.data() + k * size, next);
                 const i64 zero = lu_no_pivots(nb, nb, next, nb);
                 if (zero && !first) first = zero + (k + 1) * nb;
               }
               *info.at(b) = static_cast<rocblas_int>(first);
               scatter(d, B, b, nb, nb * nblocks);
               scatter(c, C, b, nb, nb * off);
             });
}

template <class T>
rocblas_status substitute(rocblas_handle h, i64 nb, i64 nblocks, i64 nrhs, Blocks<T> A, Blocks<T> B, Blocks<T> C,
                          Blocks<T> X, i64 batch) {
  SX_TRY(
      check(h, true,
            nb >= 0 && nblocks >= 0 && nrhs >= 0 && batch >= 0 && A.fits(nb) && B.fits(nb) && C.fits(nb) && X.fits(nb),
            have(nb && nblocks > 1, A.array) && have(nb && nblocks, B.array) && have(nb && nblocks > 1, C.array) &&
                have(nb && nblocks && nrhs, X.array)));
  const bool filled = nb && nblocks && nrhs;
  return run(h, filled ? bytes_of<T>(nb * 64, batch) : 0, batch,
             static_cast<double>(nblocks) * product_cost<T>(nb, nb, nrhs), [=](i64 b) {
               if (!filled) return;
               const i64 size = nb * nb, step = nb * nrhs, off = nblocks - 1;
               const auto a = gather(A, b, nb, nb * off), d = gather(B, b, nb, nb * nblocks),
                          c = gather(C, b, nb, nb * off);
               auto x = gather(X, b, nb, nrhs * nblocks);
               for (i64 k = 0; k < nblocks; ++k) {
                 T* part = x.data() + k * step;
                 if (k > 0) subtract_product(nb, nrhs, a.data() + (k - 1) * size, part - step, part);
                 solve_block(nb, nrhs, d.data() + k * size, part);
               }
               for (i64 k = off - 1; k >= 0; --k)
                 subtract_product(nb, nrhs, c.data() + k * size, x.data() + (k + 1) * step, x.data() + k * step);
               scatter(x, X, b, nb, nrhs * nblocks);
             });
}

}  // namespace

template <class T>
static rocblas_status geblttrf(rocblas_handle h, i64 nb, i64 nblocks, Arr<T> A, Arr<T> B, Arr<T> C,
                               Arr<rocblas_int> info, i64 batch) {
  return factorise<T>(h, nb, nblocks, {A}, {B}, {C}, info, batch);
}
template <class T>
static rocblas_status geblttrs(rocblas_handle h, i64 nb, i64 nblocks, i64 nrhs, Arr<T> A, Arr<T> B, Arr<T> C, Arr<T> X,
                               i64 batch) {
  return substitute<T>(h, nb, nblocks, nrhs, {A}, {B}, {C}, {X}, batch);
}
template <class T>
static rocblas_status geblttrf_interleaved(rocblas_handle h, i64 nb, i64 nblocks, i64 inca, Arr<T> A, i64 incb,
                                           Arr<T> B, i64 incc, Arr<T> C, Arr<rocblas_int> info, i64 batch) {
  return factorise<T>(h, nb, nblocks, {A, inca}, {B, incb}, {C, incc}, info, batch);
}
template <class T>
static rocblas_status geblttrs_interleaved(rocblas_handle h, i64 nb, i64 nblocks, i64 nrhs, i64 inca, Arr<T> A,
                                           i64 incb, Arr<T> B, i64 incc, Arr<T> C, i64 incx, Arr<T> X, i64 batch) {
  return substitute<T>(h, nb, nblocks, nrhs, {A, inca}, {B, incb}, {C, incc}, {X, incx}, batch);
}

}  // namespace sx::rs

// clang-format off
#define GEBLTTRF(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(I, nb) V(I, nblocks) MAT(I, T, A, lda) MAT(I, T, B, ldb) MAT(I, T, C, ldc) EACH(J, info)
SX_SOLVER_ALL(SX_SOLVER_3, geblttrf_npvt, geblttrf, GEBLTTRF)
#define GEBLTTRS(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(I, nb) V(I, nblocks) V(I, nrhs) MAT(I, T, A, lda) MAT(I, T, B, ldb) MAT(I, T, C, ldc) MAT(I, T, X, ldx)
SX_SOLVER_ALL(SX_SOLVER_3, geblttrs_npvt, geblttrs, GEBLTTRS)

// The increment stands between a matrix and its leading dimension.
#define DECLARE(T, p, inc, ld) T* p, rocblas_int inc, rocblas_int ld, rocblas_stride stride_##p
#define USE(p, inc, ld) inc, ::sx::rb::arr(p, ld, stride_##p)
#define INTERLEAVED(t, T)                                                                                             \
  extern "C" rocblas_status rocsolver_##t##geblttrf_npvt_interleaved_batched(                                         \
      rocblas_handle handle, rocblas_int nb, rocblas_int nblocks, DECLARE(T, A, inca, lda), DECLARE(T, B, incb, ldb), \
      DECLARE(T, C, incc, ldc), rocblas_int* info, rocblas_int batch_count) try {                                     \
    return ::sx::rs::geblttrf_interleaved(handle, nb, nblocks, USE(A, inca, lda), USE(B, incb, ldb),                  \
                                          USE(C, incc, ldc), ::sx::rb::arr(info, 1, 1), batch_count);                 \
  } catch (...) {                                                                                                     \
    return ::sx::rb::failure();                                                                                       \
  }                                                                                                                   \
  extern "C" rocblas_status rocsolver_##t##geblttrs_npvt_interleaved_batched(                                         \
      rocblas_handle handle, rocblas_int nb, rocblas_int nblocks, rocblas_int nrhs, DECLARE(T, A, inca, lda),         \
      DECLARE(T, B, incb, ldb), DECLARE(T, C, incc, ldc), DECLARE(T, X, incx, ldx), rocblas_int batch_count) try {    \
    return ::sx::rs::geblttrs_interleaved(handle, nb, nblocks, nrhs, USE(A, inca, lda), USE(B, incb, ldb),            \
                                          USE(C, incc, ldc), USE(X, incx, ldx), batch_count);                         \
  } catch (...) {                                                                                                     \
    return ::sx::rb::failure();                                                                                       \
  }
INTERLEAVED(s, float)
INTERLEAVED(d, double)
INTERLEAVED(c, rocblas_float_complex)
INTERLEAVED(z, rocblas_double_complex)
// clang-format on
