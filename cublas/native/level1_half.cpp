// asum, iamax, iamin, copy and swap of 16-bit vectors, which rocBLAS's typed routines lack.
//
// The reductions widen to single precision in scratch memory, as the product of a 1 x 1 matrix that holds 1 with the
// row x (gemm_ex takes 16-bit operands and a single-precision result; exact). The moves are strided copies of bytes; a
// vector that is walked against the other's direction, or an element that is repeated, first goes through axpy_ex onto
// -0, because x + (-0) is x for every x, -0 included.
#include "arena.h"
#include "half.h"
#include "host_scalars.h"

namespace {

constexpr unsigned short kMinusZero = 0x8000;  // in both formats
constexpr float kOne = 1, kZero = 0;

rocblas_datatype rocm_type(cudaDataType type) {
  return type == CUDA_R_16F ? rocblas_datatype_f16_r : rocblas_datatype_bf16_r;
}
unsigned short one_of(cudaDataType type) { return type == CUDA_R_16F ? 0x3c00 : 0x3f80; }

rocblas_status rocblas_of(hipError_t error) {
  return error == hipSuccess ? rocblas_status_success : rocblas_status_internal_error;
}

struct Half {
  const void* p;
  cudaDataType type;
  int inc;
};

// A copy of x in single precision, with increment 1; inc > 0.
rocblas_status widen(const sx_borrowed& blas, sx_blas_slot* slot, int n, Half x, float** wide) {
  const auto gemm = sx_rocm->rocblas_gemm_ex;
  if (gemm == nullptr || sx_rocm->hipMemsetD16Async == nullptr) return rocblas_status_not_implemented;
  const size_t count = n;
  sx_arena arena(slot, blas, {2, count * sizeof(float)});
  auto* const one = arena.take<unsigned short>(1);
  *wide = arena.take<float>(count);
  if (one == nullptr || *wide == nullptr) return rocblas_status_memory_error;
  if (sx_rocm->hipMemsetD16Async(one, one_of(x.type), 1, slot->stream) != hipSuccess) {
    return rocblas_status_internal_error;
  }
  const sx_host_scalars host(blas.loan.handle, sx_host_mode(slot));
  const rocblas_datatype type = rocm_type(x.type), f32 = rocblas_datatype_f32_r;
  return gemm(blas.loan.handle, rocblas_operation_none, rocblas_operation_none, 1, n, 1, &kOne, one, type, 1, x.p, type,
              x.inc, &kZero, *wide, f32, 1, *wide, f32, 1, f32, rocblas_gemm_algo_standard, 0, 0);
}

cublasStatus_t asum(cublasHandle_t handle, int64_t n, const void* x, cudaDataType type, int64_t incx, void* result) {
  sx_blas_slot* const slot = sx_slot_of(handle, SX_KIND_BLAS);
  if (n <= 0 || incx <= 0) return static_cast<cublasStatus_t>(sx_zero(slot, result, sizeof(float)));
  if (!sx_fits(n) || !sx_fits(incx) || sx_rocm->rocblas_sasum == nullptr) return CUBLAS_STATUS_NOT_SUPPORTED;
  sx_borrowed blas(slot);
  if (blas.error != 0) return static_cast<cublasStatus_t>(blas.error);
  float* wide = nullptr;
  const int length = static_cast<int>(n);
  rocblas_status status = widen(blas, slot, length, {x, type, static_cast<int>(incx)}, &wide);
  if (status == rocblas_status_success) {
    status = sx_rocm->rocblas_sasum(blas.loan.handle, length, wide, 1, static_cast<float*>(result));
  }
  return sx_from_rocblas_status(status);
}

// The place of the largest or smallest element, in an integer of the caller's width.
template <class Search, class Place>
cublasStatus_t search(Search find, cublasHandle_t handle, int64_t n, const void* x, cudaDataType type, int64_t incx,
                      Place* result) {
  sx_blas_slot* const slot = sx_slot_of(handle, SX_KIND_BLAS);
  // a 32-bit place in a 64-bit integer: the upper half is 0
  if (const int e = sx_zero(slot, result, sizeof(Place))) return static_cast<cublasStatus_t>(e);
  if (n <= 0 || incx <= 0) return CUBLAS_STATUS_SUCCESS;
  if (!sx_fits(n) || !sx_fits(incx) || find == nullptr) return CUBLAS_STATUS_NOT_SUPPORTED;
  sx_borrowed blas(slot);
  if (blas.error != 0) return static_cast<cublasStatus_t>(blas.error);
  float* wide = nullptr;
  const int length = static_cast<int>(n);
  rocblas_status status = widen(blas, slot, length, {x, type, static_cast<int>(incx)}, &wide);
  if (status == rocblas_status_success) {
    status = find(blas.loan.handle, length, wide, 1, reinterpret_cast<int*>(result));
  }
  return sx_from_rocblas_status(status);
}

// An element by its place in memory.
const char* at(const void* p, int64_t element) { return static_cast<const char*>(p) + 2 * element; }

rocblas_status strided(void* to, int64_t incy, const void* from, int64_t incx, int64_t n, hipStream_t stream) {
  if (sx_rocm->hipMemcpy2DAsync == nullptr) return rocblas_status_not_implemented;
  return rocblas_of(
      sx_rocm->hipMemcpy2DAsync(to, 2 * sx_abs(incy), from, 2 * sx_abs(incx), 2, n, hipMemcpyDeviceToDevice, stream));
}

}  // namespace

