// cublasXt: gemm, symm, hemm, spmm. A tile of C is the sum of products along its row of op(A) and its column of op(B).
#include <initializer_list>

#include "xt_blas.h"

using namespace sx_xt;

namespace {

// ---- gemm
// --------------------------------------------------------------------------------------------------------------

template <class T>
struct Gemm {
  Operand<T> a, b;
  size_t m, n, k;
  T alpha, beta;
  T* C;
  size_t ldc;
};

template <class T>
void gemm_tile(Worker<T>& w, const Gemm<T>& g, size_t block, Range i, Range j) {
  const Tile<T> c = result(w, g.C, g.ldc, i, j, !sx_is(g.beta, 0));
  const Cut depth{sx_is(g.alpha, 0) ? 0 : g.k, block};
  T beta = g.beta;
  for (size_t l = 0; l < depth.count(); ++l) multiply(w, g.alpha, g.a, g.b, i, depth[l], j, &beta, c);
  if (depth.count() == 0) scale(w, beta, i, j, c);
  w.store(c, g.C, g.ldc, i, j);
}

// The CPU's share of the columns, and the routine that computes it; only for matrices that the CPU can reach.
template <class T>
struct CpuShare {
  using Routine = void (*)(const char*, const char*, const int*, const int*, const int*, const T*, const T*, const int*,
                           const T*, const int*, const T*, T*, const int*);
  Routine routine = nullptr;
  size_t columns = 0;
};

bool on_device(const void* p) {
  hipPointerAttribute_t attributes;
  if (sx_rocm->hipPointerGetAttributes == nullptr) return true;
  if (sx_rocm->hipPointerGetAttributes(&attributes, p) != hipSuccess) return false;  // HIP does not know it
  return attributes.type == hipMemoryTypeDevice;
}

template <class T>
constexpr int type_index() {
  return (sizeof(Real<T>) == 8 ? 1 : 0) + (sizeof(T) > sizeof(Real<T>) ? 2 : 0);
}

template <class T>
CpuShare<T> cpu_share(const Context& context, const Gemm<T>& g) {
  CpuShare<T> share;
  const float ratio = context.cpu_ratio[CUBLASXT_GEMM][type_index<T>()];
  void* const routine = context.cpu_routine[CUBLASXT_GEMM][type_index<T>()];
  if (routine == nullptr || !(ratio > 0) || on_device(g.a.a.p) || on_device(g.b.a.p) || on_device(g.C)) return share;
  for (const size_t size : {g.m, g.n, g.k, g.a.a.ld, g.b.a.ld, g.ldc}) {
    if (size > INT_MAX) return share;
  }
  share.routine = reinterpret_cast<typename CpuShare<T>::Routine>(routine);
  share.columns = static_cast<size_t>(static_cast<double>(g.n) * static_cast<double>(ratio));
  return share;
}

template <class T>
void on_cpu(const CpuShare<T>& share, const Gemm<T>& g) {
  constexpr char kLetters[] = {'N', 'T', 'C'};
  const size_t first = g.n - share.columns;
  const int m = static_cast<int>(g.m), n = static_cast<int>(share.columns), k = static_cast<int>(g.k);
  const int lda = static_cast<int>(g.a.a.ld), ldb = static_cast<int>(g.b.a.ld), ldc = static_cast<int>(g.ldc);
  const T* const b = g.b.a.p + (g.b.op == CUBLAS_OP_N ? first * g.b.a.ld : first);
  share.routine(&kLetters[g.a.op], &kLetters[g.b.op], &m, &n, &k, &g.alpha, g.a.a.p, &lda, b, &ldb, &g.beta,
                g.C + first * g.ldc, &ldc);
}

template <class T>
cublasStatus_t gemm(cublasXtHandle_t handle, const Gemm<T>& g) {
  const Context& context = *context_of(handle);
  const size_t block = block_of(handle);
  const CpuShare<T> share = cpu_share(context, g);
  const Cut rows{g.m, block}, cols{g.n - share.columns, block};
  const bool n_a = g.a.op == CUBLAS_OP_N, n_b = g.b.op == CUBLAS_OP_N;
  const Extent matrices[] = {extent(g.a.a.p, n_a ? g.m : g.k, n_a ? g.k : g.m, g.a.a.ld),
                             extent(g.b.a.p, n_b ? g.k : g.n, n_b ? g.n : g.k, g.b.a.ld), extent(g.C, g.m, g.n, g.ldc)};
  const size_t groups = rows.count() * cols.count();
  const cublasStatus_t status =
      run<T>(handle, block, longest_of(g.m, g.n, g.k), groups, matrices,
             [&](Worker<T>& w, size_t i) { gemm_tile(w, g, block, rows[i % rows.count()], cols[i / rows.count()]); });
  if (status == CUBLAS_STATUS_SUCCESS && share.columns > 0) on_cpu(share, g);
  return status;
}

// ---- symm, hemm, spmm
// --------------------------------------------------------------------------------------------------

template <class T>
using DiagonalFunction = cublasStatus_t (*)(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int, int, const T*,
                                            const T*, int, const T*, int, const T*, T*, int);

template <class T>
struct Symm {
  cublasSideMode_t side;
  cublasFillMode_t uplo;
  size_t m, n;
  T alpha;
  Stored<T> a, b;
  T beta;
  T* C;
  size_t ldc;
  cublasOperation_t mirror;         // what makes the other triangle out of the stored one
  DiagonalFunction<T> on_diagonal;  // symm or hemm
};

template <class T>
void symm_tile(Worker<T>& w, const Symm<T>& s, const Cut& order, size_t row, size_t col, Range i, Range j) {
  const Tile<T> c = result(w, s.C, s.ldc, i, j, !sx_is(s.beta, 0));
  const bool left = s.side == CUBLAS_SIDE_LEFT, lower = s.uplo == CUBLAS_FILL_MODE_LOWER;
  const size_t here = left ? row : col;
  T beta = s.beta;
  for (size_t l = 0; l < order.count() && w.ok(); ++l) {
    if (l == here) {
      const Range d = order[l];
      const Tile<T> a = w.load(0, s.a, d, d), b = w.load(1, s.b, i, j);
      if (!w.ok()) return;
      w.did(
          s.on_diagonal(w.blas(), s.side, s.uplo, i.count, j.count, &s.alpha, a.p, a.ld, b.p, b.ld, &beta, c.p, c.ld));
      beta = Numbers<T>::from(1);
    } else if (left) {  // A(row, l) is stored below the diagonal when row > l
      const Operand<T> a{s.a, lower == (row > l) ? CUBLAS_OP_N : s.mirror};
      multiply(w, s.alpha, a, {s.b, CUBLAS_OP_N}, i, order[l], j, &beta, c);
    } else {
      const Operand<T> a{s.a, lower == (l > col) ? CUBLAS_OP_N : s.mirror};
      multiply(w, s.alpha, {s.b, CUBLAS_OP_N}, a, i, order[l], j, &beta, c);
    }
  }
  w.store(c, s.C, s.ldc, i, j);
}

template <class T>
cublasStatus_t symm(cublasXtHandle_t handle, const Symm<T>& s) {
  const size_t block = block_of(handle);
  const Cut rows{s.m, block}, cols{s.n, block};
  const bool nothing = sx_is(s.alpha, 0);
  const size_t order = s.side == CUBLAS_SIDE_LEFT ? s.m : s.n;
  const Extent matrices[] = {
      s.a.packed ? extent(s.a.p, order * (order + 1) / 2, 1, 0) : extent(s.a.p, order, order, s.a.ld),
      extent(s.b.p, s.m, s.n, s.b.ld), extent(s.C, s.m, s.n, s.ldc)};
  return run<T>(handle, block, longest_of(s.m, s.n), rows.count() * cols.count(), matrices,
                [&](Worker<T>& w, size_t g) {
                  const size_t i = g % rows.count(), j = g / rows.count();
                  if (!nothing) return symm_tile(w, s, Cut{order, block}, i, j, rows[i], cols[j]);
                  const Tile<T> c = result(w, s.C, s.ldc, rows[i], cols[j], !sx_is(s.beta, 0));
                  scale(w, s.beta, rows[i], cols[j], c);
                  w.store(c, s.C, s.ldc, rows[i], cols[j]);
                });
}

}  // namespace

