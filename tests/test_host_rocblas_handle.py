"""The host engine's rocBLAS handles: modes, streams, memory, texts, copies; what each release has."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from rocblas_on_host import (
    INTERNAL_ERROR,
    INVALID_HANDLE,
    INVALID_POINTER,
    INVALID_SIZE,
    INVALID_VALUE,
    MEMORY_ERROR,
    NOT_IMPLEMENTED,
    QUERY_MISMATCH,
    SIZE_INCREASED,
    SIZE_UNCHANGED,
    SPEC,
    SUCCESS,
    Engine,
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return Engine(tmp_path_factory.mktemp("rocblas"))


def test_modes(engine: Engine) -> None:
    h, value = engine.handle, ctypes.c_int(9)
    for mode, other in (("pointer", 1), ("atomics", 1), ("math", 1)):
        get, set_ = f"rocblas_get_{mode}_mode", f"rocblas_set_{mode}_mode"
        assert engine.call(get, h, ctypes.addressof(value)) == SUCCESS and value.value == 0
        assert engine.call(set_, h, other) == SUCCESS
        assert engine.call(get, h, ctypes.addressof(value)) == SUCCESS and value.value == other
        assert engine.call(set_, h, 0) == SUCCESS
        assert engine.call(set_, None, 0) == engine.call(get, None, ctypes.addressof(value)) == INVALID_HANDLE
    assert engine.call("rocblas_set_math_mode", h, 77) == SUCCESS
    assert engine.call("rocblas_get_math_mode", h, ctypes.addressof(value)) == SUCCESS and value.value == 0
    assert engine.call("rocblas_create_handle", None) == engine.call("rocblas_destroy_handle", None) == INVALID_HANDLE


def test_defaults_of_releases(tmp_path_factory: pytest.TempPathFactory) -> None:
    value, text = ctypes.c_int(9), ctypes.create_string_buffer(64)
    for release, version, atomics in ((600, b"4.0.0.", 1), (604, b"4.4.0.", 1), (702, b"5.2.0.", 0)):
        engine = Engine(tmp_path_factory.mktemp("rocblas"), release=release)
        assert engine.call("rocblas_get_atomics_mode", engine.handle, ctypes.addressof(value)) == SUCCESS
        assert value.value == atomics
        assert (
            engine.call("rocblas_get_version_string", ctypes.addressof(text), 64) == SUCCESS and text.value == version
        )
        names = {n for n in engine.table if n.startswith("rocblas_")}
        assert ("rocblas_saxpy_64" in names) == (release >= 601)
        assert ("rocblas_sgemm_64" in names) == (release >= 603)
        assert ("rocblas_syrk_ex" in names) == (release >= 702)


def test_every_function_is_there(engine: Engine) -> None:
    """All that rocBLAS 7.2 declares; what is missing is named here."""
    declared = {n for n, f in SPEC.items() if n.startswith("rocblas_") and not f.get("removed") and f["since"] <= "7.2"}
    missing = declared - engine.table.keys()
    assert missing == {"rocblas_herk_ex"} or missing == set()


F32 = 151
#: what AMD's library was seen to refuse for an unknown type before it looks at the handle
TYPE_FIRST = {f"rocblas_trsm{form}_ex" for form in ("", "_batched", "_strided_batched")} | {
    f"rocblas_gemm{form}_ex_get_solutions_by_type" for form in ("", "_batched")
}


def test_no_handle_comes_first(engine: Engine) -> None:
    """Every function looks at its handle before anything else: all the rest is NULL, 0 and out of range."""
    called = 0
    for name, function in SPEC.items():
        parameters = function["params"]
        if name not in engine.table or not parameters or parameters[0][0] != "handle":
            continue
        if function["ret"] == "rocblas_status" and not function.get("variadic"):
            arguments = [None if "*" in canon or "[" in canon else 0 for _, _, canon in parameters]
            if name in TYPE_FIRST:
                assert engine.call(name, *arguments) == NOT_IMPLEMENTED, name
                types = [canon == "enum rocblas_datatype_" for _, _, canon in parameters]
                arguments = [F32 if t else a for t, a in zip(types, arguments, strict=True)]
            assert engine.call(name, *arguments) == INVALID_HANDLE, name
            called += 1
    assert called > 1100


def test_streams(engine: Engine) -> None:
    h, stream, got = engine.handle, ctypes.c_void_p(), ctypes.c_void_p(1)
    create = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(engine.table["hipStreamCreate"])
    destroy = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(engine.table["hipStreamDestroy"])
    assert create(ctypes.addressof(stream)) == 0
    assert engine.call("rocblas_set_stream", h, stream.value) == SUCCESS
    assert engine.call("rocblas_get_stream", h, ctypes.addressof(got)) == SUCCESS and got.value == stream.value
    x, two = np.ones(4), np.full(1, 2.0)
    assert engine.call("rocblas_dscal", h, 4, two, x, 1) == SUCCESS and (x == 2).all()
    assert engine.call("rocblas_set_stream", h, None) == SUCCESS
    assert destroy(stream.value) == 0
    assert engine.call("rocblas_set_stream", h, x.ctypes.data) == INVALID_VALUE


def test_memory(engine: Engine) -> None:
    h, size = ctypes.c_void_p(), ctypes.c_size_t()
    assert engine.call("rocblas_create_handle", ctypes.addressof(h)) == SUCCESS
    handle, where = h.value, ctypes.addressof(size)
    assert engine.call("rocblas_get_device_memory_size", handle, where) == SUCCESS and size.value >= 32 << 20
    assert engine.call("rocblas_stop_device_memory_size_query", handle, where) == QUERY_MISMATCH
    assert engine.call("rocblas_start_device_memory_size_query", handle) == SUCCESS
    assert engine.call("rocblas_start_device_memory_size_query", handle) == QUERY_MISMATCH
    trsm = ("rocblas_dtrsm", handle, 141, 121, 111, 131, 100, 50, None, None, 100, None, 100)
    assert engine.call(*trsm) == SIZE_INCREASED and engine.call(*trsm) == SIZE_UNCHANGED
    assert (
        engine.call("rocblas_dgemm", handle, 111, 111, 4, 4, 4, None, None, 4, None, 4, None, None, 4) == SIZE_UNCHANGED
    )
    assert engine.call("rocblas_dtrmv", handle, 121, 111, 131, -1, None, 1, None, 1) == INVALID_SIZE
    assert engine.call("rocblas_stop_device_memory_size_query", handle, where) == SUCCESS
    assert size.value >= 100 * 50 * 8
    memory = np.zeros(4096, np.uint8)
    assert engine.call("rocblas_set_workspace", handle, memory, 4096) == SUCCESS
    assert engine.call("rocblas_get_device_memory_size", handle, where) == SUCCESS and size.value == 4096
    x, out = np.ones(1_000_000, np.float32), np.zeros(1, np.float32)
    assert engine.call("rocblas_sasum", handle, len(x), x, 1, out) == MEMORY_ERROR
    assert engine.call("rocblas_sasum", handle, 1000, x, 1, out) == SUCCESS and out[0] == 1000
    assert engine.call("rocblas_destroy_handle", handle) == SUCCESS


def test_memory_that_a_library_borrows(engine: Engine) -> None:
    """What rocSOLVER does: sizes in, addresses out, in the handle's memory."""
    held, address = ctypes.c_void_p(), ctypes.c_void_p()
    raw = engine.table["rocblas_device_malloc_alloc"]
    alloc = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 2, *[ctypes.c_size_t] * 4)(raw)
    assert alloc(engine.handle, ctypes.addressof(held), 3, 100, 0, 8) == SUCCESS
    found = []
    for i in range(3):
        assert engine.call("rocblas_device_malloc_get", held.value, i, ctypes.addressof(address)) == SUCCESS
        found.append(address.value)
    assert found[1] is None and found[2] == found[0] + 128
    assert engine.call("rocblas_device_malloc_get", held.value, 3, ctypes.addressof(address)) == INVALID_SIZE
    assert engine.call("rocblas_device_malloc_free", held.value) == SUCCESS


