// Handles: slots of one slab that is reserved when core is loaded and never unmapped.
#include <stddef.h>
#include <sys/mman.h>

#include "internal.h"

namespace sx {
pthread_mutex_t slab_mutex = PTHREAD_MUTEX_INITIALIZER;

namespace {

constexpr size_t kSlotBytes = 512;
constexpr size_t kSlabBytes = size_t{64} << 20;
constexpr uint32_t kSlots = kSlabBytes / kSlotBytes;
// A destroyed handle stays invalid until this many others were destroyed after it.
constexpr uint32_t kQuarantine = 1024;

uint32_t fresh;           // slots that were never used start here
uint32_t oldest, newest;  // queue of freed slots, as index + 1
uint32_t freed;

sx_blas_slot* slot_at(uint32_t index) { return reinterpret_cast<sx_blas_slot*>(sx_core.slab + index * kSlotBytes); }

__attribute__((constructor)) void reserve_slab() {
  void* p = mmap(nullptr, kSlabBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return;  // no handle can be created
  sx_core.slab = reinterpret_cast<uintptr_t>(p);
  sx_core.slab_bytes = kSlabBytes;
}

uint32_t take_index() {
  if (freed > kQuarantine || (fresh == kSlots && freed > 0)) {
    const uint32_t index = oldest - 1;
    oldest = slot_at(index)->links[0];
    if (oldest == 0) newest = 0;
    --freed;
    return index;
  }
  return fresh < kSlots ? fresh++ : kSlots;
}

}  // namespace

void slab_forked(bool usable) {
  if (usable) return;
  sx_core.slab_bytes = 0;
  sx_core.slab = 0;
}

}  // namespace sx

using namespace sx;

SX_EXPORT sx_core_state sx_core;
sx_core_state sx_core = {};

SX_EXPORT void* sx_slot_new(uint32_t kind) {
  if (sx_core.slab == 0) return nullptr;
  uint32_t index;
  {
    Lock lock(slab_mutex);
    index = take_index();
  }
  if (index == kSlots) return nullptr;
  sx_blas_slot* slot = slot_at(index);
  memset(reinterpret_cast<char*>(slot) + sizeof slot->state, 0, kSlotBytes - sizeof slot->state);
  __atomic_store_n(&slot->state, kind, __ATOMIC_RELEASE);
  return slot;
}

SX_EXPORT bool sx_slot_retire(void* slot, uint32_t kind) {
  return __atomic_compare_exchange_n(&static_cast<sx_blas_slot*>(slot)->state, &kind, kind & ~1u, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

SX_EXPORT void sx_slot_free(void* p) {
  auto* slot = static_cast<sx_blas_slot*>(p);
  const auto index = static_cast<uint32_t>((reinterpret_cast<uintptr_t>(p) - sx_core.slab) / kSlotBytes);
  __atomic_store_n(&slot->state, 0u, __ATOMIC_RELEASE);
  Lock lock(slab_mutex);
  slot->links[0] = 0;
  if (newest != 0) slot_at(newest - 1)->links[0] = index + 1;
  newest = index + 1;
  if (oldest == 0) oldest = newest;
  ++freed;
}
