// Symmetric and Hermitian eigenvalue problems of the 64-bit API, one at a time: the typed functions.
#include "x.h"

namespace {

// The types that one problem has: A of ``type``, eigenvalues real, computed as A is.
bool types_agree(cudaDataType a, cudaDataType w, cudaDataType compute) {
  return compute == a && sx_of_type(a, [&](auto one) {
                           return w == sx_dn<decltype(one)>::of_real ? CUSOLVER_STATUS_SUCCESS
                                                                     : CUSOLVER_STATUS_INVALID_VALUE;
                         }) == CUSOLVER_STATUS_SUCCESS;
}

template <class T>
typename sx_dn<T>::real bound(cusolverEigRange_t range, const void* p) {
  using R = typename sx_dn<T>::real;
  return range == CUSOLVER_EIG_RANGE_V && p != nullptr ? sx_load<R>(p) : R{0};
}

// The typed functions count eigenvalues in 32 bits.
template <class Call>
cusolverStatus_t counted(int64_t* meig, const Call& call) {
  int found = 0;
  const cusolverStatus_t status = call(&found);
  if (status == CUSOLVER_STATUS_SUCCESS) *meig = found;
  return status;
}

}  // namespace

cusolverStatus_t sx_x_syevd_size(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t jobz,
                                 cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, const void*, int64_t lda,
                                 cudaDataType dataTypeW, const void*, cudaDataType computeType, size_t* device,
                                 size_t* host) {
  if (!types_agree(dataTypeA, dataTypeW, computeType)) return sx_no_bytes(device, host, CUSOLVER_STATUS_INVALID_VALUE);
  const auto job = jobz == CUSOLVER_EIG_MODE_NOVECTOR ? jobz : CUSOLVER_EIG_MODE_VECTOR;
  const auto part = uplo == CUBLAS_FILL_MODE_UPPER ? uplo : CUBLAS_FILL_MODE_LOWER;
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    return sx_bytes<T>(device, host, [&](int* elements) {
      return sx_dn<T>::syevd_size(handle, job, part, sx_size_of(n), nullptr, sx_ld_of(lda, n), nullptr, elements);
    });
  });
}

cusolverStatus_t sx_x_syevd(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t jobz,
                            cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, void* A, int64_t lda,
                            cudaDataType, void* W, cudaDataType, void* work, size_t bytes, void*, size_t, int* info) {
  if (!sx_fit(n, lda)) return CUSOLVER_STATUS_NOT_SUPPORTED;
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    return sx_dn<T>::syevd(handle, jobz, uplo, static_cast<int>(n), sx_as<T>(A), static_cast<int>(lda),
                           sx_as<typename sx_dn<T>::real>(W), sx_as<T>(work), sx_elements<T>(bytes), info);
  });
}

cusolverStatus_t sx_x_syevdx_size(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t jobz,
                                  cusolverEigRange_t, cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA,
                                  const void*, int64_t lda, void*, void*, int64_t, int64_t, int64_t*,
                                  cudaDataType dataTypeW, const void*, cudaDataType computeType, size_t* device,
                                  size_t* host) {
  if (!types_agree(dataTypeA, dataTypeW, computeType)) return sx_no_bytes(device, host, CUSOLVER_STATUS_INVALID_VALUE);
  const auto job = jobz == CUSOLVER_EIG_MODE_NOVECTOR ? jobz : CUSOLVER_EIG_MODE_VECTOR;
  const auto part = uplo == CUBLAS_FILL_MODE_UPPER ? uplo : CUBLAS_FILL_MODE_LOWER;
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    using R = typename sx_dn<T>::real;
    int found = 0;
    const int size = sx_size_of(n);
    return sx_bytes<T>(device, host, [&](int* elements) {  // all eigenvalues need the most
      return sx_dn<T>::syevdx_size(handle, job, CUSOLVER_EIG_RANGE_ALL, part, size, nullptr, sx_ld_of(lda, n), R{0},
                                   R{0}, 1, sx_max(size, 1), &found, nullptr, elements);
    });
  });
}

