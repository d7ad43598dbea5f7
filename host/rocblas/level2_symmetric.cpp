// Level 2, symmetric and Hermitian matrices: full, band and packed products; rank-1 and rank-2 updates.
#include "define.h"
#include "level2.h"

// LAPACK's complex symmetric product, which CBLAS lacks.
extern "C" {
void scipy_csymv_64_(const char* uplo, const int64_t* n, const void* alpha, const void* A, const int64_t* lda,
                     const void* x, const int64_t* incx, const void* beta, void* y, const int64_t* incy, size_t);
void scipy_zsymv_64_(const char* uplo, const int64_t* n, const void* alpha, const void* A, const int64_t* lda,
                     const void* x, const int64_t* incx, const void* beta, void* y, const int64_t* incy, size_t);
}

namespace sx::rb {

// ---- y := alpha A x + beta y ------------------------------------------------------------------------------
template <class T>
static void symv_run(rocblas_fill uplo, i64 n, T alpha, const T* A, i64 lda, const T* x, i64 incx, T* y, i64 incy) {
  const char u = uplo == rocblas_fill_upper ? 'U' : 'L';
  const T one(1);
  if constexpr (std::is_same_v<T, cfloat>)
    scipy_csymv_64_(&u, &n, &alpha, A, &lda, x, &incx, &one, y, &incy, 1);
  else if constexpr (std::is_same_v<T, cdouble>)
    scipy_zsymv_64_(&u, &n, &alpha, A, &lda, x, &incx, &one, y, &incy, 1);
  else
    blas::hemv(uplo, n, alpha, A, lda, x, incx, one, y, incy);
}

// product(b, alpha) adds alpha A x to y.
template <class T, class F>
static rocblas_status symmetric_product(rocblas_handle h, rocblas_fill uplo, i64 n, bool ld_ok, double elements,
                                        const T* alpha, In<T> A, In<T> x, const T* beta, Arr<T> y, i64 batch,
                                        F product) {
  SX_TRY(enter(h));
  if (!is_fill(uplo)) return rocblas_status_invalid_value;
  if (n < 0 || !ld_ok || !x.ld || !y.ld || batch < 0) return rocblas_status_invalid_size;
  if (!n || !batch) return rocblas_status_success;
  const rocblas_status checked = check_product(h, alpha, beta, !A.null() && !x.null(), !y.null());
  if (checked != rocblas_status_continue) return checked;
  if (!has_kernel(n)) return rocblas_status_invalid_size;
  const Scalar<T> a = scalar(h, alpha), b = scalar(h, beta);
  return launch(h, [=] {
    const T av = a(), bv = b();
    over_batch(batch, matrix_cost(elements), [&](i64 i) {
      scale_vector(n, bv, y.at(i), y.ld);
      if (av != T(0)) product(av, A.at(i), x.at(i), y.at(i));
    });
  });
}

static double triangle(i64 n) { return 0.5 * static_cast<double>(n) * static_cast<double>(n); }

template <class T>
static rocblas_status symv(rocblas_handle h, rocblas_fill uplo, i64 n, const T* alpha, In<T> A, In<T> x, const T* beta,
                           Arr<T> y, i64 batch) {
  return symmetric_product(
      h, uplo, n, A.ld >= n && A.ld >= 1, triangle(n), alpha, A, x, beta, y, batch,
      [=](T a, const T* Ab, const T* xb, T* yb) { symv_run(uplo, n, a, Ab, A.ld, xb, x.ld, yb, y.ld); });
}
template <class T>
static rocblas_status hemv(rocblas_handle h, rocblas_fill uplo, i64 n, const T* alpha, In<T> A, In<T> x, const T* beta,
                           Arr<T> y, i64 batch) {
  return symmetric_product(
      h, uplo, n, A.ld >= n && A.ld >= 1, triangle(n), alpha, A, x, beta, y, batch,
      [=](T a, const T* Ab, const T* xb, T* yb) { blas::hemv(uplo, n, a, Ab, A.ld, xb, x.ld, T(1), yb, y.ld); });
}
template <class T>
static rocblas_status hbmv(rocblas_handle h, rocblas_fill uplo, i64 n, i64 k, const T* alpha, In<T> A, In<T> x,
                           const T* beta, Arr<T> y, i64 batch) {
  return symmetric_product(h, uplo, n, k >= 0 && A.ld >= k + 1, static_cast<double>(n) * static_cast<double>(k + 1),
                           alpha, A, x, beta, y, batch, [=](T a, const T* Ab, const T* xb, T* yb) {
                             blas::hbmv(uplo, n, k, a, Ab, A.ld, xb, x.ld, T(1), yb, y.ld);
                           });
}
template <class T>
static rocblas_status hpmv(rocblas_handle h, rocblas_fill uplo, i64 n, const T* alpha, In<T> A, In<T> x, const T* beta,
                           Arr<T> y, i64 batch) {
  return symmetric_product(
      h, uplo, n, true, triangle(n), alpha, A, x, beta, y, batch,
      [=](T a, const T* Ab, const T* xb, T* yb) { blas::hpmv(uplo, n, a, Ab, xb, x.ld, T(1), yb, y.ld); });
}

// ---- rank updates of a triangle ---------------------------------------------------------------------------
enum class Kind { symmetric, hermitian };
using Layout = Column (*)(rocblas_fill, i64, i64, i64);

// Adds, to each stored column j, left * x + right * y with the factors that f(j) gives.
template <Kind kind, class T, class F>
static void update_columns(rocblas_fill uplo, i64 n, const T* x, const T* y, T* A, i64 lda, Layout layout, F factors) {
  split(n, 32768 / (n + 1) + 4, [&](i64 j, i64 end) {
    for (; j < end; ++j) {
      const Column c = layout(uplo, n, lda, j);
      T* column = A + c.offset;
      const auto [left, right] = factors(j);
      blas::axpy(c.end - c.begin, left, x + c.begin, 1, column, 1);
      if (y) blas::axpy(c.end - c.begin, right, y + c.begin, 1, column, 1);
      if constexpr (kind == Kind::hermitian && is_complex<T>) column[j - c.begin] = column[j - c.begin].real();
    }
  });
}

template <Kind kind, class T, class R>
static rocblas_status rank1(rocblas_handle h, rocblas_fill uplo, i64 n, const R* alpha, In<T> x, Arr<T> A, bool packed,
                            i64 batch) {
  SX_TRY(enter(h));
  if (!is_fill(uplo)) return rocblas_status_invalid_value;
  if (n < 0 || !x.ld || (!packed && (A.ld < n || A.ld < 1)) || batch < 0) return rocblas_status_invalid_size;
  if (!n || !batch) return rocblas_status_success;
  const rocblas_status checked = check_update(h, alpha, !A.null() && !x.null());
  if (checked != rocblas_status_continue) return checked;
  if (!has_kernel(n)) return rocblas_status_invalid_size;
  const Scalar<R> a = scalar(h, alpha);
  return launch(h, [=] {
    const R av = a();
    if (av == R(0)) return;
    over_batch(batch, matrix_cost(triangle(n)), [&](i64 b) {
      const std::vector<T> xs = gather(n, x.at(b), x.ld);
      update_columns<kind>(uplo, n, xs.data(), static_cast<const T*>(nullptr), A.at(b), A.ld,
                           packed ? packed_column : full_column, [&](i64 j) {
                             const T xj = conj_if(kind == Kind::hermitian, xs[static_cast<size_t>(j)]);
                             return std::pair<T, T>(mul(av, xj), T(0));
                           });
    });
  });
}

template <Kind kind, class T>
static rocblas_status rank2(rocblas_handle h, rocblas_fill uplo, i64 n, const T* alpha, In<T> x, In<T> y, Arr<T> A,
                            bool packed, i64 batch) {
  SX_TRY(enter(h));
  if (!is_fill(uplo)) return rocblas_status_invalid_value;
  if (n < 0 || !x.ld || !y.ld || (!packed && (A.ld < n || A.ld < 1)) || batch < 0) return rocblas_status_invalid_size;
  if (!n || !batch) return rocblas_status_success;
  const rocblas_status checked = check_update(h, alpha, !A.null() && !x.null() && !y.null());
  if (checked != rocblas_status_continue) return checked;
  if (!has_kernel(n)) return rocblas_status_invalid_size;
  const Scalar<T> a = scalar(h, alpha);
  return launch(h, [=] {
    const T av = a();
    if (av == T(0)) return;
    constexpr bool hermitian = kind == Kind::hermitian;
    over_batch(batch, matrix_cost(triangle(n)), [&](i64 b) {
      const std::vector<T> xs = gather(n, x.at(b), x.ld), ys = gather(n, y.at(b), y.ld);
      update_columns<kind>(uplo, n, xs.data(), ys.data(), A.at(b), A.ld, packed ? packed_column : full_column,
                           [&](i64 j) {
                             const T xj = conj_if(hermitian, xs[static_cast<size_t>(j)]),
                                     yj = conj_if(hermitian, ys[static_cast<size_t>(j)]);
                             return std::pair<T, T>(mul(av, yj), mul(conj_if(hermitian, av), xj));
                           });
    });
  });
}

#define SX_UPDATE1(name, kind, packed)                                                                      \
  template <class T, class R>                                                                               \
  static rocblas_status name(rocblas_handle h, rocblas_fill uplo, i64 n, const R* alpha, In<T> x, Arr<T> A, \
                             i64 batch) {                                                                   \
    return rank1<Kind::kind>(h, uplo, n, alpha, x, A, packed, batch);                                       \
  }
#define SX_UPDATE2(name, kind, packed)                                                                               \
  template <class T>                                                                                                 \
  static rocblas_status name(rocblas_handle h, rocblas_fill uplo, i64 n, const T* alpha, In<T> x, In<T> y, Arr<T> A, \
                             i64 batch) {                                                                            \
    return rank2<Kind::kind>(h, uplo, n, alpha, x, y, A, packed, batch);                                             \
  }
SX_UPDATE1(syr, symmetric, false)
SX_UPDATE1(spr, symmetric, true)
SX_UPDATE1(her, hermitian, false)
SX_UPDATE1(hpr, hermitian, true)
SX_UPDATE2(syr2, symmetric, false)
SX_UPDATE2(spr2, symmetric, true)
SX_UPDATE2(her2, hermitian, false)
SX_UPDATE2(hpr2, hermitian, true)

}  // namespace sx::rb

