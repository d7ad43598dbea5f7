// Streams. Inline: work runs when it is put on a stream. Async: a thread per stream. Deferred: nothing runs before a
// call that waits, and then only what that call waits for, the newest first, so that a missing dependency shows.
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>

#include <algorithm>
#include <thread>

#include "engine.h"

namespace sx {

std::mutex& lock = *new std::mutex;  // never destroyed: stream threads outlive static destructors
std::condition_variable& changed = *new std::condition_variable;

namespace {

template <class T, size_t most>
struct Slab {
  T* base = nullptr;
  size_t used = 0;
  std::deque<T*>& free = *new std::deque<T*>;  // never destroyed, as above

  T* take() {
    if (base == nullptr) {
      void* p =
          mmap(nullptr, most * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (p == MAP_FAILED) return nullptr;
      __atomic_store_n(&base, static_cast<T*>(p), __ATOMIC_RELEASE);
    }
    if (used < most && free.size() < 64) return base + used++;  // reuse late: a stale handle stays invalid for long
    if (free.empty()) return nullptr;
    T* const slot = free.front();
    free.pop_front();
    return slot;
  }
  bool valid(const void* p, uint32_t magic) const {
    const auto offset =
        reinterpret_cast<uintptr_t>(p) - reinterpret_cast<uintptr_t>(__atomic_load_n(&base, __ATOMIC_ACQUIRE));
    if (offset >= most * sizeof(T) || offset % sizeof(T) != 0 || base == nullptr) return false;
    return __atomic_load_n(&static_cast<const T*>(p)->magic, __ATOMIC_ACQUIRE) == magic;
  }
};

Slab<Stream, size_t{1} << 20> streams;
Slab<Event, size_t{1} << 22> events;
std::vector<std::shared_ptr<Queue>>& queues = *new std::vector<std::shared_ptr<Queue>>;
std::shared_ptr<Queue>* const null_queues = new std::shared_ptr<Queue>[16];
uint64_t next_id = 1;
uint64_t clock_ticks = 0;

std::shared_ptr<Queue> queue_new(int device, unsigned flags, int priority) {
  auto q = std::make_shared<Queue>();
  q->device = device;
  q->flags = flags;
  q->priority = priority;
  q->id = next_id++;
  queues.push_back(q);
  return q;
}

bool is_null(hipStream_t s) { return reinterpret_cast<uintptr_t>(s) <= 1; }
bool is_per_thread(hipStream_t s) { return reinterpret_cast<uintptr_t>(s) == 2; }

pthread_key_t thread_key;
pthread_once_t thread_once = PTHREAD_ONCE_INIT;
void make_key() {
  pthread_key_create(&thread_key, [](void* s) { stream_destroy(static_cast<Stream*>(s)); });
}

Stream* per_thread_stream(Locked& held) {
  if (thread_state.stream != nullptr) return thread_state.stream;
  held.unlock();
  Stream* const s = stream_new(0, 0);
  pthread_once(&thread_once, make_key);
  pthread_setspecific(thread_key, s);
  thread_state.stream = s;
  held.lock();
  return s;
}

const Dependency* unmet(const Item& item) {
  for (auto it = item.after.rbegin(); it != item.after.rend(); ++it) {
    if (it->queue->done < it->upto) return &*it;
  }
  return nullptr;
}

void run_head(const std::shared_ptr<Queue>& q, Locked& held) {
  Item item = std::move(q->items.front());
  q->items.pop_front();
  q->running = true;
  held.unlock();
  if (item.work) {
    const Access access;
    item.work->run();
  }
  item = Item{};
  held.lock();
  q->running = false;
  ++q->done;
  changed.notify_all();
}

void serve(std::shared_ptr<Queue> q) {
  Locked held(lock);
  for (;;) {
    changed.wait(held, [&] { return q->closed || (!q->items.empty() && unmet(q->items.front()) == nullptr); });
    if (q->items.empty()) return;
    if (unmet(q->items.front()) == nullptr) run_head(q, held);
  }
}

void start_worker(const std::shared_ptr<Queue>& q) {
  if (settings().mode != StreamMode::async || q->worker) return;
  q->worker = true;
  std::thread(serve, q).detach();
}

bool blocking(const Queue& q) { return (q.flags & 1u) == 0; }

// The legacy stream waits for every blocking stream of its device, and they for it.
std::vector<Dependency> implicit(const Queue& q, Locked& held) {
  std::vector<Dependency> after;
  if (q.null_stream) {
    for (const auto& other : queues) {
      if (other.get() != &q && other->device == q.device && blocking(*other) && other->done < other->tail) {
        after.push_back({other, other->tail});
      }
    }
  } else if (blocking(q)) {
    auto null = null_queue(q.device, held);
    if (null->done < null->tail) after.push_back({null, null->tail});
  }
  return after;
}

}  // namespace

double now_ms() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

int current_device() { return thread_state.device; }

Stream* stream_new(unsigned flags, int priority) {
  Locked held(lock);
  Stream* const s = streams.take();
  if (s == nullptr) return nullptr;
  s->queue = new std::shared_ptr<Queue>(queue_new(thread_state.device, flags, priority));
  __atomic_store_n(&s->magic, stream_magic, __ATOMIC_RELEASE);
  return s;
}

hipError_t stream_destroy(Stream* s) {
  Locked held(lock);
  const std::shared_ptr<Queue> q = *s->queue;
  __atomic_store_n(&s->magic, 0u, __ATOMIC_RELEASE);
  capture_leave(q.get());
  wait_for(q, q->tail, held);
  q->closed = true;
  queues.erase(std::remove(queues.begin(), queues.end(), q), queues.end());
  delete s->queue;
  streams.free.push_back(s);
  changed.notify_all();
  return hipSuccess;
}

bool stream_valid(hipStream_t stream) {
  return reinterpret_cast<uintptr_t>(stream) <= 2 || streams.valid(stream, stream_magic);
}

std::shared_ptr<Queue> null_queue(int device, Locked&) {
  auto& q = null_queues[device];
  if (!q) {
    q = queue_new(device, 0, 0);
    q->null_stream = true;
  }
  return q;
}

std::shared_ptr<Queue> queue_of(hipStream_t stream, Locked& held) {
  if (is_null(stream)) return null_queue(thread_state.device, held);
  Stream* const s = is_per_thread(stream) ? per_thread_stream(held) : reinterpret_cast<Stream*>(stream);
  return *s->queue;
}

std::shared_ptr<Queue> queue_of(hipStream_t stream) {
  Locked held(lock);
  return queue_of(stream, held);
}

int stream_device(hipStream_t stream) { return is_null(stream) ? thread_state.device : queue_of(stream)->device; }

std::vector<std::shared_ptr<Queue>> queues_of(int device, Locked&) {
  std::vector<std::shared_ptr<Queue>> mine;
  for (const auto& q : queues) {
    if (device < 0 || q->device == device) mine.push_back(q);
  }
  std::sort(mine.begin(), mine.end(), [](const auto& x, const auto& y) { return x->touched > y->touched; });
  return mine;
}

uint64_t push(const std::shared_ptr<Queue>& q, std::shared_ptr<Work> work, Locked& held, const Dependency* after) {
  Item item{std::move(work), implicit(*q, held)};
  if (after != nullptr) item.after.push_back(*after);
  q->items.push_back(std::move(item));
  q->touched = ++clock_ticks;
  start_worker(q);
  changed.notify_all();
  return ++q->tail;
}

void wait_for(const std::shared_ptr<Queue>& q, uint64_t upto, Locked& held) {
  while (q->done < upto) {
    if (q->worker || q->running || q->items.empty()) {
      changed.wait(held);
      continue;
    }
    if (const Dependency* first = unmet(q->items.front())) {
      const Dependency need = *first;
      wait_for(need.queue, need.upto, held);
    } else {
      run_head(q, held);
    }
  }
}

void step(const std::shared_ptr<Queue>& q, Locked& held) {
  if (q->done == q->tail || q->worker || q->running || q->items.empty()) return;
  if (const Dependency* first = unmet(q->items.front())) {
    const Dependency need = *first;
    step(need.queue, held);
  } else {
    run_head(q, held);
  }
}

void wait_device(int device) {
  if ((__atomic_load_n(&slow_mode, __ATOMIC_RELAXED) & slow_streams) == 0) return;
  Locked held(lock);
  for (const auto& q : queues_of(device, held)) wait_for(q, q->tail, held);
}

void streams_fork_child() {
  new (&changed) std::condition_variable;
  for (const auto& q : queues) {
    q->worker = false;
    q->running = false;
    q->done = q->tail - q->items.size();
  }
}

hipError_t stream_check(hipStream_t stream) {
  if (!stream_valid(stream)) return hipErrorContextIsDestroyed;
  if (faults.sticky != hipSuccess) return faults.sticky;
  if (faults.fail_next_call > 0) {
    if (--faults.fail_next_call == 0) set_slow(slow_fault, false);
    return hipErrorLaunchFailure;
  }
  return hipSuccess;
}

hipError_t submit(hipStream_t stream, std::shared_ptr<Work> work, Op op) {
  Locked held(lock);
  const std::shared_ptr<Queue> q = queue_of(stream, held);
  if (q->capture != nullptr) return capture_record(q.get(), std::move(work), op);
  if (hipError_t error = refuse_implicit(*q, held)) return error;
  if (settings().mode == StreamMode::run_inline) {
    held.unlock();
    const Access access;
    work->run();
    return hipSuccess;
  }
  push(q, std::move(work), held);
  return hipSuccess;
}

hipError_t internal_sync(hipStream_t stream) {
  if (SX_LIKELY(__atomic_load_n(&slow_mode, __ATOMIC_RELAXED) == 0)) {
    return stream_valid(stream) ? hipSuccess : hipErrorContextIsDestroyed;
  }
  if (hipError_t error = stream_check(stream)) return error;
  Locked held(lock);
  const std::shared_ptr<Queue> q = queue_of(stream, held);
  if (q->capture != nullptr) {
    invalidate(q.get());
    return hipErrorStreamCaptureUnsupported;
  }
  if (hipError_t error = refuse_implicit(*q, held)) return error;
  for (const Dependency& d : implicit(*q, held)) {
    if (q->null_stream) wait_for(d.queue, d.upto, held);
  }
  wait_for(q, q->tail, held);
  return hipSuccess;
}

// ---- events ---------------------------------------------------------------------------------------------------------

Event* event_new(unsigned flags) {
  Locked held(lock);
  Event* const e = events.take();
  if (e == nullptr) return nullptr;
  e->state = new EventState;
  e->state->flags = flags;
  e->state->device = thread_state.device;
  __atomic_store_n(&e->magic, event_magic, __ATOMIC_RELEASE);
  return e;
}

void event_free(Event* e) {
  Locked held(lock);
  __atomic_store_n(&e->magic, 0u, __ATOMIC_RELEASE);
  delete e->state;
  events.free.push_back(e);
}

bool event_valid(hipEvent_t e) { return events.valid(e, event_magic); }

namespace {
struct Stamp final : Work {
  std::shared_ptr<double> when;
  explicit Stamp(std::shared_ptr<double> w) : when(std::move(w)) {}
  void run() override { *when = now_ms(); }
};
}  // namespace

hipError_t event_record(EventState* e, hipStream_t stream) {
  if (hipError_t error = stream_check(stream)) return error;
  Locked held(lock);
  const std::shared_ptr<Queue> q = queue_of(stream, held);
  if (q->device != e->device) return hipErrorInvalidHandle;
  e->capture = q->capture;
  if (q->capture != nullptr) {
    if (q->capture->invalid) return hipErrorStreamCaptureInvalidated;
    e->capture_id = q->capture->id;
    e->nodes = q->capture_after;
    return hipSuccess;
  }
  e->recorded = true;
  e->when = std::make_shared<double>(0.0);
  e->queue.reset();
  if (settings().mode == StreamMode::run_inline) {
    *e->when = now_ms();
  } else {
    e->queue = q;
    e->at = push(q, std::make_shared<Stamp>(e->when), held);
  }
  return hipSuccess;
}

hipError_t stream_wait(hipStream_t stream, EventState* e) {
  if (hipError_t error = stream_check(stream)) return error;
  Locked held(lock);
  const std::shared_ptr<Queue> q = queue_of(stream, held);
  if (Capture* c = capture_alive(e->capture, e->capture_id)) {
    if (q->null_stream) return hipErrorStreamCaptureImplicit;
    if (q->capture != nullptr && q->capture != c) return hipErrorStreamCaptureIsolation;
    capture_join(q.get(), c, e->nodes);
    return hipSuccess;
  }
  if (q->capture != nullptr) {
    if (!e->recorded) return hipSuccess;
    invalidate(q.get());  // a captured stream may not depend on work outside its capture
    return hipErrorStreamCaptureIsolation;
  }
  if (e->queue && e->queue->done < e->at) {
    const Dependency after{e->queue, e->at};
    push(q, nullptr, held, &after);
  }
  return hipSuccess;
}

hipError_t event_wait(EventState* e) {
  Locked held(lock);
  if (capture_alive(e->capture, e->capture_id) != nullptr) return hipErrorCapturedEvent;
  if (e->queue) {
    const std::shared_ptr<Queue> q = e->queue;
    wait_for(q, e->at, held);
  }
  return hipSuccess;
}

bool event_done(EventState* e, bool let_run) {
  Locked held(lock);
  if (!e->queue || e->queue->done >= e->at) return true;
  const std::shared_ptr<Queue> q = e->queue;
  if (let_run) step(q, held);
  return false;
}

}  // namespace sx
