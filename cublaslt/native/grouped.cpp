// Groups of products. Their sizes, leading dimensions and addresses stand in arrays on the device, which are read here
// on the host, so the call waits for its stream; then each group is a product of its own.
#include <memory>
#include <new>

#include "plan.h"

namespace sx_lt {
namespace {

constexpr auto kFine = CUBLAS_STATUS_SUCCESS;

template <class... Args>
Verdict refuse(const Call& call, cublasStatus_t status, const char* format, Args... args) {
  sx_lt_log(SX_LT_ERROR, call.function, format, args...);
  return {status, false};
}

// cuBLAS 3.4, cublasLtMatmul: the types of grouped matrices.
bool grouped_types(const Call& call) {
  const int a = call.a->type, d = call.d->type;
  if (is_fp8(a)) return !is_fp8(d);
  return a == CUDA_R_16F || a == CUDA_R_16BF;
}

// One matrix of every group.
class Members {
 public:
  bool read(const MatrixLayout& x, const void* addresses, hipStream_t stream) {
    layout_ = &x;
    const size_t count = static_cast<size_t>(x.batch), width = width_of(x.size_width), ld_width = width_of(x.ld_width);
    room_.reset(new (std::nothrow) char[count * kEach]);
    return room_ && copy(kAddress, addresses, count * sizeof(void*), stream) &&
           copy(kRows, x.rows_array, count * width, stream) && copy(kCols, x.cols_array, count * width, stream) &&
           copy(kLd, x.ld_array, count * ld_width, stream);
  }

  void* address(int i) const { return sx_load<void*>(at(kAddress) + i * sizeof(void*)); }
  MatrixLayout layout(int i) const {
    MatrixLayout one;
    const auto rows = static_cast<uint64_t>(number(kRows, layout_->size_width, i));
    const auto cols = static_cast<uint64_t>(number(kCols, layout_->size_width, i));
    init(&one, sizeof one, layout_->type, rows, cols, number(kLd, layout_->ld_width, i));
    return one;
  }

 private:
  enum Array : int { kAddress, kRows, kCols, kLd, kArrays };
  static constexpr size_t kEach = kArrays * sizeof(int64_t);

  static size_t width_of(int32_t width) { return width == CUBLASLT_INTEGER_WIDTH_64 ? 8 : 4; }
  char* at(Array which) const { return room_.get() + which * sizeof(int64_t) * static_cast<size_t>(layout_->batch); }
  bool copy(Array which, const void* from, size_t bytes, hipStream_t stream) {
    return from != nullptr &&
           sx_rocm->hipMemcpyAsync(at(which), from, bytes, hipMemcpyDeviceToHost, stream) == hipSuccess;
  }
  int64_t number(Array which, int32_t width, int i) const {
    const char* const p = at(which) + i * width_of(width);
    return width == CUBLASLT_INTEGER_WIDTH_64 ? sx_load<int64_t>(p) : sx_load<int32_t>(p);
  }

  const MatrixLayout* layout_ = nullptr;
  std::unique_ptr<char[]> room_;
};

// A factor of every group: one for all, or by address from an array on the device.
class Factors {
 public:
  bool read(const void* factor, int64_t stride, int count, hipStream_t stream) {
    factor_ = factor;
    stride_ = stride;
    if (stride == 0) return true;
    const size_t length = static_cast<size_t>(stride) * (count - 1) + 1;
    room_.reset(new (std::nothrow) const void*[length]);
    return room_ && sx_rocm->hipMemcpyAsync(room_.get(), factor, length * sizeof(void*), hipMemcpyDeviceToHost,
                                            stream) == hipSuccess;
  }
  const void* at(int i) const { return stride_ == 0 ? factor_ : room_[i * stride_]; }

 private:
  const void* factor_ = nullptr;
  int64_t stride_ = 0;
  std::unique_ptr<const void*[]> room_;
};

struct Groups {
  Members a, b, c, d;
  Factors alpha, beta;

