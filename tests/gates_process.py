"""Calls functions one by one in this process and says what they answered: one JSON line per call, before and after it.

``python gates_process.py LIBRARY/SYMBOL ...``, or the same on standard input with ``-``. The libraries and the release
come from the environment, as for any program; TEST_ONE asks one call of each. A line {"calling": ...} that nothing
follows names what killed it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator

from scale_x.conformance import selection, sweep
from scale_x.conformance.calls import Calls
from scale_x.conformance.cases import Case
from scale_x.conformance.execute import Executor, Printed, timed
from scale_x.conformance.providers import resolve
from scale_x.conformance.subjects import Subject, subjects

CUDA = 13
WIDE = 2**33  # does not fit in 32 bits


def wide(subject: Subject, base: Case) -> Case | None:
    """A call on one element, or on one row or column, with a step that only a ``_64`` function can be given."""
    shaper = sweep.Shaper(subject)
    steps = [*shaper.incs, *shaper.lds]
    if not subject.wide or not steps:
        return None
    values = dict(base.values)
    for name, value in values.items():
        if subject.kinds[name] == "int" and isinstance(value, int) and name not in steps:
            values[name] = 0 if name in ("kl", "ku") else 1
    values = shaper.complete({n: v for n, v in values.items() if n not in steps and n not in shaper.strides})
    return Case(subject, "value", {**values, **dict.fromkeys(steps, WIDE)}, layout=values, note="wide")


def chosen(subject: Subject) -> Iterator[Case]:
    cases = selection.cached(subject.library, subject.symbol, CUDA, "quick")
    values = [c for c in cases if c.kind == "value" and not c.nulls and c.handle == "live"]
    values.sort(key=lambda c: not all(v > 0 for v in c.values.values() if isinstance(v, int)))  # something to do
    for mode in ("host", "device"):
        yield from [c for c in values if c.mode == mode][:1]
    if values and (far := wide(subject, values[0])) is not None:
        yield far
    if not values:
        scripts = [c for c in cases if c.kind == "script" and not c.hazard]
        yield from scripts or [c for c in cases if not c.hazard][:3]


def main() -> int:
    listed = sys.stdin.read().split() if sys.argv[1:] == ["-"] else sys.argv[1:]
    out = os.fdopen(os.dup(1), "w", buffering=1)

    def say(**line: object) -> None:
        out.write(json.dumps(line) + "\n")

    provider = resolve(os.environ.get("SCALE_X_PROVIDER", "host"), CUDA)
    executor = Executor(Calls(provider), Printed())
    for name in listed:
        library, _, symbol = name.partition("/")
        subject = subjects(library, CUDA).get(symbol)
        if subject is None:
            continue
        found = list(chosen(subject))[: 1 if os.environ.get("TEST_ONE") else None]
        if not found:
            say(symbol=name, result="nothing to ask")
        for case in found:
            say(calling=case.id)
            outcome, _ = timed(executor, case)
            say(symbol=name, id=case.id, wide=case.note == "wide", **vars(outcome))
    return 0


if __name__ == "__main__":
    sys.exit(main())
