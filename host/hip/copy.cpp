// Copies. A pageable host buffer is done with when the call returns; memory that HIP allocated or registered is not.
#include "api.h"

using sx::Allocation;
using sx::finish;

namespace {

struct Box {
  char* dst;
  size_t dst_pitch, dst_slice;
  const char* src;
  size_t src_pitch, src_slice;
  size_t width, height, depth;
};

void copy_box(const Box& b) {
  if (b.width == b.dst_pitch && b.width == b.src_pitch && b.depth == 1) {
    sx::copy_bytes(b.dst, b.src, b.width * b.height);
    return;
  }
  for (size_t z = 0; z < b.depth; ++z) {
    for (size_t y = 0; y < b.height; ++y) {
      memmove(b.dst + z * b.dst_slice + y * b.dst_pitch, b.src + z * b.src_slice + y * b.src_pitch, b.width);
    }
  }
}

bool kind_valid(hipMemcpyKind kind) {
  return static_cast<unsigned>(kind) <= hipMemcpyDefault || kind == hipMemcpyDeviceToDeviceNoCU;
}

// As AMD's runtime checks: ranges of allocations, and two plain host pointers need a kind that allows them.
hipError_t check_range(const void* dst, size_t dst_bytes, const void* src, size_t src_bytes, hipMemcpyKind kind,
                       bool* pageable) {
  if (dst == nullptr || src == nullptr) return hipErrorInvalidValue;
  if (!kind_valid(kind)) return hipErrorInvalidMemcpyDirection;
  Allocation d, s;
  const bool dst_known = sx::find_allocation(dst, &d), src_known = sx::find_allocation(src, &s);
  const auto offset = [](const void* p, const Allocation& a) {
    return static_cast<size_t>(static_cast<const char*>(p) - a.base);
  };
  if (dst_known && dst_bytes > d.bytes - offset(dst, d)) return hipErrorInvalidValue;
  if (src_known && src_bytes > s.bytes - offset(src, s)) return hipErrorInvalidValue;
  if ((!dst_known && sx::is_device_ptr(dst)) || (!src_known && sx::is_device_ptr(src))) return hipErrorInvalidValue;
  if (!dst_known && !src_known && kind != hipMemcpyHostToHost && kind != hipMemcpyDefault) return hipErrorInvalidValue;
  *pageable = !dst_known || !src_known;
  return hipSuccess;
}

hipError_t put(const Box& box, hipStream_t stream, bool wait) {
  if (const hipError_t error = sx::enqueue(
          stream, [box] { copy_box(box); }, sx::Op::copy))
    return error;
  return wait && !sx::capturing(stream) ? sx::internal_sync(stream) : hipSuccess;
}

hipError_t linear(void* dst, const void* src, size_t bytes, hipMemcpyKind kind, hipStream_t stream, bool blocking) {
  if (blocking) {
    if (const hipError_t error = sx::refuse_in_capture()) return error;
  }
  if (bytes == 0) return sx::stream_check(stream);
  bool pageable = false;
  if (const hipError_t error = check_range(dst, bytes, src, bytes, kind, &pageable)) return error;
  return put({static_cast<char*>(dst), bytes, 0, static_cast<const char*>(src), bytes, 0, bytes, 1, 1}, stream,
             blocking || pageable);
}

hipError_t plane(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                 hipMemcpyKind kind, hipStream_t stream, bool blocking) {
  if (blocking) {
    if (const hipError_t error = sx::refuse_in_capture()) return error;
  }
  if (width == 0 || height == 0) return sx::stream_check(stream);
  if (dst == nullptr || src == nullptr) return hipErrorInvalidValue;
  if (dpitch < width || spitch < width) return hipErrorInvalidPitchValue;
  bool pageable = false;
  const size_t dst_bytes = dpitch * (height - 1) + width, src_bytes = spitch * (height - 1) + width;
  if (const hipError_t error = check_range(dst, dst_bytes, src, src_bytes, kind, &pageable)) return error;
  return put({static_cast<char*>(dst), dpitch, 0, static_cast<const char*>(src), spitch, 0, width, height, 1}, stream,
             blocking || pageable);
}

hipError_t volume(const hipMemcpy3DParms* p, hipStream_t stream, bool blocking) {
  if (p == nullptr) return hipErrorInvalidValue;
  if (blocking) {
    if (const hipError_t error = sx::refuse_in_capture()) return error;
  }
  if (p->srcArray != nullptr || p->dstArray != nullptr) return hipErrorNotSupported;
  const hipExtent& e = p->extent;
  if (e.width == 0 || e.height == 0 || e.depth == 0) return sx::stream_check(stream);
  const hipPitchedPtr &d = p->dstPtr, &s = p->srcPtr;
  if (d.ptr == nullptr || s.ptr == nullptr) return hipErrorInvalidValue;
  if (d.pitch < p->dstPos.x + e.width || s.pitch < p->srcPos.x + e.width) return hipErrorInvalidValue;
  const auto slice = [&](const hipPitchedPtr& q, size_t y) {
    return q.pitch * (q.ysize != 0 ? q.ysize : y + e.height);
  };
  const size_t dslice = slice(d, p->dstPos.y), sslice = slice(s, p->srcPos.y);
  char* const to = static_cast<char*>(d.ptr) + p->dstPos.z * dslice + p->dstPos.y * d.pitch + p->dstPos.x;
  const char* const from = static_cast<const char*>(s.ptr) + p->srcPos.z * sslice + p->srcPos.y * s.pitch + p->srcPos.x;
  bool pageable = false;
  const auto reach = [&](size_t pitch, size_t step) { return step * (e.depth - 1) + pitch * (e.height - 1) + e.width; };
  if (const hipError_t error =
          check_range(to, reach(d.pitch, dslice), from, reach(s.pitch, sslice), p->kind, &pageable)) {
    return error;
  }
  return put({to, d.pitch, dslice, from, s.pitch, sslice, e.width, e.height, e.depth}, stream, blocking || pageable);
}

}  // namespace

