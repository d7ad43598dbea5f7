"""Read NVIDIA's headers and libraries, and comparisons of AMD's, into ``spec/*.jsonl``: facts only, checked in."""

from __future__ import annotations

import argparse
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main_rocm(argv: list[str]) -> int:
    """``extract-rocm --from DIR``: write ``rocm/spec/*.jsonl``."""
    from . import rocm

    parser = argparse.ArgumentParser(prog="wrappers_gen extract-rocm", description=main_rocm.__doc__)
    parser.add_argument("--from", dest="source", type=Path, required=True, help="folder of JSON header comparisons")
    parser.add_argument("--out", type=Path, default=ROOT / "rocm" / "spec")
    options = parser.parse_args(argv)
    rocm.extract(options.source, options.out)
    return 0
