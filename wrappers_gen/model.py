"""Everything the emitters know: the specs, the rows pages, and which row answers for which exported symbol."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from . import rocm_spec, rows, spec
from .emit.ctypes import Enums

ROOT = spec.ROOT
PACKAGE = __name__.rpartition(".")[0].rpartition(".")[0]  # "" or "scale_x"
STUB_WHY = "no row yet"
#: libraries whose spec is complete only when these numbers are found: (macros, how they make the version number)
_VERSIONS = {
    "cublas": {11: 111103, 12: 120903, 13: 131000},
    "nvblas": {11: 111103, 12: 120903, 13: 131000},
    "cublaslt": {11: 111103, 12: 120903, 13: 131000},
    "cusolver": {11: 11401, 12: 11705, 13: 12401},
    "cusolvermg": {11: 11401, 12: 11705, 13: 12401},
    "cufft": {11: 10900, 12: 11401, 13: 12500},
    "cufftw": {11: 10900, 12: 11401, 13: 12500},
    "cudart": {11: 11080, 12: 12090, 13: 13000},
}
_VERSION_MACROS = {
    "cublas": ("CUBLAS_VERSION", "CUBLAS_VER_MAJOR", "CUBLAS_VER_MINOR", "CUBLAS_VER_PATCH", 10000, 100),
    "cusolver": ("CUSOLVER_VERSION", "CUSOLVER_VER_MAJOR", "CUSOLVER_VER_MINOR", "CUSOLVER_VER_PATCH", 1000, 100),
    "cufft": ("CUFFT_VERSION", "CUFFT_VER_MAJOR", "CUFFT_VER_MINOR", "CUFFT_VER_PATCH", 1000, 100),
    "cudart": ("CUDART_VERSION", "", "", "", 0, 0),
}
_SHARED_VERSION = {"nvblas": "cublas", "cublaslt": "cublas", "cusolvermg": "cusolver", "cufftw": "cufft"}


@dataclass(frozen=True)
class Soname:
    """One shared library to build."""

    library: str
    name: str  # libcublas.so.12
    majors: frozenset[int]
    version: int
    exports: tuple[str, ...]

    @property
    def cuda_major(self) -> int:
        """The newest CUDA release that it serves."""
        return max(self.majors)


@dataclass(frozen=True)
class Page:
    """One rows page."""

    folder: str
    name: str
    path: str  # below the repository root
    rows: tuple[rows.Row, ...]
    lines: tuple[int, ...]  # of each row
    title: str = ""


@dataclass(frozen=True)
class Names:
    """What a row's placeholders stand for in one symbol: ``{T}``, ``{t}``, ``{_64}``, and the type letter."""

    T: str = ""
    letter: str = ""
    wide: str = ""  # "_64" or ""

    def fill(self, text: str) -> str:
        return text.replace("{T}", self.T).replace("{t}", self.T.lower()).replace("{_64}", self.wide)


@dataclass(frozen=True)
class Symbol:
    """One exported symbol, and the row that answers for it (None: a stub that nobody wrote a row for)."""

    function: spec.Function
    library: str
    row: rows.Row | None = None
    names: Names = Names()
    page: Page | None = None
    line: int = 0

    @property
    def name(self) -> str:
        return self.function.name

    @property
    def kind(self) -> str:
        return self.row.kind if self.row else rows.STUB

    @property
    def why(self) -> str:
        return (self.row.why if self.row else STUB_WHY) or STUB_WHY

    @property
    def where(self) -> str:
        return f"{self.page.path}:{self.line}" if self.page else f"{spec.LIBRARIES[self.library]}/spec"


class ModelError(Exception):
    """A rows page that cannot be read; the message starts with ``page:line``."""


