// Eigenvalues and eigenvectors of a distributed matrix: cusolverDn's syevd on what was gathered.
#include "mg.h"

using namespace sx_mg;

namespace {

template <class T>
size_t need(const Context* c, cusolverEigMode_t jobz, int n, int64_t ld) {
  int lwork = 0;
  const auto status =
      sx_dn<T>::syevd_size(c->solver, jobz, CUBLAS_FILL_MODE_LOWER, n, static_cast<const T*>(nullptr),
                           static_cast<int>(ld), static_cast<const typename sx_dn<T>::real*>(nullptr), &lwork);
  return status == CUSOLVER_STATUS_SUCCESS && lwork > 0 ? static_cast<size_t>(lwork) * sizeof(T) : sizeof(T);
}

template <class T>
cusolverStatus_t syevd(Context* c, cusolverEigMode_t jobz, int n, void* const* a, const Desc* d, void* w,
                       void* const* work, int64_t lwork, int* info) {
  using Real = typename sx_dn<T>::real;
  const Columns matrix{d, a, d->rows, 0, n, sizeof(T)};
  const size_t bytes = need<T>(c, jobz, n, d->rows), values = sizeof(Real) * static_cast<size_t>(n);
  Call call(c);
  if (const auto e = call.begin({matrix}, rounded(values) + bytes, work, static_cast<size_t>(lwork) * sizeof(T)))
    return e;
  auto* const found = call.extra<Real>(values);
  T* const room = call.extra<T>(bytes);
  const cusolverStatus_t done =
      sx_dn<T>::syevd(c->solver, jobz, CUBLAS_FILL_MODE_LOWER, n, call.input<T>(0), static_cast<int>(d->rows), found,
                      room, static_cast<int>(bytes / sizeof(T)), call.device_info());
  const cusolverStatus_t status = call.finish(done, {{matrix, 0}}, info);
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  return sx_rocm->hipMemcpy(w, found, values, hipMemcpyDeviceToHost) == hipSuccess ? status
                                                                                   : CUSOLVER_STATUS_EXECUTION_FAILED;
}

bool typed(const Desc* d, cudaDataType values, cudaDataType compute) {
  return d && d->type == compute && sx_of_type(compute, [&](auto zero) {
                                      return sx_dn<decltype(zero)>::of_real == values ? CUSOLVER_STATUS_SUCCESS
                                                                                      : CUSOLVER_STATUS_INVALID_VALUE;
                                    }) == CUSOLVER_STATUS_SUCCESS;
}

}  // namespace

cusolverStatus_t sx_cusolverMgSyevd_bufferSize(cusolverMgHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t,
                                               int N, void*[], int, int, cudaLibMgMatrixDesc_t descrA, void*,
                                               cudaDataType dataTypeW, cudaDataType computeType, int64_t* lwork) {
  Context* const context = context_of(handle);
  const Desc* d = desc_of(descrA);
  if (context == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (lwork == nullptr || !typed(d, dataTypeW, computeType)) return CUSOLVER_STATUS_INVALID_VALUE;
  return sx_of_type(computeType, [&](auto zero) {
    using T = decltype(zero);
    const int n = N < 0 ? 0 : N;
    const auto mode = jobz == CUSOLVER_EIG_MODE_VECTOR ? jobz : CUSOLVER_EIG_MODE_NOVECTOR;
    *lwork = elements({sizeof(T) * static_cast<size_t>(d->rows) * static_cast<size_t>(n),
                       sizeof(typename sx_dn<T>::real) * static_cast<size_t>(n), need<T>(context, mode, n, d->rows)},
                      sizeof(T));
    return CUSOLVER_STATUS_SUCCESS;
  });
}

cusolverStatus_t sx_cusolverMgSyevd(cusolverMgHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int N,
                                    void* array_d_A[], int IA, int JA, cudaLibMgMatrixDesc_t descrA, void* W,
                                    cudaDataType dataTypeW, cudaDataType computeType, void* array_d_work[],
                                    int64_t lwork, int* info) {
  Context* const context = context_of(handle);
  const Desc* d = desc_of(descrA);
  if (context == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (info == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  if (jobz != CUSOLVER_EIG_MODE_NOVECTOR && jobz != CUSOLVER_EIG_MODE_VECTOR) return refuse(info, 1);
  if (uplo != CUBLAS_FILL_MODE_LOWER && uplo != CUBLAS_FILL_MODE_UPPER) return refuse(info, 2);
  if (N < 0) return refuse(info, 3);
  *info = 0;
  if (uplo == CUBLAS_FILL_MODE_UPPER || IA != 1 || JA != 1 || !array_d_A || !W || !array_d_work ||
      !typed(d, dataTypeW, computeType) || !inside(d, N, N, 1, 1))
    return CUSOLVER_STATUS_INVALID_VALUE;
  if (N == 0) return CUSOLVER_STATUS_SUCCESS;
  return guarded([&] {
    return sx_of_type(computeType, [&](auto zero) {
      return syevd<decltype(zero)>(context, jobz, N, array_d_A, d, W, array_d_work, lwork, info);
    });
  });
}
