"""Symmetric indefinite matrices: sytrf, and the inverse from its factors, sytri.

Bunch and Kaufman's factors with LAPACK's pivots: negative ones, twice the same, for a 2x2 block. Without a pivot array
there are none: A = L D L^T with a diagonal D, and for UPPER the factors stand in both triangles. Complex matrices are
symmetric, not Hermitian. info is the place of the first zero in D.
"""

from __future__ import annotations

from typing import Any

from scale_x.cusolver.rows._linalg import finite, inverse_error, ratio, symmetric
from scale_x.cusolver.rows._matrices import BROKEN, gaussian
from scale_x.cusolver.rows._matrices import hermitian as any_hermitian
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
    Ops,
    Path,
    Quick,
    Residual,
    Row,
    Scalar,
    Scratch,
    Size,
    Sweep,
    Work,
    lazy,
)

np = lazy("numpy")
lapack = lazy("scipy.linalg.lapack")

TITLE = "Indefinite factors: sytrf, sytri"


def blocks(f: Any, pivots: Any, lower: bool) -> tuple[Any, Any]:
    """The product of the interchanged unit triangles, and D, of LAPACK's factors with 1-based pivots."""
    n, m, d = f.shape[0], np.eye(f.shape[0], dtype=f.dtype), np.zeros_like(f)
    k = 0 if lower else n - 1
    while 0 <= k < n:
        size = 1 if pivots[k] > 0 else 2
        at = np.arange(k, k + size) if lower else np.arange(k - size + 1, k + 1)
        rest = np.arange(k + size, n) if lower else np.arange(k - size + 1)
        d[at, at] = f[at, at]
        if size == 2:
            off = f[at[1], at[0]] if lower else f[at[0], at[1]]
            d[at[0], at[1]] = d[at[1], at[0]] = off
        step = np.eye(n, dtype=f.dtype)
        step[np.ix_(rest, at)] = f[np.ix_(rest, at)]
        moved = at[-1] if lower else at[0]
        p = abs(int(pivots[k])) - 1
        order = np.arange(n)
        order[[moved, p]] = order[[p, moved]]
        m = m @ np.eye(n)[order] @ step
        k += size if lower else -size
    return m, d


def assembled(uplo: str, f: Any, pivots: Any) -> Any:
    """The matrix that the factors are of."""
    if pivots is None:
        lower = np.tril(f, -1) + np.eye(f.shape[0])
        return lower @ np.diag(np.diag(f)) @ lower.T if uplo == "LOWER" else assembled("LOWER", f.T, None)
    m, d = blocks(f, np.asarray(pivots, dtype=int), uplo == "LOWER")
    return m @ d @ m.T


def sytrf(a: Any) -> dict[str, Any]:
    """LAPACK's factors of double precision."""
    routine = lapack.zsytrf if np.iscomplexobj(a.A) else lapack.dsytrf
    f, pivots, info = routine(symmetric(a.uplo, a.A), lower=a.uplo == "LOWER")
    return {"A": f, "ipiv": pivots, "info": info}


def sytrf_residual(a: Any, got: Any) -> float:
    """|A - L D L^T| / (n |A| eps), and large multipliers; infinite for pivots that are none."""
    n, info, pivots = a.n, int(got["info"][0]), got.get("ipiv")
    before = symmetric(a.uplo, a.A)
    if not finite(before):
        return 0.0 if 0 <= info <= n else np.inf
    if not 0 <= info <= n or (pivots is not None and not good(np.asarray(pivots, dtype=int), a.uplo == "LOWER")):
        return np.inf
    return ratio(before - assembled(a.uplo, got["A"], pivots), a.eps, before)


def good(pivots: Any, lower: bool) -> bool:
    """Whether these may be pivots: rows of the part that is left, and negative ones in equal pairs."""
    n = len(pivots)
    k = 0 if lower else n - 1
    while 0 <= k < n:
        size = 1 if pivots[k] > 0 else 2
        other = k + 1 if lower else k - 1
        if size == 2 and not (0 <= other < n and pivots[other] == pivots[k]):
            return False
        p = abs(pivots[k]) - 1
        if not (k <= p < n if lower else 0 <= p <= k):
            return False
        k += size if lower else -size
    return True


def sytri(a: Any) -> dict[str, Any]:
    """The inverse of the matrix that the factors are of."""
    return {"A": np.linalg.inv(assembled(a.uplo, a.A, None if "ipiv" in a.nulls else a.ipiv)), "info": 0}


def sytri_residual(a: Any, got: Any) -> float:
    """|A X - I| / (n |A| |X| eps); a zero in D has no inverse, and info says where."""
    m, info = assembled(a.uplo, a.A, None if "ipiv" in a.nulls else a.ipiv), int(got["info"][0])
    zeros = np.diag(a.A) == 0
    singular = bool((zeros & (np.asarray(a.ipiv) > 0)).any() if "ipiv" not in a.nulls else zeros.any())
    if singular or info:
        return 0.0 if singular and info > 0 and a.A[info - 1, info - 1] == 0 else np.inf
    return inverse_error(m, symmetric(a.uplo, got["A"]), a.eps)


