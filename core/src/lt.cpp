// hipBLASLt handles, lent to calls of cuBLASLt; native objects of recent problems, per thread.
#include "scalex/lt.h"

#include <new>

#include "lt.h"

namespace sx {

pthread_mutex_t lt_mutex = PTHREAD_MUTEX_INITIALIZER;

namespace {

constexpr int kIdle = 32;          // idle handles kept in all
constexpr int kIdlePerStream = 4;  // and of one stream
enum : int { kNotSupported = 15 };

struct Entry {
  hipblasLtHandle_t handle;
  int32_t device;
  bool spare;  // was never used: serves any stream
  bool dead;   // its stream is gone
  hipStream_t stream;
  void* thread;  // whose stream, for the per-thread default stream
  Entry *previous, *next;
};

Entry* idle[kIdle];  // least recently used first
int idle_count;
Entry* live;

void* this_thread() { return __builtin_thread_pointer(); }
void* thread_of(hipStream_t stream) { return reinterpret_cast<uintptr_t>(stream) == 2 ? this_thread() : nullptr; }

void destroy(Entry* e) {
  if (e == nullptr) return;
  {
    Lock lock(lt_mutex);
    (e->previous ? e->previous->next : live) = e->next;
    if (e->next) e->next->previous = e->previous;
  }
  if (sx_rocm->hipblasLtDestroy) sx_rocm->hipblasLtDestroy(e->handle);
  delete e;
}

Entry* create(int device, int* status) {
  if (sx_rocm->hipblasLtCreate == nullptr) return *status = kNotSupported, nullptr;
  hipblasLtHandle_t handle = nullptr;
  const RelaxedCapture relaxed;  // it allocates, and ends the process when that is forbidden
  const hipblasStatus_t made = sx_rocm->hipblasLtCreate(&handle);
  auto* e = made == HIPBLAS_STATUS_SUCCESS ? new (std::nothrow) Entry{} : nullptr;
  if (e == nullptr) {
    *status = made == HIPBLAS_STATUS_SUCCESS || made == HIPBLAS_STATUS_ALLOC_FAILED ? kAllocFailed : kNotInitialized;
    return nullptr;
  }
  e->handle = handle;
  e->device = device;
  e->spare = true;
  Lock lock(lt_mutex);
  e->next = live;
  if (live) live->previous = e;
  live = e;
  return e;
}

Entry* remove_idle(int index) {
  Entry* const e = idle[index];
  --idle_count;
  for (int i = index; i < idle_count; ++i) idle[i] = idle[i + 1];
  return e;
}

// With the lock held: one of the stream, the most recently used, else one that was never used.
Entry* take_idle(int device, hipStream_t stream) {
  for (int i = idle_count - 1; i >= 0; --i) {
    const Entry& e = *idle[i];
    if (!e.spare && e.device == device && e.stream == stream && e.thread == thread_of(stream)) return remove_idle(i);
  }
  for (int i = idle_count - 1; i >= 0; --i) {
    if (idle[i]->spare && idle[i]->device == device) return remove_idle(i);
  }
  return nullptr;
}

// Keeps the entry; another one may have to go.
void give_back(Entry* e) {
  if (e == nullptr) return;
  Entry* evicted = nullptr;
  {
    Lock lock(lt_mutex);
    int same = 0;
    for (int i = 0; i < idle_count; ++i) same += idle[i]->device == e->device && idle[i]->stream == e->stream;
    if (e->dead || same >= kIdlePerStream) {
      evicted = e;
    } else {
      if (idle_count == kIdle) evicted = remove_idle(0);
      idle[idle_count++] = e;
    }
  }
  destroy(evicted);
}

template <class F>
void evict(F goes) {
  for (;;) {
    Entry* doomed = nullptr;
    {
      Lock lock(lt_mutex);
      for (Entry* e = live; e; e = e->next) e->dead |= goes(*e);
      for (int i = idle_count - 1; i >= 0 && doomed == nullptr; --i) {
        if (idle[i]->dead) doomed = remove_idle(i);
      }
    }
    if (doomed == nullptr) return;
    destroy(doomed);
  }
}

// ---- threads
// ----------------------------------------------------------------------------------------------------------

__thread sx_lt_thread* mine;
pthread_key_t key;
pthread_once_t key_once = PTHREAD_ONCE_INIT;

void end_of_thread(void* p) {
  auto* t = static_cast<sx_lt_thread*>(p);
  mine = nullptr;
  for (sx_lt_plan* plan : t->plans) {
    if (plan) sx_lt_plan_clear(plan);
    delete plan;
  }
  give_back(static_cast<Entry*>(t->entry));
  delete t;
}

void make_key() { pthread_key_create(&key, end_of_thread); }

}  // namespace

void lt_stream_destroyed(hipStream_t stream) {
  evict([=](const Entry& e) { return !e.spare && e.stream == stream; });
}

void lt_device_reset(int device) {
  evict([=](const Entry& e) { return e.device == device; });
}

}  // namespace sx

