"""Many small problems, and passes over memory, on the CPU engine against what a Python program has.

Ratio = peer's time / our time, medians of one interleaved run.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType

import numpy as np
import pytest
import scipy.linalg
from peers import interleaved, together

import scale_x.bindings as bindings
from scale_x.memory import to_device

BATCH = 1000
THREADS = len(os.sched_getaffinity(0))


@pytest.fixture(scope="module")
def cublas() -> Iterator[tuple[ModuleType, Callable[[], int]]]:
    """The module, and a maker of handles."""
    bindings.load(cuda=13)
    from scale_x.bindings import cublas

    made: list[int] = []

    def handle() -> int:
        made.append(cublas.create())
        return made[-1]

    yield cublas, handle
    for h in made:
        cublas.destroy(h)


def report(benchmark, name: str, ours: float, peer: float, at_least: float) -> None:
    benchmark.extra_info.update(ours_s=ours, peer_s=peer, ratio=peer / ours, target=at_least)
    print(f"\n{name}: ours {ours * 1e3:.3f} ms, peer {peer * 1e3:.3f} ms, ratio {peer / ours:.2f} (target {at_least})")
    assert peer / ours >= at_least


def products(module: ModuleType, handle: int, n: int) -> tuple[Callable[[], object], Callable[[], object], Callable]:
    """cublasSgemmStridedBatched, numpy.matmul into the same kind of array, and a comparison of what they computed."""
    rng = np.random.default_rng(n)
    a, b, c, d = (rng.random((BATCH, n, n), np.float32) for _ in range(4))
    one, zero = np.ones(1, np.float32), np.zeros(1, np.float32)
    pa, pb, pc, p1, p0 = (x.ctypes.data for x in (a, b, c, one, zero))

    def ours() -> None:  # row-major a b is column-major b a
        module.sgemm_strided_batched(handle, 0, 0, n, n, n, p1, pb, n, n * n, pa, n, n * n, p0, pc, n, n * n, BATCH)

    def peer() -> None:
        np.matmul(a, b, out=d)

    def check(keep: tuple = (one, zero)) -> None:
        ours(), peer()
        np.testing.assert_allclose(c, d, rtol=1e-4)

    return ours, peer, check


@pytest.mark.parametrize(("n", "at_least"), [(32, 1.9), (8, 5.0)])
def test_batched_products(benchmark, cublas, n: int, at_least: float) -> None:
    module, handle = cublas
    ours, peer, check = products(module, handle(), n)
    check()
    t = benchmark.pedantic(lambda: interleaved(ours, peer, rounds=25), rounds=1)
    report(benchmark, f"{BATCH} products {n} x {n} against numpy.matmul", *t, at_least=at_least)


@pytest.mark.parametrize("n", [128, 512])
def test_two_callers(benchmark, cublas, n: int) -> None:
    """Two threads with handles of their own take no longer than one after the other."""
    module, handle = cublas
    rng = np.random.default_rng(n)
    one, zero = np.ones(1, np.float32), np.zeros(1, np.float32)
    calls, keep = [], []
    for _ in range(2):
        a, b, c = (np.asfortranarray(rng.random((n, n), np.float32)) for _ in range(3))
        keep.append((a, b, c))
        p1, pa, pb, p0, pc, h = *(x.ctypes.data for x in (one, a, b, zero, c)), handle()

        def call(p1=p1, pa=pa, pb=pb, p0=p0, pc=pc, h=h) -> None:
            for _ in range(max(1, 4096 // n)):
                module.sgemm(h, 0, 0, n, n, n, p1, pa, n, pb, n, p0, pc, n)

        calls.append(call)
    with ThreadPoolExecutor(2) as pool:

        def both() -> None:
            for done in [pool.submit(call) for call in calls]:
                done.result()

        def in_turn() -> None:
            for call in calls:
                call()

        t = benchmark.pedantic(lambda: interleaved(both, in_turn, rounds=15), rounds=1)
    report(benchmark, f"two callers n={n} against one after the other", *t, at_least=0.95)


def test_batched_lu(benchmark, cublas) -> None:
    module, handle = cublas
    n, h = 32, handle()
    rng = np.random.default_rng(1)
    fresh = rng.random((BATCH, n, n))
    work = np.empty_like(fresh)
    pivots, info = np.zeros((BATCH, n), np.int32), np.zeros(BATCH, np.int32)
    table = to_device(np.array([m.ctypes.data for m in work], np.uint64))

    def ours() -> None:
        np.copyto(work, fresh)
        module.dgetrf_batched(h, n, table.ptr, n, pivots.ctypes.data, info.ctypes.data, BATCH)

    def peer() -> None:
        np.copyto(work, fresh)
        for m in work:
            scipy.linalg.lu_factor(m.T, overwrite_a=True, check_finite=False)

    ours()
    assert not info.any()
    lu, _ = scipy.linalg.lu_factor(fresh[7].T)
    np.testing.assert_allclose(work[7].T, lu, rtol=1e-8, atol=1e-10)
    t = benchmark.pedantic(lambda: interleaved(ours, peer, rounds=9), rounds=1)
    report(benchmark, f"{BATCH} LU {n} x {n} against scipy.linalg.lu_factor", *t, at_least=5.0)


@pytest.mark.parametrize("letter", "SD")
def test_elementwise(benchmark, cublas, letter: str) -> None:
    """geam and dgmm against memcpy on all cores: what that takes for as many bytes as they read and write."""
    module, handle = cublas
    dtype, h, rows, cols = (np.float32 if letter == "S" else np.float64), handle(), 4000, 4000
    a, b, c = (np.ones((cols, rows), dtype) for _ in range(3))
    x = np.arange(1, rows + 1, dtype=dtype)
    alpha, beta = np.array([2], dtype), np.array([3], dtype)
    pa, pb, pc, px, p2, p3 = (v.ctypes.data for v in (a, b, c, x, alpha, beta))
    geam, dgmm = getattr(module, f"{letter.lower()}geam"), getattr(module, f"{letter.lower()}dgmm")
    part = a.nbytes // THREADS
    libc = ctypes.CDLL(None)
    libc.memcpy.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
    with ThreadPoolExecutor(THREADS) as pool:

        def copied() -> None:
            parts = [pool.submit(libc.memcpy, pc + i * part, pa + i * part, part) for i in range(THREADS)]
            for done in parts:
                done.result()

        calls = {
            "memcpy": copied,
            "geam": lambda: geam(h, 0, 0, rows, cols, p2, pa, rows, p3, pb, rows, pc, rows),
            "dgmm left": lambda: dgmm(h, 0, rows, cols, pa, rows, px, 1, pc, rows),
            "dgmm right": lambda: dgmm(h, 1, rows, cols, pa, rows, px, 1, pc, rows),
        }
        t = benchmark.pedantic(lambda: together(calls, rounds=15), rounds=1)
    assert (c == x[:, None]).all()
    calls["geam"]()
    assert (c == 5).all()
    moved = {"geam": 3, "dgmm left": 2, "dgmm right": 2}  # matrices read and written; memcpy: 2
    ratios = {name: t["memcpy"] * moved[name] / 2 / t[name] for name in moved}
    benchmark.extra_info.update(seconds=t, ratios=ratios, target=0.8)
    found = [f"{letter}{name}: {t[name] * 1e3:.2f} ms, {r:.2f} of memcpy's speed" for name, r in ratios.items()]
    print("\n" + ", ".join(found), f"(target 0.8; memcpy {t['memcpy'] * 1e3:.2f} ms)")
    assert min(ratios.values()) >= 0.8
