// Singular values by Jacobi's method: gesvdj, gesvdjBatched, with V and not V^H.
//
// rocSOLVER's gesvdj diagonalises A^H A: a singular value s is then off by about eps s_max^2 / s, so small ones lose
// half of their digits or all. NVIDIA's works on A itself. Where the program asks for all that the precision has, a
// single matrix with a small singular value is done again by gesvd, from a copy; a batch, which tells no sweeps, goes
// through gesvd at once. With a tolerance of the program's own, that bounds what may be lost, and Jacobi's results
// stand.
#include <cmath>
#include <vector>

#include "svd.h"

namespace {

template <class T>
struct Problem {
  bool vectors, thin;
  int m, n;
  T* A;
  int lda;
  sx_real<T>* S;
  T* U;
  int ldu;
  T* V;
  int ldv;
  int count;

  int least() const { return m < n ? m : n; }
  int right() const { return thin ? least() : n; }  // columns of V
  rocblas_svect side() const {
    return !vectors ? rocblas_svect_none : thin ? rocblas_svect_singular : rocblas_svect_all;
  }
};

template <class R>
struct Report {
  R* left;
  int *sweeps, *info;
};

// Memory of the body's own.
template <class T>
struct Room {
  T *VH, *copy;
  sx_real<T>* E;
  Report<sx_real<T>> report;
};

template <class T>
size_t adjoints(const Problem<T>& p) {
  return p.vectors ? sx_count(p.right(), p.n, p.count) : 0;
}

// Jacobi's method, with V where this ROCm has that, else through V^H.
template <class T>
rocblas_status jacobi(rocblas_handle h, const Problem<T>& p, const sx_jacobi& j, const Report<sx_real<T>>& r, T* VH) {
  using L = sx_spectral<T>;
  const auto side = p.side();
  const auto tolerance = sx_tolerance<T>(j);
  const auto U = sx_rocm_ptr(p.U), A = sx_rocm_ptr(p.A);
  const int ldvh = sx_at_least(p.right(), 1), limit = j.limit();
  const int64_t stride_a = int64_t{p.lda} * p.n, stride_u = int64_t{p.ldu} * (p.thin ? p.least() : p.m);
  const int64_t stride_v = int64_t{p.ldv} * p.right(), stride_vh = int64_t{ldvh} * p.n;
  if (L::gesvdj_notransv_batch() != nullptr)
    return L::gesvdj_notransv_batch()(h, side, side, p.m, p.n, A, p.lda, stride_a, tolerance, r.left, limit, r.sweeps,
                                      p.S, p.least(), U, p.ldu, stride_u, sx_rocm_ptr(p.V), p.ldv, stride_v, r.info,
                                      p.count);
  if (L::gesvdj_batch() == nullptr) return rocblas_status_not_implemented;
  const rocblas_status status =
      L::gesvdj_batch()(h, side, side, p.m, p.n, A, p.lda, stride_a, tolerance, r.left, limit, r.sweeps, p.S, p.least(),
                        U, p.ldu, stride_u, sx_rocm_ptr(VH), ldvh, stride_vh, r.info, p.count);
  if (status != rocblas_status_success || !p.vectors) return status;
  return sx_adjoint(h, p.right(), p.n, VH, ldvh, stride_vh, p.V, p.ldv, stride_v, p.count);
}

// The QR iteration on ``A``, V from V^H.
template <class T>
rocblas_status iterate(rocblas_handle h, const Problem<T>& p, T* A, int lda, T* VH, sx_real<T>* E, int* info) {
  const auto gesvd = sx_spectral<T>::gesvd_batch();
  if (gesvd == nullptr) return rocblas_status_not_implemented;
  const int ldvh = sx_at_least(p.right(), 1);
  const int64_t stride_vh = int64_t{ldvh} * p.n, stride_v = int64_t{p.ldv} * p.right();
  const int64_t stride_u = int64_t{p.ldu} * (p.thin ? p.least() : p.m);
  const rocblas_status status =
      gesvd(h, p.side(), p.side(), p.m, p.n, sx_rocm_ptr(A), lda, int64_t{lda} * p.n, p.S, p.least(), sx_rocm_ptr(p.U),
            p.ldu, stride_u, sx_rocm_ptr(VH), ldvh, stride_vh, E, p.least(), rocblas_outofplace, info, p.count);
  if (status != rocblas_status_success || !p.vectors) return status;
  return sx_adjoint(h, p.right(), p.n, VH, ldvh, stride_vh, p.V, p.ldv, stride_v, p.count);
}

template <class T>
rocblas_status ask(rocblas_handle h, const Problem<T>& p, const sx_jacobi& j, bool jacobis, bool iterates) {
  rocblas_status status = rocblas_status_size_unchanged;
  if (jacobis) status = jacobi<T>(h, p, j, {}, nullptr);
  const bool good = status == rocblas_status_success || status == rocblas_status_size_unchanged ||
                    status == rocblas_status_size_increased;
  return good && iterates ? iterate<T>(h, p, nullptr, sx_at_least(p.m, 1), nullptr, nullptr, nullptr) : status;
}

// left / ||A^H A||, which is made of the squares of the singular values.
template <class R>
double ratio(R left, const std::vector<R>& values) {
  if (left != left) return static_cast<double>(left);
  double largest = 0, sum = 0;
  for (const R s : values) largest = std::fmax(largest, std::fabs(static_cast<double>(s)));
  if (!(largest > 0) || std::isinf(largest)) return std::isinf(largest) ? NAN : 0;
  for (const R s : values) sum += std::pow(static_cast<double>(s) / largest, 4);
  const double off = static_cast<double>(left) / largest / largest;
  return off / std::sqrt(sum + off * off);
}

template <class R>
bool loses_digits(const std::vector<R>& values) {
  R least = values[0], most = values[0];
  for (const R s : values) least = s < least ? s : least, most = s > most ? s : most;
  return !(least * 16 > most);  // also for NaN
}

// ---- one matrix
// ------------------------------------------------------------------------------------------------------------
template <class T>
struct Said {
  sx_real<T> left = 0;
  int sweeps = 0, info = 0;
  std::vector<sx_real<T>> S;
};

template <class T>
bool fetch(const sx_solver& s, const Problem<T>& p, const Report<sx_real<T>>& r, Said<T>* said) {
  said->S.resize(sx_count(p.least()));
  return sx_fetch(s.stream(), &said->left, r.left, sizeof said->left) &&
         sx_fetch(s.stream(), &said->sweeps, r.sweeps, sizeof(int)) &&
         sx_fetch(s.stream(), &said->info, r.info, sizeof(int)) &&
         sx_fetch(s.stream(), said->S.data(), p.S, said->S.size() * sizeof(sx_real<T>)) && sx_wait(s.stream());
}

template <class T>
bool copy_matrix(const sx_solver& s, const Problem<T>& p, T* copy) {
  const size_t column = sx_count(p.m) * sizeof(T);
  return sx_rocm->hipMemcpy2DAsync(copy, column, p.A, sx_count(p.lda) * sizeof(T), column, sx_count(p.n),
                                   hipMemcpyDeviceToDevice, s.stream()) == hipSuccess;
}

template <class T>
cusolverStatus_t solve(const sx_solver& s, const Problem<T>& p, sx_jacobi* j, bool all, const Room<T>& room,
                       int* info) {
  if (all && !copy_matrix(s, p, room.copy)) return CUSOLVER_STATUS_EXECUTION_FAILED;
  auto status = sx_from_rocblas_status(jacobi(s.handle(), p, *j, room.report, room.VH));
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  Said<T> said;
  if (!fetch(s, p, room.report, &said)) return CUSOLVER_STATUS_EXECUTION_FAILED;
  j->ran(said.sweeps, ratio(said.left, said.S));
  const int failed = p.least() + 1;
  const bool nan = said.left != said.left || said.S[0] != said.S[0];
  if (said.info != 0 || nan) return s.info(info, failed);
  if (!all || !loses_digits(said.S)) return CUSOLVER_STATUS_SUCCESS;
  status = sx_from_rocblas_status(iterate(s.handle(), p, room.copy, sx_at_least(p.m, 1), room.VH, room.E, info));
  return status == CUSOLVER_STATUS_SUCCESS ? sx_renumber(s, info, 1, INT_MAX, failed, 0) : status;
}

template <class T>
cusolverStatus_t one(cusolverDnHandle_t handle, const Problem<T>& p, T* work, int lwork, int* info,
                     gesvdjInfo_t params) {
  using R = sx_real<T>;
  sx_jacobi* const j = sx_jacobi_of(params, SX_KIND_GESVDJ);
  if (j == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  j->known = 0;
  const bool all = sx_wants_all<T>(*j);
  const size_t vh = adjoints(p), copy = all ? sx_count(p.m, p.n) : 0, least = sx_count(p.least());
  sx_solver s(handle);
  const auto placed =
      s.begin(work, sx_lwork_bytes<T>(lwork), {vh * sizeof(T), copy * sizeof(T), least * sizeof(R), sizeof(R), 8},
              [&](rocblas_handle h) { return ask(h, p, *j, true, all); });
  if (placed != CUSOLVER_STATUS_SUCCESS) return placed;
  Room<T> room{};
  room.VH = s.take<T>(vh), room.copy = s.take<T>(copy), room.E = s.take<R>(least);
  room.report = {s.take<R>(1), s.take<int>(2), info};
  return solve(s, p, j, all, room, info);
}

template <class T>
cusolverStatus_t one_size(cusolverDnHandle_t handle, int m, int n, int* lwork) {
  using R = sx_real<T>;
  const int rows = sx_at_least(m, 1), columns = sx_at_least(n, 1);
  const Problem<T> p{true, false, rows, columns, nullptr, rows, nullptr, nullptr, rows, nullptr, columns, 1};
  const sx_jacobi j{};
  sx_solver s(handle);
  size_t bytes = 0;
  const auto asked = s.size(
      &bytes,
      {adjoints(p) * sizeof(T), sx_count(rows, columns) * sizeof(T), sx_count(p.least()) * sizeof(R), sizeof(R), 8},
      [&](rocblas_handle h) { return ask(h, p, j, true, true); });
  return sx_tell_lwork<T>(asked, bytes, lwork);
}

// ---- a batch of small ones
// --------------------------------------------------------------------------------------------------
template <class T>
cusolverStatus_t batch_size(cusolverDnHandle_t handle, int m, int n, int count, int* lwork) {
  using R = sx_real<T>;
  const int rows = sx_at_least(m, 1), columns = sx_at_least(n, 1), many = sx_at_least(count, 1);
  const Problem<T> p{true, false, rows, columns, nullptr, rows, nullptr, nullptr, rows, nullptr, columns, many};
  const sx_jacobi j{};
  sx_solver s(handle);
  size_t bytes = 0;
  const auto asked = s.size(&bytes,
                            {adjoints(p) * sizeof(T), sx_count(p.least(), many) * sizeof(R), sx_count(many) * sizeof(R),
                             sx_count(many) * sizeof(int)},
                            [&](rocblas_handle h) { return ask(h, p, j, true, true); });
  return sx_tell_lwork<T>(asked, bytes, lwork);
}

template <class T>
cusolverStatus_t batch(cusolverDnHandle_t handle, const Problem<T>& p, T* work, int lwork, int* info,
                       gesvdjInfo_t params) {
  using R = sx_real<T>;
  sx_jacobi* const j = sx_jacobi_of(params, SX_KIND_GESVDJ);
  if (j == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  int needed = 0;
  const auto told = batch_size<T>(handle, p.m, p.n, p.count, &needed);
  if (told != CUSOLVER_STATUS_SUCCESS) return told;
  if (lwork < needed) return sx_solver_refuse(sx_solver_slot(handle), info, -12, 1, CUSOLVER_STATUS_INVALID_VALUE);
  j->known = 0;
  const bool all = sx_wants_all<T>(*j);
  const size_t vh = adjoints(p), E = sx_count(p.least(), p.count), many = sx_count(p.count);
  sx_solver s(handle);
  const auto placed =
      s.begin(work, sx_lwork_bytes<T>(lwork), {vh * sizeof(T), E * sizeof(R), many * sizeof(R), many * sizeof(int)},
              [&](rocblas_handle h) { return ask(h, p, *j, !all, all); });
  if (placed != CUSOLVER_STATUS_SUCCESS) return placed;
  T* const VH = s.take<T>(vh);
  R* const superdiagonals = s.take<R>(E);
  const Report<R> report{s.take<R>(many), s.take<int>(many), info};
  const auto status = sx_from_rocblas_status(all ? iterate(s.handle(), p, p.A, p.lda, VH, superdiagonals, info)
                                                 : jacobi(s.handle(), p, *j, report, VH));
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  return sx_renumber(s, info, p.count, INT_MAX, p.least() + 1, 0);
}

}  // namespace

#define SX_GESVDJ(T, R)                                                                                                \
  cusolverStatus_t sx_gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n, T* A, int lda, \
                             R* S, T* U, int ldu, T* V, int ldv, T* work, int lwork, int* info, gesvdjInfo_t params) { \
    const bool vectors = jobz == CUSOLVER_EIG_MODE_VECTOR;                                                             \
    return one<T>(handle, {vectors, econ != 0, m, n, A, lda, S, U, ldu, V, ldv, 1}, work, lwork, info, params);        \
  }                                                                                                                    \
  cusolverStatus_t sx_gesvdj_size(cusolverDnHandle_t handle, cusolverEigMode_t, int, int m, int n, const T*, int,      \
                                  const R*, const T*, int, const T*, int, int* lwork, gesvdjInfo_t) {                  \
    return one_size<T>(handle, m, n, lwork);                                                                           \
  }                                                                                                                    \
  cusolverStatus_t sx_gesvdj_batch(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, T* A, int lda,     \
                                   R* S, T* U, int ldu, T* V, int ldv, T* work, int lwork, int* info,                  \
                                   gesvdjInfo_t params, int batchSize) {                                               \
    const bool vectors = jobz == CUSOLVER_EIG_MODE_VECTOR;                                                             \
    return batch<T>(handle, {vectors, false, m, n, A, lda, S, U, ldu, V, ldv, batchSize}, work, lwork, info, params);  \
  }                                                                                                                    \
  cusolverStatus_t sx_gesvdj_batch_size(cusolverDnHandle_t handle, cusolverEigMode_t, int m, int n, const T*, int,     \
                                        const R*, const T*, int, const T*, int, int* lwork, gesvdjInfo_t,              \
                                        int batchSize) {                                                               \
    return batch_size<T>(handle, m, n, batchSize, lwork);                                                              \
  }
SX_SPECTRAL_TYPES(SX_GESVDJ)
