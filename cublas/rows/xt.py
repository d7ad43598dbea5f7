"""cublasXt: BLAS-3 on matrices in host or device memory, cut into tiles that several devices work on.

Scalars are always in host memory and sizes are size_t. The tiles are computed by the v2 functions of this library, so
what a product means is told on the level-3 pages; the call returns when its result is in place. Bad arguments are
INVALID_VALUE, without a message. There are no sweeps here: their runner keeps matrices on the device, while these
functions are made for the host's; tests/test_xt.py compares every function with NumPy, with matrices in either place.
"""

from __future__ import annotations

from scale_x.wrappers_gen.rows import INOUT, NATIVE, OUT, Arg, Check, Handle, Mat, NotNull, Quick, Row, Scalar, Vec

TITLE = "cublasXt"

_SOURCE = "cuBLAS 4, cublasXt API"
_TILES = "tiles of the block dimension on lanes of the selected devices, computed by the v2 functions"

ALPHA = Scalar(host=True)
REAL = Scalar(T="R", host=True)
ORDER = "m if side == LEFT else n"
PANEL_ROWS, PANEL_COLS = "n if trans == N else k", "k if trans == N else n"
A_PANEL = Mat(rows=PANEL_ROWS, cols=PANEL_COLS, ld="lda")
B_PANEL = Mat(rows=PANEL_ROWS, cols=PANEL_COLS, ld="ldb")
B_MATRIX = Mat(rows="m", cols="n", ld="ldb")
C_MATRIX = Mat(rows="m", cols="n", ld="ldc", dir=INOUT)
C_TRIANGLE = Mat(rows="n", cols="n", ld="ldc", part="uplo", dir=INOUT)

