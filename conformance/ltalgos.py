"""Cases of cuBLASLt's heuristic and algorithms: what is found, how it is stored, checked, changed and used again."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from scale_x.conformance import ltmatmul as lt
from scale_x.conformance.fftcases import Device
from scale_x.conformance.ltmatmul import Problem, Product
from scale_x.conformance.ltrun import RESULT, WORKSPACE, Made, Run

if TYPE_CHECKING:
    from scale_x.conformance.scripts import Session

Entry = tuple[str, "Callable[[Session], None]", bool]
BAD, NO, OK = "INVALID_VALUE", "NOT_SUPPORTED", "SUCCESS"
P = Product("f32", m=16, n=16, k=16)
TYPES = (68, 0, 0, 0, 0, 0)
#: attributes of an algorithm's configuration: number -> bytes
CONFIG = {0: 4, 1: 4, 2: 4, 3: 4, 4: 4, 5: 4, 6: 4, 7: 2, 8: 2}


def results(at: int, count: int) -> list[tuple[int, int]]:
    """Workspace and state of each."""
    return [(ctypes.c_size_t.from_address(at + RESULT * i + 64).value,
             ctypes.c_int.from_address(at + RESULT * i + 72).value) for i in range(count)]  # fmt: skip


def heuristic(x: Session) -> None:
    """Every result is usable and gives the same numbers; what is not filled has state 1; the order repeats."""
    with Made(x) as made, Device(x) as device:
        run = Run(x, made, device, Problem.of(replace(P, m=64, n=64, k=64)))
        status, count, at = run.heuristic(20)
        assert status == OK and 1 <= count <= 20
        found = results(at, 20)
        assert all(state == 0 and size <= WORKSPACE for size, state in found[:count]), found[:count]
        assert all(state == 1 for _, state in found[count:]), found[count:]
        first = ctypes.string_at(at, RESULT * 20)
        _, again, other = run.heuristic(20)
        assert again == count and ctypes.string_at(other, RESULT * 20) == first, "asked again, the order differs"
        for i in range(count):
            assert run.call(at + RESULT * i) == OK
            run.check()


def ask(x: Session, made: Made, run: Run, workspace: int, count: int = 8, stream: int | None = None) -> tuple[int, int]:
    """How many results, and their address."""
    at, found = x.room(RESULT * count, 0), x.room(4)
    suffix, last = ("", ()) if stream is None else ("ForStream", (stream,))
    x.ok(f"cublasLtMatmulAlgoGetHeuristic{suffix}", made.handle, run.desc, *run.layouts, made.preference(workspace),
         count, at, found, *last)  # fmt: skip
    return ctypes.c_int.from_address(found).value, at


def workspaces(x: Session) -> None:
    """No result needs more than the limit, there is always one, and a smaller workspace than it needs is refused;
    what is found does not depend on what was asked before."""
    with Made(x) as made, Device(x) as device:
        run = Run(x, made, device, Problem.of(replace(P, m=96, n=80, k=64)))
        seen: dict[int, bytes] = {}
        for limit in (0, WORKSPACE, 40000, 0, 1, WORKSPACE, 40000):
            count, at = ask(x, made, run, limit)
            found = results(at, count)
            assert count >= 1 and all(state == 0 and size <= limit for size, state in found), (limit, found)
            now = ctypes.string_at(at, RESULT * count)
            assert seen.setdefault(limit, now) == now, f"limit {limit}: other results than at first"
            for i, (size, _) in enumerate(found):
                room = device.put(np.zeros(max(size, 1), np.uint8))
                la, lb, lc, ld = run.layouts
                arguments = (made.handle, run.desc, run.scalar(1.0), run.a, la, run.b, lb, run.scalar(0.0), run.c, lc,
                             run.d, ld, at + RESULT * i)  # fmt: skip
                x.ok("cublasLtMatmul", *arguments, room, size, 0)
                run.check()
                if size > 0:
                    assert x.call("cublasLtMatmul", *arguments, room, size - 1, 0) == BAD, "short of workspace"


def streams(x: Session) -> None:
    """The ForStream forms answer as the plain ones."""
    with Made(x) as made, Device(x) as device:
        run = Run(x, made, device, Problem.of(P))
        stream = x.handles["stream"]
        count, at = ask(x, made, run, WORKSPACE)
        same, other = ask(x, made, run, WORKSPACE, stream=stream)
        assert same == count and ctypes.string_at(other, RESULT * count) == ctypes.string_at(at, RESULT * count)
        for suffix, last in (("", ()), ("ForStream", (stream,))):
            check = x.room(RESULT)
            x.ok(f"cublasLtMatmulAlgoCheck{suffix}", made.handle, run.desc, *run.layouts, at, check, *last)
            assert results(check, 1) == [(results(at, 1)[0][0], 0)]
        status = x.call("cublasLtMatmulAlgoGetHeuristicForStream", made.handle, run.desc, *run.layouts, 0, 1, at,
                        x.room(4), stream)  # fmt: skip
        assert status == BAD


def limited(x: Session) -> None:
    """A search for one algorithm finds that one; without one it is refused."""
    with Made(x) as made, Device(x) as device:
        run = Run(x, made, device, Problem.of(P))
        preference, found, at = made.preference(), x.room(4), x.room(RESULT * 3, 0)
        made.set("MatmulPreference", preference, 0, 1, 4)
        arguments = (made.handle, run.desc, *run.layouts, preference, 3, at, found)
        assert x.call("cublasLtMatmulAlgoGetHeuristic", *arguments) == BAD
        x.ok("cublasLtMatmulAlgoInit", made.handle, *TYPES, 0, at)
        x.ok("cublasLtMatmulAlgoGetHeuristic", *arguments)
        assert ctypes.c_int.from_address(found).value == 1 and run.call(at) == OK
        run.check()


def refuses(x: Session) -> None:
    with Made(x) as made, Device(x) as device:
        run, found, at = Run(x, made, device, Problem.of(P)), x.room(4), x.room(RESULT * 4)
        call = lambda handle, preference, count: x.call(  # noqa: E731
            "cublasLtMatmulAlgoGetHeuristic", handle, run.desc, *run.layouts, preference, count, at, found)  # fmt: skip
        for count in (0, -1):
            assert call(made.handle, made.preference(), count) == BAD
        assert call(made.handle, 0, 1) == BAD and call(0, made.preference(), 1) == "NOT_INITIALIZED"


def preset(x: Session) -> None:
    """An algorithm goes to other problems of its types, and to no others; settings are checked."""
    with Made(x) as made, Device(x) as device:
        first = Run(x, made, device, Problem.of(replace(P, m=128, n=128, k=128)))
        _, _, at = first.heuristic()
        other = Run(x, made, device, Problem.of(replace(P, m=64, n=96, k=32, transa="T", epilogue=2)))
        check = lambda run, algo: x.call("cublasLtMatmulAlgoCheck", made.handle, run.desc, *run.layouts, algo,  # noqa: E731
                                         x.room(RESULT))  # fmt: skip
        assert check(other, at) == OK and other.call(at) == OK
        other.check()
        wide = Run(x, made, device, Problem.of(Product("f64")))
        assert check(wide, at) == BAD and wide.call(at) == NO and check(wide, 0) == BAD
        for number, value, says in ((2, 4, OK), (4, 5, OK), (1, 99999, NO), (5, 99, BAD), (6, 99, NO), (3, 7, NO)):
            algo = x.room(64, 0)
            ctypes.memmove(algo, at, 64)
            x.ok("cublasLtMatmulAlgoConfigSetAttribute", algo, number, lt.room_for(x, [value], np.int32), 4)
            assert check(first, algo) == says and first.call(algo) == says, (number, value)
        assert x.call("cublasLtMatmulAlgoConfigSetAttribute", at, 0, x.room(4), 4) == BAD, "the number can be set"


def configuration(x: Session) -> None:
    """Every setting is kept, a setter touches nothing else, sizes must be exact."""
    with Made(x) as made:
        algo = x.room(64, 0)
        x.ok("cublasLtMatmulAlgoInit", made.handle, *TYPES, 0, algo)

        def get(number: int) -> int:
            buf, written = x.room(8, 0), x.room(8, 0)
            x.ok("cublasLtMatmulAlgoConfigGetAttribute", algo, number, buf, CONFIG[number], written)
            assert ctypes.c_size_t.from_address(written).value == CONFIG[number]
            return int.from_bytes(ctypes.string_at(buf, CONFIG[number]), "little")

        now = {number: get(number) for number in CONFIG}
        for number, nbytes in CONFIG.items():
            if number == 0:
                continue
            now[number] = 3
            x.ok("cublasLtMatmulAlgoConfigSetAttribute", algo, number, lt.room_for(x, [3], np.int64), nbytes)
            assert {n: get(n) for n in CONFIG} == now, number
            for wrong in (0, 1, nbytes + 1, 16):
                assert x.call("cublasLtMatmulAlgoConfigSetAttribute", algo, number, x.room(16), wrong) == BAD
        assert x.call("cublasLtMatmulAlgoConfigGetAttribute", algo, 99, x.room(8), 4, 0) == BAD
        assert x.call("cublasLtMatmulAlgoConfigGetAttribute", 0, 1, x.room(8), 4, 0) == BAD


def capabilities(x: Session) -> None:
    """Lists take a larger buffer, numbers do not; every setting that a capability names passes the check."""
    with Made(x) as made, Device(x) as device:
        run = Run(x, made, device, Problem.of(P))
        algo, size = x.room(64, 0), x.room(8, 0)
        x.ok("cublasLtMatmulAlgoInit", made.handle, *TYPES, 0, algo)
        get = "cublasLtMatmulAlgoCapGetAttribute"
        for number, setting in ((6, 1), (13, 6)):  # tiles and stages
            x.ok(get, algo, number, 0, 0, size)
            nbytes = ctypes.c_size_t.from_address(size).value
            assert nbytes % 4 == 0 and (nbytes > 0 or not x.own), number
            listed = x.room(nbytes + 64)
            x.ok(get, algo, number, listed, nbytes + 64, size)
            for value in (ctypes.c_int32 * (nbytes // 4)).from_address(listed):
                x.ok("cublasLtMatmulAlgoConfigSetAttribute", algo, setting, lt.room_for(x, [value], np.int32), 4)
        if x.own:  # NVIDIA's last tile and last number of stages need not go together
            x.ok("cublasLtMatmulAlgoCheck", made.handle, run.desc, *run.layouts, algo, x.room(RESULT))
        for number in (-1, 99):
            assert x.call(get, algo, number, x.room(8), 4, size) == BAD
        assert x.call(get, 0, 0, x.room(8), 4, size) == BAD


def ids(x: Session) -> None:
    with Made(x) as made:
        found, numbers = x.room(4), x.room(400)
        for count, status in ((1, OK), (100, OK), (0, BAD), (-1, BAD)):
            assert x.call("cublasLtMatmulAlgoGetIds", made.handle, *TYPES, count, numbers, found) == status, count
        assert x.call("cublasLtMatmulAlgoGetIds", made.handle, 68, 0, 1, 1, 1, 1, 1, numbers, found) == NO
        x.ok("cublasLtMatmulAlgoGetIds", made.handle, *TYPES, 100, numbers, found)
        algo, size = x.room(64), x.room(8)
        assert ctypes.c_int.from_address(found).value == 8 and ctypes.c_int.from_address(numbers).value == 0
        for i in range(8):
            number = ctypes.c_int.from_address(numbers + 4 * i).value
            x.ok("cublasLtMatmulAlgoInit", made.handle, *TYPES, number, algo)
            x.ok("cublasLtMatmulAlgoCapGetAttribute", algo, 6, 0, 0, size)
            assert ctypes.c_size_t.from_address(size).value % 4 == 0
        assert x.call("cublasLtMatmulAlgoInit", made.handle, *TYPES, 9999, algo) == BAD
        assert x.call("cublasLtMatmulAlgoInit", made.handle, 68, 0, 1, 1, 1, 1, 0, algo) == NO
        assert x.call("cublasLtMatmulAlgoInit", made.handle, *TYPES, 0, 0) == BAD


SCRIPTS: dict[str, tuple[Entry, ...]] = {
    "cublasLtMatmulAlgoGetHeuristic": (("results", heuristic, False), ("refused", refuses, False),
                                       ("workspaces", workspaces, False), ("limited", limited, False)),
    "cublasLtMatmulAlgoGetHeuristicForStream": (("streams", streams, False),),
    "cublasLtMatmulAlgoCheck": (("preset", preset, False),),
    "cublasLtMatmulAlgoConfigGetAttribute": (("kept", configuration, False),),
    "cublasLtMatmulAlgoCapGetAttribute": (("lists", capabilities, False),),
    "cublasLtMatmulAlgoGetIds": (("all", ids, False),),
}  # fmt: skip
