"""Bodies behind cuBLAS functions that rocBLAS lacks, through cuBLAS on the embedded engine: captured calls, scratch
memory, and the info that some functions write before they look at anything else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PRELUDE = """
import ctypes as C, sys
import numpy as np
lib = sys.argv[1]
blas, rt = C.CDLL(lib + "/libcublas.so.13"), C.CDLL(lib + "/libcudart.so.13")
P, R_32F, R_16F, R_8I, C_8I, C_32F = C.c_void_p, 0, 2, 3, 7, 4
def create():
    h = P()
    assert blas.cublasCreate_v2(C.byref(h)) == 0
    return h
def room(nbytes):
    p = P()
    assert rt.cudaMalloc(C.byref(p), C.c_size_t(nbytes)) == 0
    return p
def send(values):
    p = room(max(values.nbytes, 8))
    assert rt.cudaMemcpy(p, P(values.ctypes.data), C.c_size_t(values.nbytes), 1) == 0
    return p
def fetch(p, like):
    out = np.empty_like(like)
    assert rt.cudaMemcpy(P(out.ctypes.data), p, C.c_size_t(out.nbytes), 2) == 0
    return out
def pointers(*ps):
    return send(np.array([p.value for p in ps], np.uint64))
def captured(handle, call):
    "Calls once, captures a second call, and leaves the graph to be launched."
    s, graph, ready = P(), P(), P()
    assert rt.cudaStreamCreate(C.byref(s)) == 0 and blas.cublasSetStream_v2(handle, s) == 0
    assert call() == 0 and rt.cudaStreamSynchronize(s) == 0
    assert rt.cudaStreamBeginCapture(s, 0) == 0
    status = call()
    assert rt.cudaStreamEndCapture(s, C.byref(graph)) == 0 and status == 0, status
    assert rt.cudaGraphInstantiate(C.byref(ready), graph, C.c_ulonglong(0)) == 0
    def launch():
        assert rt.cudaGraphLaunch(ready, s) == 0 and rt.cudaStreamSynchronize(s) == 0
    return launch
"""


def run(script: str, lib_dir: Path, env: dict[str, str], **more: str) -> None:
    command = [sys.executable, "-c", PRELUDE + script, str(lib_dir)]
    done = subprocess.run(command, env=env | more, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and done.stderr == "", done.stdout + done.stderr


def test_half_vectors_captured(lib_dir: Path, engine_env: dict[str, str]) -> None:
    script = """
