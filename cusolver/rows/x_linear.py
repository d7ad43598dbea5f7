"""Linear equations of the 64-bit API: Xpotrf, Xpotrs, Xgetrf, Xgetrs, Xgeqrf, Xtrtri, Xlarft.

The element type is an argument. Bad sizes are numbered as the typed functions number them. A type that is not one of
the four is refused with info 0 (Xpotrf, Xgetrf, Xgeqrf), in silence (Xpotrs, Xgetrs), or as not supported (Xtrtri);
Xpotrf and Xgetrf do not look at computeType. Xgetrf answers SUCCESS to a leading dimension that is too small, and says
so in info alone: NVIDIA's does.
"""

from __future__ import annotations

from typing import Any

from scale_x.cusolver.rows._linalg import inverse_error, ratio, triangle
from scale_x.cusolver.rows._matrices import BROKEN, CLASSES
from scale_x.cusolver.rows._matrices import general as any_general
from scale_x.cusolver.rows._matrices import reflectors as any_reflectors
from scale_x.cusolver.rows._x import (
    COMPUTE,
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
    TYPES_3,
    TYPES_4,
    WHY_SIZE,
    back,
    forth,
    typed,
)
from scale_x.cusolver.rows.cholesky import SPECTRA, definite, factors
from scale_x.cusolver.rows.cholesky import potrf as typed_potrf
from scale_x.cusolver.rows.cholesky import potrf_residual as typed_potrf_residual
from scale_x.cusolver.rows.cholesky import potrs as typed_potrs
from scale_x.cusolver.rows.cholesky import potrs_residual as typed_potrs_residual
from scale_x.cusolver.rows.lu import PIVOTED, SHAPES
from scale_x.cusolver.rows.lu import general as lu_matrices
from scale_x.cusolver.rows.lu import getrf as typed_getrf
from scale_x.cusolver.rows.lu import getrf_residual as typed_getrf_residual
from scale_x.cusolver.rows.lu import getrs as typed_getrs
from scale_x.cusolver.rows.lu import getrs_residual as typed_getrs_residual
from scale_x.cusolver.rows.qr import general as qr_matrices
from scale_x.cusolver.rows.qr import geqrf as typed_geqrf
from scale_x.cusolver.rows.qr import geqrf_residual as typed_geqrf_residual
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
    Quick,
    Residual,
    Row,
    Scratch,
    Sweep,
    Vec,
    lazy,
)

np = lazy("numpy")

TITLE = "64-bit API: linear equations"


def potrf(a: Any) -> dict[str, Any]:
    """A = L L' or U' U."""
    return back(typed_potrf(typed(a, devInfo="info")), devInfo="info")


def potrf_residual(a: Any, got: Any) -> float:
    """|A - L L'| / (n |A| eps)."""
    return typed_potrf_residual(typed(a, devInfo="info"), forth(got, devInfo="info"))


def potrs(a: Any) -> dict[str, Any]:
    """X of A X = B, from the factor of A."""
    return back(typed_potrs(typed(a, devInfo="info")), devInfo="info")


def potrs_residual(a: Any, got: Any) -> float:
    """|A X - B| / (n |A| |X| eps)."""
    return typed_potrs_residual(typed(a, devInfo="info"), forth(got, devInfo="info"))


def getrf(a: Any) -> dict[str, Any]:
    """P A = L U."""
    return back(typed_getrf(typed(a, devInfo="info", devIpiv="ipiv")), devInfo="info", devIpiv="ipiv")


def getrf_residual(a: Any, got: Any) -> float:
    """|P A - L U| / (n |L| |U| eps)."""
    return typed_getrf_residual(typed(a, devInfo="info", devIpiv="ipiv"), forth(got, devInfo="info", devIpiv="ipiv"))


def getrs(a: Any) -> dict[str, Any]:
    """X of op(A) X = B, from the factors of A."""
    return back(typed_getrs(typed(a, devInfo="info", devIpiv="ipiv")), devInfo="info", devIpiv="ipiv")


