// OpenBLAS, overloaded on the element type. Column major; ROCm's enum values are CBLAS's.
#pragma once

#include <cblas.h>

#include "rb.h"

namespace sx::rb::blas {

static_assert(sizeof(blasint) == 8, "the engine is built on the 64-bit OpenBLAS");
static_assert(int{rocblas_operation_none} == int{CblasNoTrans} && int{rocblas_operation_transpose} == int{CblasTrans} &&
              int{rocblas_operation_conjugate_transpose} == int{CblasConjTrans});
static_assert(int{rocblas_fill_upper} == int{CblasUpper} && int{rocblas_fill_lower} == int{CblasLower});
static_assert(int{rocblas_diagonal_unit} == int{CblasUnit} && int{rocblas_diagonal_non_unit} == int{CblasNonUnit});
static_assert(int{rocblas_side_left} == int{CblasLeft} && int{rocblas_side_right} == int{CblasRight});

using Op = rocblas_operation;
using Fill = rocblas_fill;
using Diag = rocblas_diagonal;
using Side = rocblas_side;

inline CBLAS_TRANSPOSE c(Op v) { return static_cast<CBLAS_TRANSPOSE>(v); }
inline CBLAS_UPLO c(Fill v) { return static_cast<CBLAS_UPLO>(v); }
inline CBLAS_DIAG c(Diag v) { return static_cast<CBLAS_DIAG>(v); }
inline CBLAS_SIDE c(Side v) { return static_cast<CBLAS_SIDE>(v); }

// CBLAS takes real scalars by value and complex ones by address.
inline float s(const float& v) { return v; }
inline double s(const double& v) { return v; }
inline const void* s(const cfloat& v) { return &v; }
inline const void* s(const cdouble& v) { return &v; }

#define SX_CBLAS(name) scipy_cblas_##name##64_

#define SX_BLAS_ALL(t, T)                                                                                              \
  inline void axpy(i64 n, T a, const T* x, i64 incx, T* y, i64 incy) { SX_CBLAS(t##axpy)(n, s(a), x, incx, y, incy); } \
  inline void copy(i64 n, const T* x, i64 incx, T* y, i64 incy) { SX_CBLAS(t##copy)(n, x, incx, y, incy); }            \
  inline void swap(i64 n, T* x, i64 incx, T* y, i64 incy) { SX_CBLAS(t##swap)(n, x, incx, y, incy); }                  \
  inline void scal(i64 n, T a, T* x, i64 incx) { SX_CBLAS(t##scal)(n, s(a), x, incx); }                                \
  inline void gemv(Op t_, i64 m, i64 n, T a, const T* A, i64 lda, const T* x, i64 incx, T b, T* y, i64 incy) {         \
    SX_CBLAS(t##gemv)(CblasColMajor, c(t_), m, n, s(a), A, lda, x, incx, s(b), y, incy);                               \
  }                                                                                                                    \
  inline void gbmv(Op t_, i64 m, i64 n, i64 kl, i64 ku, T a, const T* A, i64 lda, const T* x, i64 incx, T b, T* y,     \
                   i64 incy) {                                                                                         \
    SX_CBLAS(t##gbmv)(CblasColMajor, c(t_), m, n, kl, ku, s(a), A, lda, x, incx, s(b), y, incy);                       \
  }                                                                                                                    \
  inline void trmv(Fill u, Op t_, Diag d, i64 n, const T* A, i64 lda, T* x, i64 incx) {                                \
    SX_CBLAS(t##trmv)(CblasColMajor, c(u), c(t_), c(d), n, A, lda, x, incx);                                           \
  }                                                                                                                    \
  inline void trsv(Fill u, Op t_, Diag d, i64 n, const T* A, i64 lda, T* x, i64 incx) {                                \
    SX_CBLAS(t##trsv)(CblasColMajor, c(u), c(t_), c(d), n, A, lda, x, incx);                                           \
  }                                                                                                                    \
  inline void tbmv(Fill u, Op t_, Diag d, i64 n, i64 k, const T* A, i64 lda, T* x, i64 incx) {                         \
    SX_CBLAS(t##tbmv)(CblasColMajor, c(u), c(t_), c(d), n, k, A, lda, x, incx);                                        \
  }                                                                                                                    \
  inline void tbsv(Fill u, Op t_, Diag d, i64 n, i64 k, const T* A, i64 lda, T* x, i64 incx) {                         \
    SX_CBLAS(t##tbsv)(CblasColMajor, c(u), c(t_), c(d), n, k, A, lda, x, incx);                                        \
  }                                                                                                                    \
  inline void tpmv(Fill u, Op t_, Diag d, i64 n, const T* A, T* x, i64 incx) {                                         \
    SX_CBLAS(t##tpmv)(CblasColMajor, c(u), c(t_), c(d), n, A, x, incx);                                                \
  }                                                                                                                    \
  inline void tpsv(Fill u, Op t_, Diag d, i64 n, const T* A, T* x, i64 incx) {                                         \
    SX_CBLAS(t##tpsv)(CblasColMajor, c(u), c(t_), c(d), n, A, x, incx);                                                \
  }                                                                                                                    \
  inline void gemm(Op ta, Op tb, i64 m, i64 n, i64 k, T a, const T* A, i64 lda, const T* B, i64 ldb, T b, T* C,        \
                   i64 ldc) {                                                                                          \
    SX_CBLAS(t##gemm)(CblasColMajor, c(ta), c(tb), m, n, k, s(a), A, lda, B, ldb, s(b), C, ldc);                       \
  }                                                                                                                    \
  inline void symm(Side d, Fill u, i64 m, i64 n, T a, const T* A, i64 lda, const T* B, i64 ldb, T b, T* C, i64 ldc) {  \
    SX_CBLAS(t##symm)(CblasColMajor, c(d), c(u), m, n, s(a), A, lda, B, ldb, s(b), C, ldc);                            \
  }                                                                                                                    \
  inline void syrk(Fill u, Op t_, i64 n, i64 k, T a, const T* A, i64 lda, T b, T* C, i64 ldc) {                        \
    SX_CBLAS(t##syrk)(CblasColMajor, c(u), c(t_), n, k, s(a), A, lda, s(b), C, ldc);                                   \
  }                                                                                                                    \
  inline void syr2k(Fill u, Op t_, i64 n, i64 k, T a, const T* A, i64 lda, const T* B, i64 ldb, T b, T* C, i64 ldc) {  \
    SX_CBLAS(t##syr2k)(CblasColMajor, c(u), c(t_), n, k, s(a), A, lda, B, ldb, s(b), C, ldc);                          \
  }                                                                                                                    \
  inline void trmm(Side d, Fill u, Op t_, Diag g, i64 m, i64 n, T a, const T* A, i64 lda, T* B, i64 ldb) {             \
    SX_CBLAS(t##trmm)(CblasColMajor, c(d), c(u), c(t_), c(g), m, n, s(a), A, lda, B, ldb);                             \
  }                                                                                                                    \
  inline void trsm(Side d, Fill u, Op t_, Diag g, i64 m, i64 n, T a, const T* A, i64 lda, T* B, i64 ldb) {             \
    SX_CBLAS(t##trsm)(CblasColMajor, c(d), c(u), c(t_), c(g), m, n, s(a), A, lda, B, ldb);                             \
  }
SX_BLAS_ALL(s, float)
SX_BLAS_ALL(d, double)
SX_BLAS_ALL(c, cfloat)
SX_BLAS_ALL(z, cdouble)

#define SX_BLAS_REAL(t, T)                                                                                           \
  inline T dotu(i64 n, const T* x, i64 incx, const T* y, i64 incy) { return SX_CBLAS(t##dot)(n, x, incx, y, incy); } \
  inline T dotc(i64 n, const T* x, i64 incx, const T* y, i64 incy) { return SX_CBLAS(t##dot)(n, x, incx, y, incy); } \
  inline T asum(i64 n, const T* x, i64 incx) { return SX_CBLAS(t##asum)(n, x, incx); }                               \
  inline void rot(i64 n, T* x, i64 incx, T* y, i64 incy, T c_, T s_) {                                               \
    SX_CBLAS(t##rot)(n, x, incx, y, incy, c_, s_);                                                                   \
  }                                                                                                                  \
  inline void rotg(T* a, T* b, T* c_, T* s_) { SX_CBLAS(t##rotg)(a, b, c_, s_); }                                    \
  inline void geru(i64 m, i64 n, T a, const T* x, i64 incx, const T* y, i64 incy, T* A, i64 lda) {                   \
    SX_CBLAS(t##ger)(CblasColMajor, m, n, a, x, incx, y, incy, A, lda);                                              \
  }                                                                                                                  \
  inline void gerc(i64 m, i64 n, T a, const T* x, i64 incx, const T* y, i64 incy, T* A, i64 lda) {                   \
    SX_CBLAS(t##ger)(CblasColMajor, m, n, a, x, incx, y, incy, A, lda);                                              \
  }                                                                                                                  \
  inline void hemv(Fill u, i64 n, T a, const T* A, i64 lda, const T* x, i64 incx, T b, T* y, i64 incy) {             \
    SX_CBLAS(t##symv)(CblasColMajor, c(u), n, a, A, lda, x, incx, b, y, incy);                                       \
  }                                                                                                                  \
  inline void hbmv(Fill u, i64 n, i64 k, T a, const T* A, i64 lda, const T* x, i64 incx, T b, T* y, i64 incy) {      \
    SX_CBLAS(t##sbmv)(CblasColMajor, c(u), n, k, a, A, lda, x, incx, b, y, incy);                                    \
  }                                                                                                                  \
  inline void hpmv(Fill u, i64 n, T a, const T* A, const T* x, i64 incx, T b, T* y, i64 incy) {                      \
    SX_CBLAS(t##spmv)(CblasColMajor, c(u), n, a, A, x, incx, b, y, incy);                                            \
  }
SX_BLAS_REAL(s, float)
SX_BLAS_REAL(d, double)

#define SX_BLAS_COMPLEX(t, rt, T, R)                                                                                  \
  inline T dotu(i64 n, const T* x, i64 incx, const T* y, i64 incy) {                                                  \
    T r;                                                                                                              \
    SX_CBLAS(t##dotu_sub)(n, x, incx, y, incy, &r);                                                                   \
    return r;                                                                                                         \
  }                                                                                                                   \
  inline T dotc(i64 n, const T* x, i64 incx, const T* y, i64 incy) {                                                  \
    T r;                                                                                                              \
    SX_CBLAS(t##dotc_sub)(n, x, incx, y, incy, &r);                                                                   \
    return r;                                                                                                         \
  }                                                                                                                   \
  inline R asum(i64 n, const T* x, i64 incx) { return SX_CBLAS(rt##asum)(n, x, incx); }                               \
  inline void rotg(T* a, T* b, R* c_, T* s_) { SX_CBLAS(t##rotg)(a, b, c_, s_); }                                     \
  inline void geru(i64 m, i64 n, T a, const T* x, i64 incx, const T* y, i64 incy, T* A, i64 lda) {                    \
    SX_CBLAS(t##geru)(CblasColMajor, m, n, &a, x, incx, y, incy, A, lda);                                             \
  }                                                                                                                   \
  inline void gerc(i64 m, i64 n, T a, const T* x, i64 incx, const T* y, i64 incy, T* A, i64 lda) {                    \
    SX_CBLAS(t##gerc)(CblasColMajor, m, n, &a, x, incx, y, incy, A, lda);                                             \
  }                                                                                                                   \
  inline void hemv(Fill u, i64 n, T a, const T* A, i64 lda, const T* x, i64 incx, T b, T* y, i64 incy) {              \
    SX_CBLAS(t##hemv)(CblasColMajor, c(u), n, &a, A, lda, x, incx, &b, y, incy);                                      \
  }                                                                                                                   \
  inline void hbmv(Fill u, i64 n, i64 k, T a, const T* A, i64 lda, const T* x, i64 incx, T b, T* y, i64 incy) {       \
    SX_CBLAS(t##hbmv)(CblasColMajor, c(u), n, k, &a, A, lda, x, incx, &b, y, incy);                                   \
  }                                                                                                                   \
  inline void hpmv(Fill u, i64 n, T a, const T* A, const T* x, i64 incx, T b, T* y, i64 incy) {                       \
    SX_CBLAS(t##hpmv)(CblasColMajor, c(u), n, &a, A, x, incx, &b, y, incy);                                           \
  }                                                                                                                   \
  inline void hemm(Side d, Fill u, i64 m, i64 n, T a, const T* A, i64 lda, const T* B, i64 ldb, T b, T* C, i64 ldc) { \
    SX_CBLAS(t##hemm)(CblasColMajor, c(d), c(u), m, n, &a, A, lda, B, ldb, &b, C, ldc);                               \
  }                                                                                                                   \
  inline void herk(Fill u, Op t_, i64 n, i64 k, R a, const T* A, i64 lda, R b, T* C, i64 ldc) {                       \
    SX_CBLAS(t##herk)(CblasColMajor, c(u), c(t_), n, k, a, A, lda, b, C, ldc);                                        \
  }                                                                                                                   \
  inline void her2k(Fill u, Op t_, i64 n, i64 k, T a, const T* A, i64 lda, const T* B, i64 ldb, R b, T* C, i64 ldc) { \
    SX_CBLAS(t##her2k)(CblasColMajor, c(u), c(t_), n, k, &a, A, lda, B, ldb, b, C, ldc);                              \
  }
SX_BLAS_COMPLEX(c, sc, cfloat, float)
SX_BLAS_COMPLEX(z, dz, cdouble, double)

#undef SX_BLAS_ALL
#undef SX_BLAS_REAL
#undef SX_BLAS_COMPLEX

}  // namespace sx::rb::blas
