"""What a function's docstring says: its C prototype, and what the rows page knows about arguments and refusals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import rows, spec

if TYPE_CHECKING:
    from ..model import Model, Symbol
    from .bindings import Binding

_TYPES = {"S": "float32", "D": "float64", "C": "complex64", "Z": "complex128", "H": "float16", "B": "bfloat16",
          "I": "int32", "L": "int64"}  # fmt: skip
_REAL = {"C": "S", "Z": "D"}
_WAYS = {rows.IN: "read", rows.OUT: "written", rows.INOUT: "read and written"}


def document(b: Binding, model: Model | None) -> str:
    """A docstring whose first line is what ``inspect.signature`` reads."""
    lines = [f"{b.name}({', '.join(b.names)})", "--", "", b.prototype]
    about = describe(b, model)
    return "\n".join([*lines, "", *about] if about else lines)


def describe(b: Binding, model: Model | None) -> list[str]:
    lines = []
    if b.out >= 0:
        lines.append(f"Without {b.names[b.out]}, returns what it would point to.")
    majors = b.function.exported or b.function.declared
    if majors != frozenset(spec.MAJORS):
        lines.append("Only in CUDA " + ", ".join(str(m) for m in sorted(majors)) + ".")
    symbol = model.symbols.get(b.symbol) if model is not None else None
    if symbol is None:
        return lines
    if symbol.row is None:
        return [*lines, f"Not implemented by scale-x: {symbol.why}."]
    lines += [f"{name}: {argument(arg, symbol)}" for name, arg in symbol.row.args.items()]
    lines += list(refusals(symbol))
    if symbol.kind == rows.STUB:
        lines.append(f"Not implemented by scale-x: {symbol.why}.")
    source = f" Semantics: {symbol.row.source}." if symbol.row.source else ""
    return [*lines, f"Row: {symbol.where} ({symbol.kind}).{source}"]


def type_name(T: str, symbol: Symbol) -> str:
    """A row's type, as NumPy calls it where it is one type."""
    letter = symbol.names.letter
    if T in ("T", "R"):
        T = letter if T == "T" else _REAL.get(letter, letter)
    if T == "I" and symbol.names.wide:
        T = "L"
    return _TYPES.get(T, f"of type {T}" if T.isidentifier() else f"of the type {T}" if T else "")


def argument(arg: rows.Arg, symbol: Symbol) -> str:
    if isinstance(arg, rows.Scratch):
        return f"{shape(arg)}, {type_name(arg.T, symbol)}, on the device" if arg.T != "bytes" else shape(arg)
    words = [shape(arg), type_name(arg.T, symbol), _WAYS[arg.dir]]
    if isinstance(arg, rows.Scalar):
        words.append("on the host" if arg.host else "where the pointer mode says")
    elif isinstance(arg, rows.Buf):
        words.append("on the host" if arg.host else "on the device")
    else:
        words.append("an array of pointers on the device" if arg.array else "on the device")
    return ", ".join(w for w in words if w)


def shape(arg: rows.Arg) -> str:
    if isinstance(arg, rows.Scalar):
        return "scalar" if arg.count == "1" else f"{arg.count} scalars"
    if isinstance(arg, rows.Scratch):
        return f"scratch of {arg.size} {'bytes' if arg.T == 'bytes' else 'elements'}"
    if isinstance(arg, rows.Buf):
        return f"buffer of {arg.count} elements"
    batch = f"{arg.batch} members" + (f" {arg.stride} apart" if arg.stride else "") + ", each a " if arg.batch else ""
    if isinstance(arg, rows.Vec):
        return f"{batch}vector of {arg.n}" + (f", stride {arg.inc}" if arg.inc != "1" else "")
    text = f"{batch}matrix of {arg.rows} rows and {arg.cols} columns"
    if arg.kl or arg.ku:
        text += f", band with {arg.kl or 0} sub- and {arg.ku or 0} superdiagonals"
    if arg.part != "full":
        text += f", the triangle that {arg.part} names"
    return text + (", packed" if arg.packed else f", leading dimension {arg.ld}" if arg.ld else "")


def refusals(symbol: Symbol) -> list[str]:
    """The argument checks, one line per status, in the order in which they are first made."""
    needs: dict[str, list[str]] = {}
    quick = []
    for step in symbol.row.steps if symbol.row else ():
        if isinstance(step, rows.Handle):
            needs.setdefault(step.status, []).append(f"{step.arg} is live")
        elif isinstance(step, rows.Check):
            needs.setdefault(step.status, []).append(step.holds)
        elif isinstance(step, rows.NotNull):
            unless = f" or {step.unless}" if step.unless else ""
            needs.setdefault(step.status, []).append(f"{', '.join(step.args)} not NULL{unless}")
        elif isinstance(step, rows.Quick) and step.status == "SUCCESS":
            quick.append(step.when)
    lines = [f"{status} unless: {'; '.join(what)}." for status, what in needs.items()]
    return lines + ([f"Nothing to do when: {'; '.join(quick)}."] if quick else [])
