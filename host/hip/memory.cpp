// Allocation, registration, pointer attributes, memory information.
#include "api.h"

using sx::Allocation;
using sx::finish;
using Kind = sx::Allocation::Kind;

namespace {

constexpr size_t pitch_alignment = 256;

hipError_t allocate(void** p, size_t bytes, Kind kind, unsigned flags) {
  hipError_t error = hipSuccess;
  *p = sx::device_alloc(bytes, sx::thread_state.device, kind, flags, true, &error);
  return error;
}

// Available at once: no order of the stream's work could tell.
hipError_t allocate_in_order(void** p, size_t bytes, hipMemPool_t pool, hipStream_t stream) {
  if (p == nullptr) return hipErrorInvalidValue;
  if (const hipError_t error = sx::stream_check(stream)) return error;
  if (sx::capturing(stream)) return hipErrorStreamCaptureUnsupported;
  *p = nullptr;
  if (bytes == 0) return hipSuccess;
  if (const hipError_t error = allocate(p, bytes, Kind::device, 0)) return error;
  sx::pool_take(pool, *p, bytes);
  return hipSuccess;
}

hipError_t release(void* p) {
  sx::pool_release(p);
  return sx::device_free(p, true);
}

bool multiply(size_t a, size_t b, size_t* out) { return !__builtin_mul_overflow(a, b, out); }

}  // namespace

