// Element by element like combine and multiply of kernels.h, for results so large that they would only empty the
// caches: they are written past them, and operands are asked for early.
#pragma once

#include "kernels.h"

namespace sx::rb {

// Whether an m x n matrix is that large.
template <class T>
bool is_large(i64 m, i64 n) {
  return static_cast<double>(m) * static_cast<double>(n) * sizeof(T) > (16 << 20);
}

#define SX_PAST_CACHES(T)                                                              \
  void multiply(bool past_caches, i64 n, const T* x, const T* y, T* z); /* z := x y */ \
  void combine(bool past_caches, i64 n, T a, const T* x, T b, const T* y, T* z);
SX_PAST_CACHES(float)
SX_PAST_CACHES(double)
SX_PAST_CACHES(cfloat)
SX_PAST_CACHES(cdouble)
#undef SX_PAST_CACHES

}  // namespace sx::rb
