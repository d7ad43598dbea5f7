// hipRTC for the project's own kernels: a program is accepted by its text, and its code is a container that names it.
#include <mutex>
#include <new>
#include <string>
#include <unordered_set>

#include "api.h"
#include "container.h"
#include "scalex/rocm_hiprtc.h"

namespace {

struct Program {
  const sx_kernel_source* source;  // NULL: not one of ours
  bool compiled = false;
  std::string code, log;
};

std::mutex& guard = *new std::mutex;
std::unordered_set<const void*>& programs = *new std::unordered_set<const void*>;

Program* program_of(hiprtcProgram p) {
  std::lock_guard<std::mutex> held(guard);
  return programs.count(p) != 0 ? const_cast<Program*>(reinterpret_cast<const Program*>(p)) : nullptr;
}

// hipRTC takes any architecture its compiler knows; the engine's device runs code for the impersonated one only.
bool option_known(const char* option) {
  return strncmp(option, "--offload-arch=", 15) == 0 || strncmp(option, "-std=", 5) == 0 ||
         strncmp(option, "-O", 2) == 0 || strncmp(option, "-D", 2) == 0 || strncmp(option, "-f", 2) == 0;
}

hiprtcResult copy_out(const std::string& text, char* to) {
  if (to == nullptr) return HIPRTC_ERROR_INVALID_INPUT;
  memcpy(to, text.data(), text.size());
  return HIPRTC_SUCCESS;
}

}  // namespace

extern "C" {

hiprtcResult hiprtcVersion(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return HIPRTC_ERROR_INVALID_INPUT;
  *major = sx::release() / 100;
  *minor = sx::release() % 100;
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcCreateProgram(hiprtcProgram* out, const char* src, const char*, int headers,
                                 const char* const* texts, const char* const* names) {
  if (out == nullptr || src == nullptr) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (headers < 0 || (headers > 0 && (texts == nullptr || names == nullptr))) return HIPRTC_ERROR_INVALID_INPUT;
  auto* const made = new (std::nothrow) Program{sx::kernel_source(src), false, {}, {}};
  if (made == nullptr) return HIPRTC_ERROR_OUT_OF_MEMORY;
  std::lock_guard<std::mutex> held(guard);
  programs.insert(made);
  *out = reinterpret_cast<hiprtcProgram>(made);
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcDestroyProgram(hiprtcProgram* program) {
  if (program == nullptr) return HIPRTC_ERROR_INVALID_INPUT;
  Program* const p = program_of(*program);
  if (p == nullptr) return HIPRTC_ERROR_INVALID_INPUT;
  {
    std::lock_guard<std::mutex> held(guard);
    programs.erase(p);
  }
  delete p;
  *program = nullptr;
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcCompileProgram(hiprtcProgram program, int count, const char* const* options) {
  Program* const p = program_of(program);
  if (p == nullptr) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (count < 0 || (count > 0 && options == nullptr)) return HIPRTC_ERROR_INVALID_INPUT;
  std::string arch = sx::arch();
  for (int i = 0; i < count; ++i) {
    if (!option_known(options[i])) return HIPRTC_ERROR_INVALID_OPTION;
    if (strncmp(options[i], "--offload-arch=", 15) == 0) arch = options[i] + 15;
  }
  if (p->source == nullptr) {
    p->log = "the host engine runs the kernels of scale-x only, and this is none of them\n";
    return HIPRTC_ERROR_COMPILATION;
  }
  p->code = sx::container_of(*p->source, arch.substr(0, arch.find(':')));
  p->compiled = true;
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcGetCodeSize(hiprtcProgram program, size_t* bytes) {
  Program* const p = program_of(program);
  if (bytes == nullptr) return HIPRTC_ERROR_INVALID_INPUT;
  if (p == nullptr || !p->compiled) return HIPRTC_ERROR_INVALID_PROGRAM;
  *bytes = p->code.size();
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcGetCode(hiprtcProgram program, char* code) {
  Program* const p = program_of(program);
  if (p == nullptr || !p->compiled) return HIPRTC_ERROR_INVALID_PROGRAM;
  return copy_out(p->code, code);
}

hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram program, size_t* bytes) {
  Program* const p = program_of(program);
  if (p == nullptr) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (bytes == nullptr) return HIPRTC_ERROR_INVALID_INPUT;
  *bytes = p->log.size() + 1;
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcGetProgramLog(hiprtcProgram program, char* log) {
  Program* const p = program_of(program);
  if (p == nullptr) return HIPRTC_ERROR_INVALID_PROGRAM;
  const hiprtcResult result = copy_out(p->log, log);
  if (result == HIPRTC_SUCCESS) log[p->log.size()] = '\0';
  return result;
}

const char* hiprtcGetErrorString(hiprtcResult result) {
  switch (result) {
#define SX_NAMED(name) \
  case name:           \
    return #name
    SX_NAMED(HIPRTC_SUCCESS);
    SX_NAMED(HIPRTC_ERROR_OUT_OF_MEMORY);
    SX_NAMED(HIPRTC_ERROR_PROGRAM_CREATION_FAILURE);
    SX_NAMED(HIPRTC_ERROR_INVALID_INPUT);
    SX_NAMED(HIPRTC_ERROR_INVALID_PROGRAM);
    SX_NAMED(HIPRTC_ERROR_INVALID_OPTION);
    SX_NAMED(HIPRTC_ERROR_COMPILATION);
    SX_NAMED(HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE);
    SX_NAMED(HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
    SX_NAMED(HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
    SX_NAMED(HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
    SX_NAMED(HIPRTC_ERROR_INTERNAL_ERROR);
    SX_NAMED(HIPRTC_ERROR_LINKING);
#undef SX_NAMED
  }
  return "Invalid HIPRTC error code";
}

}  // extern "C"
