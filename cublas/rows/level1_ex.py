"""Level 1 with types as arguments: nrm2, asum, dot, dotc, axpy, scal, copy, swap, iamax, iamin, rot, rotg, rotm, rotmg.

The four BLAS types, and half and bfloat16 vectors that are computed in single precision. A combination that is not in
the table is NOT_SUPPORTED, also where nothing is to be done; an enumerator that NVIDIA's level 1 does not know is
INVALID_VALUE for nrm2, dot, axpy and scal. Types are looked at before the handle is. Nothing is printed.

rocBLAS has nrm2, dot, axpy, scal and rot in this form. The others are the typed routines; for 16-bit vectors, which the
typed routines lack, asum and the searches widen to single precision in scratch memory (a product with a 1 x 1 matrix),
copy and swap move the bytes.
"""

from __future__ import annotations

from scale_x.cublas.rows._rotations import rot, rotg, rotg_error, rotm, rotm_error, rotmg, rotmg_error
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
    Residual,
    Row,
    Scalar,
    Sweep,
    Vec,
)

TITLE = "Level 1 with types as arguments"

KNOWN = "(R_16F, C_16F, R_16BF, C_16BF, R_32F, C_32F, R_64F, C_64F, R_8I, C_8I, R_8U, C_8U, R_32I, C_32I, R_32U, C_32U)"
X_KNOWN, Y_KNOWN, ALPHA_KNOWN, RESULT_KNOWN = (
    Check(f"xType in {KNOWN}"),
    Check(f"yType in {KNOWN}"),
    Check(f"alphaType in {KNOWN}"),
    Check(f"resultType in {KNOWN}"),
)
SPELLED, SPELT = Check(f"executionType in {KNOWN}"), Check(f"executiontype in {KNOWN}")  # NVIDIA writes it both ways

#: one type for everything, or a 16-bit vector computed in single precision
PLAIN = "(R_32F, R_64F, C_32F, C_64F)"
HALF = "(R_16F, R_16BF)"

SIZES = (0, 1, 2, 17, 1000)
INCREMENTS = (1, 2, -1, -3)
X_AND_Y: dict[str, Arg] = {
    "x": Vec(n="n", inc="incx", T="xType", dir=INOUT),
    "y": Vec(n="n", inc="incy", T="yType", dir=INOUT),
}
ONE_SWEEP = {"n": SIZES, "incx": (1, 2, 0, -1)}
TWO_SWEEP = {"n": SIZES, "incx incy": ((2, 1), (1, -1), (-1, 2), (-3, -1), (0, 1))}
PAIRS = (
    ("R_32F", "R_32F"),
    ("R_64F", "R_64F"),
    ("C_32F", "C_32F"),
    ("C_64F", "C_64F"),
    ("R_16F", "R_16F"),
    ("R_16BF", "R_16BF"),
)
BAD_PAIRS = (("R_32F", "R_64F"), ("R_16F", "R_16BF"), ("C_16F", "C_16F"), ("R_8I", "R_8I"))
SINGLE = {"xType": "R_32F", "yType": "R_32F", "n": 17, "incx": 1, "incy": 1}
TYPED_ONCE = ("R_32F", "R_64F", "C_32F", "C_64F", "R_16F", "R_16BF", "C_16F", "R_8I")

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
    Row(
        symbols="cublasDotEx{_64}",
        kind=ADAPTED,
        steps=DOT_STEPS,
        paths=(Path(call="rocblas_dot_ex"),),
        args=DOT_ARGS,
        oracle=dot,
        compare=Componentwise(length="n"),
        sweep=DOT_SWEEP,
        source="cuBLAS 2.8.22; Reference BLAS xDOT, xDOTU",
    ),
    Row(
        symbols="cublasDotcEx{_64}",
        kind=ADAPTED,
        steps=DOT_STEPS,
        paths=(Path(call="rocblas_dotc_ex"),),
        args=DOT_ARGS,
        oracle=dotc,
        compare=Componentwise(length="n"),
        sweep=DOT_SWEEP,
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
    Row(
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
    ),
    Row(
        symbols="cublasIamaxEx_64",
        kind=ADAPTED,
        steps=SEARCH_STEPS,
        paths=(
            Path(call="rocblas_isamax", when="xType == R_32F", wide_result="result"),
            Path(call="rocblas_idamax", when="xType == R_64F", wide_result="result"),
            Path(call="rocblas_icamax", when="xType == C_32F", wide_result="result"),
            Path(call="rocblas_izamax", when="xType == C_64F", wide_result="result"),
            Path(native="sx_iamax_half", when=f"xType in {HALF}", ops=Ops(allocations=2)),
            Path(native="sx_iamax_wide", ops=Ops(launches=1)),
        ),
        args=SEARCH_ARGS,
        oracle=iamax,
        compare=Exact(),
        sweep=SEARCH_SWEEP,
        source="Reference BLAS IxAMAX",
    ),
    Row(
        symbols="cublasIaminEx",
        kind=ADAPTED,
        steps=SEARCH_STEPS,
        paths=(
            Path(call="rocblas_isamin", when="xType == R_32F"),
            Path(call="rocblas_idamin", when="xType == R_64F"),
            Path(call="rocblas_icamin", when="xType == C_32F"),
            Path(call="rocblas_izamin", when="xType == C_64F"),
            Path(native="sx_iamin_half", ops=Ops(allocations=2)),
        ),
        args=SEARCH_ARGS,
        oracle=iamin,
        compare=Exact(),
        sweep=SEARCH_SWEEP,
        source="cuBLAS 2.5.2 (amin)",
    ),
    Row(
        symbols="cublasIaminEx_64",
        kind=ADAPTED,
        steps=SEARCH_STEPS,
        paths=(
            Path(call="rocblas_isamin", when="xType == R_32F", wide_result="result"),
            Path(call="rocblas_idamin", when="xType == R_64F", wide_result="result"),
            Path(call="rocblas_icamin", when="xType == C_32F", wide_result="result"),
            Path(call="rocblas_izamin", when="xType == C_64F", wide_result="result"),
            Path(native="sx_iamin_half", when=f"xType in {HALF}", ops=Ops(allocations=2)),
            Path(native="sx_iamin_wide", ops=Ops(launches=1)),
        ),
        args=SEARCH_ARGS,
        oracle=iamin,
        compare=Exact(),
        sweep=SEARCH_SWEEP,
        source="cuBLAS 2.5.2 (amin)",
    ),
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
