"""The symbols a shared library exports, from its dynamic symbol table."""

from __future__ import annotations

import subprocess
from pathlib import Path


def exported(library: Path) -> list[str]:
    """Names of the defined dynamic symbols of ``library``, sorted, without version nodes and without the nodes' own
    absolute symbols."""
    out = subprocess.run(
        ["nm", "-D", "--defined-only", str(library)], check=True, capture_output=True, text=True
    ).stdout
    names = set()
    for line in out.splitlines():
        kind, symbol = line.split()[-2:]
        if kind in "TWDBRVi":
            names.add(symbol.partition("@")[0])
    return sorted(names)
