// Hermitian eigenproblems by Jacobi's method: syevj, syevjBatched, sygvj.
//
// rocSOLVER leaves the sweeps and what is left off the diagonal (a norm, not a ratio) on the device and says 1 when it
// did not converge; NVIDIA's object tells the ratio to the matrix's norm, and its info is n + 1. So a call for one
// matrix waits for its results; a batched one tells nothing and stays in the stream's order.
#include <cmath>
#include <vector>

#include "spectral.h"

namespace {

template <class T>
struct Problem {
  int itype;  // 0: standard
  cusolverEigMode_t jobz;
  cublasFillMode_t uplo;
  int n;
  T* A;
  int lda;
  T* B;
  int ldb;
  sx_real<T>* W;
};

template <class T>
rocblas_status run(rocblas_handle h, const Problem<T>& p, const sx_jacobi& j, sx_real<T>* residual, int* sweeps,
                   int* info) {
  const auto evect = sx_to_rocblas_evect(p.jobz);
  const auto uplo = sx_to_rocblas_fill(p.uplo);
  if (p.itype == 0)
    return sx_spectral<T>::syevj()(h, rocblas_esort_ascending, evect, uplo, p.n, sx_rocm_ptr(p.A), p.lda,
                                   sx_tolerance<T>(j), residual, j.limit(), sweeps, p.W, info);
  return sx_spectral<T>::sygvj()(h, sx_to_rocblas_eform(static_cast<cusolverEigType_t>(p.itype)), evect, uplo, p.n,
                                 sx_rocm_ptr(p.A), p.lda, sx_rocm_ptr(p.B), p.ldb, sx_tolerance<T>(j), residual,
                                 j.limit(), sweeps, p.W, info);
}

// left / the Frobenius norm of the matrix, which is that of its eigenvalues and what is left beside them.
template <class R>
double ratio(R left, const std::vector<R>& eigenvalues) {
  double largest = std::fabs(static_cast<double>(left)), sum = 0;
  for (const R w : eigenvalues) largest = std::fmax(largest, std::fabs(static_cast<double>(w)));
  if (left != left) return static_cast<double>(left);
  if (!(largest > 0) || std::isinf(largest)) return std::isinf(largest) ? NAN : 0;
  const auto square = [&](double x) { return (x / largest) * (x / largest); };
  for (const R w : eigenvalues) sum += square(static_cast<double>(w));
  sum += square(static_cast<double>(left));
  return static_cast<double>(left) / largest / std::sqrt(sum);
}

template <class T>
struct Said {
  sx_real<T> left;
  int sweeps, info;
  std::vector<sx_real<T>> W;
};

// Info as NVIDIA counts: a minor of B that is not positive is i, no convergence n + 1.
template <class T>
int told(const Problem<T>& p, const Said<T>& said) {
  if (said.info > p.n) return said.info - p.n;
  const bool diverged = said.info > 0 || said.left != said.left;
  return diverged ? p.n + 1 : 0;
}

template <class T>
cusolverStatus_t one(cusolverDnHandle_t handle, const Problem<T>& p, T* work, int lwork, int* info,
                     syevjInfo_t params) {
  using R = sx_real<T>;
  sx_jacobi* const j = sx_jacobi_of(params, SX_KIND_SYEVJ);
  if (j == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  if ((p.itype == 0 ? sx_spectral<T>::syevj() == nullptr : sx_spectral<T>::sygvj() == nullptr))
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  j->known = 0;
  sx_solver s(handle);
  const auto placed = s.begin(work, sx_lwork_bytes<T>(lwork), {sizeof(R), sizeof(int)},
                              [&](rocblas_handle h) { return run<T>(h, p, *j, nullptr, nullptr, nullptr); });
  if (placed != CUSOLVER_STATUS_SUCCESS) return placed;
  R* const left = s.take<R>(1);
  int* const sweeps = s.take<int>(1);
  const auto status = sx_from_rocblas_status(run(s.handle(), p, *j, left, sweeps, info));
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  Said<T> said{0, 0, 0, std::vector<R>(sx_count(p.n))};
  const bool fetched = sx_fetch(s.stream(), &said.left, left, sizeof(R)) &&
                       sx_fetch(s.stream(), &said.sweeps, sweeps, sizeof(int)) &&
                       sx_fetch(s.stream(), &said.info, info, sizeof(int)) &&
                       sx_fetch(s.stream(), said.W.data(), p.W, said.W.size() * sizeof(R)) && sx_wait(s.stream());
  if (!fetched) return CUSOLVER_STATUS_EXECUTION_FAILED;
  if (said.info <= p.n) j->ran(said.sweeps, ratio(said.left, said.W));
  const int number = told(p, said);
  return number == said.info ? CUSOLVER_STATUS_SUCCESS : s.info(info, number);
}

template <class T>
cusolverStatus_t one_size(cusolverDnHandle_t handle, int itype, int n, int* lwork) {
  using R = sx_real<T>;
  const int order = sx_at_least(n), ld = sx_at_least(n, 1);
  const Problem<T> p{itype, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, order, nullptr, ld, nullptr, ld, nullptr};
  const sx_jacobi j{};
  sx_solver s(handle);
  size_t bytes = 0;
  const auto asked = s.size(&bytes, {sizeof(R), sizeof(int)},
                            [&](rocblas_handle h) { return run<T>(h, p, j, nullptr, nullptr, nullptr); });
  return sx_tell_lwork<T>(asked, bytes, lwork);
}

// ---- a batch
// -----------------------------------------------------------------------------------------------------------
template <class T>
rocblas_status run_batch(rocblas_handle h, const Problem<T>& p, const sx_jacobi& j, sx_real<T>* residual, int* sweeps,
                         int* info, int count) {
  const auto order = j.sort == 0 ? rocblas_esort_none : rocblas_esort_ascending;
  return sx_spectral<T>::syevj_batch()(h, order, sx_to_rocblas_evect(p.jobz), sx_to_rocblas_fill(p.uplo), p.n,
                                       sx_rocm_ptr(p.A), p.lda, static_cast<rocblas_stride>(p.lda) * p.n,
                                       sx_tolerance<T>(j), residual, j.limit(), sweeps, p.W, p.n, info, count);
}

template <class T>
cusolverStatus_t batch(cusolverDnHandle_t handle, const Problem<T>& p, T* work, int lwork, int* info,
                       syevjInfo_t params, int count) {
  using R = sx_real<T>;
  sx_jacobi* const j = sx_jacobi_of(params, SX_KIND_SYEVJ);
  if (j == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  if (sx_spectral<T>::syevj_batch() == nullptr) return CUSOLVER_STATUS_NOT_SUPPORTED;
  j->known = 0;
  sx_solver s(handle);
  const size_t many = sx_count(count);
  const auto placed =
      s.begin(work, sx_lwork_bytes<T>(lwork), {many * sizeof(R), many * sizeof(int)},
              [&](rocblas_handle h) { return run_batch<T>(h, p, *j, nullptr, nullptr, nullptr, count); });
  if (placed != CUSOLVER_STATUS_SUCCESS) return placed;
  R* const left = s.take<R>(many);
  int* const sweeps = s.take<int>(many);
  const auto status = sx_from_rocblas_status(run_batch(s.handle(), p, *j, left, sweeps, info, count));
  return status == CUSOLVER_STATUS_SUCCESS ? sx_renumber(s, info, count, 1, p.n + 1, 0) : status;
}

template <class T>
cusolverStatus_t batch_size(cusolverDnHandle_t handle, int n, int count, int* lwork) {
  const int order = sx_at_least(n), ld = sx_at_least(n, 1), many = sx_at_least(count);
  const Problem<T> p{0, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, order, nullptr, ld, nullptr, ld, nullptr};
  const sx_jacobi j{};
  sx_solver s(handle);
  size_t bytes = 0;
  const auto asked = s.size(&bytes, {sx_count(many) * sizeof(sx_real<T>), sx_count(many) * sizeof(int)},
                            [&](rocblas_handle h) { return run_batch<T>(h, p, j, nullptr, nullptr, nullptr, many); });
  return sx_tell_lwork<T>(asked, bytes, lwork);
}

}  // namespace

#define SX_SYEVJ(T, R)                                                                                                 \
  cusolverStatus_t sx_syevj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T* A,     \
                            int lda, R* W, T* work, int lwork, int* info, syevjInfo_t params) {                        \
    return one<T>(handle, {0, jobz, uplo, n, A, lda, nullptr, 1, W}, work, lwork, info, params);                       \
  }                                                                                                                    \
  cusolverStatus_t sx_syevj_size(cusolverDnHandle_t handle, cusolverEigMode_t, cublasFillMode_t, int n, const T*, int, \
                                 const R*, int* lwork, syevjInfo_t) {                                                  \
    return one_size<T>(handle, 0, n, lwork);                                                                           \
  }                                                                                                                    \
  cusolverStatus_t sx_syevj_batch(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,     \
                                  T* A, int lda, R* W, T* work, int lwork, int* info, syevjInfo_t params,              \
                                  int batchSize) {                                                                     \
    return batch<T>(handle, {0, jobz, uplo, n, A, lda, nullptr, 1, W}, work, lwork, info, params, batchSize);          \
  }                                                                                                                    \
  cusolverStatus_t sx_syevj_batch_size(cusolverDnHandle_t handle, cusolverEigMode_t, cublasFillMode_t, int n,          \
                                       const T*, int, const R*, int* lwork, syevjInfo_t, int batchSize) {              \
    return batch_size<T>(handle, n, batchSize, lwork);                                                                 \
  }                                                                                                                    \
  cusolverStatus_t sx_sygvj(cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                \
                            cublasFillMode_t uplo, int n, T* A, int lda, T* B, int ldb, R* W, T* work, int lwork,      \
                            int* info, syevjInfo_t params) {                                                           \
    return one<T>(handle, {itype, jobz, uplo, n, A, lda, B, ldb, W}, work, lwork, info, params);                       \
  }                                                                                                                    \
  cusolverStatus_t sx_sygvj_size(cusolverDnHandle_t handle, cusolverEigType_t, cusolverEigMode_t, cublasFillMode_t,    \
                                 int n, const T*, int, const T*, int, const R*, int* lwork, syevjInfo_t) {             \
    return one_size<T>(handle, CUSOLVER_EIG_TYPE_1, n, lwork);                                                         \
  }
SX_SPECTRAL_TYPES(SX_SYEVJ)
