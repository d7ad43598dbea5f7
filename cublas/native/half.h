// 16-bit vectors in native bodies.
#pragma once

#include "blas_types.h"

// y := x for vectors of half or bfloat16 (type), any increments.
rocblas_status sx_copy_16bit(const sx_borrowed& blas, sx_blas_slot* slot, int64_t n, const void* x, cudaDataType type,
                             int incx, void* y, int incy);
