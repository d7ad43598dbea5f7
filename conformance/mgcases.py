"""Cases of cusolverMg: matrices in blocks of columns on every device there is, judged by residuals.

What is refused, and where pivots lie, was measured on NVIDIA's library over two H200.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from scale_x.conformance.scripts import Script, Session

    Entry = tuple[str, Script, bool]

Array = np.ndarray[Any, Any]
DTYPES: dict[str, tuple[Any, int, int]] = {  # and cudaDataType, of it and of its real numbers
    "S": (np.float32, 0, 0), "D": (np.float64, 1, 1), "C": (np.complex64, 4, 0), "Z": (np.complex128, 5, 1),
}  # fmt: skip
BOUND = 30.0
INTEGER = 10
SIZES = ((1, 1), (5, 2), (33, 4), (64, 16), (70, 32), (40, 64))  # order and block


class Grid:
    """A handle over all devices, twice each where there is one, and what a script makes on them."""

    def __init__(self, x: Session) -> None:
        self.x = x
        count = x.room(4, 0)
        assert x.calls.runtime("cudaGetDeviceCount", count) == 0
        there = int(np.frombuffer(_bytes(count, 4), np.int32)[0])
        self.devices = np.arange(there, dtype=np.int32) if there > 1 else np.zeros(2, np.int32)
        self._made: list[int] = []

    def __enter__(self) -> Grid:
        x, n = self.x, len(self.devices)
        self.handle = x.got("cusolverMgCreate", bits=64)
        x.ok("cusolverMgDeviceSelect", self.handle, n, self.devices.ctypes.data)
        out = x.room(8, 0)
        x.ok("cusolverMgCreateDeviceGrid", out, 1, n, self.devices.ctypes.data, 0)
        self.grid = int(np.frombuffer(_bytes(out, 8), np.int64)[0])
        return self

    def __exit__(self, *_: object) -> None:
        for p in self._made:
            self.x.calls.runtime("cudaFree", p)
        self.x.call("cusolverMgDestroyGrid", self.grid)
        self.x.call("cusolverMgDestroy", self.handle)
        self.on(0)

    def on(self, device: int) -> None:
        assert self.x.calls.runtime("cudaSetDevice", int(device)) == 0

    def alloc(self, device: int, nbytes: int) -> int:
        self.on(device)
        p = self.x.calls.malloc(max(nbytes, 16))
        self._made.append(p)
        return p

    def work(self, nbytes: int) -> Array:
        return np.array([self.alloc(int(d), nbytes) for d in self.devices], np.uint64)


def _bytes(address: int, count: int) -> bytes:
    import ctypes

    return ctypes.string_at(address, count)


class Spread:
    """A matrix on the devices of a grid."""

    def __init__(self, g: Grid, a: Array, block: int, kind: int) -> None:
        self.g, self.block, (self.m, self.n), self.dtype = g, block, a.shape, a.dtype
        blocks, devices = -(-self.n // block), len(g.devices)
        self.width = -(-blocks // devices) * block  # columns on each
        local = np.full((devices, self.width, self.m), 77, a.dtype)
        for j in range(self.n):
            local[self.place(j)] = a[:, j]
        self.parts = np.zeros(devices, np.uint64)
        for k, d in enumerate(g.devices):
            self.parts[k] = g.alloc(int(d), local[k].nbytes)
            assert g.x.calls.copy(int(self.parts[k]), local[k].ctypes.data, local[k].nbytes, 1) == 0
        out = g.x.room(8, 0)
        g.x.ok("cusolverMgCreateMatrixDesc", out, self.m, self.n, self.m, block, kind, g.grid)
        self.descr = int(np.frombuffer(_bytes(out, 8), np.int64)[0])

    def place(self, j: int) -> tuple[int, int]:
        devices = len(self.g.devices)
        return j // self.block % devices, j // self.block // devices * self.block + j % self.block

    def get(self) -> Array:
        local = np.zeros((len(self.parts), self.width, self.m), self.dtype)
        for k, d in enumerate(self.g.devices):
            self.g.on(int(d))
            assert self.g.x.calls.copy(local[k].ctypes.data, int(self.parts[k]), local[k].nbytes, 2) == 0
        return np.stack([local[self.place(j)] for j in range(self.n)], axis=1)

    @property
    def at(self) -> int:
        return int(self.parts.ctypes.data)


def random(n: int, m: int, letter: str, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    a = rng.standard_normal((n, m))
    return np.asarray(a + 1j * rng.standard_normal((n, m)) if letter in "CZ" else a, DTYPES[letter][0])


def definite(n: int, letter: str, seed: int) -> Array:
    a = random(n, n, letter, seed)
    return np.asarray(a @ a.conj().T + n * np.eye(n), a.dtype)


def within(x: Session, error: Array, n: int, size: float, dtype: Any, what: str) -> None:
    assert np.isfinite(error).all(), what
    x.within(float(np.abs(error).max(initial=0) / (n * size * np.finfo(dtype).eps)), BOUND, what)


def call(x: Session, g: Grid, name: str, letter: str, head: list[int], expect: str = "SUCCESS", info: int = 0) -> None:
    """The size function, the function with a workspace of that size, then what info says."""
    symbol, kind = f"cusolverMg{name}", DTYPES[letter][1]
    lwork = x.got(f"{symbol}_bufferSize", g.handle, *head, kind, bits=64)
    assert lwork > 0
    work = g.work(lwork * np.dtype(DTYPES[letter][0]).itemsize)
    told = np.full(1, 77, np.int32)
    status = x.call(symbol, g.handle, *head, kind, work.ctypes.data, lwork, told.ctypes.data)
    assert (status, told[0]) == (expect, info), f"{symbol} answers {status} with info {told[0]}"


def lu(letter: str) -> Script:
    """Factors of a part of a matrix with its pivots, then solutions for right-hand sides in other blocks."""

    def script(x: Session) -> None:
        dtype, kind, _ = DTYPES[letter]
        with Grid(x) as g:
            for (n, block), offset in ((s, o) for s in SIZES for o in (0, 3)):
                a = random(n + offset, n + offset, letter, n)
                spread = Spread(g, a, block, kind)
                ipiv = Spread(g, np.zeros((1, n + offset), np.int32), block, INTEGER)
                call(x, g, "Getrf", letter, [n, n, spread.at, 1 + offset, 1 + offset, spread.descr, ipiv.at])
                got, rows = spread.get(), ipiv.get()[0, offset:]
                assert (got[:offset] == a[:offset]).all() and (got[:, :offset] == a[:, :offset]).all()
                inner, wide = a[offset:, offset:], np.complex128 if letter in "CZ" else np.float64
                order = np.arange(n)
                for i, r in enumerate(rows):
                    assert i < r <= n
                    order[[i, r - 1]] = order[[r - 1, i]]
                f = got[offset:, offset:].astype(wide)
                product = (np.tril(f, -1) + np.eye(n)) @ np.triu(f)
                size = float(np.abs(inner).sum(axis=0).max())
                within(x, inner[order] - product, n, size, dtype, "residual of the factors")
                if offset:
                    continue
                b = random(n, 5, letter, 1)
                right = Spread(g, b, 2, kind)
                call(
                    x,
                    g,
                    "Getrs",
                    letter,
                    [0, n, 4, spread.at, 1, 1, spread.descr, ipiv.at, right.at, 1, 2, right.descr],
                )
                solved = right.get()
                assert (solved[:, 0] == b[:, 0]).all()
                r = a.astype(wide) @ solved[:, 1:] - b[:, 1:]
                within(x, r, n, size * float(np.abs(solved).max()), dtype, "residual of the solution")

    return script


def cholesky(letter: str) -> Script:
    def script(x: Session) -> None:
        dtype, kind, _ = DTYPES[letter]
        wide = np.complex128 if letter in "CZ" else np.float64
        with Grid(x) as g:
            for n, block in SIZES:
                a = definite(n, letter, n)
                spread = Spread(g, a, block, kind)
                call(x, g, "Potrf", letter, [0, n, spread.at, 1, 1, spread.descr])
                got = spread.get()
                assert (np.triu(got, 1) == np.triu(a, 1)).all()
                lower, size = np.tril(got).astype(wide), float(np.abs(a).sum(axis=0).max())
                within(x, lower @ lower.conj().T - a, n, size, dtype, "residual of the factor")
                b = random(n, 3, letter, 2)
                right = Spread(g, b, 1, kind)
                call(x, g, "Potrs", letter, [0, n, 3, spread.at, 1, 1, spread.descr, right.at, 1, 1, right.descr])
                solved = right.get()
                r = a.astype(wide) @ solved - b
                within(x, r, n, size * float(np.abs(solved).max()), dtype, "residual of the solution")
                call(x, g, "Potri", letter, [0, n, spread.at, 1, 1, spread.descr])
                half = np.tril(spread.get(), -1).astype(wide)
                inverse = half + half.conj().T + np.diag(spread.get().diagonal().real)
                grown = size * float(np.abs(inverse).sum(axis=0).max())
                within(x, a.astype(wide) @ inverse - np.eye(n), n, grown, dtype, "residual of the inverse")
            a = np.diag(np.array([4.0, 4, -1, 4, 4], dtype))
            spread = Spread(g, a, 2, kind)
            call(x, g, "Potrf", letter, [0, 5, spread.at, 1, 1, spread.descr], "INTERNAL_ERROR", 3)

    return script


def eigen(letter: str) -> Script:
    def script(x: Session) -> None:
        dtype, kind, real = DTYPES[letter]
        with Grid(x) as g:
            for n, block in SIZES:
                a = definite(n, letter, n)
                size, eps = float(np.abs(a).sum(axis=0).max()), np.finfo(dtype).eps
                want = np.linalg.eigvalsh(a.astype(np.complex128))
                for vectors in (0, 1):
                    spread, w = Spread(g, a, block, kind), np.full(n, np.nan, np.zeros(1, dtype).real.dtype)
                    call(x, g, "Syevd", letter,
                         [vectors, 0, n, spread.at, 1, 1, spread.descr, w.ctypes.data, real])  # fmt: skip
                    x.within(float(np.abs(w - want).max() / (n * size * eps)), BOUND, "eigenvalues")
                    if vectors:
                        v = spread.get().astype(np.complex128)
                        within(x, a @ v - v * w, n, size, dtype, "residual of the vectors")
                        within(x, v.conj().T @ v - np.eye(n), n, 1, dtype, "orthogonality")

    return script


def grids(x: Session) -> None:
    """Handles, devices, grids and descriptors: what is taken and what is not."""
    one, many = np.zeros(1, np.int32), np.array([99], np.int32)
    h = x.got("cusolverMgCreate", bits=64)
    for count, ids, status in (
        (0, one, "INVALID_VALUE"), (-1, one, "INVALID_VALUE"), (1, many, "INTERNAL_ERROR"),
        (1, -many, "INTERNAL_ERROR"), (1, one, "SUCCESS"), (1, one, "INVALID_VALUE"),
    ):  # fmt: skip
        assert x.call("cusolverMgDeviceSelect", h, count, ids.ctypes.data) == status, (count, ids)
    out = x.room(8, 0)
    for rows, cols, status in (
        (2, 1, "INVALID_VALUE"),
        (1, 0, "INVALID_VALUE"),
        (-1, 1, "INVALID_VALUE"),
        (1, 1, "SUCCESS"),
    ):
        assert x.call("cusolverMgCreateDeviceGrid", out, rows, cols, one.ctypes.data, 0) == status, (rows, cols)
    grid = int(np.frombuffer(_bytes(out, 8), np.int64)[0])
    assert x.call("cusolverMgCreateDeviceGrid", 0, 1, 1, one.ctypes.data, 0) == "INVALID_VALUE"
    for rows, cols, block, width, at, status in (
        (6, 6, 2, 2, grid, "INVALID_VALUE"), (6, 6, 8, 2, grid, "INVALID_VALUE"), (0, 6, 0, 2, grid, "INVALID_VALUE"),
        (6, -1, 6, 2, grid, "INVALID_VALUE"), (6, 6, 6, -1, grid, "INVALID_VALUE"), (6, 6, 6, 2, 0, "INVALID_VALUE"),
        (6, 0, 6, 2, grid, "SUCCESS"), (6, 6, 6, 9, grid, "SUCCESS"),
    ):  # fmt: skip
        got = x.call("cusolverMgCreateMatrixDesc", out, rows, cols, block, width, 1, at)
        assert got == status, (rows, cols, block, width, got)
    x.ok("cusolverMgDestroyMatrixDesc", int(np.frombuffer(_bytes(out, 8), np.int64)[0]))
    assert x.call("cusolverMgDestroyMatrixDesc", 0) == "INVALID_VALUE"
    x.ok("cusolverMgDestroyGrid", grid)
    assert x.call("cusolverMgDestroyGrid", 0) == "INVALID_VALUE"
    x.ok("cusolverMgDestroy", h)


def arguments(x: Session) -> None:
    """Refusals with their info, and no matrix touched by them."""
    with Grid(x) as g:
        a = definite(6, "D", 1)
        spread, ipiv, right = Spread(g, a, 2, 1), Spread(g, np.zeros((1, 6), np.int32), 2, INTEGER), Spread(g, a, 2, 1)
        work, info = g.work(1 << 20), np.zeros(1, np.int32)
        tail = [1, work.ctypes.data, 1 << 17, info.ctypes.data]
        lu = [6, 6, spread.at, 1, 1, spread.descr, ipiv.at]
        solve = [0, 6, 6, spread.at, 1, 1, spread.descr, ipiv.at, right.at, 1, 1, right.descr]
        factor = [0, 6, spread.at, 1, 1, spread.descr]
        w = np.zeros(6)
        eigen = [1, 0, 6, spread.at, 1, 1, spread.descr, w.ctypes.data, 1]
        for name, good, at, value, want in (
            ("Getrf", lu, 0, -1, -1), ("Getrf", lu, 1, -1, -2), ("Getrf", lu, 3, 0, -4), ("Getrf", lu, 4, 0, -5),
            ("Getrf", lu, 0, 9, -6), ("Getrf", lu, 1, 9, -6), ("Getrf", lu, 3, 2, -6), ("Getrs", solve, 0, 1, -1),
            ("Getrs", solve, 0, 2, -1), ("Getrs", solve, 1, -1, -2), ("Getrs", solve, 2, -1, -3),
            ("Getrs", solve, 4, 2, 0), ("Getrs", solve, 5, 3, 0), ("Getrs", solve, 9, 2, 0),
            ("Potrf", factor, 0, 1, -1),
            ("Syevd", eigen, 0, 2, -1), ("Syevd", eigen, 1, 2, -2), ("Syevd", eigen, 2, -1, -3),
            ("Syevd", eigen, 1, 1, 0), ("Syevd", eigen, 4, 2, 0), ("Syevd", eigen, 5, 3, 0),
        ):  # fmt: skip
            bad = [*good]
            bad[at] = value
            info[0] = 77
            status = x.call(f"cusolverMg{name}", g.handle, *bad, *tail)
            assert (status, info[0]) == ("INVALID_VALUE", want), (name, at, value, status, info[0])
        for name, good, at in (("Getrf", lu, 0), ("Getrf", lu, 1), ("Getrs", solve, 1), ("Getrs", solve, 2)):
            none = [*good]
            none[at] = 0
            x.ok(f"cusolverMg{name}", g.handle, *none, *tail)
        for name, good in (("Getrf", lu), ("Getrs", solve), ("Potrf", factor), ("Syevd", eigen)):
            for kind in (0, 99):
                out = x.room(8)
                got = x.call(f"cusolverMg{name}_bufferSize", g.handle, *good, kind, out)
                assert got == "INVALID_VALUE", (name, kind)
        assert (spread.get() == a).all() and (right.get() == a).all()
        x.ok("cusolverMgGetrf", g.handle, *lu, 1, work.ctypes.data, 0, info.ctypes.data)  # the size is not looked at


SCRIPTS: dict[str, tuple[Entry, ...]] = {
    "cusolverMgCreate": (("grids", grids, False), ("arguments", arguments, False)),
    "cusolverMgGetrf": tuple((f"lu-{t}", lu(t), False) for t in "SDCZ"),
    "cusolverMgPotrf": tuple((f"cholesky-{t}", cholesky(t), False) for t in "SDCZ"),
    "cusolverMgSyevd": tuple((f"eigen-{t}", eigen(t), False) for t in "SDCZ"),
}
