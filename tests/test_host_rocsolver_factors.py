"""rocSOLVER's Cholesky, orthogonal and indefinite factorisations and reductions on the host engine, by residuals."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from rocblas_on_host import (
    CONJ,
    DTYPES,
    LEFT,
    LOWER,
    NON_UNIT,
    NONE,
    REAL,
    RIGHT,
    TRANS,
    UNIT,
    UPPER,
    Engine,
    Val,
    hide,
    random,
    triangular,
    wide,
)
from rocsolver_on_host import Each, Mat, Vec, norm, small, solve

TYPES = "sdcz"
COLUMNS, ROWS = 181, 182


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    yield Engine(tmp_path_factory.mktemp("engine"), hostile=True)


def positive(rng: np.random.Generator, n: int, dtype: object) -> np.ndarray:
    a = random(rng, (n, n), dtype)
    return (a @ a.conj().T + n * np.eye(n)).astype(dtype)


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize("uplo", [UPPER, LOWER])
@pytest.mark.parametrize("n", [1, 40])
def test_potrf(engine: Engine, t: str, uplo: int, n: int) -> None:
    def problem(rng):
        return [Val(uplo), Val(n), Mat(hide(positive(rng, n, DTYPES[t]), uplo)), Each()]

    def check(args, got):
        a = args[2].data
        f = triangular(got[0], uplo, NON_UNIT)
        product = f.conj().T @ f if uplo == UPPER else f @ f.conj().T
        error = np.where(np.isnan(a), 0, product - np.nan_to_num(a))
        small(error, norm(np.nan_to_num(a)), DTYPES[t], n)
        assert np.array_equal(np.isnan(got[0]), np.isnan(a))
        assert got[1][0] == 0

    for name in ("potrf", "potf2"):
        solve(engine, f"rocsolver_{t}{name}", problem, check, wide=True)


def test_potrf_names_the_minor(engine: Engine) -> None:
    def problem(rng):
        a = positive(rng, 6, np.float64)
        a[3, 3] = -1
        return [Val(LOWER), Val(6), Mat(a), Each()]

    def check(args, got):
        assert got[1][0] == 4

    solve(engine, "rocsolver_dpotrf", problem, check)


@pytest.mark.parametrize("n", [6, 400])
@pytest.mark.parametrize("uplo", [UPPER, LOWER])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_potrf_names_the_first_pivot_that_is_no_number(engine: Engine, n: int, uplo: int, bad: float) -> None:
    def problem(rng):
        a = positive(rng, n, np.float64)
        a[n - 2, n - 2] = bad
        if bad != bad:
            a[n // 2, 1] = a[1, n // 2] = bad
        return [Val(uplo), Val(n), Mat(a), Each()]

    def check(args, got):
        assert got[1][0] == (n // 2 if bad != bad else n - 2) + 1

    solve(engine, "rocsolver_dpotrf", problem, check)


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize("uplo", [UPPER, LOWER])
def test_potrs_potri_posv(engine: Engine, t: str, uplo: int) -> None:
    n, nrhs = 21, 4

    def factor(rng):
        a = positive(rng, n, DTYPES[t])
        c = np.linalg.cholesky(a)
        return a, hide(c if uplo == LOWER else c.conj().T, uplo).astype(DTYPES[t])

    def right(rng):
        return random(np.random.default_rng(3), (n, nrhs), DTYPES[t])

    def judge(f, b, x):
        f = triangular(f, uplo, NON_UNIT)
        a = wide(f.conj().T @ f if uplo == UPPER else f @ f.conj().T)
        small(a @ wide(x) - wide(b), norm(a) * norm(x), DTYPES[t], n)

    def inverse(args, got):
        f = triangular(args[2].data, uplo, NON_UNIT)
        a = f.conj().T @ f if uplo == UPPER else f @ f.conj().T
        half = triangular(got[0], uplo, NON_UNIT)
        whole = half + half.conj().T - np.diag(np.diag(half))
        small(a @ whole - np.eye(n), norm(a) * norm(whole), DTYPES[t], n)

    solve(
        engine,
        f"rocsolver_{t}potrs",
        lambda rng: [Val(uplo), Val(n), Val(nrhs), Mat(factor(rng)[1]), Mat(right(rng))],
        lambda args, got: judge(args[3].data, args[4].data, got[1]),
        wide=True,
    )
    solve(engine, f"rocsolver_{t}potri", lambda rng: [Val(uplo), Val(n), Mat(factor(rng)[1]), Each()], inverse)
    solve(
        engine,
        f"rocsolver_{t}posv",
        lambda rng: [Val(uplo), Val(n), Val(nrhs), Mat(hide(factor(rng)[0], uplo)), Mat(right(rng)), Each()],
        lambda args, got: judge(got[0], args[4].data, got[1]),
    )


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize("uplo", [UPPER, LOWER])
@pytest.mark.parametrize("diag", [UNIT, NON_UNIT])
def test_trtri(engine: Engine, t: str, uplo: int, diag: int) -> None:
    n = 30

    def problem(rng):
        a = random(rng, (n, n), DTYPES[t]) / n + 2 * np.eye(n)
        return [Val(uplo), Val(diag), Val(n), Mat(hide(a.astype(DTYPES[t]), uplo, diag)), Each()]

    def check(args, got):
        a, x = triangular(args[3].data, uplo, diag), triangular(got[0], uplo, diag)
        small(wide(a) @ wide(x) - np.eye(n), norm(a) * norm(x), DTYPES[t], n)

    solve(engine, f"rocsolver_{t}trtri", problem, check)


def dense_q(engine: Engine, t: str, kind: str, f: np.ndarray, tau: np.ndarray, order: int) -> np.ndarray:
    """Q of a factorisation, by applying it to the identity."""
    k = len(tau)
    apply = f"rocsolver_{t}{'orm' if t in 'sd' else 'unm'}{kind}"
    c, packed = np.asfortranarray(np.eye(order, dtype=DTYPES[t])), np.asfortranarray(f)
    status = engine.call(apply, engine.handle, LEFT, NONE, order, order, k, packed, packed.shape[0], tau, c, order)
    assert status == 0
    return c


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize("kind", ["qr", "lq", "ql"])
@pytest.mark.parametrize(("m", "n"), [(12, 12), (30, 9), (9, 30)])
def test_orthogonal_factors(engine: Engine, t: str, kind: str, m: int, n: int) -> None:
    k = min(m, n)

    def problem(rng):
        return [Val(m), Val(n), Mat(random(rng, (m, n), DTYPES[t])), Vec(np.full(k, np.nan, DTYPES[t]))]

    def check(args, got):
        a, f, tau = args[2].data, got[0].copy(), got[1].copy()
        if kind == "qr":
            product = dense_q(engine, t, "qr", f[:, :k], tau, m) @ np.triu(f)
        elif kind == "lq":
            product = np.tril(f) @ dense_q(engine, t, "lq", f[:k], tau, n)
        else:
            product = dense_q(engine, t, "ql", f[:, n - k :], tau, m) @ np.tril(f, n - m)
        small(product - a, norm(a), DTYPES[t], max(m, n))

    solve(engine, f"rocsolver_{t}ge{kind}f", problem, check)


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize("kind", ["qr", "lq", "ql"])
def test_explicit_q(engine: Engine, t: str, kind: str) -> None:
    m, n = (20, 8) if kind != "lq" else (8, 20)
    rng = np.random.default_rng(0)
    f, tau = np.asfortranarray(random(rng, (m, n), DTYPES[t])), np.zeros(8, DTYPES[t])
    assert engine.call(f"rocsolver_{t}ge{kind}f", engine.handle, m, n, f, m, tau) == 0
    q = dense_q(engine, t, kind, f, tau, 20)
    name = f"rocsolver_{t}{'org' if t in 'sd' else 'ung'}{kind}"
    assert engine.call(name, engine.handle, m, n, 8, f, m, tau) == 0
    want = {"qr": q[:, :8], "lq": q[:8], "ql": q[:, -8:]}[kind]
    small(f - want, 1, DTYPES[t], 20)


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize("side", [LEFT, RIGHT])
def test_ormqr_sides(engine: Engine, t: str, side: int) -> None:
    order, k, other = 14, 6, 5
    rng = np.random.default_rng(1)
    f, tau = np.asfortranarray(random(rng, (order, k), DTYPES[t])), np.zeros(k, DTYPES[t])
    assert engine.call(f"rocsolver_{t}geqrf", engine.handle, order, k, f, order, tau) == 0
    q = dense_q(engine, t, "qr", f, tau, order)
    shape = (order, other) if side == LEFT else (other, order)
    name = f"rocsolver_{t}{'orm' if t in 'sd' else 'unm'}qr"
    for op in (NONE, TRANS if t in "sd" else CONJ):
        c = np.asfortranarray(random(rng, shape, DTYPES[t]))
        want = q if op == NONE else q.conj().T
        want = want @ c if side == LEFT else c @ want
        assert engine.call(name, engine.handle, side, op, *shape, k, f, order, tau, c, shape[0]) == 0
        small(c - want, norm(want), DTYPES[t], order)


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize("uplo", [UPPER, LOWER])
def test_sytrd_and_its_q(engine: Engine, t: str, uplo: int) -> None:
    n = 17
    start, q_start = ("sy", "or") if t in "sd" else ("he", "un")

    def problem(rng):
        a = random(rng, (n, n), DTYPES[t])
        a = a + a.conj().T
        vectors = [Vec(np.zeros(n, REAL[t])), Vec(np.zeros(n - 1, REAL[t])), Vec(np.zeros(n - 1, DTYPES[t]))]
        return [Val(uplo), Val(n), Mat(a), *vectors]

    def check(args, got):
        f, d, e, tau = (np.asfortranarray(g) for g in got)
        assert engine.call(f"rocsolver_{t}{q_start}gtr", engine.handle, uplo, n, f, n, tau) == 0
        a = args[2].data
        small(f @ (np.diag(d) + np.diag(e, 1) + np.diag(e, -1)) @ f.conj().T - a, norm(a), DTYPES[t], n)

    solve(engine, f"rocsolver_{t}{start}trd", problem, check)


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize(("m", "n"), [(15, 9), (9, 15), (7, 7)])
def test_gebrd_and_its_factors(engine: Engine, t: str, m: int, n: int) -> None:
    k = min(m, n)
    generate = f"rocsolver_{t}{'orgbr' if t in 'sd' else 'ungbr'}"

    def problem(rng):
        real = [Vec(np.zeros(k, REAL[t])), Vec(np.zeros(max(k - 1, 1), REAL[t]))]
        return [
            Val(m),
            Val(n),
            Mat(random(rng, (m, n), DTYPES[t])),
            *real,
            Vec(np.zeros(k, DTYPES[t])),
            Vec(np.zeros(k, DTYPES[t])),
        ]

    def check(args, got):
        f, d, e, tauq, taup = (g.copy(order="F") for g in got)
        q, p = f[:, :k].copy(order="F"), f[:k].copy(order="F")
        assert engine.call(generate, engine.handle, COLUMNS, m, k, n, q, m, tauq) == 0
        assert engine.call(generate, engine.handle, ROWS, k, n, m, p, k, taup) == 0
        b = np.diag(d) + np.diag(e[: k - 1], 1 if m >= n else -1)
        small(q @ b @ p - args[2].data, norm(args[2].data), DTYPES[t], max(m, n))

    solve(engine, f"rocsolver_{t}gebrd", problem, check)


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize("uplo", [UPPER, LOWER])
def test_sytrf(engine: Engine, t: str, uplo: int) -> None:
    """Against LAPACK's own factors: pivots of 2 x 2 blocks are negative pairs."""
    from scipy.linalg import get_lapack_funcs

    n = 23

    def problem(rng):
        a = random(rng, (n, n), DTYPES[t])
        return [Val(uplo), Val(n), Mat(a + a.T), Vec(np.zeros(n, np.int64)), Each()]

    def check(args, got):
        (sytrf,) = get_lapack_funcs(("sytrf",), (args[2].data,))
        factors, pivots, info = sytrf(args[2].data, lower=uplo == LOWER)
        pick = np.triu if uplo == UPPER else np.tril
        assert got[2][0] == info == 0
        # scipy counts its pivots from 0
        assert np.array_equal(got[1], np.where(pivots >= 0, pivots + 1, pivots)) or np.array_equal(got[1], pivots)
        small(pick(got[0]) - pick(factors), norm(factors), DTYPES[t], 100 * n)

    solve(engine, f"rocsolver_{t}sytrf", problem, check)


