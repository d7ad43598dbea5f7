// What a legacy function (cublas.h) lacks when it calls its v2 twin: the process's handle, enumerators for letters, and
// a place for the status. How scale-x calls its own entry points is told in wrappers_gen/emit/own.py.
#pragma once

#include "translate.h"

static inline cublasHandle_t sx_own_handle() {
  return static_cast<cublasHandle_t>(__atomic_load_n(&sx_process.legacy_handle, __ATOMIC_ACQUIRE));
}

// cublasGetError answers the last error, also when calls after it went well.
static inline void sx_own_status(cublasStatus_t status) {
  if (SX_UNLIKELY(status != CUBLAS_STATUS_SUCCESS)) {
    __atomic_store_n(&sx_process.legacy_error, static_cast<int32_t>(status), __ATOMIC_RELAXED);
  }
}

template <class Enum>
static inline Enum sx_own_enum(char letter);

template <>
inline cublasOperation_t sx_own_enum(char letter) {
  switch (letter) {
    case 'N':
    case 'n':
      return CUBLAS_OP_N;
    case 'T':
    case 't':
      return CUBLAS_OP_T;
    case 'C':
    case 'c':
      return CUBLAS_OP_C;
    default:
      return static_cast<cublasOperation_t>(-1);
  }
}

template <>
inline cublasFillMode_t sx_own_enum(char letter) {
  switch (letter) {
    case 'L':
    case 'l':
      return CUBLAS_FILL_MODE_LOWER;
    case 'U':
    case 'u':
      return CUBLAS_FILL_MODE_UPPER;
    default:
      return static_cast<cublasFillMode_t>(-1);
  }
}

template <>
inline cublasSideMode_t sx_own_enum(char letter) {
  switch (letter) {
    case 'L':
    case 'l':
      return CUBLAS_SIDE_LEFT;
    case 'R':
    case 'r':
      return CUBLAS_SIDE_RIGHT;
    default:
      return static_cast<cublasSideMode_t>(-1);
  }
}

template <>
inline cublasDiagType_t sx_own_enum(char letter) {
  switch (letter) {
    case 'N':
    case 'n':
      return CUBLAS_DIAG_NON_UNIT;
    case 'U':
    case 'u':
      return CUBLAS_DIAG_UNIT;
    default:
      return static_cast<cublasDiagType_t>(-1);
  }
}
