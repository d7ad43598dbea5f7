"""Which CUDA-X libraries a provider means: our own on the host engine or on ROCm, NVIDIA's, or a directory's."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from scale_x.bindings import _locate
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


def resolve(name: str, cuda: int) -> Provider:
    """The provider called ``name``: host, rocm, nvidia, or a directory that holds the libraries."""
    if name in OWN:
        directories = tuple(_locate.own_directories())
        if not directories:
            raise ProviderError("scale-x's libraries are not built: neither in the package nor in build/; `make build`")
        return Provider(name, directories, cuda, {"SCALE_X_PROVIDER": name})
    if name == "nvidia":
        directories = tuple(_locate.nvidia_directories(cuda))
    else:
        directories = (Path(name).resolve(),)
        if not directories[0].is_dir():
            raise ProviderError(f"--provider {name}: neither host, rocm, nvidia nor a directory")
    provider = Provider(name, directories, cuda)
    for library in ("cudart", "cublas"):
        if provider.find(library) is None:
            looked = ", ".join(map(str, directories)) or "NVIDIA's wheels (nvidia/*/lib), CUDA_HOME, /usr/local/cuda*"
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
