"""The CUDA-X libraries, function by function, as emitted from NVIDIA's headers.

One module per library (``cublas``, ``cublaslt``, ``cusolver``, ``cusolvermg``, ``cufft``, ``cufftw``, ``nvblas``,
``cudart``). Names are NVIDIA's in snake_case without the library's prefix, arguments keep NVIDIA's names and may be
passed by keyword. Pointers are integers, ``None`` or objects that name their address; results behind pointers are
written where they point, as in C. A status other than success raises :mod:`scale_x.errors`' error of the library.

The libraries are scale-x's own unless :func:`load` or :func:`use_provider` says otherwise. They are opened at the first
call that needs them, with their symbols kept to themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

_emitted = Path(__file__).resolve().parent.parent.parent / "build" / "gen" / "scale_x" / "bindings"
if _emitted.is_dir() and not (Path(__file__).parent / "cublas.py").is_file():
    __path__.append(str(_emitted))  # a checkout: what the generator emitted and the module built beside it

LIBRARIES = ("cublas", "nvblas", "cublaslt", "cusolver", "cusolvermg", "cufft", "cufftw", "cudart")


def load(directory: str | Path | None = None, cuda: int = 13) -> None:
    """Use the libraries of ``directory`` (``None``: scale-x's own) as CUDA ``cuda``, 11, 12 or 13, from now on.

    Raises :class:`scale_x.errors.LibraryNotFoundError` when the directory has none of them. Handles and memory made by
    libraries that were used before stay theirs: they mean nothing to the new ones.
    """
    from . import _support

    _support.load(None if directory is None else Path(directory), cuda)


def use_provider(provider: str, cuda: int = 13) -> None:
    """Choose who answers: ``"host"`` or ``"rocm"`` (scale-x's libraries on that provider), ``"nvidia"`` (NVIDIA's own
    libraries, from NVIDIA's wheels or an installed toolkit), or a directory that holds CUDA-X libraries."""
    from . import _support

    _support.use_provider(provider, cuda)


def function(symbol: str) -> Callable[..., Any]:
    """The function of an exported symbol: ``function("cublasSgemm_v2")`` is ``cublas.sgemm``. Raises KeyError."""
    from . import _native, _support

    found: Callable[..., Any] = _native.function(symbol, _support.state.cuda)
    return found


def info() -> dict[str, Any]:
    """Provider, CUDA release, and the file behind each library that has been used."""
    from . import _support

    return _support.info()
