"""hostmath's table called directly: LAPACK through it against scipy, by residual."""

from __future__ import annotations

import ctypes as C
from pathlib import Path
from typing import Any

import numpy as np
import pytest

TYPES = (np.float32, np.float64, np.complex64, np.complex128)
L, P, I, H = C.c_int64, C.c_void_p, C.c_int32, C.c_char  # noqa: E741


class Table(C.Structure):
    """The head of sx_hostmath_table."""

    _fields_ = [
        ("bytes", C.c_size_t),
        ("geev", C.CFUNCTYPE(L, I, H, H, L, P, L, P, P, P, L, P, L)),
        ("sytrf", C.CFUNCTYPE(L, I, I, H, L, P, L, P)),
        ("sytrs", C.CFUNCTYPE(L, I, I, H, L, L, P, L, P, P, L)),
        ("sytri", C.CFUNCTYPE(L, I, I, H, L, P, L, P)),
    ]


@pytest.fixture(scope="module")
def table(lib_dir: Path) -> Table:
    library = C.CDLL(str(lib_dir / "libscalex_hostmath.so.0"))
    library.sx_hostmath_functions.restype = C.POINTER(Table)
    return library.sx_hostmath_functions().contents


def sample(n: int, m: int, dtype: Any, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    a = rng.standard_normal((n, m))
    if np.issubdtype(dtype, np.complexfloating):
        a = a + 1j * rng.standard_normal((n, m))
    return np.asfortranarray(a.astype(dtype))


def small(residual: Any, scale: float, n: int, dtype: Any) -> None:
    eps = np.finfo(dtype).eps
    assert np.abs(residual).max(initial=0.0) <= 30 * max(n, 1) * eps * scale


@pytest.mark.parametrize("type_", range(4))
@pytest.mark.parametrize("n", [0, 1, 2, 33, 100])
def test_geev(table: Table, type_: int, n: int) -> None:
    dtype = TYPES[type_]
    a = sample(n, n, dtype)
    work, wr, wi = a.copy(order="F"), np.zeros(n, dtype), np.zeros(n, dtype)
    vl, vr = np.zeros((n, n), dtype, order="F"), np.zeros((n, n), dtype, order="F")
    ld = max(n, 1)
    p = [x.ctypes.data for x in (work, wr, wi, vl, vr)]
    assert table.geev(type_, b"V", b"V", n, p[0], ld, p[1], p[2], p[3], ld, p[4], ld) == 0
    if type_ < 2:
        w = wr + 1j * wi
        left, right = vl.astype(complex), vr.astype(complex)
        for j in np.flatnonzero(wi > 0):
            for packed, full in ((vl, left), (vr, right)):
                full[:, j] = packed[:, j] + 1j * packed[:, j + 1]
                full[:, j + 1] = full[:, j].conj()
    else:
        w, left, right = wr, vl, vr
    norm = np.abs(a).sum(axis=0).max(initial=0.0)
    small(a @ right - right * w, norm, n, dtype)
    small(left.conj().T @ a - w[:, None] * left.conj().T, norm, n, dtype)
    small(np.linalg.norm(right, axis=0) - 1, 1, n, dtype)


@pytest.mark.parametrize("type_", range(4))
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_geev_of_no_numbers_ends(table: Table, type_: int, bad: float) -> None:
    a = sample(5, 5, TYPES[type_])
    a[3, 1] = bad
    w = np.zeros((2, 5), TYPES[type_])
    assert (
        table.geev(type_, b"N", b"N", 5, a.ctypes.data, 5, w[0:].ctypes.data, w[1:].ctypes.data, None, 1, None, 1) == 5
    )
    assert np.isnan(w[0]).all()


@pytest.mark.parametrize("uplo", ["L", "U"])
@pytest.mark.parametrize("hermitian", [0, 1])
@pytest.mark.parametrize("type_", range(4))
@pytest.mark.parametrize("n", [0, 1, 2, 33, 130])
def test_indefinite(table: Table, type_: int, n: int, hermitian: int, uplo: str) -> None:
    dtype, ld = TYPES[type_], n + 3
    a = sample(n, n, dtype)
    a = a + (a.conj().T if hermitian else a.T)
    f = np.full((ld, n), np.nan, dtype, order="F")
    f[:n] = np.tril(a) if uplo == "L" else np.triu(a)
    pivots = np.zeros(n, np.int64)
    b = sample(n, 3, dtype, 1)
    x = b.copy(order="F")
    u = uplo.encode()
    assert table.sytrf(type_, hermitian, u, n, f.ctypes.data, ld, pivots.ctypes.data) == 0
    rc = table.sytrs(type_, hermitian, u, n, 3, f.ctypes.data, ld, pivots.ctypes.data, x.ctypes.data, max(n, 1))
    assert rc == 0
    norm = np.abs(a).sum(axis=0).max(initial=0.0) * np.abs(x).max(initial=1.0)
    small(a @ x - b, norm, n, dtype)
    assert table.sytri(type_, hermitian, u, n, f.ctypes.data, ld, pivots.ctypes.data) == 0
    t = np.tril(f[:n]) if uplo == "L" else np.triu(f[:n])
    inverse = t + (t.conj().T if hermitian else t.T)
    inverse[np.diag_indices(n)] /= 2
    small(
        inverse @ a - np.eye(n),
        np.abs(inverse).sum(axis=0).max(initial=0.0) * np.abs(a).sum(axis=0).max(initial=0),
        n,
        dtype,
    )


@pytest.mark.parametrize("type_", range(4))
@pytest.mark.parametrize("uplo", ["L", "U"])
def test_no_pivots_means_unit_blocks(table: Table, type_: int, uplo: str) -> None:
    """Factors L D L' whose D is diagonal, without interchanges."""
    dtype, n = TYPES[type_], 6
    t = sample(n, n, dtype) * 0.2 + 2 * np.eye(n)
    t = np.asfortranarray(np.tril(t) if uplo == "L" else np.triu(t)).astype(dtype)
    unit = t - np.diag(np.diag(t)) + np.eye(n)
    a = unit @ np.diag(np.diag(t)) @ unit.T
    b = sample(n, 2, dtype, 1)
    x = b.copy(order="F")
    assert table.sytrs(type_, 0, uplo.encode(), n, 2, t.ctypes.data, n, None, x.ctypes.data, n) == 0
    small(a @ x - b, np.abs(a).sum() * np.abs(x).max(), n, dtype)
