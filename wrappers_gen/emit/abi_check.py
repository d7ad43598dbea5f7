"""A C program that compiles only against headers with the sizes, offsets, values and signatures of the spec."""

from __future__ import annotations

from collections.abc import Iterable

from .. import spec
from .headers import ALL, BY_HAND, HEADERS, ONLY, Facts, _nested, facts


def source(major: int, headers: Iterable[str], *, cxx: bool = False) -> str:
    """Assertions about everything that ``headers`` declare in ``major`` (0: all). In C++ (``cxx``) without offsets,
    because members may be protected, and without signatures, because functions may be overloaded."""
    headers = list(headers)
    lines = [f"#include <{h}>" for h in headers] + ["#include <stddef.h>"]
    lines.append("#define CHECK(x) " + ("static_assert(x, #x)" if cxx else "_Static_assert(x, #x)"))
    known = facts()
    for header in headers:
        records = known.by_header[header]
        for enum in records.get("enums", ()):
            lines += [f"CHECK({name} == {value});" for name, value in _values(enum, major).items()]
        for struct in records.get("structs", ()):
            lines += _struct(known, struct, major, cxx)
        if not cxx:
            lines += _signatures(known, header, major)
    return "\n".join(lines) + "\n"


def checked_headers(major: int, *, cxx: bool = False) -> list[str]:
    """Headers that can be included together: all but cublas.h, which excludes cublas_v2.h in a single release."""
    return [h for h in HEADERS
            if not (h == "cublas.h" and major != ALL)
            and (cxx or h not in ONLY) and major in (*ONLY.get(h, (major,)), ALL)]


def _values(enum: spec.Enum, major: int) -> dict[str, int]:
    newest: dict[str, tuple[int, int]] = {}
    for e in enum.values:
        if major == ALL or major in e.majors:
            newest[e.name] = max(newest.get(e.name, (0, 0)), (max(e.majors), e.value))
    return {name: value for name, (_, value) in newest.items()}


def _struct(known: Facts, struct: spec.Struct, major: int, cxx: bool) -> Iterable[str]:
    layouts = [x for x in struct.layouts if major == ALL or major in x.majors]
    if "." in struct.name or not layouts:
        return
    for i, layout in enumerate(sorted(layouts, key=lambda x: -max(x.majors))):
        name = struct.name + (f"_cuda{max(layout.majors)}" if i else "")
        if struct.tag and struct.header not in BY_HAND:
            name = f"{'union' if struct.union else 'struct'} {name}"
        yield f"CHECK(sizeof({name}) == {layout.size} && _Alignof({name}) == {layout.align});" if not cxx else (
            f"CHECK(sizeof({name}) == {layout.size} && alignof({name}) == {layout.align});")
        if not cxx:
            for path, offset in _paths(layout, major or max(layout.majors), "", 0):
                yield f"CHECK(offsetof({name}, {path}) == {offset});"


def _paths(layout: spec.Layout, major: int, prefix: str, base: int) -> Iterable[tuple[str, int]]:
    """Every member as a path from the outermost struct; those of an unnamed member belong to the struct around it."""
    for field in layout.fields:
        if ":" in field.type:
            continue
        path = f"{prefix}.{field.name}".strip(".") if field.name else prefix
        if field.name:
            yield path, base + field.offset
        inner = _nested(field, major)
        if inner and "[" not in field.type:
            yield from _paths(inner[1], major, path, base + field.offset)


def _signatures(known: Facts, header: str, major: int) -> Iterable[str]:
    for f in known.by_header[header].get("functions", ()):
        if f.inline or f.cxx or not (major == ALL or major in f.declared) or f.name == "cufftXtSetJITCallback":
            continue
        ret, params = f.variants.get(major, (f.ret, f.params))
        types = ", ".join(p.canon for p in params) or "void"
        yield f"CHECK(__builtin_types_compatible_p(__typeof__({f.name}), {ret}({types})));"
