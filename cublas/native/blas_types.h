// The rocBLAS functions that native bodies call, by CUDA element type.
#pragma once

#include "native.h"

template <class T>
struct sx_blas;

#define SX_BLAS(cuda_type, rocm_type, letter)                      \
  template <>                                                      \
  struct sx_blas<cuda_type> {                                      \
    using type = rocm_type;                                        \
    static auto copy() { return sx_rocm->rocblas_##letter##copy; } \
    static auto gemv() { return sx_rocm->rocblas_##letter##gemv; } \
    static auto gemm() { return sx_rocm->rocblas_##letter##gemm; } \
    static auto geam() { return sx_rocm->rocblas_##letter##geam; } \
  }
SX_BLAS(float, float, s);
SX_BLAS(double, double, d);
SX_BLAS(cuComplex, rocblas_float_complex, c);
SX_BLAS(cuDoubleComplex, rocblas_double_complex, z);
#undef SX_BLAS

template <class T>
static inline const typename sx_blas<T>::type* sx_rocm_ptr(const T* p) {
  return reinterpret_cast<const typename sx_blas<T>::type*>(p);
}
template <class T>
static inline typename sx_blas<T>::type* sx_rocm_ptr(T* p) {
  return reinterpret_cast<typename sx_blas<T>::type*>(p);
}

// A borrowed rocBLAS handle, given back at the end of the scope.
struct sx_borrowed {
  explicit sx_borrowed(sx_blas_slot* slot) : error(sx_blas_begin(slot, &loan)) {}
  ~sx_borrowed() {
    if (error == 0) sx_blas_end(&loan);
  }
  sx_borrowed(const sx_borrowed&) = delete;
  sx_borrowed& operator=(const sx_borrowed&) = delete;
  sx_loan loan;
  int error;
};
