"""The host engine's rocBLAS when calls return before their work is done, and when it behaves as badly as ROCm may."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
import test_host_rocblas_level1 as level1
import test_host_rocblas_level2 as level2
import test_host_rocblas_level3 as level3
from rocblas_on_host import INTERNAL_ERROR, NONE, SUCCESS, Engine

SETTINGS = {
    "async": {"SCALE_X_HOST_STREAMS": "async"},
    "deferred": {"SCALE_X_HOST_STREAMS": "deferred"},
    "hostile": {"hostile": True},
    "hostile deferred": {"hostile": True, "SCALE_X_HOST_STREAMS": "deferred"},
    "one thread": {"SCALE_X_HOST_THREADS": "1"},
    "seven threads": {"SCALE_X_HOST_THREADS": "7"},
}


@pytest.fixture(scope="module", params=SETTINGS)
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return Engine(tmp_path_factory.mktemp("rocblas"), **SETTINGS[request.param])


def test_families(engine: Engine) -> None:
    """Each shape of function: results, scalars by pointer mode, pointer tables, in place, cut between threads."""
    level1.test_axpy(engine, "z")
    level1.test_dot(engine, "ddot")
    level1.test_rotm(engine, "s")
    level2.test_rank_updates(engine, "zher2")
    level2.test_triangular(engine, "s", "trsv")
    level3.test_gemm(engine, "h")
    level3.test_rank_k(engine, "cherk")


def test_large(engine: Engine) -> None:
    if engine.control("threads") in (1, 7):
        level3.test_sizes_that_every_core_shares(engine, "c")
        level1.test_extremes(engine, "d", "amax")


def test_order_on_a_stream(engine: Engine) -> None:
    """A call sees what the one before wrote; device scalars are read when the work runs, host scalars at the call."""
    n, h = 50, engine.handle
    x, y, alpha, total = np.ones(n), np.zeros(n), np.full(1, 2.0), np.zeros(1)
    assert engine.call("rocblas_dscal", h, n, alpha, x, 1) == SUCCESS
    alpha[0] = 100  # too late
    assert engine.call("rocblas_dcopy", h, n, x, 1, y, 1) == SUCCESS
    assert engine.call("rocblas_dasum", h, n, y, 1, total) == SUCCESS and total[0] == 2 * n  # host mode: waits
    assert engine.call("rocblas_set_pointer_mode", h, 1) == SUCCESS
    assert engine.call("rocblas_dasum", h, n, y, 1, total) == SUCCESS
    assert engine.call("rocblas_dscal", h, n, total, x, 1) == SUCCESS
    assert engine.synchronize() == 0
    assert engine.call("rocblas_set_pointer_mode", h, 0) == SUCCESS
    assert (x == 2 * 2 * n).all()


def test_capture(engine: Engine) -> None:
    """A captured call runs when its graph is launched; one whose result the host waits for ends the capture."""
    hip = {n: ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * k)(engine.table[n]) for n, k in HIP.items()}
    stream, graph, executable = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    h, x, two, out = engine.handle, np.ones(8), np.full(1, 2.0), np.zeros(1)
    c, a = np.zeros((8, 8)), np.ones((8, 8))
    assert hip["hipStreamCreate"](ctypes.addressof(stream)) == 0
    assert engine.call("rocblas_set_stream", h, stream.value) == SUCCESS
    assert hip["hipStreamBeginCapture"](stream.value, 2) == 0
    assert engine.call("rocblas_dscal", h, 8, two, x, 1) == SUCCESS
    assert engine.call("rocblas_dgemm", h, NONE, NONE, 8, 8, 8, two, a, 8, a, 8, two, c, 8) == SUCCESS
    assert hip["hipStreamEndCapture"](stream.value, ctypes.addressof(graph)) == 0
    assert (x == 1).all() and (c == 0).all()
    assert hip["hipGraphInstantiate"](ctypes.addressof(executable), graph.value, None, None, None) == 0
    for i in (1, 2):
        assert hip["hipGraphLaunch"](executable.value, stream.value) == 0
        assert hip["hipStreamSynchronize"](stream.value) == 0
        assert (x == 2**i).all() and (c == 16 * (2**i - 1)).all()
    assert hip["hipStreamBeginCapture"](stream.value, 2) == 0
    assert engine.call("rocblas_dasum", h, 8, x, 1, out) == INTERNAL_ERROR
    assert hip["hipStreamEndCapture"](stream.value, ctypes.addressof(graph)) != 0
    assert engine.call("rocblas_set_stream", h, None) == SUCCESS


@pytest.mark.parametrize("hostile", [False, True])
def test_strict(tmp_path_factory: pytest.TempPathFactory, hostile: bool) -> None:
    """Device memory that the host cannot touch: everything reaches it through calls."""
    engine = Engine(tmp_path_factory.mktemp("rocblas"), hostile=hostile, SCALE_X_HOST_STRICT="1")
    malloc = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)(engine.table["hipMalloc"])
    owned: list[int] = []

    def to_device(x: np.ndarray) -> int:
        address = ctypes.c_void_p()
        assert malloc(ctypes.addressof(address), x.nbytes) == 0
        assert engine.call("rocblas_set_vector", x.size, x.itemsize, x, 1, address.value, 1) == SUCCESS
        owned.append(int(address.value or 0))
        return owned[-1]

    rng, n, h = np.random.default_rng(8), 40, engine.handle
    a, b, c = (rng.standard_normal((3, n, n)) for _ in range(3))
    da, db, dc = to_device(a), to_device(b), to_device(c)
    tables = [to_device(np.array([d + 8 * n * n * i for i in range(3)], np.uint64)) for d in (da, db, dc)]
    alpha, beta, result = np.full(1, 2.0), np.full(1, 0.5), np.zeros(1)
    head = (h, NONE, NONE, n, n, n)
    for mode, (al, be) in ((0, (alpha, beta)), (1, (to_device(alpha), to_device(beta)))):
        assert engine.call("rocblas_set_pointer_mode", h, mode) == SUCCESS
        status = engine.call("rocblas_dgemm_batched", *head, al, tables[0], n, tables[1], n, be, tables[2], n, 3)
        assert status == SUCCESS
        c = 2 * (b @ a) + 0.5 * c  # what is column major here is transposed in NumPy's eyes
    got = np.empty_like(c)
    assert engine.call("rocblas_get_vector", c.size, 8, dc, 1, got, 1) == SUCCESS
    assert np.allclose(got, c)
    assert engine.call("rocblas_set_pointer_mode", h, 0) == SUCCESS
    assert engine.call("rocblas_dnrm2", h, c.size, dc, 1, result) == SUCCESS
    assert np.isclose(result[0], np.linalg.norm(c))
    assert engine.call("rocblas_dtrsm", h, 141, 121, NONE, 132, n, n, alpha, da, n, dc, n) == SUCCESS
    for address in owned:
        engine.free(address)
    assert engine.control("leaks") == 0


HIP = {
    "hipStreamCreate": 1,
    "hipStreamBeginCapture": 2,
    "hipStreamEndCapture": 2,
    "hipGraphInstantiate": 5,
    "hipGraphLaunch": 2,
    "hipStreamSynchronize": 1,
}
