// The functions of the table, in data: name, library, place.
#include <stddef.h>

#include "provider.h"

namespace sx {
namespace {

enum {
#define SX_ONE(library) k_##library,
  SX_ROCM_LIBRARIES(SX_ONE)
#undef SX_ONE
};

}  // namespace

const char* const kTableLibraries[] = {
#define SX_ONE(library) #library,
    SX_ROCM_LIBRARIES(SX_ONE)
#undef SX_ONE
};
const int kTableLibraryCount = sizeof kTableLibraries / sizeof *kTableLibraries;

const TableEntry kTable[] = {
#define SX_ONE(function, library, since, removed) {#function, k_##library, offsetof(sx_rocm_table, function)},
    SX_ROCM_FUNCTIONS(SX_ONE)
#undef SX_ONE
};
const size_t kTableSize = sizeof kTable / sizeof *kTable;

}  // namespace sx
