"""Triangular matrices of the 64-bit API: Xtrtri, which inverts one, and Xlarft, which makes that of a block reflector.

Xtrtri refuses a type that is not one of the four as not supported; Xlarft has no info.
"""

from __future__ import annotations

from typing import Any

from scale_x.cusolver.rows._linalg import inverse_error, ratio, triangle
from scale_x.cusolver.rows._matrices import general as any_general
from scale_x.cusolver.rows._matrices import reflectors as any_reflectors
from scale_x.cusolver.rows._x import ELEMENT, HANDLE, PART, SIZE_STEPS, SIZES, SOURCE, TYPES_4, UNHANDLED, WHY_SIZE
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

TITLE = "64-bit API: triangular matrices"


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


DEVICE = "workspaceInBytesOnDevice"

ROWS = (
    Row(
        symbols="cusolverDnXtrtri_bufferSize",
        kind=NATIVE,
        why=WHY_SIZE,
        steps=(Check(ELEMENT, status="NOT_SUPPORTED"), Handle(status="INVALID_VALUE"), *SIZE_STEPS[1:]),
        native="sx_x_trtri_size",
        args=SIZES,
        sweep=Sweep(base={"dataTypeA": "R_64F"}),
        differs={"handle= and success,": UNHANDLED},
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
        differs={"diag=UNIT and unreferenced": "leaves ones on a unit diagonal (and NaN in a singular matrix)"},
    ),
    Row(
        symbols="cusolverDnXlarft_bufferSize",
        kind=NATIVE,
        why=WHY_SIZE,
        steps=(*SIZE_STEPS, Check("dataTypeV in (R_32F, R_64F, C_32F, C_64F)")),
        native="sx_x_larft_size",
        args=SIZES,
        differs={"dataTypeV= and changed,": "leaves lengths where it refuses a type"},
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
            Check("ldv >= max(1, n if storev == 0 else k)", nvidia="crash"),
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
        differs={
            "success,": "does not look at the order of reflectors, at sizes below 0 and at leading dimensions",
            "n=0, and invalid_value,": "refuses reflectors of length 0",
        },
        source=SOURCE + "; LAPACK xLARFT",
    ),
)