@pytest.mark.parametrize("t", TYPES)
def test_reflections_and_interchanges(engine: Engine, t: str) -> None:
    rng = np.random.default_rng(2)
    h, dtype = engine.handle, DTYPES[t]
    x = random(rng, 9, dtype)
    alpha, tail, tau = x[:1].copy(), x[1:].copy(), np.zeros(1, dtype)
    assert engine.call(f"rocsolver_{t}larfg", h, 9, alpha, tail, 1, tau) == 0
    v = np.concatenate([np.ones(1, dtype), tail])
    reflector = np.eye(9) - tau[0] * np.outer(v, v.conj())
    small(reflector.conj().T @ x - np.concatenate([alpha, np.zeros(8)]), norm(x[:, None]), dtype, 9)
    a = np.asfortranarray(random(rng, (9, 4), dtype))
    want = reflector @ a
    assert engine.call(f"rocsolver_{t}larf", h, LEFT, 9, 4, v, 1, tau, a, 9) == 0
    small(a - want, norm(want), dtype, 9)
    a = np.asfortranarray(random(rng, (6, 3), dtype))
    want, pivots = a.copy(), np.array([3, 3, 6, 4], np.int32)
    for i, p in enumerate(pivots):
        want[[i, p - 1]] = want[[p - 1, i]]
    assert engine.call(f"rocsolver_{t}laswp", h, 3, a, 6, 1, 4, pivots, 1) == 0
    assert np.array_equal(a, want)


