// What every hipBLASLt source of the engine shares: handles, descriptors, statuses.
//
// Facts about hipBLASLt's behaviour are from its sources (ROCm/hipBLASLt at 6.0-6.3, ROCm/rocm-libraries for 7.x and
// 10.x) and from calls of the 7.2.4 library.
#pragma once

#include <cstdint>

#include "rocblas/rb.h"
#include "scalex/rocm_hipblaslt.h"

namespace sx::lt {

using rb::i64;

constexpr int32_t no_type = 255;  // "choose": the default of bias and auxiliary types

struct Handle {
  static constexpr uint32_t alive = 0x4c544831;
  uint32_t magic = alive;
  int device = 0;
  int32_t sm_count = 0;
  void* synchronizer = nullptr;
};

struct Layout {
  uint64_t rows = 0, cols = 0;
  i64 ld = 0;
  int32_t type = 0;
  int32_t batch = 1;
  i64 stride = 0;
  int32_t order = HIPBLASLT_ORDER_COL;
  int32_t batch_mode = 0;  // 1: arrays of pointers
};

// Names follow hipBLASLt's attributes. ``vec_a``: the scale pointer was set by the attribute of vectors (6.3).
struct Desc {
  int32_t trans_a = HIPBLAS_OP_N, trans_b = HIPBLAS_OP_N;
  int32_t epilogue = HIPBLASLT_EPILOGUE_DEFAULT;
  void* bias = nullptr;
  int32_t bias_type = no_type;
  void *scale_a = nullptr, *scale_b = nullptr, *scale_c = nullptr, *scale_d = nullptr, *scale_aux = nullptr;
  void* aux = nullptr;
  i64 aux_ld = 0, aux_stride = 0;
  int64_t pointer_mode = 0;  // 8 bytes wide, as there: its getter copies as many
  void* amax_d = nullptr;
  int32_t aux_type = no_type;
  i64 bias_stride = 0;
  int32_t mode_a = -1, mode_b = -1;  // scale modes; -1: never set
  int32_t sm_count = 0;
  int32_t input_a = no_type, input_b = no_type;
  bool vec_a = false, vec_b = false;
  float act0 = 0, act1 = 0;
  int32_t compute = 0, compute_at_creation = 0;
  int32_t scale_type = 0;
};

struct Preference {
  uint32_t search_mode = 0;
  uint64_t max_workspace = 0;
  int32_t sm_count = 0;
};

struct TransformDesc {
  int32_t scale_type = 0;
  int32_t pointer_mode = 0;
  int32_t trans_a = HIPBLAS_OP_N, trans_b = HIPBLAS_OP_N;
};

inline Handle* of(hipblasLtHandle_t h) { return static_cast<Handle*>(h); }
inline Layout* of(hipblasLtMatrixLayout_t p) { return reinterpret_cast<Layout*>(p); }
inline Desc* of(hipblasLtMatmulDesc_t p) { return reinterpret_cast<Desc*>(p); }
inline Preference* of(hipblasLtMatmulPreference_t p) { return reinterpret_cast<Preference*>(p); }
inline TransformDesc* of(hipblasLtMatrixTransformDesc_t p) { return reinterpret_cast<TransformDesc*>(p); }

// Until 6.3 "not implemented" left the library as an internal error.
inline hipblasStatus_t not_implemented() {
  return release() >= 604 ? HIPBLAS_STATUS_NOT_SUPPORTED : HIPBLAS_STATUS_INTERNAL_ERROR;
}

inline hipblasStatus_t status_of(hipError_t error) {
  return error == hipSuccess ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_INTERNAL_ERROR;
}

hipblasStatus_t failure();  // of the exception being handled

// ---- parts of an epilogue ---------------------------------------------------------------------------------
enum class Act { none, relu, gelu, swish, clamp, sigmoid, dgelu, drelu };

struct Epilogue {
  bool known = false;
  Act act = Act::none;
  bool bias = false;      // a bias vector is read, or a bias gradient written
  bool aux = false;       // the auxiliary matrix is used
  bool gradient = false;  // the auxiliary matrix is read; the bias is written
  char bias_from = 'D';   // of which matrix the gradient is taken
};
Epilogue parts(int32_t epilogue);  // of any number; not known: no release has it

}  // namespace sx::lt
