"""Singular values by the 64-bit API: Xgesvd (bidiagonal), Xgesvdp (polar), Xgesvdr (randomised).

Xgesvd numbers its arguments as the typed gesvd does and wants m >= n. Xgesvdp solves wide matrices by their transpose
and numbers U and V accordingly; its V is no V^H. Xgesvdr names the last of several bad arguments, NULL pointers among
them.
"""

from __future__ import annotations

from typing import Any

from scale_x.cusolver.rows._matrices import BROKEN, CLASSES, general, orthogonal
from scale_x.cusolver.rows._spectral import (
    adjoint,
    finite,
    gesvd,
    gesvd_residual,
    jacobi_residual,
    norm,
    np,
    over,
    refuses,
    unitary_error,
)
from scale_x.cusolver.rows._x import (
    DEVICE,
    ELEMENT,
    HANDLE,
    HOST,
    INFO,
    JOB,
    ONE_INFO,
    REAL,
    SIZE_STEPS,
    SIZES,
    SOURCE,
    TYPES_SVD,
    UNHANDLED,
    WHY_SIZE,
)
from scale_x.wrappers_gen.rows import (
    INOUT,
    NATIVE,
    OUT,
    Check,
    DeviceInfo,
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
    Zero,
)

TITLE = "64-bit API: singular values"


