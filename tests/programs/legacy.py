"""Runs every legacy function beside its v2 twin, and some beside SciPy's BLAS. Usage: legacy.py LIBDIR MAJOR"""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path
from typing import Any

import numpy as np
from cuda import BY_VALUE, REAL, TYPES, Library, Runtime, by_value, random

from scale_x.wrappers_gen import spec

LIB, MAJOR = Path(sys.argv[1]), int(sys.argv[2])
cublas = Library(LIB / f"libcublas.so.{MAJOR}", "cublas")
cudart = Runtime(LIB / f"libcudart.so.{'11.0' if MAJOR == 11 else MAJOR}")
rng = np.random.default_rng(7)

ENUMERATORS = {"trans": {"N": 0, "T": 1, "C": 2}, "uplo": {"L": 0, "U": 1}, "side": {"L": 0, "R": 1},
               "diag": {"N": 0, "U": 1}}  # fmt: skip
SIZE = 12  # every vector and matrix fits in SIZE * SIZE elements
HOST = ("rotg", "rotmg")  # functions whose pointers are the host's


def enumerator(name: str, letter: str) -> int:
    return ENUMERATORS["trans" if name.startswith("trans") else name][letter.upper()]


class Arguments:
    """One random set of arguments, laid out twice: for the legacy function, and for its twin."""

    def __init__(self, f: spec.Function, host: bool) -> None:
        self.f, self.host = f, host
        self.buffers: list[tuple[np.ndarray, int, int]] = []
        self.legacy: list[Any] = []
        self.twin: list[Any] = []
        self.keep: list[Any] = []
        for p in f.params:
            self.add(p)

    def add(self, p: spec.Param) -> None:
        if p.type == "char":
            kind = "trans" if p.name.startswith("trans") else p.name
            letters = [x for x in ENUMERATORS[kind] if self.allowed(kind, x)]
            letter = str(rng.choice(letters))
            letter = letter.lower() if rng.integers(2) else letter
            self.legacy.append(letter.encode())
            self.twin.append(enumerator(p.name, letter))
        elif p.type == "int":
            value = self.integer(p.name)
            self.legacy.append(value)
            self.twin.append(value)
        elif "*" in p.type:
            dtype = TYPES[p.type.replace("const ", "").rstrip(" *")]
            self.buffer(random(rng, SIZE * SIZE, dtype), rotm="param" in p.name)
        else:
            value = by_value(complex(rng.uniform(-2, 2), rng.uniform(-2, 2)), p.type)
            self.keep.append(value)
            self.legacy.append(value)
            self.twin.append(ctypes.addressof(value))

    def allowed(self, kind: str, letter: str) -> bool:
        """Letters that the function takes: symmetric updates do not conjugate, Hermitian ones do nothing else."""
        if kind != "trans":
            return True
        hermitian = self.f.name[6:] in ("Cherk", "Zherk", "Cher2k", "Zher2k")
        symmetric = self.f.name[6:] in ("Csyrk", "Zsyrk", "Csyr2k", "Zsyr2k")
        return not (hermitian and letter == "T") and not (symmetric and letter == "C")

    def integer(self, name: str) -> int:
        if name in ("kl", "ku") or (name == "k" and "bmv" in self.f.name) or (name == "k" and "bsv" in self.f.name):
            return int(rng.integers(0, 3))
        if name.startswith("ld"):
            return SIZE
        if name.startswith("inc"):
            positive = self.f.name.endswith(("nrm2", "asum", "amax", "amin", "scal"))
            return int(rng.choice([1, 2]) if positive else rng.choice([1, 2, -1, -2]))
        return int(rng.integers(1, SIZE // 2))

    def buffer(self, values: np.ndarray, rotm: bool) -> None:
        if rotm:
            values[0] = rng.choice([-1.0, 0.0, 1.0])
        if self.host or rotm:
            pair = [values.copy(), values.copy()]
            self.keep += pair
            addresses = (pair[0].ctypes.data, pair[1].ctypes.data)
        else:
            addresses = (cudart.put(values), cudart.put(values))
            self.buffers.append((values, *addresses))
        self.legacy.append(addresses[0])
        self.twin.append(addresses[1])

    def same(self) -> bool:
        """The two calls left the same bits everywhere."""
        device = all(cudart.get(a, v).tobytes() == cudart.get(b, v).tobytes() for v, a, b in self.buffers)
        arrays = [x for x in self.keep if isinstance(x, np.ndarray)]
        return device and all(a.tobytes() == b.tobytes() for a, b in zip(arrays[::2], arrays[1::2], strict=True))

    def changed(self) -> bool:
        return any(cudart.get(a, v).tobytes() != v.tobytes() for v, a, _ in self.buffers)

    def free(self) -> None:
        for _, a, b in self.buffers:
            cudart.free(a)
            cudart.free(b)


def against_twin(name: str, handle: Any) -> bool:
    """Whether the call did something."""
    f = cublas.functions[name]
    a = Arguments(f, host=name.endswith(HOST))
    twin = list(a.twin)
    if name.endswith("trmm"):
        twin += [a.twin[-2], a.twin[-1]]
    result = getattr(cublas, name)(*a.legacy)
    expected = None
    if f.ret != "void":
        expected = BY_VALUE[f.ret]()
        twin.append(ctypes.addressof(expected))
    status = getattr(cublas, name + "_v2")(handle, *twin)
    assert (status, cublas.cublasGetError()) == (0, 0), (name, status, a.legacy)
    assert a.same(), (name, a.legacy)
    if expected is not None:
        plain = expected.value if hasattr(expected, "value") else (expected.x, expected.y)
        got = result if not hasattr(result, "x") else (result.x, result.y)
        assert plain == got and np.all(np.isfinite(got)), (name, got, plain)
    effect = f.ret != "void" or a.host or a.changed()
    a.free()
    return effect


def twins() -> None:
    handle = ctypes.c_void_p()
    assert cublas.cublasCreate_v2(ctypes.addressof(handle)) == 0
    names = [n for n, f in cublas.functions.items() if f.header == "cublas.h" and n + "_v2" in cublas.functions]
    names.remove("cublasGetVersion")
    assert len(names) == 150, len(names)
    for name in names:
        assert any([against_twin(name, handle) for _ in range(6)]), name
    assert cublas.cublasDestroy_v2(handle) == 0


def level3(letter: str) -> None:
    """gemm and in-place trmm against NumPy."""
    dtype = {"S": np.float32, "D": np.float64, "C": np.complex64, "Z": np.complex128}[letter]
    c_type = {"S": "float", "D": "double", "C": "cuComplex", "Z": "cuDoubleComplex"}[letter]
    tolerance = 1e-4 if REAL[letter] == "S" else 1e-12
    m, n, k = 7, 5, 9
    a, b, c = random(rng, (k, m), dtype), random(rng, (n, k), dtype), random(rng, (m, n), dtype)
    alpha, beta = 1.5 - (0.5j if letter in "CZ" else 0), -0.5 + (2j if letter in "CZ" else 0)
    pa, pb, pc = cudart.put(a), cudart.put(b), cudart.put(c)
    getattr(cublas, f"cublas{letter}gemm")(b"c", b"T", m, n, k, by_value(alpha, c_type), pa, k, pb, n,
                                           by_value(beta, c_type), pc, m)  # fmt: skip
    assert np.allclose(cudart.get(pc, c), alpha * a.conj().T @ b.T + beta * c, atol=tolerance)
    t = random(rng, (n, n), dtype)
    pt = cudart.put(t)
    getattr(cublas, f"cublas{letter}trmm")(b"R", b"u", b"T", b"U", m, n, by_value(alpha, c_type), pt, n, pc, m)
    unit = np.triu(t, 1) + np.eye(n)
    assert np.allclose(cudart.get(pc, c), alpha * (alpha * a.conj().T @ b.T + beta * c) @ unit.T, atol=tolerance * 10)


def values() -> None:
    x, y = random(rng, 9, np.complex128), random(rng, 9, np.complex128)
    px, py = cudart.put(x), cudart.put(y)
    r = cublas.cublasZdotc(9, px, 1, py, 1)
    assert np.isclose(complex(r.x, r.y), np.vdot(x, y))
    s = x.astype(np.complex64)
    ps = cudart.put(s)
    q = cublas.cublasCdotu(9, ps, 1, ps, -1)
    assert np.isclose(complex(q.x, q.y), np.sum(s * s[::-1]))
    assert np.isclose(cublas.cublasDznrm2(9, px, 1), np.linalg.norm(x))
    assert np.isclose(cublas.cublasScasum(9, ps, 1), np.sum(np.abs(s.real) + np.abs(s.imag)))
    assert cublas.cublasIzamax(9, px, 1) == 1 + np.argmax(np.abs(x.real) + np.abs(x.imag))
    assert cublas.cublasIdamin(0, px, 1) == 0
    for letter in "SDCZ":
        level3(letter)


def state() -> None:
    """Errors: before cublasInit, sticky until read, the last one wins; allocation."""
    p, x = ctypes.c_void_p(), random(rng, 4, np.float32)
    device = cudart.put(x)
    assert cublas.cublasAlloc(4, 4, ctypes.addressof(p)) == 1
    assert cublas.cublasGetError() == 0
    assert cublas.cublasSasum(4, device, 1) == 0.0
    assert cublas.cublasGetError() == 1
    assert cublas.cublasShutdown() == 1
    assert cublas.cublasSetKernelStream(None) == 1
    assert cublas.cublasInit() == 0 and cublas.cublasInit() == 0
    sgemm = cublas.cublasSgemm
    one = (ctypes.c_float(1), device, 2, device, 2, ctypes.c_float(0), device, 2)
    sgemm(b"X", b"N", 2, 2, 2, *one)  # xerbla names parameter 1
    assert np.isclose(cublas.cublasSasum(4, device, 1), np.abs(x).sum())
    assert cublas.cublasGetError() == 7
    assert cublas.cublasGetError() == 0
    sgemm(b"N", b"N", -1, 2, 2, *one)
    assert cublas.cublasGetError() == 7
    assert np.array_equal(cudart.get(device, x), x)
    for n, size in ((0, 4), (4, 0), (-1, 4)):
        assert cublas.cublasAlloc(n, size, ctypes.addressof(p)) == 7
    assert cublas.cublasAlloc(4, 4, None) == 7
    assert cublas.cublasAlloc(2**31 - 1, 2**31 - 1, ctypes.addressof(p)) == 3
    assert cublas.cublasAlloc(4, 4, ctypes.addressof(p)) == 0 and p.value
    assert cublas.cublasFree(p) == 0 and cublas.cublasFree(None) == 0
    version = ctypes.c_int()
    assert cublas.cublasGetVersion(ctypes.addressof(version)) == 0 and version.value // 10000 == MAJOR


def main() -> None:
    state()
    twins()
    values()
    assert cublas.cublasShutdown() == 0
    assert cublas.cublasShutdown() == 1
    print("ok")


main()
