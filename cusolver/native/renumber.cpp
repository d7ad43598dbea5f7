// rocSOLVER's infos as NVIDIA counts them.
#include <vector>

#include "scalex/launch.h"
#include "spectral.h"

namespace {

int renumbered(int code, int upto, int becomes, int above) {
  if (code > 0 && code <= upto) return becomes;
  return above > 0 && code > above ? code - above : code;
}

// Where no kernel can be compiled, through the host: the call waits, so a stream that captures is refused.
cusolverStatus_t on_host(const sx_solver& s, int* info, size_t count, int upto, int becomes, int above) {
  std::vector<int> codes(count);
  if (!sx_fetch(s.stream(), codes.data(), info, count * sizeof(int)) || !sx_wait(s.stream()))
    return CUSOLVER_STATUS_EXECUTION_FAILED;
  bool changed = false;
  for (int& code : codes) {
    const int now = renumbered(code, upto, becomes, above);
    changed |= now != code;
    code = now;
  }
  if (!changed) return CUSOLVER_STATUS_SUCCESS;
  const hipError_t sent =
      sx_rocm->hipMemcpyAsync(info, codes.data(), count * sizeof(int), hipMemcpyHostToDevice, s.stream());
  return sent == hipSuccess && sx_wait(s.stream()) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_EXECUTION_FAILED;
}

}  // namespace

cusolverStatus_t sx_renumber(const sx_solver& s, int* info, int64_t count, int upto, int becomes, int above) {
  if (count <= 0) return CUSOLVER_STATUS_SUCCESS;
  const sx_codes_args args{info, count, upto, becomes, above, 0};
  const int launched = sx_launch_codes(&args, s.stream());
  if (launched == hipSuccess) return CUSOLVER_STATUS_SUCCESS;
  if (launched != hipErrorNotSupported) return CUSOLVER_STATUS_EXECUTION_FAILED;
  return on_host(s, info, static_cast<size_t>(count), upto, becomes, above);
}
