// Stream capture and graphs, the part of HIP's API that host programs use.
#include <algorithm>

#include "api.h"

using sx::finish;

namespace {

hipGraphNodeType type_of(const sx::Node& n) {
  switch (n.op) {
    case sx::Op::copy:
      return hipGraphNodeTypeMemcpy;
    case sx::Op::memset:
      return hipGraphNodeTypeMemset;
    case sx::Op::host:
      return hipGraphNodeTypeHost;
    case sx::Op::empty:
      return hipGraphNodeTypeEmpty;
    case sx::Op::call:
    case sx::Op::kernel:
      break;
  }
  return hipGraphNodeTypeKernel;
}

struct LaunchWork final : sx::Work {
  std::vector<std::shared_ptr<sx::Work>> order;
  explicit LaunchWork(std::vector<std::shared_ptr<sx::Work>> o) : order(std::move(o)) {}
  void run() override {
    for (const auto& work : order) work->run();
  }
};

hipError_t capture_info(hipStream_t stream, hipStreamCaptureStatus* status, unsigned long long* id, hipGraph_t* graph,
                        const hipGraphNode_t** nodes, size_t* count) {
  if (status == nullptr) return hipErrorInvalidValue;
  if (!sx::stream_valid(stream)) return hipErrorContextIsDestroyed;
  sx::Locked held(sx::lock);
  const auto q = sx::queue_of(stream, held);
  const sx::Capture* const c = q->capture;
  *status = c == nullptr ? hipStreamCaptureStatusNone
            : c->invalid ? hipStreamCaptureStatusInvalidated
                         : hipStreamCaptureStatusActive;
  if (c == nullptr) return hipSuccess;
  if (id != nullptr) *id = c->id;
  if (graph != nullptr) *graph = reinterpret_cast<hipGraph_t>(c->graph);
  if (nodes != nullptr) *nodes = reinterpret_cast<const hipGraphNode_t*>(q->capture_after.data());
  if (count != nullptr) *count = q->capture_after.size();
  return hipSuccess;
}

// Adds a node after ``after``; NULL when the graph or a dependency is not one.
hipError_t add(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* after, size_t count, sx::Op op,
               std::shared_ptr<sx::Work> work) {
  sx::Locked held(sx::lock);
  sx::Graph* const g = sx::graph_of(graph);
  if (out == nullptr || g == nullptr || (count != 0 && after == nullptr)) return hipErrorInvalidValue;
  std::vector<sx::Node*> before;
  for (size_t i = 0; i < count; ++i) {
    auto* const n = reinterpret_cast<sx::Node*>(after[i]);
    const auto same = [n](const auto& mine) { return mine.get() == n; };
    if (std::none_of(g->nodes.begin(), g->nodes.end(), same)) return hipErrorInvalidValue;
    before.push_back(n);
  }
  *out = reinterpret_cast<hipGraphNode_t>(sx::graph_add(g, op, std::move(work), std::move(before)));
  return hipSuccess;
}

template <class F>
std::shared_ptr<sx::Work> work_of(F f) {
  return std::make_shared<sx::WorkOf<F>>(std::move(f));
}

}  // namespace

extern "C" {

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
  SX_REQUIRE(static_cast<unsigned>(mode) <= hipStreamCaptureModeRelaxed, hipErrorInvalidValue);
  SX_TRY(sx::stream_check(stream));
  return finish(sx::capture_begin(stream, mode));
}

hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t* graph) {
  SX_REQUIRE(graph != nullptr, hipErrorInvalidValue);
  SX_TRY(sx::stream_check(stream));
  return finish(sx::capture_end(stream, graph));
}

hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus* status) {
  return finish(capture_info(stream, status, nullptr, nullptr, nullptr, nullptr));
}

hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus* status, unsigned long long* id) {
  return finish(capture_info(stream, status, id, nullptr, nullptr, nullptr));
}

hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus* status, unsigned long long* id,
                                      hipGraph_t* graph, const hipGraphNode_t** nodes, size_t* count) {
  return finish(capture_info(stream, status, id, graph, nodes, count));
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode) {
  SX_REQUIRE(mode != nullptr && static_cast<unsigned>(*mode) <= hipStreamCaptureModeRelaxed, hipErrorInvalidValue);
  std::swap(*mode, sx::thread_state.capture_mode);
  return finish(hipSuccess);
}

