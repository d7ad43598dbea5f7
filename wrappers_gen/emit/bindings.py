"""Python bindings: plain C, one caller per distinct C signature, and a table of the functions that use it.

``bindings/calls_<n>.c`` hold the callers, ``bindings/functions.c`` the table, the other files there the hand-written
run time (copies of ``scale_x/native``: the folder compiles by itself); ``scale_x/bindings/<library>.py`` and its stub
file are what people import.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import spec
from . import pynames
from .bindings_py import emit_modules
from .docstrings import document

if TYPE_CHECKING:
    from ..model import Model

CALL_FILES = 4  # so that several cores share the compilation
NATIVE = "scale_x/native"

#: machine types: letter -> (C type, member of sx_value)
KINDS = {
    "p": ("void*", "p"), "q": ("const char*", "p"), "i": ("int32_t", "i"), "e": ("uint32_t", "u"),
    "u": ("uint32_t", "u"), "l": ("int64_t", "l"), "z": ("uint64_t", "z"), "b": ("char", "b"),
    "f": ("float", "f"), "d": ("double", "d"), "c": ("sx_complex64", "c"), "k": ("sx_complex128", "k"),
}
INLINE = "pieulzfd"  # kinds with a fast path in bindings.h
_SCALARS = {
    "int": "i", "unsigned int": "u", "long": "l", "long long": "l", "unsigned long": "z", "size_t": "z",
    "unsigned long long": "z", "char": "b", "signed char": "b", "float": "f", "double": "d",
    "float2": "c", "double2": "k",
}
#: how a result becomes a Python object; s is a status
RETURNS = {
    "v": "sx_none()", "s": "sx_status(e, r)", "p": "PyLong_FromVoidPtr((void*)r)", "q": "sx_text(r)",
    "b": "PyLong_FromLong(r)", "i": "PyLong_FromLong(r)",
    "u": "PyLong_FromUnsignedLong(r)", "e": "PyLong_FromUnsignedLong(r)",
    "l": "PyLong_FromLongLong(r)", "z": "PyLong_FromUnsignedLongLong(r)", "f": "PyFloat_FromDouble(r)",
    "d": "PyFloat_FromDouble(r)", "c": "PyComplex_FromDoubles(r.x, r.y)", "k": "PyComplex_FromDoubles(r.x, r.y)",
}
STATUSES = {"cublasStatus_t", "cusolverStatus_t", "cufftResult_t", "cudaError"}
#: their status is the answer, not a failure
ANSWERS_STATUS = {"cudaGetLastError", "cudaPeekAtLastError", "cublasGetError"}

#: calls that only read or write a setting keep the GIL; everything else may be long (create, copy, compute) and
#: releases it
_KEEPS_GIL = re.compile(
    r"cublas(Lt|Xt)?(Get|Set)(?=[A-Z])(?!Vector|Matrix)|cublasLt\w+(Get|Set|Cap|Config)\w*Attribute|cublasLtLogger"
    r"|cublasLtMatmulAlgo(Init|Check|GetIds)|cublasLt\w+(Create|Init|Destroy)$|cublasMigrate"
    r"|cusolver(Dn|Sp|Rf|Mg)?(Get|Set)(?=[A-Z])(?!ResetValues|Algs)|cusolverDn(IRSParams|IRSInfos|Logger)"
    r"|cusolverDnX(gesvdj|syevj)(Get|Set)|\w+_buffer[sS]ize"
    r"|cufft(GetVersion|GetProperty|SetStream|SetAutoAllocation|SetWorkArea|(Get|Set|Reset)PlanProperty)"
    r"|cuda(GetLastError|PeekAtLastError|GetErrorName|GetErrorString|RuntimeGetVersion|GetDevice$|Stream(GetFlags|"
    r"GetPriority|GetId)|CreateChannelDesc)")


#: functions with one result behind a pointer, which may be left out and is then returned: (name, which pointer)
_RETURNS_OUT = (
    (re.compile(r"\w*Create\w*|cudaMalloc(Host|Managed|Async)?$|cudaHostAlloc|cufftPlan\w+"), 0),
    (re.compile(r"\w*Get(Version|Property|CudartVersion|\w*Mode|Stream|\w*Target|\w*Control|\w*Count|\w*Support|"
                r"\w*Strategy|\w*Offset)(_v2)?|\w+_bufferSize|cufft(GetSize|Estimate|MakePlan)\w*|"
                r"cuda(GetDevice|GetDeviceCount|RuntimeGetVersion|DriverGetVersion|DeviceGetAttribute|"
                r"EventElapsedTime|DeviceCanAccessPeer|StreamGetFlags|StreamGetPriority|StreamIsCapturing|"
                r"HostGetDevicePointer)"), None),
)
_SIZES = ("worksize", "lwork", "lwork_bytes", "workspaceinbytes")


@dataclass(frozen=True)
class Binding:
    """One function as Python sees it, with one C signature."""

    name: str
    function: spec.Function
    library: str
    ret: str
    kinds: str
    params: tuple[spec.Param, ...]
    ret_type: str
    majors: frozenset[int]
    out: int = -1  # the argument that may be left out
    out_kind: str = "p"

    @property
    def symbol(self) -> str:
        return self.function.name

    @property
    def caller(self) -> str:
        return f"sx_call_{self.ret}_{call_kinds(self.kinds)}"

    @property
    def releases_gil(self) -> bool:
        return not _KEEPS_GIL.match(self.symbol)

    @property
    def names(self) -> list[str]:
        return pynames.parameter_names([p.name for p in self.params])

    @property
    def prototype(self) -> str:
        return prototype(self.ret_type, self.symbol, self.params)


def call_kinds(kinds: str) -> str:
    """Letters that make a caller: enums travel as ints and texts as addresses; the table's letters check them."""
    return kinds.translate(str.maketrans("eq", "ip"))


