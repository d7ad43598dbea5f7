// gesv and gels of every pair of precisions, by the main one.
#include "irs.h"

using namespace sx_irs;

namespace {

template <class T>
cusolverStatus_t typed_gesv(cusolverDnHandle_t handle, const Gesv<T>& g, void* work, size_t bytes, int* iterations) {
  size_t need = 0;
  const cusolverStatus_t status = gesv_bytes<T>(handle, g.n, g.nrhs, &need);
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  return bytes < need ? kShort : gesv<T>(handle, g, work, bytes, {}, iterations);
}

template <class T>
cusolverStatus_t typed_gels(cusolverDnHandle_t handle, const Gels<T>& g, void* work, size_t bytes, int* iterations) {
  size_t need = 0;
  const cusolverStatus_t status = gels_bytes<T>(handle, g.m, g.n, g.nrhs, &need);
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  *iterations = 0;
  return bytes < need ? kShort : gels<T>(handle, g, work, bytes, kMostIterations, iterations);
}

}  // namespace

// One function per pair of precisions: what it says about the second letter is all that tells it from its siblings.
#define SX_IRS(pair, T)                                                                                                \
  cusolverStatus_t sx_irs_##pair##_gesv_size(cusolverDnHandle_t handle, int n, int nrhs, T*, int, int*, T*, int, T*,   \
                                             int, void*, size_t* bytes) {                                              \
    return gesv_bytes<T>(handle, n, nrhs, bytes);                                                                      \
  }                                                                                                                    \
  cusolverStatus_t sx_irs_##pair##_gesv(cusolverDnHandle_t handle, int n, int nrhs, T* A, int ldda, int* pivots, T* B, \
                                        int lddb, T* X, int lddx, void* work, size_t bytes, int* iterations,           \
                                        int* info) {                                                                   \
    return typed_gesv<T>(handle, {n, nrhs, {A, ldda}, pivots, {B, lddb}, {X, lddx}, info}, work, bytes, iterations);   \
  }                                                                                                                    \
  cusolverStatus_t sx_irs_##pair##_gels_size(cusolverDnHandle_t handle, int m, int n, int nrhs, T*, int, T*, int, T*,  \
                                             int, void*, size_t* bytes) {                                              \
    return gels_bytes<T>(handle, m, n, nrhs, bytes);                                                                   \
  }                                                                                                                    \
  cusolverStatus_t sx_irs_##pair##_gels(cusolverDnHandle_t handle, int m, int n, int nrhs, T* A, int ldda, T* B,       \
                                        int lddb, T* X, int lddx, void* work, size_t bytes, int* iterations,           \
                                        int* info) {                                                                   \
    return typed_gels<T>(handle, {m, n, nrhs, {A, ldda}, {B, lddb}, {X, lddx}, info}, work, bytes, iterations);        \
  }
SX_IRS(ZZ, cuDoubleComplex)
SX_IRS(ZC, cuDoubleComplex)
SX_IRS(ZK, cuDoubleComplex)
SX_IRS(ZE, cuDoubleComplex)
SX_IRS(ZY, cuDoubleComplex)
SX_IRS(CC, cuComplex)
SX_IRS(CK, cuComplex)
SX_IRS(CE, cuComplex)
SX_IRS(CY, cuComplex)
SX_IRS(DD, double)
SX_IRS(DS, double)
SX_IRS(DH, double)
SX_IRS(DB, double)
SX_IRS(DX, double)
SX_IRS(SS, float)
SX_IRS(SH, float)
SX_IRS(SB, float)
SX_IRS(SX, float)
#undef SX_IRS
