// rocSOLVER's version of the impersonated release.
#include <string.h>

#include "scalex/host.h"
#include "scalex/rocm_rocsolver.h"

namespace {

struct Version {
  int rocm;
  const char* text;
};
// Releases whose number is known; the ones between answer as the one before.
constexpr Version versions[] = {{600, "3.24.0."}, {601, "3.25.0."}, {602, "3.26.0."},
                                {603, "3.27.0."}, {604, "3.28.0."}, {700, "3.30.0."},
                                {701, "3.31.0."}, {702, "3.32.0."}, {1001, "3.37.0."}};

const char* version() {
  const char* found = versions[0].text;
  for (const Version& v : versions) {
    if (sx::release() >= v.rocm) found = v.text;
  }
  return found;
}

}  // namespace

extern "C" {

rocblas_status rocsolver_get_version_string(char* buf, size_t len) {
  if (buf == nullptr) return rocblas_status_invalid_pointer;
  if (len <= strlen(version())) return rocblas_status_invalid_size;
  strcpy(buf, version());
  return rocblas_status_success;
}

rocblas_status rocsolver_get_version_string_size(size_t* len) {
  if (len == nullptr) return rocblas_status_invalid_pointer;
  *len = strlen(version()) + 1;
  return rocblas_status_success;
}

}  // extern "C"
