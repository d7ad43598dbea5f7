"""The host engine's rocBLAS, level 2: values in every form, operands that must not be read, statuses."""

from __future__ import annotations

import contextlib
import mmap

import numpy as np
import pytest
from rocblas_on_host import (
    CONJ,
    DTYPES,
    INVALID_HANDLE,
    INVALID_POINTER,
    INVALID_SIZE,
    INVALID_VALUE,
    LOWER,
    NON_UNIT,
    NONE,
    REAL,
    SUCCESS,
    TRANS,
    UNIT,
    UPPER,
    Engine,
    Matrix,
    Packed,
    Scalar,
    Val,
    Vector,
    band,
    banded,
    enumerate_options,
    eps,
    hide,
    op,
    pack,
    random,
    symmetric,
    triangle_mask,
    triangular,
    wide,
)

INCS = ((1, 1), (2, -1), (-3, 2))
ORDERS = (0, 1, 2, 3, 5, 31, 33, 64, 100)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return Engine(tmp_path_factory.mktemp("rocblas"))


def scalars(t: object, pair: tuple) -> tuple[np.ndarray, np.ndarray]:
    a, b = (np.array(v if np.dtype(t).kind == "c" else np.real(v), t) for v in pair)
    return a, b


PAIRS = ((0.75 - 0.5j, 1.5 + 0.25j), (1, 0), (0, 0.5 + 0.5j), (-1.25, 1))


def product(rng, a, matrix, x_len, y_len, alpha, beta, incs, t, terms):  # noqa: PLR0913
    """x, y and y's new value for y := alpha A x + beta y; what must not be read is NaN."""
    x, y = random(rng, x_len, t), random(rng, y_len, t)
    value = wide(alpha) * (wide(a) @ wide(x)) + wide(beta) * wide(y)
    if alpha == 0:
        x[:] = np.nan
        matrix[:] = np.nan
    if beta == 0:
        y[:] = np.nan
    return Vector(x, inc=incs[0]), Vector(y, value, 4 * (terms + 4) * eps(t), inc=incs[1])


@pytest.mark.parametrize("letter", "sdcz")
def test_gemv(engine: Engine, letter: str) -> None:
    t = DTYPES[letter]
    shapes = [(m, n) for m, n in ((0, 3), (1, 1), (2, 5), (33, 3), (5, 64), (100, 100))]
    for i, (trans, (m, n), pair, incs) in enumerate(enumerate_options((NONE, TRANS, CONJ), shapes, PAIRS, INCS)):
        alpha, beta = scalars(t, pair)

        def problem(rng, trans=trans, m=m, n=n, alpha=alpha, beta=beta, incs=incs):
            a = random(rng, (m, n), t)
            stored = a.copy()
            rows, columns = (m, n) if trans == NONE else (n, m)
            x, y = product(rng, op(a, trans), stored, columns, rows, alpha, beta, incs, t, columns)
            if m == 0 or n == 0:
                y.want = None
            return Val(trans), Val(m), Val(n), Scalar(alpha, t), Matrix(stored), x, Scalar(beta, t), y

        engine.check(f"rocblas_{letter}gemv", problem, i)


@pytest.mark.parametrize("name", ["hsh", "hss", "tst", "tss"])
def test_gemv_16_bit(engine: Engine, name: str) -> None:
    t = DTYPES["h" if name[0] == "h" else "bf"]
    out = t if name[2] == name[0] else np.float32
    for i, (trans, (m, n), pair, incs) in enumerate(
        enumerate_options((NONE, TRANS), ((1, 1), (33, 5), (7, 64)), PAIRS, INCS)
    ):
        alpha, beta = scalars(np.float32, pair)

        def problem(rng, trans=trans, m=m, n=n, alpha=alpha, beta=beta, incs=incs):
            a = random(rng, (m, n), t)
            rows, columns = (m, n) if trans == NONE else (n, m)
            x, y = random(rng, columns, t), random(rng, rows, out)
            value = wide(alpha) * (wide(op(a, trans)) @ wide(x)) + wide(beta) * wide(y)
            if beta == 0:
                y[:] = np.nan
            tolerance = (eps(out) if out == t else 0) * (np.abs(value).max() + 1) + 8 * columns * eps(np.float32)
            return (
                Val(trans), Val(m), Val(n), Scalar(alpha, np.float32), Matrix(a), Vector(x, inc=incs[0]),
                Scalar(beta, np.float32), Vector(y, value, float(tolerance), inc=incs[1]),
            )  # fmt: skip

        engine.check(f"rocblas_{name}gemv", problem, i, forms="bs")


