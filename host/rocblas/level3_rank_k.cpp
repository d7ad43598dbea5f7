// Level 3 updates of a triangle: syrk, herk, syr2k, her2k, syrkx, herkx, gemmt.
#include "define.h"
#include "level3.h"

namespace sx::rb {

namespace {

constexpr auto none = rocblas_operation_none;

struct Shape {
  rocblas_fill uplo;
  rocblas_operation trans;
  i64 n, k;
};

// Sizes and enums. Complex symmetric updates take no conjugate transpose, Hermitian ones no plain transpose.
template <class T>
rocblas_status check_shape(const Shape& s, bool hermitian, i64 lda, i64 ldb, i64 ldc, i64 batch) {
  if (!is_fill(s.uplo) || !is_op(s.trans)) return rocblas_status_invalid_value;
  if (hermitian && s.trans == rocblas_operation_transpose) return rocblas_status_invalid_value;
  if (is_complex<T> && !hermitian && s.trans == rocblas_operation_conjugate_transpose)
    return rocblas_status_invalid_value;
  const i64 rows = s.trans == none ? s.n : s.k;
  if (s.n < 0 || s.k < 0 || batch < 0 || ldc < s.n || lda < rows || ldb < rows) return rocblas_status_invalid_size;
  return !s.n || !batch ? rocblas_status_success : rocblas_status_continue;
}

// The common course of an update; run(alpha, A, B, beta, C) for one problem with k > 0 and alpha not 0.
template <bool hermitian, class T, class A_, class R, class F>
rocblas_status update(rocblas_handle h, Shape s, const A_* alpha, In<T> A, In<T> B, const R* beta, Arr<T> C, i64 batch,
                      F run) {
  SX_TRY(enter(h));
  const rocblas_status shape = check_shape<T>(s, hermitian, A.ld, B.ld, C.ld, batch);
  if (shape != rocblas_status_continue) return shape;
  if ((s.k > 0 && !alpha) || !beta) return rocblas_status_invalid_pointer;
  Scalar<A_> a(A_{});
  Scalar<R> b(R{});
  SX_TRY(level3_scalar(h, alpha, &a));
  SX_TRY(level3_scalar(h, beta, &b));
  const rocblas_status checked = check_rank_k(s.k, alpha, a, beta, b, !A.null() && !B.null(), !C.null());
  if (checked != rocblas_status_continue) return checked;
  if (!has_kernel(s.n)) return rocblas_status_invalid_size;
  return launch(h, [=] {
    const A_ av = s.k ? a() : A_(0);
    const R bv = b();
    over_batch(batch, 0.5 * product_cost<T>(s.n, s.n, s.k), [&](i64 i) {
      if (av == A_(0)) {
        if (bv != R(1)) scale_triangle(s.uplo, s.n, bv, C.at(i), C.ld, hermitian);
        return;
      }
      run(av, A.at(i), B.at(i), bv, C.at(i));
    });
  });
}

// ---- one operand ------------------------------------------------------------------------------------------
template <bool hermitian, class T, class R>
void rank_k(Shape s, R alpha, const T* A, i64 lda, R beta, T* C, i64 ldc) {
  const rocblas_operation flip = hermitian ? rocblas_operation_conjugate_transpose : rocblas_operation_transpose;
  const auto ta = s.trans == none ? none : flip, tb = s.trans == none ? flip : none;
  const auto diagonal = [&](i64 j, i64 end) {
    T* block_c = C + j + j * ldc;
    if (beta == R(0)) scale_triangle(s.uplo, end - j, R(0), block_c, ldc, false);
    const R b = beta == R(0) ? R(1) : beta;
    if constexpr (hermitian)
      blas::herk(s.uplo, ta, end - j, s.k, alpha, at(ta, A, lda, j, 0), lda, b, block_c, ldc);
    else
      blas::syrk(s.uplo, ta, end - j, s.k, alpha, at(ta, A, lda, j, 0), lda, b, block_c, ldc);
  };
  triangle_blocks(s.uplo, s.n, 0.5 * product_cost<T>(s.n, s.n, s.k), diagonal, [&](i64 r, i64 r_end, i64 j, i64 end) {
    blas::gemm(ta, tb, r_end - r, end - j, s.k, T(alpha), at(ta, A, lda, r, 0), lda, at(tb, A, lda, 0, j), lda, T(beta),
               C + r + j * ldc, ldc);
  });
}

template <bool hermitian, class T, class R>
rocblas_status rank_k_update(rocblas_handle h, Shape s, const R* alpha, In<T> A, const R* beta, Arr<T> C, i64 batch) {
  return update<hermitian>(h, s, alpha, A, A, beta, C, batch, [=](R a, const T* Ab, const T*, R b, T* Cb) {
    rank_k<hermitian>(s, a, Ab, A.ld, b, Cb, C.ld);
  });
}

// ---- two operands, both products --------------------------------------------------------------------------
template <bool hermitian, class T, class R>
void rank_2k(Shape s, T alpha, const T* A, i64 lda, const T* B, i64 ldb, R beta, T* C, i64 ldc) {
  const rocblas_operation flip = hermitian ? rocblas_operation_conjugate_transpose : rocblas_operation_transpose;
  const auto ta = s.trans == none ? none : flip, tb = s.trans == none ? flip : none;
  const auto diagonal = [&](i64 j, i64 end) {
    T* block_c = C + j + j * ldc;
    const T *a = at(ta, A, lda, j, 0), *b = at(ta, B, ldb, j, 0);
    if (beta == R(0)) scale_triangle(s.uplo, end - j, R(0), block_c, ldc, false);
    const R scaled = beta == R(0) ? R(1) : beta;
    if constexpr (hermitian)
      blas::her2k(s.uplo, ta, end - j, s.k, alpha, a, lda, b, ldb, scaled, block_c, ldc);
    else
      blas::syr2k(s.uplo, ta, end - j, s.k, alpha, a, lda, b, ldb, scaled, block_c, ldc);
  };
  triangle_blocks(s.uplo, s.n, product_cost<T>(s.n, s.n, s.k), diagonal, [&](i64 r, i64 r_end, i64 j, i64 end) {
    T* part = C + r + j * ldc;
    blas::gemm(ta, tb, r_end - r, end - j, s.k, alpha, at(ta, A, lda, r, 0), lda, at(tb, B, ldb, 0, j), ldb, T(beta),
               part, ldc);
    blas::gemm(ta, tb, r_end - r, end - j, s.k, conj_if(hermitian, alpha), at(ta, B, ldb, r, 0), ldb,
               at(tb, A, lda, 0, j), lda, T(1), part, ldc);
  });
}

template <bool hermitian, class T, class R>
rocblas_status rank_2k_update(rocblas_handle h, Shape s, const T* alpha, In<T> A, In<T> B, const R* beta, Arr<T> C,
                              i64 batch) {
  return update<hermitian>(h, s, alpha, A, B, beta, C, batch, [=](T a, const T* Ab, const T* Bb, R b, T* Cb) {
    rank_2k<hermitian>(s, a, Ab, A.ld, Bb, B.ld, b, Cb, C.ld);
  });
}

// ---- two operands, one product, known to be symmetric; gemmt ----------------------------------------------
template <class T, class R>
void triangle_of_product(rocblas_fill uplo, rocblas_operation ta, rocblas_operation tb, i64 n, i64 k, T alpha,
                         const T* A, i64 lda, const T* B, i64 ldb, R beta, T* C, i64 ldc, bool hermitian) {
  const auto diagonal = [&](i64 j, i64 end) {
    gemm_triangle(uplo, ta, tb, end - j, k, alpha, at(ta, A, lda, j, 0), lda, at(tb, B, ldb, 0, j), ldb, beta,
                  C + j + j * ldc, ldc, hermitian);
  };
  triangle_blocks(uplo, n, 0.5 * product_cost<T>(n, n, k), diagonal, [&](i64 r, i64 r_end, i64 j, i64 end) {
    blas::gemm(ta, tb, r_end - r, end - j, k, alpha, at(ta, A, lda, r, 0), lda, at(tb, B, ldb, 0, j), ldb, T(beta),
               C + r + j * ldc, ldc);
  });
}

template <bool hermitian, class T, class R>
rocblas_status rank_kx_update(rocblas_handle h, Shape s, const T* alpha, In<T> A, In<T> B, const R* beta, Arr<T> C,
                              i64 batch) {
  const rocblas_operation flip = hermitian ? rocblas_operation_conjugate_transpose : rocblas_operation_transpose;
  const auto ta = s.trans == none ? none : flip, tb = s.trans == none ? flip : none;
  return update<hermitian>(h, s, alpha, A, B, beta, C, batch, [=](T a, const T* Ab, const T* Bb, R b, T* Cb) {
    triangle_of_product(s.uplo, ta, tb, s.n, s.k, a, Ab, A.ld, Bb, B.ld, b, Cb, C.ld, hermitian);
  });
}

}  // namespace

#define SX_RANK_K(name, hermitian)                                                                                \
  template <class T, class R>                                                                                     \
  static rocblas_status name(rocblas_handle h, rocblas_fill u, rocblas_operation t, i64 n, i64 k, const R* alpha, \
                             In<T> A, const R* beta, Arr<T> C, i64 batch) {                                       \
    return rank_k_update<hermitian>(h, {u, t, n, k}, alpha, A, beta, C, batch);                                   \
  }
#define SX_RANK_2K(name, function, hermitian)                                                                     \
  template <class T, class R>                                                                                     \
  static rocblas_status name(rocblas_handle h, rocblas_fill u, rocblas_operation t, i64 n, i64 k, const T* alpha, \
                             In<T> A, In<T> B, const R* beta, Arr<T> C, i64 batch) {                              \
    return function<hermitian>(h, {u, t, n, k}, alpha, A, B, beta, C, batch);                                     \
  }
SX_RANK_K(syrk, false)
SX_RANK_K(herk, true)
SX_RANK_2K(syr2k, rank_2k_update, false)
SX_RANK_2K(her2k, rank_2k_update, true)
SX_RANK_2K(syrkx, rank_kx_update, false)
SX_RANK_2K(herkx, rank_kx_update, true)

template <class T>
static rocblas_status gemmt(rocblas_handle h, rocblas_fill uplo, rocblas_operation ta, rocblas_operation tb, i64 n,
                            i64 k, const T* alpha, In<T> A, In<T> B, const T* beta, Arr<T> C, i64 batch) {
  SX_TRY(enter(h));
  if (!is_op(ta) || !is_op(tb) || !is_fill(uplo)) return rocblas_status_invalid_value;
  if (n < 0 || k < 0 || batch < 0) return rocblas_status_invalid_size;
  if ((ta == none ? n : k) > A.ld || (tb == none ? k : n) > B.ld || n > C.ld) return rocblas_status_invalid_size;
  if (!n || !batch) return rocblas_status_success;
  if ((k > 0 && !alpha) || !beta) return rocblas_status_invalid_pointer;
  Scalar<T> a(T{}), b(T{});
  SX_TRY(level3_scalar(h, alpha, &a));
  SX_TRY(level3_scalar(h, beta, &b));
  const rocblas_status checked = check_rank_k(k, alpha, a, beta, b, !A.null() && !B.null(), !C.null());
  if (checked != rocblas_status_continue) return checked;
  if (!has_kernel(n)) return rocblas_status_invalid_size;
  return launch(h, [=] {
    const T av = k ? a() : T(0), bv = b();
    over_batch(batch, 0.5 * product_cost<T>(n, n, k), [&](i64 i) {
      if (av == T(0)) return scale_triangle(uplo, n, bv, C.at(i), C.ld, false);
      triangle_of_product(uplo, ta, tb, n, k, av, A.at(i), A.ld, B.at(i), B.ld, bv, C.at(i), C.ld, false);
    });
  });
}

}  // namespace sx::rb

