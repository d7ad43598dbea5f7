"""Puts the subset of ducc0 that the FFT engine compiles into third_party/ducc0, unless it is there.

Taken, in this order: third_party/ducc0 itself (a source distribution carries it), the directory ``$SCALE_X_DUCC0`` (an
unpacked ducc0 source tree), or pip with the hash of third_party/ducc0.txt. Standard library only; called by CMake.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PIN = ROOT / "third_party" / "ducc0.txt"
TARGET = ROOT / "third_party" / "ducc0"
WANTED = ("LICENSE", "src/ducc0/fft/", "src/ducc0/infra/", "src/ducc0/math/cmplx.h", "src/ducc0/math/unity_roots.h")


def pinned_version() -> str:
    return PIN.read_text().split()[0].split("==")[1]


def copy_subset(source: Path, target: Path) -> None:
    """Copy the WANTED files of an unpacked ducc0 tree, through a sibling so that no half copy stays."""
    partial = target.with_name(f"{target.name}.{os.getpid()}")
    for path in sorted(source.rglob("*")):
        name = path.relative_to(source).as_posix()
        if path.is_file() and name.startswith(WANTED):
            (partial / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, partial / name)
    if not (partial / "src/ducc0/fft/fft.h").is_file():
        shutil.rmtree(partial, ignore_errors=True)
        raise SystemExit(f"{source} is not a ducc0 source tree: src/ducc0/fft/fft.h is missing")
    (partial / "VERSION").write_text(pinned_version() + "\n")
    shutil.rmtree(target, ignore_errors=True)
    partial.rename(target)


def download(scratch: Path) -> Path:
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "--disable-pip-version-check",
            "-q",
            "download",
            "--no-deps",
            "--require-hashes",
            "--no-binary",
            "ducc0",
            "-r",
            str(PIN),
            "-d",
            str(scratch),
        ],
        check=True,
    )
    (archive,) = scratch.glob("ducc0-*.tar.gz")
    with tarfile.open(archive) as tar:
        if hasattr(tarfile, "data_filter"):
            tar.extractall(scratch, filter="data")
        else:
            tar.extractall(scratch)
    return scratch / archive.name.removesuffix(".tar.gz")


def main() -> int:
    version = TARGET / "VERSION"
    if version.is_file() and version.read_text().strip() == pinned_version():
        return 0
    given = os.environ.get("SCALE_X_DUCC0")
    if given:
        copy_subset(Path(given), TARGET)
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        try:
            copy_subset(download(Path(scratch)), TARGET)
        except subprocess.CalledProcessError:
            print(
                "ducc0's sources could not be downloaded; set SCALE_X_DUCC0 to an unpacked ducc0 source tree",
                file=sys.stderr,
            )
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
