// One matmul with everything it needs when it runs, and the ways to run it.
#pragma once

#include "kernels.h"
#include "lt.h"
#include "rocblas/gemm.h"

namespace sx::lt {

// A matrix of a batch: strided, or an array of pointers on the device.
struct Operand {
  const void* base = nullptr;
  bool table = false;
  int32_t type = 0;
  i64 ld = 0, stride = 0;

  const void* at(i64 b) const {
    if (table) return static_cast<const void* const*>(base)[b];
    return static_cast<const char*>(base) + b * stride * static_cast<i64>(size_of(type));
  }
  void* out(i64 b) const { return const_cast<void*>(at(b)); }
};

struct Work {
  rocblas_operation ta, tb;
  i64 m, n, k, batch;
  Operand a, b, c, d;
  int32_t compute;
  // by the type computed with: float, double, int32_t, std::complex
  alignas(16) unsigned char alpha[16], beta[16];
  const void* alpha_rows = nullptr;  // a device vector of m factors in place of alpha
  Epilogue epilogue;
  float act0 = 0, act1 = 0;
  const void* bias = nullptr;
  int32_t bias_type = 0;
  i64 bias_stride = 0;
  Operand aux;
  const float *scale_a = nullptr, *scale_b = nullptr, *scale_c = nullptr, *scale_d = nullptr, *scale_aux = nullptr;
  int scale_mode = 0;  // of A and B: hipblasLtMatmulMatrixScale_t
  float* amax_d = nullptr;
  void* workspace = nullptr;
  size_t workspace_bytes = 0;
};

template <class T>
T scalar_of(const unsigned char (&bytes)[16]) {
  T v;
  memcpy(&v, bytes, sizeof v);
  return v;
}

void run_float(const Work& w);    // f32, 16- and 8-bit floating point
void run_double(const Work& w);   // f64, no epilogue
void run_complex(const Work& w);  // c32 and c64, no epilogue
void run_integer(const Work& w);  // i8 to i32 or i8

}  // namespace sx::lt
