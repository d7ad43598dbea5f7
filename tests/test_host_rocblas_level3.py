"""The host engine's rocBLAS, level 3: values in every form, unread operands, statuses, the types of gemm_ex."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from rocblas_on_host import (
    CONJ,
    DTYPES,
    INVALID_HANDLE,
    INVALID_POINTER,
    INVALID_SIZE,
    INVALID_VALUE,
    LEFT,
    LOWER,
    NON_UNIT,
    NONE,
    REAL,
    RIGHT,
    SUCCESS,
    TRANS,
    UNIT,
    UPPER,
    Engine,
    Matrix,
    Scalar,
    Val,
    Vector,
    enumerate_options,
    eps,
    hide,
    op,
    random,
    symmetric,
    triangle_mask,
    triangular,
    wide,
)

PAIRS = ((0.75 - 0.5j, 1.5 + 0.25j), (1, 0), (0, 0.5 + 0.5j), (-1.25, 1))
SHAPES = ((0, 3, 2), (1, 1, 1), (2, 3, 5), (33, 5, 0), (31, 64, 33), (100, 33, 31))


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return Engine(tmp_path_factory.mktemp("rocblas"))


def cast(t: object, *values: object) -> tuple[np.ndarray, ...]:
    return tuple(np.array(v if np.dtype(t).kind == "c" else np.real(v), t) for v in values)


def forget(alpha: np.ndarray, beta: np.ndarray, operands: list, c: np.ndarray) -> None:
    """NaN in everything that alpha or beta 0 says is not read."""
    if alpha == 0:
        for a in operands:
            a[:] = np.nan
    if beta == 0:
        c[:] = np.nan


@pytest.mark.parametrize("letter", "sdczh")
def test_gemm(engine: Engine, letter: str) -> None:
    t = DTYPES[letter]
    transposes = list(itertools.product((NONE, TRANS, CONJ), repeat=2))
    for i, ((ta, tb), (m, n, k), pair) in enumerate(enumerate_options(transposes, SHAPES, PAIRS)):
        alpha, beta = cast(t, *pair)

        def problem(rng, ta=ta, tb=tb, m=m, n=n, k=k, alpha=alpha, beta=beta):
            a = random(rng, (m, k) if ta == NONE else (k, m), t)
            b = random(rng, (k, n) if tb == NONE else (n, k), t)
            c = random(rng, (m, n), t)
            value = wide(alpha) * (wide(op(a, ta)) @ wide(op(b, tb))) + wide(beta) * wide(c)
            tolerance = 4 * (k + 4) * eps(t) if letter != "h" else eps(t) * float(np.abs(value).max(initial=1)) + 1e-4
            forget(alpha, beta, [a, b], c)
            return (
                Val(ta), Val(tb), Val(m), Val(n), Val(k), Scalar(alpha, t), Matrix(a), Matrix(b), Scalar(beta, t),
                Matrix(c, value, tolerance),
            )  # fmt: skip

        engine.check(f"rocblas_{letter}gemm", problem, i)


@pytest.mark.parametrize("name", ["ssymm", "dsymm", "csymm", "zsymm", "chemm", "zhemm"])
def test_symm(engine: Engine, name: str) -> None:
    t, hermitian = DTYPES[name[0]], name[1] == "h"
    for i, (side, uplo, (m, n, _), pair) in enumerate(enumerate_options((LEFT, RIGHT), (UPPER, LOWER), SHAPES, PAIRS)):
        alpha, beta = cast(t, *pair)

        def problem(rng, side=side, uplo=uplo, m=m, n=n, alpha=alpha, beta=beta):
            order = m if side == LEFT else n
            a, b, c = random(rng, (order, order), t), random(rng, (m, n), t), random(rng, (m, n), t)
            full = wide(symmetric(a, uplo, hermitian))
            value = wide(alpha) * (full @ wide(b) if side == LEFT else wide(b) @ full) + wide(beta) * wide(c)
            a = hide(a, uplo)
            forget(alpha, beta, [a, b], c)
            return (
                Val(side), Val(uplo), Val(m), Val(n), Scalar(alpha, t), Matrix(a), Matrix(b), Scalar(beta, t),
                Matrix(c, value, 4 * (order + 4) * eps(t)),
            )  # fmt: skip

        engine.check(f"rocblas_{name}", problem, i)


RANK_K = [
    "ssyrk",
    "dsyrk",
    "csyrk",
    "zsyrk",
    "cherk",
    "zherk",
    "ssyr2k",
    "dsyr2k",
    "csyr2k",
    "zsyr2k",
    "cher2k",
    "zher2k",
]
RANK_KX = ["ssyrkx", "dsyrkx", "csyrkx", "zsyrkx", "cherkx", "zherkx"]


@pytest.mark.parametrize("name", RANK_K + RANK_KX)
def test_rank_k(engine: Engine, name: str) -> None:
    t, hermitian, kind = DTYPES[name[0]], name[1] == "h", name[4:]
    a_type = REAL[name[0]] if hermitian and kind == "k" else t
    b_type = REAL[name[0]] if hermitian else t
    flip = CONJ if hermitian else TRANS
    shapes = ((0, 2), (1, 1), (3, 5), (33, 0), (33, 31), (100, 64), (64, 3))
    for i, (uplo, trans, (n, k), pair) in enumerate(enumerate_options((UPPER, LOWER), (NONE, flip), shapes, PAIRS)):
        alpha, beta = cast(a_type, pair[0])[0], cast(b_type, pair[1])[0]

        def problem(rng, uplo=uplo, trans=trans, n=n, k=k, alpha=alpha, beta=beta):
            shape = (n, k) if trans == NONE else (k, n)
            a, b, c = random(rng, shape, t), random(rng, shape, t), random(rng, (n, n), t)
            if kind == "k":
                b = a
            left, right, al, be = wide(op(a, trans)), wide(op(b, trans)), wide(alpha), wide(beta)

            def adjoint(v):
                return v.conj() if hermitian else v

            value = al * (left @ adjoint(right).T)
            if kind == "2k":
                value = value + adjoint(al) * (right @ adjoint(left).T)
            value = value + be * wide(c)
            touched = not (beta == 1 and (alpha == 0 or k == 0))
            if hermitian and touched:
                value[np.arange(n), np.arange(n)] = value[np.arange(n), np.arange(n)].real
            if hermitian and kind == "kx" and n:  # its two operands are taken to make a Hermitian product
                value[np.arange(n), np.arange(n)] = value[np.arange(n), np.arange(n)].real
            value = np.where(triangle_mask(n, uplo), value, np.nan) if touched else wide(hide(c, uplo))
            c = hide(c, uplo)
            forget(alpha, beta, [a, b], c)
            operands = [Matrix(a)] + ([Matrix(b)] if kind != "k" else [])
            return (
                Val(uplo), Val(trans), Val(n), Val(k), Scalar(alpha, a_type), *operands, Scalar(beta, b_type),
                Matrix(c, value, 4 * (2 * k + 4) * eps(t)),
            )  # fmt: skip

        engine.check(f"rocblas_{name}", problem, i)


@pytest.mark.parametrize("letter", "sdcz")
def test_gemmt(engine: Engine, letter: str) -> None:
    t = DTYPES[letter]
    transposes, shapes = (
        list(itertools.product((NONE, TRANS, CONJ), repeat=2)),
        ((0, 1), (1, 1), (33, 5), (100, 31), (64, 0)),
    )
    for i, (uplo, (ta, tb), (n, k), pair) in enumerate(enumerate_options((UPPER, LOWER), transposes, shapes, PAIRS)):
        alpha, beta = cast(t, *pair)

        def problem(rng, uplo=uplo, ta=ta, tb=tb, n=n, k=k, alpha=alpha, beta=beta):
            a = random(rng, (n, k) if ta == NONE else (k, n), t)
            b = random(rng, (k, n) if tb == NONE else (n, k), t)
            c = hide(random(rng, (n, n), t), uplo)
            value = wide(alpha) * (wide(op(a, ta)) @ wide(op(b, tb))) + wide(beta) * wide(c)
            value = np.where(triangle_mask(n, uplo), value, np.nan)
            forget(alpha, beta, [a, b], c)
            return (
                Val(uplo), Val(ta), Val(tb), Val(n), Val(k), Scalar(alpha, t), Matrix(a), Matrix(b), Scalar(beta, t),
                Matrix(c, value, 4 * (k + 4) * eps(t)),
            )  # fmt: skip

        engine.check(f"rocblas_{letter}gemmt", problem, i)


def well_conditioned(rng: np.random.Generator, n: int, t: object) -> np.ndarray:
    a = random(rng, (n, n), t) / max(n, 1)
    a[np.arange(n), np.arange(n)] = 1.5
    return a.astype(t)


@pytest.mark.parametrize("letter", "sdcz")
@pytest.mark.parametrize("kind", ["trmm", "trsm"])
def test_triangular(engine: Engine, letter: str, kind: str) -> None:
    t = DTYPES[letter]
    options = enumerate_options((LEFT, RIGHT), (UPPER, LOWER), (NONE, TRANS, CONJ), (NON_UNIT, UNIT), SHAPES, PAIRS)
    for i, (side, uplo, trans, diag, (m, n, _), pair) in enumerate(options):
        (alpha,) = cast(t, pair[0])

        def problem(rng, side=side, uplo=uplo, trans=trans, diag=diag, m=m, n=n, alpha=alpha):
            order = m if side == LEFT else n
            a, b, c = well_conditioned(rng, order, t), random(rng, (m, n), t), np.full((m, n), np.nan, t)
            full = op(wide(triangular(a, uplo, diag)), trans)
            a = hide(a, uplo, diag)
            tolerance = 16 * (order + 4) * eps(t)
            if kind == "trmm":
                value = wide(alpha) * (full @ wide(b) if side == LEFT else wide(b) @ full)
                forget(alpha, np.ones(1), [a, b], c)
                operands = (Matrix(b, pad=1), Matrix(c, value, tolerance))
            else:
                right, known = (wide(alpha) * wide(b)).astype(complex), full.astype(complex)
                value = np.linalg.solve(known, right) if side == LEFT else np.linalg.solve(known.T, right.T).T
                value = value.real if np.dtype(t).kind == "f" else value
                forget(alpha, np.ones(1), [a, b], c)
                operands = (Matrix(b, value, tolerance),)
            return Val(side), Val(uplo), Val(trans), Val(diag), Val(m), Val(n), Scalar(alpha, t), Matrix(a), *operands

        engine.check(f"rocblas_{letter}{kind}", problem, i)


@pytest.mark.parametrize("letter", "sdcz")
def test_trtri(engine: Engine, letter: str) -> None:
    t = DTYPES[letter]
    for i, (uplo, diag, n) in enumerate(enumerate_options((UPPER, LOWER), (NON_UNIT, UNIT), (0, 1, 3, 33, 100))):

        def problem(rng, uplo=uplo, diag=diag, n=n):
            a, x = well_conditioned(rng, n, t), hide(random(rng, (n, n), t), uplo)
            inverse = np.linalg.inv(triangular(a, uplo, diag).astype(complex))
            inverse = inverse.real if np.dtype(t).kind == "f" else inverse
            value = np.where(triangle_mask(n, uplo), inverse, np.nan)
            return (
                Val(uplo),
                Val(diag),
                Val(n),
                Matrix(hide(a, uplo, diag)),
                Matrix(x, value, 16 * (n + 4) * eps(t), pad=1),
            )

        engine.check(f"rocblas_{letter}trtri", problem, i, widths="3")


@pytest.mark.parametrize("letter", "sdcz")
def test_geam_dgmm(engine: Engine, letter: str) -> None:
    t = DTYPES[letter]
    transposes, shapes = list(itertools.product((NONE, TRANS, CONJ), repeat=2)), ((0, 2), (1, 1), (33, 5), (64, 100))
    for i, ((ta, tb), (m, n), pair) in enumerate(enumerate_options(transposes, shapes, PAIRS)):
        alpha, beta = cast(t, *pair)

        def geam(rng, ta=ta, tb=tb, m=m, n=n, alpha=alpha, beta=beta):
            a = random(rng, (m, n) if ta == NONE else (n, m), t)
            b = random(rng, (m, n) if tb == NONE else (n, m), t)
            value = wide(alpha) * wide(op(a, ta)) + wide(beta) * wide(op(b, tb))
            forget(alpha, beta, [a], b)
            return (
                Val(ta), Val(tb), Val(m), Val(n), Scalar(alpha, t), Matrix(a), Scalar(beta, t), Matrix(b),
                Matrix(np.full((m, n), np.nan, t), value, 8 * eps(t)),
            )  # fmt: skip

        engine.check(f"rocblas_{letter}geam", geam, i)

    for i, (side, (m, n), inc) in enumerate(enumerate_options((LEFT, RIGHT), shapes, (1, -2, 3))):

        def dgmm(rng, side=side, m=m, n=n, inc=inc):
            a, x = random(rng, (m, n), t), random(rng, m if side == LEFT else n, t)
            value = wide(a) * (wide(x)[:, None] if side == LEFT else wide(x)[None, :])
            return (
                Val(side), Val(m), Val(n), Matrix(a), Vector(x, inc=inc),
                Matrix(np.full((m, n), np.nan, t), value, 4 * eps(t), pad=1),
            )  # fmt: skip

        engine.check(f"rocblas_{letter}dgmm", dgmm, i)


@pytest.mark.parametrize("letter", "sdcz")
def test_large_geam_dgmm(engine: Engine, letter: str) -> None:
    """Results that are written past the caches: odd sizes, in place, padding that stays, NaN in an operand."""
    t, rng, h = DTYPES[letter], np.random.default_rng(11), engine.handle
    m, n, ld = 1031, (17 << 20) // 1031 // np.dtype(t).itemsize, 1037
    a, b = (np.asfortranarray(random(rng, (ld, n), t)) for _ in "ab")
    a[5, 7] = np.nan
    x, (alpha, beta) = random(rng, 2 * max(m, n), t), cast(t, 2, -3)

    def same(c: np.ndarray, before: np.ndarray, want: np.ndarray) -> bool:
        close = np.allclose(c[:m], want, rtol=1e-4, atol=1e-4, equal_nan=True)
        return close and np.array_equal(c[m:], before[m:])

    for to in (np.full((ld, n), 9, t, order="F"), a.copy(order="F"), b.copy(order="F")):
        before, first, second = to.copy(), a, b
        if np.array_equal(to, a, equal_nan=True):
            first = to
        elif np.array_equal(to, b):
            second = to
        args = (np.array([alpha]), first, ld, np.array([beta]), second, ld, to, ld)
        assert engine.call(f"rocblas_{letter}geam", h, NONE, NONE, m, n, *args) == SUCCESS
        assert same(to, before, alpha * a[:m] + beta * b[:m])
    for side, inc in itertools.product((LEFT, RIGHT), (1, -2)):
        count = m if side == LEFT else n
        d = x[: 2 * count][::inc][:count] if inc > 0 else x[: 2 * count - 1][::-2]
        want = a[:m] * (d[:, None] if side == LEFT else d[None, :])
        c = a.copy(order="F")
        assert engine.call(f"rocblas_{letter}dgmm", h, side, m, n, c, ld, x, inc, c, ld) == SUCCESS
        assert same(c, a, want)


def test_statuses(engine: Engine) -> None:
    h, a, one, zero = engine.handle, np.ones((4, 4)), np.ones(1), np.zeros(1)

    def gemm(handle=h, ta=NONE, tb=NONE, m=4, n=4, k=4, alpha=one, A=a, lda=4, B=a, ldb=4, beta=zero, C=None, ldc=4):
        c = np.zeros((4, 4)) if C is None else C
        return engine.call(
            "rocblas_dgemm", handle, ta, tb, m, n, k, alpha, A, lda, B, ldb, beta, c if C != 0 else None, ldc
        )

    assert gemm(handle=None, ta=0) == INVALID_HANDLE
    assert gemm(ta=0, m=-1) == INVALID_VALUE and gemm(tb=114) == INVALID_VALUE
    for bad in ({"m": -1}, {"n": -1}, {"k": -1}, {"lda": 3}, {"ldb": 3}, {"ldc": 3}):
        assert gemm(**bad) == INVALID_SIZE
    assert gemm(m=0, lda=0, alpha=None, beta=None, A=None) == SUCCESS
    for bad in ({"alpha": None}, {"beta": None}, {"A": None}, {"B": None}, {"C": 0}):
        assert gemm(**bad) == INVALID_POINTER
    assert gemm(k=0, alpha=None, A=None, B=None) == SUCCESS
    assert gemm(alpha=zero, A=None, B=None) == SUCCESS
    assert gemm(alpha=zero, beta=one, C=0) == SUCCESS
    trmm = ("rocblas_dtrmm", h, LEFT, UPPER, NONE, UNIT, 4, 4)
    assert engine.call(*trmm, one, a, 4, a, 4, a, 5) == INVALID_VALUE
    assert engine.call(*trmm, None, a, 4, a, 4, a, 4) == INVALID_POINTER
    assert engine.call("rocblas_dtrmm", h, 143, UPPER, NONE, UNIT, 4, 4, one, a, 4, a, 4, a, 4) == INVALID_VALUE
    assert engine.call("rocblas_dtrsm", h, LEFT, UPPER, NONE, UNIT, 4, 4, one, None, 4, a, 4) == INVALID_POINTER
    assert engine.call("rocblas_dtrsm", h, LEFT, UPPER, NONE, UNIT, 4, 0, None, None, 4, None, 4) == SUCCESS
    assert engine.call("rocblas_zsyrk", h, UPPER, CONJ, 4, 4, one, a, 4, one, a, 4) == INVALID_VALUE
    assert engine.call("rocblas_zherk", h, UPPER, TRANS, 4, 4, one, a, 4, one, a, 4) == INVALID_VALUE
    assert engine.call("rocblas_dsyrk", h, 123, NONE, 4, 4, one, a, 4, one, a, 4) == INVALID_VALUE
    assert engine.call("rocblas_dsyrk", h, UPPER, NONE, 4, 4, zero, None, 4, one, None, 4) == SUCCESS
    assert engine.call("rocblas_dgeam", h, TRANS, NONE, 4, 4, one, a, 4, one, a, 4, a, 4) == INVALID_SIZE
    assert engine.call("rocblas_ddgmm", h, 143, 4, 4, a, 4, a, 1, a, 4) == INVALID_VALUE
    assert engine.call("rocblas_dsymm", h, LEFT, UPPER, 4, 4, one, a, 3, a, 4, one, a, 4) == INVALID_SIZE


def test_in_place(engine: Engine) -> None:
    rng = np.random.default_rng(2)
    a, b = np.asfortranarray(rng.random((40, 40))), np.asfortranarray(rng.random((40, 30)))
    want, one = np.triu(a) @ b, np.ones(1)
    assert (
        engine.call("rocblas_dtrmm", engine.handle, LEFT, UPPER, NONE, NON_UNIT, 40, 30, one, a, 40, b, 40, b, 40)
        == SUCCESS
    )
    assert np.allclose(b, want)
    c, d = a.copy(order="F"), np.asfortranarray(rng.random((40, 40)))
    assert engine.call("rocblas_dgeam", engine.handle, NONE, TRANS, 40, 40, one, c, 40, one, d, 40, c, 40) == SUCCESS
    assert np.allclose(c, a + d.T)
    inverse = a.copy(order="F")
    assert engine.call("rocblas_dtrtri", engine.handle, LOWER, NON_UNIT, 40, inverse, 40, inverse, 40) == SUCCESS
    assert np.allclose(np.tril(inverse) @ np.tril(a), np.eye(40), atol=1e-6) or np.linalg.cond(np.tril(a)) > 1e8
    assert np.array_equal(np.triu(inverse, 1), np.triu(a, 1))


@pytest.mark.parametrize("letter", "sdcz")
def test_sizes_that_every_core_shares(engine: Engine, letter: str) -> None:
    """Cut between threads; odd sizes, so that no part is like another."""
    t, rng, h = DTYPES[letter], np.random.default_rng(7), engine.handle
    n, k = 333, 257
    a, b = np.asfortranarray(random(rng, (n, k), t)), np.asfortranarray(random(rng, (k, n), t))
    one, zero, tolerance = np.ones(1, t), np.zeros(1, t), 40 * k * eps(t)

    def close(x: np.ndarray, y: np.ndarray) -> bool:
        return bool(np.abs(x - y).max() <= tolerance)

    wa, wb = a.astype(np.complex128), b.astype(np.complex128)
    c = np.full((n, n), np.nan, t, order="F")
    assert engine.call(f"rocblas_{letter}gemm", h, NONE, NONE, n, n, k, one, a, n, b, k, zero, c, n) == SUCCESS
    assert close(c, wa @ wb)
    for uplo in (UPPER, LOWER):
        for name, extra in (("syrk", ()), ("syr2k", (a, n)), ("syrkx", (a, n))):
            c = np.full((n, n), np.nan, t, order="F")
            status = engine.call(f"rocblas_{letter}{name}", h, uplo, NONE, n, k, one, a, n, *extra, zero, c, n)
            want = wa @ wa.T * (2 if name == "syr2k" else 1)
            mask = triangle_mask(n, uplo)
            assert status == SUCCESS and close(c[mask], want[mask]) and np.isnan(c[~mask]).all()
        square = np.asfortranarray(well_conditioned(rng, n, t))
        for side in (LEFT, RIGHT):
            x = np.asfortranarray(random(rng, (n, n), t))
            right = x.copy(order="F")
            assert (
                engine.call(f"rocblas_{letter}trsm", h, side, uplo, TRANS, NON_UNIT, n, n, one, square, n, x, n)
                == SUCCESS
            )
            full = triangular(square, uplo, NON_UNIT).astype(complex).T
            assert close(full @ x if side == LEFT else x @ full, right)
            c = np.full((n, n), np.nan, t, order="F")
            assert (
                engine.call(f"rocblas_{letter}symm", h, side, uplo, n, n, one, square, n, right, n, zero, c, n)
                == SUCCESS
            )
            s = symmetric(square, uplo, False).astype(complex)
            assert close(c, s @ right if side == LEFT else right @ s)


def test_hostile_scalars_are_fetched(tmp_path_factory: pytest.TempPathFactory) -> None:
    hostile = Engine(tmp_path_factory.mktemp("rocblas"), hostile=True)
    h, a, c, one = hostile.handle, np.ones((4, 4)), np.zeros((4, 4)), np.ones(1)
    assert hostile.call("rocblas_set_pointer_mode", h, 1) == SUCCESS
    hostile.control("reset")
    assert hostile.call("rocblas_dgemm", h, NONE, NONE, 4, 4, 4, one, a, 4, a, 4, one, c, 4) == SUCCESS
    assert (c == 4).all() and hostile.control("copies") == 2 and hostile.control("syncs") == 2
    assert hostile.call("rocblas_set_pointer_mode", h, 0) == SUCCESS
    hostile.control("reset")
    assert hostile.call("rocblas_dgemm", h, NONE, NONE, 4, 4, 4, one, a, 4, a, 4, one, c, 4) == SUCCESS
    assert hostile.control("copies") == hostile.control("syncs") == 0
    workspace = np.zeros(64, np.uint8)
    assert hostile.call("rocblas_set_workspace", h, workspace, 64) == SUCCESS
    assert hostile.call("rocblas_dtrsm", h, LEFT, UPPER, NONE, NON_UNIT, 4, 4, one, a, 4, c, 4) == 7
