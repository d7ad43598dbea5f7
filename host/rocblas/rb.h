// What every rocBLAS source of the engine shares: types, arrays of a batch, scalars, the handle, launching.
//
// Facts about rocBLAS's behaviour (order of checks, statuses, what is read when) are from its sources, 6.3-7.2.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "scalex/host.h"
#include "scalex/rocm_rocblas.h"

struct _rocblas_handle {
  hipStream_t stream = nullptr;
  rocblas_pointer_mode pointer_mode = rocblas_pointer_mode_host;
  rocblas_atomics_mode atomics_mode = rocblas_atomics_not_allowed;
  rocblas_math_mode math_mode = rocblas_default_math;
  rocblas_performance_metric metric = rocblas_default_performance_metric;
  int device = 0;

  enum Owner { rocblas_managed, user_managed, user_owned };
  Owner owner = rocblas_managed;
  void* memory = nullptr;
  size_t memory_size = 0;
  bool size_query = false;
  size_t query_size = 0;
  int solver_modes[8] = {};  // rocSOLVER: rocsolver_alg_mode by function, 0: the default

  bool host_mode() const { return pointer_mode == rocblas_pointer_mode_host; }
};

namespace sx::rb {

using i64 = int64_t;
using cfloat = std::complex<float>;
using cdouble = std::complex<double>;

struct half {
  uint16_t bits;
};
struct bfloat16 {
  uint16_t bits;
};

// ---- ROCm's types and the ones computed with: the same layout ---------------------------------------------
template <class T>
struct native {
  using type = T;
};
template <>
struct native<rocblas_float_complex> {
  using type = cfloat;
};
template <>
struct native<rocblas_double_complex> {
  using type = cdouble;
};
template <>
struct native<rocblas_half> {
  using type = half;
};
template <>
struct native<rocblas_bfloat16> {
  using type = bfloat16;
};
template <class T>
struct native<const T> {
  using type = const typename native<T>::type;
};
template <class T>
using native_t = typename native<T>::type;

template <class T>
constexpr T nat(T value) {
  return value;
}
template <class T>
native_t<T>* nat(T* p) {
  return reinterpret_cast<native_t<T>*>(p);
}

template <class T>
struct real_of {
  using type = T;
};
template <class T>
struct real_of<std::complex<T>> {
  using type = T;
};
template <class T>
using real_t = typename real_of<T>::type;
template <class T>
inline constexpr bool is_complex = !std::is_same_v<T, real_t<T>>;

template <class T>
T conj(T v) {
  if constexpr (is_complex<T>) return std::conj(v);
  return v;
}
template <class T>
T conj_if(bool yes, T v) {
  return yes ? conj(v) : v;
}
template <class T>
real_t<T> real(T v) {
  if constexpr (is_complex<T>)
    return v.real();
  else
    return v;
}

// ---- an array of a batch: one, strided, or a table of pointers --------------------------------------------
template <class T>
struct Arr {
  T* base;
  T* const* table;
  i64 ld;  // leading dimension or increment
  i64 stride;

  T* at(i64 b) const { return table ? table[b] : base + b * stride; }
  bool null() const { return !base && !table; }
  bool same(const void* other) const { return static_cast<const void*>(base) == other && base; }
};
template <class T>
using In = Arr<const T>;

template <class T>
Arr<native_t<T>> arr(T* p, i64 ld, i64 stride = 0) {
  return {nat(p), nullptr, ld, stride};
}
// A table in plain host memory would be a fault on a device, where the work runs: after all checks of arguments. A
// batched function's scope remembers such a table until something is launched; without a scope it is thrown at once.
struct TableNotOnDevice {};
class TableScope {
 public:
  TableScope() : outer_(current()) { current() = this; }
  ~TableScope() { current() = outer_; }
  TableScope(const TableScope&) = delete;
  TableScope& operator=(const TableScope&) = delete;
  static void found() {
    if (current() == nullptr) throw TableNotOnDevice();
    current()->bad_ = true;
  }
  static bool bad() { return current() != nullptr && current()->bad_; }

