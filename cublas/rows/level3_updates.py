"""syrk, herk, syr2k, her2k, syrkx, herkx: updates of rank k and 2k on one triangle of C.

Operation C counts as T where the matrix is symmetric, T as C where it is Hermitian (rocBLAS rejects both, so the rows
translate). A Hermitian update makes the diagonal real, unless it returns at once: beta = 1 with alpha = 0 or k = 0.
The x forms promise that the product is symmetric or Hermitian and compute one triangle of it.
"""

from __future__ import annotations

from scale_x.cublas.rows._level3 import her2k, herk, herkx, syr2k, syrk, syrkx
from scale_x.wrappers_gen.rows import (
    ADAPTED,
    DIRECT,
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
    like,
)

TITLE = "Level 3: syrk, herk, syr2k, her2k, syrkx, herkx"


CHECKS = (
    Handle(),
    Check("uplo in (LOWER, UPPER)", 1),
    Check("trans in (N, T, C)", 2),
    Check("n >= 0", 3),
    Check("k >= 0", 4),
    Check("lda >= max(1, n if trans == N else k)", 7),
)
POINTERS = (
    Quick("n == 0"),
    NotNull(("alpha", "beta", "C")),
)
ONE_STEPS = (
    *CHECKS,
    Check("ldc >= max(1, n)", 10),
    *POINTERS,
    NotNull(("A",), unless="k == 0 or value(alpha) == 0", nvidia="crash", nvidia_unless="k == 0"),
)
TWO_CHECKS = (
    *CHECKS,
    Check("ldb >= max(1, n if trans == N else k)", 9),
    Check("ldc >= max(1, n)", 12),
    *POINTERS,
)
TWO_STEPS = (
    *TWO_CHECKS,
    NotNull(("A", "B"), unless="k == 0 or value(alpha) == 0", nvidia="crash", nvidia_unless="k == 0"),
)
AS_T = "T if trans == C else trans"
AS_C = "C if trans == T else trans"

PANEL_ROWS, PANEL_COLS = "n if trans == N else k", "k if trans == N else n"
A = Mat(rows=PANEL_ROWS, cols=PANEL_COLS, ld="lda")
B = Mat(rows=PANEL_ROWS, cols=PANEL_COLS, ld="ldb")
C = Mat(rows="n", cols="n", ld="ldc", part="uplo", dir=INOUT)
ONE_ARGS: dict[str, Arg] = {"alpha": Scalar(), "A": A, "beta": Scalar(), "C": C}
TWO_ARGS: dict[str, Arg] = {"alpha": Scalar(), "A": A, "B": B, "beta": Scalar(), "C": C}

SIZES = (0, 1, 2, 33, 130)
FACTORS = (0.0, 1.0, -1.0)
SWEEP = Sweep(
    base={"uplo": "LOWER", "trans": "N", "n": 7, "k": 5, "alpha": 1.25 - 0.5j, "beta": -0.75 + 0.25j},
    grid={"uplo": ("LOWER", "UPPER"), "trans": ("N", "T", "C")},
    vary={"n": SIZES, "k": SIZES, "alpha": FACTORS, "beta": FACTORS},
)
REAL_SWEEP = Sweep(
    base={"uplo": "LOWER", "trans": "N", "n": 7, "k": 5, "alpha": 1.25, "beta": -0.75},
    grid={"uplo": ("LOWER", "UPPER"), "trans": ("N", "T", "C")},
    vary={"n": SIZES, "k": SIZES, "alpha": FACTORS, "beta": FACTORS},
)
HALF_REAL_SWEEP = Sweep(
    base={"uplo": "LOWER", "trans": "N", "n": 7, "k": 5, "alpha": 1.25 - 0.5j, "beta": -0.75},
    grid={"uplo": ("LOWER", "UPPER"), "trans": ("N", "T", "C")},
    vary={"n": SIZES, "k": SIZES, "alpha": FACTORS, "beta": FACTORS},
)

