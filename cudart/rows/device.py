"""Devices, versions, errors of the CUDA runtime."""

from __future__ import annotations

from scale_x.wrappers_gen.rows import DIRECT, HEADER, NATIVE, Path, Provider, Row

TITLE = "Devices, versions, errors, peers"


ROWS = (
    Row(
        symbols="cuda{T}",
        T=(
            "GetDeviceCount", "GetDevice", "SetDevice", "GetDeviceFlags", "SetDeviceFlags", "DeviceSynchronize",
            "DeviceGetStreamPriorityRange", "DeviceGetPCIBusId", "DeviceCanAccessPeer", "DeviceEnablePeerAccess",
            "DeviceDisablePeerAccess", "DeviceGetP2PAttribute", "DeviceGetLimit", "DeviceSetLimit",
        ),
        kind=DIRECT,
        steps=(Provider(),),
        paths=(Path(call="hip{T}", evidence=HEADER),),
        source="CUDA Runtime API: Device Management, Peer Device Memory Access",
    ),
    Row(
        symbols="cuda{T}",
        T=("ThreadSynchronize", "ThreadExit", "DeviceReset", "GetDeviceProperties",
           "GetDeviceProperties_v2", "DeviceGetAttribute", "InitDevice", "ChooseDevice",
           "DeviceGetByPCIBusId"),
        kind=NATIVE,
        steps=(Provider(),),
        native="sx_cuda{T}",
        source="CUDA Runtime API: Device Management; cudaDeviceProp has one layout per CUDA major",
    ),
    Row(
        symbols="cuda{T}",
        T=(
            "DriverGetVersion", "RuntimeGetVersion", "GetLastError", "PeekAtLastError", "GetErrorName",
            "GetErrorString", "DeviceGetCacheConfig", "DeviceSetCacheConfig", "DeviceGetSharedMemConfig",
            "DeviceSetSharedMemConfig", "ProfilerStart", "ProfilerStop", "CtxResetPersistingL2Cache", "SetValidDevices",
        ),
        kind=NATIVE,
        native="sx_cuda{T}",
        source="CUDA Runtime API: Version Management, Error Handling, Profiler Control",
    ),
)
