// Fills. On device memory they are asynchronous, also the ones without "Async".
#include "api.h"

using sx::finish;

namespace {

template <class T>
void fill_rows(char* dst, size_t pitch, T value, size_t width, size_t height) {
  for (size_t y = 0; y < height; ++y) {
    T* const row = reinterpret_cast<T*>(dst + y * pitch);
    for (size_t x = 0; x < width; ++x) row[x] = value;
  }
}

template <>
void fill_rows<unsigned char>(char* dst, size_t pitch, unsigned char value, size_t width, size_t height) {
  if (height == 1 || pitch == width) {
    sx::fill_bytes(dst, value, width * height);
    return;
  }
  for (size_t y = 0; y < height; ++y) memset(dst + y * pitch, value, width);
}

// ``width`` in elements of T. Blocking calls wait for memory that the host can read.
template <class T>
hipError_t fill(void* dst, size_t pitch, T value, size_t width, size_t height, hipStream_t stream, bool blocking) {
  if (blocking) {
    if (const hipError_t error = sx::refuse_in_capture()) return error;
  }
  if (width == 0 || height == 0) return sx::stream_check(stream);
  if (dst == nullptr || (height > 1 && pitch < width * sizeof(T))) return hipErrorInvalidValue;
  sx::Allocation a;
  if (!sx::find_allocation(dst, &a)) return hipErrorInvalidValue;
  const size_t reach = (height - 1) * pitch + width * sizeof(T);
  if (reach > a.bytes - static_cast<size_t>(static_cast<char*>(dst) - a.base)) return hipErrorInvalidValue;
  char* const to = static_cast<char*>(dst);
  const auto body = [=] { fill_rows<T>(to, pitch, value, width, height); };
  if (const hipError_t error = sx::enqueue(stream, body, sx::Op::memset)) return error;
  return blocking && a.kind != sx::Allocation::Kind::device ? sx::internal_sync(stream) : hipSuccess;
}

hipError_t fill_volume(const hipPitchedPtr& p, int value, const hipExtent& e, hipStream_t stream, bool blocking) {
  if (e.width == 0 || e.height == 0 || e.depth == 0) return sx::stream_check(stream);
  if (p.pitch < e.width || p.ysize < e.height) return hipErrorInvalidValue;
  const auto byte = static_cast<unsigned char>(value);
  if (e.height == p.ysize) return fill(p.ptr, p.pitch, byte, e.width, e.height * e.depth, stream, blocking);
  for (size_t z = 0; z < e.depth; ++z) {
    char* const slice = static_cast<char*>(p.ptr) + z * p.pitch * p.ysize;
    if (const hipError_t error = fill(slice, p.pitch, byte, e.width, e.height, stream, blocking)) return error;
  }
  return hipSuccess;
}

unsigned char byte_of(int value) { return static_cast<unsigned char>(value); }

}  // namespace

extern "C" {

hipError_t hipMemset(void* dst, int value, size_t bytes) {
  return finish(fill(dst, bytes, byte_of(value), bytes, 1, nullptr, true));
}
hipError_t hipMemsetAsync(void* dst, int value, size_t bytes, hipStream_t stream) {
  return finish(fill(dst, bytes, byte_of(value), bytes, 1, stream, false));
}
hipError_t hipMemsetD8(hipDeviceptr_t dst, unsigned char value, size_t count) {
  return finish(fill(dst, count, value, count, 1, nullptr, true));
}
hipError_t hipMemsetD8Async(hipDeviceptr_t dst, unsigned char value, size_t count, hipStream_t stream) {
  return finish(fill(dst, count, value, count, 1, stream, false));
}
hipError_t hipMemsetD16(hipDeviceptr_t dst, unsigned short value, size_t count) {
  return finish(fill(dst, 2 * count, value, count, 1, nullptr, true));
}
hipError_t hipMemsetD16Async(hipDeviceptr_t dst, unsigned short value, size_t count, hipStream_t stream) {
  return finish(fill(dst, 2 * count, value, count, 1, stream, false));
}
hipError_t hipMemsetD32(hipDeviceptr_t dst, int value, size_t count) {
  return finish(fill(dst, 4 * count, value, count, 1, nullptr, true));
}
hipError_t hipMemsetD32Async(hipDeviceptr_t dst, int value, size_t count, hipStream_t stream) {
  return finish(fill(dst, 4 * count, value, count, 1, stream, false));
}
hipError_t hipMemset2D(void* dst, size_t pitch, int value, size_t width, size_t height) {
  return finish(fill(dst, pitch, byte_of(value), width, height, nullptr, true));
}
hipError_t hipMemset2DAsync(void* dst, size_t pitch, int value, size_t width, size_t height, hipStream_t stream) {
  return finish(fill(dst, pitch, byte_of(value), width, height, stream, false));
}
hipError_t hipMemset3D(hipPitchedPtr p, int value, hipExtent extent) {
  return finish(fill_volume(p, value, extent, nullptr, true));
}
hipError_t hipMemset3DAsync(hipPitchedPtr p, int value, hipExtent extent, hipStream_t stream) {
  return finish(fill_volume(p, value, extent, stream, false));
}

}  // extern "C"
