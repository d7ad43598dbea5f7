"""Bodies of functions that nothing answers for yet: they say so by their type and never fail to link."""

from __future__ import annotations

import json
from collections.abc import Container
from dataclasses import replace

from .. import spec
from ..model import Model, Symbol
from .ctypes import abstract, integer_bits, is_pointer, is_real, value_tag
from .text import banner

#: headers that are not emitted; stubs of their functions ignore the arguments, and the C ABI lets them not know these
NO_HEADER = ("cufft_device.h",)
_STRUCT_NAN = {"float2": '__builtin_nanf("")', "double2": '__builtin_nan("")'}


def signature(f: spec.Function, used: Container[str] | None = None, name: str = "") -> str:
    """``ret name(params)``, as C++; parameters not in ``used`` have no names."""

    def one(p: spec.Param) -> str:
        type_ = p.type.replace("_Bool", "bool")
        if used is not None and p.name not in used:
            return abstract(type_)
        if "(*)" in type_:
            return type_.replace("(*)", f"(*{p.name})", 1)
        bare, bracket, rest = type_.partition("[")
        space = "" if bare.endswith("*") else " "
        return f"{bare.rstrip()}{space}{p.name}{bracket}{rest}"

    ret = f.ret or "int"
    space = "" if ret.endswith("*") else " "
    return f"{ret}{space}{name or f.name}({', '.join(one(p) for p in f.params)})"


def refusal(model: Model, s: Symbol) -> str:
    """The value that says "not supported" in the function's return type; "" for void."""
    ret = s.function.ret or "int"
    if value_tag(ret) == "void" and not is_pointer(ret):
        return ""
    if is_pointer(ret):
        return "nullptr"
    if e := model.enums.find(ret, canonical(model, ret)):
        names = {v.name for v in e.values}
        for name in sorted(names, key=lambda n: (len(n), n)):  # not MATRIX_TYPE_NOT_SUPPORTED
            if name.endswith(("_NOT_SUPPORTED", "ErrorNotSupported")):
                return name
        raise ValueError(f"{s.name}: {e.name} has no value that says 'not supported'")
    canon = value_tag(canonical(model, ret))
    if is_real(canon):
        return _STRUCT_NAN["float2" if canon == "float" else "double2"]
    if canon in _STRUCT_NAN:
        return f"{ret}{{{_STRUCT_NAN[canon]}, {_STRUCT_NAN[canon]}}}"
    if integer_bits(canon):
        return "0"
    return f"{value_tag(ret)}{{}}"


def canonical(model: Model, type_: str) -> str:
    """A type through its typedefs."""
    for lib in model.cuda.values():
        if t := lib.typedefs.get(value_tag(type_)):
            return t.canon
    return type_


def body(model: Model, s: Symbol) -> str:
    value = refusal(model, s)
    f = s.function if s.function.header not in NO_HEADER else replace(s.function, params=())
    if s.library == "cudart" and value.startswith("cudaError"):
        value = f"sx_runtime_result({value})"
    answer = f" return {value};" if value else ""
    return f'SX_EXPORT {signature(f, used=())} {{ sx_stub("{s.name}", {json.dumps(s.why)});{answer} }}'


def emit(model: Model) -> dict[str, str]:
    out = {}
    for library in model.cuda:
        lines = [banner(f"the spec of {library} and its rows"), '#include "library.h"', '#include "scalex/wrap.h"', ""]
        lines += [body(model, s) for s in model.of(library) if s.kind == "stub"]
        out[f"src/{library}/stubs.cpp"] = "\n".join(lines) + "\n"
    return out