def expand(row: rows.Row) -> Iterator[tuple[str, Names]]:
    """Every symbol a row speaks of, with what its placeholders stand for."""
    letters: Mapping[str, str]
    if isinstance(row.T, str):
        letters = {c: c for c in row.T} or {"": ""}
    elif isinstance(row.T, Mapping):
        letters = row.T
    else:
        letters = dict.fromkeys(row.T, "")
    for pattern in row.symbols.split():
        wides = ("", "_64") if "{_64}" in pattern else ("_64",) if pattern.endswith("_64") else ("",)
        typed = letters if "{T}" in pattern or "{t}" in pattern or len(letters) == 1 else {"": ""}
        for key, letter in typed.items():
            for wide in wides:
                names = Names(key, letter, wide)
                yield names.fill(pattern), names


def is_family(row: rows.Row) -> bool:
    return "{" in row.symbols


def row_lines(text: str) -> list[int]:
    """Line of each ``Row(...)`` of the tuple ``ROWS``."""
    for node in ast.parse(text).body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or not isinstance(node.value, ast.Tuple):
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if isinstance(target, ast.Name) and target.id == "ROWS":
            return [e.lineno for e in node.value.elts]
    return []


def pages_in(folder: str, root: Path = ROOT, package: str = "") -> list[Page]:
    """The rows pages of a folder, types aside; ``package`` is where they are imported from."""
    found = []
    for path in sorted((root / folder / "rows").glob("*.py")):
        if path.stem == "types" or path.stem.startswith("_"):
            continue
        short = f"{folder}/rows/{path.name}"
        try:
            module = importlib.import_module(f"{package or PACKAGE}.{folder}.rows.{path.stem}")
        except Exception as e:
            raise ModelError(f"{short}:1: cannot be imported: {e}") from e
        lines = row_lines(path.read_text(encoding="utf-8"))
        table = tuple(module.ROWS)
        if len(lines) != len(table):
            lines = [1] * len(table)
        found.append(Page(folder, path.stem, short, table, tuple(lines), getattr(module, "TITLE", "")))
    return found


@dataclass
class Types:
    """A library's enumerators and statuses: ``<folder>/rows/types.py``."""

    enums: tuple[rows.EnumMap, ...] = ()
    status: rows.StatusMap | None = None

    @cached_property
    def short(self) -> dict[str, tuple[str, str]]:
        """Short name -> (CUDA enum, CUDA enumerator)."""
        return {s: (e.cuda, full) for e in self.enums for s, full in e.short.items()}


