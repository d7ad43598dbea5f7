"""Cases of cuFFT: a plan is made, executed and destroyed, and the result compared with scipy's in extended precision.

What is expected of statuses, handles and layouts was measured on NVIDIA's library or is documented. The bound on
errors, in the relative L2 norm, is 3 eps sqrt(max(1, log2 N)), N the product of the lengths.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from scale_x.conformance.scripts import Script, Session

Array = np.ndarray[Any, Any]
TYPES = {"C2C": 41, "R2C": 42, "C2R": 44, "Z2Z": 105, "D2Z": 106, "Z2D": 108}
HANDLE, SIZE = 4, 8
TO_DEVICE, TO_HOST = 1, 2

#: lengths of each case: small, prime, not a power of two, long, of two and three dimensions, with ones
LENGTHS: tuple[tuple[int, ...], ...] = (
    (1,), (2,), (7,), (8,), (16,), (30,), (97,), (100,), (1000,), (1024,), (4096,), (8191,), (65536,), (65537,),
    (100000,), (1 << 20,), (1, 8), (8, 1), (7, 5), (64, 64), (100, 30), (8, 8, 8), (5, 6, 7), (1, 3, 1),
)  # fmt: skip


class Device:
    """Memory of one script."""

    def __init__(self, x: Session) -> None:
        self.x = x
        self._made: list[int] = []

    def __enter__(self) -> Device:
        return self

    def __exit__(self, *_: object) -> None:
        for p in self._made:
            self.x.calls.runtime("cudaFree", p)

    def put(self, array: Array) -> int:
        array = np.ascontiguousarray(array)
        p = self.x.calls.malloc(max(array.nbytes, 16))
        self._made.append(p)
        assert self.x.calls.copy(p, array.ctypes.data, array.nbytes, TO_DEVICE) == 0
        return p

    def get(self, p: int, like: Array) -> Array:
        out = np.empty_like(like)
        assert self.x.calls.synchronise() == 0
        assert self.x.calls.copy(out.ctypes.data, p, out.nbytes, TO_HOST) == 0
        return out


def numbers(*values: int) -> Any:
    return (ctypes.c_int * len(values))(*values)


def create(x: Session) -> int:
    return x.got("cufftCreate")


def make(x: Session, n: tuple[int, ...], kind: str, batch: int, embeds: tuple[Any, ...] = (0, 1, 0, 0, 1, 0)) -> int:
    """A plan; ``embeds``: inembed, istride, idist, onembed, ostride, odist."""
    handle, lengths = create(x), numbers(*n)
    x.ok("cufftMakePlanMany", handle, len(n), ctypes.addressof(lengths), *embeds, TYPES[kind], batch, x.room(SIZE))
    return handle


def execute(x: Session, handle: int, kind: str, i: int, o: int, direction: int) -> str:
    return x.call(f"cufftExec{kind}", handle, i, o, *((direction,) if kind in ("C2C", "Z2Z") else ()))


def precision(kind: str) -> tuple[Any, Any, float]:
    double = kind in ("Z2Z", "D2Z", "Z2D")
    return (np.float64, np.complex128, 2.0**-52) if double else (np.float32, np.complex64, 2.0**-23)


def problem(n: tuple[int, ...], kind: str, batch: int, direction: int) -> tuple[Array, Array]:
    """The input and, in extended precision, the output."""
    import scipy.fft

    fft: Any = scipy.fft  # its annotations know no extended precision
    real, cplx, _ = precision(kind)
    rng, axes = np.random.default_rng(len(n) + sum(n)), tuple(range(1, len(n) + 1))
    x = rng.standard_normal((batch, *n))
    if kind in ("C2C", "Z2Z"):
        z = (x + 1j * rng.standard_normal((batch, *n))).astype(cplx)
        wide = z.astype(np.clongdouble)
        return z, fft.fftn(wide, axes=axes) if direction < 0 else fft.ifftn(wide, axes=axes, norm="forward")
    if kind in ("R2C", "D2Z"):
        r = x.astype(real)
        return r, fft.rfftn(r.astype(np.longdouble), axes=axes)
    z = fft.rfftn(x, axes=axes).astype(cplx)
    return z, fft.irfftn(z.astype(np.clongdouble), s=n, axes=axes, norm="forward")


def error(got: Array, want: Array) -> float:
    scale = np.sqrt((np.abs(want) ** 2).sum())
    return float(np.sqrt((np.abs(got.astype(want.dtype) - want) ** 2).sum()) / (scale or 1))


def transform(n: tuple[int, ...], kind: str, batch: int, direction: int = -1, in_place: bool = False) -> Script:
    def script(x: Session) -> None:
        real, cplx, eps = precision(kind)
        given, want = problem(n, kind, batch, direction)
        handle = make(x, n, kind, batch)
        with Device(x) as d:
            if in_place:
                inner = n[-1] if kind in ("C2C", "Z2Z") else n[-1] // 2 + 1
                room = np.full((batch, *n[:-1], inner), np.nan, cplx)
                (room if np.iscomplexobj(given) else room.view(real)[..., : n[-1]])[...] = given
                p = d.put(room)
                status = execute(x, handle, kind, p, p, direction)
                got = d.get(p, room)
                got = got if np.iscomplexobj(want) else got.view(real)[..., : n[-1]]
            else:
                p, o = d.put(given), np.full(want.shape, np.nan, cplx if np.iscomplexobj(want) else real)
                q = d.put(o)
                status = execute(x, handle, kind, p, q, direction)
                got = d.get(q, o)
                if kind not in ("C2R", "Z2D") or len(n) == 1:
                    assert d.get(p, given).tobytes() == given.tobytes(), "the input changed"
            assert status == "SUCCESS", status
        x.ok("cufftDestroy", handle)
        x.within(error(got, want), 3 * eps * math.sqrt(max(1.0, math.log2(math.prod(n)))), "relative L2 error")

    return script


def transforms(kind: str) -> Iterator[tuple[str, Script, bool]]:
    for n in LENGTHS:
        name = "x".join(map(str, n))
        yield name, transform(n, kind, 1), False
        if math.prod(n) > 1 << 17:
            continue
        yield f"{name}-batch3", transform(n, kind, 3), False
        yield f"{name}-in-place", transform(n, kind, 2, in_place=True), False
        if kind in ("C2C", "Z2Z"):
            yield f"{name}-inverse", transform(n, kind, 1, direction=1), False


def imaginary(kind: str) -> Script:
    """What a real signal cannot have is ignored. NVIDIA's library lets it through for lengths of 8192 and 16384."""

    def script(x: Session) -> None:
        for n in (7, 8, 100, 1024):
            given, want = problem((n,), kind, 2, 1)
            given[:, 0] += 5j
            if n % 2 == 0:
                given[:, -1] += 7j
            handle = make(x, (n,), kind, 2)
            with Device(x) as d:
                p, o = d.put(given), np.empty(want.shape, precision(kind)[0])
                q = d.put(o)
                assert execute(x, handle, kind, p, q, 1) == "SUCCESS"
                assert error(d.get(q, o), want) <= 30 * precision(kind)[2], f"n={n}: imaginary parts leak"
            x.ok("cufftDestroy", handle)

    return script


