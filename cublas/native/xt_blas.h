// The v2 functions that work on cublasXt's tiles, by element type.
#pragma once

#include "xt.h"

namespace sx_xt {

template <class T>
struct Blas;

#define SX_XT_COMMON(letter)                               \
  static constexpr auto gemm = &cublas##letter##gemm_v2;   \
  static constexpr auto symm = &cublas##letter##symm_v2;   \
  static constexpr auto trmm = &cublas##letter##trmm_v2;   \
  static constexpr auto trsm = &cublas##letter##trsm_v2;   \
  static constexpr auto syrk = &cublas##letter##syrk_v2;   \
  static constexpr auto syr2k = &cublas##letter##syr2k_v2; \
  static constexpr auto syrkx = &cublas##letter##syrkx
#define SX_XT_COMPLEX(letter)                              \
  SX_XT_COMMON(letter);                                    \
  static constexpr auto hemm = &cublas##letter##hemm_v2;   \
  static constexpr auto herk = &cublas##letter##herk_v2;   \
  static constexpr auto her2k = &cublas##letter##her2k_v2; \
  static constexpr auto herkx = &cublas##letter##herkx

template <>
struct Blas<float> {
  SX_XT_COMMON(S);
};
template <>
struct Blas<double> {
  SX_XT_COMMON(D);
};
template <>
struct Blas<cuComplex> {
  SX_XT_COMPLEX(C);
};
template <>
struct Blas<cuDoubleComplex> {
  SX_XT_COMPLEX(Z);
};
#undef SX_XT_COMMON
#undef SX_XT_COMPLEX

// C := alpha op(A) op(B) + beta C for one tile of each; beta is 1 from then on, because C holds a sum.
template <class T>
void multiply(Worker<T>& w, T alpha, const Operand<T>& a, const Operand<T>& b, Range i, Range l, Range j, T* beta,
              const Tile<T>& c) {
  const Tile<T> at = a.op == CUBLAS_OP_N ? w.load(0, a.a, i, l) : w.load(0, a.a, l, i);
  const Tile<T> bt = b.op == CUBLAS_OP_N ? w.load(1, b.a, l, j) : w.load(1, b.a, j, l);
  if (!w.ok()) return;
  w.did(Blas<T>::gemm(w.blas(), a.op, b.op, i.count, j.count, l.count, &alpha, at.p, at.ld, bt.p, bt.ld, beta, c.p,
                      c.ld));
  *beta = Numbers<T>::from(1);
}

// The place of a tile of C; what is in C comes along when it is needed.
template <class T>
Tile<T> result(Worker<T>& w, const T* C, size_t ldc, Range i, Range j, bool read) {
  constexpr int kPlace = kTiles - 1;
  return read ? w.load(kPlace, {C, ldc}, i, j) : w.place(kPlace, i.count);
}

// C := beta C where there is nothing to add.
template <class T>
void scale(Worker<T>& w, const T& beta, Range i, Range j, const Tile<T>& c) {
  const T zero = Numbers<T>::from(0);
  if (w.ok()) {
    w.did(Blas<T>::gemm(w.blas(), CUBLAS_OP_N, CUBLAS_OP_N, i.count, j.count, 0, &zero, c.p, c.ld, c.p, c.ld, &beta,
                        c.p, c.ld));
  }
}

}  // namespace sx_xt
