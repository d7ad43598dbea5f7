"""gemv in batches: typed, and with half or bfloat16 matrices and vectors computed in single precision.

The order of checks is gemv's own: an empty matrix is nothing to do before even the handle is looked at, then an empty
batch before the arguments are. Operation 3 is conj(A), not transposed (A itself for a real type). Nothing is printed.
"""

from __future__ import annotations

from typing import Any

from scale_x.cublas.rows._linalg import op, scaled
from scale_x.wrappers_gen.rows import (
    ADAPTED,
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
    like,
)

np = lazy("numpy")

TITLE = "gemv: batched, strided batched"


def gemv(a: Any) -> dict[str, Any]:
    """y := alpha op(A) x + beta y for every member of a batch (first axis)."""
    if a.m <= 0 or a.n <= 0:
        return {"y": a.y}
    product = np.matmul(op(a.trans, a.A), a.x[..., None])[..., 0]
    return {"y": scaled(a.alpha, product) + scaled(a.beta, a.y)}


def gemv_array(a: Any) -> dict[str, Any]:
    """The same, given as arrays of pointers."""
    if a.m <= 0 or a.n <= 0:
        return {"yarray": a.yarray}
    product = np.matmul(op(a.trans, a.Aarray), a.xarray[..., None])[..., 0]
    return {"yarray": scaled(a.alpha, product) + scaled(a.beta, a.yarray)}


CHECKS = (
    Quick("m <= 0 or n <= 0"),
    Handle(nvidia="crash"),
    Quick("batchCount == 0"),
    Check("trans in (N, T, C, CONJ)"),
    Check("lda >= max(1, m)"),
    Check("batchCount > 0", status="EXECUTION_FAILED"),
    NotNull(("alpha", "beta"), nvidia="crash"),
)
STRIDED_STEPS = (*CHECKS, NotNull(("A", "x", "y"), nvidia="crash"))
ARRAY_STEPS = (*CHECKS, NotNull(("Aarray", "xarray", "yarray"), nvidia="crash"))
X_LENGTH, Y_LENGTH = "n if trans in (N, CONJ) else m", "m if trans in (N, CONJ) else n"

STRIDED_ARGS: dict[str, Arg] = {
    "alpha": Scalar(),
    "A": Mat(rows="m", cols="n", ld="lda", stride="strideA", batch="batchCount"),
    "x": Vec(n=X_LENGTH, inc="incx", stride="stridex", batch="batchCount"),
    "beta": Scalar(),
    "y": Vec(n=Y_LENGTH, inc="incy", dir=INOUT, stride="stridey", batch="batchCount"),
}
ARRAY_ARGS: dict[str, Arg] = {
    "alpha": Scalar(),
    "Aarray": Mat(rows="m", cols="n", ld="lda", batch="batchCount", array=True),
    "xarray": Vec(n=X_LENGTH, inc="incx", batch="batchCount", array=True),
    "beta": Scalar(),
    "yarray": Vec(n=Y_LENGTH, inc="incy", dir=INOUT, batch="batchCount", array=True),
}
# half or bfloat16, computed in single precision; y is of the same type or single
SCALARS: dict[str, Arg] = {"alpha": Scalar(T="S"), "beta": Scalar(T="S")}
HALF_STRIDED: dict[str, Arg] = {**STRIDED_ARGS, **SCALARS}
HALF_ARRAY: dict[str, Arg] = {**ARRAY_ARGS, **SCALARS}
WIDER_STRIDED: dict[str, Arg] = {
    **HALF_STRIDED,
    "y": Vec(T="S", n=Y_LENGTH, inc="incy", dir=INOUT, stride="stridey", batch="batchCount"),
}
WIDER_ARRAY: dict[str, Arg] = {
    **HALF_ARRAY,
    "yarray": Vec(T="S", n=Y_LENGTH, inc="incy", dir=INOUT, batch="batchCount", array=True),
}

