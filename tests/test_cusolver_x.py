"""The 64-bit API of cuSOLVER, as programs use and misuse it: workspaces that are short or missing, sizes beyond 32
bits, objects that are none, handles on several threads, captured calls."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PRELUDE = """
import ctypes as C, sys, threading
import numpy as np
lib = sys.argv[1]
dn, rt = C.CDLL(lib + "/libcusolver.so.12"), C.CDLL(lib + "/libcudart.so.13")
P, I64, SIZE, R_64F, LOWER = C.c_void_p, C.c_int64, C.c_size_t, 1, 0
OK, NO_MEMORY, INVALID, EXECUTION, INTERNAL, UNSUPPORTED = 0, 2, 3, 6, 7, 9
def create():
    h = P()
    assert dn.cusolverDnCreate(C.byref(h)) == OK
    return h
def room(nbytes):
    p = P()
    assert rt.cudaMalloc(C.byref(p), SIZE(max(nbytes, 8))) == 0
    return p
def send(values):
    p, values = room(values.nbytes), np.asfortranarray(values)
    assert rt.cudaMemcpy(p, P(values.ctypes.data), SIZE(values.nbytes), 1) == 0
    return p
def fetch(p, shape, dtype=np.float64):
    out = np.empty(shape, dtype, order="F")
    assert rt.cudaDeviceSynchronize() == 0
    assert rt.cudaMemcpy(P(out.ctypes.data), p, SIZE(out.nbytes), 2) == 0
    return out
def sizes(function, h, *arguments):
    device, host = SIZE(77), SIZE(77)
    assert function(h, *arguments, C.byref(device), C.byref(host)) == OK
    return device.value, host.value
rng = np.random.default_rng(7)
def symmetric(n):
    a = rng.standard_normal((n, n))
    return a + a.T
class Calls:
    "Every function of the 64-bit API on a matrix of order n; each call computes, and ``check`` says whether it did."
    def __init__(self, h, n):
        self.h, self.n, n64 = h, n, I64(n)
        self.s = symmetric(n)
        self.spd = self.s @ self.s + n * np.eye(n)
        self.g = rng.standard_normal((n, n))
        self.w, self.u, self.v = room(16 * n), room(8 * n * n), room(8 * n * n)
        self.told, self.pivots, self.info = room(24), room(8 * n), send(np.full(1, 77, np.int32))
        none, d = P(), R_64F
        a = P()
        self.table = {
            "Xpotrf": (self.spd, (none, LOWER, n64, d, a, n64, d), ()),
            "Xgetrf": (self.g, (none, n64, n64, d, a, n64, self.pivots, d), ()),
            "Xgeqrf": (self.g, (none, n64, n64, d, a, n64, d, self.w, d), ()),
            "Xsyevd": (self.s, (none, 1, LOWER, n64, d, a, n64, d, self.w, d), ()),
            "Xgesvd": (self.g, (none, 65, 65, n64, n64, d, a, n64, d, self.w, d, self.u, n64, d, self.v, n64, d), ()),
            "Xgesvdp": (self.g, (none, 1, 0, n64, n64, d, a, n64, d, self.w, d, self.u, n64, d, self.v, n64, d),
                        (C.byref(C.c_double()),)),
            "Xgeev": (self.g, (none, 0, 1, n64, d, a, n64, d, self.w, d, none, I64(1), d, self.v, n64, d), ()),
            "Xpolar": (self.g, (none, 2, n64, n64, d, a, n64, d, self.v, n64, d), None),
        }
    def query(self, name):
        arguments = [x for x in self.table[name][1] if x is not self.pivots]  # a query does not ask for them
        return sizes(getattr(dn, f"cusolverDn{name}_bufferSize"), self.h, *arguments)
    def placed(self, arguments, a):
        "The matrix goes where the table has an unset pointer of its own."
        at = [i for i, x in enumerate(arguments) if isinstance(x, P) and not x.value and i > 2][0]
        return arguments[:at] + (a,) + arguments[at + 1:]
    def call(self, name, a, device, device_bytes, host, host_bytes):
        _, arguments, more = self.table[name]
        work = (device, SIZE(device_bytes), host, SIZE(host_bytes))
        if more is None:
            told = (self.told, P(self.told.value + 8), P(self.told.value + 16))
            return getattr(dn, f"cusolverDn{name}")(self.h, *self.placed(arguments, a), *work, *told, self.info)
        return getattr(dn, f"cusolverDn{name}")(self.h, *self.placed(arguments, a), *work, self.info, *more)
    def run(self, name):
        device_bytes, host_bytes = self.query(name)
        host = C.create_string_buffer(max(host_bytes, 8))
        a = send(self.table[name][0])
        status = self.call(name, a, room(device_bytes), device_bytes, host, host_bytes)
        return status, a
    def check(self, name, a):
        before, n = self.table[name][0], self.n
        after, w = fetch(a, (n, n)), fetch(self.w, n)
        assert fetch(self.info, 1, np.int32)[0] == 0, name
        def near(x, y):
            assert np.abs(x - y).max() < 1e-10 * n * max(1, np.abs(y).max()), name
        u, v = fetch(self.u, (n, n)), fetch(self.v, (n, n))
        if name == "Xpotrf":
            near(np.tril(after) @ np.tril(after).T, before)
        elif name == "Xgetrf":
            l, r, order = np.tril(after, -1) + np.eye(n), np.triu(after), np.arange(n)
            for i, p in enumerate(fetch(self.pivots, n, np.int64) - 1):
                order[[i, p]] = order[[p, i]]
            near(l @ r, before[order])
        elif name == "Xgeqrf":
            near(np.triu(after).T @ np.triu(after), before.T @ before)
        elif name == "Xsyevd":
            near(after @ np.diag(w) @ after.T, before)
        elif name == "Xgesvd":
            near(u @ np.diag(w) @ v, before)
        elif name == "Xgesvdp":
            near(u @ np.diag(w) @ v.T, before)
        elif name == "Xgeev":
            near(np.sort(w), np.sort(np.linalg.eigvals(before).real))
        elif name == "Xpolar":
            near(after @ v, before)
            near(after.T @ after, np.eye(n))
