"""``python -m wrappers_gen <command>`` from the repository root, ``python -m scale_x.wrappers_gen`` when installed."""

from __future__ import annotations

import sys
from pathlib import Path

if __package__ == "wrappers_gen":  # a checkout: make ``scale_x.<folder>`` importable, and be it
    import scale_x

    _root = str(Path(__file__).resolve().parent.parent)
    if _root not in scale_x.__path__:
        scale_x.__path__.append(_root)

from scale_x.wrappers_gen.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
