// Devices: properties in the layout of each CUDA major, attributes, reset, versions.
#include <stdlib.h>

#include "runtime.h"

namespace {

// The CUDA 11 and 12 structures are the beginning of HIP's.
constexpr size_t layout_11 = 728, layout_12 = 1032;
static_assert(offsetof(hipDeviceProp_tR0600, clockRate) == 348 &&
                  offsetof(hipDeviceProp_tR0600, surfaceAlignment) == 568 &&
                  offsetof(hipDeviceProp_tR0600, reservedSharedMemPerBlock) == 720 &&
                  offsetof(hipDeviceProp_tR0600, hipReserved) == layout_12,
              "HIP's properties begin as CUDA 12's do");

// What programs that ask for a compute capability are told; AMD's numbers would mean an NVIDIA chip of long ago.
void compute_capability(int* major, int* minor) {
  *major = 9;
  *minor = 0;
  const char* const text = secure_getenv("SCALE_X_COMPUTE_CAPABILITY");
  if (text == nullptr) return;
  char* end = nullptr;
  const long whole = strtol(text, &end, 10);
  if (end == text || whole < 1 || whole > 99 || *end != '.') return;
  const long part = strtol(end + 1, nullptr, 10);
  if (part < 0 || part > 9) return;
  *major = static_cast<int>(whole);
  *minor = static_cast<int>(part);
}

hipError_t properties(hipDeviceProp_tR0600* p, int device) {
  if (sx_rocm->hipGetDevicePropertiesR0600 == nullptr) return hipErrorNotSupported;
  const hipError_t error = sx_rocm->hipGetDevicePropertiesR0600(p, device);
  if (error == hipSuccess) compute_capability(&p->major, &p->minor);
  return error;
}

template <class To, class From>
void assign(To& to, const From& from) {
  static_assert(sizeof(To) == sizeof(From), "the member has one size");
  memcpy(&to, &from, sizeof to);
}

void fill_newest(cudaDeviceProp* to, const hipDeviceProp_tR0600& p) {
  memset(to, 0, sizeof *to);
  static_assert(sizeof *to == 1008, "CUDA 13's structure");
// clang-format off
#define SX_MEMBERS(X)                                                                                                  \
  X(name)                                                                                                              \
  X(uuid)                                                                                                              \
  X(luid) X(luidDeviceNodeMask) X(totalGlobalMem) X(sharedMemPerBlock) X(regsPerBlock) X(warpSize) X(memPitch)         \
      X(maxThreadsPerBlock) X(maxThreadsDim) X(maxGridSize) X(totalConstMem) X(major) X(minor) X(textureAlignment)     \
          X(texturePitchAlignment) X(multiProcessorCount) X(integrated) X(canMapHostMemory) X(maxTexture1D) X(         \
              maxTexture1DMipmap) X(maxTexture2D) X(maxTexture2DMipmap) X(maxTexture2DLinear) X(maxTexture2DGather)    \
              X(maxTexture3D) X(maxTexture3DAlt) X(maxTextureCubemap) X(maxTexture1DLayered) X(maxTexture2DLayered)    \
                  X(maxTextureCubemapLayered) X(maxSurface1D) X(maxSurface2D) X(maxSurface3D) X(maxSurface1DLayered)   \
                      X(maxSurface2DLayered) X(maxSurfaceCubemap) X(maxSurfaceCubemapLayered) X(surfaceAlignment) X(   \
                          concurrentKernels) X(ECCEnabled) X(pciBusID) X(pciDeviceID) X(pciDomainID) X(tccDriver)      \
                          X(asyncEngineCount) X(unifiedAddressing) X(memoryBusWidth) X(l2CacheSize) X(                 \
                              persistingL2CacheMaxSize) X(maxThreadsPerMultiProcessor) X(streamPrioritiesSupported)    \
                              X(globalL1CacheSupported) X(localL1CacheSupported) X(sharedMemPerMultiprocessor)         \
                                  X(regsPerMultiprocessor) X(managedMemory) X(isMultiGpuBoard) X(multiGpuBoardGroupID) \
                                      X(hostNativeAtomicSupported) X(pageableMemoryAccess) X(concurrentManagedAccess)  \
                                          X(computePreemptionSupported) X(canUseHostPointerForRegisteredMem)           \
                                              X(cooperativeLaunch) X(sharedMemPerBlockOptin)                           \
                                                  X(pageableMemoryAccessUsesHostPageTables)                            \
                                                      X(directManagedMemAccessFromHost) X(maxBlocksPerMultiProcessor)  \
                                                          X(accessPolicyMaxWindowSize) X(reservedSharedMemPerBlock) X( \
                                                              hostRegisterSupported) X(hostRegisterReadOnlySupported)  \
                                                              X(timelineSemaphoreInteropSupported)                     \
                                                                  X(memoryPoolsSupported) X(gpuDirectRDMASupported)    \
                                                                      X(gpuDirectRDMAFlushWritesOptions)               \
                                                                          X(gpuDirectRDMAWritesOrdering)               \
                                                                              X(memoryPoolSupportedHandleTypes)        \
                                                                                  X(ipcEventSupported)                 \
                                                                                      X(clusterLaunch)                 \
                                                                                          X(unifiedFunctionPointers)
// clang-format on
#define SX_MEMBER(member) assign(to->member, p.member);
  SX_MEMBERS(SX_MEMBER)
#undef SX_MEMBER
#undef SX_MEMBERS
}

struct Attribute {
  cudaDeviceAttr cuda;
  hipDeviceAttribute_t hip;
};
constexpr Attribute attributes[] = {
#define SX_BOTH(name) \
  { cudaDevAttr##name, hipDeviceAttribute##name }
    SX_BOTH(MaxThreadsPerBlock),
    SX_BOTH(MaxBlockDimX),
    SX_BOTH(MaxBlockDimY),
    SX_BOTH(MaxBlockDimZ),
    SX_BOTH(MaxGridDimX),
    SX_BOTH(MaxGridDimY),
    SX_BOTH(MaxGridDimZ),
    SX_BOTH(MaxSharedMemoryPerBlock),
    SX_BOTH(TotalConstantMemory),
    SX_BOTH(WarpSize),
    SX_BOTH(MaxPitch),
    SX_BOTH(MaxRegistersPerBlock),
    SX_BOTH(ClockRate),
    SX_BOTH(TextureAlignment),
    SX_BOTH(KernelExecTimeout),
    SX_BOTH(Integrated),
    SX_BOTH(CanMapHostMemory),
    SX_BOTH(ComputeMode),
    SX_BOTH(SurfaceAlignment),
    SX_BOTH(ConcurrentKernels),
    SX_BOTH(EccEnabled),
    SX_BOTH(PciBusId),
    SX_BOTH(PciDeviceId),
    SX_BOTH(PciDomainId),
    SX_BOTH(TccDriver),
    SX_BOTH(MemoryClockRate),
    SX_BOTH(L2CacheSize),
    SX_BOTH(MaxThreadsPerMultiProcessor),
    SX_BOTH(AsyncEngineCount),
    SX_BOTH(UnifiedAddressing),
    SX_BOTH(TexturePitchAlignment),
    SX_BOTH(StreamPrioritiesSupported),
    SX_BOTH(GlobalL1CacheSupported),
    SX_BOTH(LocalL1CacheSupported),
    SX_BOTH(MaxRegistersPerMultiprocessor),
    SX_BOTH(ManagedMemory),
    SX_BOTH(IsMultiGpuBoard),
    SX_BOTH(MultiGpuBoardGroupID),
    SX_BOTH(HostNativeAtomicSupported),
    SX_BOTH(SingleToDoublePrecisionPerfRatio),
    SX_BOTH(PageableMemoryAccess),
    SX_BOTH(ConcurrentManagedAccess),
    SX_BOTH(ComputePreemptionSupported),
    SX_BOTH(CanUseHostPointerForRegisteredMem),
    SX_BOTH(CooperativeLaunch),
    SX_BOTH(HostRegisterSupported),
    SX_BOTH(PageableMemoryAccessUsesHostPageTables),
    SX_BOTH(DirectManagedMemAccessFromHost),
    SX_BOTH(MemoryPoolsSupported),
    SX_BOTH(HostNumaId),
    SX_BOTH(MemoryPoolSupportedHandleTypes),
#undef SX_BOTH
    {cudaDevAttrMultiProcessorCount, hipDeviceAttributeMultiprocessorCount},
    {cudaDevAttrGlobalMemoryBusWidth, hipDeviceAttributeMemoryBusWidth},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, hipDeviceAttributeSharedMemPerMultiprocessor},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, hipDeviceAttributeSharedMemPerBlockOptin},
    {cudaDevAttrMaxBlocksPerMultiprocessor, hipDeviceAttributeMaxBlocksPerMultiProcessor},
    {cudaDevAttrReservedSharedMemoryPerBlock, hipDeviceAttributeReservedSharedMemPerBlock},
    {cudaDevAttrMaxPersistingL2CacheSize, hipDeviceAttributePersistingL2CacheMaxSize},
    {cudaDevAttrGpuOverlap, hipDeviceAttributeDeviceOverlap},
};

