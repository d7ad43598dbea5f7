// Products of 8-bit integers into single precision, real and complex, which rocBLAS lacks: the operands are widened in
// scratch memory and multiplied in single precision. Products are exact; so are sums below 2^24.
//
// No rocBLAS function turns integers into floating point, but integer addition does: the bits of the float 1.5 * 2^23
// plus a small integer i are those of the float 1.5 * 2^23 + i. So gemm_ex adds the integers to an array of that
// constant's bits, and axpy takes the constant away again.
#include <vector>

#include "arena.h"
#include "host_scalars.h"

namespace {

constexpr int kMagicBits = 0x4B400000;  // the float 1.5 * 2^23
constexpr int kChunk = 1 << 30;

using Error = rocblas_status;
constexpr Error kFine = rocblas_status_success;

Error of(hipError_t error) { return error == hipSuccess ? kFine : rocblas_status_internal_error; }

// Integers into floats, ``count`` of them; alignment does not matter.
class Widener {
 public:
  Widener(rocblas_handle handle, bool host_mode, hipStream_t stream)
      : handle_(handle), host_mode_(host_mode), stream_(stream) {}

  Error prepare(sx_arena& arena) {
    if (sx_rocm->rocblas_gemm_ex == nullptr || sx_rocm->rocblas_saxpy == nullptr ||
        sx_rocm->hipMemsetD32Async == nullptr) {
      return rocblas_status_not_implemented;
    }
    one_ = arena.take<int8_t>(1);
    magic_ = arena.take<int>(1);
    if (one_ == nullptr || magic_ == nullptr) return rocblas_status_memory_error;
    const Error error = of(sx_rocm->hipMemsetAsync(one_, 1, 1, stream_));
    return error != kFine ? error : of(sx_rocm->hipMemsetD32Async(magic_, kMagicBits, 1, stream_));
  }

  Error widen(const void* integers, size_t count, float* floats) {
    const sx_host_scalars host(handle_, host_mode_);
    for (size_t at = 0; at < count; at += kChunk) {
      const int n = static_cast<int>(count - at < kChunk ? count - at : kChunk);
      const Error error = chunk(static_cast<const int8_t*>(integers) + at, n, floats + at);
      if (error != kFine) return error;
    }
    return kFine;
  }

 private:
  Error chunk(const int8_t* integers, int n, float* floats) {
    const int one = 1;
    const float minus = -1;
    const auto none = rocblas_operation_none;
    const auto i8 = rocblas_datatype_i8_r, i32 = rocblas_datatype_i32_r;
    Error error = of(sx_rocm->hipMemsetD32Async(floats, kMagicBits, n, stream_));
    if (error == kFine) {
      error = sx_rocm->rocblas_gemm_ex(handle_, none, none, n, 1, 1, &one, integers, i8, n, one_, i8, 1, &one, floats,
                                       i32, n, floats, i32, n, i32, rocblas_gemm_algo_standard, 0, 0);
    }
    if (error != kFine) return error;
    return sx_rocm->rocblas_saxpy(handle_, n, &minus, reinterpret_cast<const float*>(magic_), 0, floats, 1);
  }

