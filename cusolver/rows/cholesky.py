"""Cholesky: potrf, potrs, potri and their batches; lauum.

A = L L' or U' U of a Hermitian positive definite matrix, of which one triangle is read; the other stays as it is. info
is the order of the first leading minor that is not positive. The batched functions say +i, not -i, of a bad argument.
"""

from __future__ import annotations

from typing import Any

from scale_x.cusolver.rows._linalg import finite, hermitian, inverse_error, ratio, solve_error, stored, triangle
from scale_x.cusolver.rows._matrices import definite as spd
from scale_x.cusolver.rows._matrices import hermitian as any_hermitian
from scale_x.wrappers_gen.rows import (
    ADAPTED,
    INOUT,
    OUT,
    Arg,
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
    Work,
    lazy,
)

np = lazy("numpy")

TITLE = "Cholesky: potrf, potrs, potri, lauum"


def factored(uplo: str, f: Any) -> Any:
    """The matrix that a Cholesky factor is of."""
    t = triangle(uplo, f)
    return t.conj().T @ t if uplo == "UPPER" else t @ t.conj().T


def cholesky(uplo: str, m: Any) -> tuple[Any, int]:
    """The factor, unblocked, and the order of the first minor that is not positive."""
    n, f = m.shape[0], stored("LOWER", m).astype(m.dtype)
    for j in range(n):
        d = (f[j, j] - f[j, :j] @ f[j, :j].conj()).real
        if not d > 0:
            return f.conj().T if uplo == "UPPER" else f, j + 1
        f[j, j] = np.sqrt(d)
        f[j + 1 :, j] = (f[j + 1 :, j] - f[j + 1 :, :j] @ f[j, :j].conj()) / f[j, j]
    return f.conj().T if uplo == "UPPER" else f, 0


def potrf(a: Any) -> dict[str, Any]:
    """A = L L' or U' U."""
    factor, minor = cholesky(a.uplo, hermitian(a.uplo, a.A))
    return {"A": factor, "devInfo": minor}


def minor_error(uplo: str, before: Any, f: Any, info: int, eps: float) -> float:
    """|A - L L'| / (n |A| eps) of the leading minors that were factored; infinite if the one that info names is
    clearly positive, or no minor is named and a diagonal entry is not."""
    n, m, f = before.shape[0], hermitian(uplo, before), stored(uplo, f)
    if not finite(stored(uplo, before)):
        return 0.0 if 0 <= info <= n else np.inf
    if not 0 <= info <= n:
        return np.inf
    k = info - 1 if info else n
    lower = f[:k, :k].conj().T if uplo == "UPPER" else f[:k, :k]
    if info:
        row = np.linalg.solve(lower, m[:k, k]) if k else m[:k, k]
        left = (m[k, k] - row @ row.conj()).real if k else m[k, k].real
        if left > 100 * n * eps * max(abs(m[k, k]), np.abs(m).max()):
            return np.inf
    elif n and not (np.diag(lower).real > 0).all():
        return np.inf
    return ratio(m[:k, :k] - lower @ lower.conj().T, eps, m[:k, :k])


def potrf_residual(a: Any, got: Any) -> float:
    """|A - L L'| / (n |A| eps)."""
    return minor_error(a.uplo, a.A, got["A"], int(got["devInfo"][0]), a.eps)


def potrf_batched(a: Any) -> dict[str, Any]:
    """A = L L' or U' U of every matrix."""
    done = [cholesky(a.uplo, hermitian(a.uplo, m)) for m in a.Aarray]
    return {"Aarray": np.array([f for f, _ in done]), "infoArray": np.array([i for _, i in done])}


def potrf_batched_residual(a: Any, got: Any) -> float:
    """|A - L L'| / (n |A| eps), the largest."""
    pairs = zip(a.Aarray, got["Aarray"], got["infoArray"], strict=True)
    return max([minor_error(a.uplo, m, f, int(info), a.eps) for m, f, info in pairs], default=0.0)


def potrs(a: Any) -> dict[str, Any]:
    """X of A X = B, from the factor of A."""
    return {"B": np.linalg.solve(factored(a.uplo, a.A), a.B), "devInfo": 0}


def potrs_residual(a: Any, got: Any) -> float:
    """|A X - B| / (n |A| |X| eps)."""
    if "devInfo" in got and got["devInfo"][0] != 0:
        return np.inf
    return solve_error(factored(a.uplo, a.A), got["B"], a.B, a.eps)


def potrs_batched(a: Any) -> dict[str, Any]:
    """X of every A X = B."""
    solved = [np.linalg.solve(factored(a.uplo, m), b) for m, b in zip(a.A, a.B, strict=True)]
    return {"B": np.array(solved), "d_info": 0}


