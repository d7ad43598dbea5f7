"""Every cublasXt product against NumPy, on several devices. Usage: xt.py LIBDIR MAJOR DEVICES [pinned] [few]"""

from __future__ import annotations

import ctypes
import itertools
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from cuda import LETTERS, Library, Runtime, random

LIB, MAJOR, DEVICES = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
cublas = Library(LIB / f"libcublas.so.{MAJOR}", "cublas")
cudart = Runtime(LIB / f"libcudart.so.{'11.0' if MAJOR == 11 else MAJOR}")
rng = np.random.default_rng(11)
PAD = 3  # rows between columns, which nothing may touch
MARK = -77.0

Call = Any


def op(code: int, a: np.ndarray) -> np.ndarray:
    return a if code == 0 else a.T if code == 1 else a.conj().T


def triangle(uplo: int, a: np.ndarray, unit: int = 0) -> np.ndarray:
    part = np.tril(a, -unit) if uplo == 0 else np.triu(a, unit)
    return part + np.eye(len(a)) if unit else part


def mirrored(uplo: int, a: np.ndarray, hermitian: bool) -> np.ndarray:
    strict = np.tril(a, -1) if uplo == 0 else np.triu(a, 1)
    other, diagonal = (strict.conj().T, np.diag(a).real) if hermitian else (strict.T, np.diag(a))
    return strict + other + np.diag(diagonal)


def packed(uplo: int, a: np.ndarray) -> np.ndarray:
    n = len(a)
    columns = [a[j:, j] if uplo == 0 else a[: j + 1, j] for j in range(n)]
    return np.concatenate(columns) if n else a.ravel()


class Matrix:
    """A padded column-major matrix in host or device memory."""

    def __init__(self, logical: np.ndarray, on_device: bool) -> None:
        rows, cols = logical.shape
        self.rows = rows
        self.buffer = np.full((rows + PAD, cols), MARK, logical.dtype, order="F")
        self.buffer[:rows] = logical
        self.on_device = on_device
        if on_device:
            cudart.device(DEVICES - 1)
            self.address = cudart.put(self.buffer)
            cudart.device(0)
        else:
            self.address = self.buffer.ctypes.data

    @property
    def ld(self) -> int:
        return self.rows + PAD

    def value(self) -> np.ndarray:
        whole = cudart.get(self.address, self.buffer) if self.on_device else self.buffer
        assert np.all(whole[self.rows :] == MARK), "padding was written"
        return np.array(whole[: self.rows])

    def free(self) -> None:
        if self.on_device:
            cudart.free(self.address)


class Scalar:
    def __init__(self, value: complex, dtype: Any) -> None:
        real = not np.issubdtype(dtype, np.complexfloating)
        self.array = np.array([value.real if real else value], dtype)
        self.value = self.array[0]

    @property
    def address(self) -> int:
        return self.array.ctypes.data


