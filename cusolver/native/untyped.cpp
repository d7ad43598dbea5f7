// The 64-bit API as CUDA 11 had it, without an X: one workspace, on the device. Each function is its successor.
#include "native.h"

namespace {

// A size function with two answers, of which the host's is nothing.
template <class Call>
cusolverStatus_t one_size(size_t* bytes, const Call& call) {
  size_t device = 0, host = 0;
  const cusolverStatus_t status = call(&device, &host);
  *bytes = device;
  return status;
}

}  // namespace

cusolverStatus_t sx_untyped_potrf_size(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo,
                                       int64_t n, cudaDataType dataTypeA, const void* A, int64_t lda,
                                       cudaDataType computeType, size_t* bytes) {
  return one_size(bytes, [&](size_t* device, size_t* host) {
    return cusolverDnXpotrf_bufferSize(handle, params, uplo, n, dataTypeA, A, lda, computeType, device, host);
  });
}
cusolverStatus_t sx_untyped_potrf(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo,
                                  int64_t n, cudaDataType dataTypeA, void* A, int64_t lda, cudaDataType computeType,
                                  void* work, size_t bytes, int* info) {
  return cusolverDnXpotrf(handle, params, uplo, n, dataTypeA, A, lda, computeType, work, bytes, nullptr, 0, info);
}
cusolverStatus_t sx_untyped_potrs(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo,
                                  int64_t n, int64_t nrhs, cudaDataType dataTypeA, const void* A, int64_t lda,
                                  cudaDataType dataTypeB, void* B, int64_t ldb, int* info) {
  return cusolverDnXpotrs(handle, params, uplo, n, nrhs, dataTypeA, A, lda, dataTypeB, B, ldb, info);
}

cusolverStatus_t sx_untyped_getrf_size(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                       cudaDataType dataTypeA, const void* A, int64_t lda, cudaDataType computeType,
                                       size_t* bytes) {
  return one_size(bytes, [&](size_t* device, size_t* host) {
    return cusolverDnXgetrf_bufferSize(handle, params, m, n, dataTypeA, A, lda, computeType, device, host);
  });
}
cusolverStatus_t sx_untyped_getrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                  cudaDataType dataTypeA, void* A, int64_t lda, int64_t* ipiv, cudaDataType computeType,
                                  void* work, size_t bytes, int* info) {
  return cusolverDnXgetrf(handle, params, m, n, dataTypeA, A, lda, ipiv, computeType, work, bytes, nullptr, 0, info);
}
cusolverStatus_t sx_untyped_getrs(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasOperation_t trans,
                                  int64_t n, int64_t nrhs, cudaDataType dataTypeA, const void* A, int64_t lda,
                                  const int64_t* ipiv, cudaDataType dataTypeB, void* B, int64_t ldb, int* info) {
  return cusolverDnXgetrs(handle, params, trans, n, nrhs, dataTypeA, A, lda, ipiv, dataTypeB, B, ldb, info);
}

cusolverStatus_t sx_untyped_geqrf_size(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                       cudaDataType dataTypeA, const void* A, int64_t lda, cudaDataType dataTypeTau,
                                       const void* tau, cudaDataType computeType, size_t* bytes) {
  return one_size(bytes, [&](size_t* device, size_t* host) {
    return cusolverDnXgeqrf_bufferSize(handle, params, m, n, dataTypeA, A, lda, dataTypeTau, tau, computeType, device,
                                       host);
  });
}
cusolverStatus_t sx_untyped_geqrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                  cudaDataType dataTypeA, void* A, int64_t lda, cudaDataType dataTypeTau, void* tau,
                                  cudaDataType computeType, void* work, size_t bytes, int* info) {
  return cusolverDnXgeqrf(handle, params, m, n, dataTypeA, A, lda, dataTypeTau, tau, computeType, work, bytes, nullptr,
                          0, info);
}

cusolverStatus_t sx_untyped_gesvd_size(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
                                       signed char jobvt, int64_t m, int64_t n, cudaDataType dataTypeA, const void* A,
                                       int64_t lda, cudaDataType dataTypeS, const void* S, cudaDataType dataTypeU,
                                       const void* U, int64_t ldu, cudaDataType dataTypeVT, const void* VT,
                                       int64_t ldvt, cudaDataType computeType, size_t* bytes) {
  return one_size(bytes, [&](size_t* device, size_t* host) {
    return cusolverDnXgesvd_bufferSize(handle, params, jobu, jobvt, m, n, dataTypeA, A, lda, dataTypeS, S, dataTypeU, U,
                                       ldu, dataTypeVT, VT, ldvt, computeType, device, host);
  });
}
cusolverStatus_t sx_untyped_gesvd(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
                                  signed char jobvt, int64_t m, int64_t n, cudaDataType dataTypeA, void* A, int64_t lda,
                                  cudaDataType dataTypeS, void* S, cudaDataType dataTypeU, void* U, int64_t ldu,
                                  cudaDataType dataTypeVT, void* VT, int64_t ldvt, cudaDataType computeType, void* work,
                                  size_t bytes, int* info) {
  return cusolverDnXgesvd(handle, params, jobu, jobvt, m, n, dataTypeA, A, lda, dataTypeS, S, dataTypeU, U, ldu,
                          dataTypeVT, VT, ldvt, computeType, work, bytes, nullptr, 0, info);
}

cusolverStatus_t sx_untyped_syevd_size(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
                                       cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, const void* A,
                                       int64_t lda, cudaDataType dataTypeW, const void* W, cudaDataType computeType,
                                       size_t* bytes) {
  return one_size(bytes, [&](size_t* device, size_t* host) {
    return cusolverDnXsyevd_bufferSize(handle, params, jobz, uplo, n, dataTypeA, A, lda, dataTypeW, W, computeType,
                                       device, host);
  });
}
cusolverStatus_t sx_untyped_syevd(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, void* A, int64_t lda,
                                  cudaDataType dataTypeW, void* W, cudaDataType computeType, void* work, size_t bytes,
                                  int* info) {
  return cusolverDnXsyevd(handle, params, jobz, uplo, n, dataTypeA, A, lda, dataTypeW, W, computeType, work, bytes,
                          nullptr, 0, info);
}

cusolverStatus_t sx_untyped_syevdx_size(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
                                        cusolverEigRange_t range, cublasFillMode_t uplo, int64_t n,
                                        cudaDataType dataTypeA, const void* A, int64_t lda, void* vl, void* vu,
                                        int64_t il, int64_t iu, int64_t* meig, cudaDataType dataTypeW, const void* W,
                                        cudaDataType computeType, size_t* bytes) {
  return one_size(bytes, [&](size_t* device, size_t* host) {
    return cusolverDnXsyevdx_bufferSize(handle, params, jobz, range, uplo, n, dataTypeA, A, lda, vl, vu, il, iu, meig,
                                        dataTypeW, W, computeType, device, host);
  });
}
cusolverStatus_t sx_untyped_syevdx(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
                                   cusolverEigRange_t range, cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA,
                                   void* A, int64_t lda, void* vl, void* vu, int64_t il, int64_t iu, int64_t* meig,
                                   cudaDataType dataTypeW, void* W, cudaDataType computeType, void* work, size_t bytes,
                                   int* info) {
  return cusolverDnXsyevdx(handle, params, jobz, range, uplo, n, dataTypeA, A, lda, vl, vu, il, iu, meig, dataTypeW, W,
                           computeType, work, bytes, nullptr, 0, info);
}
