"""Cases of cublasLtMatrixTransform: every type, order and transpose, against NumPy.

Where an element of a tiled order lies is cuBLAS's documentation of ``cublasLtOrder_t``, written as a list of places.
"""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np

from scale_x.conformance.fftcases import Device

if TYPE_CHECKING:
    from scale_x.conformance.scripts import Session

Array = np.ndarray[Any, Any]
Entry = tuple[str, "Callable[[Session], None]", bool]

F32, F64, F16, I8, C32, C64, I32, BF16 = 0, 1, 2, 3, 4, 5, 10, 14
DTYPES: dict[int, Any] = {
    F32: np.float32, F64: np.float64, F16: np.float16, I8: np.int8, C32: np.complex64, C64: np.complex128,
    I32: np.int32, BF16: ml_dtypes.bfloat16,
}  # fmt: skip
NAMES = {F32: "f32", F64: "f64", F16: "f16", I8: "i8", C32: "c32", C64: "c64", I32: "i32", BF16: "bf16"}
EPS = {F32: 2.0**-23, F64: 2.0**-52, F16: 2.0**-10, BF16: 2.0**-7, C32: 2.0**-23, C64: 2.0**-52, I8: 0.0, I32: 0.0}
COL, ROW, COL32, COL4_4R2_8C, COL32_2R_4R4 = range(5)
N, T, C = range(3)

#: (A and B, C, factors): measured
TYPES = (
    (F32, F32, F32), (F32, F16, F32), (F32, BF16, F32), (F16, F16, F32), (F16, F32, F32), (F16, F16, F16),
    (BF16, BF16, F32), (BF16, F32, F32), (I8, I8, F32), (I8, I8, I32), (I32, I32, F32), (I32, I32, I32),
    (F64, F64, F64), (C32, C32, C32), (C64, C64, C64),
)  # fmt: skip
#: combinations that are refused: measured
REFUSED = (
    (F32, F32, F64), (F32, F32, F16), (F32, I8, F32), (F16, BF16, F32), (BF16, BF16, BF16), (F64, F32, F64),
    (F64, F64, F32), (I8, I32, I32), (I8, F32, F32), (I32, F32, F32), (F32, F64, F32), (8, 8, F32),
)  # fmt: skip


