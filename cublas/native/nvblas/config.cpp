// nvblas's configuration file: a keyword and its value on each line, # begins a comment.
#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "nvblas.h"

namespace sx_nv {

const char kLetters[] = "SDCZ";
const char* const kNames[kRoutines] = {"GEMM",  "SYRK",  "HERK",  "SYMM",  "HEMM",  "TRSM",
                                       "SYR2K", "HER2K", nullptr, nullptr, nullptr, "TRMM"};

bool find_routine(const char* name, int* routine, int* type) {
  const char* const letter = *name != '\0' ? strchr(kLetters, *name) : nullptr;
  if (letter == nullptr) return false;
  *type = static_cast<int>(letter - kLetters);
  for (*routine = 0; *routine < kRoutines; ++*routine) {
    if (kNames[*routine] != nullptr && strcmp(kNames[*routine], name + 1) == 0) return true;
  }
  return false;
}

namespace {

constexpr char kDefaultFile[] = "nvblas.conf";
constexpr char kDisabled[] = "NVBLAS_GPU_DISABLED_", kRatio[] = "NVBLAS_CPU_RATIO_";

// The file in the current directory counts only when it is the user's own, and not in a program with raised rights.
FILE* open_file() {
  const char* const named = secure_getenv("NVBLAS_CONFIG_FILE");
  if (named != nullptr && *named != '\0') return fopen(named, "re");
  if (getauxval(AT_SECURE) != 0) return nullptr;
  const int fd = open(kDefaultFile, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return nullptr;
  struct stat s;
  const bool ours = fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_uid == geteuid();
  FILE* const file = ours ? fdopen(fd, "r") : nullptr;
  if (file == nullptr) close(fd);
  return file;
}

void copy_text(char* to, size_t size, const char* from) {
  if (strlen(from) < size) strcpy(to, from);
}

void device_list(Config* config, char* text) {
  config->device_count = 0;
  char* rest = nullptr;
  for (char* word = strtok_r(text, " \t,", &rest); word != nullptr; word = strtok_r(nullptr, " \t,", &rest)) {
    if (strncmp(word, "ALL", 3) == 0) {  // ALL0: all like device 0; here every device is
      config->device_count = -1;
      return;
    }
    char* end = nullptr;
    const long device = strtol(word, &end, 10);
    if (end != word && device >= 0 && device < 64 && config->device_count < 64) {
      config->devices[config->device_count++] = static_cast<int>(device);
    }
  }
}

void set(Config* config, const char* key, char* value) {
  int routine, type;
  if (strcmp(key, "NVBLAS_CPU_BLAS_LIB") == 0) {
    copy_text(config->cpu_library, sizeof config->cpu_library, value);
  } else if (strcmp(key, "NVBLAS_LOGFILE") == 0) {
    copy_text(config->log_file, sizeof config->log_file, value);
  } else if (strcmp(key, "NVBLAS_GPU_LIST") == 0) {
    device_list(config, value);
  } else if (strcmp(key, "NVBLAS_TILE_DIM") == 0) {
    const long tile = strtol(value, nullptr, 10);
    if (tile > 0 && tile <= 65536) config->tile = static_cast<int>(tile);
  } else if (strcmp(key, "NVBLAS_AUTOPIN_MEM_ENABLED") == 0) {
    config->pin = true;
  } else if (strcmp(key, "NVBLAS_TRACE_LOG_ENABLED") == 0) {
    config->trace = true;
  } else if (strncmp(key, kDisabled, sizeof kDisabled - 1) == 0) {
    if (find_routine(key + sizeof kDisabled - 1, &routine, &type)) config->cpu_only[routine][type] = true;
  } else if (strncmp(key, kRatio, sizeof kRatio - 1) == 0) {
    const float ratio = strtof(value, nullptr);
    if (find_routine(key + sizeof kRatio - 1, &routine, &type) && ratio >= 0.0f && ratio <= 1.0f) {
      config->cpu_ratio[routine][type] = ratio;
    }
  }
}

char* trimmed(char* text) {
  while (isspace(static_cast<unsigned char>(*text))) ++text;
  char* end = text + strlen(text);
  while (end > text && isspace(static_cast<unsigned char>(end[-1]))) --end;
  *end = '\0';
  return text;
}

}  // namespace

void read_config(Config* config) {
  *config = {};
  config->device_count = 1;  // device 0
  FILE* const file = open_file();
  if (file == nullptr) return;
  char line[8192];
  while (fgets(line, sizeof line, file) != nullptr) {
    if (char* const comment = strchr(line, '#')) *comment = '\0';
    char* const key = trimmed(line);
    char* value = key;
    while (*value != '\0' && !isspace(static_cast<unsigned char>(*value))) ++value;
    if (*value != '\0') *value++ = '\0';
    if (*key != '\0') set(config, key, trimmed(value));
  }
  fclose(file);
}

}  // namespace sx_nv
