"""rocSOLVER's factorisations of one large matrix, which the engine spreads over its threads."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from rocblas_on_host import DTYPES, LOWER, NON_UNIT, UPPER, Engine, Val, random, triangular
from rocsolver_on_host import Each, Mat, Vec, norm, small, solve


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SCALE_X_HOST_THREADS", "3")
        yield Engine(tmp_path_factory.mktemp("engine"), hostile=True)


@pytest.mark.parametrize("t", "sdcz")
@pytest.mark.parametrize(("m", "n"), [(450, 450), (500, 390), (390, 500)])
def test_lu_and_qr(engine: Engine, t: str, m: int, n: int) -> None:
    k = min(m, n)

    def lu(args, got):
        f, rows = got[0], args[2].data.copy()
        for i, p in enumerate(got[1]):
            rows[[i, p - 1]] = rows[[p - 1, i]]
        assert got[2][0] == 0
        assert np.abs(np.tril(f, -1)).max() <= 1.5, "not partial pivoting"
        small((np.tril(f[:, :k], -1) + np.eye(m, k)) @ np.triu(f[:k]) - rows, norm(rows), DTYPES[t], k)

    def qr(args, got):
        # R^H R = A^H A, and the factor and scalars are those of LAPACK up to rounding
        a, r = args[2].data, np.triu(got[0])[:k]
        small(r.conj().T @ r - a.conj().T @ a, norm(a) ** 2, DTYPES[t], max(m, n))
        from scipy.linalg import get_lapack_funcs

        (geqrf,) = get_lapack_funcs(("geqrf",), (a,))
        factors, tau, _, _ = geqrf(a)
        small(got[0] - factors, norm(factors) * np.linalg.cond(a[:k, :k]), DTYPES[t], max(m, n))
        small(got[1] - tau, 1, DTYPES[t], 100 * k)

    def matrix(rng):
        return [Val(m), Val(n), Mat(random(rng, (m, n), DTYPES[t]))]

    solve(engine, f"rocsolver_{t}getrf", lambda r: [*matrix(r), Vec(np.zeros(k, np.int64)), Each()], lu, forms="o")
    solve(engine, f"rocsolver_{t}geqrf", lambda r: [*matrix(r), Vec(np.zeros(k, DTYPES[t]))], qr, forms="o")


@pytest.mark.parametrize("t", "sdcz")
@pytest.mark.parametrize("uplo", [UPPER, LOWER])
def test_cholesky(engine: Engine, t: str, uplo: int) -> None:
    n = 450

    def problem(rng):
        a = random(rng, (n, n), DTYPES[t])
        a = (a @ a.conj().T + n * np.eye(n)).astype(DTYPES[t])
        return [Val(uplo), Val(n), Mat(a), Each()]

    def check(args, got):
        a, f = args[2].data, triangular(got[0], uplo, NON_UNIT)
        assert got[1][0] == 0
        small((f.conj().T @ f if uplo == UPPER else f @ f.conj().T) - a, norm(a), DTYPES[t], n)
        other = np.tril if uplo == UPPER else np.triu
        assert np.array_equal(other(got[0], -1 if uplo == UPPER else 1), other(a, -1 if uplo == UPPER else 1))

    def indefinite(rng):
        args = problem(rng)
        args[2].data[420, 420] = -1
        return args

    def minor(args, got):
        assert got[1][0] == 421

    solve(engine, f"rocsolver_{t}potrf", problem, check, forms="o")
    solve(engine, f"rocsolver_{t}potrf", indefinite, minor, forms="o")


def test_singular(engine: Engine) -> None:
    def problem(rng):
        a = random(rng, (450, 450), np.float64)
        a[:, 300] = 0
        a[:, 310] = 0
        return [Val(450), Val(450), Mat(a), Vec(np.zeros(450, np.int64)), Each()]

    def check(args, got):
        assert got[2][0] == 301

    solve(engine, "rocsolver_dgetrf", problem, check, forms="o")
