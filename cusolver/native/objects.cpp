// Parameters of the 64-bit API and of iterative refinement, and what refinement tells about itself.
#include "objects.h"

#include <stdlib.h>

namespace {

template <class Handle>
cusolverStatus_t create(Handle* out, uint32_t kind) {
  void* const slot = sx_slot_new(kind);
  if (slot == nullptr) return CUSOLVER_STATUS_ALLOC_FAILED;
  *out = static_cast<Handle>(slot);
  return CUSOLVER_STATUS_SUCCESS;
}

template <class T, class U>
cusolverStatus_t keep(sx_irs_params* p, T sx_irs_params::*field, U value) {
  if (p == nullptr) return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
  p->*field = static_cast<T>(value);
  return CUSOLVER_STATUS_SUCCESS;
}

// A tolerance has no meaning before the precision that it is for; measured.
cusolverStatus_t keep_tolerance(sx_irs_params* p, double sx_irs_params::*field, double value) {
  if (p == nullptr) return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
  switch (p->main) {
    case CUSOLVER_R_32F:
    case CUSOLVER_R_64F:
    case CUSOLVER_C_32F:
    case CUSOLVER_C_64F:
      return keep(p, field, value);
    default:
      return CUSOLVER_STATUS_INVALID_VALUE;
  }
}

cusolverStatus_t tell(cusolverDnIRSInfos_t infos, int32_t sx_irs_infos::*field, cusolver_int_t* out) {
  const sx_irs_infos* const p = sx_irs_infos_of(infos);
  if (p == nullptr) return CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
  *out = p->*field;
  return CUSOLVER_STATUS_SUCCESS;
}

}  // namespace

// ---- the 64-bit API -------------------------------------------------------------------------------------------------

cusolverStatus_t sx_create_params(cusolverDnParams_t* params) { return create(params, SX_KIND_DN_PARAMS); }

// NULL is nothing to destroy; anything else that is no live object is no object.
cusolverStatus_t sx_destroy_params(cusolverDnParams_t params) {
  if (params == nullptr) return CUSOLVER_STATUS_SUCCESS;
  auto* const p = sx_object<sx_dn_params>(params, SX_KIND_DN_PARAMS);
  return sx_object_destroy(p, SX_KIND_DN_PARAMS, [](sx_dn_params*) {}) ? CUSOLVER_STATUS_SUCCESS
                                                                       : CUSOLVER_STATUS_INVALID_VALUE;
}

// Kept only: rocSOLVER chooses by itself.
cusolverStatus_t sx_set_adv_options(cusolverDnParams_t params, cusolverDnFunction_t function, cusolverAlgMode_t algo) {
  auto* const p = sx_object<sx_dn_params>(params, SX_KIND_DN_PARAMS);
  const auto which = static_cast<unsigned>(function);
  if (p == nullptr || which >= kFunctions) return CUSOLVER_STATUS_INVALID_VALUE;
  p->algorithm[which] = static_cast<int32_t>(algo);
  return CUSOLVER_STATUS_SUCCESS;
}

// ---- iterative refinement: parameters -------------------------------------------------------------------------------

cusolverStatus_t sx_irs_params_create(cusolverDnIRSParams_t* params) {
  const cusolverStatus_t status = create(params, SX_KIND_IRS_PARAMS);
  if (status == CUSOLVER_STATUS_SUCCESS) {
    sx_irs_params* const p = sx_irs_params_of(*params);
    p->refinement = CUSOLVER_IRS_REFINE_NOT_SET;
    p->max_iterations = p->max_inner = 50;
    p->fallback = 1;
  }
  return status;
}
cusolverStatus_t sx_irs_params_destroy(cusolverDnIRSParams_t params) {
  return sx_object_destroy(sx_irs_params_of(params), SX_KIND_IRS_PARAMS, [](sx_irs_params*) {})
             ? CUSOLVER_STATUS_SUCCESS
             : CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
}

