// The last error and the names of errors.
#include "api.h"

namespace {

struct Text {
  hipError_t error;
  const char* name;
  const char* text;
};

constexpr Text texts[] = {
#define SX_ERROR(name, text) \
  { name, #name, text }
    SX_ERROR(hipSuccess, "no error"),
    SX_ERROR(hipErrorInvalidValue, "invalid argument"),
    SX_ERROR(hipErrorOutOfMemory, "out of memory"),
    SX_ERROR(hipErrorNotInitialized, "initialization error"),
    SX_ERROR(hipErrorDeinitialized, "driver shutting down"),
    SX_ERROR(hipErrorInvalidConfiguration, "invalid configuration argument"),
    SX_ERROR(hipErrorInvalidPitchValue, "invalid pitch argument"),
    SX_ERROR(hipErrorInvalidSymbol, "invalid device symbol"),
    SX_ERROR(hipErrorInvalidDevicePointer, "invalid device pointer"),
    SX_ERROR(hipErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    SX_ERROR(hipErrorInsufficientDriver, "driver version is insufficient for runtime version"),
    SX_ERROR(hipErrorInvalidDeviceFunction, "invalid device function"),
    SX_ERROR(hipErrorNoDevice, "no ROCm-capable device is detected"),
    SX_ERROR(hipErrorInvalidDevice, "invalid device ordinal"),
    SX_ERROR(hipErrorInvalidImage, "device kernel image is invalid"),
    SX_ERROR(hipErrorInvalidContext, "invalid device context"),
    SX_ERROR(hipErrorNoBinaryForGpu, "no kernel image is available for execution on the device"),
    SX_ERROR(hipErrorUnsupportedLimit, "limit is not supported on this architecture"),
    SX_ERROR(hipErrorFileNotFound, "file not found"),
    SX_ERROR(hipErrorInvalidHandle, "invalid resource handle"),
    SX_ERROR(hipErrorIllegalState, "the operation cannot be performed in the present state"),
    SX_ERROR(hipErrorNotFound, "named symbol not found"),
    SX_ERROR(hipErrorNotReady, "device not ready"),
    SX_ERROR(hipErrorIllegalAddress, "an illegal memory access was encountered"),
    SX_ERROR(hipErrorLaunchOutOfResources, "too many resources requested for launch"),
    SX_ERROR(hipErrorLaunchTimeOut, "the launch timed out and was terminated"),
    SX_ERROR(hipErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    SX_ERROR(hipErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    SX_ERROR(hipErrorContextIsDestroyed, "context is destroyed"),
    SX_ERROR(hipErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped"),
    SX_ERROR(hipErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region"),
    SX_ERROR(hipErrorLaunchFailure, "unspecified launch failure"),
    SX_ERROR(hipErrorNotSupported, "operation not supported"),
    SX_ERROR(hipErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    SX_ERROR(hipErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture"),
    SX_ERROR(hipErrorStreamCaptureMerge, "operation would result in a merge of separate capture sequences"),
    SX_ERROR(hipErrorStreamCaptureUnmatched, "capture was not ended in the same stream as it began"),
    SX_ERROR(hipErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    SX_ERROR(hipErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream"),
    SX_ERROR(hipErrorStreamCaptureImplicit,
             "operation would make the legacy stream depend on a capturing blocking stream"),
    SX_ERROR(hipErrorCapturedEvent, "operation not permitted on an event last recorded in a capturing stream"),
    SX_ERROR(hipErrorStreamCaptureWrongThread,
             "attempt to terminate a thread-local capture sequence from another thread"),
    SX_ERROR(hipErrorGraphExecUpdateFailure,
             "the graph update was not performed because it included changes which violated constraints specific to "
             "instantiated graph update"),
    SX_ERROR(hipErrorProfilerDisabled, "profiler disabled while using external profiling tool"),
    SX_ERROR(hipErrorProfilerNotInitialized, "profiler is not initialized"),
    SX_ERROR(hipErrorProfilerAlreadyStarted, "profiler already started"),
    SX_ERROR(hipErrorProfilerAlreadyStopped, "profiler already stopped"),
    SX_ERROR(hipErrorMissingConfiguration, "__global__ function call is not configured"),
    SX_ERROR(hipErrorPriorLaunchFailure, "unspecified launch failure in prior launch"),
    SX_ERROR(hipErrorContextAlreadyCurrent, "context is already current context"),
    SX_ERROR(hipErrorMapFailed, "mapping of buffer object failed"),
    SX_ERROR(hipErrorUnmapFailed, "unmapping of buffer object failed"),
    SX_ERROR(hipErrorArrayIsMapped, "array is mapped"),
    SX_ERROR(hipErrorAlreadyMapped, "resource already mapped"),
    SX_ERROR(hipErrorAlreadyAcquired, "resource already acquired"),
    SX_ERROR(hipErrorNotMapped, "resource not mapped"),
    SX_ERROR(hipErrorNotMappedAsArray, "resource not mapped as array"),
    SX_ERROR(hipErrorNotMappedAsPointer, "resource not mapped as pointer"),
    SX_ERROR(hipErrorECCNotCorrectable, "uncorrectable ECC error encountered"),
    SX_ERROR(hipErrorContextAlreadyInUse, "exclusive-thread device already in use by a different thread"),
    SX_ERROR(hipErrorPeerAccessUnsupported, "peer access is not supported between these two devices"),
    SX_ERROR(hipErrorInvalidKernelFile, "invalid kernel file"),
    SX_ERROR(hipErrorInvalidGraphicsContext, "invalid OpenGL or DirectX context"),
    SX_ERROR(hipErrorInvalidSource, "device kernel image is invalid"),
    SX_ERROR(hipErrorSharedObjectSymbolNotFound, "shared object symbol not found"),
    SX_ERROR(hipErrorSharedObjectInitFailed, "shared object initialization failed"),
    SX_ERROR(hipErrorOperatingSystem, "OS call failed or operation not supported on this OS"),
    SX_ERROR(hipErrorSetOnActiveProcess, "cannot set while device is active in this process"),
    SX_ERROR(hipErrorAssert, "device-side assert triggered"),
    SX_ERROR(hipErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    SX_ERROR(hipErrorInvalidChannelDescriptor, "invalid resource description of texture passed to the api"),
    SX_ERROR(hipErrorInvalidTexture, "invalid texture object passed to the api"),
    SX_ERROR(hipErrorRuntimeMemory, "runtime memory call returned error"),
    SX_ERROR(hipErrorRuntimeOther, "runtime call other than memory returned error"),
    SX_ERROR(hipErrorUnknown, "unknown error"),
#undef SX_ERROR
};

const Text* find(hipError_t error) {
  for (const Text& t : texts) {
    if (t.error == error) return &t;
  }
  return nullptr;
}

}  // namespace

extern "C" {

hipError_t hipGetLastError(void) {
  const hipError_t error = sx::thread_state.last_error;
  sx::thread_state.last_error = hipSuccess;
  return error;
}

hipError_t hipExtGetLastError(void) { return hipGetLastError(); }
hipError_t hipPeekAtLastError(void) { return sx::thread_state.last_error; }

const char* hipGetErrorName(hipError_t error) {
  const Text* const t = find(error);
  return t != nullptr ? t->name : "hipErrorUnknown";
}

const char* hipGetErrorString(hipError_t error) {
  const Text* const t = find(error);
  return t != nullptr ? t->text : "unknown error";
}

hipError_t hipDrvGetErrorName(hipError_t error, const char** name) {
  SX_REQUIRE(name != nullptr && find(error) != nullptr, hipErrorInvalidValue);
  *name = find(error)->name;
  return hipSuccess;
}

hipError_t hipDrvGetErrorString(hipError_t error, const char** text) {
  SX_REQUIRE(text != nullptr && find(error) != nullptr, hipErrorInvalidValue);
  *text = find(error)->text;
  return hipSuccess;
}

}  // extern "C"
