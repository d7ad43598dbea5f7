// Entries of the pool of rocBLAS handles.
#pragma once

#include <atomic>

#include "internal.h"

namespace sx {

// One rocBLAS handle, bound to a device and a stream: idle, cached by one slot, or on loan.
struct Entry {
  rocblas_handle handle;
  int32_t device;
  hipStream_t stream;
  void* thread;    // whose stream, for the per-thread default stream
  uint64_t modes;  // as applied
  bool user_workspace;
  const void* lent;  // the memory of one call that it carries, see lend.h
  size_t lent_bytes;
  bool own_captured;       // a graph may use the handle's own memory, which must not go
  std::atomic<bool> dead;  // its stream is gone: not to be kept
  size_t own_workspace;    // bytes that rocBLAS takes by itself
  void* scratch;
  size_t scratch_bytes;
  bool scratch_captured;   // a graph may use it
  Entry *previous, *next;  // of all entries
  Entry* doomed;
};

bool capturing(hipStream_t stream);
int warm(int device, hipStream_t stream);
bool device_answers();  // no fault has broken it; also while capturing
void release_cached(sx_blas_slot* slot);
bool cached_serves(const sx_blas_slot& slot);
int idle_handles();

}  // namespace sx
