"""The CUDA runtime's enumerators and errors beside HIP's.

HIP's numbers are mostly CUDA's, but not all (hipErrorInvalidHandle and cudaErrorInvalidResourceHandle are, the peer
attributes are not), so each is translated by name.
"""

from __future__ import annotations

from scale_x.wrappers_gen.rows import EnumMap, StatusMap

ENUMS = (
    EnumMap(
        cuda="cudaMemcpyKind",
        rocm="hipMemcpyKind",
        values={
            "cudaMemcpyHostToHost": "hipMemcpyHostToHost",
            "cudaMemcpyHostToDevice": "hipMemcpyHostToDevice",
            "cudaMemcpyDeviceToHost": "hipMemcpyDeviceToHost",
            "cudaMemcpyDeviceToDevice": "hipMemcpyDeviceToDevice",
            "cudaMemcpyDefault": "hipMemcpyDefault",
        },
    ),
    EnumMap(
        cuda="cudaStreamCaptureMode",
        rocm="hipStreamCaptureMode",
        values={
            "cudaStreamCaptureModeGlobal": "hipStreamCaptureModeGlobal",
            "cudaStreamCaptureModeThreadLocal": "hipStreamCaptureModeThreadLocal",
            "cudaStreamCaptureModeRelaxed": "hipStreamCaptureModeRelaxed",
        },
    ),
    EnumMap(
        cuda="cudaDeviceP2PAttr",
        rocm="hipDeviceP2PAttr",
        values={
            "cudaDevP2PAttrPerformanceRank": "hipDevP2PAttrPerformanceRank",
            "cudaDevP2PAttrAccessSupported": "hipDevP2PAttrAccessSupported",
            "cudaDevP2PAttrNativeAtomicSupported": "hipDevP2PAttrNativeAtomicSupported",
            "cudaDevP2PAttrCudaArrayAccessSupported": "hipDevP2PAttrHipArrayAccessSupported",
        },
    ),
    EnumMap(
        cuda="cudaMemPoolAttr",
        rocm="hipMemPoolAttr",
        values={
            "cudaMemPoolReuseFollowEventDependencies": "hipMemPoolReuseFollowEventDependencies",
            "cudaMemPoolReuseAllowOpportunistic": "hipMemPoolReuseAllowOpportunistic",
            "cudaMemPoolReuseAllowInternalDependencies": "hipMemPoolReuseAllowInternalDependencies",
            "cudaMemPoolAttrReleaseThreshold": "hipMemPoolAttrReleaseThreshold",
            "cudaMemPoolAttrReservedMemCurrent": "hipMemPoolAttrReservedMemCurrent",
            "cudaMemPoolAttrReservedMemHigh": "hipMemPoolAttrReservedMemHigh",
            "cudaMemPoolAttrUsedMemCurrent": "hipMemPoolAttrUsedMemCurrent",
            "cudaMemPoolAttrUsedMemHigh": "hipMemPoolAttrUsedMemHigh",
        },
    ),
    EnumMap(
        cuda="cudaLimit",
        rocm="hipLimit_t",
        values={
            "cudaLimitStackSize": "hipLimitStackSize",
            "cudaLimitPrintfFifoSize": "hipLimitPrintfFifoSize",
            "cudaLimitMallocHeapSize": "hipLimitMallocHeapSize",
        },
    ),
)

_SAME = """
    InvalidValue ProfilerDisabled ProfilerNotInitialized ProfilerAlreadyStarted ProfilerAlreadyStopped
    InvalidConfiguration InvalidPitchValue InvalidSymbol InvalidDevicePointer InvalidMemcpyDirection InsufficientDriver
    MissingConfiguration PriorLaunchFailure InvalidDeviceFunction NoDevice InvalidDevice MapBufferObjectFailed
    ArrayIsMapped AlreadyMapped AlreadyAcquired NotMapped NotMappedAsArray NotMappedAsPointer UnsupportedLimit
    PeerAccessUnsupported InvalidGraphicsContext InvalidSource FileNotFound SharedObjectSymbolNotFound
    SharedObjectInitFailed OperatingSystem IllegalState NotReady IllegalAddress LaunchOutOfResources
    PeerAccessAlreadyEnabled PeerAccessNotEnabled SetOnActiveProcess Assert HostMemoryAlreadyRegistered
    HostMemoryNotRegistered LaunchFailure CooperativeLaunchTooLarge NotSupported StreamCaptureUnsupported
    StreamCaptureInvalidated StreamCaptureMerge StreamCaptureUnmatched StreamCaptureUnjoined StreamCaptureIsolation
    StreamCaptureImplicit CapturedEvent StreamCaptureWrongThread GraphExecUpdateFailure Unknown
"""

STATUS = StatusMap(
    cuda="cudaError_t",
    rocm="hipError_t",
    prefix="cudaError",
    not_supported="cudaErrorNotSupported",
    default="cudaErrorUnknown",
    values={
        "hipSuccess": "cudaSuccess",
        "hipErrorOutOfMemory": "cudaErrorMemoryAllocation",
        "hipErrorNotInitialized": "cudaErrorInitializationError",
        "hipErrorDeinitialized": "cudaErrorCudartUnloading",
        "hipErrorInvalidImage": "cudaErrorInvalidKernelImage",
        "hipErrorInvalidContext": "cudaErrorDeviceUninitialized",
        "hipErrorUnmapFailed": "cudaErrorUnmapBufferObjectFailed",
        "hipErrorNoBinaryForGpu": "cudaErrorNoKernelImageForDevice",
        "hipErrorECCNotCorrectable": "cudaErrorECCUncorrectable",
        "hipErrorContextAlreadyInUse": "cudaErrorDeviceAlreadyInUse",
        "hipErrorInvalidKernelFile": "cudaErrorInvalidPtx",
        "hipErrorInvalidHandle": "cudaErrorInvalidResourceHandle",
        # AMD's answer to a stream that does not exist (any more)
        "hipErrorContextIsDestroyed": "cudaErrorInvalidResourceHandle",
        "hipErrorNotFound": "cudaErrorSymbolNotFound",
        "hipErrorLaunchTimeOut": "cudaErrorLaunchTimeout",
        "hipErrorRuntimeMemory": "cudaErrorMemoryAllocation",
        **{f"hipError{name}": f"cudaError{name}" for name in _SAME.split()},
    },
)
