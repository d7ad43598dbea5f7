"""Linear equations of the 64-bit API: Xpotrf, Xpotrs, Xgetrf, Xgetrs, Xgeqrf.

The element type is an argument. Bad sizes are numbered as the typed functions number them. A type that is not one of
the four is refused with info 0 (Xpotrf, Xgetrf, Xgeqrf) or in silence (Xpotrs, Xgetrs); Xpotrf and Xgetrf do not look
at computeType. Xgetrf answers SUCCESS to a leading dimension that is too small, and says
so in info alone: NVIDIA's does.
"""

from __future__ import annotations

from typing import Any

from scale_x.cusolver.rows._matrices import BROKEN, CLASSES
from scale_x.cusolver.rows._x import (
    COMPUTE,
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
    Handle,
    Mat,
    NotNull,
    Quick,
    Residual,
    Row,
    Scratch,
    Sweep,
)

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
    TYPE_UNHEARD,
    RIGHT_SIDES_UNHEARD,
    HANDLE,
    INFO,
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
    Check("m >= 0", 1, nvidia="crash"),
    Check("n >= 0", 2, nvidia="crash"),
    Check("lda >= 0", 4, nvidia="crash"),
    TYPE,
    Check("lda >= max(1, m)", 4, status="SUCCESS"),
    NotNull(("info",), nvidia="crash"),
    Quick("m == 0 or n == 0"),
    NotNull(("A",), nvidia="crash"),
)
GETRS_STEPS = (
    TYPE_UNHEARD,
    RIGHT_SIDES_UNHEARD,
    HANDLE,
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
    Check("m >= 0", 1),
    Check("n >= 0", 2),
    Check("lda >= max(1, m)", 4),
    TYPE,
    Check("dataTypeTau == dataTypeA", 0),
    COMPUTE,
    Quick("m == 0 or n == 0"),
    NotNull(("A", "tau"), nvidia="crash"),
)

ROWS = (
    Row(
        symbols="cusolverDnXpotrf_bufferSize",
        kind=NATIVE,
        why=WHY_SIZE,
        steps=(Handle(nvidia="crash"), *SIZE_STEPS[1:]),
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
        differs={
            "changed, and computetype=": "factors all the same where lda is less than m",
            "dataTypeA=99 and two and [-4]": "names a short lda beside a type that it refuses",
        },
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
)