def declare(type_: str, name: str) -> str:
    """``type_ name`` in C, arrays and function pointers included."""
    if "(*)" in type_:
        return type_.replace("(*)", f"(*{name})", 1)
    if "[" in type_:
        base, _, dims = type_.partition("[")
        return f"{base.rstrip()} {name}[{dims}"
    return f"{type_}{name}" if type_.endswith("*") else f"{type_} {name}".rstrip()


def prototype(ret: str, symbol: str, params: tuple[spec.Param, ...]) -> str:
    return declare(ret, symbol) + f"({', '.join(declare(p.type, p.name) for p in params) or 'void'})"


class Kinds:
    """Machine letters of C types. Structs by value other than complex numbers get capital letters, one per size."""

    def __init__(self, libraries: dict[str, spec.Library]) -> None:
        self.enums = {e for lib in libraries.values() for e in lib.enums}
        self.typedefs = {t.name: t.canon for lib in libraries.values() for t in lib.typedefs.values()}
        self.structs = {n: s for lib in libraries.values() for s in lib.structs.values() for n in (s.name, s.tag) if n}
        self.sizes: dict[int, str] = {}

    def canon(self, type_: str) -> str:
        """Without qualifiers and typedefs."""
        plain = type_.strip()
        while plain in self.typedefs and self.typedefs[plain] != plain:
            plain = self.typedefs[plain]
        return re.sub(r"^(const|volatile|enum|struct|union)\s+", "", plain)

    def of(self, type_: str) -> str:
        plain = self.canon(type_)
        if plain == "void":
            return "v"
        if "*" in type_ or "*" in plain or "[" in plain or "(" in plain:
            return "q" if re.fullmatch(r"const char ?\*", type_.strip()) else "p"
        if plain in _SCALARS:
            return _SCALARS[plain]
        if plain in self.enums:
            return "e"
        return self._struct(plain)

    def _struct(self, name: str) -> str:
        layout = max(self.structs[name].layouts, key=lambda x: max(x.majors))
        if any(re.search(r"\b(float|double)\b", f.type) for f in layout.fields):
            raise ValueError(f"struct {name} by value has floating-point members: its registers are not modelled")
        if layout.size not in self.sizes:
            self.sizes[layout.size] = chr(ord("A") + len(self.sizes))
        return self.sizes[layout.size]

    def out(self, symbol: str, params: tuple[spec.Param, ...]) -> tuple[int, str]:
        """Position and machine letter of the result that a call returns when it is left out; (-1, "p") for none."""
        for pattern, first in _RETURNS_OUT:
            if not pattern.fullmatch(symbol):
                continue
            behind = [(k, self._behind(p)) for k, p in enumerate(params)]
            results = [(k, letter) for k, letter in behind if letter]
            if first == 0 and results and results[0][0] == 0:
                return results[0]
            if first is None and len(results) == 1:
                return results[0]
            if first is None and results and params[-1].name.lower() in _SIZES:
                return results[-1]
        return -1, "p"

    def _behind(self, p: spec.Param) -> str:
        """The letter of what a parameter points to, when that is one number or handle that the call writes."""
        if not p.canon.endswith("*") or p.type.startswith("const ") or "(" in p.canon:
            return ""
        pointee = p.canon[:-1].strip()
        if pointee.endswith("*") or pointee.endswith("*const"):
            return "p"
        plain = self.canon(pointee)
        kind = _SCALARS.get(plain) or ("e" if plain in self.enums else "")
        return kind if kind in ("i", "u", "l", "z", "f", "d", "e") else ""

    def returns(self, ret: str, symbol: str) -> str:
        kind = self.of(ret)
        if kind == "e" and self.canon(ret) in STATUSES and symbol not in ANSWERS_STATUS:
            return "s"
        return kind


