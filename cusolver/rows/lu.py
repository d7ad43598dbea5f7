"""LU of general matrices: getrf, with partial pivoting or, when the pivot array is NULL, with none; getrs; laswp.

info is the place of the first zero on the diagonal of U; the factorisation goes on behind it. getrs writes no info
about its arguments, and laswp looks at none of them.
"""

from __future__ import annotations

from typing import Any

from scale_x.cublas.rows.lu_batched import permuted, product
from scale_x.cusolver.rows._linalg import finite, op, ratio, solve_error
from scale_x.cusolver.rows._matrices import BROKEN, CLASSES
from scale_x.cusolver.rows._matrices import general as any_general
from scale_x.wrappers_gen.rows import (
    ADAPTED,
    INOUT,
    NATIVE,
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
    Scratch,
    Sweep,
    lazy,
)

np = lazy("numpy")

TITLE = "LU: getrf, getrs, laswp"


def lu(a: Any, pivoting: bool) -> tuple[Any, Any, int]:
    """L below U in one matrix, 1-based pivots, and the place of the first zero on U's diagonal (0: none)."""
    (m, n), f, info = a.shape, a.copy(), 0
    pivots = np.arange(1, min(m, n) + 1)
    for j in range(min(m, n)):
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


def getrf(a: Any) -> dict[str, Any]:
    """P A = L U."""
    f, pivots, info = lu(a.A, "devIpiv" not in a.nulls)
    return {"A": f, "devIpiv": pivots, "devInfo": info}


def getrf_residual(a: Any, got: Any) -> float:
    """|P A - L U| / (n |L| |U| eps); infinite for large multipliers or an info that U denies."""
    f, info, least = got["A"], int(got["devInfo"][0]), min(a.m, a.n)
    if not finite(a.A):
        return 0.0 if 0 <= info <= least else np.inf
    pivoted = "devIpiv" in got
    pivots = np.asarray(got["devIpiv"], dtype=int) if pivoted else np.arange(1, least + 1)
    zeros = np.flatnonzero(np.diag(f)[:least] == 0)
    if info != (zeros[0] + 1 if zeros.size else 0):
        return np.inf
    if not pivoted and zeros.size:
        return 0.0  # what stands behind a zero pivot is not specified
    if (pivots < np.arange(1, least + 1)).any() or (pivots > a.m).any():
        return np.inf
    lower = np.tril(f[:, :least], -1) + np.eye(a.m, least)
    if pivoted and np.abs(np.tril(f, -1)).max(initial=0.0) > np.sqrt(2) + 8 * a.eps:  # sizes are |Re| + |Im|
        return np.inf
    upper = np.triu(f[:least])
    return ratio(permuted(a.A, pivots) - lower @ upper, a.eps, lower, upper)


def of_factors(a: Any) -> Any:
    """op of the matrix that the factors of getrs are of."""
    return op(a.trans, product(a.A, a.devIpiv if "devIpiv" not in a.nulls else None, "devIpiv" not in a.nulls))


def getrs(a: Any) -> dict[str, Any]:
    """X of op(A) X = B, from the factors of A."""
    return {"B": np.linalg.solve(of_factors(a), a.B), "devInfo": 0}


def getrs_residual(a: Any, got: Any) -> float:
    """|op(A) X - B| / (n |A| |X| eps)."""
    if "devInfo" in got and got["devInfo"][0] != 0:
        return np.inf
    return solve_error(of_factors(a), got["B"], a.B, a.eps)


def laswp(a: Any) -> dict[str, Any]:
    """Rows k1 to k2 of A exchanged with the rows that the pivots name, backwards for a negative increment."""
    out, step = a.A.copy(), abs(a.incx)
    order = range(a.k1, a.k2 + 1) if a.incx > 0 else range(a.k2, a.k1 - 1, -1)
    for i in order:
        p = int(a.devIpiv[a.k1 - 1 + (i - a.k1) * step])
        out[[i - 1, p - 1]] = out[[p - 1, i - 1]]
    return {"A": out}


def laswp_residual(a: Any, got: Any) -> float:
    """0 when every row is where it belongs."""
    return 0.0 if np.array_equal(laswp(a)["A"], got["A"]) else np.inf


