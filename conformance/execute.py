"""Runs one case in this process: lays it out, calls, and judges what came back."""

from __future__ import annotations

import ctypes
import os
import re
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from scale_x.conformance import compare, inputs, scripts, types
from scale_x.conformance.calls import Calls, host_counters
from scale_x.conformance.cases import NOTHING, RUN, Case, Expectation, expect
from scale_x.conformance.memory import DeviceArena, HostArena
from scale_x.conformance.subjects import OBJECTS, subjects
from scale_x.errors import MissingSymbolError
from scale_x.wrappers_gen import rocm_spec
from scale_x.wrappers_gen import rows as R

PASSED, FAILED, ERROR, SKIPPED = "passed", "failed", "error", "skipped"
ARENA = 1 << 18
XERBLA = re.compile(rb" \*\* On entry to (.+?) +parameter number +(-?\d+) had an illegal value")
#: create, destroy, set pointer mode, set stream
LIFE = {
    "cublas": ("cublasCreate_v2", "cublasDestroy_v2", "cublasSetPointerMode_v2", "cublasSetStream_v2"),
    "cusolver": ("cusolverDnCreate", "cusolverDnDestroy", "", "cusolverDnSetStream"),
}
XT_BLOCK = 16  # the side of cublasXt's tiles: smaller than the matrices of its sweeps
COUNTERS = ("allocations", "copies", "syncs", "launches")


@dataclass
class Outcome:
    result: str
    message: str = ""
    ratio: float = 0.0
    status: str = ""
    xerbla: str = ""
    pattern: str = ""  # what the outputs look like: zero, finite, nan, untouched


class Printed:
    """What the libraries print on standard output, which is where NVIDIA's xerbla goes."""

    def __init__(self) -> None:
        self._fd = os.memfd_create("printed")
        os.dup2(self._fd, 1)
        self._flush = ctypes.CDLL(None).fflush
        self._read = 0

    def new(self) -> bytes:
        self._flush(None)
        size = os.fstat(self._fd).st_size
        if size == self._read:
            return b""
        text = os.pread(self._fd, size - self._read, self._read)
        self._read = size
        return text


