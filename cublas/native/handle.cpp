// cuBLAS's handle and its settings. The emitted wrappers have checked the handle and the out pointers.
#include "native.h"

namespace {

sx_blas_slot* slot_of(cublasHandle_t handle) { return reinterpret_cast<sx_blas_slot*>(handle); }

uint64_t modes_of(cublasHandle_t handle) { return __atomic_load_n(&slot_of(handle)->modes, __ATOMIC_RELAXED); }

// Settings that no call reads are plain words, written whole.
template <class T, class U>
cublasStatus_t keep(T* field, U value) {
  __atomic_store_n(field, static_cast<T>(value), __ATOMIC_RELAXED);
  return CUBLAS_STATUS_SUCCESS;
}

template <class T>
T kept(const T* field) {
  return __atomic_load_n(field, __ATOMIC_RELAXED);
}

cublasStatus_t status_of(int core_status) { return static_cast<cublasStatus_t>(core_status); }

// How many multiprocessors the handle's device has; what the program may ask for at most.
int multiprocessors(int device) {
  int count = 0;
  const auto query = sx_rocm->hipDeviceGetAttribute;
  return query && query(&count, hipDeviceAttributeMultiprocessorCount, device) == hipSuccess ? count : 0;
}

}  // namespace

cublasStatus_t sx_create(cublasHandle_t* handle) {
  sx_blas_slot* slot = nullptr;
  const int status = sx_blas_create(&slot);
  if (status == 0) *handle = reinterpret_cast<cublasHandle_t>(slot);
  return status_of(status);
}

cublasStatus_t sx_destroy(cublasHandle_t handle) { return status_of(sx_blas_destroy(slot_of(handle))); }

cublasStatus_t sx_set_stream(cublasHandle_t handle, cudaStream_t stream) {
  return status_of(sx_blas_set_stream(slot_of(handle), sx_to_hip_stream(stream), stream));
}

cublasStatus_t sx_get_stream(cublasHandle_t handle, cudaStream_t* stream) {
  *stream = static_cast<cudaStream_t>(kept(&slot_of(handle)->cuda_stream));
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_set_workspace(cublasHandle_t handle, void* workspace, size_t bytes) {
  return status_of(sx_blas_set_workspace(slot_of(handle), workspace, bytes));
}

cublasStatus_t sx_set_pointer_mode(cublasHandle_t handle, cublasPointerMode_t mode) {
  constexpr uint64_t device = SX_POINTER_MODE_MASK;
  sx_blas_set_mode(slot_of(handle), device, mode == CUBLAS_POINTER_MODE_DEVICE ? device : 0);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_get_pointer_mode(cublasHandle_t handle, cublasPointerMode_t* mode) {
  *mode = modes_of(handle) & SX_POINTER_MODE_MASK ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_set_atomics_mode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  constexpr uint64_t allowed = SX_ATOMICS_MASK;
  sx_blas_set_mode(slot_of(handle), allowed, mode == CUBLAS_ATOMICS_ALLOWED ? allowed : 0);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_get_atomics_mode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
  *mode = modes_of(handle) & SX_ATOMICS_MASK ? CUBLAS_ATOMICS_ALLOWED : CUBLAS_ATOMICS_NOT_ALLOWED;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_set_math_mode(cublasHandle_t handle, cublasMath_t mode) {
  const auto value = static_cast<unsigned>(mode);
  if (value > 31) return CUBLAS_STATUS_INVALID_VALUE;
  sx_blas_set_mode(slot_of(handle), uint64_t{0xffff} << SX_MATH_SHIFT, uint64_t{value} << SX_MATH_SHIFT);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_get_math_mode(cublasHandle_t handle, cublasMath_t* mode) {
  *mode = static_cast<cublasMath_t>((modes_of(handle) >> SX_MATH_SHIFT) & 0xffff);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_set_sm_count(cublasHandle_t handle, int count) {
  if (count < 0 || count > multiprocessors(slot_of(handle)->device)) return CUBLAS_STATUS_INVALID_VALUE;
  return keep(&slot_of(handle)->sm_count_target, count);
}

cublasStatus_t sx_get_sm_count(cublasHandle_t handle, int* count) {
  *count = kept(&slot_of(handle)->sm_count_target);
  return CUBLAS_STATUS_SUCCESS;
}

// ---- emulation of floating-point types: tuning of NVIDIA's hardware, kept only --------------------------------------

cublasStatus_t sx_set_emulation_strategy(cublasHandle_t handle, cublasEmulationStrategy_t strategy) {
  const auto value = static_cast<unsigned>(strategy);
  return value > 2 ? CUBLAS_STATUS_INVALID_VALUE : keep(&slot_of(handle)->emulation_strategy, value);
}

cublasStatus_t sx_get_emulation_strategy(cublasHandle_t handle, cublasEmulationStrategy_t* strategy) {
  *strategy = static_cast<cublasEmulationStrategy_t>(kept(&slot_of(handle)->emulation_strategy));
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_set_special_values(cublasHandle_t handle, cudaEmulationSpecialValuesSupport mask) {
  return keep(&slot_of(handle)->emulation_special_values, mask);
}

cublasStatus_t sx_get_special_values(cublasHandle_t handle, cudaEmulationSpecialValuesSupport* mask) {
  *mask = static_cast<cudaEmulationSpecialValuesSupport>(kept(&slot_of(handle)->emulation_special_values));
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_set_mantissa_control(cublasHandle_t handle, cudaEmulationMantissaControl control) {
  return keep(&slot_of(handle)->mantissa_control, control);
}

cublasStatus_t sx_get_mantissa_control(cublasHandle_t handle, cudaEmulationMantissaControl* control) {
  *control = static_cast<cudaEmulationMantissaControl>(kept(&slot_of(handle)->mantissa_control));
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_set_max_mantissa_bits(cublasHandle_t handle, int count) {
  return keep(&slot_of(handle)->max_mantissa_bits, count);
}

cublasStatus_t sx_get_max_mantissa_bits(cublasHandle_t handle, int* count) {
  *count = kept(&slot_of(handle)->max_mantissa_bits);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_set_mantissa_bit_offset(cublasHandle_t handle, int offset) {
  return keep(&slot_of(handle)->mantissa_bit_offset, offset);
}

cublasStatus_t sx_get_mantissa_bit_offset(cublasHandle_t handle, int* offset) {
  *offset = kept(&slot_of(handle)->mantissa_bit_offset);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t sx_set_mantissa_bit_count(cublasHandle_t handle, int* count) {
  return keep(&slot_of(handle)->mantissa_bit_count, count);
}

cublasStatus_t sx_get_mantissa_bit_count(cublasHandle_t handle, int** count) {
  *count = kept(&slot_of(handle)->mantissa_bit_count);
  return CUBLAS_STATUS_SUCCESS;
}
