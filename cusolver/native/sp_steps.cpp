// Sparse factorisations in steps: analysis, values, factors, zero pivot, solve. The factors are hostmath's and lie on
// the host; the buffers that a program brings are not used. The device's functions copy to the host and back.
#include "sparse.h"

namespace {

// Behind an info object.
struct Steps {
  sx_hm_factor* factor = nullptr;
  sx_hm_csr shape{SX_HM_D, 0, 0, 0, 0, nullptr, nullptr, nullptr};
  std::vector<int> row, col;
  std::vector<char> val;  // of Setup
  alignas(16) char mu[16] = {};
  bool analysed = false, set = false;
  int type = -1;  // of the factors
  ~Steps() {
    if (factor) sx_sp_math()->factor_free(factor);
  }
};

// Which object a handle is of, where its pointers point, and what it factors.
template <class Info>
struct Trait;
#define SX_TRAIT(info, slot_kind, on_host, factors) \
  template <>                                       \
  struct Trait<info> {                              \
    static constexpr uint32_t kind = slot_kind;     \
    static constexpr bool host = on_host;           \
    static constexpr int32_t how = factors;         \
  }
SX_TRAIT(csrqrInfo_t, SX_KIND_SP_QR, false, SX_HM_QR);
SX_TRAIT(csrqrInfoHost_t, SX_KIND_SP_QR_HOST, true, SX_HM_QR);
SX_TRAIT(csrcholInfo_t, SX_KIND_SP_CHOL, false, SX_HM_CHOLESKY);
SX_TRAIT(csrcholInfoHost_t, SX_KIND_SP_CHOL_HOST, true, SX_HM_CHOLESKY);
SX_TRAIT(csrluInfoHost_t, SX_KIND_SP_LU_HOST, true, SX_HM_LU);
#undef SX_TRAIT

template <class Info>
Steps* steps_of(Info info) {
  return sx_sp_object<Steps>(info, Trait<Info>::kind);
}

// A step without a matrix: the handle and the object.
template <class Info>
struct Step {
  sx_blas_slot* slot;
  Steps* s;
  cusolverStatus_t status = CUSOLVER_STATUS_SUCCESS;
  Step(cusolverSpHandle_t handle, Info info) : slot(sx_slot_of(handle, SX_KIND_SP)), s(steps_of(info)) {
    if (slot == nullptr)
      status = CUSOLVER_STATUS_NOT_INITIALIZED;
    else if (s == nullptr)
      status = CUSOLVER_STATUS_INVALID_VALUE;
    else if (s->factor == nullptr)
      status = CUSOLVER_STATUS_INVALID_VALUE;  // not analysed
  }
};

template <class Info>
cusolverStatus_t analyse(cusolverSpHandle_t handle, int m, int n, int nnz, cusparseMatDescr_t descr, const int* row,
                         const int* col, Info info) {
  sx_sp_call call(handle, SX_HM_D, m, n, nnz, descr, nullptr, row, col, true);
  Steps* const s = steps_of(info);
  call.need(s != nullptr);
  if (!call) return call.status;
  const auto keep = [&]() -> cusolverStatus_t {
    const auto* math = sx_sp_math();
    if (s->factor == nullptr) s->factor = math->factor_new(Trait<Info>::how);
    if (s->factor == nullptr) return CUSOLVER_STATUS_ALLOC_FAILED;
    s->analysed = s->set = false;
    s->type = -1;
    const int32_t status = math->factor_analyse(s->factor, &call.a);
    if (status != SX_HM_OK) return sx_sp_status(status);
    s->row.assign(call.a.row, call.a.row + m + 1);
    s->col.assign(call.a.col, call.a.col + nnz);
    s->shape = {SX_HM_D, m, n, nnz, call.a.base, nullptr, s->row.data(), s->col.data()};
    s->analysed = true;
    return CUSOLVER_STATUS_SUCCESS;
  };
  if (Trait<Info>::host) return keep();
  sx_onhost work(call.slot);
  sx_sp_copy<double> copy;
  copy.read(&work, &call.a);
  if (!work.ready()) return work.status();
  work.fail(keep());
  return work.finish();
}

// What a program is told to bring: the factors stay with the object, so that only a token is left for it.
template <class Info>
cusolverStatus_t sizes(const sx_sp_call& begun, Info info, size_t bytes, size_t* internal, size_t* workspace) {
  sx_sp_call call = begun;
  const Steps* const s = steps_of(info);
  call.need(s && s->analysed && internal && workspace);
  call.need(s == nullptr || (s->shape.n == call.a.n && s->shape.m == call.a.m && s->shape.nnz == call.a.nnz));
  if (!call) return call.status;
  *internal =
      static_cast<size_t>(call.a.nnz) * (bytes + sizeof(int)) + sizeof(int) * (static_cast<size_t>(call.a.m) + 1);
  *workspace = 512;
  return CUSOLVER_STATUS_SUCCESS;
}

// The factors of values that lie on the host.
template <class T, class Info>
int32_t compute(Steps* s, const T* val, const void* mu, double threshold) {
  sx_hm_csr a = s->shape;
  a.type = sx_sp_type<T>::number;
  a.val = val;
  const int32_t status = sx_sp_math()->factor_factor(s->factor, &a, mu, threshold);
  s->type = status == SX_HM_OK ? a.type : -1;
  return status;
}

template <class T, class Info>
cusolverStatus_t factor(cusolverSpHandle_t handle, int n, int nnz, cusparseMatDescr_t descr, const T* val,
                        const int* row, const int* col, Info info, double threshold) {
  sx_sp_call call(handle, sx_sp_type<T>::number, n, n, nnz, descr, val, row, col);
  Steps* const s = steps_of(info);
  call.need(s && s->analysed && s->shape.n == n && s->shape.nnz == nnz);
  if (!call) return call.status;
  if (Trait<Info>::host) return sx_sp_status(compute<T, Info>(s, val, nullptr, threshold));
  sx_onhost work(call.slot);
  const auto values = work.read(val, nnz);
  if (!work.ready()) return work.status();
  work.fail(sx_sp_status(compute<T, Info>(s, values.get(), nullptr, threshold)));
  return work.finish();
}

template <class T, class Info>
cusolverStatus_t zero_pivot(cusolverSpHandle_t handle, Info info, double tol, int* position) {
  const Step<Info> step(handle, info);
  if (step.status != CUSOLVER_STATUS_SUCCESS) return step.status;
  if (position == nullptr || step.s->type != sx_sp_type<T>::number) return CUSOLVER_STATUS_INVALID_VALUE;
  return sx_sp_status(sx_sp_math()->factor_zero_pivot(step.s->factor, tol, position));
}

template <class T, class Info>
cusolverStatus_t solve(cusolverSpHandle_t handle, int m, int n, const T* b, T* x, Info info) {
  const Step<Info> step(handle, info);
  if (step.status != CUSOLVER_STATUS_SUCCESS) return step.status;
  const Steps* const s = step.s;
  if (!b || !x || m != s->shape.m || n != s->shape.n || s->type != sx_sp_type<T>::number)
    return CUSOLVER_STATUS_INVALID_VALUE;
  const auto* math = sx_sp_math();
  if (Trait<Info>::host) return sx_sp_status(math->factor_solve(s->factor, b, x));
  sx_onhost work(step.slot);
  const auto right = work.read(b, m);
  const auto left = work.room<T>(n);
  if (!work.ready()) return work.status();
  work.fail(sx_sp_status(math->factor_solve(s->factor, right.get(), left.get())));
  work.write(x, left.get(), n);
  return work.finish();
}

// QR alone takes its values apart from factoring them, and shifts them.
template <class T, class Info>
cusolverStatus_t setup(cusolverSpHandle_t handle, int m, int n, int nnz, cusparseMatDescr_t descr, const T* val,
                       const int* row, const int* col, T mu, Info info) {
  sx_sp_call call(handle, sx_sp_type<T>::number, m, n, nnz, descr, val, row, col);
  Steps* const s = steps_of(info);
  call.need(s && s->analysed && s->shape.m == m && s->shape.n == n && s->shape.nnz == nnz);
  if (!call) return call.status;
  const auto keep = [&](const T* values) {
    const auto* bytes = reinterpret_cast<const char*>(values);
    s->val.assign(bytes, bytes + sizeof(T) * static_cast<size_t>(nnz));
    memcpy(s->mu, &mu, sizeof mu);
    s->shape.type = sx_sp_type<T>::number;
    s->set = true;
  };
  if (Trait<Info>::host) {
    keep(val);
    return CUSOLVER_STATUS_SUCCESS;
  }
  sx_onhost work(call.slot);
  const auto values = work.read(val, nnz);
  if (!work.ready()) return work.status();
  keep(values.get());
  return work.finish();
}

template <class T, class Info>
cusolverStatus_t factor_set(cusolverSpHandle_t handle, int m, int n, int nnz, const T* b, T* x, Info info) {
  const Step<Info> step(handle, info);
  if (step.status != CUSOLVER_STATUS_SUCCESS) return step.status;
  Steps* const s = step.s;
  if (!s->set || s->shape.type != sx_sp_type<T>::number || s->shape.m != m || s->shape.n != n || s->shape.nnz != nnz)
    return CUSOLVER_STATUS_INVALID_VALUE;
  static const char zero[16] = {};
  const void* mu = memcmp(s->mu, zero, sizeof(T)) == 0 ? nullptr : s->mu;
  const int32_t status = compute<T, Info>(s, reinterpret_cast<const T*>(s->val.data()), mu, -1);
  if (status != SX_HM_OK || b == nullptr || x == nullptr) return sx_sp_status(status);
  const cusolverStatus_t solved = solve<T>(handle, m, n, b, x, info);
  return solved == CUSOLVER_STATUS_ZERO_PIVOT ? CUSOLVER_STATUS_SUCCESS : solved;  // csrqrZeroPivot says so
}

template <class T>
cusolverStatus_t diagonal(cusolverSpHandle_t handle, csrcholInfo_t info, typename sx_sp_type<T>::real* diag) {
  const Step<csrcholInfo_t> step(handle, info);
  if (step.status != CUSOLVER_STATUS_SUCCESS) return step.status;
  if (diag == nullptr || step.s->type != sx_sp_type<T>::number) return CUSOLVER_STATUS_INVALID_VALUE;
  sx_onhost work(step.slot);
  const auto d = work.room<typename sx_sp_type<T>::real>(step.s->shape.n);
  if (!work.ready()) return work.status();
  work.fail(sx_sp_status(sx_sp_math()->factor_diagonal(step.s->factor, d.get())));
  work.write(diag, d.get(), step.s->shape.n);
  return work.finish();
}

template <class T>
cusolverStatus_t extract(cusolverSpHandle_t handle, int* p, int* q, cusparseMatDescr_t descr_l, T* val_l, int* row_l,
                         int* col_l, cusparseMatDescr_t descr_u, T* val_u, int* row_u, int* col_u,
                         csrluInfoHost_t info) {
  const Step<csrluInfoHost_t> step(handle, info);
  if (step.status != CUSOLVER_STATUS_SUCCESS) return step.status;
  int type = 0, base_l = 0, base_u = 0;
  if (!sx_sp_describe(descr_l, &type, &base_l) || !sx_sp_describe(descr_u, &type, &base_u))
    return CUSOLVER_STATUS_INVALID_VALUE;
  if (!p || !q || !val_l || !row_l || !col_l || !val_u || !row_u || !col_u) return CUSOLVER_STATUS_INVALID_VALUE;
  if (step.s->type != sx_sp_type<T>::number) return CUSOLVER_STATUS_INVALID_VALUE;
  return sx_sp_status(
      sx_sp_math()->factor_extract(step.s->factor, p, q, base_l, val_l, row_l, col_l, base_u, val_u, row_u, col_u));
}

// Systems of one pattern: values n apart by nnz, right-hand sides by m, solutions by n.
template <class T>
cusolverStatus_t solve_batched(cusolverSpHandle_t handle, int m, int n, int nnz, cusparseMatDescr_t descr, const T* val,
                               const int* row, const int* col, const T* b, T* x, int batch, csrqrInfo_t info,
                               const void* buffer) {
  sx_sp_call call(handle, sx_sp_type<T>::number, m, n, nnz, descr, val, row, col);
  Steps* const s = steps_of(info);
  call.need(s && s->analysed && s->shape.m == m && s->shape.n == n && s->shape.nnz == nnz && b && x && batch > 0 &&
            buffer);
  if (!call) return call.status;
  sx_onhost work(call.slot);
  const auto values = work.read(val, int64_t{nnz} * batch);
  const auto right = work.read(b, int64_t{m} * batch);
  const auto left = work.room<T>(int64_t{n} * batch);
  if (!work.ready()) return work.status();
  for (int64_t i = 0; i < batch && work.status() == CUSOLVER_STATUS_SUCCESS; ++i) {
    int32_t status = compute<T, csrqrInfo_t>(s, values.get() + i * nnz, nullptr, -1);
    if (status == SX_HM_OK) status = sx_sp_math()->factor_solve(s->factor, right.get() + i * m, left.get() + i * n);
    // a singular system has no say in the others
    if (status == SX_HM_ZERO_PIVOT)
      memset(left.get() + i * n, 0xff, sizeof(T) * static_cast<size_t>(n));
    else
      work.fail(sx_sp_status(status));
  }
  work.write(x, left.get(), int64_t{n} * batch);
  return work.finish();
}

}  // namespace

