"""QR of general matrices: geqrf, orgqr and ungqr, ormqr and unmqr.

Q is a product of reflectors H(i) = I - tau(i) v(i) v(i)', v(i) below the diagonal of A with a 1 at its head. A
workspace of any size is taken.
"""

from __future__ import annotations

from typing import Any

from scale_x.cusolver.rows._linalg import finite, op, ratio
from scale_x.cusolver.rows._matrices import BROKEN, CLASSES
from scale_x.cusolver.rows._matrices import general as any_general
from scale_x.cusolver.rows._matrices import reflectors as any_reflectors
from scale_x.wrappers_gen.rows import (
    ADAPTED,
    INOUT,
    OUT,
    Buf,
    Check,
    DeviceInfo,
    Handle,
    Mat,
    NotNull,
    Path,
    Quick,
    Residual,
    Row,
    Scalar,
    Scratch,
    Size,
    Sweep,
    Vec,
    Work,
    lazy,
)

np = lazy("numpy")

TITLE = "QR: geqrf, orgqr, ormqr"


def reflected(f: Any, tau: Any, c: Any) -> Any:
    """H(1) ... H(k) C."""
    c = c.astype(np.result_type(f, c))
    for i in reversed(range(len(tau))):
        v = f[:, i].copy()
        v[:i], v[i] = 0, 1
        c = c - tau[i] * np.outer(v, v.conj() @ c)
    return c


def geqrf(a: Any) -> dict[str, Any]:
    """A = Q R, Householder's way with LAPACK's signs."""
    (m, n), f = a.A.shape, a.A.copy()
    tau = np.zeros(min(m, n), f.dtype)
    for j in range(min(m, n)):
        x, rest = f[j, j], np.linalg.norm(f[j + 1 :, j])
        if rest == 0 and np.imag(x) == 0:
            continue
        beta = -np.copysign(np.hypot(abs(x), rest), np.real(x))
        tau[j] = (beta - x) / beta
        v = np.concatenate([[1.0], f[j + 1 :, j] / (x - beta)])
        f[j:, j + 1 :] = f[j:, j + 1 :] - np.conj(tau[j]) * np.outer(v, v.conj() @ f[j:, j + 1 :])
        f[j, j], f[j + 1 :, j] = beta, v[1:]
    return {"A": f, "TAU": tau, "devInfo": 0}


def geqrf_residual(a: Any, got: Any) -> float:
    """|A - Q R| / (n |A| eps), and how far from unitary Q is."""
    f, tau, before = got["A"], got["TAU"], a.A
    if "devInfo" in got and got["devInfo"][0] != 0:
        return np.inf
    if not finite(before):
        return 0.0
    q = reflected(f, tau, np.eye(a.m))
    unitary = ratio(q.conj().T @ q - np.eye(a.m), a.eps)
    return max(ratio(before - q @ np.triu(f), a.eps, before), unitary)


def orgqr(a: Any) -> dict[str, Any]:
    """The first n columns of Q."""
    return {"A": reflected(a.A[:, : a.k], a.tau, np.eye(a.m, a.n)), "info": 0}


def orgqr_residual(a: Any, got: Any) -> float:
    """|Q - Q'| / (n |Q| eps)."""
    want = orgqr(a)["A"]
    return np.inf if got["info"][0] else ratio(want - got["A"], a.eps, want)


def ormqr(a: Any) -> dict[str, Any]:
    """op(Q) C or C op(Q)."""
    q = op(a.trans, reflected(a.A, a.tau, np.eye(a.A.shape[0])))
    return {"C": q @ a.C if a.side == "LEFT" else a.C @ q, "devInfo": 0}


def ormqr_residual(a: Any, got: Any) -> float:
    """|op(Q) C - X| / (n |C| eps)."""
    if "devInfo" in got and got["devInfo"][0] != 0:
        return np.inf
    return ratio(ormqr(a)["C"] - got["C"], a.eps, a.C)


