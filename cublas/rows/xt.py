"""cublasXt: BLAS-3 on matrices in host or device memory, cut into tiles that several devices work on.

Scalars are always in host memory and sizes are size_t. The tiles are computed by the v2 functions of this library, so
what a product means is told on the level-3 pages; the call returns when its result is in place. Of bad arguments only
leading dimensions beyond any memory are named in a message. The sweeps here have matrices on the device, where their
runner keeps them; tests/test_xt.py has them in the host's memory too, and several devices.
"""

from __future__ import annotations

from typing import Any

from scale_x.cublas.rows._level3 import (
    gemm,
    hemm,
    her2k,
    herk,
    herkx,
    symm,
    syr2k,
    syrk,
    syrkx,
    trmm,
    trsm,
    trsm_residual,
)
from scale_x.cublas.rows._linalg import scaled, symmetric
from scale_x.wrappers_gen.rows import (
    INOUT,
    NATIVE,
    OUT,
    Arg,
    Check,
    Componentwise,
    Handle,
    Mat,
    NotNull,
    Quick,
    Residual,
    Row,
    Scalar,
    Sweep,
    Vec,
)

TITLE = "cublasXt"


def spmm(a: Any) -> dict[str, Any]:
    """C := alpha A B + beta C, or B A from the right; A symmetric, one triangle of it packed."""
    full = symmetric(a.uplo, a.AP)
    product = full @ a.B if a.side == "LEFT" else a.B @ full
    return {"C": scaled(a.alpha, product) + scaled(a.beta, a.C)}


_SOURCE = "cuBLAS 4, cublasXt API"
_TILES = "tiles of the block dimension on lanes of the selected devices, computed by the v2 functions"

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

