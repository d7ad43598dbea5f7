"""Matrices that linear algebra routines are tried on, by class (not a page: no rows).

``random``, ``clustered`` (eigenvalues or singular values in two close bunches), ``graded`` (from 1 down to the square
root of the precision's square, geometrically), ``deficient`` (half of them zero), ``identity``, ``zero``, ``big`` and
``small`` (random times 1e8 and 1e-8), ``nan`` (one NaN), ``inf`` (one infinity).
"""

from __future__ import annotations

from typing import Any

from scale_x.wrappers_gen.rows import lazy

np = lazy("numpy")

CLASSES = ("random", "clustered", "graded", "deficient", "identity", "zero", "big", "small")
#: not numbers: results are NaN or an info tells, and the call returns
BROKEN = ("nan", "inf")
#: those that are well conditioned, as the second matrix of a pencil
DEFINITE = ("random", "clustered", "big", "small", "identity")


def is_complex(letter: str) -> bool:
    return letter in ("C", "Z")


def gaussian(rng: Any, shape: tuple[int, ...], letter: str) -> Any:
    x = rng.standard_normal(shape)
    return x + 1j * rng.standard_normal(shape) if is_complex(letter) else x


def orthogonal(rng: Any, m: int, n: int, letter: str) -> Any:
    """m x n with orthonormal columns, m >= n."""
    return np.linalg.qr(gaussian(rng, (m, n), letter))[0]


def values(kind: str, n: int, letter: str) -> Any:
    """Singular values, or sizes of eigenvalues, of a class that prescribes them."""
    if kind == "clustered":
        return np.where(np.arange(n) < (n + 1) // 2, 1.0, 0.25) * (1 + 1e-6 * np.arange(n) / max(n, 1))
    if kind == "graded":
        smallest = -6.0 if letter in ("S", "C") else -14.0
        return 10.0 ** np.linspace(0, smallest, n) if n else np.ones(0)
    return np.where(np.arange(n) < (n + 1) // 2, 1.0 + np.arange(n), 0.0)


def broken(kind: str, a: Any) -> Any:
    if a.size:
        middle = tuple(s // 2 for s in a.shape)
        a[middle] = np.nan if kind == "nan" else np.inf
    return a


def scale(kind: str) -> float:
    return {"big": 1e8, "small": 1e-8}.get(kind, 1.0)


def general(rng: Any, kind: str, m: int, n: int, letter: str) -> Any:
    """m x n with singular values of the class."""
    least = min(m, n)
    if kind == "zero":
        return np.zeros((m, n))
    if kind == "identity":
        return np.eye(m, n)
    if kind in ("clustered", "graded", "deficient") and least:
        left, right = orthogonal(rng, m, least, letter), orthogonal(rng, n, least, letter)
        return (left * values(kind, least, letter)) @ right.conj().T
    return (
        broken(kind, gaussian(rng, (m, n), letter)) if kind in BROKEN else scale(kind) * gaussian(rng, (m, n), letter)
    )


def hermitian(rng: Any, kind: str, n: int, letter: str) -> Any:
    """Hermitian of order n, indefinite where the class leaves that open."""
    if kind in ("clustered", "graded", "deficient") and n:
        q = orthogonal(rng, n, n, letter)
        a = (q * (values(kind, n, letter) * np.where(np.arange(n) % 3 == 2, -1, 1))) @ q.conj().T
    else:
        a = general(rng, "random" if kind in BROKEN else kind, n, n, letter)
    a = (a + a.conj().T) / 2
    return broken(kind, a) if kind in BROKEN else a


def definite(rng: Any, kind: str, n: int, letter: str) -> Any:
    """Hermitian, positive definite and well conditioned: eigenvalues from 1 to 4 times the class's scale."""
    if kind == "identity" or n == 0:
        return np.eye(n)
    q = orthogonal(rng, n, n, letter)
    a = scale(kind) * (q * np.linspace(1, 4, n)) @ q.conj().T
    return (a + a.conj().T) / 2


def reflectors(rng: Any, m: int, k: int, letter: str, below: int = 0) -> tuple[Any, Any]:
    """An m x k matrix with k elementary reflectors in its columns below the diagonal (``below`` lower still), each of
    which is 1 at its head, and their factors tau: I - tau v v^H is unitary."""
    a = gaussian(rng, (m, k), letter)
    tau = np.zeros(k, a.dtype)
    for j in range(k):
        v = a[j + below + 1 :, j]
        tau[j] = 2 / (1 + np.vdot(v, v).real) if v.size else 0
    return a, tau