class Executor:
    """Handles, streams and arenas of one worker."""

    def __init__(self, calls: Calls, printed: Printed | None = None) -> None:
        self.calls, self.printed = calls, printed
        self.exact = not calls.provider.own or os.environ.get("SCALE_X_COMPAT") == "exact"
        self._live: dict[str, dict[str, int]] = {}
        self._state: dict[str, tuple[str, str]] = {}
        self._made: dict[str, int] = {}
        self.stream = 0
        self.host = HostArena(ARENA)
        self.device = self._device(ARENA)
        self._zeroes = ctypes.create_string_buffer(4096)
        self._noise = ctypes.create_string_buffer(b"\xab" * 4096, 4096)
        counters = host_counters()
        self.release = counters("release", 0) if counters is not None else 0
        # a hostile engine does what ROCm's functions may do inside, so only a friendly one tells what a wrapper adds
        self.counters = counters if counters is not None and not counters("hostile", 0) else None

    def _device(self, nbytes: int) -> DeviceArena:
        base = self.calls.malloc(nbytes)
        return DeviceArena(nbytes, base, self.calls.copy)

    def _grow(self, wanted: int) -> None:
        size = 1 << (2 * wanted - 1).bit_length()
        self.calls.runtime("cudaFree", self.device.base)
        self.host, self.device = HostArena(size), self._device(size)

    def handles(self, library: str) -> dict[str, int]:
        if library not in LIFE:
            return dict.fromkeys(("live", "null", "destroyed", "garbage", "zeroed", "stream"), 0)
        if library not in self._live:
            create, destroy, *_ = LIFE[library]
            live, dead = self.calls.new(library, create), self.calls.new(library, create)
            self.calls.status(library, destroy, (dead,))
            self.stream = self.stream or self.calls.new("cudart", "cudaStreamCreate")
            self._live[library] = {
                "live": live, "null": 0, "destroyed": dead, "stream": self.stream,
                "garbage": ctypes.addressof(self._noise), "zeroed": ctypes.addressof(self._zeroes),
            }  # fmt: skip
            self._state[library] = ("host", "")
        return self._live[library]

    def _handles_of(self, case: Case) -> dict[str, int]:
        """The handles that the case's function takes."""
        library = case.subject.library
        if case.subject.owner != "cublasXt":
            return self.handles(library)
        if "cublasXt" not in self._live:
            live, dead = self.calls.new(library, "cublasXtCreate"), self.calls.new(library, "cublasXtCreate")
            first = ctypes.c_int(0)
            self._must(library, "cublasXtDestroy", dead)
            self._must(library, "cublasXtDeviceSelect", live, 1, ctypes.addressof(first))
            self._must(library, "cublasXtSetBlockDim", live, XT_BLOCK)
            self._live["cublasXt"] = {**self.handles(library), "live": live, "destroyed": dead}
        return self._live["cublasXt"]

    def _objects(self, case: Case) -> dict[str, int]:
        """Made once a worker: no case changes what it is told with."""
        s = case.subject
        kinds = [k for k in s.kinds.values() if k.startswith("object:")]
        for kind in kinds:
            if kind not in self._made:
                maker = OBJECTS[kind.removeprefix("object:")]
                self._made[kind] = self.calls.new(s.library, maker.create)
                for setter, names in maker.settings:
                    self._must(s.library, setter, self._made[kind], *(s.tables.full[n] for n in names))
        return {k: self._made[k] for k in kinds}

    def _settings(self, library: str, case: Case) -> None:
        """Pointer mode and stream of the live handle, set only when they change."""
        if case.subject.owner == "cublasXt" or library not in LIFE or self._state[library] == (case.mode, case.stream):
            return
        mode, stream = self._state[library]
        live = self._live[library]["live"]
        if mode != case.mode and LIFE[library][2]:
            self._must(library, LIFE[library][2], live, int(case.mode == "device"))
        if stream != case.stream:
            self._must(library, LIFE[library][3], live, self.stream if case.stream else 0)
        self._state[library] = (case.mode, case.stream)

    def _must(self, library: str, symbol: str, *arguments: int) -> None:
        if status := self.calls.status(library, symbol, arguments):
            raise AssertionError(f"{symbol} answers {status}")

    # --- one case ---------------------------------------------------------------------------------------------------

    def run(self, case: Case) -> Outcome:
        library = case.subject.library
        handles = {**self._handles_of(case), **self._objects(case)}
        if case.kind == "script":
            return self._script(case, handles)
        self._settings(library, case)
        outcome = self._call(case, handles)
        return self._call(case, handles) if self._late(case, outcome) else outcome

    def _call(self, case: Case, handles: Mapping[str, int]) -> Outcome:
        library = case.subject.library
        prepared = self._prepared(case, handles)
        self.device.send()
        self.host.send()
        function = self.calls.function(library, case.subject.symbol)
        self.calls.runtime("cudaGetLastError")  # an error that waits would be answered by the next copy
        before = self._counted()
        status: object = 0
        for _ in range(self._repeat(case)):
            status = function(*prepared.arguments)
        after = self._counted()
        fault = self.calls.synchronise() or self.device.receive()
        self.host.receive()
        told = expect(case, self.exact)
        status = status if isinstance(status, int) else 0
        outcome = Outcome(PASSED, status=case.subject.tables.status_name(status))
        text = self.printed.new() if self.printed else b""
        if found := XERBLA.search(text):
            outcome.xerbla = f"{found[1].decode(errors='replace')} {int(found[2])}"
        if fault:
            return Outcome(
                FAILED, f"the device faults: cudaError {fault}", np.inf, outcome.status, outcome.xerbla, "fault"
            )
        complaint = self._judge(case, told, prepared, outcome, status)
        if not complaint and before is not None and after is not None and told.effect == RUN:
            complaint = _operations(case, {n: a - b for n, a, b in zip(COUNTERS, after, before, strict=True)})
        if complaint:
            outcome.result, outcome.message = FAILED, complaint
        return outcome

    def _repeat(self, case: Case) -> int:
        """NVIDIA's asynchronous matrix copies answer once what an earlier copy left behind: call them twice."""
        stale = STALE.fullmatch(case.subject.symbol) and not self.calls.provider.own and case.kind == "value"
        return max(case.repeat, 2) if stale else case.repeat

    def _late(self, case: Case, outcome: Outcome) -> bool:
        """NVIDIA's getrs may answer once what its getrf left behind inside the library: the next call is its own."""
        failed = outcome.status == "EXECUTION_FAILED" and outcome.pattern != "fault"
        return failed and LATE.fullmatch(case.subject.symbol) is not None and not self.calls.provider.own

    def _prepared(self, case: Case, handles: Mapping[str, int]) -> inputs.Prepared:
        while True:
            try:
                return inputs.prepare(case, self.device, self.host, handles, self._scratch(case, handles))
            except MemoryError as need:
                self._grow(int(need.args[0]))

    def _scratch(self, case: Case, handles: Mapping[str, int]) -> dict[str, int]:
        """What the queries of the row answer for the memory that its function wants."""
        asked: dict[str, int] = {}
        for arg in case.subject.row.args.values():
            if isinstance(arg, R.Scratch):
                query = subjects(case.subject.library, case.subject.cuda)[case.subject.fill(arg.query)]
                where = [p.name for p in query.params if p.canon in ("int *", "unsigned long *")]
                name = next((n for n in where if n.lower() == arg.size.lower()), where[-1])
                answers = {n: ctypes.c_int64(0) for n in where}
                at = {n: ctypes.addressof(a) for n, a in answers.items()}
                passed = inputs.query_arguments(case, query, at, handles)
                if self.calls.status(query.library, query.symbol, passed) == 0:
                    asked[arg.size] = max(answers[name].value, 0)
        return asked

    def _script(self, case: Case, handles: Mapping[str, int]) -> Outcome:
        session = scripts.Session(self.calls, case.subject.library, dict(handles), case.subject.tables.status_name)
        outcome = Outcome(PASSED, status="SUCCESS")
        try:
            scripts.run(case.subject.symbol, case.note, session)
        except AssertionError as e:
            outcome = Outcome(FAILED, str(e) or f"does not hold: {traceback.extract_tb(e.__traceback__)[-1].line}")
        finally:
            if self.printed:
                self.printed.new()  # messages about arguments that the script made bad on purpose
        if fault := self.calls.synchronise():
            outcome = Outcome(FAILED, f"the device faults: cudaError {fault}", pattern="fault")
        outcome.ratio = session.ratio
        return outcome

    def _counted(self) -> tuple[int, ...] | None:
        return tuple(self.counters(n, -1) for n in COUNTERS) if self.counters else None

    def _judge(self, case: Case, told: Expectation, prepared: inputs.Prepared, outcome: Outcome, status: int) -> str:
        if case.kind == "stub":
            refusal = case.subject.refusal
            if refusal is not None and status != refusal:
                return f"a stub answers {outcome.status}, expected {refusal}"
            return "" if self.device.unchanged() and self.host.unchanged() else "a stub changed memory"
        if not case.subject.tables.is_status(status, told.status):
            if why := self._lacking(case, outcome.status):
                outcome.result, outcome.message = SKIPPED, why
                return "" if self.device.unchanged() and self.host.unchanged() else "refused, and memory changed"
            return f"status {outcome.status}, expected {told.status}"
        if self.printed:
            wanted = f"{case.subject.xerbla} {told.xerbla}" if told.xerbla is not None else ""
            if outcome.xerbla != wanted:
                return f"message {outcome.xerbla or 'none'!r}, expected {wanted or 'none'!r}"
        for arena, where in ((self.device, "device"), (self.host, "host")):
            if (at := arena.stray_writes()) >= 0:
                return f"wrote where it may not: {_where(at, where, prepared)}"
        if told.effect != RUN:
            outcome.pattern = told.effect
            return self._untouched(told, prepared)
        outcome.pattern = ",".join(
            f"{n}:{_pattern(p.read())}" for n, p in prepared.placed.items() if p.arg.dir in (R.OUT, R.INOUT)
        )
        return self._values(case, prepared, outcome)

    def _lacking(self, case: Case, status: str) -> str:
        """Why this ROCm may refuse: a 64-bit result in device memory needs a function that early releases lack."""
        calls = [case.subject.fill(p.call) + "_64" for p in case.subject.row.paths if p.wide_result and p.call]
        if not (case.subject.wide and calls and case.mode == "device" and status == "NOT_SUPPORTED"):
            return ""
        if not self.calls.provider.own or self.release and all(_present(c, self.release) for c in calls):
            return ""
        return f"this ROCm release has no {calls[0]}"

    def _untouched(self, told: Expectation, prepared: inputs.Prepared) -> str:
        if told.effect == NOTHING and told.info is None and not told.zero:
            return "" if self.device.unchanged() and self.host.unchanged() else "an output changed, nothing may"
        for name, p in prepared.placed.items():
            if name in told.zero:
                if not (p.read() == 0).all():
                    return f"{name} is {p.read()}, expected 0"
            elif told.info is not None and told.info[0] == name:
                seen, others = p.read(), told.info[2]
                before = p.arena.elements(p.offset, p.layout.elements, p.dtype)
                rest = before[1:] if others is None else others
                if (seen[:1] != told.info[1]).any() or (seen[1:] != rest).any():
                    return f"{name} is {seen}, expected {told.info[1]}"
            elif p.arg.dir in (R.OUT, R.INOUT):
                size = p.layout.elements
                if (p.arena.elements(p.offset, size, p.dtype, after=True).tobytes()
                        != p.arena.elements(p.offset, size, p.dtype).tobytes()):  # fmt: skip
                    return f"{name} changed, nothing may"
        return ""

    def _values(self, case: Case, prepared: inputs.Prepared, outcome: Outcome) -> str:
        row = case.subject.row
        if row.oracle is None:
            return ""
        a = prepared.oracle
        a.eps = float(np.finfo(np.float32 if case.letter in "SC" else np.float64).eps)
        got = {n: (p.letter, p.read(), p.layout.mask) for n, p in prepared.placed.items()
               if p.arg.dir in (R.OUT, R.INOUT) and n not in case.nulls and not _broadcast(p)}  # fmt: skip
        want: Mapping[str, Any] = {}
        bound: Mapping[str, Any] = {}
        with np.errstate(all="ignore"):
            if not isinstance(row.compare, R.Residual):
                want = row.oracle(a)
                if isinstance(row.compare, R.Componentwise):
                    steering = [n for n, x in row.args.items() if getattr(x, "count", "1") != "1"]
                    bound = row.oracle(compare.magnitudes(a, steering))
        length = 1
        if isinstance(row.compare, R.Componentwise):
            situation = case.situation()
            situation.values = case.shapes
            length = max(int(case.subject.evaluate(row.compare.length, situation)), 0)
        ratio, complaint = compare.outputs(
            row.compare, a, want, bound, got, length, nan_may_spread(case), types.slack(case)
        )
        outcome.ratio = ratio
        return complaint


