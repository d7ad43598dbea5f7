"""getrf, getri, getrs and the inverse of small matrices, for batches given as arrays of pointers.

LAPACK's LU, with partial pivoting or, when the pivot array is NULL, with none. The pivots of all matrices lie together,
n apart. getrf, getri and matinv have an array of info on the device, and name a bad argument by a negative number, of
several the last; leading dimensions are compared with n alone, so that 0 is right for n = 0. getrs has one info on the
host: 0, or minus the number of the first bad argument, and says so before it even looks at the handle.
"""

from __future__ import annotations

from typing import Any

from scale_x.cublas.rows._linalg import op
from scale_x.wrappers_gen.rows import (
    ADAPTED,
    INOUT,
    NATIVE,
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
    lazy,
)

np = lazy("numpy")

TITLE = "Batched LU: getrf, getri, getrs, matinv"


def lu(a: Any, pivoting: bool) -> tuple[Any, Any, int]:
    """L and U in one matrix, 1-based pivots, and the place of the first zero on U's diagonal (0: none)."""
    n, f, pivots, info = a.shape[0], a.copy(), np.arange(1, a.shape[0] + 1), 0
    for j in range(n):
        if pivoting:
            p = j + int(np.argmax(np.abs(f[j:, j].real) + np.abs(f[j:, j].imag)))
            pivots[j] = p + 1
            f[[j, p]] = f[[p, j]]
        if f[j, j] == 0:
            info = info or j + 1
            continue
        f[j + 1 :, j] = f[j + 1 :, j] / f[j, j]
        f[j + 1 :, j + 1 :] = f[j + 1 :, j + 1 :] - np.outer(f[j + 1 :, j], f[j, j + 1 :])
    return f, pivots, info


def permuted(a: Any, pivots: Any) -> Any:
    """The rows of A in the order that the pivots of getrf bring them to."""
    b = a.copy()
    for i, p in enumerate(np.asarray(pivots, dtype=int)):
        b[[i, p - 1]] = b[[p - 1, i]]
    return b


def split(f: Any) -> tuple[Any, Any]:
    """L, with ones on its diagonal, and U."""
    return np.tril(f, -1) + np.eye(f.shape[-1]), np.triu(f)


def product(f: Any, pivots: Any, pivoted: bool) -> Any:
    """The matrix that the factors are of: P' L U."""
    lower, upper = split(f)
    order = permuted(np.arange(f.shape[0])[:, None], pivots)[:, 0] if pivoted else np.arange(f.shape[0])
    a = np.empty_like(f)
    a[order] = lower @ upper
    return a


def norm(a: Any) -> float:
    """The 1-norm; 1 where that is 0, as a divisor."""
    return float(np.abs(a).sum(axis=0).max(initial=0.0)) or 1.0


def pivots_of(a: Any, values: Any) -> Any:
    """The pivots by matrix; the natural order where there is no pivot array."""
    return np.reshape(values, (-1, a.n)) if values is not None else np.tile(np.arange(1, a.n + 1), (a.batchSize, 1))


def getrf(a: Any) -> dict[str, Any]:
    """P A = L U for every matrix."""
    done = [lu(m, "P" not in a.nulls) for m in a.A]
    return {
        "A": np.array([f for f, _, _ in done]),
        "P": np.concatenate([p for _, p, _ in done]),
        "info": np.array([i for _, _, i in done]),
    }


def getrf_residual(a: Any, got: Any) -> float:
    """|P A - L U| / (n |L| |U| eps), the largest; infinite for large multipliers or an info that U denies."""
    worst, pivoted = 0.0, "P" in got
    pivots = pivots_of(a, got.get("P"))
    for before, f, p, info in zip(a.A, got["A"], pivots, got["info"], strict=True):
        lower, upper = split(f)
        zeros = np.flatnonzero(np.diag(upper) == 0)
        if info != (zeros[0] + 1 if zeros.size else 0) or (p < np.arange(1, a.n + 1)).any() or (p > a.n).any():
            return np.inf
        if pivoted and np.abs(np.tril(f, -1)).max(initial=0.0) > np.sqrt(2) + 8 * a.eps:  # sizes are |Re| + |Im|
            return np.inf
        residual = np.abs(permuted(before, p) - lower @ upper).sum(axis=0).max()
        worst = max(worst, float(residual / (a.n * norm(lower) * norm(upper) * a.eps)))
    return worst


def getri(a: Any) -> dict[str, Any]:
    """The inverses, from the factors."""
    pivots, pivoted = pivots_of(a, None if "P" in a.nulls else a.P), "P" not in a.nulls
    inverses = [np.linalg.inv(product(f, p, pivoted)) for f, p in zip(a.A, pivots, strict=True)]
    return {"C": np.array(inverses), "info": np.zeros(a.batchSize, dtype=int)}


