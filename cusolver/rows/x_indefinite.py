"""Symmetric and Hermitian indefinite equations of the 64-bit API: Xsytrf, Xsytrs, Xhetrf, Xhetrs.

LAPACK's factors and pivots (negative ones for the 2x2 blocks), with pivots of 64 bits. Xsytrs came without Xsytrf at
first: its pivots are then those of cusolverDn<t>sytrf, widened by the program.
"""

from __future__ import annotations

from typing import Any

from scale_x.cusolver.rows._linalg import finite, ratio, solve_error
from scale_x.cusolver.rows._linalg import hermitian as whole
from scale_x.cusolver.rows._matrices import BROKEN, gaussian
from scale_x.cusolver.rows._matrices import hermitian as any_hermitian
from scale_x.cusolver.rows._x import (
    COMPUTE,
    DEVICE,
    ELEMENT,
    HANDLE,
    INFO,
    INFO_ARG,
    PART,
    RIGHT_SIDES_UNHEARD,
    SIZE_STEPS,
    SIZES,
    SOURCE,
    TYPE,
    TYPE_UNHEARD,
    TYPES,
    UNHANDLED,
    WHY_SIZE,
)
from scale_x.cusolver.rows.ldlt import assembled, blocks, factors, good, indefinite, sytrf, sytrf_residual
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
    lazy,
)

np = lazy("numpy")
lapack = lazy("scipy.linalg.lapack")

TITLE = "64-bit API: indefinite equations"


def sytrs(a: Any) -> dict[str, Any]:
    """X of A X = B, from the factors of a symmetric A."""
    return {"B": np.linalg.solve(assembled(a.uplo, a.A, a.ipiv), a.B), "info": 0}


def sytrs_residual(a: Any, got: Any) -> float:
    """|A X - B| / (n |A| |X| eps)."""
    return np.inf if got["info"][0] else solve_error(assembled(a.uplo, a.A, a.ipiv), got["B"], a.B, a.eps)


def hermitian_of(uplo: str, f: Any, pivots: Any) -> Any:
    """The Hermitian matrix that the factors are of."""
    m, d = blocks(f, np.asarray(pivots, dtype=int), uplo == "LOWER")
    off = np.tril(d, -1) if uplo == "LOWER" else np.triu(d, 1)
    return m @ (off + off.conj().T + np.diag(np.diag(d).real)) @ m.conj().T


