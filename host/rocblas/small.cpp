#include "small_batch.h"

#include <algorithm>
#include <cmath>

#include "engine/intrinsics.h"

#if defined(__x86_64__)
#define SX_512 __attribute__((target("avx512f,avx512dq,avx512vl,fma")))
#endif

namespace sx::rb::small {

namespace {

constexpr i64 largest_product = 16;  // rows and columns: from there on OpenBLAS is as fast
constexpr i64 largest = 64;          // of a factorisation

template <class T>
struct Product {
  i64 k;
  const T* A;
  i64 lda;
  const T* B;
  i64 along, across;  // from one element of B to the next in k, in n
  T alpha, beta;
  T* C;
  i64 ldc;
};

#if defined(__x86_64__)

const bool has_avx512 = __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");

// A vector of T and what is done with it.
template <class T>
struct Of;
template <>
struct Of<float> {
  using V = __m512;
  using M = __mmask16;
  static constexpr i64 width = 16;
  SX_512 static V zero() { return _mm512_setzero_ps(); }
  SX_512 static V all(float v) { return _mm512_set1_ps(v); }
  SX_512 static V load(M m, const float* p) { return _mm512_maskz_loadu_ps(m, p); }
  SX_512 static V load(const float* p) { return _mm512_load_ps(p); }
  SX_512 static void store(float* p, V v) { _mm512_store_ps(p, v); }
  SX_512 static void store(float* p, M m, V v) { _mm512_mask_storeu_ps(p, m, v); }
  SX_512 static V mul(V a, V b) { return _mm512_mul_ps(a, b); }
  SX_512 static V div(V a, V b) { return _mm512_div_ps(a, b); }
  SX_512 static V add(V a, V b, V c) { return _mm512_fmadd_ps(a, b, c); }
  SX_512 static V subtract(M m, V a, V b, V c) { return _mm512_mask3_fnmadd_ps(a, b, c, m); }
  SX_512 static V choose(M m, V yes, V no) { return _mm512_mask_mov_ps(no, m, yes); }
  SX_512 static V magnitude(V v) { return _mm512_abs_ps(v); }
  SX_512 static V larger(V a, V b) { return _mm512_max_ps(a, b); }
  SX_512 static float most(V v) { return _mm512_reduce_max_ps(v); }
  SX_512 static M equal(M m, V a, V b) { return _mm512_mask_cmp_ps_mask(m, a, b, _CMP_EQ_OQ); }
};
template <>
struct Of<double> {
  using V = __m512d;
  using M = __mmask8;
  static constexpr i64 width = 8;
  SX_512 static V zero() { return _mm512_setzero_pd(); }
  SX_512 static V all(double v) { return _mm512_set1_pd(v); }
  SX_512 static V load(M m, const double* p) { return _mm512_maskz_loadu_pd(m, p); }
  SX_512 static V load(const double* p) { return _mm512_load_pd(p); }
  SX_512 static void store(double* p, V v) { _mm512_store_pd(p, v); }
  SX_512 static void store(double* p, M m, V v) { _mm512_mask_storeu_pd(p, m, v); }
  SX_512 static V mul(V a, V b) { return _mm512_mul_pd(a, b); }
  SX_512 static V div(V a, V b) { return _mm512_div_pd(a, b); }
  SX_512 static V add(V a, V b, V c) { return _mm512_fmadd_pd(a, b, c); }
  SX_512 static V subtract(M m, V a, V b, V c) { return _mm512_mask3_fnmadd_pd(a, b, c, m); }
  SX_512 static V choose(M m, V yes, V no) { return _mm512_mask_mov_pd(no, m, yes); }
  SX_512 static V magnitude(V v) { return _mm512_abs_pd(v); }
  SX_512 static V larger(V a, V b) { return _mm512_max_pd(a, b); }
  SX_512 static double most(V v) { return _mm512_reduce_max_pd(v); }
  SX_512 static M equal(M m, V a, V b) { return _mm512_mask_cmp_pd_mask(m, a, b, _CMP_EQ_OQ); }
};

// Half a vector, of which a core loads more at a time: for up to eight rows.
struct Short {
  using V = __m256;
  using M = __mmask8;
  static constexpr i64 width = 8;
  SX_512 static V zero() { return _mm256_setzero_ps(); }
  SX_512 static V all(float v) { return _mm256_set1_ps(v); }
  SX_512 static V load(M m, const float* p) { return _mm256_maskz_loadu_ps(m, p); }
  SX_512 static void store(float* p, M m, V v) { _mm256_mask_storeu_ps(p, m, v); }
  SX_512 static V mul(V a, V b) { return _mm256_mul_ps(a, b); }
  SX_512 static V add(V a, V b, V c) { return _mm256_fmadd_ps(a, b, c); }
};

struct Eight : Short {
  SX_512 static V load(M, const float* p) { return _mm256_loadu_ps(p); }
  SX_512 static void store(float* p, M, V v) { _mm256_storeu_ps(p, v); }
};

template <class X>
typename X::M lanes_of(i64 count) {
  return static_cast<typename X::M>(count >= X::width ? ~0u : (1u << count) - 1);
}
template <class T>
typename Of<T>::M first_lanes(i64 count) {
  return lanes_of<Of<T>>(count);
}

// ---- products: one or two vectors of rows, up to eight columns at a time ----------------------------------
// ``deep``: k where it is known, as is then that B is not transposed; else 0.
template <class X, int tall, int wide, int deep = 0, class T>
SX_512 void tile(const Product<T>& p, i64 row, i64 col, typename X::M last) {
  typename X::V sum[wide][tall];
  typename X::M mask[tall];
  for (int r = 0; r < tall; ++r) mask[r] = r + 1 < tall ? static_cast<typename X::M>(~0u) : last;
#pragma GCC unroll 8
  for (int c = 0; c < wide; ++c)
    for (int r = 0; r < tall; ++r) sum[c][r] = X::zero();
  const T *a = p.A + row, *b = p.B + col * p.across;
  const i64 lda = p.lda, along = deep > 0 ? 1 : p.along, across = p.across;
  const auto step = [&]() SX_512 __attribute__((always_inline)) {
    typename X::V column[tall];
    for (int r = 0; r < tall; ++r) column[r] = X::load(mask[r], a + r * X::width);
#pragma GCC unroll 8
    for (int c = 0; c < wide; ++c) {
      const auto factor = X::all(b[c * across]);
      for (int r = 0; r < tall; ++r) sum[c][r] = X::add(column[r], factor, sum[c][r]);
    }
    a += lda, b += along;
  };
  if constexpr (deep > 0) {
#pragma GCC unroll 8
    for (int l = 0; l < deep; ++l) step();
  } else {
    for (i64 l = p.k; l > 0; --l) step();
  }
  if (p.alpha != 1) {
    const auto alpha = X::all(p.alpha);
#pragma GCC unroll 8
    for (int c = 0; c < wide; ++c)
      for (int r = 0; r < tall; ++r) sum[c][r] = X::mul(alpha, sum[c][r]);
  }
  T* out = p.C + row + col * p.ldc;
  const i64 ldc = p.ldc;
  if (p.beta != 0) {
    const auto beta = X::all(p.beta);
#pragma GCC unroll 8
    for (int c = 0; c < wide; ++c)
      for (int r = 0; r < tall; ++r)
        sum[c][r] = X::add(beta, X::load(mask[r], out + c * ldc + r * X::width), sum[c][r]);
  }
#pragma GCC unroll 8
  for (int c = 0; c < wide; ++c)
    for (int r = 0; r < tall; ++r) X::store(out + c * ldc + r * X::width, mask[r], sum[c][r]);
}

template <class X, int tall, class T>
SX_512 inline __attribute__((always_inline)) void rows_of(const Product<T>& p, i64 row, i64 n, typename X::M last) {
  i64 c = 0;
  for (; c + 8 <= n; c += 8) tile<X, tall, 8>(p, row, c, last);
  if (n - c >= 4) tile<X, tall, 4>(p, row, c, last), c += 4;
  if (n - c >= 2) tile<X, tall, 2>(p, row, c, last), c += 2;
  if (n > c) tile<X, tall, 1>(p, row, c, last);
}

template <class T>
SX_512 void product(i64 m, i64 n, const Product<T>& p) {
  constexpr i64 width = Of<T>::width;
  if constexpr (std::is_same_v<T, float>) {
    if (m <= Short::width) return rows_of<Short, 1>(p, 0, n, lanes_of<Short>(m));
  }
  for (i64 row = 0; row < m; row += 2 * width) {
    const i64 left = m - row;
    if (left > width)
      rows_of<Of<T>, 2>(p, row, n, first_lanes<T>(left - width));
    else
      rows_of<Of<T>, 1>(p, row, n, first_lanes<T>(left));
  }
}

// Products [begin, end) of order 8, B not transposed.
SX_512 __attribute__((flatten)) void eights(Product<float> p, In<float> A, In<float> B, Arr<float> C, i64 begin,
                                            i64 end) {
  for (; begin < end; ++begin) {
    p.A = A.at(begin), p.B = B.at(begin), p.C = C.at(begin);
    tile<Eight, 1, 8, 8>(p, 0, 0, 0);
  }
}

// ---- LU ---------------------------------------------------------------------------------------------------
template <class T>
i64 first_of(i64 m, i64 k, const T* column, const uint8_t* order) {
  i64 place = k;
  for (i64 i = k + 1; i < m; ++i) {
    const T x = std::abs(column[order[i]]), best = std::abs(column[order[place]]);
    if (x > best || (x != x && best == 0)) place = i;
  }
  return place;
}

// Columns [column, end) less the pivot's times their element of its row, for some vectors of rows.
template <int vectors, class T>
SX_512 void eliminate(const T* pivot, i64 row, const typename Of<T>::M* mask, T* column, const T* end, i64 ld,
                      i64 from) {
  using X = Of<T>;
  typename X::V factors[vectors];
  typename X::M lanes[vectors];
  for (int v = 0; v < vectors; ++v) factors[v] = X::load(pivot + (from + v) * X::width), lanes[v] = mask[from + v];
  for (; column < end; column += ld) {
    const auto top = X::all(column[row]);
    T* const to = column + from * X::width;
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v)
      X::store(to + v * X::width, X::subtract(lanes[v], factors[v], top, X::load(to + v * X::width)));
  }
}

// In a copy whose columns are whole vectors, and whose rows stay where they are: ``order`` says which one stands where.
// Rows that have been pivots, and those of padding, are in no mask and keep their values.
template <class T>
SX_512 i64 factorise(i64 m, i64 n, T* A, i64 lda, i64* pivots) {
  using X = Of<T>;
  constexpr i64 width = X::width;
  const i64 vectors = (m + width - 1) / width, ld = vectors * width;
  alignas(64) T copy[largest * largest];
  typename X::M mask[largest / width];  // rows that may become pivots
  uint8_t order[largest];
  for (i64 v = 0; v < vectors; ++v) mask[v] = first_lanes<T>(m - v * width);
  for (i64 j = 0; j < n; ++j)
    for (i64 v = 0; v < vectors; ++v) X::store(copy + j * ld + v * width, X::load(mask[v], A + j * lda + v * width));
  for (i64 i = 0; i < m; ++i) order[i] = static_cast<uint8_t>(i);
  i64 info = 0;
  for (i64 k = 0; k < std::min(m, n); ++k) {
    T* const pivot = copy + k * ld;
    auto best = X::zero();  // NaN is no candidate
    for (i64 v = 0; v < vectors; ++v) best = X::larger(X::magnitude(X::load(mask[v], pivot + v * width)), best);
    const T most = X::most(best);
    const auto greatest = X::all(most);
    i64 row = -1, found = 0;
    for (i64 v = 0; v < vectors; ++v) {
      const unsigned equal = X::equal(mask[v], X::magnitude(X::load(pivot + v * width)), greatest);
      if (equal == 0) continue;
      row = v * width + __builtin_ctz(equal), found += __builtin_popcount(equal);
    }
    i64 place = k;
    if (found == 1 && most > 0)
      while (order[place] != row) ++place;
    else  // of several the first in their present order; of zeros and NaN a NaN
      place = first_of(m, k, pivot, order);
    row = order[place];
    std::swap(order[k], order[place]);
    pivots[k] = place + 1;
    mask[row / width] = static_cast<typename X::M>(mask[row / width] & ~(1u << (row % width)));
    if (pivot[row] == 0) {
      if (!info) info = k + 1;
      continue;
    }
    const auto top = X::all(pivot[row]);
    for (i64 v = 0; v < vectors; ++v) {
      if (mask[v] == 0) continue;
      const auto old = X::load(pivot + v * width), factors = X::div(old, top);
      X::store(pivot + v * width, X::choose(mask[v], factors, old));
    }
    i64 v = 0;
    for (; v + 4 <= vectors; v += 4) eliminate<4>(pivot, row, mask, pivot + ld, copy + n * ld, ld, v);
    for (; v + 2 <= vectors; v += 2) eliminate<2>(pivot, row, mask, pivot + ld, copy + n * ld, ld, v);
    for (; v < vectors; ++v) eliminate<1>(pivot, row, mask, pivot + ld, copy + n * ld, ld, v);
  }
  for (i64 j = 0; j < n; ++j)
    for (i64 i = 0; i < m; ++i) A[i + j * lda] = copy[order[i] + j * ld];
  return info;
}

template <class T>
bool factorised(i64 m, i64 n, T* A, i64 lda, i64* pivots, i64* info) {
  if (!has_avx512 || m > largest || n > largest) return false;
  *info = factorise(m, n, A, lda, pivots);
  return true;
}

// ---- Cholesky ---------------------------------------------------------------------------------------------
// Lanes of vector v of a column that hold rows [from, end).
template <class T>
typename Of<T>::M lanes(i64 v, i64 from, i64 end) {
  constexpr i64 width = Of<T>::width;
  const i64 skip = std::clamp<i64>(from - v * width, 0, width);
  return static_cast<typename Of<T>::M>(first_lanes<T>(end - v * width) & (~0u << skip));
}

// L in a copy whose columns are whole vectors, eight columns at a time: n is a multiple of that. What it holds above
// the diagonal is never read.
template <class T>
SX_512 i64 cholesky_of(T* copy, i64 ld, i64 n) {
  using X = Of<T>;
  constexpr i64 width = X::width;
  constexpr auto every = static_cast<typename X::M>(~0u);
  for (i64 j = 0; j < n; j += 8) {
    T* const panel = copy + j * ld;
    const i64 top = j / width * width;
    for (i64 v = top; v < ld; v += width) {
      typename X::V sum[8];
#pragma GCC unroll 8
      for (int c = 0; c < 8; ++c) sum[c] = X::load(panel + c * ld + v);
      for (const T* left = copy; left < panel; left += ld) {
        const auto rows = X::load(left + v);
#pragma GCC unroll 8
        for (int c = 0; c < 8; ++c) sum[c] = X::subtract(every, rows, X::all(left[j + c]), sum[c]);
      }
#pragma GCC unroll 8
      for (int c = 0; c < 8; ++c) X::store(panel + c * ld + v, sum[c]);
    }
#pragma GCC unroll 8
    for (int c = 0; c < 8; ++c) {
      T* const column = panel + c * ld;
      if (column[j + c] <= 0) return j + c + 1;
      const T root = std::sqrt(column[j + c]);
      const auto scale = X::all(1 / root);
      for (i64 v = top; v < ld; v += width) {
        const auto scaled = X::mul(X::load(column + v), scale);
        X::store(column + v, scaled);
#pragma GCC unroll 8
        for (int d = c + 1; d < 8; ++d)
          X::store(panel + d * ld + v, X::subtract(every, scaled, X::all(column[j + d]), X::load(panel + d * ld + v)));
      }
      column[j + c] = root;
    }
  }
  return 0;
}

template <class T>
SX_512 i64 factorise(rocblas_fill uplo, i64 n, T* A, i64 lda) {
  using X = Of<T>;
  constexpr i64 width = X::width;
  const i64 vectors = (n + width - 1) / width, ld = vectors * width;
  alignas(64) T copy[largest * largest];
  const bool lower = uplo == rocblas_fill_lower;
  for (i64 j = 0; j < n; ++j) {
    T* const column = copy + j * ld;
    for (i64 v = j / width; v < vectors; ++v)
      X::store(column + v * width, lower ? X::load(lanes<T>(v, j, n), A + j * lda + v * width) : X::zero());
    if (!lower)
      for (i64 i = j; i < n; ++i) column[i] = A[j + i * lda];
  }
  const i64 padded = (n + 7) / 8 * 8;  // with columns of the identity
  for (i64 j = n; j < padded; ++j) {
    std::fill_n(copy + j * ld, ld, T(0));
    copy[j + j * ld] = 1;
  }
  const i64 info = cholesky_of(copy, ld, padded);
  for (i64 j = 0; j < n; ++j) {
    const T* const column = copy + j * ld;
    if (lower)
      for (i64 v = j / width; v < vectors; ++v)
        X::store(A + j * lda + v * width, lanes<T>(v, j, n), X::load(column + v * width));
    else
      for (i64 i = j; i < n; ++i) A[j + i * lda] = column[i];
  }
  return info;
}

template <class T>
bool factorised(rocblas_fill uplo, i64 n, T* A, i64 lda, i64* info) {
  if (!has_avx512 || n > largest) return false;
  *info = factorise(uplo, n, A, lda);
  return true;
}

#else
constexpr bool has_avx512 = false;
template <class T>
void product(i64, i64, const Product<T>&) {}
void eights(const Product<float>&, In<float>, In<float>, Arr<float>, i64, i64) {}
template <class T>
bool factorised(i64, i64, T*, i64, i64*, i64*) {
  return false;
}
template <class T>
bool factorised(rocblas_fill, i64, T*, i64, i64*) {
  return false;
}
#endif

template <class T>
void any_gemms(rocblas_operation tb, i64 m, i64 n, i64 k, T alpha, In<T> A, In<T> B, T beta, Arr<T> C, i64 begin,
               i64 end) {
  const bool none = tb == rocblas_operation_none;
  Product<T> p = {k, nullptr, A.ld, nullptr, none ? 1 : B.ld, none ? B.ld : 1, alpha, beta, nullptr, C.ld};
  if constexpr (std::is_same_v<T, float>)
    if (none && m == 8 && n == 8 && k == 8) return eights(p, A, B, C, begin, end);
  for (; begin < end; ++begin) {
    p.A = A.at(begin), p.B = B.at(begin), p.C = C.at(begin);
    product<T>(m, n, p);
  }
}

template <class T>
bool any_gemm(rocblas_operation ta, rocblas_operation tb, i64 m, i64 n, i64 k, T alpha, const T* A, i64 lda, const T* B,
              i64 ldb, T beta, T* C, i64 ldc) {
  if (!serves(A, ta, m, n, k)) return false;
  const bool none = tb == rocblas_operation_none;
  product<T>(m, n, {k, A, lda, B, none ? 1 : ldb, none ? ldb : 1, alpha, beta, C, ldc});
  return true;
}

}  // namespace

