"""What the pages of cublasXt share: arguments, checks and the inputs swept."""

from __future__ import annotations

from scale_x.wrappers_gen.rows import INOUT, Arg, Check, Handle, Mat, NotNull, Quick, Scalar, Sweep

SOURCE = "cuBLAS 4, cublasXt API"
TILES = "tiles of the block dimension on lanes of the selected devices, computed by the v2 functions"

# a size_t that is a negative number in disguise is no size: no memory holds 2^40 rows or columns
LIMIT = 1099511627776

ALPHA = Scalar(host=True)
REAL = Scalar(T="R", host=True)
ORDER = "m if side == LEFT else n"
PANEL_ROWS, PANEL_COLS = "n if trans == N else k", "k if trans == N else n"
A_PANEL = Mat(rows=PANEL_ROWS, cols=PANEL_COLS, ld="lda")
B_PANEL = Mat(rows=PANEL_ROWS, cols=PANEL_COLS, ld="ldb")
B_MATRIX = Mat(rows="m", cols="n", ld="ldb")
C_MATRIX = Mat(rows="m", cols="n", ld="ldc", dir=INOUT)
C_TRIANGLE = Mat(rows="n", cols="n", ld="ldc", part="uplo", dir=INOUT)

POINTERS = (NotNull(("alpha", "beta")), NotNull(("C",), status="MAPPING_ERROR"))
GEMM_STEPS = (
    Handle(),
    Check("transa in (N, T, C)"),
    Check("transb in (N, T, C)"),
    Check(f"m >= 0 and m <= {LIMIT} and n >= 0 and n <= {LIMIT} and k >= 0 and k <= {LIMIT}"),
    Check(f"lda >= max(1, m if transa == N else k) and lda <= {LIMIT}"),
    Check(f"ldb >= max(1, k if transb == N else n) and ldb <= {LIMIT}"),
    Check("ldc < 0 or ldc >= max(1, m)"),
    Check(f"ldc >= 0 and ldc <= {LIMIT}", 13),
    Quick("m == 0 or n == 0"),
    *POINTERS,
    NotNull(("A", "B"), unless="k == 0", status="MAPPING_ERROR"),
)
SIDES = (
    Handle(),
    Check("side in (LEFT, RIGHT)"),
    Check("uplo in (LOWER, UPPER)"),
    Check(f"m >= 0 and m <= {LIMIT} and n >= 0 and n <= {LIMIT}"),
)
SYMM_STEPS = (
    *SIDES,
    Check("lda < 0 or lda >= max(1, m if side == LEFT else n)"),
    Check("ldb < 0 or ldb >= max(1, m)"),
    Check("ldc < 0 or ldc >= max(1, m)"),
    Check(f"lda >= 0 and lda <= {LIMIT}", 7),
    Check(f"ldb >= 0 and ldb <= {LIMIT}", 9),
    Check(f"ldc >= 0 and ldc <= {LIMIT}", 12),
    Quick("m == 0 or n == 0"),
    *POINTERS,
    NotNull(("A", "B"), status="MAPPING_ERROR"),
)
SPMM_STEPS = (
    *SIDES,
    Check(f"ldb >= max(1, m) and ldb <= {LIMIT}"),
    Check(f"ldc >= max(1, m) and ldc <= {LIMIT}"),
    Quick("m == 0 or n == 0"),
    NotNull(("alpha", "beta", "C")),
    NotNull(("AP",), unless="value(alpha) == 0", nvidia="crash", nvidia_unless=""),
    NotNull(("B",), unless="value(alpha) == 0"),
)
TRIANGULAR_STEPS = (
    Handle(),
    Check("side in (LEFT, RIGHT)"),
    Check("uplo in (LOWER, UPPER)"),
    Check(f"m >= 0 and m <= {LIMIT} and n >= 0 and n <= {LIMIT}", nvidia="crash"),
    Check("trans in (N, T, C)"),
    Check("diag in (NON_UNIT, UNIT)"),
    Check("lda < 0 or lda >= max(1, m if side == LEFT else n)"),
    Check("ldb < 0 or ldb >= max(1, m)"),
)
HUGE_AB = (
    Check(f"lda >= 0 and lda <= {LIMIT}", 9),
    Check(f"ldb >= 0 and ldb <= {LIMIT}", 11),
)
UPDATE_STEPS = (
    Handle(),
    Check("uplo in (LOWER, UPPER)"),
    Check("trans in (N, T, C)"),
    Check(f"n >= 0 and n <= {LIMIT} and k >= 0 and k <= {LIMIT}"),
    Check("lda < 0 or lda >= max(1, n if trans == N else k)"),
)
ONE_STEPS = (
    *UPDATE_STEPS,
    Check("ldc < 0 or ldc >= max(1, n)"),
    Check(f"lda >= 0 and lda <= {LIMIT}", 7),
    Check(f"ldc >= 0 and ldc <= {LIMIT}", 10),
    Quick("n == 0"),
    *POINTERS,
    NotNull(("A",), unless="k == 0", status="MAPPING_ERROR"),
)
TWO_STEPS = (
    *UPDATE_STEPS,
    Check("ldb < 0 or ldb >= max(1, n if trans == N else k)"),
    Check("ldc < 0 or ldc >= max(1, n)"),
    Check(f"lda >= 0 and lda <= {LIMIT}", 7),
    Check(f"ldb >= 0 and ldb <= {LIMIT}", 9),
    Check(f"ldc >= 0 and ldc <= {LIMIT}", 12),
    Quick("n == 0"),
    *POINTERS,
    NotNull(("A", "B"), unless="k == 0", status="MAPPING_ERROR"),
)

