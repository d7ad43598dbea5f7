"""Generalised eigenvalues by the 64-bit API: Xsygvd, Xsygvdx, XsygvStridedBatched.

A x = w B x, A B x = w x or B A x = w x with B positive definite, which is replaced by its Cholesky factor. Bad
arguments are numbered as the 64-bit function has them, the handle not counted; types that do not agree are refused
with info 0.
"""

from __future__ import annotations

from typing import Any

from scale_x.cusolver.rows._matrices import DEFINITE, definite, hermitian
from scale_x.cusolver.rows._spectral import np
from scale_x.cusolver.rows._spectral import sygv as typed_sygv
from scale_x.cusolver.rows._spectral import sygv_residual as typed_sygv_residual
from scale_x.cusolver.rows._spectral import sygvdx_residual as typed_sygvdx_residual
from scale_x.cusolver.rows._x import (
    BOUND,
    COMPUTE,
    COUNT,
    DEVICE,
    EIGENVALUES,
    HANDLE,
    INFO,
    JOB,
    ONE_INFO,
    PART,
    RANGE,
    SIZE_STEPS,
    SIZES,
    SOURCE,
    TYPE,
    TYPES_PENCIL,
    WHY_SIZE,
    forth,
    member,
    typed,
)
from scale_x.wrappers_gen.rows import (
    INOUT,
    NATIVE,
    OUT,
    Buf,
    Check,
    DeviceInfo,
    Mat,
    NotNull,
    Quick,
    Residual,
    Row,
    Scratch,
    Sweep,
    Vec,
    Zero,
)

TITLE = "64-bit API: generalised eigenvalues"

NAMES = {"A": "d_A", "B": "d_B", "W": "d_W", "info": "d_info"}


def sygv(a: Any) -> dict[str, Any]:
    """All eigenvalues of the pencil."""
    return {NAMES[n]: v for n, v in typed_sygv(typed(a, **NAMES)).items()}


def sygv_residual(a: Any, got: Any) -> float:
    """Of all eigenvalues, B's factor and the vectors."""
    return typed_sygv_residual(typed(a, **NAMES), forth(got, **NAMES))


def sygvdx_residual(a: Any, got: Any) -> float:
    """Of the eigenvalues that were asked for, and their vectors."""
    return typed_sygvdx_residual(typed(a, **NAMES), forth(got, **NAMES))


def sygv_batch(a: Any) -> dict[str, Any]:
    """No matrix of the batch is told about."""
    return {"info": np.zeros(a.batchSize, dtype=int)}


def sygv_batch_residual(a: Any, got: Any) -> float:
    """The largest of the batch."""
    worst = 0.0
    for i in range(a.batchSize):
        one = member(a, A=a.A[i], B=a.B[i])
        result = {name: got[name][i] for name in ("A", "B", "W")}
        worst = max(worst, typed_sygv_residual(one, {**result, "info": got["info"][i]}))
    return worst


