// Level 2, general matrices: gemv (also with 16-bit operands), gbmv, ger.
#include "define.h"
#include "level2.h"

namespace sx::rb {

// ---- gemv -------------------------------------------------------------------------------------------------
// y += alpha op(A) x; each piece computes its own part of y.
template <class T>
static void gemv_run(rocblas_operation trans, i64 m, i64 n, T alpha, const T* A, i64 lda, const T* x, i64 incx, T* y,
                     i64 incy) {
  const bool none = trans == rocblas_operation_none;
  const i64 length = none ? m : n, other = none ? n : m;
  split(length, 65536 / (other + 1) + 16, [&](i64 i, i64 end) {
    const T* part = none ? A + i : A + i * lda;
    blas::gemv(trans, none ? end - i : m, none ? n : end - i, alpha, part, lda, x, incx, T(1),
               slice(y, length, incy, i, end - i), incy);
  });
}

template <class T, class S>
static void gemv_run(rocblas_operation trans, i64 m, i64 n, float alpha, const T* A, i64 lda, const T* x, i64 incx,
                     float beta, S* y, i64 incy) {
  const bool none = trans == rocblas_operation_none;
  const i64 length = none ? m : n, other = none ? n : m;
  const std::vector<T> xs = gather(other, x, incx);
  std::vector<float> xf(xs.size()), sum(static_cast<size_t>(length), 0.0f), column(static_cast<size_t>(m));
  if (alpha != 0) {
    widen(other, xs.data(), xf.data());
    for (i64 j = 0; j < n; ++j) {
      widen(m, A + j * lda, column.data());
      if (none)
        blas::axpy(m, xf[static_cast<size_t>(j)], column.data(), 1, sum.data(), 1);
      else
        sum[static_cast<size_t>(j)] = blas::dotu(m, column.data(), 1, xf.data(), 1);
    }
  }
  y = first(y, length, incy);
  for (i64 i = 0; i < length; ++i) {
    const float product = alpha != 0 ? alpha * sum[static_cast<size_t>(i)] : 0.0f;
    round_to(beta == 0 ? product : product + beta * up(y[i * incy]), &y[i * incy]);
  }
}

template <class C, class T, class S>
static rocblas_status gemv(rocblas_handle h, rocblas_operation trans, i64 m, i64 n, const C* alpha, In<T> A, In<T> x,
                           const C* beta, Arr<S> y, i64 batch) {
  SX_TRY(enter(h));
  if (!is_op(trans)) return rocblas_status_invalid_value;
  if (m < 0 || n < 0 || A.ld < m || A.ld < 1 || !x.ld || !y.ld || batch < 0) return rocblas_status_invalid_size;
  if (!m || !n || !batch) return rocblas_status_success;
  const rocblas_status checked = check_product(h, alpha, beta, !A.null() && !x.null(), !y.null());
  if (checked != rocblas_status_continue) return checked;
  const Scalar<C> a = scalar(h, alpha), b = scalar(h, beta);
  SX_TRY(launch(h, [=] {
    const C av = a(), bv = b();
    over_batch(batch, matrix_cost(static_cast<double>(m) * static_cast<double>(n)), [&](i64 i) {
      if constexpr (std::is_same_v<T, C>) {
        scale_vector(trans == rocblas_operation_none ? m : n, bv, y.at(i), y.ld);
        if (av != C(0)) gemv_run(trans, m, n, av, A.at(i), A.ld, x.at(i), x.ld, y.at(i), y.ld);
      } else if (av != C(0) || bv != C(1)) {
        gemv_run(trans, m, n, av, A.at(i), A.ld, x.at(i), x.ld, bv, y.at(i), y.ld);
      }
    });
  }));
  // Transposed gemv reduces in workspace; without it rocBLAS takes a slower kernel and says so.
  const bool short_of_memory =
      h->owner == _rocblas_handle::user_owned && h->memory_size < static_cast<size_t>(m) * sizeof(C);
  return short_of_memory && trans != rocblas_operation_none && quirk(Quirk::perf_degraded)
             ? rocblas_status_perf_degraded
             : rocblas_status_success;
}

// ---- gbmv -------------------------------------------------------------------------------------------------
template <class T>
static rocblas_status gbmv(rocblas_handle h, rocblas_operation trans, i64 m, i64 n, i64 kl, i64 ku, const T* alpha,
                           In<T> A, In<T> x, const T* beta, Arr<T> y, i64 batch) {
  SX_TRY(enter(h));
  if (!is_op(trans)) return rocblas_status_invalid_value;
  if (m < 0 || n < 0 || A.ld < ku + kl + 1 || !x.ld || !y.ld || kl < 0 || ku < 0 || batch < 0)
    return rocblas_status_invalid_size;
  if (!m || !n || !batch) return rocblas_status_success;
  const rocblas_status checked = check_product(h, alpha, beta, !A.null() && !x.null(), !y.null());
  if (checked != rocblas_status_continue) return checked;
  if (!has_kernel(std::max(m, n))) return rocblas_status_invalid_size;
  const Scalar<T> a = scalar(h, alpha), b = scalar(h, beta);
  return launch(h, [=] {
    const T av = a(), bv = b();
    over_batch(batch, matrix_cost(static_cast<double>(n) * static_cast<double>(kl + ku + 1)), [&](i64 i) {
      scale_vector(trans == rocblas_operation_none ? m : n, bv, y.at(i), y.ld);
      if (av != T(0)) blas::gbmv(trans, m, n, kl, ku, av, A.at(i), A.ld, x.at(i), x.ld, T(1), y.at(i), y.ld);
    });
  });
}

// ---- ger --------------------------------------------------------------------------------------------------
template <bool conjugate, class T>
static rocblas_status rank_one(rocblas_handle h, i64 m, i64 n, const T* alpha, In<T> x, In<T> y, Arr<T> A, i64 batch) {
  SX_TRY(enter(h));
  if (m < 0 || n < 0 || !x.ld || !y.ld || A.ld < m || A.ld < 1 || batch < 0) return rocblas_status_invalid_size;
  if (!m || !n || !batch) return rocblas_status_success;
  const rocblas_status checked = check_update(h, alpha, !A.null() && !x.null() && !y.null());
  if (checked != rocblas_status_continue) return checked;
  const Scalar<T> a = scalar(h, alpha);
  return launch(h, [=] {
    const T av = a();
    if (av == T(0)) return;
    over_batch(batch, matrix_cost(static_cast<double>(m) * static_cast<double>(n)), [&](i64 b) {
      split(n, 32768 / (m + 1) + 4, [&](i64 j, i64 end) {
        const T* part = slice(y.at(b), n, y.ld, j, end - j);
        if (conjugate)
          blas::gerc(m, end - j, av, x.at(b), x.ld, part, y.ld, A.at(b) + j * A.ld, A.ld);
        else
          blas::geru(m, end - j, av, x.at(b), x.ld, part, y.ld, A.at(b) + j * A.ld, A.ld);
      });
    });
  });
}
template <class T>
static rocblas_status geru(rocblas_handle h, i64 m, i64 n, const T* alpha, In<T> x, In<T> y, Arr<T> A, i64 batch) {
  return rank_one<false>(h, m, n, alpha, x, y, A, batch);
}
template <class T>
static rocblas_status gerc(rocblas_handle h, i64 m, i64 n, const T* alpha, In<T> x, In<T> y, Arr<T> A, i64 batch) {
  return rank_one<true>(h, m, n, alpha, x, y, A, batch);
}

}  // namespace sx::rb

