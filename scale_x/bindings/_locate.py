"""Where CUDA-X libraries are: scale-x's own, and NVIDIA's."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

from scale_x.wrappers_gen.spec import SONAMES


def soname(library: str, cuda: int) -> str:
    link, suffixes = SONAMES[library]
    return f"{link}.{suffixes[cuda]}"


def own_directories() -> list[Path]:
    """Where scale-x's libraries are: ``$SCALE_X_LIBRARY_DIR`` (another build, such as a sanitizer's), the package, or a
    checkout's build folder. Nothing is taken from the current directory."""
    import scale_x

    found = [Path(d) for d in (os.environ.get("SCALE_X_LIBRARY_DIR"),) if d]
    for entry in scale_x.__path__:
        for directory in (Path(entry) / "lib", Path(entry) / "build" / "lib"):
            if any(directory.glob("libscalex_core.so.*")) and directory not in found:
                found.append(directory)
    return found


def nvidia_directories(cuda: int) -> list[Path]:
    """NVIDIA's libraries of a release: its wheels, CUDA_HOME, /usr/local; those that hold one at least."""
    names = [soname(library, cuda) for library in SONAMES]
    places: list[Path] = []
    for entry in sys.path:
        root = Path(entry or ".").resolve() / "nvidia"
        if entry and root.is_dir():
            places += [root / f"cu{cuda}" / "lib", *sorted(root.glob("*/lib"))]
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if os.environ.get(variable):
            places.append(Path(os.environ[variable]) / "lib64")
    places += [*sorted(Path("/usr/local").glob(f"cuda-{cuda}*/lib64"), reverse=True), Path("/usr/local/cuda/lib64")]
    return [d for d in dict.fromkeys(places) if any((d / n).exists() for n in names)]


def loader_finds(name: str) -> bool:
    """Whether the dynamic loader's own path has a library of this name."""
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def mapped(name: str) -> str | None:
    """The file of this name that the process has loaded."""
    try:
        lines = Path("/proc/self/maps").read_text().splitlines()
    except OSError:
        return None
    return next((line.split(maxsplit=5)[5] for line in lines if f"/{name}" in line), None)
