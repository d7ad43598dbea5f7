// Shared by the HIP functions of this folder.
#pragma once

#include "../engine/engine.h"

namespace sx {

inline hipStream_t per_thread_default() { return reinterpret_cast<hipStream_t>(uintptr_t{2}); }

// Argument checks of a HIP function end in this: the error state is kept as HIP keeps it.
#define SX_REQUIRE(holds, error)                           \
  do {                                                     \
    if (SX_UNLIKELY(!(holds))) return ::sx::finish(error); \
  } while (0)
#define SX_TRY(call)                                                         \
  do {                                                                       \
    if (const hipError_t sx_error_ = (call)) return ::sx::finish(sx_error_); \
  } while (0)

inline bool device_exists(int device) { return device >= 0 && device < settings().devices; }

// Waits until everything on this stream is done, as a call that the program made.
hipError_t stream_synchronize(hipStream_t stream);

// Memory pools: NULL is the device's current one. False when the pool does not exist.
bool pool_take(hipMemPool_t pool, void* p, size_t bytes);
void pool_release(void* p);
bool pool_alive(hipMemPool_t pool);

}  // namespace sx
