"""Refuses rows that cannot be true, and code where it does not belong. Each complaint is ``file:line: what``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from . import evidence, expr, gates, rows, spec
from .model import ROOT, Model, Page, Symbol, expand, is_family

#: what a page may import beside the generator's rows and the underscored modules of the rows folders
PAGE_IMPORTS = ("__future__", "typing", "collections", "collections.abc", "math", "cmath")
_KNOWN_NVIDIA = re.compile(r"same|(differs|crash): \S.*", re.DOTALL)
#: what tells one provider from another; only core and the engine may know
PROVIDER = re.compile(
    r"SCALE_X_PROVIDER|SCALE_X_HOST|libscalex_host|sx_host_(table|control|registry|entry)|sx_provider_(name|is|kind)"
    r"|\bis_host_provider\b"
)
#: expression fields of arguments behind pointers
_DIMENSIONS = ("n", "inc", "rows", "cols", "ld", "kl", "ku", "unit", "stride", "batch", "count", "part")


# ---- pages -----------------------------------------------------------------------------------------------------------


def page_source(path: Path, short: str) -> Iterator[str]:
    """Complaints about a page's text: imports, and logic outside oracles."""
    tree = ast.parse(path.read_text(encoding="utf-8"), filename=short)
    constructors = {"lazy"}
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from _import(node, short, constructors)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            if node.value is not None:
                yield from _value(node.value, short, constructors)
        elif isinstance(node, ast.FunctionDef):
            yield from _oracle(node, short)
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            yield f"{short}:{node.lineno}: logic outside oracles: a page holds imports, constants, oracles and ROWS"


def _import(node: ast.Import | ast.ImportFrom, short: str, constructors: set[str]) -> Iterator[str]:
    modules = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ""]
    for module in modules:
        if module == "scale_x.wrappers_gen.rows":
            constructors |= {
                a.asname or a.name for a in node.names if a.name[0].isupper() or a.name in ("lazy", "like")
            }
        elif module not in PAGE_IMPORTS and not re.fullmatch(r"scale_x\.\w+\.rows\.\w+", module):
            yield f"{short}:{node.lineno}: imports {module}; take numpy, scipy and mpmath through lazy"


def _value(node: ast.expr, short: str, constructors: set[str]) -> Iterator[str]:
    for n in ast.walk(node):
        if isinstance(n, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp | ast.IfExp):
            yield f"{short}:{n.lineno}: logic outside oracles: {ast.unparse(n)[:60]}"
        elif isinstance(n, ast.Call) and not (isinstance(n.func, ast.Name) and n.func.id in constructors):
            yield f"{short}:{n.lineno}: logic outside oracles: {ast.unparse(n.func)}(...) is called"


def _oracle(node: ast.FunctionDef, short: str) -> Iterator[str]:
    if not node.name.startswith("_") and not ast.get_docstring(node):
        yield f"{short}:{node.lineno}: {node.name} does not say what it computes"
    for n in ast.walk(node):
        if isinstance(n, ast.Import | ast.ImportFrom):
            yield f"{short}:{n.lineno}: an import inside {node.name}; take numpy, scipy and mpmath through lazy"


# ---- rows ------------------------------------------------------------------------------------------------------------


