"""Level 1 with types as arguments: nrm2, asum, dot, dotc, axpy, scal, copy, swap, iamax, iamin.

The four BLAS types, and half and bfloat16 vectors that are computed in single precision. A combination that is not in
the table is NOT_SUPPORTED, also where nothing is to be done; an enumerator that NVIDIA's level 1 does not know is
INVALID_VALUE for nrm2, dot, axpy and scal. Types are looked at before the handle is. Nothing is printed.

rocBLAS has nrm2, dot, axpy and scal in this form. The others are the typed routines; for 16-bit vectors, which the
typed routines lack, asum and the searches widen to single precision in scratch memory (a product with a 1 x 1 matrix),
copy and swap move the bytes.
"""

from __future__ import annotations

from scale_x.cublas.rows._typed import (
    ALPHA_KNOWN,
    BAD_PAIRS,
    HALF,
    INCREMENTS,
    ONE_SWEEP,
    PAIRS,
    PLAIN,
    RESULT_KNOWN,
    SINGLE,
    SIZES,
    SPELLED,
    SPELT,
    TWO_SWEEP,
    TYPED_ONCE,
    X_AND_Y,
    X_KNOWN,
    Y_KNOWN,
)
from scale_x.cublas.rows._vectors import asum, axpy, copy, dot, dotc, iamax, iamin, nrm2, scal, swap
from scale_x.wrappers_gen.rows import (
    ADAPTED,
    INOUT,
    OUT,
    Arg,
    Check,
    Componentwise,
    Exact,
    Handle,
    NotNull,
    Ops,
    Path,
    Quick,
    Row,
    Scalar,
    Sweep,
    Vec,
    like,
)

TITLE = "Level 1 with types as arguments"

DOT_STEPS = (
    X_KNOWN,
    Y_KNOWN,
    RESULT_KNOWN,
    SPELLED,
    Check(
        f"xType == yType and xType == resultType and"
        f" (executionType == xType and xType in {PLAIN} or executionType == R_32F and xType in {HALF})",
        status="NOT_SUPPORTED",
    ),
    Handle(),
    NotNull(("result",), unless="n <= 0", status="MAPPING_ERROR"),
    NotNull(("result",), nvidia="crash"),
    NotNull(("x", "y"), unless="n <= 0", nvidia="crash"),
)
DOT_ARGS: dict[str, Arg] = {
    "x": Vec(n="n", inc="incx", T="xType"),
    "y": Vec(n="n", inc="incy", T="yType"),
    "result": Scalar(T="resultType", dir=OUT),
}
DOT_SWEEP = Sweep(
    base={**SINGLE, "resultType": "R_32F", "executionType": "R_32F"},
    grid={
        "xType yType resultType executionType": (
            ("R_32F", "R_32F", "R_32F", "R_32F"),
            ("R_64F", "R_64F", "R_64F", "R_64F"),
            ("C_32F", "C_32F", "C_32F", "C_32F"),
            ("C_64F", "C_64F", "C_64F", "C_64F"),
            ("R_16F", "R_16F", "R_16F", "R_32F"),
            ("R_16BF", "R_16BF", "R_16BF", "R_32F"),
            ("R_16F", "R_16F", "R_16F", "R_16F"),
            ("R_16F", "R_16F", "R_32F", "R_32F"),
            ("R_32F", "R_64F", "R_64F", "R_64F"),
        )
    },
    vary=TWO_SWEEP,
)
SEARCH_STEPS = (
    Check("xType in (R_32F, R_64F, C_32F, C_64F, R_16F, R_16BF)", status="NOT_SUPPORTED"),
    Handle(),
    NotNull(("result",)),
    NotNull(("x",), unless="n <= 0 or incx <= 0", nvidia="crash"),
)
SEARCH_ARGS: dict[str, Arg] = {"x": Vec(n="n", inc="incx", T="xType"), "result": Scalar(T="I", dir=OUT)}
SEARCH_SWEEP = Sweep(
    base={"xType": "R_32F", "n": 17, "incx": 1},
    grid={"xType": TYPED_ONCE},
    vary={**ONE_SWEEP, "xType n incx": (("R_16F", 1000, 3), ("R_16BF", 1, 1), ("R_16F", 0, 1))},
)
MOVE_STEPS = (
    Check("xType == yType and xType in (R_32F, R_64F, C_32F, C_64F, R_16F, R_16BF)", status="NOT_SUPPORTED"),
    Handle(),
    Quick("n <= 0"),
    NotNull(("x", "y"), nvidia="crash"),
)
MOVE_SWEEP = Sweep(base=SINGLE, grid={"xType yType": (*PAIRS, *BAD_PAIRS)}, vary={**TWO_SWEEP, "incx": INCREMENTS})
HALF_MOVE_SWEEP = {"xType yType incx incy": (("R_16F", "R_16F", 1, -2), ("R_16F", "R_16F", -1, -2),
                                             ("R_16BF", "R_16BF", -3, 1), ("R_16BF", "R_16BF", 3, 2))}  # fmt: skip

