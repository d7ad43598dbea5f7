// A host engine that lacks what TEST_HIDE names: words, each the beginning of functions' names. For the rest it hands
// out the real engine's functions, TEST_ENGINE.
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <string>
#include <vector>

#include "scalex/host_table.h"

namespace {

bool hidden(const char* name) {
  const char* words = getenv("TEST_HIDE");
  for (const char* p = words ? words : ""; *p != '\0';) {
    const size_t n = strcspn(p, " ");
    if (n > 0 && strncmp(name, p, n) == 0) return true;
    p += n + (p[n] == ' ');
  }
  return false;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const sx_host_entry* sx_host_table(int release, const char* arch,
                                                                                     size_t* count) {
  static std::vector<sx_host_entry> kept;
  void* engine = dlopen(getenv("TEST_ENGINE"), RTLD_NOW | RTLD_LOCAL);
  const auto real = engine ? reinterpret_cast<decltype(&sx_host_table)>(dlsym(engine, "sx_host_table")) : nullptr;
  size_t all = 0;
  const sx_host_entry* entries = real ? real(release, arch, &all) : nullptr;
  for (size_t i = 0; i < all; ++i) {
    if (!hidden(entries[i].name)) kept.push_back(entries[i]);
  }
  *count = kept.size();
  return kept.data();
}
