// What every cublasXt function does before and after its tiles.
#include "xt.h"

namespace sx_xt {

namespace {

// Memory that HIP knows already, or cannot pin, is used as it is.
void* pin(const Extent& m) {
  if (m.bytes == 0 || sx_rocm->hipHostRegister == nullptr || sx_rocm->hipHostUnregister == nullptr) return nullptr;
  hipPointerAttribute_t attributes;
  if (sx_rocm->hipPointerGetAttributes != nullptr && sx_rocm->hipPointerGetAttributes(&attributes, m.p) == hipSuccess &&
      attributes.devicePointer != nullptr) {
    return nullptr;
  }
  void* const p = const_cast<void*>(m.p);
  constexpr unsigned kPortable = 1;
  return sx_rocm->hipHostRegister(p, m.bytes, kPortable) == hipSuccess ? p : nullptr;
}

}  // namespace

Call::Call(Context* context, size_t tile_bytes, const Extent* matrices, int count)
    : status(CUBLAS_STATUS_SUCCESS), context_(context) {
  if (sx_rocm->hipMemcpy2DAsync == nullptr || sx_rocm->hipStreamSynchronize == nullptr) {
    status = CUBLAS_STATUS_NOT_SUPPORTED;
    return;
  }
  make_room(tile_bytes * kTiles);
  if (context->pinning != CUBLASXT_PINNING_ENABLED) return;
  for (int i = 0; i < count && status == CUBLAS_STATUS_SUCCESS; ++i) pinned_[i] = pin(matrices[i]);
}

void Call::make_room(size_t bytes) {
  for (int i = 0; i < context_->lane_count && status == CUBLAS_STATUS_SUCCESS; ++i) {
    Lane& lane = context_->lanes[i];
    if (lane.room_bytes >= bytes) continue;
    if (sx_rocm->hipSetDevice(lane.device) != hipSuccess) {
      status = CUBLAS_STATUS_EXECUTION_FAILED;
      return;
    }
    if (lane.room != nullptr) sx_rocm->hipFree(lane.room);
    void* room = nullptr;
    const bool got = sx_rocm->hipMalloc(&room, bytes) == hipSuccess;
    lane.room = got ? static_cast<char*>(room) : nullptr;
    lane.room_bytes = got ? bytes : 0;
    if (!got) status = CUBLAS_STATUS_ALLOC_FAILED;
  }
}

void Call::wait() {
  for (int i = 0; i < context_->lane_count; ++i) {
    const bool done = sx_rocm->hipStreamSynchronize(context_->lanes[i].stream) == hipSuccess;
    if (!done && status == CUBLAS_STATUS_SUCCESS) status = CUBLAS_STATUS_EXECUTION_FAILED;
  }
}

Call::~Call() {
  for (void* p : pinned_) {
    if (p != nullptr) sx_rocm->hipHostUnregister(p);
  }
}

}  // namespace sx_xt
