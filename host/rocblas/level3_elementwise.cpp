// Level 3 without products of matrices: geam, dgmm.
#include "define.h"
#include "level3.h"

namespace sx::rb {

// ---- C := alpha op(A) + beta op(B) ------------------------------------------------------------------------
// One operand's part of a tile: rows [r, r_end) and columns [c, c_end), set or added to ``tile``.
constexpr i64 tile_width = 32;
template <class T>
static void add_tile(rocblas_operation op, i64 r, i64 r_end, i64 c, i64 c_end, T alpha, const T* A, i64 lda, bool set,
                     T* tile) {
  const bool conjugate = op == rocblas_operation_conjugate_transpose;
  for (i64 j = c; j < c_end; ++j)
    for (i64 i = r; i < r_end; ++i) {
      const T v = mul(alpha, conj_if(conjugate, *at(op, A, lda, i, j)));
      T& sum = tile[i - r + (j - c) * tile_width];
      sum = set ? v : sum + v;
    }
}

// In tiles, so that the rows as well as the columns of a transposed operand stay in cache; both operands of a tile are
// read before C is written, which may be one of them.
template <class T>
static void geam_run(rocblas_operation ta, rocblas_operation tb, i64 m, i64 n, T alpha, const T* A, i64 lda, T beta,
                     const T* B, i64 ldb, T* C, i64 ldc) {
  split(n, 32768 / (m + 1) + tile_width, [&](i64 begin, i64 last) {
    const bool a = alpha != T(0), b = beta != T(0);
    T tile[tile_width * tile_width];
    for (i64 c = begin; c < last; c += tile_width)
      for (i64 r = 0; r < m; r += tile_width) {
        const i64 r_end = std::min(m, r + tile_width), c_end = std::min(last, c + tile_width);
        if (a) add_tile(ta, r, r_end, c, c_end, alpha, A, lda, true, tile);
        if (b) add_tile(tb, r, r_end, c, c_end, beta, B, ldb, !a, tile);
        for (i64 j = c; j < c_end; ++j)
          for (i64 i = r; i < r_end; ++i) C[i + j * ldc] = a || b ? tile[i - r + (j - c) * tile_width] : T(0);
      }
  });
}

template <class T>
static rocblas_status geam(rocblas_handle h, rocblas_operation ta, rocblas_operation tb, i64 m, i64 n, const T* alpha,
                           In<T> A, const T* beta, In<T> B, Arr<T> C, i64 batch) {
  SX_TRY(enter(h));
  if (!is_op(ta) || !is_op(tb)) return rocblas_status_invalid_value;
  const bool na = ta == rocblas_operation_none, nb = tb == rocblas_operation_none;
  if (batch < 0 || m < 0 || n < 0 || C.ld < m || A.ld < (na ? m : n) || B.ld < (nb ? m : n))
    return rocblas_status_invalid_size;
  const auto is_c = [&](const In<T>& x) {
    return x.same(C.base) || (x.table && static_cast<const void*>(x.table) == static_cast<const void*>(C.table));
  };
  if ((is_c(A) && (A.ld != C.ld || !na)) || (is_c(B) && (B.ld != C.ld || !nb))) return rocblas_status_invalid_size;
  if (!m || !n || !batch) return rocblas_status_success;
  if (C.null() || !alpha || !beta) return rocblas_status_invalid_pointer;
  const Scalar<T> a = scalar(h, alpha), b = scalar(h, beta);
  if (h->host_mode() && ((a() != T(0) && A.null()) || (b() != T(0) && B.null()))) return rocblas_status_invalid_pointer;
  return launch(h, [=] {
    const T av = a(), bv = b();
    over_batch(batch, static_cast<double>(m) * static_cast<double>(n), [&](i64 i) {
      geam_run(ta, tb, m, n, av, av == T(0) ? nullptr : A.at(i), A.ld, bv, bv == T(0) ? nullptr : B.at(i), B.ld,
               C.at(i), C.ld);
    });
  });
}

// ---- C := diag(x) A or A diag(x) --------------------------------------------------------------------------
template <class T>
static rocblas_status dgmm(rocblas_handle h, rocblas_side side, i64 m, i64 n, In<T> A, In<T> x, Arr<T> C, i64 batch) {
  SX_TRY(enter(h));
  if (!is_side(side)) return rocblas_status_invalid_value;
  if (m < 0 || n < 0 || C.ld < m || A.ld < m || batch < 0) return rocblas_status_invalid_size;
  if (!m || !n || !batch) return rocblas_status_success;
  if (A.null() || x.null() || C.null()) return rocblas_status_invalid_pointer;
  return launch(h, [=] {
    const bool left = side == rocblas_side_left;
    over_batch(batch, static_cast<double>(m) * static_cast<double>(n), [&](i64 b) {
      const T *a = A.at(b), *d = first(x.at(b), left ? m : n, x.ld);
      T* c = C.at(b);
      split(n, 65536 / (m + 1) + 1, [&](i64 j, i64 end) {
        for (; j < end; ++j)
          for (i64 i = 0; i < m; ++i) c[i + j * C.ld] = mul(a[i + j * A.ld], d[(left ? i : j) * x.ld]);
      });
    });
  });
}

}  // namespace sx::rb

#define GEAM(V, CA, MA, CN, MN, I, T, R, S) \
  V(rocblas_operation, transA)              \
  V(rocblas_operation, transB)              \
  V(I, m) V(I, n) V(const T*, alpha) CA(I, T, A, lda) V(const T*, beta) CA(I, T, B, ldb) MA(I, T, C, ldc)
SX_FAMILY(geam, geam, GEAM)

#define DGMM(V, CA, MA, CN, MN, I, T, R, S) \
  V(rocblas_side, side) V(I, m) V(I, n) CA(I, T, A, lda) CA(I, T, x, incx) MA(I, T, C, ldc)
SX_FAMILY(dgmm, dgmm, DGMM)
