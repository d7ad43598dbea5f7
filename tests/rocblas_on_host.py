"""Calls the host engine's rocBLAS functions by name, in every form, and compares with references in higher precision.

A family's test makes, for one problem, the list of arguments in rocBLAS's order (`Val`, `Scalar`, `Matrix`, `Vector`,
`Packed`, `Result`); `Engine.check` lays them out for the plain, batched and strided batched function, with 32- and
64-bit integers and both pointer modes, and compares everything written, padding included.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import ml_dtypes
import numpy as np
import scipy_openblas64

from scale_x.bindings._locate import own_directories

NONE, TRANS, CONJ = 111, 112, 113
UPPER, LOWER = 121, 122
NON_UNIT, UNIT = 131, 132
LEFT, RIGHT = 141, 142
SUCCESS, INVALID_HANDLE, NOT_IMPLEMENTED, INVALID_POINTER, INVALID_SIZE, MEMORY_ERROR = 0, 1, 2, 3, 4, 5
INTERNAL_ERROR, PERF_DEGRADED, QUERY_MISMATCH, SIZE_INCREASED, SIZE_UNCHANGED, INVALID_VALUE = 6, 7, 8, 9, 10, 11

DTYPES = {
    "s": np.float32,
    "d": np.float64,
    "c": np.complex64,
    "z": np.complex128,
    "h": np.float16,
    "bf": ml_dtypes.bfloat16,
}
REAL = {"s": np.float32, "d": np.float64, "c": np.float32, "z": np.float64}
SIZES = (0, 1, 2, 3, 5, 31, 32, 33, 64, 100)


def wide(a: np.ndarray) -> np.ndarray:
    """In the precision that references are computed in."""
    if a.dtype.kind == "c":
        return a.astype(np.clongdouble if a.dtype == np.complex128 else np.complex128)
    return a.astype(np.longdouble if a.dtype == np.float64 else np.float64)


# ---- arguments ---------------------------------------------------------------------------------------------
@dataclass
class Val:
    """By value."""

    value: int


@dataclass
class Scalar:
    """alpha, beta, c, s: where the pointer mode says."""

    value: object
    dtype: object


@dataclass
class Array:
    """One operand: ``data`` as stored, ``want`` as it must be afterwards (None: unchanged)."""

    data: np.ndarray
    want: np.ndarray | None = None
    tolerance: float = 0.0


@dataclass
class Matrix(Array):
    pad: int = 2


@dataclass
class Vector(Array):
    inc: int = 1


@dataclass
class Packed(Array):
    pass


@dataclass
class Result:
    """After the batch count; written in host or device memory alike."""

    want: object
    dtype: object
    tolerance: float = 0.0
    got: np.ndarray = field(default_factory=lambda: np.empty(0))


Problem = Callable[[np.random.Generator], Sequence[object]]


def store(a: Array) -> tuple[np.ndarray, list[int], np.ndarray]:
    """An operand's buffer, the integer that follows its pointer, and the index of each element in the buffer."""
    dtype = a.data.dtype
    if isinstance(a, Matrix):
        rows, columns = a.data.shape
        ld = rows + a.pad if rows + a.pad else 1
        index = np.arange(rows)[:, None] + ld * np.arange(columns)[None, :]
        size, extra = ld * max(columns, 1), [ld]
    elif isinstance(a, Vector):
        n, step = len(a.data), abs(a.inc)
        index = np.arange(n) * step if a.inc >= 0 else np.arange(n)[::-1] * step
        size, extra = max(n, 1) * max(step, 1), [a.inc]
    else:
        index, size, extra = np.arange(len(a.data)), max(len(a.data), 1), []
    # around operands NaN, so that reading it shows; around results a number, so that writing it shows
    buffer = np.full(size + 3, np.nan if dtype.kind in "fcV" and a.want is None else 77, dtype)
    if a.data.size:
        buffer[index] = a.data
    return buffer, extra, index