rocblas_status sx_copy_16bit(const sx_borrowed& blas, sx_blas_slot* slot, int64_t n, const void* x, cudaDataType type,
                             int incx, void* y, int incy, void* room) {
  if (incy == 0) {  // what is written last stays
    return strided(y, 1, at(x, incx > 0 ? (n - 1) * incx : 0), 1, 1, slot->stream);
  }
  if ((incx > 0 && incy > 0) || (incx < 0 && incy < 0)) return strided(y, incy, x, incx, n, slot->stream);
  const auto axpy = sx_rocm->rocblas_axpy_ex;
  if (axpy == nullptr || sx_rocm->hipMemsetD16Async == nullptr) return rocblas_status_not_implemented;
  void* const forward = incy == 1 || incy == -1 ? y : room;
  if (forward == nullptr) return rocblas_status_memory_error;
  rocblas_status status = rocblas_of(sx_rocm->hipMemsetD16Async(forward, kMinusZero, n, slot->stream));
  if (status == rocblas_status_success) {
    const sx_host_scalars host(blas.loan.handle, sx_host_mode(slot));
    const rocblas_datatype t = rocm_type(type), f32 = rocblas_datatype_f32_r;
    status = axpy(blas.loan.handle, static_cast<int>(n), &kOne, f32, x, t, incx, forward, t, incy > 0 ? 1 : -1, f32);
  }
  if (forward == y) return status;
  return status == rocblas_status_success ? strided(y, incy, forward, 1, n, slot->stream) : status;
}

