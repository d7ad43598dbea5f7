// What emitted wrappers need beside core.h: integer helpers of row conditions, scalars, refusals.
//
// Hot paths are inline and branch to cold, out-of-line code. The names of integers in conditions are at most 64 bits;
// arithmetic that could leave 64 bits saturates, so that a comparison keeps its meaning.
#pragma once

#include <limits.h>

#include "scalex/core.h"

#define SX_COLD __attribute__((cold, noinline))
#define SX_INLINE __attribute__((always_inline))

// ---- integers -------------------------------------------------------------------------------------------------------
static inline int sx_max(int a, int b) { return a > b ? a : b; }
static inline int64_t sx_max(int64_t a, int64_t b) { return a > b ? a : b; }
static inline int sx_min(int a, int b) { return a < b ? a : b; }
static inline int64_t sx_min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t sx_abs(int64_t a) { return a >= 0 ? a : a == INT64_MIN ? INT64_MAX : -a; }
static inline int64_t sx_signed(uint64_t a) { return a > INT64_MAX ? INT64_MAX : static_cast<int64_t>(a); }
static inline bool sx_fits(int64_t a) { return a == static_cast<int32_t>(a); }

static inline int64_t sx_add(int64_t a, int64_t b) {
  int64_t r;
  if (SX_UNLIKELY(__builtin_add_overflow(a, b, &r))) return a < 0 ? INT64_MIN : INT64_MAX;
  return r;
}
static inline int64_t sx_sub(int64_t a, int64_t b) {
  int64_t r;
  if (SX_UNLIKELY(__builtin_sub_overflow(a, b, &r))) return a < 0 ? INT64_MIN : INT64_MAX;
  return r;
}
static inline int64_t sx_mul(int64_t a, int64_t b) {
  int64_t r;
  if (SX_UNLIKELY(__builtin_mul_overflow(a, b, &r))) return (a < 0) != (b < 0) ? INT64_MIN : INT64_MAX;
  return r;
}

// ---- pointers -------------------------------------------------------------------------------------------------------
static inline bool sx_aligned(const volatile void* p, uintptr_t to) { return reinterpret_cast<uintptr_t>(p) % to == 0; }
static inline bool sx_same(const volatile void* a, const volatile void* b) { return a == b; }

// ---- scalars --------------------------------------------------------------------------------------------------------
// Whether a number equals a small integer: real, complex (members x, y) and half precision (bits).
static inline bool sx_is(float v, int n) { return v == static_cast<float>(n); }
static inline bool sx_is(double v, int n) { return v == n; }
static inline bool sx_is(int32_t v, int n) { return v == n; }
static inline bool sx_is(int64_t v, int n) { return v == n; }
template <class Complex>
static inline auto sx_is(const Complex& v, int n) -> decltype(v.x == 0 && v.y == 0) {
  return sx_is(v.x, n) && v.y == 0;
}
// Two-byte floating-point types by their bits: ``sx_half_is<0x3c00>`` with the bits of one.
template <unsigned one>
static inline bool sx_half_is(uint16_t bits, int n) {
  return n == 0 ? (bits & 0x7fffu) == 0 : bits == (n == 1 ? one : one | 0x8000u);
}

// A scalar as the backend may read it: the pointer itself, or in host pointer mode a copy when it is not aligned.
template <class T>
struct alignas(16) sx_scalar {
  T copy;
  const T* at(const T* p, bool host) {
    constexpr uintptr_t to = sizeof(T) < 16 ? sizeof(T) : 16;
    if (SX_LIKELY(sx_aligned(p, to)) || !host) return p;
    copy = sx_load<T>(p);
    return &copy;
  }
};

// Bytes of an element, by CUDA's number of its type; at most 16.
static inline size_t sx_data_bytes(int cuda_data_type) {
  switch (cuda_data_type) {
    case 0:   // CUDA_R_32F
    case 6:   // CUDA_C_16F
    case 10:  // CUDA_R_32I
    case 12:  // CUDA_R_32U
    case 15:  // CUDA_C_16BF
      return 4;
    case 1:   // CUDA_R_64F
    case 4:   // CUDA_C_32F
    case 11:  // CUDA_C_32I
    case 13:  // CUDA_C_32U
      return 8;
    case 2:   // CUDA_R_16F
    case 7:   // CUDA_C_8I
    case 9:   // CUDA_C_8U
    case 14:  // CUDA_R_16BF
      return 2;
    case 5:  // CUDA_C_64F
      return 16;
    default:
      return 1;
  }
}

