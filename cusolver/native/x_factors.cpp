// Cholesky and QR of the 64-bit API, and the older names without an X: the typed functions, with types as arguments.
#include "x.h"

namespace {

// Any type that is not known counts as the widest; measured.
template <class T>
cusolverStatus_t potrf_size(cusolverDnHandle_t handle, cublasFillMode_t uplo, int64_t n, int64_t lda, size_t* device,
                            size_t* host) {
  return sx_bytes<T>(device, host, [&](int* elements) {
    return sx_dn<T>::potrf_size(handle, uplo, sx_size_of(n), nullptr, sx_ld_of(lda, n), elements);
  });
}

template <class T>
cusolverStatus_t geqrf_size(cusolverDnHandle_t handle, int64_t m, int64_t n, int64_t lda, size_t* device,
                            size_t* host) {
  return sx_bytes<T>(device, host, [&](int* elements) {
    return sx_dn<T>::geqrf_size(handle, sx_size_of(m), sx_size_of(n), nullptr, sx_ld_of(lda, m), elements);
  });
}

}  // namespace

cusolverStatus_t sx_x_potrf_size(cusolverDnHandle_t handle, cusolverDnParams_t, cublasFillMode_t uplo, int64_t n,
                                 cudaDataType dataTypeA, const void*, int64_t lda, cudaDataType, size_t* device,
                                 size_t* host) {
  if (uplo != CUBLAS_FILL_MODE_LOWER && uplo != CUBLAS_FILL_MODE_UPPER) {
    return sx_no_bytes(device, host, CUSOLVER_STATUS_INVALID_VALUE);
  }
  const auto size = [&](auto one) { return potrf_size<decltype(one)>(handle, uplo, n, lda, device, host); };
  const cusolverStatus_t status = sx_of_type(dataTypeA, size);
  return status == CUSOLVER_STATUS_INVALID_VALUE ? size(cuDoubleComplex{}) : status;
}

cusolverStatus_t sx_x_potrf(cusolverDnHandle_t handle, cusolverDnParams_t, cublasFillMode_t uplo, int64_t n,
                            cudaDataType dataTypeA, void* A, int64_t lda, cudaDataType, void* work, size_t bytes, void*,
                            size_t, int* info) {
  if (!sx_fit(n, lda)) return CUSOLVER_STATUS_NOT_SUPPORTED;
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    return sx_dn<T>::potrf(handle, uplo, static_cast<int>(n), sx_as<T>(A), static_cast<int>(lda), sx_as<T>(work),
                           sx_elements<T>(bytes), info);
  });
}

cusolverStatus_t sx_x_potrs(cusolverDnHandle_t handle, cusolverDnParams_t, cublasFillMode_t uplo, int64_t n,
                            int64_t nrhs, cudaDataType dataTypeA, const void* A, int64_t lda, cudaDataType, void* B,
                            int64_t ldb, int* info) {
  if (!sx_fit(n, nrhs, lda, ldb)) return CUSOLVER_STATUS_NOT_SUPPORTED;
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    return sx_dn<T>::potrs(handle, uplo, static_cast<int>(n), static_cast<int>(nrhs), sx_as<T>(A),
                           static_cast<int>(lda), sx_as<T>(B), static_cast<int>(ldb), info);
  });
}

cusolverStatus_t sx_x_geqrf_size(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m, int64_t n,
                                 cudaDataType dataTypeA, const void*, int64_t lda, cudaDataType dataTypeTau,
                                 const void*, cudaDataType computeType, size_t* device, size_t* host) {
  if (dataTypeTau != dataTypeA || computeType != dataTypeA) {
    return sx_no_bytes(device, host, CUSOLVER_STATUS_INVALID_VALUE);
  }
  const cusolverStatus_t status =
      sx_of_type(dataTypeA, [&](auto one) { return geqrf_size<decltype(one)>(handle, m, n, lda, device, host); });
  return status == CUSOLVER_STATUS_SUCCESS ? status : sx_no_bytes(device, host, status);
}

cusolverStatus_t sx_x_geqrf(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m, int64_t n, cudaDataType dataTypeA,
                            void* A, int64_t lda, cudaDataType, void* tau, cudaDataType, void* work, size_t bytes,
                            void*, size_t, int* info) {
  if (!sx_fit(m, n, lda)) return CUSOLVER_STATUS_NOT_SUPPORTED;
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    return sx_dn<T>::geqrf(handle, static_cast<int>(m), static_cast<int>(n), sx_as<T>(A), static_cast<int>(lda),
                           sx_as<T>(tau), sx_as<T>(work), sx_elements<T>(bytes), info);
  });
}
