"""rot, rotg, rotm, rotmg: plane rotations, applied and made.

The rotations are made as the Reference BLAS makes them (before its 3.10 rewrite). Their scalars live where the pointer
mode says, results included.
"""

from __future__ import annotations

from scale_x.cublas.rows._rotations import (
    complex_rotg,
    complex_rotg_error,
    rot,
    rotg,
    rotg_error,
    rotm,
    rotm_error,
    rotmg,
    rotmg_error,
)
from scale_x.wrappers_gen.rows import (
    DIRECT,
    INOUT,
    OUT,
    Arg,
    Componentwise,
    Handle,
    NotNull,
    Path,
    Quick,
    Residual,
    Row,
    Scalar,
    Sweep,
    Vec,
)

TITLE = "Level 1: rot, rotg, rotm, rotmg"

INCREMENTS = (1, 2, -1, -3)
PAIR: dict[str, Arg] = {"x": Vec(n="n", inc="incx", dir=INOUT), "y": Vec(n="n", inc="incy", dir=INOUT)}
ROT_STEPS = (Handle(), Quick("n <= 0"), NotNull(("x", "y", "c", "s"), nvidia="crash"))
ROT_SWEEP = Sweep(
    base={"n": 17, "incx": 1, "incy": 1, "c": 0.5, "s": 2 - 0.25j},
    grid={"incx": INCREMENTS, "incy": INCREMENTS},
    vary={"n": (0, 1, 2, 1000), "c": (1.0, 0.0, -0.75), "s": (0.0, 1.0)},
)

ROWS = (
    Row(
        symbols="cublas{T}rot_v2{_64}",
        kind=DIRECT,
        T="SDCZ",
        steps=ROT_STEPS,
        paths=(Path(call="rocblas_{t}rot"),),
        args={**PAIR, "c": Scalar(T="R"), "s": Scalar()},
        oracle=rot,
        compare=Componentwise(),
        sweep=ROT_SWEEP,
        source="cuBLAS 2.5.8; Reference BLAS xROT, LAPACK CROT",
    ),
    Row(  # complex vectors, real sine
        symbols="cublas{T}rot_v2{_64}",
        kind=DIRECT,
        T={"Cs": "C", "Zd": "Z"},
        steps=ROT_STEPS,
        paths=(Path(call="rocblas_{t}rot"),),
        args={**PAIR, "c": Scalar(T="R"), "s": Scalar(T="R")},
        oracle=rot,
        compare=Componentwise(),
        sweep=Sweep(
            base={"n": 17, "incx": 1, "incy": 1, "c": 0.5, "s": 2.0},
            grid={"incx": INCREMENTS, "incy": INCREMENTS},
            vary={"n": (0, 1, 2, 1000), "c": (1.0, 0.0, -0.75), "s": (0.0, 1.0)},
        ),
        source="cuBLAS 2.5.8; Reference BLAS CSROT, ZDROT",
    ),
    Row(
        symbols="cublas{T}rotg_v2",
        kind=DIRECT,
        T="SD",
        steps=(Handle(), NotNull(("a", "b", "c", "s"), nvidia="crash")),
        paths=(Path(call="rocblas_{t}rotg"),),
        args={"a": Scalar(dir=INOUT), "b": Scalar(dir=INOUT), "c": Scalar(dir=OUT), "s": Scalar(dir=OUT)},
        oracle=rotg,
        compare=Residual(fn=rotg_error),
        sweep=Sweep(
            base={"a": 3.0, "b": 4.0},
            grid={"a": (0.0, 3.0, -3.0, 1e-15, 1e15), "b": (0.0, 4.0, -4.0, 1e-15, 1e15)},
        ),
        source="cuBLAS 2.5.9; Reference BLAS xROTG",
    ),
    Row(
        symbols="cublas{T}rotg_v2",
        kind=DIRECT,
        T="CZ",
        steps=(Handle(), NotNull(("a", "b", "c", "s"), nvidia="crash")),
        paths=(Path(call="rocblas_{t}rotg"),),
        args={"a": Scalar(dir=INOUT), "b": Scalar(), "c": Scalar(T="R", dir=OUT), "s": Scalar(dir=OUT)},
        oracle=complex_rotg,
        compare=Residual(fn=complex_rotg_error),
        sweep=Sweep(
            base={"a": 3 + 1j, "b": 4 - 2j},
            grid={"a": (0.0, 3.0, 3j, 1 + 1j, 1e20), "b": (0.0, 4.0, 2j, 2 - 1j, 1e20j)},
        ),
        source="cuBLAS 2.5.9; Reference BLAS CROTG",
    ),
    Row(
        symbols="cublas{T}rotm_v2{_64}",
        kind=DIRECT,
        T="SD",
        steps=(
            Handle(),
            Quick("n <= 0"),
            NotNull(("x", "y", "param"), nvidia="crash"),
            Quick("value(param) != -1 and value(param) != 0 and value(param) != 1"),
        ),
        paths=(Path(call="rocblas_{t}rotm"),),
        args={**PAIR, "param": Scalar(count="5")},
        oracle=rotm,
        compare=Residual(fn=rotm_error),
        sweep=Sweep(
            base={"n": 17, "incx": 1, "incy": 1, "param": (-1.0, 2.0, 3.0, 5.0, 7.0)},
            grid={"incx": INCREMENTS, "incy": INCREMENTS},
            vary={
                "n": (0, 1, 2, 1000),
                "param": (
                    (-2.0, 2.0, 3.0, 5.0, 7.0),
                    (0.0, 2.0, 3.0, 5.0, 7.0),
                    (1.0, 2.0, 3.0, 5.0, 7.0),
                ),
            },
        ),
        source="cuBLAS 2.5.10; Reference BLAS xROTM",
    ),
    Row(
        symbols="cublas{T}rotmg_v2",
        kind=DIRECT,
        T="SD",
        steps=(Handle(), NotNull(("d1", "d2", "x1", "y1", "param"), nvidia="crash")),
        paths=(Path(call="rocblas_{t}rotmg"),),
        args={
            "d1": Scalar(dir=INOUT),
            "d2": Scalar(dir=INOUT),
            "x1": Scalar(dir=INOUT),
            "y1": Scalar(),
            "param": Scalar(dir=INOUT, count="5"),
        },
        oracle=rotmg,
        compare=Residual(fn=rotmg_error),
        sweep=Sweep(
            base={"d1": 1.0, "d2": 2.0, "x1": 3.0, "y1": 4.0, "param": (-77.0, -77.0, -77.0, -77.0, -77.0)},
            grid={"d1": (1.0, -1.0, 0.0, 4.0, 1e-10, 1e10), "d2": (2.0, 0.0, -2.0, 1e-10, 1e10)},
            vary={"y1": (0.0, 1.0, -4.0), "x1": (0.0, -3.0)},
        ),
        source="cuBLAS 2.5.11; Reference BLAS xROTMG",
    ),
)
