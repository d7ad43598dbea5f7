// The project's own kernels, compiled for this machine: what the engine runs in place of device code.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace sx {

// One block of a grid of ``blocks``: the same pieces of work that the threads of that block do on a GPU.
using KernelBlock = void (*)(const void* args, unsigned block, unsigned blocks);

struct NativeKernel {
  const char* name;
  size_t args_bytes;
  KernelBlock run;
};

const NativeKernel* native_kernel(const char* name);  // NULL: none of ours
#if defined(__x86_64__)
const NativeKernel* native_kernel_v3(const char* name);  // for processors with AVX2
#endif

}  // namespace sx
