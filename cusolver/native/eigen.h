// Hermitian eigenproblems of any size type, for the typed and the 64-bit entry points: arguments are already checked.
#pragma once

#include "spectral.h"

template <class T>
struct sx_eigen {
  int itype;  // 0: A x = w x; 1, 2, 3: the generalised problems
  cusolverEigMode_t jobz;
  cublasFillMode_t uplo;
  int64_t n;
  T* A;
  int64_t lda;
  T* B;
  int64_t ldb;  // any when there is no B
  sx_real<T>* W;
};

template <class R>
struct sx_part {
  cusolverEigRange_t range;
  R vl, vu;
  int64_t il, iu;
};

// All of the spectrum; ``info`` may be NULL.
template <class T>
cusolverStatus_t sx_eigen_bytes(cusolverDnHandle_t handle, const sx_eigen<T>& p, size_t* bytes);
template <class T>
cusolverStatus_t sx_eigen_run(cusolverDnHandle_t handle, const sx_eigen<T>& p, void* work, size_t bytes, int* info);

// A part; the number of eigenvalues is known when the call returns.
template <class T>
cusolverStatus_t sx_eigen_part_bytes(cusolverDnHandle_t handle, const sx_eigen<T>& p, size_t* bytes);
template <class T>
cusolverStatus_t sx_eigen_part(cusolverDnHandle_t handle, const sx_eigen<T>& p, const sx_part<sx_real<T>>& part,
                               int64_t* found, void* work, size_t bytes, int* info);
