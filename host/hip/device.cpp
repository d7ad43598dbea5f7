// Devices: count, current device, properties, attributes, versions, peers.
#include <stdio.h>

#include "api.h"

namespace sx {
namespace {

// What AMD's runtime reports of each chip (public data sheets; RDNA counts work-group processors).
struct Chip {
  const char* arch;
  const char* gcn_name;
  int major, minor, processors, clock_khz, warp, shared_bytes, l2_bytes, memory_khz, bus_bits, threads_per_processor;
};
constexpr Chip chips[] = {
    {"gfx90a", "gfx90a:sramecc+:xnack-", 9, 0, 110, 1700000, 64, 65536, 8 << 20, 1600000, 4096, 2048},
    {"gfx942", "gfx942:sramecc+:xnack-", 9, 4, 304, 2100000, 64, 65536, 4 << 20, 1300000, 8192, 2048},
    {"gfx950", "gfx950:sramecc+:xnack-", 9, 5, 256, 2400000, 64, 163840, 4 << 20, 2000000, 8192, 2048},
    {"gfx1030", "gfx1030", 10, 3, 40, 2575000, 32, 65536, 4 << 20, 1000000, 256, 2048},
    {"gfx1100", "gfx1100", 11, 0, 48, 2482000, 32, 65536, 6 << 20, 1249000, 384, 2048},
    {"gfx1201", "gfx1201", 12, 0, 32, 2400000, 32, 65536, 8 << 20, 1258000, 256, 2048},
};

const Chip& chip() {
  for (const Chip& c : chips) {
    if (arch_is(c.arch)) return c;
  }
  return chips[1];
}

void fill_limits(hipDeviceProp_tR0600* p, const Chip& c) {
  p->sharedMemPerBlock = static_cast<size_t>(c.shared_bytes);
  p->sharedMemPerMultiprocessor = static_cast<size_t>(c.shared_bytes);
  p->maxSharedMemoryPerMultiProcessor = static_cast<size_t>(c.shared_bytes);
  p->sharedMemPerBlockOptin = static_cast<size_t>(c.shared_bytes);
  p->regsPerBlock = 65536;
  p->regsPerMultiprocessor = 65536;
  p->warpSize = c.warp;
  p->memPitch = 0x7fffffff;
  p->maxThreadsPerBlock = 1024;
  for (int& extent : p->maxThreadsDim) extent = 1024;
  p->maxGridSize[0] = 0x7fffffff;
  p->maxGridSize[1] = p->maxGridSize[2] = 65536;
  p->maxThreadsPerMultiProcessor = c.threads_per_processor;
  p->maxBlocksPerMultiProcessor = c.threads_per_processor / 64;
  p->totalConstMem = 0x7fffffff;
  p->textureAlignment = 256;
  p->texturePitchAlignment = 256;
  p->surfaceAlignment = 256;
}

void fill_abilities(hipDeviceProp_tR0600* p) {
  p->canMapHostMemory = 1;
  p->concurrentKernels = 1;
  p->asyncEngineCount = 1;
  p->unifiedAddressing = 1;
  p->managedMemory = 1;
  p->concurrentManagedAccess = 1;
  p->directManagedMemAccessFromHost = 1;
  p->streamPrioritiesSupported = 1;
  p->cooperativeLaunch = 1;
  p->hostRegisterSupported = 1;
  p->memoryPoolsSupported = 1;
  p->canUseHostPointerForRegisteredMem = 1;
  p->isLargeBar = 1;
}

void fill(hipDeviceProp_tR0600* p, int device) {
  const Chip& c = chip();
  memset(p, 0, sizeof *p);
  snprintf(p->name, sizeof p->name, "scale-x host engine (%s)", c.arch);
  snprintf(p->gcnArchName, sizeof p->gcnArchName, "%s", c.gcn_name);
  snprintf(p->uuid.bytes, sizeof p->uuid.bytes, "scale-x-host-%02d", device);
  p->totalGlobalMem = device_total();
  p->major = c.major;
  p->minor = c.minor;
  p->multiProcessorCount = c.processors;
  p->clockRate = c.clock_khz;
  p->clockInstructionRate = 100000;
  p->memoryClockRate = c.memory_khz;
  p->memoryBusWidth = c.bus_bits;
  p->l2CacheSize = c.l2_bytes;
  p->pciBusID = device + 1;
  fill_limits(p, c);
  fill_abilities(p);
}

int megabytes_to_int(size_t bytes) { return bytes > 0x7fffffff ? 0x7fffffff : static_cast<int>(bytes); }

// Attributes that are a member of the properties. False: not one of them.
bool from_properties(const hipDeviceProp_tR0600& p, hipDeviceAttribute_t which, int* out) {
  switch (which) {
#define SX_ATTRIBUTE(name, value) \
  case hipDeviceAttribute##name:  \
    *out = value;                 \
    return true
    SX_ATTRIBUTE(EccEnabled, p.ECCEnabled);
    SX_ATTRIBUTE(AsyncEngineCount, p.asyncEngineCount);
    SX_ATTRIBUTE(CanMapHostMemory, p.canMapHostMemory);
    SX_ATTRIBUTE(CanUseHostPointerForRegisteredMem, p.canUseHostPointerForRegisteredMem);
    SX_ATTRIBUTE(ClockRate, p.clockRate);
    SX_ATTRIBUTE(ComputeMode, p.computeMode);
    SX_ATTRIBUTE(ConcurrentKernels, p.concurrentKernels);
    SX_ATTRIBUTE(ConcurrentManagedAccess, p.concurrentManagedAccess);
    SX_ATTRIBUTE(CooperativeLaunch, p.cooperativeLaunch);
    SX_ATTRIBUTE(DirectManagedMemAccessFromHost, p.directManagedMemAccessFromHost);
    SX_ATTRIBUTE(Integrated, p.integrated);
    SX_ATTRIBUTE(L2CacheSize, p.l2CacheSize);
    SX_ATTRIBUTE(ComputeCapabilityMajor, p.major);
    SX_ATTRIBUTE(ComputeCapabilityMinor, p.minor);
    SX_ATTRIBUTE(ManagedMemory, p.managedMemory);
    SX_ATTRIBUTE(MaxBlocksPerMultiProcessor, p.maxBlocksPerMultiProcessor);
    SX_ATTRIBUTE(MaxBlockDimX, p.maxThreadsDim[0]);
    SX_ATTRIBUTE(MaxBlockDimY, p.maxThreadsDim[1]);
    SX_ATTRIBUTE(MaxBlockDimZ, p.maxThreadsDim[2]);
    SX_ATTRIBUTE(MaxGridDimX, p.maxGridSize[0]);
    SX_ATTRIBUTE(MaxGridDimY, p.maxGridSize[1]);
    SX_ATTRIBUTE(MaxGridDimZ, p.maxGridSize[2]);
    SX_ATTRIBUTE(MaxThreadsPerBlock, p.maxThreadsPerBlock);
    SX_ATTRIBUTE(MaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor);
    SX_ATTRIBUTE(MaxPitch, megabytes_to_int(p.memPitch));
    SX_ATTRIBUTE(MemoryBusWidth, p.memoryBusWidth);
    SX_ATTRIBUTE(MemoryClockRate, p.memoryClockRate);
    SX_ATTRIBUTE(MultiprocessorCount, p.multiProcessorCount);
    SX_ATTRIBUTE(PhysicalMultiProcessorCount, p.multiProcessorCount);
    SX_ATTRIBUTE(PciBusId, p.pciBusID);
    SX_ATTRIBUTE(PciDeviceId, p.pciDeviceID);
    SX_ATTRIBUTE(PciDomainID, p.pciDomainID);
    SX_ATTRIBUTE(MaxRegistersPerBlock, p.regsPerBlock);
    SX_ATTRIBUTE(MaxRegistersPerMultiprocessor, p.regsPerMultiprocessor);
    SX_ATTRIBUTE(MaxSharedMemoryPerBlock, megabytes_to_int(p.sharedMemPerBlock));
    SX_ATTRIBUTE(SharedMemPerBlockOptin, megabytes_to_int(p.sharedMemPerBlockOptin));
    SX_ATTRIBUTE(SharedMemPerMultiprocessor, megabytes_to_int(p.sharedMemPerMultiprocessor));
    SX_ATTRIBUTE(MaxSharedMemoryPerMultiprocessor, megabytes_to_int(p.maxSharedMemoryPerMultiProcessor));
    SX_ATTRIBUTE(StreamPrioritiesSupported, p.streamPrioritiesSupported);
    SX_ATTRIBUTE(SurfaceAlignment, megabytes_to_int(p.surfaceAlignment));
    SX_ATTRIBUTE(TextureAlignment, megabytes_to_int(p.textureAlignment));
    SX_ATTRIBUTE(TexturePitchAlignment, megabytes_to_int(p.texturePitchAlignment));
    SX_ATTRIBUTE(TotalConstantMemory, megabytes_to_int(p.totalConstMem));
    SX_ATTRIBUTE(TotalGlobalMem, megabytes_to_int(p.totalGlobalMem));
    SX_ATTRIBUTE(UnifiedAddressing, p.unifiedAddressing);
    SX_ATTRIBUTE(WarpSize, p.warpSize);
    SX_ATTRIBUTE(MemoryPoolsSupported, p.memoryPoolsSupported);
    SX_ATTRIBUTE(HostRegisterSupported, p.hostRegisterSupported);
    SX_ATTRIBUTE(ClockInstructionRate, p.clockInstructionRate);
    SX_ATTRIBUTE(WallClockRate, p.clockInstructionRate);
    SX_ATTRIBUTE(IsLargeBar, p.isLargeBar);
#undef SX_ATTRIBUTE
    default:
      return false;
  }
}

}  // namespace
}  // namespace sx

