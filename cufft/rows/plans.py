"""Plans: what is transformed, how it lies in memory, and how much work area it takes.

A handle is a small number, counted from 1 and used again. The plan behind it is hipFFT's; when a handle is destroyed
its plan is kept for the next handle of the same geometry, because programs create and destroy equal plans all the
time. Checks come in NVIDIA's measured order: the handle, the type, then values and sizes. Tested in
tests/test_cufft.py.
"""

from __future__ import annotations

from scale_x.wrappers_gen.rows import NATIVE, Row

TITLE = "Plans: creation, geometry, work sizes"

ROWS = (
    Row(
        symbols="cufft{T}",
        T=("Create", "Destroy"),
        kind=NATIVE,
        why="a number in core's table; the plan of a destroyed handle is kept for an equal one",
        native="sx_cufft{T}",
        source="cuFFT: cufftCreate, cufftDestroy; numbers measured",
    ),
    Row(
        symbols="cufft{T}",
        T=("Plan1d", "Plan2d", "Plan3d", "PlanMany"),
        kind=NATIVE,
        why="hipfftXtMakePlanMany behind NVIDIA's checks; 0 and no handle when it fails",
        native="sx_cufft{T}",
        source="cuFFT: cufftPlan1d and kin; failures measured",
    ),
    Row(
        symbols="cufft{T}",
        T=("MakePlan1d", "MakePlan2d", "MakePlan3d", "MakePlanMany", "MakePlanMany64", "XtMakePlanMany"),
        kind=NATIVE,
        why="hipfftXtMakePlanMany; the work area is scale-x's, so that it can hold what hipFFT would overwrite; "
        "bfloat16 is computed in single precision",
        native="sx_cufft{T}",
        capture="refuse",
        source="cuFFT: cufftMakePlan1d and kin; types, failures and huge lengths measured",
    ),
    Row(
        symbols="cufft{T}",
        T=(
            "Estimate1d", "Estimate2d", "Estimate3d", "EstimateMany",
            "GetSize1d", "GetSize2d", "GetSize3d", "GetSizeMany", "GetSizeMany64", "XtGetSizeMany",
        ),
        kind=NATIVE,
        why="the size is a plan's; the plan made for it is kept",
        native="sx_cufft{T}",
        source="cuFFT: cufftEstimate1d, cufftGetSize1d and kin",
    ),
)  # fmt: skip
