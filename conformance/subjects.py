"""Subjects: one exported symbol, its row, and what its parameters are. Read from the specs and the rows pages."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from scale_x.conformance.conditions import Situation, compiled
from scale_x.wrappers_gen import model, spec
from scale_x.wrappers_gen import rows as R

HANDLES = {"cublasContext": "cublas", "cublasLtContext": "cublaslt", "cusolverDnContext": "cusolver"}


@dataclass
class Tables:
    """A library's enumerators: short names to values, for one CUDA major, and statuses."""

    short: dict[str, dict[str, int]] = field(default_factory=dict)  # enum -> short -> value
    full: dict[str, int] = field(default_factory=dict)  # any enumerator -> value
    statuses: dict[str, int] = field(default_factory=dict)
    prefix: str = ""
    not_supported: str = "NOT_SUPPORTED"

    @cached_property
    def shorts(self) -> frozenset[str]:
        return frozenset(s for e in self.short.values() for s in e)

    def status(self, name: str) -> int:
        return self.statuses[self.prefix + name]

    def status_name(self, value: int) -> str:
        for name, v in self.statuses.items():
            if v == value and name.startswith(self.prefix):
                return name[len(self.prefix) :]
        return str(value)


@cache
def facts(library: str) -> spec.Library:
    return spec.load(library)


def _tables(library: str, cuda: int) -> Tables:
    t = Tables()
    known = [facts(name) for name in dict.fromkeys((library, "cublas", "cudart")) if spec.path_of(name).is_file()]
    for lib in reversed(known):
        for enum in lib.enums.values():
            values = {e.name: e.value for e in enum.values}
            values.update({e.name: e.value for e in enum.values if cuda in e.majors})
            t.full.update(values)
    try:
        types = importlib.import_module(f"scale_x.{spec.LIBRARIES[library]}.rows.types")
    except ModuleNotFoundError:
        return t
    for m in getattr(types, "ENUMS", ()):
        t.short[m.cuda] = {s: t.full[f] for s, f in m.short.items() if f in t.full}
    status = getattr(types, "STATUS", None)
    if status is not None:
        t.prefix, t.not_supported = status.prefix, status.not_supported
        t.statuses = {n: v for n, v in t.full.items() if n.startswith(status.prefix)}
    return t


@cache
def tables(library: str, cuda: int) -> Tables:
    return _tables(library, cuda)


@dataclass
class Subject:
    """One symbol under test."""

    library: str
    page: str
    function: spec.Function
    row: R.Row
    letter: str  # the row's type letter, "" when the row has none
    infix: str
    wide: bool
    cuda: int

    @property
    def symbol(self) -> str:
        return self.function.name

    @property
    def family(self) -> str:
        return f"{self.library}/{self.page}"

    @cached_property
    def tables(self) -> Tables:
        return tables(self.library, self.cuda)

    @cached_property
    def params(self) -> tuple[spec.Param, ...]:
        return self.function.variants.get(self.cuda, (self.function.ret, self.function.params))[1]

    @cached_property
    def kinds(self) -> dict[str, str]:
        """handle, stream, pointer, enum:NAME, int or float, by parameter."""
        handles = {s.arg for s in self.row.steps if isinstance(s, R.Handle)}
        return {p.name: self._kind(p, handles) for p in self.params}

    def _kind(self, p: spec.Param, handles: set[str]) -> str:
        canon = p.canon.replace("struct ", "").replace("enum ", "").strip()
        base = canon.replace("const ", "").rstrip("* ").strip()
        if p.name in handles or (base in HANDLES and canon.count("*") == 1):
            return "handle"
        if base == "CUstream_st" and canon.count("*") == 1:
            return "stream"
        if "*" in canon or "[" in canon:
            return "pointer"
        for name in (canon, p.type.replace("const ", ""), canon + "_t"):
            if name in self.tables.short:
                return f"enum:{name}"
        return "float" if canon in ("float", "double") else "int"

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(p.name for p in self.params)

    def evaluate(self, text: str, situation: Situation) -> Any:
        return compiled(text, self.names, self.tables.shorts)(situation.values, situation)

    def number(self, name: str, value: Any) -> int:
        """The C integer of an argument value."""
        if not isinstance(value, str):
            return int(value)
        kind = self.kinds[name]
        if kind.startswith("enum:") and value in self.tables.short[kind[5:]]:
            return self.tables.short[kind[5:]][value]
        if value in self.tables.full:
            return self.tables.full[value]
        for prefix in ("CUBLAS_", "CUDA_", "CUBLAS_GEMM_"):
            if prefix + value in self.tables.full:
                return self.tables.full[prefix + value]
        raise KeyError(f"{self.symbol}: {name}={value!r} is no enumerator")

    def fill(self, template: str) -> str:
        return (template.replace("{T}", self.infix).replace("{t}", self.infix.lower())
                .replace("{_64}", "_64" if self.wide else ""))  # fmt: skip

    @cached_property
    def xerbla(self) -> str:
        return self.fill(self.row.xerbla)

    def letter_of(self, T: str, values: Mapping[str, Any]) -> str:
        """The type letter of an argument: the row's, its real one, a letter, or an expression that says it."""
        if T == "T":
            return self.letter
        if T == "R":
            return {"C": "S", "Z": "D"}.get(self.letter, self.letter)
        if len(T) == 1:
            return T
        text = T
        if text not in self.names:  # an expression that gives a letter or a type enumerator
            situation = Situation(values, complex_type=self.letter in "CZ")
            return _letter_of_type(str(self.evaluate(text, situation)))
        return _letter_of_type(str(values[text]))


_TYPES = {"R_16F": "H", "R_16BF": "B", "R_32F": "S", "R_64F": "D", "C_32F": "C", "C_64F": "Z", "R_8I": "b",
          "R_32I": "I", "C_8I": "c"}  # fmt: skip


def _letter_of_type(name: str) -> str:
    name = name.removeprefix("CUDA_").removeprefix("CUBLAS_")
    if name in _TYPES:
        return _TYPES[name]
    for part, letter in (("COMPUTE_16F", "H"), ("COMPUTE_32F", "S"), ("COMPUTE_64F", "D"), ("COMPUTE_32I", "I")):
        if name.startswith(part):
            return letter
    if len(name) == 1:
        return name
    raise KeyError(f"no element type for {name!r}")


# --- rows to symbols ------------------------------------------------------------------------------------------------


@cache
def pages(folder: str) -> tuple[model.Page, ...]:
    """The rows pages of a library folder."""
    return tuple(model.pages_in(folder))


@cache
def subjects(library: str, cuda: int) -> dict[str, Subject]:
    """Every symbol of ``library`` that has a row and that CUDA ``cuda`` exports; exact names win over families."""
    out: dict[str, Subject] = {}
    functions = facts(library).functions
    for exact in (False, True):
        for page in pages(spec.LIBRARIES[library]):
            for row in page.rows:
                if model.is_family(row) == exact:
                    continue
                for symbol, names in model.expand(row):
                    f = functions.get(symbol)
                    if f is not None and cuda in f.exported and not f.inline:
                        out[symbol] = Subject(
                            library, page.name, f, row, names.letter, names.T, bool(names.wide), cuda)  # fmt: skip
    return dict(sorted(out.items()))


@cache
def rowless(library: str, cuda: int) -> tuple[spec.Function, ...]:
    """Exported symbols that no row speaks of: stubs."""
    known = subjects(library, cuda)
    functions = facts(library).functions.values()
    return tuple(f for f in functions if cuda in f.exported and not f.inline and f.name not in known)
