// The choice of the provider, made once, when the first handle is created or the CUDA runtime is first called.
//
// SCALE_X_PROVIDER=rocm, host or an absolute directory; unset: ROCm when it is installed and a device answers, else
// host.
#include <stdio.h>
#include <stdlib.h>

#include "provider.h"

namespace sx {

pthread_mutex_t provider_mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

namespace {

Provider provider;
bool is_rocm;
int failure;  // remembered: the choice is made once, and said once
bool tried;

// Before a provider is loaded: no function, no release, no architecture.
constexpr sx_rocm_table empty_table() {
  sx_rocm_table table = {};
  table.arch = "";
  return table;
}
constexpr sx_rocm_table kEmpty = empty_table();

int open_chosen(const char* wish) {
  if (*wish == '/') {
    if (open_rocm(&provider, wish, false) == 0) return is_rocm = true, 0;
  } else if (strcmp(wish, "rocm") == 0) {
    const int error = open_rocm(&provider, nullptr, true);
    is_rocm = error == 0;
    return error;
  } else if (*wish == '\0') {
    if (open_rocm(&provider, nullptr, false) == 0) return is_rocm = true, 0;
  } else if (strcmp(wish, "host") != 0) {
    say("SCALE_X_PROVIDER=%s is neither rocm, host nor an absolute directory; the host engine is used", wish);
  }
  const int error = open_host(&provider);
  if (error == 0) warn_about_present_hip();
  return error;
}

int load() {
  Lock lock(provider_mutex);
  if (sx_loaded()) return 0;
  if (tried) return failure;
  tried = true;
  failure = hipErrorOutOfMemory;  // what an exception means
  const char* wish = secure_getenv("SCALE_X_PROVIDER");
  provider.table.arch = provider.arch;
  failure = open_chosen(wish ? wish : "");
  watch_fork();
  if (failure != 0) return failure;
  sx_core.device_count = provider.devices;
  __atomic_store_n(&sx_rocm, &provider.table, __ATOMIC_RELEASE);
  __atomic_store_n(&sx_provider_loaded, 1, __ATOMIC_RELEASE);
  return 0;
}

}  // namespace

bool provider_dies_in_child() { return is_rocm; }

void provider_forked() {
  sx_rocm = &kEmpty;
  sx_provider_loaded = 0;
  tried = true;
  failure = hipErrorInitializationError;
}

}  // namespace sx

SX_EXPORT const sx_rocm_table* sx_rocm;
const sx_rocm_table* sx_rocm = &sx::kEmpty;
SX_EXPORT int32_t sx_provider_loaded;
int32_t sx_provider_loaded = 0;

SX_EXPORT int sx_provider_load() {
  if (SX_LIKELY(sx_loaded())) return 0;
  try {
    return sx::load();
  } catch (...) {
    return hipErrorOutOfMemory;
  }
}
