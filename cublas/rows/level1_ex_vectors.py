"""ScalEx, AxpyEx, RotEx, CopyEx, SwapEx: vector updates with types as arguments.

All vectors have one type. 16-bit vectors are computed in single precision, with single factors for scal and axpy.
rocBLAS has no untyped copy and swap: those take its typed functions, and the 16-bit types are missing there.
"""

from __future__ import annotations

from scale_x.cublas.rows.level1_rotations import rot
from scale_x.cublas.rows.level1_vectors import axpy, copy, scal, swap
from scale_x.wrappers_gen.rows import (
    ADAPTED,
    DIRECT,
    INOUT,
    OUT,
    Check,
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

TITLE = "Level 1 with types as arguments: axpy, scal, rot, copy, swap"

KNOWN = "(R_16F, C_16F, R_16BF, C_16BF, R_32F, C_32F, R_64F, C_64F, R_8I, C_8I, R_8U, C_8U, R_32I, C_32I, R_32U, C_32U)"
SCAL_TYPES = Check(
    "(xType in (R_32F, R_64F, C_32F, C_64F) and alphaType == xType and executionType == xType)"
    " or (xType in (R_16F, R_16BF) and alphaType == R_32F and executionType == R_32F)",
    status="NOT_SUPPORTED",
)
AXPY_TYPES = Check(
    "yType == xType and"
    " (xType in (R_32F, R_64F, C_32F, C_64F) and alphaType == xType and executiontype == xType"
    " or xType in (R_16F, R_16BF) and alphaType == R_32F and executiontype == R_32F)",
    status="NOT_SUPPORTED",
)
ROT_TYPES = Check(
    "yType == xType and"
    " (xType in (R_32F, R_64F) and csType == xType and executiontype == xType"
    " or xType in (R_16F, R_16BF) and csType == xType and executiontype == R_32F"
    " or xType == C_32F and csType in (R_32F, C_32F) and executiontype == C_32F"
    " or xType == C_64F and csType in (R_64F, C_64F) and executiontype == C_64F)",
    status="NOT_SUPPORTED",
)
ONE_TYPE = Check("xType in (R_16F, R_16BF, R_32F, R_64F, C_32F, C_64F)", status="NOT_SUPPORTED")
SAME_TYPE = Check("yType == xType", status="NOT_SUPPORTED")
X = Vec(n="n", inc="incx", T="xType")
X_CHANGED = Vec(n="n", inc="incx", T="xType", dir=INOUT)
Y_CHANGED = Vec(n="n", inc="incy", T="yType", dir=INOUT)
SIZES = (0, 1, 2, 17, 1000)

ROWS = (
    Row(
        symbols="cublasScalEx{_64}",
        kind=DIRECT,
        steps=(
            Handle(),
            Check(f"alphaType in {KNOWN}"),
            Check(f"xType in {KNOWN}"),
            Check(f"executionType in {KNOWN}"),
            SCAL_TYPES,
            Quick("n <= 0 or incx <= 0"),
            NotNull(("alpha", "x"), nvidia="crash"),
        ),
        paths=(Path(call="rocblas_scal_ex"),),
        args={"alpha": Scalar(T="alphaType"), "x": X_CHANGED},
        oracle=scal,
        compare=Componentwise(),
        sweep=Sweep(
            base={"n": 17, "incx": 1, "alpha": 2.0, "alphaType": "R_32F", "xType": "R_32F", "executionType": "R_32F"},
            grid={
                "alphaType xType executionType": (
                    ("R_32F", "R_32F", "R_32F"),
                    ("R_64F", "R_64F", "R_64F"),
                    ("C_32F", "C_32F", "C_32F"),
                    ("C_64F", "C_64F", "C_64F"),
                    ("R_32F", "R_16F", "R_32F"),
                    ("R_32F", "R_16BF", "R_32F"),
                )
            },
            vary={"n": SIZES, "incx": (1, 3, 0, -1)},
        ),
        source="cuBLAS 2.8.21",
    ),
    Row(
        symbols="cublasAxpyEx{_64}",
        kind=DIRECT,
        steps=(
            Handle(),
            Check(f"alphaType in {KNOWN}"),
            Check(f"xType in {KNOWN}"),
            Check(f"yType in {KNOWN}"),
            Check(f"executiontype in {KNOWN}"),
            AXPY_TYPES,
            Quick("n <= 0"),
            NotNull(("alpha", "x", "y"), nvidia="crash"),
        ),
        paths=(Path(call="rocblas_axpy_ex"),),
        args={"alpha": Scalar(T="alphaType"), "x": X, "y": Y_CHANGED},
        oracle=axpy,
        compare=Componentwise(),
        sweep=Sweep(
            base={
                "n": 17,
                "incx": 1,
                "incy": 1,
                "alpha": 2.0,
                "alphaType": "R_32F",
                "xType": "R_32F",
                "yType": "R_32F",
                "executiontype": "R_32F",
            },
            grid={
                "alphaType xType yType executiontype": (
                    ("R_32F", "R_32F", "R_32F", "R_32F"),
                    ("R_64F", "R_64F", "R_64F", "R_64F"),
                    ("C_32F", "C_32F", "C_32F", "C_32F"),
                    ("C_64F", "C_64F", "C_64F", "C_64F"),
                    ("R_32F", "R_16F", "R_16F", "R_32F"),
                    ("R_32F", "R_16BF", "R_16BF", "R_32F"),
                )
            },
            vary={"n": SIZES, "incx": (1, 2, -1, -3), "incy": (1, 2, -1, -3)},
        ),
        source="cuBLAS 2.8.20",
    ),
    Row(
        symbols="cublasRotEx{_64}",
        kind=DIRECT,
        steps=(
            Handle(),
            ROT_TYPES,
            Quick("n <= 0"),
            NotNull(("x", "y", "c", "s"), nvidia="crash"),
        ),
        paths=(Path(call="rocblas_rot_ex"),),
        args={"x": X_CHANGED, "y": Y_CHANGED, "c": Scalar(T="csType"), "s": Scalar(T="csType")},
        oracle=rot,
        compare=Componentwise(),
        sweep=Sweep(
            base={
                "n": 17,
                "incx": 1,
                "incy": 1,
                "c": 0.5,
                "s": 2.0,
                "xType": "R_32F",
                "yType": "R_32F",
                "csType": "R_32F",
                "executiontype": "R_32F",
            },
            grid={
                "xType yType csType executiontype": (
                    ("R_32F", "R_32F", "R_32F", "R_32F"),
                    ("R_64F", "R_64F", "R_64F", "R_64F"),
                    ("C_32F", "C_32F", "C_32F", "C_32F"),
                    ("C_64F", "C_64F", "C_64F", "C_64F"),
                    ("R_16F", "R_16F", "R_16F", "R_32F"),
                    ("R_16BF", "R_16BF", "R_16BF", "R_32F"),
                    ("C_32F", "C_32F", "R_32F", "C_32F"),
                    ("C_64F", "C_64F", "R_64F", "C_64F"),
                )
            },
            vary={"n": SIZES, "incx": (1, 2, -1, -3), "incy": (1, 2, -1, -3)},
        ),
        source="cuBLAS 2.8",
    ),
    Row(
        symbols="cublasCopyEx{_64}",
        kind=ADAPTED,
        steps=(
            Handle(),
            ONE_TYPE,
            SAME_TYPE,
            Quick("n <= 0"),
            NotNull(("x", "y"), nvidia="crash"),
        ),
        paths=(
            Path(call="rocblas_scopy", when="xType == R_32F"),
            Path(call="rocblas_dcopy", when="xType == R_64F"),
            Path(call="rocblas_ccopy", when="xType == C_32F"),
            Path(call="rocblas_zcopy", when="xType == C_64F"),
        ),
        args={"x": X, "y": Vec(n="n", inc="incy", T="yType", dir=OUT)},
        oracle=copy,
        compare=Exact(),
        sweep=Sweep(
            base={"n": 17, "incx": 1, "incy": 1, "xType": "R_32F", "yType": "R_32F"},
            grid={"xType yType": (("R_32F", "R_32F"), ("R_64F", "R_64F"), ("C_32F", "C_32F"), ("C_64F", "C_64F"))},
            vary={"n": SIZES, "incx": (1, 2, -1, -3), "incy": (1, 2, -1, -3)},
        ),
        source="cuBLAS 2.8",
    ),
    Row(
        symbols="cublasSwapEx{_64}",
        kind=ADAPTED,
        steps=(
            Handle(),
            ONE_TYPE,
            SAME_TYPE,
            Quick("n <= 0"),
            NotNull(("x", "y"), nvidia="crash"),
        ),
        paths=(
            Path(call="rocblas_sswap", when="xType == R_32F"),
            Path(call="rocblas_dswap", when="xType == R_64F"),
            Path(call="rocblas_cswap", when="xType == C_32F"),
            Path(call="rocblas_zswap", when="xType == C_64F"),
        ),
        args={"x": X_CHANGED, "y": Y_CHANGED},
        oracle=swap,
        compare=Exact(),
        sweep=Sweep(
            base={"n": 17, "incx": 1, "incy": 1, "xType": "R_32F", "yType": "R_32F"},
            grid={"xType yType": (("R_32F", "R_32F"), ("R_64F", "R_64F"), ("C_32F", "C_32F"), ("C_64F", "C_64F"))},
            vary={"n": SIZES, "incx": (1, 2, -1, -3), "incy": (1, 2, -1, -3)},
        ),
        source="cuBLAS 2.8",
    ),
)