"""
ALL = ("Xpotrf", "Xgetrf", "Xgeqrf", "Xsyevd", "Xgesvd", "Xgesvdp", "Xgeev", "Xpolar")
STREAMS = ("inline", "deferred")


def run(script: str, lib_dir: Path, env: dict[str, str], **more: str) -> None:
    command = [sys.executable, "-c", PRELUDE + script, str(lib_dir)]
    done = subprocess.run(command, env=env | more, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("streams", STREAMS)
def test_short_and_missing_workspaces(streams: str, lib_dir: Path, engine_env: dict[str, str]) -> None:
    """Memory of the stream's stands in for a workspace that is short; one that is NULL may be refused, as by NVIDIA."""
    script = f"""
calls = Calls(create(), 33)
for name in {ALL}:
    device, host = calls.query(name)
    buffer = C.create_string_buffer(max(host, 8))
    for work, nbytes in ((room(device), device), (room(device), max(device - 1, 0)), (room(8), 8), (P(), 0)):
        a = send(calls.table[name][0])
        status = calls.call(name, a, work, nbytes, buffer, host)
        if status == OK:
            calls.check(name, a)
        else:
            assert not work.value and status in (INVALID, INTERNAL), (name, nbytes, status)
            assert (fetch(a, (33, 33)) == calls.table[name][0]).all(), name
    for short, nbytes in ((buffer, max(host - 1, 0)), (P(), 0)):
        a = send(calls.table[name][0])
        assert calls.call(name, a, room(device), device, short, nbytes) == OK, name
        calls.check(name, a)
"""
    run(script, lib_dir, engine_env, SCALE_X_HOST_STREAMS=streams)


def test_sizes_beyond_32_bits_are_refused(lib_dir: Path, engine_env: dict[str, str]) -> None:
    script = f"""
for n in (2**31, 2**40, 2**62):
    calls = Calls(create(), 4)
    big = I64(n)
    for name in {ALL}:
        matrix, arguments, more = calls.table[name]
        a = send(matrix)
        calls.table[name] = (matrix, tuple(big if isinstance(x, I64) and x.value == 4 else x for x in arguments), more)
        status = calls.call(name, a, room(64), 64, C.create_string_buffer(64), 64)
        assert status in (UNSUPPORTED, INVALID, NO_MEMORY, EXECUTION), (name, status)
        assert (fetch(a, (4, 4)) == matrix).all(), name
"""
    run(script, lib_dir, engine_env)