using sx::device_exists;
using sx::finish;
using sx::settings;

extern "C" {

hipError_t hipInit(unsigned flags) {
  SX_REQUIRE(flags == 0, hipErrorInvalidValue);
  settings();
  return finish(hipSuccess);
}

hipError_t hipGetDeviceCount(int* count) {
  SX_REQUIRE(count != nullptr, hipErrorInvalidValue);
  *count = settings().devices;
  return finish(hipSuccess);
}

hipError_t hipGetDevice(int* device) {
  SX_REQUIRE(device != nullptr, hipErrorInvalidValue);
  *device = sx::thread_state.device;
  return finish(hipSuccess);
}

hipError_t hipSetDevice(int device) {
  SX_REQUIRE(device_exists(device), hipErrorInvalidDevice);
  sx::thread_state.device = device;
  return finish(hipSuccess);
}

hipError_t hipSetDeviceFlags(unsigned flags) {
  SX_REQUIRE((flags & ~0x1fu) == 0, hipErrorInvalidValue);
  return finish(hipSuccess);
}

hipError_t hipGetDeviceFlags(unsigned* flags) {
  SX_REQUIRE(flags != nullptr, hipErrorInvalidValue);
  *flags = hipDeviceScheduleAuto;
  return finish(hipSuccess);
}

hipError_t hipDeviceGet(hipDevice_t* device, int ordinal) {
  SX_REQUIRE(device != nullptr, hipErrorInvalidValue);
  SX_REQUIRE(device_exists(ordinal), hipErrorInvalidDevice);
  *device = ordinal;
  return finish(hipSuccess);
}

hipError_t hipDeviceGetName(char* name, int length, hipDevice_t device) {
  SX_REQUIRE(name != nullptr && length > 0, hipErrorInvalidValue);
  SX_REQUIRE(device_exists(device), hipErrorInvalidDevice);
  hipDeviceProp_tR0600 p;
  sx::fill(&p, device);
  snprintf(name, static_cast<size_t>(length), "%s", p.name);
  return finish(hipSuccess);
}

hipError_t hipDeviceGetUuid(hipUUID* uuid, hipDevice_t device) {
  SX_REQUIRE(uuid != nullptr, hipErrorInvalidValue);
  SX_REQUIRE(device_exists(device), hipErrorInvalidDevice);
  hipDeviceProp_tR0600 p;
  sx::fill(&p, device);
  *uuid = p.uuid;
  return finish(hipSuccess);
}

hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t device) {
  SX_REQUIRE(bytes != nullptr, hipErrorInvalidValue);
  SX_REQUIRE(device_exists(device), hipErrorInvalidDevice);
  *bytes = sx::device_total();
  return finish(hipSuccess);
}

