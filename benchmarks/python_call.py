"""Times one call of each binding over the same null libcublas, interleaved in one process; prints JSON.

    python benchmarks/python_call.py DIRECTORY

DIRECTORY holds libcublas.so.13, libcublasLt.so.13 and libcuda.so.1, and is in LD_LIBRARY_PATH (nvmath loads by name).
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

LOOPS, ROUNDS = 20_000, 31


def measure(call: Callable[..., Any]) -> float:
    """ns of CPU time per call of 14 arguments, loop included: the same loop for every binding."""
    handle, alpha, a, b, beta, c = (0x7F1234567890 + 4096 * k for k in range(6))  # 47-bit addresses, as a GPU's are
    ta, tb, m, n, k, lda, ldb, ldc = 0, 1, 512, 256, 128, 512, 256, 512
    start = time.process_time_ns()
    for _ in range(LOOPS):
        call(handle, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
    return (time.process_time_ns() - start) / LOOPS


def main(directory: Path) -> None:
    from nvmath.bindings import cublas as nvmath  # type: ignore[import-not-found, unused-ignore]

    from scale_x import bindings
    from scale_x.bindings import _native, cublas

    bindings.load(directory)

    def keep(*arguments: int) -> None: ...

    def ours(release: bool) -> float:
        _native.releases_gil("cublasSgemm_v2", release)
        return measure(cublas.sgemm)

    calls = {
        "nvmath": lambda: measure(nvmath.sgemm), "released": lambda: ours(True), "kept": lambda: ours(False),
        "python": lambda: measure(keep),
    }
    gc.disable()
    rounds: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(ROUNDS):
        for name, call in calls.items():  # interleaved: a slower minute is everybody's
            rounds[name].append(call())
    loaded = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if "/libcublas.so" in line}
    assert loaded == {str(directory / "libcublas.so.13")}, loaded
    ratios = {name: median(x / y for x, y in zip(rounds[name], rounds["nvmath"], strict=True)) for name in calls}
    print(json.dumps({"ns": {n: round(median(r), 1) for n, r in rounds.items()},
                      "ratio": {n: round(r, 3) for n, r in ratios.items()}}))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