SYMM_ARGS: dict[str, Arg] = {
    "alpha": ALPHA,
    "A": Mat(rows=ORDER, cols=ORDER, ld="lda", part="uplo"),
    "B": B_MATRIX,
    "beta": ALPHA,
    "C": C_MATRIX,
}
TRIANGLE = Mat(rows=ORDER, cols=ORDER, ld="lda", part="uplo", unit="diag == UNIT")
ONE_ARGS: dict[str, Arg] = {"alpha": ALPHA, "A": A_PANEL, "beta": ALPHA, "C": C_TRIANGLE}
TWO_ARGS: dict[str, Arg] = {"alpha": ALPHA, "A": A_PANEL, "B": B_PANEL, "beta": ALPHA, "C": C_TRIANGLE}
HERMITIAN_TWO_ARGS: dict[str, Arg] = {"alpha": ALPHA, "A": A_PANEL, "B": B_PANEL, "beta": REAL, "C": C_TRIANGLE}

ALPHA_BETA = {"alpha": 1.25 - 0.5j, "beta": -0.75 + 0.25j}
FACTORS = (0.0, 1.0, -1.0)
SIZES = (0, 1, 16, 50)  # around the runner's block dimension, 16
TRIANGLES = {"uplo": ("LOWER", "UPPER"), "trans": ("N", "T", "C")}
ANY_HANDLE = Handle(status="INVALID_VALUE", nvidia="reads")
NEGATIVE = "takes a size that no memory holds, and answers SUCCESS"
DIFFERS = {"k=0": "leaves C as it is where k = 0", "n=-1 or k=-1": NEGATIVE}
COMPLEX_DIFFERS = {**DIFFERS, "trans=C,": "does not count operation C as T"}
GEMM_SWEEP = Sweep(
    base={"transa": "N", "transb": "N", "m": 19, "n": 33, "k": 21, **ALPHA_BETA},
    grid={"transa": ("N", "T", "C"), "transb": ("N", "T", "C")},
    vary={"m": SIZES, "n": SIZES, "k": SIZES, "alpha": FACTORS, "beta": FACTORS},
)
SYMM_SWEEP = Sweep(
    base={"side": "LEFT", "uplo": "LOWER", "m": 35, "n": 19, **ALPHA_BETA},
    grid={"side": ("LEFT", "RIGHT"), "uplo": ("LOWER", "UPPER")},
    vary={"m": SIZES, "n": SIZES, "alpha": FACTORS, "beta": FACTORS},
)
TRIANGULAR_SWEEP = Sweep(
    base={"side": "LEFT", "uplo": "LOWER", "trans": "N", "diag": "NON_UNIT", "m": 35, "n": 19, "alpha": 1.25 - 0.5j},
    grid={"side": ("LEFT", "RIGHT"), "diag": ("NON_UNIT", "UNIT"), **TRIANGLES},
    vary={"m": SIZES, "n": SIZES, "alpha": FACTORS},
)
UPDATE_VARY = {"n": SIZES, "k": SIZES, "alpha": FACTORS, "beta": FACTORS}
UPDATE_SWEEP = Sweep(
    base={"uplo": "LOWER", "trans": "N", "n": 35, "k": 19, **ALPHA_BETA}, grid=TRIANGLES, vary=UPDATE_VARY
)
REAL_SWEEP = Sweep(
    base={"uplo": "LOWER", "trans": "N", "n": 35, "k": 19, "alpha": 1.25, "beta": -0.75},
    grid=TRIANGLES,
    vary=UPDATE_VARY,
)
HALF_REAL_SWEEP = Sweep(
    base={"uplo": "LOWER", "trans": "N", "n": 35, "k": 19, "alpha": 1.25 - 0.5j, "beta": -0.75},
    grid=TRIANGLES,
    vary=UPDATE_VARY,
)
