// Messages: what is always said, what SCALE_X_LOG turns on, and NVIDIA's own lines on stdout.
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <set>
#include <string>

#include "internal.h"

namespace sx {
namespace {

pthread_once_t opened = PTHREAD_ONCE_INIT;
int log_fd = -1;

// SCALE_X_LOG=1: stderr; an absolute path: appended to that file.
void open_log() {
  const char* value = secure_getenv("SCALE_X_LOG");
  if (value == nullptr || *value == '\0' || strcmp(value, "0") == 0) return;
  if (*value == '/') {
    log_fd = open(value, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (log_fd >= 0) return;
    say("SCALE_X_LOG: cannot write to %s", value);
  }
  log_fd = STDERR_FILENO;
}

// One write per line, so that lines of several threads and processes do not mix.
void write_line(int fd, const char* format, va_list arguments) {
  char line[2048] = "scale-x: ";
  constexpr int prefix = 9;
  int n = vsnprintf(line + prefix, sizeof line - prefix - 1, format, arguments);
  if (n < 0) return;
  n = prefix + (n < static_cast<int>(sizeof line) - prefix - 1 ? n : static_cast<int>(sizeof line) - prefix - 2);
  line[n++] = '\n';
  for (int done = 0; done < n;) {
    const ssize_t wrote = write(fd, line + done, static_cast<size_t>(n - done));
    if (wrote <= 0) return;
    done += static_cast<int>(wrote);
  }
}

pthread_mutex_t stub_mutex = PTHREAD_MUTEX_INITIALIZER;

bool first_time(const char* symbol) {
  static auto* seen = new std::set<std::string>;
  Lock lock(stub_mutex);
  return seen->insert(symbol).second;
}

}  // namespace

bool logging() {
  pthread_once(&opened, open_log);
  return log_fd >= 0;
}

void say(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write_line(STDERR_FILENO, format, arguments);
  va_end(arguments);
}

}  // namespace sx

SX_EXPORT void (*sx_logger_callback)(const char*);
void (*sx_logger_callback)(const char*) = nullptr;

SX_EXPORT void sx_log(const char* format, ...) {
  if (!sx::logging()) return;
  va_list arguments;
  va_start(arguments, format);
  sx::write_line(sx::log_fd, format, arguments);
  va_end(arguments);
}

SX_EXPORT void sx_stub(const char* symbol, const char* why) {
  if (!sx::logging()) return;
  try {
    if (sx::first_time(symbol)) sx_log("%s is not supported: %s", symbol, why);
  } catch (...) {
    sx_log("%s is not supported: %s", symbol, why);
  }
}

SX_EXPORT void sx_xerbla(const char* routine, int number) {
  printf(" ** On entry to %-6s parameter number %d had an illegal value\n", routine, number);
  fflush(stdout);
}
