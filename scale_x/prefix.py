"""A directory that looks like a CUDA toolkit: what ``-I``, ``-L``, ``CUDA_HOME`` and pkg-config expect.

A wheel cannot hold links, so the directory is made at run time, in the user's cache, of links to the installed files.
It is refreshed in place: a path that was baked into a program's RPATH stays good after an upgrade.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import tempfile
from pathlib import Path

from .bindings import _locate
from .errors import LibraryNotFoundError

#: pkg-config names, as NVIDIA's toolkit has them: (package, what it says, link name, packages it needs)
_PKGCONFIG = (
    ("cudart", "CUDA runtime", "cudart", ""),
    ("cublas", "cuBLAS", "cublas", ""),
    ("cublasLt", "cuBLASLt", "cublasLt", ""),
    ("cusolver", "cuSOLVER", "cusolver", "cublas"),
    ("cufft", "cuFFT", "cufft", ""),
    ("cufftw", "cuFFTW", "cufftw", "cufft"),
)  # fmt: skip
VERSIONS = {11: "11.8", 12: "12.9", 13: "13.0"}


def cache_directory() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "scale-x"


def include_directory(cuda: int) -> Path:
    """The headers of a CUDA release: the package's, or those a checkout emitted."""
    import scale_x

    for entry in scale_x.__path__:
        for found in (Path(entry) / "include" / str(cuda), Path(entry) / "build" / "gen" / "include" / str(cuda)):
            if found.is_dir():
                return found
    raise LibraryNotFoundError(f"no headers of CUDA {cuda}: scale_x/include/{cuda} is not built or not installed")


def library_directory() -> Path:
    found = _locate.own_directories()
    if not found:
        raise LibraryNotFoundError("no libraries: scale_x/lib is not built or not installed")
    return found[0]


def links(cuda: int, libraries: Path) -> dict[str, str]:
    """Names in lib64 and what they lead to: this release's sonames and link names, core, engine and OpenBLAS."""
    made: dict[str, str] = {}
    for library, (link, _) in _locate.SONAMES.items():
        soname = _locate.soname(library, cuda)
        if (libraries / soname).exists():
            made[soname] = str(libraries / soname)
            made[link] = soname
    for path in sorted(libraries.glob("libscalex_*.so.*")):
        made[path.name] = str(path)
    # $ORIGIN does not follow links: the engine looks for its BLAS beside the link that it was loaded through
    spec = importlib.util.find_spec("scipy_openblas64")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for path in sorted((Path(folder) / "lib").glob("libscipy_openblas64_.so*")):
            made[path.name] = str(path)
    for path in sorted(libraries.glob("libscipy_openblas64_*.so*")):
        made[path.name] = str(path)
    return made


def _link(path: Path, target: str) -> None:
    """Make or replace one link, atomically: several builds may refresh the directory at once."""
    if path.is_symlink() and os.readlink(path) == target:
        return
    scratch = Path(tempfile.mktemp(prefix=f".{path.name}.", dir=path.parent))
    scratch.symlink_to(target)
    scratch.replace(path)


def _write(path: Path, text: str) -> None:
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return
    scratch = Path(tempfile.mktemp(prefix=f".{path.name}.", dir=path.parent))
    scratch.write_text(text, encoding="utf-8")
    scratch.replace(path)


def _fill(folder: Path, wanted: dict[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, target in wanted.items():
        _link(folder / name, target)
    for path in folder.iterdir():
        if path.is_symlink() and path.name not in wanted and not path.name.startswith("."):
            path.unlink(missing_ok=True)


def _pkgconfig(root: Path, name: str, title: str, link: str, requires: str, cuda: int) -> str:
    return (f"prefix={root}\nincludedir=${{prefix}}/include\nlibdir=${{prefix}}/lib64\n\n"
            f"Name: {name}\nDescription: {title} by scale-x\nVersion: {VERSIONS[cuda]}\nRequires: {requires}\n"
            f"Libs: -L${{libdir}} -Wl,-rpath,${{libdir}} -l{link}\nCflags: -I${{includedir}}\n")  # fmt: skip


def make(cuda: int, out: Path | None = None) -> Path:
    """Make or refresh the directory of a CUDA release and return its path."""
    libraries, include = library_directory(), include_directory(cuda)
    if out is None:
        key = hashlib.sha256(str(libraries).encode()).hexdigest()[:8]
        out = cache_directory() / f"cuda-{cuda}-{key}"
    root = out.absolute()
    _fill(root / "lib64", links(cuda, libraries))
    _link(root / "include", str(include))
    _link(root / "lib", "lib64")
    folder = root / "lib64" / "pkgconfig"
    folder.mkdir(exist_ok=True)
    for name, title, link, requires in _PKGCONFIG:
        text = _pkgconfig(root, name, title, link, requires, cuda)
        _write(folder / f"{name}.pc", text)
        _write(folder / f"{name}-{VERSIONS[cuda]}.pc", text)
    version = {"cuda": {"name": "scale-x", "version": f"{VERSIONS[cuda]}.0"}}
    _write(root / "version.json", json.dumps(version, indent=2) + "\n")
    return root
