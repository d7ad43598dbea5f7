#include "attributes.h"

#include <string.h>

extern "C" __attribute__((visibility("hidden"))) const sx_abi_info sx_abi;

namespace sx_lt {
namespace {

constexpr Attribute kAttributes[] = {
#define X(kind, number, type, member, first, last) \
  {Kind::kind, number, sizeof(type), offsetof(kind, member), first, last},
#include "attributes.def"
#undef X
};
#define X(kind, number, type, member, first, last) \
  static_assert(sizeof(type) == sizeof(kind::member), "the size of " #kind "::" #member);
#include "attributes.def"
#undef X

}  // namespace

const Attribute* find_attribute(Kind kind, int number) {
  for (const Attribute& a : kAttributes) {
    if (a.kind == kind && a.number == number && a.first <= sx_abi.cuda_major && sx_abi.cuda_major <= a.last) return &a;
  }
  return nullptr;
}

cublasStatus_t give(const void* value, size_t bytes, bool list, void* buf, size_t size, size_t* written) {
  if (size == 0) {
    if (written == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *written = bytes;
    return CUBLAS_STATUS_SUCCESS;
  }
  if (buf == nullptr || size < bytes || (size != bytes && !list)) return CUBLAS_STATUS_INVALID_VALUE;
  memcpy(buf, value, bytes);
  if (written != nullptr) *written = bytes;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t get_attribute(Kind kind, const void* state, size_t state_bytes, const void* fallback, int number,
                             void* buf, size_t size, size_t* written) {
  const Attribute* const a = find_attribute(kind, number);
  if (state == nullptr || a == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const void* const from = size_t{a->offset} + a->size <= state_bytes ? state : fallback;
  return give(static_cast<const char*>(from) + a->offset, a->size, false, buf, size, written);
}

cublasStatus_t set_attribute(Kind kind, void* state, size_t state_bytes, int number, const void* buf, size_t size) {
  const Attribute* const a = find_attribute(kind, number);
  if (state == nullptr || a == nullptr || buf == nullptr || size != a->size) return CUBLAS_STATUS_INVALID_VALUE;
  if (size_t{a->offset} + a->size > state_bytes) return CUBLAS_STATUS_INVALID_VALUE;
  memcpy(static_cast<char*>(state) + a->offset, buf, size);
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace sx_lt
