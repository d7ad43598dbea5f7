"""Outputs that are inputs: where a row says when that is allowed, both sides of the rule."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scale_x.conformance.cases import RUN, Case, expect
from scale_x.conformance.subjects import Subject
from scale_x.conformance.sweep import Shaper, scalar_value
from scale_x.wrappers_gen import rows as R

SAME = re.compile(r"same\((\w+), *(\w+)\)")


def cases_of(subject: Subject) -> Iterator[Case]:
    """One argument in another's place: as it stands, and with each rule about it broken."""
    row = subject.row
    if row.sweep is None or row.oracle is None:
        return
    pairs = dict.fromkeys(m.groups() for s in row.steps if isinstance(s, R.Check) for m in SAME.finditer(s.holds))
    shaper = Shaper(subject)
    base = {k: scalar_value(subject, k, v) for k, v in row.sweep.base.items()}
    for source, output in pairs:
        values = shaper.complete({**base, "m": 6, "n": 6} if {"m", "n"} <= base.keys() else base)
        good = Case(subject, "value", values, alias={output: source}, note="in-place")
        if expect(good).effect == RUN:
            yield good
        for name, bad in (("ldc", values.get("ldc", 0) + 1), ("transa", "T"), ("transb", "T")):
            broken = Case(subject, "argument", {**values, name: bad}, layout=values, alias={output: source})
            if name in values and expect(broken).status != "SUCCESS":
                yield broken