@pytest.mark.parametrize("letter", "sdcz")
def test_gbmv(engine: Engine, letter: str) -> None:
    t = DTYPES[letter]
    shapes = ((1, 1, 0, 0), (5, 7, 1, 2), (33, 20, 3, 0), (31, 64, 8, 40))
    for i, (trans, (m, n, kl, ku), pair, incs) in enumerate(
        enumerate_options((NONE, TRANS, CONJ), shapes, PAIRS, INCS)
    ):
        alpha, beta = scalars(t, pair)

        def problem(rng, trans=trans, m=m, n=n, kl=kl, ku=ku, alpha=alpha, beta=beta, incs=incs):
            a = banded(random(rng, (m, n), t), kl, ku)
            stored = band(a, kl, ku)
            rows, columns = (m, n) if trans == NONE else (n, m)
            x, y = product(rng, op(a, trans), stored, columns, rows, alpha, beta, incs, t, columns)
            return (
                Val(trans), Val(m), Val(n), Val(kl), Val(ku), Scalar(alpha, t), Matrix(stored), x, Scalar(beta, t), y,
            )  # fmt: skip

        engine.check(f"rocblas_{letter}gbmv", problem, i)


@pytest.mark.parametrize("name", ["sger", "dger", "cgeru", "zgeru", "cgerc", "zgerc"])
def test_ger(engine: Engine, name: str) -> None:
    t = DTYPES[name[0]]
    for i, ((m, n), pair, incs) in enumerate(enumerate_options(((0, 2), (1, 1), (33, 5), (64, 100)), PAIRS, INCS)):
        alpha, _ = scalars(t, pair)

        def problem(rng, m=m, n=n, alpha=alpha, incs=incs):
            a, x, y = random(rng, (m, n), t), random(rng, m, t), random(rng, n, t)
            w = wide(y).conj() if name.endswith("c") else wide(y)
            value = wide(a) + wide(alpha) * np.outer(wide(x), w)
            if alpha == 0:
                x[:] = np.nan
            return (
                Val(m), Val(n), Scalar(alpha, t), Vector(x, inc=incs[0]), Vector(y, inc=incs[1]),
                Matrix(a, value, 8 * eps(t)),
            )  # fmt: skip

        engine.check(f"rocblas_{name}", problem, i)


@pytest.mark.parametrize(
    "name", ["ssymv", "dsymv", "csymv", "zsymv", "chemv", "zhemv", "sspmv", "dspmv", "chpmv", "zhpmv"]
)
def test_symmetric_products(engine: Engine, name: str) -> None:
    t, hermitian = DTYPES[name[0]], name[1] == "h"
    for i, (uplo, n, pair, incs) in enumerate(enumerate_options((UPPER, LOWER), ORDERS, PAIRS, INCS)):
        alpha, beta = scalars(t, pair)

        def problem(rng, uplo=uplo, n=n, alpha=alpha, beta=beta, incs=incs):
            a = random(rng, (n, n), t)
            stored = hide(a, uplo) if "p" not in name else pack(a, uplo)
            if hermitian and n and name[2] == "e":  # the diagonal's imaginary part is not looked at
                stored[np.arange(n), np.arange(n)] = a[np.arange(n), np.arange(n)].real + 1j * np.float32(7)
            x, y = product(rng, symmetric(a, uplo, hermitian), stored, n, n, alpha, beta, incs, t, n)
            operand = Matrix(stored) if "p" not in name else Packed(stored)
            return Val(uplo), Val(n), Scalar(alpha, t), operand, x, Scalar(beta, t), y

        engine.check(f"rocblas_{name}", problem, i)


