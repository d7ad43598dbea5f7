#include "kernels.h"

#include <cmath>
#include <limits>

#include "engine/hot.h"
#include "engine/intrinsics.h"

namespace sx::rb {

namespace {

template <class To, class From>
To bits(From v) {
  static_assert(sizeof(To) == sizeof(From));
  To out;
  memcpy(&out, &v, sizeof out);
  return out;
}

// A half's exponent and fraction, moved to a float's place, are the value times 2^-112; infinity and NaN keep a full
// exponent.
inline float half_to_float(uint16_t h) {
  const uint32_t magnitude = uint32_t{h} & 0x7fffu, sign = (uint32_t{h} & 0x8000u) << 16;
  const float scaled = bits<float>(magnitude << 13) * 0x1p112f;
  const uint32_t special = magnitude >= 0x7c00u ? 0x7f800000u : 0u;
  return bits<float>(bits<uint32_t>(scaled) | special | sign);
}

// To nearest, ties to even. Adding a power of two whose last place is the half's last place does the rounding.
inline uint16_t float_to_half(float f) {
  const uint32_t all = bits<uint32_t>(f), sign = all >> 16 & 0x8000u, magnitude = all & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u | (magnitude >> 13 & 0x1ffu));
  if (magnitude >= 0x477ff000u) return static_cast<uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x38800000u) {  // subnormal: the last place is 2^-24
    const float r = bits<float>(magnitude) + 0.5f;
    return static_cast<uint16_t>(sign | (bits<uint32_t>(r) - 0x3f000000u));
  }
  const uint32_t odd = magnitude >> 13 & 1u;
  return static_cast<uint16_t>(sign | ((magnitude - 0x38000000u + 0xfffu + odd) >> 13));
}

inline uint16_t float_to_bfloat16(float f) {
  const uint32_t all = bits<uint32_t>(f);
  const uint32_t rounded = (all + 0x7fffu + (all >> 16 & 1u)) >> 16;
  return static_cast<uint16_t>((all & 0x7fffffffu) > 0x7f800000u ? (all >> 16) | 0x40u : rounded);
}

#if defined(__x86_64__)
const bool has_f16c = __builtin_cpu_supports("avx") && __builtin_cpu_supports("avx2");  // F16C came with them

__attribute__((target("avx,f16c"))) i64 widen_f16c(i64 n, const half* x, float* y) {
  i64 i = 0;
  for (; i + 8 <= n; i += 8)
    _mm256_storeu_ps(y + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x + i))));
  return i;
}
__attribute__((target("avx,f16c"))) i64 narrow_f16c(i64 n, const float* x, half* y) {
  i64 i = 0;
  for (; i + 8 <= n; i += 8)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(y + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(x + i), _MM_FROUND_TO_NEAREST_INT));
  return i;
}
#endif

// Eight independent sums: the compiler may not reorder additions itself, and more digits survive.
template <class T>
inline double squares(i64 n, const T* x) {
  double sums[8] = {};
  i64 i = 0;
  for (; i + 8 <= n; i += 8)
    for (int l = 0; l < 8; ++l) sums[l] += static_cast<double>(x[i + l]) * static_cast<double>(x[i + l]);
  for (; i < n; ++i) sums[0] += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

template <class T, class Better>
inline T extreme(i64 n, const T* x, T start, Better better) {
  T best[16];
  for (T& b : best) b = start;
  i64 i = 0;
  for (; i + 16 <= n; i += 16)
    for (int l = 0; l < 16; ++l) best[l] = better(x[i + l], best[l]) ? x[i + l] : best[l];
  for (; i < n; ++i) best[0] = better(x[i], best[0]) ? x[i] : best[0];
  for (int l = 1; l < 16; ++l) best[0] = better(best[l], best[0]) ? best[l] : best[0];
  return best[0];
}

constexpr auto greater = [](auto a, auto b) { return a > b; };
constexpr auto less = [](auto a, auto b) { return a < b; };

template <class R>
inline void magnitudes_complex(i64 n, const std::complex<R>* x, R* y) {
  const R* p = reinterpret_cast<const R*>(x);
  for (i64 i = 0; i < n; ++i) y[i] = std::fabs(p[2 * i]) + std::fabs(p[2 * i + 1]);
}

template <class R>
inline void combine_real(i64 n, R a, const R* x, R b, const R* y, R* z) {
  if (y == nullptr) {
    for (i64 i = 0; i < n; ++i) z[i] = a * x[i];
  } else {
    for (i64 i = 0; i < n; ++i) z[i] = a * x[i] + b * y[i];
  }
}
template <class R>
inline void combine_complex(i64 n, std::complex<R> a, const std::complex<R>* x, std::complex<R> b,
                            const std::complex<R>* y, std::complex<R>* z) {
  const R *p = reinterpret_cast<const R*>(x), *q = reinterpret_cast<const R*>(y);
  R* out = reinterpret_cast<R*>(z);
  const R ar = a.real(), ai = a.imag(), br = b.real(), bi = b.imag();
  if (y == nullptr) {
    for (i64 i = 0; i < 2 * n; i += 2) {
      const R re = ar * p[i] - ai * p[i + 1], im = ar * p[i + 1] + ai * p[i];
      out[i] = re, out[i + 1] = im;
    }
  } else {
    for (i64 i = 0; i < 2 * n; i += 2) {
      const R re = ar * p[i] - ai * p[i + 1] + (br * q[i] - bi * q[i + 1]);
      const R im = ar * p[i + 1] + ai * p[i] + (br * q[i + 1] + bi * q[i]);
      out[i] = re, out[i + 1] = im;
    }
  }
}

template <class R>
inline void scale_complex(i64 n, std::complex<R> a, std::complex<R>* x) {
  R* p = reinterpret_cast<R*>(x);
  const R re = a.real(), im = a.imag();
  for (i64 i = 0; i < n; ++i) {
    const R u = p[2 * i], v = p[2 * i + 1];
    p[2 * i] = re * u - im * v;
    p[2 * i + 1] = re * v + im * u;
  }
}

}  // namespace

