// Objects that a program makes for the 64-bit API and for iterative refinement: slots of core's slab, so that a NULL,
// destroyed or foreign one is told from a live one.
#pragma once

#include "native.h"

enum : uint32_t {  // beside core's kinds of handles; low bit: live
  SX_KIND_DN_PARAMS = 0x53580061,
  SX_KIND_IRS_PARAMS = 0x53580071,
  SX_KIND_IRS_INFOS = 0x53580081,
};

constexpr int kFunctions = 2;  // that know algorithms: GETRF, POTRF

struct sx_dn_params {
  uint32_t state;
  int32_t algorithm[kFunctions];
};

struct sx_irs_params {
  uint32_t state;
  int32_t main, lowest;  // cusolverPrecType_t, 0: not set
  int32_t refinement;    // cusolverIRSRefinement_t
  int32_t max_iterations, max_inner;
  int32_t fallback;
  double tolerance, inner_tolerance;  // 0: the default
};

struct sx_irs_infos {
  uint32_t state;
  int32_t iterations, outer, max_iterations;
  int32_t wants_history;
  void* history;  // malloc'ed residual norms of the last call
};

template <class Slot>
Slot* sx_object(const void* p, uint32_t kind) {
  return reinterpret_cast<Slot*>(sx_slot_of(p, kind));
}
static inline sx_irs_params* sx_irs_params_of(cusolverDnIRSParams_t p) {
  return sx_object<sx_irs_params>(p, SX_KIND_IRS_PARAMS);
}
static inline sx_irs_infos* sx_irs_infos_of(cusolverDnIRSInfos_t p) {
  return sx_object<sx_irs_infos>(p, SX_KIND_IRS_INFOS);
}

// Makes an object invalid, and its slot free after ``clear`` has let go of what it owns.
template <class Slot, class Clear>
bool sx_object_destroy(Slot* slot, uint32_t kind, const Clear& clear) {
  if (slot == nullptr || !sx_slot_retire(slot, kind)) return false;
  clear(slot);
  sx_slot_free(slot);
  return true;
}
