#include "scalex/compat.h"

#include <stdlib.h>
#include <string.h>

#include "internal.h"

SX_EXPORT int32_t sx_exact;
int32_t sx_exact = [] {
  const char* text = secure_getenv("SCALE_X_COMPAT");
  return text != nullptr && strcmp(text, "exact") == 0 ? 1 : 0;
}();
