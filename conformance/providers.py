"""Which CUDA-X libraries a provider means: our own on the host engine or on ROCm, NVIDIA's, or a directory's."""

from __future__ import annotations

import glob
import os
import sys
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from scale_x.wrappers_gen import spec

OWN = ("host", "rocm")


class ProviderError(Exception):
    """The asked libraries are not there; the message names where they were looked for."""


@dataclass(frozen=True)
class Provider:
    name: str
    directories: tuple[Path, ...]
    cuda: int
    environment: dict[str, str] = field(default_factory=dict, hash=False, compare=False)

    @property
    def own(self) -> bool:
        return self.name in OWN

    def find(self, library: str) -> Path | None:
        soname = soname_of(library, self.cuda)
        return next((d / soname for d in self.directories if (d / soname).exists()), None)


def soname_of(library: str, cuda: int) -> str:
    base, suffixes = spec.SONAMES[library]
    return f"{base}.{suffixes[cuda]}"


def own_directory() -> Path | None:
    """Where this project's libraries are: installed beside the package, or in a checkout's build folder."""
    candidates = [Path(str(resources.files("scale_x"))) / "lib", spec.ROOT / "build" / "lib"]
    for path in sys.path:
        candidates.append(Path(path or ".") / "scale_x" / "lib")
    if override := os.environ.get("SCALE_X_LIBRARIES"):
        candidates.insert(0, Path(override))
    for c in candidates:
        if glob.glob(str(c / "libcublas.so*")):
            return c.resolve()
    return None


def _nvidia_directories(cuda: int) -> list[Path]:
    found = []
    for path in sys.path:
        found += sorted(Path(path or ".").glob("nvidia/*/lib"))
    found += [Path(p) for p in os.environ.get("LD_LIBRARY_PATH", "").split(":") if p]
    found += [Path(p) for p in (f"/usr/local/cuda-{cuda}/lib64", "/usr/local/cuda/lib64", *sorted(
        glob.glob(f"/usr/local/cuda-{cuda}.*/lib64"), reverse=True), "/usr/lib/x86_64-linux-gnu")]  # fmt: skip
    return [p for p in dict.fromkeys(found) if p.is_dir() and glob.glob(str(p / "libcu*.so*"))]


def resolve(name: str, cuda: int) -> Provider:
    """The provider called ``name``: host, rocm, nvidia, or a directory that holds the libraries."""
    if name in OWN:
        directory = own_directory()
        if directory is None:
            raise ProviderError(
                "scale-x's libraries are not built: looked in the package and in build/lib; run `make build`"
            )
        environment = {"SCALE_X_PROVIDER": name}
        return Provider(name, (directory,), cuda, environment)
    if name == "nvidia":
        directories = tuple(_nvidia_directories(cuda))
    else:
        directories = (Path(name).resolve(),)
        if not directories[0].is_dir():
            raise ProviderError(f"--provider {name}: neither host, rocm, nvidia nor a directory")
    provider = Provider(name, directories, cuda)
    for library in ("cudart", "cublas"):
        if provider.find(library) is None:
            looked = ", ".join(map(str, directories)) or "sys.path/nvidia/*/lib, LD_LIBRARY_PATH, /usr/local/cuda"
            raise ProviderError(f"{soname_of(library, cuda)} not found for --provider {name}; looked in: {looked}")
    return provider


def foreign_libraries(provider: Provider) -> list[str]:
    """CUDA-X libraries mapped into this process from elsewhere than the provider's directories."""
    bases = tuple(base.removesuffix(".so") + ".so" for base, _ in spec.SONAMES.values())
    allowed = {str(d.resolve()) for d in provider.directories}
    mapped = set()
    with open("/proc/self/maps", encoding="utf-8") as maps:
        for line in maps:
            path = line.split(maxsplit=5)[5].strip() if line.count("/") else ""
            if os.path.basename(path).startswith(bases):
                mapped.add(path)
    return sorted(p for p in mapped if os.path.dirname(os.path.realpath(p)) not in allowed and os.path.dirname(p) not in
                  {str(d) for d in provider.directories})  # fmt: skip
