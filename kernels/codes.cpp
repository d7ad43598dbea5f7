// Renumbers info codes in place.
#include "scalex/pieces.h"

namespace sx_kernel {

SX_FN void codes_item(const sx_codes_args& a, sx_i64 i) {
  const int code = a.codes[i];
  if (code > 0 && code <= a.upto) {
    a.codes[i] = a.becomes;
  } else if (a.above > 0 && code > a.above) {
    a.codes[i] = code - a.above;
  }
}

SX_KERNEL(sx_codes, sx_codes_args, codes_items, codes_item)

}  // namespace sx_kernel
