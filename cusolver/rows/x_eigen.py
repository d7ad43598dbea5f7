"""Eigenvalues by the 64-bit API: Xsyevd, Xsyevdx, XsyevBatched, Xstedc, Xgeev.

Bad arguments are numbered as the 64-bit function has them, the handle not counted; types that do not agree are refused
with info 0. Xgeev numbers nothing: its sizes are refused as an internal error, also n = 0, and so is a matrix that
holds a NaN.
"""

from __future__ import annotations

from typing import Any

from scale_x.cusolver.rows._matrices import BROKEN, CLASSES, general, hermitian, orthogonal, scale, values
from scale_x.cusolver.rows._spectral import (
    adjoint,
    batch_residual,
    eigen,
    eigen_error,
    eigenvalue_error,
    norm,
    np,
    over,
    syevd_residual,
)
from scale_x.cusolver.rows._spectral import syevdx as typed_syevdx
from scale_x.cusolver.rows._spectral import syevdx_residual as typed_syevdx_residual
from scale_x.cusolver.rows._x import (
    BOUND,
    COMPUTE,
    COUNT,
    DEVICE,
    EIGENVALUES,
    ELEMENT,
    HANDLE,
    HOST,
    INFO,
    JOB,
    ONE_INFO,
    PART,
    RANGE,
    REAL,
    SIZE_STEPS,
    SIZES,
    SOURCE,
    TYPE,
    TYPES_GEEV,
    TYPES_W,
    TYPES_Z,
    WHOLE,
    WHY_SIZE,
    back,
    forth,
    typed,
)
from scale_x.cusolver.rows.eigen_jacobi import eigen_batch
from scale_x.wrappers_gen.rows import (
    INOUT,
    NATIVE,
    OUT,
    Buf,
    Check,
    Handle,
    Mat,
    NotNull,
    Ops,
    Quick,
    Residual,
    Row,
    Scratch,
    Sweep,
    Vec,
    Zero,
)

TITLE = "64-bit API: eigenvalues"

NAMES = {"meig": "meig64"}


def syevdx_residual(a: Any, got: Any) -> float:
    """Of the eigenvalues that were asked for, and their vectors."""
    return typed_syevdx_residual(typed(a, **NAMES), forth(got, **NAMES))


def syevdx(a: Any) -> dict[str, Any]:
    """Some eigenvalues, ascending, their vectors, and how many."""
    return back(typed_syevdx(typed(a, **NAMES)), **NAMES)


