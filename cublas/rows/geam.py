"""geam and dgmm: the matrix-matrix operations that the Reference BLAS lacks.

geam adds two matrices, either transposed. alpha or beta NULL counts as 0. C may be A or B when that operand is not
transposed and has C's leading dimension. dgmm scales rows or columns by a vector, whose increment may be 0 or negative.
"""

from __future__ import annotations

from typing import Any

from scale_x.cublas.rows._linalg import op, scaled
from scale_x.wrappers_gen.rows import (
    ADAPTED,
    DIRECT,
    OUT,
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
    Vec,
)

TITLE = "geam, dgmm"


def geam(a: Any) -> dict[str, Any]:
    """C := alpha op(A) + beta op(B); an operand whose factor is 0 is not read."""
    return {"C": scaled(a.alpha, op(a.transa, a.A)) + scaled(a.beta, op(a.transb, a.B))}


def dgmm(a: Any) -> dict[str, Any]:
    """C := diag(x) A from the left, A diag(x) from the right."""
    return {"C": a.x[:, None] * a.A if a.mode == "LEFT" else a.A * a.x[None, :]}


SIZES = (0, 1, 2, 33, 130)

ROWS = (
    Row(
        symbols="cublas{T}geam{_64}",
        kind=ADAPTED,
        T="SDCZ",
        xerbla="{T}GEAM",
        steps=(
            Handle(),
            Check("transa in (N, T, C)", 1),
            Check("transb in (N, T, C)", 2),
            Check("m >= 0", 3),
            Check("n >= 0", 4),
            Check("lda >= max(1, m if transa == N else n)", 7),
            Check("ldb >= max(1, m if transb == N else n)", 10),
            Check("ldc >= max(1, m)", 12),
            Quick("m == 0 or n == 0"),
            NotNull(("C",), nvidia="crash"),
            Check("not same(A, C) or transa == N and lda == ldc"),
            Check("not same(B, C) or transb == N and ldb == ldc"),
            NotNull(("A",), unless="null(alpha) or value(alpha) == 0", nvidia="crash"),
            NotNull(("B",), unless="null(beta) or value(beta) == 0", nvidia="crash"),
        ),
        paths=(
            Path(call="rocblas_{t}geam", when="not null(alpha) and not null(beta)"),
            # rocBLAS wants both scalars
            Path(native="sx_geam_null"),
        ),
        args={
            "alpha": Scalar(),
            "A": Mat(rows="m if transa == N else n", cols="n if transa == N else m", ld="lda"),
            "beta": Scalar(),
            "B": Mat(rows="m if transb == N else n", cols="n if transb == N else m", ld="ldb"),
            "C": Mat(rows="m", cols="n", ld="ldc", dir=OUT),
        },
        oracle=geam,
        compare=Componentwise(length="2"),
        sweep=Sweep(
            base={"transa": "N", "transb": "N", "m": 7, "n": 5, "alpha": 1.25 - 0.5j, "beta": -0.75 + 0.25j},
            grid={"transa": ("N", "T", "C"), "transb": ("N", "T", "C")},
            vary={"m": SIZES, "n": SIZES, "alpha": (0.0, 1.0), "beta": (0.0, 1.0)},
        ),
        source="cuBLAS 2.8.1",
    ),
    Row(
        symbols="cublas{T}dgmm{_64}",
        kind=DIRECT,
        T="SDCZ",
        xerbla="{T}DGMM",
        steps=(
            Handle(),
            Check("mode in (LEFT, RIGHT)", 1),
            Check("m >= 0", 2),
            Check("n >= 0", 3),
            Check("lda >= max(1, m)", 5),
            Check("ldc >= max(1, m)", 9),
            Quick("m == 0 or n == 0"),
            NotNull(("A", "x", "C"), nvidia="crash"),
        ),
        paths=(Path(call="rocblas_{t}dgmm"),),
        args={
            "A": Mat(rows="m", cols="n", ld="lda"),
            "x": Vec(n="m if mode == LEFT else n", inc="incx"),
            "C": Mat(rows="m", cols="n", ld="ldc", dir=OUT),
        },
        oracle=dgmm,
        compare=Componentwise(),
        sweep=Sweep(
            base={"mode": "LEFT", "m": 7, "n": 5, "incx": 1},
            grid={"mode": ("LEFT", "RIGHT"), "incx": (1, 2, 0, -1, -3)},
            vary={"m": SIZES, "n": SIZES},
        ),
        source="cuBLAS 2.8.2",
    ),
)
