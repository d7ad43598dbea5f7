"""The 64-bit API as CUDA 11 had it: the names without an X, with one workspace. Gone since CUDA 13.

Each is its successor, which checks the arguments: cusolverDnPotrf is cusolverDnXpotrf, and so on.
"""

from __future__ import annotations

from scale_x.wrappers_gen.rows import NATIVE, NotNull, Row

TITLE = "64-bit API: the names of CUDA 11"

_WHY = "its successor, cusolverDnX..., with no workspace on the host"
_SOURCE = "cuSOLVER 11.8, 2.4.5"
_SIZE = (NotNull(("workspaceInBytes",), nvidia="crash"),)

ROWS = (
    Row(
        symbols="cusolverDn{T}_bufferSize",
        T=("Potrf", "Getrf", "Geqrf", "Gesvd", "Syevd", "Syevdx"),
        kind=NATIVE,
        why=_WHY,
        steps=_SIZE,
        native="sx_untyped_{t}_size",
        source=_SOURCE,
    ),
    Row(
        symbols="cusolverDn{T}",
        T=("Potrf", "Potrs", "Getrf", "Getrs", "Geqrf", "Gesvd", "Syevd", "Syevdx"),
        kind=NATIVE,
        why=_WHY,
        native="sx_untyped_{t}",
        source=_SOURCE,
    ),
)