def strided(x: Session) -> None:
    """Every second element in, every third out; what lies between stays."""
    given, want = problem((6,), "C2C", 4, -1)
    flat = np.full(4 * 12, 9, np.complex64)
    flat.reshape(4, 6, 2)[:, :, 0] = given
    embed = numbers(6)
    at = ctypes.addressof(embed)
    handle = make(x, (6,), "C2C", 4, (at, 2, 12, at, 3, 18))
    with Device(x) as d:
        o = np.full(4 * 18, 77, np.complex64)
        p, q = d.put(flat), d.put(o)
        x.ok("cufftExecC2C", handle, p, q, -1)
        got = d.get(q, o).reshape(4, 6, 3)
    x.ok("cufftDestroy", handle)
    assert error(got[:, :, 0], want) < 1e-6
    assert (got[:, :, 1:] == 77).all(), "written between the elements"


def directions(x: Session) -> None:
    handle = make(x, (8,), "C2C", 1)
    with Device(x) as d:
        p = d.put(np.zeros(8, np.complex64))
        for direction in (0, 2, -2, 99):
            assert x.call("cufftExecC2C", handle, p, p, direction) == "INVALID_VALUE", direction
        assert x.call("cufftExecC2C", handle, p + 4, p, -1) == "INVALID_VALUE", "a misaligned input"
    x.ok("cufftDestroy", handle)


