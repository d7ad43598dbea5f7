// Device memory of a rocBLAS handle: size queries, the user's workspace, and what rocSOLVER borrows.
#include <cstdarg>
#include <new>
#include <vector>

#include "rb.h"

namespace {

constexpr size_t chunk = 64;
size_t round_up(size_t bytes) { return (bytes + chunk - 1) / chunk * chunk; }

rocblas_status set_optimal(rocblas_handle h, size_t bytes) {
  if (!h->size_query) return rocblas_status_size_query_mismatch;
  if (round_up(bytes) <= h->query_size) return rocblas_status_size_unchanged;
  h->query_size = round_up(bytes);
  return rocblas_status_size_increased;
}

// Makes ``bytes`` available: memory that rocBLAS manages grows, the user's is a hard limit.
rocblas_status reserve(rocblas_handle h, size_t bytes) {
  if (bytes <= h->memory_size) return rocblas_status_success;
  if (h->owner != _rocblas_handle::rocblas_managed || sx::capture_in_progress()) return rocblas_status_memory_error;
  if (h->memory) sx::internal_sync(h->stream);  // work that still uses the old memory
  sx::internal_free(h->memory);
  h->memory = sx::internal_alloc(bytes);
  h->memory_size = h->memory ? bytes : 0;
  return h->memory ? rocblas_status_success : rocblas_status_memory_error;
}

void drop(rocblas_handle h) {
  if (h->memory && h->owner != _rocblas_handle::user_owned) {
    sx::internal_sync(h->stream);
    sx::internal_free(h->memory);
  }
  h->memory = nullptr;
  h->memory_size = 0;
  h->owner = _rocblas_handle::rocblas_managed;
}

size_t total_size(size_t count, va_list sizes) {
  size_t total = 0;
  while (count--) total += round_up(va_arg(sizes, size_t));
  return total;
}

}  // namespace

// What rocSOLVER holds while it uses a handle's memory: one address per size asked for.
struct rocblas_device_malloc_base {
  std::vector<void*> pointers;
};

namespace sx::rb {

rocblas_status need(rocblas_handle h, size_t bytes) {
  if (h->size_query) return set_optimal(h, bytes);
  bytes = round_up(bytes);
  SX_TRY(reserve(h, bytes));
  if (SX_UNLIKELY(bytes && quirk(Quirk::workspace_poison))) {
    void* memory = h->memory;
    return status_of(enqueue(
        h->stream, [=] { poison(memory, bytes); }, Op::host));
  }
  return rocblas_status_success;
}

}  // namespace sx::rb

extern "C" {

rocblas_status rocblas_start_device_memory_size_query(rocblas_handle handle) {
  if (!handle) return rocblas_status_invalid_handle;
  if (handle->size_query) return rocblas_status_size_query_mismatch;
  handle->size_query = true;
  handle->query_size = 0;
  return rocblas_status_success;
}

rocblas_status rocblas_stop_device_memory_size_query(rocblas_handle handle, size_t* size) {
  if (!handle) return rocblas_status_invalid_handle;
  if (!handle->size_query) return rocblas_status_size_query_mismatch;
  if (!size) return rocblas_status_invalid_pointer;
  *size = handle->query_size;
  handle->size_query = false;
  return rocblas_status_success;
}

bool rocblas_is_device_memory_size_query(rocblas_handle handle) { return handle && handle->size_query; }

rocblas_status rocblas_get_device_memory_size(rocblas_handle handle, size_t* size) {
  if (!handle) return rocblas_status_invalid_handle;
  if (!size) return rocblas_status_invalid_pointer;
  *size = handle->memory_size;
  return rocblas_status_success;
}

rocblas_status rocblas_set_device_memory_size(rocblas_handle handle, size_t size) {
  if (!handle) return rocblas_status_invalid_handle;
  drop(handle);
  if (!size) return rocblas_status_success;
  handle->memory = sx::internal_alloc(round_up(size));
  if (!handle->memory) return rocblas_status_memory_error;
  handle->memory_size = round_up(size);
  handle->owner = _rocblas_handle::user_managed;
  return rocblas_status_success;
}

rocblas_status rocblas_set_workspace(rocblas_handle handle, void* addr, size_t size) {
  if (!handle) return rocblas_status_invalid_handle;
  drop(handle);
  if (size && addr) {
    handle->memory = addr;
    handle->memory_size = size;
    handle->owner = _rocblas_handle::user_owned;
  }
  return rocblas_status_success;
}

bool rocblas_is_managing_device_memory(rocblas_handle handle) {
  return handle && handle->owner == _rocblas_handle::rocblas_managed;
}
bool rocblas_is_user_managing_device_memory(rocblas_handle handle) {
  return handle && handle->owner == _rocblas_handle::user_managed;
}

void rocblas_device_malloc_set_default_memory_size(size_t) {}

rocblas_status rocblas_set_optimal_device_memory_size_impl(rocblas_handle handle, size_t count, ...) {
  if (!handle) return rocblas_status_invalid_handle;
  va_list sizes;
  va_start(sizes, count);
  const size_t total = total_size(count, sizes);
  va_end(sizes);
  return set_optimal(handle, total);
}

rocblas_status rocblas_device_malloc_alloc(rocblas_handle handle, rocblas_device_malloc_base** res, size_t count,
                                           ...) try {
  if (!handle) return rocblas_status_invalid_handle;
  if (!res) return rocblas_status_invalid_pointer;
  if (!count) return rocblas_status_invalid_size;
  *res = nullptr;
  va_list sizes;
  va_start(sizes, count);
  const size_t total = total_size(count, sizes);
  va_end(sizes);
  const rocblas_status status = sx::rb::need(handle, total);
  if (status != rocblas_status_success) return rocblas_status_memory_error;
  auto* held = new rocblas_device_malloc_base;
  char* address = static_cast<char*>(handle->memory);
  va_start(sizes, count);
  for (size_t i = 0; i < count; ++i) {
    const size_t size = round_up(va_arg(sizes, size_t));
    held->pointers.push_back(size ? address : nullptr);
    address += size;
  }
  va_end(sizes);
  *res = held;
  return rocblas_status_success;
} catch (...) {
  return sx::rb::failure();
}

bool rocblas_device_malloc_success(rocblas_device_malloc_base* ptr) { return ptr != nullptr; }

rocblas_status rocblas_device_malloc_ptr(rocblas_device_malloc_base* ptr, void** res) {
  if (!ptr || !res) return rocblas_status_invalid_pointer;
  *res = ptr->pointers[0];
  return rocblas_status_success;
}

rocblas_status rocblas_device_malloc_get(rocblas_device_malloc_base* ptr, size_t index, void** res) {
  if (!ptr || !res) return rocblas_status_invalid_pointer;
  if (index >= ptr->pointers.size()) return rocblas_status_invalid_size;
  *res = ptr->pointers[index];
  return rocblas_status_success;
}

rocblas_status rocblas_device_malloc_free(rocblas_device_malloc_base* ptr) {
  delete ptr;
  return rocblas_status_success;
}

}  // extern "C"
