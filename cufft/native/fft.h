// What the native bodies of cuFFT share: problems, plans, the calls into hipFFT.
#pragma once

#include "native.h"
#include "scalex/fft.h"

extern "C" __attribute__((visibility("hidden"))) const sx_abi_info sx_abi;

namespace sx_fft_native {

// A plan's geometry and types as given to one of the planning functions, checked.
struct Problem {
  sx_fft_key key;
  uint8_t kind;
  uint8_t real_bytes;
  bool bfloat16;
};

// NVIDIA's checks in its order, after that of the handle: types, values, sizes.
cufftResult types_of(cufftType type, Problem* p);
cufftResult types_of(cudaDataType in, cudaDataType out, cudaDataType exec, Problem* p);
cufftResult lay_out(Problem* p, int rank, const long long* n, const long long* inembed, long long istride,
                    long long idist, const long long* onembed, long long ostride, long long odist, long long batch);

// A created handle gets its plan; a planned one or none is INVALID_PLAN.
cufftResult make(cufftHandle handle, const Problem& p, size_t* work_size);
cufftResult size_of(const Problem& p, size_t* work_size);

cufftResult fill(sx_fft_slot* slot, Problem p, size_t own, size_t* work_size);  // on the current device

// Gives a handle's plan and memory back.
void release(sx_fft_slot* slot);

// The transform itself: arguments checked, plan of one device.
cufftResult execute(sx_fft_slot* slot, void* in, void* out, int direction);
cufftResult execute_bfloat16(sx_fft_slot* slot, void* in, void* out, int direction);

// Elements from the first to the last one that a side of the plan touches; its elements are complex or real.
size_t span(const Problem& p, bool input);

inline cufftResult from(hipfftResult status) { return sx_from_hipfft_result(status); }
inline cufftResult from(hipError_t status) { return status == hipSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED; }

inline bool complex_side(uint8_t kind, bool input) { return kind != (input ? SX_FFT_R2C : SX_FFT_C2R); }

// ---- plans of several devices: xt.cpp ----
cufftResult make_on_several(sx_fft_slot* slot, const Problem& p, size_t* work_sizes);

}  // namespace sx_fft_native
