// Descriptors: made, initialised in the caller's memory, read and changed. Nothing of the backend is touched.
#include <stdlib.h>
#include <string.h>

#include <new>

#include "attributes.h"
#include "native.h"

namespace sx_lt {
namespace {

// The state with its first bytes, and as many as the caller has room for, set from ``full``.
template <class State>
bool place(State* to, size_t size, State full, size_t least) {
  if (size < least) return false;
  const size_t bytes = size < sizeof(State) ? size : sizeof(State);
  full.head.size = static_cast<uint16_t>(bytes);
  full.head.magic = kMagic;
  memcpy(static_cast<void*>(to), &full, bytes);
  return true;
}

uint32_t mix(uint32_t hash, const void* data, size_t bytes) {
  const auto* p = static_cast<const unsigned char*>(data);
  uint64_t h = hash ^ 0x9e3779b97f4a7c15u;
  for (; bytes >= 8; bytes -= 8, p += 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    h = (h ^ word) * 0xff51afd7ed558ccdu;
    h ^= h >> 32;
  }
  for (; bytes > 0; --bytes, ++p) h = (h ^ *p) * 0x100000001b3u;
  return static_cast<uint32_t>(h ^ (h >> 29));
}

uint32_t presence(const MatmulDesc& d) {
  const void* const pointers[] = {d.bias,    d.aux,    d.a_scale,   d.b_scale,  d.c_scale,
                                  d.d_scale, d.amax_d, d.aux_scale, d.aux_amax, d.d_out_scale};
  uint32_t bits = 0, bit = 1;
  for (const void* p : pointers) {
    if (p != nullptr) bits |= bit;
    bit <<= 1;
  }
  return bits;
}

MatmulDesc default_desc(int compute_type, int scale_type) {
  MatmulDesc s{};
  s.compute_type = compute_type;
  s.scale_type = scale_type;
  s.fill_mode = CUBLAS_FILL_MODE_FULL;
  s.epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  s.aux_type = s.bias_type = -1;
  return s;
}

MatrixLayout default_layout(int type, uint64_t rows, uint64_t cols, int64_t ld) {
  MatrixLayout s{};
  s.type = type;
  s.rows = rows;
  s.cols = cols;
  s.ld = ld;
  s.batch = 1;
  return s;
}

Preference default_preference() {
  Preference s{};
  s.reduction_mask = CUBLASLT_REDUCTION_SCHEME_MASK;
  s.align_a = s.align_b = s.align_c = s.align_d = 256;
  s.impl_mask = ~uint64_t{0};
  return s;
}

}  // namespace

// A struct with less room than all members gets its hash when it is completed: see collect.
void rehash(MatmulDesc* s) {
  if (s->head.size < sizeof *s) return;
  s->present = presence(*s);
  const auto* const bytes = reinterpret_cast<const char*>(s);
  const uint32_t hash = mix(0, bytes + kPlainBegin, kPlainEnd - kPlainBegin);
  s->head.hash = mix(hash, bytes + kPlain2Begin, kPlain2End - kPlain2Begin);
}

void rehash(MatrixLayout* s) {
  s->head.hash = mix(1, reinterpret_cast<const char*>(s) + sizeof(Head), kLayoutSmall - sizeof(Head));
}

bool init(MatmulDesc* s, size_t size, int compute_type, int scale_type) {
  if (!place(s, size, default_desc(compute_type, scale_type), kDescLeast)) return false;
  rehash(s);
  return true;
}

bool init(MatrixLayout* s, size_t size, int type, uint64_t rows, uint64_t cols, int64_t ld) {
  if (!place(s, size, default_layout(type, rows, cols, ld), kLayoutSmall)) return false;
  rehash(s);
  return true;
}

bool init(Preference* s, size_t size) { return place(s, size, default_preference(), 64); }

bool init(TransformDesc* s, size_t size, int scale_type) {
  TransformDesc full{};
  full.scale_type = scale_type;
  return place(s, size, full, 64);
}

bool init(EmulationDesc* s, size_t size) { return place(s, size, EmulationDesc{}, 64); }

namespace {

constexpr auto kFine = CUBLAS_STATUS_SUCCESS;
constexpr auto kBad = CUBLAS_STATUS_INVALID_VALUE;

// A struct of its own, destroyed by free.
template <class Opaque, class Make>
cublasStatus_t create(Opaque** out, Make make) {
  if (out == nullptr) return kBad;
  void* const memory = calloc(1, 256);
  if (memory == nullptr) return CUBLAS_STATUS_ALLOC_FAILED;
  *out = static_cast<Opaque*>(memory);
  make(state_of(*out));
  return kFine;
}

template <class Opaque>
cublasStatus_t destroy(Opaque* p) {
  if (p == nullptr) return kFine;
  if (!good(state_of(p))) return kBad;
  state_of(p)->head.magic = 0;
  free(p);
  return kFine;
}

template <class Opaque>
cublasStatus_t get(Kind kind, Opaque* p, const void* fallback, int attr, void* buf, size_t size, size_t* written) {
  auto* const state = state_of(p);
  if (!good(state)) return kBad;
  return get_attribute(kind, state, state->head.size, fallback, attr, buf, size, written);
}

template <class Opaque>
cublasStatus_t set(Kind kind, Opaque* p, int attr, const void* buf, size_t size) {
  auto* const state = state_of(p);
  if (!good(state)) return kBad;
  return set_attribute(kind, state, state->head.size, attr, buf, size);
}

cublasStatus_t grouped(MatrixLayout* s, size_t size, int type, int groups, const void* rows, const void* cols,
                       const void* ld) {
  if (!place(s, size, default_layout(type, 0, 0, 0), sizeof(MatrixLayout))) return CUBLAS_STATUS_ALLOC_FAILED;
  s->batch = groups;
  s->batch_mode = CUBLASLT_BATCH_MODE_GROUPED;
  s->rows_array = rows;
  s->cols_array = cols;
  s->ld_array = ld;
  rehash(s);
  return kFine;
}

}  // namespace
}  // namespace sx_lt

