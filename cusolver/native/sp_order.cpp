// Orderings, permutations and structure of sparse matrices on the host.
#include "sparse.h"

namespace {

cusolverStatus_t order(int32_t ordering, cusolverSpHandle_t handle, int n, int nnz, cusparseMatDescr_t descr,
                       const int* row, const int* col, int* p) {
  sx_sp_call call(handle, SX_HM_D, n, n, nnz, descr, nullptr, row, col, true);
  call.need(p != nullptr);
  if (!call) return call.status;
  return sx_sp_status(sx_sp_math()->order(ordering, &call.a, p));
}

template <class T>
cusolverStatus_t zero_free(cusolverSpHandle_t handle, int n, int nnz, cusparseMatDescr_t descr, const T* val,
                           const int* row, const int* col, int* p, int* entries) {
  sx_sp_call call(handle, sx_sp_type<T>::number, n, n, nnz, descr, val, row, col);
  call.need(p && entries);
  if (!call) return call.status;
  return sx_sp_status(sx_sp_math()->zero_free(&call.a, p, entries));
}

}  // namespace

cusolverStatus_t sx_cusolverSpXcsrissymHost(cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr,
                                            const int* row, const int* end, const int* col, int* issym) {
  sx_sp_call call(handle, SX_HM_D, m, m, nnz, descr, nullptr, row, col, true);
  call.need(end && issym);
  if (!call) return call.status;
  return sx_sp_status(sx_sp_math()->symmetric(&call.a, end, issym));
}

cusolverStatus_t sx_cusolverSpXcsrsymrcmHost(cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t descr,
                                             const int* row, const int* col, int* p) {
  return order(SX_HM_RCM, handle, n, nnz, descr, row, col, p);
}
cusolverStatus_t sx_cusolverSpXcsrsymmdqHost(cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t descr,
                                             const int* row, const int* col, int* p) {
  return order(SX_HM_AMD, handle, n, nnz, descr, row, col, p);
}
cusolverStatus_t sx_cusolverSpXcsrsymamdHost(cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t descr,
                                             const int* row, const int* col, int* p) {
  return order(SX_HM_AMD, handle, n, nnz, descr, row, col, p);
}
cusolverStatus_t sx_cusolverSpXcsrmetisndHost(cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t descr,
                                              const int* row, const int* col, const int64_t*, int* p) {
  return order(SX_HM_DISSECTION, handle, n, nnz, descr, row, col, p);
}

#define SX_ZFD(X, T)                                                                                          \
  cusolverStatus_t sx_cusolverSp##X##csrzfdHost(cusolverSpHandle_t handle, int n, int nnz,                    \
                                                const cusparseMatDescr_t descr, const T* val, const int* row, \
                                                const int* col, int* P, int* numnz) {                         \
    return zero_free<T>(handle, n, nnz, descr, val, row, col, P, numnz);                                      \
  }
SX_ZFD(S, float)
SX_ZFD(D, double)
SX_ZFD(C, cuComplex)
SX_ZFD(Z, cuDoubleComplex)

cusolverStatus_t sx_cusolverSpXcsrperm_bufferSizeHost(cusolverSpHandle_t handle, int m, int n, int nnz,
                                                      const cusparseMatDescr_t descr, const int* row, const int* col,
                                                      const int* p, const int* q, size_t* bytes) {
  sx_sp_call call(handle, SX_HM_D, m, n, nnz, descr, nullptr, row, col, true);
  call.need(p && q && bytes);
  if (!call) return call.status;
  *bytes = sizeof(int) * (static_cast<size_t>(n) + 2 * static_cast<size_t>(nnz));
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t sx_cusolverSpXcsrpermHost(cusolverSpHandle_t handle, int m, int n, int nnz,
                                           const cusparseMatDescr_t descr, int* row, int* col, const int* p,
                                           const int* q, int* map, void* buffer) {
  sx_sp_call call(handle, SX_HM_D, m, n, nnz, descr, nullptr, row, col, true);
  call.need(p && q && map && buffer);
  if (!call) return call.status;
  return sx_sp_status(sx_sp_math()->permute(m, n, nnz, call.a.base, row, col, p, q, map));
}
