// A plan of the FFTW interface: host arrays in, host arrays out, the transform by hipFFT on the current device.
#pragma once

#include <stddef.h>

#include <vector>

#include "native.h"
#include "scalex/fft.h"

namespace sx_fftw {

// One dimension: its length, and the steps between its elements in the input and the output, in elements of each.
struct Dim {
  ptrdiff_t n, is, os;
};

struct Plan {
  size_t real_bytes;
  uint8_t kind;  // SX_FFT_*
  int direction;
  std::vector<Dim> dims;     // of the transform: one to three
  std::vector<Dim> batches;  // over which it is repeated
  char *in, *out;            // of fftw_execute
  hipfftHandle plan;
  sx_fft_key key;
  size_t work_bytes;
  char* device;  // input, output, work area
  size_t in_bytes, out_bytes;
  pthread_mutex_t mutex;  // FFTW lets several threads execute one plan
};

struct Request {
  size_t real_bytes;
  uint8_t kind;
  int sign;
  std::vector<Dim> dims, batches;
  const void *in, *out;
};

Plan* make(Request&& request);  // nullptr when there is no such plan
void execute(Plan* plan, const void* in, void* out);
void destroy(Plan* plan);

// Lengths from a list, with FFTW's default strides: packed, a real side padded when both arrays are the same.
std::vector<Dim> packed(int rank, const int* n, uint8_t kind, bool in_place);

}  // namespace sx_fftw
