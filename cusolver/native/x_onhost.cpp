// What of the 64-bit API no GPU library of AMD has, through hostmath: eigenvalues of general matrices, Hermitian
// factorisations, and solves with both kinds of indefinite factors. They wait for the stream, so no capture holds them.
#include <cmath>

#include "onhost.h"
#include "solver.h"
#include "x.h"

namespace {

template <class T>
using Real = typename sx_dn<T>::real;

template <class T>
constexpr int32_t kHostType = sizeof(Real<T>) == 4 ? (sx_dn<T>::complex ? SX_HM_C : SX_HM_S)
                                                   : (sx_dn<T>::complex ? SX_HM_Z : SX_HM_D);

char part_letter(cublasFillMode_t uplo) { return uplo == CUBLAS_FILL_MODE_UPPER ? 'U' : 'L'; }

// INFO of LAPACK as a call's info on the device, or the failure of a body without memory.
void tell(sx_onhost& work, int64_t info, int* where, int* host) {
  if (info == SX_HM_NO_MEMORY) {
    work.fail(CUSOLVER_STATUS_ALLOC_FAILED);
    return;
  }
  *host = static_cast<int>(info);
  if (where != nullptr) work.write(where, host, 1);
}

// ---- geev -----------------------------------------------------------------------------------------------------------

template <class T>
bool finite(const T* a, int64_t count) {
  const auto* const parts = reinterpret_cast<const Real<T>*>(a);
  const int64_t all = count * static_cast<int64_t>(sizeof(T) / sizeof(Real<T>));
  for (int64_t i = 0; i < all; ++i) {
    if (!std::isfinite(parts[i])) return false;
  }
  return true;
}

// Eigenvalues as NVIDIA writes them: complex ones, or all real parts and then all imaginary ones.
template <class T>
void write_eigenvalues(sx_onhost& work, void* W, bool complex_w, const Real<T>* wr, const Real<T>* wi, Real<T>* pairs,
                       int64_t n) {
  if (!complex_w) {
    work.write(static_cast<Real<T>*>(W), wr, n);
    work.write(static_cast<Real<T>*>(W) + n, wi, n);
    return;
  }
  if (!sx_dn<T>::complex) {
    for (int64_t i = 0; i < n; ++i) {
      pairs[2 * i] = wr[i];
      pairs[2 * i + 1] = wi[i];
    }
  }
  work.write(static_cast<Real<T>*>(W), pairs, 2 * n);
}

struct Eigen {
  int64_t n, lda, ldvr;
  bool vectors, complex_w;
};

template <class T>
cusolverStatus_t geev(cusolverDnHandle_t handle, const Eigen& e, T* A, void* W, T* VR, int* info) {
  const int64_t n = e.n;
  sx_onhost work(sx_solver_slot(handle));
  auto a = work.read(A, n, n, e.lda);
  auto wr = work.room<Real<T>>(n), wi = work.room<Real<T>>(n), pairs = work.room<Real<T>>(n, 2);
  auto vr = work.room<T>(e.vectors ? n : 1, e.vectors ? n : 1);
  if (!work.ready()) return work.status();
  int told = 0;
  if (!finite(a.get(), n * n)) {  // measured
    tell(work, 0, info, &told);
    work.finish();
    return CUSOLVER_STATUS_INTERNAL_ERROR;
  }
  void* const values = sx_dn<T>::complex ? static_cast<void*>(pairs.get()) : wr.get();
  const int64_t result = sx_hostmath()->geev(kHostType<T>, 'N', e.vectors ? 'V' : 'N', n, a.get(), n, values, wi.get(),
                                             nullptr, 1, vr.get(), n);
  tell(work, result, info, &told);
  write_eigenvalues<T>(work, W, e.complex_w, wr.get(), wi.get(), pairs.get(), n);
  if (e.vectors) work.write(VR, e.ldvr, vr.get(), n, n);
  work.write(A, e.lda, a.get(), n, n);
  return work.finish();
}

// ---- symmetric and Hermitian indefinite factors ---------------------------------------------------------------------

struct Factors {
  cublasFillMode_t uplo;
  bool hermitian;
  int64_t n, nrhs, lda, ldb;
};

// LAPACK follows pivots without looking at them.
bool pivots_of(const int64_t* p, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    if (p[i] == 0 || p[i] > n || p[i] < -n) return false;
    if (p[i] > 0) continue;
    if (i + 1 >= n || p[i + 1] >= 0 || p[i + 1] < -n) return false;
    ++i;
  }
  return true;
}

