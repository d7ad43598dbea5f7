// cusolverMg's handle, grids of devices and matrix descriptors.
#include <algorithm>

#include "mg.h"

using namespace sx_mg;

namespace {

int device_count() {
  int count = 0;
  return sx_rocm->hipGetDeviceCount && sx_rocm->hipGetDeviceCount(&count) == hipSuccess ? count : 0;
}

}  // namespace

cusolverStatus_t sx_cusolverMgCreate(cusolverMgHandle_t* handle) {
  if (handle == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  if (sx_provider_load() != 0) return CUSOLVER_STATUS_NOT_INITIALIZED;
  return sx_sp_make<Context>(handle, KIND_HANDLE);
}

cusolverStatus_t sx_cusolverMgDestroy(cusolverMgHandle_t handle) {
  auto* const context = sx_sp_object<Context>(handle, KIND_HANDLE);
  if (context == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (context->solver) cusolverDnDestroy(context->solver);
  return sx_sp_end<Context>(handle, KIND_HANDLE);
}

cusolverStatus_t sx_cusolverMgDeviceSelect(cusolverMgHandle_t handle, int nbDevices, int deviceId[]) {
  auto* const context = sx_sp_object<Context>(handle, KIND_HANDLE);
  if (context == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (nbDevices <= 0 || deviceId == nullptr || context->solver) return CUSOLVER_STATUS_INVALID_VALUE;
  const int count = device_count();
  if (std::any_of(deviceId, deviceId + nbDevices, [&](int d) { return d < 0 || d >= count; }))
    return CUSOLVER_STATUS_INTERNAL_ERROR;
  return guarded([&] {
    context->devices.assign(deviceId, deviceId + nbDevices);
    const KeepDevice keep;
    if (sx_rocm->hipSetDevice(deviceId[0]) != hipSuccess) return CUSOLVER_STATUS_INTERNAL_ERROR;
    return cusolverDnCreate(&context->solver);
  });
}

cusolverStatus_t sx_cusolverMgCreateDeviceGrid(cudaLibMgGrid_t* grid, int32_t numRowDevices, int32_t numColDevices,
                                               const int32_t deviceId[], cusolverMgGridMapping_t) {
  if (grid == nullptr || numRowDevices != 1 || numColDevices <= 0 || deviceId == nullptr)
    return CUSOLVER_STATUS_INVALID_VALUE;
  return guarded([&] {
    std::vector<int> devices(deviceId, deviceId + numColDevices);
    cudaLibMgGrid_t made = nullptr;
    const cusolverStatus_t status = sx_sp_make<Grid>(&made, KIND_GRID);
    if (status != CUSOLVER_STATUS_SUCCESS) return status;
    sx_sp_object<Grid>(made, KIND_GRID)->devices = std::move(devices);
    *grid = made;
    return status;
  });
}

cusolverStatus_t sx_cusolverMgDestroyGrid(cudaLibMgGrid_t grid) {
  return sx_sp_end<Grid>(grid, KIND_GRID) == CUSOLVER_STATUS_SUCCESS ? CUSOLVER_STATUS_SUCCESS
                                                                     : CUSOLVER_STATUS_INVALID_VALUE;
}

// Rows are not divided: their block is the matrix.
cusolverStatus_t sx_cusolverMgCreateMatrixDesc(cudaLibMgMatrixDesc_t* desc, int64_t numRows, int64_t numCols,
                                               int64_t rowBlockSize, int64_t colBlockSize, cudaDataType dataType,
                                               const cudaLibMgGrid_t grid) {
  const auto* const g = sx_sp_object<Grid>(grid, KIND_GRID);
  if (desc == nullptr || g == nullptr || numRows <= 0 || numCols < 0 || rowBlockSize != numRows || colBlockSize < 0)
    return CUSOLVER_STATUS_INVALID_VALUE;
  return guarded([&] {
    std::vector<int> devices = g->devices;
    cudaLibMgMatrixDesc_t made = nullptr;
    const cusolverStatus_t status = sx_sp_make<Desc>(&made, KIND_DESC);
    if (status != CUSOLVER_STATUS_SUCCESS) return status;
    *sx_sp_object<Desc>(made, KIND_DESC) = {numRows, numCols, colBlockSize, dataType, std::move(devices)};
    *desc = made;
    return status;
  });
}

cusolverStatus_t sx_cusolverMgDestroyMatrixDesc(cudaLibMgMatrixDesc_t desc) {
  return sx_sp_end<Desc>(desc, KIND_DESC) == CUSOLVER_STATUS_SUCCESS ? CUSOLVER_STATUS_SUCCESS
                                                                     : CUSOLVER_STATUS_INVALID_VALUE;
}