cusolverStatus_t sx_x_syevdx(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t jobz,
                             cusolverEigRange_t range, cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA,
                             void* A, int64_t lda, void* vl, void* vu, int64_t il, int64_t iu, int64_t* meig,
                             cudaDataType, void* W, cudaDataType, void* work, size_t bytes, void*, size_t, int* info) {
  if (!sx_fit(n, lda, il, iu)) return CUSOLVER_STATUS_NOT_SUPPORTED;
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    return counted(meig, [&](int* found) {
      return sx_dn<T>::syevdx(handle, jobz, range, uplo, static_cast<int>(n), sx_as<T>(A), static_cast<int>(lda),
                              bound<T>(range, vl), bound<T>(range, vu), static_cast<int>(il), static_cast<int>(iu),
                              found, sx_as<typename sx_dn<T>::real>(W), sx_as<T>(work), sx_elements<T>(bytes), info);
    });
  });
}

// ---- A x = lambda B x -----------------------------------------------------------------------------------------------

cusolverStatus_t sx_x_sygvd_size(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigType_t itype,
                                 cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA,
                                 const void*, int64_t lda, cudaDataType, const void*, int64_t ldb, cudaDataType,
                                 const void*, cudaDataType, size_t* device, size_t* host) {
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    return sx_bytes<T>(device, host, [&](int* elements) {
      return sx_dn<T>::sygvd_size(handle, itype, jobz, uplo, sx_size_of(n), nullptr, sx_ld_of(lda, n), nullptr,
                                  sx_ld_of(ldb, n), nullptr, elements);
    });
  });
}

cusolverStatus_t sx_x_sygvd(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigType_t itype,
                            cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, void* A,
                            int64_t lda, cudaDataType, void* B, int64_t ldb, cudaDataType, void* W, cudaDataType,
                            void* work, size_t bytes, void*, size_t, int* info) {
  if (!sx_fit(n, lda, ldb)) return CUSOLVER_STATUS_NOT_SUPPORTED;
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    return sx_dn<T>::sygvd(handle, itype, jobz, uplo, static_cast<int>(n), sx_as<T>(A), static_cast<int>(lda),
                           sx_as<T>(B), static_cast<int>(ldb), sx_as<typename sx_dn<T>::real>(W), sx_as<T>(work),
                           sx_elements<T>(bytes), info);
  });
}

cusolverStatus_t sx_x_sygvdx_size(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigType_t itype,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA,
                                  const void*, int64_t lda, cudaDataType, const void*, int64_t ldb, void*, void*,
                                  int64_t, int64_t, int64_t*, cudaDataType, const void*, cudaDataType, size_t* device,
                                  size_t* host) {
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    using R = typename sx_dn<T>::real;
    int found = 0;
    const int size = sx_size_of(n);
    return sx_bytes<T>(device, host, [&](int* elements) {
      return sx_dn<T>::sygvdx_size(handle, itype, jobz, CUSOLVER_EIG_RANGE_ALL, uplo, size, nullptr, sx_ld_of(lda, n),
                                   nullptr, sx_ld_of(ldb, n), R{0}, R{0}, 1, sx_max(size, 1), &found, nullptr,
                                   elements);
    });
  });
}

cusolverStatus_t sx_x_sygvdx(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigType_t itype,
                             cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo, int64_t n,
                             cudaDataType dataTypeA, void* A, int64_t lda, cudaDataType, void* B, int64_t ldb, void* vl,
                             void* vu, int64_t il, int64_t iu, int64_t* meig, cudaDataType, void* W, cudaDataType,
                             void* work, size_t bytes, void*, size_t, int* info) {
  if (!sx_fit(n, lda, ldb, il, iu)) return CUSOLVER_STATUS_NOT_SUPPORTED;
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    return counted(meig, [&](int* found) {
      return sx_dn<T>::sygvdx(handle, itype, jobz, range, uplo, static_cast<int>(n), sx_as<T>(A), static_cast<int>(lda),
                              sx_as<T>(B), static_cast<int>(ldb), bound<T>(range, vl), bound<T>(range, vu),
                              static_cast<int>(il), static_cast<int>(iu), found, sx_as<typename sx_dn<T>::real>(W),
                              sx_as<T>(work), sx_elements<T>(bytes), info);
    });
  });
}