bool serves(const float*, rocblas_operation ta, i64 m, i64 n, i64 k) {
  return has_avx512 && ta == rocblas_operation_none && std::max({m, n, k}) <= largest_product;
}
bool serves(const double*, rocblas_operation ta, i64 m, i64 n, i64 k) {
  return serves(static_cast<const float*>(nullptr), ta, m, n, k);
}
void gemms(rocblas_operation tb, i64 m, i64 n, i64 k, float alpha, In<float> A, In<float> B, float beta, Arr<float> C,
           i64 begin, i64 end) {
  any_gemms(tb, m, n, k, alpha, A, B, beta, C, begin, end);
}
void gemms(rocblas_operation tb, i64 m, i64 n, i64 k, double alpha, In<double> A, In<double> B, double beta,
           Arr<double> C, i64 begin, i64 end) {
  any_gemms(tb, m, n, k, alpha, A, B, beta, C, begin, end);
}
bool gemm(rocblas_operation ta, rocblas_operation tb, i64 m, i64 n, i64 k, float alpha, const float* A, i64 lda,
          const float* B, i64 ldb, float beta, float* C, i64 ldc) {
  return any_gemm(ta, tb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
}
bool gemm(rocblas_operation ta, rocblas_operation tb, i64 m, i64 n, i64 k, double alpha, const double* A, i64 lda,
          const double* B, i64 ldb, double beta, double* C, i64 ldc) {
  return any_gemm(ta, tb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
}
bool lu(i64 m, i64 n, float* A, i64 lda, i64* pivots, i64* info) { return factorised(m, n, A, lda, pivots, info); }
bool lu(i64 m, i64 n, double* A, i64 lda, i64* pivots, i64* info) { return factorised(m, n, A, lda, pivots, info); }
bool cholesky(rocblas_fill uplo, i64 n, float* A, i64 lda, i64* info) { return factorised(uplo, n, A, lda, info); }
bool cholesky(rocblas_fill uplo, i64 n, double* A, i64 lda, i64* info) { return factorised(uplo, n, A, lda, info); }

}  // namespace sx::rb::small
