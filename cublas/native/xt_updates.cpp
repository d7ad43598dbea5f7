// cublasXt: syrk, herk, syr2k, her2k, syrkx, herkx. Tiles of one triangle of C: beside the diagonal a sum of plain
// products, on it the v2 function itself, which leaves the other triangle of the tile as it came.
#include <type_traits>

#include "xt_blas.h"

using namespace sx_xt;

namespace {

// The tile of the diagonal, of order n and depth k.
template <class T>
using Diagonal = cublasStatus_t (*)(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int n, int k, const T* alpha,
                                    const Tile<T>& a, const Tile<T>& b, const T* beta, const Tile<T>& c);

enum class Kind { one, two, product };  // op(A) op(A)', op(A) op(B)' + op(B) op(A)', op(A) op(B)'

template <class T>
struct Update {
  cublasFillMode_t uplo;
  cublasOperation_t trans;
  size_t n, k;
  T alpha;
  Stored<T> a, b;
  T beta;
  T* C;
  size_t ldc;
  Kind kind;
  bool hermitian;
  Diagonal<T> on_diagonal;

  cublasOperation_t prime() const { return hermitian ? CUBLAS_OP_C : CUBLAS_OP_T; }
  // a symmetric update transposes where "C" is asked of a real matrix
  cublasOperation_t op() const { return trans == CUBLAS_OP_N ? CUBLAS_OP_N : prime(); }
};

template <class T>
void beside_diagonal(Worker<T>& w, const Update<T>& u, Range i, Range l, Range j, T* beta, const Tile<T>& c) {
  const cublasOperation_t op = u.op(), other = flip(op, u.prime());
  multiply(w, u.alpha, {u.a, op}, {u.b, other}, i, l, j, beta, c);
  if (u.kind != Kind::two) return;
  const T second = u.hermitian ? Numbers<T>::conj(u.alpha) : u.alpha;
  multiply(w, second, {u.b, op}, {u.a, other}, i, l, j, beta, c);
}

template <class T>
void on_diagonal(Worker<T>& w, const Update<T>& u, Range i, Range l, T* beta, const Tile<T>& c) {
  const bool n = u.trans == CUBLAS_OP_N;
  const Tile<T> a = n ? w.load(0, u.a, i, l) : w.load(0, u.a, l, i);
  const Tile<T> b = u.kind == Kind::one ? a : n ? w.load(1, u.b, i, l) : w.load(1, u.b, l, i);
  if (!w.ok()) return;
  w.did(u.on_diagonal(w.blas(), u.uplo, u.op(), i.count, l.count, &u.alpha, a, b, beta, c));
  *beta = Numbers<T>::from(1);
}

template <class T>
void update_tile(Worker<T>& w, const Update<T>& u, size_t block, Range i, Range j) {
  const bool diagonal = i.from == j.from;
  const Tile<T> c = result(w, u.C, u.ldc, i, j, diagonal || !sx_is(u.beta, 0));
  const Cut depth{sx_is(u.alpha, 0) ? 0 : u.k, block};
  T beta = u.beta;
  for (size_t l = 0; l < depth.count() && w.ok(); ++l) {
    if (diagonal) {
      on_diagonal(w, u, i, depth[l], &beta, c);
    } else {
      beside_diagonal(w, u, i, depth[l], j, &beta, c);
    }
  }
  if (depth.count() == 0 && diagonal && w.ok()) {
    w.did(u.on_diagonal(w.blas(), u.uplo, u.op(), i.count, 0, &u.alpha, c, c, &beta, c));
  } else if (depth.count() == 0) {
    scale(w, beta, i, j, c);
  }
  w.store(c, u.C, u.ldc, i, j);
}

template <class T>
cublasStatus_t update(cublasXtHandle_t handle, const Update<T>& u) {
  const size_t block = block_of(handle);
  const Cut order{u.n, block};
  const bool n = u.trans == CUBLAS_OP_N, lower = u.uplo == CUBLAS_FILL_MODE_LOWER;
  const size_t count = order.count(), rows = n ? u.n : u.k, cols = n ? u.k : u.n;
  const Extent matrices[] = {extent(u.a.p, rows, cols, u.a.ld), extent(u.b.p, rows, cols, u.b.ld),
                             extent(u.C, u.n, u.n, u.ldc)};
  size_t row = 0, col = 0;  // of the next group: down the columns of a lower triangle, along the rows of an upper one
  return run<T>(handle, block, longest_of(u.n, u.k), count * (count + 1) / 2, matrices, [&](Worker<T>& w, size_t) {
    update_tile(w, u, block, order[lower ? row : col], order[lower ? col : row]);
    if (++row == count) row = ++col;
  });
}

// ---- the tile of the diagonal
// ------------------------------------------------------------------------------------------

template <class T>
cublasStatus_t syrk(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, const T* alpha,
                    const Tile<T>& a, const Tile<T>&, const T* beta, const Tile<T>& c) {
  return Blas<T>::syrk(h, uplo, trans, n, k, alpha, a.p, a.ld, beta, c.p, c.ld);
}
template <class T>
cublasStatus_t syr2k(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, const T* alpha,
                     const Tile<T>& a, const Tile<T>& b, const T* beta, const Tile<T>& c) {
  return Blas<T>::syr2k(h, uplo, trans, n, k, alpha, a.p, a.ld, b.p, b.ld, beta, c.p, c.ld);
}
template <class T>
cublasStatus_t syrkx(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, const T* alpha,
                     const Tile<T>& a, const Tile<T>& b, const T* beta, const Tile<T>& c) {
  return Blas<T>::syrkx(h, uplo, trans, n, k, alpha, a.p, a.ld, b.p, b.ld, beta, c.p, c.ld);
}
template <class T>
cublasStatus_t herk(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, const T* alpha,
                    const Tile<T>& a, const Tile<T>&, const T* beta, const Tile<T>& c) {
  return Blas<T>::herk(h, uplo, trans, n, k, &alpha->x, a.p, a.ld, &beta->x, c.p, c.ld);
}
template <class T>
cublasStatus_t her2k(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, const T* alpha,
                     const Tile<T>& a, const Tile<T>& b, const T* beta, const Tile<T>& c) {
  return Blas<T>::her2k(h, uplo, trans, n, k, alpha, a.p, a.ld, b.p, b.ld, &beta->x, c.p, c.ld);
}
template <class T>
cublasStatus_t herkx(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, const T* alpha,
                     const Tile<T>& a, const Tile<T>& b, const T* beta, const Tile<T>& c) {
  return Blas<T>::herkx(h, uplo, trans, n, k, alpha, a.p, a.ld, b.p, b.ld, &beta->x, c.p, c.ld);
}

// A scalar of the update as an element: a Hermitian update has real ones.
template <class T, class R>
T element(const R* p) {
  if constexpr (std::is_same_v<T, R>) {
    return sx_load<T>(p);
  } else {
    return {sx_load<R>(p), 0};
  }
}

}  // namespace

