"""Nrm2Ex, AsumEx, DotEx, DotcEx, IamaxEx, IaminEx: reductions with types as arguments.

16-bit vectors are computed in single precision; the result is 16 bits wide too, asum's is single. rocBLAS has no
untyped asum and searches: those take its typed functions, and the 16-bit types are missing there.
"""

from __future__ import annotations

from scale_x.cublas.rows.level1_reductions import asum, dot, dotc, iamax, iamin, nrm2
from scale_x.wrappers_gen.rows import (
    ADAPTED,
    DIRECT,
    OUT,
    Check,
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

TITLE = "Level 1 with types as arguments: dot, nrm2, asum, iamax, iamin"

KNOWN = "(R_16F, C_16F, R_16BF, C_16BF, R_32F, C_32F, R_64F, C_64F, R_8I, C_8I, R_8U, C_8U, R_32I, C_32I, R_32U, C_32U)"
NRM2_TYPES = Check(
    "(xType in (R_32F, R_64F) and resultType == xType and executionType == xType)"
    " or (xType in (R_16F, R_16BF) and resultType == xType and executionType == R_32F)"
    " or (xType == C_32F and resultType == R_32F and executionType == R_32F)"
    " or (xType == C_64F and resultType == R_64F and executionType == R_64F)",
    status="NOT_SUPPORTED",
)
ASUM_TYPES = Check(
    "(xType in (R_32F, R_64F) and resultType == xType and executiontype == xType)"
    " or (xType in (R_16F, R_16BF) and resultType == R_32F and executiontype == R_32F)"
    " or (xType == C_32F and resultType == R_32F and executiontype == C_32F)"
    " or (xType == C_64F and resultType == R_64F and executiontype == C_64F)",
    status="NOT_SUPPORTED",
)
DOT_TYPES = Check(
    "yType == xType and resultType == xType and"
    " (xType in (R_32F, R_64F, C_32F, C_64F) and executionType == xType"
    " or xType in (R_16F, R_16BF) and executionType == R_32F)",
    status="NOT_SUPPORTED",
)
ONE_TYPE = Check("xType in (R_16F, R_16BF, R_32F, R_64F, C_32F, C_64F)", status="NOT_SUPPORTED")
X = Vec(n="n", inc="incx", T="xType")
Y = Vec(n="n", inc="incy", T="yType")
SIZES = (0, 1, 2, 17, 1000)
WIDE = ("R_32F", "R_64F", "C_32F", "C_64F")

ROWS = (
    Row(
        symbols="cublasNrm2Ex{_64}",
        kind=DIRECT,
        steps=(
            Handle(),
            Check(f"xType in {KNOWN}"),
            Check(f"resultType in {KNOWN}"),
            Check(f"executionType in {KNOWN}"),
            NRM2_TYPES,
            NotNull(("result",)),
            NotNull(("x",), unless="n <= 0 or incx <= 0", nvidia="crash"),
        ),
        paths=(Path(call="rocblas_nrm2_ex"),),
        args={"x": X, "result": Scalar(T="resultType", dir=OUT)},
        oracle=nrm2,
        compare=Componentwise(length="n"),
        sweep=Sweep(
            base={"n": 17, "incx": 1, "xType": "R_32F", "resultType": "R_32F", "executionType": "R_32F"},
            grid={
                "xType resultType executionType": (
                    ("R_32F", "R_32F", "R_32F"),
                    ("R_64F", "R_64F", "R_64F"),
                    ("C_32F", "R_32F", "R_32F"),
                    ("C_64F", "R_64F", "R_64F"),
                    ("R_16F", "R_16F", "R_32F"),
                    ("R_16BF", "R_16BF", "R_32F"),
                )
            },
            vary={"n": SIZES, "incx": (1, 3, 0, -1)},
        ),
        source="cuBLAS 2.8.23",
    ),
    Row(
        symbols="cublasAsumEx{_64}",
        kind=ADAPTED,
        steps=(
            Handle(),
            ASUM_TYPES,
            NotNull(("result",)),
            NotNull(("x",), unless="n <= 0 or incx <= 0", nvidia="crash"),
        ),
        paths=(
            Path(call="rocblas_sasum", when="xType == R_32F"),
            Path(call="rocblas_dasum", when="xType == R_64F"),
            Path(call="rocblas_scasum", when="xType == C_32F"),
            Path(call="rocblas_dzasum", when="xType == C_64F"),
        ),
        args={"x": X, "result": Scalar(T="resultType", dir=OUT)},
        oracle=asum,
        compare=Componentwise(length="n"),
        sweep=Sweep(
            base={"n": 17, "incx": 1, "xType": "R_32F", "resultType": "R_32F", "executiontype": "R_32F"},
            grid={
                "xType resultType executiontype": (
                    ("R_32F", "R_32F", "R_32F"),
                    ("R_64F", "R_64F", "R_64F"),
                    ("C_32F", "R_32F", "C_32F"),
                    ("C_64F", "R_64F", "C_64F"),
                )
            },
            vary={"n": SIZES, "incx": (1, 3, 0, -1)},
        ),
        source="cuBLAS 2.8",
    ),
    Row(
        symbols="cublasDotEx{_64}",
        kind=DIRECT,
        steps=(
            Handle(),
            Check(f"xType in {KNOWN}"),
            Check(f"yType in {KNOWN}"),
            Check(f"resultType in {KNOWN}"),
            Check(f"executionType in {KNOWN}"),
            DOT_TYPES,
            NotNull(("result",), unless="n <= 0", status="MAPPING_ERROR"),
            NotNull(("result",), nvidia="crash"),
            NotNull(("x", "y"), unless="n <= 0", nvidia="crash"),
        ),
        paths=(Path(call="rocblas_dot_ex"),),
        args={"x": X, "y": Y, "result": Scalar(T="resultType", dir=OUT)},
        oracle=dot,
        compare=Componentwise(length="n"),
        sweep=Sweep(
            base={
                "n": 17,
                "incx": 1,
                "incy": 1,
                "xType": "R_32F",
                "yType": "R_32F",
                "resultType": "R_32F",
                "executionType": "R_32F",
            },
            grid={
                "xType yType resultType executionType": (
                    ("R_32F", "R_32F", "R_32F", "R_32F"),
                    ("R_64F", "R_64F", "R_64F", "R_64F"),
                    ("C_32F", "C_32F", "C_32F", "C_32F"),
                    ("C_64F", "C_64F", "C_64F", "C_64F"),
                    ("R_16F", "R_16F", "R_16F", "R_32F"),
                    ("R_16BF", "R_16BF", "R_16BF", "R_32F"),
                )
            },
            vary={"n": SIZES, "incx": (1, 2, -1, -3), "incy": (1, 2, -1, -3)},
        ),
        source="cuBLAS 2.8.22",
    ),
    Row(
        symbols="cublasDotcEx{_64}",
        kind=DIRECT,
        steps=(
            Handle(),
            Check(f"xType in {KNOWN}"),
            Check(f"yType in {KNOWN}"),
            Check(f"resultType in {KNOWN}"),
            Check(f"executionType in {KNOWN}"),
            DOT_TYPES,
            NotNull(("result",), unless="n <= 0", status="MAPPING_ERROR"),
            NotNull(("result",), nvidia="crash"),
            NotNull(("x", "y"), unless="n <= 0", nvidia="crash"),
        ),
        paths=(Path(call="rocblas_dotc_ex"),),
        args={"x": X, "y": Y, "result": Scalar(T="resultType", dir=OUT)},
        oracle=dotc,
        compare=Componentwise(length="n"),
        sweep=Sweep(
            base={
                "n": 17,
                "incx": 1,
                "incy": 1,
                "xType": "R_32F",
                "yType": "R_32F",
                "resultType": "R_32F",
                "executionType": "R_32F",
            },
            grid={
                "xType yType resultType executionType": (
                    ("R_32F", "R_32F", "R_32F", "R_32F"),
                    ("R_64F", "R_64F", "R_64F", "R_64F"),
                    ("C_32F", "C_32F", "C_32F", "C_32F"),
                    ("C_64F", "C_64F", "C_64F", "C_64F"),
                    ("R_16F", "R_16F", "R_16F", "R_32F"),
                    ("R_16BF", "R_16BF", "R_16BF", "R_32F"),
                )
            },
            vary={"n": SIZES, "incx": (1, 2, -1, -3), "incy": (1, 2, -1, -3)},
        ),
        source="cuBLAS 2.8.22",
    ),
    Row(
        symbols="cublasIamaxEx",
        kind=ADAPTED,
        steps=(
            Handle(),
            ONE_TYPE,
            NotNull(("result",)),
            NotNull(("x",), unless="n <= 0 or incx <= 0", nvidia="crash"),
        ),
        paths=(
            Path(call="rocblas_isamax", when="xType == R_32F"),
            Path(call="rocblas_idamax", when="xType == R_64F"),
            Path(call="rocblas_icamax", when="xType == C_32F"),
            Path(call="rocblas_izamax", when="xType == C_64F"),
        ),
        args={"x": X, "result": Scalar(T="I", dir=OUT)},
        oracle=iamax,
        compare=Exact(),
        sweep=Sweep(
            base={"n": 17, "incx": 1, "xType": "R_32F"},
            grid={"xType": WIDE},
            vary={"n": SIZES, "incx": (1, 3, 0, -1)},
        ),
        source="cuBLAS 2.8",
    ),
    Row(
        symbols="cublasIamaxEx_64",
        kind=ADAPTED,
        steps=(
            Handle(),
            ONE_TYPE,
            NotNull(("result",)),
            NotNull(("x",), unless="n <= 0 or incx <= 0", nvidia="crash"),
        ),
        paths=(
            Path(call="rocblas_isamax", wide_result="result", when="xType == R_32F"),
            Path(call="rocblas_idamax", wide_result="result", when="xType == R_64F"),
            Path(call="rocblas_icamax", wide_result="result", when="xType == C_32F"),
            Path(call="rocblas_izamax", wide_result="result", when="xType == C_64F"),
            Path(native="sx_iamax_wide", ops=Ops(launches=1)),
        ),
        args={"x": X, "result": Scalar(T="I", dir=OUT)},
        oracle=iamax,
        compare=Exact(),
        sweep=Sweep(
            base={"n": 17, "incx": 1, "xType": "R_32F"},
            grid={"xType": WIDE},
            vary={"n": SIZES, "incx": (1, 3, 0, -1)},
        ),
        source="cuBLAS 2.8",
    ),
    Row(
        symbols="cublasIaminEx",
        kind=ADAPTED,
        steps=(
            Handle(),
            ONE_TYPE,
            NotNull(("result",)),
            NotNull(("x",), unless="n <= 0 or incx <= 0", nvidia="crash"),
        ),
        paths=(
            Path(call="rocblas_isamin", when="xType == R_32F"),
            Path(call="rocblas_idamin", when="xType == R_64F"),
            Path(call="rocblas_icamin", when="xType == C_32F"),
            Path(call="rocblas_izamin", when="xType == C_64F"),
        ),
        args={"x": X, "result": Scalar(T="I", dir=OUT)},
        oracle=iamin,
        compare=Exact(),
        sweep=Sweep(
            base={"n": 17, "incx": 1, "xType": "R_32F"},
            grid={"xType": WIDE},
            vary={"n": SIZES, "incx": (1, 3, 0, -1)},
        ),
        source="cuBLAS 2.8",
    ),
    Row(
        symbols="cublasIaminEx_64",
        kind=ADAPTED,
        steps=(
            Handle(),
            ONE_TYPE,
            NotNull(("result",)),
            NotNull(("x",), unless="n <= 0 or incx <= 0", nvidia="crash"),
        ),
        paths=(
            Path(call="rocblas_isamin", wide_result="result", when="xType == R_32F"),
            Path(call="rocblas_idamin", wide_result="result", when="xType == R_64F"),
            Path(call="rocblas_icamin", wide_result="result", when="xType == C_32F"),
            Path(call="rocblas_izamin", wide_result="result", when="xType == C_64F"),
            Path(native="sx_iamin_wide", ops=Ops(launches=1)),
        ),
        args={"x": X, "result": Scalar(T="I", dir=OUT)},
        oracle=iamin,
        compare=Exact(),
        sweep=Sweep(
            base={"n": 17, "incx": 1, "xType": "R_32F"},
            grid={"xType": WIDE},
            vary={"n": SIZES, "incx": (1, 3, 0, -1)},
        ),
        source="cuBLAS 2.8",
    ),
)