// ---- objects ----
#define SX_OBJECT(Name, info_t)                                                                                     \
  cusolverStatus_t sx_cusolverSpCreate##Name(info_t* info) { return sx_sp_make<Steps>(info, Trait<info_t>::kind); } \
  cusolverStatus_t sx_cusolverSpDestroy##Name(info_t info) {                                                        \
    return info == nullptr ? CUSOLVER_STATUS_SUCCESS : sx_sp_end<Steps>(info, Trait<info_t>::kind);                 \
  }
SX_OBJECT(CsrqrInfo, csrqrInfo_t)
SX_OBJECT(CsrqrInfoHost, csrqrInfoHost_t)
SX_OBJECT(CsrcholInfo, csrcholInfo_t)
SX_OBJECT(CsrcholInfoHost, csrcholInfoHost_t)
SX_OBJECT(CsrluInfoHost, csrluInfoHost_t)

// ---- analysis ----
#define SX_ANALYSE_QR(Name, info_t)                                                                                   \
  cusolverStatus_t sx_cusolverSp##Name(cusolverSpHandle_t handle, int m, int n, int nnz,                              \
                                       const cusparseMatDescr_t descr, const int* row, const int* col, info_t info) { \
    return analyse(handle, m, n, nnz, descr, row, col, info);                                                         \
  }
