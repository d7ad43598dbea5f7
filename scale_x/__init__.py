"""scale-x: the open CUDA-X compatibility layer.

In a checkout the repository root is appended to this package's path, so that ``scale_x.cublas``,
``scale_x.wrappers_gen`` and the other folders import the same way before anything is installed, from
an editable install and from a wheel.
"""

from pathlib import Path

__version__ = "0.1.0"

_root = Path(__file__).resolve().parent.parent
if (_root / "wrappers_gen" / "rows.py").is_file() and (_root / "pyproject.toml").is_file():
    __path__.append(str(_root))
