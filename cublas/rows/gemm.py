"""gemm: C := alpha op(A) op(B) + beta C in single, double, complex and half precision, alone and in batches.

beta = 0 never reads C and alpha = 0 in host memory never reads A or B; k = 0 is C := beta C, not nothing. Leading
dimensions are checked before the quick return, so ld = 0 is wrong even with m = 0. Operation 3 (conjugate without
transpose) is rejected.
"""

from __future__ import annotations

from typing import Any

from scale_x.cublas.rows._level3 import gemm
from scale_x.cublas.rows._linalg import op, scaled
from scale_x.wrappers_gen.rows import (
    DIRECT,
    INOUT,
    Arg,
    Check,
    Componentwise,
    Handle,
    Mat,
    NotNull,
    Path,
    Quick,
    Row,
    Scalar,
    Sweep,
)

TITLE = "gemm: typed, batched, strided batched"


def gemm_batched(a: Any) -> dict[str, Any]:
    """The same for every matrix of a batch (first axis), given as an array of pointers."""
    product = op(a.transa, a.Aarray) @ op(a.transb, a.Barray)
    return {"Carray": scaled(a.alpha, product) + scaled(a.beta, a.Carray)}


CHECKS = (
    Check("transa in (N, T, C)", 1),
    Check("transb in (N, T, C)", 2),
    Check("m >= 0", 3),
    Check("n >= 0", 4),
    Check("k >= 0", 5),
    Check("lda >= max(1, m if transa == N else k)", 8),
    Check("ldb >= max(1, k if transb == N else n)", 10),
    Check("ldc >= max(1, m)", 13),
)
GEMM_STEPS = (
    Handle(),
    *CHECKS,
    Quick("m == 0 or n == 0"),
    NotNull(("alpha", "beta")),
    Quick("(k == 0 or value(alpha) == 0) and value(beta) == 1"),
    NotNull(("A", "B"), unless="k == 0 or value(alpha) == 0"),
    NotNull(("C",)),
)
BATCHED_STEPS = (
    Handle(),
    *CHECKS,
    Check("batchCount >= 0", 14),
    Quick("m == 0 or n == 0 or batchCount == 0"),
    NotNull(("alpha", "beta"), nvidia="crash"),
)

GEMM_ARGS: dict[str, Arg] = {
    "alpha": Scalar(),
    "A": Mat(rows="m if transa == N else k", cols="k if transa == N else m", ld="lda"),
    "B": Mat(rows="k if transb == N else n", cols="n if transb == N else k", ld="ldb"),
    "beta": Scalar(),
    "C": Mat(rows="m", cols="n", ld="ldc", dir=INOUT),
}
BATCHED_ARGS: dict[str, Arg] = {
    "alpha": Scalar(),
    "Aarray": Mat(
        rows="m if transa == N else k", cols="k if transa == N else m", ld="lda", batch="batchCount", array=True
    ),
    "Barray": Mat(
        rows="k if transb == N else n", cols="n if transb == N else k", ld="ldb", batch="batchCount", array=True
    ),
    "beta": Scalar(),
    "Carray": Mat(rows="m", cols="n", ld="ldc", dir=INOUT, batch="batchCount", array=True),
}
STRIDED_ARGS: dict[str, Arg] = {
    "alpha": Scalar(),
    "A": Mat(
        rows="m if transa == N else k",
        cols="k if transa == N else m",
        ld="lda",
        stride="strideA",
        batch="batchCount",
    ),
    "B": Mat(
        rows="k if transb == N else n",
        cols="n if transb == N else k",
        ld="ldb",
        stride="strideB",
        batch="batchCount",
    ),
    "beta": Scalar(),
    "C": Mat(rows="m", cols="n", ld="ldc", dir=INOUT, stride="strideC", batch="batchCount"),
}

BASE = {"transa": "N", "transb": "N", "m": 7, "n": 5, "k": 6, "alpha": 1.25 - 0.5j, "beta": -0.75 + 0.25j}
OPS = {"transa": ("N", "T", "C"), "transb": ("N", "T", "C")}
VARY = {
    "m": (0, 1, 2, 33, 130),
    "n": (0, 1, 2, 33, 130),
    "k": (0, 1, 2, 33, 130),
    "alpha": (0.0, 1.0, -1.0),
    "beta": (0.0, 1.0, -1.0),
}
SWEEP = Sweep(base=BASE, grid=OPS, vary=VARY)
BATCHED_SWEEP = Sweep(base={**BASE, "batchCount": 3}, grid=OPS, vary={**VARY, "batchCount": (0, 1, 2, 9)})

