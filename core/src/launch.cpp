// Kernels: loaded once per device, then launched through HIP's module functions.
#include "scalex/launch.h"

#include "kernel_code.h"
#include "scalex/pieces.h"

namespace sx {
namespace {

constexpr int kDevices = 64;
constexpr long long kBlocks = 1 << 20;  // more work than this many blocks strides: HIP's grids end at 2^32 threads

const char* const kNames[SX_KERNEL_IDS] = {"sx_epilogue", "sx_sums", "sx_convert", "sx_transform", "sx_codes"};

struct Loaded {
  hipFunction_t function;  // NULL: not yet
  hipModule_t module;
  int failure;  // why it can never be had
};
Loaded loaded[kDevices][SX_KERNEL_IDS];
pthread_mutex_t kernel_mutex = PTHREAD_MUTEX_INITIALIZER;

void before_fork() { pthread_mutex_lock(&kernel_mutex); }
void after_fork() { pthread_mutex_unlock(&kernel_mutex); }
__attribute__((constructor)) void watch_fork() { pthread_atfork(before_fork, after_fork, after_fork); }

bool capturing(hipStream_t stream) {
  hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
  if (sx_rocm->hipStreamIsCapturing == nullptr) return false;
  // an error is the legacy stream's, while another stream captures
  return sx_rocm->hipStreamIsCapturing(stream, &status) != hipSuccess || status != hipStreamCaptureStatusNone;
}

int load_module(const std::string& code, const char* name, Loaded* to) {
  hipModule_t module = nullptr;
  if (const int error = sx_rocm->hipModuleLoadData(&module, code.data())) return error;
  hipFunction_t function = nullptr;
  if (const int error = sx_rocm->hipModuleGetFunction(&function, module, name)) {
    if (sx_rocm->hipModuleUnload) sx_rocm->hipModuleUnload(module);
    return error;
  }
  to->module = module;
  __atomic_store_n(&to->function, function, __ATOMIC_RELEASE);
  return 0;
}

// The cached code, or code compiled now: also when the cached one does not load.
int load(int device, const char* name, Loaded* to) {
  KernelCode code;
  if (const int error = kernel_code_begin(device, name, &code)) return error;
  if (kernel_code_cached(&code) && load_module(code.binary, name, to) == 0) return 0;
  if (const int error = kernel_code_compile(&code)) return error;
  const int error = load_module(code.binary, name, to);
  if (error == 0) kernel_code_keep(code);
  return error;
}

int current_device() {
  int device = 0;
  if (sx_core.device_count > 1 && sx_rocm->hipGetDevice) sx_rocm->hipGetDevice(&device);
  return device;
}

int obtain(sx_kernel_id kernel, hipStream_t stream, hipFunction_t* function) {
  const int device = current_device();
  if (static_cast<unsigned>(device) >= kDevices || static_cast<unsigned>(kernel) >= SX_KERNEL_IDS) {
    return hipErrorNotSupported;
  }
  Loaded* const slot = &loaded[device][kernel];
  *function = __atomic_load_n(&slot->function, __ATOMIC_ACQUIRE);
  if (SX_LIKELY(*function != nullptr)) return 0;
  if (capturing(stream)) return hipErrorStreamCaptureUnsupported;
  Lock lock(kernel_mutex);
  if (slot->function == nullptr && slot->failure == 0) {
    const RelaxedCapture relaxed;
    const int error = load(device, kNames[kernel], slot);
    if (error) sx_log("the kernel %s cannot be loaded: error %d", kNames[kernel], error);
    if (error == hipErrorNotSupported)
      slot->failure = error;  // what may pass, such as a lack of memory, is tried again
    if (error) return error;
  }
  *function = slot->function;
  return slot->failure;
}

int guarded_obtain(sx_kernel_id kernel, hipStream_t stream, hipFunction_t* function) {
  try {
    return obtain(kernel, stream, function);
  } catch (...) {
    return hipErrorOutOfMemory;
  }
}

}  // namespace

// The modules of a device are gone after a reset.
void kernels_device_reset(int device) {
  if (static_cast<unsigned>(device) >= kDevices) return;
  Lock lock(kernel_mutex);
  for (Loaded& slot : loaded[device]) slot = {};
}

}  // namespace sx

SX_EXPORT int sx_kernel_prepare(sx_kernel_id kernel, hipStream_t stream) {
  hipFunction_t function = nullptr;
  return sx::guarded_obtain(kernel, stream, &function);
}

SX_EXPORT int sx_launch(sx_kernel_id kernel, const void* args, long long items, hipStream_t stream) {
  if (items <= 0) return 0;
  hipFunction_t function = nullptr;
  if (const int error = sx::guarded_obtain(kernel, stream, &function)) return error;
  const long long wanted = (items + sx_kernel::kBlock - 1) / sx_kernel::kBlock;
  unsigned blocks = static_cast<unsigned>(wanted < sx::kBlocks ? wanted : sx::kBlocks);
  void* parameters[] = {const_cast<void*>(args), &blocks};
  return sx_rocm->hipModuleLaunchKernel(function, blocks, 1, 1, sx_kernel::kBlock, 1, 1, 0, stream, parameters,
                                        nullptr);
}

SX_EXPORT int sx_launch_epilogue(const sx_epilogue_args* args, hipStream_t stream) {
  return sx_launch(SX_KERNEL_EPILOGUE, args, sx_kernel::epilogue_items(*args), stream);
}
SX_EXPORT int sx_launch_sums(const sx_sums_args* args, hipStream_t stream) {
  return sx_launch(SX_KERNEL_SUMS, args, sx_kernel::sums_items(*args), stream);
}
SX_EXPORT int sx_launch_convert(const sx_convert_args* args, hipStream_t stream) {
  return sx_launch(SX_KERNEL_CONVERT, args, sx_kernel::convert_items(*args), stream);
}
SX_EXPORT int sx_launch_transform(const sx_transform_args* args, hipStream_t stream) {
  return sx_launch(SX_KERNEL_TRANSFORM, args, sx_kernel::transform_items(*args), stream);
}
SX_EXPORT int sx_launch_codes(const sx_codes_args* args, hipStream_t stream) {
  return sx_launch(SX_KERNEL_CODES, args, sx_kernel::codes_items(*args), stream);
}
