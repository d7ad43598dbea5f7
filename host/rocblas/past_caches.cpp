#include "past_caches.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "engine/hot.h"

namespace sx::rb {

namespace {

constexpr i64 line = 64, early = 2048;  // bytes

template <class T>
inline __attribute__((always_inline)) void ask(const T* p) {
  __builtin_prefetch(reinterpret_cast<const char*>(p) + early);
}

// z[i] := f(i): lines of the cache as a whole, each computed before it is written, as z may be an operand.
template <class T, class F>
inline __attribute__((always_inline)) void lines(i64 n, const T* x, const T* y, T* z, F f) {
  i64 i = 0;
#if defined(__SSE2__)
  constexpr i64 count = line / static_cast<i64>(sizeof(T));
  for (; i < n && reinterpret_cast<uintptr_t>(z + i) % line != 0; ++i) z[i] = f(i);
  for (; i + count <= n; i += count) {
    ask(x + i);
    if (y != nullptr) ask(y + i);
    alignas(line) T results[count];
    for (i64 l = 0; l < count; ++l) results[l] = f(i + l);
    const auto* from = reinterpret_cast<const __m128i*>(results);
    auto* to = reinterpret_cast<__m128i*>(z + i);
    for (int l = 0; l < 4; ++l) _mm_stream_si128(to + l, _mm_load_si128(from + l));
  }
  _mm_sfence();
#endif
  for (; i < n; ++i) z[i] = f(i);
}

template <class T>
inline __attribute__((always_inline)) void multiply_all(bool past, i64 n, const T* x, const T* y, T* z) {
  if (past) return lines(n, x, static_cast<const T*>(nullptr), z, [=](i64 i) { return mul(x[i], y[i]); });
  for (i64 i = 0; i < n; ++i) z[i] = mul(x[i], y[i]);
}
template <class T>
inline __attribute__((always_inline)) void combine_past(i64 n, T a, const T* x, T b, const T* y, T* z) {
  if (y == nullptr)
    lines(n, x, y, z, [=](i64 i) { return mul(a, x[i]); });
  else
    lines(n, x, y, z, [=](i64 i) { return mul(a, x[i]) + mul(b, y[i]); });
}

}  // namespace

#define SX_PAST_CACHES(T)                                                                                           \
  SX_HOT void multiply(bool past, i64 n, const T* x, const T* y, T* z) { multiply_all(past, n, x, y, z); }          \
  SX_HOT static void past_caches(i64 n, T a, const T* x, T b, const T* y, T* z) { combine_past(n, a, x, b, y, z); } \
  void combine(bool past, i64 n, T a, const T* x, T b, const T* y, T* z) {                                          \
    past ? past_caches(n, a, x, b, y, z) : combine(n, a, x, b, y, z);                                               \
  }
SX_PAST_CACHES(float)
SX_PAST_CACHES(double)
SX_PAST_CACHES(cfloat)
SX_PAST_CACHES(cdouble)

}  // namespace sx::rb