  rocblas_handle handle_;
  bool host_mode_;
  hipStream_t stream_;
  int8_t* one_ = nullptr;
  int* magic_ = nullptr;
};

template <class I>
struct ProductOf {
  cublasOperation_t transa, transb;
  I m, n, k;
  const void *alpha, *beta;
  I lda, ldb, ldc;
  bool complex;
};
using Product = ProductOf<int>;
using WideProduct = ProductOf<int64_t>;

struct Member {
  const void *a, *b;
  void* c;
};

// Elements from the first to the last of a matrix, padding between columns included.
size_t extent(bool plain, int rows, int cols, int ld) {
  return static_cast<size_t>((plain ? cols : rows) - 1) * ld + (plain ? rows : cols);
}

Error multiply(rocblas_handle handle, const Product& p, const void* a, const void* b, void* c) {
  const auto ta = sx_to_rocblas_operation(p.transa), tb = sx_to_rocblas_operation(p.transb);
  if (p.complex) {
    using C = rocblas_float_complex;
    const auto gemm = sx_rocm->rocblas_cgemm;
    if (gemm == nullptr) return rocblas_status_not_implemented;
    return gemm(handle, ta, tb, p.m, p.n, p.k, static_cast<const C*>(p.alpha), static_cast<const C*>(a), p.lda,
                static_cast<const C*>(b), p.ldb, static_cast<const C*>(p.beta), static_cast<C*>(c), p.ldc);
  }
  const auto gemm = sx_rocm->rocblas_sgemm;
  if (gemm == nullptr) return rocblas_status_not_implemented;
  return gemm(handle, ta, tb, p.m, p.n, p.k, static_cast<const float*>(p.alpha), static_cast<const float*>(a), p.lda,
              static_cast<const float*>(b), p.ldb, static_cast<const float*>(p.beta), static_cast<float*>(c), p.ldc);
}

// ``member(i)`` are the matrices of the i-th product.
template <class Members>
cublasStatus_t each(sx_blas_slot* slot, const sx_borrowed& blas, Product p, int64_t count, Members member) {
  const bool host_mode = sx_host_mode(slot);
  sx_any_scalar alpha_copy, beta_copy;
  const int type = p.complex ? CUDA_C_32F : CUDA_R_32F;
  p.alpha = alpha_copy.at(p.alpha, type, host_mode);
  p.beta = beta_copy.at(p.beta, type, host_mode);
  const auto zero = [&](const void* v) {
    const auto* const parts = static_cast<const float*>(v);
    return parts[0] == 0 && (!p.complex || parts[1] == 0);
  };
  if (host_mode && zero(p.alpha)) p.k = 0;  // nothing of A and B is read
  const size_t parts = p.complex ? 2 : 1;
  const size_t size_a = p.k == 0 ? 0 : parts * extent(p.transa == CUBLAS_OP_N, p.m, p.k, p.lda);
  const size_t size_b = p.k == 0 ? 0 : parts * extent(p.transb == CUBLAS_OP_N, p.k, p.n, p.ldb);
  Widener widener(blas.loan.handle, host_mode, slot->stream);
  float *a = nullptr, *b = nullptr;
  if (p.k > 0) {
    sx_arena arena(slot, blas, {size_a * sizeof(float), size_b * sizeof(float), 1, sizeof(int)});
    a = arena.take<float>(size_a);
    b = arena.take<float>(size_b);
    if (a == nullptr || b == nullptr) return CUBLAS_STATUS_ALLOC_FAILED;
    const Error error = widener.prepare(arena);
    if (error != kFine) return sx_from_rocblas_status(error);
  }
  Error error = kFine;
  for (int64_t i = 0; i < count && error == kFine; ++i) {
    const Member matrices = member(i);
    if (matrices.c == nullptr || (p.k > 0 && (matrices.a == nullptr || matrices.b == nullptr))) {
      return CUBLAS_STATUS_INVALID_VALUE;
    }
    if (p.k > 0) error = widener.widen(matrices.a, size_a, a);
    if (p.k > 0 && error == kFine) error = widener.widen(matrices.b, size_b, b);
    if (error == kFine) error = multiply(blas.loan.handle, p, a, b, matrices.c);
  }
  return sx_from_rocblas_status(error);
}

// False when a size needs more than the 32 bits that gemm_ex takes.
bool narrow(const WideProduct& p, Product* out) {
  for (const int64_t size : {p.m, p.n, p.k, p.lda, p.ldb, p.ldc}) {
    if (!sx_fits(size)) return false;
  }
  const auto cut = [](int64_t size) { return static_cast<int>(size); };
  *out = {p.transa, p.transb,   cut(p.m),   cut(p.n),   cut(p.k), p.alpha,
          p.beta,   cut(p.lda), cut(p.ldb), cut(p.ldc), p.complex};
  return true;
}

struct Strides {
  int64_t a = 0, b = 0, c = 0;
};

cublasStatus_t strided(cublasHandle_t handle, const WideProduct& wide, Member first, Strides strides = {},
                       int64_t count = 1) {
  Product p;
  if (!narrow(wide, &p)) return CUBLAS_STATUS_NOT_SUPPORTED;
  sx_blas_slot* const slot = sx_slot_of(handle, SX_KIND_BLAS);
  sx_borrowed blas(slot);
  if (blas.error != 0) return static_cast<cublasStatus_t>(blas.error);
  const int64_t in = p.complex ? 2 : 1, out = p.complex ? 8 : 4;
  const auto move = [](const void* q, int64_t by) { return q == nullptr ? nullptr : static_cast<const char*>(q) + by; };
  return each(slot, blas, p, count, [=](int64_t i) {
    return Member{move(first.a, i * strides.a * in), move(first.b, i * strides.b * in),
                  const_cast<char*>(move(first.c, i * strides.c * out))};
  });
}

// Arrays of pointers, which lie on the device, are read on the host: the call waits for its stream.
cublasStatus_t array(cublasHandle_t handle, const WideProduct& wide, const void* const* a, const void* const* b,
                     void* const* c, int64_t count) {
  Product p;
  if (!narrow(wide, &p)) return CUBLAS_STATUS_NOT_SUPPORTED;
  sx_blas_slot* const slot = sx_slot_of(handle, SX_KIND_BLAS);
  sx_borrowed blas(slot);
  if (blas.error != 0) return static_cast<cublasStatus_t>(blas.error);
  std::vector<const void*> as(count), bs(count);
  std::vector<void*> cs(count);
  const size_t bytes = count * sizeof(void*);
  const auto fetch = [&](void* to, const void* from) {
    return sx_rocm->hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToHost, slot->stream) == hipSuccess;
  };
  if (!fetch(as.data(), a) || !fetch(bs.data(), b) || !fetch(cs.data(), c) ||
      sx_rocm->hipStreamSynchronize(slot->stream) != hipSuccess) {
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  return each(slot, blas, p, count, [&](int64_t i) { return Member{as[i], bs[i], cs[i]}; });
}

}  // namespace