def getrs_residual(a: Any, got: Any) -> float:
    """|op(A) X - B| / (n |A| |X| eps)."""
    return typed_getrs_residual(typed(a, devInfo="info", devIpiv="ipiv"), forth(got, devInfo="info", devIpiv="ipiv"))


def geqrf(a: Any) -> dict[str, Any]:
    """A = Q R."""
    return back(typed_geqrf(typed(a, devInfo="info", TAU="tau")), devInfo="info", TAU="tau")


def geqrf_residual(a: Any, got: Any) -> float:
    """|A - Q R| / (m |A| eps)."""
    return typed_geqrf_residual(typed(a, devInfo="info", TAU="tau"), forth(got, devInfo="info", TAU="tau"))


def trtri(a: Any) -> dict[str, Any]:
    """The inverse of a triangular matrix, or the place of a zero on its diagonal."""
    t, zeros = triangle(a.uplo, a.A, a.diag), np.flatnonzero(np.diag(a.A) == 0)
    if zeros.size and a.diag != "UNIT":
        return {"A": a.A, "devInfo": int(zeros[0]) + 1}
    return {"A": np.linalg.inv(t), "devInfo": 0}


def trtri_residual(a: Any, got: Any) -> float:
    """|A X - I| / (n |A| |X| eps); a matrix with a zero on its diagonal stays, and info says where the zero is."""
    zeros, info = np.flatnonzero(np.diag(a.A) == 0), int(got["devInfo"][0])
    if a.diag != "UNIT" and (zeros.size or info):
        return 0.0 if zeros.size and info == zeros[0] + 1 else np.inf
    if info:
        return np.inf
    return inverse_error(triangle(a.uplo, a.A, a.diag), triangle(a.uplo, got["A"], a.diag), a.eps)


