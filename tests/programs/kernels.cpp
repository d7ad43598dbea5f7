// Every kernel in one library, without scale-x around it: for a GPU (nvcc -x cu) or for the processor. Used by
// tools/nvidia_kernels.py, whose NumPy allocates all its arrays from ``arena``, memory that both can read.
#include <stdlib.h>
#include <string.h>

#include "../../kernels/codes.cpp"
#include "../../kernels/convert.cpp"
#include "../../kernels/epilogue.cpp"
#include "../../kernels/sums.cpp"
#include "../../kernels/transform.cpp"

#if defined(__CUDACC__)

namespace {
template <class Args>
int run(void (*kernel)(Args, sx_u32), const void* args, sx_u32 blocks) {
  kernel<<<blocks, sx_kernel::kBlock>>>(*static_cast<const Args*>(args), blocks);
  const int error = cudaGetLastError();
  return error ? error : cudaDeviceSynchronize();
}
}  // namespace

extern "C" int kernels_run(int kernel, const void* args, sx_u32 blocks) {
  switch (kernel) {
    case 0:
      return run(sx_kernel::sx_epilogue, args, blocks);
    case 1:
      return run(sx_kernel::sx_sums, args, blocks);
    case 2:
      return run(sx_kernel::sx_convert, args, blocks);
    case 3:
      return run(sx_kernel::sx_transform, args, blocks);
    default:
      return run(sx_kernel::sx_codes, args, blocks);
  }
}

// Managed memory of the first GPU, whose name goes to ``name``; NULL when there is none.
extern "C" void* kernels_arena(size_t bytes, char* name, size_t room) {
  cudaDeviceProp properties;
  void* arena = nullptr;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return nullptr;
  strncpy(name, properties.name, room - 1);
  return cudaMallocManaged(&arena, bytes) == cudaSuccess ? arena : nullptr;
}

// Milliseconds of one launch, the least of ``times``.
extern "C" float kernels_time(int kernel, const void* args, sx_u32 blocks, int times) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  float least = 1e30f;
  for (int i = 0; i < times; ++i) {
    float ms = 0;
    cudaEventRecord(begin);
    kernels_run(kernel, args, blocks);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&ms, begin, end);
    if (ms < least) least = ms;
  }
  return least;
}

#else

extern "C" int kernels_run(int kernel, const void* args, sx_u32 blocks) {
  using Block = void (*)(const void*, sx_u32, sx_u32);
  static const Block run[] = {sx_kernel::sx_epilogue_block, sx_kernel::sx_sums_block, sx_kernel::sx_convert_block,
                              sx_kernel::sx_transform_block, sx_kernel::sx_codes_block};
  for (sx_u32 block = 0; block < blocks; ++block) run[kernel](args, block, blocks);
  return 0;
}

extern "C" sx_i64 kernels_items(int kernel, const void* args) {
  switch (kernel) {
    case 0:
      return sx_kernel::epilogue_items(*static_cast<const sx_epilogue_args*>(args));
    case 1:
      return sx_kernel::sums_items(*static_cast<const sx_sums_args*>(args));
    case 2:
      return sx_kernel::convert_items(*static_cast<const sx_convert_args*>(args));
    case 3:
      return sx_kernel::transform_items(*static_cast<const sx_transform_args*>(args));
    default:
      return sx_kernel::codes_items(*static_cast<const sx_codes_args*>(args));
  }
}

// The first byte where ``x`` and ``y`` differ, other than by which NaN of ``types`` they hold; -1 when none.
extern "C" sx_i64 kernels_differ(const char* x, const char* y, sx_i64 bytes, const int* types, int count) {
  for (sx_i64 at = 0; at + 8 <= bytes; at += 8) {
    if (memcmp(x + at, y + at, 8) == 0) continue;
    bool excused = false;
    for (int t = 0; t < count && !excused; ++t) {
      const int type = types[t], width = type == SX_R_64F                        ? 8
                                         : type == SX_R_32F                      ? 4
                                         : type == SX_R_16F || type == SX_R_16BF ? 2
                                                                                 : 1;
      excused = true;
      for (int k = 0; k < 8 && excused; k += width) {
        double u, v;
        sx_kernel::load_rows<double>(type, x + at + k, 0, 1, &u);
        sx_kernel::load_rows<double>(type, y + at + k, 0, 1, &v);
        excused = memcmp(x + at + k, y + at + k, static_cast<size_t>(width)) == 0 || (u != u && v != v);
      }
    }
    if (!excused) return at;
  }
  return -1;
}

// ---- NumPy's allocator: blocks of 2^k bytes and a head of 64 from the arena, never given back to it ----
namespace {
char *arena_at, *arena_end, *arena_begin;
void* freed[48];
struct Head {
  alignas(64) int order;
};
void* take(void*, size_t bytes) {
  int order = 6;
  while (bytes >> order) ++order;
  void* block = freed[order];
  if (block) {
    memcpy(&freed[order], block, sizeof block);
    return block;
  }
  const size_t size = sizeof(Head) + (size_t{1} << order);
  if (static_cast<size_t>(arena_end - arena_at) < size) return nullptr;
  reinterpret_cast<Head*>(arena_at)->order = order;
  block = arena_at + sizeof(Head);
  arena_at += size;
  return block;
}
int order_of(void* block) { return (static_cast<Head*>(block) - 1)->order; }
void* take_zeroed(void*, size_t count, size_t size) {
  void* block = take(nullptr, count * size);
  return block ? memset(block, 0, count * size) : nullptr;
}
void give(void*, void* block, size_t) {
  if (block == nullptr) return;
  void** list = &freed[order_of(block)];
  memcpy(block, list, sizeof block);
  *list = block;
}
void* resize(void*, void* block, size_t bytes) {
  if (block == nullptr) return take(nullptr, bytes);
  const size_t room = size_t{1} << order_of(block);
  if (bytes <= room) return block;
  void* other = take(nullptr, bytes);
  if (other == nullptr) return nullptr;
  memcpy(other, block, room);
  give(nullptr, block, 0);
  return other;
}
// PyDataMem_Handler of NumPy's C API, version 1
struct Handler {
  char name[127];
  unsigned char version;
  void* context;
  void* (*take)(void*, size_t);
  void* (*take_zeroed)(void*, size_t, size_t);
  void* (*resize)(void*, void*, size_t);
  void (*give)(void*, void*, size_t);
} handler = {"scale-x kernels", 1, nullptr, take, take_zeroed, resize, give};
}  // namespace

extern "C" void* kernels_allocator(void* arena, size_t bytes) {
  arena_begin = arena_at = static_cast<char*>(arena ? arena : malloc(bytes));
  arena_end = arena_begin + bytes;
  return &handler;
}
extern "C" char* kernels_arena_begin() { return arena_begin; }
extern "C" size_t kernels_arena_used() { return static_cast<size_t>(arena_at - arena_begin); }

#endif
