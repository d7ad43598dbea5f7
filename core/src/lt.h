// cuBLASLt's part of core, as the rest of core sees it.
#pragma once

#include "internal.h"

namespace sx {
extern pthread_mutex_t lt_mutex;
void lt_stream_destroyed(hipStream_t stream);
void lt_device_reset(int device);
}  // namespace sx