extern "C" {

hipError_t hipMemcpy(void* dst, const void* src, size_t bytes, hipMemcpyKind kind) {
  return finish(linear(dst, src, bytes, kind, nullptr, true));
}

hipError_t hipMemcpyAsync(void* dst, const void* src, size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  return finish(linear(dst, src, bytes, kind, stream, false));
}

hipError_t hipMemcpyWithStream(void* dst, const void* src, size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  return finish(linear(dst, src, bytes, kind, stream, true));
}

hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, const void* src, size_t bytes) {
  return hipMemcpy(dst, src, bytes, hipMemcpyHostToDevice);
}
hipError_t hipMemcpyDtoH(void* dst, hipDeviceptr_t src, size_t bytes) {
  return hipMemcpy(dst, src, bytes, hipMemcpyDeviceToHost);
}
hipError_t hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, size_t bytes) {
  return hipMemcpy(dst, src, bytes, hipMemcpyDeviceToDevice);
}
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, const void* src, size_t bytes, hipStream_t stream) {
  return hipMemcpyAsync(dst, src, bytes, hipMemcpyHostToDevice, stream);
}
hipError_t hipMemcpyDtoHAsync(void* dst, hipDeviceptr_t src, size_t bytes, hipStream_t stream) {
  return hipMemcpyAsync(dst, src, bytes, hipMemcpyDeviceToHost, stream);
}
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, size_t bytes, hipStream_t stream) {
  return hipMemcpyAsync(dst, src, bytes, hipMemcpyDeviceToDevice, stream);
}

hipError_t hipMemcpyPeer(void* dst, int dst_device, const void* src, int src_device, size_t bytes) {
  SX_REQUIRE(sx::device_exists(dst_device) && sx::device_exists(src_device), hipErrorInvalidDevice);
  return hipMemcpy(dst, src, bytes, hipMemcpyDeviceToDevice);
}

hipError_t hipMemcpyPeerAsync(void* dst, int dst_device, const void* src, int src_device, size_t bytes,
                              hipStream_t stream) {
  SX_REQUIRE(sx::device_exists(dst_device) && sx::device_exists(src_device), hipErrorInvalidDevice);
  return hipMemcpyAsync(dst, src, bytes, hipMemcpyDeviceToDevice, stream);
}

hipError_t hipMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                       hipMemcpyKind kind) {
  return finish(plane(dst, dpitch, src, spitch, width, height, kind, nullptr, true));
}

hipError_t hipMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                            hipMemcpyKind kind, hipStream_t stream) {
  return finish(plane(dst, dpitch, src, spitch, width, height, kind, stream, false));
}

hipError_t hipMemcpy3D(const struct hipMemcpy3DParms* p) { return finish(volume(p, nullptr, true)); }
hipError_t hipMemcpy3DAsync(const struct hipMemcpy3DParms* p, hipStream_t stream) {
  return finish(volume(p, stream, false));
}

}  // extern "C"