// The same for a scalar whose type an argument tells.
struct alignas(16) sx_any_scalar {
  unsigned char copy[16];
  const void* at(const void* p, int cuda_data_type, bool host) {
    if (SX_LIKELY(sx_aligned(p, 16)) || !host) return p;
    const size_t bytes = sx_data_bytes(cuda_data_type);
    if (sx_aligned(p, bytes)) return p;
    memcpy(copy, p, bytes);
    return copy;
  }
};

// Writes zero where a result belongs; 0 or a cublasStatus_t.
SX_COLD inline int sx_zero_device(sx_blas_slot* slot, void* p, size_t bytes) {
  sx_loan loan;
  if (const int e = sx_blas_begin(slot, &loan)) return e;
  constexpr int kNotSupported = 15, kExecutionFailed = 13;
  int e = kNotSupported;
  if (sx_rocm->hipMemsetAsync != nullptr) {
    e = sx_rocm->hipMemsetAsync(p, 0, bytes, slot->stream) == hipSuccess ? 0 : kExecutionFailed;
  }
  sx_blas_end(&loan);
  return e;
}
static inline int sx_zero(sx_blas_slot* slot, void* p, size_t bytes) {
  if (p == nullptr) return 0;
  if (!sx_host_mode(slot)) return sx_zero_device(slot, p, bytes);
  memset(p, 0, bytes);
  return 0;
}

// ---- ends of a call -------------------------------------------------------------------------------------------------
// NVIDIA's message, then the status.
template <class Status>
SX_COLD Status sx_refuse(const char* routine, int number, Status status) {
  sx_xerbla(routine, number);
  return status;
}

// A status of the CUDA runtime: errors become the thread's last one. "Not ready" (600) is an answer, not an error.
template <class Error>
static inline Error sx_runtime_result(Error error) {
  const int number = static_cast<int>(error);
  return SX_LIKELY(number == 0) || number == 600 ? error : static_cast<Error>(sx_runtime_error_set(number));
}

// ---- borrowing ------------------------------------------------------------------------------------------------------
// Whether a call may take the slot's cached handle at once: in one test what sx_blas_begin asks one by one.
static inline bool sx_blas_ready(const sx_blas_slot* slot) {
  const auto owner = reinterpret_cast<uintptr_t>(__atomic_load_n(&slot->owner, __ATOMIC_RELAXED)) ^
                     reinterpret_cast<uintptr_t>(__builtin_thread_pointer());
  const auto stream = reinterpret_cast<uintptr_t>(__atomic_load_n(&slot->cached_stream, __ATOMIC_RELAXED)) ^
                      reinterpret_cast<uintptr_t>(__atomic_load_n(&slot->stream, __ATOMIC_RELAXED));
  const auto modes =
      __atomic_load_n(&slot->cached_modes, __ATOMIC_RELAXED) ^ __atomic_load_n(&slot->modes, __ATOMIC_RELAXED);
  return (owner | stream | modes) == 0 && sx_core.device_count <= 1;
}

// A call with a handle borrowed the slow way; out of line, so that the fast way saves no registers for it.
template <class Status, class Call>
SX_COLD Status sx_blas_slow(sx_blas_slot* slot, Call call) {
  sx_loan loan;
  if (const int e = sx_blas_begin(slot, &loan)) return static_cast<Status>(e);
  const Status status = call(loan.handle);
  sx_blas_end(&loan);
  return status;
}

// ---- gates ----------------------------------------------------------------------------------------------------------
static inline bool sx_arch_is(const char* arch) { return strcmp(sx_rocm->arch, arch) == 0; }

// CUDA's legacy default stream has a handle of its own; HIP's is NULL. The per-thread one is 2 in both.
static inline hipStream_t sx_to_hip_stream(const void* cuda_stream) {
  return reinterpret_cast<hipStream_t>(
      reinterpret_cast<uintptr_t>(cuda_stream) == 1 ? uintptr_t{0} : reinterpret_cast<uintptr_t>(cuda_stream));
}