def indefinite(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """Symmetric matrices of a class; "hollow": with a diagonal of zeros, so that the blocks are 2x2."""
    if kind in ("random", "hollow", *BROKEN):
        m = gaussian(rng, (a.n, a.n), a.letter)
        m = m + m.T
        if kind == "hollow":
            m[np.arange(a.n), np.arange(a.n)] = 0
        if kind in BROKEN and a.n:
            m[a.n // 2, a.n // 2] = np.nan if kind == "nan" else np.inf
        return {"A": m}
    return {"A": any_hermitian(rng, kind, a.n, "D")}


def factors(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """What sytrf leaves of a random symmetric matrix; "singular": with a zero in D."""
    m = indefinite(a, "hollow" if kind == "hollow" else "random", rng)["A"]
    routine = lapack.zsytrf if np.iscomplexobj(m) else lapack.dsytrf
    f, pivots, _ = routine(m, lower=a.uplo == "LOWER") if a.n else (m, np.zeros(0), 0)
    if kind == "singular":
        f = np.triu(np.tril(f)) + np.eye(a.n)
        f[a.n // 2, a.n // 2], pivots = 0, np.arange(1, a.n + 1)
    return {"A": f, "ipiv": pivots}


TRIANGLES = ("LOWER", "UPPER")
SIZES = (0, 1, 2, 3, 5, 31, 32, 33, 64, 100)
INFO = Buf(count="1", T="I", dir=OUT)
LWORK = Scalar(T="I", dir=OUT, host=True)
ANY_TRIANGLE = Check("uplo in (LOWER, UPPER)", 1)

ROWS = (
    Row(
        symbols="cusolverDn{T}sytrf_bufferSize",
        kind=ADAPTED,
        T="SDCZ",
        steps=(Handle(), NotNull(("lwork",), nvidia="crash")),
        paths=(
            Path(
                call="rocsolver_{t}sytrf",
                args={"uplo": "rocblas_fill_lower", "n": "max(n, 0)", "lda": "max(lda, max(n, 1))"},
            ),
        ),
        size=Size(arg="lwork"),
        args={"A": Buf(count="0"), "lwork": LWORK},
        source="cuSOLVER 2.4.2.12; measured: sizes are not looked at",
    ),
    Row(
        symbols="cusolverDn{T}sytrf",
        kind=ADAPTED,
        T="SDCZ",
        steps=(
            Handle(),
            DeviceInfo("info"),
            ANY_TRIANGLE,
            Check("n >= 0", 2),
            Check("lda >= max(1, n)", 4),
            Check("lwork > 0", 7),
            Quick("n == 0", info=None),
            NotNull(("A", "work"), status="INTERNAL_ERROR", nvidia="crash"),
            NotNull(("info",), nvidia="crash"),
        ),
        paths=(
            Path(call="rocsolver_{t}sytrf", when="not null(ipiv)"),
            Path(native="sx_{t}sytrf_unpivoted", ops=Ops(copies=3, syncs=2)),
        ),
        work=Work(arg="work", size="lwork"),
        args={
            "A": Mat(rows="n", cols="n", ld="lda", dir=INOUT, part="uplo"),
            "ipiv": Buf(count="n", T="I", dir=OUT),
            "work": Scratch(query="cusolverDn{T}sytrf_bufferSize", size="lwork"),
            "info": INFO,
        },
        oracle=sytrf,
        compare=Residual(fn=sytrf_residual),
        sweep=Sweep(
            base={"uplo": "LOWER", "n": 7},
            grid={"uplo": TRIANGLES, "n": SIZES},
            classes=("random", "hollow", "clustered", "graded", "big", "small", "identity", "zero", *BROKEN),
            make=indefinite,
        ),
        source="cuSOLVER 2.4.2.12; LAPACK xSYTRF; measured without pivots",
    ),
    Row(
        symbols="cusolverDn{T}sytri_bufferSize",
        kind=NATIVE,
        T="SDCZ",
        why="the inverse takes no memory of the device",
        steps=(Handle(nvidia="crash"), NotNull(("lwork",), nvidia="crash")),
        native="sx_{t}sytri_size",
        source="cuSOLVER 2.4.2.13",
    ),
    Row(
        symbols="cusolverDn{T}sytri",
        kind=NATIVE,
        T="SDCZ",
        why="no library of AMD has it: LAPACK on the host, after which the stream is waited for; refused in captures",
        steps=(
            Handle(),
            DeviceInfo("info"),
            ANY_TRIANGLE,
            Check("n >= 0", 2),
            Check("lda >= max(1, n)", 4),
            Quick("n == 0"),
            NotNull(("A", "info"), nvidia="crash"),
        ),
        native="sx_{t}sytri",
        ops=Ops(copies=4, syncs=2),
        args={
            "A": Mat(rows="n", cols="n", ld="lda", dir=INOUT, part="uplo"),
            "ipiv": Buf(count="n", T="I"),
            "work": Scratch(query="cusolverDn{T}sytri_bufferSize", size="lwork"),
            "info": INFO,
        },
        oracle=sytri,
        compare=Residual(fn=sytri_residual),
        sweep=Sweep(
            base={"uplo": "LOWER", "n": 7},
            grid={"uplo": TRIANGLES, "n": SIZES},
            classes=("random", "hollow", "singular"),
            make=factors,
        ),
        differs={"success, or residual: or [-1]": "answers SUCCESS to whatever it is asked, and does nothing"},
        capture="refuse",
        source="cuSOLVER 2.4.2.13; LAPACK xSYTRI",
    ),
)
