"""rocSOLVER's eigenvalue and singular value families on the host engine, by residuals and against SciPy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from rocblas_on_host import DTYPES, LOWER, REAL, UPPER, Engine, Val, hide, random
from rocsolver_on_host import Each, Mat, StridedMat, Vec, norm, small, solve

TYPES = "sdcz"
AX, ABX, BAX = 221, 222, 223
ORIGINAL, NO_VECTORS = 211, 213
ALL, VALUE, INDEX = 231, 232, 233
SINGULAR_ALL, SINGULAR_VALUE, SINGULAR_INDEX = 261, 262, 263
SVECT_ALL, SINGULAR, OVERWRITE, NONE = 191, 192, 193, 194
ASCENDING = 252


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "hostile"])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    yield Engine(tmp_path_factory.mktemp("engine"), hostile=request.param)


def name_of(t: str, rest: str) -> str:
    return f"rocsolver_{t}{'sy' if t in 'sd' else 'he'}{rest}"


def hermitian(rng: np.random.Generator, n: int, dtype: object) -> np.ndarray:
    a = random(rng, (n, n), dtype)
    return ((a + a.conj().T) / 2).astype(dtype)


def positive(rng: np.random.Generator, n: int, dtype: object) -> np.ndarray:
    a = random(rng, (n, n), dtype)
    return (a @ a.conj().T + n * np.eye(n)).astype(dtype)


def judge(a: np.ndarray, w: np.ndarray, z: np.ndarray, picked: slice = slice(None)) -> None:
    n = len(a)
    want = np.linalg.eigvalsh(a.astype(complex))[picked]
    assert len(w) == len(want)
    small(w - want, norm(a), a.dtype, n, "eigenvalues")
    small(a @ z - z * w, norm(a), a.dtype, n)
    small(z.conj().T @ z - np.eye(len(w)), 1, a.dtype, n, "orthogonality")


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize("uplo", [UPPER, LOWER])
@pytest.mark.parametrize("n", [1, 2, 33])
def test_all_eigenvalues(engine: Engine, t: str, uplo: int, n: int) -> None:
    def problem(rng):
        a = hermitian(rng, n, DTYPES[t])
        problem.a.append(a)
        return [
            Val(ORIGINAL),
            Val(uplo),
            Val(n),
            Mat(hide(a, uplo)),
            Vec(np.zeros(n, REAL[t])),
            Vec(np.zeros(n, REAL[t])),
            Each(),
        ]

    def without_e(rng):
        args = problem(rng)
        return [*args[:5], args[6]]

    def check(args, got):
        assert got[-1][0] == 0
        a = next(a for a in problem.a if np.array_equal(hide(a, uplo), args[3].data, equal_nan=True))
        judge(a, got[1], got[0])

    problem.a = []
    for name, make in (("ev", problem), ("evd", problem), ("evdj", without_e)):
        solve(engine, name_of(t, name), make, check)


def syevj_arguments(t: str, uplo: int, a: np.ndarray, sweeps: int) -> list:
    w = Vec(np.zeros(len(a), REAL[t]))
    head = [Val(ASCENDING), Val(ORIGINAL), Val(uplo), Val(len(a)), Mat(a), Val(0.0)]
    return [*head, Each(REAL[t]), Val(sweeps), Each(), w, Each()]


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize("n", [1, 7, 110])
def test_syevj(engine: Engine, t: str, n: int) -> None:
    def problem(rng):
        return syevj_arguments(t, LOWER, hermitian(rng, n, DTYPES[t]), 100)

    def check(args, got):
        z, residual, sweeps, w, info = got
        assert info[0] == 0 and 0 <= sweeps[0] <= 20
        small(residual, np.linalg.norm(args[4].data), DTYPES[t], n, "what is left off the diagonal")
        judge(args[4].data, w, z)

    solve(engine, name_of(t, "evj"), problem, check, count=2)


@pytest.mark.parametrize("n", [10, 20])
def test_syevj_says_that_it_did_not_converge(engine: Engine, n: int) -> None:
    """Larger ones go through LAPACK first, but where so few sweeps are allowed."""

    def problem(rng):
        a = hermitian(rng, n, np.float64)
        head = [Val(ASCENDING), Val(ORIGINAL), Val(LOWER), Val(n), Mat(a), Val(1e-14)]
        return [*head, Each(np.float64), Val(1), Each(), Vec(np.zeros(n)), Each()]

    def check(args, got):
        assert got[4][0] == 1 and got[2][0] == 1 and got[1][0] > 1e-14 * np.linalg.norm(args[4].data)

    solve(engine, "rocsolver_dsyevj", problem, check)


def extremes(t: str) -> list[float]:
    """Powers of two at which the squares of a matrix's entries overflow or vanish, and the ends of the type."""
    last = int(np.finfo(DTYPES[t]).maxexp)
    return [2.0**k for k in (last - 6, last * 2 // 3, -last * 2 // 3, 8 - last)]


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize("n", [2, 10, 20])
@pytest.mark.parametrize("sweeps", [1, 5, 100])
def test_syevj_where_squares_overflow_or_vanish(engine: Engine, t: str, n: int, sweeps: int) -> None:
    """One sweep leaves the same off the diagonal, whatever the scale."""
    seen = []
    for scale in [1.0, *extremes(t)]:

        def problem(rng, scale=scale):
            a = hermitian(rng, n, DTYPES[t]) * REAL[t](scale)
            return syevj_arguments(t, UPPER, a, sweeps)

        def check(args, got, scale=scale):
            z, residual, _, w, info = got
            seen.append((w / REAL[t](scale), residual[0] / REAL[t](scale), info[0]))
            if sweeps == 100:
                assert info[0] == 0
                judge(args[4].data / REAL[t](scale), w / REAL[t](scale), z)

        solve(engine, name_of(t, "evj"), problem, check, forms="o")
    for w, residual, info in seen[1:]:
        np.testing.assert_allclose(w, seen[0][0], rtol=0, atol=1e-4 * np.abs(seen[0][0]).max())
        assert residual <= 2 * seen[0][1] + 1e-4 and info == seen[0][2]


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize(("row", "column"), [(1, 0), (1, 1)])
@pytest.mark.parametrize("bad", [np.inf, np.nan])
def test_syevj_does_not_converge_on_what_is_not_finite(
    engine: Engine, t: str, row: int, column: int, bad: float
) -> None:
    def problem(rng):
        a = hermitian(rng, 4, DTYPES[t])
        a[row, column] = a[column, row] = bad
        return syevj_arguments(t, LOWER, a, 100)

    def check(args, got):
        assert got[4][0] == 1

    solve(engine, name_of(t, "evj"), problem, check, forms="o")


PARTS: Sequence[tuple[int, float, float, int, int]] = [(ALL, 0, 0, 0, 0), (VALUE, -0.7, 1.1, 0, 0), (INDEX, 0, 0, 3, 8)]


def picked(part: tuple, w: np.ndarray) -> slice:
    if part[0] == ALL:
        return slice(None)
    if part[0] == INDEX:
        return slice(part[3] - 1, part[4])
    inside = np.flatnonzero((w > part[1]) & (w <= part[2]))
    return slice(inside[0], inside[-1] + 1)


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize("part", PARTS, ids=["all", "value", "index"])
def test_part_of_the_spectrum(engine: Engine, t: str, part: tuple) -> None:
    n = 24
    numbers = [Val(v) for v in part[1:]]

    def head(rng):
        return [Val(ORIGINAL), Val(part[0]), Val(UPPER), Val(n), Mat(hermitian(rng, n, DTYPES[t])), *numbers]

    def syevx(rng):
        z = Mat(np.full((n, n), np.nan, DTYPES[t]))
        return [*head(rng), Val(0.0), Each(), Vec(np.zeros(n, REAL[t])), z, Vec(np.full(n, 9, np.int64)), Each()]

    def syevdx(rng):
        args = syevx(rng)
        return [*args[:9], *args[10:13], args[14]]

    def inplace(rng):
        return [*head(rng), Val(0.0), Each(), Vec(np.zeros(n, REAL[t])), Each()]

    def check(args, got):
        a, nev, w = args[4].data, got[1], got[2]
        assert got[-1][0] == 0
        z = got[3] if len(got) > 4 else got[0]
        k = int(nev[0])
        judge(a, w[:k], z[:, :k], picked(part, np.linalg.eigvalsh(a.astype(complex))))
        if len(got) == 6:
            assert not got[4][:k].any()

    solve(engine, name_of(t, "evx"), syevx, check)
    solve(engine, name_of(t, "evdx"), syevdx, check)
    solve(engine, name_of(t, "evdx_inplace"), inplace, check, forms="o")


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize("itype", [AX, ABX, BAX])
@pytest.mark.parametrize("uplo", [UPPER, LOWER])
def test_generalised(engine: Engine, t: str, itype: int, uplo: int) -> None:
    import scipy.linalg as sl

    n = 15

    def head(rng):
        return [
            Val(itype),
            Val(ORIGINAL),
            Val(uplo),
            Val(n),
            Mat(hermitian(rng, n, DTYPES[t])),
            Mat(positive(rng, n, DTYPES[t])),
        ]

    def d() -> Vec:
        return Vec(np.zeros(n, REAL[t]))

    def jacobi(rng):
        return [*head(rng), Val(0.0), Each(REAL[t]), Val(100), Each(), d(), Each()]

    def sygvdx(rng):
        h = head(rng)
        part = [Val(INDEX), *h[2:], Val(0.0), Val(0.0), Val(2), Val(5)]
        return [*h[:2], *part, Each(), d(), Mat(np.full((n, n), np.nan, DTYPES[t])), Each()]

    def residual(a, b, w, z):
        scale = norm(a) * norm(b) * norm(z)
        sides = {AX: (a @ z, b @ z * w), ABX: (a @ b @ z, z * w), BAX: (b @ a @ z, z * w)}
        want = sl.eigh(a.astype(complex), b.astype(complex), eigvals_only=True, type=itype - AX + 1)
        small(sides[itype][0] - sides[itype][1], scale, DTYPES[t], n)
        return want

    def check(args, got):
        a, b = args[4].data, args[5].data
        w = got[2] if len(got) < 6 else got[4]
        assert got[-1][0] == 0
        want = residual(a, b, w, got[0])
        small(w - want, norm(a) * norm(b), DTYPES[t], n, "eigenvalues")

    def check_part(args, got):
        a, b, k = args[5].data, args[6].data, int(got[2][0])
        assert k == 4 and got[-1][0] == 0
        want = residual(a, b, got[3][:k], got[4][:, :k])
        small(got[3][:k] - want[1:5], norm(a) * norm(b), DTYPES[t], n, "eigenvalues")

    solve(engine, name_of(t, "gv"), lambda rng: [*head(rng), d(), d(), Each()], check)
    solve(engine, name_of(t, "gvd"), lambda rng: [*head(rng), d(), d(), Each()], check)
    solve(engine, name_of(t, "gvdj"), lambda rng: [*head(rng), d(), Each()], check)
    solve(engine, name_of(t, "gvj"), jacobi, check)
    solve(engine, name_of(t, "gvdx"), sygvdx, check_part)


def test_generalised_with_an_indefinite_b(engine: Engine) -> None:
    def problem(rng):
        b = positive(rng, 5, np.float64)
        b[2, 2] = -1
        return [
            Val(AX),
            Val(ORIGINAL),
            Val(LOWER),
            Val(5),
            Mat(hermitian(rng, 5, np.float64)),
            Mat(b),
            Vec(np.zeros(5)),
            Vec(np.zeros(5)),
            Each(),
        ]

    def check(args, got):
        assert got[-1][0] == 5 + 3

    solve(engine, "rocsolver_dsygvd", problem, check)


def svd_judge(a: np.ndarray, s: np.ndarray, u: np.ndarray, vh: np.ndarray, loss: float = 1) -> None:
    k = len(s)
    want = np.linalg.svd(a.astype(complex), compute_uv=False)
    small(s - want[:k], loss * norm(a), a.dtype, max(a.shape), "singular values")
    small(u[:, :k] * s @ vh[:k] - a, loss * norm(a), a.dtype, max(a.shape))
    small(u.conj().T @ u - np.eye(u.shape[1]), loss, a.dtype, max(a.shape), "U")
    small(vh @ vh.conj().T - np.eye(len(vh)), loss, a.dtype, max(a.shape), "V")


SHAPES = [(1, 1), (12, 12), (25, 9), (9, 25)]


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize(("m", "n"), SHAPES)
@pytest.mark.parametrize(("left", "right"), [(SVECT_ALL, SVECT_ALL), (SINGULAR, SINGULAR), (SVECT_ALL, SINGULAR)])
def test_gesvd(engine: Engine, t: str, m: int, n: int, left: int, right: int) -> None:
    k = min(m, n)

    def outputs():
        u = np.full((m, m if left == SVECT_ALL else k), np.nan, DTYPES[t])
        v = np.full((n if right == SVECT_ALL else k, n), np.nan, DTYPES[t])
        return [Vec(np.zeros(k, REAL[t])), StridedMat(u), StridedMat(v)]

    def head(rng):
        return [Val(left), Val(right), Val(m), Val(n), Mat(random(rng, (m, n), DTYPES[t]))]

    def gesvdj(rng):
        return [*head(rng), Val(0.0), Each(REAL[t]), Val(100), Each(), *outputs(), Each()]

    def check(args, got):
        assert got[-1][0] == 0
        svd_judge(args[4].data, got[1], got[2], got[3])

    def check_jacobi(args, got):
        assert got[-1][0] == 0
        # through A^H A: the smallest singular value keeps half of its digits
        s = np.linalg.svd(args[4].data.astype(complex), compute_uv=False)
        svd_judge(args[4].data, got[3], got[4], got[5], loss=4 * s[0] / s[-1])

    solve(
        engine,
        f"rocsolver_{t}gesvd",
        lambda r: [*head(r), *outputs(), Vec(np.zeros(k, REAL[t])), Val(201), Each()],
        check,
    )
    solve(engine, f"rocsolver_{t}gesdd", lambda r: [*head(r), *outputs(), Each()], check)
    solve(engine, f"rocsolver_{t}gesvdj", gesvdj, check_jacobi)


def test_gesvdj_says_that_it_did_not_converge(engine: Engine) -> None:
    m, n = 25, 20

    def problem(rng):
        u, v = StridedMat(np.zeros((m, n))), StridedMat(np.zeros((n, n)))
        head = [Val(SINGULAR), Val(SINGULAR), Val(m), Val(n), Mat(random(rng, (m, n), np.float64))]
        return [*head, Val(0.0), Each(np.float64), Val(1), Each(), Vec(np.zeros(n)), u, v, Each()]

    def check(args, got):
        residual, sweeps, info = got[1], got[2], got[-1]
        assert info[0] == 1 and sweeps[0] == 1 and residual[0] > 1e-3

    solve(engine, "rocsolver_dgesvdj", problem, check)


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize(("m", "n"), [(3, 3), (20, 17), (5, 30)])
def test_gesvdj_where_squares_overflow_or_vanish(engine: Engine, t: str, m: int, n: int) -> None:
    k = min(m, n)
    for scale in extremes(t):

        def problem(rng, scale=scale):
            a = np.eye(m, n) + random(rng, (m, n), DTYPES[t]) / 100
            u, v = StridedMat(np.zeros((m, k), DTYPES[t])), StridedMat(np.zeros((k, n), DTYPES[t]))
            head = [Val(SINGULAR), Val(SINGULAR), Val(m), Val(n), Mat((a * scale).astype(DTYPES[t]))]
            return [*head, Val(0.0), Each(REAL[t]), Val(100), Each(), Vec(np.zeros(k, REAL[t])), u, v, Each()]

        def check(args, got, scale=scale):
            assert got[-1][0] == 0 and not np.isnan(got[1][0])
            svd_judge(args[4].data / REAL[t](scale), got[3] / REAL[t](scale), got[4], got[5], loss=4)

        solve(engine, f"rocsolver_{t}gesvdj", problem, check, forms="o")


@pytest.mark.parametrize("t", "dz")
def test_gesvd_overwrites(engine: Engine, t: str) -> None:
    def problem(rng):
        v = StridedMat(np.zeros((6, 6), DTYPES[t]))
        none = StridedMat(np.zeros((6, 1), DTYPES[t]))
        vectors = [Vec(np.zeros(6)), none, v, Vec(np.zeros(6)), Val(201), Each()]
        return [Val(OVERWRITE), Val(SINGULAR), Val(11), Val(6), Mat(random(rng, (11, 6), DTYPES[t])), *vectors]

    solve(engine, f"rocsolver_{t}gesvd", problem, lambda args, got: svd_judge(args[4].data, got[1], got[0], got[3]))


@pytest.mark.parametrize("t", TYPES)
def test_v_not_transposed(engine: Engine, t: str) -> None:
    """What AMD's hipSOLVER calls: V, not V^H."""
    m, n, k = 14, 8, 8

    def outputs():
        return [
            Vec(np.zeros(k, REAL[t])),
            StridedMat(np.zeros((m, k), DTYPES[t])),
            StridedMat(np.zeros((n, k), DTYPES[t])),
        ]

    def head(rng):
        return [Val(SINGULAR), Val(SINGULAR), Val(m), Val(n), Mat(random(rng, (m, n), DTYPES[t]))]

    def gesvdj(rng):
        return [*head(rng), Val(0.0), Each(REAL[t]), Val(100), Each(), *outputs(), Each()]

    def check(args, got):
        s = np.linalg.svd(args[4].data.astype(complex), compute_uv=False)
        svd_judge(args[4].data, got[3], got[4], got[5].conj().T, loss=4 * s[0] / s[-1])

    solve(engine, f"rocsolver_{t}gesvdj_notransv", gesvdj, check, forms="os")


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize("transposed", [True, False])
def test_gesvdx(engine: Engine, t: str, transposed: bool) -> None:
    m, n, k = 9, 13, 9

    def problem(rng):
        v = np.full((4, n) if transposed else (n, 4), np.nan, DTYPES[t])
        return [
            Val(SINGULAR),
            Val(SINGULAR),
            Val(SINGULAR_INDEX),
            Val(m),
            Val(n),
            Mat(random(rng, (m, n), DTYPES[t])),
            Val(0.0),
            Val(0.0),
            Val(2),
            Val(5),
            Each(),
            Vec(np.zeros(k, REAL[t])),
            StridedMat(np.full((m, 4), np.nan, DTYPES[t])),
            StridedMat(v),
            Vec(np.full(k, 9, np.int64)),
            Each(),
        ]

    def check(args, got):
        a, nsv, s, u, v, ifail = args[5].data, *got[1:6]
        assert nsv[0] == 4 and not ifail[:4].any()
        vh = v if transposed else v.conj().T
        small(s[:4] - np.linalg.svd(a.astype(complex), compute_uv=False)[1:5], norm(a), DTYPES[t], n)
        small(a @ vh.conj().T - u * s[:4], norm(a), DTYPES[t], n)

    if transposed:
        solve(engine, f"rocsolver_{t}gesvdx", problem, check)
    else:
        solve(engine, f"rocsolver_{t}gesvdx_notransv", problem, check, forms="s")