def test_texts(engine: Engine) -> None:
    to_string = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_int)(engine.table["rocblas_status_to_string"])
    assert to_string(0) == b"rocblas_status_success" and to_string(15) == b"rocblas_status_arch_mismatch"
    assert b"undefined" in to_string(99)
    size, text = ctypes.c_size_t(), ctypes.create_string_buffer(3)
    assert engine.call("rocblas_get_version_string_size", ctypes.addressof(size)) == SUCCESS and size.value == 7
    assert engine.call("rocblas_get_version_string", ctypes.addressof(text), 3) == INVALID_SIZE
    assert engine.call("rocblas_get_version_string", None, 30) == INVALID_POINTER


@pytest.mark.parametrize("direction", ["set", "get"])
@pytest.mark.parametrize("width", ["", "_64"])
def test_copies(engine: Engine, direction: str, width: str) -> None:
    def pair(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Both arrays, the device's one in device memory."""
        here, there = (x, y) if direction == "set" else (y, x)
        device = engine.device_array(there.shape, there.dtype)
        device[...] = there
        return (here, device) if direction == "set" else (device, here)

    for is_async in ("", "_async"):
        stream = (None,) if is_async else ()
        vector, matrix = f"rocblas_{direction}_vector{is_async}{width}", f"rocblas_{direction}_matrix{is_async}{width}"
        for incx, incy in ((1, 1), (2, 3), (1, 2)):
            x, y = pair(np.arange(20.0), np.full(30, -1.0))
            assert engine.call(vector, 7, 8, x, incx, y, incy, *stream) == SUCCESS
            assert (y[: 7 * incy : incy] == x[: 7 * incx : incx]).all() and (y == -1).sum() == 23
        a, b = pair(np.arange(20.0).reshape(4, 5), np.full((4, 7), -1.0))
        assert engine.call(matrix, 3, 4, 8, a, 5, b, 7, *stream) == SUCCESS
        assert (b[:, :3] == a[:, :3]).all() and (b[:, 3:] == -1).all()
        assert engine.call(vector, 0, 0, None, 0, None, 0, *stream) == SUCCESS
        for bad in ((-1, 8, x, 1, y, 1), (4, 0, x, 1, y, 1), (4, 8, x, 0, y, 1), (4, 8, x, 1, y, -1)):
            assert engine.call(vector, *bad, *stream) == INVALID_SIZE
        assert engine.call(vector, 4, 8, None, 1, y, 1, *stream) == INVALID_POINTER
        assert engine.call(matrix, 6, 4, 8, a, 5, b, 7, *stream) == INVALID_SIZE
        assert engine.call(matrix, 3, 4, 8, a, 5, None, 7, *stream) == INVALID_POINTER
        host = np.zeros(20)  # host memory where the device's should be
        assert engine.call(vector, 7, 8, host, 1, host[10:], 1, *stream) == INTERNAL_ERROR
