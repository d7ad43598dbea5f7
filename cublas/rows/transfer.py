"""Set/GetVector and Set/GetMatrix: copies between host and device that carry no handle.

Element sizes are free, so the cases say four bytes and copy 32-bit words. A vector's elements stand ``inc`` apart, a
matrix's columns ``ld``; what lies between is not touched.
"""

from __future__ import annotations

from typing import Any

from scale_x.wrappers_gen.rows import INOUT, NATIVE, Buf, Check, Exact, NotNull, Ops, Path, Provider, Quick, Row, Sweep

TITLE = "Copies between host and device vectors and matrices"


def _vector(a: Any, source: Any, target: Any) -> Any:
    result = target.copy()
    result[: a.n * a.incy : a.incy] = source[: a.n * a.incx : a.incx]
    return result


def _matrix(a: Any) -> dict[str, Any]:
    """Columns of A to columns of B."""
    result = a.B.copy()
    for j in range(a.cols):
        result[j * a.ldb : j * a.ldb + a.rows] = a.A[j * a.lda : j * a.lda + a.rows]
    return {"B": result}


def set_vector(a: Any) -> dict[str, Any]:
    """Elements of x to elements of the device vector."""
    return {"devicePtr": _vector(a, a.x, a.devicePtr)}


def set_vector_async(a: Any) -> dict[str, Any]:
    """Elements of the host vector to elements of the device vector."""
    return {"devicePtr": _vector(a, a.hostPtr, a.devicePtr)}


def get_vector(a: Any) -> dict[str, Any]:
    """Elements of the device vector x to elements of y."""
    return {"y": _vector(a, a.x, a.y)}


def get_vector_async(a: Any) -> dict[str, Any]:
    """Elements of the device vector to elements of the host vector."""
    return {"hostPtr": _vector(a, a.devicePtr, a.hostPtr)}


_VECTOR_STEPS = (Check("elemSize > 0"), Check("incx > 0"), Check("incy > 0"), Quick("n == 0"),
                 Check("n > 0", status="MAPPING_ERROR", nvidia="crash"))  # fmt: skip
_MATRIX_STEPS = (
    Check("rows >= 0"),
    Check("cols >= 0"),
    Check("elemSize > 0"),
    Check("lda > 0"),
    Check("ldb > 0"),
    Quick("rows == 0 or cols == 0"),
    NotNull(("A", "B"), status="MAPPING_ERROR"),
    Check("lda >= rows", status="MAPPING_ERROR"),
    Check("ldb >= rows", status="MAPPING_ERROR"),
)
_VECTORS = Sweep(base={"n": 5, "elemSize": 4, "incx": 1, "incy": 1},
                 grid={"incx": (1, 2, 3), "incy": (1, 2, 3)}, vary={"n": (0, 1, 5, 1000)})  # fmt: skip
_MATRICES = Sweep(base={"rows": 3, "cols": 4, "elemSize": 4, "lda": 3, "ldb": 3},
                  grid={"lda": (3, 7), "ldb": (3, 5)}, vary={"rows": (0, 1, 3), "cols": (0, 1, 9)})  # fmt: skip
_WHY = "a copy by HIP, pitched where elements or columns do not lie side by side"


