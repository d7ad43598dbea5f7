#include "kernels.h"

#include <array>
#include <cmath>
#include <limits>

#include "elementary.h"
#include "rocblas/kernels.h"

namespace sx::lt {

namespace {

// ---- 8-bit floating point ----------------------------------------------------------------------------------
struct Float8 {
  int fraction, bias;
  uint32_t largest, nan;  // codes; the largest finite one
  bool fnuz;              // no infinity and no negative zero, whose code is NaN
  bool infinity;
};
constexpr Float8 e4m3{3, 7, 0x7e, 0x7f, false, false}, e5m2{2, 15, 0x7b, 0x7f, false, true};
constexpr Float8 e4m3_fnuz{3, 8, 0x7f, 0x80, true, false}, e5m2_fnuz{2, 16, 0x7f, 0x80, true, false};

float decode(const Float8& f, uint32_t code) {
  const uint32_t magnitude = code & 0x7f;
  const float sign = code & 0x80 ? -1.0f : 1.0f;
  if (f.fnuz && code == f.nan) return std::numeric_limits<float>::quiet_NaN();
  if (!f.fnuz && magnitude > f.largest)
    return f.infinity && magnitude == f.largest + 1 ? sign * std::numeric_limits<float>::infinity()
                                                    : std::numeric_limits<float>::quiet_NaN();
  const int exponent = static_cast<int>(magnitude >> f.fraction);
  const float fraction = static_cast<float>(magnitude & ((1u << f.fraction) - 1));
  const float one = static_cast<float>(1u << f.fraction);
  return sign * (exponent == 0 ? std::ldexp(fraction / one, 1 - f.bias)
                               : std::ldexp(1.0f + fraction / one, exponent - f.bias));
}

using Decoded = std::array<float, 256>;
const Decoded& decoded(int32_t type) {
  const auto table = [](const Float8& f) {
    Decoded values;
    for (uint32_t i = 0; i < 256; ++i) values[i] = decode(f, i);
    return values;
  };
  static const Decoded tables[] = {table(e4m3), table(e5m2), table(e4m3_fnuz), table(e5m2_fnuz)};
  return tables[type == HIP_R_8F_E4M3 ? 0 : type == HIP_R_8F_E5M2 ? 1 : type == HIP_R_8F_E4M3_FNUZ ? 2 : 3];
}

// Without branches: both the normal and the subnormal rounding are computed. Adding a power of two whose last place is
// the smallest subnormal rounds to a multiple of it.
template <int fraction, int bias, uint32_t largest, uint32_t nan, bool fnuz>
inline void encode(i64 n, const float* x, uint8_t* y) {
  constexpr int shift = 23 - fraction;
  constexpr uint32_t anchor = static_cast<uint32_t>(127 + 1 - bias - fraction + 23) << 23;
  constexpr uint32_t smallest_normal = static_cast<uint32_t>(127 + 1 - bias) << 23;
  for (i64 i = 0; i < n; ++i) {
    const uint32_t all = bits<uint32_t>(x[i]), magnitude = all & 0x7fffffffu, sign = all >> 24 & 0x80u;
    const uint32_t subnormal = bits<uint32_t>(bits<float>(magnitude) + bits<float>(anchor)) - anchor;
    const uint32_t rounded = magnitude + ((1u << (shift - 1)) - 1) + (magnitude >> shift & 1u);
    const uint32_t normal = (rounded >> shift) - (static_cast<uint32_t>(127 - bias) << fraction);
    uint32_t code = magnitude < smallest_normal ? subnormal : normal;
    code = code > largest ? largest : code;
    uint32_t out = code | sign;
    if (fnuz) out = code == 0 ? 0u : out;
    y[i] = static_cast<uint8_t>(magnitude > 0x7f800000u ? (fnuz ? nan : nan | sign) : out);
  }
}
SX_HOT void encode_e4m3(i64 n, const float* x, uint8_t* y) { encode<3, 7, 0x7e, 0x7f, false>(n, x, y); }
SX_HOT void encode_e5m2(i64 n, const float* x, uint8_t* y) { encode<2, 15, 0x7b, 0x7f, false>(n, x, y); }
SX_HOT void encode_e4m3_fnuz(i64 n, const float* x, uint8_t* y) { encode<3, 8, 0x7f, 0x80, true>(n, x, y); }
SX_HOT void encode_e5m2_fnuz(i64 n, const float* x, uint8_t* y) { encode<2, 16, 0x7f, 0x80, true>(n, x, y); }

}  // namespace

size_t size_of(int32_t type) {
  switch (type) {
    case HIP_R_64F:
    case HIP_C_32F:
      return 8;
    case HIP_C_64F:
      return 16;
    case HIP_R_32F:
    case HIP_R_32I:
      return 4;
    case HIP_R_16F:
    case HIP_R_16BF:
      return 2;
    case HIP_R_8I:
      return 1;
  }
  return is_fp8(type) ? 1 : 0;
}

bool is_fp8(int32_t type) {
  return type == HIP_R_8F_E4M3 || type == HIP_R_8F_E5M2 || type == HIP_R_8F_E4M3_FNUZ || type == HIP_R_8F_E5M2_FNUZ;
}

void widen(int32_t type, i64 n, const void* x, float* y) {
  if (type == HIP_R_32F) {
    memcpy(y, x, static_cast<size_t>(n) * sizeof(float));
  } else if (type == HIP_R_16F) {
    rb::widen(n, static_cast<const rb::half*>(x), y);
  } else if (type == HIP_R_16BF) {
    rb::widen(n, static_cast<const rb::bfloat16*>(x), y);
  } else if (type == HIP_R_8I) {
    rb::widen(n, static_cast<const int8_t*>(x), y);
  } else {
    const Decoded& table = decoded(type);
    const auto* codes = static_cast<const uint8_t*>(x);
    for (i64 i = 0; i < n; ++i) y[i] = table[codes[i]];
  }
}

void narrow(int32_t type, i64 n, const float* x, void* y) {
  switch (type) {
    case HIP_R_32F:
      if (x != y) memcpy(y, x, static_cast<size_t>(n) * sizeof(float));
      return;
    case HIP_R_16F:
      return rb::narrow(n, x, static_cast<rb::half*>(y));
    case HIP_R_16BF:
      return rb::narrow(n, x, static_cast<rb::bfloat16*>(y));
    case HIP_R_8F_E4M3:
      return encode_e4m3(n, x, static_cast<uint8_t*>(y));
    case HIP_R_8F_E5M2:
      return encode_e5m2(n, x, static_cast<uint8_t*>(y));
    case HIP_R_8F_E4M3_FNUZ:
      return encode_e4m3_fnuz(n, x, static_cast<uint8_t*>(y));
    default:
      return encode_e5m2_fnuz(n, x, static_cast<uint8_t*>(y));
  }
}

void round_through(int32_t type, i64 n, float* x) {
  alignas(64) unsigned char buffer[rb::block * 2];
  for (i64 i = 0; i < n; i += rb::block) {
    const i64 length = std::min(rb::block, n - i);
    narrow(type, length, x + i, buffer);
    widen(type, length, buffer, x + i);
  }
}

SX_HOT void round_xf32(i64 n, float* x) {
  for (i64 i = 0; i < n; ++i) {
    const uint32_t all = bits<uint32_t>(x[i]);
    const uint32_t rounded = (all + 0xfffu + (all >> 13 & 1u)) & 0xffffe000u;
    x[i] = bits<float>((all & 0x7f800000u) == 0x7f800000u ? all : rounded);
  }
}

float decode_e8m0(uint8_t v) {
  return v == 255 ? std::numeric_limits<float>::quiet_NaN() : std::ldexp(1.0f, static_cast<int>(v) - 127);
}

SX_HOT void scale_add(i64 n, float a, const float* s, float b, const float* c, float* v) {
  for (i64 i = 0; i < n; ++i) v[i] = a * s[i] + b * c[i];
}

SX_HOT static void scale_add_bias(i64 n, float a, const float* s, const float* bias, float* v) {
  for (i64 i = 0; i < n; ++i) v[i] = a * s[i] + bias[i];
}
SX_HOT static void scale_to(i64 n, float a, const float* s, float* v) {
  for (i64 i = 0; i < n; ++i) v[i] = a * s[i];
}
void scale_shift(i64 n, float a, const float* s, const float* bias, float* v) {
  if (bias != nullptr) return scale_add_bias(n, a, s, bias, v);
  if (a != 1) return scale_to(n, a, s, v);
  if (s != v) memcpy(v, s, static_cast<size_t>(n) * sizeof(float));
}

SX_HOT void multiply(i64 n, const float* x, float* v) {
  for (i64 i = 0; i < n; ++i) v[i] *= x[i];
}
SX_HOT void shift(i64 n, const float* x, float* v) {
  for (i64 i = 0; i < n; ++i) v[i] += x[i];
}
SX_HOT void scale_by(i64 n, float a, float* v) {
  for (i64 i = 0; i < n; ++i) v[i] *= a;
}

SX_HOT float magnitude(i64 n, const float* v) {
  float best[16] = {};
  i64 i = 0;
  for (; i + 16 <= n; i += 16)
    for (int l = 0; l < 16; ++l) best[l] = std::fabs(v[i + l]) > best[l] ? std::fabs(v[i + l]) : best[l];
  for (; i < n; ++i) best[0] = std::fabs(v[i]) > best[0] ? std::fabs(v[i]) : best[0];
  for (int l = 1; l < 16; ++l) best[0] = best[l] > best[0] ? best[l] : best[0];
  return best[0];
}

SX_HOT void relu(i64 n, float* v) {
  for (i64 i = 0; i < n; ++i) v[i] = v[i] > 0 ? v[i] : 0.0f;
}
SX_HOT void swish(i64 n, float beta, float* v) {
  for (i64 i = 0; i < n; ++i) v[i] = v[i] / (1.0f + exp_minus(beta * v[i]));
}
SX_HOT void sigmoid(i64 n, float* v) {
  for (i64 i = 0; i < n; ++i) v[i] = 1.0f / (1.0f + exp_minus(v[i]));
}
SX_HOT void clamp(i64 n, float low, float high, float* v) {
  for (i64 i = 0; i < n; ++i) {
    const float above = v[i] < low ? low : v[i];
    v[i] = above > high ? high : above;
  }
}
SX_HOT void relu_gradient(i64 n, const float* x, float* v) {
  for (i64 i = 0; i < n; ++i) v[i] = x[i] > 0 ? v[i] : 0.0f;
}

}  // namespace sx::lt
