// SCALE_X_COMPAT=exact: also refuse, as NVIDIA's library does, what only NVIDIA's chip cannot do (shapes, alignments).
// Otherwise such calls are computed right. Rows say it with ChipLimit; native bodies ask sx_exact.
#pragma once

#include <stdint.h>

extern "C" {
extern int32_t sx_exact;  // read from the environment when core is loaded; 0 or 1
}
