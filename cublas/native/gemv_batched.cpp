// gemv of a batch where no single rocBLAS call does it (see gemv.h): one member after the other. An array of pointers,
// which lies on the device, is then read on the host, so the call waits for its stream.
#include <initializer_list>
#include <vector>

#include "arena.h"
#include "gemv.h"
#include "half.h"

namespace {

template <class A, class Y, class S>
struct Member {
  cublasOperation_t trans;
  int m, n;
  const S* alpha;
  const A* a;
  int lda;
  const A* x;
  int incx;
  const S* beta;
  Y* y;
  int incy;
};

// The same type throughout.
template <class T>
rocblas_status multiply_typed(const sx_borrowed& blas, sx_blas_slot* slot, const Member<T, T, T>& g) {
  return sx_gemv::general<T>(blas, slot->stream,
                             {g.trans, g.m, g.n, g.alpha, g.a, g.lda, g.x, g.incx, g.beta, g.y, g.incy});
}

cudaDataType type_of(const __half*) { return CUDA_R_16F; }
cudaDataType type_of(const __nv_bfloat16*) { return CUDA_R_16BF; }
auto strided_gemv(const __half*, const __half*) { return sx_rocm->rocblas_hshgemv_strided_batched; }
auto strided_gemv(const __half*, const float*) { return sx_rocm->rocblas_hssgemv_strided_batched; }
auto strided_gemv(const __nv_bfloat16*, const __nv_bfloat16*) { return sx_rocm->rocblas_tstgemv_strided_batched; }
auto strided_gemv(const __nv_bfloat16*, const float*) { return sx_rocm->rocblas_tssgemv_strided_batched; }
auto rocm(const __half* p) { return reinterpret_cast<const rocblas_half*>(p); }
auto rocm(__half* p) { return reinterpret_cast<rocblas_half*>(p); }
auto rocm(const __nv_bfloat16* p) { return reinterpret_cast<const rocblas_bfloat16*>(p); }
auto rocm(__nv_bfloat16* p) { return reinterpret_cast<rocblas_bfloat16*>(p); }
float* rocm(float* p) { return p; }

// 16-bit matrix and x.
template <class A, class Y>
rocblas_status multiply_half(const sx_borrowed& blas, sx_blas_slot* slot, Member<A, Y, float> g) {
  const auto gemv = strided_gemv(g.a, g.y);
  if (gemv == nullptr) return rocblas_status_not_implemented;
  const bool by_columns = g.trans == CUBLAS_OP_N || g.trans == CUBLAS_OP_CONJG;
  if (g.incy == 0) {  // the last row's result stays
    int& length = by_columns ? g.m : g.n;
    g.a += static_cast<ptrdiff_t>(length - 1) * (by_columns ? 1 : g.lda);
    length = 1;
    g.incy = 1;
  }
  if (g.incx == 0) {
    const int length = by_columns ? g.n : g.m;
    sx_arena arena(slot, blas, {sizeof(A) * length});
    A* const forward = arena.take<A>(length);
    if (forward == nullptr) return rocblas_status_memory_error;
    const rocblas_status status = sx_copy_16bit(blas, slot, length, g.x, type_of(g.x), 0, forward, 1);
    if (status != rocblas_status_success) return status;
    g.x = forward;
    g.incx = 1;
  }
  const cublasOperation_t op = g.trans == CUBLAS_OP_CONJG ? CUBLAS_OP_N : g.trans;
  return gemv(blas.loan.handle, sx_to_rocblas_operation(op), g.m, g.n, g.alpha, rocm(g.a), g.lda, 0, rocm(g.x), g.incx,
              0, g.beta, rocm(g.y), g.incy, 0, 1);
}

template <class A, class Y, class S>
rocblas_status multiply(const sx_borrowed& blas, sx_blas_slot* slot, const Member<A, Y, S>& g) {
  if constexpr (sizeof(A) == 2) {
    return multiply_half(blas, slot, g);
  } else {
    return multiply_typed(blas, slot, g);
  }
}

bool narrow(std::initializer_list<int64_t> values) {
  for (const int64_t value : values) {
    if (!sx_fits(value)) return false;
  }
  return true;
}

template <class A, class Y, class S>
cublasStatus_t each_strided(cublasHandle_t handle, Member<A, Y, S> g, int64_t stride_a, int64_t stride_x,
                            int64_t stride_y, int64_t count) {
  sx_blas_slot* const slot = sx_slot_of(handle, SX_KIND_BLAS);
  sx_borrowed blas(slot);
  if (blas.error != 0) return static_cast<cublasStatus_t>(blas.error);
  sx_scalar<S> alpha, beta;
  g.alpha = alpha.at(g.alpha, sx_host_mode(slot));
  g.beta = beta.at(g.beta, sx_host_mode(slot));
  rocblas_status status = rocblas_status_success;
  for (int64_t i = 0; i < count && status == rocblas_status_success; ++i) {
    status = multiply(blas, slot, g);
    g.a += stride_a;
    g.x += stride_x;
    g.y += stride_y;
  }
  return sx_from_rocblas_status(status);
}

// A device array of pointers on the host, once its stream has come to here.
template <class P>
bool fetch(std::vector<P>& host, const P* device, hipStream_t stream) {
  return sx_rocm->hipMemcpyAsync(host.data(), device, host.size() * sizeof(P), hipMemcpyDeviceToHost, stream) ==
         hipSuccess;
}

template <class A, class Y, class S>
cublasStatus_t each_array(cublasHandle_t handle, Member<A, Y, S> g, const A* const* a, const A* const* x, Y* const* y,
                          int64_t count) {
  sx_blas_slot* const slot = sx_slot_of(handle, SX_KIND_BLAS);
  sx_borrowed blas(slot);
  if (blas.error != 0) return static_cast<cublasStatus_t>(blas.error);
  sx_scalar<S> alpha, beta;
  g.alpha = alpha.at(g.alpha, sx_host_mode(slot));
  g.beta = beta.at(g.beta, sx_host_mode(slot));
  std::vector<const A*> as(count), xs(count);
  std::vector<Y*> ys(count);
  if (!fetch(as, a, slot->stream) || !fetch(xs, x, slot->stream) || !fetch(ys, y, slot->stream) ||
      sx_rocm->hipStreamSynchronize(slot->stream) != hipSuccess) {
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  rocblas_status status = rocblas_status_success;
  for (int64_t i = 0; i < count && status == rocblas_status_success; ++i) {
    g.a = as[i];
    g.x = xs[i];
    g.y = ys[i];
    status = multiply(blas, slot, g);
  }
  return sx_from_rocblas_status(status);
}

}  // namespace

#define SX_MEMBER(S, a, x, y)                                                                                          \
  {                                                                                                                    \
    trans, static_cast<int>(m), static_cast<int>(n), alpha, a, static_cast<int>(lda), x, static_cast<int>(incx), beta, \
        y, static_cast<int>(incy)                                                                                      \
  }

// Both widths of integers of one combination of types.
#define SX_BODIES(strided, array, I, A, Y, S)                                                                        \
  cublasStatus_t sx_gemv_##strided##_rare(cublasHandle_t handle, cublasOperation_t trans, I m, I n, const S* alpha,  \
                                          const A* a, I lda, long long int strideA, const A* x, I incx,              \
                                          long long int stridex, const S* beta, Y* y, I incy, long long int stridey, \
                                          I batchCount) {                                                            \
    if (!narrow({m, n, lda, incx, incy})) return CUBLAS_STATUS_NOT_SUPPORTED;                                        \
    return each_strided<A, Y, S>(handle, SX_MEMBER(S, a, x, y), strideA, stridex, stridey, batchCount);              \
  }                                                                                                                  \
  cublasStatus_t sx_gemv_##array##_rare(cublasHandle_t handle, cublasOperation_t trans, I m, I n, const S* alpha,    \
                                        const A* const a[], I lda, const A* const x[], I incx, const S* beta,        \
                                        Y* const y[], I incy, I batchCount) {                                        \
    if (!narrow({m, n, lda, incx, incy})) return CUBLAS_STATUS_NOT_SUPPORTED;                                        \
    return each_array<A, Y, S>(handle, SX_MEMBER(S, nullptr, nullptr, nullptr), a, x, y, batchCount);                \
  }
#define SX_BOTH(A, Y, S)                  \
  SX_BODIES(strided, array, int, A, Y, S) \
  SX_BODIES(strided, array, int64_t, A, Y, S)

SX_BOTH(float, float, float)
SX_BOTH(double, double, double)
SX_BOTH(cuComplex, cuComplex, cuComplex)
SX_BOTH(cuDoubleComplex, cuDoubleComplex, cuDoubleComplex)
SX_BOTH(__half, __half, float)
SX_BOTH(__half, float, float)
SX_BOTH(__nv_bfloat16, __nv_bfloat16, float)
SX_BOTH(__nv_bfloat16, float, float)
