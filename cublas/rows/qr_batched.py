"""geqrf and gels for batches given as arrays of pointers: Householder QR, and least squares by it.

Both have an info on the host: 0, or minus the number of the first bad argument. gels has an array of info on the
device besides, which may be NULL: j for a matrix whose R has a zero at (j, j). It solves full-rank systems with at
least as many rows as columns, and only those without transposition; what changes nothing returns before that is
looked at.
"""

from __future__ import annotations

from typing import Any

from scale_x.wrappers_gen.rows import (
    ADAPTED,
    INOUT,
    OUT,
    Buf,
    Check,
    Handle,
    Info,
    Mat,
    NotNull,
    Ops,
    Path,
    Quick,
    Residual,
    Row,
    Scalar,
    Sweep,
    Vec,
    lazy,
)

np = lazy("numpy")

TITLE = "Batched QR: geqrf, gels"


def reflector(x: Any) -> tuple[Any, Any, Any]:
    """LAPACK's elementary reflector of a vector: beta (real), the tail of v, tau, with H' x = beta e1."""
    tail = np.linalg.norm(x[1:])
    if tail == 0 and x[0].imag == 0:
        return x[0], np.zeros_like(x[1:]), x.dtype.type(0)
    beta = -np.copysign(np.hypot(np.abs(x[0]), tail), x[0].real)
    return beta, x[1:] / (x[0] - beta), (beta - x[0]) / beta


def geqrf(a: Any) -> dict[str, Any]:
    """A = Q R: R above, the reflectors below the diagonal, their factors in tau."""
    factors, taus = a.Aarray.copy(), np.zeros((a.batchSize, min(a.m, a.n)), dtype=a.Aarray.dtype)
    for f, taus_of in zip(factors, taus, strict=True):
        for j in range(min(a.m, a.n)):
            beta, tail, tau = reflector(f[j:, j])
            v = np.concatenate([np.ones(1, dtype=f.dtype), tail])
            f[j:, j + 1 :] -= np.conj(tau) * np.outer(v, v.conj() @ f[j:, j + 1 :])
            f[j, j], f[j + 1 :, j], taus_of[j] = beta, tail, tau
    return {"Aarray": factors, "TauArray": taus, "info": 0}


def q_of(f: Any, tau: Any) -> Any:
    """The product of the reflectors."""
    m = f.shape[0]
    q = np.eye(m, dtype=f.dtype)
    for j in reversed(range(len(tau))):
        v = np.concatenate([np.zeros(j), np.ones(1), f[j + 1 :, j]])
        q = q - tau[j] * np.outer(v, v.conj() @ q)
    return q


def geqrf_residual(a: Any, got: Any) -> float:
    """|A - Q R| / (m |A| eps) and |Q' Q - I| / (m eps), the largest; info must be 0. R has LAPACK's signs."""
    worst, want = 0.0, geqrf(a)
    for before, f, tau, expected in zip(a.Aarray, got["Aarray"], got["TauArray"], want["Aarray"], strict=True):
        q, r = q_of(f, tau), np.triu(f)
        size = max(np.abs(before).sum(axis=0).max(), np.finfo(float).tiny)
        worst = max(worst, float(np.abs(before - q @ r).sum(axis=0).max() / (a.m * size * a.eps)))
        worst = max(worst, float(np.abs(q.conj().T @ q - np.eye(a.m)).sum(axis=0).max() / (a.m * a.eps)))
        if (np.sign(np.diag(f).real) != np.sign(np.diag(expected).real)).any():
            return np.inf
    return np.inf if np.any(got["info"]) else worst


def gels(a: Any) -> dict[str, Any]:
    """The X that make |A X - C| least."""
    solved = [np.linalg.lstsq(m, c, rcond=None)[0] for m, c in zip(a.Aarray, a.Carray, strict=True)]
    return {"Carray": np.array(solved), "info": 0, "devInfoArray": np.zeros(a.batchSize, dtype=int)}


