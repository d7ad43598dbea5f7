// hipFFT's plan, as the engine keeps it. Facts about hipFFT's behaviour are from its sources and from ROCm's documents.
#pragma once

#include <stdint.h>

#include "kernels.h"
#include "scalex/host.h"
#include "scalex/rocm_hipfft.h"

namespace sx::fft {

enum class Kind { c2c, r2c, c2r };

struct Types {
  Kind kind;
  int bytes;  // of one real number: 2, 4 or 8
};

// A plan as its maker describes it; lengths and strides as given.
struct Problem {
  int rank;
  const long long *n, *inembed, *onembed;
  long long istride, idist, ostride, odist, batch;
  Types types;
};

// A load or a store callback: host functions with the signatures of hipFFT's device functions.
struct Callback {
  void* function = nullptr;
  void* data = nullptr;
};

struct Plan {
  int device = 0;
  hipStream_t stream = nullptr;
  bool auto_allocate = true;
  bool planned = false;
  Types types{Kind::c2c, 4};
  Transform in_place{}, out_of_place{};
  bool in_place_possible = false;
  size_t work_size = 0;
  void* work = nullptr;
  bool own_work = false;
  double scale = 1;
  Callback load, store;
};

hipfftResult types_of(hipfftType type, Types* out);
hipfftResult types_of(hipDataType in, hipDataType out, hipDataType exec, Types* types);

// Checks in hipFFT's order; fills the layouts and the work size of ``plan``.
hipfftResult lay_out(const Problem& p, Plan* plan);
hipfftResult make(hipfftHandle handle, const Problem& p, size_t* work_size);

// SCALE_X_HOST_CALLBACKS=1: callbacks are host functions; otherwise there are none.
bool callbacks_allowed();
hipfftResult set_callback(Plan* plan, hipfftXtCallbackType type, Callback callback);

// ---- layouts, element by element: exec.cpp, callback.cpp ----

struct Side {
  size_t n[3] = {1, 1, 1};
  ptrdiff_t stride[3] = {0, 0, 0};
  ptrdiff_t dist;
  size_t batch;
  bool complex;

  Side(const Transform& t, bool input, Kind kind);
  size_t size() const { return batch * n[0] * n[1] * n[2]; }

  // f(place of the first element, how many, the step between them) for every line, in order.
  template <class F>
  void lines(F f) const {
    for (size_t b = 0; b < batch; ++b)
      for (size_t i = 0; i < n[0]; ++i)
        for (size_t j = 0; j < n[1]; ++j)
          f(static_cast<ptrdiff_t>(b) * dist + static_cast<ptrdiff_t>(i) * stride[0] +
                static_cast<ptrdiff_t>(j) * stride[1],
            n[2], stride[2]);
  }
};

Transform packed(const Transform& t, Kind kind);
void run(const Kernels& k, Kind kind, const Transform& t, void* in, void* out, bool forward);
void run_with_callbacks(Types types, Callback load, Callback store, const Transform& t, void* in, void* out,
                        bool forward);

hipfftResult execute(const Plan& plan, void* in, void* out, int direction);

}  // namespace sx::fft

struct hipfftHandle_t {
  sx::fft::Plan plan;
};
