"""syr, her, spr, hpr, syr2, her2, spr2, hpr2: symmetric and Hermitian updates of rank 1 and 2.

Only one triangle is read and written, dense or packed. A Hermitian update makes the diagonal real, except when
alpha = 0, which does nothing at all.
"""

from __future__ import annotations

from typing import Any

from scale_x.cublas.rows._linalg import real_diagonal, scaled
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
    lazy,
)

np = lazy("numpy")

TITLE = "Level 2: symmetric and Hermitian updates"


def syr(a: Any) -> dict[str, Any]:
    """A := alpha x x' + A on one triangle."""
    return {"A": scaled(a.alpha, np.outer(a.x, a.x)) + a.A}


def her(a: Any) -> dict[str, Any]:
    """A := alpha x x^H + A on one triangle, real diagonal; nothing when alpha = 0."""
    return {"A": a.A if a.alpha == 0 else real_diagonal(a.alpha * np.outer(a.x, a.x.conj()) + a.A)}


def syr2(a: Any) -> dict[str, Any]:
    """A := alpha (x y' + y x') + A on one triangle."""
    product = np.outer(a.x, a.y)
    return {"A": scaled(a.alpha, product + product.T) + a.A}


def her2(a: Any) -> dict[str, Any]:
    """A := alpha x y^H + conj(alpha) y x^H + A on one triangle, real diagonal; nothing when alpha = 0."""
    product = a.alpha * np.outer(a.x, a.y.conj())
    return {"A": a.A if a.alpha == 0 else real_diagonal(product + product.conj().T + a.A)}


def spr(a: Any) -> dict[str, Any]:
    """syr with A packed."""
    return {"AP": scaled(a.alpha, np.outer(a.x, a.x)) + a.AP}


def hpr(a: Any) -> dict[str, Any]:
    """her with A packed."""
    return {"AP": a.AP if a.alpha == 0 else real_diagonal(a.alpha * np.outer(a.x, a.x.conj()) + a.AP)}


def spr2(a: Any) -> dict[str, Any]:
    """syr2 with A packed."""
    product = np.outer(a.x, a.y)
    return {"AP": scaled(a.alpha, product + product.T) + a.AP}


def hpr2(a: Any) -> dict[str, Any]:
    """her2 with A packed."""
    product = a.alpha * np.outer(a.x, a.y.conj())
    return {"AP": a.AP if a.alpha == 0 else real_diagonal(product + product.conj().T + a.AP)}


UPDATED = Mat(rows="n", cols="n", ld="lda", part="uplo", dir=INOUT)
PACKED_UPDATED = Mat(rows="n", cols="n", packed=True, part="uplo", dir=INOUT)
RANK1: dict[str, Arg] = {"alpha": Scalar(), "x": Vec(n="n", inc="incx")}
HERMITIAN_RANK1: dict[str, Arg] = {"alpha": Scalar(T="R"), "x": Vec(n="n", inc="incx")}
RANK2: dict[str, Arg] = {"alpha": Scalar(), "x": Vec(n="n", inc="incx"), "y": Vec(n="n", inc="incy")}
RANK1_CHECKS: tuple[Step, ...] = (
    Handle(),
    Check("uplo in (LOWER, UPPER)", 1),
    Check("n >= 0", 2),
    Check("incx != 0", 5),
)
RANK1_STEPS = (
    *RANK1_CHECKS,
    Check("lda >= max(1, n)", 7),
    Quick("n == 0"),
    NotNull(("alpha",)),
    NotNull(("x", "A"), unless="value(alpha) == 0", nvidia="crash"),
)
PACKED_RANK1_STEPS = (
    *RANK1_CHECKS,
    Quick("n == 0"),
    NotNull(("alpha",)),
    NotNull(("x", "AP"), unless="value(alpha) == 0", nvidia="crash"),
)
RANK2_STEPS = (
    *RANK1_CHECKS,
    Check("incy != 0", 7),
    Check("lda >= max(1, n)", 9),
    Quick("n == 0"),
    NotNull(("alpha",)),
    NotNull(("x", "y", "A"), unless="value(alpha) == 0", nvidia="crash"),
)
PACKED_RANK2_STEPS = (
    *RANK1_CHECKS,
    Check("incy != 0", 7),
    Quick("n == 0"),
    NotNull(("alpha",)),
    NotNull(("x", "y", "AP"), unless="value(alpha) == 0", nvidia="crash"),
)
INCREMENTS = (1, 2, -1, -3)
SIZES = (0, 1, 2, 33, 130)
TRIANGLES = ("LOWER", "UPPER")
RANK1_SWEEP = Sweep(
    base={"uplo": "LOWER", "n": 7, "incx": 1, "alpha": 1.25 - 0.5j},
    grid={"uplo": TRIANGLES, "incx": INCREMENTS},
    vary={"n": SIZES, "alpha": (0.0, 1.0, -1.0)},
)
RANK2_SWEEP = Sweep(
    base={"uplo": "LOWER", "n": 7, "incx": 1, "incy": 1, "alpha": 1.25 - 0.5j},
    grid={"uplo": TRIANGLES, "incx": (1, -2), "incy": (1, -1)},
    vary={"n": SIZES, "alpha": (0.0, 1.0, -1.0)},
)