def gels_residual(a: Any, got: Any) -> float:
    """How far A' (C - A X) is from 0, beside |A| (|A| |X| + |C|) m eps; both infos must be 0."""
    worst = 0.0
    for m, c, after in zip(a.Aarray, a.Carray, got["Carray"], strict=True):
        x = after[: a.n]
        gradient = np.abs(m.conj().T @ (c - m @ x)).sum(axis=0).max(initial=0.0)
        size = np.abs(m).sum(axis=0).max()
        scale = size * (size * np.abs(x).sum(axis=0).max(initial=0.0) + np.abs(c).sum(axis=0).max(initial=0.0))
        worst = max(worst, float(gradient / (scale * a.m * a.eps)) if scale else 0.0)
    wrong = np.any(got["info"]) or np.any(got.get("devInfoArray", 0))
    return np.inf if wrong else worst


A = Mat(rows="m", cols="n", ld="lda", dir=INOUT, batch="batchSize", array=True)
INFO = Scalar(T="I", host=True, dir=OUT)

ROWS = (
    Row(
        symbols="cublas{T}geqrfBatched",
        kind=ADAPTED,
        T="SDCZ",
        steps=(
            Handle(),
            NotNull(("info",)),
            Info("info"),
            Check("m >= 0", 1),
            Check("n >= 0", 2),
            Check("lda >= max(1, m)", 4),
            Check("batchSize >= 0", 7),
            Quick("m == 0 or n == 0 or batchSize == 0"),
            NotNull(("Aarray", "TauArray"), nvidia="crash"),
        ),
        paths=(
            # exported by rocSOLVER, declared by none of its headers
            Path(
                call="rocsolver_{t}geqrf_ptr_batched",
                args={"A": "Aarray", "tau": "TauArray", "batch_count": "batchSize"},
                evidence="measured",
            ),
            Path(native="sx_geqrf_declared", ops=Ops(copies=4, syncs=1)),
        ),
        args={
            "Aarray": A,
            "TauArray": Vec(n="min(m, n)", batch="batchSize", dir=OUT, array=True),
            "info": INFO,
        },
        oracle=geqrf,
        compare=Residual(fn=geqrf_residual),
        sweep=Sweep(
            base={"m": 7, "n": 5, "batchSize": 3},
            grid={
                "m n": ((7, 5), (5, 7), (1, 1), (1, 4), (4, 1), (0, 3), (3, 0), (33, 17), (64, 64)),
                "batchSize": (1, 3),
            },
            vary={"batchSize": (0, 65)},
        ),
        source="cuBLAS 2.8.9; LAPACK xGEQRF",
    ),
    Row(
        symbols="cublas{T}gelsBatched",
        kind=ADAPTED,
        T="SDCZ",
        steps=(
            Handle(),
            NotNull(("info",)),
            Info("info"),
            Check("m >= 0", 1),
            Check("nrhs >= 0", 2),
            Check("n >= 0", 3),
            Check("lda >= max(1, m)", 5),
            Check("ldc >= max(1, m)", 7),
            Check("batchSize >= 0", 8),
            Quick("m == 0 or n == 0 or batchSize == 0"),
            Check("trans == N", status="NOT_SUPPORTED"),
            Check("m >= n", status="NOT_SUPPORTED"),
            NotNull(("Aarray", "Carray"), nvidia="crash"),
        ),
        paths=(
            Path(
                call="rocsolver_{t}gels_batched",
                when="nrhs > 0 and not null(devInfoArray)",
                args={
                    "A": "Aarray",
                    "B": "Carray",
                    "ldb": "ldc",
                    "info": "devInfoArray",
                    "batch_count": "batchSize",
                },
            ),
            # rocSOLVER wants the array of info, and factors nothing when there is nothing to solve
            Path(native="sx_gels_rare", ops=Ops(allocations=1, launches=1)),
        ),
        args={
            "Aarray": A,
            "Carray": Mat(rows="m", cols="nrhs", ld="ldc", dir=INOUT, batch="batchSize", array=True),
            "info": INFO,
            "devInfoArray": Buf(count="batchSize", T="I", dir=OUT),
        },
        oracle=gels,
        compare=Residual(fn=gels_residual),
        sweep=Sweep(
            base={"trans": "N", "m": 7, "n": 5, "nrhs": 2, "batchSize": 3},
            grid={"m n": ((7, 5), (5, 5), (1, 1), (4, 1), (0, 0), (3, 0), (33, 17)), "nrhs": (0, 1, 3)},
            vary={"batchSize": (0, 1, 65)},
        ),
        source="cuBLAS 2.8.10; LAPACK xGELS",
    ),
)