def getri_residual(a: Any, got: Any) -> float:
    """|X A - I| / (n |A| |X| eps), the largest; info must be 0."""
    pivots, worst = pivots_of(a, None if "P" in a.nulls else a.P), 0.0
    for f, p, x in zip(a.A, pivots, got["C"], strict=True):
        worst = max(worst, inverse_error(product(f, p, "P" not in a.nulls), x, a.eps))
    return np.inf if got["info"].any() else worst


def inverse_error(m: Any, x: Any, eps: float) -> float:
    """|X A - I| / (n |A| |X| eps)."""
    n = m.shape[0]
    return float(np.abs(x @ m - np.eye(n)).sum(axis=0).max() / (n * norm(m) * norm(x) * eps))


def matinv(a: Any) -> dict[str, Any]:
    """The inverses of small matrices, which are kept."""
    return {"Ainv": np.linalg.inv(a.A), "info": np.zeros(a.batchSize, dtype=int)}


def matinv_residual(a: Any, got: Any) -> float:
    """|X A - I| / (n |A| |X| eps), the largest; info must be 0."""
    worst = max([inverse_error(m, x, a.eps) for m, x in zip(a.A, got["Ainv"], strict=True)], default=0.0)
    return np.inf if got["info"].any() else worst


def getrs(a: Any) -> dict[str, Any]:
    """The solutions of op(A) X = B, from the factors."""
    pivots, pivoted = pivots_of(a, None if "devIpiv" in a.nulls else a.devIpiv), "devIpiv" not in a.nulls
    matrices = [op(a.trans, product(f, p, pivoted)) for f, p in zip(a.Aarray, pivots, strict=True)]
    return {"Barray": np.array([np.linalg.solve(m, b) for m, b in zip(matrices, a.Barray, strict=True)]), "info": 0}


def getrs_residual(a: Any, got: Any) -> float:
    """|op(A) X - B| / (n |A| |X| eps), the largest; info must be 0."""
    pivots, worst = pivots_of(a, None if "devIpiv" in a.nulls else a.devIpiv), 0.0
    for f, p, b, x in zip(a.Aarray, pivots, a.Barray, got["Barray"], strict=True):
        m = op(a.trans, product(f, p, "devIpiv" not in a.nulls))
        residual = np.abs(m @ x - b).sum(axis=0).max()
        worst = max(worst, float(residual / (a.n * norm(m) * norm(x) * a.eps)))
    return np.inf if np.any(got["info"]) else worst


GETRF_STEPS = (
    Handle(),
    Check("batchSize >= 0", -6),
    Check("lda >= n", -3),
    Check("n >= 0", -1),
    Quick("n == 0 or batchSize == 0"),
    NotNull(("A", "info"), nvidia="crash"),
)
PIVOTS = Buf(count="n * batchSize", T="I", dir=OUT)
INFOS = Buf(count="batchSize", T="I", dir=OUT)
#: factors whose inverse is tame: small off the diagonal ("unit" never holds, it only asks for such numbers)
FACTORS = Mat(rows="n", cols="n", ld="lda", batch="batchSize", array=True, unit="n < 0")
SIZES = ((7, 3), (0, 3), (1, 2), (2, 0), (2, 5), (3, 1), (17, 2), (33, 2), (64, 1), (1, 300))
PIVOTED = (
    (1, 1, (1,)),
    (2, 2, (2, 2, 1, 2)),
    (7, 3, (3, 4, 3, 7, 5, 7, 7) * 3),
    (7, 1, (7, 7, 7, 7, 7, 7, 7)),
    (33, 2, (33,) * 66),
)

