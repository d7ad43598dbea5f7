"""A small page of rows that uses every feature of the emitter, over the real facts of cuBLAS and rocBLAS."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from scale_x.wrappers_gen.model import Model, Page
from scale_x.wrappers_gen.rows import (
    ADAPTED,
    DIRECT,
    INOUT,
    NATIVE,
    OUT,
    STUB,
    Check,
    Exact,
    Handle,
    Mat,
    NotNull,
    Path,
    Quick,
    Row,
    Scalar,
    SkipNull,
    Sweep,
    Vec,
)


def copied(a: Any) -> dict[str, Any]:
    """y := x."""
    return {"y": a.x}


GEMM = Row(
    symbols="cublas{T}gemm_v2{_64}",
    kind=DIRECT,
    T="S",
    xerbla="{T}GEMM",
    steps=(
        Handle(),
        Check("transa in (N, T, C)", 1),
        Check("transb in (N, T, C)", 2),
        Check("m >= 0", 3),
        Check("lda >= max(1, m if transa == N else k)", 8),
        Quick("m == 0 or n == 0"),
        NotNull(("alpha", "beta")),
        Quick("value(alpha) == 0 and value(beta) == 1"),
        NotNull(("A", "B"), unless="value(alpha) == 0 or k == 0"),
    ),
    paths=(Path(call="rocblas_{t}gemm"),),
    args={
        "alpha": Scalar(),
        "A": Mat(rows="m", cols="k", ld="lda"),
        "B": Mat(rows="k", cols="n", ld="ldb"),
        "beta": Scalar(),
        "C": Mat(rows="m", cols="n", ld="ldc", dir=INOUT),
    },
)
IAMAX = Row(
    symbols="cublasI{t}amax_v2{_64}",
    kind=DIRECT,
    T="S",
    steps=(Handle(), NotNull(("result",)), Quick("n <= 0 or incx <= 0", zero=("result",)), SkipNull(("x",))),
    paths=(Path(call="rocblas_i{t}amax", wide_result="result"),),
    args={"x": Vec(n="n", inc="incx"), "result": Scalar(T="I", dir=OUT)},
)
SCAL = Row(
    symbols="cublas{T}scal_v2",
    kind=ADAPTED,
    T="Z",
    steps=(Handle(), Check("abs(incx) * n < 1000000 if complex_type else n >= 0", status="NOT_SUPPORTED")),
    paths=(
        Path(call="rocblas_{t}scal", when="n > 100", since="6.2", archs=("gfx942",)),
        Path(call="rocblas_{t}scal", args={"n": "min(n, 5) + 1"}, when="n > 10"),
        Path(native="sx_{t}scal_rare"),
    ),
    args={"alpha": Scalar(), "x": Vec(n="n", inc="incx", dir=INOUT)},
)
COPY = Row(
    symbols="cublas{T}copy_v2",
    kind=DIRECT,
    T="S",
    steps=(Handle(), Quick("n <= 0")),
    paths=(Path(call="rocblas_{t}copy"),),
    args={"x": Vec(n="n", inc="incx"), "y": Vec(n="n", inc="incy", dir=OUT)},
    oracle=copied,
    compare=Exact(),
    sweep=Sweep(base={"n": 3, "incx": 1, "incy": 1}),
)
CREATE = Row(symbols="cublasCreate_v2", kind=NATIVE, native="sx_sample_create")
REFUSED = Row(symbols="cublasDestroy_v2", kind=STUB, why="the sample has no end")
ROWS = (GEMM, IAMAX, SCAL, COPY, CREATE, REFUSED)


@cache
def real() -> Model:
    """The model of the repository."""
    return Model.load()


def model_of(rows: Sequence[Row] = ROWS) -> Model:
    """The real facts of cuBLAS, and one page ``cublas/rows/sample.py`` with these rows, one on each line."""
    page = Page("cublas", "sample", "cublas/rows/sample.py", tuple(rows), tuple(range(1, len(rows) + 1)), "A sample")
    whole = real()
    kept = ("cublas", "cudart")
    types = {k: v for k, v in whole.types.items() if k in kept}
    return Model({k: whole.cuda[k] for k in kept}, whole.rocm, [page], types)


def changed(row: Row, **fields: Any) -> Model:
    """The model of one row with some fields changed."""
    return model_of([replace(row, **fields)])
