#include "factor.h"

SX_HM_INSTANTIATE(float)
