"""Read NVIDIA's headers and libraries, and comparisons of AMD's, into ``spec/*.jsonl``: facts only, checked in."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ..spec import LIBRARIES

if TYPE_CHECKING:
    from .parse import Facts

ROOT = Path(__file__).resolve().parents[2]


#: Translation units read for every major: header, and whether it is read as C too (else as C++ only), defines.
UNITS: tuple[tuple[str, bool, tuple[str, ...]], ...] = (
    *((h, True, ()) for h in (
        "cuda_runtime_api.h", "cublas_v2.h", "cublas.h", "cublasXt.h", "cublasLt.h", "nvblas.h", "cusolverDn.h",
        "cusolverSp.h", "cusolverSp_LOWLEVEL_PREVIEW.h", "cusolverRf.h", "cusolverMg.h", "cufft.h", "cufftXt.h",
        "cufftw.h")),
    ("cufft_device.h", False, ("CUFFT_ENABLE_EXPERIMENTAL_API",)),
)


def main(argv: list[str]) -> int:
    """``extract``: download NVIDIA's wheels, read their headers and exports, and write ``*/spec/*.jsonl``."""
    from . import fetch, merge
    from .jsonl import write

    parser = argparse.ArgumentParser(prog="wrappers_gen extract", description=main.__doc__)
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "scale-x" / "wheels",
                        help="where headers and export lists are kept (default: %(default)s)")
    parser.add_argument("--out", type=Path, default=ROOT, help="root of the tree to write (default: the checkout)")
    options = parser.parse_args(argv)
    fetch.fetch(options.cache)
    facts = {major: read(options.cache / str(major) / "include") for major in fetch.WHEELS}
    exports = {major: fetch.exports(options.cache, major) for major in fetch.WHEELS}
    for library, folder in LIBRARIES.items():
        write(options.out / folder / "spec" / f"{library}.jsonl", merge.merge(library, facts, exports))
    return 0


def read(include: Path) -> Facts:
    """The facts of one major's headers."""
    from . import merge
    from .parse import Parser

    parser = Parser([include, include / "cccl"], frozenset(h for hs in merge.HEADERS.values() for h in hs))
    for header, as_c, defines in UNITS:
        if (include / header).exists():
            for cxx in (False, True) if as_c else (True,):
                parser.read(header, cxx, defines)
    return parser.facts


def main_rocm(argv: list[str]) -> int:
    """``extract-rocm --from DIR``: write ``rocm/spec/*.jsonl``."""
    from . import rocm

    parser = argparse.ArgumentParser(prog="wrappers_gen extract-rocm", description=main_rocm.__doc__)
    parser.add_argument("--from", dest="source", type=Path, required=True, help="folder of JSON header comparisons")
    parser.add_argument("--out", type=Path, default=ROOT / "rocm" / "spec")
    options = parser.parse_args(argv)
    rocm.extract(options.source, options.out)
    return 0