def decided_by_the_plan(x: Session) -> None:
    accepted = {"C2C": "C2C R2C C2R Z2Z", "R2C": "C2C R2C Z2Z", "C2R": "C2R", "D2Z": "C2C Z2Z", "Z2D": "C2R"}
    with Device(x) as d:
        i, o = d.put(np.zeros(64, np.complex128)), d.put(np.zeros(64, np.complex128))
        for kind, good in accepted.items():
            handle = make(x, (8,), kind, 1)
            for other in ("C2C", "C2R", "Z2Z"):
                status = execute(x, handle, other, i, o, -1)
                assert status == ("SUCCESS" if other in good.split() else "INVALID_VALUE"), (kind, other, status)
            x.ok("cufftDestroy", handle)


def handles(x: Session) -> None:
    made = [create(x) for _ in range(3)]
    assert made == list(range(made[0], made[0] + 3)), made
    x.ok("cufftDestroy", made[1])
    assert create(x) == made[1], "a freed number is not used again"
    for handle in made:
        x.ok("cufftDestroy", handle)
    x.ok("cufftDestroy", -1)
    for handle in (*made, 0, 12345):
        assert x.call("cufftDestroy", handle) == "INVALID_PLAN", handle
    for handle in (*made, -1, 0, 12345):
        assert x.call("cufftExecC2C", handle, 256, 256, -1) == "INVALID_PLAN", handle


def not_planned(x: Session) -> None:
    handle = create(x)
    assert x.call("cufftExecC2C", handle, 256, 256, -1) == "INVALID_PLAN"
    assert x.call("cufftGetSize", handle, x.room(SIZE)) == "INVALID_PLAN"
    for value in (-1, 0, 1, 2):
        x.ok("cufftSetAutoAllocation", handle, value)
    x.ok("cufftMakePlan1d", handle, 8, TYPES["C2C"], 1, x.room(SIZE))
    assert x.call("cufftMakePlan1d", handle, 16, TYPES["C2C"], 1, x.room(SIZE)) == "INVALID_PLAN"
    x.ok("cufftDestroy", handle)


def refused(x: Session) -> None:
    """The type first, then values and sizes; the handle stays usable."""
    handle, eight, c2c = create(x), numbers(8), TYPES["C2C"]
    at = ctypes.addressof(eight)
    for rank, n, embeds, kind, batch, status in (
        (0, at, (0, 1, 8, 0, 1, 8), 99, 1, "INVALID_TYPE"), (0, at, (0, 1, 8, 0, 1, 8), c2c, 1, "INVALID_VALUE"),
        (4, at, (0, 1, 8, 0, 1, 8), c2c, 1, "INVALID_VALUE"), (1, 0, (0, 1, 8, 0, 1, 8), c2c, 1, "INVALID_VALUE"),
        (1, at, (0, 1, 8, 0, 1, 8), c2c, 0, "INVALID_SIZE"), (1, at, (at, 1, 8, 0, 1, 8), c2c, 1, "INVALID_VALUE"),
        (1, at, (at, 0, 8, at, 1, 8), c2c, 1, "INVALID_VALUE"), (1, at, (at, 1, 8, at, 1, 0), c2c, 1, "INVALID_VALUE"),
    ):  # fmt: skip
        got = x.call("cufftMakePlanMany", handle, rank, n, *embeds, kind, batch, x.room(SIZE))
        assert got == status, (rank, embeds, kind, batch, got)
    x.ok("cufftMakePlanMany", handle, 1, at, 0, 1, 8, 0, 1, 8, c2c, 1, x.room(SIZE))
    x.ok("cufftDestroy", handle)