extern "C" {

hipError_t hipMalloc(void** p, size_t bytes) {
  SX_REQUIRE(p != nullptr, hipErrorInvalidValue);
  SX_TRY(sx::refuse_in_capture());
  if (bytes == 0) {
    *p = nullptr;
    return finish(hipSuccess);
  }
  return finish(allocate(p, bytes, Kind::device, 0));
}

hipError_t hipExtMallocWithFlags(void** p, size_t bytes, unsigned flags) {
  SX_REQUIRE((flags & ~0x7u) == 0, hipErrorInvalidValue);
  return hipMalloc(p, bytes);
}

hipError_t hipMallocManaged(void** p, size_t bytes, unsigned flags) {
  SX_REQUIRE(p != nullptr && bytes != 0, hipErrorInvalidValue);
  SX_REQUIRE(flags == hipMemAttachGlobal || flags == hipMemAttachHost, hipErrorInvalidValue);
  SX_TRY(sx::refuse_in_capture());
  return finish(allocate(p, bytes, Kind::managed, flags));
}

hipError_t hipMallocPitch(void** p, size_t* pitch, size_t width, size_t height) {
  SX_REQUIRE(p != nullptr && pitch != nullptr, hipErrorInvalidValue);
  SX_TRY(sx::refuse_in_capture());
  if (width == 0 || height == 0) {
    *p = nullptr;
    *pitch = 0;
    return finish(hipSuccess);
  }
  const size_t row = (width + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
  size_t bytes;
  SX_REQUIRE(row >= width && multiply(row, height, &bytes), hipErrorOutOfMemory);
  *pitch = row;
  return finish(allocate(p, bytes, Kind::device, 0));
}

hipError_t hipMemAllocPitch(hipDeviceptr_t* p, size_t* pitch, size_t width, size_t height, unsigned element) {
  SX_REQUIRE(element == 4 || element == 8 || element == 16, hipErrorInvalidValue);
  SX_REQUIRE(width != 0 && height != 0, hipErrorInvalidValue);
  return hipMallocPitch(p, pitch, width, height);
}

hipError_t hipMalloc3D(hipPitchedPtr* p, hipExtent extent) {
  SX_REQUIRE(p != nullptr, hipErrorInvalidValue);
  size_t rows;
  SX_REQUIRE(multiply(extent.height, extent.depth, &rows), hipErrorOutOfMemory);
  p->xsize = extent.width;
  p->ysize = extent.height;
  return hipMallocPitch(&p->ptr, &p->pitch, extent.width, rows);
}

// hipFree waits for all work of the device.
hipError_t hipFree(void* p) {
  SX_TRY(sx::refuse_in_capture());
  if (p == nullptr) return finish(hipSuccess);
  Allocation a;
  SX_REQUIRE(sx::find_allocation(p, &a) && a.base == p, hipErrorInvalidValue);
  sx::wait_device(-1);
  return finish(release(p));
}

hipError_t hipMallocAsync(void** p, size_t bytes, hipStream_t stream) {
  return finish(allocate_in_order(p, bytes, nullptr, stream));
}

hipError_t hipMallocFromPoolAsync(void** p, size_t bytes, hipMemPool_t pool, hipStream_t stream) {
  SX_REQUIRE(sx::pool_alive(pool), hipErrorInvalidValue);
  return finish(allocate_in_order(p, bytes, pool, stream));
}

hipError_t hipFreeAsync(void* p, hipStream_t stream) {
  SX_TRY(sx::stream_check(stream));
  SX_REQUIRE(!sx::capturing(stream), hipErrorStreamCaptureUnsupported);
  SX_REQUIRE(p != nullptr, hipErrorInvalidValue);
  Allocation a;
  SX_REQUIRE(sx::find_allocation(p, &a) && a.base == p && sx::is_device_ptr(p), hipErrorInvalidValue);
  struct Free final : sx::Work {
    void* p;
    explicit Free(void* q) : p(q) {}
    void run() override { release(p); }
  };
  return finish(sx::submit(stream, std::make_shared<Free>(p), sx::Op::empty));
}

hipError_t hipHostMalloc(void** p, size_t bytes, unsigned flags) {
  SX_REQUIRE(p != nullptr, hipErrorInvalidValue);
  SX_TRY(sx::refuse_in_capture());
  if (bytes == 0) {
    *p = nullptr;
    return finish(hipSuccess);
  }
  const bool both = (flags & hipHostMallocCoherent) != 0 && (flags & hipHostMallocNonCoherent) != 0;
  SX_REQUIRE(!both, hipErrorInvalidValue);
  hipError_t error = hipSuccess;
  *p = sx::host_alloc(bytes, sx::thread_state.device, flags, &error);
  return finish(error);
}

hipError_t hipHostAlloc(void** p, size_t bytes, unsigned flags) { return hipHostMalloc(p, bytes, flags); }
hipError_t hipMallocHost(void** p, size_t bytes) { return hipHostMalloc(p, bytes, 0); }
hipError_t hipMemAllocHost(void** p, size_t bytes) { return hipHostMalloc(p, bytes, 0); }

hipError_t hipHostFree(void* p) {
  SX_TRY(sx::refuse_in_capture());
  if (p == nullptr) return finish(hipSuccess);
  Allocation a;
  SX_REQUIRE(sx::find_allocation(p, &a) && a.base == p, hipErrorInvalidValue);
  sx::wait_device(-1);
  return finish(sx::host_free(p));
}

hipError_t hipFreeHost(void* p) { return hipHostFree(p); }

hipError_t hipHostRegister(void* p, size_t bytes, unsigned flags) {
  SX_REQUIRE(p != nullptr && bytes != 0 && (flags & ~0x8000000fu) == 0, hipErrorInvalidValue);
  SX_TRY(sx::refuse_in_capture());
  return finish(sx::host_register(p, bytes, flags));
}

hipError_t hipHostUnregister(void* p) {
  SX_REQUIRE(p != nullptr, hipErrorInvalidValue);
  SX_TRY(sx::refuse_in_capture());
  sx::wait_device(-1);
  return finish(sx::host_unregister(p));
}

hipError_t hipHostGetDevicePointer(void** device, void* host, unsigned) {
  SX_REQUIRE(device != nullptr && host != nullptr, hipErrorInvalidValue);
  SX_REQUIRE(sx::find_allocation(host, nullptr), hipErrorInvalidValue);
  *device = host;
  return finish(hipSuccess);
}

hipError_t hipHostGetFlags(unsigned* flags, void* host) {
  SX_REQUIRE(flags != nullptr && host != nullptr, hipErrorInvalidValue);
  Allocation a;
  SX_REQUIRE(sx::find_allocation(host, &a), hipErrorInvalidValue);
  *flags = a.flags;
  return finish(hipSuccess);
}

hipError_t hipMemGetInfo(size_t* free_bytes, size_t* total) {
  SX_REQUIRE(free_bytes != nullptr || total != nullptr, hipErrorInvalidValue);
  size_t have, all;
  sx::memory_info(sx::thread_state.device, &have, &all);
  if (free_bytes != nullptr) *free_bytes = have;
  if (total != nullptr) *total = all;
  return finish(hipSuccess);
}

hipError_t hipMemPtrGetInfo(void* p, size_t* bytes) {
  SX_REQUIRE(p != nullptr && bytes != nullptr, hipErrorInvalidValue);
  Allocation a;
  SX_REQUIRE(sx::find_allocation(p, &a), hipErrorInvalidValue);
  *bytes = a.bytes;
  return finish(hipSuccess);
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t* base, size_t* bytes, hipDeviceptr_t p) {
  Allocation a;
  SX_REQUIRE(sx::find_allocation(p, &a), hipErrorNotFound);
  if (base != nullptr) *base = a.base;
  if (bytes != nullptr) *bytes = a.bytes;
  return finish(hipSuccess);
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t* out, const void* p) {
  SX_REQUIRE(out != nullptr && p != nullptr, hipErrorInvalidValue);
  memset(out, 0, sizeof *out);
  Allocation a;
  if (!sx::find_allocation(p, &a)) {
    out->type = hipMemoryTypeUnregistered;
    out->device = -1;
    return finish(sx::release() < 700 ? hipErrorInvalidValue : hipSuccess);
  }
  void* const at = const_cast<void*>(p);
  out->device = a.device;
  out->allocationFlags = a.flags;
  out->devicePointer = at;
  out->hostPointer = a.kind == Kind::device ? nullptr : at;
  out->isManaged = a.kind == Kind::managed;
  out->type = a.kind == Kind::device    ? hipMemoryTypeDevice
              : a.kind == Kind::managed ? hipMemoryTypeManaged
                                        : hipMemoryTypeHost;
  return finish(hipSuccess);
}

// Hints about managed memory: nothing to do, but wrong arguments are refused.
hipError_t hipMemPrefetchAsync(const void* p, size_t bytes, int device, hipStream_t stream) {
  SX_REQUIRE(p != nullptr && bytes != 0, hipErrorInvalidValue);
  SX_REQUIRE(device == -1 || sx::device_exists(device), hipErrorInvalidDevice);
  Allocation a;
  SX_REQUIRE(sx::find_allocation(p, &a) && a.kind == Kind::managed, hipErrorInvalidValue);
  return finish(sx::enqueue(
      stream, [] {}, sx::Op::empty));
}

hipError_t hipMemAdvise(const void* p, size_t bytes, hipMemoryAdvise, int device) {
  SX_REQUIRE(p != nullptr && bytes != 0, hipErrorInvalidValue);
  SX_REQUIRE(device == -1 || sx::device_exists(device), hipErrorInvalidDevice);
  return finish(hipSuccess);
}

}  // extern "C"
