"""cusolverSp in steps: analysis, values, factors, zero pivot, solve; and batches of systems of one pattern.

The factors are hostmath's and lie on the host, in the info object; the buffers that a program brings are not used.
Functions that take device pointers copy to the host and back and are refused while capturing. Neither QR nor LU
reorders for the program, except that LU's columns are: ``csrluExtract`` tells A(P,Q) = L U, without the ones of L, as
cusolverRf's UNIT_DIAGONAL_ASSUMED_L wants them (measured). Cholesky's diagonal is that of A(P,P). A singular system of
a batch gets NaN. Tested in tests/test_cusolversp.py.
"""

from __future__ import annotations

from scale_x.cusolver.rows._sparse import (
    BATCHED,
    OBJECTS,
    STEPS_COPY,
    STEPS_HOST,
    STEPS_STILL,
)
from scale_x.wrappers_gen.rows import NATIVE, Row

TITLE = "cusolverSp: factorisations in steps"

_WHY = "the factors are kept on the host, in the info object"

ROWS = (
    Row(
        symbols="cusolverSp{T}",
        T=OBJECTS,
        kind=NATIVE,
        why="slots of core",
        native="sx_cusolverSp{T}",
        source="cuSOLVER: cusolverSpCreateCsrqrInfo and kin",
    ),
    Row(
        symbols="cusolverSp{T}",
        T=STEPS_COPY,
        kind=NATIVE,
        why=_WHY,
        native="sx_cusolverSp{T}",
        capture="refuse",
        source="cuSOLVER: cusolverSpXcsrqrAnalysisBatched; cusolverSp_LOWLEVEL_PREVIEW.h",
    ),
    Row(
        symbols="cusolverSp{T}",
        T=STEPS_STILL,
        kind=NATIVE,
        why=_WHY,
        native="sx_cusolverSp{T}",
        source="cuSOLVER: cusolverSp<t>csrqrBufferInfoBatched; cusolverSp_LOWLEVEL_PREVIEW.h",
    ),
    Row(
        symbols="cusolverSp{T}",
        T=STEPS_HOST,
        kind=NATIVE,
        why=_WHY,
        native="sx_cusolverSp{T}",
        source="cuSOLVER: cusolverSp_LOWLEVEL_PREVIEW.h",
    ),
    Row(
        symbols="cusolverSp{T}",
        T=BATCHED,
        kind=NATIVE,
        why="one system after another on the host",
        native="sx_cusolverSp{T}",
        capture="refuse",
        source="cuSOLVER: cusolverSp<t>csrqrsvBatched",
    ),
)
