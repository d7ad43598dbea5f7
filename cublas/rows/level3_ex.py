"""CsyrkEx, Csyrk3mEx, CherkEx, Cherk3mEx: rank-k updates with types as arguments, in single precision complex.

Only C_32F in and out is here: rocBLAS has no complex integers. The types are looked at after the quick return.
"""

from __future__ import annotations

from scale_x.cublas.rows.level3_updates import herk, syrk
from scale_x.wrappers_gen.rows import (
    ADAPTED,
    INOUT,
    Check,
    Componentwise,
    Handle,
    Mat,
    NotNull,
    Path,
    Quick,
    Row,
    Scalar,
    Sweep,
)

TITLE = "Level 3 with types as arguments"

KNOWN = "(R_16F, C_16F, R_16BF, C_16BF, R_32F, C_32F, R_64F, C_64F, R_8I, C_8I, R_8U, C_8U, R_32I, C_32I, R_32U, C_32U)"
STEPS = (
    Handle(),
    Check("uplo in (LOWER, UPPER)", 1),
    Check("trans in (N, T, C)", 2),
    Check("n >= 0", 3),
    Check("k >= 0", 4),
    Check("lda >= max(1, n if trans == N else k)", 7),
    Check("ldc >= max(1, n)", 10),
    Quick("n == 0"),
    Check(f"Atype in {KNOWN}"),
    Check(f"Ctype in {KNOWN}"),
    Check("Atype == C_32F and Ctype == C_32F", status="NOT_SUPPORTED"),
    NotNull(("alpha", "beta", "C")),
    NotNull(("A",), unless="k == 0 or value(alpha) == 0", nvidia="crash"),
)
A = Mat(rows="n if trans == N else k", cols="k if trans == N else n", ld="lda", T="Atype")
C = Mat(rows="n", cols="n", ld="ldc", part="uplo", T="Ctype", dir=INOUT)
BASE = {"uplo": "LOWER", "trans": "N", "n": 7, "k": 5, "Atype": "C_32F", "Ctype": "C_32F"}
GRID = {"uplo": ("LOWER", "UPPER"), "trans": ("N", "T", "C")}
VARY = {"n": (0, 1, 33), "k": (0, 1, 33), "alpha": (0.0, 1.0), "beta": (0.0, 1.0)}

ROWS = (
    Row(
        symbols="cublas{T}syrkEx{_64} cublas{T}syrk3mEx{_64}",
        kind=ADAPTED,
        T={"C": "C"},
        xerbla="{T}SYRK",
        steps=STEPS,
        paths=(Path(call="rocblas_csyrk", args={"transA": "T if trans == C else trans"}),),
        args={"alpha": Scalar(), "A": A, "beta": Scalar(), "C": C},
        oracle=syrk,
        compare=Componentwise(length="k"),
        sweep=Sweep(base={**BASE, "alpha": 1.25 - 0.5j, "beta": -0.75 + 0.25j}, grid=GRID, vary=VARY),
        source="cuBLAS 2.8.15",
    ),
    Row(
        symbols="cublas{T}herkEx{_64} cublas{T}herk3mEx{_64}",
        kind=ADAPTED,
        T={"C": "C"},
        xerbla="{T}HERK",
        steps=STEPS,
        paths=(Path(call="rocblas_cherk", args={"transA": "C if trans == T else trans"}),),
        args={"alpha": Scalar(T="R"), "A": A, "beta": Scalar(T="R"), "C": C},
        oracle=herk,
        compare=Componentwise(length="k"),
        sweep=Sweep(base={**BASE, "alpha": 1.25, "beta": -0.75}, grid=GRID, vary=VARY),
        source="cuBLAS 2.8.17",
    ),
)
