"""The C headers that people compile against, written from the facts in the spec alone.

``include/{11,12,13}/*.h`` are the headers of one CUDA release each: the names, types, values, macros and renames that
NVIDIA's headers of that release have. ``include/all/*.h`` are what the wrappers compile against: every function once,
in its newest signature; every enumerator, with its newest value; no renames, so that both ``cublasSgemm`` (legacy) and
``cublasSgemm_v2`` can be defined; a struct with an older layout as well as ``<name>_cuda<major>``.

What is not a declaration (inline functions, C++ overloads, the storage types of half precision) is written by people in
``inline/<header>`` beside this file, and stands at the end of the header.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from .. import spec
from .c_text import DIM3, compute_type_overloads, declare, init, make_vectors, prototype

BANNER = "/* Emitted by scale-x from its spec of CUDA-X's interface. Do not edit. */\n"
INLINE = Path(__file__).parent / "inline"
#: header -> (include guard, headers it includes). Programs test some guards, so they are those of the field.
HEADERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "crt/host_defines.h": ("__HOST_DEFINES_H__", ()),
    "host_defines.h": ("SCALEX_HOST_DEFINES_H", ("crt/host_defines.h",)),
    "vector_types.h": ("__VECTOR_TYPES_H__", ("crt/host_defines.h",)),
    "vector_functions.h": ("__VECTOR_FUNCTIONS_H__", ("vector_types.h",)),
    "device_types.h": ("__DEVICE_TYPES_H__", ("crt/host_defines.h",)),
    "driver_types.h": ("__DRIVER_TYPES_H__", ("crt/host_defines.h", "vector_types.h", "<limits.h>", "<stddef.h>")),
    "driver_functions.h": ("__DRIVER_FUNCTIONS_H__", ("driver_types.h",)),
    "surface_types.h": ("__SURFACE_TYPES_H__", ("driver_types.h",)),
    "texture_types.h": ("__TEXTURE_TYPES_H__", ("driver_types.h",)),
    "builtin_types.h": ("SCALEX_BUILTIN_TYPES_H", ("device_types.h", "driver_types.h", "surface_types.h",
                                                   "texture_types.h", "vector_types.h")),
    "library_types.h": ("__LIBRARY_TYPES_H__", ()),
    "cuComplex.h": ("CU_COMPLEX_H_", ("<math.h>", "vector_types.h")),
    "cuda_fp16.h": ("__CUDA_FP16_H__", ("<string.h>", "vector_types.h")),
    "cuda_bf16.h": ("__CUDA_BF16_H__", ("<string.h>", "cuda_fp16.h")),
    "cuda_runtime_api.h": ("__CUDA_RUNTIME_API_H__", ("crt/host_defines.h", "builtin_types.h", "<limits.h>",
                                                      "<stddef.h>")),
    "cuda_profiler_api.h": ("__CUDA_PROFILER_API_H__", ("cuda_runtime_api.h",)),
    "channel_descriptor.h": ("__CHANNEL_DESCRIPTOR_H__", ("cuda_runtime_api.h",)),
    "cuda_runtime.h": ("__CUDA_RUNTIME_H__", ("builtin_types.h", "library_types.h", "channel_descriptor.h",
                                              "cuda_runtime_api.h", "driver_functions.h", "vector_functions.h")),
    "cublas_api.h": ("CUBLAS_API_H_", ("<stdint.h>", "driver_types.h", "cuComplex.h", "cuda_fp16.h", "cuda_bf16.h",
                                       "library_types.h")),
    "cublas_v2.h": ("CUBLAS_V2_H_", ("cublas_api.h",)),
    "cublas.h": ("CUBLAS_H_", ("cuda_runtime.h", "cublas_api.h")),
    "cublasXt.h": ("CUBLAS_XT_H_", ("driver_types.h", "cuComplex.h", "cublas_v2.h")),
    "cublasLt.h": ("SCALEX_CUBLASLT_H", ("cublas_api.h", "<stdint.h>", "<stddef.h>", "<stdio.h>")),
    "nvblas.h": ("NVBLAS_H_", ("driver_types.h", "cuComplex.h")),
    "cusparse.h": ("CUSPARSE_H_", ("cuComplex.h", "cuda_runtime_api.h", "library_types.h", "<stdint.h>",
                                   "<stdio.h>")),
    "cusolver_common.h": ("CUSOLVER_COMMON_H_", ("library_types.h", "<stdint.h>")),
    "cusolverDn.h": ("CUSOLVERDN_H_", ("<stdint.h>", "<stdio.h>", "driver_types.h", "cuComplex.h", "cublas_v2.h",
                                       "cusolver_common.h", "library_types.h")),
    "cusolverSp.h": ("CUSOLVERSP_H_", ("driver_types.h", "cuComplex.h", "cusparse.h", "cublas_v2.h",
                                       "cusolver_common.h")),
    "cusolverSp_LOWLEVEL_PREVIEW.h": ("CUSOLVERSP_LOWLEVEL_PREVIEW_H_", ("cusolverSp.h",)),
    "cusolverRf.h": ("CUSOLVERRF_H_", ("driver_types.h", "cuComplex.h", "cusolver_common.h")),
    "cusolverMg.h": ("CUSOLVERMG_H_", ("<stdint.h>", "cuda_runtime.h", "cusolverDn.h")),
    "cudalibxt.h": ("_CUDA_LIB_XT_H_", ("cuda_runtime.h",)),
    "cufft.h": ("_CUFFT_H_", ("cuComplex.h", "driver_types.h", "library_types.h")),
    "cufftXt.h": ("_CUFFTXT_H_", ("cudalibxt.h", "cufft.h", "<stdio.h>")),
    "cufft_device.h": ("SCALEX_CUFFT_DEVICE_H", ("cufft.h",)),
    "cufftw.h": ("_CUFFTW_H_", ("<stdio.h>", "cufft.h")),
}
#: Headers that only some majors have.
ONLY = {"cufft_device.h": (13,)}
#: Calling-convention and linkage macros that programs and other headers name; they say nothing on Linux.
EMPTY_MACROS = {
    "cublas_api.h": ("CUBLASAPI", "CUBLASWINAPI"), "cublasXt.h": (), "cusolver_common.h": ("CUSOLVERAPI",),
    "cufft.h": ("CUFFTAPI",), "cusparse.h": ("CUSPARSEAPI",), "nvblas.h": ("NVBLASAPI",),
}
#: The types of these headers are written by hand.
BY_HAND = ("cuda_fp16.h", "cuda_bf16.h")
ALL = 0  # stands for "every major" where a major is asked for


class Facts:
    """The spec of every library, by header."""

    def __init__(self) -> None:
        self.libraries = [spec.load(name) for name in spec.LIBRARIES]
        self.structs: dict[str, spec.Struct] = {}
        self.typedefs: dict[str, spec.Typedef] = {}
        self.by_header: dict[str, dict[str, list]] = {h: {} for h in HEADERS}
        for library in self.libraries:
            self.structs.update(library.structs)
            self.typedefs.update(library.typedefs)
            for kind in ("functions", "enums", "structs", "typedefs", "macros"):
                for record in getattr(library, kind).values():
                    if record.header:
                        self.by_header[record.header].setdefault(kind, []).append(record)


@cache
def facts() -> Facts:
    return Facts()


def emit(model: object = None) -> dict[str, str]:
    """Every header of every major, by path. The facts are the checked-in spec; ``model`` is not needed."""
    out = {}
    for major in (*spec.MAJORS, ALL):
        folder = f"include/{major or 'all'}"
        for header in HEADERS:
            if major in (*ONLY.get(header, (major,)), ALL):
                out[f"{folder}/{header}"] = Header(header, major).text()
    return out


class Header:
    """One header of one major (or of all)."""

    def __init__(self, name: str, major: int) -> None:
        self.name = name
        self.major = major
        self.records = facts().by_header[name]

    def has(self, majors: Iterable[int]) -> bool:
        return self.major == ALL or self.major in majors

    def text(self) -> str:
        guard, includes = HEADERS[self.name]
        parts = [BANNER, f"#ifndef {guard}\n#define {guard}\n"]
        if self.major != ALL and self.name in ("cublas.h", "cublas_v2.h"):
            other = {"cublas.h": "CUBLAS_V2_H_", "cublas_v2.h": "CUBLAS_H_"}[self.name]
            parts.append(f'#ifdef {other}\n#error "cublas.h and cublas_v2.h exclude each other"\n#endif\n')
        parts.append("".join(f"#include {i}\n" if i.startswith("<") else f'#include "{i}"\n' for i in includes))
        for macro in EMPTY_MACROS.get(self.name, ()):
            parts.append(f"#ifndef {macro}\n#define {macro}\n#endif\n")
        parts.append(self._macros())
        declarations = "" if self.name in BY_HAND else self._forward() + self._types() + self._functions()
        if declarations:
            parts.append(f'#ifdef __cplusplus\nextern "C" {{\n#endif\n{declarations}#ifdef __cplusplus\n}}\n#endif\n')
        parts.append(self._inline())
        parts.append(self._renames())
        parts.append(f"#endif /* {guard} */\n")
        return "\n".join(p for p in parts if p)

    # -- macros

    def _macros(self) -> str:
        if self.major == ALL and self.name == "cublas_v2.h":
            return ""
        lines = []
        for macro in self.records.get("macros", ()):
            value = macro.value[max(macro.value)] if self.major == ALL else macro.value.get(self.major)
            if value is not None:
                lines.append(f"#define {macro.name} {value}\n")
        return "".join(lines)

    def _renames(self) -> str:
        """``#define cublasSgemm cublasSgemm_v2``."""
        if self.major == ALL:
            return ""
        source = {"cublas_v2.h": "cublas_api.h"}.get(self.name, self.name)
        if source == "cublas_api.h" and self.name == source:
            return ""
        pairs = [(alias, f.name) for f in facts().by_header[source].get("functions", ())
                 for alias, majors in f.aliases.items() if self.major in majors]
        return "".join(f"#define {alias} {name}\n" for alias, name in sorted(pairs))

    # -- types

    def _forward(self) -> str:
        """Every struct that the header mentions by tag, declared before it is used in a parameter list."""
        texts = [p.type for f in self._declared() for p in f.params]
        texts += [t.type for t in self.records.get("typedefs", ()) if self.has(t.majors)]
        texts += [f.type for s in self.records.get("structs", ()) for x in self._layouts(s)
                  for f in _flat(x, self._release(x))]
        found = set()
        for text in texts:
            found.update(re.findall(r"\b(?:struct|union) [A-Za-z_]\w*(?![\w.])", text))
        found.update(f"{'union' if s.union else 'struct'} {s.name}" for s in self.records.get("structs", ())
                     if s.tag and "." not in s.name and (self._layouts(s) or not s.layouts))
        unions = {s.name for s in facts().structs.values() if s.union}
        found = {t for t in found if t.startswith("union") or t.partition(" ")[2] not in unions}
        return "".join(f"{t};\n" for t in sorted(found))

    def _layouts(self, struct: spec.Struct) -> list[spec.Layout]:
        """The layout in this header; in the headers of all majors the newest, then the older ones."""
        if self.major == ALL:
            return sorted(struct.layouts, key=lambda x: -max(x.majors))
        return [x for x in struct.layouts if self.major in x.majors]

    def _release(self, layout: spec.Layout) -> int:
        """The major whose unnamed members go with ``layout``: outer layouts may agree where inner ones differ."""
        return self.major or max(layout.majors)

    def _types(self) -> str:
        """Enums, structs and typedefs in an order in which each stands after what it needs."""
        nodes: dict[tuple[str, str], object] = {}
        for kind in ("enums", "typedefs", "structs"):
            for record in self.records.get(kind, ()):
                if kind == "structs":
                    if "." not in record.name and self._layouts(record):
                        nodes[kind, record.name] = record
                elif self.has(record.majors):
                    nodes[kind, record.name] = record
        done: set[tuple[str, str]] = set()
        out: list[str] = []

        def visit(key: tuple[str, str]) -> None:
            if key in done or key not in nodes:
                return
            done.add(key)
            for needed in self._needs(*key, nodes[key]):
                visit(needed)
            out.append(self._type(*key, nodes[key]))

        for key in nodes:
            visit(key)
        return "".join(out)

    def _needs(self, kind: str, name: str, record: object) -> Iterable[tuple[str, str]]:
        if isinstance(record, spec.Typedef):
            yield from ((k, word) for word in re.findall(r"\w+", record.type) for k in ("typedefs", "enums")
                        if word != name)
        if isinstance(record, spec.Struct):
            if name == "dim3":
                yield from (("structs", "uint3"), ("typedefs", "uint3"))
            for layout in self._layouts(record):
                for field in _flat(layout, self._release(layout)):
                    for word in re.findall(r"\w+", field.type):
                        yield from ((k, word) for k in ("typedefs", "enums"))
                        if "*" not in field.type:
                            yield "structs", word
                            under = facts().typedefs.get(word)
                            if under and "*" not in under.canon:
                                yield from (("structs", w) for w in re.findall(r"\w+", under.canon))

    def _type(self, kind: str, name: str, record: object) -> str:
        if isinstance(record, spec.Enum):
            return self._enum(record)
        if isinstance(record, spec.Typedef):
            if record.type.partition(" ")[2] == name and record.type.partition(" ")[0] in ("enum", "struct", "union"):
                return "" if record.type.startswith("enum") else f"typedef {record.type} {name};\n"
            return f"typedef {declare(record.type, name)};\n"
        assert isinstance(record, spec.Struct)
        out = []
        for i, layout in enumerate(self._layouts(record)):
            suffix = f"_cuda{max(layout.majors)}" if i else ""
            if suffix:
                out.append(f"{'union' if record.union else 'struct'} {name}{suffix}")
                out.append(f"{_body(layout, self._release(layout), 0)};\n")
                out.append(f"typedef {'union' if record.union else 'struct'} {name}{suffix} {name}{suffix};\n")
            else:
                body = f"{_body(layout, self._release(layout), 0)}{_aligned(record, layout)};\n"
                out.append(DIM3 if name == "dim3" else f"{'union' if record.union else 'struct'} {name}{body}")
        return "".join(out)

    def _enum(self, enum: spec.Enum) -> str:
        newest: dict[str, tuple[int, int]] = {}
        for e in enum.values:
            if self.has(e.majors) and (e.name not in newest or max(e.majors) > newest[e.name][0]):
                newest[e.name] = (max(e.majors), e.value)
        lines = ",\n".join(f"    {n} = {v}{'u' if v > 0x7FFFFFFF else ''}" for n, (_, v) in newest.items())
        typedef = facts().typedefs.get(enum.name)
        if typedef and typedef.type == f"enum {enum.name}" and self.has(typedef.majors):
            return f"typedef enum {enum.name} {{\n{lines}\n}} {enum.name};\n"
        return f"enum {enum.name} {{\n{lines}\n}};\n"

    # -- functions

    def _declared(self) -> list[spec.Function]:
        return [f for f in self.records.get("functions", ())
                if not f.inline and self.has(f.declared) and (self.major, f.name) != (12, "cufftXtSetJITCallback")]

    def _functions(self) -> str:
        plain: list[str] = []
        cxx: list[str] = []
        for f in self._declared():
            ret, params = f.variants.get(self.major, (f.ret, f.params))
            deprecated = self.major != ALL and self.major in f.deprecated
            text = f"{'SCALEX_DEPRECATED ' if deprecated else ''}{prototype(ret, f, params)};\n"
            (cxx if f.cxx else plain).append(text)
        if cxx:
            plain += ["#ifdef __cplusplus\n", *cxx, "#endif\n"]
        return "".join(plain)

    # -- inline functions

    def _inline(self) -> str:
        parts = []
        if self.name == "cublasLt.h":
            parts += [init(f) for f in self.records["functions"] if f.inline and self.has(f.declared)]
        if self.name == "vector_functions.h":
            parts.append(make_vectors(facts().by_header["vector_types.h"]["structs"]))
        if self.name == "cublas_api.h":
            parts.append((INLINE / self.name).read_text(encoding="utf-8"))
            parts.append(compute_type_overloads(self.records["functions"]))
            if self.major in (13, ALL):
                parts.append((INLINE / "cublas_emulation.h").read_text(encoding="utf-8"))
        elif self.name == "cufftXt.h" and self.major == 12:
            (f,) = (f for f in self.records["functions"] if f.name == "cufftXtSetJITCallback")
            call = ", ".join(p.name for p in f.params)
            parts.append(f"#ifndef CUFFT_NO_INLINE\nstatic inline {prototype(f.ret, f, f.params)}\n{{\n"
                         f"    return __cufftXtSetJITCallback_12_7({call});\n}}\n#endif\n")
        elif (INLINE / self.name).is_file():
            parts.append((INLINE / self.name).read_text(encoding="utf-8"))
        return "\n".join(parts)


