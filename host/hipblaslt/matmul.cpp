// hipblasLtMatmul and the heuristic: the checks in hipBLASLt's order, the choice of a kernel, the launch.
#include <algorithm>

#include "support.h"
#include "work.h"

namespace sx::lt {

namespace {

struct Call {
  const Desc* desc;
  const Layout *a, *b, *c, *d;
  const void *alpha, *A, *B, *beta, *C;
  void* D;
};

rocblas_operation operation(int32_t op) {
  return op == HIPBLAS_OP_T   ? rocblas_operation_transpose
         : op == HIPBLAS_OP_C ? rocblas_operation_conjugate_transpose
                              : rocblas_operation_none;
}

bool is_op(int32_t op) { return op == HIPBLAS_OP_N || op == HIPBLAS_OP_T || op == HIPBLAS_OP_C; }

// The scale kind of A or B, -1: no factor. Until 6.3 there was only a flag, whether or not there was a pointer.
int scale_kind(const Desc& d, bool first) {
  const void* pointer = first ? d.scale_a : d.scale_b;
  const bool vector = first ? d.vec_a : d.vec_b;
  const int32_t mode = first ? d.mode_a : d.mode_b;
  if (release() < 700)
    return vector ? HIPBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F : HIPBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F;
  if (!pointer) return -1;
  return mode < 0 ? HIPBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F : mode;
}

// Bits that say "not zero" to a library that reads alpha as a float, whatever it is.
bool alpha_seems_set(const void* alpha) {
  float v;
  memcpy(&v, alpha, sizeof v);
  return v != 0;
}

hipblasStatus_t check_pointers(const Call& x, const void* workspace, size_t bytes) {
  if (!x.alpha || !x.beta || !x.C || !x.D) return HIPBLAS_STATUS_INVALID_VALUE;
  const bool factor = (release() >= 700 && x.desc->pointer_mode != 0) || alpha_seems_set(x.alpha);
  if (factor && (!x.A || !x.B)) return HIPBLAS_STATUS_INVALID_VALUE;
  if (!workspace && bytes > 0) return HIPBLAS_STATUS_INVALID_VALUE;
  return x.c->type == x.d->type ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_INVALID_ENUM;
}

bool types_fit_compute(const Call& x) {
  const auto all = [&](int32_t in, int32_t out) {
    return x.a->type == in && x.b->type == in && x.c->type == out && x.d->type == out;
  };
  if (x.desc->compute == HIPBLAS_COMPUTE_32F_FAST_TF32) return all(HIP_R_32F, HIP_R_32F);
  if (x.desc->compute == HIPBLAS_COMPUTE_32I) return all(HIP_R_8I, HIP_R_32I) || all(HIP_R_8I, HIP_R_8I);
  return true;
}

hipblasStatus_t check_epilogue(const Call& x, const Epilogue& e, bool bias_may_miss, bool* valid) {
  *valid = false;
  const Desc& d = *x.desc;
  const auto rows = static_cast<i64>(x.d->rows), columns = static_cast<i64>(x.d->cols);
  if (e.bias && !d.bias && !bias_may_miss) return HIPBLAS_STATUS_INVALID_VALUE;
  if (e.aux && !d.aux) return HIPBLAS_STATUS_INVALID_VALUE;
  const i64 ld = d.aux_ld > 0 ? d.aux_ld : rows;
  const i64 stride = d.aux_stride > 0 ? d.aux_stride : d.aux_ld * columns;  // 0 when neither was set: too small
  if (e.aux && (ld < rows || stride < rows * columns)) return HIPBLAS_STATUS_INVALID_VALUE;
  const int a = scale_kind(d, true), b = scale_kind(d, false);
  if (a >= 0 && b >= 0 && a != b) return HIPBLAS_STATUS_INVALID_VALUE;
  *valid = true;
  return HIPBLAS_STATUS_SUCCESS;
}

hipblasStatus_t check_pointer_arrays(const Call& x, const Epilogue& e) {
  const bool arrays = x.a->batch_mode || x.b->batch_mode || x.c->batch_mode || x.d->batch_mode;
  if (!arrays) return HIPBLAS_STATUS_SUCCESS;
  const auto plain = [&](int kind) { return kind < 0 || kind == HIPBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F; };
  const bool same =
      x.a->batch_mode == x.b->batch_mode && x.a->batch_mode == x.c->batch_mode && x.a->batch_mode == x.d->batch_mode;
  if (!same || e.act != Act::none || e.bias || e.aux) return HIPBLAS_STATUS_INVALID_VALUE;
  if (!plain(scale_kind(*x.desc, true)) || !plain(scale_kind(*x.desc, false))) return HIPBLAS_STATUS_INVALID_VALUE;
  return HIPBLAS_STATUS_SUCCESS;
}

// SUCCESS with ``valid`` false: nothing is to be done.
hipblasStatus_t check(const Call& x, const Epilogue& e, bool bias_may_miss, bool* valid) {
  *valid = false;
  const bool late = release() < 604;  // the types are looked at after the sizes
  if (!late && (!types_fit_compute(x) || !is_op(x.desc->trans_a) || !is_op(x.desc->trans_b))) return not_implemented();
  if (x.a->stride < 0 || x.b->stride < 0 || x.c->stride < 0 || x.d->stride < 0) return HIPBLAS_STATUS_INVALID_VALUE;
  const int32_t batch = x.a->batch;
  if (batch != x.b->batch || batch != x.c->batch || batch != x.d->batch || batch < 1)
    return HIPBLAS_STATUS_INVALID_VALUE;
  if (x.d->rows == 0) return HIPBLAS_STATUS_SUCCESS;
  if (late && !types_fit_compute(x)) return not_implemented();
  const hipblasStatus_t arrays = check_pointer_arrays(x, e);
  if (arrays != HIPBLAS_STATUS_SUCCESS) return arrays;
  return check_epilogue(x, e, bias_may_miss, valid);
}

// An epilogue that the release does not know does nothing there; without that quirk it is no kernel's.
Epilogue epilogue_of(const Desc& d, bool* exists) {
  *exists = epilogue_exists(d.epilogue);
  if (*exists) return parts(d.epilogue);
  *exists = quirk(Quirk::lt_unknown_epilogue_ignored);
  return parts(HIPBLASLT_EPILOGUE_DEFAULT);
}

Operand operand(const Layout& l, const void* p) { return {p, l.batch_mode == 1, l.type, l.ld, l.stride}; }

size_t scalar_size(const Work& w) {
  if (w.compute == HIPBLAS_COMPUTE_32I) return sizeof(int32_t);
  const bool wide = w.compute == HIPBLAS_COMPUTE_64F;
  const bool complex = w.d.type == HIP_C_32F || w.d.type == HIP_C_64F;
  return (wide ? sizeof(double) : sizeof(float)) * (complex ? 2 : 1);
}

Work describe(const Call& x, const Epilogue& e) {
  const Desc& d = *x.desc;
  Work w{};
  w.ta = operation(d.trans_a), w.tb = operation(d.trans_b);
  w.m = static_cast<i64>(x.d->rows), w.n = static_cast<i64>(x.d->cols);
  w.k = static_cast<i64>(d.trans_a == HIPBLAS_OP_N ? x.a->cols : x.a->rows);
  w.batch = x.a->batch;
  w.a = operand(*x.a, x.A), w.b = operand(*x.b, x.B), w.c = operand(*x.c, x.C), w.d = operand(*x.d, x.D);
  w.compute = d.compute;
  w.epilogue = e;
  w.act0 = d.act0, w.act1 = d.act1;
  w.bias = d.bias;
  w.bias_type = d.bias_type != no_type ? d.bias_type : is_fp8(w.d.type) ? int32_t{HIP_R_16F} : w.d.type;
  w.bias_stride = d.bias_stride;
  w.aux = {d.aux, false, d.aux_type != no_type ? d.aux_type : w.d.type, d.aux_ld > 0 ? d.aux_ld : w.m,
           d.aux_stride > 0 ? d.aux_stride : d.aux_ld * w.n};
  w.scale_mode = std::max(std::max(scale_kind(d, true), scale_kind(d, false)), 0);
  w.scale_a = static_cast<const float*>(d.scale_a), w.scale_b = static_cast<const float*>(d.scale_b);
  w.scale_c = static_cast<const float*>(d.scale_c), w.scale_d = static_cast<const float*>(d.scale_d);
  w.scale_aux = static_cast<const float*>(d.scale_aux);
  w.amax_d = static_cast<float*>(d.amax_d);
  if (d.pointer_mode != 0) w.alpha_rows = x.alpha;
  return w;
}

void take_scalars(const Call& x, Work* w) {
  const size_t size = scalar_size(*w);
  memcpy(w->beta, x.beta, size);
  if (w->alpha_rows) return;
  memcpy(w->alpha, x.alpha, size);
  const unsigned char zero[16] = {};
  if (memcmp(w->alpha, zero, size) == 0) w->k = 0;
}

void run(const Work& w) {
  if (w.m <= 0 || w.n <= 0) return;
  if (w.workspace_bytes > 0) poison(w.workspace, w.workspace_bytes);
  if (w.compute == HIPBLAS_COMPUTE_32I) return run_integer(w);
  if (w.d.type == HIP_C_32F || w.d.type == HIP_C_64F) return run_complex(w);
  if (w.d.type == HIP_R_64F) return run_double(w);
  run_float(w);
}

// ---- algorithms: a kernel, and into how many parts it splits k, which is what needs workspace ----------------
constexpr int variants = 4;

size_t workspace_of(const Work& w, int variant) {
  return static_cast<size_t>(variant) * static_cast<size_t>(w.m) * static_cast<size_t>(w.n) *
         static_cast<size_t>(w.batch) * scalar_size(w);
}

int32_t index_of(int32_t kernel, int variant) { return 1 + kernel * variants + variant; }

void fill(const Work& w, int32_t kernel, size_t most, int requested, hipblasLtMatmulHeuristicResult_t* results,
          int* count) {
  memset(static_cast<void*>(results), 0, sizeof *results * static_cast<size_t>(requested));
  *count = 0;
  // The fastest first, and more workspace is faster.
  for (int v = variants - 1; v >= 0 && kernel != no_kernel; --v) {
    const size_t bytes = workspace_of(w, v);
    if (bytes > most || *count == requested || (v > 0 && bytes == 0)) continue;
    hipblasLtMatmulHeuristicResult_t& r = results[(*count)++];
    const int32_t index = index_of(kernel, v);
    memcpy(r.algo.data, &index, sizeof index);
    r.algo.max_workspace_bytes = most;
    r.workspaceSize = bytes;
    r.state = HIPBLAS_STATUS_SUCCESS;
  }
  // rocBLASLt's own "invalid value" is 7, stored as it is.
  for (int i = *count; i < requested; ++i) results[i].state = static_cast<hipblasStatus_t>(7);
}

hipblasStatus_t heuristic(hipblasLtHandle_t handle, const Call& x, const Preference* pref, int requested,
                          hipblasLtMatmulHeuristicResult_t* results, int* count) {
  if (release() >= 1001 && count) *count = 0;
  if (!handle || !x.desc || !pref || !x.a || !x.b || !x.c || !x.d) return HIPBLAS_STATUS_NOT_INITIALIZED;
  if (requested < 1) return HIPBLAS_STATUS_INVALID_VALUE;
  if (!results || !count) return HIPBLAS_STATUS_INVALID_VALUE;
  if (!library_exists()) return HIPBLAS_STATUS_INVALID_VALUE;
  bool exists, valid;
  const Epilogue e = epilogue_of(*x.desc, &exists);
  Work w = describe(x, e);
  // Invalid arguments are no error here: they make the problem one of size 0, for which nothing useful is found.
  const hipblasStatus_t status = check(x, e, true, &valid);
  const bool searched = status == HIPBLAS_STATUS_SUCCESS && valid && exists;
  fill(w, searched ? kernel_for(w) : no_kernel, pref->max_workspace, requested, results, count);
  return HIPBLAS_STATUS_SUCCESS;
}

hipblasStatus_t choose(const Work& w, const hipblasLtMatmulAlgo_t* algo, size_t bytes, int* variant) {
  *variant = 0;
  if (!algo) return kernel_for(w) == no_kernel ? not_implemented() : HIPBLAS_STATUS_SUCCESS;
  int32_t index;
  memcpy(&index, algo->data, sizeof index);
  if (index < 1 || index > kernel_count() * variants) return HIPBLAS_STATUS_INTERNAL_ERROR;
  if (!kernel_can((index - 1) / variants, w)) return HIPBLAS_STATUS_INTERNAL_ERROR;
  *variant = (index - 1) % variants;
  const size_t given = std::min(bytes, algo->max_workspace_bytes);
  if (workspace_of(w, *variant) > given)
    return release() >= 701 ? HIPBLAS_STATUS_INVALID_VALUE : HIPBLAS_STATUS_INTERNAL_ERROR;
  return HIPBLAS_STATUS_SUCCESS;
}

hipblasStatus_t matmul(hipblasLtHandle_t handle, const Call& x, const hipblasLtMatmulAlgo_t* algo, void* workspace,
                       size_t bytes, hipStream_t stream) {
  if (!handle || !x.desc || !x.a || !x.b || !x.c || !x.d) return HIPBLAS_STATUS_NOT_INITIALIZED;
  hipblasStatus_t status = check_pointers(x, workspace, bytes);
  if (status != HIPBLAS_STATUS_SUCCESS) return status;
  bool exists, valid;
  const Epilogue e = epilogue_of(*x.desc, &exists);
  status = check(x, e, false, &valid);
  if (status != HIPBLAS_STATUS_SUCCESS || !valid) return status;
  if (!library_exists()) return HIPBLAS_STATUS_INVALID_VALUE;
  if (!exists) return not_implemented();
  Work w = describe(x, e);
  int variant;
  status = choose(w, algo, bytes, &variant);
  if (status != HIPBLAS_STATUS_SUCCESS) return status;
  take_scalars(x, &w);
  w.workspace = workspace, w.workspace_bytes = workspace_of(w, variant);
  const bool tables = x.a->batch_mode == 1 && quirk(Quirk::pointer_array_on_device);
  if (tables && !(is_device_accessible(x.A) && is_device_accessible(x.B) && is_device_accessible(x.C) &&
                  is_device_accessible(x.D)))
    return HIPBLAS_STATUS_INTERNAL_ERROR;
  return status_of(enqueue(stream, [w] { run(w); }));
}

}  // namespace
}  // namespace sx::lt