@pytest.mark.parametrize("name", ["ssbmv", "dsbmv", "chbmv", "zhbmv"])
def test_symmetric_band_products(engine: Engine, name: str) -> None:
    t, hermitian = DTYPES[name[0]], name[1] == "h"
    shapes = ((1, 0), (5, 2), (33, 4), (64, 70))
    for i, (uplo, (n, k), pair, incs) in enumerate(enumerate_options((UPPER, LOWER), shapes, PAIRS, INCS)):
        alpha, beta = scalars(t, pair)

        def problem(rng, uplo=uplo, n=n, k=k, alpha=alpha, beta=beta, incs=incs):
            a = banded(random(rng, (n, n), t), k, k)
            one_side = np.where(triangle_mask(n, uplo), a, 0).astype(t)
            stored = band(one_side, 0, k) if uplo == UPPER else band(one_side, k, 0)
            x, y = product(rng, symmetric(a, uplo, hermitian), stored, n, n, alpha, beta, incs, t, 2 * k + 1)
            return Val(uplo), Val(n), Val(k), Scalar(alpha, t), Matrix(stored), x, Scalar(beta, t), y

        engine.check(f"rocblas_{name}", problem, i)


RANK_1 = ["ssyr", "dsyr", "csyr", "zsyr", "cher", "zher", "sspr", "dspr", "cspr", "zspr", "chpr", "zhpr"]
RANK_2 = ["ssyr2", "dsyr2", "csyr2", "zsyr2", "cher2", "zher2", "sspr2", "dspr2", "chpr2", "zhpr2"]


@pytest.mark.parametrize("name", RANK_1 + RANK_2)
def test_rank_updates(engine: Engine, name: str) -> None:
    t, hermitian, packed, two = DTYPES[name[0]], name[1] == "h", name[2] == "p", name.endswith("2")
    a_type = REAL[name[0]] if hermitian and not two else t
    for i, (uplo, n, pair, incs) in enumerate(enumerate_options((UPPER, LOWER), ORDERS, PAIRS, INCS)):
        alpha, _ = scalars(a_type, pair)

        def problem(rng, uplo=uplo, n=n, alpha=alpha, incs=incs):
            a, x, y = random(rng, (n, n), t), random(rng, n, t), random(rng, n, t)
            left, right, al = wide(x), wide(y), wide(alpha)

            def adjoint(v):
                return v.conj() if hermitian else v

            if two:
                delta = al * np.outer(left, adjoint(right)) + adjoint(al) * np.outer(right, adjoint(left))
            else:
                delta = al * np.outer(left, adjoint(left))
            value = np.where(triangle_mask(n, uplo), wide(a) + delta, np.nan)
            if hermitian and alpha != 0:
                value[np.arange(n), np.arange(n)] = value[np.arange(n), np.arange(n)].real
            if alpha == 0:
                value = wide(a)
                x[:] = np.nan
            else:
                a = hide(a, uplo)
            target = Packed(pack(a, uplo), pack(value, uplo), 8 * eps(t)) if packed else Matrix(a, value, 8 * eps(t))
            vectors = [Vector(x, inc=incs[0])] + ([Vector(y, inc=incs[1])] if two else [])
            return Val(uplo), Val(n), Scalar(alpha, a_type), *vectors, target

        engine.check(f"rocblas_{name}", problem, i)


@pytest.mark.parametrize("letter", "sdcz")
@pytest.mark.parametrize("kind", ["trmv", "trsv", "tbmv", "tbsv", "tpmv", "tpsv"])
def test_triangular(engine: Engine, letter: str, kind: str) -> None:
    t = DTYPES[letter]
    options = enumerate_options((UPPER, LOWER), (NONE, TRANS, CONJ), (NON_UNIT, UNIT), ORDERS, (1, -2, 3))
    for i, (uplo, trans, diag, n, inc) in enumerate(options):
        k = min(3, n + 1)

        def problem(rng, uplo=uplo, trans=trans, diag=diag, n=n, inc=inc, k=k):
            a = random(rng, (n, n), t) / max(n, 1)
            a[np.arange(n), np.arange(n)] = 1.5
            a = a.astype(t)
            if kind[1] == "b":
                a = banded(a, k, k)
            full = op(wide(triangular(a, uplo, diag)), trans)
            x = random(rng, n, t)
            if kind.endswith("mv"):
                value = full @ wide(x)
            else:  # the right-hand side of a known solution, rounded
                value = wide(x)
                x = (full @ value).astype(t)
                solved = np.complex128 if np.dtype(t).kind == "c" else np.float64
                value = np.linalg.solve(full.astype(solved), wide(x).astype(solved)) if n else value
            stored = hide(a, uplo, diag)
            if kind[1] == "r":
                operand, extra = Matrix(stored), ()
            elif kind[1] == "b":
                side = np.where(triangle_mask(n, uplo), a, 0).astype(t)
                stored = band(side, 0, k) if uplo == UPPER else band(side, k, 0)
                if diag == UNIT and n:
                    stored[k if uplo == UPPER else 0] = np.nan
                operand, extra = Matrix(stored), (Val(k),)
            else:
                operand, extra = Packed(pack(stored, uplo)), ()
            return (
                Val(uplo),
                Val(trans),
                Val(diag),
                Val(n),
                *extra,
                operand,
                Vector(x, value, 16 * (n + 4) * eps(t), inc=inc),
            )

        engine.check(f"rocblas_{letter}{kind}", problem, i)