SWEEP = Sweep(
    base={
        "trans": "N",
        "m": 7,
        "n": 5,
        "incx": 1,
        "incy": 1,
        "batchCount": 3,
        "alpha": 1.25 - 0.5j,
        "beta": -0.75 + 0.25j,
    },
    grid={"trans": ("N", "T", "C", "CONJ"), "incx incy": ((1, 1), (2, 1), (-1, 2), (0, 1), (1, 0), (1, -2))},
    vary={
        "m": (0, 1, 33),
        "n": (0, 1, 33),
        "batchCount": (0, 1, 2, 9),
        "alpha": (0.0, 1.0),
        "beta": (0.0, 1.0),
    },
)
LENGTH = Componentwise(length=X_LENGTH)
SOURCE = "cuBLAS 2.6.24, 2.6.25"
ARRAYS = {"A": "Aarray", "x": "xarray", "y": "yarray"}
FORWARD = "incx != 0 and incy != 0"
# rocBLAS rejects increment 0; one member at a time then, arrays of pointers read on the host
RARE = Path(native="sx_gemv_strided_rare", ops=Ops(allocations=18, copies=18))
RARE_ARRAY = Path(native="sx_gemv_array_rare", ops=Ops(allocations=18, copies=21, syncs=1))

NO_OPERATION = "for some shapes computes something, or faults the device, where the operation does not exist"
HUGE = "fails, or faults the device, for sizes beyond 32 bits, also where nothing is to be done"
DIFFERS = {"trans=99 or trans=-1": NO_OPERATION, "huge": HUGE}
COMPLEX_DIFFERS = {
    **DIFFERS,
    "trans=CONJ and (incx=- or incy=- or incy=0)": "answers NOT_SUPPORTED to conj(A) with such increments",
}

STRIDED = Row(
    symbols="cublas{T}gemvStridedBatched{_64}",
    kind=ADAPTED,
    T="SD",
    steps=STRIDED_STEPS,
    paths=(
        Path(
            call="rocblas_{t}gemv_strided_batched",
            when=FORWARD,
            args={"transA": "N if trans == CONJ else trans"},
        ),
        RARE,
    ),
    args=STRIDED_ARGS,
    oracle=gemv,
    compare=LENGTH,
    sweep=SWEEP,
    differs=DIFFERS,
    source=SOURCE,
)
ARRAY = Row(
    symbols="cublas{T}gemvBatched{_64}",
    kind=ADAPTED,
    T="SD",
    steps=ARRAY_STEPS,
    paths=(
        Path(
            call="rocblas_{t}gemv_batched",
            when=FORWARD,
            args={**ARRAYS, "trans": "N if trans == CONJ else trans"},
        ),
        RARE_ARRAY,
    ),
    args=ARRAY_ARGS,
    oracle=gemv_array,
    compare=LENGTH,
    sweep=SWEEP,
    differs=DIFFERS,
    source=SOURCE,
)

ROWS = (
    STRIDED,
    like(
        STRIDED,
        T="CZ",
        paths=(
            Path(
                call="rocblas_{t}gemv_strided_batched",
                when=f"trans != CONJ and {FORWARD}",
                args={"transA": "trans"},
            ),
            # conj(A) x as the row x' A^H: a gemm whose results are rows of stride incy
            Path(
                call="rocblas_{t}gemm_strided_batched",
                when="trans == CONJ and incx > 0 and incy > 0",
                args={
                    "transA": "N",
                    "transB": "C",
                    "m": "1",
                    "n": "m",
                    "k": "n",
                    "A": "x",
                    "lda": "incx",
                    "stride_a": "stridex",
                    "B": "A",
                    "ldb": "lda",
                    "stride_b": "strideA",
                    "C": "y",
                    "ldc": "incy",
                    "stride_c": "stridey",
                },
            ),
            RARE,
        ),
        differs=COMPLEX_DIFFERS,
    ),
    ARRAY,
    like(
        ARRAY,
        T="CZ",
        paths=(
            Path(call="rocblas_{t}gemv_batched", when=f"trans != CONJ and {FORWARD}", args=ARRAYS),
            Path(
                call="rocblas_{t}gemm_batched",
                when="trans == CONJ and incx > 0 and incy > 0",
                args={
                    "transA": "N",
                    "transB": "C",
                    "m": "1",
                    "n": "m",
                    "k": "n",
                    "A": "xarray",
                    "lda": "incx",
                    "B": "Aarray",
                    "ldb": "lda",
                    "C": "yarray",
                    "ldc": "incy",
                },
            ),
            RARE_ARRAY,
        ),
        differs=COMPLEX_DIFFERS,
    ),
    like(STRIDED, T={"HSH": "H", "TST": "B"}, args=HALF_STRIDED),
    like(STRIDED, T={"HSS": "H", "TSS": "B"}, args=WIDER_STRIDED),
    like(ARRAY, T={"HSH": "H", "TST": "B"}, args=HALF_ARRAY),
    like(ARRAY, T={"HSS": "H", "TSS": "B"}, args=WIDER_ARRAY),
)
