// Transforms by ducc0, compiled once per instruction set. Nothing here depends on ducc0's headers.
#pragma once

#include <stddef.h>

namespace sx::fft {

// A batched transform of up to three axes, slowest first. Strides and distances count elements of the input's and of
// the output's own type (a real-to-complex transform has reals on one side). ``n`` are lengths of the real side.
struct Transform {
  int rank;
  size_t n[3];
  size_t batch;
  ptrdiff_t in_stride[3], out_stride[3];
  ptrdiff_t in_dist, out_dist;
  double scale;
};

struct Kernels {
  void (*c2c)(const Transform& t, const void* in, void* out, bool forward);
  void (*r2c)(const Transform& t, const void* in, void* out);
  void (*c2r)(const Transform& t, void* in, void* out);  // of several axes: overwrites its input
};

extern const Kernels float_baseline, double_baseline;
#if defined(__x86_64__)
extern const Kernels float_v3, double_v3;
#endif

// The best of these for this machine.
const Kernels& float_kernels();
const Kernels& double_kernels();

}  // namespace sx::fft
