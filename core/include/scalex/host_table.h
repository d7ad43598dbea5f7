// What core and the host engine share: the engine's one exported function.
#pragma once

#include <stddef.h>

extern "C" {

struct sx_host_entry {
  const char* name;
  void* fn;
};

// The ROCm functions of a release (100 * major + minor) on an architecture, sorted by name; NULL if either is unknown.
const sx_host_entry* sx_host_table(int release, const char* arch, size_t* count);
}
