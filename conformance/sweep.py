"""Turns a row's sweep into cases with values: sizes, enumerators, scalars, layouts, pointer modes, streams, NaN rules.

The order and the ids depend on nothing but the rows, the symbol and the level.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, cast

from scale_x.conformance import layout
from scale_x.conformance.cases import RUN, Case, expect
from scale_x.conformance.conditions import Situation, names_in
from scale_x.conformance.subjects import Subject
from scale_x.wrappers_gen import rows as R

QUICK, FULL = "quick", "full"
PADDING = 3
SPECIAL_SCALARS = ("alpha", "beta")


class Shaper:
    """Completes a choice of sizes and enumerators with what depends on them: leading dimensions, increments."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        row = subject.row
        self.lds = {a.ld: n for n, a in row.args.items() if isinstance(a, R.Mat) and a.ld in subject.names}
        self.incs = {a.inc: n for n, a in row.args.items() if isinstance(a, R.Vec) and a.inc in subject.names}
        batched = {n: a for n, a in row.args.items() if isinstance(a, R.Mat | R.Vec) and a.batch}
        self.strides = {a.stride: n for n, a in batched.items() if a.stride in subject.names}

    def ask(self, values: dict[str, Any]):
        situation = Situation(values, complex_type=bool(self.subject.letter) and self.subject.letter in "CZ")
        return lambda text: self.subject.evaluate(text, situation)

    def complete(self, chosen: dict[str, Any], padded: bool = False, inc: int = 1) -> dict[str, Any]:
        """All by-value arguments and scalars; what ``chosen`` names stays."""
        values = dict(chosen)
        for name in self.incs:
            values.setdefault(name, inc)
        ask, args = self.ask(values), self.subject.row.args
        for ld, name in self.lds.items():
            if ld not in values:
                values[ld] = layout.tight_ld(cast("R.Mat", args[name]), ask) + (PADDING if padded else 0)
        for stride, name in self.strides.items():
            if stride not in values:
                values[stride] = self._stride(cast("R.Mat | R.Vec", args[name]), ask) + (5 if padded else 0)
        return values

    def _stride(self, arg: R.Mat | R.Vec, ask: Any) -> int:
        if isinstance(arg, R.Vec):
            return layout.vector(max(int(ask(arg.n)), 0), int(ask(arg.inc))).elements
        rows = int(ask(arg.ld)) if arg.ld else max(int(ask(arg.rows)), 0)
        return max(rows * max(int(ask(arg.cols)), 0), 0)


def scalar_value(subject: Subject, name: str, value: Any) -> Any:
    """A scalar as the type can hold it: a real type takes the real part."""
    arg = subject.row.args.get(name)
    if arg is None or isinstance(value, str) or not isinstance(arg, R.Scalar):
        return value
    letter = arg.T if len(arg.T) == 1 and arg.T not in "TR" else subject.letter
    real = arg.T == "R" or letter not in "CZ"
    if isinstance(value, tuple):
        return value
    return value.real if real and isinstance(value, complex) else value


def choices(subject: Subject, level: str) -> Iterator[dict[str, Any]]:
    """The swept arguments: the grid crossed, then one departure at a time; pairs of departures at the full level."""
    sweep = subject.row.sweep or R.Sweep()
    base = {k: scalar_value(subject, k, v) for k, v in sweep.base.items()}
    axes = [_axis(subject, k, vs) for k, vs in sweep.grid.items()]
    for combination in itertools.product(*axes):
        yield {**base, **{k: v for change in combination for k, v in change.items()}}
    vary = [_axis(subject, k, vs) for k, vs in sweep.vary.items()]
    for change in itertools.chain.from_iterable(vary):
        yield {**base, **change}
    if level == FULL:
        for firsts, seconds in itertools.combinations(vary, 2):
            for first, second in itertools.product(firsts, seconds):
                yield {**base, **first, **second}


def _axis(subject: Subject, key: str, values: tuple[Any, ...]) -> list[dict[str, Any]]:
    """The changes that one entry of a sweep makes; a key of several names sweeps them together."""
    names = key.split()
    if len(names) == 1:
        return [{key: v} for v in dict.fromkeys(scalar_value(subject, key, v) for v in values)]
    return [dict(zip(names, together, strict=True)) for together in values]


