// iamax_64 and iamin_64 with a device result on a ROCm before 6.1, whose searches answer 32 bits only.
//
// The place is not negative and the device is little-endian: eight zero bytes, then the 32-bit answer in the lower
// four.
#include "blas_types.h"

namespace {

template <class T, class Search>
cublasStatus_t run(Search search, cublasHandle_t handle, int64_t n, const T* x, int64_t incx, int64_t* result) {
  if (search == nullptr || !sx_fits(n) || !sx_fits(incx)) return CUBLAS_STATUS_NOT_SUPPORTED;
  sx_blas_slot* const slot = sx_slot_of(handle, SX_KIND_BLAS);
  sx_borrowed blas(slot);
  if (blas.error != 0) return static_cast<cublasStatus_t>(blas.error);
  if (sx_rocm->hipMemsetAsync(result, 0, sizeof *result, slot->stream) != hipSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  return sx_from_rocblas_status(search(blas.loan.handle, static_cast<int>(n), sx_rocm_ptr(x), static_cast<int>(incx),
                                       reinterpret_cast<int*>(result)));
}

}  // namespace

cublasStatus_t sx_iamax_wide(cublasHandle_t handle, int64_t n, const float* x, int64_t incx, int64_t* result) {
  return run(sx_rocm->rocblas_isamax, handle, n, x, incx, result);
}

cublasStatus_t sx_iamax_wide(cublasHandle_t handle, int64_t n, const double* x, int64_t incx, int64_t* result) {
  return run(sx_rocm->rocblas_idamax, handle, n, x, incx, result);
}

cublasStatus_t sx_iamax_wide(cublasHandle_t handle, int64_t n, const cuComplex* x, int64_t incx, int64_t* result) {
  return run(sx_rocm->rocblas_icamax, handle, n, x, incx, result);
}

cublasStatus_t sx_iamax_wide(cublasHandle_t handle, int64_t n, const cuDoubleComplex* x, int64_t incx,
                             int64_t* result) {
  return run(sx_rocm->rocblas_izamax, handle, n, x, incx, result);
}

cublasStatus_t sx_iamin_wide(cublasHandle_t handle, int64_t n, const float* x, int64_t incx, int64_t* result) {
  return run(sx_rocm->rocblas_isamin, handle, n, x, incx, result);
}

cublasStatus_t sx_iamin_wide(cublasHandle_t handle, int64_t n, const double* x, int64_t incx, int64_t* result) {
  return run(sx_rocm->rocblas_idamin, handle, n, x, incx, result);
}

cublasStatus_t sx_iamin_wide(cublasHandle_t handle, int64_t n, const cuComplex* x, int64_t incx, int64_t* result) {
  return run(sx_rocm->rocblas_icamin, handle, n, x, incx, result);
}

cublasStatus_t sx_iamin_wide(cublasHandle_t handle, int64_t n, const cuDoubleComplex* x, int64_t incx,
                             int64_t* result) {
  return run(sx_rocm->rocblas_izamin, handle, n, x, incx, result);
}

cublasStatus_t sx_iamax_wide(cublasHandle_t handle, int64_t n, const void* x, cudaDataType xType, int64_t incx,
                             int64_t* result) {
  switch (xType) {
    case CUDA_R_32F:
      return sx_iamax_wide(handle, n, static_cast<const float*>(x), incx, result);
    case CUDA_R_64F:
      return sx_iamax_wide(handle, n, static_cast<const double*>(x), incx, result);
    case CUDA_C_32F:
      return sx_iamax_wide(handle, n, static_cast<const cuComplex*>(x), incx, result);
    case CUDA_C_64F:
      return sx_iamax_wide(handle, n, static_cast<const cuDoubleComplex*>(x), incx, result);
    default:
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

cublasStatus_t sx_iamin_wide(cublasHandle_t handle, int64_t n, const void* x, cudaDataType xType, int64_t incx,
                             int64_t* result) {
  switch (xType) {
    case CUDA_R_32F:
      return sx_iamin_wide(handle, n, static_cast<const float*>(x), incx, result);
    case CUDA_R_64F:
      return sx_iamin_wide(handle, n, static_cast<const double*>(x), incx, result);
    case CUDA_C_32F:
      return sx_iamin_wide(handle, n, static_cast<const cuComplex*>(x), incx, result);
    case CUDA_C_64F:
      return sx_iamin_wide(handle, n, static_cast<const cuDoubleComplex*>(x), incx, result);
    default:
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}