ROWS = (
    Row(
        symbols="cublas{T}syr_v2{_64}",
        kind=DIRECT,
        T="SDCZ",
        xerbla="{T}SYR",
        steps=RANK1_STEPS,
        paths=(Path(call="rocblas_{t}syr"),),
        args={**RANK1, "A": UPDATED},
        oracle=syr,
        compare=Componentwise(length="2"),
        sweep=RANK1_SWEEP,
        source="cuBLAS 2.6.9; Reference BLAS xSYR",
    ),
    Row(
        symbols="cublas{T}her_v2{_64}",
        kind=DIRECT,
        T="CZ",
        xerbla="{T}HER",
        steps=RANK1_STEPS,
        paths=(Path(call="rocblas_{t}her"),),
        args={**HERMITIAN_RANK1, "A": UPDATED},
        oracle=her,
        compare=Componentwise(length="2"),
        sweep=RANK1_SWEEP,
        source="cuBLAS 2.6.20; Reference BLAS xHER",
    ),
    Row(
        symbols="cublas{T}spr_v2{_64}",
        kind=DIRECT,
        T="SD",
        xerbla="{T}SPR",
        steps=PACKED_RANK1_STEPS,
        paths=(Path(call="rocblas_{t}spr"),),
        args={**RANK1, "AP": PACKED_UPDATED},
        oracle=spr,
        compare=Componentwise(length="2"),
        sweep=RANK1_SWEEP,
        source="cuBLAS 2.6.6; Reference BLAS xSPR",
    ),
    Row(
        symbols="cublas{T}hpr_v2{_64}",
        kind=DIRECT,
        T="CZ",
        xerbla="{T}HPR",
        steps=PACKED_RANK1_STEPS,
        paths=(Path(call="rocblas_{t}hpr"),),
        args={**HERMITIAN_RANK1, "AP": PACKED_UPDATED},
        oracle=hpr,
        compare=Componentwise(length="2"),
        sweep=RANK1_SWEEP,
        source="cuBLAS 2.6.22; Reference BLAS xHPR",
    ),
    Row(
        symbols="cublas{T}syr2_v2{_64}",
        kind=DIRECT,
        T="SDCZ",
        xerbla="{T}SYR2",
        steps=RANK2_STEPS,
        paths=(Path(call="rocblas_{t}syr2"),),
        args={**RANK2, "A": UPDATED},
        oracle=syr2,
        compare=Componentwise(length="4"),
        sweep=RANK2_SWEEP,
        source="cuBLAS 2.6.10; Reference BLAS xSYR2",
    ),
    Row(
        symbols="cublas{T}her2_v2{_64}",
        kind=DIRECT,
        T="CZ",
        xerbla="{T}HER2",
        steps=RANK2_STEPS,
        paths=(Path(call="rocblas_{t}her2"),),
        args={**RANK2, "A": UPDATED},
        oracle=her2,
        compare=Componentwise(length="4"),
        sweep=RANK2_SWEEP,
        source="cuBLAS 2.6.21; Reference BLAS xHER2",
    ),
    Row(
        symbols="cublas{T}spr2_v2{_64}",
        kind=DIRECT,
        T="SD",
        xerbla="{T}SPR2",
        steps=PACKED_RANK2_STEPS,
        paths=(Path(call="rocblas_{t}spr2"),),
        args={**RANK2, "AP": PACKED_UPDATED},
        oracle=spr2,
        compare=Componentwise(length="4"),
        sweep=RANK2_SWEEP,
        source="cuBLAS 2.6.7; Reference BLAS xSPR2",
    ),
    Row(
        symbols="cublas{T}hpr2_v2{_64}",
        kind=DIRECT,
        T="CZ",
        xerbla="{T}HPR2",
        steps=PACKED_RANK2_STEPS,
        paths=(Path(call="rocblas_{t}hpr2"),),
        args={**RANK2, "AP": PACKED_UPDATED},
        oracle=hpr2,
        compare=Componentwise(length="4"),
        sweep=RANK2_SWEEP,
        source="cuBLAS 2.6.23; Reference BLAS xHPR2",
    ),
)
