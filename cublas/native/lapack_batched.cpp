// Batched LAPACK where rocSOLVER has no call of the same meaning: solves with unpivoted factors, inverses that keep
// their matrix, and least squares without an array of info or without right-hand sides.
#include <memory>
#include <new>

#include "arena.h"
#include "host_scalars.h"

namespace {

template <class T>
struct Lapack;
#define SX_LAPACK(cuda_type, letter, geqrf_call)                               \
  template <>                                                                  \
  struct Lapack<cuda_type> {                                                   \
    static auto geam() { return sx_rocm->rocblas_##letter##geam_batched; }     \
    static auto trsm() { return sx_rocm->rocblas_##letter##trsm_batched; }     \
    static auto getrf() { return sx_rocm->rocsolver_##letter##getrf_batched; } \
    static auto getri() { return sx_rocm->rocsolver_##letter##getri_batched; } \
    static auto geqrf() { return geqrf_call; }                                 \
    static auto gels() { return sx_rocm->rocsolver_##letter##gels_batched; }   \
  }
SX_LAPACK(float, s, sx_rocm->rocsolver_sgeqrf_batched);
SX_LAPACK(double, d, sx_rocm->rocsolver_dgeqrf_batched);
SX_LAPACK(cuComplex, c, sx_rocm->rocsolver_cgeqrf_batched);
SX_LAPACK(cuDoubleComplex, z, sx_rocm->rocsolver_zgeqrf_batched);
#undef SX_LAPACK

float number(float, float v) { return v; }
double number(double, double v) { return v; }
cuComplex number(cuComplex, float v) { return {v, 0}; }
cuDoubleComplex number(cuDoubleComplex, double v) { return {v, 0}; }

// Arrays of pointers as rocBLAS and rocSOLVER take them.
template <class T>
auto arrays(const T* const* p) {
  return reinterpret_cast<const typename sx_blas<T>::type* const*>(p);
}
template <class T>
auto arrays(T* const* p) {
  return reinterpret_cast<typename sx_blas<T>::type* const*>(p);
}

bool capturing(hipStream_t stream) {
  hipStreamCaptureStatus state = hipStreamCaptureStatusNone;
  return sx_rocm->hipStreamIsCapturing && sx_rocm->hipStreamIsCapturing(stream, &state) == hipSuccess &&
         state != hipStreamCaptureStatusNone;
}

// op(L U) X = B: the factor that op brings to the left first.
template <class T>
cublasStatus_t solve(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs, const T* const* A, int lda,
                     T* const* B, int ldb, int count) {
  const auto trsm = Lapack<T>::trsm();
  if (trsm == nullptr) return CUBLAS_STATUS_NOT_SUPPORTED;
  sx_blas_slot* const slot = sx_slot_of(handle, SX_KIND_BLAS);
  sx_borrowed blas(slot);
  if (blas.error != 0) return static_cast<cublasStatus_t>(blas.error);
  const sx_host_scalars host(blas.loan.handle, sx_host_mode(slot));
  const T one = number(T{}, 1);
  rocblas_status status = rocblas_status_success;
  for (int step = 0; step < 2 && status == rocblas_status_success; ++step) {
    const bool lower = (step == 0) == (trans == CUBLAS_OP_N);
    status = trsm(blas.loan.handle, rocblas_side_left, lower ? rocblas_fill_lower : rocblas_fill_upper,
                  sx_to_rocblas_operation(trans), lower ? rocblas_diagonal_unit : rocblas_diagonal_non_unit, n, nrhs,
                  sx_rocm_ptr(&one), arrays<T>(A), lda, arrays<T>(B), ldb, count);
  }
  return sx_from_rocblas_status(status);
}

// Ainv := A, then its LU and the inverse in place.
template <class T>
cublasStatus_t invert(cublasHandle_t handle, int n, const T* const* A, int lda, T* const* Ainv, int lda_inv, int* info,
                      int count) {
  using L = Lapack<T>;
  if (L::geam() == nullptr || L::getrf() == nullptr || L::getri() == nullptr) return CUBLAS_STATUS_NOT_SUPPORTED;
  sx_blas_slot* const slot = sx_slot_of(handle, SX_KIND_BLAS);
  sx_borrowed blas(slot);
  if (blas.error != 0) return static_cast<cublasStatus_t>(blas.error);
  const size_t pivot_count = static_cast<size_t>(n) * count;
  sx_arena arena(slot, blas, {pivot_count * sizeof(int)});
  int* const pivots = arena.take<int>(pivot_count);
  if (pivots == nullptr) return CUBLAS_STATUS_ALLOC_FAILED;
  rocblas_handle const h = blas.loan.handle;
  const sx_host_scalars host(h, sx_host_mode(slot));
  const T one = number(T{}, 1), zero = number(T{}, 0);
  const auto op = rocblas_operation_none;
  rocblas_status status = L::geam()(h, op, op, n, n, sx_rocm_ptr(&one), arrays<T>(A), lda, sx_rocm_ptr(&zero),
                                    arrays<T>(A), lda, arrays<T>(Ainv), lda_inv, count);
  if (status == rocblas_status_success) status = L::getrf()(h, n, n, arrays<T>(Ainv), lda_inv, pivots, n, info, count);
  if (status == rocblas_status_success) status = L::getri()(h, n, arrays<T>(Ainv), lda_inv, pivots, n, info, count);
  return sx_from_rocblas_status(status);
}

// QR by rocSOLVER's declared function, which puts the factors tau of all members beside each other: each member's go to
// where the caller's array says, which is read on the host.
template <class T>
cublasStatus_t factor_qr(cublasHandle_t handle, int m, int n, T* const* A, int lda, T* const* Tau, int count) {
  const auto geqrf = Lapack<T>::geqrf();
  sx_blas_slot* const slot = sx_slot_of(handle, SX_KIND_BLAS);
  sx_borrowed blas(slot);
  if (blas.error != 0) return static_cast<cublasStatus_t>(blas.error);
  if (geqrf == nullptr || capturing(slot->stream)) return CUBLAS_STATUS_NOT_SUPPORTED;
  const size_t each = static_cast<size_t>(m < n ? m : n), members = static_cast<size_t>(count);
  sx_arena arena(slot, blas, {each * members * sizeof(T)});
  T* const taus = arena.take<T>(each * members);
  const std::unique_ptr<T*[]> to(new (std::nothrow) T*[members]);
  if (taus == nullptr || to == nullptr) return CUBLAS_STATUS_ALLOC_FAILED;
  const rocblas_status status =
      geqrf(blas.loan.handle, m, n, arrays<T>(A), lda, sx_rocm_ptr(taus), static_cast<rocblas_stride>(each), count);
  if (status != rocblas_status_success) return sx_from_rocblas_status(status);
  const auto copy = [&](void* out, const void* in, size_t bytes, hipMemcpyKind kind) {
    return sx_rocm->hipMemcpyAsync(out, in, bytes, kind, slot->stream) == hipSuccess;
  };
  bool good = copy(to.get(), Tau, members * sizeof(T*), hipMemcpyDeviceToHost) &&
              sx_rocm->hipStreamSynchronize(slot->stream) == hipSuccess;
  for (size_t i = 0; i < members && good; ++i) {
    good = copy(to[i], taus + i * each, each * sizeof(T), hipMemcpyDeviceToDevice);
  }
  return good ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

// Least squares; without right-hand sides, what they would be solved by.
template <class T>
cublasStatus_t least_squares(cublasHandle_t handle, int m, int n, int nrhs, T* const* A, int lda, T* const* C, int ldc,
                             int* info, int count) {
  using L = Lapack<T>;
  if (L::gels() == nullptr || L::geqrf() == nullptr) return CUBLAS_STATUS_NOT_SUPPORTED;
  sx_blas_slot* const slot = sx_slot_of(handle, SX_KIND_BLAS);
  sx_borrowed blas(slot);
  if (blas.error != 0) return static_cast<cublasStatus_t>(blas.error);
  const size_t taus = static_cast<size_t>(n) * count, infos = count;
  if (nrhs == 0) {
    sx_arena arena(slot, blas, {taus * sizeof(T)});
    T* const tau = arena.take<T>(taus);
    if (tau == nullptr) return CUBLAS_STATUS_ALLOC_FAILED;
    const rocblas_status status = L::geqrf()(blas.loan.handle, m, n, arrays<T>(A), lda, sx_rocm_ptr(tau), n, count);
    if (status == rocblas_status_success && info != nullptr &&
        sx_rocm->hipMemsetAsync(info, 0, sizeof *info * count, slot->stream) != hipSuccess) {
      return CUBLAS_STATUS_EXECUTION_FAILED;
    }
    return sx_from_rocblas_status(status);
  }
  sx_arena arena(slot, blas, {infos * sizeof(int)});
  if (info == nullptr) info = arena.take<int>(infos);
  if (info == nullptr) return CUBLAS_STATUS_ALLOC_FAILED;
  return sx_from_rocblas_status(L::gels()(blas.loan.handle, rocblas_operation_none, m, n, nrhs, arrays<T>(A), lda,
                                          arrays<T>(C), ldc, info, count));
}

}  // namespace

cublasStatus_t sx_getrs_unpivoted(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,
                                  const float* const A[], int lda, const int*, float* const B[], int ldb, int*,
                                  int count) {
  return solve<float>(handle, trans, n, nrhs, A, lda, B, ldb, count);
}
cublasStatus_t sx_geqrf_declared(cublasHandle_t handle, int m, int n, float* const A[], int lda, float* const Tau[],
                                 int*, int count) {
  return factor_qr<float>(handle, m, n, A, lda, Tau, count);
}
cublasStatus_t sx_matinv(cublasHandle_t handle, int n, const float* const A[], int lda, float* const Ainv[],
                         int lda_inv, int* info, int count) {
  return invert<float>(handle, n, A, lda, Ainv, lda_inv, info, count);
}
cublasStatus_t sx_gels_rare(cublasHandle_t handle, cublasOperation_t, int m, int n, int nrhs, float* const A[], int lda,
                            float* const C[], int ldc, int*, int* devInfo, int count) {
  return least_squares<float>(handle, m, n, nrhs, A, lda, C, ldc, devInfo, count);
}

cublasStatus_t sx_getrs_unpivoted(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,
                                  const double* const A[], int lda, const int*, double* const B[], int ldb, int*,
                                  int count) {
  return solve<double>(handle, trans, n, nrhs, A, lda, B, ldb, count);
}
cublasStatus_t sx_geqrf_declared(cublasHandle_t handle, int m, int n, double* const A[], int lda, double* const Tau[],
                                 int*, int count) {
  return factor_qr<double>(handle, m, n, A, lda, Tau, count);
}
cublasStatus_t sx_matinv(cublasHandle_t handle, int n, const double* const A[], int lda, double* const Ainv[],
                         int lda_inv, int* info, int count) {
  return invert<double>(handle, n, A, lda, Ainv, lda_inv, info, count);
}
cublasStatus_t sx_gels_rare(cublasHandle_t handle, cublasOperation_t, int m, int n, int nrhs, double* const A[],
                            int lda, double* const C[], int ldc, int*, int* devInfo, int count) {
  return least_squares<double>(handle, m, n, nrhs, A, lda, C, ldc, devInfo, count);
}

cublasStatus_t sx_getrs_unpivoted(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,
                                  const cuComplex* const A[], int lda, const int*, cuComplex* const B[], int ldb, int*,
                                  int count) {
  return solve<cuComplex>(handle, trans, n, nrhs, A, lda, B, ldb, count);
}
cublasStatus_t sx_geqrf_declared(cublasHandle_t handle, int m, int n, cuComplex* const A[], int lda,
                                 cuComplex* const Tau[], int*, int count) {
  return factor_qr<cuComplex>(handle, m, n, A, lda, Tau, count);
}
cublasStatus_t sx_matinv(cublasHandle_t handle, int n, const cuComplex* const A[], int lda, cuComplex* const Ainv[],
                         int lda_inv, int* info, int count) {
  return invert<cuComplex>(handle, n, A, lda, Ainv, lda_inv, info, count);
}
cublasStatus_t sx_gels_rare(cublasHandle_t handle, cublasOperation_t, int m, int n, int nrhs, cuComplex* const A[],
                            int lda, cuComplex* const C[], int ldc, int*, int* devInfo, int count) {
  return least_squares<cuComplex>(handle, m, n, nrhs, A, lda, C, ldc, devInfo, count);
}

cublasStatus_t sx_getrs_unpivoted(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,
                                  const cuDoubleComplex* const A[], int lda, const int*, cuDoubleComplex* const B[],
                                  int ldb, int*, int count) {
  return solve<cuDoubleComplex>(handle, trans, n, nrhs, A, lda, B, ldb, count);
}
cublasStatus_t sx_geqrf_declared(cublasHandle_t handle, int m, int n, cuDoubleComplex* const A[], int lda,
                                 cuDoubleComplex* const Tau[], int*, int count) {
  return factor_qr<cuDoubleComplex>(handle, m, n, A, lda, Tau, count);
}
cublasStatus_t sx_matinv(cublasHandle_t handle, int n, const cuDoubleComplex* const A[], int lda,
                         cuDoubleComplex* const Ainv[], int lda_inv, int* info, int count) {
  return invert<cuDoubleComplex>(handle, n, A, lda, Ainv, lda_inv, info, count);
}
cublasStatus_t sx_gels_rare(cublasHandle_t handle, cublasOperation_t, int m, int n, int nrhs,
                            cuDoubleComplex* const A[], int lda, cuDoubleComplex* const C[], int ldc, int*,
                            int* devInfo, int count) {
  return least_squares<cuDoubleComplex>(handle, m, n, nrhs, A, lda, C, ldc, devInfo, count);
}
