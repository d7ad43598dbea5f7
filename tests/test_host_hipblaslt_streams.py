"""The host engine's hipBLASLt when calls return before their work is done, in graphs, in strict and hostile mode; its
matrix transform and its extra operations."""

from __future__ import annotations

import ctypes
import itertools
import os
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
import test_host_hipblaslt as plain
from hipblaslt_on_host import (
    DGELU_BGRAD,
    GELU_BIAS,
    INTERNAL_ERROR,
    INVALID_VALUE,
    NOT_INITIALIZED,
    NOT_SUPPORTED,
    SUCCESS,
    TYPES,
    Lt,
    Matmul,
    N,
    T,
)
from rocblas_on_host import Engine

bf16 = ml_dtypes.bfloat16
SETTINGS = {
    "async": {"SCALE_X_HOST_STREAMS": "async"},
    "deferred": {"SCALE_X_HOST_STREAMS": "deferred"},
    "hostile": {"hostile": True},
    "one thread": {"SCALE_X_HOST_THREADS": "1"},
    "seven threads": {"SCALE_X_HOST_THREADS": "7"},
}


@pytest.fixture(scope="module", params=SETTINGS)
def lt(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Lt:
    return Lt(Engine(tmp_path_factory.mktemp("lt"), **SETTINGS[request.param]))


def test_matmul(lt: Lt) -> None:
    for dtype in (np.float32, bf16):
        Matmul(lt, 40, 30, 20, dtype, epilogue=GELU_BIAS, beta=0.5, workspace=1 << 20).check()
        Matmul(lt, 40, 30, 20, dtype, epilogue=DGELU_BGRAD, batch=5).check()
    plain.test_integers(lt, np.int8)
    plain.test_shared_by_every_core(lt)


def test_scalars_are_taken_at_the_call(lt: Lt) -> None:
    problem = Matmul(lt, 8, 8, 8, alpha=2, beta=3)
    want = problem.want()["D"]
    desc, layouts = problem.describe()
    alpha, beta = problem.scalars()
    assert lt.call("hipblasLtMatmul", lt.handle, desc, alpha, problem.A, layouts[0], problem.B, layouts[1], beta,
                   problem.Cm, layouts[2], problem.D, layouts[3], None, None, 0, 0) == SUCCESS  # fmt: skip
    alpha[0], beta[0] = np.nan, np.nan
    assert lt.call("hipblasLtMatmulDescDestroy", desc) == SUCCESS  # nothing of it is needed any more
    assert lt.engine.synchronize() == 0
    assert np.allclose(problem.D[:, :, :8].swapaxes(1, 2), want, atol=1e-5)


def test_capture(lt: Lt) -> None:
    hip = {n: ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * k)(lt.engine.table[n]) for n, k in {
        "hipStreamCreate": 1, "hipStreamBeginCapture": 2, "hipStreamEndCapture": 2, "hipGraphInstantiate": 5,
        "hipGraphLaunch": 2, "hipStreamSynchronize": 1}.items()}  # fmt: skip
    stream, graph, executable = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    assert hip["hipStreamCreate"](ctypes.addressof(stream)) == 0
    problem = Matmul(lt, 8, 8, 8, in_place=True, beta=1)
    desc, layouts = problem.describe()
    alpha, beta = problem.scalars()
    assert hip["hipStreamBeginCapture"](stream.value, 2) == 0
    assert lt.call("hipblasLtMatmul", lt.handle, desc, alpha, problem.A, layouts[0], problem.B, layouts[1], beta,
                   problem.D, layouts[2], problem.D, layouts[3], None, None, 0, stream.value) == SUCCESS  # fmt: skip
    assert hip["hipStreamEndCapture"](stream.value, ctypes.addressof(graph)) == 0
    assert np.array_equal(problem.D, problem.before, equal_nan=True)
    assert hip["hipGraphInstantiate"](ctypes.addressof(executable), graph.value, None, None, None) == 0
    start = problem.before[:, :, :8].swapaxes(1, 2).astype(float)
    step = problem.want()["D"] - start
    for i in (1, 2):
        assert hip["hipGraphLaunch"](executable.value, stream.value) == 0
        assert hip["hipStreamSynchronize"](stream.value) == 0
        assert np.allclose(problem.D[:, :, :8].swapaxes(1, 2), start + i * step, atol=1e-4)


def test_hostile_workspace_and_tables(tmp_path: Path) -> None:
    """A workspace is overwritten to its last byte; tables of pointers must be the device's."""
    lt = Lt(Engine(tmp_path, hostile=True, release=1001))
    problem = Matmul(lt, 8, 8, 8, batch=2)
    desc, layouts = problem.describe()
    algo = lt.heuristic(desc, layouts, 1 << 20)[0]
    work = np.zeros(algo.workspace + 1, np.uint8)
    alpha, beta = problem.scalars()
    call = [lt.handle, desc, alpha, problem.A, layouts[0], problem.B, layouts[1], beta, problem.Cm, layouts[2],
            problem.D, layouts[3], ctypes.addressof(algo), work, algo.workspace, 0]  # fmt: skip
    assert lt.call("hipblasLtMatmul", *call) == SUCCESS
    assert (work[:-1] != 0).all() and work[-1] == 0
    for layout in layouts:
        assert lt.set("MatrixLayout", layout, 7, ctypes.c_int32(1)) == SUCCESS
    tables = [np.array([part[i].ctypes.data for i in range(2)], np.uint64) for part in
              (problem.A, problem.B, problem.Cm, problem.D)]  # fmt: skip
    call[3], call[5], call[8], call[10] = tables
    assert lt.call("hipblasLtMatmul", *call) == INTERNAL_ERROR


