// Level 3 without products of matrices: geam, dgmm.
#include "define.h"
#include "level3.h"
#include "past_caches.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sx::rb {

// ---- C := alpha op(A) + beta op(B) ------------------------------------------------------------------------
constexpr i64 tile_rows = 64, tile_cols = 16;  // 16 columns: a line of the cache of a transposed operand

// to(i, j) := from(j, i) for rows x cols; columns of ``to`` are tile_rows apart.
template <class T>
static void transpose(i64 rows, i64 cols, const T* from, i64 ld, T* to) {
  i64 done = 0;
#if defined(__SSE2__)
  if constexpr (sizeof(T) == 4) {
    for (; done + 4 <= rows; done += 4)
      for (i64 j = 0; j + 4 <= cols; j += 4) {
        const float* x = reinterpret_cast<const float*>(from + j + done * ld);
        float* y = reinterpret_cast<float*>(to + done + j * tile_rows);
        __m128 a = _mm_loadu_ps(x), b = _mm_loadu_ps(x + ld), c = _mm_loadu_ps(x + 2 * ld),
               d = _mm_loadu_ps(x + 3 * ld);
        _MM_TRANSPOSE4_PS(a, b, c, d);
        _mm_storeu_ps(y, a), _mm_storeu_ps(y + tile_rows, b);
        _mm_storeu_ps(y + 2 * tile_rows, c), _mm_storeu_ps(y + 3 * tile_rows, d);
      }
  } else if constexpr (sizeof(T) == 8) {
    for (; done + 2 <= rows; done += 2)
      for (i64 j = 0; j + 2 <= cols; j += 2) {
        const double* x = reinterpret_cast<const double*>(from + j + done * ld);
        double* y = reinterpret_cast<double*>(to + done + j * tile_rows);
        const __m128d a = _mm_loadu_pd(x), b = _mm_loadu_pd(x + ld);
        _mm_storeu_pd(y, _mm_unpacklo_pd(a, b)), _mm_storeu_pd(y + tile_rows, _mm_unpackhi_pd(a, b));
      }
  }
#endif
  constexpr i64 step = sizeof(T) == 4 ? 4 : 2;
  for (i64 i = 0; i < rows; ++i)
    for (i64 j = i < done ? cols / step * step : 0; j < cols; ++j) to[i + j * tile_rows] = from[j + i * ld];
}

// An operand's part of a tile where it is, or transposed in ``room``.
template <class T>
struct Part {
  const T* base;
  i64 ld;
};
template <class T>
static Part<T> part(rocblas_operation op, i64 r, i64 rows, i64 c, i64 cols, const T* A, i64 lda, T* room) {
  if (op == rocblas_operation_none) return {at(op, A, lda, r, c), lda};
  transpose(rows, cols, at(op, A, lda, r, c), lda, room);
  if (is_complex<T> && op == rocblas_operation_conjugate_transpose)
    for (i64 j = 0; j < cols; ++j)
      for (i64 i = 0; i < rows; ++i) room[i + j * tile_rows] = conj(room[i + j * tile_rows]);
  return {room, tile_rows};
}

// Both operands of a tile are read before C is written, which may be one of them.
template <class T>
static void geam_run(rocblas_operation ta, rocblas_operation tb, i64 m, i64 n, T alpha, const T* A, i64 lda, T beta,
                     const T* B, i64 ldb, T* C, i64 ldc) {
  if (alpha == T(0)) std::swap(ta, tb), std::swap(alpha, beta), std::swap(A, B), std::swap(lda, ldb);
  if (alpha == T(0)) return scale_matrix(m, n, T(0), C, ldc);
  const bool one = beta == T(0);
  const bool straight = ta == rocblas_operation_none && (one || tb == rocblas_operation_none);
  const bool past = straight && is_large<T>(m, n);
  const auto columns = [&](i64 begin, i64 last) {
    T rooms[2][tile_rows * tile_cols];
    const i64 height = straight ? m : tile_rows;
    for (i64 c = begin; c < last; c += tile_cols)
      for (i64 r = 0; r < m; r += height) {
        const i64 rows = std::min(height, m - r), cols = std::min(tile_cols, last - c);
        const Part<T> x = part(ta, r, rows, c, cols, A, lda, rooms[0]);
        const Part<T> y = one ? Part<T>{nullptr, 0} : part(tb, r, rows, c, cols, B, ldb, rooms[1]);
        for (i64 j = 0; j < cols; ++j)
          combine(past, rows, alpha, x.base + j * x.ld, beta, one ? nullptr : y.base + j * y.ld, C + r + (c + j) * ldc);
      }
  };
  split(n, 65536 / (m + 1) + tile_cols, columns, 4);
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
static void dgmm_run(bool left, i64 m, i64 n, const T* A, i64 lda, const T* x, i64 incx, T* C, i64 ldc) {
  const bool past = is_large<T>(m, n);
  const auto columns = [&](i64 begin, i64 end) {
    const auto rows = [&](i64 row, i64 count, const T* d) {
      for (i64 j = begin; j < end; ++j) multiply(past, count, A + row + j * lda, d, C + row + j * ldc);
    };
    if (left && incx == 1)
      rows(0, m, x);
    else if (left)
      pieces(0, m, m, x, incx, rows);
    else
      for (i64 j = begin; j < end; ++j)
        combine(past, m, first(x, n, incx)[j * incx], A + j * lda, T(0), static_cast<const T*>(nullptr), C + j * ldc);
  };
  split(n, 65536 / (m + 1) + 1, columns, 4);
}

template <class T>
static rocblas_status dgmm(rocblas_handle h, rocblas_side side, i64 m, i64 n, In<T> A, In<T> x, Arr<T> C, i64 batch) {
  SX_TRY(enter(h));
  if (!is_side(side)) return rocblas_status_invalid_value;
  if (m < 0 || n < 0 || C.ld < m || A.ld < m || batch < 0) return rocblas_status_invalid_size;
  if (!m || !n || !batch) return rocblas_status_success;
  if (A.null() || x.null() || C.null()) return rocblas_status_invalid_pointer;
  return launch(h, [=] {
    over_batch(batch, static_cast<double>(m) * static_cast<double>(n),
               [&](i64 b) { dgmm_run(side == rocblas_side_left, m, n, A.at(b), A.ld, x.at(b), x.ld, C.at(b), C.ld); });
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
