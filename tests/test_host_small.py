"""Small real matrices, which the host engine multiplies and factorises in registers: every size around the vectors',
ties between pivots, zeros, values that are not finite."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from rocblas_on_host import NONE, SUCCESS, TRANS, Engine, op
from rocsolver_on_host import Each, Mat, Val, Vec, solve

SIZES = (1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65)
LETTERS = {"s": np.float32, "d": np.float64}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return Engine(tmp_path_factory.mktemp("engine"))


@pytest.mark.parametrize("letter", LETTERS)
def test_products(engine: Engine, letter: str) -> None:
    """Integers, so that every order of summation gives the same."""
    dtype = LETTERS[letter]
    rng = np.random.default_rng(0)
    shapes = [(m, SIZES[-1 - i], SIZES[(3 * i) % len(SIZES)]) for i, m in enumerate(SIZES)]
    for m, n, k in [*shapes, *((m, 8, 8) for m in (1, 5, 8, 9)), (8, 8, 7), (8, 13, 8)]:
        for tb, (alpha, beta) in ((NONE, (1, 0)), (TRANS, (1, 0)), (NONE, (-2, 3)), (TRANS, (0.5, 1))):
            a = np.full((m + 3, k), np.nan, dtype, "F")
            b = np.full(((k if tb == NONE else n) + 1, n if tb == NONE else k), np.nan, dtype, "F")
            c = np.full((m + 2, n), 77, dtype, "F")
            a[:m], b[:-1] = rng.integers(-9, 9, (m, k)), rng.integers(-9, 9, (b.shape[0] - 1, b.shape[1]))
            c[:m] = np.nan if beta == 0 else rng.integers(-9, 9, (m, n))
            want = alpha * a[:m] @ op(b[:-1], tb) + (beta * c[:m] if beta else 0)
            scalars = np.array([alpha], dtype), np.array([beta], dtype)
            status = engine.call(f"rocblas_{letter}gemm", engine.handle, NONE, tb, m, n, k, scalars[0], a, m + 3, b,
                                 len(b), scalars[1], c, m + 2)  # fmt: skip
            assert status == SUCCESS
            assert np.array_equal(c[:m], want), (m, n, k, tb)
            assert (c[m:] == 77).all(), "wrote behind a column"


@pytest.mark.parametrize("letter", LETTERS)
@pytest.mark.parametrize("n", [3, 8, 13])
def test_batches_of_products(engine: Engine, letter: str, n: int) -> None:
    """As many as two threads share; between the matrices nothing is written, and C is not read when beta is 0."""
    dtype, rng, batch = LETTERS[letter], np.random.default_rng(n), 1203
    a, b = (rng.integers(-9, 9, (batch, n + 1, n)).astype(dtype) for _ in "ab")  # column-major: one row transposed
    one = np.ones(1, dtype)
    for tb, beta in ((NONE, 0), (NONE, 2), (TRANS, 2)):
        c = np.full((batch, n + 2, n + 1), 77 if beta else np.nan, dtype)
        before = c.copy()
        status = engine.call(
            f"rocblas_{letter}gemm_strided_batched", engine.handle, NONE, tb, n, n, n, one, a, n, a[0].size, b, n,
            b[0].size, np.array([beta], dtype), c, n + 1, c[0].size, batch,
        )  # fmt: skip
        assert status == SUCCESS
        left, right = (x[:, :n].transpose(0, 2, 1) for x in (a, b))
        product = left @ (right if tb == NONE else right.transpose(0, 2, 1))
        before[:, :n, :n] = (product + (beta * 77 if beta else 0)).transpose(0, 2, 1)
        assert np.array_equal(c, before, equal_nan=True)


def test_products_not_finite(engine: Engine) -> None:
    a, b, c = np.ones((20, 5), np.float32, "F"), np.ones((5, 9), np.float32, "F"), np.zeros((20, 9), np.float32, "F")
    a[3, 1], a[17, 2], b[4, 8] = np.nan, np.inf, -np.inf
    one, zero = np.ones(1, np.float32), np.zeros(1, np.float32)
    assert engine.call("rocblas_sgemm", engine.handle, NONE, NONE, 20, 9, 5, one, a, 20, b, 5, zero, c, 20) == SUCCESS
    with np.errstate(invalid="ignore"):
        assert np.array_equal(c, a @ b, equal_nan=True)


def exact_lu(a: np.ndarray) -> tuple[np.ndarray, list[int], int]:
    """LAPACK's getf2 in fractions: factors, pivots, info. The first of the largest is the pivot."""
    w = [[Fraction(float(x)) for x in row] for row in a]
    m, n = a.shape
    pivots, info = [], 0
    for k in range(min(m, n)):
        p = max(range(k, m), key=lambda i: (abs(w[i][k]), -i))
        pivots.append(p + 1)
        w[k], w[p] = w[p], w[k]
        if w[k][k] == 0:
            info = info or k + 1
            continue
        for i in range(k + 1, m):
            w[i][k] /= w[k][k]
            for j in range(k + 1, n):
                w[i][j] -= w[i][k] * w[k][j]
    return np.array([[float(x) for x in row] for row in w]), pivots, info


