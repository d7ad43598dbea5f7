// Singular values of the 64-bit API: gesvd by the typed functions; gesvdp by rocSOLVER's, which takes wide matrices
// too and gives V^H; gesvdr by a randomised range finder (Halko, Martinsson, Tropp 2011) of rocBLAS's and rocSOLVER's
// gemm, QR and SVD.
#include <stdlib.h>

#include "x.h"

namespace {

template <class T>
using Real = typename sx_dn<T>::real;

template <class T>
struct Roc;
#define SX_ROC(cuda_type, letter, un)                                                 \
  template <>                                                                         \
  struct Roc<cuda_type> {                                                             \
    static auto gesvd() { return sx_rocm->rocsolver_##letter##gesvd; }                \
    static auto geqrf() { return sx_rocm->rocsolver_##letter##geqrf; }                \
    static auto orgqr() { return sx_rocm->rocsolver_##letter##un##gqr; }              \
    static auto gemm() { return sx_rocm->rocblas_##letter##gemm; }                    \
    static auto geam() { return sx_rocm->rocblas_##letter##geam; }                    \
    static bool whole() { return gesvd() && geqrf() && orgqr() && gemm() && geam(); } \
  }
SX_ROC(float, s, or);
SX_ROC(double, d, or);
SX_ROC(cuComplex, c, un);
SX_ROC(cuDoubleComplex, z, un);
#undef SX_ROC

struct Types {
  cudaDataType a, s, u, v, compute;
  bool agree() const {
    return u == a && v == a && compute == a &&
           sx_of_type(a, [&](auto one) {
             return s == sx_dn<decltype(one)>::of_real ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
           }) == CUSOLVER_STATUS_SUCCESS;
  }
};

// ---- gesvdp ---------------------------------------------------------------------------------------------------------

struct Polar {
  bool vectors, econ;
  int m, n;
  int rank() const { return m < n ? m : n; }
  int rows_of_vt() const { return econ ? rank() : n; }
  size_t vt() const { return vectors ? static_cast<size_t>(rows_of_vt()) * static_cast<size_t>(n) : 0; }
};

template <class T>
rocblas_status svd(rocblas_handle h, const Polar& p, T* A, int lda, Real<T>* S, T* U, int ldu, T* VT, Real<T>* E,
                   int* info) {
  if (!Roc<T>::whole()) return rocblas_status_not_implemented;
  const auto job = !p.vectors ? rocblas_svect_none : p.econ ? rocblas_svect_singular : rocblas_svect_all;
  return Roc<T>::gesvd()(h, job, job, p.m, p.n, sx_rocm_ptr(A), lda, S, sx_rocm_ptr(U), ldu, sx_rocm_ptr(VT),
                         sx_max(p.rows_of_vt(), 1), E, rocblas_outofplace, info);
}

// V := (V^H)^H
template <class T>
rocblas_status conjugate(rocblas_handle h, const Polar& p, const T* VT, T* V, int ldv) {
  const T one = sx_number(T{}, 1), zero = sx_number(T{}, 0);
  const auto op = rocblas_operation_conjugate_transpose;
  const int rows = p.rows_of_vt();
  return Roc<T>::geam()(h, op, op, p.n, rows, sx_rocm_ptr(&one), sx_rocm_ptr(VT), rows, sx_rocm_ptr(&zero),
                        sx_rocm_ptr(VT), rows, sx_rocm_ptr(V), ldv);
}

template <class T>
cusolverStatus_t gesvdp_size(cusolverDnHandle_t handle, const Polar& p, size_t* bytes) {
  sx_solver solver(handle);
  return solver.size(
      bytes, {static_cast<size_t>(p.rank()) * sizeof(Real<T>), p.vt() * sizeof(T)}, [&](rocblas_handle h) {
        return svd<T>(h, p, nullptr, sx_max(p.m, 1), nullptr, nullptr, sx_max(p.m, 1), nullptr, nullptr, nullptr);
      });
}

struct Place {
  void* work;
  size_t bytes;
};

template <class T>
cusolverStatus_t gesvdp(cusolverDnHandle_t handle, const Polar& p, T* A, int lda, Real<T>* S, T* U, int ldu, T* V,
                        int ldv, const Place& at, int* info) {
  sx_solver solver(handle);
  const size_t rank = static_cast<size_t>(p.rank());
  const cusolverStatus_t begun = solver.begin(
      at.work, at.bytes, {rank * sizeof(Real<T>), p.vt() * sizeof(T)},
      [&](rocblas_handle h) { return svd<T>(h, p, nullptr, lda, nullptr, nullptr, ldu, nullptr, nullptr, nullptr); });
  if (begun != CUSOLVER_STATUS_SUCCESS) return begun;
  auto* const E = solver.take<Real<T>>(rank);
  T* const VT = solver.take<T>(p.vt());
  rocblas_status status = svd(solver.handle(), p, A, lda, S, U, ldu, VT, E, info);
  if (sx_good(status) && p.vectors) status = conjugate<T>(solver.handle(), p, VT, V, ldv);
  return sx_from_rocblas_status(status);
}

// ---- gesvdr ---------------------------------------------------------------------------------------------------------

struct Sketch {
  bool left, right;
  int m, n, k, width, iterations;  // width: k and the oversampling
};

template <class T>
struct Sketched {
  T *Y, *Z, *VT, *tau;  // m x width, n x width, width x width, width
  Real<T>*S, *E;
};

template <class T>
struct Sizes {
  size_t y, z, vt, tau, real;
  explicit Sizes(const Sketch& s)
      : y(static_cast<size_t>(s.m) * static_cast<size_t>(s.width)),
        z(static_cast<size_t>(s.n) * static_cast<size_t>(s.width)),
        vt(static_cast<size_t>(s.width) * static_cast<size_t>(s.width)),
        tau(static_cast<size_t>(s.width)),
        real(static_cast<size_t>(s.width)) {}
};

// The columns of Q become orthonormal, with the same span.
template <class T>
rocblas_status orthonormal(rocblas_handle h, int rows, int cols, T* Q, T* tau) {
  const rocblas_status first = Roc<T>::geqrf()(h, rows, cols, sx_rocm_ptr(Q), sx_max(rows, 1), sx_rocm_ptr(tau));
  if (!sx_good(first)) return first;
  return Roc<T>::orgqr()(h, rows, cols, cols, sx_rocm_ptr(Q), sx_max(rows, 1), sx_rocm_ptr(tau));
}

// Y := A Z, or Z := A^H Y.
template <class T>
rocblas_status times(rocblas_handle h, const Sketch& s, bool adjoint, const T* A, int lda, const T* from, T* to) {
  const T one = sx_number(T{}, 1), zero = sx_number(T{}, 0);
  const auto op = adjoint ? rocblas_operation_conjugate_transpose : rocblas_operation_none;
  const int rows = adjoint ? s.n : s.m, inner = adjoint ? s.m : s.n;
  return Roc<T>::gemm()(h, op, rocblas_operation_none, rows, s.width, inner, sx_rocm_ptr(&one), sx_rocm_ptr(A), lda,
                        sx_rocm_ptr(from), inner, sx_rocm_ptr(&zero), sx_rocm_ptr(to), rows);
}

// SVD of the n x width matrix in Z, left vectors in its place.
template <class T>
rocblas_status small_svd(rocblas_handle h, const Sketch& s, const Sketched<T>& w, int* info) {
  return Roc<T>::gesvd()(h, rocblas_svect_overwrite, rocblas_svect_singular, s.n, s.width, sx_rocm_ptr(w.Z), s.n, w.S,
                         nullptr, s.n, sx_rocm_ptr(w.VT), s.width, w.E, rocblas_outofplace, info);
}

template <class T>
auto sketch_query(const Sketch& s) {
  return [s](rocblas_handle h) {
    if (!Roc<T>::whole()) return rocblas_status_not_implemented;
    const rocblas_status left = orthonormal<T>(h, s.m, s.width, nullptr, nullptr);
    if (!sx_good(left)) return left;
    const rocblas_status right = orthonormal<T>(h, s.n, s.width, nullptr, nullptr);
    return sx_good(right) ? small_svd<T>(h, s, {}, nullptr) : right;
  };
}

template <class T>
cusolverStatus_t gesvdr_size(cusolverDnHandle_t handle, const Sketch& s, size_t* bytes) {
  const Sizes<T> z(s);
  sx_solver solver(handle);
  return solver.size(bytes,
                     {z.y * sizeof(T), z.z * sizeof(T), z.vt * sizeof(T), z.tau * sizeof(T), z.real * sizeof(Real<T>),
                      z.real * sizeof(Real<T>)},
                     sketch_query<T>(s));
}

// Numbers of no order, the same for every call: sums of uniform ones are normal enough for a sketch.
template <class R>
void scatter(R* out, size_t count) {
  uint64_t state = 0x9e3779b97f4a7c15u;
  for (size_t i = 0; i < count; ++i) {
    double sum = 0;
    for (int j = 0; j < 4; ++j) {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      sum += static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
    }
    out[i] = static_cast<R>(sum);
  }
}

// Random numbers from the host: its buffer when that is large enough. The copy is waited for.
template <class T>
bool sketch_matrix(hipStream_t stream, T* Z, size_t count, void* host, size_t bytes) {
  const size_t need = count * sizeof(T);
  void* const own = host != nullptr && bytes >= need ? nullptr : malloc(need);
  void* const from = own == nullptr ? host : own;
  if (from == nullptr) return false;
  scatter(static_cast<Real<T>*>(from), need / sizeof(Real<T>));
  const bool copied = sx_rocm->hipMemcpyAsync(Z, from, need, hipMemcpyHostToDevice, stream) == hipSuccess &&
                      sx_rocm->hipStreamSynchronize(stream) == hipSuccess;
  free(own);
  return copied;
}

// Q with A nearly Q Q^H A, in Y; A^H Q in Z.
template <class T>
rocblas_status find_range(rocblas_handle h, const Sketch& s, const T* A, int lda, const Sketched<T>& w) {
  rocblas_status status = times(h, s, false, A, lda, w.Z, w.Y);
  for (int i = 0; i <= s.iterations && sx_good(status); ++i) {
    status = orthonormal(h, s.m, s.width, w.Y, w.tau);
    if (sx_good(status)) status = times(h, s, true, A, lda, w.Y, w.Z);
    if (i == s.iterations || !sx_good(status)) break;
    status = orthonormal(h, s.n, s.width, w.Z, w.tau);
    if (sx_good(status)) status = times(h, s, false, A, lda, w.Z, w.Y);
  }
  return status;
}

// With A^H Q = X S W^H: A is nearly (Q W) S X^H.
template <class T>
cusolverStatus_t give_vectors(sx_solver& solver, const Sketch& s, const Sketched<T>& w, Real<T>* S, T* U, int ldu, T* V,
                              int ldv) {
  const T one = sx_number(T{}, 1), zero = sx_number(T{}, 0);
  const size_t k = static_cast<size_t>(s.k);
  bool done =
      sx_copy_columns(solver.stream(), S, k * sizeof(Real<T>), w.S, k * sizeof(Real<T>), k * sizeof(Real<T>), 1);
  if (done && s.left) {
    done = sx_good(Roc<T>::gemm()(solver.handle(), rocblas_operation_none, rocblas_operation_conjugate_transpose, s.m,
                                  s.k, s.width, sx_rocm_ptr(&one), sx_rocm_ptr(w.Y), s.m, sx_rocm_ptr(w.VT), s.width,
                                  sx_rocm_ptr(&zero), sx_rocm_ptr(U), ldu));
  }
  if (done && s.right) {
    const size_t column = static_cast<size_t>(s.n) * sizeof(T);
    done = sx_copy_columns(solver.stream(), V, static_cast<size_t>(ldv) * sizeof(T), w.Z, column, column, k);
  }
  return done ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_EXECUTION_FAILED;
}

template <class T>
cusolverStatus_t gesvdr(cusolverDnHandle_t handle, const Sketch& s, const T* A, int lda, Real<T>* S, T* U, int ldu,
                        T* V, int ldv, const Place& device, const Place& host, int* info) {
  const Sizes<T> z(s);
  sx_solver solver(handle);
  const cusolverStatus_t begun = solver.begin(device.work, device.bytes,
                                              {z.y * sizeof(T), z.z * sizeof(T), z.vt * sizeof(T), z.tau * sizeof(T),
                                               z.real * sizeof(Real<T>), z.real * sizeof(Real<T>)},
                                              sketch_query<T>(s));
  if (begun != CUSOLVER_STATUS_SUCCESS) return begun;
  Sketched<T> w;
  w.Y = solver.take<T>(z.y);
  w.Z = solver.take<T>(z.z);
  w.VT = solver.take<T>(z.vt);
  w.tau = solver.take<T>(z.tau);
  w.S = solver.take<Real<T>>(z.real);
  w.E = solver.take<Real<T>>(z.real);
  if (!sketch_matrix(solver.stream(), w.Z, z.z, host.work, host.bytes)) return CUSOLVER_STATUS_EXECUTION_FAILED;
  rocblas_status status = find_range(solver.handle(), s, A, lda, w);
  if (sx_good(status)) status = small_svd(solver.handle(), s, w, info);
  return sx_good(status) ? give_vectors(solver, s, w, S, U, ldu, V, ldv) : sx_from_rocblas_status(status);
}

}  // namespace

cusolverStatus_t sx_x_gesvd_size(cusolverDnHandle_t handle, cusolverDnParams_t, signed char, signed char, int64_t m,
                                 int64_t n, cudaDataType dataTypeA, const void*, int64_t, cudaDataType dataTypeS,
                                 const void*, cudaDataType dataTypeU, const void*, int64_t, cudaDataType dataTypeVT,
                                 const void*, int64_t, cudaDataType computeType, size_t* device, size_t* host) {
  const Types types{dataTypeA, dataTypeS, dataTypeU, dataTypeVT, computeType};
  if (!types.agree() || m < n || n < 0) return sx_no_bytes(device, host, CUSOLVER_STATUS_INVALID_VALUE);
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    return sx_bytes<T>(device, host, [&](int* elements) {
      return sx_dn<T>::gesvd_size(handle, sx_size_of(m), sx_size_of(n), elements);
    });
  });
}

cusolverStatus_t sx_x_gesvd(cusolverDnHandle_t handle, cusolverDnParams_t, signed char jobu, signed char jobvt,
                            int64_t m, int64_t n, cudaDataType dataTypeA, void* A, int64_t lda, cudaDataType, void* S,
                            cudaDataType, void* U, int64_t ldu, cudaDataType, void* VT, int64_t ldvt, cudaDataType,
                            void* work, size_t bytes, void*, size_t, int* info) {
  if (!sx_fit(m, n, lda, ldu, ldvt)) return CUSOLVER_STATUS_NOT_SUPPORTED;
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    return sx_dn<T>::gesvd(handle, jobu, jobvt, static_cast<int>(m), static_cast<int>(n), sx_as<T>(A),
                           static_cast<int>(lda), sx_as<Real<T>>(S), sx_as<T>(U), static_cast<int>(ldu), sx_as<T>(VT),
                           static_cast<int>(ldvt), sx_as<T>(work), sx_elements<T>(bytes), nullptr, info);
  });
}

cusolverStatus_t sx_x_gesvdp_size(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t jobz, int econ,
                                  int64_t m, int64_t n, cudaDataType dataTypeA, const void*, int64_t,
                                  cudaDataType dataTypeS, const void*, cudaDataType dataTypeU, const void*, int64_t,
                                  cudaDataType dataTypeV, const void*, int64_t, cudaDataType computeType,
                                  size_t* device, size_t* host) {
  const Types types{dataTypeA, dataTypeS, dataTypeU, dataTypeV, computeType};
  *device = *host = 0;
  if (!types.agree()) return CUSOLVER_STATUS_INVALID_VALUE;
  const Polar p{jobz != CUSOLVER_EIG_MODE_NOVECTOR, econ != 0, sx_size_of(m), sx_size_of(n)};
  return sx_of_type(dataTypeA, [&](auto one) { return gesvdp_size<decltype(one)>(handle, p, device); });
}

cusolverStatus_t sx_x_gesvdp(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t jobz, int econ, int64_t m,
                             int64_t n, cudaDataType dataTypeA, void* A, int64_t lda, cudaDataType, void* S,
                             cudaDataType, void* U, int64_t ldu, cudaDataType, void* V, int64_t ldv, cudaDataType,
                             void* work, size_t bytes, void*, size_t, int* info, double*) {
  if (!sx_fit(m, n, lda, ldu, ldv)) return CUSOLVER_STATUS_NOT_SUPPORTED;
  const Polar p{jobz != CUSOLVER_EIG_MODE_NOVECTOR, econ != 0, static_cast<int>(m), static_cast<int>(n)};
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    return gesvdp<T>(handle, p, sx_as<T>(A), static_cast<int>(lda), sx_as<Real<T>>(S), sx_as<T>(U),
                     static_cast<int>(ldu), sx_as<T>(V), static_cast<int>(ldv), {work, bytes}, info);
  });
}

