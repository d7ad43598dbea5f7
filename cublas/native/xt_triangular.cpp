// cublasXt: trmm and trsm. From the left the columns of B are independent, from the right its rows: such a panel is one
// group, whose tiles follow each other on one lane in the order in which substitution needs them. trmm takes them in
// the order in which a result never covers what is still to be read, so that C may be B.
#include "xt_blas.h"

using namespace sx_xt;

namespace {

template <class T>
struct Triangular {
  cublasSideMode_t side;
  cublasFillMode_t uplo;
  cublasOperation_t trans;
  cublasDiagType_t diag;
  size_t m, n;
  T alpha;
  Stored<T> a, b;
  T* C;
  size_t ldc;

  bool left() const { return side == CUBLAS_SIDE_LEFT; }
  // op(A) is a lower triangle
  bool lower() const { return (uplo == CUBLAS_FILL_MODE_LOWER) == (trans == CUBLAS_OP_N); }
};

// Which blocks of op(A) beside the diagonal one meet block ``d`` of B: first..last, last excluded.
template <class T>
void neighbours(const Triangular<T>& t, size_t d, size_t count, size_t* first, size_t* last) {
  const bool before = t.lower() == t.left();
  *first = before ? 0 : d + 1;
  *last = before ? d : count;
}

// c := factor times the products of op(A)'s blocks beside the diagonal with blocks of ``x``, plus beta c.
template <class T>
void add_neighbours(Worker<T>& w, const Triangular<T>& t, const Stored<T>& x, T factor, const Cut& order, size_t d,
                    Range panel, T* beta, const Tile<T>& c) {
  const Operand<T> a{t.a, t.trans}, b{x, CUBLAS_OP_N};
  size_t first, last;
  neighbours(t, d, order.count(), &first, &last);
  for (size_t l = first; l < last && w.ok(); ++l) {
    if (t.left()) {
      multiply(w, factor, a, b, order[d], order[l], panel, beta, c);
    } else {
      multiply(w, factor, b, a, panel, order[l], order[d], beta, c);
    }
  }
}

template <class T>
void trmm_tile(Worker<T>& w, const Triangular<T>& t, const Cut& order, size_t d, Range panel) {
  const Range i = t.left() ? order[d] : panel, j = t.left() ? panel : order[d];
  const Tile<T> c = result(w, t.C, t.ldc, i, j, false);
  const Tile<T> a = w.load(0, t.a, order[d], order[d]), b = w.load(1, t.b, i, j);
  if (!w.ok()) return;
  w.did(Blas<T>::trmm(w.blas(), t.side, t.uplo, t.trans, t.diag, i.count, j.count, &t.alpha, a.p, a.ld, b.p, b.ld, c.p,
                      c.ld));
  T beta = Numbers<T>::from(1);
  if (!sx_is(t.alpha, 0)) add_neighbours(w, t, t.b, t.alpha, order, d, panel, &beta, c);
  w.store(c, t.C, t.ldc, i, j);
}

template <class T>
void trsm_tile(Worker<T>& w, const Triangular<T>& t, const Cut& order, size_t d, Range panel) {
  const Range i = t.left() ? order[d] : panel, j = t.left() ? panel : order[d];
  const Tile<T> c = result(w, t.C, t.ldc, i, j, true);
  T alpha = t.alpha;  // the first step takes it: a product, or the solve itself; then it is 1
  if (!sx_is(t.alpha, 0)) add_neighbours(w, t, t.b, Numbers<T>::from(-1), order, d, panel, &alpha, c);
  const Tile<T> a = w.load(0, t.a, order[d], order[d]);
  if (!w.ok()) return;
  w.did(Blas<T>::trsm(w.blas(), t.side, t.uplo, t.trans, t.diag, i.count, j.count, &alpha, a.p, a.ld, c.p, c.ld));
  w.store(c, t.C, t.ldc, i, j);
}

enum class What { multiply, solve };

template <What what, class T>
cublasStatus_t triangular(cublasXtHandle_t handle, const Triangular<T>& t) {
  const size_t block = block_of(handle);
  const size_t size = t.left() ? t.m : t.n;
  const Cut order{size, block}, panels{t.left() ? t.n : t.m, block};
  // substitution goes away from where op(A) has one block in a row or column; a product comes towards it
  const bool ascending = (t.lower() == t.left()) == (what == What::solve);
  const Extent matrices[] = {extent(t.a.p, size, size, t.a.ld), extent(t.b.p, t.m, t.n, t.b.ld),
                             extent(t.C, t.m, t.n, t.ldc)};
  return run<T>(handle, block, longest_of(t.m, t.n), panels.count(), matrices, [&](Worker<T>& w, size_t g) {
    for (size_t step = 0; step < order.count() && w.ok(); ++step) {
      const size_t d = ascending ? step : order.count() - 1 - step;
      if (what == What::solve) {
        trsm_tile(w, t, order, d, panels[g]);
      } else {
        trmm_tile(w, t, order, d, panels[g]);
      }
    }
  });
}

}  // namespace

// ---- the functions that rows name
// --------------------------------------------------------------------------------------

#define SX_TRMM(T)                                                                                                     \
  cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,                      \
      cublasDiagType_t diag, size_t m, size_t n, const T *alpha, const T *A, size_t lda, const T *B, size_t ldb, T *C, \
      size_t ldc
#define SX_TRMM_BODY(T) \
  triangular<What::multiply, T>(handle, {side, uplo, trans, diag, m, n, sx_load<T>(alpha), {A, lda}, {B, ldb}, C, ldc})

cublasStatus_t sx_xt_trmm(SX_TRMM(float)) { return SX_TRMM_BODY(float); }
cublasStatus_t sx_xt_trmm(SX_TRMM(double)) { return SX_TRMM_BODY(double); }
cublasStatus_t sx_xt_trmm(SX_TRMM(cuComplex)) { return SX_TRMM_BODY(cuComplex); }
cublasStatus_t sx_xt_trmm(SX_TRMM(cuDoubleComplex)) { return SX_TRMM_BODY(cuDoubleComplex); }

#define SX_TRSM(T)                                                                                \
  cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, \
      cublasDiagType_t diag, size_t m, size_t n, const T *alpha, const T *A, size_t lda, T *B, size_t ldb
#define SX_TRSM_BODY(T) \
  triangular<What::solve, T>(handle, {side, uplo, trans, diag, m, n, sx_load<T>(alpha), {A, lda}, {B, ldb}, B, ldb})

cublasStatus_t sx_xt_trsm(SX_TRSM(float)) { return SX_TRSM_BODY(float); }
cublasStatus_t sx_xt_trsm(SX_TRSM(double)) { return SX_TRSM_BODY(double); }
cublasStatus_t sx_xt_trsm(SX_TRSM(cuComplex)) { return SX_TRSM_BODY(cuComplex); }
cublasStatus_t sx_xt_trsm(SX_TRSM(cuDoubleComplex)) { return SX_TRSM_BODY(cuDoubleComplex); }
