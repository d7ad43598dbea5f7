// Hermitian eigenproblems by divide and conquer, all of the spectrum or a part: syevd, syevdx, and the generalised
// sygvd, sygvdx.
//
// rocSOLVER wants room for the off-diagonal that cuSOLVER's callers do not pass. A part of the spectrum is written over
// A by a function that rocSOLVER does not declare; without it, vectors go through memory of their own.
#include "eigen.h"

// ---- all of the spectrum
// ------------------------------------------------------------------------------------------------
template <class T>
static rocblas_status run(rocblas_handle h, const sx_eigen<T>& p, sx_real<T>* E, int* info) {
  const auto evect = sx_to_rocblas_evect(p.jobz);
  const auto uplo = sx_to_rocblas_fill(p.uplo);
  const auto n = static_cast<int>(p.n), lda = static_cast<int>(p.lda), ldb = static_cast<int>(p.ldb);
  if (p.itype == 0) return sx_spectral<T>::syevd()(h, evect, uplo, n, sx_rocm_ptr(p.A), lda, p.W, E, info);
  return sx_spectral<T>::sygvd()(h, sx_to_rocblas_eform(static_cast<cusolverEigType_t>(p.itype)), evect, uplo, n,
                                 sx_rocm_ptr(p.A), lda, sx_rocm_ptr(p.B), ldb, p.W, E, info);
}

template <class T>
static bool missing(const sx_eigen<T>& p) {
  return p.itype == 0 ? sx_spectral<T>::syevd() == nullptr : sx_spectral<T>::sygvd() == nullptr;
}

// Sizes for any arguments: what is wrong with them is the computing function's to say.
template <class T>
static sx_eigen<T> any(const sx_eigen<T>& p) {
  sx_eigen<T> q = p;
  q.jobz = CUSOLVER_EIG_MODE_VECTOR;
  q.n = p.n > 0 ? p.n : 0;
  q.lda = q.ldb = q.n > 0 ? q.n : 1;
  q.A = q.B = nullptr;
  q.W = nullptr;
  return q;
}

template <class T>
cusolverStatus_t sx_eigen_bytes(cusolverDnHandle_t handle, const sx_eigen<T>& told, size_t* bytes) {
  const sx_eigen<T> p = any(told);
  if (!sx_fit_int(p.n) || missing(p)) return CUSOLVER_STATUS_NOT_SUPPORTED;
  sx_solver s(handle);
  return s.size(bytes, {sx_count(p.n) * sizeof(sx_real<T>), sizeof(int)},
                [&](rocblas_handle h) { return run<T>(h, p, nullptr, nullptr); });
}

template <class T>
cusolverStatus_t sx_eigen_run(cusolverDnHandle_t handle, const sx_eigen<T>& p, void* work, size_t bytes, int* info) {
  if (!sx_fit_int(p.n, p.lda, p.ldb) || missing(p)) return CUSOLVER_STATUS_NOT_SUPPORTED;
  sx_solver s(handle);
  const size_t n = sx_count(p.n);
  const auto placed = s.begin(work, bytes, {n * sizeof(sx_real<T>), sizeof(int)},
                              [&](rocblas_handle h) { return run<T>(h, p, nullptr, nullptr); });
  if (placed != CUSOLVER_STATUS_SUCCESS) return placed;
  auto* const E = s.take<sx_real<T>>(n);
  int* const own = s.take<int>(1);
  return sx_from_rocblas_status(run(s.handle(), p, E, info != nullptr ? info : own));
}

// ---- a part of the spectrum
// ---------------------------------------------------------------------------------------------
template <class T>
static bool in_place(const sx_eigen<T>& p) {
  return p.itype == 0 ? sx_spectral<T>::syevdx_inplace() != nullptr : sx_spectral<T>::sygvdx_inplace() != nullptr;
}

// Vectors over A, their number on the host; rocSOLVER waits for it.
template <class T>
static rocblas_status run_in_place(rocblas_handle h, const sx_eigen<T>& p, const sx_part<sx_real<T>>& part, int* found,
                                   int* info) {
  const auto evect = sx_to_rocblas_evect(p.jobz);
  const auto uplo = sx_to_rocblas_fill(p.uplo);
  const auto range = sx_to_rocblas_erange(part.range);
  const auto n = static_cast<int>(p.n), lda = static_cast<int>(p.lda), ldb = static_cast<int>(p.ldb);
  const auto il = static_cast<int>(part.il), iu = static_cast<int>(part.iu);
  constexpr sx_real<T> best = 0;
  if (p.itype == 0)
    return sx_spectral<T>::syevdx_inplace()(h, evect, range, uplo, n, sx_rocm_ptr(p.A), lda, part.vl, part.vu, il, iu,
                                            best, found, p.W, info);
  return sx_spectral<T>::sygvdx_inplace()(h, sx_to_rocblas_eform(static_cast<cusolverEigType_t>(p.itype)), evect, range,
                                          uplo, n, sx_rocm_ptr(p.A), lda, sx_rocm_ptr(p.B), ldb, part.vl, part.vu, il,
                                          iu, best, found, p.W, info);
}

template <class T>
struct Outside {
  T* Z;
  int *found, *failed;
};