cudaError_t reset() {
  int device = 0;
  if (sx_rocm->hipGetDevice != nullptr && sx_rocm->hipGetDevice(&device) == hipSuccess) sx_device_reset(device);
  return SX_HIP(hipDeviceReset);
}

}  // namespace

cudaError_t sx_cudaGetDeviceProperties(struct cudaDeviceProp* prop, int device) {
  if (prop == nullptr) return sx_error(cudaErrorInvalidValue);
  hipDeviceProp_tR0600 p;
  if (const hipError_t error = properties(&p, device)) return sx_answer(error);
  if (sx_abi.cuda_major >= 13) {
    fill_newest(prop, p);
  } else {
    memcpy(static_cast<void*>(prop), &p, layout_11);  // this name kept CUDA 11's layout in CUDA 12
  }
  return cudaSuccess;
}

cudaError_t sx_cudaGetDeviceProperties_v2(struct cudaDeviceProp* prop, int device) {
  if (prop == nullptr) return sx_error(cudaErrorInvalidValue);
  hipDeviceProp_tR0600 p;
  if (const hipError_t error = properties(&p, device)) return sx_answer(error);
  if (sx_abi.cuda_major >= 13) {
    fill_newest(prop, p);
  } else {
    memcpy(static_cast<void*>(prop), &p, layout_12);
  }
  return cudaSuccess;
}