using namespace sx_lt;

// ---- MatmulDesc -----------------------------------------------------------------------------------------------------

cublasStatus_t sx_matmul_desc_create(cublasLtMatmulDesc_t* desc, cublasComputeType_t compute, cudaDataType_t scale) {
  return create(desc, [=](MatmulDesc* s) { init(s, 256, compute, scale); });
}
cublasStatus_t sx_matmul_desc_init(cublasLtMatmulDesc_t desc, size_t size, cublasComputeType_t compute,
                                   cudaDataType_t scale) {
  return init(state_of(desc), size, compute, scale) ? kFine : CUBLAS_STATUS_ALLOC_FAILED;
}
cublasStatus_t sx_matmul_desc_destroy(cublasLtMatmulDesc_t desc) { return destroy(desc); }
cublasStatus_t sx_matmul_desc_get(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t attr, void* buf,
                                  size_t size, size_t* written) {
  const MatmulDesc fallback = default_desc(0, 0);
  return get(Kind::MatmulDesc, desc, &fallback, attr, buf, size, written);
}
cublasStatus_t sx_matmul_desc_set(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t attr, const void* buf,
                                  size_t size) {
  const cublasStatus_t status = set(Kind::MatmulDesc, desc, attr, buf, size);
  if (status == kFine) rehash(state_of(desc));
  return status;
}

// ---- MatrixLayout ---------------------------------------------------------------------------------------------------

cublasStatus_t sx_layout_create(cublasLtMatrixLayout_t* layout, cudaDataType type, uint64_t rows, uint64_t cols,
                                int64_t ld) {
  return create(layout, [=](MatrixLayout* s) { init(s, 256, type, rows, cols, ld); });
}
cublasStatus_t sx_layout_init(cublasLtMatrixLayout_t layout, size_t size, cudaDataType type, uint64_t rows,
                              uint64_t cols, int64_t ld) {
  return init(state_of(layout), size, type, rows, cols, ld) ? kFine : CUBLAS_STATUS_ALLOC_FAILED;
}
cublasStatus_t sx_layout_destroy(cublasLtMatrixLayout_t layout) { return destroy(layout); }
cublasStatus_t sx_layout_get(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attr, void* buf,
                             size_t size, size_t* written) {
  const MatrixLayout fallback = default_layout(0, 0, 0, 0);
  return get(Kind::MatrixLayout, layout, &fallback, attr, buf, size, written);
}
cublasStatus_t sx_layout_set(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attr, const void* buf,
                             size_t size) {
  const cublasStatus_t status = set(Kind::MatrixLayout, layout, attr, buf, size);
  if (status == kFine) rehash(state_of(layout));
  return status;
}
cublasStatus_t sx_grouped_layout_create(cublasLtMatrixLayout_t* layout, cudaDataType type, int groups, const void* rows,
                                        const void* cols, const void* ld) {
  return create(layout, [=](MatrixLayout* s) { grouped(s, 256, type, groups, rows, cols, ld); });
}
cublasStatus_t sx_grouped_layout_init(cublasLtMatrixLayout_t layout, size_t size, cudaDataType type, int groups,
                                      const void* rows, const void* cols, const void* ld) {
  return grouped(state_of(layout), size, type, groups, rows, cols, ld);
}

