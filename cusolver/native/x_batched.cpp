// Eigenvalues of many matrices, triangular inverses, tridiagonal problems and block reflectors of the 64-bit API: one
// call of rocSOLVER each, whose sizes are of 32 bits.
#include "solver.h"
#include "x.h"

namespace {

template <class T>
struct Roc;
#define SX_ROC(cuda_type, letter, sy)                                                    \
  template <>                                                                            \
  struct Roc<cuda_type> {                                                                \
    static auto syevd() { return sx_rocm->rocsolver_##letter##sy##evd_strided_batched; } \
    static auto sygvd() { return sx_rocm->rocsolver_##letter##sy##gvd_strided_batched; } \
    static auto trtri() { return sx_rocm->rocsolver_##letter##trtri; }                   \
    static auto stedc() { return sx_rocm->rocsolver_##letter##stedc; }                   \
    static auto larft() { return sx_rocm->rocsolver_##letter##larft; }                   \
  }
SX_ROC(float, s, sy);
SX_ROC(double, d, sy);
SX_ROC(cuComplex, c, he);
SX_ROC(cuDoubleComplex, z, he);
#undef SX_ROC

template <class T>
using Real = typename sx_dn<T>::real;

bool type_is(cudaDataType type, cudaDataType* real) {
  return sx_of_type(type, [&](auto one) {
           *real = sx_dn<decltype(one)>::of_real;
           return CUSOLVER_STATUS_SUCCESS;
         }) == CUSOLVER_STATUS_SUCCESS;
}

// ``body(T{})`` where the types of a problem agree, both sizes 0 and INVALID_VALUE elsewhere.
template <class Body>
cusolverStatus_t sized(cudaDataType a, cudaDataType w, cudaDataType compute, size_t* device, size_t* host,
                       const Body& body) {
  cudaDataType real = CUDA_R_32F;
  *device = *host = 0;
  if (!type_is(a, &real) || w != real || compute != a) return CUSOLVER_STATUS_INVALID_VALUE;
  return sx_of_type(a, body);
}

struct Problem {
  cusolverEigMode_t jobz;
  cublasFillMode_t uplo;
  int64_t n, count;
  // the off-diagonals of the tridiagonal form, which rocSOLVER wants room for
  template <class T>
  size_t off_diagonals() const {
    return static_cast<size_t>(n) * static_cast<size_t>(count) * sizeof(Real<T>);
  }
};

template <class T>
rocblas_status syevd(rocblas_handle h, const Problem& p, T* A, int64_t lda, Real<T>* W, Real<T>* E, int* info) {
  const auto f = Roc<T>::syevd();
  if (f == nullptr) return rocblas_status_not_implemented;
  return f(h, sx_to_rocblas_evect(p.jobz), sx_to_rocblas_fill(p.uplo), static_cast<int>(p.n), sx_rocm_ptr(A),
           static_cast<int>(lda), lda * p.n, W, p.n, E, p.n, info, static_cast<int>(p.count));
}

struct Pencil {
  cusolverEigType_t itype;
  int64_t lda, stride_a, ldb, stride_b, stride_w;
};

template <class T>
rocblas_status sygvd(rocblas_handle h, const Problem& p, const Pencil& q, T* A, T* B, Real<T>* W, Real<T>* E,
                     int* info) {
  const auto f = Roc<T>::sygvd();
  if (f == nullptr) return rocblas_status_not_implemented;
  return f(h, sx_to_rocblas_eform(q.itype), sx_to_rocblas_evect(p.jobz), sx_to_rocblas_fill(p.uplo),
           static_cast<int>(p.n), sx_rocm_ptr(A), static_cast<int>(q.lda), q.stride_a, sx_rocm_ptr(B),
           static_cast<int>(q.ldb), q.stride_b, W, q.stride_w, E, p.n, info, static_cast<int>(p.count));
}

// A body of one rocSOLVER call that needs room for the off-diagonals: ``call(handle, off-diagonals)``.
template <class T, class Call>
cusolverStatus_t with_off_diagonals(cusolverDnHandle_t handle, const Problem& p, void* work, size_t bytes,
                                    const Call& call) {
  sx_solver solver(handle);
  const size_t room = p.off_diagonals<T>();
  const cusolverStatus_t begun =
      solver.begin(work, bytes, {room}, [&](rocblas_handle h) { return call(h, static_cast<Real<T>*>(nullptr)); });
  if (begun != CUSOLVER_STATUS_SUCCESS) return begun;
  return sx_from_rocblas_status(call(solver.handle(), solver.take<Real<T>>(room / sizeof(Real<T>))));
}

rocblas_evect compz_of(cusolverEigComp_t compz) {
  switch (compz) {
    case CUSOLVER_EIG_COMP_I:
      return rocblas_evect_tridiagonal;
    case CUSOLVER_EIG_COMP_V:
      return rocblas_evect_original;
    default:
      return rocblas_evect_none;
  }
}

template <class T>
rocblas_status stedc(rocblas_handle h, cusolverEigComp_t compz, int64_t n, Real<T>* D, Real<T>* E, T* Z, int64_t ldz,
                     int* info) {
  const auto f = Roc<T>::stedc();
  if (f == nullptr) return rocblas_status_not_implemented;
  return f(h, compz_of(compz), static_cast<int>(n), D, E, sx_rocm_ptr(Z), static_cast<int>(ldz), info);
}

struct Reflectors {
  cusolverDirectMode_t direct;
  cusolverStorevMode_t storev;
  int64_t n, k, ldv, ldt;
};

template <class T>
rocblas_status larft(rocblas_handle h, const Reflectors& r, const T* V, const T* tau, T* out) {
  const auto f = Roc<T>::larft();
  if (f == nullptr) return rocblas_status_not_implemented;
  // AMD's declaration lacks const
  return f(h, r.direct == CUBLAS_DIRECT_FORWARD ? rocblas_forward_direction : rocblas_backward_direction,
           r.storev == CUBLAS_STOREV_COLUMNWISE ? rocblas_column_wise : rocblas_row_wise, static_cast<int>(r.n),
           static_cast<int>(r.k), sx_rocm_ptr(const_cast<T*>(V)), static_cast<int>(r.ldv),
           sx_rocm_ptr(const_cast<T*>(tau)), sx_rocm_ptr(out), static_cast<int>(r.ldt));
}

template <class T>
rocblas_status trtri(rocblas_handle h, cublasFillMode_t uplo, cublasDiagType_t diag, int64_t n, T* A, int64_t lda,
                     int* info) {
  const auto f = Roc<T>::trtri();
  if (f == nullptr) return rocblas_status_not_implemented;
  return f(h, sx_to_rocblas_fill(uplo), sx_to_rocblas_diagonal(diag), static_cast<int>(n), sx_rocm_ptr(A),
           static_cast<int>(lda), info);
}

cusolverEigMode_t job_of(cusolverEigMode_t jobz) {
  return jobz == CUSOLVER_EIG_MODE_NOVECTOR ? jobz : CUSOLVER_EIG_MODE_VECTOR;
}
cublasFillMode_t part_of(cublasFillMode_t uplo) {
  return uplo == CUBLAS_FILL_MODE_UPPER ? uplo : CUBLAS_FILL_MODE_LOWER;
}

}  // namespace

cusolverStatus_t sx_x_syev_batched_size(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t jobz,
                                        cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, const void*,
                                        int64_t lda, cudaDataType dataTypeW, const void*, cudaDataType computeType,
                                        size_t* device, size_t* host, int64_t batchSize) {
  return sized(dataTypeA, dataTypeW, computeType, device, host, [&](auto one) {
    using T = decltype(one);
    const Problem p{job_of(jobz), part_of(uplo), sx_size_of(n), sx_size_of(batchSize)};
    sx_solver solver(handle);
    return solver.size(device, {p.off_diagonals<T>()}, [&](rocblas_handle h) {
      return syevd<T>(h, p, nullptr, sx_ld_of(lda, n), nullptr, nullptr, nullptr);
    });
  });
}

cusolverStatus_t sx_x_syev_batched(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t jobz,
                                   cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, void* A, int64_t lda,
                                   cudaDataType, void* W, cudaDataType, void* work, size_t bytes, void*, size_t,
                                   int* info, int64_t batchSize) {
  if (!sx_fit(n, lda, batchSize)) return CUSOLVER_STATUS_NOT_SUPPORTED;
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    const Problem p{jobz, uplo, n, batchSize};
    return with_off_diagonals<T>(handle, p, work, bytes, [&](rocblas_handle h, Real<T>* E) {
      return syevd<T>(h, p, sx_as<T>(A), lda, sx_as<Real<T>>(W), E, info);
    });
  });
}

cusolverStatus_t sx_x_sygv_batched_size(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigType_t itype,
                                        cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                        cudaDataType dataTypeA, const void*, int64_t lda, int64_t strideA,
                                        cudaDataType dataTypeB, const void*, int64_t ldb, int64_t strideB,
                                        cudaDataType dataTypeW, const void*, int64_t strideW, cudaDataType computeType,
                                        int64_t batchSize, size_t* device, size_t* host) {
  if (dataTypeB != dataTypeA) return sx_no_bytes(device, host, CUSOLVER_STATUS_INVALID_VALUE);
  return sized(dataTypeA, dataTypeW, computeType, device, host, [&](auto one) {
    using T = decltype(one);
    const Problem p{job_of(jobz), part_of(uplo), sx_size_of(n), sx_size_of(batchSize)};
    const Pencil q{itype, sx_ld_of(lda, n), strideA, sx_ld_of(ldb, n), strideB, strideW};
    sx_solver solver(handle);
    return solver.size(device, {p.off_diagonals<T>()}, [&](rocblas_handle h) {
      return sygvd<T>(h, p, q, nullptr, nullptr, nullptr, nullptr, nullptr);
    });
  });
}

cusolverStatus_t sx_x_sygv_batched(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigType_t itype,
                                   cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA,
                                   void* A, int64_t lda, int64_t strideA, cudaDataType, void* B, int64_t ldb,
                                   int64_t strideB, cudaDataType, void* W, int64_t strideW, cudaDataType,
                                   int64_t batchSize, void* work, size_t bytes, void*, size_t, int* info) {
  if (!sx_fit(n, lda, ldb, batchSize)) return CUSOLVER_STATUS_NOT_SUPPORTED;
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    const Problem p{jobz, uplo, n, batchSize};
    const Pencil q{itype, lda, strideA, ldb, strideB, strideW};
    return with_off_diagonals<T>(handle, p, work, bytes, [&](rocblas_handle h, Real<T>* E) {
      return sygvd<T>(h, p, q, sx_as<T>(A), sx_as<T>(B), sx_as<Real<T>>(W), E, info);
    });
  });
}

cusolverStatus_t sx_x_trtri_size(cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t diag, int64_t n,
                                 cudaDataType dataTypeA, void*, int64_t lda, size_t* device, size_t* host) {
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    sx_solver solver(handle);
    *host = 0;
    // asked for by NVIDIA's whatever the size, so never nothing
    return solver.size(device, {1}, [&](rocblas_handle h) {
      return trtri<T>(h, part_of(uplo), diag == CUBLAS_DIAG_UNIT ? diag : CUBLAS_DIAG_NON_UNIT, sx_size_of(n), nullptr,
                      sx_ld_of(lda, n), nullptr);
    });
  });
}