def general(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """Matrices with the singular values of a class."""
    return {"A": any_general(rng, kind, a.m, a.n, a.letter)}


def reflectors(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """Reflectors of a unitary Q in the first k columns, and their factors; "identity": all factors are 0."""
    rows = (a.m if a.side == "LEFT" else a.n) if "side" in vars(a) else a.m
    f, tau = any_reflectors(rng, max(rows, a.k), a.k, a.letter)
    rest = np.zeros((rows, 0 if "side" in vars(a) else max(a.n - a.k, 0)))
    return {"A": np.hstack([f[:rows], rest]), "tau": tau * (kind != "identity")}


SHAPES = (
    *((0, 0), (0, 3), (3, 0), (1, 1), (2, 2), (3, 3), (5, 5), (31, 31), (32, 32), (33, 33), (64, 64), (100, 100)),
    *((1, 5), (5, 1), (3, 7), (7, 3), (33, 20), (20, 33), (100, 17), (17, 100)),
)
INFO = Buf(count="1", T="I", dir=OUT)
QR = {"Sorg": "S", "Dorg": "D", "Cung": "C", "Zung": "Z"}
MQR = {"Sorm": "S", "Dorm": "D", "Cunm": "C", "Zunm": "Z"}
LWORK = Scalar(T="I", dir=OUT, host=True)

ROWS = (
    Row(
        symbols="cusolverDn{T}geqrf_bufferSize",
        kind=ADAPTED,
        T="SDCZ",
        steps=(Handle(), NotNull(("lwork",), nvidia="crash")),
        paths=(
            Path(
                call="rocsolver_{t}geqrf",
                args={"m": "max(m, 0)", "n": "max(n, 0)", "lda": "max(lda, max(m, 1))"},
            ),
        ),
        size=Size(arg="lwork"),
        args={"A": Buf(count="0"), "lwork": LWORK},
        source="cuSOLVER 2.4.2.8; measured: sizes are not looked at",
    ),
    Row(
        symbols="cusolverDn{T}geqrf",
        kind=ADAPTED,
        T="SDCZ",
        steps=(
            Handle(),
            DeviceInfo("devInfo"),
            Check("m >= 0", 1),
            Check("n >= 0", 2),
            Check("lda >= max(1, m)", 4),
            Quick("m == 0 or n == 0"),
            NotNull(("A", "TAU"), nvidia="crash"),
        ),
        paths=(Path(call="rocsolver_{t}geqrf", args={"ipiv": "TAU"}),),
        work=Work(arg="Workspace", size="Lwork"),
        args={
            "A": Mat(rows="m", cols="n", ld="lda", dir=INOUT),
            "TAU": Vec(n="min(m, n)", dir=OUT),
            "Workspace": Scratch(query="cusolverDn{T}geqrf_bufferSize", size="Lwork"),
            "devInfo": INFO,
        },
        oracle=geqrf,
        compare=Residual(fn=geqrf_residual),
        sweep=Sweep(
            base={"m": 7, "n": 5},
            grid={"m n": SHAPES},
            classes=(*CLASSES, *BROKEN),
            make=general,
        ),
        source="cuSOLVER 2.4.2.8; LAPACK xGEQRF; measured: LAPACK's signs; info may be NULL",
    ),
    Row(
        symbols="cusolverDn{T}qr_bufferSize",
        kind=ADAPTED,
        T=QR,
        steps=(Handle(), NotNull(("lwork",), nvidia="crash")),
        paths=(
            Path(
                call="rocsolver_{t}qr",
                args={
                    "m": "max(max(m, n), max(k, 0))",
                    "n": "max(max(n, k), 0)",
                    "k": "max(k, 0)",
                    "lda": "max(max(lda, 1), max(max(m, n), k))",
                },
            ),
        ),
        size=Size(arg="lwork"),
        args={"A": Buf(count="0"), "tau": Buf(count="0"), "lwork": LWORK},
        differs={"handle= and changed,": "leaves a length where it refuses"},
        source="cuSOLVER 2.4.2.10; measured: sizes are not looked at",
    ),
    Row(
        symbols="cusolverDn{T}qr",
        kind=ADAPTED,
        T=QR,
        steps=(
            Handle(),
            DeviceInfo("info"),
            Check("m >= 0", 1),
            Check("n >= 0 and n <= m", 2),
            Check("k >= 0 and k <= n", 3),
            Check("lda >= max(1, m)", 5),
            Quick("n == 0"),
            NotNull(("A", "info"), nvidia="crash"),
            NotNull(("tau",), unless="k == 0", nvidia="crash"),
        ),
        paths=(Path(call="rocsolver_{t}qr", args={"ipiv": "tau"}),),
        work=Work(arg="work", size="lwork"),
        args={
            "A": Mat(rows="m", cols="n", ld="lda", dir=INOUT),
            "tau": Vec(n="k"),
            "work": Scratch(query="cusolverDn{T}qr_bufferSize", size="lwork"),
            "info": INFO,
        },
        oracle=orgqr,
        compare=Residual(fn=orgqr_residual),
        sweep=Sweep(
            base={"m": 7, "n": 5, "k": 3},
            grid={
                "m n k": (
                    *((0, 0, 0), (1, 1, 1), (2, 2, 2), (3, 3, 3), (5, 5, 5), (31, 31, 31), (32, 32, 32)),
                    *((33, 33, 33), (64, 64, 64), (100, 100, 100), (5, 3, 0), (5, 3, 1), (7, 5, 3), (100, 64, 33)),
                )
            },
            classes=("random", "identity"),
            make=reflectors,
        ),
        differs={"n=0": "an empty Q is INTERNAL_ERROR"},
        source="cuSOLVER 2.4.2.10; LAPACK xORGQR",
    ),
    Row(
        symbols="cusolverDn{T}qr_bufferSize",
        kind=ADAPTED,
        T=MQR,
        steps=(Handle(), NotNull(("lwork",), nvidia="crash")),
        paths=(
            Path(
                call="rocsolver_{t}qr",
                args={
                    "side": "rocblas_side_left",
                    "trans": "rocblas_operation_none",
                    "m": "max(max(m, k), 0)",
                    "n": "max(n, 0)",
                    "k": "max(k, 0)",
                    "lda": "max(max(lda, 1), max(m, k))",
                    "ldc": "max(max(ldc, 1), max(m, k))",
                },
                when="side == LEFT",
            ),
            Path(
                call="rocsolver_{t}qr",
                args={
                    "side": "rocblas_side_right",
                    "trans": "rocblas_operation_none",
                    "m": "max(m, 0)",
                    "n": "max(max(n, k), 0)",
                    "k": "max(k, 0)",
                    "lda": "max(max(lda, 1), max(n, k))",
                    "ldc": "max(max(ldc, 1), m)",
                },
            ),
        ),
        size=Size(arg="lwork"),
        args={"A": Buf(count="0"), "tau": Buf(count="0"), "C": Buf(count="0"), "lwork": LWORK},
        differs={"handle": "answers without looking at the handle"},
        source="cuSOLVER 2.4.2.9; measured: nothing is looked at",
    ),
    Row(
        symbols="cusolverDn{T}qr",
        kind=ADAPTED,
        T=MQR,
        steps=(
            Handle(),
            DeviceInfo("devInfo"),
            Check("trans == N or trans == T and real_type or trans == C and complex_type", 2),
            Check("side in (LEFT, RIGHT)", 1),
            Check("m >= 0", 3),
            Check("n >= 0", 4),
            Check("k >= 0 and k <= (m if side == LEFT else n)", 5),
            Check("lda >= max(1, m if side == LEFT else n)", 7),
            Check("ldc >= max(1, m)", 10),
            NotNull(("work",), number=0, unless="m == 0"),
            Quick("m == 0 or n == 0 or k == 0"),
            NotNull(("A", "tau", "C"), nvidia="crash"),
        ),
        paths=(Path(call="rocsolver_{t}qr", args={"ipiv": "tau"}),),
        work=Work(arg="work", size="lwork"),
        args={
            "A": Mat(rows="m if side == LEFT else n", cols="k", ld="lda"),
            "tau": Vec(n="k"),
            "C": Mat(rows="m", cols="n", ld="ldc", dir=INOUT),
            "work": Scratch(query="cusolverDn{T}qr_bufferSize", size="lwork"),
            "devInfo": INFO,
        },
        oracle=ormqr,
        compare=Residual(fn=ormqr_residual),
        sweep=Sweep(
            base={"side": "LEFT", "trans": "N", "m": 7, "n": 5, "k": 3},
            grid={
                "side": ("LEFT", "RIGHT"),
                "m n k": (
                    *((0, 0, 0), (1, 1, 1), (2, 2, 1), (3, 3, 3), (5, 7, 2), (31, 31, 31), (32, 33, 32), (64, 64, 5)),
                    *((33, 33, 33), (100, 100, 64), (5, 3, 0)),
                ),
            },
            vary={"trans": ("N", "T", "C")},
            classes=("random", "identity"),
            make=reflectors,
        ),
        source="cuSOLVER 2.4.2.9; LAPACK xORMQR; measured: C is refused for real matrices; info may be NULL",
    ),
)