template <class T>
cusolverStatus_t sytrs(cusolverDnHandle_t handle, const Factors& f, const T* A, const int64_t* ipiv, T* B, int* info) {
  sx_onhost work(sx_solver_slot(handle));
  auto a = work.read(A, f.n, f.n, f.lda);
  auto b = work.read(B, f.n, f.nrhs, f.ldb);
  auto pivots = work.read(ipiv, ipiv == nullptr ? 0 : f.n);
  if (!work.ready()) return work.status();
  if (ipiv != nullptr && !pivots_of(pivots.get(), f.n)) return CUSOLVER_STATUS_INVALID_VALUE;
  int told = 0;
  const int64_t result = sx_hostmath()->sytrs(kHostType<T>, f.hermitian, part_letter(f.uplo), f.n, f.nrhs, a.get(), f.n,
                                              ipiv == nullptr ? nullptr : pivots.get(), b.get(), f.n);
  tell(work, result, info, &told);
  work.write(B, f.ldb, b.get(), f.n, f.nrhs);
  return work.finish();
}

template <class T>
cusolverStatus_t hetrf(cusolverDnHandle_t handle, const Factors& f, T* A, int64_t* ipiv, int* info) {
  sx_onhost work(sx_solver_slot(handle));
  auto a = work.read(A, f.n, f.n, f.lda);
  auto pivots = work.room<int64_t>(f.n);
  if (!work.ready()) return work.status();
  int told = 0;
  const int64_t result =
      sx_hostmath()->sytrf(kHostType<T>, f.hermitian, part_letter(f.uplo), f.n, a.get(), f.n, pivots.get());
  tell(work, result, info, &told);
  work.write(A, f.lda, a.get(), f.n, f.n);
  work.write(ipiv, pivots.get(), f.n);
  return work.finish();
}

template <class T>
struct Indefinite;
#define SX_INDEFINITE(cuda_type, letter)                                \
  template <>                                                           \
  struct Indefinite<cuda_type> {                                        \
    static auto factor() { return sx_rocm->rocsolver_##letter##sytrf; } \
  }
SX_INDEFINITE(float, s);
SX_INDEFINITE(double, d);
SX_INDEFINITE(cuComplex, c);
SX_INDEFINITE(cuDoubleComplex, z);
#undef SX_INDEFINITE

template <class T>
rocblas_status factor(rocblas_handle h, const Factors& f, T* A, int* pivots, int* info) {
  const auto call = Indefinite<T>::factor();
  if (call == nullptr) return rocblas_status_not_implemented;
  return call(h, sx_to_rocblas_fill(f.uplo), static_cast<int>(f.n), sx_rocm_ptr(A), static_cast<int>(f.lda), pivots,
              info);
}

// rocSOLVER's pivots are of 32 bits and signed: they are widened on the way through the host.
cusolverStatus_t widen(cusolverDnHandle_t handle, const int* from, int64_t* to, int64_t n) {
  sx_onhost work(sx_solver_slot(handle));
  auto narrow = work.read(from, n);
  auto wide = work.room<int64_t>(n);
  if (!work.ready()) return work.status();
  for (int64_t i = 0; i < n; ++i) wide[static_cast<size_t>(i)] = narrow[static_cast<size_t>(i)];
  work.write(to, wide.get(), n);
  return work.finish();
}

template <class T>
cusolverStatus_t sytrf(cusolverDnHandle_t handle, const Factors& f, T* A, int64_t* ipiv, void* work, size_t bytes,
                       int* info) {
  if (ipiv == nullptr) {
    return sx_dn<T>::sytrf(handle, f.uplo, static_cast<int>(f.n), A, static_cast<int>(f.lda), nullptr, sx_as<T>(work),
                           sx_max(sx_elements<T>(bytes), 1), info);
  }
  sx_solver solver(handle);
  const cusolverStatus_t begun =
      solver.begin(work, bytes, {static_cast<size_t>(f.n) * sizeof(int)},
                   [&](rocblas_handle h) { return factor<T>(h, f, nullptr, nullptr, nullptr); });
  if (begun != CUSOLVER_STATUS_SUCCESS) return begun;
  int* const pivots = solver.take<int>(static_cast<size_t>(f.n));
  const rocblas_status done = factor(solver.handle(), f, A, pivots, info);
  return done == rocblas_status_success ? widen(handle, pivots, ipiv, f.n) : sx_from_rocblas_status(done);
}

cusolverStatus_t solve(cusolverDnHandle_t handle, const Factors& f, cudaDataType type, const void* A,
                       const int64_t* ipiv, void* B, int* info) {
  return sx_of_type(type, [&](auto one) {
    using T = decltype(one);
    return sytrs<T>(handle, f, sx_as<T>(A), ipiv, sx_as<T>(B), info);
  });
}

}  // namespace