#define SX_ANALYSE(Name, info_t)                                                                                  \
  cusolverStatus_t sx_cusolverSp##Name(cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t descr, \
                                       const int* row, const int* col, info_t info) {                             \
    return analyse(handle, n, n, nnz, descr, row, col, info);                                                     \
  }
SX_ANALYSE_QR(XcsrqrAnalysis, csrqrInfo_t)
SX_ANALYSE_QR(XcsrqrAnalysisBatched, csrqrInfo_t)
SX_ANALYSE_QR(XcsrqrAnalysisHost, csrqrInfoHost_t)
SX_ANALYSE(XcsrcholAnalysis, csrcholInfo_t)
SX_ANALYSE(XcsrcholAnalysisHost, csrcholInfoHost_t)
SX_ANALYSE(XcsrluAnalysisHost, csrluInfoHost_t)

cusolverStatus_t sx_cusolverSpXcsrluNnzHost(cusolverSpHandle_t handle, int* nnzL, int* nnzU, csrluInfoHost_t info) {
  const Step<csrluInfoHost_t> step(handle, info);
  if (step.status != CUSOLVER_STATUS_SUCCESS) return step.status;
  int64_t lower = 0, upper = 0;
  if (!nnzL || !nnzU) return CUSOLVER_STATUS_INVALID_VALUE;
  const int32_t status = sx_sp_math()->factor_counts(step.s->factor, &lower, &upper);
  if (status != SX_HM_OK) return sx_sp_status(status);
  if (lower > INT32_MAX || upper > INT32_MAX) return CUSOLVER_STATUS_ALLOC_FAILED;
  *nnzL = static_cast<int>(lower);
  *nnzU = static_cast<int>(upper);
  return CUSOLVER_STATUS_SUCCESS;
}

