#include "search.h"

#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <algorithm>

#include "internal.h"

namespace sx {
namespace {

const RocmLibrary kLibraries[] = {
    {"hip", "libamdhip64.so.6", "libamdhip64.so.7"},         {"rocblas", "librocblas.so.4", "librocblas.so.5"},
    {"rocsolver", "librocsolver.so.0", "librocsolver.so.0"}, {"hipblaslt", "libhipblaslt.so.0", "libhipblaslt.so.1"},
    {"hipfft", "libhipfft.so.0", "libhipfft.so.0"},          {"hiprtc", "libhiprtc.so.6", "libhiprtc.so.7"},
    {"rocsparse", "librocsparse.so.1", "librocsparse.so.1"},
};

std::string parent(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

void add(std::vector<std::string>* to, const std::string& directory) {
  if (std::find(to->begin(), to->end(), directory) == to->end()) to->push_back(directory);
}

void add_matching(std::vector<std::string>* to, const std::string& pattern, bool newest_first) {
  glob_t found = {};
  if (glob(pattern.c_str(), GLOB_ONLYDIR, nullptr, &found) == 0) {
    std::vector<std::string> names(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    const auto newer = [](const std::string& a, const std::string& b) { return strverscmp(a.c_str(), b.c_str()) > 0; };
    if (newest_first) std::sort(names.begin(), names.end(), newer);
    for (const std::string& name : names) add(to, name);
  }
  globfree(&found);
}

// Whether the loader's own search may be used: an empty or relative entry of LD_LIBRARY_PATH would make it look into
// the current directory.
bool add_library_path(std::vector<std::string>* to) {
  const char* path = secure_getenv("LD_LIBRARY_PATH");
  if (path == nullptr || *path == '\0') return true;
  bool absolute = true;
  for (const char* p = path;;) {
    const size_t n = strcspn(p, ":;");
    if (n > 0 && *p == '/') {
      add(to, std::string(p, n));
    } else {
      absolute = false;
    }
    if (p[n] == '\0') return absolute;
    p += n + 1;
  }
}

std::string directory_of(void* library) {
  link_map* map = nullptr;
  return dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map->l_name ? parent(map->l_name) : "";
}

}  // namespace

const RocmLibrary* rocm_library(const std::string& name) {
  for (const RocmLibrary& l : kLibraries) {
    if (name == l.name) return &l;
  }
  return nullptr;
}

std::vector<std::string> rocm_directories() {
  std::vector<std::string> found;
  const char* root = secure_getenv("ROCM_PATH");
  if (root && *root == '/') add(&found, std::string(root) + "/lib");
  if (add_library_path(&found)) add(&found, "");
  add(&found, "/opt/rocm/lib");
  add_matching(&found, "/opt/rocm-*/lib", true);
  // pip's ROCm lies beside this package in site-packages
  std::string ancestor = own_directory();
  for (int i = 0; i < 6 && !ancestor.empty(); ++i, ancestor = parent(ancestor)) {
    add_matching(&found, ancestor + "/_rocm_sdk_*/lib", false);
  }
  return found;
}

bool file_exists(const std::string& path) {
  struct stat s;
  return stat(path.c_str(), &s) == 0;
}

void* open_library(const char* soname, const std::vector<std::string>& directories, std::string* where) {
  for (const std::string& d : directories) {
    const std::string path = d.empty() ? soname : d + "/" + soname;
    if (!d.empty() && !file_exists(path)) continue;
    if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
      *where = directory_of(library);
      return library;
    }
    const char* why = dlerror();
    if (!d.empty()) {
      say("%s is there but cannot be loaded: %s", path.c_str(), why ? why : "unknown reason");
    } else {
      sx_log("%s", why ? why : soname);
    }
  }
  return nullptr;
}

void* open_present(const char* soname, std::string* where) {
  void* library = dlopen(soname, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (library) *where = directory_of(library);
  return library;
}

void* open_mapped(const std::string& file, std::string* where) {
  std::pair<const std::string&, std::string> looked(file, "");
  const auto look = [](dl_phdr_info* info, size_t, void* out) {
    auto& wanted = *static_cast<std::pair<const std::string&, std::string>*>(out);
    const std::string path = info->dlpi_name ? info->dlpi_name : "";
    if (path.substr(path.rfind('/') + 1) != wanted.first) return 0;
    wanted.second = path;
    return 1;
  };
  if (dl_iterate_phdr(look, &looked) == 0) return nullptr;
  return open_present(looked.second.c_str(), where);
}

std::string unnumbered(const std::string& soname) { return soname.substr(0, soname.find(".so") + 3); }

std::string join(const std::vector<std::string>& directories) {
  std::string text;
  for (const std::string& d : directories) {
    if (!text.empty()) text += ", ";
    text += d.empty() ? "the loader's own search path" : d;
  }
  return text;
}

std::string own_directory() {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&own_directory), &info) == 0 || info.dli_fname == nullptr) return "";
  char* real = realpath(info.dli_fname, nullptr);
  const std::string directory = parent(real ? real : info.dli_fname);
  free(real);
  return directory;
}

}  // namespace sx
