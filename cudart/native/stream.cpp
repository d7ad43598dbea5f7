// Streams and graphs where CUDA's call is more than HIP's, or changed between CUDA majors.
#include "runtime.h"

namespace {

cudaError_t capture_info(hipStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                         cudaGraph_t* graph, const cudaGraphNode_t** nodes, size_t* count) {
  return SX_HIP(hipStreamGetCaptureInfo_v2, stream, reinterpret_cast<hipStreamCaptureStatus*>(status), id,
                reinterpret_cast<hipGraph_t*>(graph), reinterpret_cast<const hipGraphNode_t**>(nodes), count);
}

// CUDA 11 and 12 export the three-parameter form under this name; the newest has seven.
cudaError_t capture_info_by_abi(hipStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                cudaGraph_t* graph, const cudaGraphNode_t** nodes, const cudaGraphEdgeData** edges,
                                size_t* count) {
  if (sx_abi.cuda_major < 13) return capture_info(stream, status, id, nullptr, nullptr, nullptr);
  if (edges != nullptr) *edges = nullptr;
  return capture_info(stream, status, id, graph, nodes, count);
}

}  // namespace

cudaError_t sx_cudaStreamDestroy(cudaStream_t stream) {
  const hipStream_t own = sx_to_hip_stream(stream);
  if (reinterpret_cast<uintptr_t>(stream) <= 2) return sx_error(cudaErrorInvalidResourceHandle);
  sx_stream_destroyed(own);
  return SX_HIP(hipStreamDestroy, own);
}

cudaError_t sx_cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  const unsigned long long given = sx_abi.cuda_major >= 12 ? flags : 0;  // CUDA 11's third parameter is the error node
  return SX_HIP(hipGraphInstantiateWithFlags, reinterpret_cast<hipGraphExec_t*>(exec),
                reinterpret_cast<hipGraph_t>(graph), given);
}

cudaError_t sx_cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                        unsigned long long* id, cudaGraph_t* graph, const cudaGraphNode_t** nodes,
                                        const cudaGraphEdgeData** edges, size_t* count) {
  return capture_info_by_abi(sx_to_hip_stream(stream), status, id, graph, nodes, edges, count);
}

cudaError_t sx_cudaStreamGetCaptureInfo_ptsz(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                             unsigned long long* id, cudaGraph_t* graph, const cudaGraphNode_t** nodes,
                                             const cudaGraphEdgeData** edges, size_t* count) {
  return capture_info_by_abi(sx_per_thread(stream), status, id, graph, nodes, edges, count);
}

cudaError_t sx_cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                           unsigned long long* id, cudaGraph_t* graph, const cudaGraphNode_t** nodes,
                                           size_t* count) {
  return capture_info(sx_to_hip_stream(stream), status, id, graph, nodes, count);
}

cudaError_t sx_cudaStreamGetCaptureInfo_v2_ptsz(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                                unsigned long long* id, cudaGraph_t* graph,
                                                const cudaGraphNode_t** nodes, size_t* count) {
  return capture_info(sx_per_thread(stream), status, id, graph, nodes, count);
}

cudaError_t sx_cudaEventElapsedTime_v2(float* ms, cudaEvent_t start, cudaEvent_t end) {
  return SX_HIP(hipEventElapsedTime, ms, reinterpret_cast<hipEvent_t>(start), reinterpret_cast<hipEvent_t>(end));
}

// Before ROCm 7.1 streams have no number; the handle is as unique as long as the stream lives.
cudaError_t sx_cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  if (id == nullptr) return sx_error(cudaErrorInvalidValue);
  if (sx_rocm->hipStreamGetId != nullptr) return SX_HIP(hipStreamGetId, sx_to_hip_stream(stream), id);
  unsigned flags = 0;
  const cudaError_t error = SX_HIP(hipStreamGetFlags, sx_to_hip_stream(stream), &flags);  // does it exist?
  if (error == cudaSuccess) *id = reinterpret_cast<uintptr_t>(stream);
  return error;
}

cudaError_t sx_cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode* mode) {
  if (mode == nullptr) return sx_error(cudaErrorInvalidValue);
  hipStreamCaptureMode own = sx_to_hipStreamCaptureMode(*mode);
  const cudaError_t error = SX_HIP(hipThreadExchangeStreamCaptureMode, &own);
  if (error == cudaSuccess) *mode = static_cast<cudaStreamCaptureMode>(static_cast<int>(own));
  return error;
}

// HIP's structure has other offsets than CUDA's.
cudaError_t sx_cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                      size_t count, const struct cudaMemsetParams* params) {
  if (params == nullptr) return sx_error(cudaErrorInvalidValue);
  hipMemsetParams own{};
  own.dst = params->dst;
  own.elementSize = params->elementSize;
  own.height = params->height;
  own.pitch = params->pitch;
  own.value = params->value;
  own.width = params->width;
  return SX_HIP(hipGraphAddMemsetNode, reinterpret_cast<hipGraphNode_t*>(node), reinterpret_cast<hipGraph_t>(graph),
                reinterpret_cast<const hipGraphNode_t*>(after), count, &own);
}

// ---- CUDA 13 put edge data before the count ----

// The count of an edge list: CUDA 11 and 12 pass it where CUDA 13 passes the edges' data.
static size_t edge_count(const cudaGraphEdgeData* edges, size_t count) {
  return sx_abi.cuda_major >= 13 ? count : reinterpret_cast<size_t>(edges);
}
static size_t* edge_count(cudaGraphEdgeData* edges, size_t* count) {
  return sx_abi.cuda_major >= 13 ? count : reinterpret_cast<size_t*>(edges);
}

cudaError_t sx_cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        const cudaGraphEdgeData* edges, size_t count) {
  return SX_HIP(hipGraphAddDependencies, reinterpret_cast<hipGraph_t>(graph),
                reinterpret_cast<const hipGraphNode_t*>(from), reinterpret_cast<const hipGraphNode_t*>(to),
                edge_count(edges, count));
}

cudaError_t sx_cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* edges,
                                            size_t* count) {
  return SX_HIP(hipGraphNodeGetDependencies, reinterpret_cast<hipGraphNode_t>(node),
                reinterpret_cast<hipGraphNode_t*>(nodes), edge_count(edges, count));
}

cudaError_t sx_cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* edges,
                                              size_t* count) {
  return SX_HIP(hipGraphNodeGetDependentNodes, reinterpret_cast<hipGraphNode_t>(node),
                reinterpret_cast<hipGraphNode_t*>(nodes), edge_count(edges, count));
}
