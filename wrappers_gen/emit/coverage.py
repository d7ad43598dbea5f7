"""What is real and what is a stub: ``docs/coverage.md`` for people, ``docs/coverage.json`` for programs."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from .. import evidence, rows, spec
from ..model import Model, Symbol


def entry(model: Model, s: Symbol) -> dict[str, Any]:
    f = s.function
    return {
        "symbol": s.name,
        "library": s.library,
        "kind": s.kind,
        "why": s.why if s.kind == rows.STUB else (s.row.why if s.row else ""),
        "page": s.where if s.page else "",
        "evidence": evidence.evidence(model, s),
        "nvidia": s.row.nvidia if s.row else "",
        "cuda": sorted(f.exported),
        "declared": bool(f.declared),
    }


def demand(model: Model) -> dict[str, int]:
    """How many of the surveyed projects use each symbol."""
    path = model.root / "conformance" / "demand.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "-"


def _evidence(model: Model, wanted: dict[str, int]) -> list[str]:
    """The share of what programs call by the weakest fact about ROCm behind it."""
    levels = (*evidence.STRENGTH, evidence.NONE)
    out = [
        "",
        "## How well ROCm's side is known",
        "",
        "Nothing has run on AMD hardware. What a function relies on of AMD's libraries was *measured* on the libraries "
        "themselves (without a device), stands in a *header*, was read in the *source* or the *documentation*, or is "
        "*inferred*; the weakest counts (`rocm/facts.toml`, `scale-x explain`). Shares are weighed by demand; `none` "
        "stands for what asks nothing of AMD's libraries.",
        "",
        "| library | " + " | ".join(levels) + " | documentation or inference only |",
        "|---|" + "---:|" * (len(levels) + 1),
    ]
    total: Counter[str] = Counter()
    for library in model.cuda:
        found: Counter[str] = Counter()
        for s in model.of(library):
            if s.kind != rows.STUB:
                found[evidence.evidence(model, s)] += wanted.get(s.name, 0)
        total += found
        out.append(_shares(library, found, levels))
    out += [_shares("all", total, levels), "", "| weak fact | evidence | share of demand | source |"]
    out.append("|---|---|---:|---|")
    whole, weak = sum(total.values()), [f for f in evidence.facts(model.root) if f.evidence in evidence.WEAK]
    weights = {f: sum(wanted.get(s.name, 0) for s in model.symbols.values() if s.kind != rows.STUB and f.of(s.name))
               for f in weak}  # fmt: skip
    for f in sorted(weak, key=lambda f: (f.evidence != rows.INFERRED, -weights[f], f.name)):
        out.append(f"| {f.name}: {f.says} | {f.evidence} | {percent(weights[f], whole)} | {f.source} |")
    return out


def _shares(name: str, found: Counter[str], levels: tuple[str, ...]) -> str:
    whole = sum(found.values())
    cells = [percent(found[k], whole) for k in levels]
    return f"| {name} | {' | '.join(cells)} | {percent(sum(found[k] for k in evidence.WEAK), whole)} |"


def _markdown(model: Model, wanted: dict[str, int]) -> str:
    kinds = (rows.DIRECT, rows.ADAPTED, rows.COMPOSED, rows.NATIVE, rows.STUB)
    out = [
        "# Coverage",
        "",
        'Every symbol that NVIDIA\'s libraries export exists; a *stub* answers "not supported". *Demand* weighs each '
        "symbol by the number of surveyed projects that use it.",
        "",
        "| library | exported | " + " | ".join(kinds) + " | real | real by demand |",
        "|---|---:|" + "---:|" * (len(kinds) + 2),
    ]
    for library in model.cuda:
        listed = model.of(library)
        count = Counter(s.kind for s in listed)
        real = [s for s in listed if s.kind != rows.STUB]
        weight = sum(wanted.get(s.name, 0) for s in listed)
        done = sum(wanted.get(s.name, 0) for s in real)
        cells = [str(count[k]) for k in kinds]
        out.append(f"| {library} | {len(listed)} | {' | '.join(cells)} | {percent(len(real), len(listed))} "
                   f"| {percent(done, weight)} |")  # fmt: skip
    out += _evidence(model, wanted)
    missing = [s for s in model.symbols.values() if s.kind == rows.STUB and wanted.get(s.name)]
    missing.sort(key=lambda s: (-wanted[s.name], s.name))
    out += [
        "",
        "## Stubs that programs ask for most",
        "",
        "| symbol | library | projects | why |",
        "|---|---|---:|---|",
    ]
    out += [f"| `{s.name}` | {s.library} | {wanted[s.name]} | {s.why} |" for s in missing[:40]]
    out += ["", "## Symbols by page"]
    for page in model.pages:
        own = [s for s in model.symbols.values() if s.page is page]
        out += ["", f"### {page.path}", "", page.title, ""] if page.title else ["", f"### {page.path}", ""]
        for row, line in zip(page.rows, page.lines, strict=True):
            names = [s.name for s in own if s.row is row]
            if names:
                out.append(f"- line {line}, {row.kind}: " + ", ".join(f"`{n}`" for n in names))
    return "\n".join(out) + "\n"


def emit(model: Model) -> dict[str, str]:
    listed = [entry(model, s) for library in spec.LIBRARIES if library in model.cuda for s in model.of(library)]
    text = "[\n" + ",\n".join(json.dumps(e) for e in listed) + "\n]\n"
    return {"docs/coverage.json": text, "docs/coverage.md": _markdown(model, demand(model))}
