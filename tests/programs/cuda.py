"""What test programs in a process of their own share: CUDA-X libraries through ctypes, arrays on the device."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
from scale_x.wrappers_gen import spec  # noqa: E402

LETTERS = {"S": np.float32, "D": np.float64, "C": np.complex64, "Z": np.complex128}
REAL = {"S": "S", "D": "D", "C": "S", "Z": "D"}


class Complex64(ctypes.Structure):
    _fields_ = [("x", ctypes.c_float), ("y", ctypes.c_float)]


class Complex128(ctypes.Structure):
    _fields_ = [("x", ctypes.c_double), ("y", ctypes.c_double)]


BY_VALUE: dict[str, Any] = {
    "float": ctypes.c_float, "double": ctypes.c_double, "cuComplex": Complex64, "cuDoubleComplex": Complex128,
    "char": ctypes.c_char, "int": ctypes.c_int, "size_t": ctypes.c_size_t, "void": None, "cublasStatus_t": ctypes.c_int,
}  # fmt: skip
TYPES: dict[str, Any] = {
    "float": np.float32, "double": np.float64, "cuComplex": np.complex64, "cuDoubleComplex": np.complex128,
    "int": np.int32,
}  # fmt: skip


class Library:
    """A library whose functions know their types from the spec."""

    def __init__(self, path: Path, name: str) -> None:
        self.lib = ctypes.CDLL(str(path))
        self.functions = spec.load(name).functions

    def __getattr__(self, symbol: str) -> Any:
        f = getattr(self.lib, symbol)
        facts = self.functions[symbol]
        f.restype = BY_VALUE.get(facts.ret, ctypes.c_int)
        f.argtypes = [BY_VALUE.get(p.type, ctypes.c_int if p.canon.startswith("enum") else ctypes.c_void_p)
                      for p in facts.params]  # fmt: skip
        setattr(self, symbol, f)
        return f


class Runtime:
    """Memory of the CUDA runtime."""

    def __init__(self, path: Path) -> None:
        self.lib = ctypes.CDLL(str(path))

    def check(self, status: int) -> None:
        if status:
            raise RuntimeError(f"CUDA error {status}")

    def device(self, number: int) -> None:
        self.check(self.lib.cudaSetDevice(number))

    def current(self) -> int:
        number = ctypes.c_int(-1)
        self.check(self.lib.cudaGetDevice(ctypes.byref(number)))
        return number.value

    def put(self, array: np.ndarray) -> int:
        """The address of a copy on the current device."""
        p = ctypes.c_void_p()
        self.check(self.lib.cudaMalloc(ctypes.byref(p), ctypes.c_size_t(max(array.nbytes, 1))))
        self.check(self.lib.cudaMemcpy(p, ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(array.nbytes), 1))
        assert p.value
        return p.value

    def get(self, address: int, like: np.ndarray) -> np.ndarray:
        out = np.empty_like(like)
        self.check(self.lib.cudaMemcpy(ctypes.c_void_p(out.ctypes.data), ctypes.c_void_p(address),
                                       ctypes.c_size_t(out.nbytes), 2))  # fmt: skip
        return out

    def free(self, address: int) -> None:
        self.check(self.lib.cudaFree(ctypes.c_void_p(address)))


def by_value(value: complex, type_: str) -> Any:
    """A number as a C argument."""
    if type_ == "cuComplex":
        return Complex64(value.real, value.imag)
    if type_ == "cuDoubleComplex":
        return Complex128(value.real, value.imag)
    return BY_VALUE[type_](value.real)


def random(rng: np.random.Generator, shape: Any, dtype: Any) -> np.ndarray:
    """Uniform numbers in column-major order, complex ones in both parts."""
    a = rng.uniform(-1, 1, shape)
    if np.issubdtype(dtype, np.complexfloating):
        a = a + 1j * rng.uniform(-1, 1, shape)
    return np.asfortranarray(a.astype(dtype))