using namespace sx::lt;

extern "C" {

hipblasStatus_t hipblasLtMatmulAlgoGetHeuristic(hipblasLtHandle_t handle, hipblasLtMatmulDesc_t desc,
                                                hipblasLtMatrixLayout_t a, hipblasLtMatrixLayout_t b,
                                                hipblasLtMatrixLayout_t c, hipblasLtMatrixLayout_t d,
                                                hipblasLtMatmulPreference_t pref, int requested,
                                                hipblasLtMatmulHeuristicResult_t results[], int* count) try {
  int8_t none = 0;
  const Call call{of(desc), of(a), of(b), of(c), of(d), &none, &none, &none, &none, &none, &none};
  return heuristic(handle, call, of(pref), requested, results, count);
} catch (...) {
  return failure();
}

hipblasStatus_t hipblasLtMatmul(hipblasLtHandle_t handle, hipblasLtMatmulDesc_t desc, const void* alpha, const void* A,
                                hipblasLtMatrixLayout_t a, const void* B, hipblasLtMatrixLayout_t b, const void* beta,
                                const void* C, hipblasLtMatrixLayout_t c, void* D, hipblasLtMatrixLayout_t d,
                                const hipblasLtMatmulAlgo_t* algo, void* workspace, size_t bytes,
                                hipStream_t stream) try {
  const Call call{of(desc), of(a), of(b), of(c), of(d), alpha, A, B, beta, C, D};
  return matmul(handle, call, algo, workspace, bytes, stream);
} catch (...) {
  return failure();
}

}  // extern "C"