def collect(libraries: dict[str, spec.Library]) -> tuple[list[Binding], Kinds]:
    """Every function with known parameters, by library and Python name; a release whose C signature differs follows."""
    kinds = Kinds(libraries)
    found: list[Binding] = []
    for name, lib in libraries.items():
        rows = []
        for f in lib.functions.values():
            if f.inline or not (f.header or f.params):
                continue
            python = pynames.function_name(f, name)
            rows += _signatures(python, f, name, kinds)
        rows.sort(key=lambda b: (b.name, b.symbol, -max(b.majors)))
        by_name: dict[str, str] = {}
        for b in rows:
            if by_name.setdefault(b.name, b.symbol) != b.symbol:
                raise ValueError(f"{name}: {b.symbol} and {by_name[b.name]} would both be called {b.name}")
        found += rows
    return found, kinds


def _signatures(python: str, f: spec.Function, library: str, kinds: Kinds) -> list[Binding]:
    by_kinds: dict[tuple[str, str], Binding] = {}
    newest = f.majors - f.variants.keys()
    forms = [(newest, f.ret, f.params)] + [(frozenset({m}), ret, ps) for m, (ret, ps) in sorted(f.variants.items())]
    for majors, ret, params in forms:
        key = (kinds.returns(ret, f.name), "".join(kinds.of(p.canon) for p in params))
        known = by_kinds.get(key)
        if known:
            majors, ret, params = known.majors | majors, known.ret_type, known.params
        out = kinds.out(f.name, params) if key[0] == "s" else (-1, "p")
        by_kinds[key] = Binding(python, f, library, *key, params, ret, majors or f.majors, *out)
    return list(by_kinds.values())


def c_type(kind: str, sizes: dict[int, str]) -> str:
    if kind == "v":
        return "void"
    if kind == "s":
        return "uint32_t"
    if kind.isupper():
        return f"sx_bytes_{next(n for n, letter in sizes.items() if letter == kind)}"
    return KINDS[kind][0]