STALE = re.compile(r"cublas[SG]etMatrixAsync(_64)?")
LATE = re.compile(r"cusolverDn.getrs")
#: functions that do not read A, B or x when alpha is 0, on NVIDIA's hardware as well; elsewhere a NaN may spread or not
READS_NOTHING = re.compile(
    r"cublas(Gemm(StridedBatched)?Ex|.(gemm(_v2|3m)?|gemmEx|gemmStridedBatched|gemv_v2|ger[uc]?_v2|axpy_v2|geam"
    r"|(sy|he|sp|hp)r2?(_v2)?))(_64)?"
)
#: those of them that NVIDIA lets read when alpha is in device memory
READS_ON_DEVICE = re.compile(
    r"cublas(Gemm(StridedBatched)?Ex|.(gemm(_v2|3m)?|gemmEx|gemmStridedBatched|(sy|sp)r2?_v2))(_64)?"
)


def nan_may_spread(case: Case) -> bool:
    symbol = case.subject.symbol
    never = READS_NOTHING.fullmatch(symbol) and not (case.mode == "device" and READS_ON_DEVICE.fullmatch(symbol))
    return bool(case.nan) and not never


@cache
def _present(function: str, release: int) -> bool:
    f = rocm_spec.load("rocblas").functions.get(function)
    return f is not None and f.present(f"{release // 100}.{release % 100}")


