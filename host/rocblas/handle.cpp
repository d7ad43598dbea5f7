// The rocBLAS handle: creation, modes, streams, names of statuses, the version.
#include <cstdio>
#include <cstdlib>
#include <new>

#include <cblas.h>

#include "rb.h"

namespace sx::rb {

rocblas_status failure() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return rocblas_status_memory_error;
  } catch (...) {
    return rocblas_status_internal_error;
  }
}

rocblas_status status_of(hipError_t error) {
  switch (error) {
    case hipSuccess:
      return rocblas_status_success;
    case hipErrorOutOfMemory:
      return rocblas_status_memory_error;
    case hipErrorInvalidValue:
      return rocblas_status_invalid_pointer;
    case hipErrorInvalidDevicePointer:
      return rocblas_status_invalid_pointer;
    case hipErrorInvalidDevice:
      return rocblas_status_invalid_handle;
    case hipErrorInvalidHandle:
      return rocblas_status_invalid_handle;
    case hipErrorUnknown:
      return rocblas_status_internal_error;
    default:
      return rocblas_status_internal_error;
  }
}

rocblas_status launched(rocblas_handle h, hipError_t error) {
  (void)h;
  if (SX_UNLIKELY(quirk(Quirk::flush_last_error))) flush_last_error();
  return status_of(error);
}

rocblas_status fetch(rocblas_handle h, void* to, const void* from, size_t bytes) {
  SX_TRY(status_of(enqueue(
      h->stream, [=] { memcpy(to, from, bytes); }, Op::copy)));
  count(&Counters::syncs);
  return status_of(internal_sync(h->stream));
}

void single_threaded_blas() {
  static const bool done = [] {
    scipy_openblas_set_num_threads64_(1);
    return true;
  }();
  (void)done;
}

// ROCm release -> rocBLAS version.
static const char* version() {
  struct Version {
    int release;
    const char* text;
  };
  static const Version versions[] = {{1001, "5.3.0."}, {702, "5.2.0."}, {701, "5.1.0."},
                                     {700, "5.0.0."},  {604, "4.4.0."}, {603, "4.3.0."},
                                     {602, "4.2.0."},  {601, "4.1.0."}, {600, "4.0.0."}};
  for (const Version& v : versions)
    if (release() >= v.release) return v.text;
  return "3.1.0.";
}

static rocblas_status copy_string(const char* text, char* buffer, size_t length) {
  if (!buffer) return rocblas_status_invalid_pointer;
  if (length < strlen(text) + 1) return rocblas_status_invalid_size;
  memcpy(buffer, text, strlen(text) + 1);
  return rocblas_status_success;
}

static rocblas_status string_size(const char* text, size_t* length) {
  if (!length) return rocblas_status_invalid_pointer;
  *length = strlen(text) + 1;
  return rocblas_status_success;
}

static rocblas_status create(rocblas_handle* handle) {
  if (!handle) return rocblas_status_invalid_handle;
  if (quirk(Quirk::create_allocates) && capture_in_progress()) return rocblas_status_internal_error;
  single_threaded_blas();
  auto* h = new _rocblas_handle;
  h->device = current_device();
  // Allowed until ROCm 7.0 made reproducible results the default.
  h->atomics_mode = release() >= 700 ? rocblas_atomics_not_allowed : rocblas_atomics_allowed;
  h->memory_size = arch_is("gfx942") || arch_is("gfx950") ? size_t{128} << 20 : size_t{32} << 20;
  if (const char* fixed = getenv("ROCBLAS_DEVICE_MEMORY_SIZE")) {  // the program's own choice: never grown
    if (const size_t size = strtoull(fixed, nullptr, 10)) {
      h->memory_size = size;
      h->owner = _rocblas_handle::user_managed;
    }
  }
  h->memory = internal_alloc(h->memory_size);
  if (!h->memory) {
    delete h;
    return rocblas_status_memory_error;
  }
  *handle = h;
  return rocblas_status_success;
}

template <class T>
static rocblas_status get(rocblas_handle h, T _rocblas_handle::*member, T* value) {
  if (!h) return rocblas_status_invalid_handle;
  if (!value) return rocblas_status_invalid_pointer;
  *value = h->*member;
  return rocblas_status_success;
}

template <class T>
static rocblas_status set(rocblas_handle h, T _rocblas_handle::*member, T value) {
  if (!h) return rocblas_status_invalid_handle;
  h->*member = value;
  return rocblas_status_success;
}

}  // namespace sx::rb

using namespace sx::rb;

