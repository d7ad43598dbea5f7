"""Bad arguments, NULL pointers, bad handles and early returns, derived from a row's steps.

For every step, values are tried until one is found for which this step and no earlier one speaks.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from scale_x.conformance.cases import Case, expect
from scale_x.conformance.conditions import names_in
from scale_x.conformance.subjects import Subject
from scale_x.conformance.sweep import FULL, Shaper, scalar_value
from scale_x.wrappers_gen import rows as R

BAD_ENUMERATORS = (99, -1, 3)
BAD_HANDLES = ("null", "destroyed", "garbage", "zeroed", "stream")
#: handles that make NVIDIA's library read memory that is not its own
HAZARDOUS_HANDLES = ("destroyed", "garbage", "stream")


def _candidates(subject: Subject, name: str, values: dict[str, Any]) -> list[Any]:
    """Values of one argument that might break a rule, the most telling first."""
    kind, now = subject.kinds.get(name, ""), values.get(name)
    if kind.startswith("enum:"):
        short = subject.tables.short[kind[5:]]
        return [*(b for b in BAD_ENUMERATORS if b not in short.values()), *(s for s in short if s != now)]
    if kind == "int":
        tight = [now - 1] if isinstance(now, int) else []
        if isinstance(now, str):
            return [99, -1, 12345]
        return [-1, *tight, 0, -(2**31), 1 << 20]
    if isinstance(subject.row.args.get(name), R.Scalar):
        return [0.0, 1.0]
    return []


def _base(subject: Subject) -> dict[str, Any]:
    sweep = subject.row.sweep
    chosen = {k: scalar_value(subject, k, v) for k, v in (sweep.base if sweep else {}).items()}
    for name, kind in subject.kinds.items():  # rows without a sweep: something legal for what they leave open
        if name not in chosen and kind.startswith("enum:") and subject.tables.short[kind[5:]]:
            chosen[name] = next(iter(subject.tables.short[kind[5:]]))
    values = Shaper(subject).complete(chosen)
    memory = {a.size for a in subject.row.args.values() if isinstance(a, R.Scratch)}
    for name, kind in subject.kinds.items():
        if kind == "int" and name not in memory:
            values.setdefault(name, 1)
    return values


def _speaks(case: Case, step: R.Step) -> bool:
    """This step decides the case, no earlier one does."""
    steps = case.subject.row.steps
    before = tuple(itertools.takewhile(lambda s: s is not step, steps))
    quiet = replace(case.subject.row, steps=before, kind=R.NATIVE)
    told = expect(replace(case, subject=replace(case.subject, row=quiet)))
    if told.effect != "run":
        return False
    only = replace(case.subject.row, steps=(step,), kind=R.NATIVE)
    return expect(replace(case, subject=replace(case.subject, row=only))).effect != "run"


def argument_cases(subject: Subject, level: str) -> Iterator[Case]:
    values = _base(subject)
    bad: list[dict[str, Any]] = []
    deadly: list[bool] = []
    for step in subject.row.steps:
        if isinstance(step, R.Check):
            found = list(_violations(subject, step, values))
            bad += found[:1]
            hazard = step.nvidia == "crash"
            deadly += [hazard] * len(found[:1])
            for change in found if level == FULL else found[:3]:
                yield Case(subject, "argument", {**values, **change}, layout=values, hazard=hazard)
                if level == FULL and any(isinstance(a, R.Scalar) and not a.host for a in subject.row.args.values()):
                    yield Case(subject, "argument", {**values, **change}, layout=values, mode="device", hazard=hazard)
        elif isinstance(step, R.Quick):
            for change in list(_violations(subject, step, values))[: None if level == FULL else 3]:
                yield Case(subject, "quick", {**values, **change}, layout=values)
        elif isinstance(step, R.NotNull | R.SkipNull):
            yield from _null_cases(subject, step, values)
    yield from _optional(subject, values)
    pairs = list(itertools.combinations(zip(bad, deadly, strict=True), 2))
    for (one, kills), (two, _) in pairs if level == FULL else pairs[::3]:  # which of two bad arguments is named
        yield Case(subject, "argument", {**values, **two, **one}, layout=values, note="two", hazard=kills)
    yield from _handle_cases(subject, values, bad)


def _violations(subject: Subject, step: R.Check | R.Quick, values: dict[str, Any]) -> Iterator[dict[str, Any]]:
    text = step.holds if isinstance(step, R.Check) else step.when
    names = [n for n in sorted(names_in(text), key=_position(subject)) if n in subject.names]
    seen = set()
    for name in names:
        for value in _candidates(subject, name, values):
            case = Case(subject, "argument", {**values, name: value}, layout=values)
            if _speaks(case, step) and (name, value) not in seen:
                seen.add((name, value))
                yield {name: value}
    if not seen:  # a condition that needs two changes
        for one, two in itertools.combinations(names, 2):
            for first, second in itertools.product(
                _candidates(subject, one, values), _candidates(subject, two, values)
            ):
                change = {one: first, two: second}
                if _speaks(Case(subject, "argument", {**values, **change}, layout=values), step):
                    yield change
                    return


def _position(subject: Subject):
    order = {p.name: i for i, p in enumerate(subject.params)}
    return lambda name: (order.get(name, -1), name)


def _null_cases(subject: Subject, step: R.NotNull | R.SkipNull, values: dict[str, Any]) -> Iterator[Case]:
    hazard = isinstance(step, R.SkipNull) or step.nvidia == "crash"
    for name in step.args:
        case = Case(subject, "null", values, nulls=frozenset((name,)), hazard=hazard)
        yield from _allowed_null(subject, step, name, values)
        if _speaks(case, step):
            yield case
            continue
        for other in names_in(step.unless) if step.unless else ():
            for value in _candidates(subject, other, values):
                changed = replace(case, values={**values, other: value}, layout=values)
                if _speaks(changed, step):
                    yield changed
                    break


def _allowed_null(subject: Subject, step: R.NotNull | R.SkipNull, name: str, values: dict[str, Any]) -> Iterator[Case]:
    """NULL where the row says that it may be."""
    for other in sorted(names_in(step.unless), key=_position(subject)) if step.unless else ():
        for value in (0, 0.0) if other in subject.names else ():
            changed = {**values, other: value}
            for ld, of in Shaper(subject).lds.items():
                changed[ld] = max(values[ld], 1) if of else values[ld]
            case = Case(subject, "null", changed, nulls=frozenset((name,)), layout={})
            case.hazard = _nvidia_needs(step, case)
            if value in _candidates(subject, other, values) and expect(case).status == "SUCCESS":
                yield case
                break


def _nvidia_needs(step: R.NotNull | R.SkipNull, case: Case) -> bool:
    """The row takes NULL here, NVIDIA's library does not."""
    if not isinstance(step, R.NotNull) or step.nvidia != "crash" or step.nvidia_unless is None:
        return False
    return not (step.nvidia_unless and case.subject.evaluate(step.nvidia_unless, case.situation()))