cusolverStatus_t sx_x_trtri(cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t diag, int64_t n,
                            cudaDataType dataTypeA, void* A, int64_t lda, void* work, size_t bytes, void*, size_t,
                            int* info) {
  if (!sx_fit(n, lda)) return CUSOLVER_STATUS_NOT_SUPPORTED;
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    return sx_solver_call(sx_solver_slot(handle), work, bytes, nullptr, 0,
                          [&](rocblas_handle h) { return trtri<T>(h, uplo, diag, n, sx_as<T>(A), lda, info); });
  });
}

cusolverStatus_t sx_x_stedc_size(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigComp_t compz, int64_t n,
                                 cudaDataType dataTypeDE, const void*, const void*, cudaDataType dataTypeZ, const void*,
                                 int64_t ldz, cudaDataType computeType, size_t* device, size_t* host) {
  return sized(dataTypeZ, dataTypeDE, computeType, device, host, [&](auto one) {
    using T = decltype(one);
    sx_solver solver(handle);
    return solver.size(device, {}, [&](rocblas_handle h) {
      return stedc<T>(h, compz, sx_size_of(n), nullptr, nullptr, nullptr, sx_ld_of(ldz, n), nullptr);
    });
  });
}

cusolverStatus_t sx_x_stedc(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigComp_t compz, int64_t n,
                            cudaDataType, void* D, void* E, cudaDataType dataTypeZ, void* Z, int64_t ldz, cudaDataType,
                            void* work, size_t bytes, void*, size_t, int* info) {
  if (!sx_fit(n, ldz)) return CUSOLVER_STATUS_NOT_SUPPORTED;
  return sx_of_type(dataTypeZ, [&](auto one) {
    using T = decltype(one);
    return sx_solver_call(sx_solver_slot(handle), work, bytes, nullptr, 0, [&](rocblas_handle h) {
      return stedc<T>(h, compz, n, sx_as<Real<T>>(D), sx_as<Real<T>>(E), sx_as<T>(Z), ldz, info);
    });
  });
}

