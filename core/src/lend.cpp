// Memory lent to borrowed rocBLAS handles for a call.
#include "scalex/lend.h"

#include "borrow.h"

using namespace sx;

namespace {

Entry* entry_of(const sx_blas_slot* slot, const sx_loan* loan) {
  return static_cast<Entry*>(loan->entry ? loan->entry : slot->cached_entry);
}

// Whether the handle's own memory is there, and enough; a graph that is being captured may then keep it.
bool own_serves(Entry* e, size_t bytes) {
  size_t own = 0;
  if (e->user_workspace || sx_rocm->rocblas_get_device_memory_size == nullptr) return false;
  if (sx_rocm->rocblas_get_device_memory_size(e->handle, &own) != rocblas_status_success || own < bytes) return false;
  e->own_captured |= capturing(e->stream);
  return true;
}

}  // namespace

SX_EXPORT int sx_lend(sx_blas_slot* slot, const sx_loan* loan, void* memory, size_t bytes) {
  Entry* e = entry_of(slot, loan);
  if (e == nullptr || sx_rocm->rocblas_set_workspace == nullptr) return kExecutionFailed;
  if (e->own_captured) return kSuccess;  // it manages with its own
  // rocBLAS frees its own memory when it is given some, which no capture survives: a first call there stays with it.
  if (!e->user_workspace && capturing(e->stream) && own_serves(e, 0)) return kSuccess;
  if (e->user_workspace && e->lent == memory && e->lent_bytes == bytes) return kSuccess;
  // taking other memory, the handle frees its own, which a capture forbids
  if (!e->user_workspace && capturing(e->stream)) return own_serves(e, bytes) ? kSuccess : kExecutionFailed;
  e->user_workspace = true;
  e->lent = nullptr;
  if (sx_rocm->rocblas_set_workspace(e->handle, memory, bytes) != rocblas_status_success) return kExecutionFailed;
  e->lent = memory;
  e->lent_bytes = bytes;
  return kSuccess;
}

SX_EXPORT void* sx_lend_scratch(sx_blas_slot* slot, const sx_loan* loan, size_t front, size_t bytes) {
  Entry* e = entry_of(slot, loan);
  if (e == nullptr) return nullptr;
  if (front + bytes == 0) return e;
  auto* whole = static_cast<char*>(sx_blas_scratch(slot, loan, front + bytes));
  if (whole != nullptr) return bytes == 0 || sx_lend(slot, loan, whole + front, bytes) == kSuccess ? whole : nullptr;
  void* own = front == 0 ? e : sx_blas_scratch(slot, loan, front);
  return own != nullptr && own_serves(e, bytes) ? own : nullptr;
}
