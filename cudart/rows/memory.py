"""Memory of the CUDA runtime: allocation, copies, fills, host memory."""

from __future__ import annotations

from scale_x.wrappers_gen.rows import ADAPTED, DIRECT, HEADER, NATIVE, Path, Provider, Row

TITLE = "Memory: allocation, copies, fills, page-locked host memory"


ROWS = (
    Row(
        symbols="cuda{T}",
        T=(
            "Malloc", "MallocManaged", "MallocPitch", "Malloc3D", "Free", "MallocAsync", "FreeAsync", "MemGetInfo",
            "Memcpy", "MemcpyAsync", "Memcpy2D", "Memcpy2DAsync", "Memcpy3D", "Memcpy3DAsync",
            "MallocFromPoolAsync", "DeviceGetDefaultMemPool", "DeviceGetMemPool", "DeviceSetMemPool", "MemPoolCreate",
            "MemPoolDestroy", "MemPoolTrimTo", "MemPoolGetAttribute", "MemPoolSetAttribute", "MemcpyPeer",
            "MemcpyPeerAsync", "Memset", "MemsetAsync", "Memset2D", "Memset2DAsync", "Memset3D",
            "Memset3DAsync", "HostRegister", "HostUnregister", "HostGetDevicePointer", "HostGetFlags",
        ),
        kind=DIRECT,
        steps=(Provider(),),
        paths=(Path(call="hip{T}", evidence=HEADER),),
        source="CUDA Runtime API: Memory Management",
    ),
    Row(
        symbols="cuda{T}_ptsz",
        T=("MemcpyAsync", "Memcpy2DAsync", "Memcpy3DAsync", "MemsetAsync", "Memset2DAsync", "Memset3DAsync"),
        kind=DIRECT,
        steps=(Provider(),),
        paths=(Path(call="hip{T}_spt", evidence=HEADER),),
        source="CUDA Runtime API: stream synchronisation behaviour, per-thread default stream",
    ),
    Row(
        symbols="cuda{T}_ptds",
        T=("Memcpy", "Memcpy2D", "Memcpy3D", "Memset", "Memset2D", "Memset3D"),
        kind=DIRECT,
        steps=(Provider(),),
        paths=(Path(call="hip{T}_spt", evidence=HEADER),),
        source="CUDA Runtime API: stream synchronisation behaviour, per-thread default stream",
    ),
    Row(
        symbols="cudaMallocHost",
        kind=ADAPTED,
        steps=(Provider(),),
        paths=(Path(call="hipHostMalloc", args={"flags": "0"}, evidence=HEADER),),
        source="CUDA Runtime API: cudaMallocHost",
    ),
    Row(
        symbols="cudaHostAlloc",
        kind=ADAPTED,
        steps=(Provider(),),
        paths=(Path(call="hipHostMalloc", args={"ptr": "pHost"}, evidence=HEADER),),
        source="CUDA Runtime API: cudaHostAlloc; the flags have the same bits in HIP",
    ),
    Row(
        symbols="cudaFreeHost",
        kind=ADAPTED,
        steps=(Provider(),),
        paths=(Path(call="hipHostFree", evidence=HEADER),),
        source="CUDA Runtime API: cudaFreeHost",
    ),
    Row(
        symbols="cuda{T}",
        T=(
            "PointerGetAttributes", "MemPrefetchAsync", "MemPrefetchAsync_ptsz", "MemAdvise", "MallocAsync_ptsz",
            "FreeAsync_ptsz",
        ),
        kind=NATIVE,
        steps=(Provider(),),
        native="sx_cuda{T}",
        source="CUDA Runtime API: Unified Addressing; the structure grew in CUDA 13",
    ),
)
