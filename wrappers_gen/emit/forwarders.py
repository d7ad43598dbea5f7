"""ROCm's libraries by their own names, as jumps into the host engine, one directory per impersonated release.

They exist for foreign programs such as AMD's tests; nothing of scale-x is linked with them or opens them.
``forwarders/<release>/<soname>.c`` and ``.map``; ``libamdhip64`` carries AMD's version nodes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from .. import rocm_spec
from ..model import Model
from .text import banner

#: impersonated release -> library of rocm/spec -> soname
RELEASES: dict[str, dict[str, str]] = {
    release: {"hip": f"libamdhip64.so.{hip}", "rocblas": f"librocblas.so.{blas}", "rocsolver": "librocsolver.so.0"}
    for release, hip, blas in (("6.0", 6, 4), ("6.4", 6, 4), ("7.2", 7, 5), ("10.1", 7, 5))
}
#: what a function that the engine lacks answers: hipErrorNotSupported, rocblas_status_not_implemented
_MISSING = {"hip": 801, "rocblas": 2, "rocsolver": 2}
_C_NAME = re.compile(r"[a-z_]\w*$")  # mangled C++ names are not forwarded


def _answer(model: Model, library: str, name: str) -> int:
    """What ``name`` returns when the engine lacks it: an error, or NULL where it returns no status."""
    f = model.rocm[library].functions.get(name)
    status = f.ret in ("hipError_t", "rocblas_status") if f else not name.startswith("__hipRegister")
    return _MISSING[library] if status else 0


def _source(model: Model, release: str, library: str, names: Iterable[str]) -> str:
    listed = " \\\n".join(f"  X({n}, {_answer(model, library, n)})" for n in names)
    return (
        f"{banner('rocm/spec')}\n"
        f"#define SX_FORWARD_RELEASE {rocm_spec.number(release)}\n"
        f"#define SX_FORWARD_FUNCTIONS(X) \\\n{listed}\n"
        '#include "forward.h"\n'
    )


def _node_key(node: str) -> tuple[int, ...]:
    return tuple(int(x) for x in re.findall(r"\d+", node))


def _versioned(nodes: Mapping[str, Iterable[str]], release: str) -> dict[str, list[str]]:
    """Node -> forwarded symbols, oldest node first, without those that came after ``release``."""
    found: dict[str, list[str]] = {}
    for node in sorted(nodes, key=_node_key):
        if _node_key(node) > _node_key(release):
            continue
        # AMD's own helpers for half precision are compiler support, not HIP
        found[node] = sorted(n for n in nodes[node] if _C_NAME.match(n) and not n.startswith(("_Z", "__gnu_")))
    return {node: names for node, names in found.items() if names}


def _map(nodes: Mapping[str, Iterable[str]]) -> str:
    lines, previous = [banner("rocm/spec", "#")], ""
    for node, names in nodes.items():
        head = f"{node} {{" if node else "{"
        local = "" if previous else "\n  local:\n    *;"
        lines.append(f"{head}\n  global:\n" + "\n".join(f"    {n};" for n in names) + f"{local}\n}}{previous};")
        previous = f" {node}"
    return "\n".join(lines) + "\n"


def emit(model: Model) -> dict[str, str]:
    versions = rocm_spec.hip_symbol_versions()
    out = {}
    for release, sonames in RELEASES.items():
        for library, soname in sonames.items():
            if library == "hip":
                nodes = _versioned(versions[soname], release)
            else:
                functions = model.rocm[library].functions.values()
                nodes = {"": sorted(f.name for f in functions if f.present(release))}
            names = sorted(n for listed in nodes.values() for n in listed)
            out[f"forwarders/{release}/{soname}.c"] = _source(model, release, library, names)
            out[f"forwarders/{release}/{soname}.map"] = _map(nodes)
    return out
