"""AMD's prebuilt rocsolver-test on the host engine: an outside judge of its ABI, argument checks and results.

    python tools/amd_tests.py [--dir DIR] [--families GETRF,GETRS,...] [--release 6.4]

Fetches the program and the C library that it needs from Debian's sid into DIR (11 MB, once; nothing is installed),
builds the forwarders of the release, and prints one line per family. Exit code 1 when a test that ran failed. It needs
apt-get, dpkg and a C compiler; the program is Debian's of ROCm 6.4.
"""

from __future__ import annotations

import argparse
import importlib.resources
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("librocsolver0-tests", "libfmt11", "liblapack3", "libblas3", "libgfortran5", "libquadmath0", "libstdc++6",
            "libgcc-s1", "libc6")  # fmt: skip
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
#: what the engine has of rocSOLVER
FAMILIES = ("GETF2", "GETF2_64", "GETF2_NPVT", "GETRF", "GETRF_64", "GETRF_NPVT", "GETRF_NPVT_64", "GETRS", "GETRS_64",
            "GESV", "GESV_OUTOFPLACE", "GETRI", "GETRI_NPVT", "GETRI_OUTOFPLACE", "GETRI_NPVT_OUTOFPLACE", "GEQR2",
            "GEQR2_64", "GEQRF", "GEQRF_64", "GELS", "GELS_OUTOFPLACE")  # fmt: skip


def fetch(folder: Path) -> Path:
    """The unpacked packages below ``folder``/root."""
    root, archives = folder / "root", folder / "archives"
    if (root / "usr/libexec/rocm/librocsolver0-tests/rocsolver-test").is_file():
        return root
    for sub in ("lists/partial", "cache/archives/partial", "archives"):
        (folder / sub).mkdir(parents=True, exist_ok=True)
    sources = folder / "sources.list"
    sources.write_text(f"deb [signed-by={KEYRING}] http://deb.debian.org/debian sid main\n")
    config = folder / "apt.conf"
    config.write_text(
        f'Dir::Etc::sourcelist "{sources}";\nDir::Etc::sourceparts "/dev/null";\nDir::State::lists "{folder}/lists";\n'
        f'Dir::Cache "{folder}/cache";\nAcquire::Check-Valid-Until "false";\n'
    )
    env = {**os.environ, "APT_CONFIG": str(config)}
    subprocess.run(["apt-get", "-qq", "update"], env=env, check=True)
    subprocess.run(["apt-get", "-qq", "download", *PACKAGES], env=env, cwd=archives, check=True)
    for package in archives.glob("*.deb"):
        subprocess.run(["dpkg", "-x", str(package), str(root)], check=True)
    return root


def forwarders(folder: Path, release: str) -> Path:
    """ROCm's library names, built for ``release``."""
    out, gen = folder / "rocm" / release, folder / "gen"
    out.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-S", "-m", "wrappers_gen", "emit", "--out", str(gen)], cwd=ROOT, check=True)
    for source in sorted((gen / "forwarders" / release).glob("*.c")):
        soname = source.stem
        command = ["cc", "-O1", "-fPIC", "-shared", f"-I{ROOT / 'host' / 'forwarders'}", str(source),
                   "-o", str(out / soname), f"-Wl,-soname,{soname}",
                   f"-Wl,--version-script,{source.with_suffix('.map')}", "-ldl"]  # fmt: skip
        subprocess.run(command, check=True)
    return out


def run(root: Path, rocm: Path, engine: Path, family: str) -> tuple[bool, str]:
    """Whether a family passed, and what to say of it."""
    lib = root / "usr/lib/x86_64-linux-gnu"
    path = ":".join(map(str, (rocm, lib, lib / "lapack", lib / "blas")))
    program = root / "usr/libexec/rocm/librocsolver0-tests/rocsolver-test"
    env = {**os.environ, "SCALE_X_HOST_ENGINE": str(engine), "SCALE_X_HOST_HOSTILE": "1", "SCALE_X_HOST_THREADS": "1"}
    command = [str(lib / "ld-linux-x86-64.so.2"), "--library-path", path, str(program),
               f"--gtest_filter=checkin_lapack/{family}.*"]  # fmt: skip
    done = subprocess.run(command, env=env, capture_output=True, text=True, errors="replace")
    text = done.stdout + done.stderr
    passed, failed = (re.search(rf"\[  {word}  \] (\d+) test", text) for word in ("PASSED", "FAILED"))
    missing = sorted(set(re.findall(r"scale-x: (\w+) is not in the host engine", text)))
    said = f"{passed[1] if passed else 0} passed, {failed[1] if failed else 0} failed"
    if done.returncode < 0 or not passed:
        last = re.findall(r"\[ RUN      \] (\S+)", text)
        said += f", ended with {done.returncode} in {last[-1] if last else 'the start'}"
    if missing:
        said += f"; not there: {', '.join(missing)}"
    return done.returncode == 0, said


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dir", type=Path, default=ROOT / "build" / "amd-tests")
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--release", default="6.4", help="the ROCm that the engine stands for")
    parser.add_argument("--engine", type=Path, help="libscalex_host.so.0; the installed one by default")
    options = parser.parse_args()
    folder = options.dir.resolve()
    engine = options.engine or Path(str(importlib.resources.files("scale_x") / "lib" / "libscalex_host.so.0"))
    root, rocm = fetch(folder), forwarders(folder, options.release)
    good = True
    for family in options.families.split(","):
        passed, said = run(root, rocm, engine.resolve(), family)
        good &= passed
        print(f"{'ok  ' if passed else 'FAIL'} {family:24} {said}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
