// bfloat16, which hipFFT does not have: computed in single precision and rounded once. The conversion is done on the
// host, so such a call waits for its stream and cannot be captured.
#include <vector>

#include "fft.h"

namespace sx_fft_native {
namespace {

float widen(uint16_t bits) {
  const uint32_t wide = uint32_t{bits} << 16;
  float value;
  memcpy(&value, &wide, sizeof value);
  return value;
}

// To nearest, ties to even; a NaN stays one.
uint16_t narrow(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (value != value) return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

// f(place in the layout, place in the packed order), in elements, for every element of one side.
template <class F>
void elements(const Problem& p, bool input, F f) {
  const sx_fft_key& k = p.key;
  const int last = k.rank - 1;
  const int64_t* embed = input ? k.inembed : k.onembed;
  int64_t n[3] = {1, 1, 1}, stride[3] = {};
  int64_t step = k.embedded ? (input ? k.istride : k.ostride) : 1;
  for (int i = last; i >= 0; --i) {
    const int to = 3 - k.rank + i;
    n[to] = i == last && p.kind == (input ? SX_FFT_C2R : SX_FFT_R2C) ? k.n[i] / 2 + 1 : k.n[i];
    stride[to] = step;
    step *= k.embedded ? embed[i] : n[to];
  }
  const int64_t dist = k.embedded ? (input ? k.idist : k.odist) : step;
  int64_t packed = 0;
  for (int64_t b = 0; b < k.batch; ++b)
    for (int64_t i = 0; i < n[0]; ++i)
      for (int64_t j = 0; j < n[1]; ++j)
        for (int64_t l = 0; l < n[2]; ++l) f(b * dist + i * stride[0] + j * stride[1] + l * stride[2], packed++);
}

cufftResult fetch(void* to, const void* from_device, size_t bytes, hipStream_t stream) {
  if (const cufftResult e = from(sx_rocm->hipMemcpyAsync(to, from_device, bytes, hipMemcpyDeviceToHost, stream)))
    return e;
  return from(sx_rocm->hipStreamSynchronize(stream));
}

cufftResult store(void* to_device, const void* from_host, size_t bytes, hipStream_t stream) {
  if (const cufftResult e = from(sx_rocm->hipMemcpyAsync(to_device, from_host, bytes, hipMemcpyHostToDevice, stream)))
    return e;
  return from(sx_rocm->hipStreamSynchronize(stream));
}

// As in single precision: a real signal has no imaginary part at the zero and middle frequencies.
void clear_imaginary(const sx_fft_key& k, float* packed) {
  const int64_t half = k.n[0] / 2 + 1;
  for (int64_t b = 0; b < k.batch; ++b) {
    packed[2 * b * half + 1] = 0;
    if (k.n[0] % 2 == 0) packed[2 * (b * half + half - 1) + 1] = 0;
  }
}

// In place without embeds, the real side of a line is padded.
Problem padded(const sx_fft_slot* slot, bool in_place) {
  Problem p{slot->key, slot->kind, slot->real_bytes, slot->bfloat16};
  if (!in_place || p.key.embedded || p.kind == SX_FFT_C2C) return p;
  sx_fft_key& k = p.key;
  const int last = k.rank - 1;
  const int64_t half = k.n[last] / 2 + 1;
  k.embedded = 1;
  k.istride = k.ostride = 1;
  k.idist = p.kind == SX_FFT_R2C ? 2 * half : half;
  k.odist = p.kind == SX_FFT_C2R ? 2 * half : half;
  k.inembed[last] = k.idist, k.onembed[last] = k.odist;
  for (int i = 0; i < last; ++i) {
    k.inembed[i] = k.onembed[i] = k.n[i];
    k.idist *= k.n[i], k.odist *= k.n[i];
  }
  return p;
}

}  // namespace

cufftResult execute_bfloat16(sx_fft_slot* slot, void* in, void* out, int direction) try {
  hipStreamCaptureStatus state = hipStreamCaptureStatusNone;
  if (sx_rocm->hipStreamIsCapturing) sx_rocm->hipStreamIsCapturing(slot->stream, &state);
  if (state != hipStreamCaptureStatusNone || !sx_rocm->hipMemcpyAsync || !sx_rocm->hipStreamSynchronize)
    return CUFFT_NOT_SUPPORTED;
  const Problem p = padded(slot, in == out);
  Problem packed{slot->key, slot->kind, slot->real_bytes, slot->bfloat16};
  packed.key.embedded = 0;
  const size_t in_parts = complex_side(p.kind, true) ? 2 : 1, out_parts = complex_side(p.kind, false) ? 2 : 1;
  const size_t in_span = span(p, true) * in_parts, out_span = span(p, false) * out_parts;
  const size_t in_size = span(packed, true) * in_parts, out_size = span(packed, false) * out_parts;
  const auto wide_in = static_cast<char*>(slot->work);
  const auto wide_out = wide_in + ((in_size * 4 + 255) & ~size_t{255});

  std::vector<uint16_t> narrow_data(in_span > out_span ? in_span : out_span);
  std::vector<float> wide(in_size > out_size ? in_size : out_size);
  if (const cufftResult e = fetch(narrow_data.data(), in, in_span * 2, slot->stream)) return e;
  elements(p, true, [&](int64_t at, int64_t to) {
    for (size_t c = 0; c < in_parts; ++c)
      wide[static_cast<size_t>(to) * in_parts + c] = widen(narrow_data[static_cast<size_t>(at) * in_parts + c]);
  });
  if (p.kind == SX_FFT_C2R && p.key.rank == 1) clear_imaginary(p.key, wide.data());
  if (const cufftResult e = store(wide_in, wide.data(), in_size * 4, slot->stream)) return e;
  if (const cufftResult e = from(sx_rocm->hipfftXtExec(slot->plan, wide_in, wide_out, direction))) return e;
  if (const cufftResult e = fetch(wide.data(), wide_out, out_size * 4, slot->stream)) return e;
  if (const cufftResult e = fetch(narrow_data.data(), out, out_span * 2, slot->stream)) return e;  // gaps stay
  elements(p, false, [&](int64_t at, int64_t place) {
    for (size_t c = 0; c < out_parts; ++c)
      narrow_data[static_cast<size_t>(at) * out_parts + c] = narrow(wide[static_cast<size_t>(place) * out_parts + c]);
  });
  return store(out, narrow_data.data(), out_span * 2, slot->stream);
} catch (...) {
  return CUFFT_ALLOC_FAILED;
}

}  // namespace sx_fft_native
