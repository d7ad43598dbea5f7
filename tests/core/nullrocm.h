// What the null ROCm tells tests: how its handles are set, and how often it was called.
#pragma once

#include <stdint.h>

struct NullHandle {
  uint64_t live;  // kNullLive
  void* stream;
  void* workspace;
  uint64_t workspace_bytes;
  int32_t pointer_mode, atomics_mode, math_mode, device;
  int32_t busy;  // calls running on it now: two are a bug of the caller
};
enum : uint64_t { kNullLive = 0x4e554c4c };

struct NullCounters {
  int64_t handles_created, handles_destroyed, settings, calls, clashes, set_device;
};
