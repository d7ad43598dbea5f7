"""Load and store callbacks: device code.

The legacy kind goes to hipFFT, which takes device functions of AMD's where it takes any; ``docs/host-engine.md`` tells
when the CPU engine takes host functions. The newer kind is code for NVIDIA's GPUs, which nothing here can run.
"""

from __future__ import annotations

from scale_x.wrappers_gen.rows import NATIVE, Row

TITLE = "Callbacks"

ROWS = (
    Row(
        symbols="cufft{T}",
        T=("XtSetCallback", "XtClearCallback"),
        kind=NATIVE,
        why="hipfftXtSetCallback; NOT_IMPLEMENTED where it takes none, as NVIDIA's shared library answers",
        native="sx_cufft{T}",
        source="cuFFT: cufftXtSetCallback; measured",
    ),
    Row(
        symbols="cufftXtSetCallbackSharedSize",
        kind=NATIVE,
        why="hipFFT has no shared memory for callbacks; answered as measured",
        native="sx_cufftXtSetCallbackSharedSize",
        source="cuFFT: cufftXtSetCallbackSharedSize; measured",
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
