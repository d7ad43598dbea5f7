// Device code of one kernel: from the user's cache, or from hipRTC.
#pragma once

#include <string>

#include "internal.h"

namespace sx {

struct KernelCode {
  const char* name = nullptr;
  const char* source = nullptr;
  std::string option;  // --offload-arch=gfx942
  std::string key;     // what the code depends on: kernel, architecture, compiler, source
  std::string binary;
};

// Each answers 0 or a hipError_t; hipErrorNotSupported when this ROCm has no hipRTC or no module functions.
int kernel_code_begin(int device, const char* name, KernelCode* code);
int kernel_code_compile(KernelCode* code);

// The cache never fails loudly: a missing, foreign, damaged or unsafe file is no file.
bool kernel_code_cached(KernelCode* code);
void kernel_code_keep(const KernelCode& code);

// SHA-256, 32 bytes.
std::string sha256(const std::string& text);

}  // namespace sx
