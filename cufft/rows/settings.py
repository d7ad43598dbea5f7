"""What is set on a plan and asked of it, and the library's version."""

from __future__ import annotations

from scale_x.wrappers_gen.rows import NATIVE, OUT, Row, Scalar

TITLE = "Settings of plans, versions"

ROWS = (
    Row(
        symbols="cufftSetStream",
        kind=NATIVE,
        why="kept, and set on the hipFFT plan as soon as there is one",
        native="sx_cufftSetStream",
        source="cuFFT: cufftSetStream",
    ),
    Row(
        symbols="cufftSetAutoAllocation",
        kind=NATIVE,
        why="any value, at any time; read when the plan is made",
        native="sx_cufftSetAutoAllocation",
        source="cuFFT: cufftSetAutoAllocation; measured",
    ),
    Row(
        symbols="cufftSetWorkArea",
        kind=NATIVE,
        why="hipFFT ignores NULL; here it takes the area away, as measured",
        native="sx_cufftSetWorkArea",
        source="cuFFT: cufftSetWorkArea; measured",
    ),
    Row(
        symbols="cufftGetSize",
        kind=NATIVE,
        why="the plan's, copies of the input included",
        native="sx_cufftGetSize",
        source="cuFFT: cufftGetSize",
    ),
    Row(
        symbols="cufft{T}",
        T=("SetPlanPropertyInt64", "GetPlanPropertyInt64", "ResetPlanProperty"),
        kind=NATIVE,
        why="kept and answered; what it tunes on NVIDIA's hardware has no effect on results here",
        native="sx_cufft{T}",
        source="cuFFT: plan properties; statuses measured",
    ),
    Row(
        symbols="cufftGetVersion",
        kind=NATIVE,
        why="the version whose interface the library has",
        native="sx_cufftGetVersion",
        args={"version": Scalar(T="I", dir=OUT, host=True)},
        source="cuFFT: cufftGetVersion",
    ),
    Row(
        symbols="cufftGetProperty",
        kind=NATIVE,
        why="parts of the version",
        native="sx_cufftGetProperty",
        args={"value": Scalar(T="I", dir=OUT, host=True)},
        source="cuFFT: cufftGetProperty",
    ),
)
