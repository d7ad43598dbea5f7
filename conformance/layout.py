"""Where the elements of an argument lie in memory: leading dimensions, increments, triangles, bands, batches.

A layout is an integer array of element offsets in logical (BLAS) order, and a mask of the elements that the routine may
touch. Everything else (padding, gaps, the other triangle, a unit diagonal) must come back as it went in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import ml_dtypes
import numpy as np

from scale_x.wrappers_gen import rows as R

DTYPES: dict[str, np.dtype] = {
    "S": np.dtype(np.float32), "D": np.dtype(np.float64), "C": np.dtype(np.complex64), "Z": np.dtype(np.complex128),
    "H": np.dtype(np.float16), "B": np.dtype(ml_dtypes.bfloat16), "I": np.dtype(np.int32), "L": np.dtype(np.int64),
    "b": np.dtype(np.int8), "u": np.dtype(np.uint8),
    "c": np.dtype(np.int16),  # a complex number of two 8-bit integers, packed
}  # fmt: skip
EPS = {"S": 2.0**-24, "D": 2.0**-53, "C": 2.0**-24, "Z": 2.0**-53, "H": 2.0**-11, "B": 2.0**-8}
TINY = {"S": 2.0**-126, "D": 2.0**-1022, "C": 2.0**-126, "Z": 2.0**-1022, "H": 2.0**-14, "B": 2.0**-126}
LARGEST = 1 << 27  # elements; a case that wants more is a mistake in a sweep


def stored(letter: str, values: np.ndarray) -> np.ndarray:
    """Values as memory holds them."""
    if letter != "c":
        return values.astype(DTYPES[letter])
    parts = np.stack([np.real(values), np.imag(values)], axis=-1).astype(np.int8)
    return parts.view(np.int16)[..., 0]


def logical(letter: str, memory: np.ndarray) -> np.ndarray:
    """What an oracle sees of it: at least double precision, integers as they are."""
    if letter == "c":
        parts = np.ascontiguousarray(memory)[..., None].view(np.int8)
        return parts[..., 0] + 1j * parts[..., 1]
    return memory.astype(np.int64 if letter in "ILbu" else np.complex128 if letter in "CZ" else np.float64)


@dataclass(frozen=True)
class Layout:
    offsets: np.ndarray  # element offsets, logical shape
    mask: np.ndarray | None  # referenced elements; None: all
    elements: int  # extent of the whole buffer
    pitch: int = 0  # elements between members of an array of pointers
    members: int = 0

    @property
    def touched(self) -> np.ndarray:
        return self.offsets.ravel() if self.mask is None else self.offsets[self.mask]


@lru_cache(maxsize=4096)
def matrix(rows: int, cols: int, ld: int, part: str, packed: bool, kl: int, ku: int, unit: bool) -> Layout:
    i, j = np.arange(rows)[:, None], np.arange(cols)[None, :]
    mask = None
    if part == "LOWER":
        mask = i >= j
    elif part == "UPPER":
        mask = i <= j
    if packed:
        n = rows
        offsets = i + j * (2 * n - j - 1) // 2 if part == "LOWER" else i + j * (j + 1) // 2
        extent = n * (n + 1) // 2
    elif kl >= 0:
        band = (i - j <= kl) & (j - i <= ku)
        mask = band if mask is None else mask & band
        offsets = np.where(band, ku + i - j, 0) + j * ld
        extent = ld * cols
    else:
        offsets = i + j * ld
        extent = ld * cols
    if unit:
        off_diagonal = np.broadcast_to(i != j, (rows, cols))
        mask = off_diagonal if mask is None else mask & off_diagonal
    if mask is not None:
        mask = np.broadcast_to(mask, (rows, cols))
    return Layout(np.broadcast_to(offsets, (rows, cols)), mask, max(extent, 0))


@lru_cache(maxsize=1024)
def vector(n: int, inc: int) -> Layout:
    k = np.arange(n)
    offsets = k * inc if inc >= 0 else (k - (n - 1)) * inc
    return Layout(offsets, None, 1 + (n - 1) * abs(inc) if n > 0 else 0)


def batched(one: Layout, count: int, stride: int, array: bool) -> Layout:
    if array:
        pitch = one.elements + 16  # a gap of sentinels after each member
        offsets = np.arange(count).reshape(-1, *[1] * one.offsets.ndim) * pitch + one.offsets
        mask = None if one.mask is None else np.broadcast_to(one.mask, offsets.shape)
        return Layout(offsets, mask, pitch * count, pitch, count)
    base = min(0, stride * (count - 1))  # a negative stride runs downwards from the last member
    offsets = np.arange(count).reshape(-1, *[1] * one.offsets.ndim) * stride + one.offsets - base
    mask = None if one.mask is None else np.broadcast_to(one.mask, offsets.shape)
    return Layout(offsets, mask, (one.elements + abs(stride) * max(count - 1, 0)) if count > 0 else 0)


def of(arg: R.Arg, ask: Callable[[str], Any]) -> Layout:
    """The layout of an argument; ``ask`` evaluates an expression of its description."""

    def size(text: str, default: int = 0) -> int:
        return max(int(ask(text)), 0) if text else default

    assert not isinstance(arg, R.Scratch), "workspaces have no layout"
    if isinstance(arg, R.Scalar | R.Buf):
        return vector(size(arg.count), 1)
    if isinstance(arg, R.Scratch):
        raise TypeError("a workspace has no layout")
    if isinstance(arg, R.Vec):
        one = vector(size(arg.n), int(ask(arg.inc)))
    else:
        rows, cols = size(arg.rows), size(arg.cols)
        part = "full" if arg.part == "full" else str(ask(arg.part))
        kl, ku = (size(arg.kl), size(arg.ku)) if arg.kl or arg.ku else (-1, -1)
        if kl >= 0 and part == "LOWER":
            kl, ku = max(kl, ku), 0
        elif kl >= 0 and part == "UPPER":
            kl, ku = 0, max(kl, ku)
        ld = max(int(ask(arg.ld)), 1) if arg.ld else max(rows, 1)
        one = matrix(rows, cols, ld, part, arg.packed, kl, ku, bool(arg.unit and ask(arg.unit)))
    if arg.batch:
        count = size(arg.batch)
        stride = int(ask(arg.stride)) if arg.stride else one.elements
        one = batched(one, count, stride, arg.array)
    if one.elements > LARGEST or one.offsets.size > LARGEST:
        raise ValueError(f"a case of {one.elements} elements")
    return one


def tight_ld(arg: R.Mat, ask: Callable[[str], Any]) -> int:
    """The smallest leading dimension that an argument allows."""
    rows = max(int(ask(arg.rows)), 0)
    if arg.kl or arg.ku:
        kl, ku = (max(int(ask(t)), 0) if t else 0 for t in (arg.kl, arg.ku))
        rows = (max(kl, ku) if arg.part != "full" else kl + ku) + 1
    return max(rows, 1)
