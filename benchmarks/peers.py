"""Peers that benchmarks compare with, and how a ratio is taken on a noisy machine: interleaved runs, medians."""

from __future__ import annotations

import ctypes
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path


def interleaved(ours: Callable[[], object], peer: Callable[[], object], rounds: int = 15) -> tuple[float, float]:
    """Median seconds of ours and of peer, run in alternate short blocks so that both see the same machine.

    A pause and an untimed call open each block: a BLAS keeps its threads spinning for some milliseconds after a call,
    on the cores that the other one needs.
    """
    a, b = [], []
    for _ in range(rounds):
        for call, out in ((ours, a), (peer, b)):
            time.sleep(0.06)
            call()
            for _ in range(3):
                start = time.perf_counter()
                call()
                out.append(time.perf_counter() - start)
    return statistics.median(a), statistics.median(b)


def together(calls: Mapping[str, Callable[[], object]], rounds: int = 15, pause: float = 0.0) -> dict[str, float]:
    """Median seconds of each call, run in turns so that all see the same machine; ``pause`` as in ``interleaved``."""
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            if pause:
                time.sleep(pause)
            call()
            for _ in range(3):
                start = time.perf_counter()
                call()
                taken[name].append(time.perf_counter() - start)
    return {name: statistics.median(times) for name, times in taken.items()}


class DirectBlas:
    """A private copy of scipy-openblas64 with its own threads: what a program gets that calls the BLAS itself.

    The engine holds the package's own copy at one thread, so the peer needs a second instance.
    """

    def __init__(self) -> None:
        import scipy_openblas64

        self._dir = tempfile.TemporaryDirectory()
        copy = Path(self._dir.name) / "libdirect_openblas64_.so"
        shutil.copyfile(Path(scipy_openblas64.get_lib_dir()) / "libscipy_openblas64_.so", copy)
        self.lib = ctypes.CDLL(str(copy))
        self.lib.scipy_openblas_set_num_threads64_(len(os.sched_getaffinity(0)))

    def function(self, name: str, *argtypes: type, restype: type | None = None) -> Callable[..., object]:
        f = getattr(self.lib, f"scipy_cblas_{name}64_")
        f.argtypes, f.restype = argtypes, restype
        return f
