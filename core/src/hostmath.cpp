// The CPU's mathematics, loaded at first use: libscalex_hostmath.so.0 beside this library.
#include "scalex/hostmath.h"

#include <dlfcn.h>

#include "provider.h"

namespace sx {
namespace {

const sx_hostmath_table* open_hostmath() {
  void* library = open_over_openblas(own_directory() + "/libscalex_hostmath.so.0", "hostmath");
  if (library == nullptr) return nullptr;
  const auto entry = reinterpret_cast<decltype(&sx_hostmath_functions)>(dlsym(library, "sx_hostmath_functions"));
  const sx_hostmath_table* table = entry ? entry() : nullptr;
  if (table && table->bytes == sizeof(sx_hostmath_table)) return table;
  say("libscalex_hostmath.so.0 is of another build than libscalex_core.so.0");
  return nullptr;
}

}  // namespace
}  // namespace sx

SX_EXPORT const sx_hostmath_table* sx_hostmath(void) {
  static const sx_hostmath_table* const table = sx::open_hostmath();
  return table;
}