def _flat(layout: spec.Layout, major: int) -> Iterable[spec.Field]:
    """The fields of a layout and of the unnamed structs and unions in it."""
    for field in layout.fields:
        inner = _nested(field, major)
        if inner:
            yield from _flat(inner[1], major)
        else:
            yield field


def _nested(field: spec.Field, major: int) -> tuple[spec.Struct, spec.Layout] | None:
    """The unnamed struct or union that is the type of ``field``, as release ``major`` has it."""
    match = re.match(r"(?:struct|union) (\w+(?:\.\w+)+)", field.type)
    if not match:
        return None
    struct = facts().structs[match[1]]
    return struct, next(x for x in struct.layouts if major in x.majors)


def _body(layout: spec.Layout, major: int, depth: int) -> str:
    pad = "    " * (depth + 1)
    lines = []
    for field in layout.fields:
        inner = _nested(field, major)
        if inner:
            kind = "union" if inner[0].union else "struct"
            array = re.search(r"(\[\d+\])+$", field.type)
            name = f" {field.name}{array[0] if array else ''}" if field.name else ""
            lines.append(f"{pad}__extension__ {kind}{_body(inner[1], major, depth + 1)}{name};\n")
            continue
        kind, _, bits = field.type.partition(":")
        lines.append(f"{pad}{declare(kind, field.name)}{' : ' + bits if bits else ''};\n")
    return f" {{\n{''.join(lines)}{'    ' * depth}}}"


def _aligned(struct: spec.Struct, layout: spec.Layout) -> str:
    """Vector types are aligned to more than their members."""
    if struct.header == "vector_types.h" and layout.align > layout.fields[0].size:
        return f" __attribute__((aligned({layout.align})))"
    return ""
