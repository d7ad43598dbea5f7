// What nvcc's generated code calls before main and at <<<>>>: enough for a program to start. Launches are refused.
#include "runtime.h"

namespace {

struct Configuration {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
};
// A launch pushes and pops at once; deeper nesting comes only from arguments that launch themselves.
constexpr int deepest = 4;
__attribute__((tls_model("initial-exec"))) thread_local Configuration configurations[deepest];
__attribute__((tls_model("initial-exec"))) thread_local int depth = 0;

void* fat_binary;

}  // namespace

void** sx__cudaRegisterFatBinary(void* binary) {
  fat_binary = binary;
  return &fat_binary;
}
void sx__cudaRegisterFatBinaryEnd(void**) {}
void sx__cudaUnregisterFatBinary(void**) {}
void sx__cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*, dim3*, int*) {}
void sx__cudaRegisterVar(void**, char*, char*, const char*, int, size_t, int, int) {}
void sx__cudaRegisterManagedVar(void**, void**, char*, const char*, int, size_t, int, int) {}
void sx__cudaRegisterHostVar(void**, const char*, char*, size_t) {}
char sx__cudaInitModule(void**) { return 0; }

unsigned int sx__cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  if (depth >= deepest) return 1;
  configurations[depth++] = {grid, block, shared, stream};
  return 0;
}

cudaError_t sx__cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  if (depth == 0) return sx_error(cudaErrorMissingConfiguration);
  const Configuration& c = configurations[--depth];
  *grid = c.grid;
  *block = c.block;
  *shared = c.shared;
  *static_cast<cudaStream_t*>(stream) = c.stream;
  return cudaSuccess;
}
