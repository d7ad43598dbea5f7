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

HANDLES = {
    "cublasContext": "cublas",
    "cublasXtContext": "cublasXt",
    "cublasLtContext": "cublaslt",
    "cusolverDnContext": "cusolver",
}


@dataclass(frozen=True)
class Maker:
    """What makes an object that calls are told with, and the setters, with their values, that make it of use."""

    create: str
    settings: tuple[tuple[str, tuple[str, ...]], ...] = ()


#: by the structure's name, for functions that also take a handle: the others are about the object itself
OBJECTS = {
    "syevjInfo": Maker("cusolverDnCreateSyevjInfo"),
    "gesvdjInfo": Maker("cusolverDnCreateGesvdjInfo"),
    "cusolverDnParams": Maker("cusolverDnCreateParams"),
    "cusolverDnIRSParams": Maker(
        "cusolverDnIRSParamsCreate",
        (
            ("cusolverDnIRSParamsSetRefinementSolver", ("CUSOLVER_IRS_REFINE_CLASSICAL",)),
            ("cusolverDnIRSParamsSetSolverPrecisions", ("CUSOLVER_R_64F", "CUSOLVER_R_64F")),
        ),
    ),
    "cusolverDnIRSInfos": Maker("cusolverDnIRSInfosCreate"),
}


@dataclass
class Tables:
    """A library's enumerators: short names to values, for one CUDA major, and statuses."""

    short: dict[str, dict[str, int]] = field(default_factory=dict)  # enum -> short -> value
    full: dict[str, int] = field(default_factory=dict)  # any enumerator -> value
    statuses: dict[str, int] = field(default_factory=dict)
    prefix: str = ""

    @cached_property
    def shorts(self) -> frozenset[str]:
        return frozenset(s for e in self.short.values() for s in e)

    def status_name(self, value: int) -> str:
        """The enumerator, without the prefix that all of the library's statuses share."""
        for name, v in self.statuses.items():
            if v == value:
                return name.removeprefix(self.prefix) if self.prefix.endswith("_") else name
        return str(value)

    def is_status(self, value: int, name: str) -> bool:
        """``name`` is as rows write it: SUCCESS, INVALID_VALUE."""
        return value == (0 if name == "SUCCESS" else self.statuses.get(self.prefix + name, self.statuses.get(name)))


@cache
def facts(library: str) -> spec.Library:
    return spec.load(library)


def _tables(library: str, cuda: int) -> Tables:
    t = Tables()
    names = dict.fromkeys((library, spec.LIBRARIES[library], "cublas", "cudart"))
    known = [facts(name) for name in names if spec.path_of(name).is_file()]
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
        t.prefix = status.prefix
        for name in (status.cuda, status.cuda.removesuffix("_t")):
            if found := next((lib.enums[name] for lib in known if name in lib.enums), None):
                t.statuses = {e.name: e.value for e in found.values if cuda in e.majors}
                break
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
        """handle, stream, object:NAME, pointer, enum:NAME, int or float, by parameter."""
        handles = {s.arg for s in self.row.steps if isinstance(s, R.Handle)}
        return {p.name: self._kind(p, handles) for p in self.params}

    def _kind(self, p: spec.Param, handles: set[str]) -> str:
        canon = p.canon.replace("struct ", "").replace("enum ", "").strip()
        base = canon.replace("const ", "").rstrip("* ").strip()
        if p.name in handles or (base in HANDLES and canon.count("*") == 1):
            return "handle"
        if base == "CUstream_st" and canon.count("*") == 1:
            return "stream"
        if base in OBJECTS and canon.count("*") == 1 and handles:
            return f"object:{base}"
        if "*" in canon or "[" in canon:
            return "pointer"
        for name in (canon, p.type.replace("const ", ""), canon + "_t"):
            if name in self.tables.short:
                return f"enum:{name}"
        if base in facts(self.library).structs or base == "dim3":
            return "struct"
        if canon in ("float2", "double2", "cuComplex", "cuDoubleComplex"):
            return "complex"
        return "float" if canon in ("float", "double") else "int"

    @cached_property
    def owner(self) -> str:
        """Whose handle the function takes: the library's, or one that a part of it makes (cublasXt)."""
        for p in self.params:
            base = p.canon.replace("struct ", "").replace("const ", "").rstrip("* ").strip()
            if base in HANDLES:
                return HANDLES[base]
        return self.library

    @cached_property
    def refusal(self) -> int | None:
        """What a stub answers: the "not supported" of its return type, 0 for pointers, None where there is no such."""
        ret = self.function.variants.get(self.cuda, (self.function.ret, ()))[0]
        if "*" in ret:
            return 0
        for lib in map(facts, dict.fromkeys((self.library, "cublas", "cudart"))):
            for name in (ret, lib.typedefs[ret].canon.removeprefix("enum ") if ret in lib.typedefs else ret):
                values = lib.enums[name].values if name in lib.enums else ()
                refusals = [e for e in values if e.name.endswith(("_NOT_SUPPORTED", "ErrorNotSupported"))]
                if refusals:
                    return min(refusals, key=lambda e: len(e.name)).value
        return None

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(p.name for p in self.params)

    @cached_property
    def _sizes(self) -> frozenset[str]:
        """Unsigned arguments of 64 bits: a negative number becomes a large one, as in C."""
        return frozenset(p.name for p in self.params if p.canon in ("unsigned long", "unsigned long long"))

    def evaluate(self, text: str, situation: Situation) -> Any:
        return compiled(text, self.names, self._enumerators)(situation.values, situation)

    @cached_property
    def _enumerators(self) -> frozenset[str]:
        """Short names, but for those of a size: an N that is a number is no operation."""
        return self.tables.shorts - {name for name, kind in self.kinds.items() if kind == "int"}

    def number(self, name: str, value: Any) -> int:
        """The C integer of an argument value."""
        if not isinstance(value, str):
            return int(value) % 2**64 if int(value) < 0 and name in self._sizes else int(value)
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
          "R_32I": "I", "C_8I": "c", "R_8U": "u",
          # never computed with, only refused: something of the same size
          "C_16F": "I", "C_16BF": "I", "C_8U": "c", "R_32U": "I", "C_32I": "L", "C_32U": "L"}  # fmt: skip


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
    for f in functions.values():  # exported and spoken of by no row: stubs
        if cuda in f.exported and not f.inline and f.name not in out:
            row = R.Row(symbols=f.name, kind=R.STUB, why="no row")
            out[f.name] = Subject(library, "stubs", f, row, "", "", f.name.endswith("_64"), cuda)
    return dict(sorted(out.items()))