// Left vectors are refused as NVIDIA does. The host's part is asked for as NVIDIA does, and had by the body itself.
cusolverStatus_t sx_x_geev_size(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t jobvl,
                                cusolverEigMode_t jobvr, int64_t n, cudaDataType dataTypeA, const void*, int64_t lda,
                                cudaDataType, const void*, cudaDataType, const void*, int64_t ldvl, cudaDataType,
                                const void*, int64_t ldvr, cudaDataType, size_t* device, size_t* host) {
  constexpr size_t kLeast = 1024;
  *device = 256;
  const int64_t least = sx_max(n, int64_t{1});
  if (n < 0 || lda < least || ldvl < 1 || (jobvr == CUSOLVER_EIG_MODE_VECTOR && ldvr < least)) {
    return CUSOLVER_STATUS_INVALID_VALUE;
  }
  *host = 0;
  if (jobvl == CUSOLVER_EIG_MODE_VECTOR) return CUSOLVER_STATUS_INTERNAL_ERROR;
  *host = kLeast + static_cast<size_t>(n) * static_cast<size_t>(n) * sx_data_bytes(dataTypeA);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t sx_x_geev(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t, cusolverEigMode_t jobvr,
                           int64_t n, cudaDataType dataTypeA, void* A, int64_t lda, cudaDataType dataTypeW, void* W,
                           cudaDataType, void*, int64_t, cudaDataType, void* VR, int64_t ldvr, cudaDataType, void*,
                           size_t, void*, size_t, int* info) {
  const bool complex_w = dataTypeW == CUDA_C_32F || dataTypeW == CUDA_C_64F;
  const Eigen e{n, lda, ldvr, jobvr == CUSOLVER_EIG_MODE_VECTOR, complex_w};
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    return geev<T>(handle, e, sx_as<T>(A), W, sx_as<T>(VR), info);
  });
}

cusolverStatus_t sx_x_sytrs_size(cusolverDnHandle_t, cublasFillMode_t, int64_t, int64_t, cudaDataType, const void*,
                                 int64_t, const int64_t*, cudaDataType, void*, int64_t, size_t* device, size_t* host) {
  return sx_no_bytes(device, host, CUSOLVER_STATUS_SUCCESS);
}

cusolverStatus_t sx_x_sytrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                            cudaDataType dataTypeA, const void* A, int64_t lda, const int64_t* ipiv, cudaDataType,
                            void* B, int64_t ldb, void*, size_t, void*, size_t, int* info) {
  return solve(handle, {uplo, false, n, nrhs, lda, ldb}, dataTypeA, A, ipiv, B, info);
}

cusolverStatus_t sx_x_hetrs_size(cusolverDnHandle_t, cusolverDnParams_t, cublasFillMode_t, int64_t, int64_t,
                                 cudaDataType, const void*, int64_t, const int64_t*, cudaDataType, void*, int64_t,
                                 size_t* device, size_t* host) {
  return sx_no_bytes(device, host, CUSOLVER_STATUS_SUCCESS);
}

cusolverStatus_t sx_x_hetrs(cusolverDnHandle_t handle, cusolverDnParams_t, cublasFillMode_t uplo, int64_t n,
                            int64_t nrhs, cudaDataType dataTypeA, const void* A, int64_t lda, const int64_t* ipiv,
                            cudaDataType, void* B, int64_t ldb, void*, size_t, void*, size_t, int* info) {
  return solve(handle, {uplo, true, n, nrhs, lda, ldb}, dataTypeA, A, ipiv, B, info);
}

cusolverStatus_t sx_x_hetrf_size(cusolverDnHandle_t, cusolverDnParams_t, cublasFillMode_t, int64_t, cudaDataType,
                                 const void*, int64_t, const int64_t*, cudaDataType, size_t* device, size_t* host) {
  return sx_no_bytes(device, host, CUSOLVER_STATUS_SUCCESS);
}

cusolverStatus_t sx_x_hetrf(cusolverDnHandle_t handle, cusolverDnParams_t, cublasFillMode_t uplo, int64_t n,
                            cudaDataType dataTypeA, void* A, int64_t lda, int64_t* ipiv, cudaDataType, void*, size_t,
                            void*, size_t, int* info) {
  const Factors f{uplo, true, n, 0, lda, 0};
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    return hetrf<T>(handle, f, sx_as<T>(A), ipiv, info);
  });
}

cusolverStatus_t sx_x_sytrf_size(cusolverDnHandle_t handle, cusolverDnParams_t, cublasFillMode_t uplo, int64_t n,
                                 cudaDataType dataTypeA, const void*, int64_t lda, const int64_t*, cudaDataType,
                                 size_t* device, size_t* host) {
  *host = 0;
  const int size = sx_size_of(n);
  const Factors f{uplo == CUBLAS_FILL_MODE_UPPER ? uplo : CUBLAS_FILL_MODE_LOWER, false, size, 0, sx_ld_of(lda, n), 0};
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    sx_solver solver(handle);
    return solver.size(device, {static_cast<size_t>(size) * sizeof(int)},
                       [&](rocblas_handle h) { return factor<T>(h, f, nullptr, nullptr, nullptr); });
  });
}

cusolverStatus_t sx_x_sytrf(cusolverDnHandle_t handle, cusolverDnParams_t, cublasFillMode_t uplo, int64_t n,
                            cudaDataType dataTypeA, void* A, int64_t lda, int64_t* ipiv, cudaDataType, void* work,
                            size_t bytes, void*, size_t, int* info) {
  if (!sx_fit(n, lda)) return CUSOLVER_STATUS_NOT_SUPPORTED;
  const Factors f{uplo, false, n, 0, lda, 0};
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    return sytrf<T>(handle, f, sx_as<T>(A), ipiv, work, bytes, info);
  });
}
