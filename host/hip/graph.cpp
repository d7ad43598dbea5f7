// Stream capture and graphs, the part of HIP's API that host programs use.
#include <algorithm>
#include <unordered_map>

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
    case sx::Op::graph:
      return hipGraphNodeTypeGraph;
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

// A list of nodes as the query functions give it: the count alone, or as many as fit and NULL in the rest.
hipError_t give(const std::vector<sx::Node*>& found, hipGraphNode_t* nodes, size_t* count) {
  if (count == nullptr) return hipErrorInvalidValue;
  if (nodes == nullptr) {
    *count = found.size();
    return hipSuccess;
  }
  for (size_t i = 0; i < *count; ++i)
    nodes[i] = i < found.size() ? reinterpret_cast<hipGraphNode_t>(found[i]) : nullptr;
  *count = std::min(*count, found.size());
  return hipSuccess;
}

sx::Node* node_of(hipGraphNode_t node) { return reinterpret_cast<sx::Node*>(node); }

template <class T>
void fill_box(char* dst, size_t pitch, unsigned value, size_t width, size_t height) {
  for (size_t y = 0; y < height; ++y) {
    T* const row = reinterpret_cast<T*>(dst + y * pitch);
    std::fill(row, row + width, static_cast<T>(value));
  }
}

void fill_node(const hipMemsetParams& p) {
  char* const dst = static_cast<char*>(p.dst);
  if (p.elementSize == 1) fill_box<uint8_t>(dst, p.pitch, p.value, p.width, p.height);
  if (p.elementSize == 2) fill_box<uint16_t>(dst, p.pitch, p.value, p.width, p.height);
  if (p.elementSize == 4) fill_box<uint32_t>(dst, p.pitch, p.value, p.width, p.height);
}

void copy_nodes(const sx::Graph& from, sx::Graph* to) {
  std::unordered_map<const sx::Node*, sx::Node*> twin;
  for (const auto& n : from.nodes) twin[n.get()] = sx::graph_add(to, n->op, n->work, {});
  for (const auto& n : from.nodes) {
    for (const sx::Node* before : n->after) twin[n.get()]->after.push_back(twin[before]);
  }
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
  SX_REQUIRE(g != nullptr, hipErrorInvalidValue);
  std::vector<sx::Node*> found;
  for (const auto& n : g->nodes) found.push_back(n.get());
  return finish(give(found, nodes, count));
}

hipError_t hipGraphGetRootNodes(hipGraph_t graph, hipGraphNode_t* nodes, size_t* count) {
  sx::Locked held(sx::lock);
  const sx::Graph* const g = sx::graph_of(graph);
  SX_REQUIRE(g != nullptr, hipErrorInvalidValue);
  std::vector<sx::Node*> found;
  for (const auto& n : g->nodes) {
    if (n->after.empty()) found.push_back(n.get());
  }
  return finish(give(found, nodes, count));
}

hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t* nodes, size_t* count) {
  SX_REQUIRE(node != nullptr, hipErrorInvalidValue);
  sx::Locked held(sx::lock);
  return finish(give(node_of(node)->after, nodes, count));
}

hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t node, hipGraphNode_t* nodes, size_t* count) {
  SX_REQUIRE(node != nullptr, hipErrorInvalidValue);
  sx::Locked held(sx::lock);
  std::vector<sx::Node*> found;
  for (const auto& n : node_of(node)->graph->nodes) {
    if (std::count(n->after.begin(), n->after.end(), node_of(node)) != 0) found.push_back(n.get());
  }
  return finish(give(found, nodes, count));
}

hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t* from, const hipGraphNode_t* to,
                                   size_t count) {
  sx::Locked held(sx::lock);
  const sx::Graph* const g = sx::graph_of(graph);
  SX_REQUIRE(g != nullptr && (count == 0 || (from != nullptr && to != nullptr)), hipErrorInvalidValue);
  for (size_t i = 0; i < count; ++i) {
    SX_REQUIRE(from[i] != nullptr && to[i] != nullptr && from[i] != to[i], hipErrorInvalidValue);
    SX_REQUIRE(node_of(from[i])->graph == g && node_of(to[i])->graph == g, hipErrorInvalidValue);
  }
  for (size_t i = 0; i < count; ++i) node_of(to[i])->after.push_back(node_of(from[i]));
  return finish(hipSuccess);
}

hipError_t hipGraphClone(hipGraph_t* clone, hipGraph_t graph) {
  sx::Locked held(sx::lock);
  const sx::Graph* const g = sx::graph_of(graph);
  SX_REQUIRE(clone != nullptr && g != nullptr, hipErrorInvalidValue);
  sx::Graph* const made = sx::graph_new();
  copy_nodes(*g, made);
  *clone = reinterpret_cast<hipGraph_t>(made);
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

hipError_t hipGraphAddMemsetNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* after, size_t count,
                                 const hipMemsetParams* p) {
  SX_REQUIRE(p != nullptr && p->dst != nullptr, hipErrorInvalidValue);
  SX_REQUIRE(p->elementSize == 1 || p->elementSize == 2 || p->elementSize == 4, hipErrorInvalidValue);
  SX_REQUIRE(p->height <= 1 || p->pitch >= p->width * p->elementSize, hipErrorInvalidValue);
  const hipMemsetParams call = *p;
  return finish(add(node, graph, after, count, sx::Op::memset, work_of([call] { fill_node(call); })));
}

hipError_t hipGraphAddChildGraphNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* after, size_t count,
                                     hipGraph_t child) {
  std::vector<std::shared_ptr<sx::Work>> order;
  {
    sx::Locked held(sx::lock);
    const sx::Graph* const c = sx::graph_of(child);
    SX_REQUIRE(c != nullptr && child != graph, hipErrorInvalidValue);
    SX_REQUIRE(sx::graph_order(*c, &order), hipErrorInvalidValue);
  }
  return finish(add(node, graph, after, count, sx::Op::graph, std::make_shared<LaunchWork>(std::move(order))));
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
