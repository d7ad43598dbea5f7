"""The host engine's registry: every ROCm function that the engine defines, found by the linker.

Each function of ``rocm/spec`` is declared weak and hidden; what no host source defines is NULL.
"""

from __future__ import annotations

from .. import rocm_spec
from ..model import Model
from .text import banner

_HEADER = """\
#pragma once

#include <stddef.h>

struct sx_host_function {
  const char* name;
  int since;          // 100 * major + minor; 507: 5.7 or older
  int removed;        // the first release without it, 0: none
  void (*fn)(void);   // NULL: the engine does not define it
};

// Sorted by name.
extern const sx_host_function sx_host_registry[];
extern const size_t sx_host_registry_size;
"""


def emit(model: Model) -> dict[str, str]:
    found: dict[str, rocm_spec.Function] = {}
    for lib in model.rocm.values():
        for f in lib.functions.values():
            found.setdefault(f.name, f)
    rows = [found[n] for n in sorted(found)]
    source = banner("rocm/spec/*.jsonl")
    lines = [source, '#include "registry.h"', "", "#define SX_WEAK __attribute__((weak, visibility(\"hidden\")))",
             'extern "C" {', *(f"SX_WEAK void {f.name}(void);" for f in rows), "}", "",
             "const sx_host_function sx_host_registry[] = {"]  # fmt: skip
    for f in rows:
        removed = rocm_spec.number(f.removed) if f.removed else 0
        lines.append(f'    {{"{f.name}", {rocm_spec.number(f.since)}, {removed}, {f.name}}},')
    lines += ["};", "const size_t sx_host_registry_size = sizeof sx_host_registry / sizeof sx_host_registry[0];"]
    return {"host/registry.h": source + "\n" + _HEADER, "host/registry.cpp": "\n".join(lines) + "\n"}
