"""ROCm's C ABI as scale-x declares it, and the table of function pointers through which it is called.

``rocm/scalex/rocm_<library>.h``   types, enums and functions of one AMD library (C++, standard headers only)
``rocm/scalex/rocm_table.h``       ``struct sx_rocm_table`` and the list ``SX_ROCM_FUNCTIONS(X)``

Names that CUDA's headers use as well (``dim3``) get the prefix ``sx_hip_``, so that a wrapper can include both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .. import rocm_spec
from ..model import Model
from .text import banner

#: which declarations a library's header builds upon
NEEDS = {
    "hip": (), "rocblas": ("hip",), "rocsolver": ("rocblas",), "hipblaslt": ("hip",), "hipfft": ("hip",),
    "hiprtc": ("hip",), "rocsparse": ("hip",),
}  # fmt: skip
#: names CUDA's headers define too
RENAMED = {"dim3": "sx_hip_dim3", "textureReference": "sx_hip_textureReference",
           "surfaceReference": "sx_hip_surfaceReference"}  # fmt: skip
#: types of HIP's C++ headers that the C ABI mentions: what they are in memory
_PLAIN = """\
struct hipFloatComplex { float x, y; };
struct hipDoubleComplex { double x, y; };
typedef hipFloatComplex hipComplex;
struct hip_bfloat16 { uint16_t data; };
"""
_BUILTIN = {
    "void", "char", "int", "unsigned", "signed", "short", "long", "float", "double", "bool", "_Bool", "const", "struct",
    "enum", "union", "size_t", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
    "hipComplex", "hipDoubleComplex", "hipFloatComplex", "hip_bfloat16", "va_list",
}  # fmt: skip
_WORD = re.compile(r"[A-Za-z_]\w*")


def c_type(text: str) -> str:
    """A type of the spec in C++, CUDA's names renamed."""
    text = text.replace("_Bool", "bool")
    return _WORD.sub(lambda m: RENAMED.get(m[0], m[0]), text)


def declarator(type_: str, name: str) -> str:
    """``type_`` applied to ``name``: arrays and function pointers go around it."""
    type_ = c_type(type_)
    if "(*)" in type_:
        return type_.replace("(*)", f"(*{name})", 1)
    bare, bracket, rest = type_.partition("[")
    space = "" if bare.endswith("*") else " "
    return f"{bare.rstrip()}{space}{name}{bracket}{rest}"


def parameters(f: rocm_spec.Function) -> str:
    listed = [declarator(p.type, p.name) for p in f.params]
    return ", ".join(listed + ["..."] * f.variadic)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text))


def _in_order(items: dict[str, set[str]]) -> Iterator[str]:
    """Names sorted, each after those it needs."""
    done: set[str] = set()

    def visit(name: str) -> Iterator[str]:
        if name in done:
            return
        done.add(name)
        for other in sorted(items[name]):
            if other in items and other != name:
                yield from visit(other)
        yield name

    for name in sorted(items):
        yield from visit(name)


def _enum(e: rocm_spec.Enum) -> Iterator[str]:
    values = e.newest()
    kind = "uint32_t" if any(v > 0x7FFFFFFF for v in values.values()) else "int32_t"
    yield f"enum {e.name} : {kind} {{"
    for name, value in values.items():
        yield f"  {name} = {value}{'u' if value > 0x7FFFFFFF else ''},"
    yield "};"


def is_union(s: rocm_spec.Struct) -> bool:
    return len(s.fields) > 1 and {f.offset for f in s.fields if ":" not in f.type} == {0}


