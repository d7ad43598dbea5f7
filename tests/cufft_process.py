# ruff: noqa: E501
"""Drives cuFFT's C ABI in a process of its own (the engine reads its environment once).

``run(lib_dir, code, **environment)`` runs ``code`` there. In it ``fft.cufftX(...)`` and ``rt.cudaX(...)`` call functions
and return their status, ``ok(...)`` demands success, ``dev`` and ``get`` move arrays, ``many`` makes a plan, ``execute``
runs it, ``l2`` and ``bound`` measure and limit errors.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PRELUDE = r"""
import ctypes as C, itertools, math, os, sys, threading
import numpy as np
import scipy.fft as oracle

CUFFT = os.environ.get("TEST_CUFFT", "libcufft.so.12")
RUNTIME = {"10": "libcudart.so.11.0", "11": "libcudart.so.12", "12": "libcudart.so.13"}[CUFFT.rsplit(".", 1)[1]]
LIB = os.environ["TEST_LIB"]
C2C, R2C, C2R, Z2Z, D2Z, Z2D = 41, 42, 44, 105, 106, 108
NAMES = {C2C: "C2C", R2C: "R2C", C2R: "C2R", Z2Z: "Z2Z", D2Z: "D2Z", Z2D: "Z2D"}
EPS = {4: 2.0**-23, 8: 2.0**-52}

def values(arguments):
    for a in arguments:
        if isinstance(a, (list, tuple)):
            yield (C.c_longlong * len(a))(*a)
        elif isinstance(a, np.ndarray):
            yield C.c_void_p(a.ctypes.data)
        else:
            yield C.c_void_p(None) if a is None else C.c_size_t(a) if isinstance(a, int) and abs(a) >= 2**31 else a

class Library:
    def __init__(self, name):
        self.library = C.CDLL(os.path.join(LIB, name))
    def __getattr__(self, name):
        f = getattr(self.library, name)
        def call(*arguments):
            return f(*values(arguments))
        return call

rt = Library(RUNTIME)
fft = Library(CUFFT)

def ints(*v):
    return (C.c_int * len(v))(*v)

def ok(status):
    assert status == 0, status

def malloc(n):
    p = C.c_void_p()
    ok(rt.cudaMalloc(C.byref(p), C.c_size_t(max(n, 1))))
    return p

def put(p, array):
    array = np.ascontiguousarray(array)
    ok(rt.cudaMemcpy(p, array, C.c_size_t(array.nbytes), 1))

def dev(array):
    array = np.ascontiguousarray(array)
    p = malloc(array.nbytes)
    put(p, array)
    return p

def get(p, shape, dtype):
    out = np.empty(shape, dtype)
    ok(rt.cudaMemcpy(out, p, C.c_size_t(out.nbytes), 2))
    return out

def many(n, kind, batch=1, ie=None, istride=1, idist=0, oe=None, ostride=1, odist=0):
    h, size = C.c_int(-7), C.c_size_t(777)
    ok(fft.cufftCreate(C.byref(h)))
    ok(fft.cufftMakePlanMany64(h, len(n), tuple(n), ie, C.c_longlong(istride), C.c_longlong(idist), oe,
                               C.c_longlong(ostride), C.c_longlong(odist), kind, C.c_longlong(batch), C.byref(size)))
    return h.value

def execute(h, kind, i, o, direction=-1):
    extra = (direction,) if kind in (C2C, Z2Z) else ()
    return getattr(fft, "cufftExec" + NAMES[kind])(h, i, o, *extra)

def types(kind):
    "dtype of the input, the output, bytes of a real"
    double = kind in (Z2Z, D2Z, Z2D)
    real, cplx = (np.float64, np.complex128) if double else (np.float32, np.complex64)
    return {C2C: (cplx, cplx), R2C: (real, cplx), C2R: (cplx, real)}[{Z2Z: C2C, D2Z: R2C, Z2D: C2R}.get(kind, kind)] + (
        8 if double else 4,)

def l2(got, want):
    want = np.asarray(want)
    got = np.asarray(got).astype(np.clongdouble if np.iscomplexobj(want) else np.longdouble)
    scale = np.sqrt((np.abs(want) ** 2).sum())
    return float(np.sqrt((np.abs(got - want) ** 2).sum()) / (scale if scale else 1))

def bound(shape, size):
    return 3 * EPS[size] * math.sqrt(max(1.0, math.log2(math.prod(shape))))

def wide(x):
    return x.astype(np.clongdouble if np.iscomplexobj(x) else np.longdouble)

rng = np.random.default_rng(1)
def sample(shape, dtype):
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape) if np.issubdtype(dtype, np.complexfloating) else x).astype(dtype)
"""


def run(lib_dir: Path, code: str, timeout: float = 120, **environment: str) -> str:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("SCALE_X_")}
    env = {**clean, "TEST_LIB": str(lib_dir), "SCALE_X_PROVIDER": "host", "SCALE_X_HOST_HOSTILE": "1", **environment}
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + code], env=env, capture_output=True, text=True, timeout=timeout
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