def hermitian(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """Hermitian matrices of a class; "hollow": with a diagonal of zeros, so that the blocks are 2x2."""
    m = any_hermitian(rng, "random" if kind == "hollow" else kind, a.n, a.letter).astype(np.complex128)
    if kind == "hollow":
        m[np.arange(a.n), np.arange(a.n)] = 0
    return {"A": m}


def hermitian_factors(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """What hetrf leaves of a random Hermitian matrix."""
    m = hermitian(a, kind, rng)["A"]
    f, pivots, _ = lapack.zhetrf(m, lower=a.uplo == "LOWER") if a.n else (m, np.zeros(0), 0)
    return {"A": f, "ipiv": pivots, "B": gaussian(rng, (a.n, a.nrhs), a.letter)}


def hetrf(a: Any) -> dict[str, Any]:
    """LAPACK's factors of double precision."""
    f, pivots, info = lapack.zhetrf(whole(a.uplo, a.A), lower=a.uplo == "LOWER")
    return {"A": f, "ipiv": pivots, "info": info}


def hetrf_residual(a: Any, got: Any) -> float:
    """|A - L D L^H| / (n |A| eps); infinite for pivots that are none."""
    info, pivots, before = int(got["info"][0]), np.asarray(got["ipiv"], dtype=int), whole(a.uplo, a.A)
    if not finite(before):
        return 0.0 if 0 <= info <= a.n else np.inf
    if not 0 <= info <= a.n or not good(pivots, a.uplo == "LOWER"):
        return np.inf
    return ratio(before - hermitian_of(a.uplo, got["A"], pivots), a.eps, before)


def hetrs(a: Any) -> dict[str, Any]:
    """X of A X = B, from the factors of a Hermitian A."""
    return {"B": np.linalg.solve(hermitian_of(a.uplo, a.A, a.ipiv), a.B), "info": 0}


def hetrs_residual(a: Any, got: Any) -> float:
    """|A X - B| / (n |A| |X| eps)."""
    return np.inf if got["info"][0] else solve_error(hermitian_of(a.uplo, a.A, a.ipiv), got["B"], a.B, a.eps)


ORDERS = (0, 1, 2, 3, 5, 31, 33, 64)
_ON_HOST = "no library of AMD has it: LAPACK on the host, after which the stream is waited for; refused in captures"
FACTOR_STEPS = (
    HANDLE,
    INFO,
    TYPE,
    COMPUTE,
    Check(PART, 2),
    Check("n >= 0", 3),
    Check("lda >= max(1, n)", 6),
    Quick("n == 0"),
)
SOLVE_SIZES = (
    Check(PART, 1),
    Check("n >= 0", 2),
    Check("nrhs >= 0", 3),
    Check("lda >= max(1, n)", 6),
    Check("ldb >= max(1, n)", 10),
    Quick("n == 0 or nrhs == 0"),
    NotNull(("A", "B"), nvidia="crash"),
)
SYMMETRIC_SOLVE_STEPS = (
    Check(ELEMENT, status="MATRIX_TYPE_NOT_SUPPORTED"),
    Check("dataTypeB == dataTypeA", status="MATRIX_TYPE_NOT_SUPPORTED"),
    Handle(status="INVALID_VALUE"),
    INFO,
    *SOLVE_SIZES,
)
SOLVE_STEPS = (HANDLE, INFO, TYPE_UNHEARD, RIGHT_SIDES_UNHEARD, *SOLVE_SIZES)
COMPLEX = Check("dataTypeA in (C_32F, C_64F)", 0)

ROWS = (
    Row(
        symbols="cusolverDnXsytrf_bufferSize",
        kind=NATIVE,
        why=WHY_SIZE,
        steps=(*SIZE_STEPS, TYPE_UNHEARD),
        native="sx_x_sytrf_size",
        args=SIZES,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXsytrf",
        kind=NATIVE,
        why="rocsolver_<t>sytrf; its pivots of 32 bits are widened on the way through the host",
        steps=(*FACTOR_STEPS, NotNull(("A", "info"), nvidia="crash")),
        native="sx_x_sytrf",
        ops=Ops(copies=2, syncs=2),
        args={
            "A": Mat(rows="n", cols="n", ld="lda", T="dataTypeA", dir=INOUT, part="uplo"),
            "ipiv": Buf(count="n", T="L", dir=OUT),
            "bufferOnDevice": Scratch(query="cusolverDnXsytrf_bufferSize", size=DEVICE, T="bytes"),
            **INFO_ARG,
        },
        oracle=sytrf,
        compare=Residual(fn=sytrf_residual),
        sweep=Sweep(
            base={"uplo": "LOWER", "n": 7, "dataTypeA": "R_64F", "computeType": "R_64F"},
            grid={"dataTypeA computeType": TYPES, "uplo": ("LOWER", "UPPER"), "n": ORDERS},
            classes=("random", "hollow", "clustered", "big", "small", *BROKEN),
            make=indefinite,
        ),
        source=SOURCE + "; LAPACK xSYTRF",
    ),
    Row(
        symbols="cusolverDnXsytrs_bufferSize",
        kind=NATIVE,
        why="nothing: the solve takes no memory of the device",
        steps=SIZE_STEPS,
        native="sx_x_sytrs_size",
        args=SIZES,
        differs={"handle= and success,": UNHANDLED},
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXsytrs",
        kind=NATIVE,
        why=_ON_HOST,
        steps=SYMMETRIC_SOLVE_STEPS,
        native="sx_x_sytrs",
        ops=Ops(copies=5, syncs=2),
        args={
            "A": Mat(rows="n", cols="n", ld="lda", T="dataTypeA", part="uplo"),
            "ipiv": Buf(count="n", T="L"),
            "B": Mat(rows="n", cols="nrhs", ld="ldb", T="dataTypeB", dir=INOUT),
            **INFO_ARG,
        },
        oracle=sytrs,
        compare=Residual(fn=sytrs_residual),
        sweep=Sweep(
            base={"uplo": "LOWER", "n": 7, "nrhs": 2, "dataTypeA": "R_64F", "dataTypeB": "R_64F"},
            grid={"dataTypeA dataTypeB": TYPES, "uplo": ("LOWER", "UPPER"), "n": (0, 1, 2, 5, 33)},
            vary={"nrhs": (0, 1, 33)},
            classes=("random", "hollow"),
            make=factors,
        ),
        source=SOURCE + "; LAPACK xSYTRS; measured: types are looked at before the handle",
    ),
    Row(
        symbols="cusolverDnXhetrf_bufferSize",
        kind=NATIVE,
        why="nothing: the factorisation takes no memory of the device",
        steps=SIZE_STEPS,
        native="sx_x_hetrf_size",
        args=SIZES,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXhetrf",
        kind=NATIVE,
        why=_ON_HOST,
        steps=(*FACTOR_STEPS, COMPLEX, NotNull(("A", "ipiv"), nvidia="crash")),
        native="sx_x_hetrf",
        ops=Ops(copies=4, syncs=2),
        args={
            "A": Mat(rows="n", cols="n", ld="lda", T="dataTypeA", dir=INOUT, part="uplo"),
            "ipiv": Buf(count="n", T="L", dir=OUT),
            **INFO_ARG,
        },
        oracle=hetrf,
        compare=Residual(fn=hetrf_residual),
        sweep=Sweep(
            base={"uplo": "LOWER", "n": 7, "dataTypeA": "C_64F", "computeType": "C_64F"},
            grid={"dataTypeA computeType": TYPES[2:], "uplo": ("LOWER", "UPPER"), "n": ORDERS},
            classes=("random", "hollow", "clustered", "big", "small", *BROKEN),
            make=hermitian,
        ),
        source=SOURCE + "; LAPACK xHETRF",
    ),
    Row(
        symbols="cusolverDnXhetrs_bufferSize",
        kind=NATIVE,
        why="nothing: the solve takes no memory of the device",
        steps=SIZE_STEPS,
        native="sx_x_hetrs_size",
        args=SIZES,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXhetrs",
        kind=NATIVE,
        why=_ON_HOST,
        steps=(*SOLVE_STEPS, COMPLEX),
        native="sx_x_hetrs",
        ops=Ops(copies=5, syncs=2),
        args={
            "A": Mat(rows="n", cols="n", ld="lda", T="dataTypeA", part="uplo"),
            "ipiv": Buf(count="n", T="L"),
            "B": Mat(rows="n", cols="nrhs", ld="ldb", T="dataTypeB", dir=INOUT),
            **INFO_ARG,
        },
        oracle=hetrs,
        compare=Residual(fn=hetrs_residual),
        sweep=Sweep(
            base={"uplo": "LOWER", "n": 7, "nrhs": 2, "dataTypeA": "C_64F", "dataTypeB": "C_64F"},
            grid={"dataTypeA dataTypeB": TYPES[2:], "uplo": ("LOWER", "UPPER"), "n": (0, 1, 2, 5, 33)},
            vary={"nrhs": (0, 1, 33)},
            classes=("random", "hollow"),
            make=hermitian_factors,
        ),
        source=SOURCE + "; LAPACK xHETRS",
    ),
)
