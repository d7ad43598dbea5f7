// hipFFT's plan, as the engine keeps it. Facts about hipFFT's behaviour are from its sources and from ROCm's documents.
#pragma once

#include <stdint.h>

#include "kernels.h"
#include "scalex/host.h"
#include "scalex/rocm_hipfft.h"

namespace sx::fft {

enum class Precision { half, single, both };
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
};

hipfftResult types_of(hipfftType type, Types* out);
hipfftResult types_of(hipDataType in, hipDataType out, hipDataType exec, Types* types);

// Checks in hipFFT's order; fills the layouts and the work size of ``plan``.
hipfftResult lay_out(const Problem& p, Plan* plan);
hipfftResult make(hipfftHandle handle, const Problem& p, size_t* work_size);

hipfftResult execute(const Plan& plan, void* in, void* out, int direction);

}  // namespace sx::fft

struct hipfftHandle_t {
  sx::fft::Plan plan;
};