SYRK = Row(
    symbols="cublas{T}syrk_v2{_64}",
    kind=DIRECT,
    T="SD",
    xerbla="{T}SYRK",
    steps=ONE_STEPS,
    paths=(Path(call="rocblas_{t}syrk"),),
    args=ONE_ARGS,
    oracle=syrk,
    compare=Componentwise(length="k"),
    sweep=SWEEP,
    source="cuBLAS 2.7.7; Reference BLAS xSYRK",
)
SYR2K = Row(
    symbols="cublas{T}syr2k_v2{_64}",
    kind=DIRECT,
    T="SD",
    xerbla="{T}SYR2K",
    steps=TWO_STEPS,
    paths=(Path(call="rocblas_{t}syr2k"),),
    args=TWO_ARGS,
    oracle=syr2k,
    compare=Componentwise(length="2 * k"),
    sweep=SWEEP,
    source="cuBLAS 2.7.8; Reference BLAS xSYR2K",
)
SYRKX = Row(
    symbols="cublas{T}syrkx{_64}",
    kind=DIRECT,
    T="D",
    xerbla="{T}SYRKX",
    steps=TWO_STEPS,
    paths=(Path(call="rocblas_{t}syrkx"),),
    args=TWO_ARGS,
    oracle=syrkx,
    compare=Componentwise(length="k"),
    sweep=SWEEP,
    source="cuBLAS 2.7.9",
)
SYRKX_COMPLEX = (Path(call="rocblas_{t}syrkx", args={"trans": AS_T}),)

ROWS = (
    SYRK,
    like(SYRK, kind=ADAPTED, T="CZ", paths=(Path(call="rocblas_{t}syrk", args={"transA": AS_T}),)),
    like(
        SYRK,
        symbols="cublas{T}herk_v2{_64}",
        kind=ADAPTED,
        T="CZ",
        xerbla="{T}HERK",
        paths=(Path(call="rocblas_{t}herk", args={"transA": AS_C}),),
        args={**ONE_ARGS, "alpha": Scalar(T="R"), "beta": Scalar(T="R")},
        oracle=herk,
        sweep=REAL_SWEEP,
        source="cuBLAS 2.7.14; Reference BLAS xHERK",
    ),
    SYR2K,
    like(SYR2K, kind=ADAPTED, T="CZ", paths=(Path(call="rocblas_{t}syr2k", args={"trans": AS_T}),)),
    like(
        SYR2K,
        symbols="cublas{T}her2k_v2{_64}",
        kind=ADAPTED,
        T="CZ",
        xerbla="{T}HER2K",
        paths=(Path(call="rocblas_{t}her2k", args={"trans": AS_C}),),
        args={**TWO_ARGS, "beta": Scalar(T="R")},
        oracle=her2k,
        sweep=HALF_REAL_SWEEP,
        source="cuBLAS 2.7.15; Reference BLAS xHER2K",
    ),
    # NVIDIA's syrkx in single precision calls itself syrk in its messages
    like(SYRKX, T="S", xerbla="{T}SYRK"),
    SYRKX,
    like(SYRKX, kind=ADAPTED, T="C", paths=SYRKX_COMPLEX),
    like(
        SYRKX,
        kind=ADAPTED,
        T="Z",
        steps=(*TWO_CHECKS, NotNull(("A", "B"), unless="k == 0")),
        paths=SYRKX_COMPLEX,
    ),
    like(
        SYRKX,
        symbols="cublas{T}herkx{_64}",
        kind=ADAPTED,
        T="CZ",
        xerbla="{T}HERKX",
        paths=(Path(call="rocblas_{t}herkx", args={"trans": AS_C}),),
        args={**TWO_ARGS, "beta": Scalar(T="R")},
        oracle=herkx,
        sweep=HALF_REAL_SWEEP,
        source="cuBLAS 2.7.16",
    ),
)