def triangular(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """Triangular matrices with a tame inverse; "singular": with a zero on the diagonal."""
    m = any_general(rng, "random", a.n, a.n, a.letter) / max(a.n, 1)
    m[np.arange(a.n), np.arange(a.n)] += 1.5
    if kind == "singular" and a.n:
        m[a.n // 2, a.n // 2] = 0
    return {"A": m}


def whole(a: Any) -> Any:
    """The reflectors of larft, as columns, with their ones and zeros."""
    v = a.V if a.storev == 0 else a.V.conj().T if a.letter in "CZ" else a.V.T
    v = v.copy()
    for j in range(a.k):
        if a.direct == 0:
            v[:j, j], v[j, j] = 0, 1
        else:
            at = a.n - a.k + j
            v[at + 1 :, j], v[at, j] = 0, 1
    return v


def larft(a: Any) -> dict[str, Any]:
    """T of H = I - V T V^H, which is the product of the reflectors: forwards T is upper triangular, backwards lower."""
    v, t = whole(a), np.zeros((a.k, a.k), a.V.dtype)
    order = range(a.k) if a.direct == 0 else range(a.k - 1, -1, -1)
    done: list[int] = []
    for j in order:
        t[j, j] = a.tau[j]
        if done:
            t[done, j] = -a.tau[j] * t[np.ix_(done, done)] @ (v[:, done].conj().T @ v[:, j])
        done.append(j)
    return {"T": t}


def larft_residual(a: Any, got: Any) -> float:
    """|T - larft| / (k |T| eps), of the triangle that is written."""
    keep = np.triu if a.direct == 0 else np.tril
    want = larft(a)["T"]
    return ratio(keep(got["T"]) - want, a.eps, want)


def reflectors(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """Reflectors of a unitary matrix, forwards and by columns, or their mirror images."""
    f, tau = any_reflectors(rng, a.n, a.k, a.letter)
    if a.direct == 1:
        f, tau = f[::-1, ::-1], tau[::-1]
    return {"V": f if a.storev == 0 else f.conj().T, "tau": tau}


ORDERS = (0, 1, 2, 3, 5, 31, 32, 33, 64, 100)
TYPED = "dataTypeA computeType"
WITH_SIDES = "dataTypeA dataTypeB"
DEVICE = "workspaceInBytesOnDevice"

LDA_N = Check("lda >= max(1, n)", 4)
POTRF_STEPS = (
    Handle(nvidia="crash"),
    INFO,
    Check(PART, 1),
    Check("n >= 0", 2),
    LDA_N,
    NotNull(("info",), nvidia="crash"),
    Quick("n == 0"),
    TYPE,
    NotNull(("A",), nvidia="crash"),
)
#: of several bad arguments the last is named
POTRS_STEPS = (
    HANDLE,
    INFO,
    TYPE_UNHEARD,
    RIGHT_SIDES_UNHEARD,
    Check("ldb >= max(1, n)", 7),
    Check("lda >= max(1, n)", 5),
    Check("nrhs >= 0", 3),
    Check("n >= 0", 2),
    Check(PART, 1),
    Quick("n == 0 or nrhs == 0"),
    NotNull(("A", "B"), nvidia="crash"),
)
GETRF_STEPS = (
    HANDLE,
    INFO,
    TYPE,
    Check("m >= 0", 1, nvidia="crash"),
    Check("n >= 0", 2, nvidia="crash"),
    Check("lda >= 0", 4, nvidia="crash"),
    Check("lda >= max(1, m)", 4, status="SUCCESS"),
    NotNull(("info",), nvidia="crash"),
    Quick("m == 0 or n == 0"),
    NotNull(("A",), nvidia="crash"),
)
GETRS_STEPS = (
    HANDLE,
    TYPE_UNHEARD,
    RIGHT_SIDES_UNHEARD,
    Check("trans in (N, T, C)"),
    Check("n >= 0"),
    Check("nrhs >= 0"),
    Check("lda >= max(1, n)"),
    Check("ldb >= max(1, n)"),
    Quick("n == 0 or nrhs == 0"),
    NotNull(("A", "B"), nvidia="crash"),
)
GEQRF_STEPS = (
    HANDLE,
    INFO,
    TYPE,
    Check("dataTypeTau == dataTypeA", 0),
    COMPUTE,
    Check("m >= 0", 1),
    Check("n >= 0", 2),
    Check("lda >= max(1, m)", 4),
    Quick("m == 0 or n == 0"),
    NotNull(("A", "tau"), nvidia="crash"),
)

ROWS = (
    Row(
        symbols="cusolverDnXpotrf_bufferSize",
        kind=NATIVE,
        why=WHY_SIZE,
        steps=SIZE_STEPS,
        native="sx_x_potrf_size",
        args=SIZES,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXpotrf",
        kind=NATIVE,
        why="cusolverDn<t>potrf of the type",
        steps=POTRF_STEPS,
        native="sx_x_potrf",
        args={
            "A": Mat(rows="n", cols="n", ld="lda", T="dataTypeA", dir=INOUT, part="uplo"),
            "bufferOnDevice": Scratch(query="cusolverDnXpotrf_bufferSize", size=DEVICE, T="bytes"),
            **INFO_ARG,
        },
        oracle=potrf,
        compare=Residual(fn=potrf_residual),
        sweep=Sweep(
            base={"uplo": "LOWER", "n": 7, "dataTypeA": "R_64F", "computeType": "R_64F"},
            grid={TYPED: TYPES, "uplo": ("LOWER", "UPPER"), "n": ORDERS},
            classes=SPECTRA,
            make=definite,
        ),
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXpotrs",
        kind=NATIVE,
        why="cusolverDn<t>potrs of the type",
        steps=POTRS_STEPS,
        native="sx_x_potrs",
        args={
            "A": Mat(rows="n", cols="n", ld="lda", T="dataTypeA", part="uplo", unit="n < 0"),
            "B": Mat(rows="n", cols="nrhs", ld="ldb", T="dataTypeB", dir=INOUT),
            **INFO_ARG,
        },
        oracle=potrs,
        compare=Residual(fn=potrs_residual),
        sweep=Sweep(
            base={"uplo": "LOWER", "n": 7, "nrhs": 2, "dataTypeA": "R_64F", "dataTypeB": "R_64F"},
            grid={WITH_SIDES: TYPES, "uplo": ("LOWER", "UPPER"), "n": (0, 1, 3, 33)},
            vary={"nrhs": (0, 1, 5, 33)},
            classes=("random", "big", "small", "identity"),
            make=factors,
        ),
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXgetrf_bufferSize",
        kind=NATIVE,
        why=WHY_SIZE,
        steps=SIZE_STEPS,
        native="sx_x_getrf_size",
        args=SIZES,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXgetrf",
        kind=NATIVE,
        why="getrf with pivots of 64 bits and info of 32, which rocSOLVER has from 6.2 on",
        steps=GETRF_STEPS,
        native="sx_x_getrf",
        args={
            "A": Mat(rows="m", cols="n", ld="lda", T="dataTypeA", dir=INOUT),
            "ipiv": Buf(count="min(m, n)", T="L", dir=OUT),
            "bufferOnDevice": Scratch(query="cusolverDnXgetrf_bufferSize", size=DEVICE, T="bytes"),
            **INFO_ARG,
        },
        oracle=getrf,
        compare=Residual(fn=getrf_residual),
        sweep=Sweep(
            base={"m": 7, "n": 5, "dataTypeA": "R_64F", "computeType": "R_64F"},
            grid={TYPED: TYPES, "m n": SHAPES},
            classes=(*CLASSES, *BROKEN, "singular"),
            make=lu_matrices,
        ),
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXgetrs",
        kind=NATIVE,
        why="getrs with pivots of 64 bits, which rocSOLVER has from 6.2 on",
        steps=GETRS_STEPS,
        native="sx_x_getrs",
        args={
            "A": Mat(rows="n", cols="n", ld="lda", T="dataTypeA", unit="n < 0"),
            "ipiv": Buf(count="n", T="L"),
            "B": Mat(rows="n", cols="nrhs", ld="ldb", T="dataTypeB", dir=INOUT),
            **INFO_ARG,
        },
        oracle=getrs,
        compare=Residual(fn=getrs_residual),
        sweep=Sweep(
            base={"trans": "N", "n": 3, "nrhs": 2, "dataTypeA": "R_64F", "dataTypeB": "R_64F", "ipiv": (2, 3, 3)},
            grid={WITH_SIDES: TYPES, "trans": ("N", "T", "C"), "n ipiv": PIVOTED},
            vary={"nrhs": (0, 1, 5, 33)},
        ),
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXgeqrf_bufferSize",
        kind=NATIVE,
        why=WHY_SIZE,
        steps=SIZE_STEPS,
        native="sx_x_geqrf_size",
        args=SIZES,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXgeqrf",
        kind=NATIVE,
        why="cusolverDn<t>geqrf of the type",
        steps=GEQRF_STEPS,
        native="sx_x_geqrf",
        args={
            "A": Mat(rows="m", cols="n", ld="lda", T="dataTypeA", dir=INOUT),
            "tau": Buf(count="min(m, n)", T="dataTypeTau", dir=OUT),
            "bufferOnDevice": Scratch(query="cusolverDnXgeqrf_bufferSize", size=DEVICE, T="bytes"),
            **INFO_ARG,
        },
        oracle=geqrf,
        compare=Residual(fn=geqrf_residual),
        sweep=Sweep(
            base={"m": 7, "n": 5, "dataTypeA": "R_64F", "dataTypeTau": "R_64F", "computeType": "R_64F"},
            grid={
                "dataTypeA dataTypeTau computeType": TYPES_3,
                "m n": SHAPES,
            },
            classes=CLASSES,
            make=qr_matrices,
        ),
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXtrtri_bufferSize",
        kind=NATIVE,
        why=WHY_SIZE,
        steps=(Handle(status="INVALID_VALUE"), *SIZE_STEPS[1:], Check(ELEMENT, status="NOT_SUPPORTED")),
        native="sx_x_trtri_size",
        args=SIZES,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXtrtri",
        kind=NATIVE,
        why="rocsolver_<t>trtri of the type",
        steps=(
            Handle(status="INVALID_VALUE"),
            DeviceInfo("devInfo"),
            Check(PART, 1),
            Check("diag in (NON_UNIT, UNIT)", 2),
            Check("n >= 0", 3),
            Check("lda >= max(1, n)", 6),
            Check(ELEMENT, 0, status="NOT_SUPPORTED"),
            NotNull(("bufferOnDevice",), status="INTERNAL_ERROR", number=0),
            Quick("n == 0"),
            NotNull(("A", "devInfo"), nvidia="crash"),
        ),
        native="sx_x_trtri",
        args={
            "A": Mat(rows="n", cols="n", ld="lda", T="dataTypeA", dir=INOUT, part="uplo", unit="diag == UNIT"),
            "bufferOnDevice": Scratch(query="cusolverDnXtrtri_bufferSize", size=DEVICE, T="bytes"),
            "devInfo": Buf(count="1", T="I", dir=OUT),
        },
        oracle=trtri,
        compare=Residual(fn=trtri_residual),
        sweep=Sweep(
            base={"uplo": "LOWER", "diag": "NON_UNIT", "n": 7, "dataTypeA": "R_64F"},
            grid={
                "dataTypeA": ("R_32F", "R_64F", "C_32F", "C_64F"),
                "uplo": ("LOWER", "UPPER"),
                "diag": ("NON_UNIT", "UNIT"),
                "n": (0, 1, 2, 5, 33, 100),
            },
            classes=("random", "singular"),
            make=triangular,
        ),
        source=SOURCE + "; LAPACK xTRTRI",
        nvidia="differs: a singular matrix comes back with NaN, a unit diagonal with ones; here they stay as they were",
    ),
    Row(
        symbols="cusolverDnXlarft_bufferSize",
        kind=NATIVE,
        why=WHY_SIZE,
        steps=(*SIZE_STEPS, Check("dataTypeV in (R_32F, R_64F, C_32F, C_64F)")),
        native="sx_x_larft_size",
        args=SIZES,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXlarft",
        kind=NATIVE,
        why="rocsolver_<t>larft of the type, which also takes reflectors backwards and by rows",
        steps=(
            HANDLE,
            Check("dataTypeV in (R_32F, R_64F, C_32F, C_64F)"),
            Check("dataTypeTau == dataTypeV"),
            Check("dataTypeT == dataTypeV"),
            Check("computeType == dataTypeV"),
            Check("direct >= 0 and direct <= 1"),
            Check("storev >= 0 and storev <= 1"),
            Check("n >= 0"),
            Check("k >= 0"),
            Check("ldv >= max(1, n if storev == 0 else k)"),
            Check("ldt >= max(1, k)"),
            Quick("n == 0 or k == 0"),
            NotNull(("V", "tau", "T"), nvidia="crash"),
        ),
        native="sx_x_larft",
        args={
            "V": Mat(rows="n if storev == 0 else k", cols="k if storev == 0 else n", ld="ldv", T="dataTypeV"),
            "tau": Vec(n="k", T="dataTypeTau"),
            "T": Mat(rows="k", cols="k", ld="ldt", T="dataTypeT", dir=OUT),
            "bufferOnDevice": Scratch(query="cusolverDnXlarft_bufferSize", size=DEVICE, T="bytes"),
        },
        oracle=larft,
        compare=Residual(fn=larft_residual),
        sweep=Sweep(
            base={
                "direct": 0,
                "storev": 0,
                "n": 9,
                "k": 4,
                "dataTypeV": "R_64F",
                "dataTypeTau": "R_64F",
                "dataTypeT": "R_64F",
                "computeType": "R_64F",
            },
            grid={
                "dataTypeV dataTypeTau dataTypeT computeType": TYPES_4,
                "direct": (0, 1),
                "n k": ((0, 0), (1, 1), (5, 5), (33, 7), (100, 32)),
            },
            classes=("random",),
            make=reflectors,
        ),
        source=SOURCE + "; LAPACK xLARFT",
    ),
)