namespace {

cublasStatus_t copied(cublasHandle_t handle, int64_t n, const void* x, cudaDataType type, int64_t incx, void* y,
                      int64_t incy) {
  if (!sx_fits(n) || !sx_fits(incx) || !sx_fits(incy)) return CUBLAS_STATUS_NOT_SUPPORTED;
  sx_blas_slot* const slot = sx_slot_of(handle, SX_KIND_BLAS);
  sx_borrowed blas(slot);
  if (blas.error != 0) return static_cast<cublasStatus_t>(blas.error);
  const size_t bytes = sx_copy_16bit_needs(incx, incy) ? 2 * n : 0;
  sx_arena arena(slot, blas, {bytes});
  return sx_from_rocblas_status(sx_copy_16bit(blas, slot, n, x, type, static_cast<int>(incx), y, static_cast<int>(incy),
                                              arena.take<char>(bytes)));
}

cublasStatus_t swapped(cublasHandle_t handle, int64_t n, void* x, cudaDataType type, int64_t incx, void* y,
                       int64_t incy) {
  if (!sx_fits(n) || !sx_fits(incx) || !sx_fits(incy)) return CUBLAS_STATUS_NOT_SUPPORTED;
  sx_blas_slot* const slot = sx_slot_of(handle, SX_KIND_BLAS);
  sx_borrowed blas(slot);
  if (blas.error != 0) return static_cast<cublasStatus_t>(blas.error);
  const size_t bytes = 2 * n, more = sx_copy_16bit_needs(incx, incy) || sx_copy_16bit_needs(incy, incx) ? bytes : 0;
  sx_arena arena(slot, blas, {bytes, more});
  char* const kept = arena.take<char>(bytes);
  char* const room = arena.take<char>(more);
  if (kept == nullptr || (more > 0 && room == nullptr)) return CUBLAS_STATUS_ALLOC_FAILED;
  const int ix = static_cast<int>(incx), iy = static_cast<int>(incy);
  rocblas_status status = sx_copy_16bit(blas, slot, n, x, type, ix, kept, ix < 0 ? -1 : 1);  // in x's order in memory
  if (status == rocblas_status_success) status = sx_copy_16bit(blas, slot, n, y, type, iy, x, ix, room);
  if (status == rocblas_status_success) status = sx_copy_16bit(blas, slot, n, kept, type, ix < 0 ? -1 : 1, y, iy, room);
  return sx_from_rocblas_status(status);
}

}  // namespace

cublasStatus_t sx_asum_half(cublasHandle_t handle, int n, const void* x, cudaDataType xType, int incx, void* result,
                            cudaDataType, cudaDataType) {
  return asum(handle, n, x, xType, incx, result);
}
cublasStatus_t sx_asum_half(cublasHandle_t handle, int64_t n, const void* x, cudaDataType xType, int64_t incx,
                            void* result, cudaDataType, cudaDataType) {
  return asum(handle, n, x, xType, incx, result);
}

cublasStatus_t sx_iamax_half(cublasHandle_t handle, int n, const void* x, cudaDataType xType, int incx, int* result) {
  return search(sx_rocm->rocblas_isamax, handle, n, x, xType, incx, result);
}
cublasStatus_t sx_iamax_half(cublasHandle_t handle, int64_t n, const void* x, cudaDataType xType, int64_t incx,
                             int64_t* result) {
  return search(sx_rocm->rocblas_isamax, handle, n, x, xType, incx, result);
}
cublasStatus_t sx_iamin_half(cublasHandle_t handle, int n, const void* x, cudaDataType xType, int incx, int* result) {
  return search(sx_rocm->rocblas_isamin, handle, n, x, xType, incx, result);
}
cublasStatus_t sx_iamin_half(cublasHandle_t handle, int64_t n, const void* x, cudaDataType xType, int64_t incx,
                             int64_t* result) {
  return search(sx_rocm->rocblas_isamin, handle, n, x, xType, incx, result);
}

cublasStatus_t sx_copy_half(cublasHandle_t handle, int n, const void* x, cudaDataType xType, int incx, void* y,
                            cudaDataType, int incy) {
  return copied(handle, n, x, xType, incx, y, incy);
}
cublasStatus_t sx_copy_half(cublasHandle_t handle, int64_t n, const void* x, cudaDataType xType, int64_t incx, void* y,
                            cudaDataType, int64_t incy) {
  return copied(handle, n, x, xType, incx, y, incy);
}
cublasStatus_t sx_swap_half(cublasHandle_t handle, int n, void* x, cudaDataType xType, int incx, void* y, cudaDataType,
                            int incy) {
  return swapped(handle, n, x, xType, incx, y, incy);
}
cublasStatus_t sx_swap_half(cublasHandle_t handle, int64_t n, void* x, cudaDataType xType, int64_t incx, void* y,
                            cudaDataType, int64_t incy) {
  return swapped(handle, n, x, xType, incx, y, incy);
}