ROWS = (
    Row(
        symbols="cublasXtCreate",
        kind=NATIVE,
        why="a context without devices, behind a slot of core",
        steps=(NotNull(("handle",)),),
        native="sx_xt_create",
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXtDestroy",
        kind=NATIVE,
        why="lets the lanes go",
        steps=(ANY_HANDLE,),
        native="sx_xt_destroy",
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXtDeviceSelect",
        kind=NATIVE,
        why="a stream, a cuBLAS handle and room for tiles twice per device; another selection replaces it",
        steps=(ANY_HANDLE, Check("nbDevices > 0"), NotNull(("deviceId",))),
        native="sx_xt_device_select",
        args={"deviceId": Vec(n="nbDevices", T="I")},
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXtGetNumBoards",
        kind=NATIVE,
        why="every device counts as a board",
        steps=(
            Check("nbDevices >= 0", status="ALLOC_FAILED"),
            Quick("nbDevices == 0"),
            NotNull(("deviceId", "nbBoards"), nvidia="crash"),
        ),
        native="sx_xt_num_boards",
        args={"deviceId": Vec(n="nbDevices", T="I"), "nbBoards": Scalar(T="I", dir=OUT, host=True)},
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXtMaxBoards",
        kind=NATIVE,
        why="the number of devices",
        steps=(NotNull(("nbGpuBoards",), nvidia="crash"),),
        native="sx_xt_max_boards",
        args={"nbGpuBoards": Scalar(T="I", dir=OUT, host=True)},
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXtSetBlockDim",
        kind=NATIVE,
        why="the side of a tile, 2048 at first",
        steps=(ANY_HANDLE, Check("blockDim > 0")),
        native="sx_xt_set_block",
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXtGetBlockDim",
        kind=NATIVE,
        why="answers the setting",
        steps=(ANY_HANDLE, NotNull(("blockDim",))),
        native="sx_xt_get_block",
        args={"blockDim": Scalar(T="I", dir=OUT, host=True)},
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXtSetPinningMemMode",
        kind=NATIVE,
        why="pins the host's matrices for the length of a call",
        steps=(ANY_HANDLE,),
        native="sx_xt_set_pinning",
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXtGetPinningMemMode",
        kind=NATIVE,
        why="answers the setting",
        steps=(ANY_HANDLE, NotNull(("mode",))),
        native="sx_xt_get_pinning",
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXtSetCpuRoutine",
        kind=NATIVE,
        why="a Fortran BLAS routine for the CPU's share; as documented, only gemm has one",
        steps=(ANY_HANDLE,),
        native="sx_xt_set_cpu_routine",
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXtSetCpuRatio",
        kind=NATIVE,
        why="the CPU's share of the columns, 0 to 1",
        steps=(ANY_HANDLE,),
        native="sx_xt_set_cpu_ratio",
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}gemm",
        kind=NATIVE,
        T="SDCZ",
        xerbla="{T}GEMM",
        why=_TILES,
        steps=GEMM_STEPS,
        native="sx_xt_gemm",
        args={
            "alpha": ALPHA,
            "A": Mat(rows="m if transa == N else k", cols="k if transa == N else m", ld="lda"),
            "B": Mat(rows="k if transb == N else n", cols="n if transb == N else k", ld="ldb"),
            "beta": ALPHA,
            "C": C_MATRIX,
        },
        oracle=gemm,
        compare=Componentwise(length="k"),
        sweep=GEMM_SWEEP,
        differs=DIFFERS,
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}symm",
        kind=NATIVE,
        T="SDCZ",
        xerbla="{T}SYMM",
        why=_TILES,
        steps=SYMM_STEPS,
        native="sx_xt_symm",
        args=SYMM_ARGS,
        oracle=symm,
        compare=Componentwise(length=ORDER),
        sweep=SYMM_SWEEP,
        differs={"n=-1": NEGATIVE},
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}hemm",
        kind=NATIVE,
        T="CZ",
        xerbla="{T}HEMM",
        why=_TILES,
        steps=SYMM_STEPS,
        native="sx_xt_hemm",
        args=SYMM_ARGS,
        oracle=hemm,
        compare=Componentwise(length=ORDER),
        sweep=SYMM_SWEEP,
        differs={"n=-1": NEGATIVE},
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}spmm",
        kind=NATIVE,
        T="SDCZ",
        why="symm; a tile of the packed triangle travels column by column",
        steps=SPMM_STEPS,
        native="sx_xt_spmm",
        args={
            "alpha": ALPHA,
            "AP": Mat(rows=ORDER, cols=ORDER, part="uplo", packed=True),
            "B": B_MATRIX,
            "beta": ALPHA,
            "C": C_MATRIX,
        },
        oracle=spmm,
        compare=Componentwise(length=ORDER),
        sweep=SYMM_SWEEP,
        nvidia="differs: answers NOT_SUPPORTED to matrices in device memory",
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}trmm",
        kind=NATIVE,
        T="SDCZ",
        xerbla="{T}TRMM",
        why=_TILES + "; C may be B",
        steps=(
            *TRIANGULAR_STEPS,
            Check("ldc < 0 or ldc >= max(1, m)"),
            *HUGE_AB,
            Check(f"ldc >= 0 and ldc <= {LIMIT}"),
            Quick("m == 0 or n == 0"),
            NotNull(("alpha", "A", "B", "C"), nvidia="crash"),
        ),
        native="sx_xt_trmm",
        args={"alpha": ALPHA, "A": TRIANGLE, "B": B_MATRIX, "C": Mat(rows="m", cols="n", ld="ldc", dir=OUT)},
        oracle=trmm,
        compare=Componentwise(length=ORDER),
        sweep=TRIANGULAR_SWEEP,
        differs={"ldc=-1": "does not look at the leading dimension of C"},
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}trsm",
        kind=NATIVE,
        T="SDCZ",
        xerbla="{T}TRSM",
        why=_TILES + ", block after block of the substitution",
        steps=(
            *TRIANGULAR_STEPS,
            *HUGE_AB,
            Quick("m == 0 or n == 0"),
            NotNull(("alpha",), nvidia="crash"),
            NotNull(("A", "B"), status="MAPPING_ERROR"),
        ),
        native="sx_xt_trsm",
        args={"alpha": ALPHA, "A": TRIANGLE, "B": Mat(rows="m", cols="n", ld="ldb", dir=INOUT)},
        oracle=trsm,
        compare=Residual(fn=trsm_residual),
        sweep=TRIANGULAR_SWEEP,
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}syrk",
        kind=NATIVE,
        T="SD",
        xerbla="{T}SYRK",
        why=_TILES,
        steps=ONE_STEPS,
        native="sx_xt_syrk",
        args=ONE_ARGS,
        oracle=syrk,
        compare=Componentwise(length="k"),
        sweep=UPDATE_SWEEP,
        differs=DIFFERS,
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}syrk",
        kind=NATIVE,
        T="CZ",
        xerbla="{T}SYRK",
        why=_TILES,
        steps=ONE_STEPS,
        native="sx_xt_syrk",
        args=ONE_ARGS,
        oracle=syrk,
        compare=Componentwise(length="k"),
        sweep=UPDATE_SWEEP,
        differs=COMPLEX_DIFFERS,
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}herk",
        kind=NATIVE,
        T="CZ",
        xerbla="{T}HERK",
        why=_TILES,
        steps=ONE_STEPS,
        native="sx_xt_herk",
        args={"alpha": REAL, "A": A_PANEL, "beta": REAL, "C": C_TRIANGLE},
        oracle=herk,
        compare=Componentwise(length="k"),
        sweep=REAL_SWEEP,
        differs=DIFFERS,
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}syr2k",
        kind=NATIVE,
        T="S",
        xerbla="{T}SYRK",
        why=_TILES,
        steps=TWO_STEPS,
        native="sx_xt_syr2k",
        args=TWO_ARGS,
        oracle=syr2k,
        compare=Componentwise(length="2 * k"),
        sweep=UPDATE_SWEEP,
        differs=DIFFERS,
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}syr2k",
        kind=NATIVE,
        T="D",
        xerbla="{T}SYRKX",
        why=_TILES,
        steps=TWO_STEPS,
        native="sx_xt_syr2k",
        args=TWO_ARGS,
        oracle=syr2k,
        compare=Componentwise(length="2 * k"),
        sweep=UPDATE_SWEEP,
        differs=DIFFERS,
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}syr2k",
        kind=NATIVE,
        T="CZ",
        xerbla="{T}SYRKX",
        why=_TILES,
        steps=TWO_STEPS,
        native="sx_xt_syr2k",
        args=TWO_ARGS,
        oracle=syr2k,
        compare=Componentwise(length="2 * k"),
        sweep=UPDATE_SWEEP,
        differs=COMPLEX_DIFFERS,
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}her2k",
        kind=NATIVE,
        T="CZ",
        xerbla="{T}HERKX",
        why=_TILES,
        steps=TWO_STEPS,
        native="sx_xt_her2k",
        args=HERMITIAN_TWO_ARGS,
        oracle=her2k,
        compare=Componentwise(length="2 * k"),
        sweep=HALF_REAL_SWEEP,
        differs=DIFFERS,
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}syrkx",
        kind=NATIVE,
        T="S",
        xerbla="{T}SYRK",
        why=_TILES,
        steps=TWO_STEPS,
        native="sx_xt_syrkx",
        args=TWO_ARGS,
        oracle=syrkx,
        compare=Componentwise(length="k"),
        sweep=UPDATE_SWEEP,
        differs=DIFFERS,
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}syrkx",
        kind=NATIVE,
        T="D",
        xerbla="{T}SYRKX",
        why=_TILES,
        steps=TWO_STEPS,
        native="sx_xt_syrkx",
        args=TWO_ARGS,
        oracle=syrkx,
        compare=Componentwise(length="k"),
        sweep=UPDATE_SWEEP,
        differs=DIFFERS,
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}syrkx",
        kind=NATIVE,
        T="CZ",
        xerbla="{T}SYRKX",
        why=_TILES,
        steps=TWO_STEPS,
        native="sx_xt_syrkx",
        args=TWO_ARGS,
        oracle=syrkx,
        compare=Componentwise(length="k"),
        sweep=UPDATE_SWEEP,
        differs=COMPLEX_DIFFERS,
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}herkx",
        kind=NATIVE,
        T="CZ",
        xerbla="{T}HERKX",
        why=_TILES,
        steps=TWO_STEPS,
        native="sx_xt_herkx",
        args=HERMITIAN_TWO_ARGS,
        oracle=herkx,
        compare=Componentwise(length="k"),
        sweep=HALF_REAL_SWEEP,
        differs=DIFFERS,
        source=_SOURCE,
    ),
)
