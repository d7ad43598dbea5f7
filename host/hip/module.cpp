// Modules and kernels. A module is one of the project's own kernels; launching it runs its native form over the pool,
// as one item of the stream. Hostile: blocks run in an order that no program should expect.
#include <mutex>
#include <unordered_set>
#include <vector>

#include "api.h"
#include "container.h"
#include "kernels.h"

using sx::finish;

namespace sx {
namespace {

constexpr char magic[] = "scale-x host kernel\n";

// "\n"-ended after ``prefix``; false when it is not there. Reads no further than the first byte that differs.
bool take(const char** at, const char* expected) {
  for (; *expected != '\0'; ++expected, ++*at) {
    if (**at != *expected) return false;
  }
  return true;
}

struct Module {
  const NativeKernel* kernel;
  int device;
};
struct Modules {
  std::mutex guard;
  std::unordered_set<const void*> alive;
};
Modules& modules = *new Modules;

bool alive(const void* m) {
  std::lock_guard<std::mutex> held(modules.guard);
  return modules.alive.count(m) != 0;
}

// The arguments of a launch, kept until it has run (again, from a graph).
struct Launch {
  KernelBlock run;
  std::vector<char> args;
  unsigned blocks;
  bool hostile;

  // A walk over all blocks that starts in the middle and goes backwards.
  unsigned block(size_t i) const {
    const size_t n = blocks;
    return static_cast<unsigned>(hostile ? (n / 2 + n - i) % n : i);
  }
  void operator()() const {
    parallel_for(blocks, 8, [this](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) run(args.data(), block(i), blocks);
    });
  }
};

}  // namespace

const sx_kernel_source* kernel_source(const char* text) {
  for (const sx_kernel_source& s : sx_kernel_sources) {
    if (strcmp(s.text, text) == 0) return &s;
  }
  return nullptr;
}

std::string container_of(const sx_kernel_source& source, const std::string& arch) {
  return std::string(magic) + arch + "\n" + source.name + "\n" + source.sha256 + "\n";
}

hipError_t open_container(const void* image, const sx_kernel_source** source) {
  const char* at = static_cast<const char*>(image);
  if (!take(&at, magic)) return hipErrorInvalidImage;
  if (!take(&at, arch()) || !take(&at, "\n")) return hipErrorNoBinaryForGpu;
  for (const sx_kernel_source& s : sx_kernel_sources) {
    const char* rest = at;
    if (take(&rest, s.name) && take(&rest, "\n") && take(&rest, s.sha256)) {
      *source = &s;
      return hipSuccess;
    }
  }
  return hipErrorInvalidImage;
}

}  // namespace sx

extern "C" {

hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
  SX_REQUIRE(module != nullptr && image != nullptr, hipErrorInvalidValue);
  SX_TRY(sx::refuse_in_capture());
  SX_TRY(sx::stream_check(nullptr));
  const sx_kernel_source* source = nullptr;
  SX_TRY(sx::open_container(image, &source));
  const sx::NativeKernel* const kernel = sx::native_kernel(source->name);
  SX_REQUIRE(kernel != nullptr, hipErrorInvalidImage);
  auto* const made = new sx::Module{kernel, sx::current_device()};
  std::lock_guard<std::mutex> held(sx::modules.guard);
  sx::modules.alive.insert(made);
  *module = reinterpret_cast<hipModule_t>(made);
  return finish(hipSuccess);
}

hipError_t hipModuleUnload(hipModule_t module) {
  SX_TRY(sx::refuse_in_capture());
  SX_REQUIRE(sx::alive(module), hipErrorInvalidHandle);
  std::lock_guard<std::mutex> held(sx::modules.guard);
  sx::modules.alive.erase(module);
  delete reinterpret_cast<sx::Module*>(module);
  return finish(hipSuccess);
}

// A function is its module: each has one.
hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* name) {
  SX_REQUIRE(function != nullptr && name != nullptr, hipErrorInvalidValue);
  SX_REQUIRE(sx::alive(module), hipErrorInvalidHandle);
  SX_REQUIRE(strcmp(reinterpret_cast<sx::Module*>(module)->kernel->name, name) == 0, hipErrorNotFound);
  *function = reinterpret_cast<hipFunction_t>(module);
  return finish(hipSuccess);
}

hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                 unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                 hipStream_t stream, void** parameters, void** extra) {
  SX_REQUIRE(sx::alive(function), hipErrorInvalidHandle);
  SX_REQUIRE(sx::stream_valid(stream), hipErrorContextIsDestroyed);
  SX_REQUIRE(parameters != nullptr && extra == nullptr, hipErrorInvalidValue);
  SX_REQUIRE(grid_x > 0 && grid_y > 0 && grid_z > 0 && block_x > 0 && block_y > 0 && block_z > 0,
             hipErrorInvalidConfiguration);
  // the kernels are compiled for blocks of 256, and a grid has fewer than 2^32 threads
  SX_REQUIRE(block_x == 256 && block_y == 1 && block_z == 1 && grid_y == 1 && grid_z == 1 && shared_bytes == 0 &&
                 uint64_t{grid_x} * block_x <= 0xffffffffu,
             hipErrorInvalidConfiguration);
  const auto* const module = reinterpret_cast<const sx::Module*>(function);
  SX_REQUIRE(module->device == sx::stream_device(stream), hipErrorInvalidHandle);
  const char* const args = static_cast<const char*>(parameters[0]);
  unsigned blocks = 0;
  memcpy(&blocks, parameters[1], sizeof blocks);
  sx::Launch launch{module->kernel->run, std::vector<char>(args, args + module->kernel->args_bytes), grid_x,
                    sx::hostile()};
  SX_REQUIRE(blocks == grid_x, hipErrorInvalidValue);
  return finish(sx::enqueue(stream, std::move(launch), sx::Op::kernel));
}

}  // extern "C"
