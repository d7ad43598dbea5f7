"""axpy, copy, swap, scal: one pass over one or two vectors.

A negative increment walks the vector backwards from its last element, as in the Reference BLAS; increment 0 repeats one
element. Nothing is ever rejected but the handle: n <= 0 does nothing, and for scal so does incx <= 0.
"""

from __future__ import annotations

from scale_x.cublas.rows._vectors import axpy, copy, scal, swap
from scale_x.wrappers_gen.rows import (
    DIRECT,
    INOUT,
    OUT,
    Componentwise,
    Exact,
    Handle,
    NotNull,
    Path,
    Quick,
    Row,
    Scalar,
    Sweep,
    Vec,
)

TITLE = "Level 1: axpy, copy, swap, scal"

SIZES = (0, 1, 2, 17, 1000)
INCREMENTS = (1, 2, -1, -3)
FACTORS = (1.25 - 0.5j, 0.0, 1.0, -1.0)

ROWS = (
    Row(
        symbols="cublas{T}axpy_v2{_64}",
        kind=DIRECT,
        T="SDCZ",
        steps=(
            Handle(),
            Quick("n <= 0"),
            NotNull(("alpha",), nvidia="crash"),
            NotNull(("x", "y"), unless="value(alpha) == 0", nvidia="crash"),
        ),
        paths=(Path(call="rocblas_{t}axpy"),),
        args={"alpha": Scalar(), "x": Vec(n="n", inc="incx"), "y": Vec(n="n", inc="incy", dir=INOUT)},
        oracle=axpy,
        compare=Componentwise(),
        sweep=Sweep(
            base={"n": 17, "incx": 1, "incy": 1, "alpha": 1.25 - 0.5j},
            grid={"incx": INCREMENTS, "incy": INCREMENTS},
            vary={"n": SIZES, "alpha": FACTORS},
        ),
        source="cuBLAS 2.5.2; Reference BLAS xAXPY",
    ),
    Row(
        symbols="cublas{T}copy_v2{_64}",
        kind=DIRECT,
        T="SDCZ",
        steps=(Handle(), Quick("n <= 0"), NotNull(("x", "y"), nvidia="crash")),
        paths=(Path(call="rocblas_{t}copy"),),
        args={"x": Vec(n="n", inc="incx"), "y": Vec(n="n", inc="incy", dir=OUT)},
        oracle=copy,
        compare=Exact(),
        sweep=Sweep(
            base={"n": 17, "incx": 1, "incy": 1},
            grid={"incx": (*INCREMENTS, 0), "incy": INCREMENTS},
            vary={"n": SIZES},
        ),
        source="cuBLAS 2.5.4; Reference BLAS xCOPY",
    ),
    Row(
        symbols="cublas{T}swap_v2{_64}",
        kind=DIRECT,
        T="SDCZ",
        steps=(Handle(), Quick("n <= 0"), NotNull(("x", "y"), nvidia="crash")),
        paths=(Path(call="rocblas_{t}swap"),),
        args={"x": Vec(n="n", inc="incx", dir=INOUT), "y": Vec(n="n", inc="incy", dir=INOUT)},
        oracle=swap,
        compare=Exact(),
        sweep=Sweep(
            base={"n": 17, "incx": 1, "incy": 1},
            grid={"incx": INCREMENTS, "incy": INCREMENTS},
            vary={"n": SIZES},
        ),
        source="cuBLAS 2.5.13; Reference BLAS xSWAP",
    ),
    Row(
        symbols="cublas{T}scal_v2{_64}",
        kind=DIRECT,
        T="SDCZ",
        steps=(Handle(), Quick("n <= 0 or incx <= 0"), NotNull(("alpha", "x"), nvidia="crash")),
        paths=(Path(call="rocblas_{t}scal"),),
        args={"alpha": Scalar(), "x": Vec(n="n", inc="incx", dir=INOUT)},
        oracle=scal,
        compare=Componentwise(),
        sweep=Sweep(
            base={"n": 17, "incx": 1, "alpha": 1.25 - 0.5j},
            vary={"n": SIZES, "incx": (1, 3, 0, -1, -2), "alpha": FACTORS},
        ),
        source="cuBLAS 2.5.12; Reference BLAS xSCAL",
    ),
    Row(  # a complex vector times a real factor
        symbols="cublas{T}scal_v2{_64}",
        kind=DIRECT,
        T={"Cs": "C", "Zd": "Z"},
        steps=(Handle(), Quick("n <= 0 or incx <= 0"), NotNull(("alpha", "x"), nvidia="crash")),
        paths=(Path(call="rocblas_{t}scal"),),
        args={"alpha": Scalar(T="R"), "x": Vec(n="n", inc="incx", dir=INOUT)},
        oracle=scal,
        compare=Componentwise(),
        sweep=Sweep(
            base={"n": 17, "incx": 1, "alpha": 1.25},
            vary={"n": SIZES, "incx": (1, 3, 0, -1), "alpha": (1.25, 0.0, 1.0, -1.0)},
        ),
        source="cuBLAS 2.5.12; Reference BLAS CSSCAL, ZDSCAL",
    ),
)
