"""A C++ program that compiles only against headers of ROCm that agree with rocm/spec: ``tools/check_rocm.py``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .. import rocm_spec, spec
from ..model import Model

#: what to include for each library, and the libraries whose types its signatures mention
HEADERS = {
    "hip": ("hip/hip_runtime_api.h", "hip/hip_complex.h", "hip/library_types.h"),
    "rocblas": ("rocblas/rocblas.h",),
    "rocsolver": ("rocsolver/rocsolver.h",),
    "hipblaslt": ("hipblaslt/hipblaslt.h", "hipblaslt/hipblaslt-ext-op.h"),
    "hipfft": ("hipfft/hipfft.h", "hipfft/hipfftXt.h"),
    "hiprtc": ("hip/hiprtc.h",),
}


def source(model: Model, library: str, release: str) -> tuple[str, int]:
    """The program's text for a library as it is in ``release``, and the number of functions that it asserts.

    Asserted: the signature of each function that rows, native bodies and core call, and of all others of the libraries
    that compute; the value of each enumerator; the size and offsets of each struct whose members are known. Of HIP,
    whose enumerators' first releases are not known, only enumerators and structs that the sources name.
    """
    lib = model.rocm[library]
    called = model.rocm_used if library in ("hip", "hiprtc") else set(lib.functions)
    functions = [f for f in lib.functions.values()
                 if f.name in called and f.present(release) and not f.unknown and f.header]
    lines = [f"#include <{header}>" for header in HEADERS[library]]
    lines += ["#include <cstddef>", "#include <type_traits>", "#define CHECK(x) static_assert(x, #x)"]
    for f in functions:
        pointer = _pointer(f, release)
        lines.append(f"CHECK((std::is_same_v<decltype(static_cast<{pointer}>(&{f.name})), {pointer}>));")
    named = _named(model) if library == "hip" else None
    for enum in lib.enums.values():
        lines += [f"CHECK(static_cast<long long>({n}) == {v}LL);" for n, v in _values(enum, release).items()
                  if named is None or n in named]  # fmt: skip
    for struct in lib.structs.values():
        if named is None or struct.name in named:
            lines += _layout(struct)
    return "\n".join(lines) + "\n", len(functions)


def _named(model: Model) -> set[str]:
    """Every word of the C++ sources and rows that run on ROCm."""
    words: set[str] = set()
    for folder in (*dict.fromkeys(spec.LIBRARIES.values()), "core", "kernels"):
        for source in (p for p in (model.root / folder).rglob("*") if p.suffix in (".cpp", ".h", ".py")):
            words |= set(re.findall(r"\w+", source.read_text(encoding="utf-8")))
    return words


def _pointer(f: rocm_spec.Function, release: str) -> str:
    """The type of a pointer to the function, in ROCm's own names."""
    types = [p.type for p in f.params] + ["..."] * f.variadic
    if rocm_spec.number(release) < 700:  # hipRTC's arrays of strings became const with 7.0; the ABI is the same
        types = [t.replace("const char* const*", "const char**") for t in types]
    return f"{f.ret} (*)({', '.join(types)})"


def _values(enum: rocm_spec.Enum, release: str) -> dict[str, int]:
    at = rocm_spec.number(release)
    return {e.name: e.value for e in enum.values if rocm_spec.number(e.since) <= at}


def _layout(struct: rocm_spec.Struct) -> Iterable[str]:
    if not struct.size or not re.fullmatch(r"\w+", struct.name):
        return
    yield f"CHECK(sizeof({struct.name}) == {struct.size} && alignof({struct.name}) == {struct.align});"
    for field in struct.fields:
        if field.name and ":" not in field.type:
            yield f"CHECK(offsetof({struct.name}, {field.name}) == {field.offset});"
