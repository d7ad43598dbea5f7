// Memory pools: who accounts for what hipMallocAsync hands out. The memory itself is the device's.
#include <unordered_map>
#include <unordered_set>

#include "api.h"

using sx::finish;

namespace sx {
namespace {

struct MemPool {
  int device = 0;
  bool built_in = false;
  int reuse[3] = {1, 1, 1};  // hipMemPoolReuse...: accepted and remembered
  uint64_t threshold = 0;
  uint64_t used = 0, high = 0;
};

struct Block {
  MemPool* pool;
  size_t bytes;
};

struct Pools {
  std::mutex mutex;
  MemPool* built_in[16] = {};
  MemPool* current[16] = {};
  std::unordered_set<const MemPool*> alive;
  std::unordered_map<void*, Block> blocks;
};
Pools& pools() {
  static auto& p = *new Pools;  // never destroyed: programs free memory in their own destructors
  return p;
}

using Held = std::lock_guard<std::mutex>;

MemPool* built_in(int device, const Held&) {
  MemPool*& pool = pools().built_in[device];
  if (pool == nullptr) {
    pool = new MemPool;
    pool->device = device;
    pool->built_in = true;
    pools().alive.insert(pool);
    pools().current[device] = pool;
  }
  return pool;
}

MemPool* current(int device, const Held& held) {
  MemPool* const own = built_in(device, held);
  MemPool* const chosen = pools().current[device];
  return chosen != nullptr ? chosen : own;
}

MemPool* pool_of(hipMemPool_t pool, const Held&) {
  auto* const p = reinterpret_cast<MemPool*>(pool);
  return pools().alive.count(p) != 0 ? p : nullptr;
}

hipMemPool_t handle(MemPool* pool) { return reinterpret_cast<hipMemPool_t>(pool); }

// Where an attribute is kept; NULL for an unknown one. The first three are int, the others 64 bits.
uint64_t* wide_attribute(MemPool* pool, hipMemPoolAttr which) {
  switch (which) {
    case hipMemPoolAttrReleaseThreshold:
      return &pool->threshold;
    case hipMemPoolAttrReservedMemCurrent:
    case hipMemPoolAttrUsedMemCurrent:
      return &pool->used;
    case hipMemPoolAttrReservedMemHigh:
    case hipMemPoolAttrUsedMemHigh:
      return &pool->high;
    default:
      return nullptr;
  }
}

int* narrow_attribute(MemPool* pool, hipMemPoolAttr which) {
  const int n = static_cast<int>(which) - static_cast<int>(hipMemPoolReuseFollowEventDependencies);
  return n >= 0 && n < 3 ? &pool->reuse[n] : nullptr;
}

}  // namespace

bool pool_take(hipMemPool_t pool, void* p, size_t bytes) {
  const Held held(pools().mutex);
  MemPool* const owner = pool != nullptr ? pool_of(pool, held) : current(thread_state.device, held);
  if (owner == nullptr) return false;
  owner->used += bytes;
  if (owner->used > owner->high) owner->high = owner->used;
  pools().blocks[p] = {owner, bytes};
  return true;
}

void pool_release(void* p) {
  const Held held(pools().mutex);
  const auto at = pools().blocks.find(p);
  if (at == pools().blocks.end()) return;
  if (pools().alive.count(at->second.pool) != 0) at->second.pool->used -= at->second.bytes;
  pools().blocks.erase(at);
}

bool pool_alive(hipMemPool_t pool) {
  const Held held(pools().mutex);
  return pool_of(pool, held) != nullptr;
}

}  // namespace sx

using sx::Held;
using sx::MemPool;
using sx::pools;

extern "C" {

hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t* pool, int device) {
  SX_REQUIRE(pool != nullptr, hipErrorInvalidValue);
  SX_REQUIRE(sx::device_exists(device), hipErrorInvalidDevice);
  const Held held(pools().mutex);
  *pool = sx::handle(sx::built_in(device, held));
  return finish(hipSuccess);
}

