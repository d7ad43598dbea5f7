// Computes a product the way its plan says.
#include <string.h>

#include <new>

#include "compose.h"

namespace sx_lt {
namespace {

constexpr auto kFine = CUBLAS_STATUS_SUCCESS;

cublasStatus_t of_rocblas(rocblas_status status) {
  switch (status) {
    case rocblas_status_success:
    case rocblas_status_perf_degraded:
    case rocblas_status_size_increased:
    case rocblas_status_size_unchanged:
      return CUBLAS_STATUS_SUCCESS;
    case rocblas_status_memory_error:
      return CUBLAS_STATUS_ALLOC_FAILED;
    case rocblas_status_not_implemented:
    case rocblas_status_excluded_from_build:
      return CUBLAS_STATUS_NOT_SUPPORTED;
    case rocblas_status_invalid_size:
    case rocblas_status_invalid_pointer:
    case rocblas_status_invalid_value:
      return CUBLAS_STATUS_INVALID_VALUE;
    default:
      return CUBLAS_STATUS_EXECUTION_FAILED;
  }
}

// ---- rocBLAS handles ------------------------------------------------------------------------------------------------

// A rocBLAS handle of the stream, with scratch memory. Its settings are those of a slot that no program has.
class Borrowed {
 public:
  Borrowed(const Problem& p, const Data& data, bool device_scalars) {
    memset(static_cast<void*>(&slot_), 0, sizeof slot_);
    slot_.device = data.device;
    slot_.stream = data.stream;
    const bool tf32 = p.compute == CUBLAS_COMPUTE_32F_FAST_TF32;
    slot_.modes = (device_scalars ? uint64_t{SX_POINTER_MODE_MASK} : 0) | (tf32 ? uint64_t{3} << SX_MATH_SHIFT : 0);
    slot_.owner = &slot_;  // nobody's thread pointer: the handle comes from the list and goes back there
    error = sx_blas_begin(&slot_, &loan_);
  }
  ~Borrowed() {
    if (error == 0) sx_blas_end(&loan_);
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;

  rocblas_handle handle() const { return loan_.handle; }
  void* scratch(size_t bytes) { return sx_blas_scratch(&slot_, &loan_, bytes); }
  int error;

 private:
  sx_blas_slot slot_;
  sx_loan loan_;
};

rocblas_datatype rocblas_type(int32_t type) {
  switch (type) {
    case CUDA_R_16F:
      return rocblas_datatype_f16_r;
    case CUDA_R_16BF:
      return rocblas_datatype_bf16_r;
    case CUDA_R_64F:
      return rocblas_datatype_f64_r;
    case CUDA_C_32F:
      return rocblas_datatype_f32_c;
    case CUDA_C_64F:
      return rocblas_datatype_f64_c;
    case CUDA_R_8I:
      return rocblas_datatype_i8_r;
    case CUDA_R_32I:
      return rocblas_datatype_i32_r;
    default:
      return rocblas_datatype_f32_r;
  }
}

struct Matrices {
  const void *a, *b, *c;
  void* d;
};

bool narrow(std::initializer_list<int64_t> values) {
  for (const int64_t v : values) {
    if (!sx_fits(v)) return false;
  }
  return true;
}

int least_ld(const Operand& o) { return static_cast<int>(o.ld > 0 ? o.ld : 1); }

cublasStatus_t multiply(rocblas_handle handle, const Problem& p, const void* alpha, const Operand& a, const Operand& b,
                        const void* beta, const Operand& c, const Operand& d, const Matrices& x) {
  const auto gemm = sx_rocm->rocblas_gemm_strided_batched_ex;
  if (gemm == nullptr || !narrow({p.m, p.n, p.k, a.ld, b.ld, c.ld, d.ld})) return CUBLAS_STATUS_NOT_SUPPORTED;
  return of_rocblas(gemm(handle, static_cast<rocblas_operation>(a.op), static_cast<rocblas_operation>(b.op),
                         static_cast<int>(p.m), static_cast<int>(p.n), static_cast<int>(p.k), alpha, x.a,
                         rocblas_type(a.type), least_ld(a), a.stride, x.b, rocblas_type(b.type), least_ld(b), b.stride,
                         beta, x.c, rocblas_type(c.type), least_ld(c), c.stride, x.d, rocblas_type(d.type), least_ld(d),
                         d.stride, p.batch, rocblas_type(p.acc), rocblas_gemm_algo_standard, 0, 0));
}

// The same for matrices whose addresses stand in arrays on the device.
cublasStatus_t multiply_arrays(rocblas_handle handle, const Problem& p, const void* alpha, const void* beta,
                               const Matrices& x) {
  const auto gemm = sx_rocm->rocblas_gemm_batched_ex;
  if (gemm == nullptr || !narrow({p.m, p.n, p.k, p.a.ld, p.b.ld, p.c.ld, p.d.ld})) return CUBLAS_STATUS_NOT_SUPPORTED;
  return of_rocblas(gemm(handle, static_cast<rocblas_operation>(p.a.op), static_cast<rocblas_operation>(p.b.op),
                         static_cast<int>(p.m), static_cast<int>(p.n), static_cast<int>(p.k), alpha, x.a,
                         rocblas_type(p.a.type), least_ld(p.a), x.b, rocblas_type(p.b.type), least_ld(p.b), beta, x.c,
                         rocblas_type(p.c.type), least_ld(p.c), x.d, rocblas_type(p.d.type), least_ld(p.d), p.batch,
                         rocblas_type(p.acc), rocblas_gemm_algo_standard, 0, 0));
}

// Scratch memory of one product: wider operands, then the accumulators.
struct Room {
  char *a, *b, *acc;
};

size_t aligned(size_t bytes) { return (bytes + 255) & ~size_t{255}; }

struct Sizes {
  size_t a, b, acc;
  explicit Sizes(const Route& r) {
    const Problem& p = r.problem;
    const size_t each = r.widen ? sx_data_bytes(r.wide_type) : 0;
    a = aligned(count_of(p.a, p.batch) * each);
    b = aligned(count_of(p.b, p.batch) * each);
    acc = static_cast<size_t>(p.m) * p.n * p.batch * sx_data_bytes(p.acc);
  }
  size_t all() const { return a + b + acc; }
};

bool reserve(Borrowed& blas, const Route& r, const Data& data, Room* room) {
  const Sizes sizes(r);
  room->a = static_cast<char*>(sizes.all() <= data.bytes ? data.workspace : blas.scratch(sizes.all()));
  room->b = room->a + sizes.a;
  room->acc = room->b + sizes.b;
  return room->a != nullptr;
}

// A factor as the kernel takes it: read now from the host, or by the kernel from the device.
sx_factor factor_of(const Problem& p, const void* value, bool host) {
  Scalar s;
  if (host) s.read(value, p.scale_type);
  sx_factor out = kernel_factor(s, p.scale_type);
  if (host) return out;
  out.device = value;
  out.type = p.scale_type;
  out.mode = p.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE ? SX_FACTOR_DEVICE : SX_FACTOR_VECTOR;
  out.stride = out.mode == SX_FACTOR_VECTOR ? p.alpha_stride : 0;
  return out;
}

// Scales of 8-bit operands and results; largest absolute values begin at 0.
cublasStatus_t add_scales(const Problem& p, const MatmulDesc& d, hipStream_t stream, sx_epilogue_args* k) {
  const auto* const a = static_cast<const float*>(p.swapped ? d.b_scale : d.a_scale);
  const auto* const b = static_cast<const float*>(p.swapped ? d.a_scale : d.b_scale);
  k->row_scale = p.a_mode == 3 ? a : nullptr;
  k->a_scale = p.a_mode == 0 ? a : nullptr;
  k->column_scale = p.b_mode == 3 ? b : nullptr;
  k->b_scale = p.b_mode == 0 ? b : nullptr;
  k->d_scale = static_cast<const float*>(is_fp8(p.d.type) ? d.d_scale : nullptr);
  k->d_amax = static_cast<float*>(is_fp8(p.d.type) ? d.amax_d : nullptr);
  for (float* most : {k->d_amax, k->aux_amax}) {
    if (most && sx_rocm->hipMemsetAsync(most, 0, sizeof *most, stream) != hipSuccess)
      return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  return kFine;
}

// The kernel from the accumulators to D. A gradient beside an integer D is summed before D is rounded.
cublasStatus_t finish(const Route& r, const MatmulDesc& d, const Data& data, const Operand& acc, void* at) {
  const Problem& p = r.problem;
  sx_epilogue_args k = epilogue_args(p, d, p.epilogue);
  k.acc = kernel_operand(acc, at);
  k.c = kernel_operand(p.c, data.c);
  k.alpha = factor_of(p, data.alpha, p.pointer_mode == CUBLASLT_POINTER_MODE_HOST);
  k.beta = factor_of(p, data.beta, p.pointer_mode != CUBLASLT_POINTER_MODE_DEVICE);
  if (r.widen) {
    if (const cublasStatus_t s = add_scales(p, d, data.stream, &k)) return s;
  }
  Operand out = p.d;
  void* to = data.d;
  const bool later = r.sums && p.d.type == CUDA_R_8I;
  if (later) {
    out = acc;
    out.type = CUDA_R_32F;
    to = at;
  }
  k.d = kernel_operand(out, to);
  cublasStatus_t status = of_launch(sx_launch_epilogue(&k, data.stream));
  if (status == kFine && r.sums) status = sum(r, d, data, out, to);
  return status == kFine && later ? convert(p, out, to, p.d, data.d, data.stream) : status;
}

cublasStatus_t scratch_way(const Route& r, const MatmulDesc& d, const Data& data) {
  const Problem& p = r.problem;
  if (const int e = sx_kernel_prepare(SX_KERNEL_EPILOGUE, data.stream)) return of_launch(e);
  Borrowed blas(p, data, false);
  if (blas.error != 0) return static_cast<cublasStatus_t>(blas.error);
  Room room;
  if (!reserve(blas, r, data, &room)) return CUBLAS_STATUS_ALLOC_FAILED;
  Operand a = p.a, b = p.b, acc = p.d;
  acc.type = p.acc;
  acc.ld = p.m;
  acc.stride = p.m * p.n;
  Matrices x{data.a, data.b, room.acc, room.acc};
  if (r.widen && p.k > 0) {
    const void* const a_scale = p.swapped ? d.b_scale : d.a_scale;
    const void* const b_scale = p.swapped ? d.a_scale : d.b_scale;
    cublasStatus_t s = widen(r, p.a, data.a, true, p.a_mode, a_scale, room.a, data.stream, &a);
    if (s == kFine) s = widen(r, p.b, data.b, false, p.b_mode, b_scale, room.b, data.stream, &b);
    if (s != kFine) return s;
    x.a = room.a;
    x.b = room.b;
  }
  Scalar one, zero;
  one.one(p.acc);
  const cublasStatus_t status = multiply(blas.handle(), p, one.bytes, a, b, zero.bytes, acc, acc, x);
  return status == kFine ? finish(r, d, data, acc, room.acc) : status;
}

cublasStatus_t direct_way(const Route& r, const MatmulDesc& d, const Data& data) {
  const Problem& p = r.problem;
  if (r.post) {
    if (const int e = sx_kernel_prepare(SX_KERNEL_EPILOGUE, data.stream)) return of_launch(e);
  }
  if (r.sums) {
    if (const int e = sx_kernel_prepare(SX_KERNEL_SUMS, data.stream)) return of_launch(e);
  }
  const bool host = p.pointer_mode == CUBLASLT_POINTER_MODE_HOST;
  cublasStatus_t status;
  {
    Borrowed blas(p, data, !host);
    if (blas.error != 0) return static_cast<cublasStatus_t>(blas.error);
    Scalar alpha, beta;
    if (host) alpha.read(data.alpha, p.scale_type);
    if (host) beta.read(data.beta, p.scale_type);
    const void* const al = host ? alpha.bytes : data.alpha;
    const void* const be = host ? beta.bytes : data.beta;
    const Matrices x{data.a, data.b, data.c, data.d};
    status = p.batch_mode == CUBLASLT_BATCH_MODE_POINTER_ARRAY
                 ? multiply_arrays(blas.handle(), p, al, be, x)
                 : multiply(blas.handle(), p, al, p.a, p.b, be, p.c, p.d, x);
  }
  return status == kFine ? run_post(r, d, data) : status;
}

}  // namespace

namespace {

// Matrices by address, with an epilogue: the addresses are read on the host, so the call waits for its stream.
class Members {
 public:
  Members(const Data& data, int batch)
      : count_(static_cast<size_t>(batch)), all_(new (std::nothrow) void*[4 * count_]) {
    const size_t bytes = count_ * sizeof(void*);
    good = all_ != nullptr && !sx_lt_capturing(data.stream);
    const void* const from[] = {data.a, data.b, data.c, data.d};
    for (int i = 0; i < 4 && good; ++i) {
      good =
          sx_rocm->hipMemcpyAsync(all_ + i * count_, from[i], bytes, hipMemcpyDeviceToHost, data.stream) == hipSuccess;
    }
    good = good && sx_rocm->hipStreamSynchronize(data.stream) == hipSuccess;
  }
  ~Members() { delete[] all_; }
  Members(const Members&) = delete;
  Members& operator=(const Members&) = delete;