def pair(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """A and a positive definite B of the class."""
    return {"d_A": hermitian(rng, kind, a.n, a.letter), "d_B": definite(rng, kind, a.n, a.letter)}


def pairs(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """A batch of them."""
    made = [pair(a, kind, rng) for _ in range(a.batchSize)]
    return {"A": np.array([m["d_A"] for m in made]), "B": np.array([m["d_B"] for m in made])}


TYPED = "dataTypeA dataTypeB dataTypeW computeType"
DOUBLE = {"dataTypeA": "R_64F", "dataTypeB": "R_64F", "dataTypeW": "R_64F", "computeType": "R_64F"}
KINDS = ("TYPE_1", "TYPE_2", "TYPE_3")
PARTS = (
    (1, "RANGE_ALL", 0.0, 0.0, 0, 0),
    (5, "RANGE_I", 0.0, 0.0, 2, 4),
    (33, "RANGE_V", -1.0, 2.0, 0, 0),
    (31, "RANGE_I", 0.0, 0.0, 1, 31),
)
PENCIL = (
    Check("itype in (TYPE_1, TYPE_2, TYPE_3)", 2),
    Check(JOB, 3),
)
SAME_TYPES = (TYPE, Check("dataTypeB == dataTypeA", 0), EIGENVALUES, COMPUTE)

ROWS = (
    Row(
        symbols="cusolverDnXsygvd_bufferSize",
        kind=NATIVE,
        why=WHY_SIZE,
        steps=(*SIZE_STEPS, Check("dataTypeA in (R_32F, R_64F, C_32F, C_64F)"), *PENCIL, Check(PART)),
        native="sx_x_sygvd_size",
        args=SIZES,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXsygvd",
        kind=NATIVE,
        why="cusolverDn<t>sygvd or hegvd of the type",
        steps=(
            HANDLE,
            DeviceInfo("d_info"),
            *PENCIL,
            Check(PART, 4),
            Check("n >= 0", 5),
            Check("lda >= max(1, n)", 8),
            Check("ldb >= max(1, n)", 11),
            *SAME_TYPES,
            Quick("n == 0"),
            NotNull(("d_A", "d_B", "d_W", "d_info"), nvidia="crash"),
        ),
        native="sx_x_sygvd",
        args={
            "d_A": Mat(rows="n", cols="n", ld="lda", T="dataTypeA", dir=INOUT),
            "d_B": Mat(rows="n", cols="n", ld="ldb", T="dataTypeB", dir=INOUT),
            "d_W": Vec(n="n", T="dataTypeW", dir=OUT),
            "bufferOnDevice": Scratch(query="cusolverDnXsygvd_bufferSize", size=DEVICE, T="bytes"),
            "d_info": ONE_INFO,
        },
        oracle=sygv,
        compare=Residual(fn=sygv_residual),
        sweep=Sweep(
            base={"itype": "TYPE_1", "jobz": "VECTOR", "uplo": "LOWER", "n": 33, **DOUBLE},
            grid={TYPED: TYPES_PENCIL, "itype": KINDS, "uplo": ("LOWER", "UPPER"), "n": (0, 1, 2, 5, 33)},
            vary={"jobz": ("NOVECTOR",)},
            classes=DEFINITE,
            make=pair,
        ),
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXsygvdx_bufferSize",
        kind=NATIVE,
        why=WHY_SIZE,
        steps=(*SIZE_STEPS, Check("dataTypeA in (R_32F, R_64F, C_32F, C_64F)"), *PENCIL, Check(PART)),
        native="sx_x_sygvdx_size",
        args=SIZES,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXsygvdx",
        kind=NATIVE,
        why="cusolverDn<t>sygvdx or hegvdx of the type",
        steps=(
            HANDLE,
            DeviceInfo("d_info"),
            *PENCIL,
            Check(RANGE, 4),
            Check(PART, 5),
            Check("n >= 0", 6),
            Check("lda >= max(1, n)", 9),
            Check("ldb >= max(1, n)", 12),
            NotNull(("meig",), nvidia="crash"),
            Zero(("meig",)),
            *SAME_TYPES,
            NotNull(("vl", "vu"), unless="range != RANGE_V or n == 0", nvidia="crash"),
            Check("range != RANGE_I or n == 0 or (il >= 1 and il <= n)", 15),
            Check("range != RANGE_I or n == 0 or (iu >= il and iu <= n)", 16),
            Quick("n == 0"),
            NotNull(("d_A", "d_B", "d_W", "d_info"), nvidia="crash"),
        ),
        native="sx_x_sygvdx",
        args={
            "d_A": Mat(rows="n", cols="n", ld="lda", T="dataTypeA", dir=INOUT),
            "d_B": Mat(rows="n", cols="n", ld="ldb", T="dataTypeB", dir=INOUT),
            "vl": BOUND,
            "vu": BOUND,
            "meig": COUNT,
            "d_W": Vec(n="n", T="dataTypeW", dir=OUT),
            "bufferOnDevice": Scratch(query="cusolverDnXsygvdx_bufferSize", size=DEVICE, T="bytes"),
            "d_info": ONE_INFO,
        },
        oracle=sygv,
        compare=Residual(fn=sygvdx_residual),
        sweep=Sweep(
            base={
                "itype": "TYPE_1",
                "jobz": "VECTOR",
                "range": "RANGE_I",
                "uplo": "LOWER",
                "n": 33,
                "vl": -0.5,
                "vu": 1.5,
                "il": 3,
                "iu": 9,
                **DOUBLE,
            },
            grid={TYPED: TYPES_PENCIL, "itype": KINDS, "n range vl vu il iu": PARTS},
            vary={"jobz": ("NOVECTOR",), "uplo": ("UPPER",)},
            classes=DEFINITE,
            make=pair,
        ),
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXsygvStridedBatched_bufferSize",
        kind=NATIVE,
        why=WHY_SIZE,
        steps=(*SIZE_STEPS, *PENCIL),
        native="sx_x_sygv_batched_size",
        args=SIZES,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXsygvStridedBatched",
        kind=NATIVE,
        why="rocsolver_<t>sygvd_strided_batched or hegvd, with room for the off-diagonals",
        steps=(
            HANDLE,
            INFO,
            *PENCIL,
            Check(PART, 4),
            Check("n >= 0", 5),
            Check("lda >= max(1, n)", 8),
            Check("ldb >= max(1, n)", 12),
            Check("batchSize >= 1", 18),
            *SAME_TYPES,
            Quick("n == 0"),
            NotNull(("A", "B", "W", "info"), nvidia="crash"),
        ),
        native="sx_x_sygv_batched",
        args={
            "A": Mat(rows="n", cols="n", ld="lda", T="dataTypeA", dir=INOUT, stride="strideA", batch="batchSize"),
            "B": Mat(rows="n", cols="n", ld="ldb", T="dataTypeB", dir=INOUT, stride="strideB", batch="batchSize"),
            "W": Vec(n="n", T="dataTypeW", dir=OUT, stride="strideW", batch="batchSize"),
            "bufferOnDevice": Scratch(query="cusolverDnXsygvStridedBatched_bufferSize", size=DEVICE, T="bytes"),
            "info": Buf(count="batchSize", T="I", dir=OUT),
        },
        oracle=sygv_batch,
        compare=Residual(fn=sygv_batch_residual),
        sweep=Sweep(
            base={"itype": "TYPE_1", "jobz": "VECTOR", "uplo": "LOWER", "n": 7, "batchSize": 3, **DOUBLE},
            grid={TYPED: TYPES_PENCIL, "itype": KINDS, "n batchSize": ((1, 2), (3, 5), (33, 2))},
            vary={"jobz": ("NOVECTOR",), "uplo": ("UPPER",)},
            classes=DEFINITE,
            make=pairs,
        ),
        source=SOURCE,
    ),
)
