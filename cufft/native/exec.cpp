// Execution. The plan decides what is computed, whichever function is called: what is checked of the function is only
// its direction (a plan from complex to real goes backward, one from real to complex forward).
#include "fft.h"

namespace sx_fft_native {
namespace {

// Every pointer is aligned to a complex number of the plan's precision; measured for single precision, where one of a
// double is enough for doubles.
bool misaligned(const sx_fft_slot* slot, const void* in, const void* out) {
  const uintptr_t to = slot->real_bytes == 2 ? 4 : 8;
  return ((reinterpret_cast<uintptr_t>(in) | reinterpret_cast<uintptr_t>(out)) & (to - 1)) != 0;
}

// With several devices: the plan's must be the current one.
SX_COLD bool elsewhere(const sx_fft_slot* slot) {
  int current = slot->device;
  return sx_rocm->hipGetDevice && sx_rocm->hipGetDevice(&current) == hipSuccess && current != slot->device;
}

// Clears the imaginary parts of a line's zero and middle frequencies, where a real signal has none.
cufftResult clear_imaginary(const sx_fft_slot* slot, void* data) {
  const sx_fft_key& k = slot->key;
  const int64_t n = k.n[0], stride = k.embedded ? k.istride : 1, dist = k.embedded ? k.idist : n / 2 + 1;
  const size_t width = slot->real_bytes, pitch = static_cast<size_t>(dist) * 2 * width;
  const auto clear = [&](int64_t element) {
    char* const first = static_cast<char*>(data) + static_cast<size_t>(element * stride) * 2 * width + width;
    return from(sx_rocm->hipMemset2DAsync(first, pitch, 0, width, static_cast<size_t>(k.batch), slot->stream));
  };
  if (const cufftResult e = clear(0)) return e;
  return n % 2 == 0 && n > 1 ? clear(n / 2) : CUFFT_SUCCESS;
}

SX_COLD cufftResult execute_c2r_line(sx_fft_slot* slot, void* in, void* out) {
  if (!sx_rocm->hipMemcpyAsync || !sx_rocm->hipMemset2DAsync) return CUFFT_NOT_SUPPORTED;
  void* data = in;
  if (in != out || slot->key.embedded) {  // also in place between layouts that differ
    data = slot->work;
    const Problem p{slot->key, slot->kind, slot->real_bytes, slot->bfloat16};
    const size_t bytes = span(p, true) * 2 * slot->real_bytes;
    if (const cufftResult e = from(sx_rocm->hipMemcpyAsync(data, in, bytes, hipMemcpyDeviceToDevice, slot->stream)))
      return e;
  }
  if (const cufftResult e = clear_imaginary(slot, data)) return e;
  return from(sx_rocm->hipfftXtExec(slot->plan, data, out, 1));
}

// In place between layouts that differ, which rocFFT does not plan: from a copy of the input, made for this call.
SX_COLD cufftResult execute_apart(sx_fft_slot* slot, void* data, int direction) {
  hipStreamCaptureStatus state = hipStreamCaptureStatusNone;
  if (sx_rocm->hipStreamIsCapturing) sx_rocm->hipStreamIsCapturing(slot->stream, &state);
  if (state != hipStreamCaptureStatusNone || !sx_rocm->hipMalloc || !sx_rocm->hipFree || !sx_rocm->hipMemcpyAsync ||
      !sx_rocm->hipStreamSynchronize)
    return CUFFT_EXEC_FAILED;
  const Problem p{slot->key, slot->kind, slot->real_bytes, slot->bfloat16};
  const size_t bytes = span(p, true) * slot->real_bytes * (complex_side(slot->kind, true) ? 2 : 1);
  void* input = nullptr;
  if (sx_rocm->hipMalloc(&input, bytes) != hipSuccess) return CUFFT_ALLOC_FAILED;
  cufftResult e = from(sx_rocm->hipMemcpyAsync(input, data, bytes, hipMemcpyDeviceToDevice, slot->stream));
  if (e == CUFFT_SUCCESS) e = from(sx_rocm->hipfftXtExec(slot->plan, input, data, direction));
  const cufftResult waited = from(sx_rocm->hipStreamSynchronize(slot->stream));
  sx_rocm->hipFree(input);
  return e == CUFFT_SUCCESS ? waited : e;
}

}  // namespace

cufftResult execute(sx_fft_slot* slot, void* in, void* out, int direction) {
  if (SX_UNLIKELY(slot->special)) {
    return slot->bfloat16 ? execute_bfloat16(slot, in, out, direction) : execute_c2r_line(slot, in, out);
  }
  const hipfftResult status = sx_rocm->hipfftXtExec(slot->plan, in, out, direction);
  if (SX_UNLIKELY(status == HIPFFT_EXEC_FAILED && in == out && slot->key.embedded))
    return execute_apart(slot, in, direction);
  return from(status);
}

static SX_INLINE inline cufftResult exec(cufftHandle handle, void* in, void* out, int direction) {
  sx_fft_slot* slot = sx_fft_find(handle);
  if (SX_UNLIKELY(slot == nullptr || __atomic_load_n(&slot->state, __ATOMIC_RELAXED) != SX_FFT_PLANNED))
    return CUFFT_INVALID_PLAN;
  if (SX_UNLIKELY(direction != CUFFT_FORWARD && direction != CUFFT_INVERSE)) return CUFFT_INVALID_VALUE;
  if (SX_UNLIKELY(slot->kind != SX_FFT_C2C && direction != (slot->kind == SX_FFT_R2C ? CUFFT_FORWARD : CUFFT_INVERSE)))
    return CUFFT_INVALID_VALUE;
  if (SX_UNLIKELY(misaligned(slot, in, out))) return CUFFT_INVALID_VALUE;
  if (SX_UNLIKELY(in == nullptr || out == nullptr)) return CUFFT_EXEC_FAILED;
  if (SX_UNLIKELY(slot->work == nullptr && slot->work_bytes != 0)) return CUFFT_NO_WORKSPACE;
  if (SX_UNLIKELY(slot->gpu_count > 1)) return CUFFT_INVALID_PLAN;  // executed through descriptors
  if (SX_UNLIKELY(sx_core.device_count > 1) && elsewhere(slot)) return CUFFT_INVALID_DEVICE;
  return execute(slot, in, out, direction);
}

}  // namespace sx_fft_native

using sx_fft_native::exec;

cufftResult sx_cufftExecC2C(cufftHandle plan, cufftComplex* idata, cufftComplex* odata, int direction) {
  return exec(plan, idata, odata, direction);
}
cufftResult sx_cufftExecR2C(cufftHandle plan, cufftReal* idata, cufftComplex* odata) {
  return exec(plan, idata, odata, CUFFT_FORWARD);
}
cufftResult sx_cufftExecC2R(cufftHandle plan, cufftComplex* idata, cufftReal* odata) {
  return exec(plan, idata, odata, CUFFT_INVERSE);
}
cufftResult sx_cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* idata, cufftDoubleComplex* odata, int direction) {
  return exec(plan, idata, odata, direction);
}
cufftResult sx_cufftExecD2Z(cufftHandle plan, cufftDoubleReal* idata, cufftDoubleComplex* odata) {
  return exec(plan, idata, odata, CUFFT_FORWARD);
}
cufftResult sx_cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* idata, cufftDoubleReal* odata) {
  return exec(plan, idata, odata, CUFFT_INVERSE);
}
cufftResult sx_cufftXtExec(cufftHandle plan, void* input, void* output, int direction) {
  return exec(plan, input, output, direction);
}
