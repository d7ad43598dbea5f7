// Level 1: vector operations and reductions of s, d, c, z, h and bfloat16.
#include "level1.h"

#include "define.h"
#include "reduce.h"

#define AXPY(V, CA, MA, CN, MN, I, T, R, S) V(I, n) V(const T*, alpha) CA(I, T, x, incx) MA(I, T, y, incy)
SX_FAMILY(axpy, axpy, AXPY)
SX_DEFINE_ALL(rocblas_haxpy, axpy, AXPY, SX_NONE, rocblas_half, float, float)

#define SCAL(V, CA, MA, CN, MN, I, T, R, S) V(I, n) V(const R*, alpha) MA(I, T, x, incx)
SX_DEFINE_ALL(rocblas_sscal, scal, SCAL, SX_NONE, float, float, float)
SX_DEFINE_ALL(rocblas_dscal, scal, SCAL, SX_NONE, double, double, double)
SX_DEFINE_ALL(rocblas_cscal, scal, SCAL, SX_NONE, rocblas_float_complex, rocblas_float_complex, float)
SX_DEFINE_ALL(rocblas_zscal, scal, SCAL, SX_NONE, rocblas_double_complex, rocblas_double_complex, double)
SX_DEFINE_ALL(rocblas_csscal, scal, SCAL, SX_NONE, rocblas_float_complex, float, float)
SX_DEFINE_ALL(rocblas_zdscal, scal, SCAL, SX_NONE, rocblas_double_complex, double, double)

#define COPY(V, CA, MA, CN, MN, I, T, R, S) V(I, n) CA(I, T, x, incx) MA(I, T, y, incy)
SX_FAMILY(copy, copy, COPY)

#define SWAP(V, CA, MA, CN, MN, I, T, R, S) V(I, n) MA(I, T, x, incx) MA(I, T, y, incy)
SX_FAMILY(swap, swap, SWAP)

#define ROT(V, CA, MA, CN, MN, I, T, R, S) V(I, n) MA(I, T, x, incx) MA(I, T, y, incy) V(const R*, c) V(const S*, s)
SX_FAMILY(rot, rot, ROT)
SX_DEFINE_ALL(rocblas_csrot, rot, ROT, SX_NONE, rocblas_float_complex, float, float)
SX_DEFINE_ALL(rocblas_zdrot, rot, ROT, SX_NONE, rocblas_double_complex, double, double)

// ---- reductions: the result follows the batch count -------------------------------------------------------
#define DOT(V, CA, MA, CN, MN, I, T, R, S) V(I, n) CA(I, T, x, incx) CA(I, T, y, incy)
#define RESULT_T(V, CA, MA, CN, MN, I, T, R, S) V(T*, result)
#define RESULT_R(V, CA, MA, CN, MN, I, T, R, S) V(R*, result)
#define RESULT_I(V, CA, MA, CN, MN, I, T, R, S) V(I*, result)

namespace sx::rb {
template <class T, class R>
rocblas_status dotu_typed(rocblas_handle h, i64 n, In<T> x, In<T> y, i64 batch, R* result) {
  return dot<false, compute_t<T>>(h, n, x, y, batch, result);
}
template <class T, class R>
rocblas_status dotc_typed(rocblas_handle h, i64 n, In<T> x, In<T> y, i64 batch, R* result) {
  return dot<true, compute_t<T>>(h, n, x, y, batch, result);
}
template <class T, class I>
rocblas_status iamax(rocblas_handle h, i64 n, In<T> x, i64 batch, I* result) {
  return extreme_index<true>(h, n, x, batch, result);
}
template <class T, class I>
rocblas_status iamin(rocblas_handle h, i64 n, In<T> x, i64 batch, I* result) {
  return extreme_index<false>(h, n, x, batch, result);
}
}  // namespace sx::rb

SX_DEFINE_ALL(rocblas_sdot, dotu_typed, DOT, RESULT_T, float, float, float)
SX_DEFINE_ALL(rocblas_ddot, dotu_typed, DOT, RESULT_T, double, double, double)
SX_DEFINE_ALL(rocblas_hdot, dotu_typed, DOT, RESULT_T, rocblas_half, float, float)
SX_DEFINE_ALL(rocblas_bfdot, dotu_typed, DOT, RESULT_T, rocblas_bfloat16, float, float)
SX_DEFINE_ALL(rocblas_cdotu, dotu_typed, DOT, RESULT_T, rocblas_float_complex, float, float)
SX_DEFINE_ALL(rocblas_zdotu, dotu_typed, DOT, RESULT_T, rocblas_double_complex, double, double)
SX_DEFINE_ALL(rocblas_cdotc, dotc_typed, DOT, RESULT_T, rocblas_float_complex, float, float)
SX_DEFINE_ALL(rocblas_zdotc, dotc_typed, DOT, RESULT_T, rocblas_double_complex, double, double)

#define ONE_VECTOR(V, CA, MA, CN, MN, I, T, R, S) V(I, n) CA(I, T, x, incx)
#define SX_REDUCTION(op)                                                                       \
  SX_DEFINE_ALL(rocblas_s##op, op, ONE_VECTOR, RESULT_R, float, float, float)                  \
  SX_DEFINE_ALL(rocblas_d##op, op, ONE_VECTOR, RESULT_R, double, double, double)               \
  SX_DEFINE_ALL(rocblas_sc##op, op, ONE_VECTOR, RESULT_R, rocblas_float_complex, float, float) \
  SX_DEFINE_ALL(rocblas_dz##op, op, ONE_VECTOR, RESULT_R, rocblas_double_complex, double, double)
SX_REDUCTION(nrm2)
SX_REDUCTION(asum)

#define SX_INDEX(name, impl)                                                                       \
  SX_DEFINE_ALL(rocblas_is##name, impl, ONE_VECTOR, RESULT_I, float, float, float)                 \
  SX_DEFINE_ALL(rocblas_id##name, impl, ONE_VECTOR, RESULT_I, double, double, double)              \
  SX_DEFINE_ALL(rocblas_ic##name, impl, ONE_VECTOR, RESULT_I, rocblas_float_complex, float, float) \
  SX_DEFINE_ALL(rocblas_iz##name, impl, ONE_VECTOR, RESULT_I, rocblas_double_complex, double, double)
SX_INDEX(amax, iamax)
SX_INDEX(amin, iamin)
