"""``explain SYMBOL``: the whole chain behind one exported symbol, on one screen."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from . import evidence, rows, spec
from .emit import pynames
from .model import Model, Symbol


def binding(s: Symbol) -> str:
    """The Python name of a symbol, as the bindings' emitter has it."""
    return f"scale_x.bindings.{s.library}.{pynames.function_name(s.function, s.library)}"


def _spec(model: Model, s: Symbol) -> Iterator[str]:
    f = s.function
    aliases = f"; also called {', '.join(f.aliases)}" if f.aliases else ""
    yield f"spec     {spec.LIBRARIES[s.library]}/spec/{s.library}.jsonl: {f.header or 'declared nowhere'}{aliases}"
    for so in model.sonames:
        if f.name in so.exports:
            majors = " ".join(str(m) for m in sorted(so.majors & f.exported))
            yield f"         {so.name}: CUDA {majors}"


def _row(s: Symbol) -> Iterator[str]:
    if s.row is None:
        yield f"row      none: {s.why}"
        return
    title = f"  {s.page.title}" if s.page and s.page.title else ""
    yield f"row      {s.where}  {s.row.symbols}{title}"
    if s.row.why:
        yield f"         {s.row.why}"
    if s.row.nvidia != "same":
        yield f"         NVIDIA's own library {s.row.nvidia}"


def _rocm(model: Model, s: Symbol) -> Iterator[str]:
    for p in s.row.paths if s.row else ():
        gates = [x for x in (p.when, f"ROCm {p.since} on" if p.since else "", " ".join(p.archs)) if x]
        when = f"  when {' and '.join(gates)}" if gates else ""
        if p.native:
            yield f"path     native body {s.names.fill(p.native)}{when}"
            continue
        if p.own:
            yield f"path     {s.names.fill(p.own).replace('{symbol}', s.name)} of the same library{when}"
            continue
        for name in (s.names.fill(p.call), s.names.fill(p.call) + "_64"):
            f = model.rocm_functions.get(name)
            if f and (not name.endswith("_64") or s.names.wide):
                since = "5.7 or older" if f.since == "5.7" else f.since
                removed = f", gone in {f.removed}" if f.removed else ""
                yield f"path     {name}: since ROCm {since}{removed} ({f.evidence}){when}"
    if s.row and s.row.native:
        yield f"body     {s.names.fill(s.row.native)} in {spec.LIBRARIES[s.library]}/native"
    for fact in evidence.facts(model.root):
        if fact.of(s.name):
            yield f"fact     {fact.evidence}: {fact.name}: {fact.says} ({fact.source})"


def _cases(s: Symbol) -> Iterator[str]:
    if s.row is None or s.row.sweep is None:
        yield "cases    none"
        return
    sweep = s.row.sweep
    grid = prod(len(v) for v in sweep.grid.values())
    single = sum(len(v) for v in sweep.vary.values())
    how = type(s.row.compare).__name__.lower() if s.row.compare else "status"
    oracle = f" against {s.row.oracle.__name__}" if s.row.oracle else ""
    yield f"cases    {grid} crossed + {single} varied inputs{oracle}, {how}: scale-x-conform run -k {s.name}"


def explain(model: Model, name: str) -> str:
    """The chain as text; KeyError when no library exports ``name``."""
    from .emit.cpp import wrapper
    from .emit.stubs import body

    s = model.symbols.get(name) or next(x for x in model.symbols.values() if name in x.function.aliases)
    code = [body(model, s)] if s.kind == rows.STUB else wrapper(model, s)
    code = [line for line in code if line != f"// {s.where}"]  # said above
    page = "stubs" if s.kind == rows.STUB or s.page is None else s.page.name
    head = [f"{s.name}  {s.library}, {s.kind}", "", *_spec(model, s), *_row(s), *_rocm(model, s)]
    tail = [f"binding  {binding(s)}", *_cases(s), f"wrapper  src/{s.library}/{page}.cpp", ""]
    return "\n".join([*head, *tail, *code])
