// The exponential that activations are made of, in a form that compilers turn into vector code.
#pragma once

#include <cstdint>
#include <cstring>

#include "engine/hot.h"

namespace sx::lt {

template <class To, class From>
inline To bits(From v) {
  static_assert(sizeof(To) == sizeof(From));
  To out;
  memcpy(&out, &v, sizeof out);
  return out;
}

// exp for |x| <= 80: argument reduction by ln 2 in two parts, Taylor's polynomial of degree 7 on |r| <= ln(2)/2.
inline float exp_near(float x) {
  const float magic = 12582912.0f;  // 1.5 2^23: adding it rounds to an integer, left in the last bits
  const float shifted = x * 1.44269504f + magic, count = shifted - magic;
  const float r = (x - count * 0.693145752f) - count * 1.42860677e-6f;
  float p = 1.0f / 5040;
  p = p * r + 1.0f / 720;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  return p * bits<float>((bits<uint32_t>(shifted) + 127u) << 23);
}

// exp(-u), NaN for NaN; infinite from 89 on where ``largest`` allows that. Above 80 its size no longer matters to
// 1 / (1 + exp(-u)).
inline float exp_minus(float u, float largest = 89.0f) {
  const float low = u < -largest ? -largest : u, both = low > 80.0f ? 80.0f : low;
  return exp_near(-both);
}

}  // namespace sx::lt