def _broadcast(p: inputs.Placed) -> bool:
    """An output with increment 0 is written over and over: which value stays is not specified."""
    where = p.layout.offsets
    return isinstance(p.arg, R.Vec) and where.shape[-1] > 1 and bool((where[..., 1:] == where[..., :1]).all())


def _pattern(values: np.ndarray) -> str:
    if values.size == 0:
        return "empty"
    v = values.astype(np.complex128)
    if np.isnan(v).any():
        return "nan" if np.isnan(v).all() else "some-nan"
    if np.isinf(v).any():
        return "inf"
    return "zero" if not v.any() else "finite"


def _where(at: int, where: str, prepared: inputs.Prepared) -> str:
    """Names the argument whose memory, or whose neighbourhood, byte ``at`` of an arena is."""
    nearest = [
        p for p in prepared.placed.values() if where == ("device" if isinstance(p.arena, DeviceArena) else "host")
    ]
    for p in nearest:
        byte = at - p.offset
        if 0 <= byte < p.layout.elements * p.dtype.itemsize:
            role = "an input" if p.arg.dir == R.IN else "padding or an unreferenced part"
            return f"{role}, element {byte // p.dtype.itemsize} of {p.name}"
    before = [p for p in nearest if p.offset <= at]
    name = max(before, key=lambda p: p.offset).name if before else "the first argument"
    return (
        f"the guard band after {name} ({where} memory)" if before else f"the guard band before {name} ({where} memory)"
    )


