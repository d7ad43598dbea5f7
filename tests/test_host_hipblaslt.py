"""The host engine's hipBLASLt: products of every type, and every epilogue, against float64."""

from __future__ import annotations

import ctypes
import itertools

import ml_dtypes
import numpy as np
import pytest
from hipblaslt_on_host import (
    BGRADA,
    BGRADB,
    BIAS,
    DEFAULT,
    DGELU,
    DGELU_BGRAD,
    DRELU,
    DRELU_BGRAD,
    F64,
    FAST_16F,
    GELU,
    GELU_AUX,
    GELU_AUX_BIAS,
    GELU_BIAS,
    I32,
    RELU,
    RELU_AUX,
    RELU_AUX_BIAS,
    RELU_BIAS,
    SUCCESS,
    TF32,
    Lt,
    Matmul,
    gelu,
    gelu_slope,
)
from rocblas_on_host import Engine

bf16, f16, f32 = ml_dtypes.bfloat16, np.float16, np.float32
e4m3, e5m2 = ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2
e4m3_fnuz, e5m2_fnuz = ml_dtypes.float8_e4m3fnuz, ml_dtypes.float8_e5m2fnuz


@pytest.fixture(scope="module")
def lt(tmp_path_factory: pytest.TempPathFactory) -> Lt:
    return Lt(Engine(tmp_path_factory.mktemp("lt")))


@pytest.fixture(scope="module")
def newest(tmp_path_factory: pytest.TempPathFactory) -> Lt:
    return Lt(Engine(tmp_path_factory.mktemp("lt"), release=1001, arch="gfx950"))


@pytest.fixture(scope="module")
def newest_942(tmp_path_factory: pytest.TempPathFactory) -> Lt:
    return Lt(Engine(tmp_path_factory.mktemp("lt"), release=1001, arch="gfx942"))


FORWARD = (DEFAULT, RELU, BIAS, RELU_BIAS, GELU, GELU_BIAS)
SHAPES = ((1, 1, 1), (5, 3, 7), (33, 65, 40), (130, 31, 64), (64, 300, 17))


@pytest.mark.parametrize("epilogue", FORWARD)
@pytest.mark.parametrize("a, d", [(f32, f32), (f16, f16), (f16, f32), (bf16, bf16), (bf16, f32)], ids=str)
def test_forward(lt: Lt, a: object, d: object, epilogue: int) -> None:
    for i, (m, n, k) in enumerate(SHAPES):
        ops = ("NN", "NT", "TN", "TT")[(i + epilogue) % 4]
        Matmul(lt, m, n, k, a, d=d, epilogue=epilogue, ops=ops, alpha=0.75, beta=(0, -1.5)[i % 2], seed=i).check()


@pytest.mark.parametrize("ops", ["NN", "NT", "TN", "TT", "CN", "NC"])
@pytest.mark.parametrize("in_place", [False, True])
def test_operations_and_batches(lt: Lt, ops: str, in_place: bool) -> None:
    for dtype, compute in ((f32, 2), (np.float64, F64), (bf16, 2)):
        Matmul(lt, 17, 23, 31, dtype, compute=compute, ops=ops, beta=0.5, batch=3, in_place=in_place).check()
        Matmul(lt, 17, 23, 31, dtype, compute=compute, ops=ops, batch=40, in_place=in_place).check()


def test_shared_by_every_core(lt: Lt) -> None:
    for dtype in (f32, bf16):
        Matmul(lt, 300, 520, 400, dtype, epilogue=GELU_BIAS, ops="TN", beta=0.25).check()
        Matmul(lt, 900, 40, 300, dtype, epilogue=DGELU_BGRAD, ops="NN").check()
    Matmul(lt, 2500, 40, 90, f32, epilogue=GELU_AUX_BIAS, beta=0.25, in_place=True).check()
    Matmul(lt, 64, 9000, 20, f32, epilogue=RELU_BIAS).check()


