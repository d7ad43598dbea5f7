// Objects that are a slot of core with a struct of its own behind it.
#pragma once

#include <cusolver_common.h>

#include <new>

#include "scalex/core.h"

// A new object of a kind with a struct of its own behind it; its struct; its end.
template <class T, class Handle>
cusolverStatus_t sx_sp_make(Handle* out, uint32_t kind) {
  if (out == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  auto* slot = static_cast<sx_blas_slot*>(sx_slot_new(kind));
  if (slot == nullptr) return CUSOLVER_STATUS_ALLOC_FAILED;
  slot->workspace = new (std::nothrow) T;
  if (slot->workspace == nullptr) {
    if (sx_slot_retire(slot, kind)) sx_slot_free(slot);
    return CUSOLVER_STATUS_ALLOC_FAILED;
  }
  *out = reinterpret_cast<Handle>(slot);
  return CUSOLVER_STATUS_SUCCESS;
}
template <class T, class Handle>
T* sx_sp_object(Handle handle, uint32_t kind) {
  const sx_blas_slot* slot = sx_slot_of(reinterpret_cast<const void*>(handle), kind);
  return slot ? static_cast<T*>(slot->workspace) : nullptr;
}
template <class T, class Handle>
cusolverStatus_t sx_sp_end(Handle handle, uint32_t kind) {
  sx_blas_slot* slot = sx_slot_of(reinterpret_cast<const void*>(handle), kind);
  if (slot == nullptr || !sx_slot_retire(slot, kind)) return CUSOLVER_STATUS_NOT_INITIALIZED;
  delete static_cast<T*>(slot->workspace);
  sx_slot_free(slot);
  return CUSOLVER_STATUS_SUCCESS;
}