  bool read(const Call& call, const Data& data) {
    const MatmulDesc& desc = *call.desc;
    const int count = call.d->batch;
    return a.read(*call.a, data.a, data.stream) && b.read(*call.b, data.b, data.stream) &&
           c.read(*call.c, data.c != nullptr ? data.c : data.d, data.stream) && d.read(*call.d, data.d, data.stream) &&
           alpha.read(data.alpha, desc.alpha_stride, count, data.stream) &&
           beta.read(data.beta, desc.beta_stride, count, data.stream) &&
           sx_rocm->hipStreamSynchronize(data.stream) == hipSuccess;
  }
};

}  // namespace

Verdict check_groups(const Call& call) {
  constexpr auto kBad = CUBLAS_STATUS_INVALID_VALUE, kNo = CUBLAS_STATUS_NOT_SUPPORTED;
  const MatmulDesc& d = *call.desc;
  for (const MatrixLayout* x : {call.a, call.b, call.c, call.d}) {
    if (x->head.size < sizeof *x) return refuse(call, kBad, "BATCH_MODE is grouped, the layouts are of a plain kind");
  }
  const cublasStatus_t types =
      supported_types(d.compute_type, d.scale_type, call.a->type, call.b->type, call.c->type, call.d->type);
  if (types != kFine || !grouped_types(call))
    return refuse(call, types != kFine ? types : kNo, "grouped matrices of the types A (%d), B (%d), C (%d), D (%d)",
                  call.a->type, call.b->type, call.c->type, call.d->type);
  const int count = call.d->batch;
  if (call.a->batch != count || call.b->batch != count || call.c->batch != count || count < 0)
    return refuse(call, kBad, "the numbers of groups of A (%d), B (%d), D (%d) differ", call.a->batch, call.b->batch,
                  count);
  if (call.a->order != 0 || call.b->order != 0 || call.c->order != 0 || call.d->order != 0)
    return refuse(call, kNo, "ORDER of grouped matrices: only COL");
  if (d.epilogue != CUBLASLT_EPILOGUE_DEFAULT)
    return refuse(call, kNo, "EPILOGUE %d of grouped matrices: only DEFAULT", d.epilogue);
  if (d.a_mode != 0 || d.b_mode != 0 || d.c_mode != 0 || d.d_mode != 0)
    return refuse(call, kNo, "A_SCALE_MODE %d, B_SCALE_MODE %d of grouped matrices: only one scale for all", d.a_mode,
                  d.b_mode);
  const bool device = d.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE;
  if (!device && d.pointer_mode != CUBLASLT_POINTER_MODE_HOST)
    return refuse(call, kNo, "POINTER_MODE %d of grouped matrices", d.pointer_mode);
  if (d.alpha_stride == 0 && d.beta_stride == 0) return {kFine, false};
  if (!device || d.alpha_stride < 0 || d.beta_stride < 0 || (sx_exact && sx_lt_process.capability < 100))
    return refuse(call, kNo, "ALPHA_BATCH_STRIDE or BETA_BATCH_STRIDE is set, POINTER_MODE is %d", d.pointer_mode);
  return {kFine, false};
}

// Groups without elements are passed over: their addresses may be NULL.
cublasStatus_t run_groups(const Call& call, const Data& data, const Chosen& chosen) {
  const cublasStatus_t fits = check_groups(call).status;
  if (fits != kFine) return fits;
  if (data.a == nullptr || data.b == nullptr || data.d == nullptr || data.alpha == nullptr || data.beta == nullptr) {
    sx_lt_log(SX_LT_ERROR, call.function, "A, B, D, alpha or beta is NULL");
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (call.d->batch == 0) return kFine;
  if (sx_lt_capturing(data.stream)) {
    sx_lt_log(SX_LT_ERROR, call.function, "grouped matrices while the stream is being captured: their sizes are read");
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  Groups groups;
  if (!groups.read(call, data)) return CUBLAS_STATUS_EXECUTION_FAILED;
  MatmulDesc desc = *call.desc;
  desc.alpha_stride = desc.beta_stride = 0;
  rehash(&desc);
  cublasStatus_t status = kFine;
  for (int i = 0; i < call.d->batch && status == kFine; ++i) {
    const MatrixLayout a = groups.a.layout(i), b = groups.b.layout(i), c = groups.c.layout(i), d = groups.d.layout(i);
    if (d.rows == 0 || d.cols == 0) continue;
    Call one{call.function, &desc, &a, &b, &c, &d, {}};
    Data own = data;
    own.a = groups.a.address(i);
    own.b = groups.b.address(i);
    own.c = groups.c.address(i);
    own.d = groups.d.address(i);
    own.alpha = groups.alpha.at(i);
    own.beta = groups.beta.at(i);
    status = multiply(one, &own, chosen);
  }
  return status;
}

}  // namespace sx_lt