ROWS = (
    Row(
        symbols="cublas{T}gemm_v2{_64}",
        kind=DIRECT,
        T="SDCZ",
        xerbla="{T}GEMM",
        steps=GEMM_STEPS,
        paths=(Path(call="rocblas_{t}gemm"),),
        args=GEMM_ARGS,
        oracle=gemm,
        compare=Componentwise(length="k"),
        sweep=SWEEP,
        source="cuBLAS 2.7.1; Reference BLAS xGEMM",
    ),
    Row(
        symbols="cublas{T}gemm{_64}",
        kind=DIRECT,
        T="H",
        xerbla="{T}GEMM",
        steps=GEMM_STEPS,
        paths=(Path(call="rocblas_{t}gemm"),),
        args=GEMM_ARGS,
        oracle=gemm,
        compare=Componentwise(length="k"),
        sweep=SWEEP,
        source="cuBLAS 2.7.1",
    ),
    # The 3M algorithm trades accuracy for speed; four real products are allowed in its place.
    Row(
        symbols="cublas{T}gemm3m{_64}",
        kind=DIRECT,
        T="C",
        xerbla="{T}GEMM",
        steps=GEMM_STEPS,
        paths=(Path(call="rocblas_{t}gemm"),),
        args=GEMM_ARGS,
        oracle=gemm,
        compare=Componentwise(length="k"),
        sweep=SWEEP,
        source="cuBLAS 2.7.2",
    ),
    Row(
        symbols="cublas{T}gemm3m{_64}",
        kind=DIRECT,
        T="Z",
        xerbla="{T}GEMM3M",
        steps=GEMM_STEPS,
        paths=(Path(call="rocblas_{t}gemm"),),
        args=GEMM_ARGS,
        oracle=gemm,
        compare=Componentwise(length="k"),
        sweep=SWEEP,
        source="cuBLAS 2.7.2",
    ),
    Row(
        symbols="cublas{T}gemmBatched{_64}",
        kind=DIRECT,
        T="SDCZH",
        xerbla="{T}gemmBatched",
        steps=(*BATCHED_STEPS, NotNull(("Aarray", "Barray", "Carray"))),
        paths=(Path(call="rocblas_{t}gemm_batched"),),
        args=BATCHED_ARGS,
        oracle=gemm_batched,
        compare=Componentwise(length="k"),
        sweep=BATCHED_SWEEP,
        source="cuBLAS 2.7.3",
    ),
    Row(
        symbols="cublas{T}gemmStridedBatched{_64}",
        kind=DIRECT,
        T="SDCZH",
        xerbla="{T}gemmStridedBatched",
        steps=(
            *BATCHED_STEPS,
            NotNull(("A", "B"), unless="k == 0 or value(alpha) == 0"),
            NotNull(("C",)),
        ),
        paths=(Path(call="rocblas_{t}gemm_strided_batched"),),
        args=STRIDED_ARGS,
        oracle=gemm,
        compare=Componentwise(length="k"),
        sweep=BATCHED_SWEEP,
        source="cuBLAS 2.7.4",
    ),
    Row(
        symbols="cublas{T}gemm3mBatched{_64}",
        kind=DIRECT,
        T="C",
        xerbla="{T}gemm3mBatched",
        steps=(*BATCHED_STEPS, NotNull(("Aarray", "Barray", "Carray"))),
        paths=(Path(call="rocblas_{t}gemm_batched"),),
        args=BATCHED_ARGS,
        oracle=gemm_batched,
        compare=Componentwise(length="k"),
        sweep=BATCHED_SWEEP,
        source="cuBLAS 2.7.3",
    ),
    Row(
        symbols="cublas{T}gemm3mStridedBatched{_64}",
        kind=DIRECT,
        T="C",
        xerbla="{T}gemm3mStridedBatched",
        steps=(
            *BATCHED_STEPS,
            NotNull(("A", "B"), unless="k == 0 or value(alpha) == 0"),
            NotNull(("C",)),
        ),
        paths=(Path(call="rocblas_{t}gemm_strided_batched"),),
        args=STRIDED_ARGS,
        oracle=gemm,
        compare=Componentwise(length="k"),
        sweep=BATCHED_SWEEP,
        source="cuBLAS 2.7.4",
    ),
)
