"""Factorisations through cuSOLVER on the CPU engine against scipy's and numpy's LAPACK, in one process and one run.

Both sides start from the same matrix, which each copies to where it factorises it. Ratio = peer's time / our time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scale_x.bindings._locate import own_directories

TARGETS = {
    ("getrf", 1): 0.97,
    ("potrf", 1): 0.97,
    ("geqrf", 1): 0.97,
    ("getrf", 2): 0.97,
    ("potrf", 2): 0.97,
    ("geqrf", 2): 0.97,
    ("qr 512", 2): 1.3,
    ("potrfBatched, scipy loop", 2): 5.0,
    ("potrfBatched, numpy", 2): 1.9,
}
MEASURE = """
import ctypes as C, json, os, statistics, sys, time
import numpy as np, scipy.linalg as la
lapack = la.lapack
rounds, lib = int(sys.argv[1]), os.environ["TEST_LIB"]
rt, cs = C.CDLL(lib + "/libcudart.so.13"), C.CDLL(lib + "/libcusolver.so.12")
P, rng = C.c_void_p, np.random.default_rng(0)
def ok(status):
    assert status == 0, status
def room(nbytes):
    p = P(); ok(rt.cudaMalloc(C.byref(p), C.c_size_t(nbytes))); return p
def sent(a):
    p = room(a.nbytes); ok(rt.cudaMemcpy(p, P(a.ctypes.data), C.c_size_t(a.nbytes), 1)); return p
h = P(); ok(cs.cusolverDnCreate(C.byref(h)))
info, lwork = room(1 << 16), C.c_int()
def interleaved(name, ours, theirs, times=1):
    a, b = [], []
    for _ in range(rounds):
        for call, out in ((ours, a), (theirs, b)):
            time.sleep(0.05); call()
            for _ in range(2):
                start = time.perf_counter()
                for _ in range(times):
                    call()
                out.append((time.perf_counter() - start) / times)
    print(json.dumps([name, statistics.median(a), statistics.median(b)]), flush=True)
def matrices(n):
    g = np.asfortranarray(rng.standard_normal((n, n)))
    return g, np.asfortranarray(g @ g.T / n + np.eye(n))
def of(n):
    g, s = matrices(n)
    dg, ds, da, tau, pivots = sent(g), sent(s), room(g.nbytes), room(8 * n), room(4 * n)
    work = np.empty_like(g)
    sizes = []
    for query, arguments in (("getrf", (n, n)), ("geqrf", (n, n)), ("potrf", (0, n))):
        ask = getattr(cs, f"cusolverDnD{query}_bufferSize")
        ok(ask(h, *arguments, da, n, C.byref(lwork))); sizes.append(lwork.value)
    ok(cs.cusolverDnDorgqr_bufferSize(h, n, n, n, da, n, tau, C.byref(lwork))); sizes.append(lwork.value)
    w = room(8 * max(sizes))
    def copied(to, source): ok(rt.cudaMemcpyAsync(to, source, C.c_size_t(g.nbytes), 3, None))
    def getrf(): copied(da, dg); ok(cs.cusolverDnDgetrf(h, n, n, da, n, w, pivots, info))
    def potrf(): copied(da, ds); ok(cs.cusolverDnDpotrf(h, 0, n, da, n, w, sizes[2], info))
    def geqrf(): copied(da, dg); ok(cs.cusolverDnDgeqrf(h, n, n, da, n, tau, w, sizes[1], info))
    def qr(): geqrf(); ok(cs.cusolverDnDorgqr(h, n, n, n, da, n, tau, w, sizes[3], info))
    def scipy(routine, a, **more):
        def call(): np.copyto(work, a); assert routine(work, overwrite_a=1, **more)[-1] == 0
        return call
    return g, {"getrf": (getrf, scipy(lapack.dgetrf, g)), "potrf": (potrf, scipy(lapack.dpotrf, s, lower=1)),
               "geqrf": (geqrf, scipy(lapack.dgeqrf, g, lwork=64 * n)), "qr": (qr, lambda: np.linalg.qr(g))}
def batched(count, n):
    g = rng.standard_normal((count, n, n))
    s = g @ g.transpose(0, 2, 1) + n * np.eye(n)
    ds, da = sent(s), room(s.nbytes)
    pointers = sent(np.uint64(da.value) + np.arange(count, dtype=np.uint64) * np.uint64(8 * n * n))
    def ours():
        ok(rt.cudaMemcpyAsync(da, ds, C.c_size_t(s.nbytes), 3, None))
        ok(cs.cusolverDnDpotrfBatched(h, 0, n, pointers, n, info, count))
    def loop():
        for m in s: la.cholesky(m, lower=True, check_finite=False)
    interleaved("potrfBatched, scipy loop", ours, loop)
    interleaved("potrfBatched, numpy", ours, lambda: np.linalg.cholesky(s))
_, calls = of(1024)
for name in ("getrf", "potrf", "geqrf"):
    interleaved(name, *calls[name])
if os.environ["SCALE_X_HOST_THREADS"] == "2":
    _, calls = of(512)
    interleaved("qr 512", *calls["qr"])
    batched(1000, 32)
"""


def measured(lib_dir: Path, threads: int, rounds: int) -> Iterator[tuple[str, float, float]]:
    number = str(threads)
    env = dict(os.environ, TEST_LIB=str(lib_dir), SCALE_X_PROVIDER="host", SCALE_X_HOST_THREADS=number)
    env.update(OPENBLAS_NUM_THREADS=number)
    command = [sys.executable, "-c", MEASURE, str(rounds)]
    out = subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        name, ours, theirs = json.loads(line)
        yield name, ours, theirs


@pytest.mark.parametrize("threads", [1, 2])
def test_factorisations(benchmark, threads: int) -> None:
    rows = benchmark.pedantic(lambda: list(measured(own_directories()[0], threads, 7)), rounds=1)
    for name, ours, theirs in rows:
        target = TARGETS[name, threads]
        benchmark.extra_info[f"{name} {threads}"] = theirs / ours
        print(
            f"\n{name}, {threads} threads: ours {ours * 1e3:.2f} ms, peer {theirs * 1e3:.2f} ms, "
            f"ratio {theirs / ours:.2f} (target {target})",
            end="",
        )
    print()
    for name, ours, theirs in rows:
        assert theirs / ours >= TARGETS[name, threads], name
