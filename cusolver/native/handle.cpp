// The handle of cusolverDn and its settings. The emitted wrappers have checked the handle and the out pointers.
#include "solver.h"

extern "C" __attribute__((visibility("hidden"))) const sx_abi_info sx_abi;

namespace {

constexpr uint64_t kLent = SX_WORKSPACE_LENT << SX_WORKSPACE_SHIFT;

// Settings that only getters read; kept in the slot's words that cuBLAS uses for the same.
template <class T, class U>
cusolverStatus_t keep(T* field, U value) {
  __atomic_store_n(field, static_cast<T>(value), __ATOMIC_RELAXED);
  return CUSOLVER_STATUS_SUCCESS;
}

template <class T>
T kept(const T* field) {
  return __atomic_load_n(field, __ATOMIC_RELAXED);
}

constexpr int kDeterministic = 1, kFreeOrder = 2;

}  // namespace

cusolverStatus_t sx_solver_create(cusolverDnHandle_t* handle) {
  int device = 0;
  if (sx_provider_load() != 0) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (sx_rocm->hipGetDevice && sx_rocm->hipGetDevice(&device) != hipSuccess) return CUSOLVER_STATUS_NOT_INITIALIZED;
  auto* slot = static_cast<sx_blas_slot*>(sx_slot_new(SX_KIND_SOLVER));
  if (slot == nullptr) return CUSOLVER_STATUS_ALLOC_FAILED;
  slot->device = device;
  slot->modes = kLent;
  slot->emulation_special_values = 0xffff;
  *handle = reinterpret_cast<cusolverDnHandle_t>(slot);
  return sx_solver_set_stream(*handle, nullptr);
}

cusolverStatus_t sx_solver_destroy(cusolverDnHandle_t handle) {
  return sx_solver_status(sx_blas_destroy(sx_solver_slot(handle)));
}

cusolverStatus_t sx_solver_set_stream(cusolverDnHandle_t handle, cudaStream_t stream) {
  sx_blas_slot* const slot = sx_solver_slot(handle);
  const int status = sx_blas_set_stream(slot, sx_to_hip_stream(stream), stream);
  sx_blas_set_mode(slot, ~uint64_t{0} << SX_WORKSPACE_SHIFT, kLent);
  if (status != 0) return sx_solver_status(status);
  // Scratch for calls without a workspace is there before the first of them, which may be captured.
  const sx_solver_loan blas(slot);
  if (blas.error == 0) sx_blas_scratch(slot, &blas.loan, 1);
  return sx_solver_status(blas.error);
}

cusolverStatus_t sx_solver_get_stream(cusolverDnHandle_t handle, cudaStream_t* stream) {
  *stream = static_cast<cudaStream_t>(kept(&sx_solver_slot(handle)->cuda_stream));
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t sx_solver_set_deterministic(cusolverDnHandle_t handle, cusolverDeterministicMode_t mode) {
  const auto value = static_cast<int>(mode);
  if (value != kDeterministic && value != kFreeOrder) return CUSOLVER_STATUS_INTERNAL_ERROR;
  sx_blas_set_mode(sx_solver_slot(handle), SX_ATOMICS_MASK, value == kFreeOrder ? uint64_t{SX_ATOMICS_MASK} : 0);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t sx_solver_get_deterministic(cusolverDnHandle_t handle, cusolverDeterministicMode_t* mode) {
  const bool free = kept(&sx_solver_slot(handle)->modes) & SX_ATOMICS_MASK;
  *mode = static_cast<cusolverDeterministicMode_t>(free ? kFreeOrder : kDeterministic);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t sx_get_version(int* version) {
  *version = sx_abi.library_version;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t sx_get_property(libraryPropertyType type, int* value) {
  const int version = sx_abi.library_version;  // 11705: 11.7.5
  switch (static_cast<int>(type)) {
    case MAJOR_VERSION:
      *value = version / 1000;
      return CUSOLVER_STATUS_SUCCESS;
    case MINOR_VERSION:
      *value = version / 100 % 10;
      return CUSOLVER_STATUS_SUCCESS;
    case PATCH_LEVEL:
      *value = version % 100;
      return CUSOLVER_STATUS_SUCCESS;
    default:
      return CUSOLVER_STATUS_INVALID_VALUE;
  }
}

// ---- emulation of floating-point types: tuning of NVIDIA's hardware, kept only --------------------------------------

cusolverStatus_t sx_solver_set_math_mode(cusolverDnHandle_t handle, cusolverMathMode_t mode) {
  return keep(&sx_solver_slot(handle)->environment_mode, static_cast<int>(mode) - 1);
}

cusolverStatus_t sx_solver_get_math_mode(cusolverDnHandle_t handle, cusolverMathMode_t* mode) {
  *mode = static_cast<cusolverMathMode_t>(kept(&sx_solver_slot(handle)->environment_mode) + 1);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t sx_solver_set_emulation_strategy(cusolverDnHandle_t handle, cudaEmulationStrategy_t strategy) {
  return keep(&sx_solver_slot(handle)->emulation_strategy, strategy);
}

cusolverStatus_t sx_solver_get_emulation_strategy(cusolverDnHandle_t handle, cudaEmulationStrategy_t* strategy) {
  *strategy = static_cast<cudaEmulationStrategy_t>(kept(&sx_solver_slot(handle)->emulation_strategy));
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t sx_solver_set_special_values(cusolverDnHandle_t handle, cudaEmulationSpecialValuesSupport_t mask) {
  return keep(&sx_solver_slot(handle)->emulation_special_values, mask);
}

cusolverStatus_t sx_solver_get_special_values(cusolverDnHandle_t handle, cudaEmulationSpecialValuesSupport_t* mask) {
  *mask = static_cast<cudaEmulationSpecialValuesSupport_t>(kept(&sx_solver_slot(handle)->emulation_special_values));
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t sx_solver_set_mantissa_control(cusolverDnHandle_t handle, cudaEmulationMantissaControl_t control) {
  return keep(&sx_solver_slot(handle)->mantissa_control, control);
}

cusolverStatus_t sx_solver_get_mantissa_control(cusolverDnHandle_t handle, cudaEmulationMantissaControl_t* control) {
  *control = static_cast<cudaEmulationMantissaControl_t>(kept(&sx_solver_slot(handle)->mantissa_control));
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t sx_solver_set_max_mantissa_bits(cusolverDnHandle_t handle, int count) {
  return keep(&sx_solver_slot(handle)->max_mantissa_bits, count);
}

cusolverStatus_t sx_solver_get_max_mantissa_bits(cusolverDnHandle_t handle, int* count) {
  *count = kept(&sx_solver_slot(handle)->max_mantissa_bits);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t sx_solver_set_mantissa_bit_offset(cusolverDnHandle_t handle, int offset) {
  return keep(&sx_solver_slot(handle)->mantissa_bit_offset, offset);
}

cusolverStatus_t sx_solver_get_mantissa_bit_offset(cusolverDnHandle_t handle, int* offset) {
  *offset = kept(&sx_solver_slot(handle)->mantissa_bit_offset);
  return CUSOLVER_STATUS_SUCCESS;
}
