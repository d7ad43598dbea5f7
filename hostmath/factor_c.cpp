#include "factor.h"

SX_HM_INSTANTIATE(sx::hm::cfloat)
