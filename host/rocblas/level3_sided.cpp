// Level 3 with a side: symm, hemm, trmm, trsm, trtri. Each thread takes whole columns (left) or rows (right) of the
// result.
#include "define.h"
#include "level3.h"

namespace sx::rb {

namespace {

// f(offset of the part's first element in a matrix with leading dimension 1 or ld, rows, columns)
template <class F>
void along_free_dimension(rocblas_side side, i64 m, i64 n, double cost, F&& f) {
  const i64 free = side == rocblas_side_left ? n : m;
  const i64 parts = cost < 5e3 ? 1 : std::min<i64>(sx::pool_threads(), std::max<i64>(1, free / 16));
  sx::parallel(static_cast<int>(parts), [&](int part, int) {
    const i64 begin = free * part / parts, end = free * (part + 1) / parts;
    if (side == rocblas_side_left)
      f(i64{0}, begin, m, end - begin);
    else
      f(begin, i64{0}, end - begin, n);
  });
}

template <bool hermitian, class T>
rocblas_status symmetric(rocblas_handle h, rocblas_side side, rocblas_fill uplo, i64 m, i64 n, const T* alpha, In<T> A,
                         In<T> B, const T* beta, Arr<T> C, i64 batch) {
  SX_TRY(enter(h));
  if (!is_side(side) || !is_fill(uplo)) return rocblas_status_invalid_value;
  const i64 order = side == rocblas_side_left ? m : n;
  if (batch < 0 || m < 0 || n < 0 || C.ld < m || B.ld < m || A.ld < order) return rocblas_status_invalid_size;
  if (!m || !n || !batch) return rocblas_status_success;
  if (!beta || !alpha) return rocblas_status_invalid_pointer;
  Scalar<T> a(T{}), b(T{});
  SX_TRY(level3_scalar(h, alpha, &a));
  SX_TRY(level3_scalar(h, beta, &b));
  if (a.readable()) {
    if (a() == T(0) && b() == T(1)) return rocblas_status_success;
    if (C.null() || (a() != T(0) && (A.null() || B.null()))) return rocblas_status_invalid_pointer;
  }
  return launch(h, [=] {
    const T av = a(), bv = b();
    const double cost = product_cost<T>(m, n, order);
    over_batch(batch, cost, [&](i64 i) {
      if (av == T(0)) return scale_matrix(m, n, bv, C.at(i), C.ld);
      along_free_dimension(side, m, n, cost, [&](i64 r, i64 c, i64 rows, i64 columns) {
        const T* part = B.at(i) + r + c * B.ld;
        T* result = C.at(i) + r + c * C.ld;
        if constexpr (hermitian)
          blas::hemm(side, uplo, rows, columns, av, A.at(i), A.ld, part, B.ld, bv, result, C.ld);
        else
          blas::symm(side, uplo, rows, columns, av, A.at(i), A.ld, part, B.ld, bv, result, C.ld);
      });
    });
  });
}

rocblas_status check_triangular(rocblas_side side, rocblas_fill uplo, rocblas_operation trans, rocblas_diagonal diag) {
  return is_side(side) && is_fill(uplo) && is_op(trans) && is_diag(diag) ? rocblas_status_success
                                                                         : rocblas_status_invalid_value;
}

}  // namespace

template <class T>
static rocblas_status symm(rocblas_handle h, rocblas_side side, rocblas_fill uplo, i64 m, i64 n, const T* alpha,
                           In<T> A, In<T> B, const T* beta, Arr<T> C, i64 batch) {
  return symmetric<false>(h, side, uplo, m, n, alpha, A, B, beta, C, batch);
}
template <class T>
static rocblas_status hemm(rocblas_handle h, rocblas_side side, rocblas_fill uplo, i64 m, i64 n, const T* alpha,
                           In<T> A, In<T> B, const T* beta, Arr<T> C, i64 batch) {
  return symmetric<true>(h, side, uplo, m, n, alpha, A, B, beta, C, batch);
}

// C := alpha op(A) B or alpha B op(A); in place when B is C.
template <class T>
static rocblas_status trmm(rocblas_handle h, rocblas_side side, rocblas_fill uplo, rocblas_operation trans,
                           rocblas_diagonal diag, i64 m, i64 n, const T* alpha, In<T> A, In<T> B, Arr<T> C, i64 batch) {
  SX_TRY(enter(h));
  SX_TRY(check_triangular(side, uplo, trans, diag));
  const i64 order = side == rocblas_side_left ? m : n;
  if (batch < 0 || m < 0 || n < 0 || C.ld < m || B.ld < m || A.ld < order) return rocblas_status_invalid_size;
  if (!m || !n || !batch) return rocblas_status_success;
  if (C.null() || !alpha) return rocblas_status_invalid_pointer;
  Scalar<T> a(T{});
  SX_TRY(level3_scalar(h, alpha, &a));
  if (a.readable() && a() != T(0) && (A.null() || B.null())) return rocblas_status_invalid_pointer;
  const bool same_table = B.table && static_cast<const void*>(B.table) == static_cast<const void*>(C.table);
  if ((same_table || B.same(C.base)) && B.ld != C.ld) return rocblas_status_invalid_value;
  return launch(h, [=] {
    const T av = a();
    const double cost = 0.5 * product_cost<T>(m, n, order);
    over_batch(batch, cost, [&](i64 i) {
      T* result = C.at(i);
      if (av == T(0)) return scale_matrix(m, n, T(0), result, C.ld);
      const T* from = B.at(i);
      along_free_dimension(side, m, n, cost, [&](i64 r, i64 c, i64 rows, i64 columns) {
        T* part = result + r + c * C.ld;
        for (i64 j = 0; from != result && j < columns; ++j)
          memcpy(static_cast<void*>(part + j * C.ld), from + r + (c + j) * B.ld, static_cast<size_t>(rows) * sizeof(T));
        blas::trmm(side, uplo, trans, diag, rows, columns, av, A.at(i), A.ld, part, C.ld);
      });
    });
  });
}

// Inverses of diagonal blocks of 128, and a copy of the right-hand sides.
template <class T>
static size_t trsm_bytes(i64 order, i64 m, i64 n, i64 batch) {
  return (static_cast<size_t>(128 * order) + static_cast<size_t>(m) * static_cast<size_t>(n)) * sizeof(T) *
         static_cast<size_t>(batch);
}

template <class T>
rocblas_status trsm(rocblas_handle h, rocblas_side side, rocblas_fill uplo, rocblas_operation trans,
                    rocblas_diagonal diag, i64 m, i64 n, const T* alpha, In<T> A, Arr<T> B, i64 batch) {
  if (!h) return rocblas_status_invalid_handle;
  SX_TRY(check_triangular(side, uplo, trans, diag));
  const i64 order = side == rocblas_side_left ? m : n;
  if (batch < 0 || m < 0 || n < 0 || A.ld < order || B.ld < m) return rocblas_status_invalid_size;
  if (!m || !n || !batch) return h->size_query ? rocblas_status_size_unchanged : rocblas_status_success;
  const size_t bytes = trsm_bytes<T>(order, m, n, batch);
  if (h->size_query) return need(h, bytes);
  if (B.null() || !alpha) return rocblas_status_invalid_pointer;
  Scalar<T> a = scalar(h, alpha);
  if (a.readable() && a() != T(0) && A.null()) return rocblas_status_invalid_pointer;
  // With a small workspace of the user's, rocBLAS solves block by block and says that it was slower.
  const bool degraded = h->owner == _rocblas_handle::user_owned && h->memory_size < bytes;
  if (!degraded) SX_TRY(need(h, bytes));
  SX_TRY(launch(h, [=] {
    const T av = a();
    const double cost = 0.5 * product_cost<T>(m, n, order);
    over_batch(batch, cost, [&](i64 i) {
      if (av == T(0)) return scale_matrix(m, n, T(0), B.at(i), B.ld);
      along_free_dimension(side, m, n, cost, [&](i64 r, i64 c, i64 rows, i64 columns) {
        blas::trsm(side, uplo, trans, diag, rows, columns, av, A.at(i), A.ld, B.at(i) + r + c * B.ld, B.ld);
      });
    });
  }));
  return degraded && quirk(Quirk::perf_degraded) ? rocblas_status_perf_degraded : rocblas_status_success;
}

#define SX_INSTANTIATE(T)                                                                                          \
  template rocblas_status trsm<T>(rocblas_handle, rocblas_side, rocblas_fill, rocblas_operation, rocblas_diagonal, \
                                  i64, i64, const T*, In<T>, Arr<T>, i64);
SX_INSTANTIATE(float)
SX_INSTANTIATE(double)
SX_INSTANTIATE(cfloat)
SX_INSTANTIATE(cdouble)

// ---- trtri ------------------------------------------------------------------------------------------------
// Columns of the inverse are solutions for columns of the identity; a singular matrix gives infinities, as on the
// device.
template <class T>
static void invert(rocblas_fill uplo, rocblas_diagonal diag, i64 n, const T* A, i64 lda, T* X, i64 ldx) {
  constexpr i64 width = 64;
  const bool upper = uplo == rocblas_fill_upper;
  std::vector<T> a(static_cast<size_t>(n * n));  // X may be A
  for (i64 j = 0; j < n; ++j)
    for (i64 i = upper ? 0 : j; i < (upper ? j + 1 : n); ++i) a[static_cast<size_t>(i + j * n)] = A[i + j * lda];
  split((n + width - 1) / width, 1, [&](i64 p, i64 p_end) {
    for (; p < p_end; ++p) {
      const i64 j = p * width, columns = std::min(width, n - j);
      const i64 top = upper ? 0 : j, rows = upper ? j + columns : n - j;
      std::vector<T> x(static_cast<size_t>(rows * columns));
      for (i64 q = 0; q < columns; ++q) x[static_cast<size_t>(j + q - top + q * rows)] = T(1);
      blas::trsm(rocblas_side_left, uplo, rocblas_operation_none, diag, rows, columns, T(1), a.data() + top + top * n,
                 n, x.data(), rows);
      for (i64 q = 0; q < columns; ++q)
        for (i64 i = 0; i < rows; ++i)
          if (upper ? top + i <= j + q : top + i >= j + q)
            X[top + i + (j + q) * ldx] = x[static_cast<size_t>(i + q * rows)];
    }
  });
}

template <class T>
static rocblas_status trtri(rocblas_handle h, rocblas_fill uplo, rocblas_diagonal diag, i64 n, In<T> A, Arr<T> X,
                            i64 batch) {
  if (!h) return rocblas_status_invalid_handle;
  if (!is_fill(uplo) || !is_diag(diag)) return rocblas_status_invalid_value;
  if (batch < 0 || n < 0 || A.ld < n || X.ld < n) return rocblas_status_invalid_size;
  if (!n || !batch) return h->size_query ? rocblas_status_size_unchanged : rocblas_status_success;
  const size_t bytes = static_cast<size_t>(n) * static_cast<size_t>(n) / 2 * sizeof(T) * static_cast<size_t>(batch);
  if (h->size_query) return need(h, bytes);
  if (A.null() || X.null()) return rocblas_status_invalid_pointer;
  SX_TRY(need(h, bytes));
  return launch(h, [=] {
    over_batch(batch, 0.3 * product_cost<T>(n, n, n),
               [&](i64 i) { invert(uplo, diag, n, A.at(i), A.ld, X.at(i), X.ld); });
  });
}

}  // namespace sx::rb

