"""tpttr and trttp: a triangle from packed to dense storage and back.

The other triangle is neither read nor written. rocBLAS has no such function: a body copies column by column.
"""

from __future__ import annotations

from typing import Any

from scale_x.wrappers_gen.rows import (
    NATIVE,
    OUT,
    Check,
    Exact,
    Handle,
    Mat,
    NotNull,
    Quick,
    Row,
    Sweep,
)

TITLE = "tpttr, trttp"


def tpttr(a: Any) -> dict[str, Any]:
    """The dense triangle of a packed one."""
    return {"A": a.AP}


def trttp(a: Any) -> dict[str, Any]:
    """The packed triangle of a dense one."""
    return {"AP": a.A}


SWEEP = Sweep(base={"uplo": "LOWER", "n": 7}, grid={"uplo": ("LOWER", "UPPER"), "n": (0, 1, 2, 7, 33)})

ROWS = (
    Row(
        symbols="cublas{T}tpttr",
        kind=NATIVE,
        T="SDCZ",
        xerbla="{T}TPTTR",
        steps=(
            Handle(),
            Check("uplo in (LOWER, UPPER)", 1),
            Check("n >= 0", 2),
            Check("lda >= max(1, n)", 5),
            Quick("n == 0"),
            NotNull(("AP", "A"), nvidia="crash"),
        ),
        native="sx_tpttr",
        args={
            "AP": Mat(rows="n", cols="n", packed=True, part="uplo"),
            "A": Mat(rows="n", cols="n", ld="lda", part="uplo", dir=OUT),
        },
        oracle=tpttr,
        compare=Exact(),
        sweep=SWEEP,
        source="cuBLAS 2.8.9; LAPACK xTPTTR",
    ),
    Row(
        symbols="cublas{T}trttp",
        kind=NATIVE,
        T="SDCZ",
        xerbla="{T}TRTTP",
        steps=(
            Handle(),
            Check("uplo in (LOWER, UPPER)", 1),
            Check("n >= 0", 2),
            Check("lda >= max(1, n)", 4),
            Quick("n == 0"),
            NotNull(("A", "AP"), nvidia="crash"),
        ),
        native="sx_trttp",
        args={
            "A": Mat(rows="n", cols="n", ld="lda", part="uplo"),
            "AP": Mat(rows="n", cols="n", packed=True, part="uplo", dir=OUT),
        },
        oracle=trttp,
        compare=Exact(),
        sweep=SWEEP,
        source="cuBLAS 2.8.10; LAPACK xTRTTP",
    ),
)