// ---- the functions that rows name
// --------------------------------------------------------------------------------------

#define SX_ONE(T, R)                                                                                           \
  cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, size_t n, size_t k, const R *alpha, \
      const T *A, size_t lda, const R *beta, T *C, size_t ldc
#define SX_ONE_BODY(T, hermitian, function) \
  update<T>(handle, {uplo,                  \
                     trans,                 \
                     n,                     \
                     k,                     \
                     element<T>(alpha),     \
                     {A, lda},              \
                     {A, lda},              \
                     element<T>(beta),      \
                     C,                     \
                     ldc,                   \
                     Kind::one,             \
                     hermitian,             \
                     &function<T>})

cublasStatus_t sx_xt_syrk(SX_ONE(float, float)) { return SX_ONE_BODY(float, false, syrk); }
cublasStatus_t sx_xt_syrk(SX_ONE(double, double)) { return SX_ONE_BODY(double, false, syrk); }
cublasStatus_t sx_xt_syrk(SX_ONE(cuComplex, cuComplex)) { return SX_ONE_BODY(cuComplex, false, syrk); }
cublasStatus_t sx_xt_syrk(SX_ONE(cuDoubleComplex, cuDoubleComplex)) {
  return SX_ONE_BODY(cuDoubleComplex, false, syrk);
}
cublasStatus_t sx_xt_herk(SX_ONE(cuComplex, float)) { return SX_ONE_BODY(cuComplex, true, herk); }
cublasStatus_t sx_xt_herk(SX_ONE(cuDoubleComplex, double)) { return SX_ONE_BODY(cuDoubleComplex, true, herk); }

#define SX_TWO(T, R)                                                                                           \
  cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, size_t n, size_t k, const T *alpha, \
      const T *A, size_t lda, const T *B, size_t ldb, const R *beta, T *C, size_t ldc
#define SX_TWO_BODY(T, kind, hermitian, function) \
  update<T>(handle, {uplo,                        \
                     trans,                       \
                     n,                           \
                     k,                           \
                     element<T>(alpha),           \
                     {A, lda},                    \
                     {B, ldb},                    \
                     element<T>(beta),            \
                     C,                           \
                     ldc,                         \
                     kind,                        \
                     hermitian,                   \
                     &function<T>})

cublasStatus_t sx_xt_syr2k(SX_TWO(float, float)) { return SX_TWO_BODY(float, Kind::two, false, syr2k); }
cublasStatus_t sx_xt_syr2k(SX_TWO(double, double)) { return SX_TWO_BODY(double, Kind::two, false, syr2k); }
cublasStatus_t sx_xt_syr2k(SX_TWO(cuComplex, cuComplex)) { return SX_TWO_BODY(cuComplex, Kind::two, false, syr2k); }
cublasStatus_t sx_xt_syr2k(SX_TWO(cuDoubleComplex, cuDoubleComplex)) {
  return SX_TWO_BODY(cuDoubleComplex, Kind::two, false, syr2k);
}
cublasStatus_t sx_xt_her2k(SX_TWO(cuComplex, float)) { return SX_TWO_BODY(cuComplex, Kind::two, true, her2k); }
cublasStatus_t sx_xt_her2k(SX_TWO(cuDoubleComplex, double)) {
  return SX_TWO_BODY(cuDoubleComplex, Kind::two, true, her2k);
}

cublasStatus_t sx_xt_syrkx(SX_TWO(float, float)) { return SX_TWO_BODY(float, Kind::product, false, syrkx); }
cublasStatus_t sx_xt_syrkx(SX_TWO(double, double)) { return SX_TWO_BODY(double, Kind::product, false, syrkx); }
cublasStatus_t sx_xt_syrkx(SX_TWO(cuComplex, cuComplex)) { return SX_TWO_BODY(cuComplex, Kind::product, false, syrkx); }
cublasStatus_t sx_xt_syrkx(SX_TWO(cuDoubleComplex, cuDoubleComplex)) {
  return SX_TWO_BODY(cuDoubleComplex, Kind::product, false, syrkx);
}
cublasStatus_t sx_xt_herkx(SX_TWO(cuComplex, float)) { return SX_TWO_BODY(cuComplex, Kind::product, true, herkx); }
cublasStatus_t sx_xt_herkx(SX_TWO(cuDoubleComplex, double)) {
  return SX_TWO_BODY(cuDoubleComplex, Kind::product, true, herkx);
}
