// cuFFT's plans. A cufftHandle is a small number; its state lives in core, so that the sonames of several CUDA majors
// share it. hipFFT's plans are made once per geometry and kept when a handle is destroyed: programs that create and
// destroy equal plans all the time find them ready.
#pragma once

#include "scalex/core.h"
#include "scalex/rocm_hipfft.h"  // emitted

extern "C" {

enum : int32_t { SX_FFT_FREE = 0, SX_FFT_CREATED = 1, SX_FFT_PLANNED = 2, SX_FFT_BUSY = 3 };
enum : uint8_t { SX_FFT_C2C = 0, SX_FFT_R2C = 1, SX_FFT_C2R = 2 };

// What a hipFFT plan depends on; compared byte by byte, so unused places are 0.
struct sx_fft_key {
  int32_t device;
  int32_t rank;
  int32_t types[3];  // cudaDataType of the input, the output, the execution
  int32_t embedded;  // whether the embeds are given
  int64_t n[3], inembed[3], onembed[3];
  int64_t istride, idist, ostride, odist, batch;
};

struct alignas(64) sx_fft_slot {
  int32_t state;  // SX_FFT_*
  int32_t device;
  hipfftHandle plan;
  void* work;         // what the plan works in: the program's memory, or own_work
  size_t work_bytes;  // how much it needs; 0: none
  hipStream_t stream;
  uint8_t kind;        // SX_FFT_C2C...
  uint8_t real_bytes;  // of one real number: 2, 4, 8
  bool bfloat16;       // computed in single precision
  bool callback;       // hipFFT's plan has one
  bool special;        // execution is more than hipFFT's: a copy of the input, another type
  size_t copy_bytes;   // the first part of the work area, which is not hipFFT's
  // cold
  size_t hip_work_bytes;  // how much of it is hipFFT's
  void* own_work;
  void* cuda_stream;
  int32_t auto_allocate;
  int32_t patient_jit;
  int32_t jit_callback;  // one was set: planning fails
  int32_t gpu_count;     // of cufftXtSetGPUs; 0: one, implied
  int16_t gpus[16];
  sx_fft_key key;
  uint32_t number;
};
static_assert(sizeof(sx_fft_slot) <= 512, "slots are 512 bytes apart");

struct sx_fft_state {
  char* slots;    // slot i is at i * 512; 0 is never used
  int32_t count;  // handles are below it; 0 until the first is created
};
extern sx_fft_state sx_fft;

// The slot of a new handle, in state CREATED, its number the lowest that is free; NULL when none is.
sx_fft_slot* sx_fft_create(void);
// Ends a handle: false when another thread did so before. Between the two the caller lets go of what the slot holds.
bool sx_fft_retire(sx_fft_slot* slot);
void sx_fft_free(sx_fft_slot* slot);

// A hipFFT plan of the current device without a work area of its own: a kept one, or a new one. 0 or a hipfftResult_t.
int sx_fft_obtain(const sx_fft_key* key, hipfftHandle* plan, size_t* work_bytes);
// Keeps it for the next one who asks.
void sx_fft_keep(const sx_fft_key* key, hipfftHandle plan, size_t work_bytes);
}

static inline sx_fft_slot* sx_fft_find(int handle) {
  const auto index = static_cast<uint32_t>(handle);
  if (SX_UNLIKELY(index >= static_cast<uint32_t>(__atomic_load_n(&sx_fft.count, __ATOMIC_ACQUIRE)))) return nullptr;
  auto* slot = reinterpret_cast<sx_fft_slot*>(sx_fft.slots + size_t{512} * index);
  return SX_LIKELY(__atomic_load_n(&slot->state, __ATOMIC_ACQUIRE) != SX_FFT_FREE) ? slot : nullptr;
}
