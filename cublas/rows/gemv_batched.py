"""gemvBatched and gemvStridedBatched: arrays of pointers, or one stride from matrix to matrix.

They are as silent and as lenient as gemv: an empty matrix returns before the handle is looked at, a batch below 0 is
EXECUTION_FAILED. In half precision the letters say the type of A and x, of the scalars, and of y: HSS is half in,
single scalars, single out; T is bfloat16.
"""

from __future__ import annotations

from typing import Any

from scale_x.cublas.rows._linalg import op, scaled
from scale_x.wrappers_gen.rows import (
    ADAPTED,
    INOUT,
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
    lazy,
)

np = lazy("numpy")

TITLE = "Batched gemv"


def gemv(a: Any) -> dict[str, Any]:
    """y := alpha op(A) x + beta y for every member of the batch; nothing for empty matrices."""
    if a.m <= 0 or a.n <= 0:
        return {"y": a.y}
    product = np.einsum("bij,bj->bi", op(a.trans, a.A), a.x)
    return {"y": scaled(a.alpha, product) + scaled(a.beta, a.y)}


def gemv_arrays(a: Any) -> dict[str, Any]:
    """The same for arrays of pointers."""
    if a.m <= 0 or a.n <= 0:
        return {"yarray": a.yarray}
    product = np.einsum("bij,bj->bi", op(a.trans, a.Aarray), a.xarray)
    return {"yarray": scaled(a.alpha, product) + scaled(a.beta, a.yarray)}


X_LENGTH, Y_LENGTH = "n if trans in (N, CONJ) else m", "m if trans in (N, CONJ) else n"
GEMV_CHECKS = (
    Quick("m <= 0 or n <= 0"),
    Handle(),
    Quick("batchCount == 0"),
    Check("trans in (N, T, C, CONJ)"),
    Check("lda >= max(1, m)"),
    Check("batchCount > 0", status="EXECUTION_FAILED"),
    NotNull(("alpha", "beta"), nvidia="crash"),
)
ARRAYS_STEPS = (*GEMV_CHECKS, NotNull(("Aarray", "xarray", "yarray")))
STRIDED_STEPS = (*GEMV_CHECKS, NotNull(("A", "x", "y")))
ARRAYS = {
    "alpha": Scalar(),
    "Aarray": Mat(rows="m", cols="n", ld="lda", batch="batchCount", array=True),
    "xarray": Vec(n=X_LENGTH, inc="incx", batch="batchCount", array=True),
    "beta": Scalar(),
    "yarray": Vec(n=Y_LENGTH, inc="incy", dir=INOUT, batch="batchCount", array=True),
}
STRIDED = {
    "alpha": Scalar(),
    "A": Mat(rows="m", cols="n", ld="lda", stride="strideA", batch="batchCount"),
    "x": Vec(n=X_LENGTH, inc="incx", stride="stridex", batch="batchCount"),
    "beta": Scalar(),
    "y": Vec(n=Y_LENGTH, inc="incy", dir=INOUT, stride="stridey", batch="batchCount"),
}
SINGLE = {"alpha": Scalar(T="S"), "beta": Scalar(T="S")}
SINGLE_ARRAY = Vec(n=Y_LENGTH, inc="incy", T="S", dir=INOUT, batch="batchCount", array=True)
SINGLE_STRIDED = Vec(n=Y_LENGTH, inc="incy", T="S", dir=INOUT, stride="stridey", batch="batchCount")

AS_N = "N if trans == CONJ else trans"
NO_ZERO = "incx != 0 and incy != 0"  # rocBLAS rejects increment 0; there is no other way for a batch
FORWARD = "trans == CONJ and incx > 0 and incy > 0"

GEMV_SWEEP = Sweep(
    base={
        "trans": "N",
        "m": 7,
        "n": 5,
        "incx": 1,
        "incy": 1,
        "alpha": 1.25 - 0.5j,
        "beta": -0.75 + 0.25j,
        "batchCount": 3,
    },
    grid={"trans": ("N", "T", "C", "CONJ")},
    vary={
        "m": (0, 1, 33),
        "n": (0, 1, 33),
        "incx": (2, -1),
        "incy": (2, -1),
        "alpha": (0.0, 1.0),
        "beta": (0.0, 1.0),
        "batchCount": (0, 1, 9),
    },
)
CONJ_FORWARD = Sweep(
    base=GEMV_SWEEP.base,
    grid={"trans incx incy": (("N", 1, 1), ("T", -2, 1), ("C", 1, -1), ("N", -1, 2), ("CONJ", 1, 1), ("CONJ", 2, 3))},
    vary={"m": (0, 1, 33), "n": (0, 1, 33), "alpha": (0.0, 1.0), "beta": (0.0, 1.0), "batchCount": (0, 1, 9)},
)

