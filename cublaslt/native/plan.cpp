#include "plan.h"

#include <string.h>

namespace sx_lt {
namespace {

void write_key(sx_lt_plan* plan, const Call& c, int device) {
  auto* key = reinterpret_cast<char*>(plan->key);
  const auto put = [&](const void* p, size_t n) {
    memcpy(key, p, n);
    key += n;
  };
  const auto* desc = reinterpret_cast<const char*>(c.desc);
  put(desc + kPlainBegin, kFirst);
  put(desc + kPlain2Begin, kSecond);
  for (const MatrixLayout* x : {c.a, c.b, c.c, c.d}) put(reinterpret_cast<const char*>(x) + sizeof(Head), kLayout);
  plan->device = device;
}

bool arch_begins(const char* name) { return strncmp(sx_rocm->arch, name, strlen(name)) == 0; }

// hipBLASLt has no pedantic types, reads single-precision scalars for 16-bit ones, and only some chips have TF32.
hipblasComputeType_t native_compute(const Problem& p) {
  switch (p.acc) {
    case CUDA_R_64F:
    case CUDA_C_64F:
      return HIPBLAS_COMPUTE_64F;
    case CUDA_R_32I:
      return HIPBLAS_COMPUTE_32I;
    default:
      break;
  }
  const bool tf32 = p.compute == CUBLAS_COMPUTE_32F_FAST_TF32 && p.a.type == CUDA_R_32F;
  return tf32 && arch_begins("gfx94") ? HIPBLAS_COMPUTE_32F_FAST_TF32 : HIPBLAS_COMPUTE_32F;
}

hipDataType native_scale(const Problem& p) {
  return p.acc == CUDA_R_64F ? HIP_R_64F : p.acc == CUDA_R_32I ? HIP_R_32I : HIP_R_32F;
}

// The part of an epilogue that hipBLASLt does as NVIDIA does. Its ReLU makes 0 of NaN, and its ReLU's auxiliary matrix
// is no bit mask.
int32_t native_part(int32_t e) {
  switch (e) {
    case 2:
    case 130:
    case 136:
    case 152:
      return HIPBLASLT_EPILOGUE_DEFAULT;
    case 6:
    case 134:
      return HIPBLASLT_EPILOGUE_BIAS;
    default:
      return e;
  }
}

bool native_possible(const Problem& p, const MatmulDesc& d, int32_t epilogue) {
  const sx_rocm_table& r = *sx_rocm;
  if (!r.hipblasLtMatmul || !r.hipblasLtMatmulAlgoGetHeuristic || !r.hipblasLtMatmulDescCreate) return false;
  if (p.pointer_mode != CUBLASLT_POINTER_MODE_HOST || p.batch_mode != CUBLASLT_BATCH_MODE_STRIDED || p.k == 0)
    return false;
  if (p.c.type != p.d.type) return false;
  if (is_complex(p.d.type) && r.version < 1000) return false;
  if (p.acc == CUDA_R_32I && p.d.type != CUDA_R_32I) return false;
  if (p.d.type == CUDA_R_8I || p.a.type == CUDA_R_4F_E2M1) return false;
  if (is_fp8(p.a.type)) {
    // the formats of CUDA; gfx94x has others, with another bias
    if (r.version < 603 || !(arch_begins("gfx950") || arch_begins("gfx12"))) return false;
    const bool outer = p.a_mode == 3;
    if ((p.a_mode != 0 && !outer) || p.a_mode != p.b_mode || (outer && r.version < 700)) return false;
    if (d.amax_d || d.aux_amax || d.aux_scale || epilogue != p.epilogue) return false;
  }
  if (p.batch > 1) {
    if (p.a.stride < 0 || p.b.stride < 0 || p.c.stride < 0 || p.d.stride < 0 || has_gradient(epilogue)) return false;
    if ((epilogue & 4) && p.bias_stride != 0) return false;
  }
  if (p.c.ld < p.c.rows) return false;  // one column for all
  return epilogue != HIPBLASLT_EPILOGUE_GELU_AUX_BIAS || r.version >= 700;
}

template <class T>
void set(hipblasLtMatmulDesc_t desc, hipblasLtMatmulDescAttributes_t attr, T value) {
  sx_rocm->hipblasLtMatmulDescSetAttribute(desc, attr, &value, sizeof value);
}

bool make_layout(const Operand& x, const Problem& p, hipblasLtMatrixLayout_t* out) {
  const sx_rocm_table& r = *sx_rocm;
  if (r.hipblasLtMatrixLayoutCreate(out, static_cast<hipDataType>(x.type), static_cast<uint64_t>(x.rows),
                                    static_cast<uint64_t>(x.cols), x.ld) != HIPBLAS_STATUS_SUCCESS)
    return false;
  if (p.batch <= 1) return true;
  const int32_t count = p.batch;
  return r.hipblasLtMatrixLayoutSetAttribute(*out, HIPBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count) ==
             HIPBLAS_STATUS_SUCCESS &&
         r.hipblasLtMatrixLayoutSetAttribute(*out, HIPBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &x.stride,
                                             sizeof x.stride) == HIPBLAS_STATUS_SUCCESS;
}

hipblasOperation_t native_op(int32_t op) {
  return op == rocblas_operation_none ? HIPBLAS_OP_N : op == rocblas_operation_transpose ? HIPBLAS_OP_T : HIPBLAS_OP_C;
}

bool make_objects(sx_lt_plan* plan, const Route& route, const MatmulDesc& desc) {
  const Problem& p = route.problem;
  const hipDataType scale = is_complex(p.acc) ? static_cast<hipDataType>(p.acc) : native_scale(p);
  if (sx_rocm->hipblasLtMatmulDescCreate(&plan->desc, native_compute(p), scale) != HIPBLAS_STATUS_SUCCESS) return false;
  set(plan->desc, HIPBLASLT_MATMUL_DESC_TRANSA, native_op(p.a.op));
  set(plan->desc, HIPBLASLT_MATMUL_DESC_TRANSB, native_op(p.b.op));
  set(plan->desc, HIPBLASLT_MATMUL_DESC_EPILOGUE, static_cast<hipblasLtEpilogue_t>(route.native_epilogue));
  const int32_t e = route.native_epilogue;
  if ((e & 4) || has_gradient(e)) set(plan->desc, HIPBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, p.bias_type);
  if (has_aux(e)) {
    set(plan->desc, HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, p.aux_ld);
    if (p.batch > 1) set(plan->desc, HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, p.aux_stride);
  }
  if (is_fp8(p.a.type) && p.a_mode != 0) {
    set(plan->desc, HIPBLASLT_MATMUL_DESC_A_SCALE_MODE, p.a_mode);
    set(plan->desc, HIPBLASLT_MATMUL_DESC_B_SCALE_MODE, p.b_mode);
  }
  set_pointers(plan, desc);
  return make_layout(p.a, p, &plan->a) && make_layout(p.b, p, &plan->b) && make_layout(p.c, p, &plan->c) &&
         make_layout(p.d, p, &plan->d);
}

// rocBLAS's products: of these types into these, whatever the scalars are.
bool rocblas_types(const Problem& p) {
  if (p.acc == CUDA_R_32I) return p.d.type == CUDA_R_32I;
  return p.d.type == p.acc || p.d.type == p.a.type;
}

void compose(Route* r) {
  Problem& p = r->problem;
  const int32_t e = p.epilogue;
  // rocBLAS fetches scalars from the device and waits for them; the kernel reads them in the stream's order.
  const bool arrays = p.batch_mode == CUBLASLT_BATCH_MODE_POINTER_ARRAY;
  const bool scalars = p.pointer_mode == CUBLASLT_POINTER_MODE_HOST ||
                       (arrays && p.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE && p.scale_type == p.acc);
  r->widen = is_fp8(p.a.type) || p.a.type == CUDA_R_4F_E2M1;
  const bool blocks = p.a_mode != 0 && p.a_mode != 3;
  r->wide_type = blocks ? CUDA_R_32F : CUDA_R_16F;  // both hold every fp8 number
  // Rounding D first changes nothing for a ReLU and its mask; anything more is computed before D is rounded.
  const bool exact = p.d.type == p.acc || e == 1 || e == 2 || e == 130 || e == 136 || e == 152 || e >= 256;
  const bool direct = scalars && exact && !r->widen && rocblas_types(p) && p.c.ld >= p.c.rows;
  r->way = direct ? Way::Rocblas : Way::Scratch;
  r->post = !direct || (e != 1 && e < 256);
  r->sums = has_gradient(e);
}

}  // namespace

void set_pointers(sx_lt_plan* plan, const MatmulDesc& d) {
  constexpr hipblasLtMatmulDescAttributes_t kAttributes[] = {
      HIPBLASLT_MATMUL_DESC_BIAS_POINTER, HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER,
      HIPBLASLT_MATMUL_DESC_A_SCALE_POINTER, HIPBLASLT_MATMUL_DESC_B_SCALE_POINTER,
      HIPBLASLT_MATMUL_DESC_D_SCALE_POINTER};
  const Route& r = route_of(plan);
  const int32_t e = r.native_epilogue;
  const bool swapped = r.problem.swapped;
  const void* const now[] = {(e & 4) || has_gradient(e) ? d.bias : nullptr, has_aux(e) ? d.aux : nullptr,
                             swapped ? d.b_scale : d.a_scale, swapped ? d.a_scale : d.b_scale, d.d_scale};
  for (int i = 0; i < 5; ++i) {
    if (SX_LIKELY(plan->pointers[i] == now[i])) continue;
    sx_rocm->hipblasLtMatmulDescSetAttribute(plan->desc, kAttributes[i], &now[i], sizeof now[i]);
    plan->pointers[i] = now[i];
  }
}

Route composed(const Route& native) {
  Route r{};
  r.problem = native.problem;
  compose(&r);
  return r;
}

bool find_algorithms(sx_lt_thread* thread, sx_lt_plan* plan, int device, hipStream_t stream, uint64_t limit) {
  const sx_rocm_table& r = *sx_rocm;
  if (sx_lt_borrow(thread, device, stream) != 0) return false;
  hipblasLtMatmulPreference_t preference = nullptr;
  if (r.hipblasLtMatmulPreferenceCreate(&preference) != HIPBLAS_STATUS_SUCCESS) return false;
  r.hipblasLtMatmulPreferenceSetAttribute(preference, HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &limit, sizeof limit);
  int count = 0;
  const hipblasStatus_t status = r.hipblasLtMatmulAlgoGetHeuristic(
      thread->handle, plan->desc, plan->a, plan->b, plan->c, plan->d, preference, SX_LT_ALGOS, plan->algos, &count);
  r.hipblasLtMatmulPreferenceDestroy(preference);
  // some releases leave results that do not fit in the list
  plan->limit = limit;
  int kept = 0;
  for (int i = 0; status == HIPBLAS_STATUS_SUCCESS && i < count && i < SX_LT_ALGOS; ++i) {
    if (plan->algos[i].state != HIPBLAS_STATUS_SUCCESS || plan->algos[i].workspaceSize > limit) continue;
    plan->algos[kept++] = plan->algos[i];
  }
  plan->algo_count = kept;
  return kept > 0;
}

sx_lt_plan* make_plan(sx_lt_thread* thread, const Call& call, uint64_t hash, int device, hipStream_t stream,
                      uint64_t workspace, Verdict* verdict) {
  Route route{};
  *verdict = validate(call, &route.problem);
  if (verdict->status != CUBLAS_STATUS_SUCCESS) return nullptr;
  sx_lt_plan* const plan = sx_lt_plan_new(thread, hash);
  if (plan == nullptr) {
    *verdict = {CUBLAS_STATUS_ALLOC_FAILED, false};
    return nullptr;
  }
  write_key(plan, call, device);
  Problem& p = route.problem;
  route.native_epilogue = native_part(p.epilogue);
  memcpy(static_cast<void*>(plan->plan), &route, sizeof route);
  if (!p.empty && native_possible(p, *call.desc, route.native_epilogue) && make_objects(plan, route, *call.desc) &&
      find_algorithms(thread, plan, device, stream, workspace)) {
    route.way = Way::Native;
    route.post = route.native_epilogue != p.epilogue;
    route.sums = route.post && has_gradient(p.epilogue);
    route.plain = !route.post && p.scale_type != CUDA_R_16F;
  } else {
    const uint64_t kept = plan->hash;
    uint64_t key[SX_LT_KEY_BYTES / 8];
    memcpy(key, plan->key, sizeof key);
    sx_lt_plan_clear(plan);
    plan->hash = kept;
    plan->device = device;
    memcpy(plan->key, key, sizeof key);
    compose(&route);
  }
  memcpy(static_cast<void*>(plan->plan), &route, sizeof route);
  return plan;
}

}  // namespace sx_lt
