// rocBLAS handles, lent to calls. A CUDA handle holds settings; a call borrows a rocBLAS handle of the same device and
// stream, and settings are applied only where the borrowed handle's differ.
//
// A slot remembers one borrowed handle for one thread (its owner: the first that made a call). That thread finds it
// without a lock; every other thread takes from the idle list under the mutex and gives back. The cached handle is the
// owner's alone, so nobody ever waits for it: when its stream is destroyed it is only marked, and let go at the next
// change of settings.
//
// Workspaces: a rocBLAS handle owns its memory and grows it outside captures. The program's workspace is a hint, given
// to rocBLAS only if it is at least what rocBLAS takes by itself: a workspace that is set is a hard limit there, while
// cuBLAS stays right with any.
#include "borrow.h"

#include <new>

#include "lt.h"
#include "scalex/lend.h"

namespace sx {

pthread_mutex_t pool_mutex = PTHREAD_MUTEX_INITIALIZER;

namespace {

constexpr int kIdle = 64;                               // idle handles kept in all
constexpr int kIdlePerStream = 8;                       // and of one stream
constexpr size_t kDefaultWorkspace = size_t{32} << 20;  // when rocBLAS does not say what it takes

Entry* idle[kIdle];  // least recently used first
int idle_count;
Entry* live;  // every entry

void* this_thread() { return __builtin_thread_pointer(); }

// hipStreamPerThread names another stream in each thread, so entries of it are not shared between threads.
void* thread_of(hipStream_t stream) { return reinterpret_cast<uintptr_t>(stream) == 2 ? this_thread() : nullptr; }

bool serves(const Entry& e, int device, hipStream_t stream) {
  return e.device == device && e.stream == stream && e.thread == thread_of(stream);
}

void destroy(Entry* e) {
  {
    Lock lock(pool_mutex);
    (e->previous ? e->previous->next : live) = e->next;
    if (e->next) e->next->previous = e->previous;
  }
  RelaxedCapture relaxed;
  if (sx_rocm->rocblas_destroy_handle) sx_rocm->rocblas_destroy_handle(e->handle);
  if (e->scratch && !e->scratch_captured && sx_rocm->hipFree) sx_rocm->hipFree(e->scratch);
  delete e;
}

Entry* create(int device, hipStream_t stream, int* status) {
  const sx_rocm_table& rocm = *sx_rocm;
  if (!rocm.rocblas_create_handle || !rocm.rocblas_set_stream || !rocm.rocblas_set_pointer_mode) {
    *status = kNotInitialized;
    return nullptr;
  }
  rocblas_handle handle = nullptr;
  RelaxedCapture relaxed;
  const rocblas_status made = rocm.rocblas_create_handle(&handle);
  if (made != rocblas_status_success || handle == nullptr) {
    *status = made == rocblas_status_memory_error ? kAllocFailed : kExecutionFailed;
    return nullptr;
  }
  auto* e = new (std::nothrow) Entry{};
  if (e == nullptr || (stream && rocm.rocblas_set_stream(handle, stream) != rocblas_status_success)) {
    *status = e == nullptr ? kAllocFailed : kExecutionFailed;
    rocm.rocblas_destroy_handle(handle);
    delete e;
    return nullptr;
  }
  e->handle = handle;
  e->device = device;
  e->stream = stream;
  e->thread = thread_of(stream);
  // rocBLAS 5 changed a default: say what cuBLAS's defaults are
  rocm.rocblas_set_pointer_mode(handle, rocblas_pointer_mode_host);
  if (rocm.rocblas_set_atomics_mode) rocm.rocblas_set_atomics_mode(handle, rocblas_atomics_not_allowed);
  size_t own = 0;
  if (rocm.rocblas_get_device_memory_size) rocm.rocblas_get_device_memory_size(handle, &own);
  e->own_workspace = own ? own : kDefaultWorkspace;
  Lock lock(pool_mutex);
  e->next = live;
  if (live) live->previous = e;
  live = e;
  return e;
}

void remove_idle(int index) {
  --idle_count;
  for (int i = index; i < idle_count; ++i) idle[i] = idle[i + 1];
}

// With the lock held: the most recently used idle entry, or nullptr.
Entry* take_idle(int device, hipStream_t stream) {
  for (int i = idle_count - 1; i >= 0; --i) {
    if (!serves(*idle[i], device, stream)) continue;
    Entry* e = idle[i];
    remove_idle(i);
    return e;
  }
  return nullptr;
}

// With the lock held: keeps the entry, or returns the one that has to go.
Entry* put_idle(Entry* e) {
  if (e->dead) return e;
  int same = 0;
  for (int i = 0; i < idle_count; ++i) same += idle[i]->device == e->device && idle[i]->stream == e->stream;
  if (same >= kIdlePerStream) return e;
  Entry* evicted = nullptr;
  if (idle_count == kIdle) {
    evicted = idle[0];
    remove_idle(0);
  }
  idle[idle_count++] = e;
  return evicted;
}

void give_back(Entry* e) {
  Entry* evicted;
  {
    Lock lock(pool_mutex);
    evicted = put_idle(e);
  }
  if (evicted) destroy(evicted);
}

// TF32 is what rocBLAS calls xf32, which only the gfx94x family has; every other mode is at least as accurate as asked.
rocblas_math_mode math_of(uint64_t modes) {
  const bool tf32 = ((modes >> SX_MATH_SHIFT) & 0xf) == 3;
  return tf32 && strncmp(sx_rocm->arch, "gfx94", 5) == 0 ? rocblas_xf32_xdl_math_op : rocblas_default_math;
}

struct Settings {
  int32_t device;
  hipStream_t stream;
  uint64_t modes;
  void* workspace;
  size_t workspace_bytes;
};

Settings settings_of(const sx_blas_slot& s) {
  return {s.device, __atomic_load_n(&s.stream, __ATOMIC_RELAXED), __atomic_load_n(&s.modes, __ATOMIC_RELAXED),
          s.workspace, s.workspace_bytes};
}

bool apply_workspace(Entry* e, const Settings& want) {
  if (want.modes >> SX_WORKSPACE_SHIFT == SX_WORKSPACE_LENT) return true;  // each call says what it wants
  e->lent = nullptr;
  const bool aligned = (reinterpret_cast<uintptr_t>(want.workspace) & 255u) == 0;
  const bool user = want.modes >> SX_WORKSPACE_SHIFT && aligned && want.workspace_bytes >= e->own_workspace;
  if (!user && !e->user_workspace) return true;
  e->user_workspace = user;
  return sx_rocm->rocblas_set_workspace == nullptr ||
         sx_rocm->rocblas_set_workspace(e->handle, user ? want.workspace : nullptr, user ? want.workspace_bytes : 0) ==
             rocblas_status_success;
}

bool apply(Entry* e, const Settings& want) {
  const sx_rocm_table& rocm = *sx_rocm;
  const uint64_t differ = e->modes ^ want.modes;
  if (differ == 0) return true;
  bool good = true;
  if (differ & SX_POINTER_MODE_MASK) {
    good &= rocm.rocblas_set_pointer_mode(e->handle, want.modes & SX_POINTER_MODE_MASK
                                                         ? rocblas_pointer_mode_device
                                                         : rocblas_pointer_mode_host) == rocblas_status_success;
  }
  if ((differ & SX_ATOMICS_MASK) && rocm.rocblas_set_atomics_mode) {
    good &= rocm.rocblas_set_atomics_mode(
                e->handle, want.modes & SX_ATOMICS_MASK ? rocblas_atomics_allowed : rocblas_atomics_not_allowed) ==
            rocblas_status_success;
  }
  if (math_of(e->modes) != math_of(want.modes) && rocm.rocblas_set_math_mode) {
    rocm.rocblas_set_math_mode(e->handle, math_of(want.modes));  // a refusal leaves the more accurate mode
  }
  if (differ >> SX_WORKSPACE_SHIFT) good &= apply_workspace(e, want);
  // after a failure nothing is known about the handle
  e->modes = want.modes;
  if (!good) e->dead = true;
  return good;
}

bool set_device(const sx_blas_slot& slot, sx_loan* loan) {
  loan->restore_device = -1;
  if (sx_core.device_count <= 1 || sx_rocm->hipSetDevice == nullptr) return true;
  int current = -1;
  if (sx_rocm->hipGetDevice(&current) != hipSuccess) return false;
  if (current == slot.device) return true;
  if (sx_rocm->hipSetDevice(slot.device) != hipSuccess) return false;
  loan->restore_device = current;
  return true;
}

void restore_device(sx_loan* loan) {
  if (loan->restore_device >= 0) sx_rocm->hipSetDevice(loan->restore_device);
  loan->restore_device = -1;
}

// Lets go of every entry that ``goes`` names: idle ones now, others when they come back.
template <class F>
void evict(F goes) {
  Entry* doomed = nullptr;
  {
    Lock lock(pool_mutex);
    for (Entry* e = live; e; e = e->next) {
      if (goes(*e)) e->dead = true;
    }
    for (int i = idle_count - 1; i >= 0; --i) {
      if (!idle[i]->dead) continue;
      idle[i]->doomed = doomed;
      doomed = idle[i];
      remove_idle(i);
    }
  }
  while (doomed) {
    Entry* e = doomed;
    doomed = e->doomed;
    destroy(e);
  }
}

Entry* cached_entry(const sx_blas_slot& slot) { return static_cast<Entry*>(slot.cached_entry); }

}  // namespace

bool capturing(hipStream_t stream) {
  hipStreamCaptureStatus state = hipStreamCaptureStatusNone;
  return sx_rocm->hipStreamIsCapturing && sx_rocm->hipStreamIsCapturing(stream, &state) == hipSuccess &&
         state != hipStreamCaptureStatusNone;
}

// An idle entry for the first call, made now: it costs memory and time, which a capture may forbid later.
int warm(int device, hipStream_t stream) {
  {
    Lock lock(pool_mutex);
    for (int i = 0; i < idle_count; ++i) {
      if (serves(*idle[i], device, stream)) return kSuccess;
    }
  }
  if (capturing(stream)) return kSuccess;
  int status = kSuccess;
  Entry* e = create(device, stream, &status);
  if (e) give_back(e);
  return status;
}

// An event that nothing was recorded in: neither waits nor touches a stream.
bool device_answers() {
  const sx_rocm_table& rocm = *sx_rocm;
  if (!rocm.hipEventCreateWithFlags || !rocm.hipEventQuery || !rocm.hipEventDestroy) return true;
  RelaxedCapture relaxed;
  hipEvent_t event = nullptr;
  if (rocm.hipEventCreateWithFlags(&event, hipEventDisableTiming) != hipSuccess) return false;
  const hipError_t answer = rocm.hipEventQuery(event);
  rocm.hipEventDestroy(event);
  return answer == hipSuccess;
}

void release_cached(sx_blas_slot* slot) {
  Entry* e;
  {
    Lock lock(pool_mutex);
    e = cached_entry(*slot);
    slot->cached_entry = nullptr;
    slot->cached = nullptr;
    __atomic_store_n(&slot->owner, nullptr, __ATOMIC_RELAXED);
  }
  if (e) give_back(e);
}

bool cached_serves(const sx_blas_slot& slot) {
  Lock lock(pool_mutex);
  return slot.cached_entry && serves(*cached_entry(slot), slot.device, slot.stream);
}

int idle_handles() {
  Lock lock(pool_mutex);
  return idle_count;
}

}  // namespace sx