def emit_caller(ret: str, kinds: str, sizes: dict[int, str]) -> str:
    """One function: fast reads of every argument, or the slow conversion of all; the call; the result."""
    types = [c_type(k, sizes) for k in kinds]
    pointer = f"{c_type(ret, sizes)} (*)({', '.join(types) or 'void'})"
    lines = [
        f"PyObject* sx_call_{ret}_{kinds}(PyObject* self, PyObject* const* args, Py_ssize_t nargs,",
        "    PyObject* kwnames) {",
        f"  typedef {pointer.replace('(*)', '(*function)')};",
        f"  SX_ENTER({len(kinds)})",
    ]
    lines += [f"  {t} a{n};" for n, t in enumerate(types)]
    fast = all(k in INLINE for k in kinds)
    reads = " || ".join(f"!sx_get_{k}(args[{n}], &a{n})" for n, k in enumerate(kinds)) if fast else "1"
    if kinds:
        lines += [
            f"  if ({'SX_UNLIKELY(' + reads + ')' if fast else '1'}) {{",
            f"    sx_value v[{len(kinds)}];",
            "    if (!sx_convert(e, args, v)) return NULL;",
        ]
        for n, k in enumerate(kinds):
            lines.append(f"    memcpy(&a{n}, v[{n}].words, sizeof a{n});" if k.isupper()
                         else f"    a{n} = v[{n}].{KINDS[k][1]};")
        lines.append("  }")
    call = f"fn({', '.join(f'a{n}' for n in range(len(kinds)))})"
    lines.append("  SX_FUNCTION(function)")
    if ret == "v":
        lines += [f"  SX_CALL({call})", "  return sx_none();"]
    else:
        lines += [f"  {c_type(ret, sizes)} r;", f"  SX_CALL(r = {call})"]
        result = "PyBytes_FromStringAndSize((const char*)&r, sizeof r)" if ret.isupper() else RETURNS[ret]
        lines.append(f"  return {result};")
    return "\n".join([*lines, "}", ""])


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def emit_table(bindings: list[Binding], libraries: list[str], sizes: dict[int, str], model: Model | None) -> str:
    callers = sorted({b.caller for b in bindings})
    lines = ["// emitted by wrappers_gen from */spec; do not edit", '#include "callers.h"', ""]
    lines += ["const char* const sx_libraries[] = {" + ", ".join(quoted(n) for n in libraries) + "};",
              f"const int sx_library_count = {len(libraries)};", ""]
    lines += ["int sx_struct_size(char kind) {", "  switch (kind) {"]
    lines += [f"    case '{letter}': return {size};" for size, letter in sizes.items()]
    lines += ["    default: return 0;", "  }", "}", "", "const sx_def sx_defs[] = {"]
    for b in bindings:
        majors = sum(1 << (m - 11) for m in b.majors)
        lines.append(
            f"  {{{quoted(b.name)}, {quoted(b.symbol)}, {b.caller}, {quoted(b.kinds)}, {quoted(','.join(b.names))}, "
            f"{quoted(document(b, model))}, {libraries.index(b.library)}, {majors}, {int(b.releases_gil)}, "
            f"{b.out}, '{b.out_kind}'}},")
    lines += ["};", f"const int sx_def_count = {len(bindings)};", f"// {len(callers)} signatures", ""]
    return "\n".join(lines)


def emit_c(bindings: list[Binding], kinds: Kinds, libraries: list[str], model: Model | None) -> dict[str, str]:
    banner = "// emitted by wrappers_gen from */spec; do not edit\n"
    signatures = sorted({(b.ret, call_kinds(b.kinds)) for b in bindings})
    files = {}
    header = [banner + '#pragma once\n#include "bindings.h"\n']
    for size in kinds.sizes:
        word, bits = (8, 64) if size % 8 == 0 else (4, 32)
        header.append(f"typedef struct {{\n  uint{bits}_t words[{size // word}];\n}} sx_bytes_{size};")
    header += [f"PyObject* sx_call_{r}_{k}(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);" for r, k in signatures]
    files["bindings/callers.h"] = "\n".join([*header, ""])
    for n in range(CALL_FILES):
        mine = signatures[n::CALL_FILES]
        body = [emit_caller(r, k, kinds.sizes) for r, k in mine]
        files[f"bindings/calls_{n}.c"] = "\n".join([banner + '#include "callers.h"\n\n#include <string.h>\n', *body])
    files["bindings/functions.c"] = emit_table(bindings, libraries, kinds.sizes, model)
    return files


def emit_libraries(libraries: dict[str, spec.Library], model: Model | None = None) -> dict[str, str]:
    bindings, kinds = collect(libraries)
    files = emit_c(bindings, kinds, list(libraries), model)
    for name in ("arguments.c", "bindings.h", "module.c"):
        files[f"bindings/{name}"] = (spec.ROOT / NATIVE / name).read_text(encoding="utf-8")
    files.update(emit_modules(libraries, bindings, kinds))
    return files


def emit(model: Model) -> dict[str, str]:
    return emit_libraries(model.cuda, model)
