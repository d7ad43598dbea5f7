"""Which cases a run has: every row's, by library and symbol, filtered by ``-k`` expressions."""

from __future__ import annotations

import re
from collections.abc import Callable
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


def matcher(expression: str) -> Callable[[str], bool]:
    """``-k``: words that must stand in the id, with and, or, not and parentheses; case does not matter. A word may hold
    anything but spaces and parentheses."""
    if not expression.strip():
        return lambda _: True
    words: list[str] = []

    def word(m: re.Match[str]) -> str:
        if m[0].lower() in ("and", "or", "not"):
            return m[0].lower()
        words.append(m[0].lower())
        return f"(W[{len(words) - 1}] in ID)"

    text = re.sub(r"[^\s()]+", word, expression)
    try:
        code = compile(text.strip(), "-k", "eval")
    except SyntaxError as e:
        raise ValueError(f"-k {expression!r} is not an expression of words with and, or, not") from e
    return lambda case_id: bool(eval(code, {"__builtins__": {}}, {"W": words, "ID": case_id.lower()}))


def select(library: str, cuda: int, level: str, keep: Callable[[str], bool]) -> dict[str, list[tuple[int, str, bool]]]:
    """symbol -> [(index, id, hazard)] of the cases to run."""
    chosen = {}
    for symbol in subjects(library, cuda):
        found = [(i, c.id, c.hazard) for i, c in enumerate(cached(library, symbol, cuda, level)) if keep(c.id)]
        if found:
            chosen[symbol] = found
    return chosen
