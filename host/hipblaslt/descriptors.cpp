// Descriptors and preferences: hipBLASLt validates almost nothing here. One table per kind says which attribute each
// release has, how wide it is and whether its getter knows it.
#include <cstddef>
#include <new>

#include "lt.h"

namespace sx::lt {

namespace {

struct Attribute {
  int id, since, removed;
  size_t size, offset;
  int readable;  // the first release whose getter answers it; 0: none does
};

#define SX_AT(T, member) sizeof(T::member), offsetof(T, member)

constexpr int always = 1;
const Attribute layout_attributes[] = {
    {HIPBLASLT_MATRIX_LAYOUT_BATCH_COUNT, 0, 0, SX_AT(Layout, batch), always},
    {HIPBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, 0, 0, SX_AT(Layout, stride), always},
    {HIPBLASLT_MATRIX_LAYOUT_TYPE, 0, 0, SX_AT(Layout, type), 0},
    {HIPBLASLT_MATRIX_LAYOUT_ORDER, 0, 0, SX_AT(Layout, order), 0},
    {HIPBLASLT_MATRIX_LAYOUT_ROWS, 0, 0, SX_AT(Layout, rows), 0},
    {HIPBLASLT_MATRIX_LAYOUT_COLS, 0, 0, SX_AT(Layout, cols), 0},
    {HIPBLASLT_MATRIX_LAYOUT_LD, 0, 0, SX_AT(Layout, ld), 0},
    {HIPBLASLT_MATRIX_LAYOUT_BATCH_MODE, 1000, 0, SX_AT(Layout, batch_mode), 1000},
};

// 102 and 103 changed their meaning with 7.0.
const Attribute desc_attributes[] = {
    {HIPBLASLT_MATMUL_DESC_TRANSA, 0, 0, SX_AT(Desc, trans_a), always},
    {HIPBLASLT_MATMUL_DESC_TRANSB, 0, 0, SX_AT(Desc, trans_b), always},
    {HIPBLASLT_MATMUL_DESC_EPILOGUE, 0, 0, SX_AT(Desc, epilogue), always},
    {HIPBLASLT_MATMUL_DESC_BIAS_POINTER, 0, 0, SX_AT(Desc, bias), always},
    {HIPBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, 0, 0, SX_AT(Desc, bias_type), always},
    {HIPBLASLT_MATMUL_DESC_A_SCALE_POINTER, 0, 0, SX_AT(Desc, scale_a), always},
    {HIPBLASLT_MATMUL_DESC_B_SCALE_POINTER, 0, 0, SX_AT(Desc, scale_b), always},
    {HIPBLASLT_MATMUL_DESC_C_SCALE_POINTER, 0, 0, SX_AT(Desc, scale_c), 0},
    {HIPBLASLT_MATMUL_DESC_D_SCALE_POINTER, 0, 0, SX_AT(Desc, scale_d), 0},
    {HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, 0, 0, SX_AT(Desc, scale_aux), 0},
    {HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, 0, 0, SX_AT(Desc, aux), 0},
    {HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, 0, 0, SX_AT(Desc, aux_ld), 0},
    {HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, 0, 0, SX_AT(Desc, aux_stride), 0},
    {HIPBLASLT_MATMUL_DESC_POINTER_MODE, 0, 0, sizeof(int32_t), offsetof(Desc, pointer_mode), always},
    {HIPBLASLT_MATMUL_DESC_AMAX_D_POINTER, 602, 0, SX_AT(Desc, amax_d), always},
    {HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, 700, 0, SX_AT(Desc, aux_type), always},
    {HIPBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, 1000, 0, SX_AT(Desc, bias_stride), always},
    {HIPBLASLT_MATMUL_DESC_A_SCALE_MODE, 700, 0, SX_AT(Desc, mode_a), always},
    {HIPBLASLT_MATMUL_DESC_B_SCALE_MODE, 700, 0, SX_AT(Desc, mode_b), always},
    {HIPBLASLT_MATMUL_DESC_SM_COUNT_TARGET, 1000, 0, SX_AT(Desc, sm_count), always},
    {HIPBLASLT_MATMUL_DESC_COMPUTE_INPUT_TYPE_A_EXT, 0, 0, SX_AT(Desc, input_a), always},
    {HIPBLASLT_MATMUL_DESC_COMPUTE_INPUT_TYPE_B_EXT, 0, 0, SX_AT(Desc, input_b), always},
    {102, 603, 700, SX_AT(Desc, scale_a), always},
    {103, 603, 700, SX_AT(Desc, scale_b), always},
    {HIPBLASLT_MATMUL_DESC_EPILOGUE_ACT_ARG0_EXT, 700, 0, SX_AT(Desc, act0), 0},
    {HIPBLASLT_MATMUL_DESC_EPILOGUE_ACT_ARG1_EXT, 700, 0, SX_AT(Desc, act1), 0},
};

template <size_t N>
const Attribute* find(const Attribute (&table)[N], int id) {
  for (const Attribute& a : table)
    if (a.id == id && a.since <= release() && (a.removed == 0 || release() < a.removed)) return &a;
  return nullptr;
}

template <size_t N>
hipblasStatus_t set(const Attribute (&table)[N], void* object, int id, const void* buf, size_t size) {
  if (!object) return HIPBLAS_STATUS_NOT_INITIALIZED;
  if (!buf || size == 0) return HIPBLAS_STATUS_INVALID_VALUE;
  const Attribute* a = find(table, id);
  if (!a || size < a->size) return HIPBLAS_STATUS_INVALID_VALUE;
  memcpy(static_cast<char*>(object) + a->offset, buf, a->size);
  return HIPBLAS_STATUS_SUCCESS;
}

template <size_t N>
hipblasStatus_t get(const Attribute (&table)[N], const void* object, int id, void* buf, size_t size, size_t* written) {
  if (!object) return HIPBLAS_STATUS_NOT_INITIALIZED;
  if ((size == 0 && !written) || (size != 0 && !buf)) return HIPBLAS_STATUS_INVALID_VALUE;
  const Attribute* a = find(table, id);
  if (!a || a->readable == 0 || release() < a->readable) return HIPBLAS_STATUS_INVALID_VALUE;
  if (written) *written = a->size;
  if (size < a->size) return HIPBLAS_STATUS_INVALID_VALUE;  // also when only the size was asked for
  memcpy(buf, static_cast<const char*>(object) + a->offset, a->size);
  return HIPBLAS_STATUS_SUCCESS;
}

// ---- the matmul descriptor --------------------------------------------------------------------------------
bool creatable(int32_t compute) {
  switch (compute) {
    case HIPBLAS_COMPUTE_16F:
      return release() >= 604;
    case HIPBLAS_COMPUTE_32F:
    case HIPBLAS_COMPUTE_32F_FAST_16F:
    case HIPBLAS_COMPUTE_32F_FAST_16BF:
    case HIPBLAS_COMPUTE_32F_FAST_TF32:
    case HIPBLAS_COMPUTE_64F:
    case HIPBLAS_COMPUTE_32I:
      return true;
    default:  // 100-103: 8-bit products of FNUZ types; 104-107: of OCP types
      return compute >= 100 && compute <= (release() >= 603 ? 107 : 103);
  }
}

bool scale_type_known(int32_t type) {
  if (type == HIP_R_32F || type == HIP_R_64F || type == HIP_R_32I) return true;
  return release() >= 1000 && (type == HIP_C_32F || type == HIP_C_64F);
}

// Input types named one by one turn 32F into one of the fast compute types.
int32_t compute_of(const Desc& d) {
  if (d.compute_at_creation != HIPBLAS_COMPUTE_32F) return d.compute_at_creation;
  struct Pair {
    int32_t a, b, compute;
  };
  static const Pair pairs[] = {
      {HIP_R_16F, HIP_R_16F, HIPBLAS_COMPUTE_32F_FAST_16F},
      {HIP_R_16BF, HIP_R_16BF, HIPBLAS_COMPUTE_32F_FAST_16BF},
      {HIP_R_8F_E4M3_FNUZ, HIP_R_8F_E4M3_FNUZ, 100},
      {HIP_R_8F_E5M2_FNUZ, HIP_R_8F_E5M2_FNUZ, 101},
      {HIP_R_8F_E4M3_FNUZ, HIP_R_8F_E5M2_FNUZ, 102},
      {HIP_R_8F_E5M2_FNUZ, HIP_R_8F_E4M3_FNUZ, 103},
      {HIP_R_8F_E4M3, HIP_R_8F_E4M3, 104},
      {HIP_R_8F_E5M2, HIP_R_8F_E5M2, 105},
      {HIP_R_8F_E4M3, HIP_R_8F_E5M2, 106},
      {HIP_R_8F_E5M2, HIP_R_8F_E4M3, 107},
  };
  for (const Pair& p : pairs)
    if (p.a == d.input_a && p.b == d.input_b) return p.compute;
  return d.compute_at_creation;
}

hipblasStatus_t desc_create(hipblasLtMatmulDesc_t* out, int32_t compute, int32_t scale_type) {
  if (!out) return HIPBLAS_STATUS_INVALID_VALUE;
  *out = nullptr;
  if (!creatable(compute) || !scale_type_known(scale_type)) return HIPBLAS_STATUS_INVALID_VALUE;
  auto* d = new Desc;
  d->compute = d->compute_at_creation = compute;
  d->scale_type = scale_type;
  *out = reinterpret_cast<hipblasLtMatmulDesc_t>(d);
  return HIPBLAS_STATUS_SUCCESS;
}

hipblasStatus_t desc_set(Desc* d, int id, const void* buf, size_t size) {
  if (d && buf && release() >= 700 && size >= sizeof(int32_t) && (id == 31 || id == 32)) {
    int32_t mode;
    memcpy(&mode, buf, sizeof mode);
    const bool known = mode == HIPBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F ||
                       mode == HIPBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0 ||
                       mode == HIPBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F;
    if (!known) return HIPBLAS_STATUS_INVALID_VALUE;
  }
  const hipblasStatus_t status = set(desc_attributes, d, id, buf, size);
  if (status != HIPBLAS_STATUS_SUCCESS) return status;
  if (id == HIPBLASLT_MATMUL_DESC_A_SCALE_POINTER) d->vec_a = false;
  if (id == HIPBLASLT_MATMUL_DESC_B_SCALE_POINTER) d->vec_b = false;
  if (id == 102 && release() < 700) d->vec_a = true;
  if (id == 103 && release() < 700) d->vec_b = true;
  d->compute = compute_of(*d);
  return status;
}

// The getter of the pointer mode copies 8 bytes after checking for 4; a scale mode that was never set is no value.
hipblasStatus_t desc_get(const Desc* d, int id, void* buf, size_t size, size_t* written) {
  const hipblasStatus_t status = get(desc_attributes, d, id, buf, size, written);
  const bool scale_mode = id == HIPBLASLT_MATMUL_DESC_A_SCALE_MODE || id == HIPBLASLT_MATMUL_DESC_B_SCALE_MODE;
  if (status == HIPBLAS_STATUS_SUCCESS && scale_mode &&
      (id == HIPBLASLT_MATMUL_DESC_A_SCALE_MODE ? d->mode_a : d->mode_b) < 0)
    return HIPBLAS_STATUS_INVALID_VALUE;
  if (status == HIPBLAS_STATUS_SUCCESS && id == HIPBLASLT_MATMUL_DESC_POINTER_MODE &&
      quirk(Quirk::lt_pointer_mode_get_writes_8))
    memcpy(buf, &d->pointer_mode, sizeof d->pointer_mode);
  return status;
}

// ---- preferences: the size is not looked at ----------------------------------------------------------------
hipblasStatus_t pref_set(Preference* p, int attribute, const void* data, size_t size) {
  if (!data || !p || size == 0) return HIPBLAS_STATUS_INVALID_VALUE;
  if (attribute == HIPBLASLT_MATMUL_PREF_SEARCH_MODE) {
    memcpy(&p->search_mode, data, sizeof p->search_mode);
  } else if (attribute == HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES) {
    memcpy(&p->max_workspace, data, sizeof p->max_workspace);
  } else if (attribute == 2 && release() >= 1000) {
    int32_t count;
    memcpy(&count, data, sizeof count);
    if (count < 0) return HIPBLAS_STATUS_INVALID_VALUE;
    p->sm_count = count;
  } else {
    return HIPBLAS_STATUS_INVALID_VALUE;
  }
  return HIPBLAS_STATUS_SUCCESS;
}

hipblasStatus_t pref_get(const Preference* p, int attribute, void* data, size_t size, size_t* written) {
  if (!data || !p || size == 0) return HIPBLAS_STATUS_INVALID_VALUE;
  const auto answer = [&](const auto& value) {
    if (written) *written = sizeof value;
    memcpy(data, &value, sizeof value);
    return HIPBLAS_STATUS_SUCCESS;
  };
  if (attribute == HIPBLASLT_MATMUL_PREF_SEARCH_MODE) return answer(p->search_mode);
  if (attribute == HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES) return answer(p->max_workspace);
  if (attribute == 2 && release() >= 1000) return answer(p->sm_count);
  return HIPBLAS_STATUS_INVALID_VALUE;
}

// ---- the transform descriptor: every value is an int32_t ---------------------------------------------------
int32_t* transform_value(TransformDesc* d, int attribute) {
  switch (attribute) {
    case HIPBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE:
      return &d->scale_type;
    case HIPBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE:
      return &d->pointer_mode;
    case HIPBLASLT_MATRIX_TRANSFORM_DESC_TRANSA:
      return &d->trans_a;
    case HIPBLASLT_MATRIX_TRANSFORM_DESC_TRANSB:
      return &d->trans_b;
  }
  return nullptr;
}

template <class T>
hipblasStatus_t destroy(T* object, hipblasStatus_t if_null) {
  if (!object) return if_null;
  delete object;
  return HIPBLAS_STATUS_SUCCESS;
}

}  // namespace
}  // namespace sx::lt