cudaError_t sx_cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr attr, int device) {
  if (value == nullptr) return sx_error(cudaErrorInvalidValue);
  int devices = 0;
  if (sx_rocm->hipGetDeviceCount == nullptr || sx_rocm->hipGetDeviceCount(&devices) != hipSuccess || device < 0 ||
      device >= devices) {
    return sx_error(cudaErrorInvalidDevice);
  }
  int major, minor;
  compute_capability(&major, &minor);
  if (attr == cudaDevAttrComputeCapabilityMajor || attr == cudaDevAttrComputeCapabilityMinor) {
    *value = attr == cudaDevAttrComputeCapabilityMajor ? major : minor;
    return cudaSuccess;
  }
  for (const Attribute& a : attributes) {
    if (a.cuda == attr) return SX_HIP(hipDeviceGetAttribute, value, a.hip, device);
  }
  if (attr < cudaDevAttrMaxThreadsPerBlock || attr >= cudaDevAttrMax) return sx_error(cudaErrorInvalidValue);
  *value = 0;
  return cudaSuccess;
}

cudaError_t sx_cudaChooseDevice(int* device, const struct cudaDeviceProp* prop) {
  if (device == nullptr || prop == nullptr) return sx_error(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

cudaError_t sx_cudaDeviceGetByPCIBusId(int* device, const char* id) {
  if (device == nullptr || id == nullptr) return sx_error(cudaErrorInvalidValue);
  int devices = 0;
  if (sx_rocm->hipGetDeviceCount == nullptr || sx_rocm->hipGetDeviceCount(&devices) != hipSuccess) devices = 0;
  for (int i = 0; i < devices && sx_rocm->hipDeviceGetPCIBusId != nullptr; ++i) {
    char own[32];
    if (sx_rocm->hipDeviceGetPCIBusId(own, sizeof own, i) == hipSuccess && strcasecmp(own, id) == 0) {
      *device = i;
      return cudaSuccess;
    }
  }
  return sx_error(cudaErrorInvalidDevice);
}

cudaError_t sx_cudaInitDevice(int device, unsigned int, unsigned int) {
  int devices = 0;
  if (sx_rocm->hipGetDeviceCount != nullptr) sx_rocm->hipGetDeviceCount(&devices);
  return device >= 0 && device < devices ? cudaSuccess : sx_error(cudaErrorInvalidDevice);
}

cudaError_t sx_cudaDeviceReset() { return reset(); }
cudaError_t sx_cudaThreadExit() { return reset(); }
cudaError_t sx_cudaThreadSynchronize() { return SX_HIP(hipDeviceSynchronize); }

cudaError_t sx_cudaSetValidDevices(int* devices, int count) {
  return devices == nullptr && count != 0 ? sx_error(cudaErrorInvalidValue) : cudaSuccess;
}

// ---- versions: of CUDA, which programs compare with the CUDA they were built for ----

cudaError_t sx_cudaRuntimeGetVersion(int* version) {
  if (version == nullptr) return sx_error(cudaErrorInvalidValue);
  *version = sx_abi.library_version;
  return cudaSuccess;
}

cudaError_t sx_cudaDriverGetVersion(int* version) { return sx_cudaRuntimeGetVersion(version); }

// ---- settings without a counterpart: accepted, read back as the default ----

cudaError_t sx_cudaDeviceGetCacheConfig(enum cudaFuncCache* config) {
  if (config == nullptr) return sx_error(cudaErrorInvalidValue);
  *config = cudaFuncCachePreferNone;
  return cudaSuccess;
}
cudaError_t sx_cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
  return static_cast<unsigned>(config) <= cudaFuncCachePreferEqual ? cudaSuccess : sx_error(cudaErrorInvalidValue);
}
cudaError_t sx_cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig* config) {
  if (config == nullptr) return sx_error(cudaErrorInvalidValue);
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}
cudaError_t sx_cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
  const bool known = static_cast<unsigned>(config) <= cudaSharedMemBankSizeEightByte;
  return known ? cudaSuccess : sx_error(cudaErrorInvalidValue);
}
cudaError_t sx_cudaProfilerStart() { return cudaSuccess; }
cudaError_t sx_cudaProfilerStop() { return cudaSuccess; }
cudaError_t sx_cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
