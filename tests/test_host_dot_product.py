"""Products of bfloat16, half and 8-bit integers in the host engine: with the processor's dot-product instructions and
without them, values that those instructions treat otherwise included."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from rocblas_on_host import NONE, SUCCESS, TRANS, Engine, op

BF16, F16, F32, I8, I32 = 168, 150, 151, 160, 162
SHAPES = ((1, 1, 700), (33, 13, 77), (100, 100, 64), (31, 40, 1100), (257, 205, 513), (64, 300, 31), (200, 12, 2050))
FLAGS = Path("/proc/cpuinfo").read_text()


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return Engine(tmp_path_factory.mktemp("rocblas"))


@pytest.fixture(params=["floats", "tiles", "vectors"])
def way(request: pytest.FixtureRequest, engine: Engine) -> Iterator[str]:
    engine.control("dot_products", ["floats", "tiles", "vectors"].index(request.param))
    yield request.param
    engine.control("dot_products", 1)


def multiply(
    engine: Engine,
    ta: int,
    tb: int,
    a: np.ndarray,
    b: np.ndarray,
    to: int,
    scalars: tuple = (1, 0),
    c: np.ndarray | None = None,
    pad: int = 3,
) -> np.ndarray:
    """alpha op(a) op(b) + beta c by rocblas_gemm_ex; rows behind each matrix must stay as they were."""
    m, k = a.shape if ta == NONE else a.shape[::-1]
    n = b.shape[1] if tb == NONE else b.shape[0]
    types = {I32: np.int32, BF16: ml_dtypes.bfloat16, F16: np.float16, F32: np.float32}
    out = np.full((m + pad, n), 77, types[to], "F")
    if c is not None:
        out[:m] = c
    stored = []
    for x in (a, b):
        whole = np.full((x.shape[0] + pad, x.shape[1]), 99, x.dtype, "F")  # a neighbour read by mistake shows
        whole[: x.shape[0]] = x
        stored.append(whole)
    ti = {np.dtype(np.int8): I8, np.dtype(np.float16): F16}.get(a.dtype, BF16)
    compute = I32 if ti == I8 else F32
    alpha, beta = (np.array([v], np.int32 if ti == I8 else np.float32) for v in scalars)
    status = engine.call(
        "rocblas_gemm_ex", engine.handle, ta, tb, m, n, k, alpha, stored[0], ti, len(stored[0]), stored[1], ti,
        len(stored[1]), beta, out, to, m + pad, out, to, m + pad, compute, 0, 0, 0,
    )  # fmt: skip
    assert status == SUCCESS
    assert (out[m:] == 77).all()
    return out[:m]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_integers_are_exact(engine: Engine, way: str, shape: tuple[int, int, int]) -> None:
    m, n, k = shape
    rng = np.random.default_rng(m)
    for ta, tb in itertools.product((NONE, TRANS), repeat=2):
        a = rng.integers(-128, 128, (m, k) if ta == NONE else (k, m)).astype(np.int8)
        b = rng.integers(-128, 128, (k, n) if tb == NONE else (n, k)).astype(np.int8)
        c = rng.integers(-1000, 1000, (m, n)).astype(np.int32)
        exact = op(a, ta).astype(np.int64) @ op(b, tb).astype(np.int64)
        assert np.array_equal(multiply(engine, ta, tb, a, b, I32), exact)
        assert np.array_equal(multiply(engine, ta, tb, a, b, I32, (-3, 7), c), -3 * exact + 7 * c.astype(np.int64))


def test_sums_of_extreme_integers(engine: Engine, way: str) -> None:
    for x, y in itertools.product((-128, 127), repeat=2):  # -128 * -128 * 5000 passes what a float holds exactly
        got = multiply(engine, NONE, NONE, np.full((40, 5000), x, np.int8), np.full((5000, 20), y, np.int8), I32)
        assert (got == x * y * 5000).all()


def test_integers_wrap(engine: Engine, way: str) -> None:
    k = 140_000  # 128 * 128 * k is more than 2^31
    got = multiply(engine, NONE, NONE, np.full((3, k), -128, np.int8), np.full((k, 2), -128, np.int8), I32)
    assert (got == np.int64(128 * 128 * k).astype(np.int32)).all()


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize(("of", "to"), [(BF16, F32), (BF16, BF16), (F16, F32), (F16, F16)])
def test_floats(engine: Engine, way: str, shape: tuple[int, int, int], of: int, to: int) -> None:
    m, n, k = shape
    rng, narrow = np.random.default_rng(n), ml_dtypes.bfloat16 if of == BF16 else np.float16
    for ta, tb in itertools.product((NONE, TRANS), repeat=2):
        a = rng.uniform(-1, 1, (m, k) if ta == NONE else (k, m)).astype(narrow)
        b = rng.uniform(-1, 1, (k, n) if tb == NONE else (n, k)).astype(narrow)
        c = rng.uniform(-1, 1, (m, n)).astype(np.float32 if to == F32 else narrow)
        left, right, old = op(a, ta).astype(float), op(b, tb).astype(float), c.astype(float)
        got = multiply(engine, ta, tb, a, b, to, (1.5, -0.5), c).astype(float)
        bound = 1.5 * np.abs(left) @ np.abs(right) + 0.5 * np.abs(old)
        unit = 2.0**-24 * (k + 2) + {F32: 0, BF16: 2.0**-8, F16: 2.0**-10}[to]
        assert (np.abs(got - (1.5 * left @ right - 0.5 * old)) <= unit * bound).all()


def special(
    values: dict[tuple[int, int], float], shape: tuple[int, int], base: float, t: type = ml_dtypes.bfloat16
) -> np.ndarray:
    x = np.full(shape, float(base))
    for place, value in values.items():
        x[place] = value
    return x.astype(t)


@pytest.mark.parametrize("t", [ml_dtypes.bfloat16, np.float16])
def test_not_finite(engine: Engine, way: str, t: type) -> None:
    """NaN and infinity reach what they meet, 0 times infinity is NaN, and nothing leaks into other rows or columns."""
    a = special({(2, 5): np.nan, (35, 6): np.inf, (36, 65): 0}, (40, 66), 1, t)
    b = special({(65, 3): np.inf, (64, 4): -np.inf}, (66, 14), 0.5, t)
    with np.errstate(invalid="ignore"):
        want = a.astype(np.float32) @ b.astype(np.float32)
    for ta, tb in itertools.product((NONE, TRANS), repeat=2):
        got = multiply(
            engine, ta, tb, *(np.ascontiguousarray(x if t == NONE else x.T) for x, t in ((a, ta), (b, tb))), F32
        )
        assert np.array_equal(got, want, equal_nan=True)


@pytest.mark.parametrize(
    ("x", "y"),
    [(2.0**-130, 1.0), (2.0**-133, 2.0**127), (2.0**-70, 2.0**-70), (1.0, 2.0**-126 + 2.0**-133)],
    ids=["subnormal operand", "times a large one", "subnormal product", "subnormal part"],
)
def test_bfloat16_subnormal(engine: Engine, way: str, x: float, y: float) -> None:
    """Numbers that the instruction would take for 0, in either operand and as a product, count for what they are."""
    for i, j in ((0, 0), (33, 63), (39, 40)):  # one in a matrix of ordinary ones
        a, b = special({(i, j): x}, (40, 64), 0), special({(j, 2): y}, (64, 13), 0)
        got = multiply(engine, NONE, NONE, a, b, F32)
        want = np.zeros((40, 13))
        want[i, 2] = float(a[i, j]) * float(b[j, 2])
        assert np.array_equal(got, want.astype(np.float32)), (i, j)
        swapped = multiply(engine, TRANS, TRANS, b, a, F32)
        assert np.array_equal(swapped, want.astype(np.float32).T), (i, j)


def test_every_half_counts(engine: Engine, way: str) -> None:
    """Each finite half times each of a few, subnormal and the largest among them: one product is exact in float."""
    halves = np.arange(0x7C00, dtype=np.uint16).view(np.float16)
    halves = np.concatenate([halves, -halves])
    few = np.array([[1, -(2.0**-24), 65504, 1023 * 2.0**-24, 1 + 2.0**-10, -0.1]], np.float16)
    a, b = np.zeros((len(halves), 33), np.float16), np.zeros((33, few.shape[1]), np.float16)
    a[:, 32:], b[32:] = halves[:, None], few
    want = halves[:, None].astype(np.float32) * few.astype(np.float32)
    assert np.array_equal(multiply(engine, NONE, NONE, a, b, F32), want)
    assert np.array_equal(multiply(engine, TRANS, TRANS, b, a, F32), want.T)


def test_a_difference_of_two_products_is_not_flushed(engine: Engine, way: str) -> None:
    """2^-60 (2^-60 - 2^-60 (1 - 2^-7)) is subnormal although each product is normal."""
    a, b = special({(0, 1): -1 + 2.0**-7}, (33, 512), 0), special({(0, 0): 2.0**-120, (1, 0): 2.0**-120}, (512, 12), 0)
    a[0, 0] = 1
    got = multiply(engine, NONE, NONE, a, b, F32)
    assert got[0, 0] == np.float32(2.0**-127)


@pytest.mark.skipif("avx512_bf16" not in FLAGS or "avx512_vnni" not in FLAGS, reason="no dot-product instructions")
def test_the_instructions_are_used(engine: Engine) -> None:
    """Two sums of the same products in another order differ in the last digit; integers are the same anyway."""
    rng = np.random.default_rng(1)
    a, b = (rng.uniform(-1, 1, s).astype(ml_dtypes.bfloat16) for s in ((256, 2048), (2048, 256)))
    results = []
    for on in (1, 0):
        engine.control("dot_products", on)
        results.append(multiply(engine, NONE, NONE, a, b, F32).copy())
    engine.control("dot_products", 1)
    assert not np.array_equal(*results)
    assert np.allclose(*results, rtol=0, atol=1e-3)
