// All kernels in the namespace sx_kernel, which the including file may have renamed.
#include <string.h>

#include "kernels.h"

#include "../../kernels/codes.cpp"
#include "../../kernels/convert.cpp"
#include "../../kernels/epilogue.cpp"
#include "../../kernels/sums.cpp"
#include "../../kernels/transform.cpp"

namespace sx_kernel {

constexpr sx::NativeKernel natives[] = {
    {"sx_codes", sizeof(sx_codes_args), sx_codes_block},
    {"sx_convert", sizeof(sx_convert_args), sx_convert_block},
    {"sx_epilogue", sizeof(sx_epilogue_args), sx_epilogue_block},
    {"sx_sums", sizeof(sx_sums_args), sx_sums_block},
    {"sx_transform", sizeof(sx_transform_args), sx_transform_block},
};

inline const sx::NativeKernel* find(const char* name) {
  for (const sx::NativeKernel& k : natives) {
    if (strcmp(k.name, name) == 0) return &k;
  }
  return nullptr;
}

}  // namespace sx_kernel
