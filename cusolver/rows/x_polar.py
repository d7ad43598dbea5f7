"""The polar decomposition of the 64-bit API: A = Up H, with Up of orthonormal columns and H Hermitian, not negative.

A is M x N with M >= N; Up takes its place and H is written whole, whichever part ``uplo`` names. Three doubles tell of
it: |A - Up H|, |A|_F, and 1 / (|A|_F |A^-1|_F), which is 0 for a matrix of less than full rank. Nothing is perturbed:
of such a matrix Up is completed by any orthonormal columns. The numbers of bad arguments are as documented, the handle
not counted; no NVIDIA library with this function was asked.
"""

from __future__ import annotations

from typing import Any

from scale_x.cusolver.rows._linalg import finite, norm, ratio
from scale_x.cusolver.rows._matrices import BROKEN, CLASSES
from scale_x.cusolver.rows._matrices import general as any_general
from scale_x.cusolver.rows._x import ELEMENT, HANDLE, SIZE_STEPS, SIZES, TYPES_3
from scale_x.wrappers_gen.rows import (
    INOUT,
    NATIVE,
    OUT,
    Buf,
    Check,
    DeviceInfo,
    Mat,
    NotNull,
    Ops,
    Quick,
    Residual,
    Row,
    Scratch,
    Sweep,
    lazy,
)

np = lazy("numpy")

TITLE = "64-bit API: polar decomposition"


def polar(a: Any) -> dict[str, Any]:
    """Up = U V^H and H = V S V^H of A = U S V^H."""
    u, s, vh = np.linalg.svd(a.A, full_matrices=False)
    return {"A": u @ vh, "H": (vh.conj().T * s) @ vh, "d_info": 0}


def told_residual(a: Any, got: Any) -> float:
    """What the doubles say, over what rounding may do to them; the least singular value is known to |A| eps."""
    s = np.linalg.svd(a.A, compute_uv=False)
    size = float(np.sqrt((s * s).sum()))
    rest, told, rcond = (float(got[name][0]) for name in ("d_res_nrm", "d_A_nrmF", "d_rcond"))
    if not size:
        return 0.0 if rest == told == rcond == 0 else np.inf
    exact = 1 / (size * float(np.sqrt((1 / (s * s)).sum()))) if s.min() > 0 else 0.0
    errors = (rest / size / a.M, abs(told - size) / size / a.M, abs(rcond - exact) / a.N)
    return max(errors) / a.eps if finite(*errors) else np.inf


def polar_residual(a: Any, got: Any) -> float:
    """|A - Up H| / (M |A| eps), Up's columns from orthonormal, H from Hermitian, and its least eigenvalue below 0."""
    info = int(got["d_info"][0])
    if not finite(a.A):
        return 0.0 if info or not finite(got["A"], got["H"]) else np.inf
    up, h = got["A"], got["H"]
    if info or not np.array_equal(h, h.conj().T):
        return np.inf
    worst = max(ratio(a.A - up @ h, a.eps, a.A), ratio(up.conj().T @ up - np.eye(a.N), a.eps))
    least = float(np.linalg.eigvalsh(h).min(initial=0.0))
    return max(worst, -least / (a.N * norm(h) * a.eps), told_residual(a, got)) if a.N else worst


def tall(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """A of the class."""
    return {"A": any_general(rng, kind, a.M, a.N, a.letter)}


TYPED = "dataTypeA dataTypeH computeType"
SOURCE = "cuSOLVER 13.2, cusolverDnXpolar; Higham: Computing the polar decomposition, 1986"
ONE_DOUBLE = Buf(count="1 if N > 0 else 0", T="D", dir=OUT)
KINDS = (Check(ELEMENT, 5), Check("dataTypeH == dataTypeA", 8), Check("computeType == dataTypeA", 11))

ROWS = (
    Row(
        symbols="cusolverDnXpolar_bufferSize",
        kind=NATIVE,
        why="what the call below takes, in bytes; nothing on the host",
        steps=(*SIZE_STEPS, Check(ELEMENT), Check("dataTypeH == dataTypeA"), Check("computeType == dataTypeA")),
        native="sx_x_polar_size",
        args=SIZES,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXpolar",
        kind=NATIVE,
        why="rocsolver_<t>gesvd, products by gemm, and H made Hermitian by geam; waits for the singular values",
        steps=(
            HANDLE,
            DeviceInfo("d_info"),
            Check("uplo in (LOWER, UPPER, FULL)", 2),
            Check("M >= 0", 3),
            Check("N >= 0 and M >= N", 4),
            *KINDS,
            Check("lda >= max(1, M)", 7),
            Check("ldh >= max(1, N)", 10),
            Quick("N == 0"),
            NotNull(("A", "H", "d_info")),
        ),
        native="sx_x_polar",
        ops=Ops(copies=5, syncs=2),
        args={
            "A": Mat(rows="M", cols="N", ld="lda", T="dataTypeA", dir=INOUT),
            "H": Mat(rows="N", cols="N", ld="ldh", T="dataTypeH", dir=OUT),
            "bufferOnDevice": Scratch(query="cusolverDnXpolar_bufferSize", size="workspaceInBytesOnDevice", T="bytes"),
            "d_res_nrm": ONE_DOUBLE,
            "d_A_nrmF": ONE_DOUBLE,
            "d_rcond": ONE_DOUBLE,
            "d_info": Buf(count="1", T="I", dir=OUT),
        },
        oracle=polar,
        compare=Residual(fn=polar_residual),
        sweep=Sweep(
            base={
                "uplo": "FULL",
                "M": 7,
                "N": 5,
                "dataTypeA": "R_64F",
                "dataTypeH": "R_64F",
                "computeType": "R_64F",
            },
            grid={
                TYPED: TYPES_3,
                "M N": ((0, 0), (3, 0), (1, 1), (2, 2), (3, 1), (31, 5), (33, 32), (64, 64), (100, 33)),
            },
            vary={"uplo": ("LOWER", "UPPER")},
            classes=(*CLASSES, *BROKEN),
            make=tall,
        ),
        source=SOURCE,
    ),
)
