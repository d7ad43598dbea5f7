"""Execution. The plan decides what is computed; of the function called only the direction counts, as measured.

Forward means exp(-2 pi i j k / n); nothing is scaled. Between complex and real the complex side holds n/2 + 1
elements of the last dimension. A backward transform to real ignores the imaginary parts of a line's zero and middle
frequencies. In one dimension and out of place it keeps its input, in two and three it may overwrite it. rocFFT
promises neither, so a line is transformed from a cleaned copy in the work area.
"""

from __future__ import annotations

from scale_x.wrappers_gen.rows import NATIVE, Row

TITLE = "Execution of plans"

ROWS = (
    Row(
        symbols="cufft{T}",
        T=("ExecC2C", "ExecR2C", "ExecZ2Z", "ExecD2Z", "ExecC2R", "ExecZ2D", "XtExec"),
        kind=NATIVE,
        why="hipfftXtExec; one-dimensional C2R works on a copy whose impossible imaginary parts are cleared; "
        "bfloat16 is converted on the host",
        native="sx_cufft{T}",
        source="cuFFT: cufftExecC2C, cufftXtExec; checks measured",
    ),
)