def plan_refused(x: Session) -> None:
    out = x.room(HANDLE)
    for nx, kind, batch, status in (
        (0, 41, 1, "INVALID_SIZE"),
        (8, 41, -1, "INVALID_SIZE"),
        (-1, 99, 0, "INVALID_TYPE"),
    ):
        assert x.call("cufftPlan1d", out, nx, kind, batch) == status, (nx, kind, batch)
        assert ctypes.c_int.from_address(out).value == 0, "a failed plan leaves a handle"


def first_length_only(x: Session) -> None:
    for arguments in ((8, -1), (8, 0)):
        x.ok("cufftDestroy", x_plan2d(x, *arguments))
    assert x.call("cufftPlan2d", x.room(HANDLE), 0, 8, TYPES["C2C"]) == "INVALID_SIZE"


def x_plan2d(x: Session, nx: int, ny: int) -> int:
    out = x.room(HANDLE)
    x.ok("cufftPlan2d", out, nx, ny, TYPES["C2C"])
    return ctypes.c_int.from_address(out).value


def work_area(x: Session) -> None:
    """Without automatic allocation a plan that needs an area has none until it is given one."""
    n = 1 << 20
    handle = create(x)
    x.ok("cufftSetAutoAllocation", handle, 0)
    need = x.got("cufftMakePlan1d", handle, n, TYPES["C2C"], 1, bits=64)
    assert need == x.got("cufftGetSize", handle, bits=64) > 0
    assert need == x.got("cufftEstimate1d", n, TYPES["C2C"], 1, bits=64)
    with Device(x) as d:
        p, area = d.put(np.ones(n, np.complex64)), d.put(np.zeros(need, np.uint8))
        for address, status in ((None, "NO_WORKSPACE"), (0, "NO_WORKSPACE"), (area, "SUCCESS"), (0, "NO_WORKSPACE")):
            if address is not None:
                x.ok("cufftSetWorkArea", handle, address)
            assert x.call("cufftExecC2C", handle, p, p, -1) == status, address
        x.calls.synchronise()
    x.ok("cufftDestroy", handle)


def version(x: Session) -> None:
    number = x.got("cufftGetVersion")
    parts = [x.got("cufftGetProperty", which) for which in (0, 1, 2)]
    assert number == parts[0] * 1000 + parts[1] * 100 + parts[2], (number, parts)
    assert parts[0] == x.cuda - 1, f"major version {parts[0]} of a CUDA {x.cuda} library"
    assert x.call("cufftGetProperty", 3, x.room(HANDLE)) == "INVALID_TYPE"


Entry = tuple[str, "Callable[[Session], None]", bool]

SCRIPTS: dict[str, tuple[Entry, ...]] = {
    "cufftExecC2C": (*transforms("C2C"), ("strided", strided, False), ("checks", directions, False),
                     ("plan-decides", decided_by_the_plan, False)),
    "cufftExecZ2Z": tuple(transforms("Z2Z")),
    "cufftExecR2C": tuple(transforms("R2C")),
    "cufftExecD2Z": tuple(transforms("D2Z")),
    "cufftExecC2R": (*transforms("C2R"), ("imaginary", imaginary("C2R"), False)),
    "cufftExecZ2D": (*transforms("Z2D"), ("imaginary", imaginary("Z2D"), False)),
    "cufftCreate": (("numbers", handles, False), ("unplanned", not_planned, False)),
    "cufftMakePlanMany": (("refused", refused, False),),
    "cufftPlan1d": (("refused", plan_refused, False),),
    "cufftPlan2d": (("first-length", first_length_only, False),),
    "cufftSetWorkArea": (("given-and-taken", work_area, False),),
    "cufftGetVersion": (("parts", version, False),),
}  # fmt: skip
