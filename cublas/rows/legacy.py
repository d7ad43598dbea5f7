"""The legacy interface of cublas.h: no handle, letters instead of enumerators, scalars and results by value.

Every function of levels 1 to 3 is its v2 twin on one handle of the process, which cublasInit makes. So checks, quick
returns and results are those of the v2 pages, where the oracles are; the numbers in xerbla's message agree too, because
both interfaces count without the handle. A status goes to cublasGetError, which answers the last error once. A function
that returns a value returns 0 when it failed. An unknown letter is an invalid enumerator: INVALID_VALUE.
"""

from __future__ import annotations

from scale_x.wrappers_gen.rows import ADAPTED, NATIVE, Check, NotNull, Path, Row

TITLE = "Legacy interface (cublas.h)"

_TWIN = (Path(own="{symbol}_v2"),)
_WHY = "the v2 function on the process's handle"

ROWS = (
    Row(
        symbols="cublasInit",
        kind=NATIVE,
        why="makes the process's handle; a second call changes nothing",
        native="sx_legacy_init",
        source="cuBLAS appendix, legacy API",
    ),
    Row(
        symbols="cublasShutdown",
        kind=NATIVE,
        why="destroys it; NOT_INITIALIZED without one",
        native="sx_legacy_shutdown",
        source="cuBLAS appendix, legacy API",
    ),
    Row(
        symbols="cublasGetError",
        kind=NATIVE,
        why="the last error of a core function; reading it clears it",
        native="sx_legacy_get_error",
        source="cuBLAS appendix, legacy API",
    ),
    Row(
        symbols="cublasAlloc",
        kind=NATIVE,
        why="hipMalloc",
        steps=(Check("n > 0 and elemSize > 0", nvidia="crash"), NotNull(("devicePtr",), nvidia="crash")),
        native="sx_legacy_alloc",
        source="cuBLAS appendix, legacy API",
    ),
    Row(
        symbols="cublasFree",
        kind=NATIVE,
        why="hipFree",
        native="sx_legacy_free",
        source="cuBLAS appendix, legacy API",
    ),
    Row(
        symbols="cublasSetKernelStream",
        kind=NATIVE,
        why="the stream of the process's handle",
        native="sx_legacy_set_stream",
        source="cuBLAS appendix, legacy API",
    ),
    Row(
        symbols="cublasGetVersion",
        kind=ADAPTED,
        why=_WHY,
        paths=_TWIN,
        source="cublas.h",
    ),
    # level 1
    Row(
        symbols="cublas{T}axpy cublas{T}copy cublas{T}scal cublas{T}swap cublas{T}rotg cublas{T}rot",
        kind=ADAPTED,
        T="SDCZ",
        why=_WHY,
        paths=_TWIN,
        source="cuBLAS appendix, legacy API; Reference BLAS",
    ),
    Row(
        symbols="cublas{T}dot cublas{T}rotm cublas{T}rotmg",
        kind=ADAPTED,
        T="SD",
        why=_WHY,
        paths=_TWIN,
        source="cuBLAS appendix, legacy API; Reference BLAS",
    ),
    Row(
        symbols="cublas{T}dotu cublas{T}dotc",
        kind=ADAPTED,
        T="CZ",
        why=_WHY,
        paths=_TWIN,
        source="cuBLAS appendix, legacy API; Reference BLAS",
    ),
    Row(
        symbols="cublas{T}rot cublas{T}scal",
        kind=ADAPTED,
        T={"Cs": "C", "Zd": "Z"},
        why=_WHY,
        paths=_TWIN,
        source="cuBLAS appendix, legacy API; Reference BLAS",
    ),
    Row(
        symbols="cublas{T}nrm2 cublas{T}asum",
        kind=ADAPTED,
        T={"S": "S", "D": "D", "Sc": "C", "Dz": "Z"},
        why=_WHY,
        paths=_TWIN,
        source="cuBLAS appendix, legacy API; Reference BLAS",
    ),
    Row(
        symbols="cublasI{t}amax cublasI{t}amin",
        kind=ADAPTED,
        T="SDCZ",
        why=_WHY,
        paths=_TWIN,
        source="cuBLAS appendix, legacy API; Reference BLAS",
    ),
    # level 2
    Row(
        symbols="cublas{T}gemv cublas{T}gbmv cublas{T}trmv cublas{T}tbmv cublas{T}tpmv cublas{T}trsv cublas{T}tbsv "
        "cublas{T}tpsv",
        kind=ADAPTED,
        T="SDCZ",
        why=_WHY,
        paths=_TWIN,
        source="cuBLAS appendix, legacy API; Reference BLAS",
    ),
    Row(
        symbols="cublas{T}symv cublas{T}sbmv cublas{T}spmv cublas{T}ger cublas{T}syr cublas{T}spr cublas{T}syr2 "
        "cublas{T}spr2",
        kind=ADAPTED,
        T="SD",
        why=_WHY,
        paths=_TWIN,
        source="cuBLAS appendix, legacy API; Reference BLAS",
    ),
    Row(
        symbols="cublas{T}hemv cublas{T}hbmv cublas{T}hpmv cublas{T}geru cublas{T}gerc cublas{T}her cublas{T}hpr "
        "cublas{T}her2 cublas{T}hpr2",
        kind=ADAPTED,
        T="CZ",
        why=_WHY,
        paths=_TWIN,
        source="cuBLAS appendix, legacy API; Reference BLAS",
    ),
    # level 3
    Row(
        symbols="cublas{T}gemm cublas{T}symm cublas{T}syrk cublas{T}syr2k cublas{T}trsm",
        kind=ADAPTED,
        T="SDCZ",
        why=_WHY,
        paths=_TWIN,
        source="cuBLAS appendix, legacy API; Reference BLAS",
    ),
    Row(
        symbols="cublas{T}trmm",
        kind=ADAPTED,
        T="SDCZ",
        why="in place, as in the Reference BLAS: the v2 function with B as its output",
        paths=(Path(own="{symbol}_v2", args={"C": "B", "ldc": "ldb"}),),
        source="cuBLAS appendix, legacy API; Reference BLAS xTRMM",
    ),
    Row(
        symbols="cublas{T}hemm cublas{T}herk cublas{T}her2k",
        kind=ADAPTED,
        T="CZ",
        why=_WHY,
        paths=_TWIN,
        source="cuBLAS appendix, legacy API; Reference BLAS",
    ),
)
