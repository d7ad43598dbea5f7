"""The machine-written facts of a CUDA-X library, read from ``<folder>/spec/*.jsonl``.

One JSON object per line, sorted by (kind, name). A *major* is 11, 12 or 13: the CUDA release a header or a
library was read from (11.8, 12.9, newest 13). Kinds:

``function``  name, ret, params [[name, type, canonical type], ...], header, declared [majors], exported [majors],
              optional: cxx (declared in C++ only), inline (defined in the header), deprecated [majors],
              aliases {macro name: [majors]}, since ("12.4", a release inside a major),
              defaults {parameter: value} (default arguments of the C++ declaration),
              variants {major: {ret, params}} (only where the signature differs from the newest).
              A symbol that is exported but not declared has header "" and no params unless they are known.
``enum``      name, header, unsigned, values [[enumerator, value, [majors]], ...] (an enumerator whose value differs by
              major stands once per value), majors
``struct``    name, header, tag, layouts [{majors, size, align, fields [[name, type, offset, size], ...]}];
              an empty ``layouts`` is an opaque struct; union: true for a union
``typedef``   name, type, canon, header, majors
``macro``     name, header, value {major: text} (object-like, constants and renames that are not function aliases)
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

MAJORS = (11, 12, 13)
ROOT = Path(__file__).resolve().parent.parent

#: spec files by the library they describe, the folder they live in, and the sonames built from them
LIBRARIES: dict[str, str] = {
    "cublas": "cublas",
    "nvblas": "cublas",
    "cublaslt": "cublaslt",
    "cusolver": "cusolver",
    "cusolvermg": "cusolver",
    "cufft": "cufft",
    "cufftw": "cufft",
    "cudart": "cudart",
}
#: link name, and soname suffix by CUDA major
SONAMES: dict[str, tuple[str, dict[int, str]]] = {
    "cublas": ("libcublas.so", {11: "11", 12: "12", 13: "13"}),
    "nvblas": ("libnvblas.so", {11: "11", 12: "12", 13: "13"}),
    "cublaslt": ("libcublasLt.so", {11: "11", 12: "12", 13: "13"}),
    "cusolver": ("libcusolver.so", {11: "11", 12: "11", 13: "12"}),
    "cusolvermg": ("libcusolverMg.so", {11: "11", 12: "11", 13: "12"}),
    "cufft": ("libcufft.so", {11: "10", 12: "11", 13: "12"}),
    "cufftw": ("libcufftw.so", {11: "10", 12: "11", 13: "12"}),
    "cudart": ("libcudart.so", {11: "11.0", 12: "12", 13: "13"}),
}


@dataclass(frozen=True)
class Param:
    name: str
    type: str
    canon: str


@dataclass(frozen=True)
class Function:
    name: str
    ret: str
    params: tuple[Param, ...]
    header: str
    declared: frozenset[int]
    exported: frozenset[int]
    cxx: bool = False
    inline: bool = False
    deprecated: frozenset[int] = frozenset()
    aliases: dict[str, frozenset[int]] = field(default_factory=dict, hash=False, compare=False)
    since: str = ""
    variants: dict[int, tuple[str, tuple[Param, ...]]] = field(default_factory=dict, hash=False, compare=False)
    defaults: dict[str, str] = field(default_factory=dict, hash=False, compare=False)

    @property
    def majors(self) -> frozenset[int]:
        return self.declared | self.exported


@dataclass(frozen=True)
class Enumerator:
    name: str
    value: int
    majors: frozenset[int]


@dataclass(frozen=True)
class Enum:
    name: str
    header: str
    unsigned: bool
    values: tuple[Enumerator, ...]
    majors: frozenset[int]


@dataclass(frozen=True)
class Field:
    name: str
    type: str
    offset: int
    size: int


@dataclass(frozen=True)
class Layout:
    majors: frozenset[int]
    size: int
    align: int
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Struct:
    name: str
    header: str
    tag: str
    layouts: tuple[Layout, ...]
    union: bool = False


@dataclass(frozen=True)
class Typedef:
    name: str
    type: str
    canon: str
    header: str
    majors: frozenset[int]


@dataclass(frozen=True)
class Macro:
    name: str
    header: str
    value: dict[int, str]


@dataclass
class Library:
    """All facts of one library; ``functions`` includes inline and undeclared ones."""

    name: str
    functions: dict[str, Function] = field(default_factory=dict)
    enums: dict[str, Enum] = field(default_factory=dict)
    structs: dict[str, Struct] = field(default_factory=dict)
    typedefs: dict[str, Typedef] = field(default_factory=dict)
    macros: dict[str, Macro] = field(default_factory=dict)

    def exports(self, soname_suffix: str) -> list[str]:
        """Symbols that the library of this soname must export, sorted: declared and exported by NVIDIA in any major
        that shares the soname, plus the undeclared ones the spec lists."""
        majors = {m for m, s in SONAMES[self.name][1].items() if s == soname_suffix}
        return sorted(f.name for f in self.functions.values() if f.exported & majors and not f.inline)


def _params(rows: list[list[str]]) -> tuple[Param, ...]:
    return tuple(Param(*r) for r in rows)


def _lines(path: Path) -> Iterator[dict]:
    with path.open(encoding="utf-8") as f:
        for line in f:
            yield json.loads(line)


def path_of(library: str) -> Path:
    return ROOT / LIBRARIES[library] / "spec" / f"{library}.jsonl"


def load(library: str) -> Library:
    """The facts of ``library`` (a key of LIBRARIES)."""
    lib = Library(library)
    for d in _lines(path_of(library)):
        kind, name = d["kind"], d["name"]
        if kind == "function":
            lib.functions[name] = Function(
                name=name, ret=d["ret"], params=_params(d["params"]), header=d["header"],
                declared=frozenset(d["declared"]), exported=frozenset(d["exported"]), cxx=d.get("cxx", False),
                inline=d.get("inline", False), deprecated=frozenset(d.get("deprecated", ())),
                aliases={k: frozenset(v) for k, v in d.get("aliases", {}).items()}, since=d.get("since", ""),
                variants={int(m): (v["ret"], _params(v["params"])) for m, v in d.get("variants", {}).items()},
                defaults=d.get("defaults", {}),
            )
        elif kind == "enum":
            lib.enums[name] = Enum(
                name, d["header"], d["unsigned"],
                tuple(Enumerator(n, v, frozenset(m)) for n, v, m in d["values"]), frozenset(d["majors"]),
            )
        elif kind == "struct":
            lib.structs[name] = Struct(
                name, d["header"], d["tag"],
                tuple(Layout(frozenset(x["majors"]), x["size"], x["align"], tuple(Field(*f) for f in x["fields"]))
                      for x in d["layouts"]),
                d.get("union", False),
            )
        elif kind == "typedef":
            lib.typedefs[name] = Typedef(name, d["type"], d["canon"], d["header"], frozenset(d["majors"]))
        elif kind == "macro":
            lib.macros[name] = Macro(name, d["header"], {int(m): v for m, v in d["value"].items()})
        else:
            raise ValueError(f"{path_of(library)}: unknown kind {kind!r}")
    return lib