float up(half v) { return half_to_float(v.bits); }
void round_to(float v, half* out) { out->bits = float_to_half(v); }
void round_to(float v, bfloat16* out) { out->bits = float_to_bfloat16(v); }

void widen(i64 n, const half* x, float* y) {
  i64 i = 0;
#if defined(__x86_64__)
  if (has_f16c) i = widen_f16c(n, x, y);
#endif
  for (; i < n; ++i) y[i] = half_to_float(x[i].bits);
}

void narrow(i64 n, const float* x, half* y) {
  i64 i = 0;
#if defined(__x86_64__)
  if (has_f16c) i = narrow_f16c(n, x, y);
#endif
  for (; i < n; ++i) y[i].bits = float_to_half(x[i]);
}

SX_HOT void widen(i64 n, const bfloat16* x, float* y) {
  for (i64 i = 0; i < n; ++i) y[i] = bits<float>(uint32_t{x[i].bits} << 16);
}
SX_HOT void narrow(i64 n, const float* x, bfloat16* y) {
  for (i64 i = 0; i < n; ++i) y[i].bits = float_to_bfloat16(x[i]);
}

SX_HOT double sum_of_squares(i64 n, const float* x) { return squares(n, x); }
SX_HOT double sum_of_squares(i64 n, const double* x) { return squares(n, x); }

SX_HOT void magnitudes(i64 n, const float* x, float* y) {
  for (i64 i = 0; i < n; ++i) y[i] = std::fabs(x[i]);
}
SX_HOT void magnitudes(i64 n, const double* x, double* y) {
  for (i64 i = 0; i < n; ++i) y[i] = std::fabs(x[i]);
}
SX_HOT void magnitudes(i64 n, const cfloat* x, float* y) { magnitudes_complex(n, x, y); }
SX_HOT void magnitudes(i64 n, const cdouble* x, double* y) { magnitudes_complex(n, x, y); }

SX_HOT float largest(i64 n, const float* x) { return extreme(n, x, -std::numeric_limits<float>::infinity(), greater); }
SX_HOT double largest(i64 n, const double* x) {
  return extreme(n, x, -std::numeric_limits<double>::infinity(), greater);
}
SX_HOT float smallest(i64 n, const float* x) { return extreme(n, x, std::numeric_limits<float>::infinity(), less); }
SX_HOT double smallest(i64 n, const double* x) { return extreme(n, x, std::numeric_limits<double>::infinity(), less); }

SX_HOT void scale(i64 n, float a, float* x) {
  for (i64 i = 0; i < n; ++i) x[i] *= a;
}
SX_HOT void scale(i64 n, double a, double* x) {
  for (i64 i = 0; i < n; ++i) x[i] *= a;
}
SX_HOT void scale(i64 n, cfloat a, cfloat* x) { scale_complex(n, a, x); }
SX_HOT void scale(i64 n, cdouble a, cdouble* x) { scale_complex(n, a, x); }

SX_HOT void combine(i64 n, float a, const float* x, float b, const float* y, float* z) {
  combine_real(n, a, x, b, y, z);
}
SX_HOT void combine(i64 n, double a, const double* x, double b, const double* y, double* z) {
  combine_real(n, a, x, b, y, z);
}
SX_HOT void combine(i64 n, cfloat a, const cfloat* x, cfloat b, const cfloat* y, cfloat* z) {
  combine_complex(n, a, x, b, y, z);
}
SX_HOT void combine(i64 n, cdouble a, const cdouble* x, cdouble b, const cdouble* y, cdouble* z) {
  combine_complex(n, a, x, b, y, z);
}

}  // namespace sx::rb
