// GELU by tanh and its derivative over contiguous floats: with AVX-512's own exponent and reciprocal instructions, else
// as plain loops for several instruction sets.
#include <algorithm>

#include "elementary.h"
#include "kernels.h"

#if defined(__x86_64__)
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // in GCC 12's own header of intrinsics
#endif
#include <immintrin.h>
#define SX_WIDE __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))
#endif

namespace sx::lt {

namespace {

constexpr float gelu_k = 2 * 0.7978845608f, gelu_c = gelu_k * 0.044715f;  // 2 sqrt(2/pi) and times 0.044715

inline float gelu_of(float x) { return x / (1.0f + exp_minus(x * (gelu_k + gelu_c * (x * x)))); }

// With s = 1 / (1 + exp(-2u)), u = sqrt(2/pi) (x + 0.044715 x^3): gelu = x s and gelu' = s + x s (1 - s) (2u)', where
// 1 - s = exp(-2u) s. Beyond 20 it is 0 or 1 in floats; of infinities it is NaN, as infinity times 0 in that formula.
inline float gelu_slope(float at) {
  const float low = at < -20.0f ? -20.0f : at, x = low > 20.0f ? 20.0f : low;
  const float square = x * x, e = exp_minus(x * (gelu_k + gelu_c * square), 80.0f);
  const float s = 1.0f / (1.0f + e);
  return s + x * (e * s * s) * (gelu_k + 3 * gelu_c * square) + (at - at);
}

SX_HOT void plain_gelu(i64 n, float a, const float* s, const float* bias, float* v) {
  if (bias != nullptr) {
    for (i64 i = 0; i < n; ++i) v[i] = gelu_of(a * s[i] + bias[i]);
  } else {
    for (i64 i = 0; i < n; ++i) v[i] = gelu_of(a * s[i]);
  }
}
SX_HOT void plain_gradient(i64 n, const float* x, float* v) {
  for (i64 i = 0; i < n; ++i) v[i] *= gelu_slope(x[i]);
}

#if defined(__x86_64__)
const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
constexpr float log2e = 1.4426950408889634f;

SX_WIDE inline __m512 all(float v) { return _mm512_set1_ps(v); }

// 2^y, y brought to [-126, 115]; NaN for NaN. Taylor's polynomial of degree 6 on |r| <= 1/2.
SX_WIDE inline __m512 power(__m512 at) {
  const __m512 y = _mm512_min_ps(all(115), _mm512_max_ps(all(-126), at));
  const __m512 count = _mm512_roundscale_ps(y, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  const __m512 r = _mm512_sub_ps(y, count);
  __m512 p = all(1.5403530e-4f);
  p = _mm512_fmadd_ps(p, r, all(1.3333558e-3f));
  p = _mm512_fmadd_ps(p, r, all(9.6181291e-3f));
  p = _mm512_fmadd_ps(p, r, all(5.5504109e-2f));
  p = _mm512_fmadd_ps(p, r, all(2.4022651e-1f));
  p = _mm512_fmadd_ps(p, r, all(6.9314718e-1f));
  p = _mm512_fmadd_ps(p, r, all(1));
  return _mm512_scalef_ps(p, count);
}
// 1 / (1 + e), one step of Newton's after the instruction's 14 bits; 0 where ``counts`` is.
SX_WIDE inline __m512 sigmoid_of(__m512 e, __mmask16 counts) {
  const __m512 d = _mm512_add_ps(all(1), e), q = _mm512_rcp14_ps(d);
  return _mm512_maskz_fmadd_ps(counts, q, _mm512_fnmadd_ps(d, q, all(1)), q);
}
// Where exp(-2u) passes 2^115 the sigmoid is 0, so that minus infinity gives NaN.
SX_WIDE inline __m512 gelu_of(__m512 x) {
  const __m512 y = _mm512_mul_ps(x, _mm512_fmadd_ps(_mm512_mul_ps(x, x), all(-gelu_c * log2e), all(-gelu_k * log2e)));
  return _mm512_mul_ps(x, sigmoid_of(power(y), _mm512_cmp_ps_mask(y, all(115), _CMP_NGT_UQ)));
}
SX_WIDE inline __m512 gelu_slope(__m512 at) {
  const __m512 x = _mm512_min_ps(all(20), _mm512_max_ps(all(-20), at)), square = _mm512_mul_ps(x, x);
  const __m512 y = _mm512_mul_ps(x, _mm512_fmadd_ps(square, all(-gelu_c * log2e), all(-gelu_k * log2e)));
  const __m512 e = power(y), s = sigmoid_of(e, 0xffff), inner = _mm512_fmadd_ps(square, all(3 * gelu_c), all(gelu_k));
  const __m512 rest = _mm512_mul_ps(_mm512_mul_ps(e, s), _mm512_mul_ps(x, inner));
  return _mm512_add_ps(_mm512_fmadd_ps(rest, s, s), _mm512_sub_ps(at, at));
}

// Columns follow each other in memory: what is read ``ahead`` is fetched early.
constexpr i64 ahead = 1024;
inline __mmask16 rest_of(i64 n) { return static_cast<__mmask16>((1u << (n & 15)) - 1); }
SX_WIDE inline __m512 load(__mmask16 m, const float* p) { return _mm512_maskz_loadu_ps(m, p); }

SX_WIDE void wide_gelu(i64 n, float a, const float* s, const float* bias, float* v) {
  const __m512 factor = all(a), none = _mm512_setzero_ps();
  i64 i = 0;
  for (; i + 16 <= n; i += 16) {
    _mm_prefetch(s + i + ahead, _MM_HINT_T0);
    const __m512 add = bias ? _mm512_loadu_ps(bias + i) : none;
    _mm512_storeu_ps(v + i, gelu_of(_mm512_fmadd_ps(factor, _mm512_loadu_ps(s + i), add)));
  }
  if (i == n) return;
  const __mmask16 m = rest_of(n);
  const __m512 add = bias ? load(m, bias + i) : none;
  _mm512_mask_storeu_ps(v + i, m, gelu_of(_mm512_fmadd_ps(factor, load(m, s + i), add)));
}
SX_WIDE void wide_gradient(i64 n, const float* x, float* v, float* sums) {
  i64 i = 0;
  for (; i + 16 <= n; i += 16) {
    _mm_prefetch(x + i + ahead, _MM_HINT_T0);
    _mm_prefetch(v + i + ahead, _MM_HINT_T0);
    const __m512 y = _mm512_mul_ps(_mm512_loadu_ps(v + i), gelu_slope(_mm512_loadu_ps(x + i)));
    _mm512_storeu_ps(v + i, y);
    if (sums) _mm512_storeu_ps(sums + i, _mm512_add_ps(y, _mm512_loadu_ps(sums + i)));
  }
  if (i == n) return;
  const __mmask16 m = rest_of(n);
  const __m512 y = _mm512_mul_ps(load(m, v + i), gelu_slope(load(m, x + i)));
  _mm512_mask_storeu_ps(v + i, m, y);
  if (sums) _mm512_mask_storeu_ps(sums + i, m, _mm512_add_ps(y, load(m, sums + i)));
}
#else
constexpr bool wide = false;
void wide_gelu(i64, float, const float*, const float*, float*) {}
void wide_gradient(i64, const float*, float*, float*) {}
#endif

}  // namespace

void bias_gelu(i64 n, float a, const float* s, const float* bias, float* v) {
  return wide ? wide_gelu(n, a, s, bias, v) : plain_gelu(n, a, s, bias, v);
}
void gelu(i64 n, float* v) { bias_gelu(n, 1.0f, v, nullptr, v); }

void gelu_gradient(i64 n, const float* x, float* v, float* sums) {
  if (wide) return wide_gradient(n, x, v, sums);
  plain_gradient(n, x, v);
  if (sums) shift(n, v, sums);
}

}  // namespace sx::lt