h, n = create(), 100
x, y = np.arange(n).astype(np.float16), -np.arange(n).astype(np.float16)
dx, dy, out = send(x), send(y), room(64)
assert blas.cublasSetPointerMode_v2(h, 1) == 0
launch = captured(h, lambda: blas.cublasAsumEx(h, n, dx, R_16F, 1, out, R_32F, R_32F))
launch()
assert fetch(out, np.zeros(1, np.float32))[0] == n * (n - 1) / 2
launch = captured(h, lambda: blas.cublasIamaxEx(h, n, dx, R_16F, 1, out))
launch()
assert fetch(out, np.zeros(1, np.int32))[0] == n
# the call itself swapped once, walking y backwards, the graph swaps again: both are as they were
launch = captured(h, lambda: blas.cublasSwapEx(h, n // 2, dx, R_16F, 2, dy, R_16F, -2))
assert (fetch(dx, x)[::2] == y[::2][::-1]).all()
launch()
assert (fetch(dx, x) == x).all() and (fetch(dy, y) == y).all()
"""
    run(script, lib_dir, engine_env)


def test_eight_bit_products_captured(lib_dir: Path, engine_env: dict[str, str]) -> None:
    script = """
h, m, n, k = create(), 5, 4, 7
a = np.asfortranarray(np.arange(m * k).reshape(m, k) % 19 - 9, np.int8)
b = np.asfortranarray(np.arange(k * n).reshape(k, n) % 17 - 8, np.int8)
da, db, c = send(a.ravel("F")), send(b.ravel("F")), np.zeros((n, m), np.float32)
dc, one, none = send(c), C.c_float(1), C.c_float(0)
launch = captured(h, lambda: blas.cublasSgemmEx(
    h, 0, 0, m, n, k, C.byref(one), da, R_8I, m, db, R_8I, k, C.byref(none), dc, R_32F, m))
assert rt.cudaMemset(dc, 255, C.c_size_t(c.nbytes)) == 0
launch()
assert (fetch(dc, c).T == a.astype(np.float32) @ b.astype(np.float32)).all()
"""
    run(script, lib_dir, engine_env)


def test_inverses_and_least_squares_captured(lib_dir: Path, engine_env: dict[str, str]) -> None:
    script = """
h, n, count = create(), 8, 3
a = np.eye(n) * 4 + np.arange(n * n).reshape(n, n) / 100
matrices, inverses = [send(a) for _ in range(count)], [room(a.nbytes) for _ in range(count)]
arrays, into, info = pointers(*matrices), pointers(*inverses), send(np.full(count, 77, np.int32))
launch = captured(h, lambda: blas.cublasDmatinvBatched(h, n, arrays, n, into, n, info, count))
assert rt.cudaMemset(inverses[2], 255, C.c_size_t(a.nbytes)) == 0
launch()
assert np.abs(fetch(inverses[2], a) @ a - np.eye(n)).max() < 1e-13 and not fetch(info, np.zeros(3, np.int32)).any()
# a larger call moves on to more scratch memory; the graph keeps its own
many = 1 << 16
lots, infos = pointers(*[inverses[0]] * many), room(4 * many)
assert blas.cublasDmatinvBatched(h, n, pointers(*[matrices[0]] * many), n, lots, n, infos, many) == 0
assert rt.cudaMemset(inverses[1], 255, C.c_size_t(a.nbytes)) == 0
launch()
assert np.abs(fetch(inverses[1], a) @ a - np.eye(n)).max() < 1e-13
right, host_info = [send(np.ones((1, n))) for _ in range(count)], C.c_int(77)
to = pointers(*right)
launch = captured(h, lambda: blas.cublasDgelsBatched(
    h, 0, n, n, 1, arrays, n, to, n, C.byref(host_info), None, count))
assert host_info.value == 0
"""
    run(script, lib_dir, engine_env)


def test_info_before_everything(lib_dir: Path, engine_env: dict[str, str]) -> None:
    """getrsBatched speaks of its arguments without a handle; geqrfBatched and gelsBatched want the handle first."""
    script = """
h, info, p = create(), C.c_int(77), P(64)
def getrs(handle, trans, n, nrhs, lda, ldb, count):
    info.value = 77
    return blas.cublasSgetrsBatched(handle, trans, n, nrhs, p, lda, p, p, ldb, C.byref(info), count), info.value
assert getrs(None, 3, 3, 2, 3, 3, 2) == (7, -1)
assert getrs(None, 0, -1, 2, 3, 3, 2) == (7, -2)
assert getrs(None, 0, 3, -1, 3, 3, 2) == (7, -3)
assert getrs(h, 0, 3, 2, 2, 3, 2) == (7, -5)
assert getrs(h, 0, 3, 2, 3, 2, 2) == (7, -8)
assert getrs(None, 0, 0, 2, 3, 3, 2) == (0, 0)
assert getrs(None, 0, 3, 2, 3, 3, 2) == (1, 0)
assert getrs(h, 0, 3, 2, 3, 3, 0) == (13, 0)
def geqrf(handle, m, n, lda, count):
    info.value = 77
    return blas.cublasSgeqrfBatched(handle, m, n, p, lda, p, C.byref(info), count), info.value
assert geqrf(None, -1, 3, 4, 2) == (1, 77)
assert geqrf(h, -1, 3, 4, 2) == (7, -1) and geqrf(h, 4, 3, 3, 2) == (7, -4) and geqrf(h, 4, 3, 4, -1) == (7, -7)
assert geqrf(h, 4, 0, 4, 2) == (0, 0)
assert blas.cublasSgeqrfBatched(h, 4, 3, p, 4, p, None, 2) == 7
def gels(trans, m, n, nrhs, count=2):
    info.value = 77
    return blas.cublasSgelsBatched(h, trans, m, n, nrhs, p, 4, p, 4, C.byref(info), p, count), info.value
assert gels(0, 4, 3, -1) == (7, -2) and gels(0, 4, -1, 2) == (7, -3) and gels(0, 4, 3, 2, -1) == (7, -8)
assert gels(1, 4, 3, 2) == (15, 0) and gels(0, 3, 4, 2) == (15, 0) and gels(1, 0, 3, 2) == (0, 0)
"""
    run(script, lib_dir, engine_env)