def potrs_batched_residual(a: Any, got: Any) -> float:
    """|A X - B| / (n |A| |X| eps), the largest."""
    if "d_info" in got and got["d_info"][0] != 0:
        return np.inf
    errors = [solve_error(factored(a.uplo, m), x, b, a.eps) for m, x, b in zip(a.A, got["B"], a.B, strict=True)]
    return max(errors, default=0.0)


def potri(a: Any) -> dict[str, Any]:
    """The inverse of A, from its factor."""
    zeros = np.flatnonzero(np.diag(a.A) == 0)
    if zeros.size:
        return {"A": a.A, "devInfo": int(zeros[0]) + 1}
    return {"A": np.linalg.inv(factored(a.uplo, a.A)), "devInfo": 0}


def potri_residual(a: Any, got: Any) -> float:
    """|A X - I| / (n |A| |X| eps); a factor with a zero on its diagonal has no inverse, and info says where."""
    zeros, info = np.flatnonzero(np.diag(a.A) == 0), int(got["devInfo"][0])
    if zeros.size or info:
        return 0.0 if zeros.size and info == zeros[0] + 1 else np.inf
    return inverse_error(factored(a.uplo, a.A), hermitian(a.uplo, got["A"]), a.eps)


def lauum(a: Any) -> dict[str, Any]:
    """U U' or L' L."""
    t = triangle(a.uplo, a.A)
    return {"A": t @ t.conj().T if a.uplo == "UPPER" else t.conj().T @ t, "devInfo": 0}


def lauum_residual(a: Any, got: Any) -> float:
    """|T T' - P| / (n |T|^2 eps)."""
    t, info = triangle(a.uplo, a.A), got["devInfo"][0]
    return np.inf if info else ratio(stored(a.uplo, lauum(a)["A"] - got["A"]), a.eps, t, t.conj().T)


def batch(a: Any, of: Any) -> Any:
    """One matrix, or one for each of a batch."""
    return np.array([of() for _ in range(a.batchSize)]) if "batchSize" in vars(a) else of()


