// LU of the 64-bit API: pivots of 64 bits, info of 32. Later rocSOLVERs have that very mixture; with earlier ones the
// pivots are computed in 32 bits, and widened by a copy of rows.
#include "solver.h"
#include "x.h"

namespace {

template <class T>
struct Lu;
#define SX_LU(cuda_type, letter)                                                            \
  template <>                                                                               \
  struct Lu<cuda_type> {                                                                    \
    static auto factor() { return sx_rocm->rocsolver_##letter##getrf; }                     \
    static auto factor_wide() { return sx_rocm->rocsolver_##letter##getrf_info32; }         \
    static auto unpivoted() { return sx_rocm->rocsolver_##letter##getrf_npvt; }             \
    static auto unpivoted_wide() { return sx_rocm->rocsolver_##letter##getrf_npvt_info32; } \
    static auto solve() { return sx_rocm->rocsolver_##letter##getrs; }                      \
    static auto solve_wide() { return sx_rocm->rocsolver_##letter##getrs_64; }              \
  }
SX_LU(float, s);
SX_LU(double, d);
SX_LU(cuComplex, c);
SX_LU(cuDoubleComplex, z);
#undef SX_LU

struct Shape {
  int64_t m, n, lda;
  bool narrow() const { return sx_fits(m) && sx_fits(n) && sx_fits(lda); }
  size_t pivots() const { return static_cast<size_t>(m < n ? m : n); }
};

// Integers of 4 bytes become 8 or the other way round; positive ones only.
bool convert(hipStream_t stream, void* to, size_t to_bytes, const void* from, size_t from_bytes, size_t count) {
  const auto copy = sx_rocm->hipMemcpy2DAsync;
  const auto clear = sx_rocm->hipMemsetAsync;
  if (copy == nullptr || clear == nullptr) return false;
  if (to_bytes > 4 && clear(to, 0, to_bytes * count, stream) != hipSuccess) return false;
  return copy(to, to_bytes, from, from_bytes, 4, count, hipMemcpyDeviceToDevice, stream) == hipSuccess;
}

// One rocSOLVER call on a handle, or nullptr when this release has none that takes the sizes.
template <class T>
rocblas_status unpivoted(rocblas_handle h, const Shape& s, T* A, int* info) {
  if (const auto f = Lu<T>::unpivoted_wide()) return f(h, s.m, s.n, sx_rocm_ptr(A), s.lda, info);
  const auto f = Lu<T>::unpivoted();
  if (f == nullptr || !s.narrow()) return rocblas_status_not_implemented;
  return f(h, static_cast<int>(s.m), static_cast<int>(s.n), sx_rocm_ptr(A), static_cast<int>(s.lda), info);
}
template <class T>
rocblas_status pivoted(rocblas_handle h, const Shape& s, T* A, int* pivots, int* info) {
  const auto f = Lu<T>::factor();
  if (f == nullptr || !s.narrow()) return rocblas_status_not_implemented;
  return f(h, static_cast<int>(s.m), static_cast<int>(s.n), sx_rocm_ptr(A), static_cast<int>(s.lda), pivots, info);
}
template <class T>
rocblas_status pivoted_wide(rocblas_handle h, const Shape& s, T* A, int64_t* pivots, int* info) {
  return Lu<T>::factor_wide()(h, s.m, s.n, sx_rocm_ptr(A), s.lda, pivots, info);
}

template <class T>
cusolverStatus_t getrf_size(cusolverDnHandle_t handle, const Shape& s, size_t* bytes) {
  sx_solver solver(handle);
  size_t plain = 0;
  cusolverStatus_t status =
      solver.size(&plain, {}, [&](rocblas_handle h) { return unpivoted<T>(h, s, nullptr, nullptr); });
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  if (Lu<T>::factor_wide() != nullptr) {
    status = solver.size(bytes, {}, [&](rocblas_handle h) { return pivoted_wide<T>(h, s, nullptr, nullptr, nullptr); });
  } else {
    status = solver.size(bytes, {s.pivots() * sizeof(int)},
                         [&](rocblas_handle h) { return pivoted<T>(h, s, nullptr, nullptr, nullptr); });
  }
  if (*bytes < plain) *bytes = plain;
  return status;
}

template <class T>
cusolverStatus_t getrf(cusolverDnHandle_t handle, const Shape& s, T* A, int64_t* ipiv, void* work, size_t bytes,
                       int* info) {
  sx_blas_slot* const slot = sx_solver_slot(handle);
  if (ipiv == nullptr) {
    return sx_solver_call(slot, work, bytes, nullptr, 0, [&](rocblas_handle h) { return unpivoted(h, s, A, info); });
  }
  if (Lu<T>::factor_wide() != nullptr) {
    return sx_solver_call(slot, work, bytes, nullptr, 0,
                          [&](rocblas_handle h) { return pivoted_wide(h, s, A, ipiv, info); });
  }
  sx_solver solver(handle);
  const size_t count = s.pivots();
  const cusolverStatus_t begun = solver.begin(work, bytes, {count * sizeof(int)}, [&](rocblas_handle h) {
    return pivoted<T>(h, s, nullptr, nullptr, nullptr);
  });
  if (begun != CUSOLVER_STATUS_SUCCESS) return begun;
  int* const pivots = solver.take<int>(count);
  const rocblas_status done = pivoted(solver.handle(), s, A, pivots, info);
  if (done != rocblas_status_success) return sx_from_rocblas_status(done);
  return convert(solver.stream(), ipiv, sizeof(int64_t), pivots, sizeof(int), count) ? CUSOLVER_STATUS_SUCCESS
                                                                                     : CUSOLVER_STATUS_EXECUTION_FAILED;
}

template <class T>
cusolverStatus_t getrs(cusolverDnHandle_t handle, cublasOperation_t trans, int64_t n, int64_t nrhs, const T* A,
                       int64_t lda, const int64_t* ipiv, T* B, int64_t ldb, int* info) {
  sx_blas_slot* const slot = sx_solver_slot(handle);
  const auto op = sx_to_rocblas_operation(trans);
  auto* const a = const_cast<T*>(A);  // AMD's declaration lacks const
  const bool narrow = sx_fit(n, nrhs, lda, ldb);
  if (ipiv == nullptr) {
    if (!narrow) return CUSOLVER_STATUS_NOT_SUPPORTED;
    return sx_dn<T>::getrs(handle, trans, static_cast<int>(n), static_cast<int>(nrhs), A, static_cast<int>(lda),
                           nullptr, B, static_cast<int>(ldb), info);
  }
  if (const auto f = Lu<T>::solve_wide()) {
    return sx_solver_call(slot, nullptr, 0, info, 1, [&](rocblas_handle h) {
      return f(h, op, n, nrhs, sx_rocm_ptr(a), lda, ipiv, sx_rocm_ptr(B), ldb);
    });
  }
  const auto f = Lu<T>::solve();
  if (f == nullptr || !narrow) return CUSOLVER_STATUS_NOT_SUPPORTED;
  const auto call = [&](rocblas_handle h, const int* pivots) {
    return f(h, op, static_cast<int>(n), static_cast<int>(nrhs), sx_rocm_ptr(a), static_cast<int>(lda), pivots,
             sx_rocm_ptr(B), static_cast<int>(ldb));
  };
  sx_solver solver(handle);
  const cusolverStatus_t begun = solver.begin(nullptr, 0, {static_cast<size_t>(n) * sizeof(int)},
                                              [&](rocblas_handle h) { return call(h, nullptr); });
  if (begun != CUSOLVER_STATUS_SUCCESS) return begun;
  int* const pivots = solver.take<int>(static_cast<size_t>(n));
  if (!convert(solver.stream(), pivots, sizeof(int), ipiv, sizeof(int64_t), static_cast<size_t>(n))) {
    return CUSOLVER_STATUS_EXECUTION_FAILED;
  }
  const cusolverStatus_t status = sx_from_rocblas_status(call(solver.handle(), pivots));
  return status == CUSOLVER_STATUS_SUCCESS ? solver.info(info, 0) : status;
}

}  // namespace

cusolverStatus_t sx_x_getrf_size(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m, int64_t n,
                                 cudaDataType dataTypeA, const void*, int64_t lda, cudaDataType, size_t* device,
                                 size_t* host) {
  const Shape shape{sx_max(m, int64_t{0}), sx_max(n, int64_t{0}), sx_max(lda, sx_max(m, int64_t{1}))};
  *device = *host = 0;
  const auto size = [&](auto one) { return getrf_size<decltype(one)>(handle, shape, device); };
  const cusolverStatus_t status = sx_of_type(dataTypeA, size);
  // measured: any type is answered
  return status == CUSOLVER_STATUS_INVALID_VALUE ? size(cuDoubleComplex{}) : status;
}

cusolverStatus_t sx_x_getrf(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m, int64_t n, cudaDataType dataTypeA,
                            void* A, int64_t lda, int64_t* ipiv, cudaDataType, void* work, size_t bytes, void*, size_t,
                            int* info) {
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    return getrf<T>(handle, {m, n, lda}, sx_as<T>(A), ipiv, work, bytes, info);
  });
}

cusolverStatus_t sx_x_getrs(cusolverDnHandle_t handle, cusolverDnParams_t, cublasOperation_t trans, int64_t n,
                            int64_t nrhs, cudaDataType dataTypeA, const void* A, int64_t lda, const int64_t* ipiv,
                            cudaDataType, void* B, int64_t ldb, int* info) {
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    return getrs<T>(handle, trans, n, nrhs, sx_as<T>(A), lda, ipiv, sx_as<T>(B), ldb, info);
  });
}
