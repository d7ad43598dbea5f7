"""The Python side of the bindings: one module per library with functions, enums and constants, and its stub file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import spec
from . import pynames

if TYPE_CHECKING:
    from .bindings import Binding, Kinds

TITLES = {
    "cublas": "cuBLAS, with cuBLASXt (``xt_...``) and the interface without a handle (``legacy_...``)",
    "nvblas": "NVBLAS: the Fortran BLAS names that NVBLAS intercepts",
    "cublaslt": "cuBLASLt",
    "cusolver": "cuSOLVER: dense (``dn_...``), sparse (``sp_...``) and refactorization (``rf_...``)",
    "cusolvermg": "cuSOLVERMg",
    "cufft": "cuFFT, with cuFFT Xt (``xt_...``)",
    "cufftw": "cuFFTW: FFTW's interface",
    "cudart": "the CUDA runtime",
}
ARGUMENT = {
    "p": "Pointer", "q": "Text", "i": "int", "e": "int", "u": "int", "l": "int", "z": "int", "b": "int | str",
    "f": "float", "d": "float", "c": "complex", "k": "complex",
}
RESULT = ARGUMENT | {"v": "None", "s": "None", "p": "int", "q": "str | None", "b": "int"}


def _foreign_enums(library: str, libraries: dict[str, spec.Library], bindings: list[Binding],
                   kinds: Kinds) -> dict[str, list[str]]:
    """Enum classes that this library's functions take and another module defines: module -> classes."""
    used = {kinds.canon(t) for b in bindings for t in (b.ret_type, *(p.canon for p in b.params))}
    found: dict[str, list[str]] = {}
    for other, lib in libraries.items():
        if other != library:
            names = pynames.enum_names(lib)
            own = set(pynames.enum_names(libraries[library]).values())
            wanted = sorted(names[e] for e in used & lib.enums.keys() if names[e] not in own)
            if wanted:
                found[other] = wanted
    return found


def _enums(lib: spec.Library, stub: bool) -> list[str]:
    classes: list[str] = []
    constants: list[str] = []
    names = pynames.enum_names(lib)
    for name, enum in sorted(lib.enums.items()):
        members = pynames.member_names(enum)
        values = pynames.member_values(enum)
        classes += [f"class {names[name]}(IntEnum):", f'    """{name}"""', ""]
        classes += [f"    {members[n]} = {values[n]}" for n in members]
        classes += ["", ""]
        constants += [f"{n}: Final = {names[name]}.{m}" if stub else f"{n} = {names[name]}.{m}"
                      for n, m in members.items()]
    return classes + constants


def _head(library: str) -> list[str]:
    return [f"# emitted by wrappers_gen from {spec.LIBRARIES[library]}/spec/{library}.jsonl; do not edit",
            f'"""{TITLES[library]}."""', ""]


def _module(library: str, lib: spec.Library, foreign: dict[str, list[str]]) -> str:
    lines = _head(library)
    lines += ["from enum import IntEnum", ""] if lib.enums else []
    lines += ["from . import _support"]
    for other, names in foreign.items():
        lines.append(f"from .{other} import {', '.join(names)}  # noqa: F401")
    lines += ["", "", *_enums(lib, stub=False), "", f'_support.fill(globals(), "{library}")', ""]
    return "\n".join(lines)


def _stub(library: str, lib: spec.Library, bindings: list[Binding], foreign: dict[str, list[str]]) -> str:
    lines = _head(library)
    if lib.enums:
        lines.append("from enum import IntEnum")
    lines += [f"from typing import {n}" for n, needed in
              (("Final", lib.enums), ("overload", any(b.out >= 0 for b in bindings))) if needed]
    lines.append("")
    used = {k for b in bindings for k in b.kinds}
    types = [t for k, t in (("p", "Pointer"), ("q", "Text")) if k in used]
    if types:
        lines.append(f"from ._types import {', '.join(types)}")
    for other, names in foreign.items():
        lines += [f"from .{other} import {n} as {n}" for n in names]
    lines += ["", *_enums(lib, stub=True), ""]
    done: set[str] = set()
    for b in bindings:
        if b.name in done:
            continue  # another release's signature; the newest is the one that type checkers see
        done.add(b.name)
        lines += _signatures(b)
    return "\n".join([*lines, ""])


def _signatures(b: Binding) -> list[str]:
    """The declaration of one function; two when its result may be returned."""
    given = [f"{n}: {ARGUMENT.get(k, 'bytes')}" for n, k in zip(b.names, b.kinds, strict=True)]
    document = f'    """{b.prototype}"""'
    plain = [f"def {b.name}({', '.join(given)}) -> {RESULT.get(b.ret, 'bytes')}:", document]
    if b.out < 0:
        return plain
    rest = ", ".join(given[: b.out] + given[b.out + 1 :])
    short = [f"def {b.name}({rest}) -> {RESULT[b.out_kind]}:", document]
    return ["@overload", *plain, "@overload", *short]


def emit_modules(libraries: dict[str, spec.Library], bindings: list[Binding], kinds: Kinds) -> dict[str, str]:
    files: dict[str, str] = {}
    for library, lib in libraries.items():
        mine = [b for b in bindings if b.library == library]
        foreign = _foreign_enums(library, libraries, mine, kinds)
        files[f"scale_x/bindings/{library}.py"] = _module(library, lib, foreign)
        files[f"scale_x/bindings/{library}.pyi"] = _stub(library, lib, mine, foreign)
    return files
