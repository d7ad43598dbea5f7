"""What was emitted, for the build: ``manifest.json`` and the same as CMake lists in ``manifest.cmake``."""

from __future__ import annotations

import json
from typing import Any

from .. import spec
from ..model import Model
from .text import banner


def emit(model: Model, files: dict[str, str]) -> dict[str, str]:
    names = sorted([*files, "manifest.json", "manifest.cmake"])
    libraries: dict[str, dict[str, Any]] = {}
    for library in model.cuda:
        sources = [n for n in names if n.startswith(f"src/{library}/") and n.endswith(".cpp")]
        sonames = [
            {"name": s.name, "cuda": sorted(s.majors), "version": s.version, "exports": len(s.exports),
             "map": f"maps/{s.name}.map", "abi": f"src/abi/{s.name}.cpp"}
            for s in model.sonames if s.library == library
        ]  # fmt: skip
        libraries[library] = {"folder": spec.LIBRARIES[library], "sources": sources, "sonames": sonames}
    cmake = [banner("the spec and the rows", "#")]
    cmake.append(f"set(SX_GEN_LIBRARIES {' '.join(libraries)})")
    for library, entry in libraries.items():
        cmake.append(f"set(SX_GEN_FOLDER_{library} {entry['folder']})")
        for kind, items in (("SOURCES", entry["sources"]), ("SONAMES", [s["name"] for s in entry["sonames"]])):
            body = "".join(f"\n  {i}" for i in items)
            cmake.append(f"set(SX_GEN_{kind}_{library}{body})")
    whole = {"files": names, "libraries": libraries}
    return {
        "manifest.json": json.dumps(whole, indent=1) + "\n",
        "manifest.cmake": "\n".join(cmake) + "\n",
    }
