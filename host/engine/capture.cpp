// Stream capture and graphs. A captured item keeps its work and the nodes it follows; a graph runs in an order that
// obeys the edges and nothing else, the newest ready node first.
#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "engine.h"

namespace sx {
namespace {

std::vector<Capture*>& captures = *new std::vector<Capture*>;
uint64_t next_capture = 1;
std::unordered_set<const void*>& graphs = *new std::unordered_set<const void*>;
std::unordered_set<const void*>& execs = *new std::unordered_set<const void*>;

std::set<const Node*> ancestors(const std::vector<Node*>& last) {
  std::set<const Node*> seen;
  std::vector<const Node*> open(last.begin(), last.end());
  while (!open.empty()) {
    const Node* n = open.back();
    open.pop_back();
    if (!seen.insert(n).second) continue;
    open.insert(open.end(), n->after.begin(), n->after.end());
  }
  return seen;
}

bool joined(const Capture& c) {
  const std::set<const Node*> seen = ancestors(c.origin->capture_after);
  for (const Queue* q : c.queues) {
    for (const Node* n : q->capture_after) {
      if (q != c.origin && seen.count(n) == 0) return false;
    }
  }
  return true;
}

void forget(Capture* c) {
  for (Queue* q : c->queues) {
    q->capture = nullptr;
    q->capture_after.clear();
  }
  if (c->mode != hipStreamCaptureModeRelaxed) --c->thread->captures;
  captures.erase(std::remove(captures.begin(), captures.end(), c), captures.end());
  if (captures.empty()) set_slow(slow_capture, false);
  delete c;
}

// The capture that forbids this thread to allocate or synchronise, by the thread's own interaction mode.
Capture* forbidding() {
  if (thread_state.capture_mode == hipStreamCaptureModeRelaxed) return nullptr;
  for (Capture* c : captures) {
    if (c->mode == hipStreamCaptureModeRelaxed) continue;
    if (c->thread == &thread_state) return c;
    if (c->mode == hipStreamCaptureModeGlobal && thread_state.capture_mode == hipStreamCaptureModeGlobal) return c;
  }
  return nullptr;
}

}  // namespace

bool capture_in_progress() {
  if ((__atomic_load_n(&slow_mode, __ATOMIC_RELAXED) & slow_capture) == 0) return false;
  Locked held(lock);
  return forbidding() != nullptr;
}

hipError_t refuse_in_capture() {
  if (SX_LIKELY((__atomic_load_n(&slow_mode, __ATOMIC_RELAXED) & slow_capture) == 0)) return hipSuccess;
  Locked held(lock);
  Capture* const c = forbidding();
  if (c == nullptr) return hipSuccess;
  c->invalid = true;
  return hipErrorStreamCaptureUnsupported;
}

hipError_t refuse_implicit(const Queue& q, Locked&) {
  if (!q.null_stream) return hipSuccess;
  for (Capture* c : captures) {
    for (const Queue* member : c->queues) {
      if (member->device != q.device || (member->flags & hipStreamNonBlocking) != 0) continue;
      c->invalid = true;
      return hipErrorStreamCaptureImplicit;
    }
  }
  return hipSuccess;
}

void invalidate(Queue* q) {
  if (q->capture != nullptr) q->capture->invalid = true;
}

bool capturing(hipStream_t stream) {
  if (SX_LIKELY((__atomic_load_n(&slow_mode, __ATOMIC_RELAXED) & slow_capture) == 0)) return false;
  if (!stream_valid(stream)) return false;
  Locked held(lock);
  return queue_of(stream, held)->capture != nullptr;
}

Capture* capture_alive(Capture* c, uint64_t id) {
  const bool listed = c != nullptr && std::find(captures.begin(), captures.end(), c) != captures.end();
  return listed && c->id == id ? c : nullptr;
}

void capture_join(Queue* q, Capture* c, const std::vector<Node*>& after) {
  if (q->capture == nullptr) {
    q->capture = c;
    c->queues.push_back(q);
  }
  for (Node* n : after) {
    if (std::find(q->capture_after.begin(), q->capture_after.end(), n) == q->capture_after.end()) {
      q->capture_after.push_back(n);
    }
  }
}

hipError_t capture_begin(hipStream_t stream, hipStreamCaptureMode mode) {
  Locked held(lock);
  const std::shared_ptr<Queue> q = queue_of(stream, held);
  if (q->null_stream) return hipErrorStreamCaptureUnsupported;
  if (q->capture != nullptr) return hipErrorIllegalState;
  auto* const c = new Capture{next_capture++, graph_new(), q.get(), mode, &thread_state, false, {q.get()}};
  q->capture = c;
  q->capture_after.clear();
  captures.push_back(c);
  if (mode != hipStreamCaptureModeRelaxed) ++thread_state.captures;
  set_slow(slow_capture, true);
  return hipSuccess;
}

hipError_t capture_end(hipStream_t stream, hipGraph_t* graph) {
  Locked held(lock);
  const std::shared_ptr<Queue> q = queue_of(stream, held);
  Capture* const c = q->capture;
  *graph = nullptr;
  if (c == nullptr) return hipErrorIllegalState;
  if (c->origin != q.get()) return hipErrorStreamCaptureUnmatched;
  if (c->thread != &thread_state && c->mode != hipStreamCaptureModeRelaxed) return hipErrorStreamCaptureWrongThread;
  hipError_t error = hipSuccess;
  if (c->invalid) {
    error = hipErrorStreamCaptureInvalidated;
  } else if (!joined(*c)) {
    error = hipErrorStreamCaptureUnjoined;
  }
  Graph* const made = c->graph;
  forget(c);
  if (error != hipSuccess) {
    graphs.erase(made);
    delete made;
    return error;
  }
  *graph = reinterpret_cast<hipGraph_t>(made);
  return hipSuccess;
}

void capture_leave(Queue* q) {
  Capture* const c = q->capture;
  if (c == nullptr) return;
  c->invalid = true;
  c->queues.erase(std::remove(c->queues.begin(), c->queues.end(), q), c->queues.end());
  q->capture = nullptr;
  if (c->origin != q) return;
  graph_free(c->graph);
  forget(c);
}

hipError_t capture_record(Queue* q, std::shared_ptr<Work> work, Op op) {
  Capture* const c = q->capture;
  if (c->invalid) return hipErrorStreamCaptureInvalidated;
  Node* const n = graph_add(c->graph, op, std::move(work), q->capture_after);
  q->capture_after.assign(1, n);
  return hipSuccess;
}

// ---- graphs ---------------------------------------------------------------------------------------------------------

Graph* graph_new() {
  auto* const g = new Graph;
  graphs.insert(g);
  return g;
}

Graph* graph_of(hipGraph_t g) {
  return graphs.count(g) != 0 ? const_cast<Graph*>(reinterpret_cast<const Graph*>(g)) : nullptr;
}

GraphExec* graph_exec_of(hipGraphExec_t g) {
  return execs.count(g) != 0 ? const_cast<GraphExec*>(reinterpret_cast<const GraphExec*>(g)) : nullptr;
}

void graph_free(Graph* g) {
  graphs.erase(g);
  delete g;
}

Node* graph_add(Graph* g, Op op, std::shared_ptr<Work> work, std::vector<Node*> after) {
  g->nodes.push_back(std::make_unique<Node>(Node{op, std::move(work), std::move(after), g}));
  return g->nodes.back().get();
}

bool graph_order(const Graph& g, std::vector<std::shared_ptr<Work>>* order) {
  std::unordered_map<const Node*, size_t> waits;
  std::unordered_map<const Node*, std::vector<const Node*>> followers;
  std::vector<const Node*> ready;
  for (const auto& n : g.nodes) {
    waits[n.get()] = n->after.size();
    for (const Node* before : n->after) followers[before].push_back(n.get());
    if (n->after.empty()) ready.push_back(n.get());
  }
  size_t seen = 0;
  while (!ready.empty()) {
    const Node* n = ready.back();
    ready.pop_back();
    ++seen;
    if (n->work) order->push_back(n->work);
    for (const Node* next : followers[n]) {
      if (--waits[next] == 0) ready.push_back(next);
    }
  }
  return seen == g.nodes.size();  // fewer: a cycle
}

GraphExec* graph_instantiate(const Graph& g) {
  auto exec = std::make_unique<GraphExec>();
  if (!graph_order(g, &exec->order)) return nullptr;
  execs.insert(exec.get());
  return exec.release();
}

void graph_exec_free(GraphExec* g) {
  execs.erase(g);
  delete g;
}

}  // namespace sx
