#include "compose.h"

namespace sx_lt {
namespace {

int activation(int32_t e) {
  if (e == 2 || e == 6 || e == 130 || e == 134) return SX_ACT_RELU;
  return e == 32 || e == 36 || e == 160 || e == 164 ? SX_ACT_GELU : SX_ACT_NONE;
}

int aux_mode(int32_t e) {
  switch (e) {
    case 130:
    case 134:
      return SX_AUX_RELU_MASK;
    case 136:
    case 152:
      return SX_AUX_DRELU;
    case 160:
    case 164:
      return SX_AUX_GELU;
    case 192:
    case 208:
      return SX_AUX_DGELU;
    default:
      return SX_AUX_NONE;
  }
}

}  // namespace

cublasStatus_t of_launch(int error) {
  switch (error) {
    case hipSuccess:
      return CUBLAS_STATUS_SUCCESS;
    case hipErrorNotSupported:
    case hipErrorStreamCaptureUnsupported:
      return CUBLAS_STATUS_NOT_SUPPORTED;
    case hipErrorOutOfMemory:
      return CUBLAS_STATUS_ALLOC_FAILED;
    default:
      return CUBLAS_STATUS_EXECUTION_FAILED;
  }
}

float from_half(uint16_t h) {
  const uint32_t sign = (h & 0x8000u) << 16, exponent = (h >> 10) & 31, fraction = h & 0x3ffu;
  float f;
  uint32_t bits = sign;
  if (exponent == 31) {
    bits |= 0x7f800000u | (fraction << 13);
  } else if (exponent != 0) {
    bits |= ((exponent + 112) << 23) | (fraction << 13);
  } else {
    f = static_cast<float>(fraction) * 0x1p-24f;
    return sign ? -f : f;
  }
  memcpy(&f, &bits, sizeof f);
  return f;
}

sx_operand kernel_operand(const Operand& o, const void* data) {
  sx_operand k{};
  k.data = const_cast<void*>(data);
  k.ld = o.ld;
  k.stride = o.stride;
  k.type = o.type;
  return k;
}

sx_factor kernel_factor(const Scalar& s, int32_t type) {
  sx_factor k{};
  memcpy(k.value, s.bytes, sizeof k.value);
  k.type = type == CUDA_R_16F ? static_cast<int>(CUDA_R_32F) : type;
  k.mode = SX_FACTOR_HOST;
  return k;
}

sx_epilogue_args epilogue_args(const Problem& p, const MatmulDesc& d, int32_t e) {
  sx_epilogue_args k{};
  k.m = p.m;
  k.n = p.n;
  k.batch = p.batch;
  k.compute = p.acc == CUDA_R_32I && p.d.type != CUDA_R_32I ? static_cast<int>(CUDA_R_32F) : p.acc;
  k.activation = activation(e);
  k.aux_mode = aux_mode(e);
  const bool wide_input = p.a.type == CUDA_R_32F || p.a.type == CUDA_R_64F;
  k.flags = (p.swapped ? SX_EPI_BY_COLUMN : 0) | (wide_input ? SX_EPI_NAN_MASK_ONE : 0);
  if (has_bias(e)) {
    k.bias = d.bias;
    k.bias_type = p.bias_type;
    k.bias_stride = p.bias_stride;
  }
  if (k.aux_mode != SX_AUX_NONE) {
    k.aux.data = d.aux;
    k.aux.ld = p.aux_ld;
    k.aux.stride = p.aux_stride;
    k.aux.type = p.aux_type;
    k.aux_scale = static_cast<const float*>(is_fp8(p.a.type) ? d.aux_scale : nullptr);
    k.aux_amax = static_cast<float*>(is_fp8(p.a.type) ? d.aux_amax : nullptr);
  }
  return k;
}

cublasStatus_t sum(const Route& r, const MatmulDesc& d, const Data& data, const Operand& of_d, const void* from) {
  const Problem& p = r.problem;
  sx_sums_args k{};
  const bool of_a = p.epilogue == 256, of_b = p.epilogue == 512;
  const Operand& in = of_a ? p.a : of_b ? p.b : of_d;
  k.m = in.rows;
  k.n = in.cols;
  k.batch = p.batch;
  k.in = kernel_operand(in, of_a ? data.a : of_b ? data.b : from);
  k.out = d.bias;
  k.out_stride = p.bias_stride;
  k.out_type = p.bias_type;
  return of_launch(sx_launch_sums(&k, data.stream));
}

size_t count_of(const Operand& o, int batch) {
  return static_cast<size_t>(o.rows) * o.cols * (o.stride == 0 || batch < 1 ? 1 : batch);
}

cublasStatus_t widen(const Route& r, const Operand& from, const void* data, bool first, int mode, const void* scale,
                     void* room, hipStream_t stream, Operand* to) {
  *to = from;
  to->type = r.wide_type;
  to->ld = from.rows;
  to->stride = from.stride == 0 ? 0 : from.rows * from.cols;
  sx_convert_args k{};
  k.m = from.rows;
  k.n = from.cols;
  k.batch = from.stride == 0 ? 1 : r.problem.batch;
  k.src = kernel_operand(from, data);
  k.dst = kernel_operand(*to, room);
  Scalar one;
  one.one(CUDA_R_32F);
  k.alpha = kernel_factor(one, CUDA_R_32F);
  const bool plain = from.op == rocblas_operation_none;
  if (first == plain) k.flags |= SX_CONVERT_INNER_IS_COLUMN;  // A as it stands: k runs along columns
  if (mode != 0 && mode != 3) {
    k.scale_mode = mode;
    k.scale = scale;
  }
  return of_launch(sx_launch_convert(&k, stream));
}

cublasStatus_t convert(const Problem& p, const Operand& from, const void* src, const Operand& to, void* dst,
                       hipStream_t stream) {
  sx_convert_args k{};
  k.m = from.rows;
  k.n = from.cols;
  k.batch = p.batch;
  k.src = kernel_operand(from, src);
  k.dst = kernel_operand(to, dst);
  Scalar one;
  one.one(CUDA_R_32F);
  k.alpha = kernel_factor(one, CUDA_R_32F);
  return of_launch(sx_launch_convert(&k, stream));
}

// The rest of an epilogue, in place in D.
cublasStatus_t run_post(const Route& r, const MatmulDesc& d, const Data& data) {
  const Problem& p = r.problem;
  if (r.post) {
    const bool biased = r.way == Way::Native && (r.native_epilogue & 4);  // by hipBLASLt
    sx_epilogue_args k = epilogue_args(p, d, biased ? p.epilogue & ~4 : p.epilogue);
    k.acc = k.d = kernel_operand(p.d, data.d);
    Scalar one;
    one.one(k.compute);
    k.alpha = k.beta = kernel_factor(one, k.compute);
    const cublasStatus_t status = of_launch(sx_launch_epilogue(&k, data.stream));
    if (status != CUBLAS_STATUS_SUCCESS) return status;
  }
  return r.sums ? sum(r, d, data, p.d, data.d) : CUBLAS_STATUS_SUCCESS;
}

}  // namespace sx_lt