def same(got: np.ndarray, want: np.ndarray, tolerance: float, what: str) -> None:
    g, w = wide(got) if got.dtype.kind in "fcV" else got, np.asarray(want)
    nan = np.isnan(w)
    assert np.array_equal(np.isnan(g), nan), f"{what}: NaN where {np.argwhere(np.isnan(g) != nan)[:5].tolist()}"
    with np.errstate(invalid="ignore"):
        exact = g == w.astype(got.dtype).astype(g.dtype) if tolerance == 0 else g == w
        bad = ~nan & ~exact & ~(np.abs(g - w) <= tolerance)
    assert not bad.any(), f"{what}: {int(bad.sum())} wrong by up to {np.abs(g - w)[bad].max()} (allowed {tolerance})"


# ---- the engine --------------------------------------------------------------------------------------------
class _Entry(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("fn", ctypes.c_void_p)]


_C = {"int": ctypes.c_int32, "long": ctypes.c_int64, "unsigned long": ctypes.c_size_t, "unsigned int": ctypes.c_uint32}
SPEC: dict[str, dict] = {}
for line in (Path(__file__).parent.parent / "rocm/spec/rocblas.jsonl").read_text().splitlines():
    fact = json.loads(line)
    if fact["kind"] == "function":
        SPEC[fact["name"]] = fact


def _ctype(canon: str) -> type:
    if "*" in canon or "[" in canon:
        return ctypes.c_void_p
    return ctypes.c_int32 if canon.startswith("enum") else _C[canon]