def _struct(s: rocm_spec.Struct, tag: str, opaque: set[str]) -> Iterator[str]:
    """Definition with every byte accounted for; members without a name or of a type in ``opaque`` are bytes."""
    name, union = c_type(tag), is_union(s)
    yield f"{'union' if union else 'struct'} {name} {{"
    end = 0
    for f in sorted(s.fields, key=lambda f: f.offset):
        if not union and f.offset - end >= 8:
            yield f"  unsigned char sx_unnamed_{end}[{f.offset - end}];"
        if f.type in ("struct {}", "union {}") or ("*" not in f.type and _words(f.type) & opaque):
            yield f"  alignas({min(s.align, f.size & -f.size, 8)}) unsigned char {f.name}[{f.size}];"
        elif ":" in f.type:
            base, width = f.type.split(":")
            yield f"  {base} {f.name} : {width};"
        else:
            yield f"  {declarator(f.type, f.name)};"
        end = f.offset + f.size
    if not union and end and s.size - end >= s.align:
        yield f"  unsigned char sx_unnamed_{end}[{s.size - end}];"
    yield "};"
    yield f'static_assert(sizeof({name}) == {s.size}, "layout of {name}");'


class _Header:
    """One library's header, given what the headers below it define already."""

    def __init__(self, lib: rocm_spec.Library, known: set[str]) -> None:
        self.lib, self.known = lib, known

    def types(self) -> Iterator[str]:
        lib, known = self.lib, self.known
        for e in sorted(lib.enums.values(), key=lambda e: e.name):
            if e.name not in known:
                yield from _enum(e)
        known.update(lib.enums)
        structs = {s.tag or s.name: s for s in lib.structs.values() if (s.tag or s.name) not in known}
        unions = {t for t, s in structs.items() if is_union(s)}
        undeclared = self._tags() - known - set(structs)
        for tag in sorted(set(structs) | undeclared):
            yield f"{'union' if tag in unions else 'struct'} {c_type(tag)};"
        known.update(structs, undeclared)
        yield from self._typedefs()
        complete = {t: s for t, s in structs.items() if s.size and s.fields}
        aliases = {t.name: _words(t.canon) for t in lib.typedefs.values()}
        needs = {}
        for tag, s in complete.items():
            used: set[str] = set()
            for f in s.fields:
                if "*" not in f.type:
                    for w in _words(f.type):
                        used |= {w} | aliases.get(w, set())
            needs[tag] = used & set(complete)
        for tag in _in_order(needs):
            yield from _struct(complete[tag], tag, undeclared)

    def _tags(self) -> set[str]:
        """Structs that are only ever pointed to."""
        found = set()
        texts = [t.type for t in self.lib.typedefs.values()]
        texts += [p.type for f in self.lib.functions.values() for p in f.params]
        texts += [f.type for s in self.lib.structs.values() for f in s.fields]
        for text in texts:
            found |= set(re.findall(r"\bstruct (\w+)", text))
        return found

    def _typedefs(self) -> Iterator[str]:
        wanted = {}
        for t in self.lib.typedefs.values():
            plain = re.sub(r"\b(struct|enum|union) ", "", t.type).strip()
            if t.name in self.known or t.name in _BUILTIN or "::" in t.type:
                continue
            if plain == t.name:
                self.known.add(t.name)
                continue
            wanted[t.name] = t
        for name in _in_order({n: _words(t.type) for n, t in wanted.items()}):
            if _words(wanted[name].type) - _BUILTIN - self.known - set(wanted):
                continue  # of a type that nothing declares
            text = re.sub(r"\b(struct|enum|union) (?=\w)", "", wanted[name].type)
            yield f"typedef {declarator(text, c_type(name))};"
            self.known.add(name)

    def macros(self) -> Iterator[str]:
        for m in sorted(self.lib.macros.values(), key=lambda m: m.name):
            if re.match(r"^(hip|HIP_)[A-Za-z0-9_]*$", m.name) and re.fullmatch(r"-?(0x[0-9a-fA-F]+|\d+)", m.value):
                if not m.name.startswith("HIP_VERSION"):
                    yield f"#define {m.name} {m.value}"
            elif m.value in self.lib.functions or m.value in self.known:
                yield f"#define {m.name} {m.value}"

    def functions(self) -> Iterator[str]:
        yield 'extern "C" {'
        for f in sorted(self.lib.functions.values(), key=lambda f: f.name):
            if declarable(f, self.known):
                yield f"{declarator(f.ret, f.name)}({parameters(f)});"
        yield "}"