cusolverStatus_t sx_irs_set_refinement(cusolverDnIRSParams_t params, cusolverIRSRefinement_t solver) {
  return keep(sx_irs_params_of(params), &sx_irs_params::refinement, solver);
}
cusolverStatus_t sx_irs_set_main(cusolverDnIRSParams_t params, cusolverPrecType_t precision) {
  return keep(sx_irs_params_of(params), &sx_irs_params::main, precision);
}
cusolverStatus_t sx_irs_set_lowest(cusolverDnIRSParams_t params, cusolverPrecType_t precision) {
  return keep(sx_irs_params_of(params), &sx_irs_params::lowest, precision);
}
cusolverStatus_t sx_irs_set_precisions(cusolverDnIRSParams_t params, cusolverPrecType_t main,
                                       cusolverPrecType_t lowest) {
  const cusolverStatus_t status = sx_irs_set_main(params, main);
  return status == CUSOLVER_STATUS_SUCCESS ? sx_irs_set_lowest(params, lowest) : status;
}
cusolverStatus_t sx_irs_set_tolerance(cusolverDnIRSParams_t params, double value) {
  return keep_tolerance(sx_irs_params_of(params), &sx_irs_params::tolerance, value);
}
cusolverStatus_t sx_irs_set_inner_tolerance(cusolverDnIRSParams_t params, double value) {
  return keep_tolerance(sx_irs_params_of(params), &sx_irs_params::inner_tolerance, value);
}
cusolverStatus_t sx_irs_set_iterations(cusolverDnIRSParams_t params, cusolver_int_t count) {
  return keep(sx_irs_params_of(params), &sx_irs_params::max_iterations, count);
}
cusolverStatus_t sx_irs_set_inner_iterations(cusolverDnIRSParams_t params, cusolver_int_t count) {
  return keep(sx_irs_params_of(params), &sx_irs_params::max_inner, count);
}
cusolverStatus_t sx_irs_get_iterations(cusolverDnIRSParams_t params, cusolver_int_t* count) {
  const sx_irs_params* const p = sx_irs_params_of(params);
  if (p == nullptr) return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
  *count = p->max_iterations;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t sx_irs_enable_fallback(cusolverDnIRSParams_t params) {
  return keep(sx_irs_params_of(params), &sx_irs_params::fallback, 1);
}
cusolverStatus_t sx_irs_disable_fallback(cusolverDnIRSParams_t params) {
  return keep(sx_irs_params_of(params), &sx_irs_params::fallback, 0);
}

// ---- iterative refinement: what a call tells ------------------------------------------------------------------------

cusolverStatus_t sx_irs_infos_create(cusolverDnIRSInfos_t* infos) { return create(infos, SX_KIND_IRS_INFOS); }
cusolverStatus_t sx_irs_infos_destroy(cusolverDnIRSInfos_t infos) {
  return sx_object_destroy(sx_irs_infos_of(infos), SX_KIND_IRS_INFOS, [](sx_irs_infos* p) { free(p->history); })
             ? CUSOLVER_STATUS_SUCCESS
             : CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
}
cusolverStatus_t sx_irs_get_niters(cusolverDnIRSInfos_t infos, cusolver_int_t* count) {
  return tell(infos, &sx_irs_infos::iterations, count);
}
cusolverStatus_t sx_irs_get_outer_niters(cusolverDnIRSInfos_t infos, cusolver_int_t* count) {
  return tell(infos, &sx_irs_infos::outer, count);
}
cusolverStatus_t sx_irs_get_max_iterations(cusolverDnIRSInfos_t infos, cusolver_int_t* count) {
  return tell(infos, &sx_irs_infos::max_iterations, count);
}
cusolverStatus_t sx_irs_request_residual(cusolverDnIRSInfos_t infos) {
  sx_irs_infos* const p = sx_irs_infos_of(infos);
  if (p == nullptr) return CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
  p->wants_history = 1;
  return CUSOLVER_STATUS_SUCCESS;
}
// Documented: it must have been requested before the solve.
cusolverStatus_t sx_irs_get_history(cusolverDnIRSInfos_t infos, void** history) {
  const sx_irs_infos* const p = sx_irs_infos_of(infos);
  if (p == nullptr) return CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
  if (p->wants_history == 0) return CUSOLVER_STATUS_INVALID_VALUE;
  *history = p->history;
  return CUSOLVER_STATUS_SUCCESS;
}