template <class T>
static rocblas_status run_outside(rocblas_handle h, const sx_eigen<T>& p, const sx_part<sx_real<T>>& part,
                                  const Outside<T>& out, int* info) {
  const auto evect = sx_to_rocblas_evect(p.jobz);
  const auto uplo = sx_to_rocblas_fill(p.uplo);
  const auto range = sx_to_rocblas_erange(part.range);
  const auto n = static_cast<int>(p.n), lda = static_cast<int>(p.lda), ldb = static_cast<int>(p.ldb);
  const auto il = static_cast<int>(part.il), iu = static_cast<int>(part.iu);
  constexpr sx_real<T> best = 0;
  if (p.itype == 0)
    return sx_spectral<T>::syevx()(h, evect, range, uplo, n, sx_rocm_ptr(p.A), lda, part.vl, part.vu, il, iu, best,
                                   out.found, p.W, sx_rocm_ptr(out.Z), n, out.failed, info);
  return sx_spectral<T>::sygvx()(h, sx_to_rocblas_eform(static_cast<cusolverEigType_t>(p.itype)), evect, range, uplo, n,
                                 sx_rocm_ptr(p.A), lda, sx_rocm_ptr(p.B), ldb, part.vl, part.vu, il, iu, best,
                                 out.found, p.W, sx_rocm_ptr(out.Z), n, out.failed, info);
}

template <class T>
static rocblas_status query(rocblas_handle h, const sx_eigen<T>& p, const sx_part<sx_real<T>>& part) {
  return in_place(p) ? run_in_place<T>(h, p, part, nullptr, nullptr) : run_outside<T>(h, p, part, {}, nullptr);
}

// Bytes for vectors, their number and their failures where they cannot be written over A.
template <class T>
static size_t outside_vectors(const sx_eigen<T>& p) {
  return in_place(p) || p.jobz != CUSOLVER_EIG_MODE_VECTOR ? 0 : sx_count(p.n, p.n) * sizeof(T);
}

template <class T>
cusolverStatus_t sx_eigen_part_bytes(cusolverDnHandle_t handle, const sx_eigen<T>& told, size_t* bytes) {
  const sx_eigen<T> p = any(told);
  const sx_part<sx_real<T>> all{CUSOLVER_EIG_RANGE_ALL, 0, 0, 0, 0};
  if (!sx_fit_int(p.n)) return CUSOLVER_STATUS_NOT_SUPPORTED;
  sx_solver s(handle);
  return s.size(bytes, {outside_vectors(p), (1 + sx_count(p.n)) * sizeof(int), sizeof(int)},
                [&](rocblas_handle h) { return query<T>(h, p, all); });
}

// rocSOLVER waits for the stream: where that fails, in a capture above all, NVIDIA's answer is INTERNAL_ERROR.
static cusolverStatus_t ended(rocblas_status status) {
  return status == rocblas_status_internal_error ? CUSOLVER_STATUS_INTERNAL_ERROR : sx_from_rocblas_status(status);
}

template <class T>
static cusolverStatus_t copy_back(const sx_solver& s, const sx_eigen<T>& p, const Outside<T>& out, int64_t* found) {
  int count = 0;
  if (!sx_fetch(s.stream(), &count, out.found, sizeof count) || !sx_wait(s.stream()))
    return CUSOLVER_STATUS_INTERNAL_ERROR;
  *found = count;
  if (out.Z == nullptr || count <= 0 || count > p.n) return CUSOLVER_STATUS_SUCCESS;
  const size_t column = sx_count(p.n) * sizeof(T);
  const hipError_t copied = sx_rocm->hipMemcpy2DAsync(p.A, sx_count(p.lda) * sizeof(T), out.Z, column, column,
                                                      static_cast<size_t>(count), hipMemcpyDeviceToDevice, s.stream());
  return copied == hipSuccess ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INTERNAL_ERROR;
}

template <class T>
cusolverStatus_t sx_eigen_part(cusolverDnHandle_t handle, const sx_eigen<T>& p, const sx_part<sx_real<T>>& part,
                               int64_t* found, void* work, size_t bytes, int* info) {
  if (!sx_fit_int(p.n, p.lda, p.ldb, part.il, part.iu)) return CUSOLVER_STATUS_NOT_SUPPORTED;
  sx_solver s(handle);
  const size_t vectors = outside_vectors(p), integers = 1 + sx_count(p.n);
  const auto placed = s.begin(work, bytes, {vectors, integers * sizeof(int), sizeof(int)},
                              [&](rocblas_handle h) { return query<T>(h, p, part); });
  if (placed != CUSOLVER_STATUS_SUCCESS) return placed;
  T* const Z = s.take<T>(vectors / sizeof(T));
  int* const numbers = s.take<int>(integers);
  int* const own = s.take<int>(1);
  int* const where = info != nullptr ? info : own;
  if (in_place(p)) {
    int count = 0;
    const auto status = ended(run_in_place(s.handle(), p, part, &count, where));
    if (status == CUSOLVER_STATUS_SUCCESS) *found = count;
    return status;
  }
  const Outside<T> out{vectors != 0 ? Z : nullptr, numbers, numbers + 1};
  const auto status = ended(run_outside(s.handle(), p, part, out, where));
  return status == CUSOLVER_STATUS_SUCCESS ? copy_back(s, p, out, found) : status;
}

#define SX_EIGEN(T, R)                                                                                            \
  template cusolverStatus_t sx_eigen_bytes<T>(cusolverDnHandle_t, const sx_eigen<T>&, size_t*);                   \
  template cusolverStatus_t sx_eigen_run<T>(cusolverDnHandle_t, const sx_eigen<T>&, void*, size_t, int*);         \
  template cusolverStatus_t sx_eigen_part_bytes<T>(cusolverDnHandle_t, const sx_eigen<T>&, size_t*);              \
  template cusolverStatus_t sx_eigen_part<T>(cusolverDnHandle_t, const sx_eigen<T>&, const sx_part<R>&, int64_t*, \
                                             void*, size_t, int*);
SX_SPECTRAL_TYPES(SX_EIGEN)
