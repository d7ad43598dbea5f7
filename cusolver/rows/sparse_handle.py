"""cusolverSp's handle.

Matrix descriptors are cuSPARSE's, which scale-x does not replace. They are read through the cuSPARSE of the program
where it has one (``cusparseGetMatType``, ``cusparseGetMatIndexBase``). Where it has none, a descriptor is a pointer to
four enumerators, MatrixType, FillMode, DiagType and IndexBase, as cuSPARSE's documentation shows it. Tested in
tests/test_cusolversp.py.
"""

from __future__ import annotations

from scale_x.wrappers_gen.rows import NATIVE, Row

TITLE = "cusolverSp: the handle"

ROWS = (
    Row(
        symbols="cusolverSp{T}",
        T=("Create", "Destroy", "SetStream", "GetStream"),
        kind=NATIVE,
        why="a slot of core with a device and a stream; ROCm has no sparse solver's handle",
        native="sx_cusolverSp{T}",
        source="cuSOLVER: cusolverSpCreate and kin",
    ),
)
