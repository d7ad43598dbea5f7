// The cublasXt handle: devices, block dimension, pinning, and the CPU's share.
#include <stdlib.h>

#include "xt.h"

using namespace sx_xt;

namespace {

static_assert(sizeof(Slot) <= 64, "a handle is a slot of core that points to its context");

bool ready() {
  const sx_rocm_table& rocm = *sx_rocm;
  return rocm.hipGetDeviceCount && rocm.hipGetDevice && rocm.hipSetDevice && rocm.hipStreamCreate &&
         rocm.hipStreamDestroy && rocm.hipMalloc && rocm.hipFree;
}

int device_count() {
  int count = 0;
  return sx_rocm->hipGetDeviceCount && sx_rocm->hipGetDeviceCount(&count) == hipSuccess ? count : 0;
}

bool routine_exists(cublasXtBlasOp_t op, cublasXtOpType_t type) {
  return static_cast<unsigned>(op) < CUBLASXT_ROUTINE_MAX && static_cast<unsigned>(type) <= CUBLASXT_DOUBLECOMPLEX;
}

void close(Lane* lane) {
  sx_rocm->hipSetDevice(lane->device);
  if (lane->blas != nullptr) cublasDestroy_v2(lane->blas);
  if (lane->room != nullptr) sx_rocm->hipFree(lane->room);
  if (lane->stream != nullptr) {
    sx_stream_destroyed(lane->stream);
    sx_rocm->hipStreamDestroy(lane->stream);
  }
  *lane = {};
}

cublasStatus_t open(Lane* lane, int device) {
  lane->device = device;
  if (sx_rocm->hipSetDevice(device) != hipSuccess) return CUBLAS_STATUS_INVALID_VALUE;
  if (sx_rocm->hipStreamCreate(&lane->stream) != hipSuccess) return CUBLAS_STATUS_ALLOC_FAILED;
  if (const cublasStatus_t status = cublasCreate_v2(&lane->blas)) return status;
  return cublasSetStream_v2(lane->blas, reinterpret_cast<cudaStream_t>(lane->stream));
}

void close_all(Context* context) {
  KeepDevice keep;
  for (int i = 0; i < context->lane_count; ++i) close(&context->lanes[i]);
  context->lane_count = 0;
}

}  // namespace

cublasStatus_t sx_xt_create(cublasXtHandle_t* handle) {
  if (sx_provider_load() != 0 || !ready()) return CUBLAS_STATUS_NOT_INITIALIZED;
  auto* context = static_cast<Context*>(calloc(1, sizeof(Context)));
  auto* slot = context ? static_cast<Slot*>(sx_slot_new(SX_KIND_XT)) : nullptr;
  if (slot == nullptr) {
    free(context);
    return CUBLAS_STATUS_ALLOC_FAILED;
  }
  pthread_mutex_init(&context->mutex, nullptr);
  context->block = kDefaultBlock;
  slot->context = context;
  *handle = reinterpret_cast<cublasXtHandle_t>(slot);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_xt_destroy(cublasXtHandle_t handle) {
  Context* const context = context_of(handle);
  if (!sx_slot_retire(handle, SX_KIND_XT)) return CUBLAS_STATUS_NOT_INITIALIZED;
  close_all(context);
  pthread_mutex_destroy(&context->mutex);
  free(context);
  sx_slot_free(handle);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_xt_device_select(cublasXtHandle_t handle, int nbDevices, int* deviceId) {
  const int devices = device_count();
  if (nbDevices > kMaxDevices) return CUBLAS_STATUS_INVALID_VALUE;
  for (int i = 0; i < nbDevices; ++i) {
    if (deviceId[i] < 0 || deviceId[i] >= devices) return CUBLAS_STATUS_INVALID_VALUE;
  }
  Context* const context = context_of(handle);
  Lock lock(context);
  close_all(context);
  KeepDevice keep;
  for (int i = 0; i < nbDevices * kLanesPerDevice; ++i) {
    Lane* const lane = &context->lanes[context->lane_count++];
    if (const cublasStatus_t status = open(lane, deviceId[i % nbDevices])) {
      close_all(context);
      return status;
    }
  }
  return CUBLAS_STATUS_SUCCESS;
}

// Every device counts as a board of its own: HIP does not say which share one.
cublasStatus_t sx_xt_num_boards(int nbDevices, int* deviceId, int* nbBoards) {
  int boards = 0;
  for (int i = 0; i < nbDevices; ++i) {
    if (deviceId[i] < 0 || deviceId[i] >= device_count()) return CUBLAS_STATUS_INVALID_VALUE;
    bool seen = false;
    for (int j = 0; j < i; ++j) seen |= deviceId[j] == deviceId[i];
    boards += !seen;
  }
  *nbBoards = boards;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_xt_max_boards(int* nbGpuBoards) {
  *nbGpuBoards = device_count();
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_xt_set_block(cublasXtHandle_t handle, int blockDim) {
  __atomic_store_n(&context_of(handle)->block, blockDim, __ATOMIC_RELAXED);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_xt_get_block(cublasXtHandle_t handle, int* blockDim) {
  *blockDim = static_cast<int>(block_of(handle));
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_xt_set_pinning(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode) {
  if (mode != CUBLASXT_PINNING_DISABLED && mode != CUBLASXT_PINNING_ENABLED) return CUBLAS_STATUS_INVALID_VALUE;
  Lock lock(context_of(handle));
  context_of(handle)->pinning = mode;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_xt_get_pinning(cublasXtHandle_t handle, cublasXtPinnedMemMode_t* mode) {
  Lock lock(context_of(handle));
  *mode = context_of(handle)->pinning;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_xt_set_cpu_routine(cublasXtHandle_t handle, cublasXtBlasOp_t blasOp, cublasXtOpType_t type,
                                     void* blasFunctor) {
  if (!routine_exists(blasOp, type)) return CUBLAS_STATUS_INVALID_VALUE;
  Lock lock(context_of(handle));
  context_of(handle)->cpu_routine[blasOp][type] = blasFunctor;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_xt_set_cpu_ratio(cublasXtHandle_t handle, cublasXtBlasOp_t blasOp, cublasXtOpType_t type,
                                   float ratio) {
  if (!routine_exists(blasOp, type) || !(ratio >= 0.0f && ratio <= 1.0f)) return CUBLAS_STATUS_INVALID_VALUE;
  Lock lock(context_of(handle));
  context_of(handle)->cpu_ratio[blasOp][type] = ratio;
  return CUBLAS_STATUS_SUCCESS;
}
