"""What a case is: one call of one symbol, and what must come of it."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scale_x.conformance.conditions import Situation
from scale_x.conformance.subjects import Subject
from scale_x.wrappers_gen import rows as R

RUN = "run"  # reaches the backend: values are compared with the oracle
NOTHING = "nothing"  # nothing may change
ZERO = "zero"  # named result scalars become 0, nothing else changes
#: arguments that say the type of a matrix, in functions that have no letter
ELEMENT_TYPES = ("dataTypeA", "dataTypeV", "dataTypeZ")


@dataclass
class Expectation:
    status: str = "SUCCESS"
    xerbla: int | None = None
    effect: str = RUN
    zero: tuple[str, ...] = ()
    #: integers written whatever the status: the first, the others (None: they stay)
    info: tuple[str, int, int | None] | None = None


@dataclass
class Case:
    subject: Subject
    kind: str  # value, argument, null, handle, quick, user, stub, script
    values: dict[str, Any]  # what is passed: integers, enumerators, scalars
    layout: dict[str, Any] = field(default_factory=dict)  # what the buffers are made for, where that differs
    mode: str = "host"
    stream: str = ""  # "own": a stream of the handle's own
    nulls: frozenset[str] = frozenset()
    handle: str = "live"  # or null, destroyed, garbage, zeroed, stream (an object of another kind)
    scale: float = 1.0
    nan: tuple[str, ...] = ()  # inputs filled with NaN
    shift: Mapping[str, int] = field(default_factory=dict)  # bytes past a multiple of 256
    data: Mapping[str, Any] = field(default_factory=dict)  # logical contents given outright
    note: str = ""  # tells apart cases that differ in nothing else
    hazard: bool = False  # NVIDIA's library may fault or abort here
    alias: Mapping[str, str] = field(default_factory=dict)  # argument -> the argument whose memory it shares
    repeat: int = 1
    kindred: str = ""  # the class of inputs, where it is not the sweep's first

    @property
    def letter(self) -> str:
        """The row's type letter, or that of the type which an argument says."""
        named = next((self.shapes[n] for n in ELEMENT_TYPES if n in self.shapes), "")
        if self.subject.letter or not isinstance(named, str) or not named:
            return self.subject.letter
        return self.subject.letter_of(named, self.shapes)

    @property
    def shapes(self) -> dict[str, Any]:
        return {**self.values, **self.layout} if self.layout else self.values

    def situation(self) -> Situation:
        args = self.subject.row.args
        hosts = [n for n, a in args.items() if isinstance(a, R.Scalar | R.Buf) and a.host]
        plenty = {a.size: 1 << 30 for a in args.values() if isinstance(a, R.Scratch)}
        return Situation(
            {**plenty, **self.values} if plenty else self.values,
            self.nulls, self.mode == "host", self.subject.letter in "CZ" and self.subject.letter != "",
            self.shift, [frozenset(pair) for pair in self.alias.items()], hosts,
        )  # fmt: skip

    @property
    def id(self) -> str:
        s = self.subject
        parts = [f"{p.name}={_text(self.values[p.name])}" for p in s.params if p.name in self.values]
        if self.mode != "host":
            parts.append(f"mode={self.mode}")
        if self.stream:
            parts.append(f"stream={self.stream}")
        parts += [f"{n}=NULL" for n in sorted(self.nulls)]
        if self.handle != "live":
            parts.append(f"handle={self.handle}")
        if self.scale != 1:
            parts.append(f"scale={self.scale:g}")
        parts += [f"{n}=NaN" for n in self.nan]
        parts += [f"{n}={m}" for n, m in sorted(self.alias.items())]
        parts += [f"{n}+{b}" for n, b in sorted(self.shift.items())]
        if self.kindred:
            parts.append(self.kindred)
        if self.note:
            parts.append(self.note)
        return f"{s.library}/{s.page}/{s.symbol}[{','.join(parts)}]"


def _text(value: Any) -> str:
    if isinstance(value, complex):
        return f"{value.real:g}{value.imag:+g}i"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, tuple | list):
        return ":".join(map(_text, value))
    return str(value)


def seed_of(case_id: str) -> int:
    return zlib.crc32(case_id.encode())


def expect(case: Case, exact: bool = False) -> Expectation:
    """What the row says happens: its steps in order, the first that speaks decides. ``exact``: on NVIDIA's chip, or as
    on it."""
    zeros: list[str] = []
    told = _expect(case, exact, zeros)
    if told.effect != RUN:
        told.zero += tuple(zeros)
    return told


def _expect(case: Case, exact: bool, zeros: list[str]) -> Expectation:
    s, situation = case.subject, case.situation()
    info: tuple[str, int, int | None] | None = None
    device: R.DeviceInfo | None = None

    def told(first: int, rest: int) -> tuple[str, int, int | None] | None:
        if device is None or device.arg in case.nulls:
            return None
        return device.arg, first, None if device.count == "1" else rest

    for step in s.row.steps:
        if isinstance(step, R.Handle):
            if case.handle != "live" and s.kinds.get(step.arg) == "handle":
                return Expectation(step.status, None, NOTHING, info=info)
        elif isinstance(step, R.Info):
            info = (step.arg, 0, 0)
        elif isinstance(step, R.DeviceInfo):
            device = step
        elif isinstance(step, R.Zero):
            zeros += [n for n in step.args if n not in case.nulls and n in s.row.args]
        elif isinstance(step, R.Check):
            if not s.evaluate(step.holds, situation):
                if info is not None:
                    return Expectation(step.status, None, NOTHING, info=(info[0], -(step.number or 0), 0))
                if device is not None:
                    first = device.sign * step.number if step.number is not None else None
                    return Expectation(step.status, None, NOTHING, info=None if first is None else told(first, 0))
                number = step.number if s.row.xerbla else None
                return Expectation(step.status, number, NOTHING)
        elif isinstance(step, R.ChipLimit):
            if exact and not s.evaluate(step.holds, situation):
                return Expectation(step.status, None, NOTHING, info=info)
        elif isinstance(step, R.Quick):
            if s.evaluate(step.when, situation):
                if device is not None and step.info is not None:
                    info = told(step.info, step.info)
                return Expectation(step.status, None, ZERO if step.zero else NOTHING, step.zero, info)
        elif isinstance(step, R.NotNull):
            if case.nulls.intersection(step.args) and not (step.unless and s.evaluate(step.unless, situation)):
                if device is not None and step.number is not None:
                    info = told(device.sign * step.number, 0)
                return Expectation(step.status, None, NOTHING, info=info)
        elif isinstance(step, R.SkipNull):
            if case.nulls.intersection(step.args) and not (step.unless and s.evaluate(step.unless, situation)):
                return Expectation("SUCCESS", None, NOTHING, info=info)
    return Expectation()
