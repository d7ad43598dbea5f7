"""Linear equations of the 64-bit API: Xpotrf, Xpotrs, Xgetrf, Xgetrs, Xgeqrf, Xtrtri, Xlarft.

The element type is an argument. Bad sizes are numbered as the typed functions number them. A type that is not one of
the four is refused with info 0 (Xpotrf, Xgetrf, Xgeqrf), in silence (Xpotrs, Xgetrs), or as not supported (Xtrtri);
Xpotrf and Xgetrf do not look at computeType. Xgetrf answers SUCCESS to a leading dimension that is too small, and says
so in info alone: NVIDIA's does.
"""

from __future__ import annotations

from scale_x.cusolver.rows._x import (
    COMPUTE,
    ELEMENT,
    HANDLE,
    INFO,
    PART,
    RIGHT_SIDES_UNHEARD,
    SIZE_STEPS,
    SIZES,
    SOURCE,
    TYPE,
    TYPE_UNHEARD,
    WHY_SIZE,
)
from scale_x.wrappers_gen.rows import NATIVE, Check, DeviceInfo, Handle, NotNull, Quick, Row

TITLE = "64-bit API: linear equations"

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
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXpotrs",
        kind=NATIVE,
        why="cusolverDn<t>potrs of the type",
        steps=POTRS_STEPS,
        native="sx_x_potrs",
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
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXgetrs",
        kind=NATIVE,
        why="getrs with pivots of 64 bits, which rocSOLVER has from 6.2 on",
        steps=GETRS_STEPS,
        native="sx_x_getrs",
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
        source=SOURCE + "; LAPACK xLARFT",
    ),
)