// Every form for sizes of type I: Ex, StridedBatchedEx, BatchedEx, and the two whose scalars have a type.
#define SX_GEMM_INT8(I)                                                                                             \
  cublasStatus_t sx_gemm_int8(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n,  \
                              I k, const void* alpha, const void* A, cudaDataType Atype, I lda, const void* B,      \
                              cudaDataType, I ldb, const void* beta, void* C, cudaDataType, I ldc,                  \
                              cublasComputeType_t, cublasGemmAlgo_t) {                                              \
    return strided(handle, {transa, transb, m, n, k, alpha, beta, lda, ldb, ldc, Atype == CUDA_C_8I}, {A, B, C});   \
  }                                                                                                                 \
  cublasStatus_t sx_gemm_int8(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n,  \
                              I k, const void* alpha, const void* A, cudaDataType Atype, I lda, long long strideA,  \
                              const void* B, cudaDataType, I ldb, long long strideB, const void* beta, void* C,     \
                              cudaDataType, I ldc, long long strideC, I batchCount, cublasComputeType_t,            \
                              cublasGemmAlgo_t) {                                                                   \
    return strided(handle, {transa, transb, m, n, k, alpha, beta, lda, ldb, ldc, Atype == CUDA_C_8I}, {A, B, C},    \
                   {strideA, strideB, strideC}, batchCount);                                                        \
  }                                                                                                                 \
  cublasStatus_t sx_gemm_int8(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n,  \
                              I k, const void* alpha, const void* const A[], cudaDataType Atype, I lda,             \
                              const void* const B[], cudaDataType, I ldb, const void* beta, void* const C[],        \
                              cudaDataType, I ldc, I batchCount, cublasComputeType_t, cublasGemmAlgo_t) {           \
    return array(handle, {transa, transb, m, n, k, alpha, beta, lda, ldb, ldc, Atype == CUDA_C_8I}, A, B, C,        \
                 batchCount);                                                                                       \
  }                                                                                                                 \
  cublasStatus_t sx_gemm_int8(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n,  \
                              I k, const float* alpha, const void* A, cudaDataType Atype, I lda, const void* B,     \
                              cudaDataType, I ldb, const float* beta, void* C, cudaDataType, I ldc) {               \
    return strided(handle, {transa, transb, m, n, k, alpha, beta, lda, ldb, ldc, Atype == CUDA_C_8I}, {A, B, C});   \
  }                                                                                                                 \
  cublasStatus_t sx_gemm_int8(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n,  \
                              I k, const cuComplex* alpha, const void* A, cudaDataType Atype, I lda, const void* B, \
                              cudaDataType, I ldb, const cuComplex* beta, void* C, cudaDataType, I ldc) {           \
    return strided(handle, {transa, transb, m, n, k, alpha, beta, lda, ldb, ldc, Atype == CUDA_C_8I}, {A, B, C});   \
  }
SX_GEMM_INT8(int)
SX_GEMM_INT8(int64_t)
#undef SX_GEMM_INT8
