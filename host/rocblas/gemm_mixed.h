// Products of 8- and 16-bit matrices, rounded once at the end: by the processor's dot-product instructions where it has
// them, else widened to float and multiplied by OpenBLAS in tiles. Integers are exact then too: over 1024 products of
// 8-bit numbers no float sum passes 2^24, and the sums are kept as integers.
#pragma once

#include <vector>

#include "dot_product.h"
#include "gemm.h"

namespace sx::rb {

inline uint32_t as_unsigned(int32_t v) { return static_cast<uint32_t>(v); }

// Contiguous float copy of rows [0, rows) x columns [0, cols) of A as stored.
template <class T>
std::vector<float> widened(i64 rows, i64 cols, const T* A, i64 lda) {
  std::vector<float> out(static_cast<size_t>(rows * cols));
  split(cols, 65536 / (rows + 1) + 1, [&](i64 j, i64 end) {
    for (; j < end; ++j) widen(rows, A + j * lda, out.data() + j * rows);
  });
  return out;
}

// d := alpha sum + beta c for one column. In integers everything wraps.
template <class To>
void finish_column(i64 m, float alpha, const float* sum, float beta, const To* c, To* d) {
  for (i64 i = 0; i < m; i += block) {
    const i64 length = std::min(block, m - i);
    float v[block];
    for (i64 j = 0; j < length; ++j) v[j] = alpha * sum[i + j];
    if (beta != 0) {
      float old[block];
      if constexpr (std::is_same_v<To, float>)
        memcpy(old, c + i, static_cast<size_t>(length) * sizeof(float));
      else
        widen(length, c + i, old);
      for (i64 j = 0; j < length; ++j) v[j] += beta * old[j];
    }
    if constexpr (std::is_same_v<To, float>)
      memcpy(d + i, v, static_cast<size_t>(length) * sizeof(float));
    else
      narrow(length, v, d + i);
  }
}
inline void finish_column(i64 m, int32_t alpha, const int32_t* sum, int32_t beta, const int32_t* c, int32_t* d) {
  for (i64 i = 0; i < m; ++i) {
    const uint32_t old = beta ? as_unsigned(beta) * as_unsigned(c[i]) : 0u;
    d[i] = static_cast<int32_t>(as_unsigned(alpha) * as_unsigned(sum[i]) + old);
  }
}

// f(row, rows, col, cols, sums) for blocks of op(A) op(B) that tile it, on the pool: sums is rows x cols, column by
// column, float, or int32_t (wrapping) of 8-bit integers.
template <class Ti, class F>
void products(rocblas_operation ta, rocblas_operation tb, i64 m, i64 n, i64 k, const Ti* A, i64 lda, const Ti* B,
              i64 ldb, F&& f) {
  constexpr bool integer = std::is_same_v<Ti, int8_t>;
  using S = std::conditional_t<integer, int32_t, float>;
  const double cost = product_cost<float>(m, n, k);
  if (k > 0 && cost > 500 && dot::product<S>(ta, tb, m, n, k, A, lda, B, ldb, cost / (integer ? 4 : 2), f)) return;
  const bool na = ta == rocblas_operation_none, nb = tb == rocblas_operation_none;
  const i64 ra = na ? m : k, rb = nb ? k : n;
  const std::vector<float> Af = k ? widened(ra, na ? k : m, A, lda) : std::vector<float>();
  const std::vector<float> Bf = k ? widened(rb, nb ? n : k, B, ldb) : std::vector<float>();
  tiles(m, n, cost, [&](i64 r, i64 r_end, i64 first_column, i64 last_column) {
    const i64 rows = r_end - r, width = std::max<i64>(512, (1 << 20) / (rows + 1));
    std::vector<float> product;
    std::vector<S> sum;
    for (i64 j = first_column; j < last_column; j += width) {
      const i64 columns = std::min(width, last_column - j);
      const size_t size = static_cast<size_t>(rows * columns);
      sum.assign(size, S(0));
      float* target = nullptr;
      if constexpr (integer)
        product.resize(size), target = product.data();
      else
        target = sum.data();
      const i64 step = integer ? 1024 : k;
      for (i64 l = 0; l < k; l += step) {
        blas::gemm(ta, tb, rows, columns, std::min(step, k - l), 1.0f, at(ta, Af.data(), ra, r, l), ra,
                   at(tb, Bf.data(), rb, l, j), rb, 0.0f, target, rows);
        if constexpr (integer)
          for (size_t i = 0; i < size; ++i)
            sum[i] = static_cast<int32_t>(as_unsigned(sum[i]) + as_unsigned(static_cast<int32_t>(product[i])));
      }
      f(r, rows, j, columns, static_cast<const S*>(sum.data()));
    }
  });
}

// d := alpha op(A) op(B) + beta c.
template <class Ti, class To, class C>
void gemm_mixed(rocblas_operation ta, rocblas_operation tb, i64 m, i64 n, i64 k, C alpha, const Ti* A, i64 lda,
                const Ti* B, i64 ldb, C beta, const To* c, i64 ldc, To* d, i64 ldd) {
  products(ta, tb, m, n, alpha == C(0) ? 0 : k, A, lda, B, ldb,
           [=](i64 row, i64 rows, i64 col, i64 cols, const C* sums) {
             for (i64 j = 0; j < cols; ++j)
               finish_column(rows, alpha, sums + j * rows, beta, c ? c + row + (col + j) * ldc : nullptr,
                             d + row + (col + j) * ldd);
           });
}

}  // namespace sx::rb
