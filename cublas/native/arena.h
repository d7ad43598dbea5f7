// Pieces of core's scratch memory for the length of one call. It grows only outside a capture, so a captured call works
// once a call of at least its size has gone before.
#pragma once

#include <initializer_list>

#include "blas_types.h"

class sx_arena {
 public:
  // Room for pieces of these sizes in bytes; take() answers nullptr when there is not enough, or nothing was asked for.
  sx_arena(sx_blas_slot* slot, const sx_borrowed& blas, std::initializer_list<size_t> pieces) {
    size_t total = 0;
    for (const size_t bytes : pieces) {
      const size_t whole = rounded(bytes);
      if (whole < bytes || total > SIZE_MAX - whole) return;
      total += whole;
    }
    if (total > 0) base_ = static_cast<char*>(sx_blas_scratch(slot, &blas.loan, total));
    left_ = base_ == nullptr ? 0 : total;
  }

  template <class T>
  T* take(size_t count) {
    if (base_ == nullptr || count > SIZE_MAX / sizeof(T) || rounded(count * sizeof(T)) > left_) return nullptr;
    char* const piece = base_;
    base_ += rounded(count * sizeof(T));
    left_ -= rounded(count * sizeof(T));
    return reinterpret_cast<T*>(piece);
  }

 private:
  static size_t rounded(size_t bytes) { return (bytes + 255) / 256 * 256; }

  char* base_ = nullptr;
  size_t left_ = 0;
};