@pytest.mark.parametrize("epilogue", [GELU_AUX, GELU_AUX_BIAS, DGELU, DGELU_BGRAD, BGRADB])
@pytest.mark.parametrize("dtype", [f32, f16, bf16])
def test_training(lt: Lt, dtype: object, epilogue: int) -> None:
    for i, (m, n, k) in enumerate(SHAPES):
        ops = ("NN", "NT", "TN", "TT")[(i + epilogue) % 4]
        Matmul(lt, m, n, k, dtype, epilogue=epilogue, ops=ops, alpha=0.5, beta=(0, 0.5)[i % 2], seed=i).check()
    batch = Matmul(lt, 20, 30, 10, dtype, epilogue=epilogue, batch=3)
    batch.check()


def test_values_of_relu(newest_942: Lt) -> None:
    """The auxiliary matrix of ReLU holds what ReLU was taken of, not bits."""
    for dtype, epilogue in itertools.product((f16, bf16), (RELU_AUX, RELU_AUX_BIAS, DRELU, DRELU_BGRAD)):
        Matmul(newest_942, 33, 20, 40, dtype, epilogue=epilogue, batch=2).check()
    assert Matmul(newest_942, 33, 20, 40, f32, epilogue=RELU_AUX).run() is None


def test_gradient_of_a(lt: Lt) -> None:
    for ops in ("NN", "TN"):
        Matmul(lt, 33, 20, 140, f16, epilogue=BGRADA, ops=ops, bias_dtype=f32).check()
        Matmul(lt, 33, 20, 140, f16, epilogue=BGRADB, ops=ops[::-1], bias_dtype=f32).check()
    assert Matmul(lt, 33, 20, 40, f32, epilogue=BGRADA).run() is None


@pytest.mark.parametrize("out", [np.int32, np.int8])
def test_integers(lt: Lt, out: object) -> None:
    for ops in ("NN", "NT", "TN", "TT"):
        Matmul(lt, 33, 65, 40, np.int8, d=out, compute=I32, ops=ops, alpha=2, beta=-3, batch=2).check()
    Matmul(lt, 7, 5, 5000, np.int8, d=out, compute=I32, epilogue=RELU).check()
    factors = np.arange(33) - 9
    wanted = Matmul(lt, 33, 5, 9, np.int8, d=out, compute=I32, vectors={"rows": factors})
    wanted.vectors["rows"] = factors.astype(np.int32)
    wanted.check()


@pytest.mark.parametrize("dtype, compute", [(np.complex64, 2), (np.complex128, F64)])
def test_complex(newest: Lt, dtype: object, compute: int) -> None:
    for ops in ("NN", "TC", "CN", "CT"):
        Matmul(newest, 13, 21, 34, dtype, compute=compute, ops=ops, alpha=1 - 2j, beta=0.5j, batch=2).check()


EIGHT_BITS = [(e4m3_fnuz, e4m3_fnuz), (e5m2_fnuz, e4m3_fnuz), (e4m3_fnuz, e5m2_fnuz), (e5m2_fnuz, e5m2_fnuz)]


@pytest.mark.parametrize("a, b", EIGHT_BITS, ids=str)
def test_eight_bits_of_gfx942(lt: Lt, a: object, b: object) -> None:
    for d in (f32, f16, bf16):
        Matmul(lt, 32, 48, 64, a, b, d, ops="TN", scales={"a": 0.5, "b": 3}, epilogue=GELU_BIAS, bias_dtype=f32
               if d != f16 else f16).check()  # fmt: skip
    for d in (e4m3_fnuz, e5m2_fnuz):
        scales = {"a": 2, "b": 4, "c": 0.5, "d": 8}
        Matmul(lt, 32, 48, 64, a, b, d, scales=scales, beta=1, epilogue=RELU_BIAS, amax=True).check()


def test_eight_bits_by_chip(newest: Lt, lt: Lt) -> None:
    for d in (f32, f16, bf16, e4m3, e5m2):
        Matmul(newest, 32, 48, 64, e4m3, e5m2, d, ops="TN", scales={"a": 0.5, "b": 3}, epilogue=BIAS).check()
    assert Matmul(newest, 32, 48, 64, e4m3_fnuz, d=f32, ops="TN").run() is None
    assert Matmul(lt, 32, 48, 64, e4m3, d=f32, ops="TN").run() is None


