"""gemv, gbmv, ger: a general or band matrix times a vector, and the rank-1 update.

gemv is the odd one of level 2. It says nothing on stdout, returns before it looks at anything when the matrix is empty,
takes increment 0 and takes operation 3: conj(A), not transposed (A itself for a real type). The others do what the
Reference BLAS does.
"""

from __future__ import annotations

from typing import Any

from scale_x.cublas.rows._linalg import op, scaled
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
    Ops,
    Path,
    Quick,
    Row,
    Scalar,
    Sweep,
    Vec,
    lazy,
)

np = lazy("numpy")

TITLE = "Level 2: gemv, gbmv, ger"


def gemv(a: Any) -> dict[str, Any]:
    """y := alpha op(A) x + beta y; nothing at all for an empty matrix, not even y := beta y."""
    if a.m <= 0 or a.n <= 0:
        return {"y": a.y}
    return {"y": scaled(a.alpha, op(a.trans, a.A) @ a.x) + scaled(a.beta, a.y)}


def ger(a: Any) -> dict[str, Any]:
    """A := alpha x y' + A."""
    return {"A": scaled(a.alpha, np.outer(a.x, a.y)) + a.A}


def gerc(a: Any) -> dict[str, Any]:
    """A := alpha x conj(y)' + A."""
    return {"A": scaled(a.alpha, np.outer(a.x, a.y.conj())) + a.A}


GEMV_STEPS = (
    Quick("m <= 0 or n <= 0"),
    Handle(),
    Check("trans in (N, T, C, CONJ)"),
    Check("lda >= max(1, m)"),
    NotNull(("alpha", "beta"), nvidia="crash"),
    NotNull(("A", "x", "y")),
)
GEMV_ARGS: dict[str, Arg] = {
    "alpha": Scalar(),
    "A": Mat(rows="m", cols="n", ld="lda"),
    "x": Vec(n="n if trans in (N, CONJ) else m", inc="incx"),
    "beta": Scalar(),
    "y": Vec(n="m if trans in (N, CONJ) else n", inc="incy", dir=INOUT),
}
GEMV_VARY = {
    "m": (0, 1, 2, 33, 130),
    "n": (0, 1, 2, 33, 130),
    "incx": (1, 2, -1, -3),
    "incy": (1, 2, -1, -3),
    "alpha": (0.0, 1.0, -1.0),
    "beta": (0.0, 1.0, -1.0),
}
GEMV_BASE = {
    "trans": "N",
    "m": 7,
    "n": 5,
    "incx": 1,
    "incy": 1,
    "alpha": 1.25 - 0.5j,
    "beta": -0.75 + 0.25j,
}
NO_OPERATION = "for some shapes computes something, or reads too far, where the operation does not exist"
BACKWARDS = "answers NOT_SUPPORTED to conj(A) with a negative increment of x"
GER_STEPS = (
    Handle(),
    Check("m >= 0", 1),
    Check("n >= 0", 2),
    Check("incx != 0", 5),
    Check("incy != 0", 7),
    Check("lda >= max(1, m)", 9),
    Quick("m == 0 or n == 0"),
    NotNull(("alpha",)),
    NotNull(("x", "y"), unless="value(alpha) == 0", nvidia="crash"),
    NotNull(("A",), unless="value(alpha) == 0", nvidia="crash"),
)
GER_ARGS: dict[str, Arg] = {
    "alpha": Scalar(),
    "x": Vec(n="m", inc="incx"),
    "y": Vec(n="n", inc="incy"),
    "A": Mat(rows="m", cols="n", ld="lda", dir=INOUT),
}
GER_SWEEP = Sweep(
    base={"m": 7, "n": 5, "incx": 1, "incy": 1, "alpha": 1.25 - 0.5j},
    grid={"incx": (1, 2, -1), "incy": (1, 2, -1)},
    vary={"m": (0, 1, 2, 33, 130), "n": (0, 1, 2, 33, 130), "alpha": (0.0, 1.0)},
)

