"""Names of C types as the two specs spell them, compared and classified."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .. import spec
from ..expr import Var

_INTEGERS = {
    "char": 8, "signed char": 8, "short": 16, "int": 32, "unsigned char": 9, "unsigned short": 17, "unsigned int": 33,
    "unsigned": 33, "long": 64, "long long": 64, "unsigned long": 65, "unsigned long long": 65,
}  # fmt: skip
_REALS = ("float", "double", "_Float16", "long double")


def tag(type_: str) -> str:
    """A type without ``struct``, ``enum``, qualifiers of its own and array brackets: ``float *const []`` -> pointer."""
    text = re.sub(r"\b(struct|enum|union) ", "", type_)
    text = re.sub(r"\[\d*\]", "*", text, count=1) if "(" not in text else text
    return re.sub(r"\s*\*\s*", " *", re.sub(r"\s+", " ", text)).strip()


def value_tag(type_: str) -> str:
    return re.sub(r"\b(const|volatile) ", "", tag(type_)).strip()


def is_pointer(type_: str) -> bool:
    return "*" in type_ or "[" in type_


def integer_bits(canon: str) -> int:
    """Width of an integer type; unsigned ones count one more. 0: no integer."""
    return _INTEGERS.get(value_tag(canon), 0)


def is_real(canon: str) -> bool:
    return value_tag(canon) in _REALS


def pointee(type_: str) -> str:
    """What a pointer points to, without qualifiers: ``const float *`` -> ``float``."""
    text = tag(type_)
    return value_tag(text.rpartition("*")[0]) if text.endswith("*") or "*" in text else ""


def abstract(type_: str) -> str:
    """A parameter type as a type name: arrays decay."""
    if "(" in type_:
        return type_
    return re.sub(r"\[\d*\]", " *", type_, count=1)


class Enums:
    """All enums of CUDA-X by tag and by typedef."""

    def __init__(self, libraries: Mapping[str, spec.Library]) -> None:
        self.by_name: dict[str, spec.Enum] = {}
        for lib in libraries.values():
            for e in lib.enums.values():
                self.by_name.setdefault(e.name, e)
        for lib in libraries.values():
            for t in lib.typedefs.values():
                if value_tag(t.canon) in self.by_name:
                    self.by_name.setdefault(t.name, self.by_name[value_tag(t.canon)])

    def find(self, *types: str) -> spec.Enum | None:
        for t in types:
            if not is_pointer(t) and value_tag(t) in self.by_name:
                return self.by_name[value_tag(t)]
        return None


def variable(p: spec.Param, enums: Enums, by_mode: bool) -> Var:
    """How expressions see an argument."""
    if is_pointer(p.type) or is_pointer(p.canon):
        inner = pointee(p.type if "*" in p.type or "[" in p.type else p.canon)
        return Var("pointer", type="" if "*" in inner else inner, by_mode=by_mode)
    if e := enums.find(p.type, p.canon):
        return Var("enum", type=e.name)
    if bits := integer_bits(p.canon):
        return Var("int", bits)
    return Var("real" if is_real(p.canon) else "struct", type=p.type)
