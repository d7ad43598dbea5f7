// The engine's own threads. A job is published by storing a new generation in one 64-bit ticket; a piece is won by
// incrementing the ticket, which fails when the generation has passed, so a late worker can never run a finished job.
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <new>

#include "engine.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define SX_PAUSE() _mm_pause()
#else
#define SX_PAUSE() __asm__ volatile("yield")
#endif

namespace sx {
namespace {

constexpr int index_bits = 20;
constexpr uint64_t index_mask = (uint64_t{1} << index_bits) - 1;
constexpr int max_pieces = static_cast<int>(index_mask) - 2048;  // late increments must not overflow into the count
constexpr int spins = 2000;                                      // about 30 us

struct alignas(64) Pool {
  std::atomic<uint64_t> ticket{0};  // generation | pieces | next piece
  alignas(64) std::atomic<int> finished{0};
  std::atomic<int> caller_waits{0};
  alignas(64) std::atomic<uint32_t> wake{0};  // futex of sleeping workers
  std::atomic<int> sleepers{0};
  alignas(64) std::atomic<bool> busy{false};
  std::atomic<bool> started{false};
  void (*function)(void*, int) = nullptr;
  void* context = nullptr;
};
Pool pool;

long futex(void* word, int op, uint32_t value) { return syscall(SYS_futex, word, op, value, nullptr, nullptr, 0); }

uint64_t generation_of(uint64_t ticket) { return ticket >> (2 * index_bits); }
int pieces_of(uint64_t ticket) { return static_cast<int>((ticket >> index_bits) & index_mask); }
int next_of(uint64_t ticket) { return static_cast<int>(ticket & index_mask); }

void finish_piece(int pieces) {
  if (pool.finished.fetch_add(1, std::memory_order_acq_rel) + 1 == pieces &&
      pool.caller_waits.load(std::memory_order_seq_cst) != 0) {
    futex(&pool.finished, FUTEX_WAKE_PRIVATE, 1);
  }
}

// Runs pieces of the current job until none is left. True when at least one was run.
bool work() {
  bool any = false;
  uint64_t ticket = pool.ticket.load(std::memory_order_acquire);
  while (next_of(ticket) < pieces_of(ticket)) {
    if (!pool.ticket.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel)) continue;
    pool.function(pool.context, next_of(ticket));  // stable: the job cannot end before this piece has
    finish_piece(pieces_of(ticket));
    any = true;
    ticket = pool.ticket.load(std::memory_order_acquire);
  }
  return any;
}

void* worker(void*) {
  thread_state.in_pool = true;
  for (;;) {
    const uint32_t seen = pool.wake.load(std::memory_order_acquire);
    if (work()) continue;
    bool news = false;
    for (int i = 0; i < spins && !news; ++i) {
      SX_PAUSE();
      news = pool.wake.load(std::memory_order_relaxed) != seen;
    }
    if (news) continue;
    pool.sleepers.fetch_add(1, std::memory_order_seq_cst);
    if (pool.wake.load(std::memory_order_seq_cst) == seen) futex(&pool.wake, FUTEX_WAIT_PRIVATE, seen);
    pool.sleepers.fetch_sub(1, std::memory_order_seq_cst);
  }
  return nullptr;
}

void start_workers(int count) {
  sigset_t all, old;
  sigfillset(&all);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigdelset(&all, signal);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  for (int i = 0; i < count; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, worker, nullptr) != 0) break;  // the caller does the work alone
    pthread_setname_np(thread, "scalex-pool");
    pthread_detach(thread);
  }
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

void wait_until_finished(int pieces) {
  for (int i = 0; i < spins; ++i) {
    if (pool.finished.load(std::memory_order_acquire) == pieces) return;
    SX_PAUSE();
  }
  pool.caller_waits.store(1, std::memory_order_seq_cst);
  for (int now = pool.finished.load(std::memory_order_seq_cst); now != pieces;
       now = pool.finished.load(std::memory_order_seq_cst)) {
    futex(&pool.finished, FUTEX_WAIT_PRIVATE, static_cast<uint32_t>(now));
  }
  pool.caller_waits.store(0, std::memory_order_relaxed);
}

void run_here(int pieces, void (*function)(void*, int), void* context) {
  for (int i = 0; i < pieces; ++i) function(context, i);
}

}  // namespace

int pool_threads() {
  static const int threads = settings().threads;
  return threads;
}

bool in_pool() { return thread_state.in_pool; }

void pool_run(int pieces, void (*function)(void* context, int piece), void* context) {
  if (thread_state.in_pool || pieces <= 1 || pieces > max_pieces || pool_threads() == 1 ||
      pool.busy.exchange(true, std::memory_order_acquire)) {
    run_here(pieces, function, context);
    return;
  }
  if (SX_UNLIKELY(!pool.started.load(std::memory_order_relaxed))) {
    start_workers(pool_threads() - 1);
    pool.started.store(true, std::memory_order_relaxed);
  }
  thread_state.in_pool = true;
  pool.function = function;
  pool.context = context;
  pool.finished.store(0, std::memory_order_relaxed);
  const uint64_t generation = generation_of(pool.ticket.load(std::memory_order_relaxed)) + 1;
  pool.ticket.store(generation << (2 * index_bits) | static_cast<uint64_t>(pieces) << index_bits,
                    std::memory_order_release);
  pool.wake.fetch_add(1, std::memory_order_seq_cst);
  const int sleepers = pool.sleepers.load(std::memory_order_seq_cst);
  if (sleepers > 0) {
    futex(&pool.wake, FUTEX_WAKE_PRIVATE, static_cast<uint32_t>(sleepers < pieces - 1 ? sleepers : pieces - 1));
  }
  work();
  wait_until_finished(pieces);
  thread_state.in_pool = false;
  pool.busy.store(false, std::memory_order_release);
}

// Threads do not survive fork; the next job starts new ones.
void pool_fork_child() {
  new (&pool) Pool();
  thread_state.in_pool = false;
}

}  // namespace sx