cusolverStatus_t sx_x_gesvdr_size(cusolverDnHandle_t handle, cusolverDnParams_t, signed char jobu, signed char jobv,
                                  int64_t m, int64_t n, int64_t k, int64_t p, int64_t niters, cudaDataType dataTypeA,
                                  const void*, int64_t, cudaDataType, const void*, cudaDataType, const void*, int64_t,
                                  cudaDataType, const void*, int64_t, cudaDataType, size_t* device, size_t* host) {
  if (!sx_fit(m, n, k, p, niters)) return CUSOLVER_STATUS_NOT_SUPPORTED;
  const Sketch s{jobu == 'S',
                 jobv == 'S',
                 static_cast<int>(m),
                 static_cast<int>(n),
                 static_cast<int>(k),
                 static_cast<int>(k + p),
                 static_cast<int>(niters)};
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    constexpr size_t kLeast = 32;
    *host = kLeast + static_cast<size_t>(s.n) * static_cast<size_t>(s.width) * sizeof(T);
    return gesvdr_size<T>(handle, s, device);
  });
}

cusolverStatus_t sx_x_gesvdr(cusolverDnHandle_t handle, cusolverDnParams_t, signed char jobu, signed char jobv,
                             int64_t m, int64_t n, int64_t k, int64_t p, int64_t niters, cudaDataType dataTypeA,
                             void* A, int64_t lda, cudaDataType, void* S, cudaDataType, void* U, int64_t ldu,
                             cudaDataType, void* V, int64_t ldv, cudaDataType, void* work, size_t bytes, void* host,
                             size_t host_bytes, int* info) {
  if (!sx_fit(m, n, k, p, niters) || !sx_fit(lda, ldu, ldv)) return CUSOLVER_STATUS_NOT_SUPPORTED;
  const Sketch s{jobu == 'S',
                 jobv == 'S',
                 static_cast<int>(m),
                 static_cast<int>(n),
                 static_cast<int>(k),
                 static_cast<int>(k + p),
                 static_cast<int>(niters)};
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    return gesvdr<T>(handle, s, sx_as<T>(A), static_cast<int>(lda), sx_as<Real<T>>(S), sx_as<T>(U),
                     static_cast<int>(ldu), sx_as<T>(V), static_cast<int>(ldv), {work, bytes}, {host, host_bytes},
                     info);
  });
}
