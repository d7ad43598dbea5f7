"""Eigenvalues and singular values on the CPU engine: one large matrix against scipy.linalg's LAPACK call, and batches
of small ones against a Python loop over it and against numpy.linalg's own batch.

Ratio = peer's time / our time, medians of one interleaved run. What both need to start from a fresh matrix is a copy,
timed on both sides.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from types import ModuleType

import numpy as np
import pytest
import scipy.linalg
from peers import together

import scale_x.bindings as bindings

BATCH, SMALL, LARGE = 1000, 32, 1024
THREADS = int(os.environ.get("SCALE_X_HOST_THREADS") or len(os.sched_getaffinity(0)))
VECTOR, LOWER = 1, 0


@pytest.fixture(scope="module")
def solver() -> Iterator[tuple[ModuleType, int]]:
    bindings.load(cuda=13)
    from scale_x.bindings import cusolver

    handle = cusolver.dn_create()
    yield cusolver, handle
    cusolver.dn_destroy(handle)


def report(benchmark, name: str, times: dict[str, float], targets: dict[str, float]) -> None:
    """Ours against every peer."""
    ratios = {peer: times[peer] / times["ours"] for peer in targets}
    benchmark.extra_info.update(threads=THREADS, seconds=times, ratios=ratios, targets=targets)
    found = [
        f"{peer} {times[peer] * 1e3:.2f} ms, ratio {ratios[peer]:.2f} (target {targets[peer]})" for peer in targets
    ]
    print(f"\n{name}, {THREADS} threads: ours {times['ours'] * 1e3:.2f} ms; " + "; ".join(found))
    assert all(ratios[peer] >= target for peer, target in targets.items())


def lapack(name: str, matrix: np.ndarray, **sizes: int) -> Callable:
    """scipy.linalg's LAPACK function, with the workspace that its own query asks for."""
    function, query = scipy.linalg.get_lapack_funcs((name, f"{name}_lwork"), (matrix,))
    *lengths, info = query(**sizes)
    assert info == 0
    return partial(function, **dict(zip(("lwork", "liwork"), map(int, lengths), strict=False)))


def symmetric(rng: np.random.Generator, *shape: int) -> np.ndarray:
    a = rng.standard_normal(shape)
    return a + np.swapaxes(a, -1, -2)


def large_target() -> float:
    return 0.97 if THREADS == 1 else 0.9


def test_syevd(benchmark, solver) -> None:
    module, h = solver
    n = LARGE
    fresh = np.asfortranarray(symmetric(np.random.default_rng(1), n, n))
    a, w, info = np.empty_like(fresh), np.empty(n), np.zeros(1, np.int32)
    pa, pw, pi = a.ctypes.data, w.ctypes.data, info.ctypes.data
    work = np.empty(module.dn_dsyevd_buffer_size(h, VECTOR, LOWER, n, pa, n, pw))
    syevd = lapack("syevd", fresh, n=n)

    def ours() -> None:
        np.copyto(a, fresh)
        module.dn_dsyevd(h, VECTOR, LOWER, n, pa, n, pw, work.ctypes.data, work.size, pi)

    calls = {"ours": ours, "scipy": lambda: syevd(fresh, lower=1)}
    ours()
    np.testing.assert_allclose(w, syevd(fresh, lower=1)[0], rtol=1e-9, atol=1e-9)
    t = benchmark.pedantic(lambda: together(calls, rounds=3, pause=0.06), rounds=1)
    report(benchmark, f"syevd {n} with vectors", t, {"scipy": large_target()})


