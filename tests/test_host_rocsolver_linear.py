"""rocSOLVER's LU, inverses, QR and least squares on the host engine, by residuals."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from rocblas_on_host import CONJ, DTYPES, NONE, TRANS, Engine, Val, random, wide
from rocsolver_on_host import Each, Mat, Vec, norm, small, solve

TYPES = "sdcz"


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "hostile"])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    yield Engine(tmp_path_factory.mktemp("engine"), hostile=request.param)


def permute(rows: np.ndarray, pivots: np.ndarray) -> np.ndarray:
    """A with its rows interchanged as getrf did, 1-based."""
    out = rows.copy()
    for i, p in enumerate(pivots):
        out[[i, int(p) - 1]] = out[[int(p) - 1, i]]
    return out


def lower_upper(f: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    m, n = f.shape
    k = min(m, n)
    return np.tril(f[:, :k], -1) + np.eye(m, k), np.triu(f[:k])


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize(("m", "n"), [(1, 1), (5, 3), (3, 5), (40, 40), (70, 33)])
def test_getrf(engine: Engine, t: str, m: int, n: int) -> None:
    def check(problem, got):
        factors, pivots, info = got
        low, up = lower_upper(wide(factors))
        a = wide(problem[2].data)
        assert info[0] == 0
        small(low @ up - permute(a, pivots), norm(a), DTYPES[t], max(m, n))

    def problem(rng):
        return [Val(m), Val(n), Mat(random(rng, (m, n), DTYPES[t])), Vec(np.zeros(min(m, n), np.int64)), Each()]

    for name in ("getrf", "getf2"):
        solve(engine, f"rocsolver_{t}{name}", problem, check, wide=True)


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize(("m", "n"), [(1, 1), (6, 3), (3, 6), (100, 100), (80, 35)])
def test_getrf_npvt(engine: Engine, t: str, m: int, n: int) -> None:
    def problem(rng):
        a = random(rng, (m, n), DTYPES[t])
        a[np.arange(min(m, n)), np.arange(min(m, n))] += max(m, n)
        return [Val(m), Val(n), Mat(a), Each()]

    def check(problem, got):
        low, up = lower_upper(wide(got[0]))
        assert got[1][0] == 0
        small(low @ up - wide(problem[2].data), norm(problem[2].data), DTYPES[t], max(m, n))

    for name in ("getrf_npvt", "getf2_npvt"):
        solve(engine, f"rocsolver_{t}{name}", problem, check, wide=True)


@pytest.mark.parametrize("name", ["getrf", "getrf_npvt"])
@pytest.mark.parametrize("n", [5, 90])
def test_first_zero_pivot(engine: Engine, name: str, n: int) -> None:
    def problem(rng):
        a = np.triu(random(rng, (n, n), np.float64)) + 2 * np.eye(n)
        a[:, 3] = 0
        a[:n, n - 2] = a[:, 3]
        return [Val(n), Val(n), Mat(a), *([Vec(np.zeros(n, np.int64))] if name == "getrf" else []), Each()]

    def check(problem, got):
        assert got[-1][0] == 4

    solve(engine, f"rocsolver_d{name}", problem, check)


def factorised(rng: np.random.Generator, n: int, dtype: object, npvt: bool = False) -> tuple:
    import scipy.linalg as sl

    a = random(rng, (n, n), dtype)
    if npvt:
        a += n * np.eye(n, dtype=dtype)
        low, up = np.eye(n, dtype=dtype), a.copy()
        for k in range(n):
            low[k + 1 :, k] = up[k + 1 :, k] / up[k, k]
            up[k + 1 :] -= low[k + 1 :, k : k + 1] * up[k]
        return a, np.triu(up) + np.tril(low, -1), None
    f, p = sl.lu_factor(a)
    return a, f, p.astype(np.int64) + 1


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize("trans", [NONE, TRANS, CONJ])
@pytest.mark.parametrize(("n", "nrhs"), [(1, 1), (33, 5)])
def test_getrs(engine: Engine, t: str, trans: int, n: int, nrhs: int) -> None:
    def problem(rng):
        a, f, p = factorised(rng, n, DTYPES[t])
        problem.a = {**getattr(problem, "a", {}), f.tobytes(): a}
        return [Val(trans), Val(n), Val(nrhs), Mat(f), Vec(p), Mat(random(rng, (n, nrhs), DTYPES[t]))]

    def check(args, got):
        a = problem.a[args[3].data.tobytes()]
        op = a if trans == NONE else a.T if trans == TRANS else a.conj().T
        x, b = got[2], args[5].data
        small(wide(op) @ wide(x) - wide(b), norm(a) * norm(x), DTYPES[t], n)
        assert np.array_equal(got[0], args[3].data)

    solve(engine, f"rocsolver_{t}getrs", problem, check, wide=True)


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize("npvt", [False, True])
@pytest.mark.parametrize("outofplace", [False, True])
@pytest.mark.parametrize("n", [1, 35])
def test_getri(engine: Engine, t: str, npvt: bool, outofplace: bool, n: int) -> None:
    def problem(rng):
        a, f, p = factorised(rng, n, DTYPES[t], npvt)
        problem.a = {**getattr(problem, "a", {}), f.tobytes(): a}
        pivots = [] if npvt else [Vec(p)]
        return [Val(n), Mat(f), *pivots, *([Mat(np.full_like(f, np.nan))] if outofplace else []), Each()]

    def check(args, got):
        a, inverse = problem.a[args[1].data.tobytes()], got[-2] if outofplace else got[0]
        assert got[-1][0] == 0
        small(wide(inverse) @ wide(a) - np.eye(n), norm(a) * norm(inverse), DTYPES[t], n)
        if outofplace:
            assert np.array_equal(got[0], args[1].data)

    name = f"getri{'_npvt' if npvt else ''}{'_outofplace' if outofplace else ''}"
    solve(engine, f"rocsolver_{t}{name}", problem, check)


def test_getri_of_a_singular_matrix(engine: Engine) -> None:
    def problem(rng):
        f = np.triu(random(rng, (4, 4), np.float64)) + np.eye(4)
        f[2, 2] = 0
        return [Val(4), Mat(f), Vec(np.arange(1, 5)), Each()]

    def check(args, got):
        assert got[-1][0] == 3
        assert np.array_equal(got[0], args[1].data)

    solve(engine, "rocsolver_dgetri", problem, check)


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize(("m", "n"), [(1, 1), (6, 4), (4, 6), (70, 40)])
def test_geqrf(engine: Engine, t: str, m: int, n: int) -> None:
    k = min(m, n)

    def problem(rng):
        return [Val(m), Val(n), Mat(random(rng, (m, n), DTYPES[t])), Vec(np.full(k, np.nan, DTYPES[t]))]

    def check(args, got):
        f, tau = wide(got[0]), wide(got[1])
        q = np.eye(m, dtype=f.dtype)
        for i in range(k):
            v = np.concatenate([np.zeros(i), [1], f[i + 1 :, i]])
            q = q - tau[i] * np.outer(q @ v, v.conj())
        a = wide(args[2].data)
        small(q @ np.triu(f) - a, norm(a), DTYPES[t], max(m, n))
        small(q.conj().T @ q - np.eye(m), 1, DTYPES[t], m, "orthogonality")

    for name in ("geqrf", "geqr2"):
        solve(engine, f"rocsolver_{t}{name}", problem, check, wide=True)


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize("trans", [False, True])
@pytest.mark.parametrize(("m", "n", "nrhs"), [(1, 1, 1), (30, 20, 3), (20, 30, 3), (5, 5, 1)])
def test_gels(engine: Engine, t: str, trans: bool, m: int, n: int, nrhs: int) -> None:
    op = NONE if not trans else CONJ if t in "cz" else TRANS
    rows_b, rows_x = (m, n) if not trans else (n, m)

    def right(rng):
        return random(rng, (max(m, n), nrhs), DTYPES[t])

    def judge(a, b, x):
        a = a.conj().T if trans else a
        want = np.linalg.lstsq(wide(a).astype(complex), wide(b).astype(complex), rcond=None)[0]
        small(x - want, norm(a) * norm(want) * np.linalg.cond(a.astype(complex)) ** 2, DTYPES[t], max(m, n))

    def in_place(rng):
        return [Val(op), Val(m), Val(n), Val(nrhs), Mat(random(rng, (m, n), DTYPES[t])), Mat(right(rng)), Each()]

    def check(args, got):
        assert got[-1][0] == 0
        judge(args[4].data, args[5].data[:rows_b], got[1][:rows_x])

    def out_of_place(rng):
        x = np.full((rows_x, nrhs), np.nan, DTYPES[t])
        return [*in_place(rng)[:5], Mat(right(rng)[:rows_b]), Mat(x), Each()]

    def check_out(args, got):
        assert got[-1][0] == 0
        judge(args[4].data, args[5].data, got[2])
        assert np.array_equal(got[1], args[5].data)

    solve(engine, f"rocsolver_{t}gels", in_place, check)
    solve(engine, f"rocsolver_{t}gels_outofplace", out_of_place, check_out, forms="o")


def test_gels_without_full_rank(engine: Engine) -> None:
    def problem(rng):
        return [Val(NONE), Val(4), Val(3), Val(1), Mat(np.zeros((4, 3))), Mat(np.ones((4, 1))), Each()]

    def check(args, got):
        assert got[-1][0] == 1

    solve(engine, "rocsolver_dgels", problem, check)
