"""symm, hemm, trmm, and trsm: one structured operand from the left or the right.

trmm has its own output, unlike the Reference BLAS. C = B is in place, with equal leading dimensions only: NVIDIA
checks nothing and computes garbage otherwise, here it is INVALID_VALUE.
"""

from __future__ import annotations

from typing import Any

from scale_x.cublas.rows._linalg import hermitian, op, scaled, solve_residual, symmetric, triangle
from scale_x.wrappers_gen.rows import (
    DIRECT,
    INOUT,
    OUT,
    Arg,
    Check,
    Componentwise,
    Handle,
    Mat,
    NotNull,
    Path,
    Quick,
    Residual,
    Row,
    Scalar,
    Sweep,
    lazy,
)

np = lazy("numpy")

TITLE = "Level 3: symm, hemm, trmm, trsm"


def symm(a: Any) -> dict[str, Any]:
    """C := alpha A B + beta C, or B A from the right; A symmetric."""
    full = symmetric(a.uplo, a.A)
    product = full @ a.B if a.side == "LEFT" else a.B @ full
    return {"C": scaled(a.alpha, product) + scaled(a.beta, a.C)}


def hemm(a: Any) -> dict[str, Any]:
    """C := alpha A B + beta C, or B A from the right; A Hermitian."""
    full = hermitian(a.uplo, a.A)
    product = full @ a.B if a.side == "LEFT" else a.B @ full
    return {"C": scaled(a.alpha, product) + scaled(a.beta, a.C)}


def trmm(a: Any) -> dict[str, Any]:
    """C := alpha op(A) B, or B op(A) from the right; A triangular."""
    t = op(a.trans, triangle(a.uplo, a.A, a.diag))
    return {"C": scaled(a.alpha, t @ a.B if a.side == "LEFT" else a.B @ t)}


def trsm(a: Any) -> dict[str, Any]:
    """B := X with op(A) X = alpha B, or X op(A) = alpha B from the right; A triangular."""
    t = op(a.trans, triangle(a.uplo, a.A, a.diag))
    if a.side == "LEFT":
        return {"B": np.linalg.solve(t, scaled(a.alpha, a.B))}
    return {"B": np.linalg.solve(t.T, scaled(a.alpha, a.B).T).T}


def trsm_residual(a: Any, got: Any) -> float:
    """The backward error of the solution. alpha = 0 gives zeros, or NaN where NVIDIA reads a NaN of A all the same."""
    t = op(a.trans, triangle(a.uplo, a.A, a.diag))
    if a.alpha == 0 and np.isnan(t).any():
        return 0.0 if (np.isnan(got["B"]) | (got["B"] == 0)).all() else np.inf
    if a.side == "LEFT":
        return solve_residual(t, got["B"], scaled(a.alpha, a.B), a.eps)
    return solve_residual(t.T, got["B"].T, scaled(a.alpha, a.B).T, a.eps)


ORDER = "m if side == LEFT else n"  # of the structured operand
SYMM_STEPS = (
    Handle(),
    Check("side in (LEFT, RIGHT)", 1),
    Check("uplo in (LOWER, UPPER)", 2),
    Check("m >= 0", 3),
    Check("n >= 0", 4),
    Check("lda >= max(1, m if side == LEFT else n)", 7),
    Check("ldb >= max(1, m)", 9),
    Check("ldc >= max(1, m)", 12),
    Quick("m == 0 or n == 0"),
    NotNull(("alpha", "beta", "C")),
    NotNull(("A", "B"), unless="value(alpha) == 0", nvidia="crash"),
)
TRIANGULAR_CHECKS = (
    Handle(),
    Check("side in (LEFT, RIGHT)", 1),
    Check("uplo in (LOWER, UPPER)", 2),
    Check("trans in (N, T, C)", 3),
    Check("diag in (NON_UNIT, UNIT)", 4),
    Check("m >= 0", 5),
    Check("n >= 0", 6),
    Check("lda >= max(1, m if side == LEFT else n)", 9),
    Check("ldb >= max(1, m)", 11),
)

SYMM_ARGS: dict[str, Arg] = {
    "alpha": Scalar(),
    "A": Mat(rows=ORDER, cols=ORDER, ld="lda", part="uplo"),
    "B": Mat(rows="m", cols="n", ld="ldb"),
    "beta": Scalar(),
    "C": Mat(rows="m", cols="n", ld="ldc", dir=INOUT),
}
TRIANGLE = Mat(rows=ORDER, cols=ORDER, ld="lda", part="uplo", unit="diag == UNIT")

