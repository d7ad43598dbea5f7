"""Download NVIDIA's wheels and keep what the extraction reads: the C headers and the names of the exports.

The wheels are hundreds of megabytes each, so a wheel is deleted as soon as its headers are unpacked and its shared
libraries have been listed. What stays in the cache, per CUDA major: ``<major>/include/`` and ``<major>/exports.json``.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .exports import exported

#: The release of every wheel read, per CUDA major. To read a newer CUDA release, change these and extract again.
WHEELS: dict[int, tuple[str, ...]] = {
    11: (
        "nvidia-cuda-runtime-cu11==11.8.89",
        "nvidia-cublas-cu11==11.11.3.6",
        "nvidia-cusolver-cu11==11.4.1.48",
        "nvidia-cufft-cu11==10.9.0.58",
        "nvidia-cuda-nvcc-cu11==11.8.89",
        "nvidia-cuda-cccl-cu11==11.8.89.post1",
        "nvidia-cusparse-cu11==11.7.5.86",
    ),
    12: (
        "nvidia-cuda-runtime-cu12==12.9.79",
        "nvidia-cublas-cu12==12.9.3.13",
        "nvidia-cusolver-cu12==11.7.5.82",
        "nvidia-cufft-cu12==11.4.1.4",
        "nvidia-cuda-nvcc-cu12==12.9.86",
        "nvidia-cuda-cccl-cu12==12.9.27",
        "nvidia-cusparse-cu12==12.5.10.65",
    ),
    13: (
        "nvidia-cuda-runtime==13.5.37",
        "nvidia-cublas==13.10.0.20",
        "nvidia-cusolver==12.4.1.2",
        "nvidia-cufft==12.5.0.14",
        "nvidia-cuda-crt==13.5.37",
        "nvidia-cuda-cccl==13.3.5.0.6",
        "nvidia-cusparse==12.9.4.2",
    ),
}
#: Shared libraries whose exports are listed (link names, without the version).
LIBRARIES = ("libcublas", "libcublasLt", "libnvblas", "libcusolver", "libcusolverMg", "libcufft", "libcufftw",
             "libcudart")
PLATFORMS = ("manylinux1_x86_64", "manylinux2014_x86_64", "manylinux_2_27_x86_64", "manylinux_2_28_x86_64")


def fetch(cache: Path, majors: tuple[int, ...] = tuple(WHEELS)) -> None:
    """Bring headers and export lists of every wheel of ``majors`` into ``cache``; what is there already stays."""
    jobs = [(cache / str(m), w) for m in majors for w in WHEELS[m]]
    with ThreadPoolExecutor(max_workers=3) as pool:
        for job in [pool.submit(_one, root, wheel) for root, wheel in jobs]:
            job.result()


def exports(cache: Path, major: int) -> dict[str, list[str]]:
    """Export lists by link name without suffix (``libcublas``), as cached by ``fetch``."""
    out: dict[str, list[str]] = {}
    for part in sorted((cache / str(major)).glob("*.exports.json")):
        out.update(json.loads(part.read_text()))
    return out


def _one(root: Path, wheel: str) -> None:
    done = root / f"{wheel}.exports.json"
    if done.exists():
        return
    root.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=root) as tmp:
        platforms = [a for p in PLATFORMS for a in ("--platform", p)]
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--no-cache-dir",
             "--python-version", "3.11", *platforms, "--dest", tmp, wheel], check=True)
        (path,) = Path(tmp).glob("*.whl")
        with zipfile.ZipFile(path) as archive:
            done.write_text(json.dumps(_unpack(archive, root, Path(tmp))))


def _unpack(archive: zipfile.ZipFile, root: Path, tmp: Path) -> dict[str, list[str]]:
    """Headers go to ``root/include`` whatever folder the wheel has them in; returns the exports of its libraries."""
    found = {}
    for name in archive.namelist():
        parts = Path(name).parts
        if "include" in parts and not name.endswith("/"):
            target = root.joinpath("include", *parts[parts.index("include") + 1:])
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(archive.read(name))
        elif "lib" in parts and parts[-1].partition(".so")[0] in LIBRARIES and ".so" in parts[-1]:
            library = Path(archive.extract(name, tmp))
            found[parts[-1].partition(".so")[0]] = exported(library)
            library.unlink()
    return found