using namespace sx;

namespace {

// No stream has this value: the fast path misses.
const auto kNoStream = reinterpret_cast<hipStream_t>(~uintptr_t{0});

void forget_cached(sx_blas_slot* slot) {
  slot->cached_entry = nullptr;
  slot->cached = nullptr;
  __atomic_store_n(&slot->cached_stream, kNoStream, __ATOMIC_RELAXED);
}

// The owner's cached entry if it serves the settings, else one from the idle list, else nullptr.
Entry* find(sx_blas_slot* slot, const Settings& want, bool* mine, Entry** evicted) {
  void* owner = slot->owner;
  if (owner == nullptr) {
    forget_cached(slot);
    __atomic_store_n(&slot->owner, owner = this_thread(), __ATOMIC_RELAXED);
  }
  *mine = owner == this_thread();
  if (*mine && slot->cached_entry) {
    Entry* e = cached_entry(*slot);
    if (serves(*e, want.device, want.stream) && !e->dead) return e;
    forget_cached(slot);
    *evicted = put_idle(e);
  }
  return take_idle(want.device, want.stream);
}

int borrow(sx_blas_slot* slot, sx_loan* loan) {
  Settings want;
  bool mine = false;
  Entry* evicted = nullptr;
  Entry* e;
  {
    Lock lock(pool_mutex);
    want = settings_of(*slot);
    e = find(slot, want, &mine, &evicted);
  }
  if (evicted) destroy(evicted);
  int status = kSuccess;
  if (e == nullptr) e = create(want.device, want.stream, &status);
  if (e == nullptr) return status;
  if (!apply(e, want)) {
    if (mine) forget_cached(slot);
    give_back(e);
    return kExecutionFailed;
  }
  loan->handle = e->handle;
  if (!mine) {
    loan->entry = e;
    return kSuccess;
  }
  Lock lock(pool_mutex);
  slot->cached_entry = e;
  slot->cached = e->handle;
  __atomic_store_n(&slot->cached_modes, want.modes, __ATOMIC_RELAXED);
  __atomic_store_n(&slot->cached_stream, want.stream, __ATOMIC_RELAXED);
  return kSuccess;
}

}  // namespace