def row(r: rows.Row) -> Iterator[str]:
    """Complaints about a row by itself."""
    if r.kind not in rows.KINDS:
        yield f"unknown kind {r.kind!r}"
        return
    if not _KNOWN_NVIDIA.fullmatch(r.nvidia):
        yield f"nvidia={r.nvidia!r} gives no reason; write 'same', 'differs: why' or 'crash: why'"
    for words, why in r.differs.items():
        if not words.strip() or not why.strip():
            yield f"differs={dict(r.differs)!r}: words of case ids, and how NVIDIA's library answers them"
    for s in r.steps:
        if isinstance(s, rows.Handle | rows.Check | rows.NotNull) and s.nvidia not in ("same", "crash"):
            if not isinstance(s, rows.Handle) or s.nvidia != "reads":
                yield f"a step's nvidia is 'same' or 'crash' (of a handle also 'reads'), not {s.nvidia!r}"
    limits = [i for i, s in enumerate(r.steps) if isinstance(s, rows.ChipLimit)]
    if limits and limits != list(range(len(r.steps) - len(limits), len(r.steps))):
        yield "ChipLimit stands after all other steps"
    calls = [p for p in r.paths if p.call or p.own]
    for p in r.paths:
        if sum(map(bool, (p.call, p.native, p.own))) != 1:
            yield "a path has either a call or a native body, or an entry point of its own library"
    if r.kind == rows.STUB and (r.paths or r.native):
        yield "a stub has no paths and no native body"
    if r.kind == rows.STUB and not r.why:
        yield "a stub says why"
    if r.kind in (rows.DIRECT, rows.ADAPTED) and (not calls or r.native):
        yield f"a {r.kind} row has paths that call ROCm or its own library and no native body of its own"
    if r.kind == rows.NATIVE and not r.native and not any(p.native for p in r.paths):
        yield "a native row names its body"
    if r.native and r.paths:
        yield "a row has paths or a native body, not both"
    if (r.oracle is None) != (r.compare is None):
        yield "an oracle and a way to compare come together"
    if r.oracle is not None and r.sweep is None and r.kind != rows.STUB:
        yield "an oracle without a sweep is never asked"
    if r.sweep is not None and bool(r.sweep.classes) != (r.sweep.make is not None):
        yield "classes of inputs and what makes them come together"
    if r.capture not in ("fine", "refuse", "pre-grow"):
        yield f"unknown capture {r.capture!r}"
    if is_family(r) and ("{T}" in r.symbols or "{t}" in r.symbols) and not r.T:
        yield "a family over {T} needs T"


def _expressions(r: rows.Row) -> Iterator[tuple[str, str]]:
    """(where in the row, expression) of everything that is not made into C++."""
    for name, arg in r.args.items():
        for f in _DIMENSIONS:
            text = getattr(arg, f, "")
            if text and not (f == "part" and text == "full"):
                yield f"args[{name!r}].{f}", text
    for step in r.steps:
        if isinstance(step, rows.NotNull) and step.nvidia_unless:
            yield f"NotNull({step.args!r}).nvidia_unless", step.nvidia_unless
    if isinstance(r.compare, rows.Componentwise):
        yield "compare.length", r.compare.length


def symbol(model: Model, s: Symbol, shorts: set[str]) -> Iterator[str]:
    """Complaints about a row as one of its symbols has it, beside what emitting it says."""
    r = s.row
    assert r is not None
    params = {p.name: p for p in s.function.params}
    known = set(params) | shorts | set(expr.FACTS)
    for name in r.args:
        if name not in params:
            yield f"args: {name!r} is no argument of {s.name}"
    for where, text in _expressions(r):
        try:
            for name in sorted(expr.names(text) - known):
                yield f"{where}: {name!r} is no argument of {s.name}"
        except expr.ExprError as e:
            yield f"{where}: {e}"
    if r.kind in (rows.DIRECT, rows.ADAPTED) and any(isinstance(x, rows.Handle) for x in r.steps):
        for p in s.function.params[1:]:
            if "*" in p.type + p.canon and "Stream" not in p.type and p.name not in r.args:
                yield f"args: nothing is said about the pointer {p.name!r} of {s.name}"
    yield from _sweep(r, s, set(params), shorts)
    for call in (s.names.fill(p.call) for p in r.paths if p.call):
        if call not in model.rocm_functions:
            yield f"{call!r} is no function of rocm/spec"
            return
    yield from gates.complaints(model, s)


def _sweep(r: rows.Row, s: Symbol, params: set[str], shorts: set[str]) -> Iterator[str]:
    if r.sweep is None:
        return
    axes = chain(r.sweep.grid.items(), r.sweep.vary.items(), ((k, (v,)) for k, v in r.sweep.base.items()))
    for key, together in axes:
        names = key.split()
        columns = zip(*together, strict=True) if len(names) > 1 else [together]
        for name, values in zip(names, columns, strict=True):
            if name not in params:
                yield f"sweep: {name!r} is no argument of {s.name}"
            for v in values:
                if isinstance(v, str) and v not in shorts:
                    yield f"sweep: {name}={v!r} is no short name of {spec.LIBRARIES[s.library]}/rows/types.py"


def claims(model: Model, page: Page, r: rows.Row, line: int) -> Iterator[str]:
    """Complaints about the names a row claims."""
    exported = {s.name for lib in model.cuda if spec.LIBRARIES[lib] == page.folder for s in model.of(lib)}
    for name, _ in expand(r):
        if name not in exported:
            yield f"{name} is exported by no library of {page.folder}/spec"
        rivals = [c for c in model.claims[name] if c[0].folder == page.folder and is_family(c[2]) == is_family(r)]
        for other, other_line, _, _ in rivals:
            if (other.path, other_line) < (page.path, line):
                yield f"{name} has another row at {other.path}:{other_line}"