#define GEMV(V, CA, MA, CN, MN, I, T, R, S) \
  V(rocblas_operation, trans)               \
  V(I, m) V(I, n) V(const R*, alpha) CA(I, T, A, lda) CA(I, T, x, incx) V(const R*, beta) MA(I, S, y, incy)
SX_DEFINE_ALL(rocblas_sgemv, gemv, GEMV, SX_NONE, float, float, float)
SX_DEFINE_ALL(rocblas_dgemv, gemv, GEMV, SX_NONE, double, double, double)
SX_DEFINE_ALL(rocblas_cgemv, gemv, GEMV, SX_NONE, rocblas_float_complex, rocblas_float_complex, rocblas_float_complex)
SX_DEFINE_ALL(rocblas_zgemv, gemv, GEMV, SX_NONE, rocblas_double_complex, rocblas_double_complex,
              rocblas_double_complex)
SX_DEFINE_BATCHES(rocblas_hshgemv, gemv, GEMV, SX_NONE, rocblas_half, float, rocblas_half)
SX_DEFINE_BATCHES(rocblas_hssgemv, gemv, GEMV, SX_NONE, rocblas_half, float, float)
SX_DEFINE_BATCHES(rocblas_tstgemv, gemv, GEMV, SX_NONE, rocblas_bfloat16, float, rocblas_bfloat16)
SX_DEFINE_BATCHES(rocblas_tssgemv, gemv, GEMV, SX_NONE, rocblas_bfloat16, float, float)

#define GBMV(V, CA, MA, CN, MN, I, T, R, S) \
  V(rocblas_operation, trans)               \
  V(I, m)                                   \
  V(I, n) V(I, kl) V(I, ku) V(const T*, alpha) CA(I, T, A, lda) CA(I, T, x, incx) V(const T*, beta) MA(I, T, y, incy)
SX_FAMILY(gbmv, gbmv, GBMV)

#define GER(V, CA, MA, CN, MN, I, T, R, S) \
  V(I, m) V(I, n) V(const T*, alpha) CA(I, T, x, incx) CA(I, T, y, incy) MA(I, T, A, lda)
SX_FAMILY_SD(ger, geru, GER)
SX_FAMILY_CZ(geru, geru, GER)
SX_FAMILY_CZ(gerc, gerc, GER)