ROWS = (
    Row(
        symbols="cublas{T}getrfBatched",
        kind=ADAPTED,
        T="SDCZ",
        xerbla="{T}BATCHED_GETRF",
        steps=GETRF_STEPS,
        paths=(
            Path(
                call="rocsolver_{t}getrf_batched",
                when="not null(P)",
                args={"m": "n", "ipiv": "P", "strideP": "n", "batch_count": "batchSize"},
            ),
            Path(call="rocsolver_{t}getrf_npvt_batched", args={"m": "n", "batch_count": "batchSize"}),
        ),
        args={
            "A": Mat(rows="n", cols="n", ld="lda", dir=INOUT, batch="batchSize", array=True),
            "P": PIVOTS,
            "info": INFOS,
        },
        oracle=getrf,
        compare=Residual(fn=getrf_residual),
        sweep=Sweep(base={"n": 7, "batchSize": 3}, grid={"n batchSize": SIZES}),
        source="cuBLAS 2.8.5; LAPACK xGETRF",
    ),
    Row(
        symbols="cublas{T}getriBatched",
        kind=ADAPTED,
        T="SDCZ",
        xerbla="{T}BATCHED_GETRI",
        steps=(
            Handle(),
            Check("batchSize >= 0", -8),
            Check("ldc >= n", -6),
            Check("lda >= n", -3),
            Check("n >= 0", -1),
            Quick("n == 0 or batchSize == 0"),
            NotNull(("A", "C", "info"), nvidia="crash"),
        ),
        paths=(
            Path(
                call="rocsolver_{t}getri_npvt_batched",
                when="null(P) and same(A, C) and lda == ldc",
                args={"A": "C", "batch_count": "batchSize"},
            ),
            Path(
                call="rocsolver_{t}getri_npvt_outofplace_batched",
                when="null(P)",
                args={"batch_count": "batchSize"},
            ),
            Path(
                call="rocsolver_{t}getri_batched",
                when="same(A, C) and lda == ldc",
                args={"A": "C", "ipiv": "P", "strideP": "n", "batch_count": "batchSize"},
            ),
            Path(
                call="rocsolver_{t}getri_outofplace_batched",
                args={"ipiv": "P", "strideP": "n", "batch_count": "batchSize"},
            ),
        ),
        args={
            "A": FACTORS,
            "P": Buf(count="n * batchSize", T="I"),
            "C": Mat(rows="n", cols="n", ld="ldc", dir=OUT, batch="batchSize", array=True),
            "info": INFOS,
        },
        oracle=getri,
        compare=Residual(fn=getri_residual),
        sweep=Sweep(base={"n": 3, "batchSize": 2, "P": (2, 3, 3, 1, 3, 3)}, grid={"n batchSize P": PIVOTED}),
        source="cuBLAS 2.8.7; LAPACK xGETRI",
    ),
    Row(
        symbols="cublas{T}getrsBatched",
        kind=ADAPTED,
        T="SDCZ",
        steps=(
            NotNull(("info",), nvidia="crash"),
            Info("info"),
            Check("trans in (N, T, C)", 1),
            Check("n >= 0", 2),
            Check("nrhs >= 0", 3),
            Check("lda >= max(1, n)", 5),
            Check("ldb >= max(1, n)", 8),
            Quick("n == 0 or nrhs == 0"),
            Handle(),
            Quick("batchSize == 0 and null(devIpiv)"),
            Check("batchSize > 0", status="EXECUTION_FAILED"),
            NotNull(("Aarray", "Barray"), nvidia="crash"),
        ),
        paths=(
            Path(
                call="rocsolver_{t}getrs_batched",
                when="not null(devIpiv)",
                args={
                    "A": "Aarray",
                    "ipiv": "devIpiv",
                    "strideP": "n",
                    "B": "Barray",
                    "batch_count": "batchSize",
                },
            ),
            # two triangular solves; rocSOLVER's own routine for this is new
            Path(native="sx_getrs_unpivoted", ops=Ops(launches=2)),
        ),
        args={
            "Aarray": FACTORS,
            "devIpiv": Buf(count="n * batchSize", T="I"),
            "Barray": Mat(rows="n", cols="nrhs", ld="ldb", dir=INOUT, batch="batchSize", array=True),
            "info": Scalar(T="I", host=True, dir=OUT),
        },
        oracle=getrs,
        compare=Residual(fn=getrs_residual),
        sweep=Sweep(
            base={"trans": "N", "n": 3, "nrhs": 2, "batchSize": 2, "devIpiv": (2, 3, 3, 1, 3, 3)},
            grid={"trans": ("N", "T", "C"), "n batchSize devIpiv": PIVOTED},
            vary={"nrhs": (0, 1, 5)},
        ),
        source="cuBLAS 2.8.6; LAPACK xGETRS",
    ),
    # a copy, then LU and its inverse in place
    Row(
        symbols="cublas{T}matinvBatched",
        kind=NATIVE,
        T="SDCZ",
        xerbla="{T}BATCHED_MATINV",
        steps=(
            Handle(),
            Check("batchSize >= 0", -7),
            Check("lda_inv >= n", -5),
            Check("lda >= n", -3),
            Check("n >= 0", -1),
            Check("n <= 32"),
            Quick("n == 0 or batchSize == 0"),
            NotNull(("A", "Ainv", "info"), nvidia="crash"),
        ),
        native="sx_matinv",
        ops=Ops(allocations=1),
        args={
            "A": Mat(rows="n", cols="n", ld="lda", batch="batchSize", array=True),
            "Ainv": Mat(rows="n", cols="n", ld="lda_inv", dir=OUT, batch="batchSize", array=True),
            "info": INFOS,
        },
        oracle=matinv,
        compare=Residual(fn=matinv_residual),
        sweep=Sweep(
            base={"n": 7, "batchSize": 3},
            grid={"n batchSize": ((0, 3), (1, 2), (2, 0), (2, 5), (7, 3), (17, 2), (32, 3), (1, 300))},
        ),
        source="cuBLAS 2.8.8",
    ),
)
