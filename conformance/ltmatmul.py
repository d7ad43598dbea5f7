"""One product of cublasLtMatmul: its matrices in memory, what must come out in double precision, and how near.

The definitions are NVIDIA's (cuBLAS 3.4, cublasLtEpilogue_t), decided by measurement where the text is silent: GELU is
the tanh form, a mask's bit is 1 for x >= 0, bias gradients are sums over a row of D.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np

if TYPE_CHECKING:
    from scale_x.conformance.scripts import Session

Array = np.ndarray[Any, Any]
DTYPES: dict[int, Any] = {
    0: np.float32, 1: np.float64, 2: np.float16, 3: np.int8, 4: np.complex64, 5: np.complex128, 10: np.int32,
    14: ml_dtypes.bfloat16, 28: ml_dtypes.float8_e4m3fn, 29: ml_dtypes.float8_e5m2, 33: ml_dtypes.float4_e2m1fn,
}  # fmt: skip
EPS = {0: 2.0**-24, 1: 2.0**-53, 2: 2.0**-11, 4: 2.0**-24, 5: 2.0**-53, 14: 2.0**-8, 28: 2.0**-4, 29: 2.0**-3}
TINY = {2: 2.0**-25, 28: 2.0**-10, 29: 2.0**-17}
LIMIT = {28: 448.0, 29: 57344.0}
DEFAULT, RELU, BIAS, GELU, AUX = 1, 2, 4, 32, 128
EPILOGUES = {1: "default", 2: "relu", 4: "bias", 6: "relu-bias", 32: "gelu", 36: "gelu-bias", 130: "relu-aux",
             134: "relu-aux-bias", 136: "drelu", 152: "drelu-bgrad", 160: "gelu-aux", 164: "gelu-aux-bias",
             192: "dgelu", 208: "dgelu-bgrad", 256: "bgrada", 512: "bgradb"}  # fmt: skip
GRADIENTS, MASKS = (152, 208, 256, 512), (130, 134, 136, 152)
ATTRIBUTES = {"pointer_mode": 2, "transa": 3, "transb": 4, "epilogue": 7, "bias": 8, "bias_stride": 10, "aux": 11,
              "aux_ld": 12, "aux_stride": 13, "a_scale": 17, "b_scale": 18, "d_scale": 20, "amax_d": 21, "a_mode": 31,
              "b_mode": 32}  # fmt: skip
WIDE = {"bias", "bias_stride", "aux", "aux_ld", "aux_stride", "a_scale", "b_scale", "d_scale", "amax_d"}


@dataclass(frozen=True)
class Kind:
    """Types of A, B, C, D, the compute type, the scale type; ``inputs``: to what inputs are rounded."""

    a: int
    b: int
    c: int
    d: int
    compute: int
    scale: int
    inputs: float = 0.0
    acc: float = 2.0**-24
    bias: int = -1

    @property
    def bias_type(self) -> int:
        return self.d if self.bias < 0 else self.bias


F32 = Kind(0, 0, 0, 0, 68, 0)
F64 = Kind(1, 1, 1, 1, 70, 1, acc=2.0**-53)
KINDS = {
    "f32": F32,
    "tf32": replace(F32, compute=77, inputs=2.0**-11),
    "f16": Kind(2, 2, 2, 2, 68, 0),
    "f16-16f": Kind(2, 2, 2, 2, 64, 2, acc=2.0**-11),
    "bf16": Kind(14, 14, 14, 14, 68, 0),
    "f16-f32": Kind(2, 2, 0, 0, 68, 0),
    "bf16-f32": Kind(14, 14, 0, 0, 68, 0),
    "f64": F64,
    "c32": Kind(4, 4, 4, 4, 68, 4),
    "c64": Kind(5, 5, 5, 5, 70, 5, acc=2.0**-53),
    "i8-i32": Kind(3, 3, 10, 10, 72, 10, acc=0.0),
    "i8-i8": Kind(3, 3, 3, 3, 72, 0, bias=0),
    "i8-f32": Kind(3, 3, 0, 0, 68, 0),
    "e4m3-bf16": Kind(28, 28, 14, 14, 68, 0, bias=14),
    "e4m3-f16": Kind(28, 28, 2, 2, 68, 0, bias=2),
    "e4m3-f32": Kind(28, 28, 0, 0, 68, 0, bias=14),
    "e4m3-e4m3": Kind(28, 28, 14, 28, 68, 0, bias=14),
    "e4m3-e5m2-bf16": Kind(28, 29, 14, 14, 68, 0, bias=14),
    "e5m2-e4m3-e5m2": Kind(29, 28, 14, 29, 68, 0, bias=14),
    "e2m1-bf16": Kind(33, 33, 14, 14, 68, 0, bias=14),  # two numbers to a byte
    "e2m1-f16": Kind(33, 33, 2, 2, 68, 0, bias=2),
    "e2m1-f32": Kind(33, 33, 0, 0, 68, 0, bias=14),
}


@dataclass(frozen=True)
class Product:
    kind: str
    m: int = 16
    n: int = 16
    k: int = 16
    transa: str = "N"
    transb: str = "N"
    epilogue: int = 1
    alpha: complex = 1.0
    beta: complex = 0.0
    rows: str = ""  # which of A, B, D are row-major; C is as D is
    batch: int = 1
    shared: str = ""  # which of A, B, C have one matrix for all of the batch
    arrays: bool = False  # a batch by addresses
    mode: int = 0  # pointer mode
    pad: int = 0
    in_place: bool = False
    no_c: bool = False
    bias_stride: bool = False
    scales: dict[str, float] = field(default_factory=dict)
    special: bool = False  # NaN, infinities and zeros of both signs among C's numbers
    algo: bool = True

    @property
    def name(self) -> str:
        words = [self.kind, f"{self.m}x{self.n}x{self.k}", self.transa + self.transb, EPILOGUES[self.epilogue]]
        for text in ("alpha", "beta"):
            value = getattr(self, text)
            if value != (1.0 if text == "alpha" else 0.0):
                words.append(f"{text}={value:g}" if not isinstance(value, complex) else f"{text}={value.real:g}i")
        words += [f"rows={self.rows}"] if self.rows else []
        words += [f"batch={self.batch}" + (f"-{self.shared}" if self.shared else "")] if self.batch > 1 else []
        words += [f"mode={self.mode}"] if self.mode else []
        words += [f"pad={self.pad}"] if self.pad else []
        words += [f"{n}={v:g}" for n, v in self.scales.items()]
        for flag in ("arrays", "in_place", "no_c", "bias_stride", "special"):
            words += [flag.replace("_", "-")] if getattr(self, flag) else []
        return "-".join(words)


# --- numbers --------------------------------------------------------------------------------------------------------


def gelu(x: Array) -> Array:
    with np.errstate(all="ignore"):
        return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def gelu_derivative(x: Array) -> Array:
    with np.errstate(all="ignore"):
        t = np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))
        return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * np.sqrt(2 / np.pi) * (1 + 3 * 0.044715 * x * x)


def quantised(values: Array, type_: int) -> Array:
    """The nearest numbers of a type, as the type."""
    if type_ in (3, 10):
        return np.rint(values.real).astype(DTYPES[type_])
    return (values if type_ in (4, 5) else values.real).astype(DTYPES[type_])


def wide(values: Array) -> Array:
    return values.astype(np.complex128 if np.iscomplexobj(values) else np.float64)


def numbers(rng: np.random.Generator, shape: tuple[int, ...], type_: int) -> Array:
    if type_ in (3, 10):
        return quantised(rng.integers(-9, 10, shape).astype(np.float64), type_)
    x = rng.uniform(-1, 1, shape) * (6 if type_ == 33 else 1)
    return quantised(x + 1j * rng.uniform(-1, 1, shape) if type_ in (4, 5) else x, type_)


def operate(op: str, matrices: Array) -> Array:
    """op of every matrix of a batch."""
    if op == "N":
        return matrices
    turned = np.swapaxes(matrices, -1, -2)
    return turned.conj() if op == "C" else turned


@dataclass
class Stored:
    """A batch of matrices as they lie in memory, with NaN (77 for integers) between columns and matrices."""

    memory: Array
    ld: int
    stride: int
    rows: int
    cols: int
    order: int

    def matrices(self, memory: Array) -> Array:
        """(batch, rows, cols) of the elements that belong to matrices."""
        inner = self.rows if self.order == 0 else self.cols
        lines = self.cols if self.order == 0 else self.rows
        blocks = memory[: memory.size // self.stride * self.stride].reshape(-1, self.stride)
        cut = blocks[:, : self.ld * lines].reshape(-1, lines, self.ld)[:, :, :inner]
        return np.swapaxes(cut, -1, -2) if self.order == 0 else cut

    def outside(self, memory: Array) -> Array:
        keep = np.ones(memory.size, bool)
        index = np.arange(memory.size)
        keep[self.matrices(index).reshape(-1)] = False
        return memory[keep]


def stored(matrices: Array, type_: int, row_major: bool, pad: int, fill: float = np.nan) -> Stored:
    batch, rows, cols = matrices.shape
    inner, lines = (cols, rows) if row_major else (rows, cols)
    ld = max(inner, 1) + pad
    stride = ld * max(lines, 1) + pad
    filler = np.array(fill if type_ not in (3, 10) else 77).astype(DTYPES[type_])
    memory = np.full(batch * stride, filler, DTYPES[type_])
    s = Stored(memory, ld, stride, rows, cols, int(row_major))
    if matrices.size:
        index = s.matrices(np.arange(memory.size))
        memory[index] = matrices
    return s


# --- what must come out ---------------------------------------------------------------------------------------------


@dataclass
class Problem:
    """The numbers of a product, and what is expected of each output: value and bound."""

    p: Product
    a: Array
    b: Array
    c: Array
    bias: Array | None
    aux: Array | None  # input of DRELU (booleans) and DGELU

    @classmethod
    def of(cls, p: Product) -> Problem:
        kind, rng = KINDS[p.kind], np.random.default_rng(abs(hash_of(p.name)))
        count = {x: 1 if x in p.shared else p.batch for x in "ABC"}
        a = numbers(rng, (count["A"], p.m, p.k), kind.a)
        b = numbers(rng, (count["B"], p.k, p.n), kind.b)
        c = numbers(rng, (count["C"], p.m, p.n), kind.c)
        if p.special:
            values = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 3.0])
            c[:, : min(p.m, 8), :] = values[: p.m, None].astype(c.dtype)
            a = np.zeros_like(a)
        lead = p.batch if p.bias_stride else 1
        length = p.n if p.epilogue == 512 else p.m
        bias = numbers(rng, (lead, length), kind.bias_type) if p.epilogue & 4 else None
        aux = None
        if p.epilogue in (136, 152):
            aux = rng.random((p.batch, p.m, p.n)) < 0.5
        elif p.epilogue in (192, 208):
            aux = quantised(rng.uniform(-3, 3, (p.batch, p.m, p.n)), 14 if kind.d in (28, 29) else kind.d)
        return cls(p, a, b, c, bias, aux)

    def accumulated(self, own: bool = True) -> tuple[Array, Array]:
        """alpha A B + beta C + bias, and a bound on its error. NVIDIA's sums of 8-bit floats have few bits, and its
        epilogues may begin with numbers that are rounded to D's type."""
        p, kind = self.p, KINDS[self.p.kind]
        scale = p.scales.get("a_scale", 1.0) * p.scales.get("b_scale", 1.0)
        a, b, c = wide(self.a), wide(self.b), wide(self.c)
        with np.errstate(invalid="ignore", over="ignore"):
            x = p.alpha * scale * (a @ b)
            size = abs(p.alpha * scale) * (np.abs(a) @ np.abs(b))
            x = np.broadcast_to(x, (p.batch, p.m, p.n)).copy()
            size = np.broadcast_to(size, x.shape).copy()
            if p.beta != 0:
                x, size = x + p.beta * c, size + abs(p.beta) * np.abs(c)
            if self.bias is not None:
                x = x + wide(self.bias)[:, :, None]
                size = size + np.abs(wide(self.bias))[:, :, None]
        bound = (kind.acc * (p.k + 4) * 2 + 2.5 * kind.inputs) * np.nan_to_num(size, posinf=0.0)
        if not own and kind.a in (28, 29):
            bound = bound + 2.0**-12 * size
        if not own and p.epilogue != 1:
            near = np.nan_to_num(np.abs(x) + np.abs(size), posinf=0.0)
            bound = bound + (0.5 if kind.d == 3 else EPS.get(kind.d, 0.0) * near)
        return x, bound

    def expected(self, own: bool = True) -> dict[str, tuple[Array, Array]]:
        """D, the auxiliary matrix (booleans for a mask) and the bias gradient, each with its bound."""
        p, kind = self.p, KINDS[self.p.kind]
        x, bound = self.accumulated(own)
        out: dict[str, tuple[Array, Array]] = {}
        slack = 1e-9 if kind.acc < 1e-10 else 2e-5  # of NVIDIA's GELU
        if p.epilogue in (130, 134):
            out["aux"] = (x >= 0) | (np.isnan(x) & (kind.a in (0, 1))), bound
        elif p.epilogue in (160, 164):
            out["aux"] = x, bound
        if p.epilogue in (2, 6, 130, 134):
            d = np.where(np.isnan(x), x, np.maximum(x, 0)) if not np.iscomplexobj(x) else x
        elif p.epilogue in (32, 36, 160, 164):
            d, bound = gelu(x), 1.2 * bound + slack * np.maximum(1, np.nan_to_num(np.abs(x), posinf=1.0))
        elif p.epilogue in (136, 152):
            assert self.aux is not None
            d, bound = np.where(self.aux, x, 0), bound * self.aux
        elif p.epilogue in (192, 208):
            assert self.aux is not None
            d = x * gelu_derivative(wide(self.aux))
            bound = 1.2 * bound + slack * np.abs(x)
        else:
            d = x
        if p.epilogue in (152, 208):
            out["bias"] = self._gradient(d, bound)
        elif p.epilogue == 256:
            out["bias"] = self._sums(np.broadcast_to(wide(self.a), (p.batch, p.m, p.k)).sum(-1), p.k)
        elif p.epilogue == 512:
            out["bias"] = self._sums(np.broadcast_to(wide(self.b), (p.batch, p.k, p.n)).sum(-2), p.k)
        out["D"] = d * p.scales.get("d_scale", 1.0), bound * abs(p.scales.get("d_scale", 1.0))
        if "amax_d" in p.scales:
            out["amax"] = np.abs(d).max(initial=0.0), bound.max(initial=0.0) + 2 * EPS[14] * np.abs(d).max(initial=0.0)
        return out

    def _gradient(self, d: Array, bound: Array) -> tuple[Array, Array]:
        kind = KINDS[self.p.kind]
        rounding = EPS.get(kind.d, 0.0) * np.abs(d).sum(-1)
        return d.sum(-1), bound.sum(-1) + rounding + 2.0**-20 * np.abs(d).sum(-1) * (kind.acc > 1e-10)

    def _sums(self, sums: Array, length: int) -> tuple[Array, Array]:
        kind = KINDS[self.p.kind]
        return sums, np.full(sums.shape, (kind.acc * length + 2 * kind.inputs) * length)


