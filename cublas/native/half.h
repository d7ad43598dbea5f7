// 16-bit vectors in native bodies.
#pragma once

#include "blas_types.h"

// Whether a copy between vectors of these increments needs room for one of them.
inline bool sx_copy_16bit_needs(int64_t incx, int64_t incy) {
  const bool same_direction = (incx > 0 && incy > 0) || (incx < 0 && incy < 0);
  return !same_direction && incy != 0 && incy != 1 && incy != -1;
}

// y := x for vectors of half or bfloat16 (type), any increments; ``room`` for n elements where that is needed.
rocblas_status sx_copy_16bit(const sx_borrowed& blas, sx_blas_slot* slot, int64_t n, const void* x, cudaDataType type,
                             int incx, void* y, int incy, void* room = nullptr);