using namespace sx;

SX_EXPORT sx_lt_thread* sx_lt_this_thread() {
  if (SX_LIKELY(mine != nullptr)) return mine;
  pthread_once(&key_once, make_key);
  mine = new (std::nothrow) sx_lt_thread{};
  if (mine != nullptr) pthread_setspecific(key, mine);
  return mine;
}

SX_EXPORT bool sx_lt_capturing(hipStream_t stream) {
  hipStreamCaptureStatus state = hipStreamCaptureStatusNone;
  return sx_rocm->hipStreamIsCapturing && sx_rocm->hipStreamIsCapturing(stream, &state) == hipSuccess &&
         state != hipStreamCaptureStatusNone;
}

SX_EXPORT int sx_lt_borrow_slow(sx_lt_thread* thread, int device, hipStream_t stream) {
  auto* const old = static_cast<Entry*>(thread->entry);
  thread->handle = nullptr;
  thread->entry = nullptr;
  give_back(old);
  Entry* e;
  {
    Lock lock(lt_mutex);
    e = take_idle(device, stream);
  }
  int status = kNotSupported;
  if (e == nullptr && !sx_lt_capturing(stream)) e = create(device, &status);
  if (e == nullptr) return status;
  e->spare = false;
  e->stream = stream;
  e->thread = thread_of(stream);
  thread->entry = e;
  thread->handle = e->handle;
  thread->stream = stream;
  thread->device = device;
  return kSuccess;
}

SX_EXPORT int sx_lt_warm(int device) {
  {
    Lock lock(lt_mutex);
    for (int i = 0; i < idle_count; ++i) {
      if (idle[i]->spare && idle[i]->device == device) return kSuccess;
    }
  }
  int status = kSuccess;
  // also when the legacy stream may not be asked, which means that a blocking stream captures
  hipStreamCaptureStatus state = hipStreamCaptureStatusNone;
  const auto ask = sx_rocm->hipStreamIsCapturing;
  if (ask != nullptr && (ask(nullptr, &state) != hipSuccess || state != hipStreamCaptureStatusNone)) return status;
  give_back(create(device, &status));
  return status;
}

SX_EXPORT void sx_lt_plan_clear(sx_lt_plan* plan) {
  if (plan->desc) sx_rocm->hipblasLtMatmulDescDestroy(plan->desc);
  for (hipblasLtMatrixLayout_t layout : {plan->a, plan->b, plan->c, plan->d}) {
    if (layout) sx_rocm->hipblasLtMatrixLayoutDestroy(layout);
  }
  *plan = sx_lt_plan{};
}

SX_EXPORT sx_lt_plan* sx_lt_plan_new(sx_lt_thread* thread, uint64_t hash) {
  sx_lt_plan*& plan = thread->plans[hash % SX_LT_PLANS];
  if (plan != nullptr) {
    sx_lt_plan_clear(plan);
  } else {
    plan = new (std::nothrow) sx_lt_plan{};
  }
  if (plan != nullptr) plan->hash = hash;
  return plan;
}
