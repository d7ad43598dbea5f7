"""trsmBatched: many small triangular systems, given as arrays of pointers."""

from __future__ import annotations

from typing import Any

from scale_x.cublas.rows._linalg import op, scaled, solve_residual, triangle
from scale_x.wrappers_gen.rows import (
    DIRECT,
    INOUT,
    Check,
    Handle,
    Mat,
    NotNull,
    Path,
    Quick,
    Residual,
    Row,
    Scalar,
    Sweep,
    lazy,
)

np = lazy("numpy")

TITLE = "Batched trsm"


def trsm_arrays(a: Any) -> dict[str, Any]:
    """op(A) X = alpha B, or X op(A) = alpha B from the right, for every member of the batch."""
    solved = []
    for t, b in zip(a.A, a.B, strict=True):
        full = op(a.trans, triangle(a.uplo, t, a.diag))
        left = a.side == "LEFT"
        solved.append(np.linalg.solve(full, a.alpha * b) if left else np.linalg.solve(full.T, a.alpha * b.T).T)
    return {"B": np.array(solved).reshape(a.B.shape)}


def trsm_residual(a: Any, got: Any) -> float:
    """The largest backward error of the batch."""
    worst = 0.0
    for t, b, x in zip(a.A, a.B, got["B"], strict=True):
        full = op(a.trans, triangle(a.uplo, t, a.diag))
        if a.alpha == 0 and np.isnan(full).any():
            continue
        one = (full, x, scaled(a.alpha, b)) if a.side == "LEFT" else (full.T, x.T, scaled(a.alpha, b).T)
        worst = max(worst, solve_residual(*one, a.eps))
    return worst


ROWS = (
    Row(
        symbols="cublas{T}trsmBatched{_64}",
        kind=DIRECT,
        T="SDCZ",
        xerbla="{T}BATCHED TRSM",
        differs={"huge": "answers NOT_SUPPORTED to sizes beyond 32 bits, also where nothing is to be done"},
        steps=(
            Handle(),
            Check("side in (LEFT, RIGHT)", 1),
            Check("uplo in (LOWER, UPPER)", 2),
            Check("trans in (N, T, C)", 3),
            Check("diag in (NON_UNIT, UNIT)", 4),
            Check("m >= 0", 5),
            Check("n >= 0", 6),
            Check("lda >= max(1, m if side == LEFT else n)", 9),
            Check("ldb >= max(1, m)", 11),
            Check("batchCount >= 0", 12),
            Quick("m == 0 or n == 0 or batchCount == 0"),
            NotNull(("alpha", "A", "B"), nvidia="crash"),
        ),
        paths=(Path(call="rocblas_{t}trsm_batched"),),
        args={
            "alpha": Scalar(),
            "A": Mat(
                rows="m if side == LEFT else n",
                cols="m if side == LEFT else n",
                ld="lda",
                part="uplo",
                unit="diag == UNIT",
                batch="batchCount",
                array=True,
            ),
            "B": Mat(rows="m", cols="n", ld="ldb", dir=INOUT, batch="batchCount", array=True),
        },
        oracle=trsm_arrays,
        compare=Residual(fn=trsm_residual),
        sweep=Sweep(
            base={
                "side": "LEFT",
                "uplo": "LOWER",
                "trans": "N",
                "diag": "NON_UNIT",
                "m": 7,
                "n": 5,
                "alpha": 1.25 - 0.5j,
                "batchCount": 3,
            },
            grid={
                "side": ("LEFT", "RIGHT"),
                "uplo": ("LOWER", "UPPER"),
                "trans": ("N", "T", "C"),
                "diag": ("NON_UNIT", "UNIT"),
            },
            vary={"m": (0, 1, 33), "n": (0, 1, 33), "alpha": (0.0, 1.0), "batchCount": (0, 1, 9)},
        ),
        source="cuBLAS 2.7.12",
    ),
)
