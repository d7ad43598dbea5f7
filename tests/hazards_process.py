# ruff: noqa: E501
"""Drives scale-x's libraries and the ROCm functions beneath them in one process of its own, in hostile mode.

``run(lib_dir, code, **environment)`` runs ``code`` there. In it ``blas``, ``lt``, ``solver``, ``fft`` and ``rt`` are the
CUDA-X libraries and ``rocm`` the functions of the ROCm that they stand on; ``ok(...)`` demands success; ``send``, ``fetch``,
``room`` and ``pointer`` move data; ``matmul`` calls cublasLtMatmul, ``capture`` a call within a graph.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PRELUDE = r"""
import ctypes as C, os, sys
import numpy as np
LIB = os.environ["TEST_LIB"]
P, I, L = C.c_void_p, C.c_int, C.c_int64
engine = C.CDLL(os.environ.get("SCALE_X_HOST_ENGINE", LIB + "/libscalex_host.so.0"))
blas, lt, solver, fft, rt = (C.CDLL(f"{LIB}/lib{n}") for n in
                             ("cublas.so.13", "cublasLt.so.13", "cusolver.so.12", "cufft.so.12", "cudart.so.13"))

class Entry(C.Structure):
    _fields_ = [("name", C.c_char_p), ("fn", P)]

class Rocm:
    def __init__(self):
        engine.sx_host_table.restype = C.POINTER(Entry)
        n = C.c_size_t()
        rows = engine.sx_host_table(0, None, C.byref(n))
        self.functions = {rows[i].name.decode(): rows[i].fn for i in range(n.value)}
    def __getattr__(self, name):
        return C.CFUNCTYPE(C.c_int)(self.functions[name])

def ok(status):
    assert status == 0, status

def room(nbytes, fill=None):
    p = P()
    ok(rt.cudaMalloc(C.byref(p), C.c_size_t(nbytes)))
    if fill is not None:
        ok(rt.cudaMemset(p, fill, C.c_size_t(nbytes)))
    return p

def send(values):
    values = np.asarray(values)
    flat = np.frombuffer(values.tobytes(order="F"), np.uint8)
    p = room(max(flat.nbytes, 16))
    ok(rt.cudaMemcpy(p, P(flat.ctypes.data), C.c_size_t(flat.nbytes), 1))
    return p

def fetch(p, shape, dtype):
    flat = np.empty(int(np.prod(shape)), dtype)
    ok(rt.cudaMemcpy(P(flat.ctypes.data), p, C.c_size_t(flat.nbytes), 2))
    return flat.reshape(shape, order="F")

def pointer(value, dtype=np.float32):
    kept.append(np.array([value], dtype))
    return P(kept[-1].ctypes.data)
kept = []

def made(function, *before):
    out = P()
    ok(function(*before, C.byref(out)))
    return out

def stream():
    return made(rt.cudaStreamCreate)

graphs = []
def launch(s):
    ok(rt.cudaGraphLaunch(graphs[-1], s))
    ok(rt.cudaStreamSynchronize(s))

def capture(s, call):
    "The status of a call within a capture of stream s; a good one's graph is launched once, and stays in graphs."
    graph, ready = P(), P()
    ok(rt.cudaStreamBeginCapture(s, 0))
    status = call()
    ended = rt.cudaStreamEndCapture(s, C.byref(graph))
    if status == 0:
        ok(ended)
        ok(rt.cudaGraphInstantiate(C.byref(ready), graph, C.c_ulonglong(0)))
        graphs.append(ready)
        launch(s)
    rt.cudaGetLastError()
    return status

TYPE = {"float32": 0, "float64": 1, "float16": 2, "int8": 3, "bfloat16": 14, "float8_e4m3fn": 28}
def layout(dtype, rows, cols, order=1, ld=None):
    d = P()
    ok(lt.cublasLtMatrixLayoutCreate(C.byref(d), TYPE[np.dtype(dtype).name], C.c_uint64(rows), C.c_uint64(cols),
                                     L(ld if ld is not None else rows if order == 0 else cols)))
    ok(lt.cublasLtMatrixLayoutSetAttribute(d, 1, C.byref(I(order)), C.c_size_t(4)))
    return d

def matmul(handle, m, n, k, a, b, c, d, types, alpha, beta, orders=(0, 0, 0, 0), ops=(0, 0), attributes=(), s=None):
    "cublasLtMatmul in compute type 32F; attributes are (number, ctypes value)."
    desc = P()
    ok(lt.cublasLtMatmulDescCreate(C.byref(desc), 68, 0))
    for number, value in ((3, I(ops[0])), (4, I(ops[1])), *attributes):
        ok(lt.cublasLtMatmulDescSetAttribute(desc, number, C.byref(value), C.c_size_t(C.sizeof(value))))
    shapes = ((m, k) if ops[0] == 0 else (k, m), (k, n) if ops[1] == 0 else (n, k), (m, n), (m, n))
    la, lb, lc, ld = (layout(t, *shape, order=o) for t, shape, o in zip(types, shapes, orders))
    return lt.cublasLtMatmul(handle, desc, alpha, a, la, b, lb, beta, c, lc, d, ld, None, None, C.c_size_t(0), s)
"""


def run(lib_dir: Path, code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if not k.startswith("SCALE_X_")}
    env |= {"TEST_LIB": str(lib_dir), "SCALE_X_PROVIDER": "host", "SCALE_X_HOST_HOSTILE": "1", **environment}
    done = subprocess.run([sys.executable, "-c", PRELUDE + code], env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{done.returncode}\n{done.stdout}{done.stderr}"
    return done
