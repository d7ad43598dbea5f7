"""The constant that tells shared objects of one library apart: CUDA major, version number, soname."""

from __future__ import annotations

from ..model import Model
from .text import banner


def emit(model: Model) -> dict[str, str]:
    out = {}
    for so in model.sonames:
        out[f"src/abi/{so.name}.cpp"] = (
            f"{banner(f'wrappers_gen/spec.py and the spec of {so.library}')}\n"
            '#include "scalex/core.h"\n\n'
            'extern "C" __attribute__((visibility("hidden"))) const sx_abi_info sx_abi;\n'
            f'const sx_abi_info sx_abi = {{{so.cuda_major}, {so.version}, "{so.name}"}};\n'
        )
    return out