#define SYMM(V, CA, MA, CN, MN, I, T, R, S) \
  V(rocblas_side, side)                     \
  V(rocblas_fill, uplo)                     \
  V(I, m) V(I, n) V(const T*, alpha) CA(I, T, A, lda) CA(I, T, B, ldb) V(const T*, beta) MA(I, T, C, ldc)
SX_FAMILY(symm, symm, SYMM)
SX_FAMILY_CZ(hemm, hemm, SYMM)

#define TRMM(V, CA, MA, CN, MN, I, T, R, S) \
  V(rocblas_side, side)                     \
  V(rocblas_fill, uplo)                     \
  V(rocblas_operation, trans)               \
  V(rocblas_diagonal, diag) V(I, m) V(I, n) V(const T*, alpha) CA(I, T, A, lda) CA(I, T, B, ldb) MA(I, T, C, ldc)
SX_FAMILY(trmm, trmm, TRMM)

#define TRSM(V, CA, MA, CN, MN, I, T, R, S) \
  V(rocblas_side, side)                     \
  V(rocblas_fill, uplo)                     \
  V(rocblas_operation, trans)               \
  V(rocblas_diagonal, diag) V(I, m) V(I, n) V(const T*, alpha) CA(I, T, A, lda) MA(I, T, B, ldb)
SX_FAMILY(trsm, trsm, TRSM)

#define TRTRI(V, CA, MA, CN, MN, I, T, R, S) \
  V(rocblas_fill, uplo) V(rocblas_diagonal, diag) V(I, n) CA(I, T, A, lda) MA(I, T, invA, ldinvA)
SX_DEFINE_32(rocblas_strtri, trtri, TRTRI, SX_NONE, float, float, float)
SX_DEFINE_32(rocblas_dtrtri, trtri, TRTRI, SX_NONE, double, double, double)
SX_DEFINE_32(rocblas_ctrtri, trtri, TRTRI, SX_NONE, rocblas_float_complex, float, float)
SX_DEFINE_32(rocblas_ztrtri, trtri, TRTRI, SX_NONE, rocblas_double_complex, double, double)
