// Level 2, triangular matrices: products and solves; full, band and packed.
#include "define.h"
#include "level2.h"

namespace sx::rb {

// run(A, x) works on one problem in place.
template <class T, class F>
static rocblas_status triangular(rocblas_handle h, rocblas_fill uplo, rocblas_operation trans, rocblas_diagonal diag,
                                 i64 n, bool ld_ok, In<T> A, Arr<T> x, i64 batch, size_t workspace, F run) {
  if (!h) return rocblas_status_invalid_handle;
  if (!is_fill(uplo) || !is_op(trans) || !is_diag(diag)) return rocblas_status_invalid_value;
  if (n < 0 || !ld_ok || !x.ld || batch < 0) return rocblas_status_invalid_size;
  if (!n || !batch) return h->size_query ? rocblas_status_size_unchanged : rocblas_status_success;
  if (h->size_query) return need(h, workspace);
  if (A.null() || x.null()) return rocblas_status_invalid_pointer;
  if (!has_kernel(n)) return rocblas_status_invalid_size;
  SX_TRY(need(h, workspace));
  return launch(h, [=] {
    over_batch(batch, matrix_cost(0.5 * static_cast<double>(n) * static_cast<double>(n)),
               [&](i64 b) { run(A.at(b), x.at(b)); });
  });
}

template <class T>
static size_t vector_bytes(i64 n, i64 batch) {
  return n > 0 && batch > 0 ? static_cast<size_t>(n) * static_cast<size_t>(batch) * sizeof(T) : 0;
}
static size_t flag_bytes(i64 batch) { return batch > 0 ? static_cast<size_t>(batch) * sizeof(int) : 0; }

#define SX_FULL(name, workspace)                                                                               \
  template <class T>                                                                                           \
  static rocblas_status name(rocblas_handle h, rocblas_fill u, rocblas_operation t, rocblas_diagonal d, i64 n, \
                             In<T> A, Arr<T> x, i64 batch) {                                                   \
    return triangular(h, u, t, d, n, A.ld >= n && A.ld >= 1, A, x, batch, workspace,                           \
                      [=](const T* Ab, T* xb) { blas::name(u, t, d, n, Ab, A.ld, xb, x.ld); });                \
  }
#define SX_BAND(name, workspace)                                                                                      \
  template <class T>                                                                                                  \
  static rocblas_status name(rocblas_handle h, rocblas_fill u, rocblas_operation t, rocblas_diagonal d, i64 n, i64 k, \
                             In<T> A, Arr<T> x, i64 batch) {                                                          \
    return triangular(h, u, t, d, n, k >= 0 && A.ld >= k + 1, A, x, batch, workspace,                                 \
                      [=](const T* Ab, T* xb) { blas::name(u, t, d, n, k, Ab, A.ld, xb, x.ld); });                    \
  }
#define SX_PACKED(name, workspace)                                                                             \
  template <class T>                                                                                           \
  static rocblas_status name(rocblas_handle h, rocblas_fill u, rocblas_operation t, rocblas_diagonal d, i64 n, \
                             In<T> A, Arr<T> x, i64 batch) {                                                   \
    return triangular(h, u, t, d, n, true, A, x, batch, workspace,                                             \
                      [=](const T* Ab, T* xb) { blas::name(u, t, d, n, Ab, xb, x.ld); });                      \
  }
SX_FULL(trmv, vector_bytes<T>(n, batch))
SX_FULL(trsv, flag_bytes(batch))
SX_BAND(tbmv, vector_bytes<T>(n, batch))
SX_BAND(tbsv, 0)
SX_PACKED(tpmv, vector_bytes<T>(n, batch))
SX_PACKED(tpsv, 0)

}  // namespace sx::rb

#define TRMV(V, CA, MA, CN, MN, I, T, R, S) \
  V(rocblas_fill, uplo) V(rocblas_operation, trans) V(rocblas_diagonal, diag) V(I, n) CA(I, T, A, lda) MA(I, T, x, incx)
#define TBMV(V, CA, MA, CN, MN, I, T, R, S) \
  V(rocblas_fill, uplo)                     \
  V(rocblas_operation, trans) V(rocblas_diagonal, diag) V(I, n) V(I, k) CA(I, T, A, lda) MA(I, T, x, incx)
#define TPMV(V, CA, MA, CN, MN, I, T, R, S) \
  V(rocblas_fill, uplo) V(rocblas_operation, trans) V(rocblas_diagonal, diag) V(I, n) CN(T, AP) MA(I, T, x, incx)
SX_FAMILY(trmv, trmv, TRMV)
SX_FAMILY(trsv, trsv, TRMV)
SX_FAMILY(tbmv, tbmv, TBMV)
SX_FAMILY(tbsv, tbsv, TBMV)
SX_FAMILY(tpmv, tpmv, TPMV)
SX_FAMILY(tpsv, tpsv, TPMV)