def _optional(subject: Subject, values: dict[str, Any]) -> Iterator[Case]:
    """Pointers that a row asks about with null(): NULL for each where that is fine, a scalar then counting as 0."""
    texts = [s.holds for s in subject.row.steps if isinstance(s, R.Check)]
    texts += [s.unless for s in subject.row.steps if isinstance(s, R.NotNull | R.SkipNull)]
    texts += [p.when for p in subject.row.paths]
    for name in dict.fromkeys(n for t in texts for n in re.findall(r"null\((\w+)\)", t)):
        if isinstance(subject.row.args.get(name), R.Scalar) and name in values:
            case = Case(subject, "null", {**values, name: 0.0}, nulls=frozenset((name,)))
            if expect(case).status == "SUCCESS":
                yield case


def _handle_cases(subject: Subject, values: dict[str, Any], bad: list[dict[str, Any]]) -> Iterator[Case]:
    steps = [s for s in subject.row.steps if isinstance(s, R.Handle)]
    if "handle" not in subject.kinds.values() or not steps:
        return
    hazard = any(s.nvidia == "crash" for s in steps)
    reads = any(s.nvidia == "reads" for s in steps)
    for which in BAD_HANDLES:
        deadly = hazard or which in HAZARDOUS_HANDLES or (reads and which != "null")
        yield Case(subject, "handle", values, handle=which, hazard=deadly)
    if bad:
        yield Case(subject, "handle", {**values, **bad[0]}, layout=values, handle="null", note="first", hazard=hazard)
