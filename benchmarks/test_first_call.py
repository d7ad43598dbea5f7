"""What the first call of a process costs over the engine beneath it: finding and binding the provider, and a handle.

Each figure is the least of several processes; the difference is what an AMD machine would pay on top of ROCm itself.
"""

from __future__ import annotations

import os
import subprocess
import sys

from scale_x.bindings._locate import own_directories

ENGINE = """
import ctypes as C, sys, time
lib = sys.argv[1]
C.CDLL(lib + "/libscalex_host.so.0")  # OpenBLAS and all: not what is measured
begun = time.perf_counter()
"""
THROUGH_CUBLAS = (
    ENGINE
    + """
blas = C.CDLL(lib + "/libcublas.so.13")
handle, one = C.c_void_p(), (C.c_float * 4)(1, 1, 1, 1)
status = blas.cublasCreate_v2(C.byref(handle)) or blas.cublasSscal_v2(handle, 0, one, one, 1)
print(status, time.perf_counter() - begun)
"""
)
BENEATH = (
    ENGINE
    + """
class Entry(C.Structure):
    _fields_ = [("name", C.c_char_p), ("fn", C.c_void_p)]
engine, n = C.CDLL(lib + "/libscalex_host.so.0"), C.c_size_t()
engine.sx_host_table.restype = C.POINTER(Entry)
rows = engine.sx_host_table(702, b"gfx942", C.byref(n))
where = next(rows[i].fn for i in range(n.value) if rows[i].name == b"rocblas_create_handle")
create = C.CFUNCTYPE(C.c_int, C.c_void_p)(where)
bound = time.perf_counter()
handle = C.c_void_p()
print(create(C.byref(handle)), time.perf_counter() - bound)
"""
)


def least(script: str) -> float:
    env = dict(os.environ, SCALE_X_PROVIDER="host", OPENBLAS_NUM_THREADS="1")
    times = []
    for _ in range(9):
        done = subprocess.run([sys.executable, "-c", script, str(own_directories()[0])], env=env, capture_output=True,
                              text=True, check=True)  # fmt: skip
        status, seconds = done.stdout.split()
        assert status == "0", done.stderr
        times.append(float(seconds))
    return min(times)


def test_first_call() -> None:
    through, beneath = least(THROUGH_CUBLAS), least(BENEATH)
    print(f"\nfirst handle and call {1e3 * through:.2f} ms, of the engine itself {1e3 * beneath:.2f} ms")
    assert through - beneath < 5e-3
