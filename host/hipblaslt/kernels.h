// Loops over contiguous floats that the epilogues are made of, and conversions of every element type that hipBLASLt
// has. Compiled for several instruction sets; the processor's is chosen when the engine is loaded.
#pragma once

#include "lt.h"

namespace sx::lt {

// ---- element types (hipDataType numbers) -------------------------------------------------------------------
size_t size_of(int32_t type);  // 0: none that matrices have here
bool is_fp8(int32_t type);
void widen(int32_t type, i64 n, const void* x, float* y);
// To nearest, ties to even. 8-bit types saturate (also infinities) and keep NaN; integers saturate.
void narrow(int32_t type, i64 n, const float* x, void* y);
// Through ``type`` and back, in place: what the inputs of a product in that type lose.
void round_through(int32_t type, i64 n, float* x);
void round_xf32(i64 n, float* x);  // to 10 bits of fraction
float decode_e8m0(uint8_t v);      // 2^(v - 127); 255: NaN

// ---- epilogues: v may be s ---------------------------------------------------------------------------------
void scale_add(i64 n, float a, const float* s, float b, const float* c, float* v);  // v = a s + b c
void scale_shift(i64 n, float a, const float* s, const float* bias, float* v);      // v = a s + bias (NULL: none)
void multiply(i64 n, const float* x, float* v);                                     // v *= x
void shift(i64 n, const float* x, float* v);                                        // v += x
void scale_by(i64 n, float a, float* v);                                            // v *= a
float magnitude(i64 n, const float* v);                                             // largest; ignores NaN

// GELU by tanh: x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), error below 1e-6 of max(1, |x|)
void bias_gelu(i64 n, float a, const float* s, const float* bias, float* v);  // v = gelu(a s + bias)
void relu(i64 n, float* v);                                                   // NaN becomes 0: a maximum with 0
void gelu(i64 n, float* v);
void swish(i64 n, float beta, float* v);  // v / (1 + exp(-beta v))
void sigmoid(i64 n, float* v);
void clamp(i64 n, float low, float high, float* v);
void gelu_gradient(i64 n, const float* x, float* v, float* sums);  // v *= gelu'(x); sums, unless NULL, += v
void relu_gradient(i64 n, const float* x, float* v);               // v *= x > 0

}  // namespace sx::lt
