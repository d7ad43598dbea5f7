// cuBLASLt's log: off unless the program or its environment turns it on, in NVIDIA's form. What is wrong with a refused
// call is also said in scale-x's own log.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <string>

#include "internal.h"
#include "scalex/lt.h"

namespace {

pthread_mutex_t log_mutex = PTHREAD_MUTEX_INITIALIZER;
FILE* log_file;  // nullptr: standard output
bool log_own;    // opened here

const char* name_of(int level) {
  switch (level) {
    case SX_LT_ERROR:
      return "Error";
    case SX_LT_TRACE:
      return "Trace";
    case SX_LT_HINT:
      return "Hint";
    case SX_LT_INFO:
      return "Info";
    default:
      return "Api";
  }
}

// CUBLASLT_LOG_FILE: "%i" stands for the process's number.
std::string file_name(const char* text) {
  std::string name = text;
  const size_t at = name.find("%i");
  return at == std::string::npos ? name : name.replace(at, 2, std::to_string(getpid()));
}

int capability() {
  const char* const text = secure_getenv("SCALE_X_COMPUTE_CAPABILITY");
  int major = 0, minor = 0;
  if (text == nullptr || sscanf(text, "%d.%d", &major, &minor) != 2 || major < 1 || minor < 0 || minor > 9) return 90;
  return major * 10 + minor;
}

// Later than core's other state, which messages need.
__attribute__((constructor)) void read_environment() {
  sx_lt_process.cache_capacity = 8192;
  sx_lt_process.capability = capability();
  const char* const mask = secure_getenv("CUBLASLT_LOG_MASK");
  const char* const level = secure_getenv("CUBLASLT_LOG_LEVEL");
  if (mask != nullptr && *mask != '\0') {
    sx_lt_process.log_mask = atoi(mask);
  } else if (level != nullptr && *level != '\0') {
    sx_lt_log_level(atoi(level));
  }
  const char* const file = secure_getenv("CUBLASLT_LOG_FILE");
  if (file == nullptr || *file == '\0') return;
  try {
    sx_lt_log_open(file_name(file).c_str());
  } catch (...) {
    return;
  }
}

void install(FILE* file, bool own) {
  sx::Lock lock(log_mutex);
  if (log_file != nullptr && log_own) fclose(log_file);
  log_file = file;
  log_own = own;
}

}  // namespace

SX_EXPORT sx_lt_state sx_lt_process;
sx_lt_state sx_lt_process = {};

SX_EXPORT void sx_lt_log_level(int level) {
  const int bits = level < 0 ? 0 : level > 5 ? 5 : level;
  __atomic_store_n(&sx_lt_process.log_mask, (1 << bits) - 1, __ATOMIC_RELAXED);
}

SX_EXPORT bool sx_lt_log_open(const char* path) {
  FILE* const file = path != nullptr ? fopen(path, "we") : nullptr;
  if (path != nullptr && file == nullptr) return false;
  install(file, file != nullptr);
  return true;
}

SX_EXPORT void sx_lt_log_file(void* file) { install(static_cast<FILE*>(file), false); }

SX_EXPORT bool sx_lt_logging(int level) {
  if (level == SX_LT_ERROR && sx::logging()) return true;
  return (__atomic_load_n(&sx_lt_process.log_mask, __ATOMIC_RELAXED) & level) != 0 && !sx_lt_process.log_dead;
}

SX_EXPORT void sx_lt_log(int level, const char* function, const char* format, ...) {
  if (!sx_lt_logging(level)) return;
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (level == SX_LT_ERROR) sx_log("%s: %s", function, text);
  if ((sx_lt_process.log_mask & level) == 0 || sx_lt_process.log_dead) return;
  int number = 1;
  while (number < 5 && (1 << (number - 1)) != level) ++number;
  if (const auto callback = __atomic_load_n(&sx_lt_process.log_callback, __ATOMIC_RELAXED)) {
    callback(number, function, text);
    return;
  }
  char when[32] = "";
  const time_t now = time(nullptr);
  tm parts;
  if (localtime_r(&now, &parts) != nullptr) strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &parts);
  sx::Lock lock(log_mutex);
  FILE* const out = log_file != nullptr ? log_file : stdout;
  fprintf(out, "[%s][cublasLt][%d][%s][%s] %s\n", when, static_cast<int>(getpid()), name_of(level), function, text);
  fflush(out);
}
