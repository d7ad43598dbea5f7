// What the opaque structs of cuBLASLt hold here: the complete state, trivially copyable, owning nothing.
//
// A program may put them on its stack with the size that its CUDA release gives them, copy them, and never destroy
// them. So every struct begins with the size it was made with; members beyond it are not there and read as their
// defaults. The numbers and defaults of attributes are in attributes.def.
#pragma once

#include <stddef.h>

#include "library.h"
#include "scalex/lt.h"

namespace sx_lt {

struct Head {
  uint16_t size;   // of the caller's struct, as far as it is used
  uint16_t magic;  // kMagic: initialised
  uint32_t hash;   // of the members that are no pointers, and of which are set: what a plan is looked up by
};
constexpr uint16_t kMagic = 0x4c54;

// Members of CUDA 11 first: its struct ends at 184. The two stretches of plain members are compared as bytes.
struct MatmulDesc {
  Head head;
  int32_t compute_type, scale_type, pointer_mode, transa, transb, transc, fill_mode, epilogue;
  int64_t bias_stride, aux_ld, aux_stride, alpha_vector_stride;
  int32_t sm_count, reserved16, aux_type, bias_type;
  int8_t fast_accum;
  int8_t pad[7];
  void *bias, *aux;
  const void *a_scale, *b_scale, *c_scale, *d_scale;
  void* amax_d;
  const void* aux_scale;
  void* aux_amax;
  int32_t a_mode, b_mode, c_mode, d_mode, aux_mode, d_out_mode;
  int32_t chunks_rows, chunks_cols, batch_invariance;
  uint32_t present;  // which pointers are set, a bit each; kept by rehash
  int64_t alpha_stride, beta_stride;
  void* d_out_scale;
  void* emulation;
  void *in_counters, *out_counters;
};
constexpr size_t kPlainBegin = sizeof(Head), kPlainEnd = offsetof(MatmulDesc, bias);
constexpr size_t kPlain2Begin = offsetof(MatmulDesc, a_mode), kPlain2End = offsetof(MatmulDesc, d_out_scale);
constexpr size_t kDescLeast = 56;  // measured: NVIDIA's Init takes it, though no release's struct is below 184
static_assert(kPlain2Begin <= 184 && sizeof(MatmulDesc) <= 256, "fits every release's struct");

struct MatrixLayout {
  Head head;
  int32_t type, order;
  uint64_t rows, cols;
  int64_t ld, stride;
  int32_t batch, batch_mode;
  int64_t plane;
  // grouped: batch is the number of groups, the arrays are the program's, on the device
  const void *rows_array, *cols_array, *ld_array;
  int32_t size_width, ld_width;
};
constexpr size_t kLayoutSmall = offsetof(MatrixLayout, rows_array);
static_assert(kLayoutSmall == 64 && sizeof(MatrixLayout) <= 112, "fits every release's struct");

struct Preference {
  Head head;
  int32_t search, reduction_mask;
  uint64_t workspace;
  uint32_t align_a, align_b, align_c, align_d;
  float waves;
  uint32_t math_mask;  // CUDA 11, like the other masks
  uint64_t impl_mask;
  union {
    struct {
      uint32_t gaussian_mask, pointer_mask, epilogue_mask;
      int32_t sm_count;
    };
    struct {  // CUDA 13
      int64_t average_k, average_rows, average_cols;
    };
  };
};
constexpr size_t kPreferenceSmall = offsetof(Preference, gaussian_mask);
static_assert(kPreferenceSmall <= 64 && sizeof(Preference) <= 96, "fits every release's struct");

struct TransformDesc {
  Head head;
  int32_t scale_type, pointer_mode, transa, transb;
};
static_assert(sizeof(TransformDesc) <= 64, "fits the struct");

struct EmulationDesc {
  Head head;
  int32_t strategy, special_values = 0xffff, mantissa_control, max_mantissa_bits, mantissa_bit_offset, pad;
  void* mantissa_bit_count;
};
static_assert(sizeof(EmulationDesc) <= 64, "fits the struct");

// An algorithm is a class of problems and settings: it means the same in every process. Which of the backend's own
// algorithms it stands for is found again for each problem, by ``rank``.
struct Algo {
  uint32_t magic;                    // kAlgoMagic; all bits set: "any", as NVIDIA takes it
  uint8_t rank;                      // which of the results of the backend's heuristic
  uint8_t a, b, c;                   // element types: CUDA's numbers
  uint8_t d, compute, scale, align;  // align: log2 of what the matrices' pointers and strides are multiples of
  int32_t id, tile, split_k, reduction, swizzle, custom, stages;
  uint16_t inner, cluster, ten, reserved;
  uint64_t workspace;  // that it needs
  uint64_t limit;      // of workspace, of the question that it answers: ``rank`` counts among the answers
};
constexpr uint32_t kAlgoMagic = 0x53584c54;
static_assert(sizeof(Algo) <= sizeof(cublasLtMatmulAlgo_t), "fits the struct");

// Sets the defaults; false when ``size`` is too small for what every release has.
bool init(MatmulDesc* desc, size_t size, int compute_type, int scale_type);
bool init(MatrixLayout* layout, size_t size, int type, uint64_t rows, uint64_t cols, int64_t ld);
bool init(Preference* preference, size_t size);
bool init(TransformDesc* desc, size_t size, int scale_type);
bool init(EmulationDesc* desc, size_t size);
void rehash(MatmulDesc* desc);
void rehash(MatrixLayout* layout);

template <class State>
bool good(const State* state) {
  return state != nullptr && state->head.magic == kMagic;
}
inline const MatmulDesc* state_of(const cublasLtMatmulDescOpaque_t* p) {
  return reinterpret_cast<const MatmulDesc*>(p);
}
inline MatmulDesc* state_of(cublasLtMatmulDescOpaque_t* p) { return reinterpret_cast<MatmulDesc*>(p); }
inline MatrixLayout* state_of(cublasLtMatrixLayoutOpaque_t* p) { return reinterpret_cast<MatrixLayout*>(p); }
inline Preference* state_of(cublasLtMatmulPreferenceOpaque_t* p) { return reinterpret_cast<Preference*>(p); }
inline TransformDesc* state_of(cublasLtMatrixTransformDescOpaque_t* p) { return reinterpret_cast<TransformDesc*>(p); }
inline EmulationDesc* state_of(cublasLtEmulationDescOpaque_t* p) { return reinterpret_cast<EmulationDesc*>(p); }

}  // namespace sx_lt