class Runner:
    """Calls functions of one type with matrices in one place."""

    def __init__(self, handle: int, letter: str, on_device: bool) -> None:
        self.handle, self.letter, self.on_device = handle, letter, on_device
        self.dtype = LETTERS[letter]
        self.real = {"C": np.float32, "Z": np.float64}.get(letter, self.dtype)
        self.complex = letter in "CZ"
        self.tolerance = 2e-4 if letter in "SC" else 1e-11

    def matrix(self, rows: int, cols: int) -> tuple[np.ndarray, Matrix]:
        a = random(rng, (rows, cols), self.dtype)
        return a, Matrix(a, self.on_device)

    def call(self, name: str, *arguments: Any) -> None:
        passed = [x.address if isinstance(x, Scalar | Matrix) else x for x in arguments]
        status = getattr(cublas, f"cublasXt{self.letter}{name}")(self.handle, *passed)
        assert status == 0, (self.letter, name, status, arguments)

    def same(self, what: Any, got: Matrix, want: np.ndarray, mask: np.ndarray | None = None) -> None:
        value = got.value()
        ok = np.isclose(value, want, rtol=self.tolerance, atol=self.tolerance * 10)
        if mask is not None:
            ok |= ~mask
        assert np.all(ok), (self.letter, what, np.argwhere(~ok)[:3], value[~ok][:3], want[~ok][:3])

    def factors(self) -> tuple[Scalar, Scalar]:
        return Scalar(1.25 - 0.5j, self.dtype), Scalar(float(rng.choice([0, 1, -0.75])) + 0j, self.dtype)

    def gemm(self, m: int, n: int, k: int) -> None:
        for ta, tb in itertools.product(range(3), range(3)):
            a, ma = self.matrix(*((m, k) if ta == 0 else (k, m)))
            b, mb = self.matrix(*((k, n) if tb == 0 else (n, k)))
            c, mc = self.matrix(m, n)
            alpha, beta = self.factors()
            if beta.value == 0:
                mc.free()
                mc = Matrix(np.full_like(c, np.nan), self.on_device)
            self.call("gemm", ta, tb, m, n, k, alpha, ma, ma.ld, mb, mb.ld, beta, mc, mc.ld)
            self.same(("gemm", ta, tb, m, n, k), mc, alpha.value * op(ta, a) @ op(tb, b) + beta.value * c)
            for x in (ma, mb, mc):
                x.free()

    def sided(self, m: int, n: int) -> None:
        """symm, hemm, spmm."""
        for name, side, uplo in itertools.product(("symm", "hemm", "spmm"), range(2), range(2)):
            if name == "hemm" and not self.complex:
                continue
            order = n if side else m
            a, ma = self.matrix(order, order)
            b, mb = self.matrix(m, n)
            c, mc = self.matrix(m, n)
            alpha, beta = self.factors()
            full = mirrored(uplo, a, name == "hemm")
            first: tuple[Any, ...] = (ma, ma.ld)
            if name == "spmm":
                ma.free()
                ma = Matrix(packed(uplo, a).reshape(-1, 1), self.on_device)
                first = (ma,)
            self.call(name, side, uplo, m, n, alpha, *first, mb, mb.ld, beta, mc, mc.ld)
            self.same((name, side, uplo, m, n), mc, alpha.value * (b @ full if side else full @ b) + beta.value * c)
            for x in (ma, mb, mc):
                x.free()

    def triangular(self, m: int, n: int) -> None:
        """trmm out of place and in place, and trsm."""
        for side, uplo, trans, unit in itertools.product(range(2), range(2), range(3), range(2)):
            order = n if side else m
            a = random(rng, (order, order), self.dtype) / max(order, 1)
            a += np.diag(np.full(order, 1 if unit else 2)).astype(self.dtype)
            ma = Matrix(np.asfortranarray(a.astype(self.dtype)), self.on_device)
            t = op(trans, triangle(uplo, a, unit))
            b, mb = self.matrix(m, n)
            c, mc = self.matrix(m, n)
            alpha = Scalar(1.25 - 0.5j, self.dtype)
            what = (side, uplo, trans, unit, m, n)
            self.call("trmm", side, uplo, trans, unit, m, n, alpha, ma, ma.ld, mb, mb.ld, mc, mc.ld)
            product = alpha.value * (b @ t if side else t @ b)
            self.same(("trmm", *what), mc, product)
            self.same(("trmm keeps B", *what), mb, b)
            self.call("trmm", side, uplo, trans, unit, m, n, alpha, ma, ma.ld, mb, mb.ld, mb, mb.ld)
            self.same(("trmm in place", *what), mb, product)
            self.call("trsm", side, uplo, trans, unit, m, n, alpha, ma, ma.ld, mb, mb.ld)
            self.same(("trsm", *what), mb, alpha.value**2 * b)
            for x in (ma, mb, mc):
                x.free()

    def updates(self, n: int, k: int) -> None:
        """syrk, herk, syr2k, her2k, syrkx, herkx: one triangle, the other as it was."""
        for name, uplo, trans in itertools.product(("rk", "r2k", "rkx"), range(2), range(3)):
            for kind in ("sy", "he"):
                if kind == "he" and (not self.complex or trans == 1) or kind == "sy" and self.complex and trans == 2:
                    continue
                self.update(kind + name, kind == "he", uplo, trans, n, k)

    def update(self, name: str, hermitian: bool, uplo: int, trans: int, n: int, k: int) -> None:
        shape = (n, k) if trans == 0 else (k, n)
        a, ma = self.matrix(*shape)
        b, mb = self.matrix(*shape)
        c, mc = self.matrix(n, n)
        alpha, beta = self.factors()
        if hermitian:
            beta = Scalar(beta.value.real, self.real)
            if name == "herk":
                alpha = Scalar(1.25, self.real)
        left, right = (a, b) if trans == 0 else (a.conj().T if hermitian else a.T, b.conj().T if hermitian else b.T)
        prime = (lambda x: x.conj().T) if hermitian else (lambda x: x.T)
        two = name.endswith("2k")
        one = name.endswith("rk")
        product = alpha.value * left @ prime(left if one else right)
        if two:
            product = product + (np.conj(alpha.value) if hermitian else alpha.value) * right @ prime(left)
        want = product + beta.value * c
        if hermitian:
            want = want - 1j * np.diag(np.diag(want).imag)
        second = () if one else (mb, mb.ld)
        self.call(name, uplo, trans, n, k, alpha, ma, ma.ld, *second, beta, mc, mc.ld)
        mask = triangle(uplo, np.ones((n, n))) != 0
        what = (name, uplo, trans, n, k)
        self.same(what, mc, np.where(mask, want, c))
        assert np.array_equal(mc.value()[~mask], c[~mask]), what
        for x in (ma, mb, mc):
            x.free()


