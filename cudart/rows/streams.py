"""Streams, events, capture and graphs of the CUDA runtime."""

from __future__ import annotations

from scale_x.wrappers_gen.rows import ADAPTED, DIRECT, HEADER, NATIVE, Path, Provider, Row

TITLE = "Streams, events, host functions, capture, graphs"


ROWS = (
    Row(
        symbols="cuda{T}",
        T=(
            "StreamCreate", "StreamCreateWithFlags", "StreamCreateWithPriority", "StreamGetFlags", "StreamGetPriority",
            "StreamQuery", "StreamSynchronize", "StreamWaitEvent", "StreamAddCallback", "LaunchHostFunc",
            "EventCreate", "EventCreateWithFlags", "EventDestroy", "EventQuery", "EventRecord",
            "EventSynchronize", "EventElapsedTime", "StreamBeginCapture", "StreamEndCapture", "StreamIsCapturing",
            "GraphCreate", "GraphDestroy", "GraphGetNodes", "GraphNodeGetType", "GraphAddEmptyNode", "GraphAddHostNode",
            "GraphAddMemcpyNode1D", "GraphAddChildGraphNode", "GraphGetRootNodes", "GraphClone",
            "GraphInstantiateWithFlags", "GraphExecDestroy", "GraphLaunch", "GraphUpload", "StreamGetDevice",
        ),
        kind=DIRECT,
        steps=(Provider(),),
        paths=(Path(call="hip{T}", evidence=HEADER),),
        source="CUDA Runtime API: Stream Management, Event Management, Graph Management",
    ),
    Row(
        symbols="cudaEventRecordWithFlags",
        kind=ADAPTED,
        steps=(Provider(),),
        paths=(
            Path(call="hipEventRecordWithFlags", since="6.4", evidence=HEADER),
            Path(call="hipEventRecord", when="flags == 0", evidence=HEADER),
        ),
        source="CUDA Runtime API: cudaEventRecordWithFlags",
    ),
    Row(
        symbols="cuda{T}_ptsz",
        T=(
            "StreamGetFlags", "StreamGetPriority", "StreamQuery", "StreamSynchronize", "StreamWaitEvent",
            "StreamAddCallback", "LaunchHostFunc", "EventRecord", "StreamBeginCapture", "StreamEndCapture",
            "StreamIsCapturing", "GraphLaunch",
        ),
        kind=DIRECT,
        steps=(Provider(),),
        paths=(Path(call="hip{T}_spt", evidence=HEADER),),
        source="CUDA Runtime API: stream synchronisation behaviour, per-thread default stream",
    ),
    Row(
        symbols="cuda{T}",
        T=(
            "StreamDestroy", "GraphInstantiate", "StreamGetCaptureInfo", "StreamGetCaptureInfo_v2",
            "StreamGetCaptureInfo_ptsz", "StreamGetCaptureInfo_v2_ptsz", "EventElapsedTime_v2", "GraphAddMemsetNode",
            "GraphAddDependencies", "GraphNodeGetDependencies", "GraphNodeGetDependentNodes",
            "ThreadExchangeStreamCaptureMode", "StreamGetId",
        ),
        kind=NATIVE,
        steps=(Provider(),),
        native="sx_cuda{T}",
        source="CUDA Runtime API: Stream Management; GraphInstantiate and GetCaptureInfo changed their parameters",
    ),
)
