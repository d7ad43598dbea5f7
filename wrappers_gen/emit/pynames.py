"""Python names of exported functions and of enumerators, by the convention of NVIDIA's own Python bindings.

A function loses its library's prefix and becomes snake_case: ``cublasSgemm_v2`` (to the header ``cublasSgemm``)
is ``sgemm``, ``cublasGemmEx`` is ``gemm_ex``, ``cusolverDnSpotrf_bufferSize`` is ``dn_spotrf_buffer_size``. What
``cublas.h`` declares, the interface without a handle, is ``legacy_...``. An enum loses prefix and ``_t``
(``cublasOperation_t`` is ``Operation``), its enumerators what they have in common (``CUBLAS_OP_N`` is ``Operation.N``).
"""

from __future__ import annotations

import keyword
import re

from ..spec import Enum, Function, Library

#: what a library's names start with; the FFTW and NVBLAS interfaces keep the names that make them drop-in
PREFIXES = {
    "cublas": "cublas", "nvblas": "", "cublaslt": "cublasLt", "cusolver": "cusolver", "cusolvermg": "cusolverMg",
    "cufft": "cufft", "cufftw": "", "cudart": "cuda",
}
LEGACY_HEADER = "cublas.h"
_PLURALS = (("GPUs", "Gpus"), ("LTOIRs", "Ltoirs"))
_IRS = re.compile(r"(?<=Dn)([SDCZHBEKXY]{2})(?=ge(?:sv|ls)(?:_|$))")  # DnCCgels: two precisions, then the routine
_BOUNDARY = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z0-9])(?=[A-Z][a-z])")


def snake(name: str) -> str:
    for old, new in _PLURALS:
        name = name.replace(old, new)
    name = _IRS.sub(lambda m: m[1].capitalize() + "_", name)
    return re.sub("__+", "_", _BOUNDARY.sub("_", name).lower())


def without_prefix(name: str, library: str) -> str:
    prefix = PREFIXES[library]
    return name[len(prefix):] if prefix and name.startswith(prefix) else name


def public_name(f: Function) -> str:
    """What the newest header that declares ``f`` lets people write: the alias, or the symbol itself."""
    newest = max(f.declared, default=0)
    return next((a for a, majors in sorted(f.aliases.items()) if newest in majors and newest == 13), f.name)


def function_name(f: Function, library: str) -> str:
    if PREFIXES[library] == "":
        return f.name
    name = snake(without_prefix(public_name(f), library)).lstrip("_")
    return f"legacy_{name}" if f.header == LEGACY_HEADER else name


def parameter_names(names: list[str]) -> list[str]:
    """Parameter names as Python identifiers, unique."""
    made: list[str] = []
    for k, name in enumerate(names):
        name = name or f"arg{k}"
        while keyword.iskeyword(name) or name in made:
            name += "_"
        made.append(name)
    return made


def enum_names(lib: Library) -> dict[str, str]:
    """NVIDIA's enum name -> Python class."""
    made: dict[str, str] = {}
    for name in sorted(lib.enums, key=lambda n: (not n.startswith(PREFIXES[lib.name] or "?"), n)):
        short = re.sub("(_t|_enum|_flags)$", "", name)
        own = without_prefix(short, lib.name)
        candidate = own[:1].upper() + own[1:]
        free = candidate.isidentifier() and candidate not in made.values()
        made[name] = candidate if free else short[:1].upper() + short[1:]
    return made


def _words(name: str) -> list[str]:
    """Where a common prefix may end: after an underscore, or before a capital that starts a word."""
    pattern = r"[^_]*_|[^_]+$" if "_" in name or name.isupper() else r"[A-Z]?[a-z0-9]+|[A-Z0-9]+(?![a-z])|[A-Z]"
    return re.findall(pattern, name)


def member_names(enum: Enum) -> dict[str, str]:
    """Enumerator -> member: without the words all share, as long as that leaves identifiers."""
    full = list(dict.fromkeys(v.name for v in enum.values))
    words = {n: _words(n) for n in full}
    if any("".join(w) != n for n, w in words.items()):
        return {n: n for n in full}
    shared = 0
    shortest = min(len(w) for w in words.values())
    while shared < shortest - 1 and len({w[shared] for w in words.values()}) == 1:
        shared += 1
    while shared:
        made = {n: "".join(w[shared:]) for n, w in words.items()}
        if all(m.isidentifier() and not keyword.iskeyword(m) and m != "mro" for m in made.values()):
            return made
        shared -= 1
    return {n: n for n in full}


def member_values(enum: Enum) -> dict[str, int]:
    """Enumerator -> value, the newest release's where it differs."""
    newest: dict[str, tuple[int, int]] = {}
    for v in enum.values:
        rank = max(v.majors, default=0)
        if v.name not in newest or rank > newest[v.name][0]:
            newest[v.name] = (rank, v.value)
    return {n: value for n, (_, value) in newest.items()}
