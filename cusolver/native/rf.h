// cusolverRf's object. Factors, values and solutions are computed on the host; device memory holds only what
// cusolverRfAccessBundledFactorsDevice shows.
#pragma once

#include <cusolverRf.h>

#include <mutex>

#include "sparse.h"

struct sx_rf {
  std::mutex mutex;
  // settings
  cusolverRfMatrixFormat_t format = CUSOLVERRF_MATRIX_FORMAT_CSR;
  cusolverRfUnitDiagonal_t diagonal = CUSOLVERRF_UNIT_DIAGONAL_STORED_L;
  cusolverRfFactorization_t factorization = CUSOLVERRF_FACTORIZATION_ALG0;
  cusolverRfTriangularSolve_t solve = CUSOLVERRF_TRIANGULAR_SOLVE_ALG1;
  cusolverRfResetValuesFastMode_t fast = CUSOLVERRF_RESET_VALUES_FAST_MODE_OFF;
  cusolverRfNumericBoostReport_t report = CUSOLVERRF_NUMERIC_BOOST_NOT_USED;
  double zero = 0, boost = 0;
  // the systems; those of Setup first
  sx_hm_refactor* factors = nullptr;
  int n = 0, nnz = 0, batch = 0;
  bool batched = false, factored = false;
  std::vector<int> row, col;  // M's pattern
  std::vector<double> a, m;   // of each system: A's values; M, which is A(p,q) until it is factored
  std::vector<int> pivot;     // of each system: -1 or the first zero
  // M on the device, once it was asked for
  int* device_row = nullptr;
  int* device_col = nullptr;
  double* device_val = nullptr;

  ~sx_rf() { forget(); }
  void forget() {
    if (factors) sx_sp_math()->refactor_free(factors);
    factors = nullptr;
    batched = factored = false;
    n = nnz = batch = 0;
    release();
  }
  // Before Setup there is a system without unknowns, which every step solves.
  bool empty() const { return factors == nullptr; }
  void release() {
    for (void* p : {static_cast<void*>(device_row), static_cast<void*>(device_col), static_cast<void*>(device_val)}) {
      if (p) sx_rocm->hipFree(p);
    }
    device_row = device_col = nullptr;
    device_val = nullptr;
  }
  size_t entries() const { return col.size(); }
  double* factors_of(int system) { return m.data() + entries() * static_cast<size_t>(system); }
  bool ones_in_upper() const {
    return diagonal == CUSOLVERRF_UNIT_DIAGONAL_STORED_U || diagonal == CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U;
  }
  bool ones_stored() const {
    return diagonal == CUSOLVERRF_UNIT_DIAGONAL_STORED_L || diagonal == CUSOLVERRF_UNIT_DIAGONAL_STORED_U;
  }
};

// A call with a handle: runs ``body(slot, object)`` with the object locked.
template <class Body>
cusolverStatus_t sx_rf_call(cusolverRfHandle_t handle, const Body& body) {
  sx_blas_slot* const slot = sx_slot_of(handle, SX_KIND_RF);
  if (slot == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  auto* const rf = static_cast<sx_rf*>(slot->workspace);
  const std::lock_guard<std::mutex> lock(rf->mutex);
  try {
    return body(slot, rf);
  } catch (const std::bad_alloc&) {
    return CUSOLVER_STATUS_ALLOC_FAILED;
  }
}
