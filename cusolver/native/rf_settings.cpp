// cusolverRf's object and its settings.
#include "rf.h"

namespace {

template <class E>
bool within(E value, E last) {
  return static_cast<unsigned>(value) <= static_cast<unsigned>(last);
}

template <class T, class U>
cusolverStatus_t tell(cusolverRfHandle_t handle, T sx_rf::*first, T* out, U sx_rf::*second, U* other) {
  return sx_rf_call(handle, [&](sx_blas_slot*, sx_rf* rf) {
    if (out == nullptr || other == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
    *out = rf->*first;
    *other = rf->*second;
    return CUSOLVER_STATUS_SUCCESS;
  });
}

template <class T>
cusolverStatus_t tell(cusolverRfHandle_t handle, T sx_rf::*field, T* out) {
  return tell(handle, field, out, field, out);
}

}  // namespace

cusolverStatus_t sx_cusolverRfCreate(cusolverRfHandle_t* handle) {
  if (handle == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  int device = 0;
  if (sx_provider_load() != 0) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (sx_rocm->hipGetDevice && sx_rocm->hipGetDevice(&device) != hipSuccess) return CUSOLVER_STATUS_NOT_INITIALIZED;
  cusolverRfHandle_t made = nullptr;
  const cusolverStatus_t status = sx_sp_make<sx_rf>(&made, SX_KIND_RF);
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  reinterpret_cast<sx_blas_slot*>(made)->device = device;
  *handle = made;
  return status;
}

cusolverStatus_t sx_cusolverRfDestroy(cusolverRfHandle_t handle) { return sx_sp_end<sx_rf>(handle, SX_KIND_RF); }

cusolverStatus_t sx_cusolverRfSetMatrixFormat(cusolverRfHandle_t handle, cusolverRfMatrixFormat_t format,
                                              cusolverRfUnitDiagonal_t diag) {
  return sx_rf_call(handle, [&](sx_blas_slot*, sx_rf* rf) {
    if (!within(format, CUSOLVERRF_MATRIX_FORMAT_CSC) || !within(diag, CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U))
      return CUSOLVER_STATUS_INVALID_VALUE;
    rf->format = format;
    rf->diagonal = diag;
    return CUSOLVER_STATUS_SUCCESS;
  });
}

cusolverStatus_t sx_cusolverRfGetMatrixFormat(cusolverRfHandle_t handle, cusolverRfMatrixFormat_t* format,
                                              cusolverRfUnitDiagonal_t* diag) {
  return tell(handle, &sx_rf::format, format, &sx_rf::diagonal, diag);
}

cusolverStatus_t sx_cusolverRfSetNumericProperties(cusolverRfHandle_t handle, double zero, double boost) {
  return sx_rf_call(handle, [&](sx_blas_slot*, sx_rf* rf) {
    if (zero < 0 || boost < 0) return CUSOLVER_STATUS_INVALID_VALUE;
    rf->zero = zero;
    rf->boost = boost;
    return CUSOLVER_STATUS_SUCCESS;
  });
}

cusolverStatus_t sx_cusolverRfGetNumericProperties(cusolverRfHandle_t handle, double* zero, double* boost) {
  return tell(handle, &sx_rf::zero, zero, &sx_rf::boost, boost);
}

cusolverStatus_t sx_cusolverRfGetNumericBoostReport(cusolverRfHandle_t handle, cusolverRfNumericBoostReport_t* report) {
  return tell(handle, &sx_rf::report, report);
}

cusolverStatus_t sx_cusolverRfSetAlgs(cusolverRfHandle_t handle, cusolverRfFactorization_t factAlg,
                                      cusolverRfTriangularSolve_t solveAlg) {
  return sx_rf_call(handle, [&](sx_blas_slot*, sx_rf* rf) {
    // the first algorithm goes with every solver; NVIDIA's does not look at its number
    const bool known = solveAlg == CUSOLVERRF_TRIANGULAR_SOLVE_ALG2 || solveAlg == CUSOLVERRF_TRIANGULAR_SOLVE_ALG3;
    if (!within(factAlg, CUSOLVERRF_FACTORIZATION_ALG2) || (factAlg != CUSOLVERRF_FACTORIZATION_ALG0 && !known))
      return CUSOLVER_STATUS_INVALID_VALUE;
    rf->factorization = factAlg;
    rf->solve = solveAlg;
    return CUSOLVER_STATUS_SUCCESS;
  });
}

cusolverStatus_t sx_cusolverRfGetAlgs(cusolverRfHandle_t handle, cusolverRfFactorization_t* factAlg,
                                      cusolverRfTriangularSolve_t* solveAlg) {
  return tell(handle, &sx_rf::factorization, factAlg, &sx_rf::solve, solveAlg);
}

cusolverStatus_t sx_cusolverRfSetResetValuesFastMode(cusolverRfHandle_t handle,
                                                     cusolverRfResetValuesFastMode_t fastMode) {
  return sx_rf_call(handle, [&](sx_blas_slot*, sx_rf* rf) {
    if (!within(fastMode, CUSOLVERRF_RESET_VALUES_FAST_MODE_ON)) return CUSOLVER_STATUS_INVALID_VALUE;
    rf->fast = fastMode;
    return CUSOLVER_STATUS_SUCCESS;
  });
}

cusolverStatus_t sx_cusolverRfGetResetValuesFastMode(cusolverRfHandle_t handle,
                                                     cusolverRfResetValuesFastMode_t* fastMode) {
  return tell(handle, &sx_rf::fast, fastMode);
}