@dataclass
class Model:
    cuda: dict[str, spec.Library]
    rocm: dict[str, rocm_spec.Library]
    pages: list[Page]
    types: dict[str, Types] = field(default_factory=dict)
    root: Path = ROOT
    package: str = ""

    @classmethod
    def load(cls, root: Path = ROOT) -> Model:
        cuda = {n: spec.load(n) for n in spec.LIBRARIES if spec.path_of(n).is_file()}
        rocm = {n: rocm_spec.load(n) for n in rocm_spec.LIBRARIES}
        package = PACKAGE
        pages, types = [], {}
        for folder in dict.fromkeys(spec.LIBRARIES.values()):
            pages += pages_in(folder, root, package)
            if (root / folder / "rows" / "types.py").is_file():
                module = importlib.import_module(f"{package}.{folder}.rows.types")
                types[folder] = Types(tuple(getattr(module, "ENUMS", ())), getattr(module, "STATUS", None))
        return cls(cuda, rocm, pages, types, root)

    # ---- symbols -------------------------------------------------------------------------------------------------

    @cached_property
    def claims(self) -> dict[str, list[tuple[Page, int, rows.Row, Names]]]:
        """Symbol name -> the rows that speak of it, exact names first."""
        found: dict[str, list[tuple[Page, int, rows.Row, Names]]] = {}
        for exact in (True, False):
            for page in self.pages:
                for row, line in zip(page.rows, page.lines, strict=True):
                    if is_family(row) != exact:
                        for name, names in expand(row):
                            found.setdefault(name, []).append((page, line, row, names))
        return found

    @cached_property
    def by_library(self) -> dict[str, list[Symbol]]:
        """The exported symbols of each library, sorted, each with its row."""
        found: dict[str, list[Symbol]] = {}
        for library, lib in self.cuda.items():
            found[library] = []
            for f in sorted(lib.functions.values(), key=lambda f: f.name):
                if f.inline or not f.exported:
                    continue
                claims = [c for c in self.claims.get(f.name, ()) if c[0].folder == spec.LIBRARIES[library]]
                if claims:
                    page, line, row, names = claims[0]
                    found[library].append(Symbol(f, library, row, names, page, line))
                else:
                    found[library].append(Symbol(f, library))
        return found

    @cached_property
    def symbols(self) -> dict[str, Symbol]:
        """Every exported symbol by name, sorted; what two libraries export is the first one's."""
        found: dict[str, Symbol] = {}
        for listed in self.by_library.values():
            for s in listed:
                found.setdefault(s.name, s)
        return dict(sorted(found.items()))

    def of(self, library: str) -> list[Symbol]:
        return self.by_library[library]

    # ---- sonames -------------------------------------------------------------------------------------------------

    @cached_property
    def sonames(self) -> list[Soname]:
        found = []
        for library, (link, suffixes) in spec.SONAMES.items():
            if library not in self.cuda:
                continue
            for suffix in dict.fromkeys(suffixes.values()):
                majors = frozenset(m for m, s in suffixes.items() if s == suffix)
                exports = tuple(self.cuda[library].exports(suffix))
                found.append(Soname(library, f"{link}.{suffix}", majors, self.version(library, max(majors)), exports))
        return found

    def version(self, library: str, major: int) -> int:
        """What GetVersion answers in a library of this CUDA release."""
        owner = _SHARED_VERSION.get(library, library)
        whole, *parts, by_major, by_minor = _VERSION_MACROS[owner]
        lib = self.cuda.get(owner)
        macros = {n: m.value.get(major, "") for n, m in lib.macros.items()} if lib else {}
        if macros.get(whole, "").strip("()").isdigit():
            return int(macros[whole].strip("()"))
        numbers = [macros.get(p, "") for p in parts]
        if all(n.isdigit() for n in numbers) and by_major:
            a, b, c = map(int, numbers)
            return a * by_major + b * by_minor + c
        return _VERSIONS[library][major]

    @cached_property
    def enums(self) -> Enums:
        """Every enum of CUDA-X."""
        return Enums(self.cuda)

    # ---- ROCm ----------------------------------------------------------------------------------------------------

    @cached_property
    def rocm_functions(self) -> dict[str, rocm_spec.Function]:
        found: dict[str, rocm_spec.Function] = {}
        for lib in self.rocm.values():
            for f in lib.functions.values():
                found.setdefault(f.name, f)
        return found

    @cached_property
    def rocm_releases(self) -> tuple[str, ...]:
        """The supported releases at which some function or enumerator came or went, oldest first."""
        mentioned = {rocm_spec.OLDEST}
        for lib in self.rocm.values():
            for f in lib.functions.values():
                mentioned |= {f.since, f.removed} - {""}
            mentioned |= {v.since for e in lib.enums.values() for v in e.values}
        supported = (r for r in mentioned if rocm_spec.number(r) >= rocm_spec.number(rocm_spec.OLDEST))
        return tuple(sorted(supported, key=rocm_spec.number))

    @cached_property
    def rocm_enumerators(self) -> dict[str, str]:
        """ROCm enumerator -> tag of its enum."""
        return {v.name: e.name for lib in self.rocm.values() for e in lib.enums.values() for v in e.values}

    @cached_property
    def rocm_used(self) -> set[str]:
        """ROCm functions that rows, native bodies and core name."""
        used = set()
        for page in self.pages:
            for row in page.rows:
                for _, names in expand(row):
                    for path in filter(lambda p: p.call, row.paths):
                        call = names.fill(path.call)
                        used |= {call, call + "_64"}
        for folder in (*dict.fromkeys(spec.LIBRARIES.values()), "core"):
            for source in sorted(p for p in (self.root / folder).rglob("*") if p.suffix in (".cpp", ".h")):
                used |= set(re.findall(r"\bsx_rocm->(\w+)", source.read_text(encoding="utf-8")))
        return used & set(self.rocm_functions)
