"""GemmEx, GemmBatchedEx, GemmStridedBatchedEx, SgemmEx, CgemmEx: gemm with its types as arguments.

A and B have one type; C has that type or, for 16-bit and integer A and B, a wider one. alpha and beta have the scale
type that the compute type asks for. The fast and emulated compute types compute in full precision here, which is at
least as accurate. The old cudaDataType compute types (R_32F for COMPUTE_32F, and so on) are accepted, as NVIDIA does.
"""

from __future__ import annotations

from scale_x.cublas.rows.gemm import gemm, gemm_batched
from scale_x.wrappers_gen.rows import (
    ADAPTED,
    INOUT,
    Arg,
    Check,
    ChipLimit,
    Componentwise,
    Handle,
    Mat,
    NotNull,
    Ops,
    Path,
    Quick,
    Row,
    Scalar,
    Sweep,
)

TITLE = "gemm with types as arguments"


KNOWN = "(R_16F, C_16F, R_16BF, C_16BF, R_32F, C_32F, R_64F, C_64F, R_8I, C_8I, R_8U, C_8U, R_32I, C_32I, R_32U, C_32U)"
# The integers are the old compute types of cudaDataType: R_32F 0, R_64F 1, R_16F 2, C_32F 4, C_64F 5, R_32I 10.
IN_SINGLE = (
    "computeType in (COMPUTE_32F, COMPUTE_32F_PEDANTIC, COMPUTE_32F_FAST_16F, COMPUTE_32F_FAST_16BF,"
    " COMPUTE_32F_FAST_TF32, COMPUTE_32F_EMULATED_16BFX9, 0, 4)"
)
IN_DOUBLE = "computeType in (COMPUTE_64F, COMPUTE_64F_PEDANTIC, COMPUTE_64F_EMULATED_FIXEDPOINT, 1, 5)"
IN_HALF = "computeType in (COMPUTE_16F, COMPUTE_16F_PEDANTIC, 2)"
IN_INT = "computeType in (COMPUTE_32I, COMPUTE_32I_PEDANTIC, 10)"
# rocBLAS has neither R_8I into R_32F nor C_8I into C_32F: a body widens the integers to single precision
EIGHT_TO_SINGLE = "(Atype == R_8I and Ctype == R_32F or Atype == C_8I and Ctype == C_32F)"
TABLE = (
    f"(Ctype == Atype and Atype in (R_32F, R_16F, R_16BF, C_32F) and {IN_SINGLE})"
    f" or (Ctype == R_32F and Atype in (R_16F, R_16BF) and {IN_SINGLE})"
    f" or (Ctype == Atype and Atype in (R_64F, C_64F) and {IN_DOUBLE})"
    f" or (Ctype == R_16F and Atype == R_16F and {IN_HALF})"
    f" or (Ctype == R_32I and Atype == R_8I and {IN_INT})"
    f" or ({EIGHT_TO_SINGLE} and {IN_SINGLE})"
)
TYPED_TABLE = (
    "(Ctype == Atype and Atype in (R_32F, R_16F, R_16BF)) or (Ctype == R_32F and Atype in (R_16F, R_16BF, R_8I))"
)
# what rocBLAS computes in, which is also the type of alpha and beta
COMPUTE = (
    "Ctype if Ctype in (C_32F, R_64F, C_64F, R_32I) else"
    " R_16F if computeType in (COMPUTE_16F, COMPUTE_16F_PEDANTIC, 2) else R_32F"
)

OPERATIONS = (
    Check("transa in (N, T, C)", 1),
    Check("transb in (N, T, C)", 2),
    Check("m >= 0", 3),
    Check("n >= 0", 4),
    Check("k >= 0", 5),
)
LDA, LDB, LDC = "lda >= max(1, m if transa == N else k)", "ldb >= max(1, k if transb == N else n)", "ldc >= max(1, m)"
ALGO = "algo >= -1 and algo <= 23 or algo >= 99 and algo <= 115 or algo == 999"
SAME_TYPE = Check("Atype == Btype", status="NOT_SUPPORTED")
TYPES_KNOWN = (
    Check(f"Atype in {KNOWN}"),
    Check(f"Ctype in {KNOWN}"),
)
SUPPORTED = Check(TABLE, status="NOT_SUPPORTED")
COMPUTE_KNOWN = Check(
    "computeType in (COMPUTE_16F, COMPUTE_16F_PEDANTIC, COMPUTE_32F, COMPUTE_32F_PEDANTIC, COMPUTE_32F_FAST_16F,"
    " COMPUTE_32F_FAST_16BF, COMPUTE_32F_FAST_TF32, COMPUTE_32F_EMULATED_16BFX9, COMPUTE_64F, COMPUTE_64F_PEDANTIC,"
    " COMPUTE_64F_EMULATED_FIXEDPOINT, COMPUTE_32I, COMPUTE_32I_PEDANTIC) or computeType < 64"
)
# In host mode rocBLAS itself knows when alpha, whose type only the arguments tell, is 0 and A and B may be NULL.
OPERANDS = (
    NotNull(("alpha", "beta"), nvidia="crash"),
    NotNull(("A", "B"), unless="k == 0 or host_mode"),
    NotNull(("C",), unless="host_mode"),
)
NOT_EIGHT_TO_INT = "Atype != R_8I or Ctype != R_32I"
LDS_IN_FOURS = "multiple(lda, 4) and multiple(ldb, 4)"
IN_FOURS = f"{LDS_IN_FOURS} and aligned(A, 4) and aligned(B, 4)"
OPERAND_ARRAYS = (NotNull(("alpha", "beta"), nvidia="crash"), NotNull(("Aarray", "Barray", "Carray")))

