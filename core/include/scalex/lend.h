// Device memory for the ROCm calls of one CUDA call: the program's, scratch of the stream, or the rocBLAS handle's own.
//
// A slot whose calls lend memory says so in its modes: then what a borrowed handle carries is left as it is until a
// call says what it wants. A handle that goes on to other calls loses what it carries (borrow.cpp). So a call with the
// same memory as the last one costs nothing, and rocBLAS's own memory is freed and allocated only where the two meet.
#pragma once

#include "scalex/core.h"

enum : uint64_t { SX_WORKSPACE_LENT = 0xffffffff };  // a generation, see SX_WORKSPACE_SHIFT

extern "C" {

// The borrowed handle carries ``memory`` from now on. 0 or a cublasStatus_t.
int sx_lend(sx_blas_slot* slot, const sx_loan* loan, void* memory, size_t bytes);

// Scratch of the stream for the borrowed handle, at least ``bytes``; ``front`` bytes of it, if given, are for the
// caller and begin at the result. While capturing, where scratch cannot grow, the handle's own memory serves. NULL when
// there is not enough; a value that is not to be used when nothing was asked for.
void* sx_lend_scratch(sx_blas_slot* slot, const sx_loan* loan, size_t front, size_t bytes);

}  // extern "C"
