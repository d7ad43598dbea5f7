"""Which cases a run has: every row's, by library and symbol, filtered by ``-k`` expressions."""

from __future__ import annotations

import re
from functools import cache

from scale_x.conformance import arguments, inplace, scripts, sweep, types, usercases
from scale_x.conformance.cases import Case
from scale_x.conformance.subjects import Subject, subjects
from scale_x.wrappers_gen import rows as R
from scale_x.wrappers_gen import spec


def cases_of(subject: Subject, level: str) -> list[Case]:
    """Every case of one symbol, in a fixed order, ids unique."""
    row = subject.row
    found: list[Case] = []
    if row.kind == R.STUB:
        return (
            [Case(subject, "stub", {})] if subject.function.declared and "struct" not in subject.kinds.values() else []
        )
    if row.sweep is not None and row.oracle is not None:
        found += sweep.value_cases(subject, level)
    if row.steps:
        found += arguments.argument_cases(subject, level)
    found += types.cases_of(subject)
    found += inplace.cases_of(subject)
    found += usercases.cases_of(subject)
    for name, _, hazard in scripts.SCRIPTS.get(subject.symbol, ()):
        found.append(Case(subject, "script", {}, note=name, hazard=hazard))
    return sweep.unique(iter(found))


@cache
def cached(library: str, symbol: str, cuda: int, level: str) -> tuple[Case, ...]:
    return tuple(cases_of(subjects(library, cuda)[symbol], level))


def libraries() -> list[str]:
    return [name for name in spec.LIBRARIES if spec.path_of(name).is_file()]


class Matcher:
    """``-k``: words that must stand in the id, with and, or, not and parentheses; case does not matter. A word may hold
    anything but spaces and parentheses."""

    def __init__(self, expression: str) -> None:
        self.words: list[str] = []
        text = re.sub(r"[^\s()]+", self._word, expression).strip() or "True"
        try:
            self._code = compile(text, "-k", "eval")
        except SyntaxError as e:
            raise ValueError(f"-k {expression!r} is not an expression of words with and, or, not") from e
        self._negates = re.search(r"\bnot\b", text) is not None

    def _word(self, m: re.Match[str]) -> str:
        if m[0].lower() in ("and", "or", "not"):
            return m[0].lower()
        self.words.append(m[0].lower())
        return f"W[{len(self.words) - 1}]"

    def __call__(self, case_id: str) -> bool:
        text = case_id.lower()
        return bool(eval(self._code, {"__builtins__": {}}, {"W": [w in text for w in self.words]}))

    def may(self, start: str) -> bool:
        """Whether a case whose id starts so can match: words that can only be part of a function's name decide."""
        text = start.lower()
        known = [w in text or not w.startswith(("cublas", "cuda", "cufft", "cusolver")) for w in self.words]
        return self._negates or bool(eval(self._code, {"__builtins__": {}}, {"W": known}))


def select(library: str, cuda: int, level: str, keep: Matcher) -> dict[str, list[tuple[int, str, bool]]]:
    """symbol -> [(index, id, hazard)] of the cases to run."""
    chosen = {}
    for symbol, subject in subjects(library, cuda).items():
        if not keep.may(f"{subject.family}/{symbol}["):
            continue
        found = [(i, c.id, c.hazard) for i, c in enumerate(cached(library, symbol, cuda, level)) if keep(c.id)]
        if found:
            chosen[symbol] = found
    return chosen
