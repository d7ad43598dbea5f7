// nvblas at its first call: the log, the CPU's library, the cublasXt handle.
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "nvblas.h"

namespace sx_nv {

void say(const State* s, const char* format, ...) {
  FILE* const to = s->log != nullptr ? s->log : stderr;
  va_list arguments;
  va_start(arguments, format);
  flockfile(to);
  fputs("[NVBLAS] ", to);
  vfprintf(to, format, arguments);
  fputc('\n', to);
  fflush(to);
  funlockfile(to);
  va_end(arguments);
}

namespace {

// A function of nvblas itself, of any soname.
bool is_nvblas(const void* function) {
  Dl_info info;
  if (dladdr(function, &info) == 0 || info.dli_fname == nullptr) return false;
  const char* const slash = strrchr(info.dli_fname, '/');
  return strncmp(slash != nullptr ? slash + 1 : info.dli_fname, "libnvblas.so", 12) == 0;
}

void* find(void* library, int routine, int type) {
  char name[16];
  snprintf(name, sizeof name, "%c%s_", kLetters[type], kNames[routine]);
  for (char* c = name; *c != '\0'; ++c) *c = static_cast<char>(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
  void* found = dlsym(library, name);
  if (found == nullptr) {
    name[strlen(name) - 1] = '\0';  // compilers that add no underscore
    found = dlsym(library, name);
  }
  return found != nullptr && !is_nvblas(found) ? found : nullptr;
}

void open_cpu(State* s, const Config& config) {
  const char* const path = config.cpu_library;
  if (*path == '\0') {
    say(s, "NVBLAS_CPU_BLAS_LIB is not set: what no device takes cannot be computed");
    return;
  }
  if (*path != '/' && strchr(path, '/') != nullptr) {
    say(s, "NVBLAS_CPU_BLAS_LIB %s: a relative path is not loaded", path);
    return;
  }
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (library == nullptr) {
    say(s, "NVBLAS_CPU_BLAS_LIB %s: %s", path, dlerror());
    return;
  }
  for (int r = 0; r < kRoutines; ++r) {
    for (int t = 0; t < kTypes && kNames[r] != nullptr; ++t) s->cpu[r][t] = find(library, r, t);
  }
}

bool select(cublasXtHandle_t xt, const Config& config) {
  int devices[64], count = config.device_count;
  if (count < 0) {
    if (cublasXtMaxBoards(&count) != CUBLAS_STATUS_SUCCESS) return false;
    if (count > 64) count = 64;
    for (int i = 0; i < count; ++i) devices[i] = i;
  } else {
    memcpy(devices, config.devices, sizeof devices);
  }
  return cublasXtDeviceSelect(xt, count, devices) == CUBLAS_STATUS_SUCCESS;
}

void open_devices(State* s, const Config& config) {
  if (cublasXtCreate(&s->xt) != CUBLAS_STATUS_SUCCESS) {
    s->xt = nullptr;
  } else if (!select(s->xt, config)) {
    cublasXtDestroy(s->xt);
    s->xt = nullptr;
  }
  if (s->xt == nullptr) {
    say(s, "no device of NVBLAS_GPU_LIST can be used");
    return;
  }
  if (config.tile > 0) cublasXtSetBlockDim(s->xt, config.tile);
  if (config.pin) cublasXtSetPinningMemMode(s->xt, CUBLASXT_PINNING_ENABLED);
  for (int r = 0; r < kRoutines; ++r) {
    for (int t = 0; t < kTypes; ++t) {
      if (s->cpu[r][t] == nullptr || !(config.cpu_ratio[r][t] > 0)) continue;
      cublasXtSetCpuRoutine(s->xt, static_cast<cublasXtBlasOp_t>(r), static_cast<cublasXtOpType_t>(t), s->cpu[r][t]);
      cublasXtSetCpuRatio(s->xt, static_cast<cublasXtBlasOp_t>(r), static_cast<cublasXtOpType_t>(t),
                          config.cpu_ratio[r][t]);
    }
  }
}

State* make() {
  auto* const config = static_cast<Config*>(malloc(sizeof(Config)));
  auto* const s = static_cast<State*>(calloc(1, sizeof(State)));
  if (config == nullptr || s == nullptr) abort();  // a Fortran subroutine cannot say that there is no memory
  read_config(config);
  if (*config->log_file != '\0') s->log = fopen(config->log_file, "we");
  s->trace = config->trace;
  memcpy(s->cpu_only, config->cpu_only, sizeof s->cpu_only);
  open_cpu(s, *config);
  open_devices(s, *config);
  free(config);
  return s;
}

pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

}  // namespace

State* state() {
  auto* s = static_cast<State*>(__atomic_load_n(&sx_process.nvblas, __ATOMIC_ACQUIRE));
  if (SX_LIKELY(s != nullptr)) return s;
  pthread_mutex_lock(&making);
  s = static_cast<State*>(__atomic_load_n(&sx_process.nvblas, __ATOMIC_ACQUIRE));
  if (s == nullptr) {
    s = make();
    __atomic_store_n(&sx_process.nvblas, static_cast<void*>(s), __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&making);
  return s;
}

bool goes_to_device(const State* s, int routine, int type, double work) {
  if (s->xt == nullptr || s->cpu_only[routine][type]) return false;
  return s->cpu[routine][type] == nullptr || work >= kWorthwhile;
}

bool falls_back(const State* s, int routine, int type, cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) {
    if (s->trace) say(s, "%c%s[gpu]", kLetters[type], kNames[routine]);
    return false;
  }
  const bool untouched = status == CUBLAS_STATUS_INVALID_VALUE || status == CUBLAS_STATUS_ALLOC_FAILED ||
                         status == CUBLAS_STATUS_NOT_INITIALIZED || status == CUBLAS_STATUS_NOT_SUPPORTED;
  if (!untouched || s->cpu[routine][type] == nullptr) {
    say(s, "%c%s failed with status %d", kLetters[type], kNames[routine], static_cast<int>(status));
  }
  return untouched;
}

void* cpu_routine(const State* s, int routine, int type) {
  void* const found = s->cpu[routine][type];
  if (found == nullptr) {
    say(s, "%c%s: no CPU BLAS has it; nothing is computed", kLetters[type], kNames[routine]);
  } else if (s->trace) {
    say(s, "%c%s[cpu]", kLetters[type], kNames[routine]);
  }
  return found;
}

}  // namespace sx_nv
