// tpttr and trttp: a triangle between packed and dense storage, one copy per column.
#include "blas_types.h"

namespace {

template <class T>
cublasStatus_t run(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* from, T* to, int64_t lda, bool pack) {
  const auto copy = sx_blas<T>::copy();
  if (copy == nullptr) return CUBLAS_STATUS_NOT_SUPPORTED;
  sx_borrowed blas(sx_slot_of(handle, SX_KIND_BLAS));
  if (blas.error != 0) return static_cast<cublasStatus_t>(blas.error);
  rocblas_status status = rocblas_status_success;
  int64_t packed = 0;
  for (int j = 0; j < n && status == rocblas_status_success; ++j) {
    const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
    const int length = upper ? j + 1 : n - j;
    const int64_t dense = j * lda + (upper ? 0 : j);
    status = copy(blas.loan.handle, length, sx_rocm_ptr(from + (pack ? dense : packed)), 1,
                  sx_rocm_ptr(to + (pack ? packed : dense)), 1);
    packed += length;
  }
  return sx_from_rocblas_status(status);
}

}  // namespace

cublasStatus_t sx_tpttr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const float* AP, float* A, int lda) {
  return run(handle, uplo, n, AP, A, lda, false);
}
cublasStatus_t sx_trttp(cublasHandle_t handle, cublasFillMode_t uplo, int n, const float* A, int lda, float* AP) {
  return run(handle, uplo, n, A, AP, lda, true);
}

cublasStatus_t sx_tpttr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const double* AP, double* A, int lda) {
  return run(handle, uplo, n, AP, A, lda, false);
}
cublasStatus_t sx_trttp(cublasHandle_t handle, cublasFillMode_t uplo, int n, const double* A, int lda, double* AP) {
  return run(handle, uplo, n, A, AP, lda, true);
}

cublasStatus_t sx_tpttr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const cuComplex* AP, cuComplex* A,
                        int lda) {
  return run(handle, uplo, n, AP, A, lda, false);
}
cublasStatus_t sx_trttp(cublasHandle_t handle, cublasFillMode_t uplo, int n, const cuComplex* A, int lda,
                        cuComplex* AP) {
  return run(handle, uplo, n, A, AP, lda, true);
}

cublasStatus_t sx_tpttr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const cuDoubleComplex* AP,
                        cuDoubleComplex* A, int lda) {
  return run(handle, uplo, n, AP, A, lda, false);
}
cublasStatus_t sx_trttp(cublasHandle_t handle, cublasFillMode_t uplo, int n, const cuDoubleComplex* A, int lda,
                        cuDoubleComplex* AP) {
  return run(handle, uplo, n, A, AP, lda, true);
}