// ---- by type ----
#define SX_SHAPE const cusparseMatDescr_t descr, const T *val, const int *row, const int *col
#define SX_QR(X, R, Host, info_t)                                                                                      \
  cusolverStatus_t sx_cusolverSp##X##csrqrBufferInfo##Host(cusolverSpHandle_t handle, int m, int n, int nnz, SX_SHAPE, \
                                                           info_t info, size_t* internal, size_t* workspace) {         \
    return sizes(sx_sp_call(handle, SX_HM_D, m, n, nnz, descr, val, row, col, true), info, sizeof(T), internal,        \
                 workspace);                                                                                           \
  }                                                                                                                    \
  cusolverStatus_t sx_cusolverSp##X##csrqrSetup##Host(cusolverSpHandle_t handle, int m, int n, int nnz, SX_SHAPE,      \
                                                      T mu, info_t info) {                                             \
    return setup<T>(handle, m, n, nnz, descr, val, row, col, mu, info);                                                \
  }                                                                                                                    \
  cusolverStatus_t sx_cusolverSp##X##csrqrFactor##Host(cusolverSpHandle_t handle, int m, int n, int nnz, T* b, T* x,   \
                                                       info_t info, void*) {                                           \
    return factor_set<T>(handle, m, n, nnz, b, x, info);                                                               \
  }                                                                                                                    \
  cusolverStatus_t sx_cusolverSp##X##csrqrZeroPivot##Host(cusolverSpHandle_t handle, info_t info, R tol,               \
                                                          int* position) {                                             \
    return zero_pivot<T>(handle, info, static_cast<double>(tol), position);                                            \
  }                                                                                                                    \
  cusolverStatus_t sx_cusolverSp##X##csrqrSolve##Host(cusolverSpHandle_t handle, int m, int n, T* b, T* x,             \
                                                      info_t info, void*) {                                            \
    return solve<T>(handle, m, n, b, x, info);                                                                         \
  }
