// Sparse linear systems, least squares and eigenvalues in one call. The device's functions copy to the host and back.
#include "sparse.h"

namespace {

template <class T>
using Real = typename sx_sp_type<T>::real;

// A x = b; ``host``: every pointer is to the host's memory, and nothing else is touched.
template <class T>
cusolverStatus_t lsv(bool host, int32_t kind, cusolverSpHandle_t handle, int n, int nnz, cusparseMatDescr_t descr,
                     const T* val, const int* row, const int* col, const T* b, Real<T> tol, int reorder, T* x,
                     int* singularity) {
  sx_sp_call call(handle, sx_sp_type<T>::number, n, n, nnz, descr, val, row, col);
  call.need(b && x && singularity);
  if (!call) return call.status;
  if (reorder < 0 || reorder > 3) {
    *singularity = 0;
    return CUSOLVER_STATUS_INVALID_VALUE;
  }
  const auto* math = sx_sp_math();
  if (host) return sx_sp_status(math->lsv(kind, &call.a, b, static_cast<double>(tol), reorder, x, singularity));
  sx_onhost work(call.slot);
  sx_sp_copy<T> copy;
  copy.read(&work, &call.a);
  const auto right = work.read(b, n);
  const auto left = work.room<T>(n);
  if (!work.ready()) return work.status();
  work.fail(
      sx_sp_status(math->lsv(kind, &call.a, right.get(), static_cast<double>(tol), reorder, left.get(), singularity)));
  if (work.status() == CUSOLVER_STATUS_SUCCESS && *singularity < 0) work.write(x, left.get(), n);
  return work.finish();
}

template <class T>
cusolverStatus_t least_squares(cusolverSpHandle_t handle, int m, int n, int nnz, cusparseMatDescr_t descr, const T* val,
                               const int* row, const int* col, const T* b, Real<T> tol, int* rank, T* x, int* p,
                               Real<T>* min_norm) {
  sx_sp_call call(handle, sx_sp_type<T>::number, m, n, nnz, descr, val, row, col);
  call.need(b && rank && x && p && min_norm);
  if (!call) return call.status;
  if (m < n) {
    *rank = 0;
    return CUSOLVER_STATUS_INVALID_VALUE;
  }
  return sx_sp_status(sx_sp_math()->least_squares(&call.a, b, static_cast<double>(tol), rank, x, p, min_norm));
}

template <class T>
cusolverStatus_t inverse_iteration(bool host, cusolverSpHandle_t handle, int m, int nnz, cusparseMatDescr_t descr,
                                   const T* val, const int* row, const int* col, T mu0, const T* x0, int most,
                                   Real<T> eps, T* mu, T* x) {
  sx_sp_call call(handle, sx_sp_type<T>::number, m, m, nnz, descr, val, row, col);
  call.need(x0 && mu && x);
  if (!call) return call.status;
  const auto* math = sx_sp_math();
  const auto tol = static_cast<double>(eps);
  if (host) return sx_sp_status(math->inverse_iteration(&call.a, &mu0, x0, most, tol, mu, x));
  sx_onhost work(call.slot);
  sx_sp_copy<T> copy;
  copy.read(&work, &call.a);
  const auto first = work.read(x0, m);
  const auto vector = work.room<T>(m);
  T value{};
  if (!work.ready()) return work.status();
  work.fail(sx_sp_status(math->inverse_iteration(&call.a, &mu0, first.get(), most, tol, &value, vector.get())));
  // NVIDIA's documentation shows mu on the device; on the host it is taken as well
  if (work.status() == CUSOLVER_STATUS_SUCCESS &&
      sx_rocm->hipMemcpyAsync(mu, &value, sizeof value, hipMemcpyDefault, call.slot->stream) != hipSuccess) {
    work.fail(CUSOLVER_STATUS_INTERNAL_ERROR);
  }
  work.write(x, vector.get(), m);
  return work.finish();
}

template <class T, class Corner>
cusolverStatus_t count(cusolverSpHandle_t handle, int m, int nnz, cusparseMatDescr_t descr, const T* val,
                       const int* row, const int* col, Corner low, Corner high, int* found) {
  sx_sp_call call(handle, sx_sp_type<T>::number, m, m, nnz, descr, val, row, col);
  call.need(found != nullptr);
  if (!call) return call.status;
  return sx_sp_status(sx_sp_math()->count_eigenvalues(&call.a, static_cast<double>(low.x), static_cast<double>(low.y),
                                                      static_cast<double>(high.x), static_cast<double>(high.y), found));
}

}  // namespace

#define SX_LSV(X, T, R, name, kind, host)                                                                            \
  cusolverStatus_t sx_cusolverSp##X##name(cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t descr, \
                                          const T* val, const int* row, const int* col, const T* b, R tol,           \
                                          int reorder, T* x, int* singularity) {                                     \
    return lsv<T>(host, kind, handle, n, nnz, descr, val, row, col, b, tol, reorder, x, singularity);                \
  }
#define SX_EIGVSI(X, T, R, name, host)                                                                               \
  cusolverStatus_t sx_cusolverSp##X##name(cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr, \
                                          const T* val, const int* row, const int* col, T mu0, const T* x0,          \
                                          int maxite, R eps, T* mu, T* x) {                                          \
    return inverse_iteration<T>(host, handle, m, nnz, descr, val, row, col, mu0, x0, maxite, eps, mu, x);            \
  }
#define SX_SOLVE(X, T, R, C)                                                                                          \
  SX_LSV(X, T, R, csrlsvluHost, SX_HM_LU, true)                                                                       \
  SX_LSV(X, T, R, csrlsvqr, SX_HM_QR, false)                                                                          \
  SX_LSV(X, T, R, csrlsvqrHost, SX_HM_QR, true)                                                                       \
  SX_LSV(X, T, R, csrlsvchol, SX_HM_CHOLESKY, false)                                                                  \
  SX_LSV(X, T, R, csrlsvcholHost, SX_HM_CHOLESKY, true)                                                               \
  SX_EIGVSI(X, T, R, csreigvsi, false)                                                                                \
  SX_EIGVSI(X, T, R, csreigvsiHost, true)                                                                             \
  cusolverStatus_t sx_cusolverSp##X##csrlsqvqrHost(                                                                   \
      cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descr, const T* val, const int* row, \
      const int* col, const T* b, R tol, int* rank, T* x, int* p, R* min_norm) {                                      \
    return least_squares<T>(handle, m, n, nnz, descr, val, row, col, b, tol, rank, x, p, min_norm);                   \
  }                                                                                                                   \
  cusolverStatus_t sx_cusolverSp##X##csreigsHost(cusolverSpHandle_t handle, int m, int nnz,                           \
                                                 const cusparseMatDescr_t descr, const T* val, const int* row,        \
                                                 const int* col, C low, C high, int* found) {                         \
    return count<T>(handle, m, nnz, descr, val, row, col, low, high, found);                                          \
  }
SX_SOLVE(S, float, float, cuComplex)
SX_SOLVE(D, double, double, cuDoubleComplex)
SX_SOLVE(C, cuComplex, float, cuComplex)
SX_SOLVE(Z, cuDoubleComplex, double, cuDoubleComplex)