cusolverStatus_t sx_x_larft_size(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverDirectMode_t direct,
                                 cusolverStorevMode_t storev, int64_t n, int64_t k, cudaDataType dataTypeV, const void*,
                                 int64_t ldv, cudaDataType, const void*, cudaDataType, void*, int64_t ldt, cudaDataType,
                                 size_t* device, size_t* host) {
  return sx_of_type(dataTypeV, [&](auto one) {
    using T = decltype(one);
    sx_solver solver(handle);
    *host = 0;
    const bool columns = storev == CUBLAS_STOREV_COLUMNWISE;
    const Reflectors r{direct, storev, sx_size_of(n), sx_size_of(k), sx_ld_of(ldv, columns ? n : k), sx_ld_of(ldt, k)};
    return solver.size(device, {}, [&](rocblas_handle h) { return larft<T>(h, r, nullptr, nullptr, nullptr); });
  });
}

cusolverStatus_t sx_x_larft(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverDirectMode_t direct,
                            cusolverStorevMode_t storev, int64_t n, int64_t k, cudaDataType dataTypeV, const void* V,
                            int64_t ldv, cudaDataType, const void* tau, cudaDataType, void* out, int64_t ldt,
                            cudaDataType, void* work, size_t bytes, void*, size_t) {
  if (!sx_fit(n, k, ldv, ldt)) return CUSOLVER_STATUS_NOT_SUPPORTED;
  return sx_of_type(dataTypeV, [&](auto one) {
    using T = decltype(one);
    const Reflectors r{direct, storev, n, k, ldv, ldt};
    return sx_solver_call(sx_solver_slot(handle), work, bytes, nullptr, 0,
                          [&](rocblas_handle h) { return larft<T>(h, r, sx_as<T>(V), sx_as<T>(tau), sx_as<T>(out)); });
  });
}
