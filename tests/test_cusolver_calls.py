# ruff: noqa: E501
"""How calls of cuSOLVER's factorisations live together on the embedded engine: one handle many times, handles and threads,
streams that run late, captures, workspaces that are too small, and refused calls."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PRELUDE = r"""
import ctypes as C, os, threading
import numpy as np
LIB = os.environ["TEST_LIB"]
solver, rt = (C.CDLL(os.path.join(LIB, n)) for n in ("libcusolver.so.12", "libcudart.so.13"))
P = C.c_void_p
def control(name):
    f = C.CDLL(os.path.join(LIB, "libscalex_host.so.0")).sx_host_control
    f.argtypes, f.restype = [C.c_char_p, C.c_long], C.c_long
    return f(name, 0)
def ok(status): assert status == 0, status
def room(nbytes):
    d = P(); ok(rt.cudaMalloc(C.byref(d), C.c_size_t(max(nbytes, 1)))); return d
def send(a, to=None):
    d = to or room(a.nbytes); ok(rt.cudaMemcpy(d, P(a.ctypes.data), C.c_size_t(a.nbytes), 1)); return d
def fetch(d, like):
    out = np.empty_like(like); ok(rt.cudaMemcpy(P(out.ctypes.data), d, C.c_size_t(out.nbytes), 2)); return out
def handle():
    h = P(); ok(solver.cusolverDnCreate(C.byref(h))); return h
def stream():
    s = P(); ok(rt.cudaStreamCreate(C.byref(s))); return s
def size(name, *arguments):
    n = C.c_int(); ok(getattr(solver, name)(*arguments, C.byref(n))); return n.value
def matrix(rng, n):
    g = np.asfortranarray(rng.standard_normal((n, n))); return np.asfortranarray(g @ g.T + n * np.eye(n))
class Problem:
    '''potrf, getrf and geqrf of one matrix on one handle; check() says that each is right.'''
    def __init__(self, h, a, lwork=None):
        self.h, self.a, self.n = h, a, len(a)
        n, d = self.n, room(a.nbytes)
        self.least = [size("cusolverDnDpotrf_bufferSize", h, 0, n, d, n), size("cusolverDnDgetrf_bufferSize", h, n, n, d, n), size("cusolverDnDgeqrf_bufferSize", h, n, n, d, n)]
        self.lwork = max(self.least) if lwork is None else lwork
        self.work, self.enough, self.pivots, self.tau, self.info = room(8 * self.lwork), room(8 * self.least[1]), room(4 * n), room(8 * n), room(4)
        self.c, self.lu, self.qr = d, room(a.nbytes), room(a.nbytes)
    def send(self):
        for d in (self.c, self.lu, self.qr): send(self.a, d)
    def run(self):
        n = self.n
        return (solver.cusolverDnDpotrf(self.h, 0, n, self.c, n, self.work, self.lwork, self.info),
                solver.cusolverDnDgetrf(self.h, n, n, self.lu, n, self.enough, self.pivots, self.info),
                solver.cusolverDnDgeqrf(self.h, n, n, self.qr, n, self.tau, self.work, self.lwork, self.info))
    def check(self):
        a, n = self.a, self.n
        near = dict(rtol=0, atol=1e-12 * n * np.abs(a).max())
        l = np.tril(fetch(self.c, a)); np.testing.assert_allclose(l @ l.T, a, **near)
        f, p = fetch(self.lu, a), fetch(self.pivots, np.zeros(n, np.int32))
        rows = np.arange(n)
        for i, j in enumerate(p - 1): rows[[i, j]] = rows[[j, i]]
        np.testing.assert_allclose((np.tril(f, -1) + np.eye(n)) @ np.triu(f), a[rows], **near)
        r = np.triu(fetch(self.qr, a)); np.testing.assert_allclose(r.T @ r, a.T @ a, rtol=0, atol=1e-12 * n * np.abs(a.T @ a).max())
        assert fetch(self.info, np.zeros(1, np.int32))[0] == 0
    def once(self):
        self.send(); assert self.run() == (0, 0, 0); ok(rt.cudaDeviceSynchronize()); self.check()
rng = np.random.default_rng(7)
"""


def run(lib_dir: Path, code: str, **environment: str) -> None:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("SCALE_X_")}
    env = {**clean, "TEST_LIB": str(lib_dir), "SCALE_X_PROVIDER": "host", "SCALE_X_HOST_HOSTILE": "1", **environment}
    done = subprocess.run([sys.executable, "-c", PRELUDE + code], env=env, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stdout + done.stderr


def test_one_handle_many_times(lib_dir: Path) -> None:
    """Sizes that grow and shrink, on both sides of what the engine blocks, with work to the last element."""
    run(lib_dir, "h = handle()\nfor n in (1, 40, 3, 64, 65, 2, 420, 31, 100, 5): Problem(h, matrix(rng, n)).once()")


def test_threads_with_handles_of_their_own_and_with_one_handle(lib_dir: Path) -> None:
    script = r"""
shared, failed = handle(), []
def work(i, h):
    try:
        rng = np.random.default_rng(i)
        for n in (5, 33, 96, 12) * 4: Problem(h, matrix(rng, n)).once()
    except BaseException as e:
        failed.append(e)
for handles in ([handle() for _ in range(4)], [shared] * 4):
    threads = [threading.Thread(target=work, args=(i, h)) for i, h in enumerate(handles)]
    for t in threads: t.start()
    for t in threads: t.join()
assert not failed, failed
"""
    run(lib_dir, script)


def test_streams_that_run_late(lib_dir: Path) -> None:
    """Nothing is read or written before the stream comes to it; two streams do not share scratch."""
    script = r"""
