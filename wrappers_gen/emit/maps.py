"""Version scripts: one per soname, whose node is the soname and which exports exactly what NVIDIA's library does."""

from __future__ import annotations

from ..model import Model


def emit(model: Model) -> dict[str, str]:
    out = {}
    for so in model.sonames:
        symbols = "".join(f"    {s};\n" for s in so.exports)
        body = f"  global:\n{symbols}" if symbols else ""
        out[f"maps/{so.name}.map"] = f"{so.name} {{\n{body}  local:\n    *;\n}};\n"
    return out
