// The project's own device kernels: compiled for the device by hipRTC at first use, kept in the user's cache directory.
//
// Every function answers 0 or a hipError_t. hipErrorNotSupported: this ROCm cannot compile kernels, so the caller takes
// its next path. hipErrorStreamCaptureUnsupported: the kernel is not loaded yet and ``stream`` is capturing; a call
// outside of a capture, or sx_kernel_prepare, loads it. An empty problem launches nothing.
#pragma once

#include "scalex/core.h"
#include "scalex/kernels.h"

extern "C" {

enum sx_kernel_id : int {
  SX_KERNEL_EPILOGUE,
  SX_KERNEL_SUMS,
  SX_KERNEL_CONVERT,
  SX_KERNEL_TRANSFORM,
  SX_KERNEL_CODES,
  SX_KERNEL_IDS,
};

// Loads a kernel on the current device, unless ``stream`` captures. For bodies of several steps: before the first.
int sx_kernel_prepare(sx_kernel_id kernel, hipStream_t stream);

// ``items`` pieces of work in blocks of 256 threads; ``args`` is the kernel's structure, copied.
int sx_launch(sx_kernel_id kernel, const void* args, long long items, hipStream_t stream);

int sx_launch_epilogue(const sx_epilogue_args* args, hipStream_t stream);
int sx_launch_sums(const sx_sums_args* args, hipStream_t stream);
int sx_launch_convert(const sx_convert_args* args, hipStream_t stream);
int sx_launch_transform(const sx_transform_args* args, hipStream_t stream);
int sx_launch_codes(const sx_codes_args* args, hipStream_t stream);

}  // extern "C"