def matrix(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """A of the class."""
    return {"A": general(rng, kind, a.m, a.n, a.letter)}


def gesvdp(a: Any) -> dict[str, Any]:
    """Singular values, descending; vectors as U and V."""
    u, s, vh = np.linalg.svd(a.A, full_matrices=not a.econ)
    return {"S": s, "U": u, "V": adjoint(vh), "d_info": 0, "h_err_sigma": 0.0}


def gesvdp_residual(a: Any, got: Any) -> float:
    """Of the values, and of U and V; nothing was perturbed."""
    if not finite(a.A):
        return refuses(got["d_info"], got["S"])
    if float(np.ravel(got["h_err_sigma"])[0]) != 0:
        return np.inf
    return jacobi_residual(a.A, a.jobz == "VECTOR", got["S"], got["U"], got["V"], got["d_info"], a.eps)


def sketched(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """A with k singular values between 1 and 2, and all others 0 or falling from 1e-2 by tens."""
    least = min(a.m, a.n)
    left, right = orthogonal(rng, a.m, least, a.letter), orthogonal(rng, a.n, least, a.letter)
    tail = np.zeros(least - a.k) if kind == "of rank k" else 10.0 ** -(2.0 + np.arange(least - a.k))
    return {"A": (left * np.concatenate([np.linspace(2, 1, a.k), tail])) @ adjoint(right)}


def gesvdr(a: Any) -> dict[str, Any]:
    """The k largest singular values, and their vectors."""
    u, s, vh = np.linalg.svd(a.A, full_matrices=False)
    return {"Srand": s[: a.k], "Urand": u[:, : a.k], "Vrand": adjoint(vh)[:, : a.k], "d_info": 0}


def gesvdr_residual(a: Any, got: Any) -> float:
    """The values' errors, over what power iterations leave of the tail; the vectors' distance from orthonormal; and
    |A - U S V^H| beyond the tail."""
    exact = np.linalg.svd(a.A, compute_uv=False)
    tail, s = float(exact[a.k :].max(initial=0.0)), got["Srand"]
    if np.any(got["d_info"]) or (s < 0).any() or (np.diff(s) > 0).any():
        return np.inf
    # Halko, Martinsson, Tropp: each iteration multiplies the tail's share by the square of the gap
    left = 30 * max(a.m, a.n) * tail * tail ** (2 * a.niters)
    worst = over(max(float(np.abs(s - exact[: a.k]).max(initial=0.0)) - left, 0.0), max(a.m, a.n), a.eps)
    vectors = [got[name] for name, job in (("Urand", a.jobu), ("Vrand", a.jobv)) if job == 83]
    worst = max([worst, *(unitary_error(v, a.eps) for v in vectors)])
    if len(vectors) < 2:
        return worst
    rest = norm(a.A - (vectors[0] * s) @ adjoint(vectors[1]))
    return max(worst, over(max(rest - 30 * max(a.m, a.n) * tail, 0.0), max(a.m, a.n), a.eps))


MATRIX = Mat(rows="m", cols="n", ld="lda", T="dataTypeA", dir=INOUT)
LEFT = "m if jobu == 65 else n if jobu == 83 else 0"
RIGHT = "n if jobvt in (65, 83) else 0"
LEFT_P = "(min(m, n) if econ != 0 else m) if jobz == VECTOR else 0"
RIGHT_P = "(min(m, n) if econ != 0 else n) if jobz == VECTOR else 0"
GESVD_TYPED = "dataTypeA dataTypeS dataTypeU dataTypeVT computeType"
GESVDP_TYPED = "dataTypeA dataTypeS dataTypeU dataTypeV computeType"
GESVDR_TYPED = "dataTypeA dataTypeSrand dataTypeUrand dataTypeVrand computeType"
A_DOUBLE = {"dataTypeA": "R_64F", "computeType": "R_64F"}
GESVD_DOUBLE = {**A_DOUBLE, "dataTypeS": "R_64F", "dataTypeU": "R_64F", "dataTypeVT": "R_64F"}
GESVDP_DOUBLE = {**A_DOUBLE, "dataTypeS": "R_64F", "dataTypeU": "R_64F", "dataTypeV": "R_64F"}
GESVDR_DOUBLE = {**A_DOUBLE, "dataTypeSrand": "R_64F", "dataTypeUrand": "R_64F", "dataTypeVrand": "R_64F"}
#: 65 A, 83 S, 79 O, 78 N
JOBS = "(65, 83, 79, 78)"
TYPE = Check(ELEMENT)
COMPUTE = Check("computeType == dataTypeA")
SKETCH = "(83, 78)"
LENGTH = "leaves lengths where it refuses"

ROWS = (
    Row(
        symbols="cusolverDnXgesvd_bufferSize",
        kind=NATIVE,
        why=WHY_SIZE,
        steps=SIZE_STEPS,
        native="sx_x_gesvd_size",
        args=SIZES,
        sweep=Sweep(base={"jobu": 65, "jobvt": 65, **GESVD_DOUBLE}),
        differs={"handle= and success,": UNHANDLED},
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXgesvd",
        kind=NATIVE,
        why="cusolverDn<t>gesvd of the type",
        steps=(
            TYPE,
            Check(f"dataTypeS == ({REAL})"),
            Check("dataTypeU == dataTypeA"),
            Check("dataTypeVT == dataTypeA"),
            COMPUTE,
            HANDLE,
            INFO,
            Check(f"jobu in {JOBS}", 1),
            Check(f"jobvt in {JOBS}", 2),
            Check("jobu != 79 or jobvt != 79", 2),
            Check("m >= 0", 3),
            Check("n >= 0", 4),
            Check("lda >= max(1, m)", 6),
            Check("ldu >= (max(1, m) if jobu in (65, 83) else 1)", 9),
            Check("ldvt >= (max(1, n) if jobvt in (65, 83) else 1)", 11),
            Check("m >= n or m == 0", 0),
            Quick("m == 0 or n == 0"),
            NotNull(("A", "S"), nvidia="crash"),
            NotNull(("U",), unless="jobu in (79, 78)", nvidia="crash"),
            NotNull(("VT",), unless="jobvt in (79, 78)", nvidia="crash"),
        ),
        native="sx_x_gesvd",
        args={
            "A": MATRIX,
            "S": Vec(n="min(m, n)", T="dataTypeS", dir=OUT),
            "U": Mat(rows="m if jobu in (65, 83) else 1", cols=LEFT, ld="ldu", T="dataTypeU", dir=OUT),
            "VT": Mat(rows="n if jobvt in (65, 83) else 1", cols=RIGHT, ld="ldvt", T="dataTypeVT", dir=OUT),
            "bufferOnDevice": Scratch(query="cusolverDnXgesvd_bufferSize", size=DEVICE, T="bytes"),
            "info": ONE_INFO,
        },
        oracle=gesvd,
        compare=Residual(fn=gesvd_residual),
        sweep=Sweep(
            base={"jobu": 65, "jobvt": 65, "m": 33, "n": 17, **GESVD_DOUBLE},
            grid={
                GESVD_TYPED: TYPES_SVD,
                "jobu jobvt": ((65, 65), (83, 83), (78, 78), (79, 83), (83, 79), (78, 83), (65, 78), (79, 78)),
                "m n": ((0, 0), (1, 1), (2, 2), (5, 3), (33, 33), (64, 5)),
            },
            classes=CLASSES + BROKEN,
            make=matrix,
        ),
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXgesvdp_bufferSize",
        kind=NATIVE,
        why=WHY_SIZE,
        steps=SIZE_STEPS,
        native="sx_x_gesvdp_size",
        args=SIZES,
        sweep=Sweep(base=GESVDP_DOUBLE),
        differs={"handle= and changed,": LENGTH},
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXgesvdp",
        kind=NATIVE,
        why="rocsolver_<t>gesvd, and V from its V^H by geam; nothing is perturbed, so h_err_sigma is 0",
        steps=(
            TYPE,
            Check(f"dataTypeS == ({REAL})"),
            Check("dataTypeU == dataTypeA"),
            Check("dataTypeV == dataTypeA"),
            COMPUTE,
            Check("n >= 0"),
            Check("m >= 0", nvidia="crash"),
            Check("m >= n or lda >= max(1, m)"),
            Zero(("h_err_sigma",)),
            HANDLE,
            DeviceInfo("d_info"),
            Check(JOB, 1),
            Check("m < n or lda >= max(1, m)", 6),
            Check("m < n or ldu >= max(1, m)", 9),
            Check("m < n or ldv >= max(1, n)", 11),
            Check("m >= n or ldv >= max(1, n)", 9),
            Check("m >= n or ldu >= max(1, m)", 11),
            NotNull(("bufferOnDevice",), number=12),
            Quick("m == 0 or n == 0"),
            NotNull(("A", "S", "d_info"), nvidia="crash"),
            NotNull(("U", "V"), unless="jobz == NOVECTOR", nvidia="crash"),
        ),
        native="sx_x_gesvdp",
        args={
            "A": MATRIX,
            "S": Vec(n="min(m, n)", T="dataTypeS", dir=OUT),
            "U": Mat(rows="m", cols=LEFT_P, ld="ldu", T="dataTypeU", dir=OUT),
            "V": Mat(rows="n", cols=RIGHT_P, ld="ldv", T="dataTypeV", dir=OUT),
            "bufferOnDevice": Scratch(query="cusolverDnXgesvdp_bufferSize", size=DEVICE, T="bytes"),
            "d_info": ONE_INFO,
            "h_err_sigma": Scalar(T="D", dir=OUT, host=True),
        },
        oracle=gesvdp,
        compare=Residual(fn=gesvdp_residual),
        sweep=Sweep(
            base={"jobz": "VECTOR", "econ": 1, "m": 33, "n": 17, **GESVDP_DOUBLE},
            grid={
                GESVDP_TYPED: TYPES_SVD,
                "jobz": ("NOVECTOR", "VECTOR"),
                "econ": (0, 1),
                "m n": ((0, 0), (1, 1), (2, 2), (5, 3), (3, 5), (33, 33), (64, 5), (10, 40)),
            },
            classes=CLASSES + BROKEN,
            make=matrix,
        ),
        differs={
            "jobz=NOVECTOR and wrote": "writes to U, or behind it, where no vectors are asked for",
            "jobz=VECTOR and unreferenced": "writes between the columns of U",
            "deficient and residual:": "perturbs a matrix that lacks rank, and says by how much",
            "n=1048576 and faults": "faults the device where ldv is less than n",
            "n=-1 and two and changed,": "sets h_err_sigma before it looks at n",
        },
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXgesvdr_bufferSize",
        kind=NATIVE,
        why="what the call below takes, in bytes; on the host the random numbers",
        steps=(
            *SIZE_STEPS,
            TYPE,
            COMPUTE,
            Check(f"dataTypeSrand == ({REAL})"),
            Check("dataTypeUrand == dataTypeA"),
            Check("dataTypeVrand == dataTypeA"),
            Check(f"jobu in {SKETCH}"),
            Check(f"jobv in {SKETCH}"),
            Check("k >= 0"),
            Check("p >= 0"),
            Check("m >= 0"),
            Check("n >= 0"),
            Check("niters >= 0"),
            Check("k + p <= min(m, n)"),
            Check("lda >= max(1, m)"),
            Check("ldUrand >= max(1, m)"),
            Check("ldVrand >= max(1, n)"),
        ),
        native="sx_x_gesvdr_size",
        args=SIZES,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXgesvdr",
        kind=NATIVE,
        why="a randomised range finder of rocBLAS's gemm and rocSOLVER's QR, then rocsolver_<t>gesvd of what is left",
        steps=(
            HANDLE,
            DeviceInfo("d_info"),
            NotNull(("bufferOnHost",), number=23),
            NotNull(("bufferOnDevice",), number=21),
            Check("computeType in (R_32F, R_64F, C_32F, C_64F)", 20),
            Check("ldVrand >= max(1, n)", 19),
            NotNull(("Vrand",), number=18),
            Check("dataTypeVrand in (R_32F, R_64F, C_32F, C_64F)", 17),
            Check("ldUrand >= max(1, m)", 16),
            NotNull(("Urand",), number=15),
            Check("dataTypeUrand in (R_32F, R_64F, C_32F, C_64F)", 14),
            NotNull(("Srand",), number=13),
            Check("dataTypeSrand in (R_32F, R_64F)", 12),
            Check("lda >= m", 11),
            NotNull(("A",), number=10),
            Check(ELEMENT, 9),
            Check("niters >= 0", 8),
            Check("p >= 0", 7),
            Check("k + p <= min(m, n)", 7),
            Check("k >= 0", 6),
            Check("n >= 0", 5),
            Check("m >= 0", 4),
            Check(f"jobv in {SKETCH}", 3),
            Check(f"jobu in {SKETCH}", 2),
            Check("computeType == dataTypeA", 0),
            Check("dataTypeVrand == dataTypeA", 0),
            Check("dataTypeUrand == dataTypeA", 0),
            Check(f"dataTypeSrand == ({REAL})", 0),
            Quick("k == 0"),
            NotNull(("d_info",), nvidia="crash"),
        ),
        native="sx_x_gesvdr",
        ops=Ops(copies=4, syncs=1),
        args={
            "A": MATRIX,
            "Srand": Vec(n="k", T="dataTypeSrand", dir=OUT),
            "Urand": Mat(rows="m", cols="k if jobu == 83 else 0", ld="ldUrand", T="dataTypeUrand", dir=OUT),
            "Vrand": Mat(rows="n", cols="k if jobv == 83 else 0", ld="ldVrand", T="dataTypeVrand", dir=OUT),
            "bufferOnDevice": Scratch(query="cusolverDnXgesvdr_bufferSize", size=DEVICE, T="bytes"),
            "bufferOnHost": Scratch(query="cusolverDnXgesvdr_bufferSize", size=HOST, T="bytes", host=True),
            "d_info": ONE_INFO,
        },
        oracle=gesvdr,
        compare=Residual(fn=gesvdr_residual),
        sweep=Sweep(
            base={"jobu": 83, "jobv": 83, "m": 33, "n": 17, "k": 5, "p": 3, "niters": 2, **GESVDR_DOUBLE},
            grid={
                GESVDR_TYPED: TYPES_SVD,
                "jobu jobv": ((83, 83), (78, 78), (83, 78), (78, 83)),
                "m n k p niters": (
                    (1, 1, 1, 0, 0),
                    (5, 3, 2, 1, 2),
                    (3, 5, 3, 0, 1),
                    (33, 33, 4, 8, 2),
                    (100, 20, 10, 2, 3),
                    (20, 100, 5, 5, 2),
                ),
            },
            classes=("decaying", "of rank k"),
            make=sketched,
        ),
        differs={"dataTypeSrand=R_32F and residual:": "errs by up to three times what is allowed, in single precision"},
        source=SOURCE + "; Halko, Martinsson, Tropp: Finding structure with randomness, 2011",
    ),
)