ROWS = (
    Row(
        symbols="cublas{T}gemv_v2{_64}",
        kind=ADAPTED,
        T="SD",
        steps=GEMV_STEPS,
        paths=(
            Path(
                call="rocblas_{t}gemv",
                args={"trans": "N if trans == CONJ else trans"},
                when="incx != 0 and incy != 0",
            ),
            # rocBLAS rejects increment 0
            Path(native="sx_gemv_rare", ops=Ops(allocations=2)),
        ),
        args=GEMV_ARGS,
        oracle=gemv,
        compare=Componentwise(length="n if trans in (N, CONJ) else m"),
        sweep=Sweep(base=GEMV_BASE, grid={"trans": ("N", "T", "C", "CONJ"), "incx": (1, 2, -1, 0)}, vary=GEMV_VARY),
        differs={"trans=99 or trans=-1": NO_OPERATION},
        source="cuBLAS 2.6.2; Reference BLAS xGEMV",
    ),
    Row(
        symbols="cublas{T}gemv_v2{_64}",
        kind=ADAPTED,
        T="CZ",
        steps=GEMV_STEPS,
        paths=(
            Path(call="rocblas_{t}gemv", when="trans != CONJ and incx != 0 and incy != 0"),
            # conj(A) x as the row x' A^H: a gemm whose result is a row of stride incy
            Path(
                call="rocblas_{t}gemm",
                when="trans == CONJ and incx > 0 and incy > 0",
                args={
                    "transA": "N",
                    "transB": "C",
                    "m": "1",
                    "n": "m",
                    "k": "n",
                    "A": "x",
                    "lda": "incx",
                    "B": "A",
                    "ldb": "lda",
                    "C": "y",
                    "ldc": "incy",
                },
            ),
            Path(native="sx_gemv_rare", ops=Ops(allocations=2)),
        ),
        args=GEMV_ARGS,
        oracle=gemv,
        compare=Componentwise(length="n if trans in (N, CONJ) else m"),
        sweep=Sweep(base=GEMV_BASE, grid={"trans": ("N", "T", "C", "CONJ"), "incx": (1, 2, -1, 0)}, vary=GEMV_VARY),
        differs={"trans=99 or trans=-1": NO_OPERATION, "trans=CONJ and incx=-": BACKWARDS},
        source="cuBLAS 2.6.2; Reference BLAS xGEMV",
    ),
    Row(
        symbols="cublas{T}gbmv_v2{_64}",
        kind=DIRECT,
        T="SDCZ",
        xerbla="{T}GBMV",
        steps=(
            Handle(),
            Check("trans in (N, T, C)", 1),
            Check("m >= 0", 2),
            Check("n >= 0", 3),
            Check("kl >= 0", 4),
            Check("ku >= 0", 5),
            Check("lda >= kl + ku + 1", 8),
            Check("incx != 0", 10),
            Check("incy != 0", 13),
            Quick("m == 0 or n == 0"),
            NotNull(("alpha", "A", "x", "beta", "y"), nvidia="crash"),
        ),
        paths=(Path(call="rocblas_{t}gbmv"),),
        args={**GEMV_ARGS, "A": Mat(rows="m", cols="n", ld="lda", kl="kl", ku="ku")},
        oracle=gemv,
        compare=Componentwise(length="kl + ku + 1"),
        sweep=Sweep(
            base={**GEMV_BASE, "kl": 2, "ku": 1},
            grid={"trans": ("N", "T", "C"), "kl": (0, 2), "ku": (0, 1, 3)},
            vary={**GEMV_VARY, "kl": (0, 1, 9), "ku": (0, 1, 9)},
        ),
        source="cuBLAS 2.6.1; Reference BLAS xGBMV",
    ),
    Row(
        symbols="cublas{T}ger_v2{_64}",
        kind=DIRECT,
        T="SD",
        xerbla="{T}GER",
        steps=GER_STEPS,
        paths=(Path(call="rocblas_{t}ger"),),
        args=GER_ARGS,
        oracle=ger,
        compare=Componentwise(),
        sweep=GER_SWEEP,
        source="cuBLAS 2.6.3; Reference BLAS xGER",
    ),
    Row(
        symbols="cublas{T}geru_v2{_64}",
        kind=DIRECT,
        T="CZ",
        xerbla="{T}GERU",
        steps=GER_STEPS,
        paths=(Path(call="rocblas_{t}geru"),),
        args=GER_ARGS,
        oracle=ger,
        compare=Componentwise(length="2"),
        sweep=GER_SWEEP,
        source="cuBLAS 2.6.3; Reference BLAS xGERU",
    ),
    Row(
        symbols="cublas{T}gerc_v2{_64}",
        kind=DIRECT,
        T="CZ",
        xerbla="{T}GERC",
        steps=GER_STEPS,
        paths=(Path(call="rocblas_{t}gerc"),),
        args=GER_ARGS,
        oracle=gerc,
        compare=Componentwise(length="2"),
        sweep=GER_SWEEP,
        source="cuBLAS 2.6.3; Reference BLAS xGERC",
    ),
)
