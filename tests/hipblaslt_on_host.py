"""Calls the host engine's hipBLASLt as a program would, and says in float64 what a matmul must give.

A `Matmul` holds one problem: its matrices are arrays of shape (batch, columns, ld), so that a stored column is
contiguous; `run` calls hipBLASLt (heuristic, then the product), `want` computes D, the auxiliary matrix, the bias
gradient and the largest magnitude from the stored inputs.
"""

from __future__ import annotations

import ctypes
import json
from dataclasses import dataclass, field
from pathlib import Path

import ml_dtypes
import numpy as np
import rocblas_on_host as rb
from rocblas_on_host import Engine

SUCCESS, NOT_INITIALIZED, INVALID_VALUE, INTERNAL_ERROR, NOT_SUPPORTED, INVALID_ENUM = 0, 1, 3, 6, 7, 10
N, T, C = 111, 112, 113
DEFAULT, RELU, BIAS, RELU_BIAS, GELU, GELU_BIAS = 1, 2, 4, 6, 32, 36
RELU_AUX, RELU_AUX_BIAS, DRELU, DRELU_BGRAD = 130, 134, 136, 152
GELU_AUX, GELU_AUX_BIAS, DGELU, DGELU_BGRAD, BGRADA, BGRADB = 160, 164, 192, 208, 256, 512
F16_COMPUTE, F32, FAST_16F, FAST_16BF, TF32, F64, I32 = 0, 2, 4, 5, 6, 7, 9
TYPES = {
    np.dtype(np.float32): 0,
    np.dtype(np.float64): 1,
    np.dtype(np.float16): 2,
    np.dtype(np.int8): 3,
    np.dtype(np.complex64): 4,
    np.dtype(np.complex128): 5,
    np.dtype(np.int32): 10,
    np.dtype(ml_dtypes.bfloat16): 14,
    np.dtype(ml_dtypes.float8_e4m3fn): 28,
    np.dtype(ml_dtypes.float8_e5m2): 29,
    np.dtype(ml_dtypes.float8_e4m3fnuz): 1000,
    np.dtype(ml_dtypes.float8_e5m2fnuz): 1001,
}
LARGEST = {28: 448.0, 29: 57344.0, 1000: 240.0, 1001: 57344.0}  # 8-bit types saturate

DESC = {
    "transa": (0, "i"),
    "transb": (1, "i"),
    "epilogue": (2, "i"),
    "bias": (3, "p"),
    "bias_type": (4, "i"),
    "scale_a": (5, "p"),
    "scale_b": (6, "p"),
    "scale_c": (7, "p"),
    "scale_d": (8, "p"),
    "scale_aux": (9, "p"),
    "aux": (10, "p"),
    "aux_ld": (11, "q"),
    "aux_stride": (12, "q"),
    "pointer_mode": (13, "i"),
    "amax": (14, "p"),
    "aux_type": (22, "i"),
    "bias_stride": (23, "q"),
    "mode_a": (31, "i"),
    "mode_b": (32, "i"),
    "input_a": (100, "i"),
    "input_b": (101, "i"),
}
_C = {"i": ctypes.c_int32, "p": ctypes.c_void_p, "q": ctypes.c_int64}


def _canon(canon: str) -> str:
    """The type as `rocblas_on_host` knows it: enumerations are integers."""
    canon = canon.removeprefix("const ")
    if "*" in canon or "[" in canon or canon in rb._C:
        return canon
    return "int"


rb._C["float"] = ctypes.c_float
for _line in (Path(__file__).parent.parent / "rocm/spec/hipblaslt.jsonl").read_text().splitlines():
    _fact = json.loads(_line)
    if _fact["kind"] == "function":
        _fact["params"] = [[n, t, _canon(c)] for n, t, c in _fact["params"]]
        rb.SPEC[_fact["name"]] = _fact


class Heuristic(ctypes.Structure):
    _fields_ = [
        ("index", ctypes.c_int32),
        ("rest", ctypes.c_uint8 * 12),
        ("max_workspace", ctypes.c_size_t),
        ("workspace", ctypes.c_size_t),
        ("state", ctypes.c_int32),
        ("waves", ctypes.c_float),
        ("reserved", ctypes.c_int32 * 4),
    ]


