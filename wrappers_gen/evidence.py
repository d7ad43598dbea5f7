"""How well is known what a symbol relies on: the weakest of the ROCm facts behind it.

Three kinds of facts count: the functions that its paths call and that its native body's file names (rocm/spec), what a
path says of itself, and how AMD's libraries behave (rocm/facts.toml).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from . import rows, spec
from .model import Model, Symbol

STRENGTH = (rows.MEASURED, rows.HEADER, rows.SOURCE, rows.DOCUMENTATION, rows.INFERRED)
WEAK = (rows.DOCUMENTATION, rows.INFERRED)
NONE = "none"  # relies on nothing of AMD's
#: where rocm/spec's facts about functions come from
_SPEC = {"header": rows.HEADER, "symbol": rows.MEASURED, "source": rows.SOURCE, "changelog": rows.DOCUMENTATION}


@dataclass(frozen=True)
class Fact:
    """One entry of rocm/facts.toml."""

    name: str
    says: str
    evidence: str
    source: str
    symbols: str

    def of(self, symbol: str) -> bool:
        return re.fullmatch(self.symbols, symbol) is not None


@cache
def facts(root: Path = spec.ROOT) -> tuple[Fact, ...]:
    path = root / "rocm" / "facts.toml"
    data = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {"fact": []}
    return tuple(Fact(**d) for d in data["fact"])


def weakest(found: list[str]) -> str:
    return max(found, key=STRENGTH.index) if found else NONE


@cache
def _bodies(folder: Path) -> dict[str, tuple[str, ...]]:
    """Name of a native body -> what the file that defines it names of AMD's."""
    found = {}
    for path in sorted(folder.rglob("*.cpp")):
        text = path.read_text(encoding="utf-8")
        named = tuple(dict.fromkeys(re.findall(r"\b(?:hip|roc)\w+", text)))
        for name in re.findall(r"\b(sx_\w+)\([^;{}]*\) \{", text):
            found[name] = named
    return found


def _functions(model: Model, s: Symbol) -> Iterator[str]:
    """The ROCm functions that a symbol's paths call and its body's file names."""
    assert s.row is not None
    for p in s.row.paths:
        if p.call:
            yield s.names.fill(p.call)
    bodies = _bodies(model.root / spec.LIBRARIES[s.library] / "native")
    for name in filter(None, (s.row.native, *(p.native for p in s.row.paths))):
        yield from bodies.get(s.names.fill(name), ())


def _beneath(model: Model, s: Symbol) -> Iterator[Symbol]:
    """The symbols of our own that a library without a call of ROCm stands on."""
    names: tuple[str, ...] = ()
    if s.library == "nvblas":
        names = ("cublasXt" + s.name.rstrip("_").capitalize(),)
    elif s.library == "cufftw":
        names = ("cufftXtMakePlanMany", "cufftXtExec")
    elif m := re.fullmatch(r"cublasXt([SDCZ]\w+)", s.name):
        names = (f"cublas{m[1]}_v2", f"cublas{m[1]}")
    elif m := re.fullmatch(r"cusolverMg([A-Z]\w+?)(_bufferSize)?", s.name):
        names = tuple(f"cusolverDn{t}{m[1].lower()}{m[2] or ''}" for t in "SDCZ")
    yield from (model.symbols[n] for n in names if n in model.symbols)


def reasons(model: Model, s: Symbol) -> Iterator[tuple[str, str]]:
    """(evidence, the fact) of everything that a symbol relies on."""
    if s.row is None or s.kind == rows.STUB:
        return
    for other in _beneath(model, s):
        yield from reasons(model, other)
    for name in dict.fromkeys(_functions(model, s)):
        if (f := model.rocm_functions.get(name)) is not None:
            yield _SPEC[f.evidence], f"{name} exists since {f.since}"
    for p in s.row.paths:
        if p.call:
            yield p.evidence, f"{s.names.fill(p.call)} means {s.name}"
    for fact in facts(model.root):
        if fact.of(s.name):
            yield fact.evidence, fact.name


def complaints(model: Model) -> Iterator[str]:
    """What is wrong with the page of facts."""
    names = [f.name for f in facts(model.root)]
    for f in facts(model.root):
        if f.evidence not in STRENGTH:
            yield f"rocm/facts.toml: {f.name}: {f.evidence!r} is none of {', '.join(STRENGTH)}"
        if not f.source or names.count(f.name) > 1:
            yield f"rocm/facts.toml: {f.name}: a fact has one entry, and a source"
        if len(model.cuda) == len(spec.LIBRARIES) and not any(f.of(name) for name in model.symbols):
            yield f"rocm/facts.toml: {f.name}: no symbol is meant by {f.symbols!r}"


def evidence(model: Model, s: Symbol) -> str:
    """The weakest of the facts; "" of a stub."""
    return weakest([e for e, _ in reasons(model, s)]) if s.row is not None and s.kind != rows.STUB else ""
