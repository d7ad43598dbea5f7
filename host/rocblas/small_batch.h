// Products of small matrices one after another, without what each alone would ask anew.
#pragma once

#include "small.h"

namespace sx::rb::small {

// Whether gemm of small.h is the way to do them.
bool serves(const float*, rocblas_operation ta, i64 m, i64 n, i64 k);
bool serves(const double*, rocblas_operation ta, i64 m, i64 n, i64 k);
template <class T>
bool serves(const T*, rocblas_operation, i64, i64, i64) {
  return false;
}

// C := alpha A op(B) + beta C for problems [begin, end); alpha is not 0.
void gemms(rocblas_operation tb, i64 m, i64 n, i64 k, float alpha, In<float> A, In<float> B, float beta, Arr<float> C,
           i64 begin, i64 end);
void gemms(rocblas_operation tb, i64 m, i64 n, i64 k, double alpha, In<double> A, In<double> B, double beta,
           Arr<double> C, i64 begin, i64 end);
template <class T>
void gemms(rocblas_operation, i64, i64, i64, T, In<T>, In<T>, T, Arr<T>, i64, i64) {}

}  // namespace sx::rb::small
