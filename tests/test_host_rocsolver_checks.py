"""rocSOLVER's conventions on the host engine: order of checks, quick returns, workspace."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import numpy as np
import pytest
import rocsolver_on_host  # noqa: F401  rocSOLVER's signatures
from rocblas_on_host import (
    INVALID_HANDLE,
    INVALID_POINTER,
    INVALID_SIZE,
    INVALID_VALUE,
    MEMORY_ERROR,
    NONE,
    SIZE_INCREASED,
    SIZE_UNCHANGED,
    SUCCESS,
    TRANS,
    Engine,
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    yield Engine(tmp_path_factory.mktemp("engine"), hostile=True)


def test_order_of_checks(engine: Engine) -> None:
    h, a, p, info = engine.handle, np.eye(4), np.zeros(4, np.int32), np.full(1, 77, np.int32)
    bad_op = 5
    assert engine.call("rocsolver_dgetrs", 0, bad_op, -1, 1, None, 1, None, None, 1) == INVALID_HANDLE
    assert engine.call("rocsolver_dgetrs", h, bad_op, -1, 1, None, 1, None, None, 1) == INVALID_VALUE
    assert engine.call("rocsolver_dgetrs", h, NONE, -1, 1, None, 1, None, None, 1) == INVALID_SIZE
    assert engine.call("rocsolver_dgetrs", h, NONE, 4, 1, a, 4, None, a, 4) == INVALID_POINTER
    assert engine.call("rocsolver_zgels", h, TRANS, 4, 4, 1, a, 4, a, 4, info) == INVALID_VALUE
    assert engine.call("rocsolver_dgetrf", h, 4, 4, a, 3, p, info) == INVALID_SIZE
    assert engine.call("rocsolver_dgetrf", h, 4, 4, a, 4, None, info) == INVALID_POINTER
    assert engine.call("rocsolver_dgetrf", h, 4, 4, a, 4, p, None) == INVALID_POINTER
    assert info[0] == 77, "info is not written for bad arguments"


def test_nothing_to_do(engine: Engine) -> None:
    info = np.full(3, 77, np.int32)
    assert engine.call("rocsolver_dgetrf", engine.handle, 0, 4, None, 1, None, info) == SUCCESS
    assert engine.call("rocsolver_dgetrf_batched", engine.handle, 4, 0, None, 4, None, 0, info[1:], 2) == SUCCESS
    assert info.tolist() == [0, 0, 0]
    assert engine.call("rocsolver_dgetrf_batched", engine.handle, 4, 4, None, 4, None, 0, None, 0) == INVALID_POINTER


WORKSPACE = {
    "dgetrf": lambda n: (n, n, None, n, None, None),
    "dgetri": lambda n: (n, None, n, None, None),
    "dgetrs": lambda n: (NONE, n, n, None, n, None, None, n),
    "dgeqrf": lambda n: (n, n, None, n, None),
    "dgels": lambda n: (NONE, n, n, n, None, n, None, n, None),
    "dgesv": lambda n: (n, n, None, n, None, None, n, None),
}


@pytest.mark.parametrize("name", WORKSPACE)
def test_workspace(engine: Engine, name: str) -> None:
    """The size asked for grows with the problem, is enough, and one byte less is refused."""
    h = engine.handle

    def query(n: int) -> int:
        assert engine.call("rocblas_start_device_memory_size_query", h) == SUCCESS
        assert engine.call(f"rocsolver_{name}", h, *WORKSPACE[name](n)) in (SIZE_INCREASED, SIZE_UNCHANGED)
        size = ctypes.c_size_t()
        assert engine.call("rocblas_stop_device_memory_size_query", h, ctypes.addressof(size)) == SUCCESS
        return int(size.value)

    assert query(0) == 0
    assert 0 < query(5) < query(50)
    n, size = 20, query(20)
    # every array is large enough for whatever stands there: matrices, then pivots and info
    arguments = [np.asfortranarray(np.eye(n) * (i + 1)) if v is None else v for i, v in enumerate(WORKSPACE[name](n))]
    if name in ("dgetri", "dgetrs"):
        at = 3 if name == "dgetri" else 5
        arguments[at] = np.arange(1, n + 1, dtype=np.int32)
    address = ctypes.c_void_p()
    malloc = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)(engine.table["hipMalloc"])
    assert malloc(ctypes.addressof(address), size) == 0
    try:
        assert engine.call("rocblas_set_workspace", h, address, size - 1) == SUCCESS
        assert engine.call(f"rocsolver_{name}", h, *arguments) == MEMORY_ERROR
        assert engine.call("rocblas_set_workspace", h, address, size) == SUCCESS
        assert engine.call(f"rocsolver_{name}", h, *arguments) == SUCCESS
    finally:
        assert engine.call("rocblas_set_workspace", h, None, 0) == SUCCESS
        engine.free(address.value)