// ---- the functions that rows name
// --------------------------------------------------------------------------------------

#define SX_GEMM(T)                                                                                           \
  cublasXtHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, size_t m, size_t n, size_t k, \
      const T *alpha, const T *A, size_t lda, const T *B, size_t ldb, const T *beta, T *C, size_t ldc
#define SX_GEMM_BODY(T) \
  gemm<T>(handle, {{{A, lda}, transa}, {{B, ldb}, transb}, m, n, k, sx_load<T>(alpha), sx_load<T>(beta), C, ldc})

cublasStatus_t sx_xt_gemm(SX_GEMM(float)) { return SX_GEMM_BODY(float); }
cublasStatus_t sx_xt_gemm(SX_GEMM(double)) { return SX_GEMM_BODY(double); }
cublasStatus_t sx_xt_gemm(SX_GEMM(cuComplex)) { return SX_GEMM_BODY(cuComplex); }
cublasStatus_t sx_xt_gemm(SX_GEMM(cuDoubleComplex)) { return SX_GEMM_BODY(cuDoubleComplex); }

#define SX_SYMM(T)                                                                                           \
  cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, size_t m, size_t n, const T *alpha, \
      const T *A, size_t lda, const T *B, size_t ldb, const T *beta, T *C, size_t ldc
#define SX_SYMM_BODY(T, mirror, function) \
  symm<T>(                                \
      handle,                             \
      {side, uplo, m, n, sx_load<T>(alpha), {A, lda}, {B, ldb}, sx_load<T>(beta), C, ldc, mirror, Blas<T>::function})