class Engine:
    """A copy of the engine of its own, so that its settings are not those of other tests in this process."""

    def __init__(
        self, directory: Path, *, hostile: bool = False, release: int = 702, arch: str = "gfx942", **environment: str
    ) -> None:
        ctypes.CDLL(str(Path(scipy_openblas64.get_lib_dir()) / "libscipy_openblas64_.so"))
        built = os.environ.get("SCALE_X_TEST_HOST")
        library = shutil.copy(built or own_directories()[0] / "libscalex_host.so.0", directory / f"{release}.so")
        count = ctypes.c_size_t()
        before = dict(os.environ)
        os.environ.update({"SCALE_X_HOST_HOSTILE": str(int(hostile)), **environment})
        try:
            self.library = ctypes.CDLL(str(library))
            self.library.sx_host_table.restype = ctypes.POINTER(_Entry)
            self.library.sx_host_control.argtypes = [ctypes.c_char_p, ctypes.c_long]
            self.library.sx_host_control.restype = ctypes.c_long
            table = self.library.sx_host_table(ctypes.c_int(release), arch.encode(), ctypes.byref(count))
            assert self.control("hostile") == int(hostile)
        finally:
            os.environ.clear()
            os.environ.update(before)
        self.table = {table[i].name.decode(): table[i].fn for i in range(count.value)}
        self.functions: dict[str, Callable[..., int]] = {}
        self.called: set[str] = set()
        handle = ctypes.c_void_p()
        assert self.call("rocblas_create_handle", ctypes.addressof(handle)) == SUCCESS
        self.handle = handle.value
        self.pointers_in_device_memory = hostile
        self.synchronize = ctypes.CFUNCTYPE(ctypes.c_int)(self.table["hipDeviceSynchronize"])

    def control(self, command: str, argument: int = 0) -> int:
        return int(self.library.sx_host_control(command.encode(), argument))

    def call(self, name: str, *arguments: object) -> int:
        """rocBLAS's ``name``; arrays are passed by address."""
        function = self.functions.get(name)
        if function is None:
            types = [_ctype(canon) for _, _, canon in SPEC[name]["params"]]
            function = self.functions[name] = ctypes.CFUNCTYPE(ctypes.c_int, *types)(self.table[name])
        self.called.add(name)
        return int(function(*(a.ctypes.data if isinstance(a, np.ndarray) else a for a in arguments)))

    def device_table(self, pointers: list[int]) -> int:
        """An array of pointers in device memory."""
        address = ctypes.c_void_p()
        malloc = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)(self.table["hipMalloc"])
        assert malloc(ctypes.addressof(address), 8 * len(pointers)) == 0
        ctypes.memmove(address, (ctypes.c_void_p * len(pointers))(*pointers), 8 * len(pointers))
        return int(address.value or 0)

    def device_array(self, shape: object, dtype: object) -> np.ndarray:
        """An array in device memory, never freed; the engine lets the host look at it outside strict mode."""
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        address = self.device_table([0] * (size // 8 + 1))
        return np.frombuffer((ctypes.c_char * size).from_address(address), dtype).reshape(shape)

    def free(self, address: int) -> None:
        ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(self.table["hipFree"])(address)

    # ---- one family --------------------------------------------------------------------------------------------
    def check(
        self, name: str, problem: Problem, seed: int = 0, forms: str = "obs", widths: str = "34", want: int = SUCCESS
    ) -> None:
        """Calls every form of ``name`` on fresh problems of the same shape and compares."""
        for form, suffix in (("o", ""), ("b", "_batched"), ("s", "_strided_batched")):
            for width in widths:
                if form not in forms:
                    continue
                full = f"{name}{suffix}{'_64' if width == '4' else ''}"
                # both pointer modes for the plain function; the other forms take turns
                for mode in (0, 1) if form == "o" and width == "3" else ((seed + (form == "s") + (width == "4")) % 2,):
                    problems = [problem(np.random.default_rng([seed, b])) for b in range(1 if form == "o" else 2)]
                    self._run(full, form, mode, problems, want, 8 if width == "4" else 4)

    def _run(self, name: str, form: str, mode: int, problems: list[Sequence[object]], want: int, width: int) -> None:
        assert self.call("rocblas_set_pointer_mode", self.handle, mode) == SUCCESS
        keep: list[object] = []
        tables: list[int] = []
        arguments: list[object] = [self.handle]
        outputs: list[tuple[np.ndarray, np.ndarray, float]] = []
        results: list[tuple[np.ndarray, list[Result]]] = []
        tail: list[object] = []
        for position, first in enumerate(problems[0]):
            column = [p[position] for p in problems]
            if isinstance(first, Val):
                arguments.append(first.value)
            elif isinstance(first, Scalar):
                cell = np.array([first.value], first.dtype)
                keep.append(cell)
                arguments.append(cell)
            elif isinstance(first, Result):
                dtype = (np.int64 if width == 8 else np.int32) if first.dtype is int else first.dtype
                cells = np.full(len(column) + 1, 77, dtype)
                results.append((cells, column))
                tail.append(cells)
            else:
                arguments += self._array(column, form, keep, tables, outputs)
        if form != "o":
            arguments.append(len(problems))
        status = self.call(name, *arguments, *tail)
        assert self.synchronize() == 0
        assert self.call("rocblas_set_pointer_mode", self.handle, 0) == SUCCESS
        for table in tables:
            self.free(table)
        where = f"{name} pointer mode {mode}"
        assert status == want, f"{where}: status {status}, not {want}"
        for got, wanted, tolerance in outputs:
            same(got, wanted, tolerance, where)
        for cells, column in results:
            assert cells[-1] == 77, f"{where}: wrote behind its results"
            for cell, result in zip(cells, column, strict=False):
                same(np.array([cell]), np.array([result.want]), result.tolerance, where)

    def _array(self, column: list, form: str, keep: list, tables: list[int], outputs: list) -> list[object]:
        stored = [store(a) for a in column]
        extra = stored[0][1]
        stride = max(len(buffer) for buffer, _, _ in stored) + 1
        if form == "s":
            whole = np.concatenate([np.append(b, np.full(stride - len(b), b[-1], b.dtype)) for b, _, _ in stored])
            buffers = [whole[i * stride : (i + 1) * stride] for i in range(len(stored))]
        else:
            buffers = [b for b, _, _ in stored]
        keep.append(buffers)
        for a, buffer, (_, _, index) in zip(column, buffers, stored, strict=True):
            expected = wide(buffer.copy()) if buffer.dtype.kind in "fcV" else buffer.copy()
            if a.want is not None and a.data.size:
                expected[index] = a.want
            outputs.append((buffer, expected, a.tolerance))
        if form == "b":
            pointers = [b.ctypes.data for b in buffers]
            if self.pointers_in_device_memory:
                tables.append(self.device_table(pointers))
                return [tables[-1], *extra]
            table = np.array(pointers, np.uint64)
            keep.append(table)
            return [table, *extra]
        return [buffers[0], *extra, *([stride] if form == "s" else [])]


# ---- data and references -----------------------------------------------------------------------------------
def random(rng: np.random.Generator, shape: object, dtype: object) -> np.ndarray:
    a = rng.uniform(-1, 1, shape)
    if np.dtype(dtype).kind == "c":
        a = a + 1j * rng.uniform(-1, 1, shape)
    return np.asarray(a).astype(dtype)


def eps(dtype: object) -> float:
    return float(ml_dtypes.finfo(dtype).eps) if np.dtype(dtype).kind != "c" else float(np.finfo(dtype).eps)


def op(a: np.ndarray, t: int) -> np.ndarray:
    return a if t == NONE else a.T if t == TRANS else a.conj().T


def triangle_mask(n: int, uplo: int) -> np.ndarray:
    return np.triu(np.ones((n, n), bool)) if uplo == UPPER else np.tril(np.ones((n, n), bool))


def symmetric(a: np.ndarray, uplo: int, hermitian: bool) -> np.ndarray:
    """The matrix that one triangle stands for."""
    n = len(a)
    strict = np.where(triangle_mask(n, uplo), a, 0)
    d = np.diag(strict).copy()
    strict[np.arange(n), np.arange(n)] = 0
    return strict + (strict.conj() if hermitian else strict).T + np.diag(d.real if hermitian else d)


def triangular(a: np.ndarray, uplo: int, diag: int) -> np.ndarray:
    t = np.where(triangle_mask(len(a), uplo), a, 0)
    if diag == UNIT:
        t[np.arange(len(a)), np.arange(len(a))] = 1
    return t


def hide(a: np.ndarray, uplo: int, diag: int = NON_UNIT) -> np.ndarray:
    """NaN where a routine on this triangle must not look."""
    out = np.where(triangle_mask(len(a), uplo), a, np.nan).astype(a.dtype)
    if diag == UNIT:
        out[np.arange(len(a)), np.arange(len(a))] = np.nan
    return out


def pack(a: np.ndarray, uplo: int) -> np.ndarray:
    n = len(a)
    columns = [a[: j + 1, j] if uplo == UPPER else a[j:, j] for j in range(n)]
    return np.concatenate(columns) if n else np.zeros(0, a.dtype)


def band(a: np.ndarray, kl: int, ku: int) -> np.ndarray:
    """LAPACK's band storage; NaN where it holds nothing."""
    out = np.full((kl + ku + 1, a.shape[1]), np.nan, a.dtype)
    i, j = np.indices(a.shape)
    inside = (i - j <= kl) & (j - i <= ku)
    out[(ku + i - j)[inside], j[inside]] = a[inside]
    return out


def banded(a: np.ndarray, kl: int, ku: int) -> np.ndarray:
    i, j = np.indices(a.shape)
    return np.where((i - j <= kl) & (j - i <= ku), a, 0).astype(a.dtype)


def enumerate_options(*options: Sequence[object]) -> Iterator[tuple]:
    """Each option's values in step with the others: as many tuples as the longest has values, coprime pairs mixed."""
    count = max(len(o) for o in options) * (2 if len(options) > 1 else 1)
    for i in range(count):
        yield tuple(o[(i + i // len(o) * (k > 0)) % len(o)] for k, o in enumerate(options))
