"""Cases of more than one call: settings that are kept, texts, versions, memory, streams, events.

A script gets a :class:`Session` and asserts. What it expects was measured on NVIDIA's libraries or is documented.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from scale_x.conformance import fftcases, grouped, ltcases, ltproducts, mgcases, rfcases, spcases, spsteps
from scale_x.conformance.calls import Calls


class Session:
    """Calls of one script; everything it makes is in host memory of its own."""

    def __init__(self, calls: Calls, library: str, handles: dict[str, int], status_name: Callable[[int], str]) -> None:
        self.calls, self.library, self.handles = calls, library, handles
        self.cuda = calls.provider.cuda
        self.own = calls.provider.own
        self._name = status_name
        self.ratio = 0.0  # the largest error seen over its bound
        self._keep: list[Any] = []

    def within(self, error: float, bound: float, what: str) -> None:
        """An error that must not exceed its bound; the report shows the worst ratio."""
        self.ratio = max(self.ratio, error / bound)
        assert error <= bound, f"{what} {error:.3g}, bound {bound:.3g}"

    def call(self, symbol: str, *arguments: complex) -> str:
        """The status, by name."""
        return self._name(self.calls.status(self.library, symbol, arguments))

    def ok(self, symbol: str, *arguments: complex) -> None:
        status = self.call(symbol, *arguments)
        assert status in ("SUCCESS", "Success", "cudaSuccess"), f"{symbol} answers {status}"

    def text(self, symbol: str, *arguments: int) -> str:
        """What a function that returns text says."""
        result: Any = self.calls.function(self.library, symbol)(*arguments)
        if isinstance(result, int):
            result = ctypes.string_at(result).decode()
        return str(result)

    def room(self, nbytes: int, fill: int = 0xA5) -> int:
        """The address of that many bytes."""
        block = ctypes.create_string_buffer(bytes([fill]) * nbytes, nbytes)
        self._keep.append(block)
        return ctypes.addressof(block)

    def got(self, symbol: str, *arguments: int, bits: int = 32) -> int:
        """The integer that a getter writes behind its last argument."""
        out = self.room(8, 0)
        self.ok(symbol, *arguments, out)
        return int.from_bytes(ctypes.string_at(out, bits // 8), "little", signed=True)

    def handle(self) -> int:
        return self.got("cublasCreate_v2", bits=64)


Script = Callable[[Session], None]


def setting(setter: str, getter: str, default: int, good: tuple[int, ...], bad: tuple[int, ...]) -> Script:
    """A value that is kept; a bad one leaves it."""

    def script(x: Session) -> None:
        h = x.handle()
        now = x.got(getter, h)
        assert now == default, f"{getter}: {now} at first, expected {default}"
        for value in good:
            x.ok(setter, h, value)
            now = x.got(getter, h)
            assert now == value, f"{getter}: {now} after setting {value}"
        for value in bad:
            status = x.call(setter, h, value)
            assert status == "INVALID_VALUE", f"{setter}({value}) answers {status}"
            assert x.got(getter, h) == good[-1], f"{setter}({value}) was refused and changed the setting"
        x.ok("cublasDestroy_v2", h)

    return script


def create_destroy(x: Session) -> None:
    one, two = x.handle(), x.handle()
    assert one and two and one != two
    x.ok("cublasDestroy_v2", one)
    assert x.got("cublasGetPointerMode_v2", two) == 0, "the other handle lives on"
    x.ok("cublasDestroy_v2", two)


def destroyed_twice(x: Session) -> None:
    h = x.handle()
    x.ok("cublasDestroy_v2", h)
    assert x.call("cublasDestroy_v2", h) == "NOT_INITIALIZED"


def many_handles(x: Session) -> None:
    made = [x.handle() for _ in range(100)]
    assert len(set(made)) == 100
    for h in made:
        x.ok("cublasDestroy_v2", h)


def stream(x: Session) -> None:
    h, mine = x.handle(), x.handles["stream"]
    assert x.got("cublasGetStream_v2", h, bits=64) == 0
    x.ok("cublasSetStream_v2", h, mine)
    assert x.got("cublasGetStream_v2", h, bits=64) == mine
    for special in (1, 2, 0):  # the legacy and the per-thread default stream, and NULL
        x.ok("cublasSetStream_v2", h, special)
        assert x.got("cublasGetStream_v2", h, bits=64) == special
    x.ok("cublasDestroy_v2", h)


def workspace(x: Session) -> None:
    """Any size and alignment is accepted: measured."""
    h, memory = x.handle(), x.calls.malloc(1 << 16)
    for address, nbytes in ((memory, 1 << 16), (0, 0), (memory, 16), (memory + 8, 1 << 15), (0, 1 << 20)):
        x.ok("cublasSetWorkspace_v2", h, address, nbytes)
    x.ok("cublasSetStream_v2", h, x.handles["stream"])
    x.ok("cublasDestroy_v2", h)
    assert x.calls.runtime("cudaFree", memory) == 0


def version(x: Session) -> None:
    number = x.got("cublasGetVersion_v2", 0)
    parts = [x.got("cublasGetProperty", which) for which in (0, 1, 2)]
    assert parts[0] == x.cuda, f"major version {parts[0]} of a CUDA {x.cuda} library"
    made = parts[0] * 10000 + parts[1] * 100 + parts[2]
    assert number == made, f"version {number}, properties {parts}"
    assert x.call("cublasGetProperty", 3, x.room(4)) == "INVALID_VALUE"


STATUSES = {0: "SUCCESS", 1: "NOT_INITIALIZED", 3: "ALLOC_FAILED", 7: "INVALID_VALUE", 8: "ARCH_MISMATCH",
            11: "MAPPING_ERROR", 13: "EXECUTION_FAILED", 14: "INTERNAL_ERROR", 15: "NOT_SUPPORTED",
            16: "LICENSE_ERROR"}  # fmt: skip


def status_texts(x: Session) -> None:
    for value, name in STATUSES.items():
        said = x.text("cublasGetStatusName", value)
        assert said == f"CUBLAS_STATUS_{name}", f"status {value} is called {said!r}"
        assert x.text("cublasGetStatusString", value)
    for value in (2, 17, 1000):
        said = x.text("cublasGetStatusName", value)
        assert "UNKNOWN" in said.upper() or "UNRECOGNIZED" in said.upper(), f"status {value} is called {said!r}"


# --- CUDA runtime ----------------------------------------------------------------------------------------------------

TO_DEVICE, TO_HOST, ON_DEVICE = 1, 2, 3


def memory(x: Session) -> None:
    device = x.calls.malloc(1000)
    host = x.room(1000, 7)
    back = x.room(1000, 0)
    x.ok("cudaMemcpy", device, host, 1000, TO_DEVICE)
    x.ok("cudaMemset", device + 10, 9, 20)
    x.ok("cudaMemcpy", back, device, 1000, TO_HOST)
    assert ctypes.string_at(back, 1000) == b"\7" * 10 + b"\x09" * 20 + b"\7" * 970
    x.ok("cudaMemcpy", device, device + 10, 10, ON_DEVICE)
    x.ok("cudaMemcpy", back, device, 12, TO_HOST)
    assert ctypes.string_at(back, 12) == b"\x09" * 12
    x.ok("cudaFree", device)
    x.ok("cudaFree", 0)


def rectangles(x: Session) -> None:
    """Rows of 5 bytes: 16 apart on the host, 8 apart on the device."""
    device, host, back = x.calls.malloc(64), x.room(64, 1), x.room(64, 0)
    x.ok("cudaMemset", device, 3, 64)
    x.ok("cudaMemcpy2D", device, 8, host, 16, 5, 4, TO_DEVICE)
    x.ok("cudaMemcpy", back, device, 32, TO_HOST)
    assert ctypes.string_at(back, 32) == (b"\1" * 5 + b"\3" * 3) * 4
    x.ok("cudaMemset2D", device, 8, 5, 2, 4)
    x.ok("cudaMemcpy", back, device, 32, TO_HOST)
    assert ctypes.string_at(back, 32) == (b"\5" * 2 + b"\1" * 3 + b"\3" * 3) * 4
    x.ok("cudaFree", device)


def streams(x: Session) -> None:
    mine = x.calls.new("cudart", "cudaStreamCreate")
    device, back = x.calls.malloc(256), x.room(256, 0)
    x.ok("cudaMemsetAsync", device, 6, 256, mine)
    x.ok("cudaMemcpyAsync", back, device, 256, TO_HOST, mine)
    x.ok("cudaStreamSynchronize", mine)
    assert ctypes.string_at(back, 256) == b"\6" * 256
    x.ok("cudaStreamQuery", mine)
    x.ok("cudaStreamDestroy", mine)
    x.ok("cudaFree", device)


def events(x: Session) -> None:
    first, second = (x.calls.new("cudart", "cudaEventCreate") for _ in range(2))
    x.ok("cudaEventRecord", first, 0)
    x.ok("cudaEventRecord", second, 0)
    x.ok("cudaEventSynchronize", second)
    x.ok("cudaEventQuery", second)
    out = x.room(4, 0)
    x.ok("cudaEventElapsedTime", out, first, second)
    milliseconds = ctypes.c_float.from_address(out).value
    assert 0 <= milliseconds < 10000
    x.ok("cudaEventDestroy", first)
    x.ok("cudaEventDestroy", second)


def flagged_events(x: Session) -> None:
    """Without flags it is cudaEventRecord; an external event is one that a capture may record: refused outside."""
    event = x.calls.new("cudart", "cudaEventCreate")
    x.ok("cudaEventRecordWithFlags", event, 0, 0)
    x.ok("cudaEventSynchronize", event)
    assert x.call("cudaEventRecordWithFlags", event, 0, 2) != "cudaSuccess", "2 is no flag"
    x.call("cudaGetLastError")
    x.ok("cudaEventDestroy", event)


def stream_numbers(x: Session) -> None:
    one, two = (x.calls.new("cudart", "cudaStreamCreate") for _ in range(2))
    numbers = [x.got("cudaStreamGetId", s, bits=64) for s in (one, two, one)]
    assert numbers[0] == numbers[2] != numbers[1], f"two streams have the numbers {numbers[:2]}"
    x.ok("cudaStreamDestroy", one)
    x.ok("cudaStreamDestroy", two)


def devices(x: Session) -> None:
    out = x.room(4, 0)
    x.ok("cudaGetDeviceCount", out)
    count = ctypes.c_int.from_address(out).value
    assert count >= 1
    x.ok("cudaSetDevice", count - 1)
    x.ok("cudaGetDevice", out)
    assert ctypes.c_int.from_address(out).value == count - 1
    x.ok("cudaSetDevice", 0)
    status = x.call("cudaSetDevice", count)
    assert status == "cudaErrorInvalidDevice", status
    status = x.call("cudaGetLastError")
    assert status == "cudaErrorInvalidDevice", f"the last error is {status}"
    status = x.call("cudaGetLastError")
    assert status == "cudaSuccess", f"asked again, the last error is {status}"


def error_texts(x: Session) -> None:
    assert x.text("cudaGetErrorName", 0) == "cudaSuccess"
    assert x.text("cudaGetErrorString", 0) == "no error"
    assert x.text("cudaGetErrorName", 2) == "cudaErrorMemoryAllocation"
    assert x.text("cudaGetErrorString", 2) == "out of memory"


def bad_memory(x: Session) -> None:
    out = x.room(8, 0)
    status = x.call("cudaMalloc", out, 1 << 60)
    assert status == "cudaErrorMemoryAllocation", status
    status = x.call("cudaPeekAtLastError")
    assert status == "cudaErrorMemoryAllocation", f"the last error is {status}"
    x.call("cudaGetLastError")
    status = x.call("cudaMalloc", 0, 16)
    assert status == "cudaErrorInvalidValue", status
    x.call("cudaGetLastError")


#: symbol -> (name, script, whether NVIDIA's own library may die of it)
SCRIPTS: dict[str, tuple[tuple[str, Script, bool], ...]] = {
    "cublasCreate_v2": (("create-destroy", create_destroy, False), ("hundred", many_handles, False)),
    "cublasDestroy_v2": (("twice", destroyed_twice, True),),
    "cublasSetPointerMode_v2": (
        ("kept", setting("cublasSetPointerMode_v2", "cublasGetPointerMode_v2", 0, (1, 0, 1), (2, -1, 99)), False),),
    "cublasSetAtomicsMode": (
        ("kept", setting("cublasSetAtomicsMode", "cublasGetAtomicsMode", 0, (1, 0, 1), (2, -1, 99)), False),),
    "cublasSetMathMode": (
        ("kept", setting("cublasSetMathMode", "cublasGetMathMode", 0, (*range(32), 1), (32, -1, 999)), False),),
    "cublasSetSmCountTarget": (
        ("kept", setting("cublasSetSmCountTarget", "cublasGetSmCountTarget", 0, (1, 8, 0), (-1, 1 << 20)), False),),
    "cublasSetEmulationStrategy": (
        ("kept", setting("cublasSetEmulationStrategy", "cublasGetEmulationStrategy", 0, (1, 2, 0), (3, -1)), False),),
    "cublasSetStream_v2": (("kept", stream, False),),
    "cublasSetWorkspace_v2": (("any", workspace, False),),
    "cublasGetVersion_v2": (("parts", version, False),),
    "cublasGetStatusName": (("all", status_texts, False),),
    "cudaMalloc": (("copy", memory, False), ("bad", bad_memory, False)),
    "cudaMemcpy2D": (("rectangles", rectangles, False),),
    "cudaStreamCreate": (("work", streams, False),),
    "cudaEventCreate": (("order", events, False),),
    "cudaStreamGetId": (("unique", stream_numbers, False),),
    "cudaEventRecordWithFlags": (("flags", flagged_events, False),),
    "cudaSetDevice": (("errors", devices, False),),
    "cudaGetErrorString": (("texts", error_texts, False),),
    **grouped.SCRIPTS,
    **fftcases.SCRIPTS,
    **ltcases.SCRIPTS,
    **ltproducts.SCRIPTS,
    **mgcases.SCRIPTS,
    **rfcases.SCRIPTS,
    **spcases.SCRIPTS,
    **spsteps.SCRIPTS,
}  # fmt: skip


def run(symbol: str, note: str, session: Session) -> None:
    """Raises AssertionError with what is wrong."""
    script = next(s for name, s, _ in SCRIPTS[symbol] if name == note)
    script(session)