#define SX_SQUARE(X, R, how, Host, info_t)                                                                             \
  cusolverStatus_t sx_cusolverSp##X##how##BufferInfo##Host(cusolverSpHandle_t handle, int n, int nnz, SX_SHAPE,        \
                                                           info_t info, size_t* internal, size_t* workspace) {         \
    return sizes(sx_sp_call(handle, SX_HM_D, n, n, nnz, descr, val, row, col, true), info, sizeof(T), internal,        \
                 workspace);                                                                                           \
  }                                                                                                                    \
  cusolverStatus_t sx_cusolverSp##X##how##ZeroPivot##Host(cusolverSpHandle_t handle, info_t info, R tol,               \
                                                          int* position) {                                             \
    return zero_pivot<T>(handle, info, static_cast<double>(tol), position);                                            \
  }                                                                                                                    \
  cusolverStatus_t sx_cusolverSp##X##how##Solve##Host(cusolverSpHandle_t handle, int n, const T* b, T* x, info_t info, \
                                                      void*) {                                                         \
    return solve<T>(handle, n, n, b, x, info);                                                                         \
  }
#define SX_CHOLESKY(X, Host, info_t)                                                                          \
  cusolverStatus_t sx_cusolverSp##X##csrcholFactor##Host(cusolverSpHandle_t handle, int n, int nnz, SX_SHAPE, \
                                                         info_t info, void*) {                                \
    return factor<T>(handle, n, nnz, descr, val, row, col, info, -1);                                         \
  }
