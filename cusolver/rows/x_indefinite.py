"""Symmetric and Hermitian indefinite equations of the 64-bit API: Xsytrf, Xsytrs, Xhetrf, Xhetrs.

LAPACK's factors and pivots (negative ones for the 2x2 blocks), with pivots of 64 bits. Xsytrs came without Xsytrf at
first: its pivots are then those of cusolverDn<t>sytrf, widened by the program.
"""

from __future__ import annotations

from scale_x.cusolver.rows._x import (
    COMPUTE,
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
from scale_x.wrappers_gen.rows import NATIVE, Check, NotNull, Quick, Row

TITLE = "64-bit API: indefinite equations"

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
SOLVE_STEPS = (
    HANDLE,
    INFO,
    TYPE_UNHEARD,
    RIGHT_SIDES_UNHEARD,
    Check(PART, 1),
    Check("n >= 0", 2),
    Check("nrhs >= 0", 3),
    Check("lda >= max(1, n)", 6),
    Check("ldb >= max(1, n)", 10),
    Quick("n == 0 or nrhs == 0"),
    NotNull(("A", "B"), nvidia="crash"),
)
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
        source=SOURCE + "; LAPACK xSYTRF",
    ),
    Row(
        symbols="cusolverDnXsytrs_bufferSize",
        kind=NATIVE,
        why="nothing: the solve takes no memory of the device",
        steps=SIZE_STEPS,
        native="sx_x_sytrs_size",
        args=SIZES,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXsytrs",
        kind=NATIVE,
        why=_ON_HOST,
        steps=SOLVE_STEPS,
        native="sx_x_sytrs",
        source=SOURCE + "; LAPACK xSYTRS",
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
        source=SOURCE + "; LAPACK xHETRS",
    ),
)