A_ROWS, A_COLS = "m if transa == N else k", "k if transa == N else m"
B_ROWS, B_COLS = "k if transb == N else n", "n if transb == N else k"
OUTPUT = {"d_type": "Ctype", "ldd": "ldc", "algo": "rocblas_gemm_algo_standard", "solution_index": "0", "flags": "0"}
TYPE_NAMES = {"a_type": "Atype", "b_type": "Btype", "c_type": "Ctype"}

TYPED_BASE = {
    "transa": "N",
    "transb": "N",
    "m": 7,
    "n": 5,
    "k": 6,
    "alpha": 2.0,
    "beta": -1.0,
    "Atype": "R_32F",
    "Btype": "R_32F",
    "Ctype": "R_32F",
}
BASE = {**TYPED_BASE, "computeType": "COMPUTE_32F", "algo": -1}
COMBINATIONS = (
    ("R_32F", "R_32F", "R_32F", "COMPUTE_32F"),
    ("R_64F", "R_64F", "R_64F", "COMPUTE_64F"),
    ("C_32F", "C_32F", "C_32F", "COMPUTE_32F_PEDANTIC"),
    ("C_64F", "C_64F", "C_64F", "COMPUTE_64F_PEDANTIC"),
    ("R_16F", "R_16F", "R_16F", "COMPUTE_32F"),
    ("R_16F", "R_16F", "R_16F", "COMPUTE_16F"),
    ("R_16F", "R_16F", "R_32F", "COMPUTE_32F_FAST_16F"),
    ("R_16BF", "R_16BF", "R_16BF", "COMPUTE_32F"),
    ("R_16BF", "R_16BF", "R_32F", "COMPUTE_32F_FAST_16BF"),
    ("R_8I", "R_8I", "R_32F", "COMPUTE_32F"),
    ("C_8I", "C_8I", "C_32F", "COMPUTE_32F"),
    ("R_32F", "R_64F", "R_32F", "COMPUTE_32F"),
    ("R_32F", "R_32F", "R_64F", "COMPUTE_64F"),
    ("R_64F", "R_64F", "R_64F", "COMPUTE_32F"),
)
TYPED_COMBINATIONS = (
    ("R_32F", "R_32F", "R_32F"),
    ("R_16F", "R_16F", "R_16F"),
    ("R_16F", "R_16F", "R_32F"),
    ("R_16BF", "R_16BF", "R_16BF"),
    ("R_16BF", "R_16BF", "R_32F"),
    ("R_8I", "R_8I", "R_32F"),
    ("R_64F", "R_64F", "R_64F"),
)
TYPES = "Atype Btype Ctype computeType"
TYPED = "Atype Btype Ctype"
GRID = {"transa": ("N", "T", "C"), "transb": ("N", "T", "C")}
VARY = {"m": (0, 1, 33), "n": (0, 1, 33), "k": (0, 1, 33, 130), "alpha": (0.0, 1.0), "beta": (0.0, 1.0)}
EIGHT_BIT = {
    f"{TYPES} m n k lda ldb": (
        ("R_8I", "R_8I", "R_32I", "COMPUTE_32I", 8, 4, 12, 8, 12),
        ("R_8I", "R_8I", "R_32I", "COMPUTE_32I", 7, 5, 6, 7, 8),
        ("R_8I", "R_8I", "R_32I", "COMPUTE_32I", 7, 5, 6, 8, 6),
    )
}
EX_VARY = {**VARY, TYPES: COMBINATIONS, **EIGHT_BIT, "algo": (0, 99, 999)}
HUGE = "answers EXECUTION_FAILED to sizes beyond 32 bits, also where nothing is to be done"
ARGS: dict[str, Arg] = {
    "alpha": Scalar(T=COMPUTE),
    "A": Mat(rows=A_ROWS, cols=A_COLS, ld="lda", T="Atype"),
    "B": Mat(rows=B_ROWS, cols=B_COLS, ld="ldb", T="Btype"),
    "beta": Scalar(T=COMPUTE),
    "C": Mat(rows="m", cols="n", ld="ldc", T="Ctype", dir=INOUT),
}
TYPED_ARGS: dict[str, Arg] = {**ARGS, "alpha": Scalar(), "beta": Scalar()}