def tile(order: int) -> list[tuple[int, int]]:
    """(row, column) of each place of a tile of 32 columns."""
    if order == COL32:
        return list(itertools.product(range(1), range(32)))
    if order == COL4_4R2_8C:  # of 8 rows: inner tiles of 4 columns within the 4 even, then within the 4 odd rows
        return [
            (row, 4 * inner + c)
            for parity in (0, 1)
            for inner in range(8)
            for row in range(parity, 8, 2)
            for c in range(4)
        ]
    places = {}  # of 32 rows: (((row % 8) / 2 * 4 + row / 8) * 2 + row % 2) * 32 + column
    for row, column in itertools.product(range(32), range(32)):
        places[((row % 8 // 2 * 4 + row // 8) * 2 + row % 2) * 32 + column] = (row, column)
    return [places[i] for i in range(1024)]


def leading(order: int, rows: int, columns: int) -> int:
    """The smallest leading dimension."""
    if order == COL:
        return max(rows, 1)
    if order == ROW:
        return max(columns, 1)
    high = {COL32: 1, COL4_4R2_8C: 8, COL32_2R_4R4: 32}[order]
    return 32 * -(-rows // high) * high


def places(order: int, rows: int, columns: int, ld: int) -> Array:
    """Where element (i, j) lies."""
    i, j = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
    if order in (COL, ROW):
        return i + j * ld if order == COL else i * ld + j
    inside = tile(order)
    high = len(inside) // 32
    table = np.zeros((high, 32), np.int64)
    for at, (row, column) in enumerate(inside):
        table[row, column] = at
    return j // 32 * ld + i // high * len(inside) + table[i % high, j % 32]


class Matrix:
    """A matrix in device memory, in an order; what is not an element is 77."""

    def __init__(self, x: Session, device: Device, values: Array, kind: int, order: int = COL, pad: int = 0) -> None:
        rows, columns = values.shape[-2:]
        self.values, self.device, self.kind = values.astype(DTYPES[kind]), device, kind
        self.whole_tiles = not x.own and order not in (COL, ROW)  # NVIDIA's kernels write them
        self.ld = leading(order, rows, columns) + (pad if order in (COL, ROW) else 32 * pad)
        self.at = places(order, rows, columns, self.ld)
        groups = {COL: columns, ROW: rows}.get(order, -(-columns // 32))
        self.stride = self.ld * groups + 5
        stacked = self.values.reshape(-1, rows, columns)
        self.memory = np.full(self.stride * len(stacked), 77, DTYPES[kind])
        for b, one in enumerate(stacked):
            self.memory[b * self.stride + self.at] = one
        self.pointer = device.put(self.memory)
        out = x.room(8, 0)
        x.ok("cublasLtMatrixLayoutCreate", out, kind, rows, columns, self.ld)
        self.layout = int(ctypes.c_uint64.from_address(out).value)
        attribute(x, "MatrixLayout", self.layout, 1, order, 4)
        if values.ndim == 3:
            attribute(x, "MatrixLayout", self.layout, 5, len(stacked), 4)
            attribute(x, "MatrixLayout", self.layout, 6, self.stride, 8)

    def read(self) -> Array:
        """Its elements now; everything else must be as it was."""
        now = self.device.get(self.pointer, self.memory)
        batches = range(len(self.memory) // self.stride)
        found = np.stack([now[b * self.stride + self.at] for b in batches])
        rest, before = now.copy(), self.memory.copy()
        for b in batches:
            if self.whole_tiles:
                start = b * self.stride
                rest[start : start + self.stride - 5] = before[start : start + self.stride - 5] = 0
            rest[b * self.stride + self.at] = before[b * self.stride + self.at] = 0
        assert rest.tobytes() == before.tobytes(), "written beside the matrix"
        return found.reshape(self.values.shape)


def attribute(x: Session, struct: str, address: int, number: int, value: int, nbytes: int) -> None:
    buf = x.room(8, 0)
    ctypes.memmove(buf, value.to_bytes(8, "little", signed=True), 8)
    x.ok(f"cublasLt{struct}SetAttribute", address, number, buf, nbytes)


def descriptor(x: Session, scale: int, op_a: int = N, op_b: int = N, device_mode: bool = False) -> int:
    out = x.room(8, 0)
    x.ok("cublasLtMatrixTransformDescCreate", out, scale)
    made = int(ctypes.c_uint64.from_address(out).value)
    for number, value in ((1, int(device_mode)), (2, op_a), (3, op_b)):
        attribute(x, "MatrixTransformDesc", made, number, value, 4)
    return made


def numbers(rng: np.random.Generator, shape: tuple[int, ...], kind: int) -> Array:
    if kind in (I8, I32):
        return rng.integers(-9, 10, shape)
    real = rng.standard_normal(shape)
    return real + 1j * rng.standard_normal(shape) if kind in (C32, C64) else real


def op_of(op: int, a: Array) -> Array:
    turned = a if op == N else np.swapaxes(a, -1, -2)
    return np.conj(turned) if op == C else turned


def factor(x: Session, value: complex, scale: int) -> tuple[int, Array]:
    cast = np.array([value if scale in (C32, C64) else value.real]).astype(DTYPES[scale])
    room = x.room(16, 0)
    ctypes.memmove(room, cast.ctypes.data, cast.nbytes)
    return room, cast


def handle(x: Session) -> int:
    return x.got("cublasLtCreate", bits=64)


def transformed(
    types: tuple[int, int, int], *, orders: tuple[int, int, int] = (COL, COL, COL), ops: tuple[int, int] = (N, N),
    shape: tuple[int, ...] = (33, 20), factors: tuple[complex, complex] = (2 - 1j, -1 + 3j), with_b: bool = True,
    device_mode: bool = False, pad: int = 3,
) -> Callable[[Session], None]:  # fmt: skip
    """alpha op(A) + beta op(B), rounded once to C's type."""
    kind, to, scale = types

    def script(x: Session) -> None:
        rng = np.random.default_rng(7)
        h, desc = handle(x), descriptor(x, scale, *ops, device_mode)
        with Device(x) as device:
            sides = [shape if op == N else (*shape[:-2], shape[-1], shape[-2]) for op in ops]
            a = Matrix(x, device, numbers(rng, sides[0], kind), kind, orders[0], pad)
            b = Matrix(x, device, numbers(rng, sides[1], kind), kind, orders[1], pad)
            c = Matrix(x, device, np.full(shape, 55), to, orders[2], pad)
            alpha, alpha_value = factor(x, factors[0], scale)
            beta, beta_value = factor(x, factors[1] if with_b else 0, scale)
            if device_mode:
                alpha, beta = device.put(alpha_value), device.put(beta_value)
            second = (b.pointer, b.layout) if with_b else (0, 0)
            x.ok("cublasLtMatrixTransform", h, desc, alpha, a.pointer, a.layout, beta, *second, c.pointer, c.layout, 0)
            wide = np.complex128 if kind in (C32, C64) else np.float64
            first = alpha_value.astype(wide)[0] * op_of(ops[0], a.values.astype(wide))
            other = beta_value.astype(wide)[0] * op_of(ops[1], b.values.astype(wide)) if with_b else 0 * first
            want, got = first + other, c.read().astype(wide)
            if to in (I8, I32):
                assert np.array_equal(got, np.rint(want)), "not the exact integers"
            else:
                size = np.abs(first) + np.abs(other)
                rounded = np.abs(want) if x.own else size  # NVIDIA rounds the terms, too
                bound = EPS[to] * rounded + 8 * max(EPS[F32 if scale != F64 else F64], EPS[scale]) * size
                x.within(float(np.max(np.abs(got - want) / np.maximum(bound, 1e-300))), 1.0, "error")
        x.ok("cublasLtMatrixTransformDescDestroy", desc)
        x.ok("cublasLtDestroy", h)

    return script


def rounds(x: Session) -> None:
    """8-bit results are rounded to the nearest even number and saturate."""
    h, desc = handle(x), descriptor(x, F32)
    with Device(x) as device:
        values = np.arange(-128, 128).reshape(16, 16)
        a, c = Matrix(x, device, values, I8), Matrix(x, device, values, I8)
        for alpha in (0.5, 3.0, -1.5):
            one, zero = factor(x, alpha, F32)[0], factor(x, 0, F32)[0]
            x.ok("cublasLtMatrixTransform", h, desc, one, a.pointer, a.layout, zero, 0, 0, c.pointer, c.layout, 0)
            assert np.array_equal(c.read(), np.clip(np.rint(alpha * values), -128, 127)), alpha
    x.ok("cublasLtDestroy", h)


def unread(x: Session) -> None:
    """A factor of 0 does not read its matrix."""
    h, desc = handle(x), descriptor(x, F32)
    with Device(x) as device:
        a = Matrix(x, device, np.ones((9, 4)), F32)
        b = Matrix(x, device, np.full((9, 4), np.nan), F32)
        c = Matrix(x, device, np.full((9, 4), np.nan), F32)
        one, zero = factor(x, 1, F32)[0], factor(x, 0, F32)[0]
        for first, second, left, right in ((one, zero, a, b), (zero, one, b, a)):
            x.ok("cublasLtMatrixTransform", h, desc, first, left.pointer, left.layout, second, right.pointer,
                 right.layout, c.pointer, c.layout, 0)  # fmt: skip
            assert (c.read() == 1).all()
    x.ok("cublasLtDestroy", h)


def refused(x: Session) -> None:
    h = handle(x)
    with Device(x) as device:

        def status(desc: int, a: Matrix, c: Matrix, second: tuple[int, int] = (0, 0), scale: int = F32) -> str:
            one, other = factor(x, 1, scale)[0], factor(x, 1 if second[0] else 0, scale)[0]
            return x.call("cublasLtMatrixTransform", h, desc, one, a.pointer, a.layout, other, *second, c.pointer,
                          c.layout, 0)  # fmt: skip

        for kind, to, scale in REFUSED:
            DTYPES.setdefault(8, np.uint8)
            square = np.zeros((32, 32))
            one, other = Matrix(x, device, square, kind), Matrix(x, device, square, to)
            got = status(descriptor(x, scale), one, other, (one.pointer, one.layout), scale)
            refusals = ("NOT_SUPPORTED",) if x.own else ("NOT_SUPPORTED", "INVALID_VALUE")  # measured: both, by call
            assert got in refusals, (kind, to, scale, got)
        for order in (COL4_4R2_8C, COL32_2R_4R4):  # written, never read
            tiled, plain = (Matrix(x, device, np.zeros((32, 32)), I8, o) for o in (order, COL))
            assert status(descriptor(x, F32), tiled, plain) == "NOT_SUPPORTED"
            assert status(descriptor(x, F32), plain, tiled) == "SUCCESS"
            floats = Matrix(x, device, np.zeros((32, 32)), F32), Matrix(x, device, np.zeros((32, 32)), F32, order)
            assert status(descriptor(x, F32), *floats) == "NOT_SUPPORTED"
        a, c = (Matrix(x, device, np.zeros((8, 8)), F32) for _ in range(2))
        assert status(descriptor(x, F32, 3, N), a, c) == "INVALID_VALUE"
        assert x.call("cublasLtMatrixTransform", 0, descriptor(x, F32), x.room(4, 0), a.pointer, a.layout,
                      x.room(4, 0), 0, 0, c.pointer, c.layout, 0) == "NOT_INITIALIZED"  # fmt: skip
        assert x.call("cublasLtMatrixTransform", h, descriptor(x, F32), x.room(4, 0), a.pointer, a.layout,
                      x.room(4, 0), 0, 0, c.pointer, 0, 0) == "INVALID_VALUE"  # fmt: skip
    x.ok("cublasLtDestroy", h)


def null(x: Session) -> None:
    """What makes NVIDIA's library crash is INVALID_VALUE."""
    h = handle(x)
    with Device(x) as device:
        a, c = (Matrix(x, device, np.zeros((8, 8)), F32) for _ in range(2))
        whole = [h, descriptor(x, F32), x.room(4, 0), a.pointer, a.layout, x.room(4, 0), 0, 0, c.pointer, c.layout, 0]
        for argument in (1, 2, 4, 5):
            wrong = [0 if i == argument else v for i, v in enumerate(whole)]
            assert x.call("cublasLtMatrixTransform", *wrong) == "INVALID_VALUE", argument
    x.ok("cublasLtDestroy", h)


def cases() -> dict[str, tuple[Entry, ...]]:
    found: list[Entry] = []

    def add(name: str, script: Callable[[Session], None], hazard: bool = False) -> None:
        found.append((name, script, hazard))

    for types in TYPES:
        note = "-".join(NAMES[t] for t in types)
        add(f"types-{note}", transformed(types))
        add(f"alone-{note}", transformed(types, with_b=False, shape=(7, 70)))
        add(f"device-{note}", transformed(types, device_mode=True, ops=(T, N)))
    for op_a, op_b in itertools.product((N, T, C), (N, T, C)):
        for types in ((F32, F32, F32), (C64, C64, C64)):
            add(f"ops-{op_a}{op_b}-{NAMES[types[0]]}", transformed(types, ops=(op_a, op_b)))
    for orders in itertools.product((COL, ROW), (COL, ROW), (COL, ROW)):
        add("orders-" + "".join(map(str, orders)), transformed((F16, F32, F32), orders=orders, ops=(T, N)))
    for order in (COL32, COL4_4R2_8C, COL32_2R_4R4):
        for kind in (I8, I32) if order == COL32 else (I8,):
            for source, shape in itertools.product((COL, ROW), ((32, 64), (64, 32), (37, 45), (5, 3))):
                add(f"tiled-{source}{order}-{NAMES[kind]}-{shape[0]}x{shape[1]}",
                    transformed((kind, kind, I32), orders=(source, source, order), shape=shape, pad=0,
                                with_b=False))  # fmt: skip
                if order == COL32:
                    add(f"tiled-{order}{source}-{NAMES[kind]}-{shape[0]}x{shape[1]}",
                        transformed((kind, kind, I32), orders=(order, order, source), shape=shape, pad=0,
                                    with_b=False))  # fmt: skip
    for shape in ((1, 1), (1, 9), (8, 1), (300, 5)):
        add(f"shape-{shape[0]}x{shape[1]}", transformed((F32, BF16, F32), shape=shape))
    add("batch", transformed((F32, F32, F32), shape=(3, 17, 6), ops=(T, N)))
    add("rounds", rounds)
    add("unread", unread)
    add("refused", refused)
    add("null", null, True)
    return {"cublasLtMatrixTransform": tuple(found)}