@pytest.mark.parametrize("t", TYPES)
def test_block_tridiagonal(engine: Engine, t: str) -> None:
    nb, nblocks, nrhs = 5, 4, 3
    n, dtype = nb * nblocks, DTYPES[t]
    rng = np.random.default_rng(4)
    a, c = (np.asfortranarray(random(rng, (nb, nb * (nblocks - 1)), dtype)) for _ in range(2))
    b = np.asfortranarray(random(rng, (nb, n), dtype))
    for k in range(nblocks):
        b[:, k * nb : (k + 1) * nb] += 8 * nb * np.eye(nb)
    whole = np.zeros((n, n), dtype)
    for k in range(nblocks):
        s = slice(k * nb, (k + 1) * nb)
        whole[s, s] = b[:, s]
        if k + 1 < nblocks:
            after = slice((k + 1) * nb, (k + 2) * nb)
            whole[after, s], whole[s, after] = a[:, s], c[:, s]
    right = random(rng, (n, nrhs), dtype)
    x = np.asfortranarray(np.concatenate([right[k * nb : (k + 1) * nb] for k in range(nblocks)], axis=1))
    info = np.full(1, 77, np.int32)
    h = engine.handle
    assert engine.call(f"rocsolver_{t}geblttrf_npvt", h, nb, nblocks, a, nb, b, nb, c, nb, info) == 0
    assert info[0] == 0
    assert engine.call(f"rocsolver_{t}geblttrs_npvt", h, nb, nblocks, nrhs, a, nb, b, nb, c, nb, x, nb) == 0
    solution = np.concatenate([x[:, k * nrhs : (k + 1) * nrhs] for k in range(nblocks)])
    small(whole @ solution - right, norm(whole) * norm(solution), dtype, n)