def general(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """Matrices with the singular values of a class; "singular": with a column of zeros."""
    m = any_general(rng, "random" if kind == "singular" else kind, a.m, a.n, a.letter)
    if kind == "singular":
        m[:, a.n // 2] = 0
    return {"A": m}


SHAPES = (
    *((0, 0), (0, 3), (3, 0), (1, 1), (2, 2), (3, 3), (5, 5), (31, 31), (32, 32), (33, 33), (64, 64), (100, 100)),
    *((1, 5), (5, 1), (3, 7), (7, 3), (33, 20), (20, 33), (100, 17), (17, 100)),
)
PIVOTED = (
    (0, ()),
    (1, (1,)),
    (2, (2, 2)),
    (3, (2, 3, 3)),
    (7, (3, 4, 3, 7, 5, 7, 7)),
    (33, (33,) * 33),
    (64, (64,) * 64),
)
INFO = Buf(count="1", T="I", dir=OUT)

ROWS = (
    Row(
        symbols="cusolverDn{T}getrf_bufferSize",
        kind=NATIVE,
        T="SDCZ",
        why="the larger of what the factorisations with and without pivots take",
        steps=(Handle(nvidia="crash"), NotNull(("Lwork",), nvidia="crash")),
        native="sx_{t}getrf_size",
        source="cuSOLVER 2.4.2.6; measured: sizes are not looked at",
    ),
    Row(
        symbols="cusolverDn{T}getrf",
        kind=NATIVE,
        T="SDCZ",
        why="the buffer has no size: as much of it is lent as getrf_bufferSize told",
        steps=(
            Handle(nvidia="crash"),
            DeviceInfo("devInfo"),
            Check("m >= 0", 1, nvidia="crash"),
            Check("n >= 0", 2, nvidia="crash"),
            Check("lda >= max(1, m) or m > 0 and n > 0", 4, status="SUCCESS"),
            Check("lda >= max(1, m)", 4, nvidia="crash"),
            NotNull(("devInfo",), nvidia="crash"),
            Quick("m == 0 or n == 0"),
            NotNull(("A",), nvidia="crash"),
            NotNull(("Workspace",), status="INTERNAL_ERROR", nvidia="crash"),
        ),
        native="sx_{t}getrf",
        args={
            "A": Mat(rows="m", cols="n", ld="lda", dir=INOUT),
            "Workspace": Scratch(query="cusolverDn{T}getrf_bufferSize", size="Lwork"),
            "devIpiv": Buf(count="min(m, n)", T="I", dir=OUT),
            "devInfo": INFO,
        },
        oracle=getrf,
        compare=Residual(fn=getrf_residual),
        sweep=Sweep(
            base={"m": 7, "n": 5},
            grid={"m n": SHAPES},
            classes=(*CLASSES, *BROKEN, "singular"),
            make=general,
        ),
        source="cuSOLVER 2.4.2.6; LAPACK xGETRF; measured: a bad lda of an empty matrix is SUCCESS with info -4",
    ),
    Row(
        symbols="cusolverDn{T}getrs",
        kind=ADAPTED,
        T="SDCZ",
        steps=(
            Handle(),
            DeviceInfo("devInfo"),
            Check("trans in (N, T, C)"),
            Check("n >= 0"),
            Check("nrhs >= 0"),
            Check("lda >= max(1, n)"),
            Check("ldb >= max(1, n)"),
            Quick("n == 0 or nrhs == 0", info=None),
            NotNull(("A", "B"), nvidia="crash"),
        ),
        paths=(
            Path(call="rocsolver_{t}getrs", when="not null(devIpiv)", args={"ipiv": "devIpiv"}),
            Path(native="sx_{t}getrs_unpivoted"),
        ),
        args={
            "A": Mat(rows="n", cols="n", ld="lda", unit="n < 0"),
            "devIpiv": Buf(count="n", T="I"),
            "B": Mat(rows="n", cols="nrhs", ld="ldb", dir=INOUT),
            "devInfo": INFO,
        },
        oracle=getrs,
        compare=Residual(fn=getrs_residual),
        sweep=Sweep(
            base={"trans": "N", "n": 3, "nrhs": 2, "devIpiv": (2, 3, 3)},
            grid={"trans": ("N", "T", "C"), "n devIpiv": PIVOTED},
            vary={"nrhs": (0, 1, 5, 33)},
        ),
        source="cuSOLVER 2.4.2.7; LAPACK xGETRS; measured: info hears of no argument, and may be NULL",
    ),
    Row(
        symbols="cusolverDn{T}laswp",
        kind=ADAPTED,
        T="SDCZ",
        steps=(
            Handle(nvidia="crash"),
            Quick("n <= 0 or lda <= 0 or incx == 0 or k1 < 1 or k2 < k1"),
            NotNull(("A", "devIpiv"), nvidia="crash"),
        ),
        paths=(Path(call="rocsolver_{t}laswp", args={"ipiv": "devIpiv"}),),
        args={
            "A": Mat(rows="lda", cols="n", ld="lda", dir=INOUT),
            "devIpiv": Buf(count="k1 + (k2 - k1) * max(incx, 0 - incx)", T="I"),
        },
        oracle=laswp,
        compare=Residual(fn=laswp_residual),
        sweep=Sweep(
            base={"n": 3, "lda": 9, "k1": 1, "k2": 3, "incx": 1, "devIpiv": (2, 3, 9)},
            grid={
                "n": (0, 1, 5, 33, 100),
                "k1 k2 incx devIpiv": (
                    (1, 3, 1, (2, 3, 9)),
                    (1, 3, -1, (2, 3, 9)),
                    (2, 4, 1, (9, 5, 3, 9)),
                    (1, 3, 2, (7, 1, 3, 1, 9)),
                    (1, 3, -2, (7, 1, 3, 1, 9)),
                    (5, 5, 1, (1, 1, 1, 1, 8)),
                ),
            },
        ),
        nvidia="differs: the row numbers and the increment are not looked at; an increment of 0 exchanges as well",
        source="LAPACK xLASWP",
    ),
)