#define SX_STEPS(X, R)                                                                                               \
  SX_QR(X, R, , csrqrInfo_t)                                                                                         \
  SX_QR(X, R, Host, csrqrInfoHost_t)                                                                                 \
  SX_SQUARE(X, R, csrchol, , csrcholInfo_t)                                                                          \
  SX_SQUARE(X, R, csrchol, Host, csrcholInfoHost_t)                                                                  \
  SX_SQUARE(X, R, csrlu, Host, csrluInfoHost_t)                                                                      \
  SX_CHOLESKY(X, , csrcholInfo_t)                                                                                    \
  SX_CHOLESKY(X, Host, csrcholInfoHost_t)                                                                            \
  cusolverStatus_t sx_cusolverSp##X##csrcholDiag(cusolverSpHandle_t handle, csrcholInfo_t info, R* diag) {           \
    return diagonal<T>(handle, info, diag);                                                                          \
  }                                                                                                                  \
  cusolverStatus_t sx_cusolverSp##X##csrluFactorHost(cusolverSpHandle_t handle, int n, int nnz, SX_SHAPE,            \
                                                     csrluInfoHost_t info, R threshold, void*) {                     \
    return factor<T>(handle, n, nnz, descr, val, row, col, info, static_cast<double>(threshold));                    \
  }                                                                                                                  \
  cusolverStatus_t sx_cusolverSp##X##csrluExtractHost(                                                               \
      cusolverSpHandle_t handle, int* P, int* Q, const cusparseMatDescr_t descrL, T* valL, int* rowL, int* colL,     \
      const cusparseMatDescr_t descrU, T* valU, int* rowU, int* colU, csrluInfoHost_t info, void*) {                 \
    return extract<T>(handle, P, Q, descrL, valL, rowL, colL, descrU, valU, rowU, colU, info);                       \
  }                                                                                                                  \
  cusolverStatus_t sx_cusolverSp##X##csrqrBufferInfoBatched(cusolverSpHandle_t handle, int m, int n, int nnz,        \
                                                            SX_SHAPE, int batch, csrqrInfo_t info, size_t* internal, \
                                                            size_t* workspace) {                                     \
    if (batch <= 0) return CUSOLVER_STATUS_INVALID_VALUE;                                                            \
    return sizes(sx_sp_call(handle, SX_HM_D, m, n, nnz, descr, val, row, col, true), info, sizeof(T), internal,      \
                 workspace);                                                                                         \
  }                                                                                                                  \
  cusolverStatus_t sx_cusolverSp##X##csrqrsvBatched(cusolverSpHandle_t handle, int m, int n, int nnz, SX_SHAPE,      \
                                                    const T* b, T* x, int batch, csrqrInfo_t info, void* buffer) {   \
    return solve_batched<T>(handle, m, n, nnz, descr, val, row, col, b, x, batch, info, buffer);                     \
  }
#define T float
SX_STEPS(S, float)
#undef T
#define T double
SX_STEPS(D, double)
#undef T
#define T cuComplex
SX_STEPS(C, float)
#undef T
#define T cuDoubleComplex
SX_STEPS(Z, double)
#undef T
