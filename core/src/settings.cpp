// What cuBLAS's handle functions do to a slot. Settings are written under the pool's mutex, so that a call in another
// thread never sees half of a change.
#include "borrow.h"

using namespace sx;

namespace {

uint64_t next_generation() {
  static uint32_t last = 0;
  if (++last == 0) ++last;
  return uint64_t{last} << SX_WORKSPACE_SHIFT;
}

constexpr uint64_t kWorkspaceMask = ~uint64_t{0} << SX_WORKSPACE_SHIFT;

}  // namespace

SX_EXPORT sx_process_state sx_process;
sx_process_state sx_process = {};

SX_EXPORT int sx_blas_create(sx_blas_slot** out) {
  if (sx_provider_load() != 0) return kNotInitialized;
  int device = 0;
  if (sx_rocm->hipGetDevice && sx_rocm->hipGetDevice(&device) != hipSuccess) return kNotInitialized;
  if (!device_answers()) return kNotInitialized;
  const int status = warm(device, nullptr);
  if (status != kSuccess) return status == kAllocFailed ? kAllocFailed : kNotInitialized;
  auto* slot = static_cast<sx_blas_slot*>(sx_slot_new(SX_KIND_BLAS));
  if (slot == nullptr) return kAllocFailed;
  slot->device = device;
  slot->emulation_special_values = 0xffff;
  *out = slot;
  return kSuccess;
}

SX_EXPORT int sx_blas_destroy(sx_blas_slot* slot) {
  if (!sx_slot_retire(slot, SX_KIND_BLAS) && !sx_slot_retire(slot, SX_KIND_SOLVER)) return kNotInitialized;
  release_cached(slot);
  sx_slot_free(slot);
  return kSuccess;
}

SX_EXPORT int sx_blas_set_stream(sx_blas_slot* slot, hipStream_t stream, void* cuda_stream) {
  {
    Lock lock(pool_mutex);
    __atomic_store_n(&slot->modes, slot->modes & ~kWorkspaceMask, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->stream, stream, __ATOMIC_RELAXED);
    slot->cuda_stream = cuda_stream;
    slot->workspace = nullptr;
    slot->workspace_bytes = 0;
  }
  // with several devices the current one may not be the handle's: the first call then makes the entry
  if (sx_core.device_count <= 1 && !cached_serves(*slot)) warm(slot->device, stream);
  return kSuccess;
}

SX_EXPORT int sx_blas_set_workspace(sx_blas_slot* slot, void* workspace, size_t bytes) {
  Lock lock(pool_mutex);
  const bool usable = workspace != nullptr && bytes > 0;
  slot->workspace = usable ? workspace : nullptr;
  slot->workspace_bytes = usable ? bytes : 0;
  const uint64_t generation = usable ? next_generation() : 0;
  __atomic_store_n(&slot->modes, (slot->modes & ~kWorkspaceMask) | generation, __ATOMIC_RELAXED);
  return kSuccess;
}

SX_EXPORT void sx_blas_set_mode(sx_blas_slot* slot, uint64_t mask, uint64_t bits) {
  Lock lock(pool_mutex);
  __atomic_store_n(&slot->modes, (slot->modes & ~mask) | (bits & mask), __ATOMIC_RELAXED);
}
