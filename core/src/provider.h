// One provider's functions, as found.
#pragma once

#include <string>

#include "internal.h"

namespace sx {

// Name, library and place in the table of each function, sorted by name.
struct TableEntry {
  const char* name;
  int library;  // index in kTableLibraries
  size_t offset;
};
extern const TableEntry kTable[];
extern const size_t kTableSize;
extern const char* const kTableLibraries[];
extern const int kTableLibraryCount;

struct Provider {
  sx_rocm_table table;
  char arch[64];
  int devices;
};

inline void table_put(sx_rocm_table* table, const TableEntry& entry, void* function) {
  memcpy(reinterpret_cast<char*>(table) + entry.offset, &function, sizeof function);
}

// Each fills ``out`` and returns 0, or returns a hipError_t after saying why unless ``quiet``.
int open_host(Provider* out);
int open_rocm(Provider* out, const char* directory, bool demanded);

// One of this package's libraries that stand on OpenBLAS; nullptr after saying why.
void* open_over_openblas(const std::string& path, const char* what);

// A line when the process has a HIP runtime that sees devices although the host engine was chosen.
void warn_about_present_hip();

}  // namespace sx
