"""What level 1 does to vectors, sums, measures and finds (shared by its pages; not a page: no rows)."""

from __future__ import annotations

from typing import Any

from scale_x.cublas.rows._linalg import scaled
from scale_x.wrappers_gen.rows import lazy

np = lazy("numpy")


def dot(a: Any) -> dict[str, Any]:
    """x' y."""
    return {"result": (a.x * a.y).sum()}


def dotc(a: Any) -> dict[str, Any]:
    """conj(x)' y."""
    return {"result": (np.conj(a.x) * a.y).sum()}


def nrm2(a: Any) -> dict[str, Any]:
    """The Euclidean norm, scaled so that squares neither overflow nor vanish."""
    largest = np.abs(a.x).max(initial=0.0) if a.incx > 0 else 0.0
    return {"result": largest * np.sqrt((np.abs(a.x / largest) ** 2).sum()) if largest else 0.0}


def magnitudes(a: Any) -> Any:
    """|Re x| + |Im x|, what the BLAS measures complex elements by; nothing when incx <= 0."""
    return np.abs(a.x.real) + np.abs(a.x.imag) if a.incx > 0 else np.zeros(0)


def asum(a: Any) -> dict[str, Any]:
    """The sum of |Re x| + |Im x|."""
    return {"result": magnitudes(a).sum()}


def iamax(a: Any) -> dict[str, Any]:
    """The 1-based place of the first largest magnitude; 0 for an empty vector."""
    size = magnitudes(a)
    return {"result": int(np.argmax(size)) + 1 if size.size else 0}


def iamin(a: Any) -> dict[str, Any]:
    """The 1-based place of the first smallest magnitude; 0 for an empty vector."""
    size = magnitudes(a)
    return {"result": int(np.argmin(size)) + 1 if size.size else 0}


def axpy(a: Any) -> dict[str, Any]:
    """y := alpha x + y; alpha = 0 does not read x."""
    return {"y": scaled(a.alpha, a.x) + a.y}


def copy(a: Any) -> dict[str, Any]:
    """y := x."""
    return {"y": a.x}


def swap(a: Any) -> dict[str, Any]:
    """x and y change places."""
    return {"x": a.y, "y": a.x}


def scal(a: Any) -> dict[str, Any]:
    """x := alpha x, and nothing when incx <= 0."""
    return {"x": a.alpha * a.x if a.incx > 0 else a.x}