def test_objects_that_are_none(lib_dir: Path, engine_env: dict[str, str]) -> None:
    """Params may be NULL or made; what is neither is refused or not looked at, and IRS names the bad object."""
    script = """
h, n = create(), 4
noise = C.create_string_buffer(b"\\xab" * 4096, 4096)
dead, params, infos = P(), P(), P()
assert dn.cusolverDnIRSParamsCreate(C.byref(dead)) == OK and dn.cusolverDnIRSParamsDestroy(dead) == OK
assert dn.cusolverDnIRSParamsCreate(C.byref(params)) == OK and dn.cusolverDnIRSInfosCreate(C.byref(infos)) == OK
assert dn.cusolverDnIRSParamsSetSolverPrecisions(params, 1203, 1203) == OK
assert dn.cusolverDnIRSParamsSetRefinementSolver(params, 1102) == OK
a, b, x, info, count = send(np.eye(n)), send(np.ones(n)), room(8 * n), room(4), C.c_int(-77)
def solve(params, infos):
    return dn.cusolverDnIRSXgesv(h, params, infos, n, 1, a, n, b, n, x, n, room(1 << 16), SIZE(1 << 16),
                                 C.byref(count), info)
for bad in (P(), dead, C.cast(noise, P), h):
    assert solve(bad, infos) == 12 and solve(params, bad) == 25, bad  # ..._NOT_INITIALIZED
assert solve(params, infos) == OK and (fetch(x, n) == 1).all()
"""
    run(script, lib_dir, engine_env)


@pytest.mark.parametrize("streams", STREAMS)
def test_handles_on_threads(streams: str, lib_dir: Path, engine_env: dict[str, str]) -> None:
    """A handle for each thread, and one handle that all of them share."""
    script = f"""
shared, failed = create(), []
def work(h, n):
    try:
        for _ in range(3):
            for name in {ALL}:
                calls = Calls(h, n)
                status, a = calls.run(name)
                assert status == OK, (name, status)
                calls.check(name, a)
    except BaseException as e:
        failed.append(e)
for handles in ([create() for _ in range(4)], [shared] * 4):
    threads = [threading.Thread(target=work, args=(h, n)) for h, n in zip(handles, (5, 9, 17, 33))]
    for t in threads: t.start()
    for t in threads: t.join()
    assert not failed, failed
"""
    run(script, lib_dir, engine_env, SCALE_X_HOST_STREAMS=streams)


def test_captured(lib_dir: Path, engine_env: dict[str, str]) -> None:
    """What runs on the device alone is captured, and the graph computes; what must wait is refused, its matrix kept."""
    script = f"""
for name in {ALL}:
    h, s = create(), P()
    assert rt.cudaStreamCreate(C.byref(s)) == 0 and dn.cusolverDnSetStream(h, s) == OK
    calls = Calls(h, 9)
    device, host = calls.query(name)
    work, buffer, a = room(device), C.create_string_buffer(max(host, 8)), send(calls.table[name][0])
    before, graph, ready = fetch(a, (9, 9)), P(), P()
    assert rt.cudaStreamBeginCapture(s, 0) == 0
    status = calls.call(name, a, work, device, buffer, host)
    ended = rt.cudaStreamEndCapture(s, C.byref(graph))
    assert (fetch(a, (9, 9)) == before).all(), name
    if name in ("Xgeev", "Xpolar"):
        assert status == INTERNAL, (name, status)
        continue
    assert (status, ended) == (OK, 0), (name, status, ended)
    assert rt.cudaGraphInstantiate(C.byref(ready), graph, C.c_ulonglong(0)) == 0
    assert rt.cudaGraphLaunch(ready, s) == 0 and rt.cudaStreamSynchronize(s) == 0
    calls.check(name, a)
"""
    run(script, lib_dir, engine_env)
