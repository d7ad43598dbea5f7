// Load and store callbacks. On a GPU they are device functions; here they are host functions, and only where the
// program says that it has such (SCALE_X_HOST_CALLBACKS=1): a pointer to device code must never be called.
#include <stdlib.h>

#include <vector>

#include "plan.h"

namespace sx::fft {
namespace {

template <class T>
using Load = T (*)(void* in, size_t offset, void* data, void* shared);
template <class T>
using Store = void (*)(void* out, size_t offset, T element, void* data, void* shared);

// One side's elements in packed order: loaded before, stored after.
template <class T>
void load_all(Callback callback, const Side& side, void* in, T* packed_in) {
  const auto f = reinterpret_cast<Load<T>>(callback.function);
  side.lines([&](ptrdiff_t at, size_t count, ptrdiff_t step) {
    for (size_t k = 0; k < count; ++k) {
      const auto offset = static_cast<size_t>(at + static_cast<ptrdiff_t>(k) * step);
      *packed_in++ = f ? f(in, offset, callback.data, nullptr) : static_cast<const T*>(in)[offset];
    }
  });
}

template <class T>
void store_all(Callback callback, const Side& side, void* out, const T* packed_out) {
  const auto f = reinterpret_cast<Store<T>>(callback.function);
  side.lines([&](ptrdiff_t at, size_t count, ptrdiff_t step) {
    for (size_t k = 0; k < count; ++k, ++packed_out) {
      const auto offset = static_cast<size_t>(at + static_cast<ptrdiff_t>(k) * step);
      if (f) {
        f(out, offset, *packed_out, callback.data, nullptr);
      } else {
        static_cast<T*>(out)[offset] = *packed_out;
      }
    }
  });
}

template <class Real, class Complex>
void run_typed(Kind kind, Callback load, Callback store, const Transform& t, void* in, void* out, bool forward,
               const Kernels& kernels) {
  const Side from(t, true, kind), to(t, false, kind);
  std::vector<Complex> packed_in(from.size()), packed_out(to.size());  // room enough for reals as well
  if (from.complex) {
    load_all<Complex>(load, from, in, packed_in.data());
  } else {
    load_all<Real>(load, from, in, reinterpret_cast<Real*>(packed_in.data()));
  }
  run(kernels, kind, packed(t, kind), packed_in.data(), packed_out.data(), forward);
  if (to.complex) {
    store_all<Complex>(store, to, out, packed_out.data());
  } else {
    store_all<Real>(store, to, out, reinterpret_cast<const Real*>(packed_out.data()));
  }
}

// Whether a callback type is of the plan's precision and of its input's or output's kind; whether it loads.
bool suits(const Plan& plan, hipfftXtCallbackType type, bool* loads) {
  const int number = static_cast<int>(type);
  if (number < HIPFFT_CB_LD_COMPLEX || number >= HIPFFT_CB_UNDEFINED || plan.types.bytes == 2) return false;
  *loads = number < HIPFFT_CB_ST_COMPLEX;
  const bool twice = number % 2 != 0, complex = number % 4 < 2;
  const Kind real_kind = *loads ? Kind::r2c : Kind::c2r;
  return twice == (plan.types.bytes == 8) && complex == (plan.types.kind != real_kind);
}

}  // namespace

bool callbacks_allowed() {
  static const bool allowed = [] {
    const char* text = secure_getenv("SCALE_X_HOST_CALLBACKS");
    return text && strcmp(text, "1") == 0;
  }();
  return allowed;
}

hipfftResult set_callback(Plan* plan, hipfftXtCallbackType type, Callback callback) {
  if (!callbacks_allowed()) return HIPFFT_NOT_IMPLEMENTED;
  bool loads = false;
  if (!plan->planned || !suits(*plan, type, &loads)) return HIPFFT_INVALID_VALUE;
  (loads ? plan->load : plan->store) = callback;
  return HIPFFT_SUCCESS;
}

void run_with_callbacks(Types types, Callback load, Callback store, const Transform& t, void* in, void* out,
                        bool forward) {
  if (types.bytes == 8) {
    run_typed<double, hipDoubleComplex>(types.kind, load, store, t, in, out, forward, double_kernels());
  } else {
    run_typed<float, hipFloatComplex>(types.kind, load, store, t, in, out, forward, float_kernels());
  }
}

}  // namespace sx::fft

extern "C" {

hipfftResult hipfftXtSetCallback(hipfftHandle plan, void** callbacks, hipfftXtCallbackType cbtype,
                                 void** callbackData) {
  if (plan == nullptr) return HIPFFT_INVALID_PLAN;
  if (!sx::fft::callbacks_allowed()) return HIPFFT_NOT_IMPLEMENTED;
  if (callbacks == nullptr) return HIPFFT_INVALID_VALUE;
  return sx::fft::set_callback(&plan->plan, cbtype, {callbacks[0], callbackData ? callbackData[0] : nullptr});
}

hipfftResult hipfftXtClearCallback(hipfftHandle plan, hipfftXtCallbackType cbtype) {
  return plan ? sx::fft::set_callback(&plan->plan, cbtype, {}) : HIPFFT_INVALID_PLAN;
}

// Shared memory of a block, which a host function does not have: callbacks get NULL.
hipfftResult hipfftXtSetCallbackSharedSize(hipfftHandle plan, hipfftXtCallbackType, size_t) {
  if (plan == nullptr) return HIPFFT_INVALID_PLAN;
  return sx::fft::callbacks_allowed() ? HIPFFT_SUCCESS : HIPFFT_NOT_IMPLEMENTED;
}

}  // extern "C"
