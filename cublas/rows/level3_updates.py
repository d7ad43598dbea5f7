"""syrk, herk, syr2k, her2k, syrkx, herkx: updates of rank k and 2k on one triangle of C.

Operation C counts as T where the matrix is symmetric, T as C where it is Hermitian (rocBLAS rejects both, so the rows
translate). A Hermitian update makes the diagonal real, unless it returns at once: beta = 1 with alpha = 0 or k = 0.
The x forms promise that the product is symmetric or Hermitian and compute one triangle of it.
"""

from __future__ import annotations

from typing import Any

from scale_x.cublas.rows._linalg import op, real_diagonal, scaled
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
)

TITLE = "Level 3: syrk, herk, syr2k, her2k, syrkx, herkx"


def nothing_to_do(a: Any) -> bool:
    """Whether the update leaves C alone, imaginary parts of a diagonal included."""
    return a.beta == 1 and (a.alpha == 0 or a.k == 0)


def syrk(a: Any) -> dict[str, Any]:
    """C := alpha op(A) op(A)' + beta C."""
    left = a.A if a.trans == "N" else a.A.T
    return {"C": scaled(a.alpha, left @ left.T) + scaled(a.beta, a.C)}


def herk(a: Any) -> dict[str, Any]:
    """C := alpha op(A) op(A)^H + beta C, real diagonal."""
    left = a.A if a.trans == "N" else op("C", a.A)
    updated = scaled(a.alpha, left @ op("C", left)) + scaled(a.beta, a.C)
    return {"C": a.C if nothing_to_do(a) else real_diagonal(updated)}


def syr2k(a: Any) -> dict[str, Any]:
    """C := alpha (op(A) op(B)' + op(B) op(A)') + beta C."""
    product = a.A @ a.B.T if a.trans == "N" else a.A.T @ a.B
    return {"C": scaled(a.alpha, product + product.T) + scaled(a.beta, a.C)}


def her2k(a: Any) -> dict[str, Any]:
    """C := alpha op(A) op(B)^H + conj(alpha) op(B) op(A)^H + beta C, real diagonal."""
    product = scaled(a.alpha, a.A @ op("C", a.B) if a.trans == "N" else op("C", a.A) @ a.B)
    updated = product + op("C", product) + scaled(a.beta, a.C)
    return {"C": a.C if nothing_to_do(a) else real_diagonal(updated)}


def syrkx(a: Any) -> dict[str, Any]:
    """C := alpha op(A) op(B)' + beta C on one triangle."""
    product = a.A @ a.B.T if a.trans == "N" else a.A.T @ a.B
    return {"C": scaled(a.alpha, product) + scaled(a.beta, a.C)}


def herkx(a: Any) -> dict[str, Any]:
    """C := alpha op(A) op(B)^H + beta C on one triangle, real diagonal."""
    product = a.A @ op("C", a.B) if a.trans == "N" else op("C", a.A) @ a.B
    updated = scaled(a.alpha, product) + scaled(a.beta, a.C)
    return {"C": a.C if nothing_to_do(a) else real_diagonal(updated)}


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
    NotNull(("A",), unless="k == 0 or value(alpha) == 0", nvidia="crash"),
)
TWO_STEPS = (
    *CHECKS,
    Check("ldb >= max(1, n if trans == N else k)", 9),
    Check("ldc >= max(1, n)", 12),
    *POINTERS,
    NotNull(("A", "B"), unless="k == 0 or value(alpha) == 0", nvidia="crash"),
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

ROWS = (
    Row(
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
    ),
    Row(
        symbols="cublas{T}syrk_v2{_64}",
        kind=ADAPTED,
        T="CZ",
        xerbla="{T}SYRK",
        steps=ONE_STEPS,
        paths=(Path(call="rocblas_{t}syrk", args={"transA": AS_T}),),
        args=ONE_ARGS,
        oracle=syrk,
        compare=Componentwise(length="k"),
        sweep=SWEEP,
        source="cuBLAS 2.7.7; Reference BLAS xSYRK",
    ),
    Row(
        symbols="cublas{T}herk_v2{_64}",
        kind=ADAPTED,
        T="CZ",
        xerbla="{T}HERK",
        steps=ONE_STEPS,
        paths=(Path(call="rocblas_{t}herk", args={"transA": AS_C}),),
        args={**ONE_ARGS, "alpha": Scalar(T="R"), "beta": Scalar(T="R")},
        oracle=herk,
        compare=Componentwise(length="k"),
        sweep=REAL_SWEEP,
        source="cuBLAS 2.7.14; Reference BLAS xHERK",
    ),
    Row(
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
    ),
    Row(
        symbols="cublas{T}syr2k_v2{_64}",
        kind=ADAPTED,
        T="CZ",
        xerbla="{T}SYR2K",
        steps=TWO_STEPS,
        paths=(Path(call="rocblas_{t}syr2k", args={"trans": AS_T}),),
        args=TWO_ARGS,
        oracle=syr2k,
        compare=Componentwise(length="2 * k"),
        sweep=SWEEP,
        source="cuBLAS 2.7.8; Reference BLAS xSYR2K",
    ),
    Row(
        symbols="cublas{T}her2k_v2{_64}",
        kind=ADAPTED,
        T="CZ",
        xerbla="{T}HER2K",
        steps=TWO_STEPS,
        paths=(Path(call="rocblas_{t}her2k", args={"trans": AS_C}),),
        args={**TWO_ARGS, "beta": Scalar(T="R")},
        oracle=her2k,
        compare=Componentwise(length="2 * k"),
        sweep=HALF_REAL_SWEEP,
        source="cuBLAS 2.7.15; Reference BLAS xHER2K",
    ),
    # NVIDIA's real syrkx calls itself syrk in its messages
    Row(
        symbols="cublas{T}syrkx{_64}",
        kind=DIRECT,
        T="SD",
        xerbla="{T}SYRK",
        steps=TWO_STEPS,
        paths=(Path(call="rocblas_{t}syrkx"),),
        args=TWO_ARGS,
        oracle=syrkx,
        compare=Componentwise(length="k"),
        sweep=SWEEP,
        source="cuBLAS 2.7.9",
    ),
    Row(
        symbols="cublas{T}syrkx{_64}",
        kind=ADAPTED,
        T="CZ",
        xerbla="{T}SYRKX",
        steps=TWO_STEPS,
        paths=(Path(call="rocblas_{t}syrkx", args={"trans": AS_T}),),
        args=TWO_ARGS,
        oracle=syrkx,
        compare=Componentwise(length="k"),
        sweep=SWEEP,
        source="cuBLAS 2.7.9",
    ),
    Row(
        symbols="cublas{T}herkx{_64}",
        kind=ADAPTED,
        T="CZ",
        xerbla="{T}HERKX",
        steps=TWO_STEPS,
        paths=(Path(call="rocblas_{t}herkx", args={"trans": AS_C}),),
        args={**TWO_ARGS, "beta": Scalar(T="R")},
        oracle=herkx,
        compare=Componentwise(length="k"),
        sweep=HALF_REAL_SWEEP,
        source="cuBLAS 2.7.16",
    ),
)
