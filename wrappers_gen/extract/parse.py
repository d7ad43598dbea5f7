"""Read C headers with libclang: functions, enums, structs, typedefs and object-like macros.

Every header is read twice, as C and as C++17: C says what C programs see, C++ adds what stands behind ``__cplusplus``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from clang.cindex import (
    AvailabilityKind,
    Config,
    Cursor,
    CursorKind,
    Index,
    StorageClass,
    TranslationUnit,
    Type,
    TypeKind,
)

_UNNAMED = re.compile(r"\((unnamed|anonymous)")
#: A macro worth keeping: built of numbers, strings, names and arithmetic.
_MACRO_VALUE = re.compile(r"[\w\s()+*<>|\-.,\"~]+")
_NOT_FACTS = re.compile(r"__|declspec|attribute|static|extern|inline|API$|CALLBACK|assert")


@dataclass
class Facts:
    """What one major's headers declare, by kind and name; the records are those of the spec without majors."""

    functions: dict[str, dict] = field(default_factory=dict)
    enums: dict[str, dict] = field(default_factory=dict)
    structs: dict[str, dict] = field(default_factory=dict)
    typedefs: dict[str, dict] = field(default_factory=dict)
    macros: dict[str, dict] = field(default_factory=dict)


class Parser:
    """Collects facts from translation units that each include one header."""

    def __init__(self, include: list[Path], headers: frozenset[str]) -> None:
        """``include``: the search path; ``headers``: names of the headers (relative to it) whose facts are kept."""
        self.include = include
        self.headers = headers
        self.facts = Facts()

    def read(self, header: str, cxx: bool, defines: tuple[str, ...] = ()) -> None:
        """Add the facts of ``header`` and of the kept headers it includes."""
        args = ["-x", "c++", "-std=c++17"] if cxx else ["-x", "c", "-std=c11"]
        args += [f"-I{p}" for p in self.include] + [f"-D{d}" for d in defines] + _system_includes()
        unit = Index.create().parse(
            "unit.h", args, [("unit.h", f"#include <{header}>\n")],
            TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD | TranslationUnit.PARSE_SKIP_FUNCTION_BODIES)
        errors = [d for d in unit.diagnostics if d.severity >= 3]
        if errors:
            raise ValueError(f"{header} ({'C++' if cxx else 'C'}): {errors[0]}")
        for cursor in unit.cursor.get_children():
            self._top(cursor, cxx)

    def _top(self, cursor: Cursor, cxx: bool) -> None:
        if cursor.kind == CursorKind.LINKAGE_SPEC or cursor.kind == CursorKind.UNEXPOSED_DECL:
            for child in cursor.get_children():
                self._top(child, cxx)
            return
        header = self._header(cursor)
        if header not in self.headers:
            return
        if cursor.kind == CursorKind.FUNCTION_DECL:
            self._function(cursor, header, cxx)
        elif cursor.kind == CursorKind.ENUM_DECL and cursor.is_definition():
            if not _UNNAMED.search(cursor.spelling) and cursor.spelling:
                self._enum(cursor, cursor.spelling, header)
            elif not _typedef_of(cursor):
                self._enum(cursor, "", header)
        elif cursor.kind in (CursorKind.STRUCT_DECL, CursorKind.UNION_DECL, CursorKind.CLASS_DECL):
            if cursor.spelling and not _UNNAMED.search(cursor.spelling):
                self._struct(cursor, cursor.spelling, _tag(cursor), header)
        elif cursor.kind == CursorKind.TYPEDEF_DECL:
            self._typedef(cursor, header)
        elif cursor.kind == CursorKind.MACRO_DEFINITION:
            self._macro(cursor, header)

    def _header(self, cursor: Cursor) -> str:
        file = cursor.location.file
        if file is None:
            return ""
        path = Path(file.name)
        for root in self.include:
            if path.is_relative_to(root):
                return str(path.relative_to(root)).removesuffix("pp") if path.suffix == ".hpp" else str(
                    path.relative_to(root))
        return ""

    def _function(self, cursor: Cursor, header: str, cxx: bool) -> None:
        name = cursor.spelling
        inline = cursor.is_definition() or cursor.storage_class == StorageClass.STATIC
        old = self.facts.functions.get(name)
        if old and (not old["inline"] or inline):
            if cxx and not inline:
                old["defaults"] = _defaults(cursor)
            return  # seen as C already, or a C++ overload of a real function
        self.facts.functions[name] = {
            "ret": cursor.result_type.spelling,
            "params": [[a.spelling, a.type.spelling, a.type.get_canonical().spelling] for a in cursor.get_arguments()],
            "header": header, "cxx": cxx, "inline": inline,
            "deprecated": cursor.availability == AvailabilityKind.DEPRECATED,
            "defaults": _defaults(cursor) if cxx else {},
        }

    def _enum(self, cursor: Cursor, name: str, header: str) -> None:
        values = [[c.spelling, c.enum_value] for c in cursor.get_children() if c.kind == CursorKind.ENUM_CONSTANT_DECL]
        if not name:
            name = f"{Path(header).stem}_{values[0][0]}"
        unsigned = cursor.enum_type.get_canonical().kind == TypeKind.UINT
        self.facts.enums.setdefault(name, {"header": header, "unsigned": unsigned, "values": values})

    def _struct(self, cursor: Cursor, name: str, tag: str, header: str) -> None:
        old = self.facts.structs.get(name)
        if old and (old["layout"] or not cursor.is_definition()):
            return
        self.facts.structs[name] = {
            "header": header, "tag": tag, "union": cursor.kind == CursorKind.UNION_DECL,
            "layout": self._layout(cursor, name, header) if cursor.is_definition() else None,
        }

    def _layout(self, cursor: Cursor, name: str, header: str) -> dict:
        fields = []
        for number, child in enumerate(cursor.type.get_fields()):
            member = "" if _UNNAMED.search(child.spelling) else child.spelling
            bits = child.get_field_offsetof()
            if bits < 0:  # a member of an unnamed member: its place is that of its first named member
                bits = min(_offsets(cursor, child))
            kind = _nested(child.type)
            spelling = child.type.spelling
            if kind is not None:
                inner = f"{name}.{member or number}"
                self._struct(kind, inner, "", header)
                array = re.search(r"(\[\d+\])+$", spelling)
                spelling = ("union " if kind.kind == CursorKind.UNION_DECL else "struct ") + inner
                spelling += array[0] if array else ""
            if child.is_bitfield():
                spelling += f":{child.get_bitfield_width()}"
            fields.append([member, spelling, bits // 8, child.type.get_size()])
        return {"size": cursor.type.get_size(), "align": cursor.type.get_align(), "fields": fields}

    def _typedef(self, cursor: Cursor, header: str) -> None:
        name, under = cursor.spelling, cursor.underlying_typedef_type
        target = under.get_declaration()
        spelling = under.spelling
        unnamed = bool(_UNNAMED.search(target.spelling)) or not target.spelling or (
            target.spelling == name and target.is_anonymous())
        if target.kind == CursorKind.ENUM_DECL and unnamed:
            self._enum(target, name, header)
            spelling = f"enum {name}"
        elif target.kind in (CursorKind.STRUCT_DECL, CursorKind.UNION_DECL) and unnamed:
            self._struct(target, name, "", header)
            spelling = f"{'union' if target.kind == CursorKind.UNION_DECL else 'struct'} {name}"
        if name in self.facts.typedefs:
            return
        canon = under.get_canonical().spelling
        self.facts.typedefs[name] = {
            "type": spelling, "canon": name if _UNNAMED.search(canon) else canon, "header": header}

    def _macro(self, cursor: Cursor, header: str) -> None:
        tokens = [t.spelling for t in cursor.get_tokens()]
        name = cursor.spelling
        if len(tokens) < 2 or _function_like(cursor):
            return
        value = _join(tokens[1:])
        if name.startswith("_") or not _MACRO_VALUE.fullmatch(value) or _NOT_FACTS.search(value):
            wrapped = re.fullmatch(r"__CUDART_API_PT[DS][SZ]\((\w+)\)", value)
            if not wrapped:
                return
            value = wrapped[1]
        self.facts.macros[name] = {"header": header, "value": value}


def _tag(cursor: Cursor) -> str:
    """The tag written in the source; libclang gives an unnamed struct the name of its typedef."""
    tokens = [t.spelling for t in cursor.get_tokens()]
    if not tokens or tokens[0] not in ("struct", "union") or "{" not in tokens:
        return cursor.spelling  # declared only, or by a macro
    before = tokens[tokens.index("{") - 1]
    return "" if before in ("struct", "union", ")") else cursor.spelling


def _nested(kind: Type) -> Cursor | None:
    """The declaration of an unnamed struct or union type (or of an array of it)."""
    while kind.kind == TypeKind.CONSTANTARRAY:
        kind = kind.element_type
    target = kind.get_canonical().get_declaration()
    if target.kind in (CursorKind.STRUCT_DECL, CursorKind.UNION_DECL) and (
            target.is_anonymous() or _UNNAMED.search(target.spelling) or not target.spelling):
        return target if kind.kind in (TypeKind.ELABORATED, TypeKind.RECORD) and _UNNAMED.search(
            kind.spelling) else None
    return None


def _offsets(outer: Cursor, member: Cursor) -> list[int]:
    names = [f.spelling for f in member.type.get_canonical().get_fields() if not _UNNAMED.search(f.spelling)]
    return [o for o in (outer.type.get_offset(n) for n in names) if o >= 0] or [0]


def _typedef_of(cursor: Cursor) -> bool:
    """Whether an unnamed enum gets its name from a typedef that follows it (``typedef enum {...} name``)."""
    kind = cursor.type
    for sibling in cursor.semantic_parent.get_children():
        if sibling.kind == CursorKind.TYPEDEF_DECL and sibling.underlying_typedef_type.get_declaration() == cursor:
            return True
    return kind is None


def _defaults(cursor: Cursor) -> dict[str, str]:
    """Default arguments by parameter, as C++ sees them (written as a macro in the headers)."""
    text = " ".join(t.spelling for t in cursor.get_tokens())
    found = re.findall(r"(\w+) (?:__dv \( (.+?) \)|= (.+?))(?= [,)])", text)
    return {name: (a or b).replace(" ", "") for name, a, b in found}


def _function_like(cursor: Cursor) -> bool:
    tokens = list(cursor.get_tokens())
    return len(tokens) > 1 and tokens[1].spelling == "(" and tokens[1].extent.start == tokens[0].extent.end


def _join(tokens: list[str]) -> str:
    text = ""
    for token in tokens:
        if text and re.match(r"\w", token) and re.search(r"\w$", text):
            text += " "
        elif token in ("+", "*", "|", "-", "<<") and text and not text.endswith("("):
            text += f" {token} "
            continue
        text += token
    return text.strip()


def _system_includes() -> list[str]:
    """libclang's wheel has no builtin headers: gcc's or clang's own stand in."""
    found = sorted(Path("/usr/lib/clang").glob("*/include")) + sorted(Path("/usr/lib/gcc").glob("x86_64*/*/include"))
    return ["-isystem", str(found[-1])] if found else []


def use_library(path: str) -> None:
    """Use another libclang than the one of the Python package."""
    Config.set_library_file(path)
