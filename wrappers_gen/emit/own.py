"""Paths that call an entry point of the same library: ``Path(own="{symbol}_v2")``.

How scale-x calls its own public functions, in one place:

*   Inside one library a wrapper or native body simply calls the function by its exported name (``cublasSgemm_v2``;
    never the name that a header's macro gives it). ``-Bsymbolic-functions`` binds such a call when the library is
    linked, so it does not go through the PLT and no other library of the process can come between. What a soname does
    not export (``_64`` names in CUDA 11's libcublas) is local there and called all the same.
*   A library that stands on another one (nvblas on cublasXt) is linked with that library's objects: its version script
    makes them local, ``--gc-sections`` keeps what is reached. It NEEDs libscalex_core only, where all state is, so a
    handle made through one copy of the code is valid in every other.

A function without a handle (the legacy interface) takes what it lacks from ``<library>/native/own.h``:

    sx_own_handle()        the handle, when the callee's first parameter is one and the caller has none
    sx_own_enum<E>(char)   the enumerator that a letter stands for; an invalid one for any other letter, which the
                           callee then refuses with the number of that parameter
    sx_own_status(status)  keeps a status that the caller's return type cannot carry

Parameters are matched by position after that handle. A value goes by address where the callee wants a pointer; a result
comes back through the callee's last parameter when the caller returns a value. ``args`` names what is still missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .. import rows, spec
from .ctypes import is_pointer, pointee, tag, value_tag

if TYPE_CHECKING:
    from .cpp import Wrapper


def lines(w: Wrapper, p: rows.Path, gates: list[str]) -> Iterator[str]:
    from .cpp import RowError

    name = w.names.fill(p.own).replace("{symbol}", w.f.name)
    found = w.model.symbols.get(name)
    if found is None or found.library != w.symbol.library:
        raise RowError(f"{name!r} is no entry point of {w.symbol.library}")
    if found.kind == rows.STUB:
        raise RowError(f"{name!r} is a stub itself")
    callee = found.function
    wanted = list(callee.params)
    passed: list[str] = []
    if wanted and value_tag(wanted[0].canon).endswith("Context *") and not _same(w.f.params[:1], wanted[:1]):
        passed.append("sx_own_handle()")
        wanted = wanted[1:]
    returns = value_tag(w.f.ret) not in ("void", value_tag(callee.ret))
    result = wanted.pop() if returns else None
    if result is not None and pointee(result.type) != value_tag(w.f.ret):
        raise RowError(f"{name}'s last parameter {result.name!r} is no {w.f.ret} result")
    mine = list(w.f.params)
    if len(mine) > len(wanted):
        raise RowError(f"{name} takes fewer arguments than {w.f.name}")
    passed += [_argument(a, b) for a, b in zip(mine, wanted, strict=False)]
    for b in wanted[len(mine):]:
        source = p.args.get(b.name, "")
        if source not in w.params:
            raise RowError(f"{name}: nothing is said about its parameter {b.name!r}")
        passed.append(_argument(w.params[source], b))
    yield from _call(w, name, callee, passed, returns, gates)


def _call(
    w: Wrapper, name: str, callee: spec.Function, passed: list[str], returns: bool, gates: list[str]
) -> Iterator[str]:
    pad = "    " if gates else "  "
    if gates:
        yield f"  if ({' && '.join(gates)}) {{"
    if returns:
        yield f"{pad}{w.f.ret} result_sx{{}};"
        passed = [*passed, "&result_sx"]
    call = f"{name}({', '.join(passed)})"
    same = value_tag(w.f.ret) == value_tag(callee.ret)
    yield f"{pad}return {call};" if same else f"{pad}sx_own_status({call});"
    if returns:
        yield f"{pad}return result_sx;"
    elif gates and not same:
        yield f"{pad}return;"
    if gates:
        yield "  }"


def _same(a: tuple[spec.Param, ...] | list[spec.Param], b: tuple[spec.Param, ...] | list[spec.Param]) -> bool:
    return [tag(p.canon) for p in a] == [tag(p.canon) for p in b]


def _argument(own: spec.Param, wanted: spec.Param) -> str:
    """The caller's parameter as the callee's."""
    from .cpp import RowError

    if value_tag(own.canon) == "char" and value_tag(wanted.canon) != "char":
        return f"sx_own_enum<{wanted.type}>({own.name})"
    by_address = is_pointer(wanted.canon) and not is_pointer(own.canon)
    if (pointee(wanted.canon) if by_address else value_tag(wanted.canon)) != value_tag(own.canon):
        raise RowError(f"{own.name!r} ({own.type}) cannot be passed as {wanted.type} {wanted.name}")
    return f"&{own.name}" if by_address else own.name
