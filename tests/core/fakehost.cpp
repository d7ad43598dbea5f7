// A host engine of four functions: enough to choose it, and it tells which release and architecture were asked for.
#include <stdio.h>
#include <stdlib.h>

#include "scalex/host_table.h"

extern "C" int fake_device_count(int* count) {
  *count = 1;
  return 0;
}
extern "C" int fake_get_device(int* device) {
  *device = 0;
  return 0;
}
extern "C" int fake_create(void** handle) {
  *handle = malloc(64);
  return 0;
}
extern "C" int fake_nothing() { return 0; }

static const sx_host_entry entries[] = {
    {"hipGetDevice", reinterpret_cast<void*>(fake_get_device)},
    {"hipGetDeviceCount", reinterpret_cast<void*>(fake_device_count)},
    {"hipNotInTheTable", nullptr},
    {"rocblas_create_handle", reinterpret_cast<void*>(fake_create)},
    {"rocblas_set_pointer_mode", reinterpret_cast<void*>(fake_nothing)},
};

extern "C" __attribute__((visibility("default"))) const sx_host_entry* sx_host_table(int release, const char*,
                                                                                     size_t* count) {
  if (release > 1100) return nullptr;
  *count = sizeof entries / sizeof *entries;
  return entries;
}
