"""symv, hemv, sbmv, hbmv, spmv, hpmv: a symmetric or Hermitian matrix times a vector.

Only one triangle is read: dense, band or packed. A Hermitian diagonal is real: its imaginary parts are not read.
symv and hemv say nothing on stdout.
"""

from __future__ import annotations

from typing import Any

from scale_x.cublas.rows._linalg import hermitian, scaled, symmetric
from scale_x.wrappers_gen.rows import (
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
    Step,
    Sweep,
    Vec,
)

TITLE = "Level 2: symmetric and Hermitian products"


def symv(a: Any) -> dict[str, Any]:
    """y := alpha A x + beta y, A symmetric."""
    return {"y": scaled(a.alpha, symmetric(a.uplo, a.A) @ a.x) + scaled(a.beta, a.y)}


def hemv(a: Any) -> dict[str, Any]:
    """y := alpha A x + beta y, A Hermitian."""
    return {"y": scaled(a.alpha, hermitian(a.uplo, a.A) @ a.x) + scaled(a.beta, a.y)}


def spmv(a: Any) -> dict[str, Any]:
    """symv with A packed."""
    return {"y": scaled(a.alpha, symmetric(a.uplo, a.AP) @ a.x) + scaled(a.beta, a.y)}


def hpmv(a: Any) -> dict[str, Any]:
    """hemv with A packed."""
    return {"y": scaled(a.alpha, hermitian(a.uplo, a.AP) @ a.x) + scaled(a.beta, a.y)}


DENSE = Mat(rows="n", cols="n", ld="lda", part="uplo")
PACKED = Mat(rows="n", cols="n", packed=True, part="uplo")
BAND = Mat(rows="n", cols="n", ld="lda", part="uplo", kl="k if uplo == LOWER else 0", ku="k if uplo == UPPER else 0")
MV: dict[str, Arg] = {
    "alpha": Scalar(), "x": Vec(n="n", inc="incx"), "beta": Scalar(), "y": Vec(n="n", inc="incy", dir=INOUT),
}  # fmt: skip
MV_STEPS: tuple[Step, ...] = (
    Handle(),
    Check("uplo in (LOWER, UPPER)"),
    Check("n >= 0"),
    Check("lda >= n"),
    Check("incx != 0"),
    Check("incy != 0"),
    Quick("n == 0"),
    NotNull(("alpha", "A", "x", "beta", "y"), nvidia="crash"),
)
BAND_STEPS: tuple[Step, ...] = (
    Handle(),
    Check("uplo in (LOWER, UPPER)", 1),
    Check("n >= 0", 2),
    Check("k >= 0", 3),
    Check("lda >= k + 1", 6),
    Check("incx != 0", 8),
    Check("incy != 0", 11),
    Quick("n == 0"),
    NotNull(("alpha", "A", "x", "beta", "y"), nvidia="crash"),
)
PACKED_STEPS: tuple[Step, ...] = (
    Handle(),
    Check("uplo in (LOWER, UPPER)", 1),
    Check("n >= 0", 2),
    Check("incx != 0", 6),
    Check("incy != 0", 9),
    Quick("n == 0"),
    NotNull(("alpha", "AP", "x", "beta", "y"), nvidia="crash"),
)
ALPHA, BETA = 1.25 - 0.5j, -0.75 + 0.25j
INCREMENTS = (1, 2, -1, -3)
SIZES = (0, 1, 2, 33, 130)
TRIANGLES = ("LOWER", "UPPER")
MV_BASE = {"uplo": "LOWER", "n": 7, "incx": 1, "incy": 1, "alpha": ALPHA, "beta": BETA}
MV_VARY = {
    "n": SIZES,
    "incx": INCREMENTS,
    "incy": INCREMENTS,
    "alpha": (0.0, 1.0, -1.0),
    "beta": (0.0, 1.0, -1.0),
}
MV_SWEEP = Sweep(base=MV_BASE, grid={"uplo": TRIANGLES, "incx": (1, -2), "incy": (1, -1)}, vary=MV_VARY)
BAND_SWEEP = Sweep(
    base={**MV_BASE, "k": 2},
    grid={"uplo": TRIANGLES, "k": (0, 1, 2)},
    vary={**MV_VARY, "k": (0, 3, 9)},
)

ROWS = (
    Row(
        symbols="cublas{T}symv_v2{_64}",
        kind=DIRECT,
        T="SDCZ",
        steps=MV_STEPS,
        paths=(Path(call="rocblas_{t}symv"),),
        args={**MV, "A": DENSE},
        oracle=symv,
        compare=Componentwise(length="n"),
        sweep=MV_SWEEP,
        source="cuBLAS 2.6.8; Reference BLAS xSYMV",
    ),
    Row(
        symbols="cublas{T}hemv_v2{_64}",
        kind=DIRECT,
        T="CZ",
        steps=MV_STEPS,
        paths=(Path(call="rocblas_{t}hemv"),),
        args={**MV, "A": DENSE},
        oracle=hemv,
        compare=Componentwise(length="n"),
        sweep=MV_SWEEP,
        source="cuBLAS 2.6.17; Reference BLAS xHEMV",
    ),
    Row(
        symbols="cublas{T}sbmv_v2{_64}",
        kind=DIRECT,
        T="SD",
        xerbla="{T}SBMV",
        steps=BAND_STEPS,
        paths=(Path(call="rocblas_{t}sbmv"),),
        args={**MV, "A": BAND},
        oracle=symv,
        compare=Componentwise(length="2 * k + 1"),
        sweep=BAND_SWEEP,
        source="cuBLAS 2.6.4; Reference BLAS xSBMV",
    ),
    Row(
        symbols="cublas{T}hbmv_v2{_64}",
        kind=DIRECT,
        T="CZ",
        xerbla="{T}HBMV",
        steps=BAND_STEPS,
        paths=(Path(call="rocblas_{t}hbmv"),),
        args={**MV, "A": BAND},
        oracle=hemv,
        compare=Componentwise(length="2 * k + 1"),
        sweep=BAND_SWEEP,
        source="cuBLAS 2.6.18; Reference BLAS xHBMV",
    ),
    Row(
        symbols="cublas{T}spmv_v2{_64}",
        kind=DIRECT,
        T="SD",
        xerbla="{T}SPMV",
        steps=PACKED_STEPS,
        paths=(Path(call="rocblas_{t}spmv"),),
        args={**MV, "AP": PACKED},
        oracle=spmv,
        compare=Componentwise(length="n"),
        sweep=MV_SWEEP,
        source="cuBLAS 2.6.5; Reference BLAS xSPMV",
    ),
    Row(
        symbols="cublas{T}hpmv_v2{_64}",
        kind=DIRECT,
        T="CZ",
        xerbla="{T}HPMV",
        steps=PACKED_STEPS,
        paths=(Path(call="rocblas_{t}hpmv"),),
        args={**MV, "AP": PACKED},
        oracle=hpmv,
        compare=Componentwise(length="n"),
        sweep=MV_SWEEP,
        source="cuBLAS 2.6.19; Reference BLAS xHPMV",
    ),
)