def test_strict_mode(tmp_path: Path) -> None:
    """Operands in device memory that the host may not touch; a device alpha read on the host is a fault before 7.0."""
    program = """
import ctypes, pathlib, sys
import numpy as np
from rocblas_on_host import Engine
from hipblaslt_on_host import GELU_BIAS, Lt, Matmul
release = int(sys.argv[2])
lt = Lt(Engine(pathlib.Path(sys.argv[1]), release=release))
hip = {n: ctypes.CFUNCTYPE(ctypes.c_int, *a)(lt.engine.table[n]) for n, a in {
    "hipMalloc": [ctypes.c_void_p, ctypes.c_size_t],
    "hipMemcpy": [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]}.items()}
def device(x):
    p = ctypes.c_void_p()
    assert hip["hipMalloc"](ctypes.addressof(p), x.nbytes) == 0
    assert hip["hipMemcpy"](p.value, x.ctypes.data, x.nbytes, 1) == 0
    return p.value
problem = Matmul(lt, 24, 16, 8, epilogue=GELU_BIAS, pad=0)
want = problem.want()["D"][0]
bias = device(problem.bias)
problem.attributes = {"bias": bias} | ({"pointer_mode": 1} if sys.argv[3] == "device" else {})
desc, layouts = problem.describe()
alpha, beta = problem.scalars()
alpha = device(np.ones(24, np.float32)) if sys.argv[3] == "device" else alpha
A, B, C, D = map(device, (problem.A, problem.B, problem.Cm, problem.D))
status = lt.call("hipblasLtMatmul", lt.handle, desc, alpha, A, layouts[0], B, layouts[1], beta, C, layouts[2], D,
                 layouts[3], None, None, 0, 0)
assert status == 0, status
assert hip["hipMemcpy"](problem.D.ctypes.data, D, problem.D.nbytes, 2) == 0
assert np.allclose(problem.D[0].T, want, atol=1e-5)
print("right")
"""
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    for release, mode, right in (
        (702, "host", True),
        (702, "device", True),
        (603, "host", True),
        (603, "device", False),
    ):
        command = [sys.executable, "-c", program, str(tmp_path), str(release), mode]
        environment = os.environ | {"PYTHONPATH": path, "SCALE_X_HOST_STRICT": "1"}
        done = subprocess.run(command, capture_output=True, env=environment, timeout=60)
        assert (done.stdout == b"right\n") == right, (release, mode, done.stderr[-1000:])


# ---- transforms --------------------------------------------------------------------------------------------
def transform(lt: Lt, dtype: object, scale: object, ops: tuple[int, int], orders: tuple[int, int, int], batch: int = 1,
              rows: int = 7, columns: int = 5, **without: bool) -> None:  # fmt: skip
    rng = np.random.default_rng(rows)
    desc, alpha, beta = ctypes.c_void_p(), np.full(1, 2, scale), np.full(1, -3, scale)
    number = TYPES[np.dtype(scale)]
    assert lt.call("hipblasLtMatrixTransformDescCreate", ctypes.addressof(desc), number) == SUCCESS
    for attribute, value in ((2, ops[0]), (3, ops[1])):
        assert lt.set("MatrixTransformDesc", desc.value, attribute, ctypes.c_int32(value)) == SUCCESS
    stride, layouts, data = 240, [], []
    for order, op in zip(orders, (*ops, N), strict=True):
        shape = (columns, rows) if op == T else (rows, columns)
        ld = (shape[1] if order else shape[0]) + 2
        layout = lt.layout(dtype, *shape, ld, batch, stride)
        assert lt.set("MatrixLayout", layout, 3, ctypes.c_int32(order)) == SUCCESS
        layouts.append(layout)
        data.append((rng.integers(-9, 10, stride * batch).astype(dtype), ld, order, shape))

    def view(i: int, b: int) -> np.ndarray:
        flat, ld, order, shape = data[i]
        r, c = np.indices(shape)
        return flat[b * stride + (r * ld + c if order else r + c * ld)]

    want = []
    for b in range(batch):
        a, other = (view(i, b).astype(np.float64) for i in (0, 1))
        a, other = a.T if ops[0] == T else a, other.T if ops[1] == T else other
        want.append((0 if without.get("a") else 2 * a) + (0 if without.get("b") else -3 * other))
    before = data[2][0].copy()
    A, B = (None if without.get(x) else data[i][0] for i, x in enumerate("ab"))
    status = lt.call("hipblasLtMatrixTransform", lt.handle, desc.value, alpha, A, layouts[0], beta, B, layouts[1],
                     data[2][0], layouts[2], 0)  # fmt: skip
    assert status == SUCCESS and lt.engine.synchronize() == 0
    for b in range(batch):
        assert np.array_equal(view(2, b).astype(np.float64), want[b].astype(dtype).astype(np.float64))
    assert (data[2][0] != before).sum() <= rows * columns * batch