 private:
  static TableScope*& current() {
    static thread_local TableScope* scope __attribute__((tls_model("initial-exec"))) = nullptr;
    return scope;
  }
  TableScope* outer_;
  bool bad_ = false;
};
inline void check_table(const void* p) {
  if (SX_UNLIKELY(p && quirk(Quirk::pointer_array_on_device) && !is_device_accessible(p))) TableScope::found();
}
template <class T>
Arr<native_t<T>> arr(T* const* p, i64 ld) {
  check_table(p);
  return {nullptr, reinterpret_cast<native_t<T>* const*>(p), ld, 0};
}

// Part [start, start + len) of a BLAS vector of n elements, again in BLAS's convention for negative increments.
template <class T>
T* slice(T* x, i64 n, i64 inc, i64 start, i64 len) {
  return x + (inc < 0 ? (start + len - n) * inc : start * inc);
}
// The first element in logical order.
template <class T>
T* first(T* x, i64 n, i64 inc) {
  return inc < 0 ? x - (n - 1) * inc : x;
}

// ---- checks -----------------------------------------------------------------------------------------------
inline bool is_op(rocblas_operation t) {
  return t == rocblas_operation_none || t == rocblas_operation_transpose || t == rocblas_operation_conjugate_transpose;
}
// The 64-bit functions of level 2, gemv and ger apart, and of syrk and its kin stop here, after all other checks.
inline bool has_kernel(i64 n) { return n <= INT32_MAX; }

inline bool is_fill(rocblas_fill u) { return u == rocblas_fill_upper || u == rocblas_fill_lower; }
inline bool is_diag(rocblas_diagonal d) { return d == rocblas_diagonal_unit || d == rocblas_diagonal_non_unit; }
inline bool is_side(rocblas_side s) { return s == rocblas_side_left || s == rocblas_side_right; }

// The start of a function that needs no workspace: its handle, and the answer during a workspace size query.
inline rocblas_status enter(rocblas_handle h) {
  if (!h) return rocblas_status_invalid_handle;
  return h->size_query ? rocblas_status_size_unchanged : rocblas_status_success;
}
#define SX_TRY(expression)                                 \
  do {                                                     \
    const rocblas_status status_ = (expression);           \
    if (status_ != rocblas_status_success) return status_; \
  } while (0)

// Workspace: answers a size query, grows memory that rocBLAS manages, refuses when the user's is too small.
rocblas_status need(rocblas_handle h, size_t bytes);
rocblas_status failure();  // of the exception being handled
rocblas_status status_of(hipError_t error);
void single_threaded_blas();  // once per process: the engine's pool does the parallel work

// ---- scalars ----------------------------------------------------------------------------------------------
template <class T>
Scalar<T> scalar(rocblas_handle h, const T* p) {
  return Scalar<T>(p, h->host_mode());
}
// Whether the value is known at the call (host pointer mode), and is v.
template <class T>
bool known(const Scalar<T>& a, T v) {
  return a.readable() && a() == v;
}

rocblas_status fetch(rocblas_handle h, void* to, const void* from, size_t bytes);

// Level 3 copies device scalars to the host, waits for them, and goes on as in host pointer mode; this is refused while
// capturing. Without that quirk nothing is copied: where work runs at once, the scalar is there already, and so are the
// checks that depend on its value; else it is read when the work runs.
template <class T>
rocblas_status level3_scalar(rocblas_handle h, const T* p, Scalar<T>* out) {
  *out = scalar(h, p);
  if (p == nullptr || h->host_mode()) return rocblas_status_success;
  T value;
  if (quirk(Quirk::device_scalar_sync)) {
    SX_TRY(fetch(h, &value, p, sizeof value));
  } else if (__atomic_load_n(&sx::slow_mode, __ATOMIC_RELAXED) == 0) {
    memcpy(&value, p, sizeof value);
  } else {
    return rocblas_status_success;
  }
  *out = Scalar<T>(value);
  return rocblas_status_success;
}

// ---- running ----------------------------------------------------------------------------------------------
rocblas_status launched(rocblas_handle h, hipError_t error);

template <class F>
rocblas_status launch(rocblas_handle h, F&& body) {
  if (SX_UNLIKELY(TableScope::bad())) return rocblas_status_internal_error;
  return launched(h, sx::enqueue(h->stream, std::forward<F>(body)));
}

// For results: in host pointer mode the call waits for them (and is refused while capturing).
template <class F>
rocblas_status launch_result(rocblas_handle h, F&& body) {
  SX_TRY(launch(h, std::forward<F>(body)));
  return h->host_mode() ? status_of(sx::internal_sync(h->stream)) : rocblas_status_success;
}

// f(begin, end) over [0, n), in pieces of at least ``grain``, on the pool; more pieces per thread even out unequal
// speed.
template <class F>
void split(i64 n, i64 grain, F&& f, int per_thread = 1) {
  if (n <= 0) return;
  if (n < 2 * grain) return f(i64{0}, n);
  const auto range = [&](size_t begin, size_t end) { f(static_cast<i64>(begin), static_cast<i64>(end)); };
  sx::parallel_for(static_cast<size_t>(n), static_cast<size_t>(grain), range, per_thread);
}

// f(b) for each problem of a batch, each of about ``work`` nanoseconds. The problems run on the pool, or, when they are
// large and few, one after another so that each can use the pool itself.
template <class F>
void over_batch(i64 batch, double work, F&& f) {
  if (batch == 1) return f(i64{0});
  if (batch < 2 * sx::pool_threads() && work > 1e5) {
    for (i64 b = 0; b < batch; ++b) f(b);
    return;
  }
  const auto some = [&](i64 begin, i64 end) {
    for (i64 b = begin; b < end; ++b) f(b);
  };
  split(batch, static_cast<i64>(5e3 / (work + 1)) + 1, some, 4);
}

}  // namespace sx::rb