ROWS = (
    Row(
        symbols="cublasSetVector{_64}",
        kind=NATIVE,
        why=_WHY,
        steps=(*_VECTOR_STEPS, NotNull(("x", "devicePtr"), status="MAPPING_ERROR"), Provider()),
        paths=(Path(native="sx_set_vector", ops=Ops(copies=1)),),
        args={"x": Buf(count="n * incx", T="I", host=True), "devicePtr": Buf(count="n * incy", T="I", dir=INOUT)},
        oracle=set_vector,
        compare=Exact(),
        sweep=_VECTORS,
        source="cuBLAS 2.4.9",
    ),
    Row(
        symbols="cublasGetVector{_64}",
        kind=NATIVE,
        why=_WHY,
        steps=(*_VECTOR_STEPS, NotNull(("x", "y"), status="MAPPING_ERROR"), Provider()),
        paths=(Path(native="sx_get_vector", ops=Ops(copies=1)),),
        args={"x": Buf(count="n * incx", T="I"), "y": Buf(count="n * incy", T="I", dir=INOUT, host=True)},
        oracle=get_vector,
        compare=Exact(),
        sweep=_VECTORS,
        source="cuBLAS 2.4.10",
    ),
    Row(
        symbols="cublasSetVectorAsync{_64}",
        kind=NATIVE,
        why=_WHY,
        steps=(*_VECTOR_STEPS, NotNull(("hostPtr", "devicePtr"), status="MAPPING_ERROR"), Provider()),
        paths=(Path(native="sx_set_vector_async", ops=Ops(copies=1)),),
        args={"hostPtr": Buf(count="n * incx", T="I", host=True), "devicePtr": Buf(count="n * incy", T="I", dir=INOUT)},
        oracle=set_vector_async,
        compare=Exact(),
        sweep=_VECTORS,
        source="cuBLAS 2.4.13",
    ),
    Row(
        symbols="cublasGetVectorAsync{_64}",
        kind=NATIVE,
        why=_WHY,
        steps=(*_VECTOR_STEPS, NotNull(("devicePtr", "hostPtr"), status="MAPPING_ERROR"), Provider()),
        paths=(Path(native="sx_get_vector_async", ops=Ops(copies=1)),),
        args={"devicePtr": Buf(count="n * incx", T="I"), "hostPtr": Buf(count="n * incy", T="I", dir=INOUT, host=True)},
        oracle=get_vector_async,
        compare=Exact(),
        sweep=_VECTORS,
        source="cuBLAS 2.4.14",
    ),
    Row(
        symbols="cublasSetMatrix{_64}",
        kind=NATIVE,
        why=_WHY,
        steps=(*_MATRIX_STEPS, Provider()),
        paths=(Path(native="sx_set_matrix", ops=Ops(copies=1)),),
        args={"A": Buf(count="lda * cols", T="I", host=True), "B": Buf(count="ldb * cols", T="I", dir=INOUT)},
        oracle=_matrix,
        compare=Exact(),
        sweep=_MATRICES,
        source="cuBLAS 2.4.11",
    ),
    Row(
        symbols="cublasGetMatrix{_64}",
        kind=NATIVE,
        why=_WHY,
        steps=(*_MATRIX_STEPS, Provider()),
        paths=(Path(native="sx_get_matrix", ops=Ops(copies=1)),),
        args={"A": Buf(count="lda * cols", T="I"), "B": Buf(count="ldb * cols", T="I", dir=INOUT, host=True)},
        oracle=_matrix,
        compare=Exact(),
        sweep=_MATRICES,
        source="cuBLAS 2.4.12",
    ),
    Row(
        symbols="cublasSetMatrixAsync{_64}",
        kind=NATIVE,
        why=_WHY + "; as on NVIDIA, an error that waits for cudaGetLastError is answered once",
        steps=(*_MATRIX_STEPS, Provider()),
        paths=(Path(native="sx_set_matrix_async", ops=Ops(copies=1)),),
        args={"A": Buf(count="lda * cols", T="I", host=True), "B": Buf(count="ldb * cols", T="I", dir=INOUT)},
        oracle=_matrix,
        compare=Exact(),
        sweep=_MATRICES,
        source="cuBLAS 2.4.15",
    ),
    Row(
        symbols="cublasGetMatrixAsync{_64}",
        kind=NATIVE,
        why=_WHY + "; as on NVIDIA, an error that waits for cudaGetLastError is answered once",
        steps=(*_MATRIX_STEPS, Provider()),
        paths=(Path(native="sx_get_matrix_async", ops=Ops(copies=1)),),
        args={"A": Buf(count="lda * cols", T="I"), "B": Buf(count="ldb * cols", T="I", dir=INOUT, host=True)},
        oracle=_matrix,
        compare=Exact(),
        sweep=_MATRICES,
        source="cuBLAS 2.4.16",
    ),
)
