"""Singular value decompositions: gesvd, and the approximate gesvdaStridedBatched of tall matrices.

A = U S V^H with S descending. gesvd gives V^H and wants at least as many rows as columns; a job says which vectors:
A all, S as many as there are values, O over A itself (not both), N none. info counts what of the superdiagonal did not
converge; rwork, which may be NULL, takes it then, for which the call waits. gesvda gives the ``rank`` largest values
and V, and on the host the norm of A V - U S within U's columns.
"""

from __future__ import annotations

from typing import Any

from scale_x.cusolver.rows._matrices import BROKEN, CLASSES, general
from scale_x.cusolver.rows._spectral import gesvd, gesvd_residual, gesvda, gesvda_residual, np
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

TITLE = "Singular values"


def matrix(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """A of the class."""
    return {"A": general(rng, kind, a.m, a.n, a.letter)}


def matrices(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """A batch of the class."""
    made = [general(rng, kind, a.m, a.n, a.letter) for _ in range(a.batchSize)]
    return {"d_A": np.array(made).reshape(a.batchSize, a.m, a.n)}


JOBS = "(65, 83, 79, 78)"  # A S O N
A_, S_, O_, N_ = 65, 83, 79, 78
SIZE = Scalar(T="I", dir=OUT, host=True)
NEGATIVE = "does not look at sizes below 0 when it is asked for a length"
UNHANDLED = "answers without looking at the handle"
GESVDA = "cusolverDn{T}gesvdaStridedBatched"

ROWS = (
    Row(
        symbols="cusolverDn{T}gesvd_bufferSize",
        kind=NATIVE,
        T="SDCZ",
        steps=(Handle(nvidia="reads"), Check("m >= 0"), Check("n >= 0"), NotNull(("lwork",), nvidia="crash")),
        native="sx_{t}gesvd_size",
        args={"lwork": SIZE},
        differs={"m=-": NEGATIVE, "n=-": NEGATIVE, "handle=null and success,": UNHANDLED},
        source="cuSOLVER 2.4.2.22",
    ),
    Row(
        symbols="cusolverDn{T}gesvd",
        kind=NATIVE,
        T="SDCZ",
        steps=(
            Handle(),
            DeviceInfo("info"),
            Check(f"jobu in {JOBS}", 1),
            Check(f"jobvt in {JOBS}", 2),
            Check("jobu != 79 or jobvt != 79", 2),
            Check("m >= 0", 3),
            Check("n >= 0", 4),
            Check("lda >= max(1, m)", 6),
            Check("ldu >= (max(1, m) if jobu in (65, 83) else 1)", 9),
            Check("ldvt >= (max(1, n) if jobvt == 65 else max(1, min(m, n)) if jobvt == 83 else 1)", 11),
            Quick("m == 0 or n == 0"),
            Check("m >= n", 0),
            NotNull(("A", "S", "work"), nvidia="crash"),
            NotNull(("U",), unless="jobu == 79 or jobu == 78", nvidia="crash"),
            NotNull(("VT",), unless="jobvt == 79 or jobvt == 78", nvidia="crash"),
        ),
        native="sx_gesvd",
        ops=Ops(copies=2, syncs=1),
        args={
            "A": Mat(rows="m", cols="n", ld="lda", dir=INOUT),
            "S": Vec(n="min(m, n)", T="R", dir=OUT),
            "U": Mat(
                rows="m if jobu in (65, 83) else 1",
                cols="m if jobu == 65 else n if jobu == 83 else 0",
                ld="ldu",
                dir=OUT,
            ),
            "VT": Mat(rows="n if jobvt in (65, 83) else 1", cols="n if jobvt in (65, 83) else 0", ld="ldvt", dir=OUT),
            "work": Scratch(query="cusolverDn{T}gesvd_bufferSize", size="lwork"),
            "rwork": Vec(n="min(m, n) - 1", T="R", dir=INOUT),
            "info": Buf(count="1", T="I", dir=OUT),
        },
        oracle=gesvd,
        compare=Residual(fn=gesvd_residual),
        sweep=Sweep(
            base={"jobu": A_, "jobvt": A_, "m": 33, "n": 17},
            grid={
                "jobu jobvt": ((A_, A_), (S_, S_), (N_, N_), (O_, S_), (S_, O_), (N_, S_), (A_, N_), (O_, N_)),
                "m n": ((0, 0), (1, 1), (2, 2), (5, 3), (32, 31), (33, 33), (64, 5), (100, 64)),
            },
            classes=CLASSES + BROKEN,
            make=matrix,
        ),
        source="cuSOLVER 2.4.2.22; LAPACK xGESVD; measured: m < n is refused with an info of 0",
    ),
    Row(
        symbols=f"{GESVDA}_bufferSize",
        kind=NATIVE,
        T="SDCZ",
        steps=(Handle(), Check("n >= 0"), NotNull(("lwork",), nvidia="crash")),
        native="sx_gesvda_size",
        args={"lwork": SIZE},
        differs={"handle= and success,": UNHANDLED, "n=- and success,": NEGATIVE},
        source="cuSOLVER 2.4.2.26",
    ),
    Row(
        symbols=GESVDA,
        kind=NATIVE,
        T="SDCZ",
        steps=(
            Handle(status="INVALID_VALUE"),
            DeviceInfo("d_info"),
            Check("m >= n", 3),
            Check("jobz in (NOVECTOR, VECTOR)", 1),
            Check("rank >= 0 and rank <= n", 2),
            Check("m >= 0", 3),
            Check("n >= 0", 4),
            Check("lda >= max(1, m)", 6),
            Check("strideA >= lda * n", 7),
            Check("strideS >= rank", 9),
            Check("ldu >= max(1, m)", 11),
            Check("strideU >= ldu * rank", 12),
            Check("ldv >= max(1, n)", 14),
            Check("strideV >= ldv * rank", 15),
            NotNull(("d_work",), number=12),
            Check("lwork > 1", 17),  # no query says less; what this call needs is compared in the body
            Check("batchSize >= 0", 20),
            Quick("rank == 0 or batchSize == 0"),
            NotNull(("d_A", "d_S", "d_info"), nvidia="crash"),
            NotNull(("d_U", "d_V"), unless="jobz == NOVECTOR", nvidia="crash"),
        ),
        native="sx_gesvda",
        ops=Ops(copies=2, syncs=1),
        args={
            "d_A": Mat(rows="m", cols="n", ld="lda", stride="strideA", batch="batchSize"),
            "d_S": Vec(n="rank", T="R", dir=OUT, stride="strideS", batch="batchSize"),
            "d_U": Mat(
                rows="m", cols="rank if jobz == VECTOR else 0", ld="ldu", dir=OUT, stride="strideU", batch="batchSize"
            ),
            "d_V": Mat(
                rows="n", cols="rank if jobz == VECTOR else 0", ld="ldv", dir=OUT, stride="strideV", batch="batchSize"
            ),
            "d_work": Scratch(query=f"{GESVDA}_bufferSize", size="lwork"),
            "d_info": Buf(count="max(1, batchSize)", T="I", dir=OUT),
            "h_R_nrmF": Buf(count="batchSize if jobz == VECTOR else 0", T="D", dir=OUT, host=True),
        },
        oracle=gesvda,
        compare=Residual(fn=gesvda_residual),
        sweep=Sweep(
            base={"jobz": "VECTOR", "rank": 5, "m": 33, "n": 17, "batchSize": 2},
            grid={
                "jobz": ("NOVECTOR", "VECTOR"),
                "rank m n batchSize": ((1, 1, 1, 3), (3, 5, 3, 2), (2, 5, 3, 2), (32, 32, 32, 1), (4, 100, 10, 3)),
            },
            vary={"batchSize": (0,)},
            classes=CLASSES,
            make=matrices,
        ),
        differs={
            "zero] and residual:": "fills the vectors of a zero matrix with NaN",
            "(rank=32, or graded]) and residual:": "takes the values from A^H A: small ones have half the digits",
        },
        source="cuSOLVER 2.4.2.26; measured: the norm on the host is near 0 whatever is cut off",
    ),
)
