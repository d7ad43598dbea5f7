"""The form of a spec file: one JSON object per line, sorted by kind and name, keys in a fixed order."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path


def write(path: Path, records: list[dict]) -> None:
    """Write ``records`` to ``path``, sorted by (kind, name); a repeated record is an error."""
    records = sorted(records, key=lambda r: (r["kind"], r["name"]))
    for a, b in pairwise(records):
        if (a["kind"], a["name"]) == (b["kind"], b["name"]):
            raise ValueError(f"{path.name}: {a['kind']} {a['name']} twice")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(r, separators=(",", ":")) + "\n" for r in records), encoding="utf-8")