#define SYRK(V, CA, MA, CN, MN, I, T, R, S) \
  V(rocblas_fill, uplo)                     \
  V(rocblas_operation, trans) V(I, n) V(I, k) V(const T*, alpha) CA(I, T, A, lda) V(const T*, beta) MA(I, T, C, ldc)
#define HERK(V, CA, MA, CN, MN, I, T, R, S) \
  V(rocblas_fill, uplo)                     \
  V(rocblas_operation, trans) V(I, n) V(I, k) V(const R*, alpha) CA(I, T, A, lda) V(const R*, beta) MA(I, T, C, ldc)
SX_FAMILY(syrk, syrk, SYRK)
SX_FAMILY_CZ(herk, herk, HERK)

#define SYR2K(V, CA, MA, CN, MN, I, T, R, S) \
  V(rocblas_fill, uplo)                      \
  V(rocblas_operation, trans)                \
  V(I, n) V(I, k) V(const T*, alpha) CA(I, T, A, lda) CA(I, T, B, ldb) V(const T*, beta) MA(I, T, C, ldc)
#define HER2K(V, CA, MA, CN, MN, I, T, R, S) \
  V(rocblas_fill, uplo)                      \
  V(rocblas_operation, trans)                \
  V(I, n) V(I, k) V(const T*, alpha) CA(I, T, A, lda) CA(I, T, B, ldb) V(const R*, beta) MA(I, T, C, ldc)
SX_FAMILY(syr2k, syr2k, SYR2K)
SX_FAMILY_CZ(her2k, her2k, HER2K)
SX_FAMILY(syrkx, syrkx, SYR2K)
SX_FAMILY_CZ(herkx, herkx, HER2K)

#define GEMMT(V, CA, MA, CN, MN, I, T, R, S) \
  V(rocblas_fill, uplo)                      \
  V(rocblas_operation, transA)               \
  V(rocblas_operation, transB)               \
  V(I, n) V(I, k) V(const T*, alpha) CA(I, T, A, lda) CA(I, T, B, ldb) V(const T*, beta) MA(I, T, C, ldc)
SX_FAMILY(gemmt, gemmt, GEMMT)