SX_EXPORT int sx_blas_borrow_slow(sx_blas_slot* slot, sx_loan* loan) {
  loan->entry = nullptr;
  loan->handle = nullptr;
  loan->restore_device = -1;
  if (!set_device(*slot, loan)) return kExecutionFailed;
  if (sx_blas_cached(slot)) {  // several devices
    loan->handle = slot->cached;
    return kSuccess;
  }
  const int status = borrow(slot, loan);
  if (status != kSuccess) sx_blas_return_slow(loan);
  return status;
}

SX_EXPORT void sx_blas_return_slow(sx_loan* loan) {
  if (loan->entry) give_back(static_cast<Entry*>(loan->entry));
  loan->entry = nullptr;
  restore_device(loan);
}

SX_EXPORT void* sx_blas_scratch(sx_blas_slot* slot, const sx_loan* loan, size_t bytes) {
  auto* e = static_cast<Entry*>(loan->entry ? loan->entry : slot->cached_entry);
  if (e == nullptr || bytes == 0) return nullptr;
  const bool captured = capturing(e->stream);
  if (e->scratch_bytes >= bytes) {
    e->scratch_captured |= captured;  // a graph may use it for as long as the process lives: never freed
    return e->scratch;
  }
  if (captured || sx_rocm->hipMalloc == nullptr || sx_rocm->hipFree == nullptr) return nullptr;
  size_t rounded = size_t{1} << 20;
  while (rounded < bytes) rounded *= 2;
  void* bigger = nullptr;
  const RelaxedCapture relaxed;  // of other streams
  if (sx_rocm->hipMalloc(&bigger, rounded) != hipSuccess) return nullptr;
  if (e->scratch && !e->scratch_captured) {
    sx_rocm->hipStreamSynchronize(e->stream);
    sx_rocm->hipFree(e->scratch);
  }
  e->scratch = bigger;
  e->scratch_captured = false;
  e->scratch_bytes = rounded;
  return bigger;
}

SX_EXPORT void sx_stream_destroyed(hipStream_t stream) {
  if (!sx_loaded()) return;
  evict([=](const Entry& e) { return e.stream == stream; });
  lt_stream_destroyed(stream);
}

SX_EXPORT void sx_device_reset(int device) {
  if (!sx_loaded()) return;
  evict([=](const Entry& e) { return e.device == device; });
  lt_device_reset(device);
  fft_device_reset(device);
  kernels_device_reset(device);
}
