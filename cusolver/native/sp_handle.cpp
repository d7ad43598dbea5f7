// cusolverSp's handle, and what a matrix descriptor says.
#include "sparse.h"

namespace {

// The program's cuSPARSE, whoever made it: descriptors come from there.
void* cusparse(const char* name) {
  if (void* f = dlsym(RTLD_DEFAULT, name)) return f;
  for (const char* soname : {"libcusparse.so.12", "libcusparse.so.13", "libcusparse.so.11"}) {
    if (void* library = dlopen(soname, RTLD_LAZY | RTLD_NOLOAD)) {
      void* f = dlsym(library, name);
      dlclose(library);
      if (f) return f;
    }
  }
  return nullptr;
}

}  // namespace

// Without a cuSPARSE in the process the descriptor is what its documentation shows: four enumerators in the order
// MatrixType, FillMode, DiagType, IndexBase (AMD's descriptors begin alike).
bool sx_sp_describe(cusparseMatDescr_t descr, int* type, int* base) {
  if (descr == nullptr || reinterpret_cast<uintptr_t>(descr) % alignof(int) != 0) return false;
  using Get = int (*)(cusparseMatDescr_t);
  const auto get_type = reinterpret_cast<Get>(cusparse("cusparseGetMatType"));
  const auto get_base = reinterpret_cast<Get>(cusparse("cusparseGetMatIndexBase"));
  int fields[4];
  memcpy(fields, descr, sizeof fields);
  *type = get_type && get_base ? get_type(descr) : fields[0];
  *base = get_type && get_base ? get_base(descr) : fields[3];
  return *type >= 0 && *type <= 3 && (*base == 0 || *base == 1);
}

cusolverStatus_t sx_cusolverSpCreate(cusolverSpHandle_t* handle) {
  if (handle == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  if (sx_provider_load() != 0) return CUSOLVER_STATUS_NOT_INITIALIZED;
  auto* slot = static_cast<sx_blas_slot*>(sx_slot_new(SX_KIND_SP));
  if (slot == nullptr) return CUSOLVER_STATUS_ALLOC_FAILED;
  if (sx_rocm->hipGetDevice && sx_rocm->hipGetDevice(&slot->device) != hipSuccess) slot->device = 0;
  *handle = reinterpret_cast<cusolverSpHandle_t>(slot);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t sx_cusolverSpDestroy(cusolverSpHandle_t handle) {
  sx_blas_slot* slot = sx_slot_of(handle, SX_KIND_SP);
  if (slot == nullptr || !sx_slot_retire(slot, SX_KIND_SP)) return CUSOLVER_STATUS_NOT_INITIALIZED;
  sx_slot_free(slot);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t sx_cusolverSpSetStream(cusolverSpHandle_t handle, cudaStream_t stream) {
  sx_blas_slot* slot = sx_slot_of(handle, SX_KIND_SP);
  if (slot == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  __atomic_store_n(&slot->cuda_stream, static_cast<void*>(stream), __ATOMIC_RELAXED);
  __atomic_store_n(&slot->stream, sx_to_hip_stream(stream), __ATOMIC_RELAXED);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t sx_cusolverSpGetStream(cusolverSpHandle_t handle, cudaStream_t* stream) {
  sx_blas_slot* slot = sx_slot_of(handle, SX_KIND_SP);
  if (slot == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (stream == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  *stream = static_cast<cudaStream_t>(__atomic_load_n(&slot->cuda_stream, __ATOMIC_RELAXED));
  return CUSOLVER_STATUS_SUCCESS;
}
