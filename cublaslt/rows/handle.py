"""The handle, versions, status texts, the log and the heuristics cache: what has no counterpart in hipBLASLt.

A handle names a device. Calls borrow a hipBLASLt handle for their stream from core, because hipBLASLt's must not serve
two streams at once; a cuBLAS handle is taken for a handle as well, which programs rely on.
"""

from __future__ import annotations

from scale_x.wrappers_gen.rows import NATIVE, OUT, NotNull, Row, Scalar

TITLE = "Handle, versions, log"

ROWS = (
    Row(
        symbols="cublasLtCreate",
        kind=NATIVE,
        why="a slot in core that names the device",
        steps=(NotNull(("lightHandle",)),),
        native="sx_lt_create",
        source="cuBLAS 3.4, cublasLtCreate",
    ),
    Row(
        symbols="cublasLtDestroy",
        kind=NATIVE,
        why="the slot becomes invalid; NULL is INVALID_VALUE",
        native="sx_lt_destroy",
        source="cuBLAS 3.4, cublasLtDestroy; measured",
    ),
    Row(
        symbols="cublasLtGetVersion",
        kind=NATIVE,
        why="the version whose interface the library has",
        native="sx_lt_version",
        source="cuBLAS 3.4, cublasLtGetVersion",
    ),
    Row(
        symbols="cublasLtGetCudartVersion",
        kind=NATIVE,
        why="the CUDA release whose interface the library has",
        native="sx_lt_cudart_version",
        source="cuBLAS 3.4, cublasLtGetCudartVersion",
    ),
    Row(
        symbols="cublasLtGetProperty",
        kind=NATIVE,
        why="parts of the version",
        steps=(NotNull(("value",)),),
        native="sx_lt_property",
        args={"value": Scalar(T="I", dir=OUT, host=True)},
        source="cuBLAS 3.4, cublasLtGetProperty; measured",
    ),
    Row(
        symbols="cublasLtGetStatusName",
        kind=NATIVE,
        why="a table",
        native="sx_lt_status_name",
        source="cuBLAS 3.4, cublasLtGetStatusName; measured texts",
    ),
    Row(
        symbols="cublasLtGetStatusString",
        kind=NATIVE,
        why="a table",
        native="sx_lt_status_string",
        source="cuBLAS 3.4, cublasLtGetStatusString; measured texts",
    ),
    Row(
        symbols="cublasLtHeuristicsCacheGetCapacity",
        kind=NATIVE,
        why="answers the setting, 8192 at first",
        steps=(NotNull(("capacity",)),),
        native="sx_lt_cache_get",
        source="cuBLAS 3.4, cublasLtHeuristicsCacheGetCapacity; measured default",
    ),
    Row(
        symbols="cublasLtHeuristicsCacheSetCapacity",
        kind=NATIVE,
        why="kept; plans are few and kept per thread",
        native="sx_lt_cache_set",
        differs={"kept": "keeps another number than was set"},
        source="cuBLAS 3.4, cublasLtHeuristicsCacheSetCapacity",
    ),
    Row(
        symbols="cublasLtLoggerSetCallback",
        kind=NATIVE,
        why="messages go to it in place of the file",
        native="sx_lt_set_callback",
        source="cuBLAS 3.4, cublasLtLoggerSetCallback",
    ),
    Row(
        symbols="cublasLtLoggerSetFile",
        kind=NATIVE,
        why="NULL is standard output",
        native="sx_lt_set_file",
        source="cuBLAS 3.4, cublasLtLoggerSetFile; measured",
    ),
    Row(
        symbols="cublasLtLoggerOpenFile",
        kind=NATIVE,
        why="a file that cannot be written is INVALID_VALUE",
        native="sx_lt_open_file",
        source="cuBLAS 3.4, cublasLtLoggerOpenFile; measured",
    ),
    Row(
        symbols="cublasLtLoggerSetLevel",
        kind=NATIVE,
        why="negative levels are refused, larger ones than 5 are 5",
        native="sx_lt_set_level",
        source="cuBLAS 3.4, cublasLtLoggerSetLevel; measured",
    ),
    Row(
        symbols="cublasLtLoggerSetMask",
        kind=NATIVE,
        why="any mask is taken",
        native="sx_lt_set_mask",
        source="cuBLAS 3.4, cublasLtLoggerSetMask; measured",
    ),
    Row(
        symbols="cublasLtLoggerForceDisable",
        kind=NATIVE,
        why="silent for the rest of the process",
        native="sx_lt_force_disable",
        source="cuBLAS 3.4, cublasLtLoggerForceDisable",
    ),
)