def test_gesvd(benchmark, solver) -> None:
    module, h = solver
    n = LARGE
    fresh = np.asfortranarray(np.random.default_rng(2).standard_normal((n, n)))
    a, u, vt = (np.empty_like(fresh) for _ in range(3))
    s, info = np.empty(n), np.zeros(1, np.int32)
    pa, ps, pu, pv, pi = (x.ctypes.data for x in (a, s, u, vt, info))
    work = np.empty(module.dn_dgesvd_buffer_size(h, n, n))
    gesdd = lapack("gesdd", fresh, m=n, n=n)  # scipy.linalg.svd's own choice; xGESVD takes 15 times as long

    def ours() -> None:
        np.copyto(a, fresh)
        module.dn_dgesvd(h, ord("A"), ord("A"), n, n, pa, n, ps, pu, n, pv, n, work.ctypes.data, work.size, 0, pi)

    calls = {"ours": ours, "scipy": lambda: gesdd(fresh)}
    ours()
    np.testing.assert_allclose(s, gesdd(fresh)[1], rtol=1e-9, atol=1e-9)
    t = benchmark.pedantic(lambda: together(calls, rounds=2, pause=0.06), rounds=1)
    report(benchmark, f"gesvd {n} with all vectors", t, {"scipy": large_target()})


#: peers of batches: a Python loop over scipy.linalg, and numpy.linalg's batch
BATCHED = {"scipy": 5.0, "numpy": 1.9}
two_threads = pytest.mark.skipif(THREADS < 2, reason="a batch is faster by being spread over threads")


@two_threads
def test_syevj_batched(benchmark, solver) -> None:
    module, h = solver
    n = SMALL
    fresh = symmetric(np.random.default_rng(3), BATCH, n, n)
    a, w, info = np.empty_like(fresh), np.empty((BATCH, n)), np.zeros(BATCH, np.int32)
    pa, pw, pi = a.ctypes.data, w.ctypes.data, info.ctypes.data
    steers = module.dn_create_syevj_info()
    work = np.empty(module.dn_dsyevj_batched_buffer_size(h, VECTOR, LOWER, n, pa, n, pw, steers, BATCH))

    def ours() -> None:
        np.copyto(a, fresh)
        module.dn_dsyevj_batched(h, VECTOR, LOWER, n, pa, n, pw, work.ctypes.data, work.size, pi, steers, BATCH)

    def loop() -> None:
        for m in fresh:
            scipy.linalg.eigh(m, check_finite=False)

    calls = {"ours": ours, "scipy": loop, "numpy": lambda: np.linalg.eigh(fresh)}
    ours()
    assert not info.any()
    np.testing.assert_allclose(w, np.linalg.eigvalsh(fresh), rtol=1e-9, atol=1e-9)
    t = benchmark.pedantic(lambda: together(calls, rounds=5, pause=0.06), rounds=1)
    module.dn_destroy_syevj_info(steers)
    report(benchmark, f"{BATCH} syevj {n} x {n}", t, BATCHED)


@two_threads
def test_gesvdj_batched(benchmark, solver) -> None:
    module, h = solver
    n = SMALL
    fresh = np.random.default_rng(4).standard_normal((BATCH, n, n))
    a, u, v = (np.empty_like(fresh) for _ in range(3))
    s, info = np.empty((BATCH, n)), np.zeros(BATCH, np.int32)
    pa, ps, pu, pv, pi = (x.ctypes.data for x in (a, s, u, v, info))
    steers = module.dn_create_gesvdj_info()
    work = np.empty(module.dn_dgesvdj_batched_buffer_size(h, VECTOR, n, n, pa, n, ps, pu, n, pv, n, steers, BATCH))

    def ours() -> None:
        np.copyto(a, fresh)
        place = work.ctypes.data, work.size
        module.dn_dgesvdj_batched(h, VECTOR, n, n, pa, n, ps, pu, n, pv, n, *place, pi, steers, BATCH)

    def loop() -> None:
        for m in fresh:
            scipy.linalg.svd(m, check_finite=False)

    calls = {"ours": ours, "scipy": loop, "numpy": lambda: np.linalg.svd(fresh)}
    ours()
    assert not info.any()
    np.testing.assert_allclose(s, np.linalg.svd(fresh, compute_uv=False), rtol=1e-9, atol=1e-9)
    t = benchmark.pedantic(lambda: together(calls, rounds=5, pause=0.06), rounds=1)
    module.dn_destroy_gesvdj_info(steers)
    report(benchmark, f"{BATCH} gesvdj {n} x {n}", t, BATCHED)
