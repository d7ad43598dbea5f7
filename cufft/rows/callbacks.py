"""Load and store callbacks: device code for NVIDIA's GPUs, which nothing here can run."""

from __future__ import annotations

from scale_x.wrappers_gen.rows import NATIVE, Row

TITLE = "Callbacks"

ROWS = (
    Row(
        symbols="cufft{T}",
        T=("XtSetCallback", "XtClearCallback", "XtSetCallbackSharedSize"),
        kind=NATIVE,
        why="NVIDIA's shared library refuses them as well: NOT_IMPLEMENTED",
        native="sx_cufft{T}",
        source="cuFFT: cufftXtSetCallback; measured",
    ),
    Row(
        symbols="{T}",
        T=("cufftXtSetJITCallback", "__cufftXtSetJITCallback_12_7"),
        kind=NATIVE,
        why="accepted, and planning then answers INTERNAL_ERROR, as measured with code that does not compile",
        native="sx_{T}",
        source="cuFFT: cufftXtSetJITCallback; measured",
    ),
)
