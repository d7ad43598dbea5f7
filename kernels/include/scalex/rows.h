// Eight rows of a column, from and to memory of any type: one test of the type for eight elements, and loops without
// branches inside.
#pragma once

#include "scalex/numbers.h"
#include "scalex/pieces.h"

namespace sx_kernel {

template <class T>
struct Complex {
  T re, im;
};
using C32 = Complex<float>;
using C64 = Complex<double>;

// Of an operand: the matrix that item ``batch`` works on.
SX_FN void* matrix(const sx_operand& o, sx_i64 batch) {
  return o.indirect ? static_cast<void* const*>(o.data)[batch] : o.data;
}
SX_FN sx_i64 offset(const sx_operand& o, sx_i64 batch, sx_i64 row, sx_i64 column) {
  return row + column * o.ld + (o.indirect ? 0 : batch * o.stride);
}

// A whole piece is a loop of known length: vector code on a processor. A GPU has the one loop, for less code.
template <class F>
SX_FN void each_row(int count, F row) {
#if defined(__AMDGCN__) || defined(__CUDACC__)
  for (int k = 0; k < kRows; ++k) {
    if (k < count) row(k);
  }
#else
  if (count == kRows) {
    for (int k = 0; k < kRows; ++k) row(k);
  } else {
    for (int k = 0; k < count; ++k) row(k);
  }
#endif
}

constexpr sx_i64 kMost64 = 0x7fffffffffffffffll;

SX_FN bool is_integer(int type) {
  const bool narrow = type == SX_R_8I || type == SX_R_8U || type == SX_R_16I || type == SX_R_16U;
  return narrow || type == SX_R_32I || type == SX_R_32U || type == SX_R_64I || type == SX_R_64U;
}
SX_FN sx_i64 lowest(int type) {
  return type == SX_R_8I    ? -128
         : type == SX_R_16I ? -32768
         : type == SX_R_32I ? -2147483647ll - 1
         : type == SX_R_64I ? -kMost64 - 1
                            : 0;
}
SX_FN sx_i64 highest(int type) {
  switch (type) {
    case SX_R_8I:
      return 127;
    case SX_R_8U:
      return 255;
    case SX_R_16I:
      return 32767;
    case SX_R_16U:
      return 65535;
    case SX_R_32I:
      return 2147483647ll;
    case SX_R_32U:
      return 4294967295ll;
    default:
      return kMost64;
  }
}

// Between integers: exact, saturating. Unsigned 64-bit numbers above 2^63 - 1 are taken for that.
template <class From>
SX_FN void load_integer(const void* p, sx_i64 at, int count, sx_i64* x) {
  for (int k = 0; k < count; ++k) x[k] = static_cast<sx_i64>(static_cast<const From*>(p)[at + k]);
}
SX_FN void load_integers(int type, const void* p, sx_i64 at, int count, sx_i64* x) {
  switch (type) {
    case SX_R_8I:
      return load_integer<signed char>(p, at, count, x);
    case SX_R_8U:
      return load_integer<sx_u8>(p, at, count, x);
    case SX_R_16I:
      return load_integer<short>(p, at, count, x);
    case SX_R_16U:
      return load_integer<sx_u16>(p, at, count, x);
    case SX_R_32I:
      return load_integer<int>(p, at, count, x);
    case SX_R_32U:
      return load_integer<sx_u32>(p, at, count, x);
    case SX_R_64I:
      return load_integer<sx_i64>(p, at, count, x);
    case SX_R_64U:
      for (int k = 0; k < count; ++k)
        x[k] = static_cast<sx_i64>(minimum(static_cast<const sx_u64*>(p)[at + k], static_cast<sx_u64>(kMost64)));
      return;
    default:
      for (int k = 0; k < count; ++k) x[k] = 0;
  }
}
template <class To>
SX_FN void store_integer(void* p, sx_i64 at, int count, const sx_i64* x) {
  To* to = static_cast<To*>(p) + at;
  each_row(count, [=](int k) { to[k] = static_cast<To>(x[k]); });
}
SX_FN void store_integers(int type, void* p, sx_i64 at, int count, sx_i64* x) {
  const sx_i64 low = lowest(type), high = highest(type);
  each_row(count, [=](int k) { x[k] = minimum(maximum(x[k], low), high); });
  switch (type) {
    case SX_R_8I:
    case SX_R_8U:
      return store_integer<sx_u8>(p, at, count, x);
    case SX_R_16I:
    case SX_R_16U:
      return store_integer<sx_u16>(p, at, count, x);
    case SX_R_32I:
    case SX_R_32U:
      return store_integer<sx_u32>(p, at, count, x);
    default:
      return store_integer<sx_u64>(p, at, count, x);
  }
}

template <class From, class T>
SX_FN void load_plain(const void* p, sx_i64 at, int count, T* x) {
  const From* from = static_cast<const From*>(p) + at;
  each_row(count, [=](int k) { x[k] = static_cast<T>(from[k]); });
}
template <class F, class Code, class T>
SX_FN void load_coded(const void* p, sx_i64 at, int count, T* x) {
  const Code* from = static_cast<const Code*>(p) + at;
  each_row(count, [=](int k) { x[k] = static_cast<T>(decode<F>(from[k])); });
}
SX_FN sx_u32 nibble(const void* p, sx_i64 at) {
  return static_cast<const sx_u8*>(p)[at >> 1] >> (at & 1 ? 4 : 0) & 15u;
}

template <class T>
SX_FN void load_as_integers(int type, const void* p, sx_i64 at, int count, T* x) {
  sx_i64 y[kRows] = {};
  load_integers(type, p, at, count, y);
  each_row(count, [=, &y](int k) { x[k] = static_cast<T>(y[k]); });
}

template <class T>
SX_FN void load_rows(int type, const void* p, sx_i64 at, int count, T* x) {
  switch (type) {
    case SX_R_32F:
      return load_plain<float>(p, at, count, x);
    case SX_R_64F:
      return load_plain<double>(p, at, count, x);
    case SX_R_16F:
      return load_coded<F16, sx_u16>(p, at, count, x);
    case SX_R_16BF:
      return load_coded<Bf16, sx_u16>(p, at, count, x);
    case SX_R_E4M3:
      return load_coded<E4m3, sx_u8>(p, at, count, x);
    case SX_R_E5M2:
      return load_coded<E5m2, sx_u8>(p, at, count, x);
    case SX_R_E4M3_FNUZ:
      return load_coded<E4m3Fnuz, sx_u8>(p, at, count, x);
    case SX_R_E5M2_FNUZ:
      return load_coded<E5m2Fnuz, sx_u8>(p, at, count, x);
    case SX_R_UE8M0:
      for (int k = 0; k < count; ++k) x[k] = static_cast<T>(decode_ue8m0(static_cast<const sx_u8*>(p)[at + k]));
      return;
    case SX_R_E2M1:
      for (int k = 0; k < count; ++k) x[k] = static_cast<T>(decode<E2m1>(nibble(p, at + k)));
      return;
    case SX_R_8I:
      return load_plain<signed char>(p, at, count, x);
    case SX_R_32I:
      return load_plain<int>(p, at, count, x);
    default:
      return load_as_integers(type, p, at, count, x);
  }
}

template <class To, class T>
SX_FN void store_plain(void* p, sx_i64 at, int count, const T* x) {
  To* to = static_cast<To*>(p) + at;
  each_row(count, [=](int k) { to[k] = static_cast<To>(x[k]); });
}
template <class F, class Code, class T>
SX_FN void store_coded(void* p, sx_i64 at, int count, const T* x, bool saturate) {
  Code* to = static_cast<Code*>(p) + at;
  each_row(count, [=](int k) { to[k] = static_cast<Code>(encode<F>(x[k], saturate)); });
}
// A nibble has a byte of its own in a piece of eight rows when columns begin at whole bytes; else only the last is
// mixed.
template <class T>
SX_FN void store_nibbles(void* p, sx_i64 at, int count, const T* x) {
  sx_u8* to = static_cast<sx_u8*>(p);
  for (int k = 0; k < count; ++k) {
    const sx_u32 code = encode<E2m1>(x[k], true), place = (at + k) & 1 ? 4u : 0u;
    sx_u8* byte = to + ((at + k) >> 1);
    *byte = static_cast<sx_u8>((*byte & ~(15u << place)) | code << place);
  }
}

// Of integers: through 64 bits, so that each conversion is there once for all of them.
template <class T>
SX_FN void store_as_integers(int type, void* p, sx_i64 at, int count, const T* x) {
  sx_i64 y[kRows];
  const sx_i64 low = lowest(type), high = highest(type);
  each_row(count, [=, &y](int k) { y[k] = to_integer(x[k], low, high); });
  store_integers(type, p, at, count, y);
}
template <class T>
SX_FN void store_rows(int type, void* p, sx_i64 at, int count, const T* x, bool saturate = true) {
  switch (type) {
    case SX_R_32F:
      return store_plain<float>(p, at, count, x);
    case SX_R_64F:
      return store_plain<double>(p, at, count, x);
    case SX_R_16F:
      return store_coded<F16, sx_u16>(p, at, count, x, false);
    case SX_R_16BF:
      return store_coded<Bf16, sx_u16>(p, at, count, x, false);
    case SX_R_E4M3:
      return store_coded<E4m3, sx_u8>(p, at, count, x, saturate);
    case SX_R_E5M2:
      return store_coded<E5m2, sx_u8>(p, at, count, x, saturate);
    case SX_R_E4M3_FNUZ:
      return store_coded<E4m3Fnuz, sx_u8>(p, at, count, x, saturate);
    case SX_R_E5M2_FNUZ:
      return store_coded<E5m2Fnuz, sx_u8>(p, at, count, x, saturate);
    case SX_R_E2M1:
      return store_nibbles(p, at, count, x);
    default:
      if (is_integer(type)) store_as_integers(type, p, at, count, x);
  }
}

// The factor ``s`` at ``index`` (of its vector), for item ``batch``.
template <class T>
SX_FN T factor(const sx_factor& s, sx_i64 batch, sx_i64 index) {
  const bool host = s.mode == SX_FACTOR_HOST;
  const sx_i64 at = host ? 0 : batch * s.stride + (s.mode == SX_FACTOR_VECTOR ? index : 0);
  const void* p = host ? static_cast<const void*>(s.value) : s.device;
  switch (s.type) {
    case SX_R_64F:
      return static_cast<T>(static_cast<const double*>(p)[at]);
    case SX_R_16F:
      return static_cast<T>(decode<F16>(static_cast<const sx_u16*>(p)[at]));
    case SX_R_16BF:
      return static_cast<T>(decode<Bf16>(static_cast<const sx_u16*>(p)[at]));
    case SX_R_32I:
      return static_cast<T>(static_cast<const int*>(p)[at]);
    default:
      return static_cast<T>(static_cast<const float*>(p)[at]);
  }
}
SX_FN int integer_factor(const sx_factor& s, sx_i64 batch, sx_i64 index) {
  if (s.mode == SX_FACTOR_HOST) return bits<int>(*reinterpret_cast<const sx_u32*>(s.value));
  return static_cast<const int*>(s.device)[batch * s.stride + (s.mode == SX_FACTOR_VECTOR ? index : 0)];
}
template <class T>
SX_FN Complex<T> complex_factor(const sx_factor& s, sx_i64 batch, sx_i64 index) {
  const bool host = s.mode == SX_FACTOR_HOST;
  const void* p = host ? static_cast<const void*>(s.value) : s.device;
  const sx_i64 at = host ? 0 : batch * s.stride + (s.mode == SX_FACTOR_VECTOR ? index : 0);
  if (s.type == SX_C_64F || s.type == SX_R_64F) {
    const double* d = static_cast<const double*>(p);
    if (s.type == SX_R_64F) return {static_cast<T>(d[at]), T(0)};
    return {static_cast<T>(d[2 * at]), static_cast<T>(d[2 * at + 1])};
  }
  const float* f = static_cast<const float*>(p);
  if (s.type == SX_R_32F) return {static_cast<T>(f[at]), T(0)};
  return {static_cast<T>(f[2 * at]), static_cast<T>(f[2 * at + 1])};
}

}  // namespace sx_kernel
