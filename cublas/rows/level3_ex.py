"""CsyrkEx, Csyrk3mEx, CherkEx, Cherk3mEx: rank-k updates with types as arguments, in single precision complex.

Only C_32F in and out is here: rocBLAS has no complex integers. The types are looked at after the quick return. The 3M
forms refuse k = 0.
"""

from __future__ import annotations

from scale_x.cublas.rows.level3_updates import herk, syrk
from scale_x.wrappers_gen.rows import (
    ADAPTED,
    INOUT,
    Arg,
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
CHECKS = (
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
    NotNull(("alpha", "beta"), nvidia="crash"),
)
STEPS = (
    *CHECKS,
    NotNull(("C",), nvidia="crash"),
    NotNull(("A",), unless="k == 0 or value(alpha) == 0", nvidia="crash", nvidia_unless="k == 0"),
)
STEPS_3M = (
    *CHECKS,
    Check("k > 0", status="NOT_SUPPORTED"),
    NotNull(("C",)),
    NotNull(("A",), unless="value(alpha) == 0", nvidia="crash", nvidia_unless=""),
)
A = Mat(rows="n if trans == N else k", cols="k if trans == N else n", ld="lda", T="Atype")
C = Mat(rows="n", cols="n", ld="ldc", part="uplo", T="Ctype", dir=INOUT)
SYRK_ARGS: dict[str, Arg] = {"alpha": Scalar(), "A": A, "beta": Scalar(), "C": C}
HERK_ARGS: dict[str, Arg] = {"alpha": Scalar(T="R"), "A": A, "beta": Scalar(T="R"), "C": C}
SYRK_PATHS = (Path(call="rocblas_csyrk", args={"transA": "T if trans == C else trans"}),)
HERK_PATHS = (Path(call="rocblas_cherk", args={"transA": "C if trans == T else trans"}),)
BASE = {"uplo": "LOWER", "trans": "N", "n": 7, "k": 5, "Atype": "C_32F", "Ctype": "C_32F"}
GRID = {"uplo": ("LOWER", "UPPER"), "trans": ("N", "T", "C")}
VARY = {"n": (0, 1, 33), "k": (0, 1, 33), "alpha": (0.0, 1.0), "beta": (0.0, 1.0)}

SYRK_SWEEP = Sweep(base={**BASE, "alpha": 1.25 - 0.5j, "beta": -0.75 + 0.25j}, grid=GRID, vary=VARY)
HERK_SWEEP = Sweep(base={**BASE, "alpha": 1.25, "beta": -0.75}, grid=GRID, vary=VARY)

ROWS = (
    Row(
        symbols="cublas{T}syrkEx{_64}",
        kind=ADAPTED,
        T={"C": "C"},
        xerbla="{T}SYRK",
        steps=STEPS,
        paths=SYRK_PATHS,
        args=SYRK_ARGS,
        oracle=syrk,
        compare=Componentwise(length="k"),
        sweep=SYRK_SWEEP,
        source="cuBLAS 2.8.15",
    ),
    Row(
        symbols="cublas{T}syrk3mEx{_64}",
        kind=ADAPTED,
        T={"C": "C"},
        xerbla="{T}SYRK3M",
        steps=STEPS_3M,
        paths=SYRK_PATHS,
        args=SYRK_ARGS,
        oracle=syrk,
        compare=Componentwise(length="k"),
        sweep=SYRK_SWEEP,
        source="cuBLAS 2.8.16",
    ),
    Row(
        symbols="cublas{T}herkEx{_64}",
        kind=ADAPTED,
        T={"C": "C"},
        xerbla="{T}HERK",
        steps=STEPS,
        paths=HERK_PATHS,
        args=HERK_ARGS,
        oracle=herk,
        compare=Componentwise(length="k"),
        sweep=HERK_SWEEP,
        source="cuBLAS 2.8.17",
    ),
    Row(
        symbols="cublas{T}herk3mEx{_64}",
        kind=ADAPTED,
        T={"C": "C"},
        xerbla="{T}HERK",
        steps=STEPS_3M,
        paths=HERK_PATHS,
        args=HERK_ARGS,
        oracle=herk,
        compare=Componentwise(length="k"),
        sweep=HERK_SWEEP,
        source="cuBLAS 2.8.18",
    ),
)