h, late = handle(), []
for n in (30, 70):
    s = stream(); ok(solver.cusolverDnSetStream(h, s))
    p = Problem(h, matrix(rng, n), lwork=0)  # scratch of the stream
    p.send(); before = fetch(p.c, p.a)
    assert p.run() == (0, 0, 0)
    late.append((s, p))
for s, p in late:
    ok(rt.cudaStreamSynchronize(s)); p.check()
"""
    run(lib_dir, script, SCALE_X_HOST_STREAMS="deferred")


def test_small_workspaces(lib_dir: Path) -> None:
    """NVIDIA looks at no length: the work is done in scratch of the stream, which is allocated once."""
    script = r"""
h = handle()
p = Problem(h, matrix(rng, 80), lwork=1)
assert min(p.least) > 1
for _ in range(2): p.once()
a = np.asfortranarray(4 * np.eye(2100)); n, d, work, info = 2100, send(a), room(8), room(4)
for allocated in (1, 0):
    send(a, d); before = control(b"allocations")
    assert solver.cusolverDnDpotrf(h, 0, n, d, n, work, 1, info) == 0
    assert control(b"allocations") - before == allocated
    assert np.array_equal(np.diag(fetch(d, a)), np.full(n, 2.0))
"""
    run(lib_dir, script)


def test_captures(lib_dir: Path) -> None:
    """The first calls on a stream are captured, with the program's workspace and without; what they would have to allocate
    is refused, and the capture lives on."""
    script = r"""
def capture(s, call):
    graph = P()
    ok(rt.cudaStreamBeginCapture(s, 0)); answer = call(); ok(rt.cudaStreamEndCapture(s, C.byref(graph)))
    return answer, graph
for lwork in (None, 0):
    h, s, executable = handle(), stream(), P(); ok(solver.cusolverDnSetStream(h, s))
    p = Problem(h, matrix(rng, 50), lwork)
    statuses, graph = capture(s, p.run)
    assert statuses == (0, 0, 0), statuses
    ok(rt.cudaGraphInstantiate(C.byref(executable), graph, C.c_ulonglong(0)))
    for _ in range(2):
        p.a = matrix(rng, p.n); p.send(); ok(rt.cudaGraphLaunch(executable, s)); ok(rt.cudaStreamSynchronize(s)); p.check()
    p.once()
n = 600000  # 64 columns of this are more than is kept for a stream, and more than a rocBLAS handle owns
d, work, info = room(8), room(8), room(4)
h, s = handle(), stream(); ok(solver.cusolverDnSetStream(h, s))
status, _ = capture(s, lambda: solver.cusolverDnDpotrs(h, 0, n, 64, d, n, d, n, info))
assert status in (2, 6), status
Problem(h, matrix(rng, 20)).once()
"""
    run(lib_dir, script)


def test_refused_calls_leave_everything_alone(lib_dir: Path) -> None:
    script = r"""
h, n, a = handle(), 6, matrix(rng, 6)
d, b, tau, pivots, work, info = send(a), send(a), send(np.arange(6.0)), send(np.arange(6, dtype=np.int32)), room(1 << 16), room(64)
f = solver
calls = {
    "potrf uplo": lambda: f.cusolverDnDpotrf(h, 3, n, d, n, work, 4096, info),
    "potrf n": lambda: f.cusolverDnDpotrf(h, 0, -1, d, n, work, 4096, info),
    "potrf lda": lambda: f.cusolverDnDpotrf(h, 0, n, d, n - 1, work, 4096, info),
    "potrs nrhs": lambda: f.cusolverDnDpotrs(h, 0, n, -1, d, n, b, n, info),
    "potrs ldb": lambda: f.cusolverDnDpotrs(h, 0, n, 1, d, n, b, n - 1, info),
    "potri lda": lambda: f.cusolverDnDpotri(h, 0, n, d, n - 1, work, 4096, info),
    "getrf m": lambda: f.cusolverDnDgetrf(h, -1, n, d, n, work, pivots, info),
    "getrf lda": lambda: f.cusolverDnDgetrf(h, n, n, d, n - 1, work, pivots, info),
    "getrs trans": lambda: f.cusolverDnDgetrs(h, 7, n, 1, d, n, pivots, b, n, info),
    "getrs ldb": lambda: f.cusolverDnDgetrs(h, 0, n, 1, d, n, pivots, b, n - 1, info),
    "geqrf n": lambda: f.cusolverDnDgeqrf(h, n, -1, d, n, tau, work, 4096, info),
    "geqrf lda": lambda: f.cusolverDnDgeqrf(h, n, n, d, n - 1, tau, work, 4096, info),
    "orgqr k": lambda: f.cusolverDnDorgqr(h, n, n, n + 1, d, n, tau, work, 4096, info),
    "ormqr side": lambda: f.cusolverDnDormqr(h, 5, 0, n, n, n, d, n, tau, b, n, work, 4096, info),
    "ormqr ldc": lambda: f.cusolverDnDormqr(h, 0, 0, n, n, n, d, n, tau, b, n - 1, work, 4096, info),
    "sytrf lda": lambda: f.cusolverDnDsytrf(h, 0, n, d, n - 1, pivots, work, 4096, info),
    "handle": lambda: f.cusolverDnDgeqrf(None, n, n, d, n, tau, work, 4096, info),
}
for name, call in calls.items():
    status = call()
    assert status in (1, 3), (name, status)
    for where, what in ((d, a), (b, a), (tau, np.arange(6.0)), (pivots, np.arange(6, dtype=np.int32))):
        assert np.array_equal(fetch(where, what), what), name
"""
    run(lib_dir, script)
