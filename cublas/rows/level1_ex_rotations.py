"""Rotations with types as arguments: rot, rotg, rotm, rotmg.

The four BLAS types, and for rot half and bfloat16 vectors that are computed in single precision. A combination
that is not in the table is NOT_SUPPORTED, also where nothing is to be done. Nothing is printed. rocBLAS has rot in this
form; the others are the typed routines.
"""

from __future__ import annotations

from scale_x.cublas.rows._rotations import rot, rotg, rotg_error, rotm, rotm_error, rotmg, rotmg_error
from scale_x.cublas.rows._typed import HALF, INCREMENTS, PLAIN, SINGLE, SIZES, X_AND_Y
from scale_x.wrappers_gen.rows import (
    ADAPTED,
    INOUT,
    OUT,
    Check,
    Componentwise,
    Handle,
    NotNull,
    Path,
    Quick,
    Residual,
    Row,
    Scalar,
    Sweep,
)

TITLE = "Rotations with types as arguments"

ROWS = (
    Row(
        symbols="cublasRotEx{_64}",
        kind=ADAPTED,
        steps=(
            Check(
                f"xType == yType and (executiontype == xType and csType == xType and xType in {PLAIN}"
                " or executiontype == C_32F and csType == R_32F and xType == C_32F"
                " or executiontype == C_64F and csType == R_64F and xType == C_64F"
                f" or executiontype == R_32F and csType == xType and xType in {HALF})",
                status="NOT_SUPPORTED",
            ),
            Handle(),
            Quick("n <= 0"),
            NotNull(("x", "y", "c", "s"), nvidia="crash"),
        ),
        paths=(Path(call="rocblas_rot_ex"),),
        args={**X_AND_Y, "c": Scalar(T="csType"), "s": Scalar(T="csType")},
        oracle=rot,
        compare=Componentwise(),
        sweep=Sweep(
            base={**SINGLE, "csType": "R_32F", "executiontype": "R_32F", "c": 0.5, "s": 2.0},
            grid={
                "xType yType csType executiontype": (
                    ("R_32F", "R_32F", "R_32F", "R_32F"),
                    ("R_64F", "R_64F", "R_64F", "R_64F"),
                    ("C_32F", "C_32F", "C_32F", "C_32F"),
                    ("C_64F", "C_64F", "C_64F", "C_64F"),
                    ("C_32F", "C_32F", "R_32F", "C_32F"),
                    ("C_64F", "C_64F", "R_64F", "C_64F"),
                    ("R_16F", "R_16F", "R_16F", "R_32F"),
                    ("R_16BF", "R_16BF", "R_16BF", "R_32F"),
                    ("R_16F", "R_16F", "R_32F", "R_32F"),
                    ("R_32F", "R_32F", "R_64F", "R_64F"),
                )
            },
            vary={"n": SIZES, "incx": INCREMENTS, "incy": INCREMENTS, "c": (1.0, 0.0, -0.75), "s": (0.0, 1.0)},
        ),
        source="cuBLAS 2.8.23; Reference BLAS xROT, CSROT, LAPACK CROT",
    ),
    # For complex numbers nobody says whether c is real or complex where one type describes both c and s.
    Row(
        symbols="cublasRotgEx",
        kind=ADAPTED,
        steps=(
            Check(
                "abType == csType and abType == executiontype and abType in (R_32F, R_64F)",
                status="NOT_SUPPORTED",
            ),
            Handle(),
            NotNull(("a", "b", "c", "s"), nvidia="crash"),
        ),
        paths=(
            Path(call="rocblas_srotg", when="abType == R_32F"),
            Path(call="rocblas_drotg"),
        ),
        args={
            "a": Scalar(T="abType", dir=INOUT),
            "b": Scalar(T="abType", dir=INOUT),
            "c": Scalar(T="csType", dir=OUT),
            "s": Scalar(T="csType", dir=OUT),
        },
        oracle=rotg,
        compare=Residual(fn=rotg_error),
        sweep=Sweep(
            base={"abType": "R_32F", "csType": "R_32F", "executiontype": "R_32F", "a": 3.0, "b": 4.0},
            grid={
                "abType csType executiontype": (
                    ("R_32F", "R_32F", "R_32F"),
                    ("R_64F", "R_64F", "R_64F"),
                    ("R_32F", "R_64F", "R_64F"),
                    ("R_16F", "R_16F", "R_32F"),
                ),
                "a": (0.0, 3.0, -3.0, 1e15),
            },
            vary={"b": (0.0, -4.0, 1e-15)},
        ),
        differs={"R_16F": "has 16-bit types as well"},
        source="Reference BLAS xROTG",
    ),
    Row(
        symbols="cublasRotmEx{_64}",
        kind=ADAPTED,
        steps=(
            Check(
                "xType == yType and xType == paramType and xType == executiontype and xType in (R_32F, R_64F)",
                status="NOT_SUPPORTED",
            ),
            Handle(),
            Quick("n <= 0"),
            NotNull(("x", "y", "param"), nvidia="crash"),
        ),
        paths=(
            Path(call="rocblas_srotm", when="xType == R_32F"),
            Path(call="rocblas_drotm"),
        ),
        args={**X_AND_Y, "param": Scalar(T="paramType", count="5")},
        oracle=rotm,
        compare=Residual(fn=rotm_error),
        sweep=Sweep(
            base={**SINGLE, "paramType": "R_32F", "executiontype": "R_32F", "param": (-1.0, 2.0, 3.0, 5.0, 7.0)},
            grid={
                "xType yType paramType executiontype": (
                    ("R_32F", "R_32F", "R_32F", "R_32F"),
                    ("R_64F", "R_64F", "R_64F", "R_64F"),
                    ("R_32F", "R_32F", "R_64F", "R_64F"),
                    ("R_16F", "R_16F", "R_16F", "R_32F"),
                )
            },
            vary={
                "n": SIZES,
                "incx": INCREMENTS,
                "incy": INCREMENTS,
                "param": ((-2.0, 2.0, 3.0, 5.0, 7.0), (0.0, 2.0, 3.0, 5.0, 7.0), (1.0, 2.0, 3.0, 5.0, 7.0)),
            },
        ),
        differs={"R_16F": "has 16-bit types as well"},
        source="Reference BLAS xROTM",
    ),
    Row(
        symbols="cublasRotmgEx",
        kind=ADAPTED,
        steps=(
            Check(
                "d1Type == d2Type and d1Type == x1Type and d1Type == y1Type and d1Type == paramType"
                " and d1Type == executiontype and d1Type in (R_32F, R_64F)",
                status="NOT_SUPPORTED",
            ),
            Handle(),
            NotNull(("d1", "d2", "x1", "y1", "param"), nvidia="crash"),
        ),
        paths=(
            Path(call="rocblas_srotmg", when="d1Type == R_32F"),
            Path(call="rocblas_drotmg"),
        ),
        args={
            "d1": Scalar(T="d1Type", dir=INOUT),
            "d2": Scalar(T="d2Type", dir=INOUT),
            "x1": Scalar(T="x1Type", dir=INOUT),
            "y1": Scalar(T="y1Type"),
            "param": Scalar(T="paramType", dir=INOUT, count="5"),
        },
        oracle=rotmg,
        compare=Residual(fn=rotmg_error),
        sweep=Sweep(
            base={
                "d1Type": "R_32F",
                "d2Type": "R_32F",
                "x1Type": "R_32F",
                "y1Type": "R_32F",
                "paramType": "R_32F",
                "executiontype": "R_32F",
                "d1": 1.0,
                "d2": 2.0,
                "x1": 3.0,
                "y1": 4.0,
                "param": (-77.0, -77.0, -77.0, -77.0, -77.0),
            },
            grid={
                "d1Type d2Type x1Type y1Type paramType executiontype": (
                    ("R_32F", "R_32F", "R_32F", "R_32F", "R_32F", "R_32F"),
                    ("R_64F", "R_64F", "R_64F", "R_64F", "R_64F", "R_64F"),
                    ("R_32F", "R_32F", "R_32F", "R_64F", "R_32F", "R_32F"),
                ),
                "d1": (1.0, -1.0, 0.0, 1e-10, 1e10),
            },
            vary={"d2": (0.0, -2.0, 1e-10, 1e10), "y1": (0.0, -4.0), "x1": (0.0, -3.0)},
        ),
        source="Reference BLAS xROTMG",
    ),
)
