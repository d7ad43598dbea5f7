"""Calls functions within a stream capture and judges what the graph computes: one JSON line per call.

``python capture_process.py -`` reads LIBRARY/SYMBOL words. Each is captured before anything else was called for it
("cold") and after one ordinary call of the same size ("warm"), in host pointer mode and, where it has one, device mode.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace

from gates_process import CUDA

from scale_x.conformance import selection
from scale_x.conformance.calls import Calls
from scale_x.conformance.cases import RUN, Case, expect
from scale_x.conformance.execute import Executor, Printed, timed
from scale_x.conformance.providers import resolve
from scale_x.conformance.subjects import Subject, subjects


class Capturing(Calls):
    """``target`` is called within a capture of ``stream``; the graph is launched at once."""

    target = ""
    stream = 0
    broken = False  # the capture could not be ended

    def function(self, library: str, symbol: str) -> Callable[..., object]:
        plain = super().function(library, symbol)
        if symbol != self.target:
            return plain

        def captured(*arguments: object) -> object:
            graph, ready = ctypes.c_void_p(), ctypes.c_void_p()
            assert self.runtime("cudaStreamBeginCapture", self.stream, 0) == 0
            status = plain(*arguments)
            self.broken = self.runtime("cudaStreamEndCapture", self.stream, ctypes.addressof(graph)) != 0
            self.runtime("cudaGetLastError")
            if status in (0, None) and not self.broken:
                assert self.runtime("cudaGraphInstantiate", ctypes.addressof(ready), graph.value or 0, 0) == 0
                assert self.runtime("cudaGraphLaunch", ready.value or 0, self.stream) == 0
                assert self.runtime("cudaStreamSynchronize", self.stream) == 0
            return status

        return captured


def chosen(subject: Subject) -> list[Case]:
    cases = selection.cached(subject.library, subject.symbol, CUDA, "quick")
    found = []
    for mode in ("host", "device"):
        values = [c for c in cases if c.kind == "value" and c.mode == mode and not c.nulls and c.handle == "live"]
        values = [c for c in values if expect(c).effect == RUN]
        values.sort(key=lambda c: not all(v > 0 for v in c.values.values() if isinstance(v, int)))  # something to do
        found += [replace(c, stream="own") for c in values][:1]
    return found


def main() -> int:
    out = os.fdopen(os.dup(1), "w", buffering=1)
    calls = Capturing(resolve(os.environ.get("SCALE_X_PROVIDER", "host"), CUDA))
    executor = Executor(calls, Printed())
    for name in sys.stdin.read().split():
        library, _, symbol = name.partition("/")
        subject = subjects(library, CUDA)[symbol]
        for case in chosen(subject):
            executor.handles(library)
            # a stream that no call was made on, so that nothing has been allocated for it
            executor.stream = calls.stream = calls.new("cudart", "cudaStreamCreate")
            executor._state[library] = ("", "unset")
            for when in ("cold", "call", "warm"):
                calls.target, calls.broken = "" if when == "call" else symbol, False
                outcome, _ = timed(executor, case)
                if when != "call":
                    line = {"symbol": name, "mode": case.mode, "when": when, "broken": calls.broken, **vars(outcome)}
                    out.write(json.dumps(line) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
