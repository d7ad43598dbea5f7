"""What is implemented, and how: the coverage list that emit writes."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from importlib import resources
from pathlib import Path
from typing import Any

from scale_x.wrappers_gen import rows as R
from scale_x.wrappers_gen import spec
from scale_x.wrappers_gen.evidence import NONE, STRENGTH, WEAK


def path() -> Path | None:
    """coverage.json as installed, else a checkout's."""
    packaged = Path(str(resources.files("scale_x"))) / "data" / "coverage.json"
    candidates = (spec.ROOT / "build" / "gen" / "docs" / "coverage.json", packaged)
    return next((p for p in candidates if p.is_file()), None)


def entries(libraries: list[str] | None = None) -> list[dict[str, Any]]:
    found = path()
    if found is None:
        raise ValueError("no coverage.json: neither installed as package data nor in build/gen; run `make build`")
    data = json.loads(found.read_text(encoding="utf-8"))
    listed = data if isinstance(data, list) else data["symbols"]
    return [e for e in listed if not libraries or e["library"] in libraries]


def demand() -> dict[str, int]:
    """How many of some sixty surveyed programs and libraries use each symbol."""
    return json.loads((Path(__file__).resolve().parent / "demand.json").read_text(encoding="utf-8"))


def summary(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Per library: exported symbols by kind, implemented in percent, and the same weighted by who calls them."""
    out, weights = [], demand()
    for library in dict.fromkeys(e["library"] for e in listed):
        mine = [e for e in listed if e["library"] == library]
        real = [e for e in mine if e["kind"] != R.STUB]
        wanted, met = (sum(weights.get(e["symbol"], 0) for e in which) for which in (mine, real))
        entry = {"library": library, "exported": len(mine), **Counter(e["kind"] for e in mine)}
        entry["implemented"] = 100 * len(real) / len(mine)
        entry["demand"] = 100 * met / wanted if wanted else None
        weak = sum(weights.get(e["symbol"], 0) for e in real if e["evidence"] in WEAK)
        entry["weak"] = 100 * weak / met if met else None
        out.append(entry)
    return out


def weakly_known(listed: list[dict[str, Any]]) -> str:
    """The share of demand, over all libraries, behind which some fact about ROCm is only documented or inferred."""
    weights = demand()
    by: Counter[str] = Counter()
    for e in listed:
        if e["kind"] != R.STUB:
            by[e["evidence"]] += weights.get(e["symbol"], 0)
    whole = sum(by.values())
    if not whole:
        return "Nothing of this is asked for by the surveyed programs."
    shares = ", ".join(f"{level} {100 * by[level] / whole:.0f}%" for level in (*STRENGTH, NONE))
    weak = 100 * sum(by[w] for w in WEAK) / whole
    return (f"The weakest fact about ROCm behind what programs call, by demand: {shares}. Weakly known: {weak:.0f}% "
            "rests on documentation or inference (docs/amd.md).")  # fmt: skip


def show(options: argparse.Namespace) -> int:
    listed = entries(options.library)
    if not listed:
        print("scale-x-conform: no symbol of that library", file=sys.stderr)
        return 2
    if options.json:
        json.dump(listed, sys.stdout, indent=1)
        print()
        return 0
    from rich.console import Console
    from rich.table import Table

    table = Table(title="exported symbols by kind", title_justify="left")
    for column in ("library", "exported", *R.KINDS, "implemented", "by demand", "weakly known"):
        table.add_column(column, justify="left" if column == "library" else "right")
    for s in summary(listed):
        weighted, weak = ("-" if v is None else f"{v:.0f}%" for v in (s["demand"], s["weak"]))
        table.add_row(s["library"], str(s["exported"]), *(str(s.get(k, 0)) for k in R.KINDS),
                      f"{s['implemented']:.0f}%", weighted, weak)  # fmt: skip
    console = Console(width=None if sys.stdout.isatty() else 130)
    console.print(table)
    console.print(weakly_known(listed))
    return 0
