// What hipBLASLt has kernels for, by release and chip.
#pragma once

#include "work.h"

namespace sx::lt {

// What a problem asks of a kernel besides its types.
enum Feature : unsigned {
  has_bias = 1,
  has_act = 2,
  has_rows = 4,     // alpha as a device vector
  has_aux = 8,      // writes the auxiliary matrix
  has_grad = 16,    // reads it
  has_from_a = 32,  // bias gradient of A, of B
  has_from_b = 64,
  has_scale = 128,  // scalar factors of A and B
  has_outer = 256,  // vectors of factors
  has_cd = 512,     // factors of C, D and the auxiliary matrix
  has_amax = 1024,
  has_blocks = 2048,    // VEC32_UE8M0
  has_aux_bias = 4096,  // both at once
};

constexpr int32_t no_kernel = -1;

bool library_exists();              // for this chip at all
int32_t kernel_for(const Work& w);  // the first that can do it, or no_kernel
bool kernel_can(int32_t index, const Work& w);
bool epilogue_exists(int32_t epilogue);  // in this release
int kernel_count();

}  // namespace sx::lt
