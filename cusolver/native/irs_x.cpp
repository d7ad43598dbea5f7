// gesv and gels with the precisions in an object of parameters, and what they tell in an object of infos.
#include <cstdlib>

#include "irs.h"
#include "objects.h"

using namespace sx_irs;

namespace {

bool real_main(int main) { return main == CUSOLVER_R_64F || main == CUSOLVER_R_32F; }
bool known_main(int main) { return real_main(main) || main == CUSOLVER_C_64F || main == CUSOLVER_C_32F; }

// Bits of a precision, for the order of main and lowest one; 0: unknown. The kind of number has to be the same.
int bits_of(int precision) {
  switch (precision) {
    case CUSOLVER_R_64F:
    case CUSOLVER_C_64F:
      return 64;
    case CUSOLVER_R_32F:
    case CUSOLVER_C_32F:
      return 32;
    case CUSOLVER_R_TF32:
    case CUSOLVER_C_TF32:
      return 19;
    case CUSOLVER_R_16F:
    case CUSOLVER_C_16F:
    case CUSOLVER_R_16BF:
    case CUSOLVER_C_16BF:
      return 16;
    default:
      return 0;
  }
}
bool real_precision(int precision) { return precision < CUSOLVER_C_8I; }

cusolverStatus_t precisions(const sx_irs_params& p) {
  const bool fit = known_main(p.main) && bits_of(p.lowest) != 0 && bits_of(p.lowest) <= bits_of(p.main) &&
                   real_precision(p.lowest) == real_precision(p.main);
  return fit ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC;
}
// Both objects are valid, and the parameters go together.
cusolverStatus_t acceptable(const sx_irs_params* p, const sx_irs_infos* told) {
  if (p == nullptr) return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
  if (told == nullptr) return CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
  const cusolverStatus_t status = precisions(*p);
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  if (p->refinement <= CUSOLVER_IRS_REFINE_NOT_SET || p->refinement > CUSOLVER_IRS_REFINE_GMRES_NOPCOND) {
    return CUSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE;
  }
  return p->max_iterations < 0 ? CUSOLVER_STATUS_IRS_PARAMS_INVALID_MAXITER : CUSOLVER_STATUS_SUCCESS;
}

template <class Body>
cusolverStatus_t of_main(int main, const Body& body) {
  switch (main) {
    case CUSOLVER_R_32F:
      return body(float{});
    case CUSOLVER_R_64F:
      return body(double{});
    case CUSOLVER_C_32F:
      return body(cuComplex{});
    case CUSOLVER_C_64F:
      return body(cuDoubleComplex{});
    default:
      return CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC;
  }
}

// Room for the residuals of the next solve, when they were requested.
template <class T>
bool make_history(sx_irs_infos* infos, int most, int columns, Report<T>* report) {
  if (infos->wants_history == 0) return true;
  free(infos->history);
  infos->history = calloc((static_cast<size_t>(most) + 1) * static_cast<size_t>(columns), sizeof(Real<T>));
  report->history = static_cast<Real<T>*>(infos->history);
  return infos->history != nullptr;
}

void tell(sx_irs_infos* infos, int iterations, int most, int* out) {
  infos->iterations = infos->outer = iterations;
  infos->max_iterations = most;
  if (out != nullptr) *out = iterations;
}

}  // namespace

// Measured: a size needs the main precision and some lowest one, whether or not the two go together.
cusolverStatus_t sx_irs_x_gesv_size(cusolverDnHandle_t handle, cusolverDnIRSParams_t params, int n, int nrhs,
                                    size_t* bytes) {
  const sx_irs_params* const p = sx_irs_params_of(params);
  if (p == nullptr) return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
  if (!known_main(p->main) || bits_of(p->lowest) == 0) return CUSOLVER_STATUS_IRS_PARAMS_INVALID;
  return of_main(p->main, [&](auto one) { return gesv_bytes<decltype(one)>(handle, n, nrhs, bytes); });
}

cusolverStatus_t sx_irs_x_gesv(cusolverDnHandle_t handle, cusolverDnIRSParams_t params, cusolverDnIRSInfos_t infos,
                               int n, int nrhs, void* A, int ldda, void* B, int lddb, void* X, int lddx, void* work,
                               size_t bytes, int* iterations, int* info) {
  const sx_irs_params* const p = sx_irs_params_of(params);
  sx_irs_infos* const told = sx_irs_infos_of(infos);
  const cusolverStatus_t fit = acceptable(p, told);
  if (fit != CUSOLVER_STATUS_SUCCESS) return fit;
  return of_main(p->main, [&](auto one) {
    using T = decltype(one);
    size_t need = 0;
    const cusolverStatus_t status = gesv_bytes<T>(handle, n, nrhs, &need);
    if (status != CUSOLVER_STATUS_SUCCESS) return status;
    if (bytes < need) return kShort;
    Report<T> report;
    report.most = p->max_iterations;
    report.refine = p->refinement != CUSOLVER_IRS_REFINE_NONE;
    report.fallback = p->fallback != 0;
    report.tolerance = p->tolerance;
    if (!make_history(told, report.most, nrhs, &report)) return CUSOLVER_STATUS_ALLOC_FAILED;
    int count = 0;
    const Gesv<T> g{
        n, nrhs, {static_cast<T*>(A), ldda}, nullptr, {static_cast<T*>(B), lddb}, {static_cast<T*>(X), lddx}, info};
    const cusolverStatus_t done = gesv<T>(handle, g, work, bytes, report, &count);
    if (done == CUSOLVER_STATUS_SUCCESS) tell(told, count, report.most, iterations);
    return done;
  });
}

cusolverStatus_t sx_irs_x_gels_size(cusolverDnHandle_t handle, cusolverDnIRSParams_t params, int m, int n, int nrhs,
                                    size_t* bytes) {
  const sx_irs_params* const p = sx_irs_params_of(params);
  if (p == nullptr) return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
  if (!known_main(p->main) || bits_of(p->lowest) == 0) return CUSOLVER_STATUS_IRS_PARAMS_INVALID;
  return of_main(p->main, [&](auto one) { return gels_bytes<decltype(one)>(handle, m, n, nrhs, bytes); });
}

cusolverStatus_t sx_irs_x_gels(cusolverDnHandle_t handle, cusolverDnIRSParams_t params, cusolverDnIRSInfos_t infos,
                               int m, int n, int nrhs, void* A, int ldda, void* B, int lddb, void* X, int lddx,
                               void* work, size_t bytes, int* iterations, int* info) {
  const sx_irs_params* const p = sx_irs_params_of(params);
  sx_irs_infos* const told = sx_irs_infos_of(infos);
  const cusolverStatus_t fit = acceptable(p, told);
  if (fit != CUSOLVER_STATUS_SUCCESS) return fit;
  return of_main(p->main, [&](auto one) {
    using T = decltype(one);
    size_t need = 0;
    const cusolverStatus_t status = gels_bytes<T>(handle, m, n, nrhs, &need);
    if (status != CUSOLVER_STATUS_SUCCESS) return status;
    if (bytes < need) return kShort;
    int count = 0;
    const Gels<T> g{m,   n, nrhs, {static_cast<T*>(A), ldda}, {static_cast<T*>(B), lddb}, {static_cast<T*>(X), lddx},
                    info};
    const cusolverStatus_t done = gels<T>(handle, g, work, bytes, p->max_iterations, &count);
    if (done == CUSOLVER_STATUS_SUCCESS) tell(told, count, p->max_iterations, iterations);
    return done;
  });
}