def _operations(case: Case, seen: Mapping[str, int]) -> str:
    """The declared device operations of a path or a native body, against what the engine counted."""
    row = case.subject.row
    bodies = [(True, row.ops or R.Ops())] if row.native else [(bool(path.native), path.ops) for path in row.paths]
    if not bodies or case.repeat != 1 or (row.native and row.ops is None):
        return ""
    declared: dict[str, int] = {}
    for native, ops in bodies:
        declared = {n: getattr(ops, n) for n in COUNTERS}
        # a body may need less than it declares, a call is what it is
        if dict(seen) == declared or (native and all(seen[n] <= declared[n] for n in COUNTERS)):
            return ""
    extra = ", ".join(f"{n} {seen[n]} (declared {declared[n]})" for n in COUNTERS if seen[n] != declared[n])
    return f"device operations beyond the declared ones: {extra}"


def timed(executor: Executor, case: Case) -> tuple[Outcome, float]:
    start = time.perf_counter()
    try:
        outcome = executor.run(case)
    except MissingSymbolError as e:
        foreign = not executor.calls.provider.own  # an older release of NVIDIA's library; ours must export everything
        outcome = Outcome(SKIPPED if foreign else ERROR, f"{e}", 0.0 if foreign else float("inf"))
    except Exception as e:  # a broken oracle, sweep or binding is reported with its case
        outcome = Outcome(ERROR, f"{type(e).__name__}: {e}", float("inf"))
    return outcome, time.perf_counter() - start
