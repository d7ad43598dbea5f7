// The table of functions that the engine answers for one release and chip.
#include "host/registry.h"

#include <string.h>

#include <map>
#include <string>
#include <vector>

#include "engine.h"
#include "scalex/host_table.h"

namespace sx {

bool set_target(int release, const char* arch);

namespace {

// What an architecture lacks, though the release's library exports it, is answered by the function itself
// (not_implemented, arch_mismatch); the table only says what the release exports.
bool present(const sx_host_function& f, int release) {
  return f.fn != nullptr && f.since <= release && (f.removed == 0 || release < f.removed);
}

std::vector<sx_host_entry> table_of(int release) {
  std::vector<sx_host_entry> found;
  for (size_t i = 0; i < sx_host_registry_size; ++i) {
    const sx_host_function& f = sx_host_registry[i];
    if (present(f, release)) found.push_back({f.name, reinterpret_cast<void*>(f.fn)});
  }
  return found;
}

}  // namespace
}  // namespace sx

// A release of 0 and an architecture of NULL mean what the environment says. A process has one release at a time: the
// newest call decides how functions behave.
extern "C" __attribute__((visibility("default"))) const sx_host_entry* sx_host_table(int release, const char* arch,
                                                                                     size_t* count) {
  static auto& tables = *new std::map<int, std::vector<sx_host_entry>>;
  static std::mutex own;  // not the streams' lock, which fork takes before the loader's, held here
  if (count != nullptr) *count = 0;
  if (!sx::set_target(release, arch)) return nullptr;
  std::lock_guard<std::mutex> held(own);
  auto at = tables.find(sx::release());
  if (at == tables.end()) at = tables.emplace(sx::release(), sx::table_of(sx::release())).first;
  if (count != nullptr) *count = at->second.size();
  return at->second.data();
}
