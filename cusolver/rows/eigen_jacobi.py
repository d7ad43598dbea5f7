"""Hermitian eigenproblems by Jacobi's method: syevj, its batch, the generalised sygvj, and the object that steers them.

The object holds a tolerance (for the norm of what is left off the diagonal over the matrix's norm; 0 or less: the
precision), a limit of sweeps (0 or less: 100) and whether a batch is sorted; after a call for one matrix it tells that
ratio and the sweeps. info is n + 1 where the limit was too low; for sygvj i where minor i of B is not positive.
rocSOLVER says 1 and n + i there and leaves its results on the device: a call for one matrix waits for them.
"""

from __future__ import annotations

from typing import Any

from scale_x.cusolver.rows._matrices import BROKEN, CLASSES, DEFINITE, definite, hermitian
from scale_x.cusolver.rows._spectral import batch_residual, eigen, np, syevd_residual, sygv, sygv_residual
from scale_x.wrappers_gen.rows import (
    INOUT,
    NATIVE,
    OUT,
    Buf,
    Check,
    DeviceInfo,
    Handle,
    Info,
    Mat,
    NotNull,
    Ops,
    Quick,
    Residual,
    Row,
    Scalar,
    Scratch,
    Sweep,
    Vec,
)

TITLE = "Hermitian eigenproblems by Jacobi's method"


