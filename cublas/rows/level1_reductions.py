"""dot, nrm2, asum, iamax, iamin: one number from one or two vectors.

The number goes to the host or the device, as the handle's pointer mode says, and is always written: 0 for an empty
vector. nrm2, asum and the searches also call a vector empty when incx <= 0; dot walks negative increments backwards.
"""

from __future__ import annotations

from scale_x.cublas.rows._vectors import asum, dot, dotc, iamax, iamin, nrm2
from scale_x.wrappers_gen.rows import (
    DIRECT,
    OUT,
    Arg,
    Componentwise,
    Exact,
    Handle,
    NotNull,
    Ops,
    Path,
    Row,
    Scalar,
    Sweep,
    Vec,
)

TITLE = "Level 1: dot, nrm2, asum, iamax, iamin"

SIZES = (0, 1, 2, 17, 1000)
INCREMENTS = (1, 2, -1, -3)

DOT_STEPS = (
    Handle(),
    NotNull(("result",), unless="n <= 0", status="MAPPING_ERROR"),
    NotNull(("result",), nvidia="crash"),
    NotNull(("x", "y"), unless="n <= 0", nvidia="crash"),
)
DOT_ARGS: dict[str, Arg] = {"x": Vec(n="n", inc="incx"), "y": Vec(n="n", inc="incy"), "result": Scalar(dir=OUT)}
DOT_SWEEP = Sweep(
    base={"n": 17, "incx": 1, "incy": 1},
    grid={"incx": INCREMENTS, "incy": INCREMENTS},
    vary={"n": SIZES},
)
ONE_VECTOR_STEPS = (
    Handle(),
    NotNull(("result",)),
    NotNull(("x",), unless="n <= 0 or incx <= 0", nvidia="crash"),
)
ONE_VECTOR_SWEEP = Sweep(base={"n": 17, "incx": 1}, grid={"n": SIZES, "incx": (1, 3)}, vary={"incx": (1, 2, 0, -1)})

ROWS = (
    Row(
        symbols="cublas{T}dot_v2{_64}",
        kind=DIRECT,
        T="SD",
        steps=DOT_STEPS,
        paths=(Path(call="rocblas_{t}dot"),),
        args=DOT_ARGS,
        oracle=dot,
        compare=Componentwise(length="n"),
        sweep=DOT_SWEEP,
        source="cuBLAS 2.5.5; Reference BLAS xDOT",
    ),
    Row(
        symbols="cublas{T}dotu_v2{_64}",
        kind=DIRECT,
        T="CZ",
        steps=DOT_STEPS,
        paths=(Path(call="rocblas_{t}dotu"),),
        args=DOT_ARGS,
        oracle=dot,
        compare=Componentwise(length="n"),
        sweep=DOT_SWEEP,
        source="cuBLAS 2.5.5; Reference BLAS xDOTU",
    ),
    Row(
        symbols="cublas{T}dotc_v2{_64}",
        kind=DIRECT,
        T="CZ",
        steps=DOT_STEPS,
        paths=(Path(call="rocblas_{t}dotc"),),
        args=DOT_ARGS,
        oracle=dotc,
        compare=Componentwise(length="n"),
        sweep=DOT_SWEEP,
        source="cuBLAS 2.5.5; Reference BLAS xDOTC",
    ),
    # cuBLAS scales, so that 1e200 squared does not overflow; rocBLAS sums plain squares. With a host result the body
    # sees that they overflowed or vanished and scales; a device result is rocBLAS's.
    Row(
        symbols="cublas{T}nrm2_v2{_64}",
        kind=DIRECT,
        T={"S": "S", "D": "D", "Sc": "C", "Dz": "Z"},
        steps=ONE_VECTOR_STEPS,
        paths=(
            Path(native="sx_nrm2_host", when="host_mode", ops=Ops(allocations=1, copies=1)),
            Path(call="rocblas_{t}nrm2"),
        ),
        args={"x": Vec(n="n", inc="incx"), "result": Scalar(T="R", dir=OUT)},
        oracle=nrm2,
        compare=Componentwise(length="n"),
        sweep=ONE_VECTOR_SWEEP,
        source="cuBLAS 2.5.6; Reference BLAS xNRM2",
    ),
    Row(
        symbols="cublas{T}asum_v2{_64}",
        kind=DIRECT,
        T={"S": "S", "D": "D", "Sc": "C", "Dz": "Z"},
        steps=ONE_VECTOR_STEPS,
        paths=(Path(call="rocblas_{t}asum"),),
        args={"x": Vec(n="n", inc="incx"), "result": Scalar(T="R", dir=OUT)},
        oracle=asum,
        compare=Componentwise(length="n"),
        sweep=ONE_VECTOR_SWEEP,
        source="cuBLAS 2.5.3; Reference BLAS xASUM",
    ),
    # NVIDIA's searches pass over NaN wherever it stands; rocBLAS does so except where NaN opens a thread's share.
    Row(
        symbols="cublasI{t}amax_v2",
        kind=DIRECT,
        T="SDCZ",
        steps=ONE_VECTOR_STEPS,
        paths=(Path(call="rocblas_i{t}amax"),),
        args={"x": Vec(n="n", inc="incx"), "result": Scalar(T="I", dir=OUT)},
        oracle=iamax,
        compare=Exact(),
        sweep=ONE_VECTOR_SWEEP,
        source="cuBLAS 2.5.1; Reference BLAS IxAMAX",
    ),
    Row(
        symbols="cublasI{t}amax_v2_64",
        kind=DIRECT,
        T="SDCZ",
        steps=ONE_VECTOR_STEPS,
        paths=(
            Path(call="rocblas_i{t}amax", wide_result="result"),
            Path(native="sx_iamax_wide", ops=Ops(launches=1)),
        ),
        args={"x": Vec(n="n", inc="incx"), "result": Scalar(T="I", dir=OUT)},
        oracle=iamax,
        compare=Exact(),
        sweep=ONE_VECTOR_SWEEP,
        source="cuBLAS 2.5.1; Reference BLAS IxAMAX",
    ),
    Row(
        symbols="cublasI{t}amin_v2",
        kind=DIRECT,
        T="SDCZ",
        steps=ONE_VECTOR_STEPS,
        paths=(Path(call="rocblas_i{t}amin"),),
        args={"x": Vec(n="n", inc="incx"), "result": Scalar(T="I", dir=OUT)},
        oracle=iamin,
        compare=Exact(),
        sweep=ONE_VECTOR_SWEEP,
        source="cuBLAS 2.5.2 (amin)",
    ),
    Row(
        symbols="cublasI{t}amin_v2_64",
        kind=DIRECT,
        T="SDCZ",
        steps=ONE_VECTOR_STEPS,
        paths=(
            Path(call="rocblas_i{t}amin", wide_result="result"),
            Path(native="sx_iamin_wide", ops=Ops(launches=1)),
        ),
        args={"x": Vec(n="n", inc="incx"), "result": Scalar(T="I", dir=OUT)},
        oracle=iamin,
        compare=Exact(),
        sweep=ONE_VECTOR_SWEEP,
        source="cuBLAS 2.5.2 (amin)",
    ),
)
