"""The handle of the dense part and its settings, versions: what has no counterpart in rocSOLVER.

A handle is a slot in core that holds settings; a call borrows a rocBLAS handle that carries them, and lends it memory
to work in. So a setter never reaches the device, and every getter answers what was set.
"""

from __future__ import annotations

from scale_x.wrappers_gen.rows import NATIVE, OUT, Check, Handle, NotNull, Row, Scalar

TITLE = "Handle, settings, versions"

_TUNING = "kept and answered; what it tunes on NVIDIA's hardware has no effect on results here"
_EMULATION = "cuSOLVER 2.4.1; declared since CUDA 13"

ROWS = (
    Row(
        symbols="cusolverDnCreate",
        kind=NATIVE,
        why="settings in core's slab; rocBLAS handles are borrowed by calls",
        steps=(NotNull(("handle",), nvidia="crash"),),
        native="sx_solver_create",
        source="cuSOLVER 2.4.1.1; measured: also while a stream captures",
    ),
    Row(
        symbols="cusolverDnDestroy",
        kind=NATIVE,
        why="the slot becomes invalid; a second destroy is NOT_INITIALIZED",
        steps=(Handle(nvidia="crash"),),
        native="sx_solver_destroy",
        nvidia="crash: a handle that is NULL or destroyed is followed",
        source="cuSOLVER 2.4.1.2",
    ),
    Row(
        symbols="cusolverDnSetStream",
        kind=NATIVE,
        why="kept for the next call",
        steps=(Handle(nvidia="crash"),),
        native="sx_solver_set_stream",
        source="cuSOLVER 2.4.1.3",
    ),
    Row(
        symbols="cusolverDnGetStream",
        kind=NATIVE,
        why="answers the CUDA value, also for the legacy and per-thread default streams",
        steps=(Handle(nvidia="crash"), NotNull(("streamId",), nvidia="crash")),
        native="sx_solver_get_stream",
        source="cuSOLVER 2.4.1.4",
    ),
    Row(
        symbols="cusolverDnSetDeterministicMode",
        kind=NATIVE,
        why="whether the rocBLAS handle that the next call borrows may use atomics",
        steps=(Handle(),),
        native="sx_solver_set_deterministic",
        source="cuSOLVER 2.4.1.6; measured: any other value is INTERNAL_ERROR",
    ),
    Row(
        symbols="cusolverDnGetDeterministicMode",
        kind=NATIVE,
        why="answers the setting",
        steps=(Handle(), NotNull(("mode",))),
        native="sx_solver_get_deterministic",
        source="cuSOLVER 2.4.1.7",
    ),
    Row(
        symbols="cusolverDnSetMathMode",
        kind=NATIVE,
        why=_TUNING,
        steps=(Handle(nvidia="reads"), Check("mode in (1, 2)")),
        native="sx_solver_set_math_mode",
        source="declared since CUDA 13; measured: emulated FP64 is INVALID_VALUE on an H200",
    ),
    Row(
        symbols="cusolverDnGetMathMode",
        kind=NATIVE,
        why="answers the setting",
        steps=(Handle(nvidia="reads"), NotNull(("mode",))),
        native="sx_solver_get_math_mode",
        source="declared since CUDA 13",
    ),
    Row(
        symbols="cusolverDnSetEmulationStrategy",
        kind=NATIVE,
        why=_TUNING,
        steps=(Handle(nvidia="reads"), Check("strategy in (0, 1, 2)")),
        native="sx_solver_set_emulation_strategy",
        source=_EMULATION,
    ),
    Row(
        symbols="cusolverDnGetEmulationStrategy",
        kind=NATIVE,
        why="answers the setting",
        steps=(Handle(nvidia="reads"), NotNull(("strategy",))),
        native="sx_solver_get_emulation_strategy",
        source=_EMULATION,
    ),
    Row(
        symbols="cusolverDnSetEmulationSpecialValuesSupport",
        kind=NATIVE,
        why=_TUNING,
        steps=(Handle(),),
        native="sx_solver_set_special_values",
        source=_EMULATION,
    ),
    Row(
        symbols="cusolverDnGetEmulationSpecialValuesSupport",
        kind=NATIVE,
        why="answers the setting",
        steps=(Handle(), NotNull(("mask",))),
        native="sx_solver_get_special_values",
        source=_EMULATION,
    ),
    Row(
        symbols="cusolverDnSetFixedPointEmulationMantissaControl",
        kind=NATIVE,
        why=_TUNING,
        steps=(Handle(),),
        native="sx_solver_set_mantissa_control",
        source=_EMULATION,
    ),
    Row(
        symbols="cusolverDnGetFixedPointEmulationMantissaControl",
        kind=NATIVE,
        why="answers the setting",
        steps=(Handle(), NotNull(("control",))),
        native="sx_solver_get_mantissa_control",
        source=_EMULATION,
    ),
    Row(
        symbols="cusolverDnSetFixedPointEmulationMaxMantissaBitCount",
        kind=NATIVE,
        why=_TUNING,
        steps=(Handle(),),
        native="sx_solver_set_max_mantissa_bits",
        source=_EMULATION,
    ),
    Row(
        symbols="cusolverDnGetFixedPointEmulationMaxMantissaBitCount",
        kind=NATIVE,
        why="answers the setting",
        steps=(Handle(), NotNull(("mantissaBitCount",))),
        native="sx_solver_get_max_mantissa_bits",
        source=_EMULATION,
    ),
    Row(
        symbols="cusolverDnSetFixedPointEmulationMantissaBitOffset",
        kind=NATIVE,
        why=_TUNING,
        steps=(Handle(),),
        native="sx_solver_set_mantissa_bit_offset",
        source=_EMULATION,
    ),
    Row(
        symbols="cusolverDnGetFixedPointEmulationMantissaBitOffset",
        kind=NATIVE,
        why="answers the setting",
        steps=(Handle(), NotNull(("mantissaBitOffset",))),
        native="sx_solver_get_mantissa_bit_offset",
        source=_EMULATION,
    ),
    Row(
        symbols="cusolverGetVersion",
        kind=NATIVE,
        why="the version whose interface the library has",
        steps=(NotNull(("version",)),),
        native="sx_get_version",
        args={"version": Scalar(T="I", dir=OUT, host=True)},
        source="cuSOLVER 2.3; measured",
    ),
    Row(
        symbols="cusolverGetProperty",
        kind=NATIVE,
        why="parts of the version",
        steps=(NotNull(("value",), nvidia="crash"),),
        native="sx_get_property",
        args={"value": Scalar(T="I", dir=OUT, host=True)},
        source="cuSOLVER 2.3; measured",
    ),
)
