// LU and Cholesky of distributed matrices: cusolverDn's functions on what was gathered.
#include <algorithm>

#include "mg.h"

using namespace sx_mg;

namespace {

constexpr auto kRefused = CUSOLVER_STATUS_INVALID_VALUE;

// What all functions look at first. NVIDIA's dies of most of it.
template <class Out>
cusolverStatus_t check(cusolverMgHandle_t handle, cudaLibMgMatrixDesc_t desc, cudaDataType compute, const Out* out) {
  if (context_of(handle) == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  const Desc* d = desc_of(desc);
  return out == nullptr || d == nullptr || d->type != compute ? kRefused : CUSOLVER_STATUS_SUCCESS;
}

template <class T>
Columns columns(const Desc* d, void* const* parts, int ja, int64_t count) {
  return {d, parts, d->rows, ja - 1, count, sizeof(T)};
}

// Pivots lie like a matrix of one row.
Columns pivots(const Desc* d, int* const* parts, int ja, int64_t count) {
  return {d, reinterpret_cast<void* const*>(parts), 1, ja - 1, count, sizeof(int)};
}

size_t bytes_of(const Desc* d, int64_t count, size_t size) {
  return static_cast<size_t>(d->rows) * static_cast<size_t>(count < 0 ? 0 : count) * size;
}

// The number of elements that cusolverDn's ``query(&lwork)`` asks for, in bytes.
template <class T, class Query>
size_t dense(const Query& query) {
  int lwork = 0;
  return query(&lwork) == CUSOLVER_STATUS_SUCCESS && lwork > 0 ? static_cast<size_t>(lwork) * sizeof(T) : sizeof(T);
}

// ---- LU ----
template <class T>
size_t getrf_bytes(const Context* c, int m, int n, int64_t ld) {
  return dense<T>([&](int* lwork) {
    return sx_dn<T>::getrf_size(c->solver, m, n, static_cast<T*>(nullptr), static_cast<int>(ld), lwork);
  });
}

template <class T>
cusolverStatus_t getrf(Context* c, int m, int n, void* const* a, int ia, int ja, const Desc* d, int* const* ipiv,
                       void* const* work, int64_t lwork, int* info) {
  const int few = std::min(m, n);
  const Columns matrix = columns<T>(d, a, ja, n), rows = pivots(d, ipiv, ja, few);
  const size_t bytes = getrf_bytes<T>(c, m, n, d->rows);
  Call call(c);
  if (const auto e = call.begin({matrix, rows}, bytes, work, static_cast<size_t>(lwork) * sizeof(T))) return e;
  T* const room = call.extra<T>(bytes);
  const cusolverStatus_t done = sx_dn<T>::getrf(c->solver, m, n, call.input<T>(0, ia - 1), static_cast<int>(d->rows),
                                                room, call.input<int>(1), call.device_info());
  return call.finish(done, {{matrix, 0}, {rows, 1}}, info);
}

template <class T>
cusolverStatus_t getrs(Context* c, int n, int nrhs, void* const* a, const Desc* d, int* const* ipiv, void* const* b,
                       int jb, const Desc* db, void* const* work, int64_t lwork, int* info) {
  const Columns matrix = columns<T>(d, a, 1, n), right = columns<T>(db, b, jb, nrhs);
  Call call(c);
  if (const auto e =
          call.begin({matrix, pivots(d, ipiv, 1, n), right}, 0, work, static_cast<size_t>(lwork) * sizeof(T)))
    return e;
  const cusolverStatus_t done =
      sx_dn<T>::getrs(c->solver, CUBLAS_OP_N, n, nrhs, call.input<T>(0), static_cast<int>(d->rows), call.input<int>(1),
                      call.input<T>(2), static_cast<int>(db->rows), call.device_info());
  return call.finish(done, {{right, 2}}, info);
}

// ---- Cholesky ----
template <class T>
size_t cholesky_bytes(const Context* c, bool invert, int n, int64_t ld) {
  return dense<T>([&](int* lwork) {
    const auto size = invert ? sx_dn<T>::potri_size : sx_dn<T>::potrf_size;
    return size(c->solver, CUBLAS_FILL_MODE_LOWER, n, static_cast<T*>(nullptr), static_cast<int>(ld), lwork);
  });
}

template <class T>
cusolverStatus_t cholesky(Context* c, bool invert, int n, void* const* a, int ia, int ja, const Desc* d,
                          void* const* work, int64_t lwork, int* info) {
  const Columns matrix = columns<T>(d, a, ja, n);
  const size_t bytes = cholesky_bytes<T>(c, invert, n, d->rows);
  Call call(c);
  if (const auto e = call.begin({matrix}, bytes, work, static_cast<size_t>(lwork) * sizeof(T))) return e;
  T* const room = call.extra<T>(bytes);
  const auto run = invert ? sx_dn<T>::potri : sx_dn<T>::potrf;
  const cusolverStatus_t done =
      run(c->solver, CUBLAS_FILL_MODE_LOWER, n, call.input<T>(0, ia - 1), static_cast<int>(d->rows), room,
          static_cast<int>(bytes / sizeof(T)), call.device_info());
  const cusolverStatus_t status = call.finish(done, {{matrix, 0}}, info);
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  return *info > 0 ? CUSOLVER_STATUS_INTERNAL_ERROR : status;  // as NVIDIA's
}

template <class T>
cusolverStatus_t potrs(Context* c, int n, int nrhs, void* const* a, int ia, int ja, const Desc* d, void* const* b,
                       int ib, int jb, const Desc* db, void* const* work, int64_t lwork, int* info) {
  const Columns matrix = columns<T>(d, a, ja, n), right = columns<T>(db, b, jb, nrhs);
  Call call(c);
  if (const auto e = call.begin({matrix, right}, 0, work, static_cast<size_t>(lwork) * sizeof(T))) return e;
  const cusolverStatus_t done =
      sx_dn<T>::potrs(c->solver, CUBLAS_FILL_MODE_LOWER, n, nrhs, call.input<T>(0, ia - 1), static_cast<int>(d->rows),
                      call.input<T>(1, ib - 1), static_cast<int>(db->rows), call.device_info());
  return call.finish(done, {{right, 1}}, info);
}

// Sizes as a size function may be asked them: never negative.
int plain(int n) { return n < 0 ? 0 : n; }

cusolverStatus_t cholesky_size(bool invert, cusolverMgHandle_t handle, cublasFillMode_t uplo, int n, int ia, int ja,
                               cudaLibMgMatrixDesc_t descr, cudaDataType compute, int64_t* lwork) {
  if (const auto e = check(handle, descr, compute, lwork)) return e;
  if (uplo != CUBLAS_FILL_MODE_LOWER || n < 0 || ia < 1 || ja < 1) return kRefused;
  const Desc* d = desc_of(descr);
  return sx_of_type(compute, [&](auto zero) {
    using T = decltype(zero);
    *lwork =
        elements({bytes_of(d, n, sizeof(T)), cholesky_bytes<T>(context_of(handle), invert, n, d->rows)}, sizeof(T));
    return CUSOLVER_STATUS_SUCCESS;
  });
}

cusolverStatus_t cholesky_call(bool invert, cusolverMgHandle_t handle, cublasFillMode_t uplo, int n, void* const* a,
                               int ia, int ja, cudaLibMgMatrixDesc_t descr, cudaDataType compute, void* const* work,
                               int64_t lwork, int* info) {
  if (context_of(handle) == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (info == nullptr) return kRefused;
  const Desc* d = desc_of(descr);
  if (uplo != CUBLAS_FILL_MODE_LOWER) return refuse(info, 1);
  if (n < 0) return refuse(info, 2);
  if (a == nullptr) return refuse(info, 3);
  if (ia < 1) return refuse(info, 4);
  if (ja < 1) return refuse(info, 5);
  if (d == nullptr) return refuse(info, 6);
  if (d->type != compute) return refuse(info, 7);
  if (work == nullptr) return refuse(info, 9);
  *info = 0;
  if (n == 0) return CUSOLVER_STATUS_SUCCESS;
  if (!inside(d, n, n, ia, ja)) return CUSOLVER_STATUS_INTERNAL_ERROR;
  return guarded([&] {
    return sx_of_type(compute, [&](auto zero) {
      return cholesky<decltype(zero)>(context_of(handle), invert, n, a, ia, ja, d, work, lwork, info);
    });
  });
}

// What A and B of a solver must fulfil beside their signs; NVIDIA's leaves info at 0.
bool solvable(const Desc* d, const Desc* db, cudaDataType compute, int n, int nrhs, int ia, int ja, int ib, int jb) {
  return d && db && d->type == compute && db->type == compute && ia >= 1 && ja >= 1 && ib >= 1 && jb >= 1 &&
         inside(d, n, n, ia, ja) && inside(db, n, nrhs, ib, jb);
}

cusolverStatus_t solve_size(cusolverMgHandle_t handle, int n, int nrhs, cudaLibMgMatrixDesc_t descr,
                            cudaLibMgMatrixDesc_t descr_b, cudaDataType compute, int64_t* lwork) {
  if (const auto e = check(handle, descr, compute, lwork)) return e;
  const Desc *d = desc_of(descr), *db = desc_of(descr_b);
  if (db == nullptr || db->type != compute) return kRefused;
  return sx_of_type(compute, [&](auto zero) {
    const size_t size = sizeof zero;
    *lwork =
        elements({bytes_of(d, n, size), sizeof(int) * static_cast<size_t>(plain(n)), bytes_of(db, nrhs, size)}, size);
    return CUSOLVER_STATUS_SUCCESS;
  });
}

}  // namespace

cusolverStatus_t sx_cusolverMgGetrf_bufferSize(cusolverMgHandle_t handle, int M, int N, void*[], int, int,
                                               cudaLibMgMatrixDesc_t descrA, int*[], cudaDataType computeType,
                                               int64_t* lwork) {
  if (const auto e = check(handle, descrA, computeType, lwork)) return e;
  const Desc* d = desc_of(descrA);
  return sx_of_type(computeType, [&](auto zero) {
    using T = decltype(zero);
    const size_t rows = sizeof(int) * static_cast<size_t>(std::min(plain(M), plain(N)));
    *lwork = elements(
        {bytes_of(d, N, sizeof(T)), rows, getrf_bytes<T>(context_of(handle), plain(M), plain(N), d->rows)}, sizeof(T));
    return CUSOLVER_STATUS_SUCCESS;
  });
}

cusolverStatus_t sx_cusolverMgGetrf(cusolverMgHandle_t handle, int M, int N, void* array_d_A[], int IA, int JA,
                                    cudaLibMgMatrixDesc_t descrA, int* array_d_IPIV[], cudaDataType computeType,
                                    void* array_d_work[], int64_t lwork, int* info) {
  if (context_of(handle) == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (info == nullptr) return kRefused;
  const Desc* d = desc_of(descrA);
  if (M < 0) return refuse(info, 1);
  if (N < 0) return refuse(info, 2);
  if (array_d_A == nullptr) return refuse(info, 3);
  if (IA < 1) return refuse(info, 4);
  if (JA < 1) return refuse(info, 5);
  if (d == nullptr || !inside(d, M, N, IA, JA)) return refuse(info, 6);
  if (array_d_IPIV == nullptr) return refuse(info, 7);
  if (d->type != computeType) return refuse(info, 8);
  if (array_d_work == nullptr) return refuse(info, 9);
  *info = 0;
  if (M == 0 || N == 0) return CUSOLVER_STATUS_SUCCESS;
  return guarded([&] {
    return sx_of_type(computeType, [&](auto zero) {
      return getrf<decltype(zero)>(context_of(handle), M, N, array_d_A, IA, JA, d, array_d_IPIV, array_d_work, lwork,
                                   info);
    });
  });
}

cusolverStatus_t sx_cusolverMgGetrs_bufferSize(cusolverMgHandle_t handle, cublasOperation_t, int N, int NRHS, void*[],
                                               int, int, cudaLibMgMatrixDesc_t descrA, int*[], void*[], int, int,
                                               cudaLibMgMatrixDesc_t descrB, cudaDataType computeType, int64_t* lwork) {
  return solve_size(handle, N, NRHS, descrA, descrB, computeType, lwork);
}

cusolverStatus_t sx_cusolverMgGetrs(cusolverMgHandle_t handle, cublasOperation_t TRANS, int N, int NRHS,
                                    void* array_d_A[], int IA, int JA, cudaLibMgMatrixDesc_t descrA,
                                    int* array_d_IPIV[], void* array_d_B[], int IB, int JB,
                                    cudaLibMgMatrixDesc_t descrB, cudaDataType computeType, void* array_d_work[],
                                    int64_t lwork, int* info) {
  if (context_of(handle) == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (info == nullptr) return kRefused;
  const Desc *d = desc_of(descrA), *db = desc_of(descrB);
  if (TRANS != CUBLAS_OP_N) return refuse(info, 1);
  if (N < 0) return refuse(info, 2);
  if (NRHS < 0) return refuse(info, 3);
  *info = 0;
  const bool whole = IA == 1 && JA == 1 && IB == 1;
  if (!array_d_A || !array_d_B || !array_d_IPIV || !array_d_work || !whole ||
      !solvable(d, db, computeType, N, NRHS, IA, JA, IB, JB))
    return kRefused;
  if (N == 0 || NRHS == 0) return CUSOLVER_STATUS_SUCCESS;
  return guarded([&] {
    return sx_of_type(computeType, [&](auto zero) {
      return getrs<decltype(zero)>(context_of(handle), N, NRHS, array_d_A, d, array_d_IPIV, array_d_B, JB, db,
                                   array_d_work, lwork, info);
    });
  });
}

cusolverStatus_t sx_cusolverMgPotrf_bufferSize(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N, void*[], int IA,
                                               int JA, cudaLibMgMatrixDesc_t descrA, cudaDataType computeType,
                                               int64_t* lwork) {
  return cholesky_size(false, handle, uplo, N, IA, JA, descrA, computeType, lwork);
}
cusolverStatus_t sx_cusolverMgPotri_bufferSize(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N, void*[], int IA,
                                               int JA, cudaLibMgMatrixDesc_t descrA, cudaDataType computeType,
                                               int64_t* lwork) {
  return cholesky_size(true, handle, uplo, N, IA, JA, descrA, computeType, lwork);
}
cusolverStatus_t sx_cusolverMgPotrf(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N, void* array_d_A[], int IA,
                                    int JA, cudaLibMgMatrixDesc_t descrA, cudaDataType computeType,
                                    void* array_d_work[], int64_t lwork, int* h_info) {
  return cholesky_call(false, handle, uplo, N, array_d_A, IA, JA, descrA, computeType, array_d_work, lwork, h_info);
}
cusolverStatus_t sx_cusolverMgPotri(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N, void* array_d_A[], int IA,
                                    int JA, cudaLibMgMatrixDesc_t descrA, cudaDataType computeType,
                                    void* array_d_work[], int64_t lwork, int* h_info) {
  return cholesky_call(true, handle, uplo, N, array_d_A, IA, JA, descrA, computeType, array_d_work, lwork, h_info);
}

cusolverStatus_t sx_cusolverMgPotrs_bufferSize(cusolverMgHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,
                                               void*[], int, int, cudaLibMgMatrixDesc_t descrA, void*[], int, int,
                                               cudaLibMgMatrixDesc_t descrB, cudaDataType computeType, int64_t* lwork) {
  if (uplo != CUBLAS_FILL_MODE_LOWER && uplo != CUBLAS_FILL_MODE_UPPER) return kRefused;
  return solve_size(handle, n, nrhs, descrA, descrB, computeType, lwork);
}

cusolverStatus_t sx_cusolverMgPotrs(cusolverMgHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,
                                    void* array_d_A[], int IA, int JA, cudaLibMgMatrixDesc_t descrA, void* array_d_B[],
                                    int IB, int JB, cudaLibMgMatrixDesc_t descrB, cudaDataType computeType,
                                    void* array_d_work[], int64_t lwork, int* h_info) {
  if (context_of(handle) == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (h_info == nullptr) return kRefused;
  const Desc *d = desc_of(descrA), *db = desc_of(descrB);
  if (uplo != CUBLAS_FILL_MODE_LOWER) return refuse(h_info, 1);
  if (n < 0) return refuse(h_info, 2);
  if (nrhs < 0) return refuse(h_info, 3);
  *h_info = 0;
  if (!array_d_A || !array_d_B || !array_d_work || !solvable(d, db, computeType, n, nrhs, IA, JA, IB, JB))
    return kRefused;
  if (n == 0 || nrhs == 0) return CUSOLVER_STATUS_SUCCESS;
  return guarded([&] {
    return sx_of_type(computeType, [&](auto zero) {
      return potrs<decltype(zero)>(context_of(handle), n, nrhs, array_d_A, IA, JA, d, array_d_B, IB, JB, db,
                                   array_d_work, lwork, h_info);
    });
  });
}