extern "C" {

rocblas_status rocblas_create_handle(rocblas_handle* handle) try { return create(handle); } catch (...) {
  return failure();
}

rocblas_status rocblas_destroy_handle(rocblas_handle handle) {
  if (!handle) return rocblas_status_invalid_handle;
  if (handle->owner != _rocblas_handle::user_owned) sx::internal_free(handle->memory);
  delete handle;
  return rocblas_status_success;
}

rocblas_status rocblas_set_stream(rocblas_handle handle, hipStream_t stream) {
  if (!handle) return rocblas_status_invalid_handle;
  if (!sx::stream_valid(stream) || (stream && sx::stream_device(stream) != handle->device))
    return rocblas_status_invalid_value;
  handle->stream = stream;
  return rocblas_status_success;
}
rocblas_status rocblas_get_stream(rocblas_handle handle, hipStream_t* stream) {
  return get(handle, &_rocblas_handle::stream, stream);
}

rocblas_status rocblas_set_pointer_mode(rocblas_handle handle, rocblas_pointer_mode mode) {
  return set(handle, &_rocblas_handle::pointer_mode, mode);
}
rocblas_status rocblas_get_pointer_mode(rocblas_handle handle, rocblas_pointer_mode* mode) {
  return get(handle, &_rocblas_handle::pointer_mode, mode);
}
rocblas_status rocblas_set_atomics_mode(rocblas_handle handle, rocblas_atomics_mode mode) {
  return set(handle, &_rocblas_handle::atomics_mode, mode);
}
rocblas_status rocblas_get_atomics_mode(rocblas_handle handle, rocblas_atomics_mode* mode) {
  return get(handle, &_rocblas_handle::atomics_mode, mode);
}

// An unsupported mode is ignored, and success.
rocblas_status rocblas_set_math_mode(rocblas_handle handle, rocblas_math_mode mode) {
  if (!handle) return rocblas_status_invalid_handle;
  if (mode == rocblas_default_math || (mode == rocblas_xf32_xdl_math_op && sx::arch_is("gfx942")))
    handle->math_mode = mode;
  return rocblas_status_success;
}
rocblas_status rocblas_get_math_mode(rocblas_handle handle, rocblas_math_mode* mode) {
  return get(handle, &_rocblas_handle::math_mode, mode);
}
rocblas_status rocblas_set_performance_metric(rocblas_handle handle, rocblas_performance_metric metric) {
  return set(handle, &_rocblas_handle::metric, metric);
}
rocblas_status rocblas_get_performance_metric(rocblas_handle handle, rocblas_performance_metric* metric) {
  return get(handle, &_rocblas_handle::metric, metric);
}

rocblas_pointer_mode rocblas_pointer_to_mode(void* ptr) {
  return sx::is_device_ptr(ptr) ? rocblas_pointer_mode_device : rocblas_pointer_mode_host;
}

// Tuning aids: there are no solutions to choose from and no kernels to time, so these record nothing.
rocblas_status rocblas_set_start_stop_events(rocblas_handle handle, hipEvent_t, hipEvent_t) {
  return handle ? rocblas_status_success : rocblas_status_invalid_handle;
}
rocblas_status rocblas_set_solution_fitness_query(rocblas_handle handle, double*) {
  return handle ? rocblas_status_success : rocblas_status_invalid_handle;
}

void rocblas_initialize() { single_threaded_blas(); }

void rocblas_abort() { abort(); }

rocblas_status rocblas_get_version_string(char* buf, size_t len) { return copy_string(version(), buf, len); }
rocblas_status rocblas_get_version_string_size(size_t* len) { return string_size(version(), len); }
rocblas_status rocblas_get_commit_hash_string(char* buf, size_t len) { return copy_string("scale-x-host", buf, len); }
rocblas_status rocblas_get_commit_hash_string_size(size_t* len) { return string_size("scale-x-host", len); }

const char* rocblas_status_to_string(rocblas_status status) {
  switch (status) {
#define SX_CASE(name) \
  case name:          \
    return #name;
    SX_CASE(rocblas_status_success)
    SX_CASE(rocblas_status_invalid_handle)
    SX_CASE(rocblas_status_not_implemented)
    SX_CASE(rocblas_status_invalid_pointer)
    SX_CASE(rocblas_status_invalid_size)
    SX_CASE(rocblas_status_memory_error)
    SX_CASE(rocblas_status_internal_error)
    SX_CASE(rocblas_status_perf_degraded)
    SX_CASE(rocblas_status_size_query_mismatch)
    SX_CASE(rocblas_status_size_increased)
    SX_CASE(rocblas_status_size_unchanged)
    SX_CASE(rocblas_status_invalid_value)
    SX_CASE(rocblas_status_continue)
    SX_CASE(rocblas_status_check_numerics_fail)
    SX_CASE(rocblas_status_excluded_from_build)
    SX_CASE(rocblas_status_arch_mismatch)
#undef SX_CASE
  }
  return "<undefined rocblas_status value>";
}

}  // extern "C"
