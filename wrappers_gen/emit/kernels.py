"""The project's own device kernels as text, for compilation at run time.

``kernels/sources.h``   declares ``sx_kernel_sources``: name, whole text (headers in place of includes), SHA-256
``kernels/sources.cpp`` defines it; core hands the text to hipRTC, the host engine recognises its own by it
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from ..model import Model
from .text import banner

ROOT = Path(__file__).resolve().parent.parent.parent / "kernels"
_INCLUDE = re.compile(r'#include "(scalex/\w+\.h)"\n')
_PIECE = 12000  # longest string literal that every compiler takes is 64 KiB

_HEADER = """\
#pragma once

#include <stddef.h>

struct sx_kernel_source {
  const char* name;  // of the kernel, and of the file in kernels/
  const char* text;
  const char* sha256;  // of the text, hexadecimal
};

#define SX_KERNEL_COUNT {count}
#define SX_KERNELS(X) {list}
// In the order of SX_KERNELS.
extern const sx_kernel_source sx_kernel_sources[SX_KERNEL_COUNT];
"""


def names() -> list[str]:
    """Kernels, one a file: ``kernels/epilogue.cpp`` defines ``sx_epilogue``."""
    return sorted(p.stem for p in ROOT.glob("*.cpp"))


def flat(path: Path, seen: set[str] | None = None) -> str:
    """The text of ``path`` with each header in place of its first include; comments at the line's start left out."""
    seen = set() if seen is None else seen

    def included(m: re.Match[str]) -> str:
        if m[1] in seen:
            return ""
        seen.add(m[1])
        return flat(ROOT / "include" / m[1], seen)

    text = path.read_text(encoding="utf-8").replace("#pragma once\n", "")
    text = re.sub(r"^ *//.*\n", "", text, flags=re.M)
    return re.sub(r"\n{2,}", "\n", _INCLUDE.sub(included, text)).lstrip()


def _literal(text: str) -> str:
    return "\n".join(f'R"sx({text[i : i + _PIECE]})sx"' for i in range(0, len(text), _PIECE))


def emit(model: Model) -> dict[str, str]:
    found = names()
    lines = [banner("kernels/"), '#include "kernels/sources.h"', "", "const sx_kernel_source sx_kernel_sources[] = {"]
    for name in found:
        text = flat(ROOT / f"{name}.cpp")
        digest = hashlib.sha256(text.encode()).hexdigest()
        lines += [f'{{"sx_{name}",', f"{_literal(text)},", f'"{digest}"}},']
    header = _HEADER.replace("{count}", str(len(found))).replace("{list}", " ".join(f"X({n})" for n in found))
    return {
        "kernels/sources.h": banner("kernels/") + "\n" + header,
        "kernels/sources.cpp": "\n".join([*lines, "};"]) + "\n",
    }
