"""trmv, trsv, tbmv, tbsv, tpmv, tpsv: a triangular matrix times a vector, and triangular systems.

The triangle is dense, band or packed; a unit diagonal is not read. Nothing tests for singularity: a zero on the
diagonal gives Inf and NaN.
"""

from __future__ import annotations

from typing import Any

from scale_x.cublas.rows._linalg import op, solve_residual, triangle
from scale_x.wrappers_gen.rows import (
    DIRECT,
    INOUT,
    Check,
    Componentwise,
    Handle,
    Mat,
    NotNull,
    Path,
    Quick,
    Residual,
    Row,
    Sweep,
    Vec,
    lazy,
    like,
)

np = lazy("numpy")

TITLE = "Level 2: triangular products and solves"


def trmv(a: Any) -> dict[str, Any]:
    """x := op(A) x."""
    return {"x": op(a.trans, triangle(a.uplo, a.A, a.diag)) @ a.x}


def trsv(a: Any) -> dict[str, Any]:
    """x := op(A)^-1 x."""
    return {"x": np.linalg.solve(op(a.trans, triangle(a.uplo, a.A, a.diag)), a.x)}


def trsv_residual(a: Any, got: Any) -> float:
    """The backward error of the solution."""
    t = op(a.trans, triangle(a.uplo, a.A, a.diag))
    return solve_residual(t, got["x"][:, None], a.x[:, None], a.eps)


def tpmv(a: Any) -> dict[str, Any]:
    """trmv with A packed."""
    return {"x": op(a.trans, triangle(a.uplo, a.AP, a.diag)) @ a.x}


def tpsv(a: Any) -> dict[str, Any]:
    """trsv with A packed."""
    return {"x": np.linalg.solve(op(a.trans, triangle(a.uplo, a.AP, a.diag)), a.x)}


def tpsv_residual(a: Any, got: Any) -> float:
    """The backward error of the solution."""
    t = op(a.trans, triangle(a.uplo, a.AP, a.diag))
    return solve_residual(t, got["x"][:, None], a.x[:, None], a.eps)


CHECKS = (
    Handle(),
    Check("uplo in (LOWER, UPPER)", 1),
    Check("trans in (N, T, C)", 2),
    Check("diag in (NON_UNIT, UNIT)", 3),
    Check("n >= 0", 4),
)
DENSE_STEPS = (
    *CHECKS,
    Check("lda >= max(1, n)", 6),
    Check("incx != 0", 8),
    Quick("n == 0"),
    NotNull(("A", "x"), nvidia="crash"),
)
BAND_STEPS = (
    *CHECKS,
    Check("k >= 0", 5),
    Check("lda >= k + 1", 7),
    Check("incx != 0", 9),
    Quick("n == 0"),
    NotNull(("A", "x"), nvidia="crash"),
)
PACKED_STEPS = (*CHECKS, Check("incx != 0", 7), Quick("n == 0"), NotNull(("AP", "x"), nvidia="crash"))

X = Vec(n="n", inc="incx", dir=INOUT)
DENSE = Mat(rows="n", cols="n", ld="lda", part="uplo", unit="diag == UNIT")
PACKED = Mat(rows="n", cols="n", packed=True, part="uplo", unit="diag == UNIT")
BAND = Mat(
    rows="n",
    cols="n",
    ld="lda",
    part="uplo",
    unit="diag == UNIT",
    kl="k if uplo == LOWER else 0",
    ku="k if uplo == UPPER else 0",
)

BASE = {"uplo": "LOWER", "trans": "N", "diag": "NON_UNIT", "n": 7, "incx": 1}
GRID = {"uplo": ("LOWER", "UPPER"), "trans": ("N", "T", "C"), "diag": ("NON_UNIT", "UNIT")}
VARY = {"n": (0, 1, 2, 33, 130), "incx": (1, 2, -1, -3)}
SWEEP = Sweep(base=BASE, grid=GRID, vary=VARY)
BAND_SWEEP = Sweep(base={**BASE, "k": 2}, grid=GRID, vary={**VARY, "k": (0, 1, 3, 9)})
SOLVE_SWEEP = Sweep(base=BASE, grid=GRID, vary={"n": (0, 1, 2, 33), "incx": (1, 2, -1, -3)})
BAND_SOLVE_SWEEP = Sweep(
    base={**BASE, "k": 2}, grid=GRID, vary={"n": (0, 1, 2, 33), "incx": (1, 2, -1, -3), "k": (0, 1, 3, 9)}
)

TRMV = Row(
    symbols="cublas{T}trmv_v2{_64}",
    kind=DIRECT,
    T="SDCZ",
    xerbla="{T}TRMV",
    steps=DENSE_STEPS,
    paths=(Path(call="rocblas_{t}trmv"),),
    args={"A": DENSE, "x": X},
    oracle=trmv,
    compare=Componentwise(length="n"),
    sweep=SWEEP,
    source="cuBLAS 2.6.15; Reference BLAS xTRMV",
)
TRSV = Row(
    symbols="cublas{T}trsv_v2{_64}",
    kind=DIRECT,
    T="SDCZ",
    xerbla="{T}TRSV",
    steps=DENSE_STEPS,
    paths=(Path(call="rocblas_{t}trsv"),),
    args={"A": DENSE, "x": X},
    oracle=trsv,
    compare=Residual(fn=trsv_residual),
    sweep=SOLVE_SWEEP,
    source="cuBLAS 2.6.16; Reference BLAS xTRSV",
)

ROWS = (
    TRMV,
    TRSV,
    like(
        TRMV,
        symbols="cublas{T}tbmv_v2{_64}",
        xerbla="{T}TBMV",
        paths=(Path(call="rocblas_{t}tbmv"),),
        steps=BAND_STEPS,
        args={"A": BAND, "x": X},
        compare=Componentwise(length="k + 1"),
        sweep=BAND_SWEEP,
        source="cuBLAS 2.6.11; Reference BLAS xTBMV",
    ),
    like(
        TRSV,
        symbols="cublas{T}tbsv_v2{_64}",
        xerbla="{T}TBSV",
        paths=(Path(call="rocblas_{t}tbsv"),),
        steps=BAND_STEPS,
        args={"A": BAND, "x": X},
        sweep=BAND_SOLVE_SWEEP,
        source="cuBLAS 2.6.12; Reference BLAS xTBSV",
    ),
    like(
        TRMV,
        symbols="cublas{T}tpmv_v2{_64}",
        xerbla="{T}TPMV",
        paths=(Path(call="rocblas_{t}tpmv"),),
        steps=PACKED_STEPS,
        args={"AP": PACKED, "x": X},
        oracle=tpmv,
        source="cuBLAS 2.6.13; Reference BLAS xTPMV",
    ),
    like(
        TRSV,
        symbols="cublas{T}tpsv_v2{_64}",
        xerbla="{T}TPSV",
        paths=(Path(call="rocblas_{t}tpsv"),),
        steps=PACKED_STEPS,
        args={"AP": PACKED, "x": X},
        oracle=tpsv,
        compare=Residual(fn=tpsv_residual),
        source="cuBLAS 2.6.14; Reference BLAS xTPSV",
    ),
)
