// hipBLASLt's handle, versions and names.
#include <cstdio>
#include <cstdlib>
#include <new>

#include "lt.h"

namespace sx::lt {

hipblasStatus_t failure() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return HIPBLAS_STATUS_ALLOC_FAILED;
  } catch (...) {
    return HIPBLAS_STATUS_INTERNAL_ERROR;
  }
}

namespace {

// ROCm release -> hipBLASLt version, 100000 major + 100 minor + patch.
int version() {
  struct Version {
    int release, number;
  };
  static const Version versions[] = {{1001, 100500}, {1000, 100400}, {702, 100202}, {701, 100100}, {700, 100000},
                                     {604, 1200},    {603, 1000},    {602, 800},    {601, 700},    {600, 600}};
  for (const Version& v : versions)
    if (release() >= v.release) return v.number;
  return 300;
}

constexpr size_t synchronizer_bytes = size_t{16} * 40960 * sizeof(int);

hipblasStatus_t create(hipblasLtHandle_t* handle) {
  if (!handle) return HIPBLAS_STATUS_INVALID_VALUE;
  if (capture_in_progress()) {
    if (quirk(Quirk::lt_create_exits)) {
      fprintf(stderr, "hipblasLtCreate: hipMalloc failed while a stream is capturing\n");
      exit(EXIT_FAILURE);
    }
    return HIPBLAS_STATUS_INTERNAL_ERROR;
  }
  rb::single_threaded_blas();
  auto* h = new Handle;
  h->device = current_device();
  h->synchronizer = internal_alloc(synchronizer_bytes);
  if (!h->synchronizer) {
    delete h;
    return HIPBLAS_STATUS_ALLOC_FAILED;
  }
  *handle = h;
  return HIPBLAS_STATUS_SUCCESS;
}

hipblasStatus_t sm_count(hipblasLtHandle_t handle, int32_t count) {
  if (!handle) return HIPBLAS_STATUS_NOT_INITIALIZED;
  if (count < 0) return HIPBLAS_STATUS_INVALID_VALUE;
  of(handle)->sm_count = count;
  return HIPBLAS_STATUS_SUCCESS;
}

}  // namespace
}  // namespace sx::lt

using namespace sx::lt;

extern "C" {

hipblasStatus_t hipblasLtCreate(hipblasLtHandle_t* handle) try { return create(handle); } catch (...) {
  return failure();
}

hipblasStatus_t hipblasLtDestroy(const hipblasLtHandle_t handle) {
  if (!handle) return HIPBLAS_STATUS_INVALID_VALUE;
  sx::internal_free(of(handle)->synchronizer);
  of(handle)->magic = 0;
  delete of(handle);
  return HIPBLAS_STATUS_SUCCESS;
}

hipblasStatus_t hipblasLtGetVersion(hipblasLtHandle_t handle, int* number) {
  if (!handle) return HIPBLAS_STATUS_NOT_INITIALIZED;
  if (!number) return HIPBLAS_STATUS_INVALID_VALUE;
  *number = version();
  return HIPBLAS_STATUS_SUCCESS;
}

hipblasStatus_t hipblasLtGetGitRevision(hipblasLtHandle_t handle, char* rev) {
  if (!handle) return HIPBLAS_STATUS_NOT_INITIALIZED;
  if (!rev) return HIPBLAS_STATUS_INVALID_VALUE;
  memcpy(rev, "scale-x-host", sizeof "scale-x-host");
  return HIPBLAS_STATUS_SUCCESS;
}

// The caller frees the name, which has no terminating zero until the library that counts it (none yet).
hipblasStatus_t hipblasLtGetArchName(char** name) {
  if (!name) return HIPBLAS_STATUS_INVALID_VALUE;
  const size_t length = strlen(sx::arch());
  *name = static_cast<char*>(malloc(length + 1));
  if (!*name) return HIPBLAS_STATUS_ALLOC_FAILED;
  memcpy(*name, sx::arch(), length + 1);
  return HIPBLAS_STATUS_SUCCESS;
}

hipblasStatus_t hipblasLtSetSmCountTarget(hipblasLtHandle_t handle, int32_t count) { return sm_count(handle, count); }

hipblasStatus_t hipblasLtGetSmCountTarget(hipblasLtHandle_t handle, int32_t* count) {
  if (!handle) return HIPBLAS_STATUS_NOT_INITIALIZED;
  if (!count) return HIPBLAS_STATUS_INVALID_VALUE;
  *count = of(handle)->sm_count;
  return HIPBLAS_STATUS_SUCCESS;
}

}  // extern "C"
