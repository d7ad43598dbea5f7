"""The handle and its settings, versions, status texts, logging: what has no counterpart in rocBLAS.

A handle is a slot in core that holds settings; a call borrows a rocBLAS handle that carries them. So a setter never
reaches the device, and every getter answers what was set.
"""

from __future__ import annotations

from scale_x.wrappers_gen.rows import NATIVE, OUT, Check, Handle, NotNull, Row, Scalar, like

TITLE = "Handle, settings, versions, logging"

_SET = "cuBLAS 2.4; measured: values outside the range leave the setting as it was"
_TUNING = "kept and answered; what it tunes on NVIDIA's hardware has no effect on results here"

GETTER = Row(symbols="", kind=NATIVE, why="answers the setting")
KNOB = Row(symbols="", kind=NATIVE, why=_TUNING, steps=(Handle(),))

ROWS = (
    Row(
        symbols="cublasCreate_v2",
        kind=NATIVE,
        why="settings in core's slab; rocBLAS handles are borrowed by calls",
        steps=(NotNull(("handle",)),),
        native="sx_create",
        source="cuBLAS 2.4.1",
    ),
    Row(
        symbols="cublasDestroy_v2",
        kind=NATIVE,
        why="the slot becomes invalid; a second destroy is NOT_INITIALIZED",
        steps=(Handle(),),
        native="sx_destroy",
        nvidia="crash: destroying a handle twice aborts the process",
        source="cuBLAS 2.4.2",
    ),
    Row(
        symbols="cublasSetStream_v2",
        kind=NATIVE,
        why="also drops the user's workspace, even for the same stream",
        steps=(Handle(),),
        native="sx_set_stream",
        source="cuBLAS 2.4.5",
    ),
    Row(
        symbols="cublasGetStream_v2",
        kind=NATIVE,
        why="answers the CUDA value, also for the legacy and per-thread default streams",
        steps=(Handle(), NotNull(("streamId",))),
        native="sx_get_stream",
        source="cuBLAS 2.4.7",
    ),
    Row(
        symbols="cublasSetWorkspace_v2",
        kind=NATIVE,
        why="a hint: any size and alignment is accepted, and given to rocBLAS only when rocBLAS would manage with it",
        steps=(Handle(),),
        native="sx_set_workspace",
        source="cuBLAS 2.4.6",
    ),
    Row(
        symbols="cublasSetPointerMode_v2",
        kind=NATIVE,
        why="applied to the rocBLAS handle that the next call borrows",
        steps=(Handle(), Check("mode in (POINTER_HOST, POINTER_DEVICE)")),
        native="sx_set_pointer_mode",
        source=_SET,
    ),
    Row(
        symbols="cublasGetPointerMode_v2",
        kind=NATIVE,
        why="answers the setting",
        steps=(Handle(status="INVALID_VALUE"), NotNull(("mode",), nvidia="crash")),
        native="sx_get_pointer_mode",
        source="cuBLAS 2.4.8",
    ),
    Row(
        symbols="cublasSetAtomicsMode",
        kind=NATIVE,
        why="applied to the rocBLAS handle that the next call borrows",
        steps=(Handle(), Check("mode in (ATOMICS_NOT_ALLOWED, ATOMICS_ALLOWED)")),
        native="sx_set_atomics_mode",
        source=_SET,
    ),
    like(
        GETTER,
        symbols="cublasGetAtomicsMode",
        steps=(Handle(), NotNull(("mode",))),
        native="sx_get_atomics_mode",
        source="cuBLAS 2.4.19",
    ),
    Row(
        symbols="cublasSetMathMode",
        kind=NATIVE,
        why="TF32 becomes rocBLAS's xf32 where the GPU has it; every other mode is at least as accurate as asked",
        steps=(Handle(),),
        native="sx_set_math_mode",
        source="cuBLAS 2.4.15; measured: 0 to 31 are stored as given, all else is INVALID_VALUE",
    ),
    like(
        GETTER,
        symbols="cublasGetMathMode",
        steps=(Handle(), NotNull(("mode",))),
        native="sx_get_math_mode",
        source="cuBLAS 2.4.16",
    ),
    like(
        KNOB,
        symbols="cublasSetSmCountTarget",
        native="sx_set_sm_count",
        source="cuBLAS 2.4.17; measured: 0 to the device's number of multiprocessors",
    ),
    like(
        GETTER,
        symbols="cublasGetSmCountTarget",
        steps=(Handle(), NotNull(("smCountTarget",))),
        native="sx_get_sm_count",
        source="cuBLAS 2.4.18",
    ),
    Row(
        symbols="cublasGetVersion_v2",
        kind=NATIVE,
        why="the version whose interface the library has; the handle is not looked at",
        steps=(NotNull(("version",)),),
        native="sx_get_version",
        args={"version": Scalar(T="I", dir=OUT, host=True)},
        source="cuBLAS 2.4.3; measured with a NULL handle",
    ),
    Row(
        symbols="cublasGetProperty",
        kind=NATIVE,
        why="parts of the version",
        steps=(NotNull(("value",)),),
        native="sx_get_property",
        args={"value": Scalar(T="I", dir=OUT, host=True)},
        source="cuBLAS 2.4.4",
    ),
    Row(
        symbols="cublasGetCudartVersion",
        kind=NATIVE,
        why="the CUDA release whose interface the library has",
        native="sx_get_cudart_version",
        source="declared in cublas_api.h; measured",
    ),
    Row(
        symbols="cublasGetStatusName",
        kind=NATIVE,
        why="a table",
        native="sx_get_status_name",
        source="cuBLAS 2.4.19; measured texts",
    ),
    Row(
        symbols="cublasGetStatusString",
        kind=NATIVE,
        why="a table",
        native="sx_get_status_string",
        source="cuBLAS 2.4.20; measured texts",
    ),
    Row(
        symbols="cublasXerbla",
        kind=NATIVE,
        why="NVIDIA's message on stdout",
        native="sx_print_xerbla",
        source="declared in cublas_api.h",
    ),
    Row(
        symbols="cublasLoggerConfigure",
        kind=NATIVE,
        why="kept; scale-x's own messages are turned on by SCALE_X_LOG",
        native="sx_logger_configure",
        source="cuBLAS 2.4.20",
    ),
    Row(
        symbols="cublasSetLoggerCallback",
        kind=NATIVE,
        why="kept and answered",
        native="sx_set_logger_callback",
        source="cuBLAS 2.4.22",
    ),
    Row(
        symbols="cublasGetLoggerCallback",
        kind=NATIVE,
        why="answers the setting",
        steps=(NotNull(("userCallback",)),),
        native="sx_get_logger_callback",
        source="cuBLAS 2.4.21",
    ),
    like(
        KNOB,
        symbols="cublasSetEmulationStrategy",
        native="sx_set_emulation_strategy",
        source="cuBLAS 2.4.23; measured: 0 to 2",
    ),
    like(
        GETTER,
        symbols="cublasGetEmulationStrategy",
        steps=(Handle(), NotNull(("emulationStrategy",))),
        native="sx_get_emulation_strategy",
        source="cuBLAS 2.4.24",
    ),
    like(
        KNOB,
        symbols="cublasSetEmulationSpecialValuesSupport",
        native="sx_set_special_values",
        source="cuBLAS 13.1",
    ),
    Row(
        symbols="cublasGetEmulationSpecialValuesSupport",
        kind=NATIVE,
        why="answers the setting, 65535 at first",
        steps=(Handle(), NotNull(("mask",))),
        native="sx_get_special_values",
        source="cuBLAS 13.1; measured default",
    ),
    like(
        KNOB,
        symbols="cublasSetFixedPointEmulationMantissaControl",
        native="sx_set_mantissa_control",
        source="cuBLAS 13.1",
    ),
    like(
        GETTER,
        symbols="cublasGetFixedPointEmulationMantissaControl",
        steps=(Handle(), NotNull(("mantissaControl",))),
        native="sx_get_mantissa_control",
        source="cuBLAS 13.1",
    ),
    like(
        KNOB,
        symbols="cublasSetFixedPointEmulationMaxMantissaBitCount",
        native="sx_set_max_mantissa_bits",
        source="cuBLAS 13.1",
    ),
    like(
        GETTER,
        symbols="cublasGetFixedPointEmulationMaxMantissaBitCount",
        steps=(Handle(), NotNull(("maxMantissaBitCount",))),
        native="sx_get_max_mantissa_bits",
        source="cuBLAS 13.1",
    ),
    like(
        KNOB,
        symbols="cublasSetFixedPointEmulationMantissaBitOffset",
        native="sx_set_mantissa_bit_offset",
        source="cuBLAS 13.1",
    ),
    like(
        GETTER,
        symbols="cublasGetFixedPointEmulationMantissaBitOffset",
        steps=(Handle(), NotNull(("mantissaBitOffset",))),
        native="sx_get_mantissa_bit_offset",
        source="cuBLAS 13.1",
    ),
    Row(
        symbols="cublasSetFixedPointEmulationMantissaBitCountPointer",
        kind=NATIVE,
        why=_TUNING + "; nothing is written through the pointer",
        steps=(Handle(),),
        native="sx_set_mantissa_bit_count",
        source="cuBLAS 13.1",
    ),
    like(
        GETTER,
        symbols="cublasGetFixedPointEmulationMantissaBitCountPointer",
        steps=(Handle(), NotNull(("mantissaBitCount",))),
        native="sx_get_mantissa_bit_count",
        source="cuBLAS 13.1",
    ),
    Row(
        symbols="cublasSetEnvironmentMode",
        kind=NATIVE,
        why="declared nowhere and called by NVIDIA's cuSOLVER; there is nothing to set here",
        native="sx_set_environment_mode",
        source="import table of libcusolver.so.12",
    ),
)
