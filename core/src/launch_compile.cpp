// hipRTC: a kernel's source to device code.
#include <stdio.h>

#include "kernel_code.h"
#include "kernels/sources.h"

namespace sx {
namespace {

const sx_kernel_source* source_of(const char* name) {
  for (const sx_kernel_source& s : sx_kernel_sources) {
    if (strcmp(s.name, name) == 0) return &s;
  }
  return nullptr;
}

bool can_compile() {
  const sx_rocm_table& t = *sx_rocm;
  return t.hiprtcCreateProgram && t.hiprtcCompileProgram && t.hiprtcGetCodeSize && t.hiprtcGetCode &&
         t.hiprtcDestroyProgram && t.hiprtcVersion && t.hipModuleLoadData && t.hipModuleGetFunction &&
         t.hipModuleLaunchKernel;
}

// "gfx942" of "gfx942:sramecc+:xnack-": code for it runs whatever those settings are.
std::string architecture(int device) {
  hipDeviceProp_tR0600 properties = {};
  if (sx_rocm->hipGetDevicePropertiesR0600 == nullptr ||
      sx_rocm->hipGetDevicePropertiesR0600(&properties, device) != hipSuccess) {
    return sx_rocm->arch;
  }
  properties.gcnArchName[sizeof properties.gcnArchName - 1] = '\0';
  return std::string(properties.gcnArchName, strcspn(properties.gcnArchName, ":"));
}

bool plain_word(const std::string& s) {
  return !s.empty() && s.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
}

void log_failure(hiprtcProgram program, const KernelCode& code, hiprtcResult result) {
  size_t bytes = 0;
  std::string text;
  if (sx_rocm->hiprtcGetProgramLogSize && sx_rocm->hiprtcGetProgramLog &&
      sx_rocm->hiprtcGetProgramLogSize(program, &bytes) == HIPRTC_SUCCESS && bytes > 0 && bytes < 1u << 20) {
    text.resize(bytes);
    sx_rocm->hiprtcGetProgramLog(program, &text[0]);
  }
  sx_log("hipRTC cannot compile %s with %s: result %d: %s", code.name, code.option.c_str(), result, text.c_str());
}

int compile(hiprtcProgram program, KernelCode* code) {
  const char* options[] = {code->option.c_str(), "-std=c++17", "-O3"};
  const hiprtcResult result = sx_rocm->hiprtcCompileProgram(program, 3, options);
  if (result != HIPRTC_SUCCESS) {
    log_failure(program, *code, result);
    return result == HIPRTC_ERROR_OUT_OF_MEMORY ? hipErrorOutOfMemory : hipErrorNotSupported;
  }
  size_t bytes = 0;
  if (sx_rocm->hiprtcGetCodeSize(program, &bytes) != HIPRTC_SUCCESS || bytes == 0) return hipErrorNotSupported;
  code->binary.resize(bytes);
  return sx_rocm->hiprtcGetCode(program, &code->binary[0]) == HIPRTC_SUCCESS ? 0 : hipErrorNotSupported;
}

}  // namespace

int kernel_code_begin(int device, const char* name, KernelCode* code) {
  const sx_kernel_source* source = source_of(name);
  if (source == nullptr || !can_compile()) return hipErrorNotSupported;
  const std::string arch = architecture(device);
  if (!plain_word(arch)) return hipErrorNotSupported;
  int major = 0, minor = 0, runtime = 0;
  sx_rocm->hiprtcVersion(&major, &minor);
  if (sx_rocm->hipRuntimeGetVersion) sx_rocm->hipRuntimeGetVersion(&runtime);
  char compiler[64];
  snprintf(compiler, sizeof compiler, "%d.%d-%d", major, minor, runtime);
  code->name = name;
  code->source = source->text;
  code->option = "--offload-arch=" + arch;
  code->key = std::string(name) + "-" + arch + "-" + compiler + "-" + source->sha256;
  return 0;
}

int kernel_code_compile(KernelCode* code) {
  hiprtcProgram program = nullptr;
  const hiprtcResult made = sx_rocm->hiprtcCreateProgram(&program, code->source, code->name, 0, nullptr, nullptr);
  if (made != HIPRTC_SUCCESS || program == nullptr) return hipErrorNotSupported;
  const int error = compile(program, code);
  sx_rocm->hiprtcDestroyProgram(&program);
  if (error == 0) sx_log("compiled %s for %s", code->name, code->option.c_str());
  return error;
}

}  // namespace sx
