"""Switches between CUDA's and ROCm's enumerators, and the small headers around a library's wrappers.

``src/<library>/library.h``    the library's own headers, renaming macros undone
``src/<library>/translate.h``  ``sx_to_<rocm enum>(cuda)`` and ``sx_from_<rocm status>(rocm)``
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .. import rows, spec
from ..model import Model
from .stubs import NO_HEADER
from .text import banner

#: headers to include beside those that declare a library's functions
_EXTRA = {"cufft": ("cufftXt.h",), "nvblas": ("cublasXt.h",)}
_ORDER = ("cublas_api.h", "cusolver_common.h", "cusolverDn.h", "cufft.h")


def from_name(rocm: str) -> str:
    """``rocblas_status`` -> ``sx_from_rocblas_status``; ``hipError_t`` -> ``sx_from_hip_error``."""
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", rocm.removesuffix("_t")).lower()
    return f"sx_from_{snake}"


def to_name(rocm: str) -> str:
    return f"sx_to_{rocm}"


def headers(model: Model, library: str) -> list[str]:
    found = {f.header for f in model.cuda[library].functions.values() if f.header and f.header not in NO_HEADER} | set(
        _EXTRA.get(library, ())
    )
    return sorted(found, key=lambda h: (_ORDER.index(h) if h in _ORDER else len(_ORDER), h))


def _library(model: Model, library: str) -> str:
    lib = model.cuda[library]
    aliases = sorted({a for f in lib.functions.values() for a in f.aliases})
    lines = [banner(f"the spec of {library}"), "#pragma once", ""]
    lines += [f"#include <{h}>" for h in headers(model, library)]
    lines += ["", "// Renames would rename the definitions of the functions that they hide."] if aliases else []
    lines += [f"#undef {a}" for a in aliases]
    return "\n".join(lines) + "\n"


def _to(e: rows.EnumMap) -> Iterator[str]:
    yield f"static inline {e.rocm} {to_name(e.rocm)}({e.cuda} value) {{"
    yield "  switch (static_cast<int>(value)) {"
    for cuda, rocm in e.values.items():
        yield f"    case {cuda}: return {rocm};"
    yield f"    default: return static_cast<{e.rocm}>(-1);  // ROCm refuses it"
    yield "  }"
    yield "}"


def _from(s: rows.StatusMap) -> Iterator[str]:
    yield f"static inline {s.cuda} {from_name(s.rocm)}({s.rocm} status) {{"
    success = [r for r, c in s.values.items() if r.endswith(("success", "Success"))]
    if success:
        yield f"  if (SX_LIKELY(status == {success[0]})) return {s.values[success[0]]};"
    yield "  switch (static_cast<int>(status)) {"
    for rocm, cuda in s.values.items():
        yield f"    case {rocm}: return {cuda};"
    yield f"    default: return {s.default};"
    yield "  }"
    yield "}"


def _translate(model: Model, library: str) -> str:
    folder = spec.LIBRARIES[library]
    types = model.types.get(folder)
    lines = [banner(f"{folder}/rows/types.py"), "#pragma once", "", '#include "library.h"', '#include "scalex/wrap.h"']
    for e in (e for e in (types.enums if types else ()) if e.rocm):
        lines += ["", *_to(e)]
    if types and types.status:
        lines += ["", *_from(types.status)]
    return "\n".join(lines) + "\n"


def emit(model: Model) -> dict[str, str]:
    out = {}
    for library in model.cuda:
        out[f"src/{library}/library.h"] = _library(model, library)
        out[f"src/{library}/translate.h"] = _translate(model, library)
    return out
