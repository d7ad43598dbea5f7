"""Handles and settings through cuBLAS on the embedded engine: what NVIDIA's library was seen to answer, two threads on
one handle, fork, workspaces, and what a broken device leaves working."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PRELUDE = """
import ctypes as C, os, sys, threading
lib = sys.argv[1]
blas, rt = C.CDLL(lib + "/libcublas.so.13"), C.CDLL(lib + "/libcudart.so.13")
engine = C.CDLL(lib + "/libscalex_host.so.0")
P, F = C.c_void_p, C.c_float
def create():
    h = P()
    assert blas.cublasCreate_v2(C.byref(h)) == 0
    return h
def device(values):
    p, host = P(), (F * len(values))(*values)
    assert rt.cudaMalloc(C.byref(p), C.c_size_t(4 * len(values))) == 0
    assert blas.cublasSetVector(len(values), 4, host, 1, p, 1) == 0
    return p
def host(p, n):
    out = (F * n)()
    assert blas.cublasGetVector(n, 4, p, 1, out, 1) == 0
    return list(out)
def got(name, h, kind=C.c_int):
    v = kind(77)
    assert getattr(blas, name)(h, C.byref(v)) == 0, name
    return v.value
def gemm(h, n, a, b, c):
    one, zero = F(1), F(0)
    return blas.cublasSgemm_v2(h, 0, 0, n, n, n, C.byref(one), a, n, b, n, C.byref(zero), c, n)
"""


def run(script: str, lib_dir: Path, env: dict[str, str], **more: str) -> None:
    command = [sys.executable, "-c", PRELUDE + script, str(lib_dir)]
    done = subprocess.run(command, env=env | more, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and done.stderr == "", done.stdout + done.stderr


def test_settings_as_measured(lib_dir: Path, engine_env: dict[str, str]) -> None:
    script = """
h = create()
for name in ("PointerMode_v2", "AtomicsMode", "MathMode", "SmCountTarget", "EmulationStrategy",
             "FixedPointEmulationMantissaControl", "FixedPointEmulationMaxMantissaBitCount",
             "FixedPointEmulationMantissaBitOffset"):
    assert got("cublasGet" + name, h) == 0, name
assert got("cublasGetEmulationSpecialValuesSupport", h) == 65535
assert got("cublasGetStream_v2", h, P) is None
assert got("cublasGetFixedPointEmulationMantissaBitCountPointer", h, P) is None
def table(name, values, good, start=0):
    last = start
    for v in values:
        status = getattr(blas, "cublasSet" + name)(h, v)
        assert status == (0 if v in good else 7), (name, v, status)
        last = v if v in good else last
        assert got("cublasGet" + name, h) == last, (name, v)
    assert getattr(blas, "cublasSet" + name)(None, 0) == 1
    assert getattr(blas, "cublasGet" + name)(None, C.byref(C.c_int())) == (7 if name == "PointerMode_v2" else 1)
    assert getattr(blas, "cublasGet" + name)(h, None) == 7, name
table("PointerMode_v2", (-1, 0, 1, 2, 99, 0), (0, 1))
table("AtomicsMode", (-1, 0, 1, 2, 99), (0, 1))
table("MathMode", (*range(-1, 36), 64, 128, 256), range(32))
table("EmulationStrategy", (-1, 0, 1, 2, 3), (0, 1, 2))
table("SmCountTarget", (-1, 0, 1, 5, 100000, 0), (0, 1, 5))
for value in (1, 2, None):
    assert blas.cublasSetStream_v2(h, P(value)) == 0 and got("cublasGetStream_v2", h, P) == value
s = P()
assert rt.cudaStreamCreate(C.byref(s)) == 0
assert blas.cublasSetStream_v2(h, s) == 0 and got("cublasGetStream_v2", h, P) == s.value
assert blas.cublasSetStream_v2(None, s) == 1 and blas.cublasGetStream_v2(h, None) == 7
"""
    run(script, lib_dir, engine_env)


def test_handles_as_measured(lib_dir: Path, engine_env: dict[str, str]) -> None:
    script = """