#define SYMV(V, CA, MA, CN, MN, I, T, R, S) \
  V(rocblas_fill, uplo)                     \
  V(I, n) V(const T*, alpha) CA(I, T, A, lda) CA(I, T, x, incx) V(const T*, beta) MA(I, T, y, incy)
SX_FAMILY(symv, symv, SYMV)
SX_FAMILY_CZ(hemv, hemv, SYMV)

#define SBMV(V, CA, MA, CN, MN, I, T, R, S) \
  V(rocblas_fill, uplo)                     \
  V(I, n) V(I, k) V(const T*, alpha) CA(I, T, A, lda) CA(I, T, x, incx) V(const T*, beta) MA(I, T, y, incy)
SX_FAMILY_SD(sbmv, hbmv, SBMV)
SX_FAMILY_CZ(hbmv, hbmv, SBMV)

#define SPMV(V, CA, MA, CN, MN, I, T, R, S) \
  V(rocblas_fill, uplo) V(I, n) V(const T*, alpha) CN(T, AP) CA(I, T, x, incx) V(const T*, beta) MA(I, T, y, incy)
SX_FAMILY_SD(spmv, hpmv, SPMV)
SX_FAMILY_CZ(hpmv, hpmv, SPMV)

#define SYR(V, CA, MA, CN, MN, I, T, R, S) \
  V(rocblas_fill, uplo) V(I, n) V(const T*, alpha) CA(I, T, x, incx) MA(I, T, A, lda)
