"""Exported symbols that no header declares."""

from __future__ import annotations

from scale_x.wrappers_gen.rows import STUB, Row

TITLE = "Undeclared"

ROWS = (
    Row(
        symbols="cusolverDn{T}larft",
        kind=STUB,
        T=("S", "D", "C", "Z"),
        why="exported by CUDA 11 and 12, but declared by no header: its arguments are not known; Xlarft does the work",
    ),
)