assert blas.cublasCreate_v2(None) == 7
assert blas.cublasDestroy_v2(None) == 1
zeros = C.create_string_buffer(65536)
for garbage in (zeros, P(8), P(0x200), P(2**63), P(2**64 - 1)):
    assert blas.cublasDestroy_v2(garbage) == 1
    assert blas.cublasGetPointerMode_v2(garbage, C.byref(C.c_int())) == 7
h = create()
assert blas.cublasDestroy_v2(h) == 0
assert blas.cublasDestroy_v2(h) == 1
assert blas.cublasGetMathMode(h, C.byref(C.c_int())) == 1
"""
    run(script, lib_dir, engine_env)


@pytest.mark.parametrize(("suffix", "version", "runtime"), [(11, 11, 11080), (12, 12, 12090), (13, 13, 13000)])
def test_versions(suffix: int, version: int, runtime: int, lib_dir: Path, engine_env: dict[str, str]) -> None:
    script = f"""
blas = C.CDLL(lib + "/libcublas.so.{suffix}")
whole = got("cublasGetVersion_v2", None)
assert blas.cublasGetVersion_v2(None, None) == 7
parts = []
for i in range(3):
    v = C.c_int()
    assert blas.cublasGetProperty(i, C.byref(v)) == 0
    parts.append(v.value)
assert parts[0] == {version} and whole == parts[0] * 10000 + parts[1] * 100 + parts[2], (whole, parts)
assert blas.cublasGetProperty(0, None) == 7 and blas.cublasGetProperty(3, C.byref(v)) == 7
blas.cublasGetCudartVersion.restype = C.c_size_t
assert blas.cublasGetCudartVersion() == {runtime}
"""
    run(script, lib_dir, engine_env)


def test_status_texts(lib_dir: Path, engine_env: dict[str, str]) -> None:
    script = """
for f in (blas.cublasGetStatusName, blas.cublasGetStatusString):
    f.restype = C.c_char_p
known = {0: "SUCCESS", 1: "NOT_INITIALIZED", 3: "ALLOC_FAILED", 7: "INVALID_VALUE", 8: "ARCH_MISMATCH",
         11: "MAPPING_ERROR", 13: "EXECUTION_FAILED", 14: "INTERNAL_ERROR", 15: "NOT_SUPPORTED", 16: "LICENSE_ERROR"}
for i in (*range(-1, 21), 30, 999):
    name = b"CUBLAS_STATUS_" + known[i].encode() if i in known else b"unrecognized status"
    assert blas.cublasGetStatusName(i) == name, i
    assert (blas.cublasGetStatusString(i) == b"unrecognized status") == (i not in known), i
assert blas.cublasGetStatusString(7) == b"an unsupported value or parameter was passed to the function"
"""
    run(script, lib_dir, engine_env)


def test_any_workspace(lib_dir: Path, engine_env: dict[str, str]) -> None:
    """Any size and alignment is accepted, results stay right, and SetStream drops it."""
    script = """
