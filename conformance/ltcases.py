"""Cases of cuBLASLt's handle, descriptors, attributes, versions and log.

Sizes, defaults and statuses were measured on NVIDIA's library.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scale_x.conformance import lttransform

if TYPE_CHECKING:
    from scale_x.conformance.scripts import Script, Session

Entry = tuple[str, "Callable[[Session], None]", bool]


@dataclass(frozen=True)
class Struct:
    """One of cuBLASLt's opaque structs: how it is made, and its attributes: number -> (bytes, default)."""

    name: str
    arguments: tuple[int, ...]
    sizes: tuple[int, ...]  # of the program's struct, by release
    attributes: dict[int, tuple[int, int]]
    absent: tuple[int, ...]


STRUCTS = (
    Struct(
        "MatmulDesc",
        (68, 0),
        (184, 256),
        {0: (4, 68), 1: (4, 0), 2: (4, 0), 3: (4, 0), 4: (4, 0), 5: (4, 0), 6: (4, 2), 7: (4, 1), 8: (8, 0),
         10: (8, 0), 11: (8, 0), 12: (8, 0), 13: (8, 0), 14: (8, 0), 15: (4, 0), 17: (8, 0), 18: (8, 0), 19: (8, 0),
         20: (8, 0), 21: (8, 0), 22: (4, -1), 23: (8, 0), 24: (8, 0), 25: (1, 0), 26: (4, -1)},
        (9, 45, 1000, -1),
    ),
    Struct(
        "MatrixLayout",
        (0, 64, 32, 70),
        (64, 112),
        {0: (4, 0), 1: (4, 0), 2: (8, 64), 3: (8, 32), 4: (8, 70), 5: (4, 1), 6: (8, 0), 7: (8, 0)},
        (15, 1000, -1),
    ),
    Struct(
        "MatmulPreference",
        (),
        (64, 80, 96),
        {0: (4, 0), 1: (8, 0), 3: (4, 7), 5: (4, 256), 6: (4, 256), 7: (4, 256), 8: (4, 256), 9: (4, 0), 12: (8, -1)},
        (17, 1000, -1),
    ),
    Struct("EmulationDesc", (), (64,), {0: (4, 0), 1: (4, 65535), 2: (4, 0), 3: (4, 0), 4: (4, 0), 5: (8, 0)},
           (6, 1000, -1)),
    Struct("MatrixTransformDesc", (0,), (64,), {0: (4, 0), 1: (4, 0), 2: (4, 0), 3: (4, 0)}, (4, 1000, -1)),
)  # fmt: skip


def _create(x: Session, s: Struct) -> int:
    out = x.room(8, 0)
    x.ok(f"cublasLt{s.name}Create", out, *s.arguments)
    return int(ctypes.c_uint64.from_address(out).value)


def get(x: Session, s: Struct, struct: int, number: int, nbytes: int) -> int:
    buf, written = x.room(8, 0), x.room(8, 0)
    x.ok(f"cublasLt{s.name}GetAttribute", struct, number, buf, nbytes, written)
    assert ctypes.c_size_t.from_address(written).value == nbytes, f"attribute {number}: bytes written"
    return int.from_bytes(ctypes.string_at(buf, nbytes), "little", signed=True)


def put(x: Session, s: Struct, struct: int, number: int, value: int, nbytes: int) -> str:
    buf = x.room(16, 0)
    ctypes.memmove(buf, value.to_bytes(16, "little", signed=True), 16)
    return x.call(f"cublasLt{s.name}SetAttribute", struct, number, buf, nbytes)


def defaults(s: Struct) -> Script:
    """Every attribute has its default; Destroy takes NULL; Create does not."""

    def script(x: Session) -> None:
        struct = _create(x, s)
        for number, (nbytes, default) in s.attributes.items():
            now = get(x, s, struct, number, nbytes)
            assert now == default, f"attribute {number} is {now} at first, expected {default}"
        x.ok(f"cublasLt{s.name}Destroy", struct)
        x.ok(f"cublasLt{s.name}Destroy", 0)
        assert x.call(f"cublasLt{s.name}Create", 0, *s.arguments) == "INVALID_VALUE"

    return script


def sizes(s: Struct) -> Script:
    """Size 0 asks for the size; any other but the exact one is refused; so are unknown numbers and NULL."""

    def script(x: Session) -> None:
        struct, getter = _create(x, s), f"cublasLt{s.name}GetAttribute"
        for number, (nbytes, _) in s.attributes.items():
            buf, written = x.room(64), x.room(8, 0)
            x.ok(getter, struct, number, 0, 0, written)
            assert ctypes.c_size_t.from_address(written).value == nbytes, f"attribute {number}: size"
            assert x.call(getter, struct, number, buf, 0, 0) == "INVALID_VALUE"
            assert x.call(getter, struct, number, 0, nbytes, written) == "INVALID_VALUE"
            x.ok(getter, struct, number, buf, nbytes, 0)
            for wrong in (nbytes + 1, nbytes + 4, 2 * nbytes, *((nbytes - 1,) if nbytes > 1 else ())):
                assert x.call(getter, struct, number, buf, wrong, written) == "INVALID_VALUE", (number, wrong)
                assert put(x, s, struct, number, 1, wrong) == "INVALID_VALUE", (number, wrong)
            assert put(x, s, struct, number, 1, 0) == "INVALID_VALUE"
            assert x.call(f"cublasLt{s.name}SetAttribute", struct, number, 0, nbytes) == "INVALID_VALUE"
        for number in s.absent:
            assert put(x, s, struct, number, 0, 4) == "INVALID_VALUE", number
            assert x.call(getter, struct, number, 0, 0, x.room(8, 0)) == "INVALID_VALUE", number
        assert x.call(getter, 0, 0, x.room(8), 4, 0) == "INVALID_VALUE"
        assert put(x, s, 0, 2, 0, 4) == "INVALID_VALUE"
        x.ok(f"cublasLt{s.name}Destroy", struct)

    return script


