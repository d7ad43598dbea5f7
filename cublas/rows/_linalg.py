"""Matrix notation of the BLAS that the oracles of several pages share (not a page: no rows)."""

from __future__ import annotations

from typing import Any

from scale_x.wrappers_gen.rows import lazy

np = lazy("numpy")


def op(trans: str, a: Any) -> Any:
    """op(A): A, its transpose, its conjugate transpose, or its conjugate."""
    if trans == "N":
        return a
    if trans == "T":
        return np.swapaxes(a, -1, -2)
    if trans == "C":
        return np.conj(np.swapaxes(a, -1, -2))
    return np.conj(a)


def scaled(factor: Any, a: Any) -> Any:
    """factor * A, where A is not read when factor is 0: NaN and Inf in it do not survive."""
    return np.zeros_like(a) if factor == 0 else factor * a


def triangle(uplo: str, a: Any, diag: str = "NON_UNIT") -> Any:
    """The triangular matrix stored in one triangle of A; the diagonal of a unit one is not read."""
    offset = 1 if diag == "UNIT" else 0
    part = np.triu(a, offset) if uplo == "UPPER" else np.tril(a, -offset)
    return part + np.eye(a.shape[0], dtype=a.dtype) if diag == "UNIT" else part


def symmetric(uplo: str, a: Any) -> Any:
    """The symmetric matrix stored in one triangle of A."""
    strict = np.triu(a, 1) if uplo == "UPPER" else np.tril(a, -1)
    return strict + strict.T + np.diag(np.diag(a))


def hermitian(uplo: str, a: Any) -> Any:
    """The Hermitian matrix stored in one triangle of A; imaginary parts on its diagonal are ignored."""
    strict = np.triu(a, 1) if uplo == "UPPER" else np.tril(a, -1)
    return strict + strict.conj().T + np.diag(np.diag(a).real)


def real_diagonal(a: Any) -> Any:
    """A with the imaginary parts of its diagonal set to zero, as every Hermitian update leaves it."""
    return a - 1j * np.diag(np.diag(a).imag) if np.iscomplexobj(a) else a


def solve_residual(t: Any, x: Any, b: Any, eps: float) -> float:
    """|T X - B| / (|T| |X| n eps) in the 1-norm: the normwise backward error of a triangular solve."""
    if x.size == 0:
        return 0.0
    residual = np.abs(t @ x - b).sum(axis=0).max()
    size = np.abs(t).sum(axis=0).max() * np.abs(x).sum(axis=0).max()
    return float(residual / (size * t.shape[0] * eps)) if size else float(residual)


def relative_error(want: Any, got: Any, eps: float) -> float:
    """The largest |got - want| / |want| over all outputs, in units of eps; a wanted 0 must be 0."""
    worst = 0.0
    for name, value in want.items():
        expected, seen = np.atleast_1d(value), np.atleast_1d(got[name])
        error = np.abs(seen - expected)
        largest = np.finfo(np.float32 if eps > 1e-10 else np.float64).max
        error = np.where(np.isinf(seen) & (np.abs(expected) > largest), 0.0, error)  # what overflows must be inf
        error = np.where(error == 0, 0.0, error / np.maximum(np.abs(expected), np.finfo(np.float32).tiny))
        worst = max(worst, float(error.max()) / eps)
    return worst
