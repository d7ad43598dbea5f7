// A ROCm whose functions do nothing and succeed: libamdhip64 and librocblas for tests of core and for measuring what a
// wrapper costs. Built twice, with NULL_HIP or NULL_ROCBLAS.
//
// NULLROCM_DEVICES (1), NULLROCM_HIP (70200000), NULLROCM_ROCBLAS ("5.2.0."), NULLROCM_FAIL (a function that fails)
#include "nullrocm.h"

#include <stdlib.h>
#include <string.h>
#include <stdio.h>

#include "scalex/rocm_table.h"

#define NULL_EXPORT extern "C" __attribute__((visibility("default")))

#ifdef NULL_HIP

static thread_local int current_device = 0;
NULL_EXPORT NullCounters nullrocm_hip;
NullCounters nullrocm_hip;

static int number(const char* name, int otherwise) {
  const char* text = getenv(name);
  return text ? atoi(text) : otherwise;
}

NULL_EXPORT hipError_t hipGetDeviceCount(int* count) {
  *count = number("NULLROCM_DEVICES", 1);
  return *count > 0 ? hipSuccess : hipErrorNoDevice;
}
NULL_EXPORT hipError_t hipRuntimeGetVersion(int* version) {
  *version = number("NULLROCM_HIP", 70253211);
  return hipSuccess;
}
NULL_EXPORT hipError_t hipGetDevice(int* device) {
  *device = current_device;
  return hipSuccess;
}
NULL_EXPORT hipError_t hipSetDevice(int device) {
  if (device < 0 || device >= number("NULLROCM_DEVICES", 1)) return hipErrorInvalidDevice;
  __atomic_fetch_add(&nullrocm_hip.set_device, 1, __ATOMIC_RELAXED);
  current_device = device;
  return hipSuccess;
}
NULL_EXPORT hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600* p, int) {
  memset(static_cast<void*>(p), 0, sizeof *p);
  snprintf(p->gcnArchName, sizeof p->gcnArchName, "%s", "gfx942:sramecc+:xnack-");
  return hipSuccess;
}
NULL_EXPORT hipError_t hipMalloc(void** p, size_t bytes) {
  return (*p = malloc(bytes)) ? hipSuccess : hipErrorOutOfMemory;
}
NULL_EXPORT hipError_t hipFree(void* p) {
  free(p);
  return hipSuccess;
}
NULL_EXPORT hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus* status) {
  // a stream at an odd multiple of 16 counts as capturing
  *status = (reinterpret_cast<uintptr_t>(stream) & 16u) ? hipStreamCaptureStatusActive : hipStreamCaptureStatusNone;
  return hipSuccess;
}
NULL_EXPORT hipError_t hipStreamSynchronize(hipStream_t) { return hipSuccess; }

#else

NULL_EXPORT NullCounters nullrocm_rocblas;
NullCounters nullrocm_rocblas;

static bool fails(const char* name) {
  const char* text = getenv("NULLROCM_FAIL");
  return text && strcmp(text, name) == 0;
}
static NullHandle* of(rocblas_handle h) { return reinterpret_cast<NullHandle*>(h); }
static void count(int64_t NullCounters::*which) { __atomic_fetch_add(&(nullrocm_rocblas.*which), 1, __ATOMIC_RELAXED); }

NULL_EXPORT rocblas_status rocblas_get_version_string(char* text, size_t n) {
  const char* version = getenv("NULLROCM_ROCBLAS");
  snprintf(text, n, "%s", version ? version : "5.2.0.");
  return rocblas_status_success;
}
NULL_EXPORT rocblas_status rocblas_create_handle(rocblas_handle* handle) {
  if (fails("rocblas_create_handle")) return rocblas_status_memory_error;
  auto* h = static_cast<NullHandle*>(calloc(1, sizeof(NullHandle)));
  h->live = kNullLive;
  h->atomics_mode = 1;  // as before ROCm 7: core must say what it wants
  *handle = reinterpret_cast<rocblas_handle>(h);
  count(&NullCounters::handles_created);
  return rocblas_status_success;
}
NULL_EXPORT rocblas_status rocblas_destroy_handle(rocblas_handle handle) {
  if (of(handle)->live != kNullLive || of(handle)->busy) abort();
  of(handle)->live = 0;
  free(of(handle));
  count(&NullCounters::handles_destroyed);
  return rocblas_status_success;
}
NULL_EXPORT rocblas_status rocblas_set_stream(rocblas_handle handle, hipStream_t stream) {
  if (fails("rocblas_set_stream")) return rocblas_status_invalid_value;
  of(handle)->stream = stream;
  return rocblas_status_success;
}
NULL_EXPORT rocblas_status rocblas_set_pointer_mode(rocblas_handle handle, rocblas_pointer_mode mode) {
  of(handle)->pointer_mode = mode;
  count(&NullCounters::settings);
  return rocblas_status_success;
}
NULL_EXPORT rocblas_status rocblas_set_atomics_mode(rocblas_handle handle, rocblas_atomics_mode mode) {
  of(handle)->atomics_mode = mode;
  count(&NullCounters::settings);
  return rocblas_status_success;
}
NULL_EXPORT rocblas_status rocblas_set_math_mode(rocblas_handle handle, rocblas_math_mode mode) {
  of(handle)->math_mode = mode;
  count(&NullCounters::settings);
  return rocblas_status_success;
}
NULL_EXPORT rocblas_status rocblas_set_workspace(rocblas_handle handle, void* p, size_t bytes) {
  of(handle)->workspace = p;
  of(handle)->workspace_bytes = bytes;
  count(&NullCounters::settings);
  return rocblas_status_success;
}
NULL_EXPORT rocblas_status rocblas_get_device_memory_size(rocblas_handle, size_t* bytes) {
  *bytes = size_t{32} << 20;
  return rocblas_status_success;
}

// A call that notices when its handle is used by two threads at once.
NULL_EXPORT rocblas_status rocblas_sdot(rocblas_handle handle, rocblas_int, const float*, rocblas_int, const float*,
                                        rocblas_int, float*) {
  if (__atomic_fetch_add(&of(handle)->busy, 1, __ATOMIC_ACQ_REL) != 0) count(&NullCounters::clashes);
  for (int i = 0; i < 50; ++i) __builtin_ia32_pause();
  __atomic_fetch_sub(&of(handle)->busy, 1, __ATOMIC_ACQ_REL);
  count(&NullCounters::calls);
  return rocblas_status_success;
}

#endif
