// The checks of cublasLtMatmul and of its heuristic, in NVIDIA's order, with NVIDIA's split between INVALID_VALUE and
// NOT_SUPPORTED (measured on an H200). Each refusal says in the log which field is wrong.
#include <string.h>

#include <utility>

#include "problem.h"

namespace sx_lt {
namespace {

constexpr Verdict kFine{CUBLAS_STATUS_SUCCESS, false};

template <class... Args>
Verdict bad(const Call& call, const char* format, Args... args) {
  sx_lt_log(SX_LT_ERROR, call.function, format, args...);
  return {CUBLAS_STATUS_INVALID_VALUE, false};
}

template <class... Args>
Verdict unsupported(const Call& call, bool late, const char* format, Args... args) {
  sx_lt_log(SX_LT_ERROR, call.function, format, args...);
  return {CUBLAS_STATUS_NOT_SUPPORTED, late};
}

// ---- types ----------------------------------------------------------------------------------------------------------

Verdict check_types(const Call& call) {
  const MatmulDesc& d = *call.desc;
  const int a = call.a->type, b = call.b->type, out = call.d->type;
  const int c = call.c == call.d && is_fp8(out) && !sx_exact ? static_cast<int>(CUDA_R_16BF) : call.c->type;
  if (d.transc != CUBLAS_OP_N) return unsupported(call, false, "TRANSC is %d; C cannot be transposed", d.transc);
  if (d.fill_mode != CUBLAS_FILL_MODE_FULL)
    return unsupported(call, false, "FILL_MODE is %d; only the full matrix is computed", d.fill_mode);
  const cublasStatus_t status = supported_types(d.compute_type, d.scale_type, a, b, c, out);
  if (status == CUBLAS_STATUS_SUCCESS) return kFine;
  if (status == CUBLAS_STATUS_INVALID_VALUE)
    return bad(call, "the types of A (%d), B (%d), C (%d), D (%d) do not go with each other or with SCALE_TYPE %d", a,
               b, c, out, d.scale_type);
  return unsupported(call, false, "A (%d), B (%d), C (%d), D (%d) with COMPUTE_TYPE %d are not supported", a, b, c, out,
                     d.compute_type);
}

// ---- shapes ---------------------------------------------------------------------------------------------------------

Verdict check_layout(const Call& call, const MatrixLayout& x, char name) {
  if (x.ld < 0) return bad(call, "the leading dimension of %c is negative (%lld)", name, static_cast<long long>(x.ld));
  const uint64_t least = x.order == CUBLASLT_ORDER_ROW ? x.cols : x.rows;
  const bool broadcast = name == 'C' && x.ld == 0;
  if (name == 'D' && x.ld == 0) return bad(call, "the leading dimension of D is 0");
  if (static_cast<uint64_t>(x.ld) < least && !broadcast)
    return bad(call, "the leading dimension of %c (%lld) is less than its column (%llu)", name,
               static_cast<long long>(x.ld), static_cast<unsigned long long>(least));
  return kFine;
}

Verdict check_orders(const Call& call) {
  const int orders[] = {call.a->order, call.b->order, call.c->order, call.d->order};
  bool special = false;
  for (const int order : orders) special |= order != CUBLASLT_ORDER_COL && order != CUBLASLT_ORDER_ROW;
  if (special) {
    const bool late = call.b->order == CUBLASLT_ORDER_COL4_4R2_8C || call.b->order == CUBLASLT_ORDER_COL32_2R_4R4;
    return unsupported(call, late, "ORDER of A (%d), B (%d), D (%d): only COL and ROW are multiplied", orders[0],
                       orders[1], orders[3]);
  }
  if (call.c->order != call.d->order)
    return bad(call, "ORDER of C (%d) differs from that of D (%d)", call.c->order, call.d->order);
  return kFine;
}

// The operations are those of rows and columns: unknown ones act as N here and are refused later where they matter.
bool transposes(int op) { return op == CUBLAS_OP_T || op == CUBLAS_OP_C; }

Verdict check_shapes(const Call& call) {
  const MatmulDesc& desc = *call.desc;
  const MatrixLayout &a = *call.a, &b = *call.b, &c = *call.c, &d = *call.d;
  if (static_cast<unsigned>(desc.transa) > CUBLAS_OP_CONJG || static_cast<unsigned>(desc.transb) > CUBLAS_OP_CONJG)
    return bad(call, "TRANSA (%d) or TRANSB (%d) is no operation", desc.transa, desc.transb);
  const uint64_t m = transposes(desc.transa) ? a.cols : a.rows, ka = transposes(desc.transa) ? a.rows : a.cols;
  const uint64_t n = transposes(desc.transb) ? b.rows : b.cols, kb = transposes(desc.transb) ? b.cols : b.rows;
  if (ka != kb)
    return bad(call, "the inner dimension of A (%llu) differs from that of B (%llu)",
               static_cast<unsigned long long>(ka), static_cast<unsigned long long>(kb));
  if (m != d.rows || n != d.cols) return bad(call, "rows or columns of D do not go with those of A and B");
  if (c.rows != d.rows || c.cols != d.cols) return bad(call, "rows or columns of C differ from those of D");
  if (a.batch != b.batch || a.batch != d.batch || c.batch != d.batch)
    return bad(call, "BATCH_COUNT of A (%d), B (%d), C (%d), D (%d) differ", a.batch, b.batch, c.batch, d.batch);
  if (a.batch_mode != b.batch_mode || a.batch_mode != d.batch_mode || c.batch_mode != d.batch_mode)
    return bad(call, "BATCH_MODE of A (%d), B (%d), D (%d) differ", a.batch_mode, b.batch_mode, d.batch_mode);
  if (d.batch_mode != CUBLASLT_BATCH_MODE_STRIDED && d.batch_mode != CUBLASLT_BATCH_MODE_POINTER_ARRAY)
    return bad(call, "BATCH_MODE %d is none", d.batch_mode);
  if (desc.alpha_stride != 0 || desc.beta_stride != 0)
    return unsupported(call, false, "ALPHA_BATCH_STRIDE or BETA_BATCH_STRIDE is set; only grouped matrices have them");
  for (const auto& [x, name] : {std::pair(&a, 'A'), std::pair(&b, 'B'), std::pair(&c, 'C'), std::pair(&d, 'D')}) {
    const Verdict v = check_layout(call, *x, name);
    if (v.status != CUBLAS_STATUS_SUCCESS) return v;
  }
  return kFine;
}

// ---- scales ---------------------------------------------------------------------------------------------------------

enum : int { kScalar = 0, kVec16 = 1, kVec32 = 2, kOuter = 3, kVec128 = 4, kBlk128 = 5 };

Verdict check_scales(const Call& call) {
  const MatmulDesc& d = *call.desc;
  const bool narrow = is_fp8(call.a->type) || call.a->type == CUDA_R_4F_E2M1, fp8_out = is_fp8(call.d->type);
  if (!narrow && (d.a_scale || d.b_scale)) return bad(call, "A_SCALE_POINTER or B_SCALE_POINTER is set, A is no fp8");
  if (!fp8_out && (d.d_scale || d.amax_d)) return bad(call, "D_SCALE_POINTER or AMAX_D_POINTER is set, D is no fp8");
  if (!narrow) return kFine;
  const int a = d.a_mode, b = d.b_mode;
  const bool blackwell = sx_lt_process.capability >= 100, fp4 = call.a->type == CUDA_R_4F_E2M1;
  if (d.d_mode != kScalar || d.d_out_mode != kScalar || d.d_out_scale != nullptr) {
    constexpr const char* text = "D_SCALE_MODE %d or D_OUT_SCALE_MODE %d: block scales of D are not computed";
    return blackwell ? unsupported(call, false, text, d.d_mode, d.d_out_mode) : bad(call, text, d.d_mode, d.d_out_mode);
  }
  if ((a != kScalar && d.a_scale == nullptr) || (b != kScalar && d.b_scale == nullptr))
    return bad(call, "A_SCALE_MODE %d, B_SCALE_MODE %d: A_SCALE_POINTER or B_SCALE_POINTER is not set", a, b);
  if (fp4) return a == kVec16 && b == kVec16 ? kFine : bad(call, "4-bit A and B want scale modes VEC16_UE4M3");
  if (a == kVec32 || b == kVec32) {
    if (a == b && blackwell) return kFine;
    return unsupported(call, false, "scale modes VEC32_UE8M0 need compute capability 10.0");
  }
  if (a == kBlk128 && b == kBlk128)
    return unsupported(call, false, "scale modes BLK128x128 of both A and B are not supported");
  const bool blocks = (a == kVec128 || a == kBlk128) && (b == kVec128 || b == kBlk128);
  if ((a == kScalar && b == kScalar) || (a == kOuter && b == kOuter) || blocks) return kFine;
  return bad(call, "A_SCALE_MODE %d does not go with B_SCALE_MODE %d", a, b);
}

// ---- epilogues ------------------------------------------------------------------------------------------------------

bool defined(int e) {
  for (const int known : {1, 2, 4, 6, 32, 36, 130, 134, 136, 152, 160, 164, 192, 208, 256, 512}) {
    if (e == known) return true;
  }
  return false;
}

// What NVIDIA's library takes undefined values for; 0: no epilogue.
int acts_as(int e) {
  if (defined(e)) return e;
  return e == 5 || e == 7 || e == 132 ? 6 : e == 16 ? 2 : 0;
}

Verdict check_epilogue_value(const Call& call, int e) {
  if (e < 0 || e > 1023 || ((e & 2) && (e & 32))) return bad(call, "EPILOGUE %d is none", e);
  if ((e & 0x300) && e != 256 && e != 512)
    return unsupported(call, false, "EPILOGUE %d: BGRADA and BGRADB go with no other", e);
  return kFine;
}

Verdict check_epilogue_layout(const Call& call, int e) {
  const MatmulDesc& d = *call.desc;
  const bool row = call.d->order == CUBLASLT_ORDER_ROW;
  if (row && e != 1 && e != 2 && e != 32) return unsupported(call, false, "EPILOGUE %d with a row-major D", e);
  if (e == 256 && (transposes(d.transa) || call.a->order == CUBLASLT_ORDER_ROW))
    return unsupported(call, false, "EPILOGUE BGRADA wants A untransposed and column-major");
  if (e == 512 && (!transposes(d.transb) || call.b->order == CUBLASLT_ORDER_ROW))
    return unsupported(call, false, "EPILOGUE BGRADB wants B transposed and column-major");
  if (!has_aux(e)) return kFine;
  if (has_mask(e) && d.aux_ld % 128 != 0) return bad(call, "EPILOGUE_AUX_LD of a bit mask is no multiple of 128");
  if (d.aux_ld < 0 || static_cast<uint64_t>(d.aux_ld) < call.d->rows)
    return bad(call, "EPILOGUE_AUX_LD (%lld) is less than the rows of D", static_cast<long long>(d.aux_ld));
  return kFine;
}

// The bias has D's type; beside fp8 a 16-bit one.
int default_bias(const Call& call) {
  const int d = call.d->type;
  if (is_fp8(call.a->type)) return d == CUDA_R_16F ? CUDA_R_16F : CUDA_R_16BF;
  return d == CUDA_R_8I ? CUDA_R_32F : d;
}

Verdict check_epilogue_types(const Call& call, int e, Problem* out) {
  const MatmulDesc& d = *call.desc;
  const bool fp8 = is_fp8(call.a->type);
  out->bias_type = default_bias(call);
  if ((has_bias(e) || has_gradient(e)) && d.bias_type != -1 && d.bias_type != out->bias_type) {
    if (fp8) return unsupported(call, true, "BIAS_DATA_TYPE %d with this D", d.bias_type);
    return bad(call, "BIAS_DATA_TYPE is %d, D has %d", d.bias_type, call.d->type);
  }
  out->aux_type = is_fp8(call.d->type) ? static_cast<int>(CUDA_R_16BF) : call.d->type;
  if (has_aux(e) && !has_mask(e) && d.aux_type != -1 && d.aux_type != out->aux_type)
    return bad(call, "EPILOGUE_AUX_DATA_TYPE is %d, which does not go with D", d.aux_type);
  return kFine;
}

// Which types have an epilogue at all.
Verdict check_epilogue_support(const Call& call, int e) {
  if (e == 1) return kFine;
  const int a = call.a->type, d = call.d->type;
  const bool tn = transposes(call.desc->transa) && !transposes(call.desc->transb);
  bool fine = !is_complex(d) && d != CUDA_R_32I;
  if (a == CUDA_R_8I) fine &= (tn || d == CUDA_R_32F) && e < 256;
  if (is_fp8(a) && d == CUDA_R_32F) fine &= e != 152 && e != 164 && e != 208;
  if (is_fp8(d)) fine &= e != 136 && e != 152 && e != 192 && e != 208;
  if (fine) return kFine;
  return unsupported(call, e < 256, "EPILOGUE %d with A of type %d and D of type %d", e, a, d);
}

// ---- pointer modes and what the chip does not do
// ------------------------------------------------------------------------

Verdict check_pointer_mode(const Call& call) {
  const int mode = call.desc->pointer_mode;
  if (mode == CUBLASLT_POINTER_MODE_HOST || mode == CUBLASLT_POINTER_MODE_DEVICE) return kFine;
  const bool tn = transposes(call.desc->transa) && !transposes(call.desc->transb);
  if (mode == CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST && call.d->type == CUDA_R_8I && tn &&
      call.d->order == CUBLASLT_ORDER_COL)
    return kFine;
  return unsupported(call, true, "POINTER_MODE %d with these types", mode);
}

Verdict check_complex(const Call& call) {
  if (!is_complex(call.d->type)) return kFine;
  if (call.desc->transa == CUBLAS_OP_CONJG || call.desc->transb == CUBLAS_OP_CONJG)
    return unsupported(call, true, "CUBLAS_OP_CONJG of a complex matrix");
  if (call.a->plane || call.b->plane || call.c->plane || call.d->plane)
    return unsupported(call, true, "PLANE_OFFSET of a matrix of complex numbers");
  return kFine;
}

// Only with SCALE_X_COMPAT=exact: shapes and alignments that NVIDIA's chip has no kernel for.
Verdict check_chip(const Call& call) {
  const MatmulDesc& desc = *call.desc;
  const int a = call.a->type, d = call.d->type;
  const bool ta = transposes(desc.transa), tb = transposes(desc.transb), tn = ta && !tb;
  const uint64_t m = call.d->rows, n = call.d->cols, k = ta ? call.a->rows : call.a->cols;
  bool fine = true;
  if (a == CUDA_R_8I && d != CUDA_R_32F) {
    fine = k % 4 == 0 && (d != CUDA_R_8I || m == 1 || m % 4 == 0);
    if (d == CUDA_R_32I && !tn) fine &= (m == 1 || m % 4 == 0) && (n <= 16 || n % 64 == 0);
  } else if (is_fp8(a)) {
    if (!tn) return unsupported(call, false, "fp8 wants A transposed and B not");
    const uint64_t rows = d == CUDA_R_32F ? 4 : is_fp8(d) ? 16 : 8;
    fine = k % 16 == 0 && (m == 1 || m % rows == 0);
  }
  return fine ? kFine : unsupported(call, true, "no kernel of NVIDIA's chip has this shape");
}

// ---- the problem ----------------------------------------------------------------------------------------------------

int32_t rocm_op(bool transposed, bool conjugated) {
  return conjugated   ? rocblas_operation_conjugate_transpose
         : transposed ? rocblas_operation_transpose
                      : rocblas_operation_none;
}

// False when the conjugate of a matrix that is not transposed would be needed.
bool place(const MatrixLayout& x, int op, bool flip, Operand* out) {
  const bool row = x.order == CUBLASLT_ORDER_ROW;
  const bool conjugated = op == CUBLAS_OP_C && is_complex(x.type), transposed = (transposes(op) != row) != flip;
  *out = {x.type,
          rocm_op(transposed, conjugated),
          static_cast<int64_t>(row ? x.cols : x.rows),
          static_cast<int64_t>(row ? x.rows : x.cols),
          x.ld,
          x.stride};
  return transposed || !conjugated;
}

int32_t accumulates_in(const Call& call) {
  const int d = call.d->type;
  if (d == CUDA_R_64F || is_complex(d)) return d;
  return call.a->type == CUDA_R_8I ? CUDA_R_32I : CUDA_R_32F;
}

Verdict settle(const Call& call, Problem* p) {
  const MatmulDesc& d = *call.desc;
  p->swapped = call.d->order == CUBLASLT_ORDER_ROW;
  const bool a_fine = place(*call.a, d.transa, p->swapped, p->swapped ? &p->b : &p->a);
  const bool b_fine = place(*call.b, d.transb, p->swapped, p->swapped ? &p->a : &p->b);
  if (!a_fine || !b_fine) return unsupported(call, true, "the conjugate of a row-major matrix");
  place(*call.c, CUBLAS_OP_N, false, &p->c);
  place(*call.d, CUBLAS_OP_N, false, &p->d);
  p->m = p->d.rows;
  p->n = p->d.cols;
  p->k = p->a.op == rocblas_operation_none ? p->a.cols : p->a.rows;
  p->batch = call.d->batch;
  p->batch_mode = call.d->batch_mode;
  p->compute = d.compute_type;
  p->scale_type = d.scale_type;
  p->acc = accumulates_in(call);
  p->pointer_mode = d.pointer_mode;
  p->a_mode = p->swapped ? d.b_mode : d.a_mode;
  p->b_mode = p->swapped ? d.a_mode : d.b_mode;
  p->bias_stride = d.bias_stride;
  p->aux_ld = d.aux_ld;
  p->aux_stride = d.aux_stride;
  p->alpha_stride = d.alpha_vector_stride;
  p->empty = p->m == 0 || p->n == 0 || p->batch <= 0;
  return kFine;
}

}  // namespace

bool collect(Call* call, const char* function, const void* desc, const void* a, const void* b, const void* c,
             const void* d) {
  call->function = function;
  call->desc = static_cast<const MatmulDesc*>(desc);
  call->a = static_cast<const MatrixLayout*>(a);
  call->b = static_cast<const MatrixLayout*>(b);
  call->d = static_cast<const MatrixLayout*>(d);
  call->c = c != nullptr ? static_cast<const MatrixLayout*>(c) : call->d;
  if (!good(call->a) || !good(call->b) || !good(call->c) || !good(call->d) || !good(call->desc)) {
    sx_lt_log(SX_LT_ERROR, function, "a descriptor is NULL or not initialised: operation %p, A %p, B %p, D %p", desc, a,
              b, d);
    return false;
  }
  if (call->desc->head.size < sizeof(MatmulDesc)) {
    const size_t size = call->desc->head.size;
    init(&call->room, sizeof call->room, 0, 0);
    memcpy(static_cast<void*>(&call->room), call->desc, size);
    call->room.head.size = sizeof(MatmulDesc);
    rehash(&call->room);
    call->desc = &call->room;
  }
  return true;
}

Verdict validate(const Call& call, Problem* p) {
  memset(static_cast<void*>(p), 0, sizeof *p);
  const int e = call.desc->epilogue;
  Verdict v = check_types(call);
  const auto then = [&](Verdict next) {
    v = next;
    return v.status == CUBLAS_STATUS_SUCCESS;
  };
  if (v.status != CUBLAS_STATUS_SUCCESS || !then(check_orders(call)) || !then(check_shapes(call)) ||
      !then(check_scales(call)) || !then(check_epilogue_value(call, e)))
    return v;
  const int known = acts_as(e);
  p->epilogue = known != 0 ? known : 1;
  if (!then(check_epilogue_layout(call, p->epilogue)) || !then(check_epilogue_types(call, p->epilogue, p)) ||
      (sx_exact && !then(check_chip(call))) || !then(check_epilogue_support(call, p->epilogue)) ||
      !then(check_pointer_mode(call)) || !then(check_complex(call)))
    return v;
  then(settle(call, p));
  return v;
}

cublasStatus_t validate_pointers(const Call& call, const Problem& problem) {
  const MatmulDesc& d = *call.desc;
  const int e = problem.epilogue;
  const bool wanted = has_bias(e) || has_gradient(e), allowed = wanted || d.epilogue == 16;
  if (wanted && d.bias == nullptr)
    return bad(call, "BIAS_POINTER is not set, which EPILOGUE %d needs", d.epilogue).status;
  if (!allowed && d.bias != nullptr)
    return bad(call, "BIAS_POINTER is set, which EPILOGUE %d does not take", d.epilogue).status;
  if (has_aux(e) && d.aux == nullptr)
    return unsupported(call, true, "EPILOGUE_AUX_POINTER is not set, which EPILOGUE %d needs", d.epilogue).status;
  const int own = d.epilogue;  // undefined values are not all looked at
  const bool activated = own == 2 || own == 6 || own == 7 || own == 32 || own == 36;
  if (activated && d.aux != nullptr)
    return unsupported(call, true, "EPILOGUE_AUX_POINTER is set, which EPILOGUE %d does not write", d.epilogue).status;
  if (acts_as(d.epilogue) == 0 && d.epilogue != 0)
    return unsupported(call, true, "EPILOGUE %d is not defined", d.epilogue).status;
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace sx_lt
