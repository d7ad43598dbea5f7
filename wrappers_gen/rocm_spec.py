"""The facts of AMD's C APIs, read from ``rocm/spec/*.jsonl``.

One JSON object per line, sorted by (kind, name). Releases are strings ("6.0", "7.2"); ``since`` "5.7" means 5.7 or
older. ``evidence`` says where ``since`` comes from: *header* (headers of several releases compared), *symbol* (the
version node in the shared library), *changelog*, or *source*. Kinds:

``function``  name, ret, params [[name, type, canonical type], ...], since, evidence, header; optional: removed (the
              first release without it), hidden (exported, but declared by no header), unknown (the parameters are not
              known, so that it cannot be declared), variadic, guard (macro a program must define), deprecated
``enum``      name, header, values [[enumerator, value, since], ...]; an enumerator that changed its value stands once
              per value, oldest first
``struct``    name, header, tag, size, align, fields [[name, type, offset, size], ...]; size 0 is an opaque struct. The
              type of a bit field ends in ``:width``; ``struct {}`` and ``union {}`` are unnamed member types
``typedef``   name, type, canon, header
``macro``     name, header, value
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from .spec import Field, Param

ROOT = Path(__file__).resolve().parent.parent
OLDEST = "6.0"  # release that is supported
LIBRARIES = ("hip", "rocblas", "rocsolver", "hipblaslt", "hipfft", "hiprtc", "rocsparse")


@dataclass(frozen=True)
class Function:
    name: str
    ret: str
    params: tuple[Param, ...]
    since: str
    evidence: str
    header: str
    removed: str = ""
    hidden: bool = False
    unknown: bool = False
    variadic: bool = False
    guard: str = ""
    deprecated: bool = False

    def present(self, release: str) -> bool:
        """Whether the ROCm of ``release`` has it."""
        at = number(release)
        return number(self.since) <= at and not (self.removed and number(self.removed) <= at)


@dataclass(frozen=True)
class Enumerator:
    name: str
    value: int
    since: str


@dataclass(frozen=True)
class Enum:
    name: str
    header: str
    values: tuple[Enumerator, ...]

    def newest(self) -> dict[str, int]:
        """Enumerators with the value that the newest release gives them."""
        return {e.name: e.value for e in self.values}


@dataclass(frozen=True)
class Struct:
    name: str
    header: str
    tag: str
    size: int
    align: int
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Typedef:
    name: str
    type: str
    canon: str
    header: str


@dataclass(frozen=True)
class Macro:
    name: str
    header: str
    value: str


@dataclass
class Library:
    """All facts of one ROCm library."""

    name: str
    functions: dict[str, Function] = field(default_factory=dict)
    enums: dict[str, Enum] = field(default_factory=dict)
    structs: dict[str, Struct] = field(default_factory=dict)
    typedefs: dict[str, Typedef] = field(default_factory=dict)
    macros: dict[str, Macro] = field(default_factory=dict)


def number(release: str) -> int:
    """``"7.2"`` -> 702: releases in an order that can be compared."""
    major, _, minor = release.partition(".")
    return 100 * int(major) + int(minor or 0)


def path_of(library: str) -> Path:
    return ROOT / "rocm" / "spec" / f"{library}.jsonl"


def load(library: str) -> Library:
    """The facts of ``library`` (one of LIBRARIES)."""
    lib = Library(library)
    with path_of(library).open(encoding="utf-8") as lines:
        for line in lines:
            d = json.loads(line)
            kind, name = d.pop("kind"), d["name"]
            if kind == "function":
                d["params"] = tuple(Param(*p) for p in d["params"])
                lib.functions[name] = Function(**d)
            elif kind == "enum":
                lib.enums[name] = Enum(name, d["header"], tuple(Enumerator(*v) for v in d["values"]))
            elif kind == "struct":
                d["fields"] = tuple(Field(*f) for f in d["fields"])
                lib.structs[name] = Struct(**d)
            elif kind == "typedef":
                lib.typedefs[name] = Typedef(**d)
            elif kind == "macro":
                lib.macros[name] = Macro(**d)
            else:
                raise ValueError(f"{path_of(library)}: unknown kind {kind!r}")
    return lib


def hip_symbol_versions() -> dict[str, dict[str, list[str]]]:
    """Version node by node the symbols of each ``libamdhip64.so.N``: soname -> node -> sorted symbols."""
    return json.loads((ROOT / "rocm" / "spec" / "hip_symbol_versions.json").read_text(encoding="utf-8"))
