// The CUDA runtime's last error, one per thread. It is ours: a call into ROCm may flush HIP's.
#include "internal.h"

namespace {
__attribute__((tls_model("initial-exec"))) thread_local int last_error = 0;
}

SX_EXPORT int sx_runtime_error_set(int error) {
  if (error != 0) last_error = error;
  return error;
}

SX_EXPORT int sx_runtime_error_get(bool clear) {
  const int error = last_error;
  if (clear) last_error = 0;
  return error;
}