h, n = create(), 64
a, c = device([float(i % 7) for i in range(n * n)]), device([0.0] * (n * n))
eye = device([float(i // n == i % n) for i in range(n * n)])
big = P()
assert rt.cudaMalloc(C.byref(big), C.c_size_t(256 << 20)) == 0
want = host(a, n * n)
for where, size in ((None, 0), (None, 1024), (big, 1), (big, 256), (P(big.value + 1), 1 << 20), (big, 4 << 20),
                    (big, 0), (big, 256 << 20)):
    assert blas.cublasSetWorkspace_v2(h, where, C.c_size_t(size)) == 0
    assert gemm(h, n, a, eye, c) == 0 and host(c, n * n) == want, (where, size)
assert blas.cublasSetStream_v2(h, None) == 0
assert rt.cudaFree(big) == 0
assert gemm(h, n, a, eye, c) == 0 and host(c, n * n) == want
assert blas.cublasSetWorkspace_v2(None, big, C.c_size_t(1)) == 1
"""
    run(script, lib_dir, engine_env)


@pytest.mark.parametrize("streams", ["inline", "async"])
def test_two_threads_on_one_handle(streams: str, lib_dir: Path, engine_env: dict[str, str]) -> None:
    script = """
h, n, errors = create(), 500, []
def work(k):
    x, y = device([float(k)] * n), device([2.0] * n)
    for _ in range(300):
        r = F()
        status = blas.cublasSdot_v2(h, n, x, 1, y, 1, C.byref(r))
        if status or r.value != 2.0 * k * n:
            errors.append((k, status, r.value))
threads = [threading.Thread(target=work, args=(k,)) for k in (1, 3, 5)]
for t in threads: t.start()
for t in threads: t.join()
assert not errors, errors[:3]
assert blas.cublasDestroy_v2(h) == 0
"""
    run(script, lib_dir, engine_env, SCALE_X_HOST_STREAMS=streams)


def test_threads_handles_streams(lib_dir: Path, engine_env: dict[str, str]) -> None:
    """Each thread with its own handles on its own streams, which come and go."""
    script = """
errors = []
def work(k):
    n = 100
    x = device([float(k)] * n)
    for round in range(40):
        s, h, r = P(), create(), F()
        assert rt.cudaStreamCreate(C.byref(s)) == 0
        assert blas.cublasSetStream_v2(h, s) == 0
        status = blas.cublasSasum_v2(h, n, x, 1, C.byref(r))
        if status or r.value != k * n: errors.append((k, round, status, r.value))
        if round % 2: assert blas.cublasDestroy_v2(h) == 0
        assert rt.cudaStreamDestroy(s) == 0
        if not round % 2: assert blas.cublasDestroy_v2(h) == 0
threads = [threading.Thread(target=work, args=(k,)) for k in range(1, 5)]
for t in threads: t.start()
for t in threads: t.join()
assert not errors, errors[:3]
"""
    run(script, lib_dir, engine_env)


def test_fork(lib_dir: Path, engine_env: dict[str, str]) -> None:
    """The child computes with its parent's handle, with its own, and with threads of its own."""
    script = """
h, n = create(), 300
a, c = device([1.0] * (n * n)), device([0.0] * (n * n))
assert gemm(h, n, a, a, c) == 0
for depth in range(2):
    child = os.fork()
    if child == 0:
        assert gemm(h, n, a, a, c) == 0 and host(c, 3) == [n] * 3
        own = create()
        t = threading.Thread(target=lambda: gemm(own, n, a, a, c))
        t.start(); t.join()
        assert host(c, 3) == [n] * 3 and blas.cublasDestroy_v2(own) == 0
        continue
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    break
assert gemm(h, n, a, a, c) == 0 and host(c, 3) == [n] * 3
os._exit(0)
"""
    run(script, lib_dir, engine_env)


@pytest.mark.parametrize("streams", ["inline", "async"])
def test_fork_beside_threads(streams: str, lib_dir: Path, engine_env: dict[str, str]) -> None:
    """The process forks while its threads create, compute and destroy; every child finds the state whole."""
    script = """
h, stop = create(), threading.Event()
def work():
    while not stop.is_set():
        own, s, a = create(), P(), device([1.0] * 64)
        assert rt.cudaStreamCreate(C.byref(s)) == 0 and blas.cublasSetStream_v2(own, s) == 0
        assert gemm(own, 8, a, a, a) == 0 and blas.cublasDestroy_v2(own) == 0
        assert rt.cudaStreamDestroy(s) == 0 and rt.cudaFree(a) == 0
threads = [threading.Thread(target=work) for _ in range(3)]
for t in threads: t.start()
try:
    for _ in range(40):
        child = os.fork()
        if child == 0:
            a = device([1.0] * 64)
            os._exit(0 if gemm(h, 8, a, a, a) == 0 and host(a, 1) == [8.0] else 3)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
finally:
    stop.set()
for t in threads: t.join()
"""
    run(script, lib_dir, engine_env, SCALE_X_HOST_STREAMS=streams)


def test_broken_device(lib_dir: Path, engine_env: dict[str, str]) -> None:
    """After a device fault computing fails; argument checks and quick returns still answer."""
    script = """
h, n = create(), 4
a = device([1.0] * 16)
x, r, two = (F * 4)(), F(), F(2)
assert engine.sx_host_control(b"sticky_error", C.c_long(700)) == 0
assert gemm(h, n, a, a, a) == 13
assert gemm(h, 0, a, a, a) == 7                                   # lda = 0
assert blas.cublasSscal_v2(h, 0, C.byref(two), a, 1) == 0
assert blas.cublasSscal_v2(h, 4, C.byref(two), a, 1) == 13
assert blas.cublasSnrm2_v2(h, 4, a, 1, C.byref(r)) == 13
assert blas.cublasStrsm_v2(h, 0, 0, 0, 0, 4, 4, C.byref(two), a, 4, a, 4) == 13
assert blas.cublasSetVector(4, 4, x, 1, a, 1) == 11
other = P(5)
assert blas.cublasCreate_v2(C.byref(other)) == 1 and other.value == 5
assert blas.cublasDestroy_v2(h) == 0
"""
    run(script, lib_dir, engine_env)


def test_no_provider(lib_dir: Path, engine_env: dict[str, str]) -> None:
    """ROCm demanded and missing: creation fails, what needs no device still answers."""
    script = """
h = P(5)
assert blas.cublasCreate_v2(C.byref(h)) == 1 and h.value == 5
assert got("cublasGetVersion_v2", None) > 130000
n = C.c_int(-1)
assert rt.cudaGetDeviceCount(C.byref(n)) in (3, 100), rt.cudaGetDeviceCount(C.byref(n))
assert rt.cudaMalloc(C.byref(h), C.c_size_t(8)) in (3, 100)
"""
    command = [sys.executable, "-c", PRELUDE + script, str(lib_dir)]
    env = engine_env | {"SCALE_X_PROVIDER": "rocm"}
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("scale-x:") == 1 and "no ROCm was found" in done.stderr


def test_several_devices(lib_dir: Path, engine_env: dict[str, str]) -> None:
    """A handle belongs to the device of its creation, whatever the current one is, and leaves that as it was."""
    script = """
n = 8
handles, data = [], []
for d in range(3):
    assert rt.cudaSetDevice(d) == 0
    handles.append(create())
    data.append((device([float(d + 1)] * (n * n)), device([0.0] * (n * n))))
current = C.c_int()
for d in (2, 0, 1):
    assert rt.cudaSetDevice((d + 1) % 3) == 0
    assert gemm(handles[d], n, data[d][0], data[d][0], data[d][1]) == 0
    assert rt.cudaGetDevice(C.byref(current)) == 0 and current.value == (d + 1) % 3
    assert rt.cudaSetDevice(d) == 0 and host(data[d][1], 2) == [n * (d + 1.0) ** 2] * 2
assert [blas.cublasDestroy_v2(h) for h in handles] == [0, 0, 0]
"""
    run(script, lib_dir, engine_env, SCALE_X_HOST_DEVICES="3")


def test_capture(lib_dir: Path, engine_env: dict[str, str]) -> None:
    """A call that is captured first is replayed by the graph: handles are ready before the capture begins."""
    script = """
h, n, s, graph, run = create(), 16, P(), P(), P()
a, c = device([1.0] * (n * n)), device([0.0] * (n * n))
assert rt.cudaStreamCreate(C.byref(s)) == 0 and blas.cublasSetStream_v2(h, s) == 0
assert rt.cudaStreamBeginCapture(s, 0) == 0
assert gemm(h, n, a, a, c) == 0
assert rt.cudaStreamEndCapture(s, C.byref(graph)) == 0
assert host(c, 1) == [0.0]
assert rt.cudaGraphInstantiate(C.byref(run), graph, C.c_ulonglong(0)) == 0
assert rt.cudaGraphLaunch(run, s) == 0 and rt.cudaStreamSynchronize(s) == 0
assert host(c, 2) == [float(n)] * 2
"""
    run(script, lib_dir, engine_env)
