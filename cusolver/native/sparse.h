// What the bodies of cusolverSp and cusolverRf share: objects in core's slab, matrix descriptors, statuses.
#pragma once

#include <dlfcn.h>

#include <vector>

#include "native.h"
#include "objects_of.h"
#include "onhost.h"
#include "scalex/hostmath_sparse.h"

enum : uint32_t {
  SX_KIND_SP = 0x53580111,
  SX_KIND_SP_QR = 0x53580121,
  SX_KIND_SP_QR_HOST = 0x53580131,
  SX_KIND_SP_CHOL = 0x53580141,
  SX_KIND_SP_CHOL_HOST = 0x53580151,
  SX_KIND_SP_LU_HOST = 0x53580161,
  SX_KIND_RF = 0x53580171,
};

template <class T>
struct sx_sp_type;
template <>
struct sx_sp_type<float> {
  static constexpr int32_t number = SX_HM_S;
  using real = float;
};
template <>
struct sx_sp_type<double> {
  static constexpr int32_t number = SX_HM_D;
  using real = double;
};
template <>
struct sx_sp_type<cuComplex> {
  static constexpr int32_t number = SX_HM_C;
  using real = float;
};
template <>
struct sx_sp_type<cuDoubleComplex> {
  static constexpr int32_t number = SX_HM_Z;
  using real = double;
};

static inline cusolverStatus_t sx_sp_status(int32_t hostmath) {
  switch (hostmath) {
    case SX_HM_OK:
      return CUSOLVER_STATUS_SUCCESS;
    case SX_HM_MEMORY:
      return CUSOLVER_STATUS_ALLOC_FAILED;
    case SX_HM_UNSUPPORTED:
      return CUSOLVER_STATUS_NOT_SUPPORTED;
    case SX_HM_ZERO_PIVOT:
      return CUSOLVER_STATUS_ZERO_PIVOT;
    default:
      return CUSOLVER_STATUS_INVALID_VALUE;
  }
}

// hostmath's sparse half, or nullptr.
static inline const sx_hostmath_sparse* sx_sp_math() {
  const sx_hostmath_table* math = sx_hostmath();
  return math ? math->sparse : nullptr;
}

// A descriptor's matrix type and index base; false for NULL and for what is no descriptor.
bool sx_sp_describe(cusparseMatDescr_t descr, int* type, int* base);

// The checks that every function of cusolverSp begins with, in this order: the handle, sizes, the descriptor, pointers.
struct sx_sp_call {
  sx_blas_slot* slot = nullptr;
  sx_hm_csr a{};
  cusolverStatus_t status = CUSOLVER_STATUS_SUCCESS;

  sx_sp_call(cusolverSpHandle_t handle, int32_t type, int m, int n, int nnz, cusparseMatDescr_t descr, const void* val,
             const int* row, const int* col, bool pattern = false) {
    slot = sx_slot_of(handle, SX_KIND_SP);
    int matrix = 0, base = 0;
    if (slot == nullptr) {
      status = CUSOLVER_STATUS_NOT_INITIALIZED;
    } else if (m <= 0 || n <= 0 || nnz <= 0) {
      status = CUSOLVER_STATUS_INVALID_VALUE;
    } else if (descr == nullptr) {
      status = CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
    } else if (!sx_sp_describe(descr, &matrix, &base)) {
      status = CUSOLVER_STATUS_INVALID_VALUE;
    } else if (matrix != CUSPARSE_MATRIX_TYPE_GENERAL) {
      status = CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
    } else if (row == nullptr || col == nullptr || (val == nullptr && !pattern)) {
      status = CUSOLVER_STATUS_INVALID_VALUE;
    } else if (sx_sp_math() == nullptr) {
      status = CUSOLVER_STATUS_INTERNAL_ERROR;
    }
    a = {type, m, n, nnz, base, val, row, col};
  }
  explicit operator bool() const { return status == CUSOLVER_STATUS_SUCCESS; }
  void need(bool holds) {
    if (status == CUSOLVER_STATUS_SUCCESS && !holds) status = CUSOLVER_STATUS_INVALID_VALUE;
  }
};

// The matrix of a call on the device, as read to the host.
template <class T>
struct sx_sp_copy {
  std::unique_ptr<T[]> val;
  std::unique_ptr<int[]> row, col;
  // Queued; valid once ``work`` is ready.
  void read(sx_onhost* work, sx_hm_csr* a, int64_t batch = 1) {
    if (a->val) val = work->read(static_cast<const T*>(a->val), int64_t{a->nnz} * batch);
    row = work->read(a->row, int64_t{a->m} + 1);
    col = work->read(a->col, a->nnz);
    a->val = val.get();
    a->row = row.get();
    a->col = col.get();
  }
};
