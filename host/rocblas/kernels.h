// Plain loops that no library offers, on contiguous data: conversions of 16-bit types and reductions. Compiled for
// several instruction sets; the processor's is chosen when the engine is loaded.
#pragma once

#include "rb.h"

namespace sx::rb {

// ---- 16-bit types -----------------------------------------------------------------------------------------
inline float up(bfloat16 v) {
  const uint32_t bits = uint32_t{v.bits} << 16;
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}
float up(half v);
inline float up(float v) { return v; }
inline double up(double v) { return v; }
inline cfloat up(cfloat v) { return v; }
inline cdouble up(cdouble v) { return v; }

template <class T>
struct compute_of {
  using type = T;
};
template <>
struct compute_of<half> {
  using type = float;
};
template <>
struct compute_of<bfloat16> {
  using type = float;
};
template <class T>
using compute_t = typename compute_of<T>::type;  // what a type is computed in

void round_to(float v, half* out);
void round_to(float v, bfloat16* out);  // to nearest, ties to even
template <class T>
void round_to(T v, T* out) {
  *out = v;
}
inline void round_to(double v, float* out) { *out = static_cast<float>(v); }

void widen(i64 n, const half* x, float* y);
void widen(i64 n, const bfloat16* x, float* y);
void narrow(i64 n, const float* x, half* y);
void narrow(i64 n, const float* x, bfloat16* y);
inline void widen(i64 n, const int8_t* x, float* y) {
  for (i64 i = 0; i < n; ++i) y[i] = x[i];
}

// ---- reductions -------------------------------------------------------------------------------------------
double sum_of_squares(i64 n, const float* x);   // in double: no float overflows it
double sum_of_squares(i64 n, const double* x);  // may overflow or lose tiny values: see nrm2
void magnitudes(i64 n, const float* x, float* y);
void magnitudes(i64 n, const double* x, double* y);
void magnitudes(i64 n, const cfloat* x, float* y);  // |re| + |im|
void magnitudes(i64 n, const cdouble* x, double* y);
float largest(i64 n, const float* x);  // ignores NaN; -infinity when there is nothing else
double largest(i64 n, const double* x);
float smallest(i64 n, const float* x);
double smallest(i64 n, const double* x);

void scale(i64 n, float a, float* x);
void scale(i64 n, double a, double* x);
void scale(i64 n, cfloat a, cfloat* x);
void scale(i64 n, cdouble a, cdouble* x);

// z := a x + b y, or a x without y; z may be one of them.
void combine(i64 n, float a, const float* x, float b, const float* y, float* z);
void combine(i64 n, double a, const double* x, double b, const double* y, double* z);
void combine(i64 n, cfloat a, const cfloat* x, cfloat b, const cfloat* y, cfloat* z);
void combine(i64 n, cdouble a, const cdouble* x, cdouble b, const cdouble* y, cdouble* z);

// The textbook product: std::complex's operator checks for NaN in every multiplication.
template <class R>
std::complex<R> mul(std::complex<R> a, std::complex<R> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
template <class R>
std::complex<R> mul(R a, std::complex<R> b) {
  return {a * b.real(), a * b.imag()};
}
template <class R>
std::complex<R> mul(std::complex<R> a, R b) {
  return {a.real() * b, a.imag() * b};
}
inline float mul(float a, float b) { return a * b; }
inline double mul(double a, double b) { return a * b; }

// Pieces of a BLAS vector as contiguous data in the type computed with: f(start, length, pointer), at most ``block``
// long.
constexpr i64 block = 2048;
template <class T, class F>
void pieces(i64 begin, i64 end, i64 n, const T* x, i64 inc, F&& f) {
  using C = compute_t<T>;
  if constexpr (std::is_same_v<T, C>) {
    if (inc == 1) {
      for (i64 i = begin; i < end; i += block) f(i, std::min(block, end - i), x + i);
      return;
    }
  }
  C buffer[block];
  const T* x0 = first(x, n, inc);
  for (i64 i = begin; i < end; i += block) {
    const i64 length = std::min(block, end - i);
    if constexpr (!std::is_same_v<T, C>) {
      if (inc == 1) {
        widen(length, x + i, buffer);
        f(i, length, static_cast<const C*>(buffer));
        continue;
      }
    }
    for (i64 j = 0; j < length; ++j) buffer[j] = up(x0[(i + j) * inc]);
    f(i, length, static_cast<const C*>(buffer));
  }
}

}  // namespace sx::rb
