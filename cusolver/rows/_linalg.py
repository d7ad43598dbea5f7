"""What the oracles of several pages share: norms, triangles, and LAPACK's scale-free residuals (not a page: no rows).

Every residual is |error| in the 1-norm over the norms of what it is made of, the order and the machine epsilon; it is
infinite where an info, a pivot or an unreferenced entry denies the values.
"""

from __future__ import annotations

from typing import Any

from scale_x.cublas.rows._linalg import hermitian, op, symmetric, triangle
from scale_x.wrappers_gen.rows import lazy

np = lazy("numpy")

__all__ = ["hermitian", "op", "symmetric", "triangle"]


def norm(a: Any) -> float:
    """The 1-norm; 1 where that is 0, as a divisor."""
    return float(np.abs(a).sum(axis=0).max(initial=0.0)) or 1.0


def finite(*arrays: Any) -> bool:
    """Whether there is no NaN and no infinity."""
    return all(bool(np.isfinite(a).all()) for a in arrays)


def stored(uplo: str, a: Any) -> Any:
    """The entries of one triangle of A, 0 elsewhere."""
    return np.triu(a) if uplo == "UPPER" else np.tril(a)


def ratio(error: Any, eps: float, *of: Any) -> float:
    """|error| / (order * product of the norms of ``of`` * eps)."""
    if error.size == 0:
        return 0.0
    size = float(max(error.shape)) * eps
    for a in of:
        size *= norm(a)
    worst = float(np.abs(error).sum(axis=0).max(initial=0.0))
    return worst / size if worst == worst else np.inf


def solve_error(m: Any, x: Any, b: Any, eps: float) -> float:
    """|M X - B| / (n |M| |X| eps)."""
    return ratio(m @ x - b, eps, m, x)


def inverse_error(m: Any, x: Any, eps: float) -> float:
    """|M X - I| / (n |M| |X| eps)."""
    return ratio(m @ x - np.eye(m.shape[0]), eps, m, x)
