"""Drives the project's kernels through core's launch, over the host engine, in a process of its own.

``run(lib_dir, code, **environment)``. In ``code``: ``launch("epilogue", args)`` with the structures of
``kernels/include/scalex/kernels.h`` (``Epilogue``, ``Sums``, ``Convert``, ``Transform``, ``Codes``),
``operand(array, type, ...)``, ``host(value, type)`` and ``device(pointer, type)`` for factors; types by name
(``T.f16``), and NumPy's type of each. ``tools/nvidia_kernels.py`` runs the same programs with a ``launch`` of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

STRUCTURES = r"""
import ctypes as C, os, sys
import numpy as np
import ml_dtypes as ml

class T:
    f32, f64, f16, i8, c32, c64, u8, i32, u32, bf16 = 0, 1, 2, 3, 4, 5, 8, 10, 12, 14
    i16, u16, i64, u64, e4m3, e5m2, ue8m0, e2m1, e4m3z, e5m2z = 20, 22, 24, 26, 28, 29, 30, 33, 1000, 1001

numpy_of = {T.f32: np.float32, T.f64: np.float64, T.f16: np.float16, T.i8: np.int8, T.c32: np.complex64,
            T.c64: np.complex128, T.u8: np.uint8, T.i32: np.int32, T.u32: np.uint32, T.bf16: ml.bfloat16,
            T.i16: np.int16, T.u16: np.uint16, T.i64: np.int64, T.u64: np.uint64, T.e4m3: ml.float8_e4m3fn,
            T.e5m2: ml.float8_e5m2, T.ue8m0: ml.float8_e8m0fnu, T.e4m3z: ml.float8_e4m3fnuz,
            T.e5m2z: ml.float8_e5m2fnuz, T.e2m1: ml.float4_e2m1fn}

class Operand(C.Structure):
    _fields_ = [("data", C.c_void_p), ("ld", C.c_longlong), ("stride", C.c_longlong), ("type", C.c_int),
                ("indirect", C.c_int)]

class Scalar(C.Structure):
    _fields_ = [("value", C.c_ubyte * 16), ("device", C.c_void_p), ("stride", C.c_longlong), ("type", C.c_int),
                ("mode", C.c_int)]

class Epilogue(C.Structure):
    _fields_ = [("m", C.c_longlong), ("n", C.c_longlong), ("batch", C.c_int), ("compute", C.c_int),
                ("activation", C.c_int), ("aux_mode", C.c_int), ("flags", C.c_int), ("bias_type", C.c_int),
                ("acc", Operand), ("c", Operand), ("d", Operand), ("aux", Operand), ("bias", C.c_void_p),
                ("bias_stride", C.c_longlong), ("alpha", Scalar), ("beta", Scalar), ("a_scale", C.c_void_p),
                ("b_scale", C.c_void_p), ("c_scale", C.c_void_p), ("d_scale", C.c_void_p), ("aux_scale", C.c_void_p),
                ("row_scale", C.c_void_p), ("column_scale", C.c_void_p), ("d_amax", C.c_void_p),
                ("aux_amax", C.c_void_p)]

class Sums(C.Structure):
    _fields_ = [("m", C.c_longlong), ("n", C.c_longlong), ("batch", C.c_int), ("by_column", C.c_int), ("in_", Operand),
                ("out", C.c_void_p), ("out_stride", C.c_longlong), ("out_type", C.c_int), ("parts", C.c_int),
                ("part_stride", C.c_longlong)]

class Convert(C.Structure):
    _fields_ = [("m", C.c_longlong), ("n", C.c_longlong), ("batch", C.c_int), ("scale_mode", C.c_int),
                ("flags", C.c_int), ("reserved", C.c_int), ("src", Operand), ("dst", Operand), ("alpha", Scalar),
                ("scale", C.c_void_p), ("scale_stride", C.c_longlong)]

class Transform(C.Structure):
    _fields_ = [("m", C.c_longlong), ("n", C.c_longlong), ("batch", C.c_int), ("compute", C.c_int), ("op_a", C.c_int),
                ("op_b", C.c_int), ("order_a", C.c_int), ("order_b", C.c_int), ("order_c", C.c_int),
                ("reserved", C.c_int), ("a", Operand), ("b", Operand), ("c", Operand), ("alpha", Scalar),
                ("beta", Scalar)]

class Codes(C.Structure):
    _fields_ = [("codes", C.c_void_p), ("count", C.c_longlong), ("upto", C.c_int), ("becomes", C.c_int),
                ("above", C.c_int), ("reserved", C.c_int)]

kernels = {"epilogue": 0, "sums": 1, "convert": 2, "transform": 3, "codes": 4}

keep = []
def pointer(array):
    keep.append(array)
    return array.ctypes.data

def operand(array, type, ld=None, stride=0, indirect=0):
    ld = array.shape[0] if ld is None and array.ndim > 1 else ld or 0
    return Operand(pointer(array), ld, stride, type, indirect)

def host(value, type=T.f32):
    s = Scalar(type=type, mode=0)
    raw = np.asarray(value, numpy_of[type]).tobytes()
    C.memmove(s.value, raw, len(raw))
    return s

def device(array, type=T.f32, mode=1, stride=0):
    return Scalar(device=pointer(array), type=type, mode=mode, stride=stride)

def columns(array):
    return np.asfortranarray(array)

def ok(status):
    assert status == 0, status
"""

ENGINE = r"""
core = C.CDLL(os.path.join(os.environ["TEST_LIB"], "libscalex_core.so.0"))
assert core.sx_provider_load() == 0

def launch(kernel, args, stream=None):
    return getattr(core, "sx_launch_" + kernel)(C.byref(args), C.c_void_p(stream))

def prepare(kernel, stream=None):
    return core.sx_kernel_prepare(kernels[kernel], C.c_void_p(stream))
"""


def run(lib_dir: Path, code: str, cache: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if not k.startswith(("SCALE_X_", "XDG_"))}
    env.update({"TEST_LIB": str(lib_dir), "SCALE_X_PROVIDER": "host", "SCALE_X_HOST_HOSTILE": "1"})
    env.update({"XDG_CACHE_HOME": str(cache) if cache else "/nonexistent", **environment})
    program = STRUCTURES + ENGINE + code
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done
