"""The CPU engine through cuBLAS against the same BLAS called directly, both with all cores.

Ratio = peer's time / our time.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import numpy as np
import pytest
from peers import DirectBlas, interleaved

import scale_x.bindings as bindings

INT, P, F, D = ctypes.c_int64, ctypes.c_void_p, ctypes.c_float, ctypes.c_double
COLUMN_MAJOR, NO_TRANS = 102, 111


@pytest.fixture(scope="module")
def direct() -> DirectBlas:
    return DirectBlas()


@pytest.fixture(scope="module")
def cublas() -> Iterator[tuple]:
    bindings.load(cuda=13)
    from scale_x.bindings import cublas

    handle = cublas.create()
    yield cublas, handle
    cublas.destroy(handle)


def report(benchmark, name: str, ours: float, peer: float, at_least: float) -> None:
    benchmark.extra_info.update(ours_s=ours, peer_s=peer, ratio=peer / ours, target=at_least)
    print(
        f"\n{name}: ours {ours * 1e3:.3f} ms, direct {peer * 1e3:.3f} ms, ratio {peer / ours:.3f} (target {at_least})"
    )


@pytest.mark.parametrize("letter", "SD")
def test_gemm_2048(benchmark, cublas, direct, letter: str) -> None:
    module, handle = cublas
    n, T, C = 2048, (np.float32 if letter == "S" else np.float64), (F if letter == "S" else D)
    rng = np.random.default_rng(0)
    a, b, c = (np.asfortranarray(rng.random((n, n)), T) for _ in range(3))
    one, zero = T(1).reshape(1), T(0).reshape(1)
    ours = getattr(module, f"{letter.lower()}gemm")
    peer = direct.function(f"{letter.lower()}gemm", *[ctypes.c_int] * 3, INT, INT, INT, C, P, INT, P, INT, C, P, INT)
    pa, pb, pc = a.ctypes.data, b.ctypes.data, c.ctypes.data

    def mine() -> None:
        ours(handle, 0, 0, n, n, n, one.ctypes.data, pa, n, pb, n, zero.ctypes.data, pc, n)

    def theirs() -> None:
        peer(COLUMN_MAJOR, NO_TRANS, NO_TRANS, n, n, n, 1, pa, n, pb, n, 0, pc, n)

    t = benchmark.pedantic(lambda: interleaved(mine, theirs, rounds=9), rounds=1)
    report(benchmark, f"{letter}gemm n=2048", *t, at_least=0.97)


@pytest.mark.parametrize("name", ["saxpy", "daxpy", "sdot", "ddot", "sscal", "dscal", "dnrm2", "sasum"])
def test_level_1(benchmark, cublas, direct, name: str) -> None:
    module, handle = cublas
    n, T, C = 1_000_000, (np.float32 if name[0] == "s" else np.float64), (F if name[0] == "s" else D)
    x, y = np.random.default_rng(1).random((2, n)).astype(T)
    factor = T(0.999)
    one, out = factor.reshape(1), np.zeros(1, T)
    px, py, p1, po = x.ctypes.data, y.ctypes.data, one.ctypes.data, out.ctypes.data
    ours, kind = getattr(module, name), name[1:]
    mine = {
        "axpy": lambda: ours(handle, n, p1, px, 1, py, 1),
        "dot": lambda: ours(handle, n, px, 1, py, 1, po),
        "scal": lambda: ours(handle, n, p1, px, 1),
    }.get(kind, lambda: ours(handle, n, px, 1, po))
    types, values = {
        "axpy": ((INT, C, P, INT, P, INT), (n, factor, px, 1, py, 1)),
        "dot": ((INT, P, INT, P, INT), (n, px, 1, py, 1)),
        "scal": ((INT, C, P, INT), (n, factor, px, 1)),
    }.get(kind, ((INT, P, INT), (n, px, 1)))
    peer = direct.function(name, *types, restype=None if kind in ("axpy", "scal") else C)
    t = benchmark.pedantic(lambda: interleaved(mine, lambda: peer(*values), rounds=41), rounds=1)
    report(benchmark, f"{name} n=1e6", *t, at_least=0.95)
