// Device memory for the length of one call, in the order of the call's stream (so it is fine under capture).
#pragma once

#include "scalex/core.h"

class sx_scratch {
 public:
  explicit sx_scratch(hipStream_t stream) : stream_(stream) {}
  ~sx_scratch() {
    for (void* p : blocks_) {
      if (p != nullptr) sx_rocm->hipFreeAsync(p, stream_);
    }
  }
  sx_scratch(const sx_scratch&) = delete;
  sx_scratch& operator=(const sx_scratch&) = delete;

  // At most two blocks; nullptr when there is no memory or this ROCm cannot allocate in stream order.
  template <class T>
  T* take(size_t count) {
    if (sx_rocm->hipMallocAsync == nullptr || sx_rocm->hipFreeAsync == nullptr || count > SIZE_MAX / sizeof(T))
      return nullptr;
    void*& block = blocks_[0] == nullptr ? blocks_[0] : blocks_[1];
    if (sx_rocm->hipMallocAsync(&block, count * sizeof(T), stream_) != hipSuccess) block = nullptr;
    return static_cast<T*>(block);
  }

 private:
  hipStream_t stream_;
  void* blocks_[2] = {nullptr, nullptr};
};
