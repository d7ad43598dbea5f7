"""The decisions behind the bindings: which file a library is, and what a failure says. The C module asks here."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from .. import errors
from . import _locate, _native


@dataclass
class State:
    """What :func:`load` and :func:`use_provider` set."""

    provider: str = ""  # "" until asked: scale-x's own libraries, which choose by SCALE_X_PROVIDER
    cuda: int = 13
    directories: list[Path] = field(default_factory=list)  # empty: scale-x's own
    generation: int = 0  # counts changes of libraries: what older ones made is not the new ones' to free
    namespaces: dict[str, dict[str, Any]] = field(default_factory=dict)


state = State()


def fill(namespace: dict[str, Any], library: str) -> None:
    """Put a library's functions into its module."""
    state.namespaces[library] = namespace
    namespace.update(_native.functions(library, state.cuda))


def load(directory: Path | None, cuda: int) -> None:
    if cuda not in (11, 12, 13):
        raise ValueError(f"cuda is 11, 12 or 13, not {cuda!r}")
    directories = _locate.own_directories() if directory is None else [directory]
    if not any((d / _locate.soname(name, cuda)).exists() for d in directories for name in _locate.SONAMES):
        wanted = _locate.soname("cublas", cuda)
        raise errors.LibraryNotFoundError(
            f"no CUDA-X library of CUDA {cuda} (such as {wanted}) in {_places(directories)}")
    switch("" if directory is None else str(directory), cuda, [] if directory is None else directories)


def switch(provider: str, cuda: int, directories: list[Path]) -> None:
    _native.forget()
    state.provider, state.cuda, state.directories = provider, cuda, directories
    state.generation += 1
    for library, namespace in state.namespaces.items():
        namespace.update(_native.functions(library, cuda))  # a few signatures differ by release


def use_provider(provider: str, cuda: int) -> None:
    if provider in ("host", "rocm"):
        core = _locate.mapped("libscalex_core.so")
        if core and os.environ.get("SCALE_X_PROVIDER", "") != provider:
            raise errors.ProviderError(
                f"{core} already serves this process; set SCALE_X_PROVIDER={provider} before it starts")
        load(None, cuda)
        os.environ["SCALE_X_PROVIDER"] = provider
        state.provider = provider
    elif provider == "nvidia":
        directories = _locate.nvidia_directories(cuda)
        if not directories and not _locate.loader_finds(_locate.soname("cublas", cuda)):
            raise errors.LibraryNotFoundError(
                f"NVIDIA's libraries of CUDA {cuda} were not found: looked for {_locate.soname('cublas', cuda)} in "
                "NVIDIA's wheels (nvidia/*/lib), CUDA_HOME, /usr/local/cuda* and the loader's path")
        switch("nvidia", cuda, directories)
    else:
        load(Path(provider), cuda)


def _directories() -> list[Path]:
    return state.directories if state.directories or state.provider == "nvidia" else _locate.own_directories()


def locate(library: str) -> str:
    """The file to open for a library. Raises LibraryNotFoundError saying where it was looked for."""
    name = _locate.soname(library, state.cuda)
    directories = _directories()
    for directory in directories:
        if (directory / name).exists():
            return str(directory / name)
    if state.provider == "nvidia" and _locate.loader_finds(name):
        return name
    raise errors.LibraryNotFoundError(f"{name} not found in {_places(directories)}")


def _places(directories: list[Path]) -> str:
    return ", ".join(str(d) for d in directories) or "scale_x/lib: scale-x's libraries are not built or not installed"


def not_loaded(library: str, path: str, why: str) -> NoReturn:
    hint = ""
    if "scipy_openblas64" in why:
        hint = "; the package scipy-openblas64 is missing: pip install scipy-openblas64"
    raise errors.LibraryNotFoundError(f"{library}: {path} could not be loaded: {why}{hint}")


def missing(symbol: str, library: str) -> NoReturn:
    raise errors.MissingSymbolError(symbol, _native.loaded_from(library) or library)


def raise_status(library: str, status: int, symbol: str) -> NoReturn:
    error, module, enum = errors.BY_LIBRARY[library]
    name = status_name(module, enum, status)
    raise error(status, name, status_text(module, status, name), symbol) from None


def status_name(module: str, enum: str, status: int) -> str:
    """NVIDIA's enumerator of a status."""
    values: Any = getattr(import_module(f"scale_x.bindings.{module}"), enum)
    try:
        member = values(status)
    except ValueError:
        return f"{enum} {status}"
    prefix = {"cublas": "CUBLAS_STATUS_", "cusolver": "CUSOLVER_STATUS_", "cufft": "CUFFT_", "cudart": "cuda"}[module]
    return f"{prefix}{member.name}"


def status_text(module: str, status: int, name: str) -> str:
    """The library's own words where it has some; else the enumerator's."""
    symbol = {"cublas": "cublasGetStatusString", "cudart": "cudaGetErrorString"}.get(module)
    if symbol is not None:
        try:
            text = _native.function(symbol)(status)
        except (errors.LibraryNotFoundError, errors.MissingSymbolError):
            text = None
        if text:
            return str(text)
    words = re.sub("^(CUBLAS_STATUS_|CUSOLVER_STATUS_|CUFFT_|cudaError)", "", name)
    return re.sub("(?<=[a-z])(?=[A-Z])|_", " ", words).lower()


def info() -> dict[str, Any]:
    return {
        "provider": state.provider or os.environ.get("SCALE_X_PROVIDER") or "scale-x (chosen at the first call)",
        "cuda": state.cuda,
        "directories": [str(d) for d in _directories()],
        "loaded": {n: p for n in _locate.SONAMES if (p := _native.loaded_from(n)) is not None},
        "python": sys.version.split()[0],
    }