@pytest.mark.parametrize("dtype, scale", [(np.float32, np.float32), (np.float16, np.float16),
                                          (np.float16, np.float32), (bf16, np.float32), (np.int8, np.float32),
                                          (np.int32, np.float32)])  # fmt: skip
def test_transform(lt: Lt, dtype: object, scale: object) -> None:
    for i, (orders, ops) in enumerate(itertools.product(itertools.product((0, 1), repeat=3), ((N, N), (T, N), (N, T)))):
        transform(lt, dtype, scale, ops, orders, batch=1 + i % 3)
    transform(lt, dtype, scale, (N, T), (0, 1, 0), a=True)
    transform(lt, dtype, scale, (T, N), (0, 1, 0), b=True, rows=40, columns=2)


def test_transform_refuses(lt: Lt) -> None:
    desc, one, x = ctypes.c_void_p(), np.ones(1, np.float32), np.ones(16, np.float32)
    assert lt.call("hipblasLtMatrixTransformDescCreate", ctypes.addressof(desc), 0) == SUCCESS
    a, wide = lt.layout(np.float32, 4, 4, 4), lt.layout(np.float64, 4, 4, 4)

    def call(handle=lt.handle, A=x, la=a, B=x, lb=a, C=x, lc=a) -> int:  # noqa: ANN001
        return lt.call("hipblasLtMatrixTransform", handle, desc.value, one, A, la, one, B, lb, C, lc, 0)

    assert call() == SUCCESS
    assert call(handle=None) == NOT_INITIALIZED
    for bad in ({"la": None}, {"lb": None}, {"A": None, "la": None, "B": None, "lb": None}, {"C": None}, {"lc": None}):
        assert call(**bad) == INVALID_VALUE
    assert call(B=None, lb=None) == SUCCESS
    assert call(la=wide) == INTERNAL_ERROR
    assert call(lb=wide) == SUCCESS  # only A's type is looked at
    assert lt.set("MatrixTransformDesc", desc.value, 0, ctypes.c_int32(1)) == SUCCESS
    assert call() == INTERNAL_ERROR
    size = ctypes.c_size_t()
    assert lt.set("MatrixTransformDesc", desc.value, 9, ctypes.c_int32(1)) == INVALID_VALUE
    assert lt.set("MatrixTransformDesc", desc.value, 0, ctypes.c_int64(1)) == INVALID_VALUE
    four = ctypes.c_int32()
    assert lt.call("hipblasLtMatrixTransformDescGetAttribute", desc.value, 2, ctypes.addressof(four), 4,
                   ctypes.addressof(size)) == SUCCESS  # fmt: skip
    assert (four.value, size.value) == (N, 4)


# ---- extra operations --------------------------------------------------------------------------------------
def test_operations_on_rows(lt: Lt) -> None:
    rng = np.random.default_rng(0)
    m, n = 37, 130
    x, y = rng.standard_normal((m, n)).astype(np.float32), np.empty((m, n), np.float32)
    assert lt.call("hipblasltExtSoftmax", 0, m, n, 1, y, x, 0) == SUCCESS
    assert lt.engine.synchronize() == 0
    e = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    assert np.allclose(y, e / e.sum(1, keepdims=True), rtol=1e-5, atol=1e-7)
    assert lt.call("hipblasltExtSoftmax", 0, m, n, 0, y, x, 0) == NOT_SUPPORTED
    assert lt.call("hipblasltExtSoftmax", 0, m, 257, 1, y, x, 0) == INVALID_VALUE
    mean, inverse, gamma, beta = (rng.standard_normal(s).astype(np.float32) for s in (m, m, n, n))
    assert lt.call("hipblasltExtLayerNorm", 0, y, mean, inverse, x, m, n, 1e-3, gamma, beta, 0) == SUCCESS
    assert lt.engine.synchronize() == 0
    wide = x.astype(np.float64)
    want = (wide - wide.mean(1, keepdims=True)) / np.sqrt(wide.var(1, keepdims=True) + 1e-3)
    assert np.allclose(y, want * gamma + beta, rtol=1e-4, atol=1e-5) and np.allclose(mean, wide.mean(1), atol=1e-6)
    assert lt.call("hipblasltExtLayerNorm", 2, y, mean, inverse, x, m, n, 1e-3, gamma, beta, 0) == NOT_SUPPORTED
    for dtype, out in itertools.product((np.float32, np.float16), repeat=2):
        z, top = x.astype(dtype), np.zeros(1, out)
        assert lt.call("hipblasltExtAMax", TYPES[np.dtype(dtype)], TYPES[np.dtype(out)], top, z, m, n, 0) == SUCCESS
        assert lt.engine.synchronize() == 0 and top[0] == np.abs(z).max().astype(out)
    assert lt.call("hipblasltExtAMax", 1, 0, top, x, m, n, 0) == NOT_SUPPORTED
