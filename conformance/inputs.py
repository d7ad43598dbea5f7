"""Puts the arguments of one case into memory: seeded inputs, NaN everywhere else.

Inputs come from one seeded pool, so the same case id means the same numbers everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType, SimpleNamespace
from typing import Any

import numpy as np

from scale_x.conformance import layout
from scale_x.conformance.cases import Case, seed_of
from scale_x.conformance.conditions import Situation
from scale_x.conformance.memory import Arena
from scale_x.conformance.subjects import Subject
from scale_x.wrappers_gen import rows as R

POOL = 1 << 18


@cache
def pool() -> np.ndarray:
    return np.random.default_rng(20240607).uniform(-1.0, 1.0, POOL)


class Numbers:
    """Deterministic numbers of one case."""

    def __init__(self, seed: int) -> None:
        self._at = seed % POOL

    def real(self, count: int) -> np.ndarray:
        start, self._at = self._at, (self._at + count + 7919) % POOL
        if start + count <= POOL:
            return pool()[start : start + count]
        return np.take(pool(), np.arange(start, start + count), mode="wrap")

    def of(self, letter: str, shape: tuple[int, ...]) -> np.ndarray:
        count = int(np.prod(shape))
        if letter in "CZ":
            return (self.real(count) + 1j * self.real(count)).reshape(shape)
        if letter == "c":
            return np.round(self.real(count) * 5 + 5j * self.real(count)).reshape(shape)
        values = self.real(count).reshape(shape)
        if letter in "HB":  # few bits, so that short sums are exact
            return np.round(values * 8) / 8
        if letter in "ILbu":
            return np.round(values * 5) if letter != "u" else np.round(np.abs(values) * 5)
        return values


@dataclass
class Placed:
    """One pointer argument in memory."""

    name: str
    arg: R.Arg
    letter: str
    dtype: np.dtype
    layout: layout.Layout
    arena: Arena
    offset: int
    address: int  # what is passed
    logical: np.ndarray | None  # before the call, at least double precision, as the oracle sees it

    def read(self) -> np.ndarray:
        """The logical array after the call, in its own precision."""
        return self.arena.elements(self.offset, self.layout.elements, self.dtype, after=True)[self.layout.offsets]


@dataclass
class Prepared:
    arguments: list[int | float | complex]
    placed: dict[str, Placed]
    oracle: SimpleNamespace


def dtype_of(case: Case, name: str, arg: R.Arg) -> tuple[str, np.dtype]:
    letter = "u" if arg.T == "bytes" else case.subject.letter_of(arg.T, case.shapes)
    if letter in "IL" and isinstance(arg, R.Scalar):  # an integer result is as wide as the prototype says
        canon = next(p.canon for p in case.subject.params if p.name == name)
        letter = "L" if "long" in canon or "int64" in canon else "I"
    return letter, layout.DTYPES[letter]


def _triangular(values: np.ndarray) -> np.ndarray:
    """Well conditioned, whatever the size: small off the diagonal, about 1 to 2 on it."""
    n = values.shape[-1]
    values = values / max(n, 1)
    i = np.arange(min(values.shape[-2:]))
    values[..., i, i] = values[..., i, i] * 0.5 * n + np.where(np.real(values[..., i, i]) < 0, -1.25, 1.25)
    return values


def _contents(
    case: Case,
    name: str,
    arg: R.Arg,
    letter: str,
    place: layout.Layout,
    numbers: Numbers,
    made: Mapping[str, Any],
) -> np.ndarray:
    """Logical input values in double precision."""
    shape = place.offsets.shape
    given = case.data.get(name, case.values.get(name, made.get(name)))
    if given is not None:
        values = np.asarray(given)
        values = values.astype(np.complex128) if letter in "CZc" else np.real(values).astype(np.float64)
        values = np.broadcast_to(values, shape).copy() if values.shape != shape else values.copy()
    else:
        values = numbers.of(letter, shape)
        if isinstance(arg, R.Mat) and arg.unit:
            values = _triangular(values)
        elif isinstance(arg, R.Mat | R.Vec) and case.scale != 1:
            values = values * case.scale
    if isinstance(arg, R.Mat) and (arg.kl or arg.ku) and place.mask is not None:
        inside = place.mask | np.eye(*shape[-2:], dtype=np.bool_)  # a unit diagonal is not referenced and lies inside
        values = np.where(inside, values, 0)
    return values


def prepare(
    case: Case,
    device: Arena,
    host: Arena,
    handles: Mapping[str, int],
    scratch: Mapping[str, int] = MappingProxyType({}),
) -> Prepared:
    """Lays the case out; what is passed, where it is, and what the oracle sees. ``scratch``: sizes of scratch memory by
    the arguments that say them, passed where the case says nothing else."""
    s = case.subject
    device.reset()
    host.reset()
    shapes = case.shapes
    situation = case.situation()
    situation.values = shapes
    numbers = Numbers(seed_of(case.id))
    made = _made(case)
    placed: dict[str, Placed] = {}
    seen: dict[str, Any] = {k: v for k, v in shapes.items() if k not in s.row.args}
    for name, arg in s.row.args.items():
        if name in case.alias:
            continue
        letter, dtype = dtype_of(case, name, arg)
        if isinstance(arg, R.Scratch):
            place = layout.vector(scratch.get(arg.size, 0), 1)
        else:
            place = layout.of(arg, lambda text: s.evaluate(text, situation))
        on_host = isinstance(arg, R.Scalar | R.Buf | R.Scratch) and (
            arg.host or (isinstance(arg, R.Scalar) and case.mode == "host"))  # fmt: skip
        arena = host if on_host else device
        offset = arena.take(place.elements * dtype.itemsize, case.shift.get(name, 0))
        logical = None
        if arg.dir in (R.IN, R.INOUT):
            logical = _fill(case, name, arg, letter, dtype, place, arena, offset, numbers, made)
            seen[name] = logical if not isinstance(arg, R.Scalar) or place.elements != 1 else logical.ravel()[0].item()
        if arg.dir != R.IN:
            arena.allow(offset, place.elements, dtype.itemsize, place.touched)
        address = arena.base + offset
        if place.members and isinstance(arg, R.Vec | R.Mat) and arg.batch:
            address = _pointers(device, address, place, dtype)
        placed[name] = Placed(name, arg, letter, dtype, place, arena, offset, address, logical)
    for name, of in case.alias.items():
        placed[name] = _shared(case, name, placed[of], situation)
        seen.setdefault(name, placed[of].logical)
    seen.update(nulls=case.nulls, letter=case.letter)
    return Prepared(_arguments(case, placed, handles, scratch), placed, SimpleNamespace(**seen))


def _made(case: Case) -> Mapping[str, Any]:
    """What the row's sweep makes of the case's class."""
    sweep = case.subject.row.sweep
    if sweep is None or sweep.make is None:
        return {}
    a = SimpleNamespace(**case.shapes, letter=case.letter, nulls=case.nulls)
    return sweep.make(a, case.kindred or sweep.classes[0], np.random.default_rng(seed_of(case.id)))


def _fill(case: Case, name: str, arg: R.Arg, letter: str, dtype: np.dtype, place: layout.Layout, arena: Arena,
          offset: int, numbers: Numbers, made: Mapping[str, Any]) -> np.ndarray:  # fmt: skip
    values = _contents(case, name, arg, letter, place, numbers, made)
    wide = np.complex128 if letter in "CZc" else np.float64
    stored = layout.stored(letter, values)
    if arg.dir == R.INOUT and not isinstance(arg, R.Scalar) and case.values.get("beta") == 0:
        return np.zeros(place.offsets.shape, wide)  # beta = 0 never reads what was there: it stays NaN
    if name in case.nan:
        return np.full(place.offsets.shape, np.nan, wide)
    memory = arena.elements(offset, place.elements, dtype)
    if place.mask is None:
        memory[place.offsets] = stored
    else:
        memory[place.touched] = stored[place.mask]
    if isinstance(arg, R.Vec):
        stored = memory[place.offsets]  # increment 0: one element many times
    return layout.logical(letter, stored)


def _shared(case: Case, name: str, of: Placed, situation: Situation) -> Placed:
    """An argument that lies where another does, with a layout of its own."""
    arg = case.subject.row.args[name]
    place = layout.of(arg, lambda text: case.subject.evaluate(text, situation))
    if place.elements <= of.layout.elements:
        of.arena.allow(of.offset, place.elements, of.dtype.itemsize, place.touched)
    return Placed(name, arg, of.letter, of.dtype, place, of.arena, of.offset, of.address, of.logical)


def _pointers(device: Arena, address: int, place: layout.Layout, dtype: np.dtype) -> int:
    offset = device.take(8 * place.members)
    device.elements(offset, place.members, np.dtype(np.uint64))[:] = address + np.arange(
        place.members, dtype=np.uint64
    ) * np.uint64(place.pitch * dtype.itemsize)
    return device.base + offset


def query_arguments(case: Case, query: Subject, answers: Mapping[str, int], handles: Mapping[str, int]) -> list[Any]:
    """What a function that answers a size is passed: the case's values by name, its answers, no other memory."""
    out: list[Any] = []
    for p in query.params:
        kind = query.kinds[p.name]
        if kind == "handle":
            out.append(handles["live"])
        elif kind.startswith("object:"):
            out.append(handles.get(kind, 0))
        elif p.name in answers:
            out.append(answers[p.name])
        elif kind == "float":
            out.append(float(case.shapes.get(p.name, 0.0)))
        else:
            out.append(query.number(p.name, 0 if kind == "pointer" else case.shapes.get(p.name, 0)))
    return out


def _arguments(
    case: Case, placed: Mapping[str, Placed], handles: Mapping[str, int], scratch: Mapping[str, int]
) -> list[int | float | complex]:
    s = case.subject
    out: list[int | float | complex] = []
    for p in s.params:
        kind = s.kinds[p.name]
        if kind == "handle":
            out.append(handles[case.handle])
        elif p.name in case.nulls:
            out.append(0)
        elif p.name in placed:
            out.append(placed[p.name].address)
        elif kind == "stream":
            out.append(handles.get("stream", 0))
        elif kind.startswith("object:"):
            out.append(handles[kind])
        elif kind == "complex":
            out.append(complex(case.values.get(p.name, 0)))
        elif kind == "float":
            out.append(float(case.values.get(p.name, 0.0)))
        else:
            out.append(s.number(p.name, case.values.get(p.name, scratch.get(p.name, 0))))
    return out
