// What every part of the host engine sees: the pool, the one place where device work is put on a stream, bookkeeping of
// device memory, quirks. A ROCm function is implemented by defining it with ROCm's name and signature.
//
// Shape of an engine function:
//
//   extern "C" rocblas_status rocblas_sscal(rocblas_handle handle, rocblas_int n, const float* alpha, float* x, ...) {
//     ...argument checks, quick returns, in rocBLAS's order...
//     const sx::Scalar<float> a(alpha, host_mode);             // host mode: copied now; device mode: read when
//     executed return status(sx::enqueue(stream, [=] { body(a(), x) })); // no return value, must not throw, may run
//     more than once
//   }
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <memory>
#include <type_traits>
#include <utility>

#include "scalex/rocm_hip.h"  // emitted: HIP's declarations

#define SX_LIKELY(x) __builtin_expect(!!(x), 1)
#define SX_UNLIKELY(x) __builtin_expect(!!(x), 0)

namespace sx {

// ---- what is impersonated -------------------------------------------------------------------------------------------

int release();       // 100 * major + minor: 702
const char* arch();  // "gfx942"
bool arch_is(const char* name);

// ---- quirks: legal, inconvenient behaviour of ROCm; host/quirks.def has each with its source ------------------------

enum class Quirk {
#define SX_QUIRK(name, since, removed, source, text) name,
#include "../../quirks.def"
#undef SX_QUIRK
  count
};

bool hostile();           // SCALE_X_HOST_HOSTILE=1
bool quirk(Quirk which);  // hostile, and the impersonated release behaves so

// Fills scratch memory with NaN bits when hostile, so that a reader of what was never written is found out.
void poison(void* memory, size_t bytes);

// ---- the pool -------------------------------------------------------------------------------------------------------
// SCALE_X_HOST_THREADS threads, else as many as the process may run on. The caller takes part. Nested calls, and
// callers that find the pool busy, run serially in their own thread.

int pool_threads();
bool in_pool();  // this thread is running a piece: a nested call would be serial
void pool_run(int pieces, void (*function)(void* context, int piece), void* context);

// f(piece, pieces) for every piece in [0, pieces), each once.
template <class F>
void parallel(int pieces, F&& f) {
  struct Context {
    std::remove_reference_t<F>* f;
    int pieces;
  } context{&f, pieces};
  if (pieces <= 1 || pool_threads() == 1) {
    for (int i = 0; i < pieces; ++i) f(i, pieces);
    return;
  }
  pool_run(
      pieces,
      [](void* c, int piece) {
        auto* self = static_cast<Context*>(c);
        (*self->f)(piece, self->pieces);
      },
      &context);
}

// f(begin, end) over [0, n) in ranges of at least ``grain``; ``split`` ranges per thread even out unequal speed.
template <class F>
void parallel_for(size_t n, size_t grain, F&& f, int split = 1) {
  if (n == 0) return;
  const size_t most = static_cast<size_t>(pool_threads()) * static_cast<size_t>(split);
  const size_t pieces = grain == 0 ? most : (n + grain - 1) / grain;
  if (pieces <= 1 || most <= 1) {
    f(size_t{0}, n);
    return;
  }
  const int count = static_cast<int>(pieces < most ? pieces : most);
  parallel(count, [&](int piece, int total) {
    const size_t k = static_cast<size_t>(piece), t = static_cast<size_t>(total);
    const size_t base = n / t, rest = n % t;
    const size_t begin = k * base + (k < rest ? k : rest);
    const size_t end = begin + base + (k < rest ? 1 : 0);
    if (begin < end) f(begin, end);
  });
}

// ---- device memory --------------------------------------------------------------------------------------------------

struct Allocation {
  enum class Kind { device, host, managed, registered };
  char* base;
  size_t bytes;
  Kind kind;
  int device;
  unsigned flags;
};

bool is_device_ptr(const void* p);  // inside device memory (hipMalloc and kin); one comparison, never dereferences
bool is_device_accessible(const void* p);  // device memory, or host memory that HIP allocated or registered
bool find_allocation(const void* p, Allocation* out);

// Engine-owned device memory, not counted as a program's allocation (handles' workspaces). Aligned to 256.
void* internal_alloc(size_t bytes);
void internal_free(void* p);

// The current device of this thread, without an error code.
int current_device();

// ---- counters (read by tests through sx_host_control) ---------------------------------------------------------------

struct Counters {
  long allocations, frees, copies, memsets, syncs, launches, calls;
};
Counters& counters();  // updated with count()
inline void count(long Counters::*which) { __atomic_fetch_add(&(counters().*which), 1, __ATOMIC_RELAXED); }

// ---- streams --------------------------------------------------------------------------------------------------------

// What an item is, for counters and graph nodes.
enum class Op { call, kernel, copy, memset, host, empty, graph };

// Work that was put on a stream but not run at once.
struct Work {
  virtual ~Work() = default;
  virtual void run() = 0;  // may be called more than once (graphs)
};

template <class F>
struct WorkOf final : Work {
  F body;
  explicit WorkOf(F&& f) : body(std::move(f)) {}
  explicit WorkOf(const F& f) : body(f) {}
  void run() override { body(); }
};

// Non-zero when work may not simply run at once: other stream modes, a capture in progress, strict mode, an injected
// fault.
extern int32_t slow_mode;

bool stream_valid(hipStream_t stream);  // NULL, the special values, or a live stream
int stream_device(hipStream_t stream);  // device of a valid stream
bool capturing(hipStream_t stream);     // recording into a graph (also when the capture is already invalid)
hipError_t submit(hipStream_t stream, std::shared_ptr<Work> work, Op op);  // the slow way of enqueue
hipError_t stream_check(hipStream_t stream);  // hipSuccess, or the error of using this stream now

bool capture_in_progress();  // some stream of the process is capturing so that this thread may not allocate or
                             // synchronise
void flush_last_error();     // what a rocBLAS call does to a pending HIP error (quirk flush_last_error)

// Waits as ROCm's libraries do inside a call; refused (hipErrorStreamCaptureUnsupported, and the capture is invalid)
// while the stream is capturing. Not counted as a synchronisation that the program asked for.
hipError_t internal_sync(hipStream_t stream);

inline void count_op(Op op) {
  switch (op) {
    case Op::call:
      return count(&Counters::calls);
    case Op::kernel:
      return count(&Counters::launches);
    case Op::copy:
      return count(&Counters::copies);
    case Op::memset:
      return count(&Counters::memsets);
    case Op::host:
    case Op::empty:
    case Op::graph:
      return;
  }
}

// Puts ``body`` on the stream: the only place where device work starts. ``body`` is callable without arguments, holds
// copies of what it needs, must not throw, and may run later, in another thread, and (from a graph) more than once.
template <class F>
hipError_t enqueue(hipStream_t stream, F&& body, Op op = Op::call) {
  count_op(op);
  if (SX_LIKELY(__atomic_load_n(&slow_mode, __ATOMIC_RELAXED) == 0)) {
    if (SX_UNLIKELY(!stream_valid(stream))) return hipErrorContextIsDestroyed;
    body();
    return hipSuccess;
  }
  if (hipError_t error = stream_check(stream)) return error;
  return submit(stream, std::make_shared<WorkOf<std::decay_t<F>>>(std::forward<F>(body)), op);
}

// ---- scalars by pointer mode ----------------------------------------------------------------------------------------

// alpha or beta: copied at the call in host pointer mode, read when the work runs in device pointer mode.
template <class T>
class Scalar {
 public:
  Scalar(const T* p, bool host_mode) : device_(host_mode ? nullptr : p) {
    if (host_mode && p != nullptr) memcpy(&value_, p, sizeof(T));
  }
  explicit Scalar(T value) : value_(value), device_(nullptr) {}
  // Only inside an enqueued body (in device mode).
  T operator()() const {
    if (device_ == nullptr) return value_;
    T v;
    memcpy(&v, device_, sizeof(T));
    return v;
  }
  bool readable() const { return device_ == nullptr; }  // known already at the call

 private:
  T value_{};
  const T* device_;
};

}  // namespace sx
