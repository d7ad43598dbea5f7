// The functions that programs compiled for a per-thread default stream call: NULL means that stream.
#include "api.h"

namespace {

hipStream_t own(hipStream_t stream) { return stream == nullptr ? sx::per_thread_default() : stream; }

// A blocking call is its asynchronous twin and a wait.
hipError_t then_wait(hipError_t error) {
  return error != hipSuccess ? error : sx::finish(sx::internal_sync(sx::per_thread_default()));
}

}  // namespace

extern "C" {

hipError_t hipMemcpy_spt(void* dst, const void* src, size_t bytes, hipMemcpyKind kind) {
  return hipMemcpyWithStream(dst, src, bytes, kind, own(nullptr));
}
hipError_t hipMemcpyAsync_spt(void* dst, const void* src, size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  return hipMemcpyAsync(dst, src, bytes, kind, own(stream));
}
hipError_t hipMemcpy2D_spt(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                           hipMemcpyKind kind) {
  return then_wait(hipMemcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, own(nullptr)));
}
hipError_t hipMemcpy2DAsync_spt(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                                hipMemcpyKind kind, hipStream_t stream) {
  return hipMemcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, own(stream));
}
hipError_t hipMemcpy3D_spt(const struct hipMemcpy3DParms* p) { return then_wait(hipMemcpy3DAsync(p, own(nullptr))); }
hipError_t hipMemcpy3DAsync_spt(const hipMemcpy3DParms* p, hipStream_t stream) {
  return hipMemcpy3DAsync(p, own(stream));
}

hipError_t hipMemset_spt(void* dst, int value, size_t bytes) { return hipMemsetAsync(dst, value, bytes, own(nullptr)); }
hipError_t hipMemsetAsync_spt(void* dst, int value, size_t bytes, hipStream_t stream) {
  return hipMemsetAsync(dst, value, bytes, own(stream));
}
hipError_t hipMemset2D_spt(void* dst, size_t pitch, int value, size_t width, size_t height) {
  return hipMemset2DAsync(dst, pitch, value, width, height, own(nullptr));
}
hipError_t hipMemset2DAsync_spt(void* dst, size_t pitch, int value, size_t width, size_t height, hipStream_t stream) {
  return hipMemset2DAsync(dst, pitch, value, width, height, own(stream));
}
hipError_t hipMemset3D_spt(hipPitchedPtr p, int value, hipExtent extent) {
  return hipMemset3DAsync(p, value, extent, own(nullptr));
}
hipError_t hipMemset3DAsync_spt(hipPitchedPtr p, int value, hipExtent extent, hipStream_t stream) {
  return hipMemset3DAsync(p, value, extent, own(stream));
}

hipError_t hipStreamSynchronize_spt(hipStream_t stream) { return hipStreamSynchronize(own(stream)); }
hipError_t hipStreamQuery_spt(hipStream_t stream) { return hipStreamQuery(own(stream)); }
hipError_t hipStreamGetFlags_spt(hipStream_t stream, unsigned* flags) { return hipStreamGetFlags(own(stream), flags); }
hipError_t hipStreamGetPriority_spt(hipStream_t stream, int* priority) {
  return hipStreamGetPriority(own(stream), priority);
}
hipError_t hipStreamWaitEvent_spt(hipStream_t stream, hipEvent_t event, unsigned flags) {
  return hipStreamWaitEvent(own(stream), event, flags);
}
hipError_t hipStreamAddCallback_spt(hipStream_t stream, hipStreamCallback_t function, void* data, unsigned flags) {
  return hipStreamAddCallback(own(stream), function, data, flags);
}
hipError_t hipLaunchHostFunc_spt(hipStream_t stream, hipHostFn_t function, void* data) {
  return hipLaunchHostFunc(own(stream), function, data);
}
hipError_t hipEventRecord_spt(hipEvent_t event, hipStream_t stream) { return hipEventRecord(event, own(stream)); }

hipError_t hipStreamBeginCapture_spt(hipStream_t stream, hipStreamCaptureMode mode) {
  return hipStreamBeginCapture(own(stream), mode);
}
hipError_t hipStreamEndCapture_spt(hipStream_t stream, hipGraph_t* graph) {
  return hipStreamEndCapture(own(stream), graph);
}
hipError_t hipStreamIsCapturing_spt(hipStream_t stream, hipStreamCaptureStatus* status) {
  return hipStreamIsCapturing(own(stream), status);
}
hipError_t hipStreamGetCaptureInfo_spt(hipStream_t stream, hipStreamCaptureStatus* status, unsigned long long* id) {
  return hipStreamGetCaptureInfo(own(stream), status, id);
}
hipError_t hipStreamGetCaptureInfo_v2_spt(hipStream_t stream, hipStreamCaptureStatus* status, unsigned long long* id,
                                          hipGraph_t* graph, const hipGraphNode_t** nodes, size_t* count) {
  return hipStreamGetCaptureInfo_v2(own(stream), status, id, graph, nodes, count);
}
hipError_t hipGraphLaunch_spt(hipGraphExec_t exec, hipStream_t stream) { return hipGraphLaunch(exec, own(stream)); }

}  // extern "C"
