// What a composed product asks of the device kernels.
#pragma once

#include <string.h>

#include "plan.h"
#include "scalex/launch.h"

namespace sx_lt {

float from_half(uint16_t h);

// A scalar on the host in the type that products are scaled in: half precision becomes single.
struct alignas(16) Scalar {
  unsigned char bytes[16] = {};
  void read(const void* p, int32_t type) {
    if (type == CUDA_R_16F) {
      const float f = from_half(sx_load<uint16_t>(p));
      memcpy(bytes, &f, sizeof f);
    } else {
      memcpy(bytes, p, sx_data_bytes(type));
    }
  }
  void one(int32_t type) {
    const float f = 1;
    const double d = 1;
    const int32_t i = 1;
    if (type == CUDA_R_64F || type == CUDA_C_64F)
      memcpy(bytes, &d, sizeof d);
    else if (type == CUDA_R_32I)
      memcpy(bytes, &i, sizeof i);
    else
      memcpy(bytes, &f, sizeof f);
  }
};

cublasStatus_t of_launch(int error);
sx_operand kernel_operand(const Operand& o, const void* data);
sx_factor kernel_factor(const Scalar& s, int32_t type);  // of the host; half precision was widened
// What the epilogue ``e`` asks of the kernel, beside the matrices and scalars.
sx_epilogue_args epilogue_args(const Problem& p, const MatmulDesc& d, int32_t e);
// Bias gradients: sums over a row of D (which lies at ``from``), of A or of the stored B.
cublasStatus_t sum(const Route& r, const MatmulDesc& d, const Data& data, const Operand& of_d, const void* from);

size_t count_of(const Operand& o, int batch);  // elements, packed
// The operand in the wider type, packed; its block scales are in it. ``first``: it is A.
cublasStatus_t widen(const Route& r, const Operand& from, const void* data, bool first, int mode, const void* scale,
                     void* room, hipStream_t stream, Operand* to);
// One type to another, saturating.
cublasStatus_t convert(const Problem& p, const Operand& from, const void* src, const Operand& to, void* dst,
                       hipStream_t stream);

}  // namespace sx_lt
