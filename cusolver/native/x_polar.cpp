// Polar decomposition A = Up H, through A = U S V^H of rocSOLVER's gesvd: Up = U V^H, and H the Hermitian part of
// Up^H A, which rounds better than V S V^H. The call waits: what it tells of A comes from its singular values.
#include <cmath>

#include "onhost.h"
#include "x.h"

namespace {

template <class T>
using Real = typename sx_dn<T>::real;

template <class T>
struct Roc;
#define SX_ROC(cuda_type, letter, nrm2_name)                                                                      \
  template <>                                                                                                     \
  struct Roc<cuda_type> {                                                                                         \
    static auto gesvd() { return sx_rocm->rocsolver_##letter##gesvd; }                                            \
    static auto gemm() { return sx_rocm->rocblas_##letter##gemm; }                                                \
    static auto geam() { return sx_rocm->rocblas_##letter##geam; }                                                \
    static auto nrm2() { return sx_rocm->rocblas_##nrm2_name##nrm2; }                                             \
    static bool whole() { return gesvd() && gemm() && geam() && nrm2(); }                                         \
    static constexpr auto adjoint =                                                                               \
        sx_solver_type<cuda_type>::complex ? rocblas_operation_conjugate_transpose : rocblas_operation_transpose; \
  }
SX_ROC(float, s, s);
SX_ROC(double, d, d);
SX_ROC(cuComplex, c, sc);
SX_ROC(cuDoubleComplex, z, dz);
#undef SX_ROC

template <class T>
struct Polar {
  int m, n;
  T* A;
  int lda;
  T* H;
  int ldh;
  double *residual, *norm, *rcond;  // on the device; each may be NULL
  int* info;

  size_t count() const { return static_cast<size_t>(m) * static_cast<size_t>(n); }
  size_t order() const { return static_cast<size_t>(n); }
};

// Room of the call's own: A as it was, U, V^H (then Up^H A), S, and what gesvd has off its diagonal.
template <class T>
struct Pieces {
  T *before, *U, *VT;
  Real<T>*S, *E;
};

template <class T>
rocblas_status svd(rocblas_handle h, const Polar<T>& p, const Pieces<T>& w) {
  if (!Roc<T>::whole()) return rocblas_status_not_implemented;
  return Roc<T>::gesvd()(h, rocblas_svect_singular, rocblas_svect_singular, p.m, p.n, sx_rocm_ptr(p.A), p.lda, w.S,
                         sx_rocm_ptr(w.U), p.m, sx_rocm_ptr(w.VT), p.n, w.E, rocblas_outofplace, p.info);
}

template <class T>
rocblas_status factors(rocblas_handle h, const Polar<T>& p, const Pieces<T>& w) {
  const T one = sx_number(T{}, 1), half = sx_number(T{}, Real<T>(0.5)), zero = sx_number(T{}, 0);
  const auto plain = rocblas_operation_none, adjoint = Roc<T>::adjoint;
  rocblas_status status = Roc<T>::gemm()(h, plain, plain, p.m, p.n, p.n, sx_rocm_ptr(&one), sx_rocm_ptr(w.U), p.m,
                                         sx_rocm_ptr(w.VT), p.n, sx_rocm_ptr(&zero), sx_rocm_ptr(p.A), p.lda);
  if (!sx_good(status)) return status;
  status = Roc<T>::gemm()(h, adjoint, plain, p.n, p.n, p.m, sx_rocm_ptr(&one), sx_rocm_ptr(p.A), p.lda,
                          sx_rocm_ptr(w.before), p.m, sx_rocm_ptr(&zero), sx_rocm_ptr(w.VT), p.n);
  if (!sx_good(status)) return status;
  return Roc<T>::geam()(h, plain, adjoint, p.n, p.n, sx_rocm_ptr(&half), sx_rocm_ptr(w.VT), p.n, sx_rocm_ptr(&half),
                        sx_rocm_ptr(w.VT), p.n, sx_rocm_ptr(p.H), p.ldh);
}

// |A - Up H|_F / ``scale``, which keeps the squares from overflowing; by columns that 32 bits count.
template <class T>
rocblas_status residual(rocblas_handle h, const Polar<T>& p, const Pieces<T>& w, Real<T> scale, double* out) {
  const T minus = sx_number(T{}, -1 / scale), plus = sx_number(T{}, 1 / scale);
  rocblas_status status =
      Roc<T>::gemm()(h, rocblas_operation_none, rocblas_operation_none, p.m, p.n, p.n, sx_rocm_ptr(&minus),
                     sx_rocm_ptr(p.A), p.lda, sx_rocm_ptr(p.H), p.ldh, sx_rocm_ptr(&plus), sx_rocm_ptr(w.before), p.m);
  const int step = INT_MAX / p.m;
  *out = 0;
  for (int first = 0; first < p.n && sx_good(status); first += step) {
    const int columns = sx_min(step, p.n - first);
    Real<T> part = 0;
    status = Roc<T>::nrm2()(h, columns * p.m,
                            sx_rocm_ptr(w.before + static_cast<size_t>(first) * static_cast<size_t>(p.m)), 1, &part);
    *out = std::hypot(*out, static_cast<double>(part));
  }
  return status;
}

struct Told {
  double norm, rcond;
};

// |A|_F and 1 / (|A|_F |A^-1|_F).
template <class R>
Told told_by(const R* S, int n) {
  double norm = 0, inverse = 0;
  for (int i = 0; i < n; ++i) {
    norm = std::hypot(norm, static_cast<double>(S[i]));
    inverse = std::hypot(inverse, 1 / static_cast<double>(S[i]));
  }
  return {norm, norm == 0 ? 0 : 1 / inverse / norm};
}

template <class T>
cusolverStatus_t tell(const sx_solver& solver, sx_onhost& waited, const Polar<T>& p, const Pieces<T>& w) {
  auto S = waited.read(w.S, p.n);
  if (!waited.ready()) return waited.status();
  const Told told = told_by(S.get(), p.n);
  const Real<T> scale = std::isnormal(S[0]) && std::isfinite(1 / S[0]) ? S[0] : Real<T>(1);
  double rest = 0;
  const rocblas_status status = residual(solver.handle(), p, w, scale, &rest);
  if (!sx_good(status)) return sx_from_rocblas_status(status);
  rest *= static_cast<double>(scale);
  if (p.residual != nullptr) waited.write(p.residual, &rest, 1);
  if (p.norm != nullptr) waited.write(p.norm, &told.norm, 1);
  if (p.rcond != nullptr) waited.write(p.rcond, &told.rcond, 1);
  return waited.finish();
}

template <class T>
cusolverStatus_t polar_size(cusolverDnHandle_t handle, const Polar<T>& p, size_t* bytes) {
  sx_solver solver(handle);
  const size_t matrix = p.count() * sizeof(T), values = p.order() * sizeof(Real<T>);
  return solver.size(bytes, {matrix, matrix, p.order() * p.order() * sizeof(T), values, values},
                     [&](rocblas_handle h) { return svd<T>(h, p, {}); });
}

template <class T>
cusolverStatus_t polar(cusolverDnHandle_t handle, const Polar<T>& p, void* work, size_t bytes) {
  sx_onhost waited(sx_solver_slot(handle));  // refuses while the stream is being captured
  if (waited.status() != CUSOLVER_STATUS_SUCCESS) return waited.status();
  sx_solver solver(handle);
  const size_t matrix = p.count() * sizeof(T), values = p.order() * sizeof(Real<T>);
  const cusolverStatus_t begun =
      solver.begin(work, bytes, {matrix, matrix, p.order() * p.order() * sizeof(T), values, values},
                   [&](rocblas_handle h) { return svd<T>(h, p, {}); });
  if (begun != CUSOLVER_STATUS_SUCCESS) return begun;
  Pieces<T> w;
  w.before = solver.take<T>(p.count());
  w.U = solver.take<T>(p.count());
  w.VT = solver.take<T>(p.order() * p.order());
  w.S = solver.take<Real<T>>(p.order());
  w.E = solver.take<Real<T>>(p.order());
  const size_t column = static_cast<size_t>(p.m) * sizeof(T);
  if (!sx_copy_columns(solver.stream(), w.before, column, p.A, static_cast<size_t>(p.lda) * sizeof(T), column,
                       p.order())) {
    return CUSOLVER_STATUS_EXECUTION_FAILED;
  }
  rocblas_status status = svd(solver.handle(), p, w);
  if (sx_good(status)) status = factors(solver.handle(), p, w);
  return sx_good(status) ? tell(solver, waited, p, w) : sx_from_rocblas_status(status);
}

}  // namespace

cusolverStatus_t sx_x_polar_size(cusolverDnHandle_t handle, cusolverDnParams_t, cublasFillMode_t, int64_t M, int64_t N,
                                 cudaDataType dataTypeA, const void*, int64_t, cudaDataType, const void*, int64_t,
                                 cudaDataType, size_t* device, size_t* host) {
  *device = *host = 0;
  if (!sx_fit(M, N)) return CUSOLVER_STATUS_NOT_SUPPORTED;
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    const int m = sx_max(sx_size_of(M), 1), n = sx_max(sx_size_of(N), 1);
    return polar_size<T>(handle, {m, n, nullptr, m, nullptr, n, nullptr, nullptr, nullptr, nullptr}, device);
  });
}

cusolverStatus_t sx_x_polar(cusolverDnHandle_t handle, cusolverDnParams_t, cublasFillMode_t, int64_t M, int64_t N,
                            cudaDataType dataTypeA, void* A, int64_t lda, cudaDataType, void* H, int64_t ldh,
                            cudaDataType, void* work, size_t bytes, void*, size_t, double* residual, double* norm,
                            double* rcond, int* info) {
  if (!sx_fit(M, N, lda, ldh)) return CUSOLVER_STATUS_NOT_SUPPORTED;
  return sx_of_type(dataTypeA, [&](auto one) {
    using T = decltype(one);
    const Polar<T> p{static_cast<int>(M),
                     static_cast<int>(N),
                     sx_as<T>(A),
                     static_cast<int>(lda),
                     sx_as<T>(H),
                     static_cast<int>(ldh),
                     residual,
                     norm,
                     rcond,
                     info};
    return polar<T>(handle, p, work, bytes);
  });
}