def defined_in(folder: Path) -> re.Pattern[str]:
    """What the names of functions look like that the C++ files of a folder define: at the start of a line, or in a
    macro, where ``sx_##letter##gemv`` stands for every letter."""
    found = {r"(?!)"}
    for path in sorted(folder.rglob("*.cpp")) + sorted(folder.rglob("*.h")):
        text = path.read_text(encoding="utf-8")
        for m in re.finditer(r"^(?![ \t#/}])[\w:<>,*& \t\"]*?\b(\w+)\(", text, re.MULTILINE):
            found.add(m[1])
        for m in re.finditer(r"^  \w+_t (sx_\w+)\(.*\\$", text, re.MULTILINE):  # in a macro that takes a type
            found.add(m[1])
        for m in re.finditer(r"\w+(?:##\w+)+", text):
            found.add(re.sub(r"##\w+##|##\w+$", r"\\w+", m[0]))
    return re.compile("|".join(sorted(found)))


def bodies(model: Model, folder: str, root: Path) -> Iterator[str]:
    """Native bodies that rows name and nobody wrote."""
    found = defined_in(root / folder / "native")
    for library in model.cuda:
        if spec.LIBRARIES[library] != folder:
            continue
        for s in model.of(library):
            if s.row is None or s.row.kind == rows.STUB:
                continue
            for name in filter(None, [s.row.native, *(p.native for p in s.row.paths)]):
                if not found.fullmatch(s.names.fill(name)):
                    yield f"{s.where}: {s.name}: no {s.names.fill(name)} in {folder}/native"


def types(model: Model, folder: str) -> Iterator[str]:
    """Enumerators that do not exist."""
    table = model.types[folder]
    short = f"{folder}/rows/types.py:1"
    cuda = {v.name for lib in model.cuda.values() for e in lib.enums.values() for v in e.values}
    pairs = [(e.cuda, v) for e in table.enums for v in e.values.items()]
    pairs += [(table.status.cuda, (v, k)) for k, v in table.status.values.items()] if table.status else []
    for enum, (ours, theirs) in pairs:
        if ours not in cuda:
            yield f"{short}: {enum} has no {ours}"
        if theirs not in model.rocm_enumerators:
            yield f"{short}: ROCm has no {theirs}"
    for e in table.enums:
        for name, full in e.short.items():
            if full not in cuda:
                yield f"{short}: {e.cuda}: {name} stands for {full}, which does not exist"


# ---- the tree --------------------------------------------------------------------------------------------------------


def provider_identity(root: Path) -> Iterator[str]:
    """Rows, native bodies and wrappers may not know which provider they run on."""
    folders = (*dict.fromkeys(spec.LIBRARIES.values()), "kernels", "hostmath")
    files = [p for f in folders for p in (root / f).rglob("*") if p.suffix in (".cpp", ".h", ".py", ".c")]
    files.append(root / "core" / "include" / "scalex" / "wrap.h")
    for path in sorted(files):
        if not path.is_file():
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if m := PROVIDER.search(line):
                yield f"{path.relative_to(root)}:{number}: knows the provider ({m[0]}); only core/ and host/ may"


def check(model: Model, root: Path = ROOT) -> list[str]:
    """Every complaint, in the order of pages and lines."""
    from .emit.cpp import RowError, wrapper

    found: list[str] = []
    for page in model.pages:
        if (root / page.path).is_file():
            found += page_source(root / page.path, page.path)
        for r, line in zip(page.rows, page.lines, strict=True):
            found += [f"{page.path}:{line}: {text}" for text in chain(row(r), claims(model, page, r, line))]
    for library in model.cuda:
        table = model.types.get(spec.LIBRARIES[library])
        shorts = set(table.short) if table else set()
        for s in model.of(library):
            if s.row is None or s.row.kind == rows.STUB:
                continue
            found += [f"{s.where}: {text}" for text in symbol(model, s, shorts)]
            try:
                wrapper(model, s)
            except RowError as e:
                found.append(str(e))
    for folder in dict.fromkeys(spec.LIBRARIES.values()):
        found += bodies(model, folder, root)
        if folder in model.types:
            found += types(model, folder)
    found += evidence.complaints(model)
    found += provider_identity(root)
    return list(dict.fromkeys(found))