hipError_t hipDeviceGetMemPool(hipMemPool_t* pool, int device) {
  SX_REQUIRE(pool != nullptr, hipErrorInvalidValue);
  SX_REQUIRE(sx::device_exists(device), hipErrorInvalidDevice);
  const Held held(pools().mutex);
  *pool = sx::handle(sx::current(device, held));
  return finish(hipSuccess);
}

hipError_t hipDeviceSetMemPool(int device, hipMemPool_t pool) {
  SX_REQUIRE(sx::device_exists(device), hipErrorInvalidDevice);
  const Held held(pools().mutex);
  MemPool* const p = sx::pool_of(pool, held);
  SX_REQUIRE(p != nullptr && p->device == device, hipErrorInvalidValue);
  pools().current[device] = p;
  return finish(hipSuccess);
}

hipError_t hipMemPoolCreate(hipMemPool_t* pool, const hipMemPoolProps* properties) {
  SX_REQUIRE(pool != nullptr && properties != nullptr, hipErrorInvalidValue);
  SX_REQUIRE(properties->allocType == hipMemAllocationTypePinned, hipErrorInvalidValue);
  SX_REQUIRE(properties->location.type == hipMemLocationTypeDevice, hipErrorInvalidValue);
  SX_REQUIRE(sx::device_exists(properties->location.id), hipErrorInvalidValue);
  const Held held(pools().mutex);
  auto* const p = new MemPool;
  p->device = properties->location.id;
  pools().alive.insert(p);
  *pool = sx::handle(p);
  return finish(hipSuccess);
}

hipError_t hipMemPoolDestroy(hipMemPool_t pool) {
  const Held held(pools().mutex);
  MemPool* const p = sx::pool_of(pool, held);
  SX_REQUIRE(p != nullptr && !p->built_in, hipErrorInvalidValue);
  if (pools().current[p->device] == p) pools().current[p->device] = nullptr;
  pools().alive.erase(p);
  delete p;
  return finish(hipSuccess);
}

hipError_t hipMemPoolSetAttribute(hipMemPool_t pool, hipMemPoolAttr which, void* value) {
  const Held held(pools().mutex);
  MemPool* const p = sx::pool_of(pool, held);
  SX_REQUIRE(p != nullptr && value != nullptr, hipErrorInvalidValue);
  if (int* const narrow = sx::narrow_attribute(p, which)) {
    memcpy(narrow, value, sizeof *narrow);
    return finish(hipSuccess);
  }
  const bool current = which == hipMemPoolAttrReservedMemCurrent || which == hipMemPoolAttrUsedMemCurrent;  // only read
  uint64_t* const wide = sx::wide_attribute(p, which);
  SX_REQUIRE(wide != nullptr && !current, hipErrorInvalidValue);
  uint64_t given;
  memcpy(&given, value, sizeof given);
  SX_REQUIRE(which == hipMemPoolAttrReleaseThreshold || given == 0, hipErrorInvalidValue);  // high marks: reset only
  *wide = which == hipMemPoolAttrReleaseThreshold ? given : p->used;
  return finish(hipSuccess);
}

hipError_t hipMemPoolGetAttribute(hipMemPool_t pool, hipMemPoolAttr which, void* value) {
  const Held held(pools().mutex);
  MemPool* const p = sx::pool_of(pool, held);
  SX_REQUIRE(p != nullptr && value != nullptr, hipErrorInvalidValue);
  if (const int* const narrow = sx::narrow_attribute(p, which)) {
    memcpy(value, narrow, sizeof *narrow);
    return finish(hipSuccess);
  }
  const uint64_t* const wide = sx::wide_attribute(p, which);
  SX_REQUIRE(wide != nullptr, hipErrorInvalidValue);
  memcpy(value, wide, sizeof *wide);
  return finish(hipSuccess);
}

hipError_t hipMemPoolTrimTo(hipMemPool_t pool, size_t) {
  SX_REQUIRE(sx::pool_alive(pool), hipErrorInvalidValue);
  return finish(hipSuccess);
}

}  // extern "C"