def matrix(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """A of the class."""
    return {"A": hermitian(rng, kind, a.n, a.letter)}


def matrices(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """A batch of the class."""
    return {"A": np.array([hermitian(rng, kind, a.n, a.letter) for _ in range(a.batchSize)])}


def tridiagonal(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """D and E of the class, and an orthogonal Z whose problem they are the reduced form of."""
    d = values(kind, a.n, "D") if kind == "clustered" else scale(kind) * rng.standard_normal(a.n)
    e = scale(kind) * rng.standard_normal(max(a.n - 1, 0)) * (1e-6 if kind == "clustered" else 1)
    return {"D": d, "E": e, "Z": orthogonal(rng, a.n, a.n, a.letter) if a.compz != 10 and a.n else np.zeros((1, 0))}


def reduced(a: Any) -> Any:
    """The tridiagonal matrix."""
    return np.diag(a.D) + np.diag(a.E, 1) + np.diag(a.E, -1)


def stedc(a: Any) -> dict[str, Any]:
    """Its eigenvalues, ascending."""
    return {"D": np.linalg.eigvalsh(reduced(a)), "info": 0}


def stedc_residual(a: Any, got: Any) -> float:
    """Of the eigenvalues, and of the vectors of the tridiagonal matrix (11) or of Z T Z^H (12)."""
    t = reduced(a)
    if np.any(got["info"]):
        return np.inf
    worst = eigenvalue_error(t, got["D"], a.eps)
    if a.compz == 10 or a.n == 0:
        return worst
    return max(worst, eigen_error(t if a.compz == 11 else a.Z @ t @ adjoint(a.Z), got["D"], got["Z"], a.eps))


def square(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """General matrices; "defective": one Jordan block in a random basis."""
    if kind == "defective":
        basis = orthogonal(rng, a.n, a.n, a.letter)
        return {"A": basis @ (np.eye(a.n) + np.eye(a.n, k=1)) @ adjoint(basis)}
    return {"A": general(rng, kind, a.n, a.n, a.letter)}


def geev(a: Any) -> dict[str, Any]:
    """Eigenvalues, in any order."""
    return {"W": np.linalg.eigvals(a.A), "info": 0}


def geev_residual(a: Any, got: Any) -> float:
    """The least singular value of A - w I over n |A| eps for each w; with vectors |A v - w v|, |v| = 1."""
    n, w = a.n, got["W"]
    if np.any(got["info"]):
        return np.inf
    if w.size == 2 * n:  # all real parts, then all imaginary ones
        w = w[:n] + 1j * w[n:]
    size = norm(a.A)
    worst = max(float(np.linalg.svd(a.A - x * np.eye(n), compute_uv=False)[-1]) for x in w)
    if a.jobvr == "VECTOR":
        v = unpacked(got["VR"], w)
        worst = max(worst, norm(a.A @ v - v * w))
        lengths = float(np.abs(np.linalg.norm(v, axis=0) - 1).max())
        return max(over(worst, n, size, a.eps), over(lengths, n, a.eps))
    return over(worst, n, size, a.eps)


def unpacked(vr: Any, w: Any) -> Any:
    """The vectors of a real matrix: those of a pair are the sum and the difference of two columns."""
    v = vr.astype(np.complex128)
    if not np.iscomplexobj(vr):
        for j in np.flatnonzero(w.imag > 0):
            v[:, j], v[:, j + 1] = vr[:, j] + 1j * vr[:, j + 1], vr[:, j] - 1j * vr[:, j + 1]
    return v


ORDERS = (0, 1, 2, 3, 5, 31, 32, 33, 64)
TYPED = "dataTypeA dataTypeW computeType"
DOUBLE = {"dataTypeA": "R_64F", "dataTypeW": "R_64F", "computeType": "R_64F"}
GEEV_TYPED = "dataTypeA dataTypeW dataTypeVL dataTypeVR computeType"
GEEV_DOUBLE = {**DOUBLE, "dataTypeVL": "R_64F", "dataTypeVR": "R_64F"}
COLUMNS = "n if compz != 10 else 0"
VECTORS = "n if jobvr == VECTOR else 0"
PARTS = (
    (1, "RANGE_ALL", 0.0, 0.0, 0, 0),
    (2, "RANGE_I", 0.0, 0.0, 2, 2),
    (5, "RANGE_I", 0.0, 0.0, 1, 5),
    (31, "RANGE_I", 0.0, 0.0, 7, 19),
    (33, "RANGE_V", -1.0, 2.0, 0, 0),
    (33, "RANGE_V", 1e6, 2e6, 0, 0),
    (64, "RANGE_ALL", 0.0, 0.0, 0, 0),
)
SYEVD_STEPS = (
    HANDLE,
    INFO,
    Check(JOB, 2),
    Check(PART, 3),
    Check("n >= 0", 4),
    Check("lda >= max(1, n)", 7),
    TYPE,
    EIGENVALUES,
    COMPUTE,
    Quick("n == 0"),
    NotNull(("A", "W"), nvidia="crash"),
)
SYEVDX_STEPS = (
    HANDLE,
    INFO,
    Check(JOB, 2),
    Check(RANGE, 3),
    Check(PART, 4),
    Check("n >= 0", 5),
    Check("lda >= max(1, n)", 8),
    Check("range != RANGE_I or n == 0 or (il >= 1 and il <= n)", 11),
    Check("range != RANGE_I or n == 0 or (iu >= il and iu <= n)", 12),
    NotNull(("vl", "vu"), unless="range != RANGE_V", nvidia="crash"),
    NotNull(("meig64",), nvidia="crash"),
    Zero(("meig64",)),
    TYPE,
    EIGENVALUES,
    COMPUTE,
    Quick("n == 0"),
    NotNull(("A", "W"), nvidia="crash"),
)
#: looked at before the handle
GEEV_TYPES = (
    Check(ELEMENT),
    Check(f"dataTypeW == dataTypeA or dataTypeW == (C_32F if ({REAL}) == R_32F else C_64F)"),
    Check("dataTypeVL == dataTypeA"),
    Check("dataTypeVR == dataTypeA"),
    Check("computeType == dataTypeA"),
)
ROWS = (
    Row(
        symbols="cusolverDnXsyevd_bufferSize",
        kind=NATIVE,
        why=WHY_SIZE,
        steps=SIZE_STEPS,
        native="sx_x_syevd_size",
        args=SIZES,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXsyevd",
        kind=NATIVE,
        why="cusolverDn<t>syevd or heevd of the type",
        steps=SYEVD_STEPS,
        native="sx_x_syevd",
        args={
            "A": WHOLE,
            "W": Vec(n="n", T="dataTypeW", dir=OUT),
            "bufferOnDevice": Scratch(query="cusolverDnXsyevd_bufferSize", size=DEVICE, T="bytes"),
            "info": ONE_INFO,
        },
        oracle=eigen,
        compare=Residual(fn=syevd_residual),
        sweep=Sweep(
            base={"jobz": "VECTOR", "uplo": "LOWER", "n": 33, **DOUBLE},
            grid={TYPED: TYPES_W, "jobz": ("NOVECTOR", "VECTOR"), "uplo": ("LOWER", "UPPER"), "n": ORDERS},
            classes=CLASSES + BROKEN,
            make=matrix,
        ),
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXsyevdx_bufferSize",
        kind=NATIVE,
        why=WHY_SIZE,
        steps=SIZE_STEPS,
        native="sx_x_syevdx_size",
        args=SIZES,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXsyevdx",
        kind=NATIVE,
        why="cusolverDn<t>syevdx or heevdx of the type",
        steps=SYEVDX_STEPS,
        native="sx_x_syevdx",
        args={
            "A": WHOLE,
            "vl": BOUND,
            "vu": BOUND,
            "meig64": COUNT,
            "W": Vec(n="n", T="dataTypeW", dir=OUT),
            "bufferOnDevice": Scratch(query="cusolverDnXsyevdx_bufferSize", size=DEVICE, T="bytes"),
            "info": ONE_INFO,
        },
        oracle=syevdx,
        compare=Residual(fn=syevdx_residual),
        sweep=Sweep(
            base={
                "jobz": "VECTOR",
                "range": "RANGE_V",
                "uplo": "LOWER",
                "n": 33,
                "vl": -0.5,
                "vu": 1.5,
                "il": 1,
                "iu": 1,
                **DOUBLE,
            },
            grid={TYPED: TYPES_W, "jobz": ("NOVECTOR", "VECTOR"), "n range vl vu il iu": PARTS},
            vary={"uplo": ("UPPER",)},
            classes=CLASSES + BROKEN,
            make=matrix,
        ),
        differs={"range=RANGE_V and dataTypeW=99 and meig64": "leaves the count where bounds are of an unknown type"},
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXsyevBatched_bufferSize",
        kind=NATIVE,
        why=WHY_SIZE,
        steps=SIZE_STEPS,
        native="sx_x_syev_batched_size",
        args=SIZES,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXsyevBatched",
        kind=NATIVE,
        why="rocsolver_<t>syevd_strided_batched or heevd, with room for the off-diagonals",
        steps=(
            HANDLE,
            INFO,
            Check(JOB, 2),
            Check(PART, 3),
            Check("n >= 0", 4),
            Check("lda >= max(1, n)", 7),
            Check("batchSize >= 1", 16),
            TYPE,
            EIGENVALUES,
            COMPUTE,
            Quick("n == 0"),
            NotNull(("A", "W", "info"), nvidia="crash"),
        ),
        native="sx_x_syev_batched",
        args={
            "A": Mat(rows="n", cols="n", ld="lda", T="dataTypeA", dir=INOUT, stride="lda * n", batch="batchSize"),
            "W": Vec(n="n", T="dataTypeW", dir=OUT, stride="n", batch="batchSize"),
            "bufferOnDevice": Scratch(query="cusolverDnXsyevBatched_bufferSize", size=DEVICE, T="bytes"),
            "info": Buf(count="max(1, batchSize)", T="I", dir=OUT),
        },
        oracle=eigen_batch,
        compare=Residual(fn=batch_residual),
        sweep=Sweep(
            base={"jobz": "VECTOR", "uplo": "LOWER", "n": 7, "batchSize": 3, **DOUBLE},
            grid={
                TYPED: TYPES_W,
                "jobz": ("NOVECTOR", "VECTOR"),
                "uplo": ("LOWER", "UPPER"),
                "n batchSize": ((1, 2), (2, 3), (3, 65), (5, 1), (33, 4)),
            },
            classes=CLASSES,
            make=matrices,
        ),
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXstedc_bufferSize",
        kind=NATIVE,
        why=WHY_SIZE,
        steps=(*SIZE_STEPS, Check("compz >= 10 and compz <= 12")),
        native="sx_x_stedc_size",
        args=SIZES,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXstedc",
        kind=NATIVE,
        why="rocsolver_<t>stedc of the type",
        steps=(
            HANDLE,
            INFO,
            Check("compz >= 10 and compz <= 12", 2),
            Check("n >= 0", 3),
            Check("ldz >= max(1, n if compz != 10 else 1)", 8),
            Check("dataTypeZ in (R_32F, R_64F, C_32F, C_64F)", 0),
            Check("dataTypeDE == (R_32F if dataTypeZ in (R_32F, C_32F) else R_64F)", 0),
            Check("computeType == dataTypeZ", 0),
            Quick("n == 0"),
            NotNull(("D", "info"), nvidia="crash"),
            NotNull(("E",), unless="n == 1", nvidia="crash"),
            NotNull(("Z",), unless="compz == 10", nvidia="crash"),
        ),
        native="sx_x_stedc",
        args={
            "D": Vec(n="n", T="dataTypeDE", dir=INOUT),
            "E": Vec(n="n - 1", T="dataTypeDE", dir=INOUT),
            "Z": Mat(
                rows="n if compz != 10 else 1", cols="n if compz != 10 else 0", ld="ldz", T="dataTypeZ", dir=INOUT
            ),
            "bufferOnDevice": Scratch(query="cusolverDnXstedc_bufferSize", size=DEVICE, T="bytes"),
            "info": ONE_INFO,
        },
        oracle=stedc,
        compare=Residual(fn=stedc_residual),
        sweep=Sweep(
            base={"compz": 11, "n": 33, "dataTypeDE": "R_64F", "dataTypeZ": "R_64F", "computeType": "R_64F"},
            grid={"dataTypeDE dataTypeZ computeType": TYPES_Z, "compz": (10, 11, 12), "n": (0, 1, 2, 5, 33, 64)},
            classes=("random", "clustered", "big", "small"),
            make=tridiagonal,
        ),
        source=SOURCE + "; LAPACK xSTEDC",
    ),
    Row(
        symbols="cusolverDnXgeev_bufferSize",
        kind=NATIVE,
        why="a little: the host does the work, in memory of its own",
        steps=(*GEEV_TYPES, Handle(nvidia="crash"), *SIZE_STEPS[1:]),
        native="sx_x_geev_size",
        args=SIZES,
        sweep=Sweep(base=GEEV_DOUBLE),
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXgeev",
        kind=NATIVE,
        why="no library of AMD has it: LAPACK on the host, after which the stream is waited for; refused in captures",
        steps=(
            *GEEV_TYPES,
            HANDLE,
            Check("n >= 1 or n == 0 and dataTypeW in (R_32F, R_64F)", status="INTERNAL_ERROR"),
            Check("lda >= max(1, n)", status="INTERNAL_ERROR"),
            Check("jobvl != VECTOR", status="INTERNAL_ERROR"),
            Check("ldvl >= 1", status="INTERNAL_ERROR"),
            Check("ldvr >= (max(1, n) if jobvr == VECTOR else 1)", status="INTERNAL_ERROR"),
            INFO,
            Quick("n == 0"),
            NotNull(("A", "W"), nvidia="crash"),
            NotNull(("VR",), unless="jobvr != VECTOR", nvidia="crash"),
        ),
        native="sx_x_geev",
        ops=Ops(copies=6, syncs=2),
        args={
            "A": Mat(rows="n", cols="n", ld="lda", T="dataTypeA", dir=INOUT),
            "W": Vec(n="2 * n if dataTypeW in (R_32F, R_64F) else n", T="dataTypeW", dir=OUT),
            "VR": Mat(
                rows="n if jobvr == VECTOR else 1",
                cols=VECTORS,
                ld="ldvr",
                T="dataTypeVR",
                dir=OUT,
            ),
            "bufferOnDevice": Scratch(query="cusolverDnXgeev_bufferSize", size=DEVICE, T="bytes"),
            "bufferOnHost": Scratch(query="cusolverDnXgeev_bufferSize", size=HOST, T="bytes", host=True),
            "info": ONE_INFO,
        },
        oracle=geev,
        compare=Residual(fn=geev_residual),
        sweep=Sweep(
            base={"jobvl": "NOVECTOR", "jobvr": "VECTOR", "n": 7, "ldvl": 1, **GEEV_DOUBLE},
            grid={GEEV_TYPED: TYPES_GEEV, "jobvr": ("NOVECTOR", "VECTOR"), "n": (1, 2, 3, 5, 31, 33)},
            classes=("random", "defective", "identity", "zero", "big", "small"),
            make=square,
        ),
        differs={"n=0, and info is": "leaves -1 in info of an empty matrix"},
        source=SOURCE + "; LAPACK xGEEV; measured: n = 0 is refused for a complex W alone",
    ),
)