cublasStatus_t sx_xt_symm(SX_SYMM(float)) { return SX_SYMM_BODY(float, CUBLAS_OP_T, symm); }
cublasStatus_t sx_xt_symm(SX_SYMM(double)) { return SX_SYMM_BODY(double, CUBLAS_OP_T, symm); }
cublasStatus_t sx_xt_symm(SX_SYMM(cuComplex)) { return SX_SYMM_BODY(cuComplex, CUBLAS_OP_T, symm); }
cublasStatus_t sx_xt_symm(SX_SYMM(cuDoubleComplex)) { return SX_SYMM_BODY(cuDoubleComplex, CUBLAS_OP_T, symm); }

cublasStatus_t sx_xt_hemm(SX_SYMM(cuComplex)) { return SX_SYMM_BODY(cuComplex, CUBLAS_OP_C, hemm); }
cublasStatus_t sx_xt_hemm(SX_SYMM(cuDoubleComplex)) { return SX_SYMM_BODY(cuDoubleComplex, CUBLAS_OP_C, hemm); }

#define SX_SPMM(T)                                                                                           \
  cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, size_t m, size_t n, const T *alpha, \
      const T *AP, const T *B, size_t ldb, const T *beta, T *C, size_t ldc
#define SX_SPMM_BODY(T)                                                                             \
  symm<T>(handle, {side,                                                                            \
                   uplo,                                                                            \
                   m,                                                                               \
                   n,                                                                               \
                   sx_load<T>(alpha),                                                               \
                   {AP, 0, true, uplo == CUBLAS_FILL_MODE_UPPER, side == CUBLAS_SIDE_LEFT ? m : n}, \
                   {B, ldb},                                                                        \
                   sx_load<T>(beta),                                                                \
                   C,                                                                               \
                   ldc,                                                                             \
                   CUBLAS_OP_T,                                                                     \
                   Blas<T>::symm})

cublasStatus_t sx_xt_spmm(SX_SPMM(float)) { return SX_SPMM_BODY(float); }
cublasStatus_t sx_xt_spmm(SX_SPMM(double)) { return SX_SPMM_BODY(double); }
cublasStatus_t sx_xt_spmm(SX_SPMM(cuComplex)) { return SX_SPMM_BODY(cuComplex); }
cublasStatus_t sx_xt_spmm(SX_SPMM(cuDoubleComplex)) { return SX_SPMM_BODY(cuDoubleComplex); }
