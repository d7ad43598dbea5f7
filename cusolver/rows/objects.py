"""Parameters of the 64-bit API and of iterative refinement, and what refinement tells about itself.

Objects of the program's own, not of the device: nothing here calls ROCm. NVIDIA's setters take any number; what is
wrong with one is said by the solve that reads it.
"""

from __future__ import annotations

from scale_x.wrappers_gen.rows import NATIVE, OUT, Check, NotNull, Row, Scalar

TITLE = "Parameters: the 64-bit API, iterative refinement"

_KEPT = "kept in the object; the solve reads it"
_TUNING = "kept only: rocSOLVER chooses its algorithms by itself"
_IRS = "cuSOLVER 2.4.2.1, cusolverDnIRSParams and cusolverDnIRSInfos"
_COUNT = {"maxiters": Scalar(T="I", dir=OUT, host=True)}

ROWS = (
    Row(
        symbols="cusolverDnCreateParams",
        kind=NATIVE,
        why="an object of core's slab",
        steps=(NotNull(("params",), nvidia="crash"),),
        native="sx_create_params",
        source="cuSOLVER 2.4.2, cusolverDnCreateParams",
    ),
    Row(
        symbols="cusolverDnDestroyParams",
        kind=NATIVE,
        why="the object becomes invalid; NULL is SUCCESS",
        native="sx_destroy_params",
        source="cuSOLVER 2.4.2; measured with NULL",
    ),
    Row(
        symbols="cusolverDnSetAdvOptions",
        kind=NATIVE,
        why=_TUNING,
        steps=(
            NotNull(("params",), nvidia="crash"),
            Check("function >= 0 and function <= 1"),
            Check("algo >= 0 and algo <= 2"),
        ),
        native="sx_set_adv_options",
        source="cuSOLVER 2.4.2; measured: functions 0 and 1, algorithms 0 to 2",
    ),
    Row(
        symbols="cusolverDnIRSParamsCreate",
        kind=NATIVE,
        why="an object of core's slab, with NVIDIA's defaults",
        steps=(NotNull(("params_ptr",), nvidia="crash"),),
        native="sx_irs_params_create",
        source=_IRS,
    ),
    Row(
        symbols="cusolverDnIRSParamsDestroy",
        kind=NATIVE,
        why="the object becomes invalid",
        native="sx_irs_params_destroy",
        source=_IRS,
    ),
    Row(
        symbols="cusolverDnIRSParamsSetRefinementSolver",
        kind=NATIVE,
        why=_KEPT,
        native="sx_irs_set_refinement",
        source=_IRS,
    ),
    Row(
        symbols="cusolverDnIRSParamsSetSolverMainPrecision",
        kind=NATIVE,
        why=_KEPT,
        native="sx_irs_set_main",
        source=_IRS,
    ),
    Row(
        symbols="cusolverDnIRSParamsSetSolverLowestPrecision",
        kind=NATIVE,
        why=_KEPT,
        native="sx_irs_set_lowest",
        source=_IRS,
    ),
    Row(
        symbols="cusolverDnIRSParamsSetSolverPrecisions",
        kind=NATIVE,
        why=_KEPT,
        native="sx_irs_set_precisions",
        source=_IRS,
    ),
    Row(
        symbols="cusolverDnIRSParamsSetTol",
        kind=NATIVE,
        why=_KEPT,
        native="sx_irs_set_tolerance",
        source=_IRS + "; measured: INVALID_VALUE before there is a main precision",
    ),
    Row(
        symbols="cusolverDnIRSParamsSetTolInner",
        kind=NATIVE,
        why=_KEPT,
        native="sx_irs_set_inner_tolerance",
        source=_IRS,
    ),
    Row(
        symbols="cusolverDnIRSParamsSetMaxIters",
        kind=NATIVE,
        why=_KEPT,
        native="sx_irs_set_iterations",
        source=_IRS + "; measured: any number is kept, 50 at first",
    ),
    Row(
        symbols="cusolverDnIRSParamsSetMaxItersInner",
        kind=NATIVE,
        why=_KEPT,
        native="sx_irs_set_inner_iterations",
        source=_IRS,
    ),
    Row(
        symbols="cusolverDnIRSParamsGetMaxIters",
        kind=NATIVE,
        why="answers the setting",
        steps=(NotNull(("maxiters",), nvidia="crash"),),
        native="sx_irs_get_iterations",
        args=_COUNT,
        source=_IRS,
    ),
    Row(
        symbols="cusolverDnIRSParamsEnableFallback",
        kind=NATIVE,
        why=_KEPT,
        native="sx_irs_enable_fallback",
        source=_IRS,
    ),
    Row(
        symbols="cusolverDnIRSParamsDisableFallback",
        kind=NATIVE,
        why=_KEPT,
        native="sx_irs_disable_fallback",
        source=_IRS,
    ),
    Row(
        symbols="cusolverDnIRSInfosCreate",
        kind=NATIVE,
        why="an object of core's slab",
        steps=(NotNull(("infos_ptr",), nvidia="crash"),),
        native="sx_irs_infos_create",
        source=_IRS,
    ),
    Row(
        symbols="cusolverDnIRSInfosDestroy",
        kind=NATIVE,
        why="the object becomes invalid, and its history is freed",
        native="sx_irs_infos_destroy",
        source=_IRS,
    ),
    Row(
        symbols="cusolverDnIRSInfosGetNiters",
        kind=NATIVE,
        why="what the last solve told",
        steps=(NotNull(("niters",), nvidia="crash"),),
        native="sx_irs_get_niters",
        source=_IRS,
    ),
    Row(
        symbols="cusolverDnIRSInfosGetOuterNiters",
        kind=NATIVE,
        why="what the last solve told",
        steps=(NotNull(("outer_niters",), nvidia="crash"),),
        native="sx_irs_get_outer_niters",
        source=_IRS,
    ),
    Row(
        symbols="cusolverDnIRSInfosGetMaxIters",
        kind=NATIVE,
        why="what the last solve was allowed",
        steps=(NotNull(("maxiters",), nvidia="crash"),),
        native="sx_irs_get_max_iterations",
        args=_COUNT,
        source=_IRS,
    ),
    Row(
        symbols="cusolverDnIRSInfosRequestResidual",
        kind=NATIVE,
        why="the next solve keeps its residuals",
        native="sx_irs_request_residual",
        source=_IRS,
    ),
    Row(
        symbols="cusolverDnIRSInfosGetResidualHistory",
        kind=NATIVE,
        why="host memory of the object, until the next solve",
        steps=(NotNull(("residual_history",), nvidia="crash"),),
        native="sx_irs_get_history",
        source=_IRS,
    ),
)
