"""What a row comes to under each release of ROCm: a call, a composition, or a refusal with a status.

A path without ``since`` is there from the oldest supported release on. A path whose function that release lacks is a
wrong gate: at run time its table entry is NULL, and the wrapper would pass it over without anybody having meant it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from . import rocm_spec, rows
from .model import Model, Symbol

OLDEST = rocm_spec.OLDEST
CALL, COMPOSITION, REFUSAL = "call", "composition", "refusal"


@dataclass(frozen=True)
class Resolution:
    """``how`` one of the three, ``what`` the function called, the body, or the status answered."""

    how: str
    what: str


class WrongGate(Exception):
    """A row that promises a release what it does not have."""


def releases(model: Model) -> tuple[str, ...]:
    """The releases at which some function or enumerator came or went, oldest first."""
    return model.rocm_releases


def changes(f: rocm_spec.Function) -> bool:
    """Whether some supported release lacks it."""
    return rocm_spec.number(f.since) > rocm_spec.number(OLDEST) or bool(f.removed)


def calls(s: Symbol) -> Iterator[str]:
    """Every ROCm function that a symbol's paths name; a 64-bit twin also tries the ``_64`` one."""
    for p in s.row.paths if s.row else ():
        if p.call:
            yield (name := s.names.fill(p.call))
            if s.names.wide:
                yield name + "_64"


def has_other_side(model: Model, s: Symbol) -> bool:
    """Whether the symbol's paths resolve differently under some two releases."""
    known = [model.rocm_functions[c] for c in calls(s) if c in model.rocm_functions]
    return any(map(changes, known)) or any(p.since for p in (s.row.paths if s.row else ()))


def resolve(model: Model, s: Symbol, release: str) -> Resolution:
    """What answers when every ``when`` and architecture gate lets the strongest path through."""
    if s.row is None or s.kind == rows.STUB:
        return Resolution(REFUSAL, "NOT_SUPPORTED")
    if s.row.native:
        return Resolution(COMPOSITION, s.names.fill(s.row.native))
    for p in s.row.paths:
        if p.since and rocm_spec.number(release) < rocm_spec.number(p.since):
            continue
        if p.native or p.own:
            return Resolution(COMPOSITION, s.names.fill(p.native) or p.own)
        return Resolution(CALL, _present(model, s, p, release))
    status = model.types.get(s.page.folder) if s.page else None
    return Resolution(REFUSAL, status.status.not_supported if status and status.status else "NOT_SUPPORTED")


def _present(model: Model, s: Symbol, p: rows.Path, release: str) -> str:
    name = s.names.fill(p.call)
    f = model.rocm_functions.get(name)
    if f is None:
        raise WrongGate(f"{name!r} is no function of rocm/spec")
    if not f.present(release):
        there = f"since {f.since}" + (f", removed in {f.removed}" if f.removed else "")
        gate = f"since={p.since!r}" if p.since else f"no since, which means {OLDEST}"
        raise WrongGate(f"{name} is not in ROCm {release} ({there}), but its path has {gate}")
    return name


def paths_of(s: Symbol) -> Iterator[Symbol]:
    """The symbol once for each of its paths, as if it had no other: gates of later paths are looked at, too."""
    from dataclasses import replace

    if s.row is None or not s.row.paths:
        yield s
        return
    for p in s.row.paths:
        yield replace(s, row=replace(s.row, paths=(p,)))


def complaints(model: Model, s: Symbol) -> Iterator[str]:
    """Wrong gates of one symbol."""
    for alone in paths_of(s):
        for release in releases(model):
            try:
                resolve(model, alone, release)
            except WrongGate as e:
                yield str(e)
                break