class Lt:
    """An engine with a hipBLASLt handle; ``made`` descriptors are destroyed with ``close``."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.call = engine.call
        handle = ctypes.c_void_p()
        assert self.call("hipblasLtCreate", ctypes.addressof(handle)) == SUCCESS
        self.handle = handle.value

    def layout(self, dtype: object, rows: int, columns: int, ld: int, batch: int = 1, stride: int = 0) -> int:
        out = ctypes.c_void_p()
        number = dtype if isinstance(dtype, int) else TYPES[np.dtype(dtype)]
        assert self.call("hipblasLtMatrixLayoutCreate", ctypes.addressof(out), number, rows, columns, ld) == SUCCESS
        for attribute, value in ((0, ctypes.c_int32(batch)), (1, ctypes.c_int64(stride))):
            assert self.set("MatrixLayout", out.value, attribute, value) == SUCCESS
        return int(out.value or 0)

    def set(self, kind: str, object_: int | None, attribute: int, value: ctypes._SimpleCData) -> int:
        return self.call(
            f"hipblasLt{kind}SetAttribute", object_, attribute, ctypes.addressof(value), ctypes.sizeof(value)
        )

    def desc(self, compute: int, scale_type: int, **attributes: int) -> int:
        out = ctypes.c_void_p()
        assert self.call("hipblasLtMatmulDescCreate", ctypes.addressof(out), compute, scale_type) == SUCCESS
        for name, value in attributes.items():
            number, kind = DESC[name]
            assert self.set("MatmulDesc", out.value, number, _C[kind](value)) == SUCCESS, name
        return int(out.value or 0)

    def preference(self, workspace: int) -> int:
        out = ctypes.c_void_p()
        assert self.call("hipblasLtMatmulPreferenceCreate", ctypes.addressof(out)) == SUCCESS
        assert self.set("MatmulPreference", out.value, 1, ctypes.c_uint64(workspace)) == SUCCESS
        return int(out.value or 0)

    def heuristic(self, desc: int, layouts: list[int], workspace: int = 0, requested: int = 8) -> list[Heuristic]:
        results, count = (Heuristic * requested)(), ctypes.c_int(-1)
        preference = self.preference(workspace)
        status = self.call("hipblasLtMatmulAlgoGetHeuristic", self.handle, desc, *layouts, preference, requested,
                           ctypes.addressof(results), ctypes.addressof(count))  # fmt: skip
        assert status == SUCCESS and self.call("hipblasLtMatmulPreferenceDestroy", preference) == SUCCESS
        assert all(r.state == (0 if i < count.value else 7) for i, r in enumerate(results))
        return list(results[: count.value])


def padded(rng: np.random.Generator, rows: int, columns: int, dtype: object, batch: int, pad: int) -> np.ndarray:
    """Values that 8-bit types hold too, (batch, columns, ld), NaN between the columns."""
    dtype = np.dtype(dtype)
    if dtype.kind == "i":
        full = rng.integers(-9 if dtype == np.int8 else -99, 10, (batch, columns, rows + pad)).astype(dtype)
    elif dtype.kind == "c":
        full = (rng.standard_normal((batch, columns, rows + pad, 2)) @ [1, 1j]).astype(dtype)
    else:
        full = rng.uniform(-1, 1, (batch, columns, rows + pad)).astype(dtype)
    if dtype.kind != "i":
        full[:, :, rows:] = np.nan
    return full


def gelu(x: np.ndarray) -> np.ndarray:
    return x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def gelu_slope(x: np.ndarray) -> np.ndarray:
    u, du = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3), np.sqrt(2 / np.pi) * (1 + 3 * 0.044715 * x**2)
    return (1 + np.tanh(u)) / 2 + x / 2 * (1 - np.tanh(u) ** 2) * du


def rounded(x: np.ndarray, dtype: object) -> np.ndarray:
    """As stored in ``dtype``: 8-bit types saturate."""
    top = LARGEST.get(TYPES[np.dtype(dtype)])
    with np.errstate(over="ignore"):
        return np.clip(x, -top, top).astype(dtype) if top else x.astype(dtype)


@dataclass
class Matmul:
    lt: Lt
    m: int
    n: int
    k: int
    a: object = np.float32
    b: object | None = None
    d: object | None = None
    compute: int = F32
    ops: str = "NN"
    epilogue: int = DEFAULT
    alpha: complex = 1
    beta: complex = 0
    batch: int = 1
    in_place: bool = False
    bias_dtype: object | None = None
    scales: dict[str, float] = field(default_factory=dict)  # a b c d aux
    vectors: dict[str, np.ndarray] = field(default_factory=dict)  # rows (alpha), a, b: factors of rows or columns
    amax: bool = False
    pad: int = 3
    seed: int = 0
    attributes: dict[str, int] = field(default_factory=dict)
    workspace: int = 0
    stream: int = 0

    def __post_init__(self) -> None:
        self.b = self.a if self.b is None else self.b
        self.d = self.a if self.d is None else self.d
        rng = np.random.default_rng(self.seed)
        ta, tb = self.ops[0] != "N", self.ops[1] != "N"
        ra, ca = (self.k, self.m) if ta else (self.m, self.k)
        rb_, cb = (self.n, self.k) if tb else (self.k, self.n)
        self.A = padded(rng, ra, ca, self.a, self.batch, self.pad)
        self.B = padded(rng, rb_, cb, self.b, self.batch, self.pad)
        self.Cm = padded(rng, self.m, self.n, self.d, self.batch, self.pad and self.pad + 1)
        self.D = (
            self.Cm.copy()
            if self.in_place
            else padded(rng, self.m, self.n, self.d, self.batch, self.pad and self.pad + 2)
        )
        self.before = self.D.copy()
        self.bias_dtype = self.bias_dtype or (np.float16 if TYPES[np.dtype(self.d)] in LARGEST else self.d)
        length = self.n if self.epilogue == BGRADB else self.m
        self.bias = padded(rng, length, 1, self.bias_dtype, 1, 0).ravel()
        self.aux = padded(rng, self.m, self.n, self.d, self.batch, self.pad)
        self.shapes = ((ra, ca), (rb_, cb))
        self.amax_got = np.full(1, np.nan, np.float32)
        for i in ("a", "b", "rows"):
            if i in self.vectors:
                self.vectors[i] = self.vectors[i].astype(np.float32)

    # ---- the reference -------------------------------------------------------------------------------------
    def _wide(self, x: np.ndarray, rows: int) -> np.ndarray:
        x = x[:, :, :rows].swapaxes(1, 2)
        return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)

    def want(self) -> dict[str, np.ndarray]:
        m = self.m
        A, B = self._wide(self.A, self.shapes[0][0]), self._wide(self.B, self.shapes[1][0])
        A, B = ((x if o == "N" else x.swapaxes(1, 2).conj() if o == "C" else x.swapaxes(1, 2)) for x, o in
                zip((A, B), self.ops, strict=True))  # fmt: skip
        scale = self.scales
        x = self.alpha * scale.get("a", 1) * scale.get("b", 1) * (A @ B)
        x = x * np.float64(self.vectors.get("rows", np.ones(m))[:, None])
        x = x * np.float64(self.vectors.get("a", np.ones(m))[:, None]) * np.float64(self.vectors.get("b", np.ones(1)))
        if self.beta != 0:
            x = x + self.beta * scale.get("c", 1) * self._wide(self.before if self.in_place else self.Cm, m)
        out: dict[str, np.ndarray] = {}
        e, bias = self.epilogue, self.bias.astype(np.complex128 if self.bias.dtype.kind == "c" else np.float64)
        if e in (BIAS, RELU_BIAS, GELU_BIAS, RELU_AUX_BIAS, GELU_AUX_BIAS):
            x = x + bias[:, None]
        if e in (RELU_AUX, RELU_AUX_BIAS, GELU_AUX, GELU_AUX_BIAS):
            out["aux"] = x * scale.get("aux", 1)
        if e in (RELU, RELU_BIAS, RELU_AUX, RELU_AUX_BIAS):
            x = np.maximum(x, 0)
        if e in (GELU, GELU_BIAS, GELU_AUX, GELU_AUX_BIAS):
            x = gelu(x)
        aux = self._wide(self.aux, m) if e in (DGELU, DGELU_BGRAD, DRELU, DRELU_BGRAD) else None
        if aux is not None:
            x = x * (gelu_slope(aux) if e in (DGELU, DGELU_BGRAD) else (aux > 0))
        out["amax"] = np.abs(x).max(initial=0)
        x = x * scale.get("d", 1)
        if e in (DGELU_BGRAD, DRELU_BGRAD):
            out["bias"] = x[-1].sum(1)
        if e in (BGRADA, BGRADB):
            out["bias"] = A[-1].sum(1) if e == BGRADA else B[-1].sum(0)
        out["D"] = x
        return out

    # ---- the call ------------------------------------------------------------------------------------------
    def describe(self) -> tuple[int, list[int]]:
        op = {"N": N, "T": T, "C": C}
        number = {"transa": op[self.ops[0]], "transb": op[self.ops[1]], "epilogue": self.epilogue}
        self.keep = {k: np.full(1, v, np.float32) for k, v in self.scales.items()}
        for k, v in self.keep.items():
            number[f"scale_{k}"] = v.ctypes.data
        for k in "ab":
            if k in self.vectors:
                number[f"scale_{k}"], number[f"mode_{k}"] = self.vectors[k].ctypes.data, 3
        if "rows" in self.vectors:
            number["pointer_mode"] = 4
        if self.epilogue & (4 | 16 | 256 | 512):
            number |= {"bias": self.bias.ctypes.data, "bias_type": TYPES[np.dtype(self.bias_dtype)]}
        if self.epilogue & 128:
            ld = self.aux.shape[2]
            number |= {"aux": self.aux.ctypes.data, "aux_ld": ld, "aux_stride": ld * self.n}
        if self.amax:
            number["amax"] = self.amax_got.ctypes.data
        kind = np.dtype(self.d).kind
        scale_type = {F64: 1, I32: 10}.get(self.compute, 0) + (4 if kind == "c" else 0)
        desc = self.lt.desc(self.compute, scale_type, **(number | self.attributes))
        layouts = []
        for x, (rows, columns) in zip((self.A, self.B, self.Cm, self.D), (*self.shapes, *[(self.m, self.n)] * 2),
                                      strict=True):  # fmt: skip
            ld = x.shape[2]
            layouts.append(self.lt.layout(x.dtype, rows, columns, ld, self.batch, ld * x.shape[1]))
        if self.in_place:
            layouts[2] = layouts[3]
        return desc, layouts

    def scalars(self) -> tuple[np.ndarray, np.ndarray]:
        kind = np.dtype(self.d).kind
        dtype = {F64: np.float64, I32: np.int32}.get(self.compute, np.float32)
        if kind == "c":
            dtype = np.dtype(self.d)
        alpha = self.vectors["rows"] if "rows" in self.vectors else np.full(1, self.alpha, dtype)
        return alpha, np.full(1, self.beta, dtype)

    def run(self, which: int = 0) -> int | None:
        """The status; None when the heuristic finds nothing. ``which``: of the algorithms found."""
        desc, layouts = self.describe()
        found = self.lt.heuristic(desc, layouts, self.workspace)
        if len(found) <= which:
            return None
        alpha, beta = self.scalars()
        algo = found[which]
        work = np.zeros(max(algo.workspace, 1), np.uint8)
        c = self.D if self.in_place else self.Cm
        status = self.lt.call("hipblasLtMatmul", self.lt.handle, desc, alpha, self.A, layouts[0], self.B, layouts[1],
                              beta, c, layouts[2], self.D, layouts[3], ctypes.addressof(algo), work, algo.workspace,
                              self.stream)  # fmt: skip
        assert self.lt.engine.synchronize() == 0
        return status

    def tolerance(self, dtype: object) -> float:
        """Relative to the size of the sums: of the accumulation, and of one rounding to ``dtype``."""
        kind = np.dtype(dtype)
        last = 1e-6 if kind.kind in "ic" else float(ml_dtypes.finfo(kind).eps)
        return 4e-7 * (self.k**0.5 + 4) + last if self.compute != F64 else 1e-14 * self.k + 1e-15

    def check(self, want_status: int = SUCCESS) -> None:
        want = self.want()
        assert self.run() == want_status
        m, dtype = self.m, np.dtype(self.d)
        got = self.D[:, :, :m].swapaxes(1, 2)
        assert np.array_equal(self.D[:, :, m:], self.before[:, :, m:], equal_nan=dtype.kind != "i"), "padding written"
        size = abs(self.alpha) * self.k**0.5 + abs(self.beta) + 1
        self._compare(got, want["D"], dtype, size, "D")
        if "aux" in want:
            self._compare(self.aux[:, :, :m].swapaxes(1, 2), want["aux"], dtype, size, "aux")
        if "bias" in want:
            self._compare(self.bias, want["bias"], self.bias_dtype, size * max(self.n, self.k) ** 0.5, "bias gradient")
        if self.amax:
            assert abs(self.amax_got[0] - want["amax"]) <= 1e-5 * size

    def _compare(self, got: np.ndarray, want: np.ndarray, dtype: object, size: float, what: str) -> None:
        if np.dtype(dtype).kind == "i":
            low, high = (-128, 127) if np.dtype(dtype) == np.int8 else (-(2**31), 2**31 - 1)
            assert np.array_equal(got.astype(np.int64), np.clip(np.rint(want), low, high).astype(np.int64)), what
            return
        wide = got.astype(np.complex128 if got.dtype.kind == "c" else np.float64)
        expected = rounded(want, dtype).astype(np.float64) if TYPES[np.dtype(dtype)] in LARGEST else want
        with np.errstate(invalid="ignore"):
            error = np.abs(wide - expected) / np.maximum(np.abs(expected), size)
        assert np.isfinite(wide).all() and error.max(initial=0) <= self.tolerance(dtype), f"{what}: {error.max()}"
