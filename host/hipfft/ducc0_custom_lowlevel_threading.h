// ducc0's threading, mapped to the engine's pool: ducc0 starts no threads of its own. Found by ducc0 under this name.
#pragma once

#include <condition_variable>
#include <mutex>

#include "scalex/host.h"

namespace DUCC0_NAMESPACE {
namespace detail_threading {

using Mutex = std::mutex;
using UniqueLock = std::unique_lock<std::mutex>;
using LockGuard = std::lock_guard<std::mutex>;
using CondVar = std::condition_variable;

class EnginePool final : public thread_pool {
 public:
  size_t nthreads() const override { return static_cast<size_t>(sx::pool_threads()) - 1; }
  size_t adjust_nthreads(size_t wanted) const override {
    if (sx::in_pool()) return 1;
    const auto most = static_cast<size_t>(sx::pool_threads());
    return wanted == 0 || wanted > most ? most : wanted;
  }
  void submit(std::function<void()> work) override { work(); }
  void parallel_for(size_t threads, std::function<void(size_t)> work) override {
    sx::parallel(static_cast<int>(threads), [&](int piece, int) { work(static_cast<size_t>(piece)); });
  }
};

inline thread_pool* get_active_pool() {
  static EnginePool pool;
  return &pool;
}
inline thread_pool* set_active_pool(thread_pool*) { return get_active_pool(); }

// ducc0 notes here that a thread runs a piece; the engine's pool knows that by itself.
static thread_local bool in_parallel_region = false;

}  // namespace detail_threading
}  // namespace DUCC0_NAMESPACE
