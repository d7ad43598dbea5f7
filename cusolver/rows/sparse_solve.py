"""cusolverSp in one call: linear systems, least squares, eigenvalues, and orderings.

ROCm has nothing of this but a Cholesky solver of real matrices, so all of it is hostmath's, whatever the provider:
Eigen's SparseLU and SimplicialLLT, LAPACK for small matrices and for least squares. Functions that take device pointers
wait for the stream, copy to the host and back, and are refused while capturing; those with ``Host`` in their name touch
no device.

Matrices are CSR of type GENERAL, 0- or 1-based; duplicates are added. What is no CSR matrix is INVALID_VALUE, where
NVIDIA's reads wild. ``singularity`` is -1, or the first j with |R(j,j)| <= tol, and x is untouched then. Up to 200 rows
the pivots are those of a dense factorisation in the order that ``reorder`` asks for; larger matrices are ordered for
little fill whatever it says, and QR's pivots are LU's. Tested in tests/test_cusolversp.py.
"""

from __future__ import annotations

from scale_x.cusolver.rows._sparse import (
    CHOLESKY,
    CHOLESKY_HOST,
    COUNT_HOST,
    EIGENPAIR,
    EIGENPAIR_HOST,
    LEAST_SQUARES_HOST,
    LU_HOST,
    ORDERINGS_HOST,
    QR,
    QR_HOST,
    STRUCTURE_HOST,
)
from scale_x.wrappers_gen.rows import NATIVE, Row

TITLE = "cusolverSp: systems, least squares, eigenvalues, orderings"

ROWS = (
    Row(
        symbols="cusolverSp{T}",
        T=LU_HOST,
        kind=NATIVE,
        why="Eigen's SparseLU",
        native="sx_cusolverSp{T}",
        source="cuSOLVER: cusolverSp<t>csrlsvlu",
    ),
    Row(
        symbols="cusolverSp{T}",
        T=QR,
        kind=NATIVE,
        why="on the host: LAPACK's QR up to 200 rows, Eigen's SparseLU above",
        native="sx_cusolverSp{T}",
        capture="refuse",
        source="cuSOLVER: cusolverSp<t>csrlsvqr",
    ),
    Row(
        symbols="cusolverSp{T}",
        T=QR_HOST,
        kind=NATIVE,
        why="LAPACK's QR up to 200 rows, Eigen's SparseLU above",
        native="sx_cusolverSp{T}",
        source="cuSOLVER: cusolverSp<t>csrlsvqr",
    ),
    Row(
        symbols="cusolverSp{T}",
        T=CHOLESKY,
        kind=NATIVE,
        why="Eigen's SimplicialLLT on the host; hipSOLVER's is for real matrices, its analysis on the host as well",
        native="sx_cusolverSp{T}",
        capture="refuse",
        source="cuSOLVER: cusolverSp<t>csrlsvchol",
    ),
    Row(
        symbols="cusolverSp{T}",
        T=CHOLESKY_HOST,
        kind=NATIVE,
        why="Eigen's SimplicialLLT",
        native="sx_cusolverSp{T}",
        source="cuSOLVER: cusolverSp<t>csrlsvchol",
    ),
    Row(
        symbols="cusolverSp{T}",
        T=LEAST_SQUARES_HOST,
        kind=NATIVE,
        why="LAPACK's QR with column pivoting of the dense matrix, up to 2^27 elements",
        native="sx_cusolverSp{T}",
        source="cuSOLVER: cusolverSp<t>csrlsqvqr",
    ),
    Row(
        symbols="cusolverSp{T}",
        T=EIGENPAIR,
        kind=NATIVE,
        why="inverse iteration on the host with Eigen's SparseLU",
        native="sx_cusolverSp{T}",
        capture="refuse",
        source="cuSOLVER: cusolverSp<t>csreigvsi",
    ),
    Row(
        symbols="cusolverSp{T}",
        T=EIGENPAIR_HOST,
        kind=NATIVE,
        why="inverse iteration with Eigen's SparseLU",
        native="sx_cusolverSp{T}",
        source="cuSOLVER: cusolverSp<t>csreigvsi",
    ),
    Row(
        symbols="cusolverSp{T}",
        T=COUNT_HOST,
        kind=NATIVE,
        why="LAPACK's eigenvalues of the dense matrix, counted; up to 3000 rows",
        native="sx_cusolverSp{T}",
        differs={"boxes and np.int32": "counts by a contour integral, one too many here and there"},
        source="cuSOLVER: cusolverSp<t>csreigs",
    ),
    Row(
        symbols="cusolverSp{T}",
        T=ORDERINGS_HOST,
        kind=NATIVE,
        why="structure alone; minimum degree is Eigen's approximate one in both its functions",
        native="sx_cusolverSp{T}",
        source="cuSOLVER: cusolverSpXcsrsymrcm, Xcsrsymmdq, Xcsrsymamd",
    ),
    Row(
        symbols="cusolverSpXcsrmetisndHost",
        kind=NATIVE,
        why="nested dissection by level structures; METIS is not needed, its options are not read",
        native="sx_cusolverSpXcsrmetisndHost",
        source="cuSOLVER: cusolverSpXcsrmetisnd",
    ),
    Row(
        symbols="cusolverSp{T}",
        T=STRUCTURE_HOST,
        kind=NATIVE,
        why="structure alone; zfd is a maximum transversal, large entries first",
        native="sx_cusolverSp{T}",
        source="cuSOLVER: cusolverSpXcsrissym, Xcsrperm, cusolverSp<t>csrzfd",
    ),
)
