// Getting and setting attributes by number: one table, NVIDIA's rules about sizes for all of them.
#pragma once

#include "state.h"

namespace sx_lt {

enum class Kind { MatmulDesc, MatrixLayout, Preference, TransformDesc, EmulationDesc, Algo };

struct Attribute {
  Kind kind;
  int number;
  uint16_t size, offset;
  int8_t first, last;  // CUDA releases
};

// nullptr for a number that this CUDA release does not have.
const Attribute* find_attribute(Kind kind, int number);

// ``state_bytes``: how much of the state is there. An attribute beyond it reads as ``fallback`` has it.
cublasStatus_t get_attribute(Kind kind, const void* state, size_t state_bytes, const void* fallback, int number,
                             void* buf, size_t size, size_t* written);
cublasStatus_t set_attribute(Kind kind, void* state, size_t state_bytes, int number, const void* buf, size_t size);
// The rules of reading, for a value that is no member: a list takes larger buffers.
cublasStatus_t give(const void* value, size_t bytes, bool list, void* buf, size_t size, size_t* written);

}  // namespace sx_lt