def definite(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """Positive definite matrices; "indefinite": any Hermitian one; "minor": the last minor is not positive."""
    name = "Aarray" if "batchSize" in vars(a) else "A"
    if kind in ("random", "big", "small", "identity"):
        return {name: batch(a, lambda: spd(rng, kind, a.n, a.letter))}
    if kind == "minor":
        m = spd(rng, "random", a.n, a.letter)
        m[-1, -1] = -m[-1, -1]
        return {name: m if name == "A" else np.broadcast_to(m, (a.batchSize, *m.shape))}
    return {name: batch(a, lambda: any_hermitian(rng, "random" if kind == "indefinite" else kind, a.n, a.letter))}


def factors(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """Cholesky factors of definite matrices; "singular": with a zero on the diagonal."""

    def one() -> Any:
        m = np.linalg.cholesky(spd(rng, "random" if kind == "singular" else kind, a.n, a.letter))
        if kind == "singular":
            m[a.n // 2, a.n // 2] = 0
        return m.conj().T if a.uplo == "UPPER" else m

    return {"A": batch(a, one)}


ANY_TRIANGLE = Check("uplo in (LOWER, UPPER)", 1)
TRIANGLES = ("LOWER", "UPPER")
SPECTRA = ("random", "big", "small", "identity", "indefinite", "minor", "zero", "graded", "nan", "inf")
SIZES = (0, 1, 2, 3, 5, 31, 32, 33, 64, 100)
BATCHES = ((0, 3), (1, 2), (2, 5), (5, 3), (17, 2), (33, 2), (64, 1), (3, 300))
HALF = Mat(rows="n", cols="n", ld="lda", dir=INOUT, part="uplo")
FACTOR = Mat(rows="n", cols="n", ld="lda", part="uplo", unit="n < 0")
INFO = Buf(count="1", T="I", dir=OUT)
ROOM: dict[str, Arg] = {"A": Buf(count="0"), "Lwork": Scalar(T="I", dir=OUT, host=True)}
room: dict[str, Arg] = {"A": Buf(count="0"), "lwork": Scalar(T="I", dir=OUT, host=True)}
ANY_SIZE = {"n": "max(n, 0)", "lda": "max(lda, max(n, 1))"}

ROWS = (
    Row(
        symbols="cusolverDn{T}potrf_bufferSize",
        kind=ADAPTED,
        T="SDCZ",
        steps=(Check("uplo in (LOWER, UPPER)"), Handle(nvidia="crash"), NotNull(("Lwork",), nvidia="crash")),
        paths=(Path(call="rocsolver_{t}potrf", args=ANY_SIZE),),
        size=Size(arg="Lwork"),
        args=ROOM,
        differs={"changed,": "leaves a length where it refuses"},
        source="cuSOLVER 2.4.2.1; measured: sizes are not looked at",
    ),
    Row(
        symbols="cusolverDn{T}potrf",
        kind=ADAPTED,
        T="SDCZ",
        steps=(
            Handle(nvidia="crash"),
            DeviceInfo("devInfo"),
            ANY_TRIANGLE,
            Check("n >= 0", 2),
            Check("lda >= max(1, n)", 4),
            NotNull(("devInfo",), nvidia="crash"),
            Quick("n == 0"),
            NotNull(("A",), nvidia="crash"),
            NotNull(("Workspace",), status="INTERNAL_ERROR", nvidia="crash"),
        ),
        paths=(Path(call="rocsolver_{t}potrf", args={"info": "devInfo"}),),
        work=Work(arg="Workspace", size="Lwork"),
        args={
            "A": HALF,
            "Workspace": Scratch(query="cusolverDn{T}potrf_bufferSize", size="Lwork"),
            "devInfo": INFO,
        },
        oracle=potrf,
        compare=Residual(fn=potrf_residual),
        sweep=Sweep(
            base={"uplo": "LOWER", "n": 7},
            grid={"uplo": TRIANGLES, "n": SIZES},
            classes=SPECTRA,
            make=definite,
        ),
        source="cuSOLVER 2.4.2.1; LAPACK xPOTRF",
    ),
    Row(
        symbols="cusolverDn{T}potrs",
        kind=ADAPTED,
        T="SDCZ",
        steps=(
            Handle(),
            DeviceInfo("devInfo"),
            Check("ldb >= max(1, n)", 7),
            Check("lda >= max(1, n)", 5),
            Check("nrhs >= 0", 3),
            Check("n >= 0", 2),
            ANY_TRIANGLE,
            Quick("n == 0 or nrhs == 0"),
            NotNull(("A", "B"), nvidia="crash"),
        ),
        paths=(Path(call="rocsolver_{t}potrs"),),
        args={"A": FACTOR, "B": Mat(rows="n", cols="nrhs", ld="ldb", dir=INOUT), "devInfo": INFO},
        oracle=potrs,
        compare=Residual(fn=potrs_residual),
        sweep=Sweep(
            base={"uplo": "LOWER", "n": 7, "nrhs": 3},
            grid={"uplo": TRIANGLES, "n": SIZES},
            vary={"nrhs": (0, 1, 2, 33)},
            classes=("random", "big", "small", "identity"),
            make=factors,
        ),
        source="cuSOLVER 2.4.2.2; LAPACK xPOTRS; measured: info may be NULL; the last of bad arguments is named",
    ),
    Row(
        symbols="cusolverDn{T}potri_bufferSize",
        kind=ADAPTED,
        T="SDCZ",
        steps=(Handle(), NotNull(("lwork",), nvidia="crash")),
        paths=(Path(call="rocsolver_{t}potri", args={**ANY_SIZE, "uplo": "rocblas_fill_lower"}),),
        size=Size(arg="lwork"),
        args=room,
        differs={"handle": "answers without looking at the handle"},
        source="cuSOLVER 2.4.2.3; measured: nothing is looked at",
    ),
    Row(
        symbols="cusolverDn{T}potri",
        kind=ADAPTED,
        T="SDCZ",
        steps=(
            Handle(),
            DeviceInfo("devInfo"),
            ANY_TRIANGLE,
            Check("n >= 0", 2),
            Check("lda >= max(1, n)", 4),
            Quick("n == 0", info=None),
            NotNull(("A", "devInfo"), nvidia="crash"),
        ),
        paths=(Path(call="rocsolver_{t}potri", args={"info": "devInfo"}),),
        work=Work(arg="work", size="lwork"),
        args={
            "A": Mat(rows="n", cols="n", ld="lda", dir=INOUT, part="uplo", unit="n < 0"),
            "work": Scratch(query="cusolverDn{T}potri_bufferSize", size="lwork"),
            "devInfo": INFO,
        },
        oracle=potri,
        compare=Residual(fn=potri_residual),
        sweep=Sweep(
            base={"uplo": "LOWER", "n": 7},
            grid={"uplo": TRIANGLES, "n": SIZES},
            classes=("random", "big", "small", "identity", "singular"),
            make=factors,
        ),
        differs={"singular and residual:": "inverts a singular factor all the same: info 0, and NaN"},
        source="cuSOLVER 2.4.2.3; LAPACK xPOTRI",
    ),
    Row(
        symbols="cusolverDn{T}potrfBatched",
        kind=ADAPTED,
        T="SDCZ",
        steps=(
            Handle(),
            DeviceInfo("infoArray", sign=1, count="batchSize"),
            Check("batchSize > 0"),
            Check("lda >= n", 4),
            Check("n >= 0", 2),
            ANY_TRIANGLE,
            Quick("n == 0", info=2147483647),
            NotNull(("Aarray", "infoArray"), nvidia="crash"),
        ),
        paths=(
            Path(
                call="rocsolver_{t}potrf_batched",
                args={"A": "Aarray", "info": "infoArray", "batch_count": "batchSize"},
            ),
        ),
        args={
            "Aarray": Mat(rows="n", cols="n", ld="lda", dir=INOUT, part="uplo", batch="batchSize", array=True),
            "infoArray": Buf(count="batchSize", T="I", dir=OUT),
        },
        oracle=potrf_batched,
        compare=Residual(fn=potrf_batched_residual),
        sweep=Sweep(
            base={"uplo": "LOWER", "n": 5, "batchSize": 3},
            grid={"uplo": TRIANGLES, "n batchSize": BATCHES},
            classes=SPECTRA,
            make=definite,
        ),
        differs={"uplo=UPPER and unreferenced": "writes into the other triangle"},
        source="cuSOLVER 2.4.2.4; measured: n = 0 sets every info to INT_MAX",
    ),
    Row(
        symbols="cusolverDn{T}potrsBatched",
        kind=ADAPTED,
        T="SDCZ",
        steps=(
            Handle(),
            DeviceInfo("d_info", sign=1),
            Check("batchSize > 0", 9),
            Check("ldb >= n", 7),
            Check("lda >= n", 5),
            Check("nrhs == 1", 3),
            Check("n >= 0", 2),
            ANY_TRIANGLE,
            Quick("n == 0"),
            NotNull(("A", "B"), nvidia="crash"),
        ),
        paths=(Path(call="rocsolver_{t}potrs_batched", args={"batch_count": "batchSize"}),),
        args={
            "A": Mat(rows="n", cols="n", ld="lda", part="uplo", batch="batchSize", array=True, unit="n < 0"),
            "B": Mat(rows="n", cols="nrhs", ld="ldb", dir=INOUT, batch="batchSize", array=True),
            "d_info": INFO,
        },
        oracle=potrs_batched,
        compare=Residual(fn=potrs_batched_residual),
        sweep=Sweep(
            base={"uplo": "LOWER", "n": 5, "nrhs": 1, "batchSize": 3},
            grid={"uplo": TRIANGLES, "n batchSize": BATCHES},
            classes=("random", "big", "small", "identity"),
            make=factors,
        ),
        differs={"wrote and input,": "writes into the other triangle of A, which is an input"},
        source="cuSOLVER 2.4.2.5: nrhs must be 1; measured: of several bad arguments the last is named",
    ),
    Row(
        symbols="cusolverDn{T}lauum_bufferSize",
        kind=ADAPTED,
        T="SDCZ",
        steps=(Handle(), NotNull(("lwork",), nvidia="crash")),
        paths=(Path(call="rocsolver_{t}lauum", args={**ANY_SIZE, "uplo": "rocblas_fill_lower"}),),
        size=Size(arg="lwork"),
        args=room,
        differs={"handle": "answers without looking at the handle"},
        source="declared in cusolverDn.h; measured: nothing is looked at",
    ),
    Row(
        symbols="cusolverDn{T}lauum",
        kind=ADAPTED,
        T="SDCZ",
        steps=(
            Handle(),
            DeviceInfo("devInfo"),
            ANY_TRIANGLE,
            Check("n >= 0", 0),
            Check("lda >= max(1, n)", 4),
            NotNull(("work",), number=0, status="INTERNAL_ERROR"),
            Quick("n == 0"),
            NotNull(("A", "devInfo"), nvidia="crash"),
        ),
        paths=(Path(call="rocsolver_{t}lauum"),),
        work=Work(arg="work", size="lwork"),
        args={
            "A": HALF,
            "work": Scratch(query="cusolverDn{T}lauum_bufferSize", size="lwork"),
            "devInfo": INFO,
        },
        oracle=lauum,
        compare=Residual(fn=lauum_residual),
        sweep=Sweep(
            base={"uplo": "LOWER", "n": 7},
            grid={"uplo": TRIANGLES, "n": SIZES},
            classes=("random", "big", "small", "identity", "singular"),
            make=factors,
        ),
        source="LAPACK xLAUUM; measured: a negative n is INVALID_VALUE with info 0",
    ),
)
