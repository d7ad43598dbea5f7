"""`make sanitize`: the quick conformance level under ASan+UBSan, the threaded tests under TSan.

    python tools/sanitize.py [address] [thread] [--library cublas ...] [-k EXPR]

Each sanitizer has its own build tree with what it runs and no more; its runtime is preloaded into Python, and the first
report ends the process that made it: the case fails as a crash, the test fails, and so does this program. The engine
tells ASan which bytes of device memory belong to a block. Leak checking is off for Python's sake; tests elsewhere count
the engine's blocks.

On two cores shared with other work, the builds for cuBLAS and the engine took 26 minutes (ASan+UBSan) and 8 (TSan).
cuBLAS's 33,098 cases under ASan+UBSan: 3 minutes of processor time, 12 by the clock; cuBLAS's and the engine's threaded
tests under TSan: half a minute.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent

#: what every process needs, and what a library adds
ENGINE = ("libcudart.so.13", "libcublas.so.13", "scalex_host")
TARGETS: dict[str, tuple[str, ...]] = {
    "cudart": (),
    "cublas": (),
    "cublaslt": ("libcublasLt.so.13",),
    "cufft": ("libcufft.so.12",),
    "cusolver": ("libcublasLt.so.13", "libcusolver.so.12", "scalex_hostmath"),
    "cusolvermg": ("libcusolver.so.12", "libcusolverMg.so.12", "scalex_hostmath"),
}
#: the files with threaded tests, by the library that they load beside cuBLAS
THREADED = {
    "cublas": ("test_core_cublas.py", "test_host_streams.py", "test_host_rocblas_streams.py"),
    "cublaslt": ("test_cublaslt.py", "test_host_hipblaslt_streams.py"),
    "cufft": ("test_cufft.py",),
    "cusolver": ("test_cusolver_calls.py", "test_cusolver_x.py", "test_cusolverrf.py", "test_cusolversp.py"),
    "cusolvermg": ("test_cusolvermg.py",),
}


@dataclass(frozen=True)
class Sanitizer:
    flag: str
    tree: Path
    runtimes: tuple[str, ...]
    environment: dict[str, str]


SANITIZERS = {
    "address": Sanitizer(
        "address,undefined", ROOT / "build-asan", ("libasan.so", "libubsan.so"),
        {"ASAN_OPTIONS": "detect_leaks=0:protect_shadow_gap=0",
         "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
         "PYTHONMALLOC": "malloc"},  # small buffers of ctypes too
    ),
    "thread": Sanitizer(
        "thread", ROOT / "build-tsan", ("libtsan.so",),
        {"TSAN_OPTIONS": "halt_on_error=1:second_deadlock_stack=1:die_after_fork=0"},
    ),
}  # fmt: skip


def commands(name: str, libraries: list[str], words: str) -> list[list[str]]:
    """What runs under a sanitizer; ``words`` choose among conformance cases or tests."""
    python = [sys.executable, "-m"]
    if name == "thread":
        files = [f"tests/{f}" for library in libraries for f in THREADED.get(library, ())]
        return [[*python, "pytest", "-q", "-k", words or "thread or fork", *files]]
    # by the library, so that a sweep that breaks off has proved the others; a busy machine is given its time
    chosen = ["-k", words] if words else []
    run = [*python, "scale_x.conformance.cli", "run", "--level", "quick", "--watchdog", "300", *chosen]
    return [[*run, "--library", library] for library in libraries]


def runtime(name: str) -> str:
    return subprocess.run(
        [os.environ.get("CXX", "g++"), f"-print-file-name={name}"], capture_output=True, text=True, check=True
    ).stdout.strip()


def build(sanitizer: Sanitizer, libraries: list[str]) -> None:
    targets = dict.fromkeys([*ENGINE, *(t for library in libraries for t in TARGETS[library])])
    subprocess.run(
        [BIN / "cmake", "-S", ROOT, "-B", sanitizer.tree, "-G", "Ninja", f"-DSCALE_X_SANITIZE={sanitizer.flag}",
         f"-DPython3_EXECUTABLE={sys.executable}", f"-DCMAKE_MAKE_PROGRAM={BIN / 'ninja'}"],
        check=True,
    )  # fmt: skip
    subprocess.run([BIN / "cmake", "--build", sanitizer.tree, "--target", *targets], check=True)


def environment(sanitizer: Sanitizer) -> dict[str, str]:
    """One thread for NumPy's OpenBLAS: its threads are not what is looked at."""
    return os.environ | sanitizer.environment | {
        "LD_PRELOAD": ":".join(map(runtime, sanitizer.runtimes)),
        "SCALE_X_LIBRARY_DIR": str(sanitizer.tree / "lib"),
        "SCALE_X_HOST_HOSTILE": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("sanitizers", nargs="*", metavar="address|thread", help="both by default")
    parser.add_argument("--library", action="append", choices=TARGETS, help="may be repeated; all by default")
    parser.add_argument("-k", dest="words", default="", metavar="EXPR", help="choose among the cases or tests")
    options = parser.parse_args()
    libraries = options.library or list(TARGETS)
    if unknown := set(options.sanitizers) - set(SANITIZERS):
        parser.error(f"no sanitizer {', '.join(sorted(unknown))}; there are {', '.join(SANITIZERS)}")
    failed = []
    for name in options.sanitizers or SANITIZERS:
        build(SANITIZERS[name], libraries)
        for command in commands(name, libraries, options.words):
            start = time.monotonic()
            code = subprocess.run(command, cwd=ROOT, env=environment(SANITIZERS[name])).returncode
            said = f"{name}: {' '.join(command[2:])}: exit status {code}, {time.monotonic() - start:.0f} s"
            print(said, flush=True)
            failed += [said] if code else []
    print(*(f"FAILED {said}" for said in failed), sep="\n")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
