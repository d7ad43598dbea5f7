// Shared by the native bodies of the CUDA runtime.
#pragma once

#include "native.h"

extern "C" __attribute__((visibility("hidden"))) const sx_abi_info sx_abi;

// A HIP error as this library answers it, kept as the thread's last error.
static inline cudaError_t sx_answer(hipError_t error) { return sx_runtime_result(sx_from_hip_error(error)); }
static inline cudaError_t sx_error(cudaError_t error) { return sx_runtime_result(error); }

// The default stream of a program compiled for per-thread default streams.
static inline hipStream_t sx_per_thread(cudaStream_t stream) {
  return stream == nullptr ? reinterpret_cast<hipStream_t>(uintptr_t{2}) : sx_to_hip_stream(stream);
}

// Calls a function of the provider, or answers NOT_SUPPORTED when this ROCm lacks it.
#define SX_HIP(name, ...) \
  (sx_rocm->name != nullptr ? sx_answer(sx_rocm->name(__VA_ARGS__)) : sx_error(cudaErrorNotSupported))