hipError_t hipDeviceComputeCapability(int* major, int* minor, hipDevice_t device) {
  SX_REQUIRE(major != nullptr && minor != nullptr, hipErrorInvalidValue);
  SX_REQUIRE(device_exists(device), hipErrorInvalidDevice);
  *major = sx::chip().major;
  *minor = sx::chip().minor;
  return finish(hipSuccess);
}

hipError_t hipDeviceGetPCIBusId(char* id, int length, int device) {
  SX_REQUIRE(id != nullptr && length > 0, hipErrorInvalidValue);
  SX_REQUIRE(device_exists(device), hipErrorInvalidDevice);
  snprintf(id, static_cast<size_t>(length), "%04x:%02x:%02x.0", 0, device + 1, 0);
  return finish(hipSuccess);
}

hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600* p, int device) {
  SX_REQUIRE(p != nullptr, hipErrorInvalidValue);
  SX_REQUIRE(device_exists(device), hipErrorInvalidDevice);
  sx::fill(p, device);
  return finish(hipSuccess);
}

hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t which, int device) {
  SX_REQUIRE(value != nullptr, hipErrorInvalidValue);
  SX_REQUIRE(device_exists(device), hipErrorInvalidDevice);
  hipDeviceProp_tR0600 p;
  sx::fill(&p, device);
  if (sx::from_properties(p, which, value)) return finish(hipSuccess);
  const int number = static_cast<int>(which);
  const bool known = (number >= 0 && number <= hipDeviceAttributeHostNumaId) ||
                     (number >= hipDeviceAttributeAmdSpecificBegin && number <= hipDeviceAttributePciChipId);
  SX_REQUIRE(known, hipErrorInvalidValue);
  *value = 0;
  return finish(hipSuccess);
}

hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 1;
  if (greatest != nullptr) *greatest = -1;
  return finish(hipSuccess);
}

hipError_t hipDeviceGetLimit(size_t* value, enum hipLimit_t limit) {
  SX_REQUIRE(value != nullptr, hipErrorInvalidValue);
  SX_REQUIRE(limit == hipLimitStackSize || limit == hipLimitPrintfFifoSize || limit == hipLimitMallocHeapSize,
             hipErrorUnsupportedLimit);
  *value = limit == hipLimitStackSize ? 1024 : size_t{4} << 20;
  return finish(hipSuccess);
}

hipError_t hipDeviceSetLimit(enum hipLimit_t limit, size_t) {
  SX_REQUIRE(limit == hipLimitStackSize || limit == hipLimitPrintfFifoSize || limit == hipLimitMallocHeapSize,
             hipErrorUnsupportedLimit);
  return finish(hipSuccess);
}

hipError_t hipDriverGetVersion(int* version) {
  SX_REQUIRE(version != nullptr, hipErrorInvalidValue);
  *version = sx::release() / 100 * 10000000 + sx::release() % 100 * 100000;
  return finish(hipSuccess);
}

hipError_t hipRuntimeGetVersion(int* version) { return hipDriverGetVersion(version); }

// ---- peers: all devices are this machine's memory ----

hipError_t hipDeviceCanAccessPeer(int* can, int device, int peer) {
  SX_REQUIRE(can != nullptr, hipErrorInvalidValue);
  SX_REQUIRE(device_exists(device) && device_exists(peer), hipErrorInvalidDevice);
  *can = device != peer;
  return finish(hipSuccess);
}

hipError_t hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr which, int device, int peer) {
  SX_REQUIRE(value != nullptr, hipErrorInvalidValue);
  SX_REQUIRE(device_exists(device) && device_exists(peer) && device != peer, hipErrorInvalidDevice);
  SX_REQUIRE(static_cast<unsigned>(which) <= hipDevP2PAttrHipArrayAccessSupported, hipErrorInvalidValue);
  *value = which == hipDevP2PAttrAccessSupported || which == hipDevP2PAttrNativeAtomicSupported;
  return finish(hipSuccess);
}

namespace {
uint16_t peers[16];  // bit by device: who may reach whom
}

hipError_t hipDeviceEnablePeerAccess(int peer, unsigned flags) {
  SX_REQUIRE(flags == 0, hipErrorInvalidValue);
  SX_REQUIRE(device_exists(peer) && peer != sx::thread_state.device, hipErrorInvalidDevice);
  const auto bit = static_cast<uint16_t>(1u << peer);
  const uint16_t before = __atomic_fetch_or(&peers[sx::thread_state.device], bit, __ATOMIC_RELAXED);
  return finish((before & bit) != 0 ? hipErrorPeerAccessAlreadyEnabled : hipSuccess);
}

hipError_t hipDeviceDisablePeerAccess(int peer) {
  SX_REQUIRE(device_exists(peer) && peer != sx::thread_state.device, hipErrorInvalidDevice);
  const auto bit = static_cast<uint16_t>(1u << peer);
  const uint16_t before =
      __atomic_fetch_and(&peers[sx::thread_state.device], static_cast<uint16_t>(~bit), __ATOMIC_RELAXED);
  return finish((before & bit) != 0 ? hipSuccess : hipErrorPeerAccessNotEnabled);
}

}  // extern "C"