def create(block: int, devices: int = DEVICES) -> int:
    handle = ctypes.c_void_p()
    assert cublas.cublasXtCreate(ctypes.addressof(handle)) == 0 and handle.value
    ids = (ctypes.c_int * devices)(*range(devices))
    assert cublas.cublasXtDeviceSelect(handle, devices, ctypes.addressof(ids)) == 0
    assert cublas.cublasXtSetBlockDim(handle, block) == 0
    return handle.value


def products() -> None:
    handle = create(16)
    if "pinned" in sys.argv:
        assert cublas.cublasXtSetPinningMemMode(handle, 1) == 0
    for letter, on_device in itertools.product("Z" if "few" in sys.argv else LETTERS, (False, True)):
        r = Runner(handle, letter, on_device)
        r.gemm(37, 45, 29)
        r.gemm(16, 1, 0)
        r.sided(37, 21)
        r.triangular(41, 19)
        r.updates(37, 21)
        r.updates(5, 33)
    assert cublas.cublasXtSetBlockDim(handle, 2048) == 0  # one tile
    whole = Runner(handle, "Z", False)
    whole.gemm(30, 20, 10)
    whole.triangular(20, 10)
    whole.updates(20, 10)
    assert cudart.current() == 0
    assert cublas.cublasXtDestroy(handle) == 0


def state() -> None:
    """Handles, settings, and bad arguments: 1 is NOT_INITIALIZED, 7 INVALID_VALUE, 11 MAPPING_ERROR."""
    x, out = cublas, ctypes.c_int(-1)
    p = ctypes.addressof(out)
    assert x.cublasXtCreate(None) == 7 and x.cublasXtDestroy(None) == 7
    handle = create(16)
    assert x.cublasXtGetBlockDim(handle, p) == 0 and out.value == 16
    assert x.cublasXtSetBlockDim(handle, 0) == 7 and x.cublasXtSetBlockDim(handle, -5) == 7
    assert x.cublasXtGetPinningMemMode(handle, p) == 0 and out.value == 0
    assert x.cublasXtSetPinningMemMode(handle, 1) == 0 and x.cublasXtSetPinningMemMode(handle, 2) == 7
    assert x.cublasXtGetPinningMemMode(handle, p) == 0 and out.value == 1
    assert x.cublasXtMaxBoards(p) == 0 and out.value == DEVICES and x.cublasXtMaxBoards(None) == 7
    ids = (ctypes.c_int * 3)(0, 0, DEVICES - 1)
    assert x.cublasXtGetNumBoards(3, ctypes.addressof(ids), p) == 0 and out.value == min(DEVICES, 2)
    assert x.cublasXtDeviceSelect(handle, 0, ctypes.addressof(ids)) == 7
    assert x.cublasXtDeviceSelect(handle, 1, None) == 7
    ids[0] = DEVICES
    assert x.cublasXtDeviceSelect(handle, 1, ctypes.addressof(ids)) == 7
    assert x.cublasXtSetCpuRatio(handle, 12, 0, ctypes.c_float(0.5)) == 7
    assert x.cublasXtSetCpuRatio(handle, 0, 4, ctypes.c_float(0.5)) == 7
    assert x.cublasXtSetCpuRatio(handle, 0, 0, ctypes.c_float(1.5)) == 7
    bad_gemm(handle)
    assert x.cublasXtDestroy(handle) == 0 and x.cublasXtDestroy(handle) == 7
    bare = ctypes.c_void_p()
    assert x.cublasXtCreate(ctypes.addressof(bare)) == 0
    assert x.cublasXtGetBlockDim(bare, p) == 0 and out.value == 2048
    a = np.ones((2, 2))
    one = a.ctypes.data
    assert x.cublasXtDgemm(bare, 0, 0, 2, 2, 2, one, one, 2, one, 2, one, one, 2) == 1  # no device selected
    assert x.cublasXtDestroy(bare) == 0