IAMAX = Row(
    symbols="cublasIamaxEx",
    kind=ADAPTED,
    steps=SEARCH_STEPS,
    paths=(
        Path(call="rocblas_isamax", when="xType == R_32F"),
        Path(call="rocblas_idamax", when="xType == R_64F"),
        Path(call="rocblas_icamax", when="xType == C_32F"),
        Path(call="rocblas_izamax", when="xType == C_64F"),
        Path(native="sx_iamax_half", ops=Ops(allocations=2)),
    ),
    args=SEARCH_ARGS,
    oracle=iamax,
    compare=Exact(),
    sweep=SEARCH_SWEEP,
    source="Reference BLAS IxAMAX",
)
DOT = Row(
    symbols="cublasDotEx{_64}",
    kind=ADAPTED,
    steps=DOT_STEPS,
    paths=(Path(call="rocblas_dot_ex"),),
    args=DOT_ARGS,
    oracle=dot,
    compare=Componentwise(length="n"),
    sweep=DOT_SWEEP,
    source="cuBLAS 2.8.22; Reference BLAS xDOT, xDOTU",
)

ROWS = (
    Row(
        symbols="cublasNrm2Ex{_64}",
        kind=ADAPTED,
        steps=(
            X_KNOWN,
            RESULT_KNOWN,
            SPELLED,
            Check(
                "xType == resultType and xType == executionType and xType in (R_32F, R_64F)"
                f" or xType == resultType and executionType == R_32F and xType in {HALF}"
                " or xType == C_32F and resultType == R_32F and executionType == R_32F"
                " or xType == C_64F and resultType == R_64F and executionType == R_64F",
                status="NOT_SUPPORTED",
            ),
            Handle(),
            NotNull(("result",)),
            NotNull(("x",), unless="n <= 0 or incx <= 0", nvidia="crash"),
        ),
        paths=(
            # cuBLAS scales so that squares neither overflow nor vanish: see the typed routines
            Path(native="sx_nrm2_ex_host", when=f"host_mode and xType in {PLAIN}", ops=Ops(allocations=1, copies=1)),
            Path(call="rocblas_nrm2_ex", args={"results": "result"}),
        ),
        args={"x": Vec(n="n", inc="incx", T="xType"), "result": Scalar(T="resultType", dir=OUT)},
        oracle=nrm2,
        compare=Componentwise(length="n"),
        sweep=Sweep(
            base={"xType": "R_32F", "resultType": "R_32F", "executionType": "R_32F", "n": 17, "incx": 1},
            grid={
                "xType resultType executionType": (
                    ("R_32F", "R_32F", "R_32F"),
                    ("R_64F", "R_64F", "R_64F"),
                    ("C_32F", "R_32F", "R_32F"),
                    ("C_64F", "R_64F", "R_64F"),
                    ("R_16F", "R_16F", "R_32F"),
                    ("R_16BF", "R_16BF", "R_32F"),
                    ("R_16F", "R_32F", "R_32F"),
                    ("R_8I", "R_32F", "R_32F"),
                )
            },
            vary=ONE_SWEEP,
        ),
        source="cuBLAS 2.8.21; Reference BLAS xNRM2",
    ),
    Row(
        symbols="cublasAsumEx{_64}",
        kind=ADAPTED,
        steps=(
            Check(
                "xType == resultType and xType == executiontype and xType in (R_32F, R_64F)"
                f" or resultType == R_32F and executiontype == R_32F and xType in {HALF}"
                " or xType == C_32F and resultType == R_32F and executiontype == C_32F"
                " or xType == C_64F and resultType == R_64F and executiontype == C_64F",
                status="NOT_SUPPORTED",
            ),
            Handle(),
            NotNull(("result",)),
            NotNull(("x",), unless="n <= 0 or incx <= 0", nvidia="crash"),
        ),
        paths=(
            Path(call="rocblas_sasum", when="xType == R_32F"),
            Path(call="rocblas_dasum", when="xType == R_64F"),
            Path(call="rocblas_scasum", when="xType == C_32F"),
            Path(call="rocblas_dzasum", when="xType == C_64F"),
            Path(native="sx_asum_half", ops=Ops(allocations=2)),
        ),
        args={"x": Vec(n="n", inc="incx", T="xType"), "result": Scalar(T="resultType", dir=OUT)},
        oracle=asum,
        compare=Componentwise(length="n"),
        sweep=Sweep(
            base={"xType": "R_32F", "resultType": "R_32F", "executiontype": "R_32F", "n": 17, "incx": 1},
            grid={
                "xType resultType executiontype": (
                    ("R_32F", "R_32F", "R_32F"),
                    ("R_64F", "R_64F", "R_64F"),
                    ("C_32F", "R_32F", "C_32F"),
                    ("C_64F", "R_64F", "C_64F"),
                    ("R_16F", "R_32F", "R_32F"),
                    ("R_16BF", "R_32F", "R_32F"),
                    ("R_16F", "R_16F", "R_32F"),
                    ("C_32F", "R_32F", "R_32F"),
                )
            },
            vary={**ONE_SWEEP, "xType n incx": (("R_16F", 1000, 3), ("R_16BF", 1, 1), ("R_16F", 0, 1))},
        ),
        source="cuBLAS 2.5.3 (asum); Reference BLAS xASUM",
    ),
    DOT,
    like(
        DOT,
        symbols="cublasDotcEx{_64}",
        paths=(Path(call="rocblas_dotc_ex"),),
        oracle=dotc,
        source="cuBLAS 2.8.22; Reference BLAS xDOTC",
    ),
    Row(
        symbols="cublasAxpyEx{_64}",
        kind=ADAPTED,
        steps=(
            ALPHA_KNOWN,
            X_KNOWN,
            Y_KNOWN,
            SPELT,
            Check(
                "xType == yType and alphaType == executiontype and"
                f" (executiontype == xType and xType in {PLAIN} or executiontype == R_32F and xType in {HALF})",
                status="NOT_SUPPORTED",
            ),
            Handle(),
            Quick("n <= 0"),
            NotNull(("alpha",), nvidia="crash"),
            NotNull(("x", "y"), nvidia="crash"),
        ),
        paths=(Path(call="rocblas_axpy_ex"),),
        args={
            "alpha": Scalar(T="alphaType"),
            "x": Vec(n="n", inc="incx", T="xType"),
            "y": Vec(n="n", inc="incy", T="yType", dir=INOUT),
        },
        oracle=axpy,
        compare=Componentwise(),
        sweep=Sweep(
            base={**SINGLE, "alphaType": "R_32F", "executiontype": "R_32F", "alpha": 1.25},
            grid={
                "xType yType alphaType executiontype": (
                    ("R_32F", "R_32F", "R_32F", "R_32F"),
                    ("R_64F", "R_64F", "R_64F", "R_64F"),
                    ("C_32F", "C_32F", "C_32F", "C_32F"),
                    ("C_64F", "C_64F", "C_64F", "C_64F"),
                    ("R_16F", "R_16F", "R_32F", "R_32F"),
                    ("R_16BF", "R_16BF", "R_32F", "R_32F"),
                    ("R_16F", "R_16F", "R_16F", "R_32F"),
                    ("R_32F", "R_64F", "R_64F", "R_64F"),
                    ("C_32F", "C_32F", "R_32F", "C_32F"),
                )
            },
            vary={**TWO_SWEEP, "alpha": (0.0, 1.0, -1.0)},
        ),
        source="cuBLAS 2.8.20; Reference BLAS xAXPY",
    ),
    Row(
        symbols="cublasScalEx{_64}",
        kind=ADAPTED,
        steps=(
            ALPHA_KNOWN,
            X_KNOWN,
            SPELLED,
            Check(
                "alphaType == executionType and"
                f" (executionType == xType and xType in {PLAIN} or executionType == R_32F and xType in {HALF})",
                status="NOT_SUPPORTED",
            ),
            Handle(),
            Quick("n <= 0 or incx <= 0"),
            NotNull(("alpha", "x"), nvidia="crash"),
        ),
        paths=(Path(call="rocblas_scal_ex"),),
        args={"alpha": Scalar(T="alphaType"), "x": Vec(n="n", inc="incx", T="xType", dir=INOUT)},
        oracle=scal,
        compare=Componentwise(),
        sweep=Sweep(
            base={
                "n": 17,
                "incx": 1,
                "xType": "R_32F",
                "alphaType": "R_32F",
                "executionType": "R_32F",
                "alpha": 1.25,
            },
            grid={
                "xType alphaType executionType": (
                    ("R_32F", "R_32F", "R_32F"),
                    ("R_64F", "R_64F", "R_64F"),
                    ("C_32F", "C_32F", "C_32F"),
                    ("C_64F", "C_64F", "C_64F"),
                    ("R_16F", "R_32F", "R_32F"),
                    ("R_16BF", "R_32F", "R_32F"),
                    ("R_16F", "R_16F", "R_16F"),
                    ("C_32F", "R_32F", "C_32F"),
                )
            },
            vary={**ONE_SWEEP, "alpha": (0.0, 1.0, -1.0)},
        ),
        source="cuBLAS 2.8.19; Reference BLAS xSCAL",
    ),
    Row(
        symbols="cublasCopyEx{_64}",
        kind=ADAPTED,
        steps=MOVE_STEPS,
        paths=(
            Path(call="rocblas_scopy", when="xType == R_32F"),
            Path(call="rocblas_dcopy", when="xType == R_64F"),
            Path(call="rocblas_ccopy", when="xType == C_32F"),
            Path(call="rocblas_zcopy", when="xType == C_64F"),
            Path(native="sx_copy_half", ops=Ops(allocations=1, copies=1)),
        ),
        args={"x": Vec(n="n", inc="incx", T="xType"), "y": Vec(n="n", inc="incy", T="yType", dir=OUT)},
        oracle=copy,
        compare=Exact(),
        sweep=Sweep(
            base=SINGLE,
            grid={"xType yType": (*PAIRS, *BAD_PAIRS)},
            vary={**TWO_SWEEP, "incx": (*INCREMENTS, 0), **HALF_MOVE_SWEEP},
        ),
        source="Reference BLAS xCOPY",
    ),
    Row(
        symbols="cublasSwapEx{_64}",
        kind=ADAPTED,
        steps=MOVE_STEPS,
        paths=(
            Path(call="rocblas_sswap", when="xType == R_32F"),
            Path(call="rocblas_dswap", when="xType == R_64F"),
            Path(call="rocblas_cswap", when="xType == C_32F"),
            Path(call="rocblas_zswap", when="xType == C_64F"),
            Path(native="sx_swap_half", ops=Ops(allocations=3, copies=3)),
        ),
        args=X_AND_Y,
        oracle=swap,
        compare=Exact(),
        sweep=Sweep(
            base=SINGLE,
            grid={"xType yType": (*PAIRS, *BAD_PAIRS)},
            vary={"n": SIZES, "incx": INCREMENTS, "incy": INCREMENTS, **HALF_MOVE_SWEEP},
        ),
        source="Reference BLAS xSWAP",
    ),
    IAMAX,
    like(
        IAMAX,
        symbols="cublasIamaxEx_64",
        paths=(
            Path(call="rocblas_isamax", when="xType == R_32F", wide_result="result"),
            Path(call="rocblas_idamax", when="xType == R_64F", wide_result="result"),
            Path(call="rocblas_icamax", when="xType == C_32F", wide_result="result"),
            Path(call="rocblas_izamax", when="xType == C_64F", wide_result="result"),
            Path(native="sx_iamax_half", when=f"xType in {HALF}", ops=Ops(allocations=2)),
            Path(native="sx_iamax_wide", ops=Ops(launches=1)),
        ),
    ),
    like(
        IAMAX,
        symbols="cublasIaminEx",
        paths=(
            Path(call="rocblas_isamin", when="xType == R_32F"),
            Path(call="rocblas_idamin", when="xType == R_64F"),
            Path(call="rocblas_icamin", when="xType == C_32F"),
            Path(call="rocblas_izamin", when="xType == C_64F"),
            Path(native="sx_iamin_half", ops=Ops(allocations=2)),
        ),
        oracle=iamin,
        source="cuBLAS 2.5.2 (amin)",
    ),
    like(
        IAMAX,
        symbols="cublasIaminEx_64",
        oracle=iamin,
        source="cuBLAS 2.5.2 (amin)",
        paths=(
            Path(call="rocblas_isamin", when="xType == R_32F", wide_result="result"),
            Path(call="rocblas_idamin", when="xType == R_64F", wide_result="result"),
            Path(call="rocblas_icamin", when="xType == C_32F", wide_result="result"),
            Path(call="rocblas_izamin", when="xType == C_64F", wide_result="result"),
            Path(native="sx_iamin_half", when=f"xType in {HALF}", ops=Ops(allocations=2)),
            Path(native="sx_iamin_wide", ops=Ops(launches=1)),
        ),
    ),
)
