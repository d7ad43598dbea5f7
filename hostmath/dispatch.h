// From an element type by number to a C++ type.
#pragma once

#include "lapack.h"
#include "scalex/hostmath.h"

namespace sx::hm {

// call(T{}) for the type of this number; what it throws for want of memory becomes ``no_memory``.
template <class Result, class Call>
Result by_type(int32_t type, Result no_memory, Call call) {
  try {
    switch (type) {
      case SX_HM_S:
        return call(float{});
      case SX_HM_D:
        return call(double{});
      case SX_HM_C:
        return call(cfloat{});
      default:
        return call(cdouble{});
    }
  } catch (const std::bad_alloc&) {
    return no_memory;
  }
}

}  // namespace sx::hm
