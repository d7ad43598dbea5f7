// Inner parts of the engine shared by engine/ and hip/ only: settings, thread state, the scheduler, graphs.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "scalex/host.h"

namespace sx {

enum class StreamMode { run_inline, async, deferred };

struct Settings {
  int release = 702;
  char arch[16] = "gfx942";
  bool hostile = false;
  bool strict = false;
  StreamMode mode = StreamMode::run_inline;
  int devices = 1;
  int threads = 1;
};
Settings& settings();  // read from the environment once

// Per thread. Small and without constructors: it lives in static TLS.
struct Thread {
  int device;
  hipError_t last_error;
  bool in_pool;
  hipStreamCaptureMode capture_mode;
  int captures;           // captures that this thread began in global or thread-local mode
  struct Stream* stream;  // hipStreamPerThread
  int access_depth;       // strict mode: how deep inside the engine
};
extern thread_local Thread thread_state __attribute__((tls_model("initial-exec")));

// Records an error as HIP does and returns it. Until ROCm 7.0 a success overwrote the last error too.
hipError_t finish(hipError_t error);

// ---- faults (sx_host_control) ----
struct Faults {
  long fail_malloc_after;  // 1: the next allocation fails; 0: none
  hipError_t sticky;       // every call answers this until the device is reset
  long fail_next_call;     // the next n enqueues answer hipErrorLaunchFailure
};
extern Faults faults;
bool fault_on_malloc();

// Bits of slow_mode.
enum : int32_t { slow_streams = 1, slow_capture = 2, slow_strict = 4, slow_fault = 8 };
void set_slow(int32_t bit, bool on);

// ---- memory ----
void* device_alloc(size_t bytes, int device, Allocation::Kind kind, unsigned flags, bool program, hipError_t* error);
hipError_t device_free(void* p, bool program);
void* host_alloc(size_t bytes, int device, unsigned flags, hipError_t* error);
hipError_t host_free(void* p);
hipError_t host_register(void* p, size_t bytes, unsigned flags);
hipError_t host_unregister(void* p);
void memory_info(int device, size_t* free_bytes, size_t* total);
size_t device_total();
void memory_fork(int phase);  // 0 prepare, 1 parent, 2 child
void free_everything();       // hipDeviceReset
size_t leak_report(bool print);

// Strict mode: device memory may be touched while one of these lives.
void access_open();
void access_close();
struct Access {
  Access() {
    if (SX_UNLIKELY(__atomic_load_n(&slow_mode, __ATOMIC_RELAXED) & slow_strict)) {
      open = true;
      access_open();
    }
  }
  ~Access() {
    if (open) access_close();
  }
  Access(const Access&) = delete;
  Access& operator=(const Access&) = delete;
  bool open = false;
};
void strict_start();

void copy_bytes(void* dst, const void* src, size_t bytes);  // memmove, by the pool when large
void fill_bytes(void* dst, int value, size_t bytes);

void pool_fork_child();

// ---- streams: one lock for everything that is not run at once ----
struct Graph;
struct Node;

struct Dependency {
  std::shared_ptr<struct Queue> queue;
  uint64_t upto;
};

struct Item {
  std::shared_ptr<Work> work;
  std::vector<Dependency> after;
};

// The work of one stream. Outlives the handle while events refer to it.
struct Queue {
  int device = 0;
  unsigned flags = 0;
  int priority = 0;
  uint64_t id = 0;
  std::deque<Item> items;
  uint64_t tail = 0;  // items ever put on it
  uint64_t done = 0;  // items finished
  uint64_t touched = 0;
  bool running = false;
  bool worker = false;  // async: a thread serves it
  bool null_stream = false;
  bool closed = false;
  struct Capture* capture = nullptr;
  std::vector<Node*> capture_after;  // nodes that the next captured node follows
};

struct Capture {
  uint64_t id;
  Graph* graph;
  Queue* origin;
  hipStreamCaptureMode mode;
  Thread* thread;
  bool invalid = false;
  std::vector<Queue*> queues;
};

enum : uint32_t { stream_magic = 0x53585354, event_magic = 0x53584556 };

// What a hipStream_t and a hipEvent_t point to: a slot of a range that is never unmapped, so that any value can be
// checked.
struct Stream {
  uint32_t magic;
  std::shared_ptr<Queue>* queue;
};

struct EventState {
  unsigned flags = 0;
  int device = 0;
  bool recorded = false;
  std::shared_ptr<Queue> queue;  // where it was recorded last; empty: nothing to wait for
  uint64_t at = 0;               // done when queue->done >= at
  std::shared_ptr<double> when;  // shared with the item that stamps it
  uint64_t capture_id = 0;       // recorded in this capture
  Capture* capture = nullptr;
  std::vector<Node*> nodes;
};

struct Event {
  uint32_t magic;
  EventState* state;
};

extern std::mutex& lock;
extern std::condition_variable& changed;
using Locked = std::unique_lock<std::mutex>;

Stream* stream_new(unsigned flags, int priority);
hipError_t stream_destroy(Stream* s);
Event* event_new(unsigned flags);
void event_free(Event* e);
bool event_valid(hipEvent_t e);
inline EventState* state_of(hipEvent_t e) { return reinterpret_cast<Event*>(e)->state; }
double now_ms();

std::shared_ptr<Queue> queue_of(hipStream_t stream);  // takes the lock
std::shared_ptr<Queue> queue_of(hipStream_t stream, Locked& held);
uint64_t push(const std::shared_ptr<Queue>& q, std::shared_ptr<Work> work, Locked& held,
              const Dependency* after = nullptr);
void wait_for(const std::shared_ptr<Queue>& q, uint64_t upto, Locked& held);
void step(const std::shared_ptr<Queue>& q, Locked& held);  // deferred: a query lets one item run
void wait_device(int device);
void wait_all();
void streams_fork_child();
std::shared_ptr<Queue> null_queue(int device, Locked& held);
std::vector<std::shared_ptr<Queue>> queues_of(int device, Locked& held);  // newest work first

hipError_t event_record(EventState* e, hipStream_t stream);
hipError_t stream_wait(hipStream_t stream, EventState* e);
hipError_t event_wait(EventState* e);
bool event_done(EventState* e, bool let_run);

// hipErrorStreamCaptureUnsupported when this thread may not allocate or synchronise now.
hipError_t refuse_in_capture();
// An operation on the legacy stream while a blocking stream captures: invalidates and answers Implicit.
hipError_t refuse_implicit(const Queue& q, Locked& held);
void invalidate(Queue* q);
hipError_t capture_begin(hipStream_t stream, hipStreamCaptureMode mode);
hipError_t capture_end(hipStream_t stream, hipGraph_t* graph);
Capture* capture_alive(Capture* c, uint64_t id);  // NULL when that capture has ended
void capture_leave(Queue* q);                     // the stream is destroyed
void capture_join(Queue* q, Capture* c, const std::vector<Node*>& after);

// ---- graphs ----
struct Node {
  Op op;
  std::shared_ptr<Work> work;  // NULL: empty
  std::vector<Node*> after;
  Graph* graph;
};
struct Graph {
  std::vector<std::unique_ptr<Node>> nodes;
};
struct GraphExec {
  std::vector<std::shared_ptr<Work>> order;
};
Graph* graph_of(hipGraph_t g);  // NULL when it is none
GraphExec* graph_exec_of(hipGraphExec_t g);
Graph* graph_new();
void graph_free(Graph* g);
Node* graph_add(Graph* g, Op op, std::shared_ptr<Work> work, std::vector<Node*> after);
bool graph_order(const Graph& g, std::vector<std::shared_ptr<Work>>* order);  // false: the graph has a cycle
GraphExec* graph_instantiate(const Graph& g);                                 // NULL: the graph has a cycle
void graph_exec_free(GraphExec* g);
hipError_t capture_record(Queue* q, std::shared_ptr<Work> work, Op op);

}  // namespace sx
