// gesvdaStridedBatched: the largest singular values and their vectors of every matrix of a batch, which are kept.
//
// rocSOLVER destroys its matrices, so it gets a copy; it gives V where the release has that, else V^H. The residual's
// norm is computed within U's columns, |U^H A V - S|, from small products, and summed on the host: the call waits for
// it.
#include <cmath>
#include <vector>

#include "svd.h"

namespace {

template <class T>
struct Problem {
  bool vectors;
  int rank, m, n;
  const T* A;
  int lda;
  int64_t stride_a;
  sx_real<T>* S;
  int64_t stride_s;
  T* U;
  int ldu;
  int64_t stride_u;
  T* V;
  int ldv;
  int64_t stride_v;
  int count;
};

// Memory of the body's own.
template <class T>
struct Room {
  T *copy, *VH, *AV, *small;
  int *found, *failed;
};

template <class T>
struct Sizes {
  size_t copy, VH, AV, small, found, failed;
  Sizes(const Problem<T>& p, bool residual) {
    const bool adjoint = sx_spectral<T>::gesvdx_notransv_batch() == nullptr;
    copy = sx_count(p.m, p.n, p.count);
    VH = p.vectors && adjoint ? sx_count(p.rank, p.n, p.count) : 0;
    AV = p.vectors && residual ? sx_count(p.m, p.rank, p.count) : 0;
    small = p.vectors && residual ? sx_count(p.rank, p.rank, p.count) : 0;
    found = sx_count(p.count);
    failed = sx_count(p.n, p.count);
  }
};

template <class T>
rocblas_status decompose(rocblas_handle h, const Problem<T>& p, const Room<T>& room, int* info) {
  using L = sx_spectral<T>;
  const auto side = p.vectors ? rocblas_svect_singular : rocblas_svect_none;
  const auto A = sx_rocm_ptr(room.copy), U = sx_rocm_ptr(p.U);
  const int64_t stride = int64_t{p.m} * p.n;
  const sx_real<T> no = 0;
  if (L::gesvdx_notransv_batch() != nullptr)
    return L::gesvdx_notransv_batch()(h, side, side, rocblas_srange_index, p.m, p.n, A, p.m, stride, no, no, 1, p.rank,
                                      room.found, p.S, p.stride_s, U, p.ldu, p.stride_u, sx_rocm_ptr(p.V), p.ldv,
                                      p.stride_v, room.failed, p.n, info, p.count);
  if (L::gesvdx_batch() == nullptr) return rocblas_status_not_implemented;
  const int64_t stride_vh = int64_t{p.rank} * p.n;
  const rocblas_status status = L::gesvdx_batch()(
      h, side, side, rocblas_srange_index, p.m, p.n, A, p.m, stride, no, no, 1, p.rank, room.found, p.S, p.stride_s, U,
      p.ldu, p.stride_u, sx_rocm_ptr(room.VH), p.rank, stride_vh, room.failed, p.n, info, p.count);
  if (status != rocblas_status_success || !p.vectors) return status;
  return sx_adjoint(h, p.rank, p.n, room.VH, p.rank, stride_vh, p.V, p.ldv, p.stride_v, p.count);
}

// small := U^H A V
template <class T>
rocblas_status project(rocblas_handle h, const Problem<T>& p, const Room<T>& room) {
  using Rocm = typename sx_solver_type<T>::type;
  const auto gemm = sx_spectral<T>::gemm_batch();
  if (gemm == nullptr) return rocblas_status_not_implemented;
  constexpr auto adjoint =
      sx_solver_type<T>::complex ? rocblas_operation_conjugate_transpose : rocblas_operation_transpose;
  const sx_real<T> parts[4] = {1, 0, 0, 0};
  const auto* const one = reinterpret_cast<const Rocm*>(parts);
  const auto* const zero = reinterpret_cast<const Rocm*>(parts + 2);
  const int64_t stride_av = int64_t{p.m} * p.rank, stride_small = int64_t{p.rank} * p.rank;
  const rocblas_status status =
      gemm(h, rocblas_operation_none, rocblas_operation_none, p.m, p.rank, p.n, one, sx_rocm_ptr(p.A), p.lda,
           p.stride_a, sx_rocm_ptr(p.V), p.ldv, p.stride_v, zero, sx_rocm_ptr(room.AV), p.m, stride_av, p.count);
  if (status != rocblas_status_success) return status;
  return gemm(h, adjoint, rocblas_operation_none, p.rank, p.rank, p.m, one, sx_rocm_ptr(p.U), p.ldu, p.stride_u,
              sx_rocm_ptr(room.AV), p.m, stride_av, zero, sx_rocm_ptr(room.small), p.rank, stride_small, p.count);
}

double square(float x) { return static_cast<double>(x) * static_cast<double>(x); }
double square(double x) { return x * x; }
double square(cuComplex x) { return square(x.x) + square(x.y); }
double square(cuDoubleComplex x) { return square(x.x) + square(x.y); }
void subtract(float& x, float s) { x -= s; }
void subtract(double& x, double s) { x -= s; }
void subtract(cuComplex& x, float s) { x.x -= s; }
void subtract(cuDoubleComplex& x, double s) { x.x -= s; }

template <class T>
cusolverStatus_t residuals(const sx_solver& s, const Problem<T>& p, const Room<T>& room, double* norms) {
  using R = sx_real<T>;
  const auto status = sx_from_rocblas_status(project(s.handle(), p, room));
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  const size_t rank = sx_count(p.rank), block = rank * rank, many = sx_count(p.count);
  std::vector<T> small(block * many);
  std::vector<R> values(rank * many);
  const hipError_t copied =
      sx_rocm->hipMemcpy2DAsync(values.data(), rank * sizeof(R), p.S, sx_count(p.stride_s) * sizeof(R),
                                rank * sizeof(R), many, hipMemcpyDeviceToHost, s.stream());
  if (copied != hipSuccess || !sx_fetch(s.stream(), small.data(), room.small, small.size() * sizeof(T)) ||
      !sx_wait(s.stream()))
    return CUSOLVER_STATUS_EXECUTION_FAILED;
  for (size_t b = 0; b < many; ++b) {
    double sum = 0;
    for (size_t i = 0; i < rank; ++i) subtract(small[b * block + i * (rank + 1)], values[b * rank + i]);
    for (size_t i = 0; i < block; ++i) sum += square(small[b * block + i]);
    norms[b] = std::sqrt(sum);
  }
  return CUSOLVER_STATUS_SUCCESS;
}

template <class T>
cusolverStatus_t size(cusolverDnHandle_t handle, int rank, int m, int n, int count, int* lwork) {
  const int columns = sx_at_least(n, 1), rows = sx_at_least(m > n ? m : n, 1), many = sx_at_least(count, 1);
  const int values = rank < 1 ? 1 : rank < columns ? rank : columns;
  const Problem<T> p{true,
                     values,
                     rows,
                     columns,
                     nullptr,
                     rows,
                     int64_t{rows} * columns,
                     nullptr,
                     values,
                     nullptr,
                     rows,
                     int64_t{rows} * values,
                     nullptr,
                     columns,
                     int64_t{columns} * values,
                     many};
  const Sizes<T> z(p, true);
  sx_solver s(handle);
  size_t bytes = 0;
  const auto asked = s.size(&bytes,
                            {z.copy * sizeof(T), z.VH * sizeof(T), z.AV * sizeof(T), z.small * sizeof(T),
                             z.found * sizeof(int), z.failed * sizeof(int)},
                            [&](rocblas_handle h) { return decompose<T>(h, p, {}, nullptr); });
  return sx_tell_lwork<T>(asked, bytes, lwork);
}

template <class T>
cusolverStatus_t run(cusolverDnHandle_t handle, const Problem<T>& p, T* work, int lwork, int* info, double* norms) {
  int needed = 0;
  const auto told = size<T>(handle, p.rank, p.m, p.n, p.count, &needed);
  if (told != CUSOLVER_STATUS_SUCCESS) return told;
  if (lwork < needed) return sx_solver_refuse(sx_solver_slot(handle), info, -17, 1, CUSOLVER_STATUS_INVALID_VALUE);
  const Sizes<T> z(p, norms != nullptr);
  sx_solver s(handle);
  const auto placed = s.begin(work, sx_lwork_bytes<T>(lwork),
                              {z.copy * sizeof(T), z.VH * sizeof(T), z.AV * sizeof(T), z.small * sizeof(T),
                               z.found * sizeof(int), z.failed * sizeof(int)},
                              [&](rocblas_handle h) { return decompose<T>(h, p, {}, nullptr); });
  if (placed != CUSOLVER_STATUS_SUCCESS) return placed;
  Room<T> room{};
  room.copy = s.take<T>(z.copy), room.VH = s.take<T>(z.VH), room.AV = s.take<T>(z.AV);
  room.small = s.take<T>(z.small), room.found = s.take<int>(z.found), room.failed = s.take<int>(z.failed);
  const rocblas_status kept = sx_copies(s.handle(), rocblas_operation_none, p.m, p.n, p.A, p.lda, p.stride_a, room.copy,
                                        p.m, int64_t{p.m} * p.n, p.count);
  const auto status =
      sx_from_rocblas_status(kept == rocblas_status_success ? decompose(s.handle(), p, room, info) : kept);
  if (status != CUSOLVER_STATUS_SUCCESS || !p.vectors || norms == nullptr) return status;
  return residuals(s, p, room, norms);
}

}  // namespace

