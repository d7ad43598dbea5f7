// C = alpha * op(A) + beta * op(B) between layouts: one kernel of the project's own.
#include <string.h>

#include "native.h"
#include "scalex/launch.h"
#include "scalex/wrap.h"
#include "state.h"

using namespace sx_lt;

namespace {

constexpr auto kBad = CUBLAS_STATUS_INVALID_VALUE;
constexpr auto kUnsupported = CUBLAS_STATUS_NOT_SUPPORTED;

// A handle of this library, or one of cuBLAS.
sx_blas_slot* slot_of(cublasLtHandle_t handle) {
  sx_blas_slot* const slot = sx_slot_of(handle, SX_KIND_LT);
  return slot != nullptr ? slot : sx_slot_of(handle, SX_KIND_BLAS);
}

// Measured: what A (and B), C and the factors may be. ``compute`` gets what is calculated in.
bool types_fit(int from, int to, int scale, int* compute) {
  struct Fit {
    int from, to, scale, compute;
  };
  static constexpr Fit fits[] = {
      {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, SX_R_32F},   {CUDA_R_32F, CUDA_R_16F, CUDA_R_32F, SX_R_32F},
      {CUDA_R_32F, CUDA_R_16BF, CUDA_R_32F, SX_R_32F},  {CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, SX_R_32F},
      {CUDA_R_16F, CUDA_R_32F, CUDA_R_32F, SX_R_32F},   {CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, SX_R_32F},
      {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, SX_R_32F}, {CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F, SX_R_32F},
      {CUDA_R_8I, CUDA_R_8I, CUDA_R_32F, SX_R_32F},     {CUDA_R_8I, CUDA_R_8I, CUDA_R_32I, SX_R_32I},
      {CUDA_R_32I, CUDA_R_32I, CUDA_R_32F, SX_R_32F},   {CUDA_R_32I, CUDA_R_32I, CUDA_R_32I, SX_R_32I},
      {CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, SX_R_64F},   {CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, SX_C_32F},
      {CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, SX_C_64F},
  };
  for (const Fit& f : fits) {
    if (f.from != from || f.to != to || f.scale != scale) continue;
    *compute = f.compute;
    return true;
  }
  return false;
}

// Tiled orders hold integers only, the finer ones bytes; of them only COL32 is read, and only into plain orders.
bool order_fits(int order, int type) {
  switch (order) {
    case CUBLASLT_ORDER_COL:
    case CUBLASLT_ORDER_ROW:
      return true;
    case CUBLASLT_ORDER_COL32:
      return type == CUDA_R_8I || type == CUDA_R_32I;
    case CUBLASLT_ORDER_COL4_4R2_8C:
    case CUBLASLT_ORDER_COL32_2R_4R4:
      return type == CUDA_R_8I;
    default:
      return false;
  }
}
bool orders_fit(const MatrixLayout& from, const MatrixLayout& to) {
  if (!order_fits(from.order, from.type) || !order_fits(to.order, to.type)) return false;
  const bool plain = from.order == CUBLASLT_ORDER_COL || from.order == CUBLASLT_ORDER_ROW;
  const bool plain_to = to.order == CUBLASLT_ORDER_COL || to.order == CUBLASLT_ORDER_ROW;
  return plain || (from.order == CUBLASLT_ORDER_COL32 && plain_to);
}

bool op_valid(int op) { return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C; }

bool shapes_fit(const MatrixLayout& from, int op, const MatrixLayout& to) {
  const bool turned = op != CUBLAS_OP_N;
  return (turned ? from.cols : from.rows) == to.rows && (turned ? from.rows : from.cols) == to.cols &&
         from.batch == to.batch;
}

size_t scale_bytes(int type) {
  switch (type) {
    case CUDA_R_16F:
      return 2;
    case CUDA_C_64F:
      return 16;
    case CUDA_R_64F:
    case CUDA_C_32F:
      return 8;
    default:
      return 4;
  }
}

sx_factor scalar_of(const void* value, int type, bool host) {
  sx_factor s{};
  s.type = type;
  s.mode = host ? SX_FACTOR_HOST : SX_FACTOR_DEVICE;
  if (host) {
    memcpy(s.value, value, scale_bytes(type));
  } else {
    s.device = value;
  }
  return s;
}

sx_operand operand_of(const void* data, const MatrixLayout& l) {
  return {const_cast<void*>(data), l.ld, l.stride, l.type, l.batch_mode == CUBLASLT_BATCH_MODE_POINTER_ARRAY};
}

cublasStatus_t status_of(int error) {
  switch (error) {
    case hipSuccess:
      return CUBLAS_STATUS_SUCCESS;
    case hipErrorNotSupported:
    case hipErrorStreamCaptureUnsupported:
      return kUnsupported;
    case hipErrorOutOfMemory:
      return CUBLAS_STATUS_ALLOC_FAILED;
    default:
      return CUBLAS_STATUS_EXECUTION_FAILED;
  }
}

// The handle's device is current for the time of a call.
class OnDevice {
 public:
  explicit OnDevice(int device) {
    if (sx_core.device_count <= 1 || !sx_rocm->hipGetDevice || !sx_rocm->hipSetDevice) return;
    if (sx_rocm->hipGetDevice(&before_) == hipSuccess && before_ != device) {
      sx_rocm->hipSetDevice(device);
      return;
    }
    before_ = -1;
  }
  ~OnDevice() {
    if (before_ >= 0) sx_rocm->hipSetDevice(before_);
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = -1;
};

}  // namespace

// Measured: a NULL A counts as absent, and so does B; leading dimensions are not checked.
cublasStatus_t sx_lt_transform(cublasLtHandle_t handle, cublasLtMatrixTransformDesc_t desc, const void* alpha,
                               const void* A, cublasLtMatrixLayout_t Adesc, const void* beta, const void* B,
                               cublasLtMatrixLayout_t Bdesc, void* C, cublasLtMatrixLayout_t Cdesc,
                               cudaStream_t stream) {
  sx_blas_slot* const slot = slot_of(handle);
  if (slot == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const TransformDesc* const d = state_of(desc);
  if (!good(d) || alpha == nullptr || beta == nullptr || C == nullptr) return kBad;
  const MatrixLayout *const a = state_of(Adesc), *const b = state_of(Bdesc), *const c = state_of(Cdesc);
  if (!good(a) || !good(c) || (B != nullptr && !good(b)) || (b != nullptr && !good(b))) return kBad;
  if (!op_valid(d->transa) || !op_valid(d->transb)) return kBad;
  if (d->pointer_mode != CUBLASLT_POINTER_MODE_HOST && d->pointer_mode != CUBLASLT_POINTER_MODE_DEVICE) {
    return kUnsupported;
  }
  if (!shapes_fit(*a, d->transa, *c) || (b != nullptr && !shapes_fit(*b, d->transb, *c))) return kBad;
  int compute = 0;
  if (!types_fit(a->type, c->type, d->scale_type, &compute) || !orders_fit(*a, *c)) return kUnsupported;
  if (b != nullptr && (b->type != a->type || !orders_fit(*b, *c))) return kUnsupported;
  const bool host = d->pointer_mode == CUBLASLT_POINTER_MODE_HOST;
  sx_transform_args args{};
  args.m = static_cast<sx_i64>(c->rows);
  args.n = static_cast<sx_i64>(c->cols);
  args.batch = c->batch;
  args.compute = compute;
  args.op_a = d->transa;
  args.op_b = d->transb;
  args.order_a = a->order;
  args.order_b = b != nullptr ? b->order : 0;
  args.order_c = c->order;
  args.a = operand_of(A, *a);
  if (b != nullptr) args.b = operand_of(B, *b);
  args.c = operand_of(C, *c);
  args.alpha = scalar_of(alpha, d->scale_type, host);
  args.beta = scalar_of(beta, d->scale_type, host);
  const OnDevice on(slot->device);
  return status_of(sx_launch_transform(&args, sx_to_hip_stream(stream)));
}
