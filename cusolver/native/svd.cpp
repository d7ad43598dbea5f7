// gesvd: singular values by the QR iteration, vectors as V^H. rocSOLVER wants room for the superdiagonal, an info that
// is there, and memory that depends on the jobs, which bufferSize is not told.
#include "svd.h"

static rocblas_svect side(signed char job) {
  switch (job) {
    case 'A':
      return rocblas_svect_all;
    case 'S':
      return rocblas_svect_singular;
    case 'O':
      return rocblas_svect_overwrite;
    default:
      return rocblas_svect_none;
  }
}

template <class T>
static rocblas_status run(rocblas_handle h, const sx_svd<T>& p, sx_real<T>* E, int* info) {
  return sx_spectral<T>::gesvd()(h, side(p.jobu), side(p.jobvt), static_cast<int>(p.m), static_cast<int>(p.n),
                                 sx_rocm_ptr(p.A), static_cast<int>(p.lda), p.S, sx_rocm_ptr(p.U),
                                 static_cast<int>(p.ldu), sx_rocm_ptr(p.VT), static_cast<int>(p.ldvt), E,
                                 rocblas_outofplace, info);
}

template <class T>
cusolverStatus_t sx_svd_bytes(cusolverDnHandle_t handle, int64_t m, int64_t n, size_t* bytes) {
  if (!sx_fit_int(m, n) || sx_spectral<T>::gesvd() == nullptr) return CUSOLVER_STATUS_NOT_SUPPORTED;
  const int64_t rows = m > 1 ? m : 1, columns = n > 1 ? n : 1;
  const size_t least = sx_count(rows < columns ? rows : columns);
  sx_solver s(handle);
  return s.size(bytes, {least * sizeof(sx_real<T>), sizeof(int)}, [&](rocblas_handle h) {
    rocblas_status status = rocblas_status_size_unchanged;
    for (const char left : {'A', 'S', 'O', 'N'}) {
      for (const char right : {'A', 'S', 'O', 'N'}) {
        if (left == 'O' && right == 'O') continue;
        const sx_svd<T> p{left, right, rows, columns, nullptr, rows, nullptr, nullptr, rows, nullptr, columns, nullptr};
        status = run<T>(h, p, nullptr, nullptr);
        if (status != rocblas_status_success && status != rocblas_status_size_unchanged &&
            status != rocblas_status_size_increased)
          return status;
      }
    }
    return status;
  });
}

// The superdiagonal where the program wants it, which it does only if it did not vanish: the call waits to know.
template <class T>
static cusolverStatus_t superdiagonal(const sx_solver& s, const sx_svd<T>& p, const sx_real<T>* E, size_t count,
                                      const int* info) {
  int number = 0;
  if (!sx_fetch(s.stream(), &number, info, sizeof number) || !sx_wait(s.stream()))
    return CUSOLVER_STATUS_INTERNAL_ERROR;
  if (number <= 0 || count == 0) return CUSOLVER_STATUS_SUCCESS;
  const hipError_t copied =
      sx_rocm->hipMemcpyAsync(p.rwork, E, count * sizeof(sx_real<T>), hipMemcpyDeviceToDevice, s.stream());
  return copied == hipSuccess ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INTERNAL_ERROR;
}

template <class T>
cusolverStatus_t sx_svd_run(cusolverDnHandle_t handle, const sx_svd<T>& p, void* work, size_t bytes, int* info) {
  if (!sx_fit_int(p.m, p.n, p.lda, p.ldu, p.ldvt) || sx_spectral<T>::gesvd() == nullptr)
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  const size_t least = sx_count(p.m < p.n ? p.m : p.n);
  sx_solver s(handle);
  const auto placed = s.begin(work, bytes, {least * sizeof(sx_real<T>), sizeof(int)},
                              [&](rocblas_handle h) { return run<T>(h, p, nullptr, nullptr); });
  if (placed != CUSOLVER_STATUS_SUCCESS) return placed;
  auto* const E = s.take<sx_real<T>>(least);
  int* const own = s.take<int>(1);
  int* const where = info != nullptr ? info : own;
  const auto status = sx_from_rocblas_status(run(s.handle(), p, E, where));
  if (status != CUSOLVER_STATUS_SUCCESS || p.rwork == nullptr) return status;
  return superdiagonal(s, p, E, least > 0 ? least - 1 : 0, where);
}

template <class T>
static cusolverStatus_t size(cusolverDnHandle_t handle, int m, int n, int* lwork) {
  size_t bytes = 0;
  const auto asked = sx_svd_bytes<T>(handle, m, n, &bytes);
  return sx_tell_lwork<T>(asked, bytes, lwork);
}

#define SX_SVD(T, R)                                                                                                  \
  template cusolverStatus_t sx_svd_bytes<T>(cusolverDnHandle_t, int64_t, int64_t, size_t*);                           \
  template cusolverStatus_t sx_svd_run<T>(cusolverDnHandle_t, const sx_svd<T>&, void*, size_t, int*);                 \
  cusolverStatus_t sx_gesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, int n, T* A,       \
                            int lda, R* S, T* U, int ldu, T* VT, int ldvt, T* work, int lwork, R* rwork, int* info) { \
    return sx_svd_run<T>(handle, {jobu, jobvt, m, n, A, lda, S, U, ldu, VT, ldvt, rwork}, work,                       \
                         sx_lwork_bytes<T>(lwork), info);                                                             \
  }
SX_SPECTRAL_TYPES(SX_SVD)

// These are told no type but by their names.
cusolverStatus_t sx_sgesvd_size(cusolverDnHandle_t handle, int m, int n, int* lwork) {
  return size<float>(handle, m, n, lwork);
}
cusolverStatus_t sx_dgesvd_size(cusolverDnHandle_t handle, int m, int n, int* lwork) {
  return size<double>(handle, m, n, lwork);
}
cusolverStatus_t sx_cgesvd_size(cusolverDnHandle_t handle, int m, int n, int* lwork) {
  return size<cuComplex>(handle, m, n, lwork);
}
cusolverStatus_t sx_zgesvd_size(cusolverDnHandle_t handle, int m, int n, int* lwork) {
  return size<cuDoubleComplex>(handle, m, n, lwork);
}
