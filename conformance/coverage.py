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
        out.append(entry)
    return out


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
    for column in ("library", "exported", *R.KINDS, "implemented", "weighted by demand"):
        table.add_column(column, justify="left" if column == "library" else "right")
    for s in summary(listed):
        weighted = "-" if s["demand"] is None else f"{s['demand']:.0f}%"
        table.add_row(s["library"], str(s["exported"]), *(str(s.get(k, 0)) for k in R.KINDS),
                      f"{s['implemented']:.0f}%",                      weighted)  # fmt: skip
    Console(width=None if sys.stdout.isatty() else 130).print(table)
    return 0