SIZES = (0, 1, 2, 33, 130)
FACTORS = (0.0, 1.0, -1.0)
SYMM_SWEEP = Sweep(
    base={"side": "LEFT", "uplo": "LOWER", "m": 7, "n": 5, "alpha": 1.25 - 0.5j, "beta": -0.75 + 0.25j},
    grid={"side": ("LEFT", "RIGHT"), "uplo": ("LOWER", "UPPER")},
    vary={"m": SIZES, "n": SIZES, "alpha": FACTORS, "beta": FACTORS},
)
TRIANGULAR_BASE = {
    "side": "LEFT",
    "uplo": "LOWER",
    "trans": "N",
    "diag": "NON_UNIT",
    "m": 7,
    "n": 5,
    "alpha": 1.25 - 0.5j,
}
TRIANGULAR_GRID = {
    "side": ("LEFT", "RIGHT"),
    "uplo": ("LOWER", "UPPER"),
    "trans": ("N", "T", "C"),
    "diag": ("NON_UNIT", "UNIT"),
}

ROWS = (
    Row(
        symbols="cublas{T}symm_v2{_64}",
        kind=DIRECT,
        T="SDCZ",
        xerbla="{T}SYMM",
        steps=SYMM_STEPS,
        paths=(Path(call="rocblas_{t}symm"),),
        args=SYMM_ARGS,
        oracle=symm,
        compare=Componentwise(length=ORDER),
        sweep=SYMM_SWEEP,
        source="cuBLAS 2.7.6; Reference BLAS xSYMM",
    ),
    Row(
        symbols="cublas{T}hemm_v2{_64}",
        kind=DIRECT,
        T="CZ",
        xerbla="{T}HEMM",
        steps=SYMM_STEPS,
        paths=(Path(call="rocblas_{t}hemm"),),
        args=SYMM_ARGS,
        oracle=hemm,
        compare=Componentwise(length=ORDER),
        sweep=SYMM_SWEEP,
        source="cuBLAS 2.7.13; Reference BLAS xHEMM",
    ),
    Row(
        symbols="cublas{T}trmm_v2{_64}",
        kind=DIRECT,
        T="SDCZ",
        xerbla="{T}TRMM",
        steps=(
            *TRIANGULAR_CHECKS,
            Check("ldc >= max(1, m)", 13),
            Quick("m == 0 or n == 0"),
            NotNull(("alpha", "C")),
            NotNull(("A", "B"), unless="value(alpha) == 0"),
        ),
        paths=(Path(call="rocblas_{t}trmm"),),
        args={
            "alpha": Scalar(),
            "A": TRIANGLE,
            "B": Mat(rows="m", cols="n", ld="ldb"),
            "C": Mat(rows="m", cols="n", ld="ldc", dir=OUT),
        },
        oracle=trmm,
        compare=Componentwise(length=ORDER),
        sweep=Sweep(base=TRIANGULAR_BASE, grid=TRIANGULAR_GRID, vary={"m": SIZES, "n": SIZES, "alpha": FACTORS}),
        source="cuBLAS 2.7.10; Reference BLAS xTRMM",
    ),
    Row(
        symbols="cublas{T}trsm_v2{_64}",
        kind=DIRECT,
        T="SDCZ",
        xerbla="{T}TRSM",
        steps=(
            *TRIANGULAR_CHECKS,
            Quick("m == 0 or n == 0"),
            NotNull(("alpha",)),
            NotNull(("B",), nvidia="crash"),
            NotNull(("A",), unless="value(alpha) == 0", nvidia="crash"),
        ),
        paths=(Path(call="rocblas_{t}trsm"),),
        args={"alpha": Scalar(), "A": TRIANGLE, "B": Mat(rows="m", cols="n", ld="ldb", dir=INOUT)},
        oracle=trsm,
        compare=Residual(fn=trsm_residual),
        sweep=Sweep(
            base=TRIANGULAR_BASE,
            grid=TRIANGULAR_GRID,
            vary={"m": (0, 1, 2, 33), "n": (0, 1, 2, 33), "alpha": FACTORS},
        ),
        source="cuBLAS 2.7.11; Reference BLAS xTRSM",
    ),
)
