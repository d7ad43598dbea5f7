// LU where a row cannot say it: a workspace without a size, and solves with unpivoted factors.
#include "solver.h"

namespace {

template <class T>
struct Lu;
#define SX_LU(cuda_type, letter)                                           \
  template <>                                                              \
  struct Lu<cuda_type> {                                                   \
    static auto getrf() { return sx_rocm->rocsolver_##letter##getrf; }     \
    static auto npvt() { return sx_rocm->rocsolver_##letter##getrf_npvt; } \
    static auto trsm() { return sx_rocm->rocblas_##letter##trsm; }         \
  }
SX_LU(float, s);
SX_LU(double, d);
SX_LU(cuComplex, c);
SX_LU(cuDoubleComplex, z);
#undef SX_LU

// What one factorisation takes, with or without pivots.
template <class T>
auto factorise(int m, int n, T* A, int lda, int* pivots, bool pivoted, int* info) {
  return [=](rocblas_handle blas) {
    const auto with = Lu<T>::getrf();
    const auto without = Lu<T>::npvt();
    if (with == nullptr || without == nullptr) return rocblas_status_not_implemented;
    return pivoted ? with(blas, m, n, sx_rocm_ptr(A), lda, pivots, info)
                   : without(blas, m, n, sx_rocm_ptr(A), lda, info);
  };
}

template <class T>
cusolverStatus_t size(cusolverDnHandle_t handle, int m, int n, int lda, int* lwork) {
  m = sx_max(m, 0), n = sx_max(n, 0), lda = sx_max(lda, sx_max(m, 1));
  sx_blas_slot* const slot = sx_solver_slot(handle);
  int with = 0, without = 0;
  T* const none = nullptr;
  const cusolverStatus_t status =
      sx_solver_size(slot, &with, sizeof(T), 0, 1, factorise(m, n, none, lda, nullptr, true, nullptr));
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  const cusolverStatus_t second =
      sx_solver_size(slot, &without, sizeof(T), 0, 1, factorise(m, n, none, lda, nullptr, false, nullptr));
  if (second == CUSOLVER_STATUS_SUCCESS) *lwork = sx_max(with, without);
  return second;
}

// The program's buffer is as large as getrf_bufferSize told it, so what the call takes fits.
template <class T>
cusolverStatus_t getrf(cusolverDnHandle_t handle, int m, int n, T* A, int lda, T* work, int* pivots, int* info) {
  sx_solver solver(handle);
  const auto call = factorise(m, n, A, lda, pivots, pivots != nullptr, info);
  const cusolverStatus_t status = solver.begin(work, SIZE_MAX, {}, call);
  return status != CUSOLVER_STATUS_SUCCESS ? status : sx_from_rocblas_status(call(solver.handle()));
}

// op(L U) X = B: the factor that op brings to the left first.
template <class T>
cusolverStatus_t solve(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs, const T* A, int lda, T* B,
                       int ldb, int* info) {
  const auto trsm = Lu<T>::trsm();
  if (trsm == nullptr) return CUSOLVER_STATUS_NOT_SUPPORTED;
  const auto both = [=](rocblas_handle blas) {
    T one{};
    reinterpret_cast<typename sx_solver_type<T>::real&>(one) = 1;
    rocblas_status status = rocblas_status_success;
    for (int step = 0; step < 2; ++step) {
      const bool lower = (step == 0) == (trans == CUBLAS_OP_N);
      status = trsm(blas, rocblas_side_left, lower ? rocblas_fill_lower : rocblas_fill_upper,
                    sx_to_rocblas_operation(trans), lower ? rocblas_diagonal_unit : rocblas_diagonal_non_unit, n, nrhs,
                    sx_rocm_ptr(&one), sx_rocm_ptr(A), lda, sx_rocm_ptr(B), ldb);
      if (sx_from_rocblas_status(status) != CUSOLVER_STATUS_SUCCESS) return status;
    }
    return status;
  };
  return sx_solver_call(sx_solver_slot(handle), nullptr, 0, info, 1, both);
}

}  // namespace

#define SX_LU_BODIES(T, t)                                                                                      \
  cusolverStatus_t sx_##t##getrf_size(cusolverDnHandle_t handle, int m, int n, T*, int lda, int* lwork) {       \
    return size<T>(handle, m, n, lda, lwork);                                                                   \
  }                                                                                                             \
  cusolverStatus_t sx_##t##getrf(cusolverDnHandle_t handle, int m, int n, T* A, int lda, T* work, int* pivots,  \
                                 int* info) {                                                                   \
    return getrf<T>(handle, m, n, A, lda, work, pivots, info);                                                  \
  }                                                                                                             \
  cusolverStatus_t sx_##t##getrs_unpivoted(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs, \
                                           const T* A, int lda, const int*, T* B, int ldb, int* info) {         \
    return solve<T>(handle, trans, n, nrhs, A, lda, B, ldb, info);                                              \
  }
SX_LU_BODIES(float, s)
SX_LU_BODIES(double, d)
SX_LU_BODIES(cuComplex, c)
SX_LU_BODIES(cuDoubleComplex, z)
#undef SX_LU_BODIES