def test_saturation(lt: Lt, newest: Lt) -> None:
    for engine, dtype, top in ((lt, e4m3_fnuz, 240), (newest, e4m3, 448), (newest, e5m2, 57344)):
        big = Matmul(engine, 16, 16, 16, dtype, ops="TN", scales={"a": 1e4, "b": 1e4})
        assert big.run() == SUCCESS
        got = big.D[:, :, :16].astype(np.float32)
        assert np.abs(got).max() == top and np.isfinite(got).all()
        big.A[0, 0, 0] = np.nan
        assert big.run() == SUCCESS
        assert (
            np.isnan(big.D[0, :, 0].astype(np.float32)).all() and np.isfinite(big.D[0, :, 1].astype(np.float32)).all()
        )


def test_every_eight_bit_code(lt: Lt, newest: Lt) -> None:
    """Times one: decoded and encoded again, against ml_dtypes."""
    for engine, dtypes in ((lt, (e4m3_fnuz, e5m2_fnuz)), (newest, (e4m3, e5m2))):
        for dtype, d in itertools.product(dtypes, (f32, *dtypes)):
            problem = Matmul(engine, 256, 1, 1, dtype, d=d, ops="TN", pad=0)
            problem.A[:] = np.arange(256, dtype=np.uint8).view(dtype).reshape(problem.A.shape)
            problem.B[:] = 1
            assert problem.run() == SUCCESS
            values = problem.A.ravel().astype(np.float32)
            with np.errstate(invalid="ignore"):
                want = values if d == f32 else np.clip(values, *[s * float(ml_dtypes.finfo(d).max) for s in (-1, 1)])
            got, want = problem.D.ravel().astype(np.float32), want.astype(d).astype(np.float32)
            assert np.array_equal(got, want, equal_nan=True), (dtype, d)


def test_factors_of_rows_and_columns(lt: Lt, newest: Lt) -> None:
    rng = np.random.default_rng(3)
    m, n, k = 33, 20, 64
    for dtype in (f32, f16, bf16):
        Matmul(lt, m, n, k, dtype, vectors={"rows": rng.uniform(1, 2, m)}, epilogue=GELU_BIAS, beta=0.5).check()
    vectors = {"a": rng.uniform(1, 2, m), "b": rng.uniform(1, 2, n)}
    Matmul(lt, m, n, k, e4m3_fnuz, d=bf16, ops="TN", vectors=dict(vectors), epilogue=BIAS, beta=0.5).check()
    Matmul(newest, m, n, k, e4m3, d=f16, ops="NT", vectors=dict(vectors), epilogue=RELU).check()


