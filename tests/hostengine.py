# ruff: noqa: E501
"""Drives the host engine's functions directly, through the table that core asks for.

``run(lib_dir, code, **environment)`` runs ``code`` in a process of its own (the engine reads its environment once).
In it, ``hip.hipMalloc(...)`` calls a function and returns its status, ``ok(...)`` demands success, ``control(...)`` reads
counters and injects faults, and ``buffer``, ``ptr``, ``stream`` and ``event`` make arguments.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PRELUDE = r"""
import ctypes as C, os, sys, threading
import numpy as np

library = C.CDLL(os.environ["TEST_ENGINE"])
class Entry(C.Structure):
    _fields_ = [("name", C.c_char_p), ("fn", C.c_void_p)]
library.sx_host_table.restype = C.POINTER(Entry)
library.sx_host_table.argtypes = [C.c_int, C.c_char_p, C.POINTER(C.c_size_t)]
library.sx_host_control.restype = C.c_long
library.sx_host_control.argtypes = [C.c_char_p, C.c_long]

def table(release=0, arch=None):
    n = C.c_size_t()
    rows = library.sx_host_table(release, arch, C.byref(n))
    return {rows[i].name.decode(): rows[i].fn for i in range(n.value)}

functions = table()

class Hip:
    def __getattr__(self, name):
        def call(*arguments):
            values = [C.c_size_t(a) if isinstance(a, int) else a for a in arguments]
            kinds = [C.c_void_p if isinstance(v, (C.Array, type(C.byref(C.c_int())))) else type(v) for v in values]
            return C.CFUNCTYPE(C.c_int, *kinds)(functions[name])(*values)
        return call

hip = Hip()

def control(command, argument=0):
    return library.sx_host_control(command.encode(), argument)

def ok(status):
    assert status == 0, status

def malloc(n):
    p = C.c_void_p(); ok(hip.hipMalloc(C.byref(p), n)); return p

def ptr(array):
    return C.c_void_p(array.ctypes.data)

def stream(flags=0):
    s = C.c_void_p(); ok(hip.hipStreamCreateWithFlags(C.byref(s), flags)); return s

def event(flags=0):
    e = C.c_void_p(); ok(hip.hipEventCreateWithFlags(C.byref(e), flags)); return e

def pinned(n, dtype=float):
    p = C.c_void_p(); ok(hip.hipHostMalloc(C.byref(p), n * np.dtype(dtype).itemsize, 0))
    return np.frombuffer((C.c_char * (n * np.dtype(dtype).itemsize)).from_address(p.value), dtype=dtype)

H2D, D2H, D2D = 1, 2, 3
HOST_FUNCTION = C.CFUNCTYPE(None, C.c_void_p)
"""


def run(lib_dir: Path, code: str, check: bool = True, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if not k.startswith("SCALE_X_")}
    env.update({"TEST_ENGINE": str(lib_dir / "libscalex_host.so.0"), "SCALE_X_HOST_HOSTILE": "1", **environment})
    done = subprocess.run([sys.executable, "-c", PRELUDE + code], env=env, capture_output=True, text=True, timeout=120)
    if check:
        assert done.returncode == 0, done.stdout + done.stderr
    return done
