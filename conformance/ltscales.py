"""Cases of cublasLtMatmul beside the plain ones: scale modes of 8-bit types, groups, limits of number formats."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np

from scale_x.conformance import ltmatmul as lt
from scale_x.conformance.fftcases import Device
from scale_x.conformance.ltmatmul import ATTRIBUTES, DTYPES, KINDS, Problem, Product
from scale_x.conformance.ltrun import EXACT, Made, Run

if TYPE_CHECKING:
    from scale_x.conformance.scripts import Script, Session

Array = np.ndarray[Any, Any]
Entry = tuple[str, "Callable[[Session], None]", bool]
VEC16, VEC32, OUTER, VEC128, BLK128 = 1, 2, 3, 4, 5
BLACKWELL = os.environ.get("SCALE_X_COMPUTE_CAPABILITY", "") >= "10"  # two digits: what is claimed
TN = Product("e4m3-bf16", m=144, n=40, k=272, transa="T")


# --- scale modes (cuBLAS 3.1.5, layouts measured): what each element of A, (m, k), or of B, (k, n), is multiplied by --


def tiled(rng: np.random.Generator, outer: int, blocks: int, mode: int) -> tuple[Array, Array]:
    """Codes in tiles of 128 outer indices by 4 blocks (cuBLAS 3.1.5.4), and the scales by (outer, block)."""
    dtype: Any = ml_dtypes.float8_e4m3fn if mode == VEC16 else ml_dtypes.float8_e8m0fnu
    s = rng.uniform(0.25, 4, (outer, blocks)) if mode == VEC16 else 2.0 ** rng.integers(-2, 3, (outer, blocks))
    s = s.astype(dtype)
    i, j = np.meshgrid(np.arange(outer), np.arange(blocks), indexing="ij")
    across = -(-blocks // 4)
    memory = np.full(-(-outer // 128) * across * 512, 0x7F, np.uint8).view(dtype)
    memory[(i // 128 * across + j // 4) * 512 + i % 32 * 16 + i // 32 % 4 * 4 + j % 4] = s
    return memory.view(np.uint8), s.astype(np.float64)


def spread(mode: int, rng: np.random.Generator, outer: int, k: int) -> tuple[Array, Array]:
    """The scales as they lie in memory, and by (outer, k)."""
    if mode in (VEC16, VEC32):
        each = 16 if mode == VEC16 else 32
        codes, s = tiled(rng, outer, -(-k // each), mode)
        return codes, np.repeat(s, each, axis=1)[:, :k]
    blocks = -(-k // 128)
    if mode == OUTER:
        s = rng.uniform(0.25, 4, outer).astype(np.float32)
        return s, np.broadcast_to(s[:, None], (outer, k))
    if mode == VEC128:
        s = rng.uniform(0.25, 4, (blocks, outer)).astype(np.float32)
        return s, np.repeat(s.T, 128, axis=1)[:, :k]
    ld = -(-blocks // 4) * 4
    s = np.full((-(-outer // 128), ld), np.nan, np.float32)
    s[:, :blocks] = rng.uniform(0.25, 4, (len(s), blocks))
    return s, np.repeat(np.repeat(s[:, :blocks], 128, axis=0), 128, axis=1)[:outer, :k]


def packed(codes: Array) -> Array:
    """Two 4-bit numbers to a byte, the first in its low half."""
    half = codes.view(np.uint8) & 15
    return half[0::2] | half[1::2] << 4


def mode_of_blackwell(mode: int) -> bool:
    return mode in (VEC16, VEC32)


def scaled(p: Product, a_mode: int, b_mode: int) -> Script:
    def script(x: Session) -> None:
        if x.cuda < 12:
            return  # without scale modes
        problem, rng = Problem.of(p), np.random.default_rng(a_mode * 8 + b_mode)
        with Made(x) as made, Device(x) as device:
            run = Run(x, made, device, problem)
            if KINDS[p.kind].a == 33:
                run.a, run.b = (device.put(packed(s.memory)) for s in (run.sa, run.sb))
            by_a, of_a = spread(a_mode, rng, p.m, p.k)
            by_b, of_b = spread(b_mode, rng, p.n, p.k)
            for name, value, nbytes in (("a_mode", a_mode, 4), ("b_mode", b_mode, 4), ("a_scale", device.put(by_a), 8),
                                        ("b_scale", device.put(by_b), 8)):  # fmt: skip
                made.set("MatmulDesc", run.desc, ATTRIBUTES[name], value, nbytes)
            status, count, results = run.heuristic()
            if mode_of_blackwell(a_mode) and not (BLACKWELL and x.own):
                refusals = {status, run.call()}
                assert refusals <= {"NOT_SUPPORTED", "INVALID_VALUE"}, refusals
                return
            assert (status, count) == ("SUCCESS", 1)
            assert run.call(results) == "SUCCESS"
            problem.a = lt.wide(problem.a) * of_a
            problem.b = lt.wide(problem.b) * of_b.T
            run.check()

    return script


def refused_modes(x: Session) -> None:
    """Measured: which pairs of modes go together on compute capability 9.0."""
    if x.cuda < 12:
        return
    with Made(x) as made, Device(x) as device:
        run = Run(x, made, device, Problem.of(TN))
        scale = device.put(np.ones(4096, np.float32))
        for name in ("a_scale", "b_scale"):
            made.set("MatmulDesc", run.desc, ATTRIBUTES[name], scale, 8)
        for a, b, status in ((0, 3, "INVALID_VALUE"), (3, 0, "INVALID_VALUE"), (1, 1, "INVALID_VALUE"),
                             (6, 6, "INVALID_VALUE"), (2, 2, "NOT_SUPPORTED"), (5, 5, "NOT_SUPPORTED")):  # fmt: skip
            made.set("MatmulDesc", run.desc, ATTRIBUTES["a_mode"], a, 4)
            made.set("MatmulDesc", run.desc, ATTRIBUTES["b_mode"], b, 4)
            said = run.call()
            assert said == status, f"modes {a} and {b}: {said}"


# --- limits of number formats ---------------------------------------------------------------------------------------


def one_value(kind: str, values: tuple[tuple[float, float], ...], **options: Any) -> Script:
    """D of (1, n) from A = 1 and B = the first of each pair: the second of it, exactly."""

    def script(x: Session) -> None:
        n = len(values)
        eight = kind.startswith("e")
        p = Product(kind, m=16, n=n, k=16, transa="T" if eight else "N", **options)
        problem = Problem.of(p)
        problem.a[:] = 0
        problem.a[:, :, 0] = 1
        problem.b[:] = 0
        problem.b[0, 0, :] = np.array([v for v, _ in values]).astype(problem.b.dtype)
        with Made(x) as made, Device(x) as device:
            run = Run(x, made, device, problem)
            assert run.call() == "SUCCESS"
            got = run.outputs()["D"].astype(np.float64)
            want = np.array([w for _, w in values])
            assert np.array_equal(got[0], np.broadcast_to(want, (16, n)), equal_nan=True), got[0, 0]

    return script


NAN, INF = np.nan, np.inf
LIMITS: tuple[tuple[str, Script], ...] = (
    # eight-bit floats hold at most 448; saturated, while NaN stays
    ("saturate-e4m3", one_value("e4m3-e4m3", ((448, 448), (-448, -448), (240, 448), (-448, -448), (NAN, NAN)),
                                alpha=2.0)),
    ("overflow-f16", one_value("e4m3-f16", ((448, INF), (-448, -INF), (NAN, NAN), (2, 1024)), alpha=512.0)),
    ("overflow-from-f16", one_value("f16", ((60000, INF), (-60000, -INF), (INF, INF), (-INF, -INF), (NAN, NAN)),
                                    alpha=2.0)),
    ("saturate-i8", one_value("i8-i8", ((100, 127), (-100, -128), (3, 6)), transb="N", alpha=2.0)),
    ("halves-i8", one_value("i8-i8", ((1, 0), (3, 2), (5, 2), (-1, 0), (-3, -2)), alpha=0.5)),
    ("subnormal-f16", one_value("f16", ((2.0**-24, 2.0**-24), (-3 * 2.0**-24, -3 * 2.0**-24), (2.0**-14, 2.0**-14)))),
    ("subnormal-f32", one_value("f32", ((2.0**-149, 2.0**-149), (2.0**-130, 2.0**-130)))),
    ("subnormal-f64", one_value("f64", ((2.0**-1074, 2.0**-1074), (2.0**-1040, 2.0**-1040)))),
    ("subnormal-e4m3", one_value("e4m3-e4m3", ((2.0**-9, 2.0**-9), (3 * 2.0**-9, 3 * 2.0**-9)))),
    ("infinite-f32", one_value("f32", ((INF, INF), (-INF, -INF), (NAN, NAN), (3e38, INF)), alpha=2.0)),
    ("relu-of-nan", one_value("bf16", ((NAN, NAN), (-INF, 0), (INF, INF), (-1, 0)), epilogue=2)),
    ("gelu-of-infinity", one_value("f32", ((-INF, NAN), (INF, INF), (-1e20, 0), (NAN, NAN)), epilogue=32)),
    ("gelu-of-infinity-f16", one_value("f16", ((-INF, NAN), (INF, INF), (NAN, NAN)), epilogue=32)),
)  # fmt: skip


def dgelu_of_infinity(kind: str) -> Script:
    """DGELU is NaN where the stored pre-activation is infinite: measured."""

    def script(x: Session) -> None:
        problem = Problem.of(Product(kind, m=16, n=3, k=16, epilogue=192))
        assert problem.aux is not None
        problem.aux[:, :, 0], problem.aux[:, :, 1], problem.aux[:, :, 2] = np.inf, -np.inf, np.nan
        with Made(x) as made, Device(x) as device:
            run = Run(x, made, device, problem)
            assert run.call() == "SUCCESS"
            assert np.isnan(run.outputs()["D"].astype(np.float64)).all()

    return script


def factor_zero(x: Session) -> None:
    """alpha 0 reads neither A nor B, beta 0 does not read C."""
    for kind in ("f32", "bf16", "f64"):
        with Made(x) as made, Device(x) as device:
            problem = Problem.of(Product(kind, alpha=0.0, beta=2.0))
            run = Run(x, made, device, problem)
            run.a = run.b = device.put(np.full(4096, np.nan, DTYPES[KINDS[kind].a]))
            problem.a[:], problem.b[:] = 0, 0
            assert run.call() == "SUCCESS"
            run.check()


# --- groups ---------------------------------------------------------------------------------------------------------


def groups(kind: str, sizes: tuple[tuple[int, int, int], ...], wide: bool = False, own_factors: bool = False,
           ops: str = "NN") -> Script:  # fmt: skip
    """cuBLAS 3.4: sizes, leading dimensions and addresses of every group stand in arrays on the device."""

    def script(x: Session) -> None:
        if not x.own or EXACT or x.cuda < 13:
            return  # the recorded release of NVIDIA's has no groups; later ones want multiples of 16 bytes
        k = KINDS[kind]
        alphas = [1.5 + i if own_factors else 1.5 for i in range(len(sizes))]
        with Made(x) as made, Device(x) as device:
            products = [Product(kind, *size, ops[0], ops[1], alpha=alpha, beta=0.5, pad=2)
                        for size, alpha in zip(sizes, alphas, strict=True)]  # fmt: skip
            runs = [Run(x, made, device, Problem.of(p)) for p in products]
            layouts = [_grouped_layout(x, made, device, t, [getattr(r, s) for r in runs], wide)
                       for t, s in ((k.a, "sa"), (k.b, "sb"), (k.c, "sc"), (k.d, "sd"))]  # fmt: skip
            at = [device.put(np.array([getattr(r, s) for r in runs], np.uint64)) for s in "abcd"]
            desc = made.desc(k.compute, k.scale, transa=runs[0].attributes["transa"],
                             transb=runs[0].attributes["transb"], pointer_mode=int(own_factors))  # fmt: skip
            factors = [lt.room_for(x, [v], np.float32) for v in (1.5, 0.5)]
            if own_factors:
                for number in (39, 40):
                    made.set("MatmulDesc", desc, number, 1, 8)
                each = ([device.put(np.array([v], np.float32)) for v in alphas],
                        [device.put(np.array([0.5], np.float32)) for _ in sizes])  # fmt: skip
                factors = [device.put(np.array(e, np.uint64)) for e in each]
            results, found = x.room(96, 0), x.room(4)
            x.ok("cublasLtMatmulAlgoGetHeuristic", made.handle, desc, *layouts, made.preference(), 1, results, found)
            assert ctypes.c_int.from_address(found).value == 1
            x.ok("cublasLtMatmul", made.handle, desc, factors[0], at[0], layouts[0], at[1], layouts[1], factors[1],
                 at[2], layouts[2], at[3], layouts[3], results, 0, 0, 0)  # fmt: skip
            for run in runs:
                run.check()

    return script


def _grouped_layout(x: Session, made: Made, device: Device, type_: int, stored: list[lt.Stored], wide: bool) -> int:
    dtype = np.int64 if wide else np.int32
    arrays = [device.put(np.array([getattr(s, what) for s in stored], dtype)) for what in ("rows", "cols", "ld")]
    layout = made.new("GroupedMatrixLayout", type_, len(stored), *arrays)
    if wide:
        for number in (12, 13):
            made.set("MatrixLayout", layout, number, 1, 4)
    return layout


SIZES = ((16, 8, 32), (0, 8, 16), (24, 1, 8), (5, 7, 3), (8, 16, 0))
MATMUL: tuple[Entry, ...] = (
    *((f"scale-modes-{a}{b}", scaled(TN, a, b), False)
      for a, b in ((OUTER, OUTER), (VEC128, VEC128), (VEC128, BLK128), (BLK128, VEC128))),
    ("scale-modes-33-batch", scaled(replace(TN, kind="e4m3-f32", batch=2, shared="AB", beta=1.0), OUTER, OUTER), False),
    ("scale-modes-44-f16", scaled(replace(TN, kind="e4m3-f16", alpha=0.5), VEC128, VEC128), False),
    # what compute capability 10.0 has: refused unless it is claimed
    *((f"scale-modes-mx-{p.name}", scaled(p, mode, mode), False)
      for p, mode in ((TN, VEC32), (replace(TN, kind="e4m3-e5m2-bf16", alpha=2.0), VEC32),
                      (replace(TN, kind="e4m3-f32", beta=0.5), VEC32), (replace(TN, kind="e2m1-bf16"), VEC16),
                      (replace(TN, kind="e2m1-f16", alpha=0.5), VEC16), (replace(TN, kind="e2m1-f32", beta=2.0), VEC16),
                      (replace(TN, kind="e2m1-bf16", epilogue=4), VEC16))),
    ("scale-modes-refused", refused_modes, False),
    *((name, script, False) for name, script in LIMITS),
    *((f"dgelu-of-infinity-{kind}", dgelu_of_infinity(kind), False) for kind in ("f32", "f16", "bf16", "f64")),
    ("factor-zero", factor_zero, False),
    ("groups-f16", groups("f16", SIZES), False),
    ("groups-bf16-wide", groups("bf16", SIZES, wide=True, ops="TN"), False),
    ("groups-f16-f32-factors", groups("f16-f32", SIZES, own_factors=True, ops="NT"), False),
    ("groups-e4m3", groups("e4m3-bf16", ((32, 16, 64), (16, 5, 32)), ops="TN"), False),
)  # fmt: skip
