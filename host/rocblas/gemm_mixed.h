// Products of 8- and 16-bit matrices, rounded once at the end: by the processor's dot-product instructions where it has
// them, else widened to float and multiplied by OpenBLAS in tiles. Integers are exact then too: over 1024 products of
// 8-bit numbers no float sum passes 2^24, and the sums are kept as integers.
#pragma once

#include <memory>
#include <new>

#include "dot_product.h"
#include "gemm.h"

namespace sx::rb {

inline uint32_t as_unsigned(int32_t v) { return static_cast<uint32_t>(v); }

struct Free {
  void operator()(void* p) const { ::operator delete (p, std::align_val_t{64}); }
};
template <class T>
std::unique_ptr<T[], Free> unset(i64 size) {  // aligned to a line of the cache
  return std::unique_ptr<T[], Free>(
      static_cast<T*>(::operator new (static_cast<size_t>(size) * sizeof(T), std::align_val_t{64})));
}

// The leading dimension of a float copy: columns begin with a line of the cache, and not all in the same of its sets.
inline i64 widened_ld(i64 rows) { return (rows + 15) / 16 * 16 + 16; }

// Float copy of rows [0, rows) x columns [0, cols) of A as stored.
template <class T>
std::unique_ptr<float[], Free> widened(i64 rows, i64 cols, const T* A, i64 lda) {
  const i64 ld = widened_ld(rows);
  auto out = unset<float>(ld * cols);
  split(cols, 65536 / (rows + 1) + 1, [&](i64 j, i64 end) {
    for (; j < end; ++j) widen(rows, A + j * lda, out.get() + j * ld);
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
  const i64 rows_a = na ? m : k, rows_b = nb ? k : n, ld_a = widened_ld(rows_a), ld_b = widened_ld(rows_b);
  const auto Af = k ? widened(rows_a, na ? k : m, A, lda) : nullptr;
  const auto Bf = k ? widened(rows_b, nb ? n : k, B, ldb) : nullptr;
  tiles(m, n, cost, [&](i64 r, i64 r_end, i64 first_column, i64 last_column) {
    const i64 rows = r_end - r,
              width = std::min(last_column - first_column, std::max<i64>(512, (1 << 20) / (rows + 1)));
    const auto sum = unset<S>(rows * width);
    const auto product = integer ? unset<float>(rows * width) : nullptr;
    for (i64 j = first_column; j < last_column; j += width) {
      const i64 columns = std::min(width, last_column - j), size = rows * columns, step = integer ? 1024 : k;
      const auto multiply = [&](i64 l, float* to) {
        blas::gemm(ta, tb, rows, columns, std::min(step, k - l), 1.0f, at(ta, Af.get(), ld_a, r, l), ld_a,
                   at(tb, Bf.get(), ld_b, l, j), ld_b, 0.0f, to, rows);
      };
      if (integer || k == 0) std::fill_n(sum.get(), size, S(0));
      for (i64 l = 0; l < k; l += step) {
        if constexpr (integer) {
          multiply(l, product.get());
          for (i64 i = 0; i < size; ++i)
            sum[i] = static_cast<int32_t>(as_unsigned(sum[i]) + as_unsigned(static_cast<int32_t>(product[i])));
        } else {
          multiply(l, sum.get());
        }
      }
      f(r, rows, j, columns, static_cast<const S*>(sum.get()));
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
