"""symm, hemm, trmm, and trsm: one structured operand from the left or the right.

trmm has its own output, unlike the Reference BLAS. C = B is in place, with equal leading dimensions only: NVIDIA
checks nothing and computes garbage otherwise, here it is INVALID_VALUE.
"""

from __future__ import annotations

from scale_x.cublas.rows._level3 import hemm, symm, trmm, trsm, trsm_residual
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
)

TITLE = "Level 3: symm, hemm, trmm, trsm"


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
    NotNull(("A", "B"), unless="value(alpha) == 0", nvidia="crash", nvidia_unless=""),
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

TRMM_CHECKS = (*TRIANGULAR_CHECKS, Check("ldc >= max(1, m)", 13), Quick("m == 0 or n == 0"))
TRMM_ARGS: dict[str, Arg] = {
    "alpha": Scalar(),
    "A": TRIANGLE,
    "B": Mat(rows="m", cols="n", ld="ldb"),
    "C": Mat(rows="m", cols="n", ld="ldc", dir=OUT),
}
TRMM_SWEEP = Sweep(base=TRIANGULAR_BASE, grid=TRIANGULAR_GRID, vary={"m": SIZES, "n": SIZES, "alpha": FACTORS})

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
        T="SC",
        xerbla="{T}TRMM",
        steps=(*TRMM_CHECKS, NotNull(("alpha", "A", "B", "C"))),
        paths=(Path(call="rocblas_{t}trmm"),),
        args=TRMM_ARGS,
        oracle=trmm,
        compare=Componentwise(length=ORDER),
        sweep=TRMM_SWEEP,
        source="cuBLAS 2.7.10; Reference BLAS xTRMM",
    ),
    Row(
        symbols="cublas{T}trmm_v2{_64}",
        kind=DIRECT,
        T="DZ",
        xerbla="{T}TRMM",
        steps=(*TRMM_CHECKS, NotNull(("C",)), NotNull(("alpha", "A", "B"), nvidia="crash")),
        paths=(Path(call="rocblas_{t}trmm"),),
        args=TRMM_ARGS,
        oracle=trmm,
        compare=Componentwise(length=ORDER),
        sweep=TRMM_SWEEP,
        differs={"m=1048576": "refuses a leading dimension far below m without a message"},
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
            NotNull(("A",), unless="value(alpha) == 0", nvidia="crash", nvidia_unless=""),
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