def value_cases(subject: Subject, level: str) -> Iterator[Case]:
    """Cases whose results are compared with the oracle (or that return early, as the row says)."""
    row, shaper = subject.row, Shaper(subject)
    scalars = any(isinstance(a, R.Scalar) and not a.host for a in row.args.values())
    chosen = list(choices(subject, level))
    if subject.wide and level == QUICK:
        chosen = chosen[:: max(1, len(chosen) // 8)]  # the twin shares its row's body: a few are enough
    for i, choice in enumerate(chosen):
        values = shaper.complete(choice, padded=i % 2 == 1)
        yield Case(subject, "value", values)
        if scalars and (level == FULL or i % 3 == 0):
            yield Case(subject, "value", values, mode="device")
    yield from _automatic(subject, shaper, scalars, level)


def _automatic(subject: Subject, shaper: Shaper, scalars: bool, level: str) -> Iterator[Case]:
    """The axes that no row has to name."""
    row = subject.row
    base = {k: scalar_value(subject, k, v) for k, v in (row.sweep.base if row.sweep else {}).items()}
    values = shaper.complete(base)
    for inc in (2, -2) if shaper.incs else ():
        yield Case(subject, "value", shaper.complete({k: v for k, v in base.items() if k not in shaper.incs}, inc=inc))
    if shaper.lds or shaper.strides:
        yield Case(subject, "value", shaper.complete(base, padded=True), note="padded")
    for kind in row.sweep.classes[1:] if row.sweep else ():
        yield Case(subject, "value", values, kindred=kind)
        if level == FULL:
            for choice in choices(subject, QUICK):
                yield Case(subject, "value", shaper.complete(choice), kindred=kind)
    yield Case(subject, "value", values, stream="own", mode="device" if scalars else "host")
    yield Case(subject, "value", values, stream="own", note="again", repeat=2 if _idempotent(row) else 1)
    zero = _zero_scalars(subject, values)
    inputs = tuple(n for n, a in row.args.items() if isinstance(a, R.Mat | R.Vec) and a.dir == R.IN)
    for name, mode in itertools.product(zero, ("host", "device") if scalars else ("host",)):
        changed = {**values, name: 0.0}
        yield Case(subject, "value", changed, mode=mode, note="zero")
        if name == "alpha" and inputs:
            yield Case(
                subject, "value", {**changed, **({"beta": 2.0} if "beta" in zero else {})}, mode=mode, nan=inputs
            )
    if "k" in values and row.oracle is not None and isinstance(values["k"], int):
        yield Case(subject, "value", shaper.complete({**base, "k": 0}), note="k0")
    if inputs and row.compare.__class__ is R.Componentwise and (level == FULL or not subject.wide):
        if subject.letter in "SDCZ" and subject.letter:
            yield Case(subject, "value", values, scale=1e-8)
            yield Case(subject, "value", values, scale=1e8)
    if subject.wide:
        yield from _huge(subject, values)


def _idempotent(row: R.Row) -> bool:
    return all(a.dir != R.INOUT for a in row.args.values())


def _zero_scalars(subject: Subject, values: dict[str, Any]) -> list[str]:
    row = subject.row
    return [
        n for n in SPECIAL_SCALARS if n in values and isinstance(row.args.get(n), R.Scalar) and row.args[n].dir == R.IN
    ]


def _huge(subject: Subject, values: dict[str, Any]) -> Iterator[Case]:
    """Sizes beyond 32 bits on calls that return before touching memory: nothing may be narrowed on the way."""
    sizes = [n for n in ("m", "n", "k") if isinstance(values.get(n), int)]
    for zero, big in itertools.permutations(sizes, 2):
        call = Shaper(subject).complete({**{k: v for k, v in values.items() if k not in Shaper(subject).lds},
                                         zero: 0, big: 2**33 + 1})  # fmt: skip
        case = Case(subject, "quick", call, layout=values, note="huge")
        told = expect(case)
        if told.effect != RUN and told.status == "SUCCESS" and big in _sizes_used(subject):
            yield case


def _sizes_used(subject: Subject) -> frozenset[str]:
    return frozenset().union(
        *(names_in(a.rows) | names_in(a.cols) for a in subject.row.args.values() if isinstance(a, R.Mat))
    )


def unique(cases: Iterator[Case]) -> list[Case]:
    return list({c.id: c for c in cases}.values())