def bad_gemm(handle: int) -> None:
    """One bad argument at a time; C stays as it was."""
    a, b, c = (random(rng, (4, 4), np.float64) for _ in range(3))
    before, one = c.copy(), Scalar(1.0 + 0j, np.float64)
    good = [handle, 0, 0, 4, 4, 4, one.address, a.ctypes.data, 4, b.ctypes.data, 4, one.address, c.ctypes.data, 4]
    wrong = {0: (None, 1), 1: (3, 7), 2: (-1, 7), 3: (2**63, 7), 6: (None, 7), 7: (None, 11), 8: (3, 7), 9: (None, 11),
             10: (3, 7), 11: (None, 7), 12: (None, 11), 13: (3, 7)}  # fmt: skip
    for position, (value, status) in wrong.items():
        arguments = [value if i == position else x for i, x in enumerate(good)]
        assert cublas.cublasXtDgemm(*arguments) == status, position
    assert np.array_equal(c, before)
    assert cublas.cublasXtDgemm(*[0 if i == 3 else x for i, x in enumerate(good)]) == 0
    assert np.array_equal(c, before)
    assert cublas.cublasXtDgemm(*good) == 0
    assert np.allclose(c, a @ b + before)


def cpu_share() -> None:
    """The CPU's share of gemm goes to the routine that was given, with a Fortran BLAS's arguments."""
    seen = []
    P = ctypes.POINTER
    types = [ctypes.c_char_p, ctypes.c_char_p, *[P(ctypes.c_int)] * 3, P(ctypes.c_double), ctypes.c_void_p,
             P(ctypes.c_int), ctypes.c_void_p, P(ctypes.c_int), P(ctypes.c_double), ctypes.c_void_p,
             P(ctypes.c_int)]  # fmt: skip

    def dgemm(ta: bytes, tb: bytes, m: Any, n: Any, k: Any, alpha: Any, a: int, lda: Any, b: int, ldb: Any, beta: Any,
              c: int, ldc: Any) -> None:  # fmt: skip
        seen.append((ta[:1], tb[:1], m[0], n[0], k[0], lda[0], ldb[0], ldc[0]))

        def view(p: int, cols: int, ld: int) -> np.ndarray:
            return np.ctypeslib.as_array(ctypes.cast(p, P(ctypes.c_double)), (cols, ld)).T

        x, y, z = view(a, k[0], lda[0])[: m[0]], view(b, k[0], ldb[0])[: n[0]], view(c, n[0], ldc[0])[: m[0]]
        z[:] = alpha[0] * x @ y.T + beta[0] * z

    routine = ctypes.CFUNCTYPE(None, *types)(dgemm)
    handle = create(16)
    assert cublas.cublasXtSetCpuRoutine(handle, 0, 1, ctypes.cast(routine, ctypes.c_void_p)) == 0
    assert cublas.cublasXtSetCpuRatio(handle, 0, 1, ctypes.c_float(0.25)) == 0
    for on_device in (False, True):
        r = Runner(handle, "D", on_device)
        a, ma = r.matrix(33, 20)
        b, mb = r.matrix(40, 20)
        c, mc = r.matrix(33, 40)
        alpha, beta = Scalar(1.5 + 0j, np.float64), Scalar(-0.5 + 0j, np.float64)
        r.call("gemm", 0, 1, 33, 40, 20, alpha, ma, ma.ld, mb, mb.ld, beta, mc, mc.ld)
        r.same("cpu share", mc, 1.5 * a @ b.T - 0.5 * c)
        for x in (ma, mb, mc):
            x.free()
    assert seen == [(b"N", b"T", 33, 10, 20, 36, 43, 36)]
    assert cublas.cublasXtDestroy(handle) == 0


def threads() -> None:
    """One handle in several threads."""
    handle = create(16)

    def work(seed: int) -> None:
        generator = np.random.default_rng(seed)
        one, zero = Scalar(1.0 + 0j, np.float64), Scalar(0j, np.float64)
        for n in (20, 40, 33):
            a, b = random(generator, (n, n), np.float64), random(generator, (n, n), np.float64)
            c = np.zeros((n, n), order="F")
            sizes = (0, 0, n, n, n, one.address, a.ctypes.data, n, b.ctypes.data, n, zero.address, c.ctypes.data, n)
            assert cublas.cublasXtDgemm(handle, *sizes) == 0
            assert np.allclose(c, a @ b)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(8)))
    assert cublas.cublasXtDestroy(handle) == 0


def main() -> None:
    state()
    cpu_share()
    threads()
    products()
    print("ok")


if __name__ == "__main__":
    main()
