// The objects syevjInfo_t and gesvdjInfo_t: tolerance, sweeps and order for Jacobi's method, and what its last run
// said.
#include "spectral.h"

namespace {

template <class Object>
cusolverStatus_t create(Object* info, uint32_t kind) {
  auto* const made = static_cast<sx_jacobi*>(sx_slot_new(kind));
  if (made == nullptr) return CUSOLVER_STATUS_ALLOC_FAILED;
  made->max_sweeps = 100;
  made->sort = 1;
  *info = reinterpret_cast<Object>(made);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t destroy(void* info, uint32_t kind) {
  if (info == nullptr) return CUSOLVER_STATUS_SUCCESS;
  sx_jacobi* const j = sx_jacobi_of(info, kind);
  if (j == nullptr || !sx_slot_retire(j, kind)) return CUSOLVER_STATUS_INVALID_VALUE;
  sx_slot_free(j);
  return CUSOLVER_STATUS_SUCCESS;
}

template <class Value>
cusolverStatus_t set(void* info, uint32_t kind, Value sx_jacobi::*field, Value value) {
  sx_jacobi* const j = sx_jacobi_of(info, kind);
  if (j == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  j->*field = value;
  return CUSOLVER_STATUS_SUCCESS;
}

// Known only after a call for one matrix.
template <class Value>
cusolverStatus_t get(void* info, uint32_t kind, Value sx_jacobi::*field, Value* value) {
  const sx_jacobi* const j = sx_jacobi_of(info, kind);
  if (j == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  if (j->known == 0) return CUSOLVER_STATUS_NOT_SUPPORTED;
  *value = j->*field;
  return CUSOLVER_STATUS_SUCCESS;
}

}  // namespace

cusolverStatus_t sx_jacobi_create(syevjInfo_t* info) { return create(info, SX_KIND_SYEVJ); }
cusolverStatus_t sx_jacobi_create(gesvdjInfo_t* info) { return create(info, SX_KIND_GESVDJ); }
cusolverStatus_t sx_jacobi_destroy(syevjInfo_t info) { return destroy(info, SX_KIND_SYEVJ); }
cusolverStatus_t sx_jacobi_destroy(gesvdjInfo_t info) { return destroy(info, SX_KIND_GESVDJ); }

cusolverStatus_t sx_jacobi_tolerance(syevjInfo_t info, double tolerance) {
  return set(info, SX_KIND_SYEVJ, &sx_jacobi::tolerance, tolerance);
}
cusolverStatus_t sx_jacobi_tolerance(gesvdjInfo_t info, double tolerance) {
  return set(info, SX_KIND_GESVDJ, &sx_jacobi::tolerance, tolerance);
}
cusolverStatus_t sx_jacobi_max_sweeps(syevjInfo_t info, int max_sweeps) {
  return set(info, SX_KIND_SYEVJ, &sx_jacobi::max_sweeps, max_sweeps);
}
cusolverStatus_t sx_jacobi_max_sweeps(gesvdjInfo_t info, int max_sweeps) {
  return set(info, SX_KIND_GESVDJ, &sx_jacobi::max_sweeps, max_sweeps);
}
cusolverStatus_t sx_jacobi_sort(syevjInfo_t info, int sort) { return set(info, SX_KIND_SYEVJ, &sx_jacobi::sort, sort); }
cusolverStatus_t sx_jacobi_sort(gesvdjInfo_t info, int sort) {
  return set(info, SX_KIND_GESVDJ, &sx_jacobi::sort, sort);
}
cusolverStatus_t sx_jacobi_residual(cusolverDnHandle_t, syevjInfo_t info, double* residual) {
  return get(info, SX_KIND_SYEVJ, &sx_jacobi::residual, residual);
}
cusolverStatus_t sx_jacobi_residual(cusolverDnHandle_t, gesvdjInfo_t info, double* residual) {
  return get(info, SX_KIND_GESVDJ, &sx_jacobi::residual, residual);
}
cusolverStatus_t sx_jacobi_sweeps(cusolverDnHandle_t, syevjInfo_t info, int* sweeps) {
  return get(info, SX_KIND_SYEVJ, &sx_jacobi::sweeps, sweeps);
}
cusolverStatus_t sx_jacobi_sweeps(cusolverDnHandle_t, gesvdjInfo_t info, int* sweeps) {
  return get(info, SX_KIND_GESVDJ, &sx_jacobi::sweeps, sweeps);
}