def test_blocks_of_scales(newest: Lt) -> None:
    m, n, k = 24, 16, 96
    rng = np.random.default_rng(5)
    problem = Matmul(newest, m, n, k, e4m3, d=f32, ops="TN", pad=0)
    a, b = (rng.integers(124, 131, (size, k // 32)).astype(np.uint8) for size in (m, n))
    problem.attributes = {"scale_a": a.ctypes.data, "scale_b": b.ctypes.data, "mode_a": 2, "mode_b": 2}
    wide = [np.repeat(2.0 ** (s - 127.0), 32, axis=1) for s in (a, b)]
    want = (problem.A[0].astype(np.float64) * wide[0]) @ (problem.B[0].astype(np.float64) * wide[1]).T
    assert problem.run() == SUCCESS
    assert np.allclose(problem.D[0].T, want, rtol=1e-5, atol=1e-5)


def test_fast_compute_types(lt: Lt) -> None:
    Matmul(lt, 33, 20, 40, f16, compute=FAST_16F, epilogue=RELU).check()
    Matmul(lt, 33, 20, 40, f32, compute=TF32, epilogue=GELU).check()
    problem = Matmul(lt, 33, 20, 40, f16, compute=100)
    A, B = (x[:, :, : s[0]].astype(e4m3_fnuz).astype(np.float64) for x, s in
            zip((problem.A, problem.B), problem.shapes, strict=True))  # fmt: skip
    want = A[0].T @ B[0].T
    assert problem.run() == SUCCESS
    assert np.allclose(problem.D[0, :, :33].T.astype(np.float64), want, rtol=2e-3, atol=2e-3)


def test_nothing_to_read(lt: Lt) -> None:
    """beta 0 never reads C, alpha 0 never reads A and B, k 0 leaves beta C and the epilogue."""
    for dtype in (f32, f16):
        problem = Matmul(lt, 9, 8, 7, dtype, epilogue=GELU_BIAS)
        problem.Cm[:] = np.nan
        problem.check()
        problem = Matmul(lt, 9, 8, 7, dtype, in_place=True)
        problem.D[:], problem.before[:] = np.nan, np.nan
        problem.check()
        problem = Matmul(lt, 9, 8, 7, dtype, alpha=0, beta=2, epilogue=RELU_BIAS)
        problem.want_without_a = problem.want()
        problem.A[:], problem.B[:] = np.nan, np.nan
        assert problem.run() == SUCCESS
        assert np.allclose(problem.D[0, :, :9].T.astype(float), problem.want_without_a["D"][0], rtol=2e-3, atol=2e-3)
        for in_place in (False, True):
            Matmul(lt, 9, 8, 0, dtype, beta=2, epilogue=GELU_BIAS, in_place=in_place).check()


def test_arrays_of_pointers(newest: Lt) -> None:
    for dtype in (f32, bf16):
        problem = Matmul(newest, 12, 10, 14, dtype, batch=4, beta=0.5, pad=0)
        want = problem.want()["D"]
        desc, layouts = problem.describe()
        for layout in layouts:
            assert newest.set("MatrixLayout", layout, 7, ctypes.c_int32(1)) == SUCCESS
        tables = [newest.engine.device_table([x.ctypes.data for x in part]) for part in
                  (problem.A, problem.B, problem.Cm, problem.D)]  # fmt: skip
        algo = newest.heuristic(desc, layouts)[0]
        alpha, beta = problem.scalars()
        status = newest.call("hipblasLtMatmul", newest.handle, desc, alpha, tables[0], layouts[0], tables[1],
                             layouts[1], beta, tables[2], layouts[2], tables[3], layouts[3],
                             ctypes.addressof(algo), None, 0, 0)  # fmt: skip
        assert status == SUCCESS
        assert np.allclose(problem.D[:, :, :12].swapaxes(1, 2).astype(float), want, rtol=1e-2, atol=1e-2)


def test_gelu_everywhere(lt: Lt) -> None:
    """The function and its slope on a dense grid, far outside of it, and for what is no number."""
    x = np.concatenate([np.linspace(-12, 12, 4001), [-1e30, -100, -80, -0.0, 80, 1e30, np.inf, -np.inf]]).astype(f32)
    for epilogue in (GELU, DGELU):
        problem = Matmul(lt, len(x), 1, 1, f32, epilogue=epilogue, pad=0)
        problem.B[:] = 1
        problem.A[:] = x if epilogue == GELU else 1
        problem.aux[:] = x
        assert problem.run() == SUCCESS
        wide = x.astype(np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            want = gelu(wide) if epilogue == GELU else gelu_slope(wide)
        finite = np.abs(wide) < 1e10
        error = np.abs(problem.D.ravel()[finite] - want[finite]) / np.maximum(1, np.abs(want[finite]))
        assert error.max() < 5e-7
        at_infinity = [np.inf, np.nan] if epilogue == GELU else [np.nan, np.nan]  # infinity times 0
        assert np.array_equal(problem.D.ravel()[-2:], at_infinity, equal_nan=True)
        assert epilogue == GELU or problem.D.ravel()[-3] == 1
    problem = Matmul(lt, 3, 1, 1, f32, epilogue=GELU, pad=0)
    problem.B[:], problem.A[:] = 1, np.array([np.nan, np.inf, 2], f32)[None, :, None].reshape(problem.A.shape)
    assert problem.run() == SUCCESS
    assert np.isnan(problem.D.ravel()[0]) and problem.D.ravel()[1] == np.inf and 1.9 < problem.D.ravel()[2] < 2


def test_relu_of_nan_is_zero(lt: Lt) -> None:
    for dtype in (f32, f16):
        problem = Matmul(lt, 4, 1, 1, dtype, epilogue=RELU, pad=0)
        problem.B[:], problem.A[:] = 1, np.nan
        assert problem.run() == SUCCESS
        assert (problem.D == 0).all()