def factorised(engine: Engine, letter: str, a: np.ndarray) -> tuple[np.ndarray, list[int], int]:
    m, n = a.shape
    found: list[np.ndarray] = []

    def problem(_: object) -> list[object]:
        return [Val(m), Val(n), Mat(a.astype(LETTERS[letter])), Vec(np.zeros(min(m, n), np.int32)), Each()]

    def check(_: object, got: list[np.ndarray]) -> None:
        found[:] = [g.copy() for g in got]

    solve(engine, f"rocsolver_{letter}getrf", problem, check, forms="o")
    return found[0], list(map(int, found[1])), int(found[2][0])


@pytest.mark.parametrize("letter", LETTERS)
@pytest.mark.parametrize(
    "shape", [(1, 1), (2, 2), (3, 5), (5, 3), (8, 8), (9, 9), (17, 12), (12, 17), (20, 20)], ids=str
)
def test_pivots_and_factors(engine: Engine, letter: str, shape: tuple[int, int]) -> None:
    """Few different values, so that pivots tie; a factor of the matrix is exact, so that the computed ones tie too."""
    rng = np.random.default_rng(shape[0])
    m, n = shape
    least = min(m, n)
    lower = np.tril(rng.choice([-1, -0.5, 0.5, 1], (m, least)), -1) + np.eye(m, least)
    upper = np.triu(rng.choice([-2, -1, 1, 2], (least, n)))
    a = (lower @ upper)[rng.permutation(m)]
    want, pivots, info = exact_lu(a)
    got, found, status = factorised(engine, letter, a)
    exact = np.array_equal(want, want.astype(np.float32))  # else two orders of rounding may break a tie
    if exact:
        assert found == pivots
        assert np.array_equal(got, want)
    rows = list(range(m))
    for k, p in enumerate(found):
        rows[k], rows[p - 1] = rows[p - 1], rows[k]
    product = (np.tril(got[:, :least].astype(float), -1) + np.eye(m, least)) @ np.triu(got[:least].astype(float))
    assert np.abs(product - a[rows]).max() <= 30 * max(m, n) * np.finfo(LETTERS[letter]).eps * np.abs(a).max()
    assert status == info == 0
    assert (np.abs(np.tril(got[:, :least], -1)) <= 1).all(), "not the largest was the pivot"


def test_ties_after_an_exchange(engine: Engine) -> None:
    """The first of equal ones where the rows stand now, not where they once were."""
    a = np.array([[1, 1, 1], [2, 4, 5], [1, 3, 4], [2, 2, 9]], float)
    want, pivots, _ = exact_lu(a)
    for letter in LETTERS:
        got, found, info = factorised(engine, letter, a)
        assert (found, info) == (pivots, 0)
        assert np.array_equal(got, want)


@pytest.mark.parametrize("letter", LETTERS)
def test_singular(engine: Engine, letter: str) -> None:
    a = np.zeros((10, 10))
    a[:, 0], a[3:, 4], a[2, 9] = 1, np.arange(7), -3
    want, pivots, info = exact_lu(a)
    got, found, status = factorised(engine, letter, a)
    assert (found, status) == (pivots, info)
    np.testing.assert_allclose(got, want, rtol=1e-6)


@pytest.mark.parametrize("letter", LETTERS)
def test_not_finite_factors(engine: Engine, letter: str) -> None:
    """A NaN in a column of zeros is no zero pivot; infinity stays where it is alone."""
    a = np.eye(9)
    a[5, 2], a[2, 2] = np.nan, 0
    _, pivots, info = factorised(engine, letter, a)
    assert info == 0 and pivots[2] == 6
    a = np.eye(9)
    a[0, 8] = np.inf
    got, pivots, info = factorised(engine, letter, a)
    assert info == 0 and pivots == list(range(1, 10))
    assert np.array_equal(got[1:, :8], a[1:, :8]) and got[0, 8] == np.inf
