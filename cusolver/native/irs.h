// gesv and gels with iterative refinement. Every mixture of precisions is solved in the main one: LU and refinement
// with the same factors, which needs no more than a few corrections and is at least as accurate as factors of fewer
// bits; least squares by QR, which NVIDIA's own functions fall back to.
#pragma once

#include <cmath>

#include "solver.h"
#include "typed.h"

namespace sx_irs {

template <class T>
struct Roc;
#define SX_ROC(cuda_type, letter, norm)                                                        \
  template <>                                                                                  \
  struct Roc<cuda_type> {                                                                      \
    static auto getrf() { return sx_rocm->rocsolver_##letter##getrf; }                         \
    static auto getrs() { return sx_rocm->rocsolver_##letter##getrs; }                         \
    static auto gels() { return sx_rocm->rocsolver_##letter##gels; }                           \
    static auto gemm() { return sx_rocm->rocblas_##letter##gemm; }                             \
    static auto geam() { return sx_rocm->rocblas_##letter##geam; }                             \
    static auto nrm2() { return sx_rocm->rocblas_##norm##nrm2; }                               \
    static bool whole() { return getrf() && getrs() && gels() && gemm() && geam() && nrm2(); } \
  }
SX_ROC(float, s, s);
SX_ROC(double, d, d);
SX_ROC(cuComplex, c, sc);
SX_ROC(cuDoubleComplex, z, dz);
#undef SX_ROC

template <class T>
using Real = typename sx_dn<T>::real;

constexpr int kSingular = -5;  // what iterations say of a singular matrix, or of one that is not finite; measured
constexpr int kMostIterations = 50;

inline float number(float, float v) { return v; }
inline double number(double, double v) { return v; }
inline cuComplex number(cuComplex, float v) { return {v, 0}; }
inline cuDoubleComplex number(cuDoubleComplex, double v) { return {v, 0}; }

template <class T>
struct Matrix {
  T* p;
  int ld;
};

// What the caller asks for and hears beside the solution.
template <class T>
struct Report {
  int most = kMostIterations;
  bool refine = true, fallback = true;
  double tolerance = 0;
  Real<T>* history = nullptr;  // norms of each column's residual before the first correction and after each: most + 1
};

inline bool good(rocblas_status status) { return status == rocblas_status_success; }

template <class T>
class Work {
 public:
  Work(cusolverDnHandle_t handle, int rows, int nrhs) : solver(handle), rows_(rows), nrhs_(nrhs) {}

  bool copy(const Matrix<T>& to, const Matrix<T>& from, int rows, int cols) {
    const auto f = sx_rocm->hipMemcpy2DAsync;
    return f && f(to.p, sizeof(T) * static_cast<size_t>(to.ld), from.p, sizeof(T) * static_cast<size_t>(from.ld),
                  sizeof(T) * static_cast<size_t>(rows), static_cast<size_t>(cols), hipMemcpyDeviceToDevice,
                  solver.stream()) == hipSuccess;
  }
  // The Frobenius norm of a matrix without gaps.
  bool norm(const T* p, int64_t count, double* out) {
    Real<T> value = 0;
    if (!sx_fits(count) || !good(Roc<T>::nrm2()(solver.handle(), static_cast<int>(count), sx_rocm_ptr(p), 1, &value)))
      return false;
    *out = static_cast<double>(value);
    return true;
  }
  bool read(const int* info, int* out) {
    return sx_rocm->hipMemcpyAsync(out, info, sizeof *out, hipMemcpyDeviceToHost, solver.stream()) == hipSuccess &&
           sx_rocm->hipStreamSynchronize(solver.stream()) == hipSuccess;
  }
  // R := B - A X
  bool residual(const Matrix<T>& R, const Matrix<T>& B, const Matrix<T>& A, const Matrix<T>& X) {
    const T minus = number(T{}, -1), one = number(T{}, 1);
    return copy(R, B, rows_, nrhs_) &&
           good(Roc<T>::gemm()(solver.handle(), rocblas_operation_none, rocblas_operation_none, rows_, nrhs_, rows_,
                               sx_rocm_ptr(&minus), sx_rocm_ptr(A.p), A.ld, sx_rocm_ptr(X.p), X.ld, sx_rocm_ptr(&one),
                               sx_rocm_ptr(R.p), R.ld));
  }
  // X := X + R
  bool add(const Matrix<T>& X, const Matrix<T>& R) {
    const T one = number(T{}, 1);
    const auto op = rocblas_operation_none;
    return good(Roc<T>::geam()(solver.handle(), op, op, rows_, nrhs_, sx_rocm_ptr(&one), sx_rocm_ptr(X.p), X.ld,
                               sx_rocm_ptr(&one), sx_rocm_ptr(R.p), R.ld, sx_rocm_ptr(X.p), X.ld));
  }

  sx_solver solver;

 private:
  int rows_, nrhs_;
};

template <class T>
rocblas_status factor(rocblas_handle h, int n, const Matrix<T>& F, int* pivots, int* info) {
  return Roc<T>::getrf()(h, n, n, sx_rocm_ptr(F.p), F.ld, pivots, info);
}
template <class T>
rocblas_status back(rocblas_handle h, int n, int nrhs, const Matrix<T>& F, const int* pivots, const Matrix<T>& X) {
  return Roc<T>::getrs()(h, rocblas_operation_none, n, nrhs, sx_rocm_ptr(F.p), F.ld, pivots, sx_rocm_ptr(X.p), X.ld);
}

// All that gesv asks rocSOLVER for, the larger of the two counts.
template <class T>
auto gesv_query(int n, int nrhs) {
  return [n, nrhs](rocblas_handle h) {
    const Matrix<T> none{nullptr, n};
    const rocblas_status first = factor<T>(h, n, none, nullptr, nullptr);
    const bool bad = first != rocblas_status_success && first != rocblas_status_size_increased &&
                     first != rocblas_status_size_unchanged;
    return bad ? first : back<T>(h, n, nrhs, none, nullptr, none);
  };
}

struct GesvRoom {
  size_t factors, residual, pivots, info;
  GesvRoom(int64_t n, int64_t nrhs, size_t element)
      : factors(static_cast<size_t>(n * n) * element),
        residual(static_cast<size_t>(n * nrhs) * element),
        pivots(static_cast<size_t>(n) * sizeof(int)),
        info(sizeof(int)) {}
};

template <class T>
cusolverStatus_t gesv_bytes(cusolverDnHandle_t handle, int n, int nrhs, size_t* bytes) {
  *bytes = 0;
  if (!Roc<T>::whole()) return CUSOLVER_STATUS_NOT_SUPPORTED;
  const GesvRoom room(n, nrhs, sizeof(T));
  sx_solver solver(handle);
  return solver.size(bytes, {room.factors, room.residual, room.pivots, room.info}, gesv_query<T>(n, nrhs));
}

template <class T>
struct Gesv {
  int n, nrhs;
  Matrix<T> A;
  int* pivots;
  Matrix<T> B, X;
  int* info;
};

template <class T>
bool remember(Work<T>& w, const Matrix<T>& R, int columns, const Report<T>& report, int step) {
  for (int j = 0; report.history != nullptr && step <= report.most && j < columns; ++j) {
    double norm = 0;
    if (!w.norm(R.p + int64_t{j} * R.ld, R.ld, &norm)) return false;
    report.history[int64_t{j} * (report.most + 1) + step] = static_cast<Real<T>>(norm);
  }
  return true;
}

// Corrections until the residual is of the size of rounding. The number of them, or kSingular when they come to
// nothing; false when the device fails.
template <class T>
bool refine(Work<T>& w, const Gesv<T>& g, const Matrix<T>& F, const Matrix<T>& R, const Report<T>& report, int* count) {
  const double eps = sizeof(Real<T>) == 4 ? 0x1p-24 : 0x1p-53;
  double size = 0, before = 0;
  if (!w.copy(R, g.B, g.n, g.nrhs) || !w.norm(R.p, int64_t{R.ld} * g.nrhs, &size)) return false;
  const double goal = (report.tolerance > 0 ? report.tolerance : eps * std::sqrt(static_cast<double>(g.n))) * size;
  if (!w.residual(R, g.B, g.A, g.X) || !w.norm(R.p, int64_t{R.ld} * g.nrhs, &before)) return false;
  if (!remember(w, R, g.nrhs, report, 0)) return false;
  for (*count = 0; before != 0 && *count < sx_max(report.most, 1);) {
    if (!std::isfinite(before)) {
      *count = kSingular;
      return true;
    }
    if (!good(back(w.solver.handle(), g.n, g.nrhs, F, g.pivots, R)) || !w.add(g.X, R)) return false;
    ++*count;
    double after = 0;
    if (!w.residual(R, g.B, g.A, g.X) || !w.norm(R.p, int64_t{R.ld} * g.nrhs, &after)) return false;
    if (!remember(w, R, g.nrhs, report, *count)) return false;
    if (after <= goal || after >= before / 2) return true;  // small, or as small as it gets
    before = after;
  }
  return true;
}

template <class T>
cusolverStatus_t gesv(cusolverDnHandle_t handle, Gesv<T> g, void* buffer, size_t bytes, const Report<T>& report,
                      int* iterations) {
  Work<T> w(handle, g.n, g.nrhs);
  const GesvRoom room(g.n, g.nrhs, sizeof(T));
  const cusolverStatus_t begun =
      w.solver.begin(buffer, bytes, {room.factors, room.residual, room.pivots, room.info}, gesv_query<T>(g.n, g.nrhs));
  if (begun != CUSOLVER_STATUS_SUCCESS) return begun;
  const Matrix<T> F{w.solver.template take<T>(room.factors / sizeof(T)), g.n};
  const Matrix<T> R{w.solver.template take<T>(room.residual / sizeof(T)), g.n};
  int* const own_pivots = w.solver.template take<int>(static_cast<size_t>(g.n));
  int* const own_info = w.solver.template take<int>(1);
  if (g.pivots == nullptr) g.pivots = own_pivots;
  const rocblas_handle h = w.solver.handle();
  int singular = 0;
  if (!w.copy(F, g.A, g.n, g.n) || !good(factor(h, g.n, F, g.pivots, own_info)) || !w.copy(g.X, g.B, g.n, g.nrhs) ||
      !good(back(h, g.n, g.nrhs, F, g.pivots, g.X)) || !w.read(own_info, &singular)) {
    return CUSOLVER_STATUS_EXECUTION_FAILED;
  }
  int count = singular > 0 ? kSingular : 0;
  if (count == 0 && report.refine && !refine(w, g, F, R, report, &count)) return CUSOLVER_STATUS_EXECUTION_FAILED;
  // the fallback leaves the factors in A, as a solve in full precision does
  if (count < 0 && report.fallback && !w.copy(g.A, F, g.n, g.n)) return CUSOLVER_STATUS_EXECUTION_FAILED;
  *iterations = count;
  return w.solver.info(g.info, 0);
}

// ---- least squares --------------------------------------------------------------------------------------------------

template <class T>
struct Gels {
  int m, n, nrhs;
  Matrix<T> A, B, X;
  int* info;
};

template <class T>
rocblas_status least_squares(rocblas_handle h, const Gels<T>& g, T* B, int* info) {
  return Roc<T>::gels()(h, rocblas_operation_none, g.m, g.n, g.nrhs, sx_rocm_ptr(g.A.p), g.A.ld, sx_rocm_ptr(B), g.m,
                        info);
}

template <class T>
cusolverStatus_t gels_bytes(cusolverDnHandle_t handle, int m, int n, int nrhs, size_t* bytes) {
  *bytes = 0;
  if (!Roc<T>::whole()) return CUSOLVER_STATUS_NOT_SUPPORTED;
  sx_solver solver(handle);
  const Gels<T> g{m, n, nrhs, {nullptr, m}, {}, {}, nullptr};
  return solver.size(bytes, {static_cast<size_t>(m) * static_cast<size_t>(nrhs) * sizeof(T), sizeof(int)},
                     [&](rocblas_handle h) { return least_squares<T>(h, g, nullptr, nullptr); });
}

template <class T>
cusolverStatus_t gels(cusolverDnHandle_t handle, const Gels<T>& g, void* buffer, size_t bytes, int most,
                      int* iterations) {
  Work<T> w(handle, g.m, g.nrhs);
  const size_t count = static_cast<size_t>(g.m) * static_cast<size_t>(g.nrhs);
  const cusolverStatus_t begun = w.solver.begin(buffer, bytes, {count * sizeof(T), sizeof(int)}, [&](rocblas_handle h) {
    return least_squares<T>(h, g, nullptr, nullptr);
  });
  if (begun != CUSOLVER_STATUS_SUCCESS) return begun;
  const Matrix<T> R{w.solver.template take<T>(count), g.m};
  int* const own_info = w.solver.template take<int>(1);
  int deficient = 0;
  if (!w.copy(R, g.B, g.m, g.nrhs) || !good(least_squares(w.solver.handle(), g, R.p, own_info)) ||
      !w.copy(g.X, R, g.n, g.nrhs) || !w.read(own_info, &deficient)) {
    return CUSOLVER_STATUS_EXECUTION_FAILED;
  }
  *iterations = deficient > 0 ? kSingular : -most;
  return w.solver.info(g.info, 0);
}

constexpr auto kShort = CUSOLVER_STATUS_INVALID_WORKSPACE;

}  // namespace sx_irs