def declarable(f: rocm_spec.Function, known: set[str]) -> bool:
    words = set().union(_words(f.ret), *(_words(p.type) for p in f.params))
    return not f.unknown and not words - _BUILTIN - known


def _header(lib: rocm_spec.Library, known: set[str]) -> str:
    h = _Header(lib, known)
    lines = [banner(f"rocm/spec/{lib.name}.jsonl"), "#pragma once", ""]
    if NEEDS[lib.name]:
        lines += [f'#include "scalex/rocm_{n}.h"' for n in NEEDS[lib.name]]
    else:
        lines += ["#include <stddef.h>", "#include <stdint.h>", "", _PLAIN.rstrip()]
    lines += ["", *h.types(), "", *h.macros(), "", *h.functions()]
    return "\n".join(lines) + "\n"


def known_types(model: Model, name: str) -> set[str]:
    """Every type name that the headers below ``name`` declare."""
    known: set[str] = set()
    for n in NEEDS[name]:
        known |= known_types(model, n)
        lib = model.rocm[n]
        known |= set(lib.enums) | set(lib.typedefs) | set(lib.structs) | {s.tag for s in lib.structs.values()}
    return known


# Tabled whole, so that a new row does not change the table, on which every wrapper depends.
WHOLE = ("hip", "rocblas", "rocsolver", "hipblaslt", "hiprtc")


def table(model: Model) -> list[tuple[str, rocm_spec.Function]]:
    """(library, function), sorted by name: all of the libraries in WHOLE, and what is used of the rest."""
    found: dict[str, tuple[str, rocm_spec.Function]] = {}
    used = model.rocm_used
    for name in rocm_spec.LIBRARIES:
        known = known_types(model, name)
        lib = model.rocm[name]
        known |= set(lib.enums) | set(lib.typedefs) | set(lib.structs) | {s.tag for s in lib.structs.values()}
        for f in lib.functions.values():
            if (
                f.name not in found
                and declarable(f, known)
                and (name in WHOLE or f.name in used)
            ):
                found[f.name] = (name, f)
    return [found[n] for n in sorted(found)]


def _table(rows: list[tuple[str, rocm_spec.Function]]) -> str:
    libraries = [n for n in rocm_spec.LIBRARIES if any(lib == n for lib, _ in rows)]
    lines = [
        banner("rocm/spec/*.jsonl and the rows"), "#pragma once", "",
        *(f'#include "scalex/rocm_{n}.h"' for n in libraries), "",
        "// One pointer per ROCm function; NULL where this ROCm lacks it.",
        "struct sx_rocm_table {",
        "  int version;       // release of ROCm, 100 * major + minor; 0 before a provider is loaded",
        "  const char* arch;  // \"gfx942\"; \"\" before a provider is loaded",
        *(f"  decltype(&::{f.name}) {f.name};" for _, f in rows),
        "};", "",
        "// X(function, library, since, removed): 100 * major + minor of ROCm; 507: 5.7 or older; removed 0: never.",
        f"#define SX_ROCM_FUNCTION_COUNT {len(rows)}",
        "#define SX_ROCM_FUNCTIONS(X) \\",
        *(f"  X({f.name}, {lib}, {rocm_spec.number(f.since)}, "
          f"{rocm_spec.number(f.removed) if f.removed else 0}) \\" for lib, f in rows),
        "", "",
        "// X(library) for each library of the list above.",
        "#define SX_ROCM_LIBRARIES(X) " + " ".join(f"X({n})" for n in libraries),
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _lists(names: Iterable[str]) -> Iterable[str]:
    return (n for n in rocm_spec.LIBRARIES if n in set(names))


def emit(model: Model) -> dict[str, str]:
    out = {}
    for name in _lists(model.rocm):
        out[f"rocm/scalex/rocm_{name}.h"] = _header(model.rocm[name], known_types(model, name))
    out["rocm/scalex/rocm_table.h"] = _table(table(model))
    return out