// ---- Preference -----------------------------------------------------------------------------------------------------

cublasStatus_t sx_preference_create(cublasLtMatmulPreference_t* preference) {
  return create(preference, [](Preference* s) { init(s, 256); });
}
cublasStatus_t sx_preference_init(cublasLtMatmulPreference_t preference, size_t size) {
  return init(state_of(preference), size) ? kFine : CUBLAS_STATUS_ALLOC_FAILED;
}
cublasStatus_t sx_preference_destroy(cublasLtMatmulPreference_t preference) { return destroy(preference); }
cublasStatus_t sx_preference_get(cublasLtMatmulPreference_t preference, cublasLtMatmulPreferenceAttributes_t attr,
                                 void* buf, size_t size, size_t* written) {
  const Preference fallback = default_preference();
  return get(Kind::Preference, preference, &fallback, attr, buf, size, written);
}
cublasStatus_t sx_preference_set(cublasLtMatmulPreference_t preference, cublasLtMatmulPreferenceAttributes_t attr,
                                 const void* buf, size_t size) {
  return set(Kind::Preference, preference, attr, buf, size);
}

// ---- TransformDesc --------------------------------------------------------------------------------------------------

cublasStatus_t sx_transform_desc_create(cublasLtMatrixTransformDesc_t* desc, cudaDataType scale) {
  return create(desc, [=](TransformDesc* s) { init(s, 256, scale); });
}
cublasStatus_t sx_transform_desc_init(cublasLtMatrixTransformDesc_t desc, size_t size, cudaDataType scale) {
  return init(state_of(desc), size, scale) ? kFine : CUBLAS_STATUS_ALLOC_FAILED;
}
cublasStatus_t sx_transform_desc_destroy(cublasLtMatrixTransformDesc_t desc) { return destroy(desc); }
cublasStatus_t sx_transform_desc_get(cublasLtMatrixTransformDesc_t desc, cublasLtMatrixTransformDescAttributes_t attr,
                                     void* buf, size_t size, size_t* written) {
  const TransformDesc fallback{};
  return get(Kind::TransformDesc, desc, &fallback, attr, buf, size, written);
}
cublasStatus_t sx_transform_desc_set(cublasLtMatrixTransformDesc_t desc, cublasLtMatrixTransformDescAttributes_t attr,
                                     const void* buf, size_t size) {
  return set(Kind::TransformDesc, desc, attr, buf, size);
}

// ---- EmulationDesc: how NVIDIA's hardware emulates wider types; kept, of no effect on results here
// --------------------

cublasStatus_t sx_emulation_create(cublasLtEmulationDesc_t* desc) {
  return create(desc, [](EmulationDesc* s) { init(s, 256); });
}
// Measured: unlike the other structs, the size is looked at before the pointer.
cublasStatus_t sx_emulation_init(cublasLtEmulationDesc_t desc, size_t size) {
  if (size < 64) return CUBLAS_STATUS_ALLOC_FAILED;
  return desc != nullptr && init(state_of(desc), size) ? kFine : kBad;
}
cublasStatus_t sx_emulation_destroy(cublasLtEmulationDesc_t desc) { return destroy(desc); }
cublasStatus_t sx_emulation_get(cublasLtEmulationDesc_t desc, cublasLtEmulationDescAttributes_t attr, void* buf,
                                size_t size, size_t* written) {
  const EmulationDesc fallback{};
  return get(Kind::EmulationDesc, desc, &fallback, attr, buf, size, written);
}
cublasStatus_t sx_emulation_set(cublasLtEmulationDesc_t desc, cublasLtEmulationDescAttributes_t attr, const void* buf,
                                size_t size) {
  return set(Kind::EmulationDesc, desc, attr, buf, size);
}
