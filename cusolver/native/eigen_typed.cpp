// The typed entry points of syevd, syevdx, sygvd and sygvdx.
#include "eigen.h"

namespace {

template <class T>
cusolverStatus_t part(cusolverDnHandle_t handle, const sx_eigen<T>& p, const sx_part<sx_real<T>>& range, int* meig,
                      T* work, int lwork, int* info) {
  int64_t found = 0;
  const auto status = sx_eigen_part(handle, p, range, &found, work, sx_lwork_bytes<T>(lwork), info);
  if (status == CUSOLVER_STATUS_SUCCESS) *meig = static_cast<int>(found);
  return status;
}

template <class T>
cusolverStatus_t size(cusolverDnHandle_t handle, int itype, int64_t n, int* lwork) {
  const sx_eigen<T> p{itype, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, nullptr, n, nullptr, n, nullptr};
  size_t bytes = 0;
  const auto asked = sx_eigen_bytes(handle, p, &bytes);
  return sx_tell_lwork<T>(asked, bytes, lwork);
}
template <class T>
cusolverStatus_t part_size(cusolverDnHandle_t handle, int itype, int64_t n, int* lwork) {
  const sx_eigen<T> p{itype, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, nullptr, n, nullptr, n, nullptr};
  size_t bytes = 0;
  const auto asked = sx_eigen_part_bytes(handle, p, &bytes);
  return sx_tell_lwork<T>(asked, bytes, lwork);
}

}  // namespace

#define SX_SYEVD(T, R)                                                                                                 \
  cusolverStatus_t sx_syevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T* A,     \
                            int lda, R* W, T* work, int lwork, int* info) {                                            \
    return sx_eigen_run<T>(handle, {0, jobz, uplo, n, A, lda, nullptr, 1, W}, work, sx_lwork_bytes<T>(lwork), info);   \
  }                                                                                                                    \
  cusolverStatus_t sx_syevd_size(cusolverDnHandle_t handle, cusolverEigMode_t, cublasFillMode_t, int n, const T*, int, \
                                 const R*, int* lwork) {                                                               \
    return size<T>(handle, 0, n, lwork);                                                                               \
  }
SX_SPECTRAL_TYPES(SX_SYEVD)

#define SX_SYEVDX(T, R)                                                                                                \
  cusolverStatus_t sx_syevdx(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range,              \
                             cublasFillMode_t uplo, int n, T* A, int lda, R vl, R vu, int il, int iu, int* meig, R* W, \
                             T* work, int lwork, int* info) {                                                          \
    return part<T>(handle, {0, jobz, uplo, n, A, lda, nullptr, 1, W}, {range, vl, vu, il, iu}, meig, work, lwork,      \
                   info);                                                                                              \
  }                                                                                                                    \
  cusolverStatus_t sx_syevdx_size(cusolverDnHandle_t handle, cusolverEigMode_t, cusolverEigRange_t, cublasFillMode_t,  \
                                  int n, const T*, int, R, R, int, int, int*, const R*, int* lwork) {                  \
    return part_size<T>(handle, 0, n, lwork);                                                                          \
  }
SX_SPECTRAL_TYPES(SX_SYEVDX)

#define SX_SYGVD(T, R)                                                                                               \
  cusolverStatus_t sx_sygvd(cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,              \
                            cublasFillMode_t uplo, int n, T* A, int lda, T* B, int ldb, R* W, T* work, int lwork,    \
                            int* info) {                                                                             \
    return sx_eigen_run<T>(handle, {itype, jobz, uplo, n, A, lda, B, ldb, W}, work, sx_lwork_bytes<T>(lwork), info); \
  }                                                                                                                  \
  cusolverStatus_t sx_sygvd_size(cusolverDnHandle_t handle, cusolverEigType_t, cusolverEigMode_t, cublasFillMode_t,  \
                                 int n, const T*, int, const T*, int, const R*, int* lwork) {                        \
    return size<T>(handle, CUSOLVER_EIG_TYPE_1, n, lwork);                                                           \
  }
SX_SPECTRAL_TYPES(SX_SYGVD)

#define SX_SYGVDX(T, R)                                                                                                \
  cusolverStatus_t sx_sygvdx(cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,               \
                             cusolverEigRange_t range, cublasFillMode_t uplo, int n, T* A, int lda, T* B, int ldb,     \
                             R vl, R vu, int il, int iu, int* meig, R* W, T* work, int lwork, int* info) {             \
    return part<T>(handle, {itype, jobz, uplo, n, A, lda, B, ldb, W}, {range, vl, vu, il, iu}, meig, work, lwork,      \
                   info);                                                                                              \
  }                                                                                                                    \
  cusolverStatus_t sx_sygvdx_size(cusolverDnHandle_t handle, cusolverEigType_t, cusolverEigMode_t, cusolverEigRange_t, \
                                  cublasFillMode_t, int n, const T*, int, const T*, int, R, R, int, int, int*,         \
                                  const R*, int* lwork) {                                                              \
    return part_size<T>(handle, CUSOLVER_EIG_TYPE_1, n, lwork);                                                        \
  }
SX_SPECTRAL_TYPES(SX_SYGVDX)