ROWS = (
    Row(
        symbols="cublas{T}gemvBatched{_64}",
        kind=ADAPTED,
        T="SD",
        steps=ARRAYS_STEPS,
        paths=(
            Path(
                call="rocblas_{t}gemv_batched",
                args={"A": "Aarray", "x": "xarray", "y": "yarray", "trans": AS_N},
                when=NO_ZERO,
            ),
        ),
        args=ARRAYS,
        oracle=gemv_arrays,
        compare=Componentwise(length=X_LENGTH),
        sweep=GEMV_SWEEP,
        source="cuBLAS 2.6.24",
    ),
    Row(
        symbols="cublas{T}gemvBatched{_64}",
        kind=ADAPTED,
        T="CZ",
        steps=ARRAYS_STEPS,
        paths=(
            Path(
                call="rocblas_{t}gemv_batched",
                args={"A": "Aarray", "x": "xarray", "y": "yarray", "trans": "trans"},
                when=f"trans != CONJ and {NO_ZERO}",
            ),
            # conj(A) x as the row x' A^H, a gemm
            Path(
                call="rocblas_{t}gemm_batched",
                when=FORWARD,
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
        ),
        args=ARRAYS,
        oracle=gemv_arrays,
        compare=Componentwise(length=X_LENGTH),
        sweep=CONJ_FORWARD,
        source="cuBLAS 2.6.24",
    ),
    Row(
        symbols="cublas{T}gemvBatched{_64}",
        kind=ADAPTED,
        T={"HSH": "H", "TST": "B"},
        steps=ARRAYS_STEPS,
        paths=(
            Path(
                call="rocblas_{t}gemv_batched",
                args={"A": "Aarray", "x": "xarray", "y": "yarray", "trans": AS_N},
                when=NO_ZERO,
            ),
        ),
        args={**ARRAYS, **SINGLE},
        oracle=gemv_arrays,
        compare=Componentwise(length=X_LENGTH),
        sweep=GEMV_SWEEP,
        source="cuBLAS 2.6.24",
    ),
    Row(
        symbols="cublas{T}gemvBatched{_64}",
        kind=ADAPTED,
        T={"HSS": "H", "TSS": "B"},
        steps=ARRAYS_STEPS,
        paths=(
            Path(
                call="rocblas_{t}gemv_batched",
                args={"A": "Aarray", "x": "xarray", "y": "yarray", "trans": AS_N},
                when=NO_ZERO,
            ),
        ),
        args={**ARRAYS, **SINGLE, "yarray": SINGLE_ARRAY},
        oracle=gemv_arrays,
        compare=Componentwise(length=X_LENGTH),
        sweep=GEMV_SWEEP,
        source="cuBLAS 2.6.24",
    ),
    Row(
        symbols="cublas{T}gemvStridedBatched{_64}",
        kind=ADAPTED,
        T="SD",
        steps=STRIDED_STEPS,
        paths=(Path(call="rocblas_{t}gemv_strided_batched", args={"transA": AS_N}, when=NO_ZERO),),
        args=STRIDED,
        oracle=gemv,
        compare=Componentwise(length=X_LENGTH),
        sweep=GEMV_SWEEP,
        source="cuBLAS 2.6.24",
    ),
    Row(
        symbols="cublas{T}gemvStridedBatched{_64}",
        kind=ADAPTED,
        T="CZ",
        steps=STRIDED_STEPS,
        paths=(
            Path(call="rocblas_{t}gemv_strided_batched", args={"transA": "trans"}, when=f"trans != CONJ and {NO_ZERO}"),
            # conj(A) x as the row x' A^H, a gemm
            Path(
                call="rocblas_{t}gemm_strided_batched",
                when=FORWARD,
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
        ),
        args=STRIDED,
        oracle=gemv,
        compare=Componentwise(length=X_LENGTH),
        sweep=CONJ_FORWARD,
        source="cuBLAS 2.6.24",
    ),
    Row(
        symbols="cublas{T}gemvStridedBatched{_64}",
        kind=ADAPTED,
        T={"HSH": "H", "TST": "B"},
        steps=STRIDED_STEPS,
        paths=(Path(call="rocblas_{t}gemv_strided_batched", args={"transA": AS_N}, when=NO_ZERO),),
        args={**STRIDED, **SINGLE},
        oracle=gemv,
        compare=Componentwise(length=X_LENGTH),
        sweep=GEMV_SWEEP,
        source="cuBLAS 2.6.24",
    ),
    Row(
        symbols="cublas{T}gemvStridedBatched{_64}",
        kind=ADAPTED,
        T={"HSS": "H", "TSS": "B"},
        steps=STRIDED_STEPS,
        paths=(Path(call="rocblas_{t}gemv_strided_batched", args={"transA": AS_N}, when=NO_ZERO),),
        args={**STRIDED, **SINGLE, "y": SINGLE_STRIDED},
        oracle=gemv,
        compare=Componentwise(length=X_LENGTH),
        sweep=GEMV_SWEEP,
        source="cuBLAS 2.6.24",
    ),
)
