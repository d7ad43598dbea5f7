// AMD's libraries: found, judged, and bound by name.
#include <dlfcn.h>
#include <stdlib.h>

#include "provider.h"
#include "search.h"

namespace sx {
namespace {

constexpr int kOldest = 600;
constexpr const char* kHipSonames[] = {"libamdhip64.so.7", "libamdhip64.so.6"};
constexpr const char* kOldHip = "libamdhip64.so.5";

// What is open so far.
struct Found {
  int generation = 0;    // of sonames: 6 or 7
  bool present = false;  // HIP was in the process already
  void* hip = nullptr;
  std::string where;  // HIP's directory
  int release = 0;
  int devices = 0;
};

std::string release_text(int release) { return std::to_string(release / 100) + "." + std::to_string(release % 100); }

bool driver_present() {
  const char* path = secure_getenv("SCALE_X_KFD");  // for tests
  return file_exists(path && *path == '/' ? path : "/dev/kfd");
}

template <class F>
F function(void* library, const char* name) {
  return reinterpret_cast<F>(dlsym(library, name));
}

// 7.2: 70253211
int hip_release(void* hip) {
  const auto version = function<decltype(&hipRuntimeGetVersion)>(hip, "hipRuntimeGetVersion");
  int number = 0;
  if (version == nullptr || version(&number) != hipSuccess) return 0;
  return number / 10000000 * 100 + number / 100000 % 100;
}

bool open_hip(Found* found, const std::vector<std::string>& directories, bool present_first) {
  for (const char* soname : kHipSonames) {
    found->hip = present_first ? open_present(soname, &found->where) : nullptr;
    if (found->hip) {
      sx_log("%s is already in this process, from %s", soname, found->where.c_str());
      found->generation = soname[strlen(soname) - 1] - '0';
      return found->present = true;
    }
  }
  if (present_first && (found->hip = open_mapped(unnumbered(kHipSonames[0]), &found->where)) != nullptr) {
    sx_log("HIP is already in this process, from %s", found->where.c_str());
    found->generation = hip_release(found->hip) < 700 ? 6 : 7;
    return found->present = true;
  }
  for (const std::string& d : directories) {  // the first directory that has one, its newest
    for (const char* soname : kHipSonames) {
      found->hip = open_library(soname, {d}, &found->where);
      if (found->hip == nullptr) continue;
      found->generation = soname[strlen(soname) - 1] - '0';
      return true;
    }
  }
  return false;
}

int hip_devices(void* hip) {
  const auto count = function<decltype(&hipGetDeviceCount)>(hip, "hipGetDeviceCount");
  int devices = 0;
  return count && count(&devices) == hipSuccess ? devices : 0;
}

// The release of ROCm that a rocBLAS belongs to ("5.2.0" is 7.2's); 0 where that is not known.
int rocblas_release(void* rocblas) {
  char text[256] = "";
  const auto version = function<decltype(&rocblas_get_version_string)>(rocblas, "rocblas_get_version_string");
  if (version == nullptr || version(text, sizeof text) != rocblas_status_success) return 0;
  int major = 0, minor = 0;
  if (sscanf(text, "%d.%d", &major, &minor) != 2) return 0;
  if (major == 4 && minor <= 4) return 600 + minor;
  if (major == 5 && minor <= 2) return 700 + minor;
  return 0;
}

// Releases that may not be used together: another minor, or rocBLAS of another generation (which its soname rules out).
bool mixed(int hip, int rocblas) {
  const bool known = hip < 703;  // later releases share rocBLAS 5.3
  return known && rocblas != 0 && rocblas != hip;
}

void read_arch(Provider* out) {
  hipDeviceProp_tR0600 properties = {};
  if (out->table.hipGetDevicePropertiesR0600 && out->table.hipGetDevicePropertiesR0600(&properties, 0) == hipSuccess) {
    properties.gcnArchName[sizeof properties.gcnArchName - 1] = '\0';
    const size_t n = strcspn(properties.gcnArchName, ":");  // gfx942:sramecc+:xnack-
    snprintf(out->arch, sizeof out->arch, "%.*s", static_cast<int>(n), properties.gcnArchName);
  }
}

// Where ROCm 5 is, among directories; "" is where distributions put libraries.
std::string old_rocm(const std::vector<std::string>& directories, bool system_too) {
  for (const std::string& d : directories) {
    if (!d.empty() && file_exists(d + "/" + kOldHip)) return d;
    if (!d.empty() || !system_too) continue;
    for (const char* system : {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"}) {
      if (file_exists(std::string(system) + "/" + kOldHip)) return system;
    }
  }
  return "";
}

void say_missing(const std::vector<std::string>& directories, const char* then) {
  const std::string old = old_rocm(directories, true);
  if (!old.empty()) {
    say("ROCm 6.0 or newer is needed, but %s/%s belongs to ROCm 5%s", old.c_str(), kOldHip, then);
    return;
  }
  say("no ROCm was found: looked for %s and %s in %s%s", kHipSonames[0], kHipSonames[1], join(directories).c_str(),
      then);
}

// One of AMD's libraries: what the process has already, when HIP is among that; else by its soname, beside HIP first;
// else beside HIP without its number.
void* open_other(const Found& found, const char* soname, const std::vector<std::string>& order) {
  std::string where;
  if (found.present) {
    if (void* library = open_present(soname, &where)) return library;
    if (void* library = open_mapped(unnumbered(soname), &where)) return library;
  }
  if (void* library = open_library(soname, order, &where)) return library;
  return found.where[0] == '/' ? open_library(unnumbered(soname).c_str(), {found.where}, &where) : nullptr;
}

// Everything but HIP.
bool open_others(const Found& found, const std::vector<std::string>& directories, void** libraries, const char* then) {
  std::vector<std::string> order = directories;
  order.insert(order.begin(), found.where);
  for (int i = 0; i < kTableLibraryCount; ++i) {
    const RocmLibrary* library = rocm_library(kTableLibraries[i]);
    if (library == nullptr) continue;
    if (strcmp(library->name, "hip") == 0) {
      libraries[i] = found.hip;
      continue;
    }
    const char* soname = found.generation == 6 ? library->soname6 : library->soname7;
    libraries[i] = open_other(found, soname, order);
    if (libraries[i]) continue;
    if (strcmp(library->name, "rocblas") == 0) {
      say("ROCm %s was found in %s, but not its %s: looked in %s%s", release_text(found.release).c_str(),
          found.where.c_str(), soname, join(order).c_str(), then);
      return false;
    }
    sx_log("%s was not found: its functions are not supported", soname);
  }
  return true;
}

bool judge(const Found& found, void** libraries, const char* then) {
  for (int i = 0; i < kTableLibraryCount; ++i) {
    if (strcmp(kTableLibraries[i], "rocblas") != 0) continue;
    const int release = rocblas_release(libraries[i]);
    if (!mixed(found.release, release)) return true;
    say("the HIP runtime in %s is ROCm %s's, but rocBLAS is %s's: libraries of two releases are not used together%s",
        found.where.c_str(), release_text(found.release).c_str(), release_text(release).c_str(), then);
    return false;
  }
  return true;
}

void fill(Provider* out, const Found& found, void* const* libraries) {
  size_t bound = 0;
  for (size_t k = 0; k < kTableSize; ++k) {
    void* library = libraries[kTable[k].library];
    void* f = library ? dlsym(library, kTable[k].name) : nullptr;
    bound += f != nullptr;
    table_put(&out->table, kTable[k], f);
  }
  out->table.version = found.release;
  out->devices = found.devices;
  read_arch(out);
  sx_log("ROCm %s from %s on %s, %zu functions, %d device(s)", release_text(found.release).c_str(), found.where.c_str(),
         out->arch, bound, found.devices);
}

}  // namespace

int open_rocm(Provider* out, const char* directory, bool demanded) {
  const bool named = directory != nullptr;
  const std::vector<std::string> directories = named ? std::vector<std::string>{directory} : rocm_directories();
  const char* then = demanded ? "; handles cannot be created" : "; the host engine is used";
  const char* root = secure_getenv("ROCM_PATH");
  if (!named && root && *root == '/' && !file_exists(std::string(root) + "/lib/" + kHipSonames[0]) &&
      !file_exists(std::string(root) + "/lib/" + kHipSonames[1]) &&
      !file_exists(std::string(root) + "/lib/" + kOldHip)) {
    say("ROCM_PATH=%s has neither lib/%s nor lib/%s", root, kHipSonames[0], kHipSonames[1]);
  }
  Found found;
  if (!open_hip(&found, directories, !named)) {
    if (named || demanded || driver_present() || !old_rocm(directories, false).empty()) say_missing(directories, then);
    return hipErrorInitializationError;
  }
  found.devices = hip_devices(found.hip);  // first of all: some of AMD's libraries exit the process without a device
  if (found.devices <= 0) {
    if (demanded || named || driver_present()) {
      say("ROCm in %s sees no device%s%s", found.where.c_str(), driver_present() ? " although /dev/kfd is present" : "",
          then);
    }
    return hipErrorNoDevice;
  }
  found.release = hip_release(found.hip);
  if (found.release < kOldest) {
    say("ROCm 6.0 or newer is needed, but %s has %s%s", found.where.c_str(), release_text(found.release).c_str(), then);
    return hipErrorInitializationError;
  }
  void* libraries[16] = {};
  if (!open_others(found, directories, libraries, then) || !judge(found, libraries, then)) {
    return hipErrorInitializationError;
  }
  fill(out, found, libraries);
  return 0;
}

void warn_about_present_hip() {
  for (const char* soname : {kHipSonames[0], kHipSonames[1], kOldHip}) {
    std::string where;
    void* hip = open_present(soname, &where);
    const int devices = hip ? hip_devices(hip) : 0;
    if (devices > 0) {
      say("the host engine was chosen although this process has %s from %s with %d device(s): memory of the two cannot "
          "be mixed",
          soname, where.c_str(), devices);
    }
    if (hip) dlclose(hip);
  }
}

}  // namespace sx
