// The host engine: libscalex_host.so.0 beside this library, asked for the functions of a release and an architecture.
#include <dlfcn.h>
#include <stdlib.h>

#include "provider.h"
#include "scalex/host_table.h"
#include "search.h"

namespace sx {
namespace {

constexpr char kEngine[] = "libscalex_host.so.0";
constexpr char kOpenblas[] = "libscipy_openblas64_.so";

// "7.2" -> 702; 0 if it is no release
int parse_release(const char* text) {
  char* end = nullptr;
  const long major = strtol(text, &end, 10);
  if (end == text || major < 1 || major > 99) return 0;
  long minor = 0;
  if (*end == '.') {
    const char* start = end + 1;
    minor = strtol(start, &end, 10);
    if (end == start || minor < 0 || minor > 99) return 0;
  }
  return *end == '\0' ? static_cast<int>(100 * major + minor) : 0;
}

// The BLAS beneath the engine is another Python package's; where it is not on the engine's own path, it is looked for
// in the site-packages directories above this library.
void* open_openblas(std::string* looked) {
  std::string ancestor = own_directory();
  for (int i = 0; i < 6 && !ancestor.empty(); ++i) {
    const std::string path = ancestor + "/scipy_openblas64/lib/" + kOpenblas;
    *looked += (looked->empty() ? "" : ", ") + path;
    if (file_exists(path)) {
      if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    }
    const size_t slash = ancestor.rfind('/');
    ancestor.resize(slash == std::string::npos ? 0 : slash);
  }
  return nullptr;
}

void* open_engine() {
  const char* given = secure_getenv("SCALE_X_HOST_ENGINE");
  return open_over_openblas(given && *given == '/' ? given : own_directory() + "/" + kEngine, "the host engine");
}

// Both lists are sorted by name.
void fill(Provider* out, const sx_host_entry* entries, size_t count) {
  size_t i = 0;
  for (size_t k = 0; k < kTableSize; ++k) {
    while (i < count && strcmp(entries[i].name, kTable[k].name) < 0) ++i;
    if (i < count && strcmp(entries[i].name, kTable[k].name) == 0) table_put(&out->table, kTable[k], entries[i].fn);
  }
}

}  // namespace

void* open_over_openblas(const std::string& path, const char* what) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library) return library;
  const char* error = dlerror();
  std::string why = error ? error : "unknown reason", looked;
  if (why.find(kOpenblas) == std::string::npos) {
    say("%s cannot be loaded: looked for %s: %s", what, path.c_str(), why.c_str());
    return nullptr;
  }
  if (open_openblas(&looked)) library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    say("%s needs %s of the Python package scipy-openblas64, which was not found: looked on the path of %s and for %s; "
        "install it with: pip install scipy-openblas64",
        what, kOpenblas, path.c_str(), looked.c_str());
  }
  return library;
}

int open_host(Provider* out) {
  const char* release_text = secure_getenv("SCALE_X_HOST_ROCM");
  const char* arch = secure_getenv("SCALE_X_HOST_ARCH");
  if (release_text == nullptr || *release_text == '\0') release_text = "7.2";
  if (arch == nullptr || *arch == '\0') arch = "gfx942";
  const int release = parse_release(release_text);
  void* engine = open_engine();
  if (engine == nullptr) return hipErrorInitializationError;
  const auto entry = reinterpret_cast<decltype(&sx_host_table)>(dlsym(engine, "sx_host_table"));
  size_t count = 0;
  const sx_host_entry* entries = entry && release ? entry(release, arch, &count) : nullptr;
  if (entries == nullptr || count == 0) {
    say("the host engine does not know ROCm %s on %s (SCALE_X_HOST_ROCM, SCALE_X_HOST_ARCH)", release_text, arch);
    return hipErrorInitializationError;
  }
  fill(out, entries, count);
  out->table.version = release;
  snprintf(out->arch, sizeof out->arch, "%s", arch);
  if (out->table.hipGetDeviceCount == nullptr || out->table.hipGetDeviceCount(&out->devices) != hipSuccess) {
    out->devices = 0;
  }
  sx_log("host engine: ROCm %s on %s, %zu functions, %d device(s)", release_text, arch, count, out->devices);
  return out->devices > 0 ? 0 : hipErrorNoDevice;
}

}  // namespace sx