hipError_t hipGraphCreate(hipGraph_t* graph, unsigned flags) {
  SX_REQUIRE(graph != nullptr && flags == 0, hipErrorInvalidValue);
  sx::Locked held(sx::lock);
  *graph = reinterpret_cast<hipGraph_t>(sx::graph_new());
  return finish(hipSuccess);
}

hipError_t hipGraphDestroy(hipGraph_t graph) {
  sx::Locked held(sx::lock);
  sx::Graph* const g = sx::graph_of(graph);
  SX_REQUIRE(g != nullptr, hipErrorInvalidValue);
  sx::graph_free(g);
  return finish(hipSuccess);
}

hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t* nodes, size_t* count) {
  sx::Locked held(sx::lock);
  const sx::Graph* const g = sx::graph_of(graph);
  SX_REQUIRE(g != nullptr && count != nullptr, hipErrorInvalidValue);
  if (nodes != nullptr) {
    for (size_t i = 0; i < *count; ++i) {
      nodes[i] = i < g->nodes.size() ? reinterpret_cast<hipGraphNode_t>(g->nodes[i].get()) : nullptr;
    }
    *count = std::min(*count, g->nodes.size());
  } else {
    *count = g->nodes.size();
  }
  return finish(hipSuccess);
}

hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType* type) {
  SX_REQUIRE(node != nullptr && type != nullptr, hipErrorInvalidValue);
  *type = type_of(*reinterpret_cast<const sx::Node*>(node));
  return finish(hipSuccess);
}

hipError_t hipGraphAddEmptyNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* after, size_t count) {
  return finish(add(node, graph, after, count, sx::Op::empty, nullptr));
}

hipError_t hipGraphAddHostNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* after, size_t count,
                               const hipHostNodeParams* p) {
  SX_REQUIRE(p != nullptr && p->fn != nullptr, hipErrorInvalidValue);
  const hipHostNodeParams call = *p;
  return finish(add(node, graph, after, count, sx::Op::host, work_of([call] { call.fn(call.userData); })));
}

hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* after, size_t count,
                                   void* dst, const void* src, size_t bytes, hipMemcpyKind) {
  SX_REQUIRE(dst != nullptr && src != nullptr, hipErrorInvalidValue);
  return finish(add(node, graph, after, count, sx::Op::copy, work_of([=] { sx::copy_bytes(dst, src, bytes); })));
}

hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* exec, hipGraph_t graph, unsigned long long) {
  sx::Locked held(sx::lock);
  const sx::Graph* const g = sx::graph_of(graph);
  SX_REQUIRE(exec != nullptr && g != nullptr, hipErrorInvalidValue);
  *exec = reinterpret_cast<hipGraphExec_t>(sx::graph_instantiate(*g));
  return finish(*exec != nullptr ? hipSuccess : hipErrorInvalidValue);
}

hipError_t hipGraphInstantiate(hipGraphExec_t* exec, hipGraph_t graph, hipGraphNode_t* bad, char* log, size_t bytes) {
  if (bad != nullptr) *bad = nullptr;
  if (log != nullptr && bytes != 0) log[0] = '\0';
  return hipGraphInstantiateWithFlags(exec, graph, 0);
}

hipError_t hipGraphExecDestroy(hipGraphExec_t exec) {
  sx::Locked held(sx::lock);
  sx::GraphExec* const g = sx::graph_exec_of(exec);
  SX_REQUIRE(g != nullptr, hipErrorInvalidValue);
  sx::graph_exec_free(g);
  return finish(hipSuccess);
}

hipError_t hipGraphLaunch(hipGraphExec_t exec, hipStream_t stream) {
  SX_TRY(sx::stream_check(stream));
  std::shared_ptr<sx::Work> work;
  {
    sx::Locked held(sx::lock);
    const sx::GraphExec* const g = sx::graph_exec_of(exec);
    SX_REQUIRE(g != nullptr, hipErrorInvalidValue);
    work = std::make_shared<LaunchWork>(g->order);
  }
  return finish(sx::submit(stream, std::move(work), sx::Op::call));
}

hipError_t hipGraphUpload(hipGraphExec_t exec, hipStream_t stream) {
  sx::Locked held(sx::lock);
  SX_REQUIRE(sx::graph_exec_of(exec) != nullptr && sx::stream_valid(stream), hipErrorInvalidValue);
  return finish(hipSuccess);
}

}  // extern "C"
