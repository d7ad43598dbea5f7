// Small tools of core's test programs: checks that say where they failed, and the null ROCm's counters.
#pragma once

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include <string>

#include "nullrocm.h"
#include "scalex/core.h"

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                \
    }                                                                         \
  } while (0)

inline NullCounters& counters() {
  static auto* found = [] {
    void* library = dlopen("librocblas.so.5", RTLD_NOW | RTLD_NOLOAD);
    CHECK(library != nullptr);
    return static_cast<NullCounters*>(dlsym(library, "nullrocm_rocblas"));
  }();
  return *found;
}

inline sx_blas_slot* create() {
  sx_blas_slot* slot = nullptr;
  CHECK(sx_blas_create(&slot) == 0);
  CHECK(slot != nullptr);
  return slot;
}

inline const NullHandle& handle_of(const sx_loan& loan) { return *reinterpret_cast<const NullHandle*>(loan.handle); }

// One call as a wrapper makes it; the settings that the backend sees.
inline NullHandle call(sx_blas_slot* slot) {
  sx_loan loan;
  CHECK(sx_blas_begin(slot, &loan) == 0);
  CHECK(handle_of(loan).live == kNullLive);
  sx_rocm->rocblas_sdot(loan.handle, 1, nullptr, 1, nullptr, 1, nullptr);
  const NullHandle seen = handle_of(loan);
  sx_blas_end(&loan);
  return seen;
}

inline hipStream_t stream(uintptr_t value) { return reinterpret_cast<hipStream_t>(value); }