def test_statuses(engine: Engine) -> None:
    h, a, x, y = engine.handle, np.ones((4, 4), np.float32), np.ones(4, np.float32), np.ones(4, np.float32)
    one, zero = np.ones(1, np.float32), np.zeros(1, np.float32)

    def gemv(handle=h, t=NONE, m=4, n=4, alpha=one, A=a, lda=4, X=x, incx=1, beta=one, Y=y, incy=1):
        return engine.call("rocblas_sgemv", handle, t, m, n, alpha, A, lda, X, incx, beta, Y, incy)

    assert gemv(handle=None, t=0) == INVALID_HANDLE
    assert gemv(t=0, m=-1) == INVALID_VALUE
    for bad in ({"m": -1}, {"n": -1}, {"lda": 3}, {"incx": 0}, {"incy": 0}, {"m": 0, "lda": 0}):
        assert gemv(**bad) == INVALID_SIZE
    assert gemv(m=0, alpha=None, beta=None, A=None) == SUCCESS
    for bad in ({"alpha": None}, {"beta": None}, {"A": None}, {"X": None}, {"Y": None}):
        assert gemv(**bad) == INVALID_POINTER
    assert gemv(alpha=zero, A=None, X=None) == SUCCESS
    assert gemv(alpha=zero, beta=one, Y=None) == SUCCESS
    assert engine.call("rocblas_sgemv_batched", h, NONE, 4, 4, one, None, 4, None, 1, one, None, 1, 0) == SUCCESS
    assert engine.call("rocblas_sgemv_batched", h, NONE, 4, 4, one, None, 4, None, 1, one, None, 1, -1) == INVALID_SIZE
    assert engine.call("rocblas_strsv", h, 0, NONE, UNIT, 4, a, 4, x, 1) == INVALID_VALUE
    assert engine.call("rocblas_strsv", h, UPPER, NONE, 0, 4, a, 4, x, 1) == INVALID_VALUE
    assert engine.call("rocblas_strsv", h, UPPER, NONE, UNIT, 4, a, 3, x, 1) == INVALID_SIZE
    assert engine.call("rocblas_strsv", h, UPPER, NONE, UNIT, 4, None, 4, x, 1) == INVALID_POINTER
    assert engine.call("rocblas_strsv", h, UPPER, NONE, UNIT, 0, None, 1, None, 1) == SUCCESS
    assert engine.call("rocblas_ssyr", h, UPPER, 4, None, x, 1, a, 4) == INVALID_POINTER
    assert engine.call("rocblas_ssyr", h, UPPER, 4, zero, None, 1, None, 4) == SUCCESS
    assert engine.call("rocblas_sger", h, 4, 4, one, x, 0, y, 1, a, 4) == INVALID_SIZE
    assert engine.call("rocblas_stbmv", h, UPPER, NONE, UNIT, 4, 4, a, 4, x, 1) == INVALID_SIZE