#define HER(V, CA, MA, CN, MN, I, T, R, S) \
  V(rocblas_fill, uplo) V(I, n) V(const R*, alpha) CA(I, T, x, incx) MA(I, T, A, lda)
#define SPR(V, CA, MA, CN, MN, I, T, R, S) V(rocblas_fill, uplo) V(I, n) V(const T*, alpha) CA(I, T, x, incx) MN(T, AP)
#define HPR(V, CA, MA, CN, MN, I, T, R, S) V(rocblas_fill, uplo) V(I, n) V(const R*, alpha) CA(I, T, x, incx) MN(T, AP)
SX_FAMILY(syr, syr, SYR)
SX_FAMILY(spr, spr, SPR)
SX_FAMILY_CZ(her, her, HER)
SX_FAMILY_CZ(hpr, hpr, HPR)

#define SYR2(V, CA, MA, CN, MN, I, T, R, S) \
  V(rocblas_fill, uplo) V(I, n) V(const T*, alpha) CA(I, T, x, incx) CA(I, T, y, incy) MA(I, T, A, lda)
#define SPR2(V, CA, MA, CN, MN, I, T, R, S) \
  V(rocblas_fill, uplo) V(I, n) V(const T*, alpha) CA(I, T, x, incx) CA(I, T, y, incy) MN(T, AP)
SX_FAMILY(syr2, syr2, SYR2)
SX_FAMILY_CZ(her2, her2, SYR2)
SX_FAMILY_SD(spr2, spr2, SPR2)
SX_FAMILY_CZ(hpr2, hpr2, SPR2)