GEMM_STEPS = (
    Handle(),
    Check("transa in (N, T, C)"),
    Check("transb in (N, T, C)"),
    Check("m >= 0 and n >= 0 and k >= 0"),
    Check("lda >= max(1, m if transa == N else k)"),
    Check("ldb >= max(1, k if transb == N else n)"),
    Check("ldc >= max(1, m)"),
    Quick("m == 0 or n == 0"),
    NotNull(("alpha", "beta", "C")),
    NotNull(("A", "B"), unless="k == 0 or value(alpha) == 0"),
)
SIDES = (
    Handle(),
    Check("side in (LEFT, RIGHT)"),
    Check("uplo in (LOWER, UPPER)"),
    Check("m >= 0 and n >= 0"),
)
SYMM_STEPS = (
    *SIDES,
    Check("lda >= max(1, m if side == LEFT else n)"),
    Check("ldb >= max(1, m)"),
    Check("ldc >= max(1, m)"),
    Quick("m == 0 or n == 0"),
    NotNull(("alpha", "beta", "C")),
    NotNull(("A", "B"), unless="value(alpha) == 0"),
)
SPMM_STEPS = (
    *SIDES,
    Check("ldb >= max(1, m)"),
    Check("ldc >= max(1, m)"),
    Quick("m == 0 or n == 0"),
    NotNull(("alpha", "beta", "C")),
    NotNull(("AP", "B"), unless="value(alpha) == 0"),
)
TRIANGULAR_STEPS = (
    *SIDES,
    Check("trans in (N, T, C)"),
    Check("diag in (NON_UNIT, UNIT)"),
    Check("lda >= max(1, m if side == LEFT else n)"),
    Check("ldb >= max(1, m)"),
)
UPDATE_STEPS = (
    Handle(),
    Check("uplo in (LOWER, UPPER)"),
    Check("trans in (N, T, C)"),
    Check("n >= 0 and k >= 0"),
    Check("lda >= max(1, n if trans == N else k)"),
)
ONE_STEPS = (
    *UPDATE_STEPS,
    Check("ldc >= max(1, n)"),
    Quick("n == 0"),
    NotNull(("alpha", "beta", "C")),
    NotNull(("A",), unless="k == 0 or value(alpha) == 0"),
)
TWO_STEPS = (
    *UPDATE_STEPS,
    Check("ldb >= max(1, n if trans == N else k)"),
    Check("ldc >= max(1, n)"),
    Quick("n == 0"),
    NotNull(("alpha", "beta", "C")),
    NotNull(("A", "B"), unless="k == 0 or value(alpha) == 0"),
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
        steps=(Handle(),),
        native="sx_xt_destroy",
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXtDeviceSelect",
        kind=NATIVE,
        why="a stream, a cuBLAS handle and room for tiles twice per device; another selection replaces it",
        steps=(Handle(), Check("nbDevices > 0"), NotNull(("deviceId",))),
        native="sx_xt_device_select",
        args={"deviceId": Vec(n="nbDevices", T="I")},
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXtGetNumBoards",
        kind=NATIVE,
        why="every device counts as a board",
        steps=(Check("nbDevices > 0"), NotNull(("deviceId", "nbBoards"))),
        native="sx_xt_num_boards",
        args={"deviceId": Vec(n="nbDevices", T="I"), "nbBoards": Scalar(T="I", dir=OUT, host=True)},
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXtMaxBoards",
        kind=NATIVE,
        why="the number of devices",
        steps=(NotNull(("nbGpuBoards",)),),
        native="sx_xt_max_boards",
        args={"nbGpuBoards": Scalar(T="I", dir=OUT, host=True)},
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXtSetBlockDim",
        kind=NATIVE,
        why="the side of a tile, 2048 at first",
        steps=(Handle(), Check("blockDim > 0")),
        native="sx_xt_set_block",
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXtGetBlockDim",
        kind=NATIVE,
        why="answers the setting",
        steps=(Handle(), NotNull(("blockDim",))),
        native="sx_xt_get_block",
        args={"blockDim": Scalar(T="I", dir=OUT, host=True)},
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXtSetPinningMemMode",
        kind=NATIVE,
        why="pins the host's matrices for the length of a call",
        steps=(Handle(),),
        native="sx_xt_set_pinning",
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXtGetPinningMemMode",
        kind=NATIVE,
        why="answers the setting",
        steps=(Handle(), NotNull(("mode",))),
        native="sx_xt_get_pinning",
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXtSetCpuRoutine",
        kind=NATIVE,
        why="a Fortran BLAS routine for the CPU's share; as documented, only gemm has one",
        steps=(Handle(),),
        native="sx_xt_set_cpu_routine",
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXtSetCpuRatio",
        kind=NATIVE,
        why="the CPU's share of the columns, 0 to 1",
        steps=(Handle(),),
        native="sx_xt_set_cpu_ratio",
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}gemm",
        kind=NATIVE,
        T="SDCZ",
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
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}symm",
        kind=NATIVE,
        T="SDCZ",
        why=_TILES,
        steps=SYMM_STEPS,
        native="sx_xt_symm",
        args=SYMM_ARGS,
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}hemm",
        kind=NATIVE,
        T="CZ",
        why=_TILES,
        steps=SYMM_STEPS,
        native="sx_xt_hemm",
        args=SYMM_ARGS,
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
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}trmm",
        kind=NATIVE,
        T="SDCZ",
        why=_TILES + "; C may be B",
        steps=(
            *TRIANGULAR_STEPS,
            Check("ldc >= max(1, m)"),
            Quick("m == 0 or n == 0"),
            NotNull(("alpha", "A", "B", "C")),
        ),
        native="sx_xt_trmm",
        args={"alpha": ALPHA, "A": TRIANGLE, "B": B_MATRIX, "C": Mat(rows="m", cols="n", ld="ldc", dir=OUT)},
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}trsm",
        kind=NATIVE,
        T="SDCZ",
        why=_TILES + ", block after block of the substitution",
        steps=(*TRIANGULAR_STEPS, Quick("m == 0 or n == 0"), NotNull(("alpha", "A", "B"))),
        native="sx_xt_trsm",
        args={"alpha": ALPHA, "A": TRIANGLE, "B": Mat(rows="m", cols="n", ld="ldb", dir=INOUT)},
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}syrk",
        kind=NATIVE,
        T="SDCZ",
        why=_TILES,
        steps=ONE_STEPS,
        native="sx_xt_syrk",
        args=ONE_ARGS,
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}herk",
        kind=NATIVE,
        T="CZ",
        why=_TILES,
        steps=ONE_STEPS,
        native="sx_xt_herk",
        args={"alpha": REAL, "A": A_PANEL, "beta": REAL, "C": C_TRIANGLE},
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}syr2k",
        kind=NATIVE,
        T="SDCZ",
        why=_TILES,
        steps=TWO_STEPS,
        native="sx_xt_syr2k",
        args=TWO_ARGS,
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}her2k",
        kind=NATIVE,
        T="CZ",
        why=_TILES,
        steps=TWO_STEPS,
        native="sx_xt_her2k",
        args=HERMITIAN_TWO_ARGS,
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}syrkx",
        kind=NATIVE,
        T="SDCZ",
        why=_TILES,
        steps=TWO_STEPS,
        native="sx_xt_syrkx",
        args=TWO_ARGS,
        source=_SOURCE,
    ),
    Row(
        symbols="cublasXt{T}herkx",
        kind=NATIVE,
        T="CZ",
        why=_TILES,
        steps=TWO_STEPS,
        native="sx_xt_herkx",
        args=HERMITIAN_TWO_ARGS,
        source=_SOURCE,
    ),
)