#define SX_GESVDA(T, R)                                                                                                \
  cusolverStatus_t sx_gesvda(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m, int n, const T* d_A,  \
                             int lda, long long strideA, R* d_S, long long strideS, T* d_U, int ldu,                   \
                             long long strideU, T* d_V, int ldv, long long strideV, T* d_work, int lwork, int* d_info, \
                             double* h_R_nrmF, int batchSize) {                                                        \
    const bool vectors = jobz == CUSOLVER_EIG_MODE_VECTOR;                                                             \
    return run<T>(                                                                                                     \
        handle,                                                                                                        \
        {vectors, rank, m, n, d_A, lda, strideA, d_S, strideS, d_U, ldu, strideU, d_V, ldv, strideV, batchSize},       \
        d_work, lwork, d_info, h_R_nrmF);                                                                              \
  }                                                                                                                    \
  cusolverStatus_t sx_gesvda_size(cusolverDnHandle_t handle, cusolverEigMode_t, int rank, int m, int n, const T*, int, \
                                  long long, const R*, long long, const T*, int, long long, const T*, int, long long,  \
                                  int* lwork, int batchSize) {                                                         \
    return size<T>(handle, rank, m, n, batchSize, lwork);                                                              \
  }
SX_SPECTRAL_TYPES(SX_GESVDA)