def kept(s: Struct) -> Script:
    """Any value is taken and answered, and a setter touches nothing but its attribute."""

    def script(x: Session) -> None:
        struct = _create(x, s)
        now = {number: default for number, (_, default) in s.attributes.items()}
        for number, (nbytes, _) in s.attributes.items():
            for value in (0, 1, 99, -1):
                assert put(x, s, struct, number, value, nbytes) == "SUCCESS", (number, value)
                now[number] = value
            for other, (n, _) in s.attributes.items():
                assert get(x, s, struct, other, n) == now[other], f"attribute {other} after setting {number}"
        x.ok(f"cublasLt{s.name}Destroy", struct)

    return script


def initialised(s: Struct) -> Script:
    """Init in the program's memory stays within the size it is told; a copy is as good as the struct."""

    def script(x: Session) -> None:
        init = f"cublasLt{s.name}Init_internal"
        for size in s.sizes:
            struct = x.room(1024)
            x.ok(init, struct, size, *s.arguments)
            assert ctypes.string_at(struct + size, 1024 - size) == b"\xa5" * (1024 - size), f"beyond {size} bytes"
            number, (nbytes, _) = next(iter(s.attributes.items()))
            assert put(x, s, struct, number, 7, nbytes) == "SUCCESS"
            copy = x.room(1024)
            ctypes.memmove(copy, struct, size)
            ctypes.memset(struct, 0, size)
            assert get(x, s, copy, number, nbytes) == 7
        for small in (0, 8, 48):
            assert x.call(init, x.room(1024), small, *s.arguments) == "ALLOC_FAILED", small

    return script


def structs() -> dict[str, tuple[Entry, ...]]:
    found: dict[str, tuple[Entry, ...]] = {}
    for s in STRUCTS:
        name = f"cublasLt{s.name}"
        found[name + "Create"] = (("defaults", defaults(s), False),)
        found[name + "GetAttribute"] = (("sizes", sizes(s), False),)
        found[name + "SetAttribute"] = (("kept", kept(s), False),)
        found[name + "Init_internal"] = (("in-place", initialised(s), False),)
    return found


# --- the handle, versions, the log ------------------------------------------------------------------------------------


def lifetime(x: Session) -> None:
    handle = x.got("cublasLtCreate", bits=64)
    assert handle
    x.ok("cublasLtDestroy", handle)
    assert x.call("cublasLtCreate", 0) == "INVALID_VALUE"
    assert x.call("cublasLtDestroy", 0) == "INVALID_VALUE"


def destroyed_twice(x: Session) -> None:
    handle = x.got("cublasLtCreate", bits=64)
    x.ok("cublasLtDestroy", handle)
    assert x.call("cublasLtDestroy", handle) == "NOT_INITIALIZED"


def version(x: Session) -> None:
    parts = [x.got("cublasLtGetProperty", which) for which in (0, 1, 2)]
    number = x.calls.function(x.library, "cublasLtGetVersion")()
    assert number == parts[0] * 10000 + parts[1] * 100 + parts[2], (number, parts)
    assert parts[0] == x.cuda, f"major version {parts[0]} of a CUDA {x.cuda} library"
    for bad in (-1, 3):
        assert x.call("cublasLtGetProperty", bad, x.room(4)) == "INVALID_VALUE"
    assert x.call("cublasLtGetProperty", 0, 0) == "INVALID_VALUE"


def texts(x: Session) -> None:
    for value, name in ((0, "SUCCESS"), (1, "NOT_INITIALIZED"), (7, "INVALID_VALUE"), (15, "NOT_SUPPORTED")):
        assert x.text("cublasLtGetStatusName", value) == f"CUBLAS_STATUS_{name}"
        assert x.text("cublasLtGetStatusString", value)


def capacity(x: Session) -> None:
    assert x.got("cublasLtHeuristicsCacheGetCapacity", bits=64) == 8192
    for value in (0, 1, 100, 8192):
        x.ok("cublasLtHeuristicsCacheSetCapacity", value)
        assert x.got("cublasLtHeuristicsCacheGetCapacity", bits=64) == value
    assert x.call("cublasLtHeuristicsCacheGetCapacity", 0) == "INVALID_VALUE"


def log_levels(x: Session) -> None:
    for level, status in ((-1, "INVALID_VALUE"), (0, "SUCCESS"), (5, "SUCCESS"), (6, "SUCCESS"), (0, "SUCCESS")):
        assert x.call("cublasLtLoggerSetLevel", level) == status, level
    for mask in (31, 64, -1, 0):
        x.ok("cublasLtLoggerSetMask", mask)
    path = ctypes.create_string_buffer(b"/dev/null/file")
    assert x.call("cublasLtLoggerOpenFile", ctypes.addressof(path)) == "INVALID_VALUE"
    x.ok("cublasLtLoggerOpenFile", 0)
    x.ok("cublasLtLoggerSetFile", 0)
    x.ok("cublasLtLoggerSetCallback", 0)


SCRIPTS: dict[str, tuple[Entry, ...]] = {
    **structs(),
    **lttransform.cases(),
    "cublasLtCreate": (("lifetime", lifetime, False),),
    "cublasLtDestroy": (("twice", destroyed_twice, True),),
    "cublasLtGetProperty": (("parts", version, False),),
    "cublasLtGetStatusName": (("texts", texts, False),),
    "cublasLtHeuristicsCacheSetCapacity": (("kept", capacity, False),),
    "cublasLtLoggerSetLevel": (("levels", log_levels, False),),
}
