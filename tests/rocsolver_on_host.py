"""Calls the host engine's rocSOLVER functions by name, plain, batched and strided batched, and lets a test's own check
judge what they wrote.

A problem is the list of arguments in rocSOLVER's order: `Val`, `Mat` (an array of pointers when batched), `StridedMat`
(strided in both batched forms), `Vec` (strided in both), `Each` (one element per problem). ``check`` gets the problem
and the arrays as they are afterwards, in the same order.
"""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import rocblas_on_host as rb
from rocblas_on_host import SUCCESS, Engine, Val

rb._C.update({"float": ctypes.c_float, "double": ctypes.c_double})
for _line in (Path(__file__).parent.parent / "rocm/spec/rocsolver.jsonl").read_text().splitlines():
    _fact = json.loads(_line)
    if _fact["kind"] == "function":
        _fact["params"] = [[n, t, c if c[-1] in "*]" else c.removeprefix("const ")] for n, t, c in _fact["params"]]
        rb.SPEC[_fact["name"]] = _fact


@dataclass
class Mat:
    """A matrix with padded leading dimension."""

    data: np.ndarray
    pad: int = 2


class StridedMat(Mat):
    pass


@dataclass
class Vec:
    data: np.ndarray


@dataclass
class Each:
    dtype: object = int  # int: as wide as info is


Arg = Val | Mat | Vec | Each
Problem = Callable[[np.random.Generator], Sequence[Arg]]
Check = Callable[[Sequence[Arg], list[np.ndarray]], None]
SENTINEL = 77


def _store(arg: Arg, count: int, width: int) -> tuple[list[np.ndarray], np.ndarray, int]:
    """Buffers of one argument for ``count`` problems as views of one array, that array, and the stride."""
    if isinstance(arg, Each):
        dtype = (np.int64 if width == 8 else np.int32) if arg.dtype is int else arg.dtype
        whole = np.full(count + 1, SENTINEL, dtype)
        return [whole[i : i + 1] for i in range(count)], whole, 1
    data = arg.data
    size = (data.shape[0] + arg.pad) * max(data.shape[1], 1) if isinstance(arg, Mat) else data.size
    stride = size + 3
    whole = np.full(stride * count, SENTINEL, data.dtype)
    return [whole[i * stride : i * stride + size] for i in range(count)], whole, stride


def _view(arg: Arg, buffer: np.ndarray) -> np.ndarray:
    if isinstance(arg, Mat):
        rows, columns = arg.data.shape
        ld = rows + arg.pad
        return np.ndarray((rows, columns), buffer.dtype, buffer, 0, (buffer.itemsize, ld * buffer.itemsize))
    return buffer


def solve(
    engine: Engine, name: str, problem: Problem, check: Check, forms: str = "obs", wide: bool = False, seed: int = 0,
    count: int = 3,
) -> None:  # fmt: skip
    """Calls ``name`` in ``forms`` (o plain, b batched, s strided batched), with 64-bit integers too when ``wide``."""
    for width in (4, 8) if wide else (4,):
        for form, suffix in (("o", ""), ("b", "_batched"), ("s", "_strided_batched")):
            if form in forms:
                full = name + suffix + ("_64" if width == 8 else "")
                problems = [list(problem(np.random.default_rng([seed, b]))) for b in range(1 if form == "o" else count)]
                _run(engine, full, form, problems, check, width)


def _run(engine: Engine, name: str, form: str, problems: list, check: Check, width: int) -> None:
    arguments: list[object] = [engine.handle]
    tables: list[int] = []
    views: list[list[np.ndarray]] = [[] for _ in problems]
    guards: list[tuple[np.ndarray, np.ndarray]] = []
    for position, first in enumerate(problems[0]):
        column = [p[position] for p in problems]
        if isinstance(first, Val):
            arguments.append(first.value)
            continue
        if isinstance(first, Vec) and first.data.dtype == np.int64 and width == 4:
            for a in column:
                a.data = a.data.astype(np.int32)
        buffers, whole, stride = _store(first, len(problems), width)
        used = np.zeros(whole.shape, bool)
        for b, (a, buffer) in enumerate(zip(column, buffers, strict=True)):
            view = _view(a, buffer)
            if not isinstance(a, Each):
                view[...] = a.data
            offset = (buffer.ctypes.data - whole.ctypes.data) // whole.itemsize
            _view(a, used[offset : offset + buffer.size])[...] = True
            views[b].append(view)
        guards.append((whole, used))
        pointer_table = form == "b" and type(first) is Mat
        if pointer_table:
            tables.append(engine.device_table([b.ctypes.data for b in buffers]))
        arguments.append(tables[-1] if pointer_table else whole)
        if isinstance(first, Mat):
            arguments.append(first.data.shape[0] + first.pad)
        if form != "o" and not pointer_table and not isinstance(first, Each):
            arguments.append(stride)
    if form != "o":
        arguments.append(len(problems))
    status = engine.call(name, *arguments)
    for table in tables:
        engine.free(table)
    assert status == SUCCESS, f"{name}: status {status}"
    for whole, used in guards:
        assert (whole[~used] == SENTINEL).all(), f"{name}: wrote outside its arrays"
    for problem, got in zip(problems, views, strict=True):
        try:
            check(problem, got)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error


# ---- judging -----------------------------------------------------------------------------------------------
def small(error: np.ndarray, scale: float, dtype: object, n: int, what: str = "residual") -> None:
    """LAPACK's scale-free residual: |error| / (n |scale| eps) < 30."""
    bound = 30 * max(n, 1) * max(scale, 1e-30) * float(np.finfo(dtype).eps)
    worst = float(np.abs(error).max()) if error.size else 0.0
    assert worst <= bound, f"{what} {worst:.3g}, allowed {bound:.3g}"


def norm(a: np.ndarray) -> float:
    return float(np.abs(a).sum(axis=0).max()) if a.size else 0.0
