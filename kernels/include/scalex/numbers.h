// Number formats of less than 32 bits: exact to float, and rounded to nearest even, once, from float or double.
#pragma once

#include "scalex/device.h"

namespace sx_kernel {

// A binary format by its fields. ``kind`` says what its largest codes mean.
enum Kind : int {
  kIeee,   // infinities and NaNs: f16, bf16, e5m2
  kFn,     // no infinity; all ones is NaN: e4m3
  kFnuz,   // neither infinity nor -0; the code of -0 is NaN
  kFinite  // nothing but numbers: e2m1
};
template <int E, int M, int B, Kind K>
struct Format {
  enum : int { exponent = E, mantissa = M, bias = B, width = 1 + E + M };
  static constexpr Kind kind = K;
  static constexpr sx_u32 sign = 1u << (E + M);
  static constexpr sx_u32 infinity = ((1u << E) - 1) << M;
  static constexpr sx_u32 largest = K == kIeee ? infinity - 1 : K == kFn ? (1u << (E + M)) - 2 : (1u << (E + M)) - 1;
  static constexpr sx_u32 nan = K == kIeee   ? infinity | 1u << (M - 1)
                                : K == kFn   ? largest + 1
                                : K == kFnuz ? sign
                                             : largest;
};
using F16 = Format<5, 10, 15, kIeee>;
using Bf16 = Format<8, 7, 127, kIeee>;
using E4m3 = Format<4, 3, 7, kFn>;
using E5m2 = Format<5, 2, 15, kIeee>;
using E4m3Fnuz = Format<4, 3, 8, kFnuz>;
using E5m2Fnuz = Format<5, 2, 16, kFnuz>;
using E2m1 = Format<2, 1, 1, kFinite>;

template <class F>
SX_FN float decode(sx_u32 code) {
  const sx_u32 sign = (code & F::sign) << (31 - F::exponent - F::mantissa), magnitude = code & (F::sign - 1);
  if (F::kind == kFnuz && code == F::nan) return bits<float>(0x7fc00000u);
  if (F::kind == kFn && magnitude == F::nan) return bits<float>(0x7fc00000u | sign);
  if (F::kind == kIeee && magnitude >= F::infinity) {
    return bits<float>(0x7f800000u | sign | (magnitude - F::infinity) << (23 - F::mantissa));
  }
  // Subnormal codes are counted in units, never as float's own subnormals, which a process may have switched off.
  const sx_u32 placed = magnitude << (23 - F::mantissa);
  if (F::bias == 127) return bits<float>(placed | sign);
  const float unit = bits<float>(static_cast<sx_u32>(128 - F::bias - F::mantissa) << 23);
  const float small = static_cast<float>(static_cast<int>(magnitude)) * unit;
  const sx_u32 normal = placed + (static_cast<sx_u32>(127 - F::bias) << 23);
  return bits<float>((magnitude >> F::mantissa ? normal : bits<sx_u32>(small)) | sign);
}

// ``magnitude`` of a float or double with E exponent and M mantissa bits, rounded to a code of F without its sign;
// above the largest code when it overflows.
template <class F, int M, int Bias, class U>
SX_FN sx_u32 round_code(U magnitude) {
  constexpr int shift = M - F::mantissa;
  const int exponent = static_cast<int>(magnitude >> M);
  const int smallest = Bias - F::bias + 1;  // exponent of the smallest normal number
  if (exponent >= smallest) {
    const U rebased = magnitude - (static_cast<U>(smallest - 1) << M);
    const U rounded = rebased + ((static_cast<U>(1) << (shift - 1)) - 1) + ((rebased >> shift) & 1);
    const U code = rounded >> shift;
    return code > F::sign ? static_cast<sx_u32>(F::sign) : static_cast<sx_u32>(code);
  }
  const int drop = shift + smallest - exponent - (exponent == 0 ? 1 : 0);  // bits below the last place
  if (drop > M + 1) return 0;                                              // below half of the smallest number
  const U significand = (magnitude & ((static_cast<U>(1) << M) - 1)) | (exponent == 0 ? 0 : static_cast<U>(1) << M);
  const U rounded = significand + ((static_cast<U>(1) << (drop - 1)) - 1) + ((significand >> drop) & 1);
  return static_cast<sx_u32>(rounded >> drop);
}

// Overflow: the largest number when ``saturate`` (of infinity too), else infinity or NaN. NaN stays NaN.
template <class F>
SX_FN sx_u32 finish_code(sx_u32 code, sx_u32 sign, bool nan, bool saturate) {
  if (nan) return F::kind == kFnuz ? F::nan : F::kind == kFinite ? F::largest : F::nan | sign;
  if (code > F::largest) code = saturate || F::kind == kFinite ? F::largest : F::kind == kIeee ? F::infinity : F::nan;
  if (F::kind == kFnuz) return code == 0 ? 0 : code == F::nan ? F::nan : code | sign;
  return code | sign;
}
template <class F>
SX_FN sx_u32 encode(float x, bool saturate) {
  const sx_u32 u = bits<sx_u32>(x), magnitude = u & 0x7fffffffu;
  if constexpr (F::exponent == 8) {  // bf16: without branches, so that a loop becomes vector code
    const sx_u32 rounded = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
    return magnitude > 0x7f800000u ? (u >> 16 & 0x8000u) | F::nan : rounded;
  }
  const sx_u32 sign = (u >> 31) << (F::width - 1);
  return finish_code<F>(round_code<F, 23, 127, sx_u32>(magnitude), sign, magnitude > 0x7f800000u, saturate);
}
template <class F>
SX_FN sx_u32 encode(double x, bool saturate) {
  const sx_u64 u = bits<sx_u64>(x), magnitude = u & 0x7fffffffffffffffull;
  const sx_u32 sign = static_cast<sx_u32>(u >> 63) << (F::width - 1);
  return finish_code<F>(round_code<F, 52, 1023, sx_u64>(magnitude), sign, magnitude > 0x7ff0000000000000ull, saturate);
}

// 2^(code - 127); 255 is NaN.
SX_FN float decode_ue8m0(sx_u32 code) {
  return bits<float>(code == 255 ? 0x7fc00000u : code == 0 ? 0x00400000u : code << 23);
}

// To an integer: nearest even, saturated; NaN becomes 0.
template <class R>
SX_FN sx_i64 to_integer(R x, sx_i64 low, sx_i64 high) {
  if (x != x) return 0;
  if (x >= static_cast<R>(high)) return high;
  if (x <= static_cast<R>(low)) return low;
  const sx_i64 down = static_cast<sx_i64>(x);  // towards zero: exact rest below
  const R rest = x - static_cast<R>(down);
  const bool away = rest > R(0.5) || rest < R(-0.5) || ((rest == R(0.5) || rest == R(-0.5)) && (down & 1) != 0);
  return down + (away ? (rest > 0 ? 1 : -1) : 0);
}

}  // namespace sx_kernel