COMPLEX_STEPS = (
    Handle(),
    SAME_TYPE,
    *OPERATIONS,
    Check(LDA, 8),
    Check(LDB, 10),
    Check(LDC, 13),
    Check("Ctype == C_32F and Atype in (C_32F, C_8I)", status="NOT_SUPPORTED"),
    Quick("m == 0 or n == 0"),
    *OPERANDS,
)
COMPLEX_SWEEP = Sweep(
    base={**TYPED_BASE, "Atype": "C_32F", "Btype": "C_32F", "Ctype": "C_32F"},
    grid=GRID,
    vary={**VARY, TYPED: (("C_8I", "C_8I", "C_32F"), ("C_8I", "C_8I", "C_8I"))},
)
# two operands, a one and a constant; each operand of each product is set to the constant first
WIDENED = Path(native="sx_gemm_int8", when=EIGHT_TO_SINGLE, ops=Ops(allocations=4, launches=64))
WIDENED_ARRAY = Path(
    native="sx_gemm_int8", when=EIGHT_TO_SINGLE, ops=Ops(allocations=4, copies=3, syncs=1, launches=64)
)

ROWS = (
    Row(
        symbols="cublasGemmEx{_64}",
        kind=ADAPTED,
        xerbla="GEMM_EX",
        steps=(
            Handle(),
            SAME_TYPE,
            *OPERATIONS,
            Check(LDA, 9),
            Check(LDB, 12),
            Check(LDC, 16),
            Check(ALGO, 18),
            *TYPES_KNOWN,
            SUPPORTED,
            Quick("m == 0 or n == 0"),
            *OPERANDS,
            ChipLimit(f"{NOT_EIGHT_TO_INT} or {IN_FOURS}"),
        ),
        paths=(
            WIDENED,
            Path(call="rocblas_gemm_ex", args={**TYPE_NAMES, "d": "C", **OUTPUT, "compute_type": COMPUTE}),
        ),
        args=ARGS,
        oracle=gemm,
        compare=Componentwise(length="k"),
        sweep=Sweep(base=BASE, grid=GRID, vary=EX_VARY),
        differs={"huge": HUGE},
        source="cuBLAS 2.8.12",
    ),
    Row(
        symbols="cublasGemmBatchedEx{_64}",
        kind=ADAPTED,
        xerbla="GEMM_EX",
        steps=(
            Handle(),
            *OPERATIONS,
            Check(LDA, 9),
            Check(LDB, 12),
            Check(LDC, 16),
            Check(ALGO, 19),
            SAME_TYPE,
            *TYPES_KNOWN,
            COMPUTE_KNOWN,
            SUPPORTED,
            Quick("m == 0 or n == 0 or batchCount == 0"),
            Check("batchCount > 0", status="EXECUTION_FAILED"),
            *OPERAND_ARRAYS,
            ChipLimit(f"{NOT_EIGHT_TO_INT} or {LDS_IN_FOURS}"),
        ),
        paths=(
            WIDENED_ARRAY,
            Path(
                call="rocblas_gemm_batched_ex",
                args={
                    "a": "Aarray",
                    "b": "Barray",
                    "c": "Carray",
                    "d": "Carray",
                    **TYPE_NAMES,
                    **OUTPUT,
                    "batch_count": "batchCount",
                    "compute_type": COMPUTE,
                },
            ),
        ),
        args={
            "alpha": Scalar(T=COMPUTE),
            "Aarray": Mat(rows=A_ROWS, cols=A_COLS, ld="lda", T="Atype", batch="batchCount", array=True),
            "Barray": Mat(rows=B_ROWS, cols=B_COLS, ld="ldb", T="Btype", batch="batchCount", array=True),
            "beta": Scalar(T=COMPUTE),
            "Carray": Mat(rows="m", cols="n", ld="ldc", T="Ctype", dir=INOUT, batch="batchCount", array=True),
        },
        oracle=gemm_batched,
        compare=Componentwise(length="k"),
        sweep=Sweep(base={**BASE, "batchCount": 3}, grid=GRID, vary={**EX_VARY, "batchCount": (0, 1, 9)}),
        source="cuBLAS 2.8.13",
    ),
    Row(
        symbols="cublasGemmStridedBatchedEx{_64}",
        kind=ADAPTED,
        xerbla="GEMM_EX",
        steps=(
            Handle(),
            *OPERATIONS,
            Check(LDA, 9),
            Check(LDB, 13),
            Check(LDC, 18),
            Check(ALGO, 22),
            SAME_TYPE,
            *TYPES_KNOWN,
            COMPUTE_KNOWN,
            SUPPORTED,
            Quick("m == 0 or n == 0 or batchCount == 0 or k == 0 and batchCount < 0"),
            Check("batchCount > 0", status="EXECUTION_FAILED"),
            *OPERANDS,
            ChipLimit(f"{NOT_EIGHT_TO_INT} or {IN_FOURS} and multiple(strideA, 4) and multiple(strideB, 4)"),
        ),
        paths=(
            WIDENED,
            Path(
                call="rocblas_gemm_strided_batched_ex",
                args={
                    **TYPE_NAMES,
                    "stride_a": "strideA",
                    "stride_b": "strideB",
                    "stride_c": "strideC",
                    "d": "C",
                    **OUTPUT,
                    "stride_d": "strideC",
                    "batch_count": "batchCount",
                    "compute_type": COMPUTE,
                },
            ),
        ),
        args={
            "alpha": Scalar(T=COMPUTE),
            "A": Mat(rows=A_ROWS, cols=A_COLS, ld="lda", T="Atype", stride="strideA", batch="batchCount"),
            "B": Mat(rows=B_ROWS, cols=B_COLS, ld="ldb", T="Btype", stride="strideB", batch="batchCount"),
            "beta": Scalar(T=COMPUTE),
            "C": Mat(rows="m", cols="n", ld="ldc", T="Ctype", dir=INOUT, stride="strideC", batch="batchCount"),
        },
        oracle=gemm,
        compare=Componentwise(length="k"),
        sweep=Sweep(base={**BASE, "batchCount": 3}, grid=GRID, vary={**EX_VARY, "batchCount": (0, 1, 9)}),
        source="cuBLAS 2.8.14",
    ),
    Row(
        symbols="cublasSgemmEx{_64}",
        kind=ADAPTED,
        T={"S": "S"},
        xerbla="SGEMM_EX",
        steps=(
            Handle(),
            SAME_TYPE,
            *OPERATIONS,
            Check(LDA, 8),
            Check(LDB, 10),
            Check(LDC, 13),
            Check(TYPED_TABLE, status="NOT_SUPPORTED"),
            Quick("m == 0 or n == 0"),
            *OPERANDS,
        ),
        paths=(
            WIDENED,
            Path(call="rocblas_gemm_ex", args={**TYPE_NAMES, "d": "C", **OUTPUT, "compute_type": "R_32F"}),
        ),
        args=TYPED_ARGS,
        oracle=gemm,
        compare=Componentwise(length="k"),
        sweep=Sweep(base=TYPED_BASE, grid=GRID, vary={**VARY, TYPED: TYPED_COMBINATIONS}),
        differs={"huge": HUGE},
        source="cuBLAS 2.8.11",
    ),
    Row(
        symbols="cublasCgemmEx{_64}",
        kind=ADAPTED,
        T={"C": "C"},
        xerbla="CGEMM_EX",
        steps=COMPLEX_STEPS,
        paths=(
            WIDENED,
            Path(call="rocblas_gemm_ex", args={**TYPE_NAMES, "d": "C", **OUTPUT, "compute_type": "C_32F"}),
        ),
        args=TYPED_ARGS,
        oracle=gemm,
        compare=Componentwise(length="k"),
        sweep=COMPLEX_SWEEP,
        source="cuBLAS 2.8.11",
    ),
    Row(
        symbols="cublasCgemm3mEx{_64}",
        kind=ADAPTED,
        T={"C": "C"},
        xerbla="CGEMM",
        steps=COMPLEX_STEPS,
        paths=(
            WIDENED,
            Path(call="rocblas_gemm_ex", args={**TYPE_NAMES, "d": "C", **OUTPUT, "compute_type": "C_32F"}),
        ),
        args=TYPED_ARGS,
        oracle=gemm,
        compare=Componentwise(length="k"),
        sweep=COMPLEX_SWEEP,
        source="cuBLAS 2.8.11",
    ),
)
