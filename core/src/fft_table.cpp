// The numbers of cuFFT's handles, and hipFFT plans kept for the next handle of the same geometry.
#include "scalex/fft.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "internal.h"

namespace sx {
pthread_mutex_t fft_mutex = PTHREAD_MUTEX_INITIALIZER;

namespace {

constexpr uint32_t kSlotBytes = 512;
constexpr uint32_t kHandles = 1 << 16;
constexpr int kKept = 32;

uint64_t used[kHandles / 64];  // a bit per number
uint32_t lowest_word;          // no number below this word is free

struct Kept {
  sx_fft_key key;
  hipfftHandle plan;
  size_t work_bytes;
};
Kept kept[kKept];  // least recently kept first
int kept_count;

sx_fft_slot* slot_at(uint32_t index) {
  return reinterpret_cast<sx_fft_slot*>(sx_fft.slots + size_t{kSlotBytes} * index);
}

// With the lock held.
bool reserve() {
  if (sx_fft.slots) return sx_fft.count != 0;
  void* p = mmap(nullptr, size_t{kSlotBytes} * kHandles, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return false;
  sx_fft.slots = static_cast<char*>(p);
  used[0] = 1;  // 0 is no handle
  __atomic_store_n(&sx_fft.count, static_cast<int32_t>(kHandles), __ATOMIC_RELEASE);
  return true;
}

void remove_kept(int i) {
  --kept_count;
  for (; i < kept_count; ++i) kept[i] = kept[i + 1];
}

void destroy(hipfftHandle plan) {
  if (plan && sx_rocm->hipfftDestroy) sx_rocm->hipfftDestroy(plan);
}

bool take(const sx_fft_key& key, hipfftHandle* plan, size_t* work_bytes) {
  Lock lock(fft_mutex);
  for (int i = kept_count - 1; i >= 0; --i) {
    if (memcmp(&kept[i].key, &key, sizeof key) != 0) continue;
    *plan = kept[i].plan;
    *work_bytes = kept[i].work_bytes;
    remove_kept(i);
    return true;
  }
  return false;
}

hipfftResult plan_many(hipfftHandle plan, const sx_fft_key& key, size_t* work) {
  long long n[3], in[3], out[3];
  for (int i = 0; i < 3; ++i) n[i] = key.n[i], in[i] = key.inembed[i], out[i] = key.onembed[i];
  const bool e = key.embedded != 0;
  return sx_rocm->hipfftXtMakePlanMany(plan, key.rank, n, e ? in : nullptr, key.istride, key.idist,
                                       static_cast<hipDataType>(key.types[0]), e ? out : nullptr, key.ostride,
                                       key.odist, static_cast<hipDataType>(key.types[1]), key.batch, work,
                                       static_cast<hipDataType>(key.types[2]));
}

hipfftResult create(const sx_fft_key& key, hipfftHandle* plan, size_t* work_bytes) {
  if (!sx_rocm->hipfftCreate || !sx_rocm->hipfftSetAutoAllocation || !sx_rocm->hipfftXtMakePlanMany ||
      !sx_rocm->hipfftSetStream || !sx_rocm->hipfftSetWorkArea || !sx_rocm->hipfftXtExec)
    return HIPFFT_NOT_IMPLEMENTED;
  hipfftHandle made = nullptr;
  if (sx_rocm->hipfftCreate(&made) != HIPFFT_SUCCESS || made == nullptr) return HIPFFT_INTERNAL_ERROR;
  hipfftResult status = sx_rocm->hipfftSetAutoAllocation(made, 0);
  *work_bytes = 0;
  if (status == HIPFFT_SUCCESS) status = plan_many(made, key, work_bytes);
  if (status == HIPFFT_SUCCESS) {
    *plan = made;
  } else {
    destroy(made);
  }
  return status;
}

}  // namespace

// Lets go of the kept plans of a device.
void fft_device_reset(int device) {
  for (;;) {
    hipfftHandle plan = nullptr;
    {
      Lock lock(fft_mutex);
      int i = 0;
      while (i < kept_count && kept[i].key.device != device) ++i;
      if (i == kept_count) return;
      plan = kept[i].plan;
      remove_kept(i);
    }
    destroy(plan);
  }
}

// In a child that cannot use the provider: no handle is valid, and nothing of the parent's is touched.
void fft_forked(bool usable) {
  fft_mutex = PTHREAD_MUTEX_INITIALIZER;
  if (usable) return;
  kept_count = 0;
  sx_fft.count = 0;
}

}  // namespace sx

using namespace sx;

SX_EXPORT sx_fft_state sx_fft;
sx_fft_state sx_fft = {};

SX_EXPORT sx_fft_slot* sx_fft_create(void) {
  uint32_t number = 0;
  {
    Lock lock(fft_mutex);
    if (!reserve()) return nullptr;
    uint32_t word = lowest_word;
    while (word < kHandles / 64 && used[word] == ~uint64_t{0}) ++word;
    lowest_word = word;
    if (word == kHandles / 64) return nullptr;
    const auto bit = static_cast<uint32_t>(__builtin_ctzll(~used[word]));
    used[word] |= uint64_t{1} << bit;
    number = word * 64 + bit;
  }
  sx_fft_slot* slot = slot_at(number);
  memset(reinterpret_cast<char*>(slot) + sizeof slot->state, 0, sizeof *slot - sizeof slot->state);
  slot->number = number;
  slot->auto_allocate = 1;
  __atomic_store_n(&slot->state, SX_FFT_CREATED, __ATOMIC_RELEASE);
  return slot;
}

SX_EXPORT bool sx_fft_retire(sx_fft_slot* slot) {
  for (int32_t state : {SX_FFT_PLANNED, SX_FFT_CREATED}) {
    if (__atomic_compare_exchange_n(&slot->state, &state, SX_FFT_FREE, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      return true;
  }
  return false;
}

SX_EXPORT void sx_fft_free(sx_fft_slot* slot) {
  Lock lock(fft_mutex);
  const uint32_t word = slot->number / 64;
  used[word] &= ~(uint64_t{1} << (slot->number % 64));
  if (word < lowest_word) lowest_word = word;
}

SX_EXPORT int sx_fft_obtain(const sx_fft_key* key, hipfftHandle* plan, size_t* work_bytes) {
  return take(*key, plan, work_bytes) ? HIPFFT_SUCCESS : create(*key, plan, work_bytes);
}

SX_EXPORT void sx_fft_keep(const sx_fft_key* key, hipfftHandle plan, size_t work_bytes) {
  hipfftHandle evicted = nullptr;
  {
    Lock lock(fft_mutex);
    if (kept_count == kKept) {
      evicted = kept[0].plan;
      remove_kept(0);
    }
    kept[kept_count++] = {*key, plan, work_bytes};
  }
  destroy(evicted);
}
