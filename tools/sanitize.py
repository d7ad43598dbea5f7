"""`make sanitize`: the quick conformance level under ASan+UBSan, the threaded tests under TSan.

Each has its own build tree with the libraries that it needs and no more; the sanitizer's runtime is preloaded into
Python. Leak checking is off for Python itself; the core's own leak counts are tested elsewhere.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent

#: sanitizer -> build tree, what is built there, runtimes to preload, commands, the sanitizer's options
RUNS = {
    "address,undefined": (
        "build-asan",
        ["libcublas.so.13", "libcudart.so.13", "scalex_host", "_native"],
        ["libasan.so", "libubsan.so"],
        [[str(BIN / "scale-x-conform"), "run", "--library", "cublas", "--level", "quick"]],
        {"ASAN_OPTIONS": "detect_leaks=0:protect_shadow_gap=0", "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1"},
    ),
    "thread": (
        "build-tsan",
        ["libcublas.so.13", "libcudart.so.13", "scalex_host"],
        ["libtsan.so"],
        [[str(BIN / "pytest"), "-q", "-k", "thread", "tests/test_core_cublas.py", "tests/test_host_streams.py"]],
        {"TSAN_OPTIONS": "halt_on_error=1:second_deadlock_stack=1"},
    ),
}


def runtime(name: str) -> str:
    return subprocess.run(
        [os.environ.get("CXX", "g++"), f"-print-file-name={name}"], capture_output=True, text=True, check=True
    ).stdout.strip()


def main() -> int:
    failed = 0
    for sanitizer, (folder, targets, runtimes, commands, options) in RUNS.items():
        tree = ROOT / folder
        subprocess.run(
            [
                BIN / "cmake",
                "-S",
                ROOT,
                "-B",
                tree,
                "-G",
                "Ninja",
                f"-DSCALE_X_SANITIZE={sanitizer}",
                f"-DPython3_EXECUTABLE={sys.executable}",
                f"-DCMAKE_MAKE_PROGRAM={BIN / 'ninja'}",
            ],
            check=True,
        )
        subprocess.run([BIN / "cmake", "--build", tree, "--target", *targets], check=True)
        env = dict(
            os.environ,
            **options,
            LD_PRELOAD=":".join(map(runtime, runtimes)),
            SCALE_X_LIBRARY_DIR=str(tree / "lib"),
            SCALE_X_HOST_HOSTILE="1",
        )
        for command in commands:
            failed |= subprocess.run(command, cwd=ROOT, env=env).returncode
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