def matrix(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """A of the class."""
    return {"A": hermitian(rng, kind, a.n, a.letter)}


def matrices(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """A batch of the class."""
    made = [hermitian(rng, kind, a.n, a.letter) for _ in range(a.batchSize)]
    return {"A": np.array(made).reshape(a.batchSize, a.n, a.n)}


def pair(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """A and a positive definite B of the class."""
    return {"A": hermitian(rng, kind, a.n, a.letter), "B": definite(rng, kind, a.n, a.letter)}


def eigen_batch(a: Any) -> dict[str, Any]:
    """All eigenvalues of every matrix."""
    return {"W": np.linalg.eigvalsh(a.A), "info": np.zeros(a.batchSize, dtype=int)}


SYEVJ = {"Ssyevj": "S", "Dsyevj": "D", "Cheevj": "C", "Zheevj": "Z"}
SYGVJ = {"Ssygvj": "S", "Dsygvj": "D", "Chegvj": "C", "Zhegvj": "Z"}

A = Mat(rows="n", cols="n", ld="lda", dir=INOUT)
W = Vec(n="n", T="R", dir=OUT)
INFO = Buf(count="1", T="I", dir=OUT)
SIZE = Scalar(T="I", dir=OUT, host=True)
WORK = Scratch(query="cusolverDn{T}_bufferSize", size="lwork")
LETTERS = (Check("jobz in (NOVECTOR, VECTOR)", 1), Check("uplo in (LOWER, UPPER)", 2))
SIZES = (0, 1, 2, 3, 5, 31, 32, 33, 64)
KEPT = "kept until the next call"
TOLD = "what the last call left there; a batch leaves nothing"

ROWS = (
    Row(
        symbols="cusolverDnCreateSyevjInfo",
        kind=NATIVE,
        why="an object in core's slab",
        steps=(NotNull(("info",), nvidia="crash"),),
        native="sx_jacobi_create",
        source="cuSOLVER 2.4.1; measured: tolerance 0, 100 sweeps, sorted",
    ),
    Row(
        symbols="cusolverDnDestroySyevjInfo",
        kind=NATIVE,
        why="the object becomes invalid; NULL is fine",
        native="sx_jacobi_destroy",
        source="cuSOLVER 2.4.1; measured",
    ),
    Row(
        symbols="cusolverDnXsyevjSetTolerance",
        kind=NATIVE,
        why=KEPT,
        steps=(NotNull(("info",), nvidia="crash"),),
        native="sx_jacobi_tolerance",
        source="cuSOLVER 2.4.1",
    ),
    Row(
        symbols="cusolverDnXsyevjSetMaxSweeps",
        kind=NATIVE,
        why=KEPT,
        steps=(NotNull(("info",), nvidia="crash"),),
        native="sx_jacobi_max_sweeps",
        source="cuSOLVER 2.4.1",
    ),
    Row(
        symbols="cusolverDnXsyevjSetSortEig",
        kind=NATIVE,
        why=KEPT,
        steps=(NotNull(("info",), nvidia="crash"),),
        native="sx_jacobi_sort",
        source="cuSOLVER 2.4.1; measured: any number, of which 0 means unsorted; only a batch looks at it",
    ),
    Row(
        symbols="cusolverDnXsyevjGetResidual",
        kind=NATIVE,
        why=TOLD,
        steps=(NotNull(("info", "residual"), nvidia="crash"),),
        native="sx_jacobi_residual",
        source="cuSOLVER 2.4.1; measured: NOT_SUPPORTED after a batch",
    ),
    Row(
        symbols="cusolverDnXsyevjGetSweeps",
        kind=NATIVE,
        why=TOLD,
        steps=(NotNull(("info", "executed_sweeps"), nvidia="crash"),),
        native="sx_jacobi_sweeps",
        source="cuSOLVER 2.4.1; measured: NOT_SUPPORTED after a batch",
    ),
    Row(
        symbols="cusolverDn{T}_bufferSize",
        kind=NATIVE,
        T=SYEVJ,
        steps=(Handle(), Check("n >= 0"), NotNull(("lwork",), nvidia="crash")),
        native="sx_syevj_size",
        args={"lwork": SIZE},
        source="cuSOLVER 2.4.2.19",
    ),
    Row(
        symbols="cusolverDn{T}",
        kind=NATIVE,
        T=SYEVJ,
        steps=(
            Handle(),
            DeviceInfo("info"),
            *LETTERS,
            Check("n >= 0", 3),
            Check("lda >= max(1, n)", 5),
            NotNull(("work",), number=7),
            NotNull(("info",), status="INTERNAL_ERROR"),
            NotNull(("params",), status="EXECUTION_FAILED", number=0),
            Quick("n == 0"),
            NotNull(("A", "W"), nvidia="crash"),
        ),
        native="sx_syevj",
        ops=Ops(copies=4, syncs=1),
        args={"A": A, "W": W, "work": WORK, "info": INFO},
        oracle=eigen,
        compare=Residual(fn=syevd_residual),
        sweep=Sweep(
            base={"jobz": "VECTOR", "uplo": "LOWER", "n": 33},
            grid={"jobz": ("NOVECTOR", "VECTOR"), "uplo": ("LOWER", "UPPER"), "n": SIZES},
            vary={"n": (100,)},
            classes=CLASSES + BROKEN,
            make=matrix,
        ),
        differs={"info=NULL and changed,": "computes before it misses info"},
        source="cuSOLVER 2.4.2.19",
    ),
    Row(
        symbols="cusolverDn{T}Batched_bufferSize",
        kind=NATIVE,
        T=SYEVJ,
        steps=(Handle(), Check("n >= 0"), NotNull(("lwork",), nvidia="crash")),
        native="sx_syevj_batch_size",
        args={"lwork": SIZE},
        source="cuSOLVER 2.4.2.21",
    ),
    Row(
        symbols="cusolverDn{T}Batched",
        kind=NATIVE,
        T=SYEVJ,
        steps=(
            Handle(),
            DeviceInfo("info"),
            Quick("batchSize <= 0", info=None),
            *LETTERS,
            Check("n >= 0", 3),
            Check("lda >= n", 5),
            NotNull(("work",), number=7),
            Quick("n == 0", info=None),
            NotNull(("A", "W", "info", "params"), nvidia="crash"),
        ),
        native="sx_syevj_batch",
        ops=Ops(launches=1),
        args={
            "A": Mat(rows="n", cols="n", ld="lda", dir=INOUT, batch="batchSize"),
            "W": Vec(n="n", T="R", dir=OUT, batch="batchSize"),
            "work": Scratch(query="cusolverDn{T}Batched_bufferSize", size="lwork"),
            "info": Buf(count="batchSize", T="I", dir=OUT),
        },
        oracle=eigen_batch,
        compare=Residual(fn=batch_residual),
        sweep=Sweep(
            base={"jobz": "VECTOR", "uplo": "LOWER", "n": 17, "batchSize": 3},
            grid={
                "jobz": ("NOVECTOR", "VECTOR"),
                "uplo": ("LOWER", "UPPER"),
                "n batchSize": ((0, 2), (1, 3), (2, 5), (3, 0), (5, 4), (31, 2), (32, 2), (33, 2), (1, 200)),
            },
            classes=CLASSES + BROKEN,
            make=matrices,
        ),
        source="cuSOLVER 2.4.2.21",
    ),
    Row(
        symbols="cusolverDn{T}_bufferSize",
        kind=NATIVE,
        T=SYGVJ,
        steps=(
            Handle(),
            Check("n >= 0"),
            NotNull(("lwork",), nvidia="crash"),
            Info("lwork"),
            Check("uplo in (LOWER, UPPER)"),
        ),
        native="sx_sygvj_size",
        args={"lwork": SIZE},
        source="cuSOLVER 2.4.2.20; measured: a bad uplo leaves a length of 0",
    ),
    Row(
        symbols="cusolverDn{T}",
        kind=NATIVE,
        T=SYGVJ,
        steps=(
            Handle(),
            DeviceInfo("info"),
            Check("itype in (TYPE_1, TYPE_2, TYPE_3)", 1),
            Check("jobz in (NOVECTOR, VECTOR)", 2),
            Check("uplo in (LOWER, UPPER)", 3),
            Check("n >= 0", 4),
            Check("lda >= max(1, n)", 6),
            Check("ldb >= max(1, n)", 8),
            NotNull(("work",), number=0),
            Quick("n == 0"),
            NotNull(("A", "B", "W", "info", "params"), nvidia="crash"),
        ),
        native="sx_sygvj",
        ops=Ops(copies=4, syncs=1),
        args={"A": A, "B": Mat(rows="n", cols="n", ld="ldb", dir=INOUT), "W": W, "work": WORK, "info": INFO},
        oracle=sygv,
        compare=Residual(fn=sygv_residual),
        sweep=Sweep(
            base={"itype": "TYPE_1", "jobz": "VECTOR", "uplo": "LOWER", "n": 33},
            grid={
                "itype": ("TYPE_1", "TYPE_2", "TYPE_3"),
                "uplo": ("LOWER", "UPPER"),
                "n": (0, 1, 2, 5, 33, 64),
            },
            vary={"jobz": ("NOVECTOR",)},
            classes=DEFINITE,
            make=pair,
        ),
        source="cuSOLVER 2.4.2.20",
    ),
)
