"""Singular values by Jacobi's method: gesvdj, its batch of small matrices, and the object that steers them.

A = U S V^H with S descending and V itself, not V^H, of any shape; econ asks for as many vectors as there are values.
The object is that of syevj; its ratio is of the norm of what is left off the diagonal. info is min(m, n) + 1 where the
limit of sweeps was too low. rocSOLVER works on A^H A, which costs small singular values their digits: see the body.
"""

from __future__ import annotations

from typing import Any

from scale_x.cusolver.rows._matrices import BROKEN, CLASSES, general
from scale_x.cusolver.rows._spectral import gesvdj, gesvdj_batch, gesvdj_batch_residual, gesvdj_residual, np
from scale_x.wrappers_gen.rows import (
    INOUT,
    NATIVE,
    OUT,
    Buf,
    Check,
    DeviceInfo,
    Handle,
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

TITLE = "Singular values by Jacobi's method"


def matrix(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """A of the class."""
    return {"A": general(rng, kind, a.m, a.n, a.letter)}


def matrices(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """A batch of the class."""
    made = [general(rng, kind, a.m, a.n, a.letter) for _ in range(a.batchSize)]
    return {"A": np.array(made).reshape(a.batchSize, a.m, a.n)}


UNASKED = "writes behind U and V, or faults, where no vectors are asked for"
SIZE = Scalar(T="I", dir=OUT, host=True)
KEPT = "kept until the next call"
TOLD = "what the last call left there; a batch leaves nothing"
BATCH = "cusolverDn{T}gesvdjBatched"

ROWS = (
    Row(
        symbols="cusolverDnCreateGesvdjInfo",
        kind=NATIVE,
        why="an object in core's slab",
        steps=(NotNull(("info",), nvidia="crash"),),
        native="sx_jacobi_create",
        source="cuSOLVER 2.4.1; measured: tolerance 0, 100 sweeps, sorted",
    ),
    Row(
        symbols="cusolverDnDestroyGesvdjInfo",
        kind=NATIVE,
        why="the object becomes invalid; NULL is fine",
        native="sx_jacobi_destroy",
        source="cuSOLVER 2.4.1; measured",
    ),
    Row(
        symbols="cusolverDnXgesvdjSetTolerance",
        kind=NATIVE,
        why=KEPT,
        steps=(NotNull(("info",), nvidia="crash"),),
        native="sx_jacobi_tolerance",
        source="cuSOLVER 2.4.1",
    ),
    Row(
        symbols="cusolverDnXgesvdjSetMaxSweeps",
        kind=NATIVE,
        why=KEPT,
        steps=(NotNull(("info",), nvidia="crash"),),
        native="sx_jacobi_max_sweeps",
        source="cuSOLVER 2.4.1",
    ),
    Row(
        symbols="cusolverDnXgesvdjSetSortEig",
        kind=NATIVE,
        why=KEPT,
        steps=(NotNull(("info",), nvidia="crash"),),
        native="sx_jacobi_sort",
        nvidia="differs: without sorting a batch's values come in any order there; here they always descend",
        source="cuSOLVER 2.4.1",
    ),
    Row(
        symbols="cusolverDnXgesvdjGetResidual",
        kind=NATIVE,
        why=TOLD,
        steps=(NotNull(("info", "residual"), nvidia="crash"),),
        native="sx_jacobi_residual",
        source="cuSOLVER 2.4.1; measured: NOT_SUPPORTED after a batch",
    ),
    Row(
        symbols="cusolverDnXgesvdjGetSweeps",
        kind=NATIVE,
        why=TOLD,
        steps=(NotNull(("info", "executed_sweeps"), nvidia="crash"),),
        native="sx_jacobi_sweeps",
        source="cuSOLVER 2.4.1; measured: NOT_SUPPORTED after a batch",
    ),
    Row(
        symbols="cusolverDn{T}gesvdj_bufferSize",
        kind=NATIVE,
        T="SDCZ",
        steps=(
            Handle(nvidia="crash"),
            Check("m >= 0"),
            Check("n >= 0"),
            NotNull(("lwork",), nvidia="crash"),
        ),
        native="sx_gesvdj_size",
        args={"lwork": SIZE},
        source="cuSOLVER 2.4.2.23",
    ),
    Row(
        symbols="cusolverDn{T}gesvdj",
        kind=NATIVE,
        T="SDCZ",
        steps=(
            Handle(),
            DeviceInfo("info"),
            Check("jobz in (NOVECTOR, VECTOR)", 1),
            Check("m >= 0", 3),
            Check("n >= 0", 4),
            Check("lda >= m", 6),
            Check("ldu >= m", 9),
            Check("ldv >= n", 11),
            NotNull(("work",), number=12),
            Quick("m == 0 or n == 0", info=None),
            NotNull(("A", "S", "info", "params"), nvidia="crash"),
            NotNull(("U", "V"), unless="jobz == NOVECTOR", nvidia="crash"),
        ),
        native="sx_gesvdj",
        differs={"jobz=NOVECTOR and (wrote or faults)": UNASKED},
        ops=Ops(copies=5, syncs=1, launches=1),
        args={
            "A": Mat(rows="m", cols="n", ld="lda", dir=INOUT),
            "S": Vec(n="min(m, n)", T="R", dir=OUT),
            "U": Mat(rows="m", cols="(m if econ == 0 else min(m, n)) if jobz == VECTOR else 0", ld="ldu", dir=OUT),
            "V": Mat(rows="n", cols="(n if econ == 0 else min(m, n)) if jobz == VECTOR else 0", ld="ldv", dir=OUT),
            "work": Scratch(query="cusolverDn{T}gesvdj_bufferSize", size="lwork"),
            "info": Buf(count="1", T="I", dir=OUT),
        },
        oracle=gesvdj,
        compare=Residual(fn=gesvdj_residual),
        sweep=Sweep(
            base={"jobz": "VECTOR", "econ": 0, "m": 33, "n": 17},
            grid={
                "jobz econ": (("NOVECTOR", 0), ("VECTOR", 0), ("VECTOR", 1)),
                "m n": ((0, 0), (1, 1), (2, 2), (5, 3), (3, 5), (32, 31), (33, 33), (64, 5), (17, 64)),
            },
            vary={"m n": ((100, 64),)},
            classes=CLASSES + BROKEN,
            make=matrix,
        ),
        source="cuSOLVER 2.4.2.23",
    ),
    Row(
        symbols=f"{BATCH}_bufferSize",
        kind=NATIVE,
        T="SDCZ",
        steps=(Handle(), NotNull(("lwork",), nvidia="crash")),
        native="sx_gesvdj_batch_size",
        args={"lwork": SIZE},
        source="cuSOLVER 2.4.2.25",
    ),
    Row(
        symbols=BATCH,
        kind=NATIVE,
        T="SDCZ",
        steps=(
            Handle(),
            DeviceInfo("info"),
            Check("jobz in (NOVECTOR, VECTOR)", 1),
            Check("m >= 0 and m <= 32", 2),
            Check("n >= 0 and n <= 32", 3),
            Check("lda >= m", 5),
            Check("ldu >= m", 8),
            Check("ldv >= n", 10),
            NotNull(("work",), number=11),
            Check("lwork > 1", 12),  # no query says less; what this call needs is compared in the body
            Check("batchSize >= 0", 15),
            Quick("m == 0 or n == 0 or batchSize == 0"),
            NotNull(("A", "S", "info", "params"), nvidia="crash"),
            NotNull(("U", "V"), unless="jobz == NOVECTOR", nvidia="crash"),
        ),
        native="sx_gesvdj_batch",
        differs={"jobz=NOVECTOR and (wrote or faults)": UNASKED},
        ops=Ops(launches=1),
        args={
            "A": Mat(rows="m", cols="n", ld="lda", dir=INOUT, batch="batchSize"),
            "S": Vec(n="min(m, n)", T="R", dir=OUT, batch="batchSize"),
            "U": Mat(rows="m", cols="m if jobz == VECTOR else 0", ld="ldu", dir=OUT, batch="batchSize"),
            "V": Mat(rows="n", cols="n if jobz == VECTOR else 0", ld="ldv", dir=OUT, batch="batchSize"),
            "work": Scratch(query=f"{BATCH}_bufferSize", size="lwork"),
            "info": Buf(count="max(1, batchSize)", T="I", dir=OUT),
        },
        oracle=gesvdj_batch,
        compare=Residual(fn=gesvdj_batch_residual),
        sweep=Sweep(
            base={"jobz": "VECTOR", "m": 17, "n": 9, "batchSize": 3},
            grid={
                "jobz": ("NOVECTOR", "VECTOR"),
                "m n batchSize": ((1, 1, 300), (2, 2, 5), (5, 3, 4), (3, 5, 4), (32, 31, 2), (32, 32, 2), (9, 4, 0)),
            },
            vary={"m": (0,), "n": (0,)},
            classes=CLASSES + BROKEN,
            make=matrices,
        ),
        source="cuSOLVER 2.4.2.25",
    ),
)