def hash_of(text: str) -> int:
    import zlib

    return zlib.crc32(text.encode())


def compared(got: Array, want: Array, bound: Array, type_: int) -> tuple[str, float]:
    """What is wrong with an output of a type, empty when nothing is; the largest error over its bound."""
    if type_ in (3, 10):
        low, high = (-128, 127) if type_ == 3 else (-(2**31), 2**31 - 1)
        error = np.abs(got.astype(np.float64) - np.clip(want.real, low, high))
        limit = bound + (0.5 + 1e-6 if type_ == 3 else 0)
    else:
        want = np.clip(want, -LIMIT[type_], LIMIT[type_]) if type_ in LIMIT else want
        got = wide(got)
        with np.errstate(invalid="ignore"):
            same = (got == want) | (np.isnan(got) & np.isnan(want))
            error = np.where(same, 0.0, np.abs(got - want))
            limit = bound + EPS[type_] * np.nan_to_num(np.abs(want), posinf=0.0) * 1.01 + TINY.get(type_, 0.0)
    bad = ~(error <= limit)
    if not bad.any():
        return "", float(np.max(error / np.maximum(limit, 1e-300), initial=0.0))
    worst = np.unravel_index(int(np.argmax(np.where(bad, np.nan_to_num(error, nan=np.inf), -1))), error.shape)
    return f"{bad.sum()} of {bad.size}, at {tuple(map(int, worst))}: {got[worst]} for {want[worst]}", np.inf


def room_for(x: Session, values: Any, dtype: Any) -> int:
    array = np.atleast_1d(np.asarray(values)).astype(dtype)
    address = x.room(max(array.nbytes, 16))
    ctypes.memmove(address, array.ctypes.data, array.nbytes)
    return address
