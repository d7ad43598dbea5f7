// Strict mode: the fault handler that names the call in which the host touched device memory, and leaks at exit.
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine.h"

namespace sx {
namespace {

struct sigaction previous;

bool is_cuda_library(const char* path) {
  const char* const slash = strrchr(path, '/');
  const char* const file = slash != nullptr ? slash + 1 : path;
  for (const char* prefix : {"libcu", "libnvblas"}) {
    if (strncmp(file, prefix, strlen(prefix)) == 0) return true;
  }
  return false;
}

// The outermost frame inside a CUDA-X library is the call that the program made.
const char* offending_call(const char** library) {
  void* frames[64];
  const int depth = backtrace(frames, 64);
  const char* name = nullptr;
  for (int i = 0; i < depth; ++i) {
    Dl_info info;
    if (dladdr(frames[i], &info) == 0 || info.dli_fname == nullptr || !is_cuda_library(info.dli_fname)) continue;
    name = info.dli_sname != nullptr ? info.dli_sname : "?";
    *library = info.dli_fname;
  }
  return name;
}

void on_fault(int signal, siginfo_t* info, void* context) {
  if (is_device_ptr(info->si_addr)) {
    const char* library = nullptr;
    const char* const call = offending_call(&library);
    fprintf(stderr, "scale-x: strict: the host touched device memory at %p\n", info->si_addr);
    if (call != nullptr) {
      fprintf(stderr, "scale-x: strict: in %s (%s)\n", call, library);
    } else {
      fprintf(stderr, "scale-x: strict: in the program's own code\n");
    }
  }
  sigaction(SIGSEGV, &previous, nullptr);
  if ((previous.sa_flags & SA_SIGINFO) != 0 && previous.sa_sigaction != nullptr) {
    previous.sa_sigaction(signal, info, context);
  }
  // Returning repeats the access under the previous disposition, which ends the program where it went wrong.
}

void at_exit() { leak_report(true); }

}  // namespace

void strict_start() {
  set_slow(slow_strict, true);
  void* frame;
  backtrace(&frame, 1);  // loads libgcc now, not in the handler
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &previous);
  atexit(at_exit);
}

}  // namespace sx
