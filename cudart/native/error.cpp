// The last error, and the names and descriptions of errors.
#include "runtime.h"

namespace {

struct Text {
  cudaError_t error;
  const char* name;
  const char* text;
};

constexpr Text texts[] = {
#define SX_ERROR(name, text) \
  { cuda##name, "cuda" #name, text }
    SX_ERROR(Success, "no error"),
    SX_ERROR(ErrorInvalidValue, "invalid argument"),
    SX_ERROR(ErrorMemoryAllocation, "out of memory"),
    SX_ERROR(ErrorInitializationError, "initialization error"),
    SX_ERROR(ErrorCudartUnloading, "driver shutting down"),
    SX_ERROR(ErrorProfilerDisabled, "profiler disabled while using external profiling tool"),
    SX_ERROR(ErrorInvalidConfiguration, "invalid configuration argument"),
    SX_ERROR(ErrorInvalidPitchValue, "invalid pitch argument"),
    SX_ERROR(ErrorInvalidSymbol, "invalid device symbol"),
    SX_ERROR(ErrorInvalidHostPointer, "invalid host pointer"),
    SX_ERROR(ErrorInvalidDevicePointer, "invalid device pointer"),
    SX_ERROR(ErrorInvalidTexture, "invalid texture reference"),
    SX_ERROR(ErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    SX_ERROR(ErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    SX_ERROR(ErrorNotYetImplemented, "feature not yet implemented"),
    SX_ERROR(ErrorStubLibrary, "CUDA driver is a stub library"),
    SX_ERROR(ErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version"),
    SX_ERROR(ErrorDevicesUnavailable, "CUDA-capable device(s) is/are busy or unavailable"),
    SX_ERROR(ErrorMissingConfiguration, "__global__ function call is not configured"),
    SX_ERROR(ErrorInvalidDeviceFunction, "invalid device function"),
    SX_ERROR(ErrorNoDevice, "no CUDA-capable device is detected"),
    SX_ERROR(ErrorInvalidDevice, "invalid device ordinal"),
    SX_ERROR(ErrorStartupFailure, "startup failure in cuda runtime"),
    SX_ERROR(ErrorInvalidKernelImage, "device kernel image is invalid"),
    SX_ERROR(ErrorDeviceUninitialized, "invalid device context"),
    SX_ERROR(ErrorMapBufferObjectFailed, "mapping of buffer object failed"),
    SX_ERROR(ErrorUnmapBufferObjectFailed, "unmapping of buffer object failed"),
    SX_ERROR(ErrorArrayIsMapped, "array is mapped"),
    SX_ERROR(ErrorAlreadyMapped, "resource already mapped"),
    SX_ERROR(ErrorNoKernelImageForDevice, "no kernel image is available for execution on the device"),
    SX_ERROR(ErrorAlreadyAcquired, "resource already acquired"),
    SX_ERROR(ErrorNotMapped, "resource not mapped"),
    SX_ERROR(ErrorNotMappedAsArray, "resource not mapped as array"),
    SX_ERROR(ErrorNotMappedAsPointer, "resource not mapped as pointer"),
    SX_ERROR(ErrorECCUncorrectable, "uncorrectable ECC error encountered"),
    SX_ERROR(ErrorUnsupportedLimit, "limit is not supported on this architecture"),
    SX_ERROR(ErrorDeviceAlreadyInUse, "exclusive-thread device already in use by a different thread"),
    SX_ERROR(ErrorPeerAccessUnsupported, "peer access is not supported between these two devices"),
    SX_ERROR(ErrorInvalidPtx, "a PTX JIT compilation failed"),
    SX_ERROR(ErrorInvalidGraphicsContext, "invalid OpenGL or DirectX context"),
    SX_ERROR(ErrorInvalidSource, "device kernel image is invalid"),
    SX_ERROR(ErrorFileNotFound, "file not found"),
    SX_ERROR(ErrorSharedObjectSymbolNotFound, "shared object symbol not found"),
    SX_ERROR(ErrorSharedObjectInitFailed, "shared object initialization failed"),
    SX_ERROR(ErrorOperatingSystem, "OS call failed or operation not supported on this OS"),
    SX_ERROR(ErrorInvalidResourceHandle, "invalid resource handle"),
    SX_ERROR(ErrorIllegalState, "the operation cannot be performed in the present state"),
    SX_ERROR(ErrorSymbolNotFound, "named symbol not found"),
    SX_ERROR(ErrorNotReady, "device not ready"),
    SX_ERROR(ErrorIllegalAddress, "an illegal memory access was encountered"),
    SX_ERROR(ErrorLaunchOutOfResources, "too many resources requested for launch"),
    SX_ERROR(ErrorLaunchTimeout, "the launch timed out and was terminated"),
    SX_ERROR(ErrorLaunchIncompatibleTexturing, "launch uses incompatible texturing mode"),
    SX_ERROR(ErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    SX_ERROR(ErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    SX_ERROR(ErrorSetOnActiveProcess, "cannot set while device is active in this process"),
    SX_ERROR(ErrorContextIsDestroyed, "context is destroyed"),
    SX_ERROR(ErrorAssert, "device-side assert triggered"),
    SX_ERROR(ErrorTooManyPeers, "peer mapping resources exhausted"),
    SX_ERROR(ErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped"),
    SX_ERROR(ErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region"),
    SX_ERROR(ErrorHardwareStackError, "hardware stack error"),
    SX_ERROR(ErrorIllegalInstruction, "an illegal instruction was encountered"),
    SX_ERROR(ErrorMisalignedAddress, "misaligned address"),
    SX_ERROR(ErrorInvalidAddressSpace, "operation not supported on global/shared address space"),
    SX_ERROR(ErrorInvalidPc, "invalid program counter"),
    SX_ERROR(ErrorLaunchFailure, "unspecified launch failure"),
    SX_ERROR(ErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    SX_ERROR(ErrorNotPermitted, "operation not permitted"),
    SX_ERROR(ErrorNotSupported, "operation not supported"),
    SX_ERROR(ErrorSystemNotReady, "system not yet initialized"),
    SX_ERROR(ErrorSystemDriverMismatch, "system has unsupported display driver / cuda driver combination"),
    SX_ERROR(ErrorCompatNotSupportedOnDevice, "forward compatibility was attempted on non supported HW"),
    SX_ERROR(ErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    SX_ERROR(ErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture"),
    SX_ERROR(ErrorStreamCaptureMerge, "operation would result in a merge of separate capture sequences"),
    SX_ERROR(ErrorStreamCaptureUnmatched, "capture was not ended in the same stream as it began"),
    SX_ERROR(ErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    SX_ERROR(ErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream"),
    SX_ERROR(ErrorStreamCaptureImplicit,
             "operation would make the legacy stream depend on a capturing blocking stream"),
    SX_ERROR(ErrorCapturedEvent, "operation not permitted on an event last recorded in a capturing stream"),
    SX_ERROR(ErrorStreamCaptureWrongThread, "attempt to terminate a thread-local capture sequence from another thread"),
    SX_ERROR(ErrorTimeout, "wait operation timed out"),
    SX_ERROR(ErrorGraphExecUpdateFailure,
             "the graph update was not performed because it included changes which violated constraints specific to "
             "instantiated graph update"),
    SX_ERROR(ErrorExternalDevice, "an async error has occurred in external entity outside of CUDA"),
    SX_ERROR(ErrorInvalidClusterSize, "a kernel launch error has occurred due to cluster misconfiguration"),
    SX_ERROR(ErrorUnknown, "unknown error"),
    SX_ERROR(ErrorApiFailureBase, "api failure base"),
#undef SX_ERROR
};

const Text* find(cudaError_t error) {
  for (const Text& t : texts) {
    if (t.error == error) return &t;
  }
  return nullptr;
}

}  // namespace

const char* sx_cudaGetErrorName(cudaError_t error) {
  const Text* const t = find(error);
  return t != nullptr ? t->name : "unrecognized error code";
}

const char* sx_cudaGetErrorString(cudaError_t error) {
  const Text* const t = find(error);
  return t != nullptr ? t->text : "unrecognized error code";
}

cudaError_t sx_cudaGetLastError() { return static_cast<cudaError_t>(sx_runtime_error_get(true)); }
cudaError_t sx_cudaPeekAtLastError() { return static_cast<cudaError_t>(sx_runtime_error_get(false)); }