using namespace sx::lt;

extern "C" {

hipblasStatus_t hipblasLtMatrixLayoutCreate(hipblasLtMatrixLayout_t* layout, hipDataType type, uint64_t rows,
                                            uint64_t cols, int64_t ld) try {
  if (!layout) return HIPBLAS_STATUS_INVALID_VALUE;
  auto* made = new Layout;
  made->rows = rows, made->cols = cols, made->ld = ld, made->type = type;
  *layout = reinterpret_cast<hipblasLtMatrixLayout_t>(made);
  return HIPBLAS_STATUS_SUCCESS;
} catch (...) {
  return failure();
}
hipblasStatus_t hipblasLtMatrixLayoutDestroy(const hipblasLtMatrixLayout_t layout) {
  return destroy(of(layout), HIPBLAS_STATUS_INVALID_VALUE);
}
hipblasStatus_t hipblasLtMatrixLayoutSetAttribute(hipblasLtMatrixLayout_t layout, hipblasLtMatrixLayoutAttribute_t attr,
                                                  const void* buf, size_t size) {
  return set(layout_attributes, of(layout), attr, buf, size);
}
hipblasStatus_t hipblasLtMatrixLayoutGetAttribute(hipblasLtMatrixLayout_t layout, hipblasLtMatrixLayoutAttribute_t attr,
                                                  void* buf, size_t size, size_t* written) {
  return get(layout_attributes, of(layout), attr, buf, size, written);
}

hipblasStatus_t hipblasLtMatmulDescCreate(hipblasLtMatmulDesc_t* desc, hipblasComputeType_t compute,
                                          hipDataType scale_type) try {
  return desc_create(desc, compute, scale_type);
} catch (...) {
  return failure();
}
hipblasStatus_t hipblasLtMatmulDescDestroy(const hipblasLtMatmulDesc_t desc) {
  return destroy(of(desc), HIPBLAS_STATUS_INVALID_VALUE);
}
hipblasStatus_t hipblasLtMatmulDescSetAttribute(hipblasLtMatmulDesc_t desc, hipblasLtMatmulDescAttributes_t attr,
                                                const void* buf, size_t size) {
  return desc_set(of(desc), attr, buf, size);
}
hipblasStatus_t hipblasLtMatmulDescGetAttribute(hipblasLtMatmulDesc_t desc, hipblasLtMatmulDescAttributes_t attr,
                                                void* buf, size_t size, size_t* written) {
  return desc_get(of(desc), attr, buf, size, written);
}

hipblasStatus_t hipblasLtMatmulPreferenceCreate(hipblasLtMatmulPreference_t* pref) try {
  if (!pref) return HIPBLAS_STATUS_NOT_INITIALIZED;
  *pref = reinterpret_cast<hipblasLtMatmulPreference_t>(new Preference);
  return HIPBLAS_STATUS_SUCCESS;
} catch (...) {
  return failure();
}
hipblasStatus_t hipblasLtMatmulPreferenceDestroy(const hipblasLtMatmulPreference_t pref) {
  return destroy(of(pref), HIPBLAS_STATUS_INVALID_VALUE);
}
hipblasStatus_t hipblasLtMatmulPreferenceSetAttribute(hipblasLtMatmulPreference_t pref,
                                                      hipblasLtMatmulPreferenceAttributes_t attr, const void* buf,
                                                      size_t size) {
  return pref_set(of(pref), attr, buf, size);
}
hipblasStatus_t hipblasLtMatmulPreferenceGetAttribute(hipblasLtMatmulPreference_t pref,
                                                      hipblasLtMatmulPreferenceAttributes_t attr, void* buf,
                                                      size_t size, size_t* written) {
  return pref_get(of(pref), attr, buf, size, written);
}

// NULL arguments are faults in the library.
hipblasStatus_t hipblasLtMatrixTransformDescCreate(hipblasLtMatrixTransformDesc_t* desc, hipDataType scale_type) try {
  if (!desc) return HIPBLAS_STATUS_INVALID_VALUE;
  auto* made = new TransformDesc;
  made->scale_type = scale_type;
  *desc = reinterpret_cast<hipblasLtMatrixTransformDesc_t>(made);
  return HIPBLAS_STATUS_SUCCESS;
} catch (...) {
  return failure();
}
hipblasStatus_t hipblasLtMatrixTransformDescDestroy(hipblasLtMatrixTransformDesc_t desc) {
  return destroy(of(desc), HIPBLAS_STATUS_SUCCESS);
}
hipblasStatus_t hipblasLtMatrixTransformDescSetAttribute(hipblasLtMatrixTransformDesc_t desc,
                                                         hipblasLtMatrixTransformDescAttributes_t attr, const void* buf,
                                                         size_t size) {
  if (!buf || size != sizeof(int32_t) || !desc) return HIPBLAS_STATUS_INVALID_VALUE;
  int32_t* value = transform_value(of(desc), attr);
  if (!value) return HIPBLAS_STATUS_INVALID_VALUE;
  memcpy(value, buf, sizeof *value);
  return HIPBLAS_STATUS_SUCCESS;
}
hipblasStatus_t hipblasLtMatrixTransformDescGetAttribute(hipblasLtMatrixTransformDesc_t desc,
                                                         hipblasLtMatrixTransformDescAttributes_t attr, void* buf,
                                                         size_t size, size_t* written) {
  if (!written || size != sizeof(int32_t) || !buf || !desc) return HIPBLAS_STATUS_INVALID_VALUE;
  const int32_t* value = transform_value(of(desc), attr);
  if (!value) return HIPBLAS_STATUS_INVALID_VALUE;
  memcpy(buf, value, sizeof *value);
  *written = sizeof *value;
  return HIPBLAS_STATUS_SUCCESS;
}

}  // extern "C"
