// Which types cuBLASLt multiplies.
#include "problem.h"
#include "scalex/wrap.h"

namespace sx_lt {
namespace {

enum Class : uint32_t {  // of compute types
  k16F = 1,
  k32F = 2,
  k64F = 4,
  k32I = 8,
};

uint32_t class_of(int compute) {
  switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return k16F;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
    case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
      return k32F;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
      return k64F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      return k32I;
    default:
      return 0;
  }
}

struct Set {
  uint32_t compute;
  int scale, ab, cd;
};

// A and B of one type, C and D of one type (cuBLAS 3.4, cublasLtMatmul; measured).
constexpr Set kSets[] = {
    {k16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F},      {k32I, CUDA_R_32I, CUDA_R_8I, CUDA_R_32I},
    {k32I, CUDA_R_32F, CUDA_R_8I, CUDA_R_8I},        {k32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_16BF},
    {k32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F},      {k32F, CUDA_R_32F, CUDA_R_8I, CUDA_R_32F},
    {k32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_32F},     {k32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_32F},
    {k32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F},      {k32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},
    {k64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F},      {k64F, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F},
    {k32F, CUDA_R_32F, CUDA_R_4F_E2M1, CUDA_R_16BF}, {k32F, CUDA_R_32F, CUDA_R_4F_E2M1, CUDA_R_16F},
    {k32F, CUDA_R_32F, CUDA_R_4F_E2M1, CUDA_R_32F},
};

// C and D beside 8-bit floating-point A and B.
bool fp8_outputs(int a, int b, int c, int d) {
  if (a == CUDA_R_8F_E5M2 && b == CUDA_R_8F_E5M2) return false;
  const bool half = c == CUDA_R_16BF || c == CUDA_R_16F;
  if (c == d) return half || c == CUDA_R_32F;
  if (!half) return false;
  return d == CUDA_R_8F_E4M3 || (d == CUDA_R_8F_E5M2 && a != b);
}

}  // namespace

size_t type_bytes(int type) { return sx_data_bytes(type); }

cublasStatus_t supported_types(int compute, int scale, int a, int b, int c, int d) {
  const uint32_t kind = class_of(compute);
  if (is_fp8(a) && is_fp8(b)) {
    if (!fp8_outputs(a, b, c, d) || kind != k32F) return CUBLAS_STATUS_NOT_SUPPORTED;
    return scale == CUDA_R_32F ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
  }
  if (a == CUDA_R_4F_E2M1 && sx_lt_process.capability < 100) return CUBLAS_STATUS_INVALID_VALUE;
  if (a != b || c != d) return CUBLAS_STATUS_INVALID_VALUE;
  bool other_scale = false;
  for (const Set& s : kSets) {
    if ((s.compute & kind) == 0 || s.ab != a || s.cd != d) continue;
    if (s.scale == scale) return CUBLAS_STATUS_SUCCESS;
    other_scale = true;
  }
  return other_scale ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_NOT_SUPPORTED;
}

}  // namespace sx_lt
