"""What the level-3 products compute, for every page that offers them (not a page: no rows)."""

from __future__ import annotations

from typing import Any

from scale_x.cublas.rows._linalg import hermitian, op, real_diagonal, scaled, solve_residual, symmetric, triangle
from scale_x.wrappers_gen.rows import lazy

np = lazy("numpy")


def gemm(a: Any) -> dict[str, Any]:
    """C := alpha op(A) op(B) + beta C."""
    return {"C": scaled(a.alpha, op(a.transa, a.A) @ op(a.transb, a.B)) + scaled(a.beta, a.C)}


def symm(a: Any) -> dict[str, Any]:
    """C := alpha A B + beta C, or B A from the right; A symmetric."""
    full = symmetric(a.uplo, a.A)
    product = full @ a.B if a.side == "LEFT" else a.B @ full
    return {"C": scaled(a.alpha, product) + scaled(a.beta, a.C)}


def hemm(a: Any) -> dict[str, Any]:
    """C := alpha A B + beta C, or B A from the right; A Hermitian."""
    full = hermitian(a.uplo, a.A)
    product = full @ a.B if a.side == "LEFT" else a.B @ full
    return {"C": scaled(a.alpha, product) + scaled(a.beta, a.C)}


def trmm(a: Any) -> dict[str, Any]:
    """C := alpha op(A) B, or B op(A) from the right; A triangular."""
    t = op(a.trans, triangle(a.uplo, a.A, a.diag))
    return {"C": scaled(a.alpha, t @ a.B if a.side == "LEFT" else a.B @ t)}


def trsm(a: Any) -> dict[str, Any]:
    """B := X with op(A) X = alpha B, or X op(A) = alpha B from the right; A triangular."""
    t = op(a.trans, triangle(a.uplo, a.A, a.diag))
    if a.side == "LEFT":
        return {"B": np.linalg.solve(t, scaled(a.alpha, a.B))}
    return {"B": np.linalg.solve(t.T, scaled(a.alpha, a.B).T).T}


def trsm_residual(a: Any, got: Any) -> float:
    """The backward error of the solution. alpha = 0 gives zeros, or NaN where NVIDIA reads a NaN of A all the same."""
    t = op(a.trans, triangle(a.uplo, a.A, a.diag))
    if a.alpha == 0 and np.isnan(t).any():
        return 0.0 if (np.isnan(got["B"]) | (got["B"] == 0)).all() else np.inf
    if a.side == "LEFT":
        return solve_residual(t, got["B"], scaled(a.alpha, a.B), a.eps)
    return solve_residual(t.T, got["B"].T, scaled(a.alpha, a.B).T, a.eps)


def nothing_to_do(a: Any) -> bool:
    """Whether the update leaves C alone, imaginary parts of a diagonal included."""
    return a.beta == 1 and (a.alpha == 0 or a.k == 0)


def syrk(a: Any) -> dict[str, Any]:
    """C := alpha op(A) op(A)' + beta C."""
    left = a.A if a.trans == "N" else a.A.T
    return {"C": scaled(a.alpha, left @ left.T) + scaled(a.beta, a.C)}


def herk(a: Any) -> dict[str, Any]:
    """C := alpha op(A) op(A)^H + beta C, real diagonal."""
    left = a.A if a.trans == "N" else op("C", a.A)
    updated = scaled(a.alpha, left @ op("C", left)) + scaled(a.beta, a.C)
    return {"C": a.C if nothing_to_do(a) else real_diagonal(updated)}


def syr2k(a: Any) -> dict[str, Any]:
    """C := alpha (op(A) op(B)' + op(B) op(A)') + beta C."""
    product = a.A @ a.B.T if a.trans == "N" else a.A.T @ a.B
    return {"C": scaled(a.alpha, product + product.T) + scaled(a.beta, a.C)}


def her2k(a: Any) -> dict[str, Any]:
    """C := alpha op(A) op(B)^H + conj(alpha) op(B) op(A)^H + beta C, real diagonal."""
    product = scaled(a.alpha, a.A @ op("C", a.B) if a.trans == "N" else op("C", a.A) @ a.B)
    updated = product + op("C", product) + scaled(a.beta, a.C)
    return {"C": a.C if nothing_to_do(a) else real_diagonal(updated)}


def syrkx(a: Any) -> dict[str, Any]:
    """C := alpha op(A) op(B)' + beta C on one triangle."""
    product = a.A @ a.B.T if a.trans == "N" else a.A.T @ a.B
    return {"C": scaled(a.alpha, product) + scaled(a.beta, a.C)}


def herkx(a: Any) -> dict[str, Any]:
    """C := alpha op(A) op(B)^H + beta C on one triangle, real diagonal."""
    product = a.A @ op("C", a.B) if a.trans == "N" else op("C", a.A) @ a.B
    updated = scaled(a.alpha, product) + scaled(a.beta, a.C)
    return {"C": a.C if nothing_to_do(a) else real_diagonal(updated)}