  void select(size_t i, Data* data) const {
    data->a = all_[i];
    data->b = all_[count_ + i];
    data->c = all_[2 * count_ + i];
    data->d = all_[3 * count_ + i];
  }
  bool good;

 private:
  size_t count_;
  void** all_;
};

void* moved(void* p, int64_t bytes) { return p != nullptr ? static_cast<char*>(p) + bytes : nullptr; }

cublasStatus_t run_members(const Route& r, const MatmulDesc& d, const Data& data) {
  const Members members(data, r.problem.batch);
  if (!members.good) return sx_lt_capturing(data.stream) ? CUBLAS_STATUS_NOT_SUPPORTED : CUBLAS_STATUS_EXECUTION_FAILED;
  Route one = r;
  Problem& p = one.problem;
  p.batch = 1;
  p.batch_mode = CUBLASLT_BATCH_MODE_STRIDED;
  const int64_t aux_bytes =
      has_mask(p.epilogue) ? p.aux_stride / 8 : p.aux_stride * static_cast<int64_t>(sx_data_bytes(p.aux_type));
  const int64_t bias_bytes = p.bias_stride * static_cast<int64_t>(sx_data_bytes(p.bias_type));
  cublasStatus_t status = kFine;
  for (int i = 0; i < r.problem.batch && status == kFine; ++i) {
    Data own = data;
    members.select(static_cast<size_t>(i), &own);
    MatmulDesc desc = d;
    desc.bias = moved(d.bias, i * bias_bytes);
    desc.aux = moved(d.aux, i * aux_bytes);
    status = run_composed(one, desc, own);
  }
  return status;
}

}  // namespace

size_t scratch_bytes(const Route& r) { return r.way == Way::Scratch ? Sizes(r).all() : 0; }

void prepare_kernels(const Route& r, hipStream_t stream) {
  if (r.post || r.way == Way::Scratch) sx_kernel_prepare(SX_KERNEL_EPILOGUE, stream);
  if (r.sums) sx_kernel_prepare(SX_KERNEL_SUMS, stream);
  if (r.widen || r.problem.d.type == CUDA_R_8I) sx_kernel_prepare(SX_KERNEL_CONVERT, stream);
}

cublasStatus_t run_composed(const Route& r, const MatmulDesc& d, const Data& data) {
  const bool arrays = r.problem.batch_mode == CUBLASLT_BATCH_MODE_POINTER_ARRAY;
  if (arrays && (r.way == Way::Scratch || r.post || r.sums)) return run_members(r, d, data);
  return r.way == Way::Scratch ? scratch_way(r, d, data) : direct_way(r, d, data);
}

cublasStatus_t run(sx_lt_thread* thread, sx_lt_plan* plan, const MatmulDesc& desc, const Data& data,
                   const hipblasLtMatmulAlgo_t* algo, void* workspace, size_t workspace_bytes) {
  const Route& r = route_of(plan);
  if (r.way != Way::Native) return run_composed(r, desc, data);
  const Problem& p = r.problem;
  if (const int e = sx_lt_borrow(thread, data.device, data.stream)) return static_cast<cublasStatus_t>(e);
  if (r.post) {
    if (const int e = sx_kernel_prepare(SX_KERNEL_EPILOGUE, data.stream)) return of_launch(e);
  }
  set_pointers(plan, desc);
  Scalar alpha, beta;
  const void *al = data.alpha, *be = data.beta;
  if (SX_UNLIKELY(p.scale_type == CUDA_R_16F)) {
    alpha.read(al, p.scale_type);
    beta.read(be, p.scale_type);
    al = alpha.bytes;
    be = beta.bytes;
  }
  const hipblasStatus_t status =
      sx_rocm->hipblasLtMatmul(thread->handle, plan->desc, al, data.a, plan->a, data.b, plan->b, be, data.c, plan->c,
                               data.d, plan->d, algo, workspace, workspace_bytes, data.stream);
  if (SX_UNLIKELY(status != HIPBLAS_STATUS_SUCCESS)) return sx_from_hipblas_status(status);
  return SX_LIKELY(r.plain) ? kFine : run_post(r, desc, data);
}

}  // namespace sx_lt