@pytest.mark.parametrize("name", ["spr", "syr", "spr2", "syr2", "spmv", "symv", "tpmv", "trsv", "sbmv", "gbmv", "tbsv"])
def test_64_bit_functions_refuse_what_rocblas_has_no_kernels_for(engine: Engine, name: str) -> None:
    """After every other check, and not when there is nothing to do (rocBLAS's src64/blas2)."""
    h, one, zero, room = engine.handle, np.ones(1, np.float32), np.zeros(1, np.float32), np.zeros(4, np.float32)
    n = 1 << 31

    def call(alpha, x):
        update, product = (alpha, x, 1), (x, 1, one, room, 1)
        arguments = {
            "spr": (UPPER, n, *update, room), "syr": (UPPER, n, *update, room, n),
            "spr2": (UPPER, n, *update, x, 1, room), "syr2": (UPPER, n, *update, x, 1, room, n),
            "spmv": (UPPER, n, alpha, x, *product), "symv": (UPPER, n, alpha, x, n, *product),
            "sbmv": (UPPER, n, 1, alpha, x, 2, *product), "gbmv": (NONE, n, n, 1, 1, alpha, x, 3, *product),
            "tpmv": (UPPER, NONE, UNIT, n, x, room, 1), "trsv": (UPPER, NONE, UNIT, n, x, n, room, 1),
            "tbsv": (UPPER, NONE, UNIT, n, 1, x, 2, room, 1),
        }  # fmt: skip
        return engine.call(f"rocblas_s{name}_64", h, *arguments[name])

    assert call(one, room) == INVALID_SIZE
    assert call(one, None) == INVALID_POINTER
    if name[0] != "t":
        assert call(zero, None) == SUCCESS


def test_large_products_use_every_core(engine: Engine) -> None:
    """Sizes at which work is cut between threads."""
    rng = np.random.default_rng(5)
    for letter in "dz":
        t = DTYPES[letter]
        for trans, m, n in ((NONE, 1500, 700), (CONJ, 1100, 900)):
            a, alpha, beta = np.asfortranarray(random(rng, (m, n), t)), np.ones(1, t), np.zeros(1, t)
            rows, columns = (m, n) if trans == NONE else (n, m)
            x, y = random(rng, columns, t), np.full(rows, np.nan, t)
            assert (
                engine.call(f"rocblas_{letter}gemv", engine.handle, trans, m, n, alpha, a, m, x, -1, beta, y, -1)
                == SUCCESS
            )
            assert np.allclose(y[::-1], op(a, trans) @ x[::-1], rtol=1e-12, atol=1e-11)
            u, v, old = random(rng, m, t), random(rng, n, t), a.copy()
            name = "dger" if letter == "d" else "zgerc"
            assert engine.call(f"rocblas_{name}", engine.handle, m, n, alpha, u, -1, v, -1, a, m) == SUCCESS
            assert np.allclose(a, old + np.outer(u[::-1], v[::-1].conj()), rtol=1e-12)


@pytest.mark.parametrize("letter", "cz")
@pytest.mark.parametrize("uplo", [UPPER, LOWER])
def test_hermitian_products_with_increments_beyond_32_bits(engine: Engine, letter: str, uplo: int) -> None:
    """Three elements, far apart in memory that is only reserved."""
    n, inc, dtype, no_reserve = 3, 2**31 + 5, np.dtype(DTYPES[letter]), 0x4000
    rng = np.random.default_rng(uplo)
    a, x, y = (rng.normal(size=(*shape, 2)) @ [1, 1j] for shape in ((n, n), (n,), (n,)))
    a += a.conj().T
    parts = [a[: j + 1, j] if uplo == UPPER else a[j:, j] for j in range(n)]
    in_band = np.zeros((n, n), dtype, "F")
    for j, part in enumerate(parts):
        start = n - 1 - j if uplo == UPPER else 0
        in_band[start : start + len(part), j] = part
    alpha, beta = np.array([1.5 - 0.5j], dtype), np.array([0.25 + 1j], dtype)
    with contextlib.ExitStack() as stack:
        memory = [
            stack.enter_context(
                mmap.mmap(-1, n * inc * dtype.itemsize, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | no_reserve)
            )
            for _ in "xy"
        ]
        px, py = (np.frombuffer(m, dtype) for m in memory)
        for name, matrix in (
            ("hpmv", (n, alpha, np.concatenate(parts).astype(dtype))),
            ("hbmv", (n, n - 1, alpha, in_band, n)),
        ):
            px[::inc], py[::inc] = x, y
            status = engine.call(f"rocblas_{letter}{name}_64", engine.handle, uplo, *matrix, px, inc, beta, py, inc)
            assert status == SUCCESS
            np.testing.assert_allclose(py[::inc], alpha[0] * (a @ x) + beta[0] * y, rtol=1e-4)
        del px, py
