"""The device kernels through core's launch on the host engine: numbers against NumPy and ml_dtypes."""

from __future__ import annotations

from pathlib import Path

import kernels_on_host as kernels

CONVERSIONS = r"""
def convert(values, src, dst, m, **kw):
    "``values`` (an array of m elements of src, or bytes of nibbles) as dst"
    out = np.full((m + 1) // 2 if dst == T.e2m1 else m, 0, np.uint8 if dst == T.e2m1 else numpy_of[dst])
    args = Convert(m=m, n=1, batch=1, src=operand(values, src), dst=operand(out, dst), alpha=host(1), **kw)
    ok(launch("convert", args))
    return out

def nibbles(codes):  # e2m1 codes, two a byte, as ml_dtypes' one a byte
    codes = np.frombuffer(codes, np.uint8)
    return np.stack([codes & 15, codes >> 4], 1).reshape(-1).view(ml.float4_e2m1fn)

def same(got, want, what):
    got, want = np.asarray(got, np.float64), np.asarray(want, np.float64)
    equal = (got == want) & (np.signbit(got) == np.signbit(want)) | np.isnan(got) & np.isnan(want)
    assert equal.all(), (what, np.flatnonzero(~equal)[:5], got[~equal][:5], want[~equal][:5])

BYTES = [T.e4m3, T.e5m2, T.e4m3z, T.e5m2z, T.ue8m0]
SHORTS = [T.f16, T.bf16]
"""

DECODE = r"""
for kind in BYTES + SHORTS:
    count = 256 if kind in BYTES else 65536
    codes = np.arange(count, dtype=np.uint8 if kind in BYTES else np.uint16).view(numpy_of[kind])
    for to in (T.f32, T.f64):
        same(convert(codes, kind, to, count), codes.astype(numpy_of[to]), (kind, to))
codes = np.arange(256, dtype=np.uint8)
same(convert(codes, T.e2m1, T.f32, 512), nibbles(codes).astype(np.float32), "e2m1")
"""

ENCODE = r"""
def targets(kind):
    "every value of the format, its neighbours, the middles between values, and what is beyond"
    if kind == T.e2m1:
        values = np.arange(16, dtype=np.uint8).view(ml.float4_e2m1fn).astype(np.float64)
    else:
        count = 256 if kind in BYTES else 65536
        values = np.arange(count, dtype=np.uint8 if kind in BYTES else np.uint16).view(numpy_of[kind])
        values = values.astype(np.float64)
    finite = np.unique(values[np.isfinite(values)])
    middles = (finite[1:] + finite[:-1]) / 2
    beyond = finite[-1] * np.array([1.01, 1.03, 1.0625, 1.07, 1.5, 2, 1e3])
    points = np.concatenate([finite, middles, beyond, -beyond, [0.0, -0.0]])
    return np.concatenate([points, [np.inf, -np.inf, np.nan]])

def nearest(x, kind):
    "nearest of the format's numbers, ties to the even code: ml_dtypes rounds float64 twice"
    bits = 7 if kind in BYTES else 15
    codes = np.arange(2**bits, dtype=np.uint8 if bits == 7 else np.uint16)
    numbers = codes.view(numpy_of[kind]).astype(np.float64)
    numbers = numbers[np.isfinite(numbers)]
    beyond = 2 * numbers[-1] - numbers[-2]  # where the next number would be
    middles = (np.append(numbers, beyond)[1:] + numbers) / 2
    at = np.searchsorted(middles, np.abs(x), side="left")
    tie = (at < len(middles)) & (np.abs(x) == middles[np.minimum(at, len(middles) - 1)])
    at += tie & (at % 2 == 1)
    out = np.append(numbers, np.inf)[np.minimum(at, len(numbers))]
    return np.where(np.isnan(x), np.nan, np.copysign(out, x))

def expected(x, kind, saturate):
    dtype = numpy_of[kind]
    if kind in SHORTS:
        return nearest(x, kind)
    most = float(ml.finfo(dtype).max)
    if kind == T.e2m1:
        return np.clip(x, -most, most).astype(np.float32).astype(dtype)
    rounded = nearest(x, kind)
    over = np.abs(rounded) > most
    if saturate:
        rounded = np.where(over, np.copysign(most, x), rounded)
    else:
        rounded = np.where(over, np.copysign(np.inf if kind == T.e5m2 else np.nan, x), rounded)
    if kind in (T.e4m3z, T.e5m2z):
        rounded = np.where(rounded == 0, 0.0, rounded)  # no -0
    return rounded

checked = 0
for kind in (T.e4m3, T.e5m2, T.e4m3z, T.e5m2z, T.f16, T.bf16, T.e2m1):
    points = targets(kind)
    with np.errstate(over="ignore", invalid="ignore"):
        as_floats = points.astype(np.float32)
        up, down = np.nextafter(as_floats, np.float32(np.inf)), np.nextafter(as_floats, np.float32(-np.inf))
        wide = [np.nextafter(points, np.inf), points, np.nextafter(points, -np.inf)]
    every_half = np.arange(65536, dtype=np.uint16).view(np.float16).astype(np.float32)
    every_bf16 = (np.arange(65536, dtype=np.uint32) << 16).view(np.float32)
    singles = np.concatenate([as_floats, up, down, every_half, every_bf16]).astype(np.float32)
    for x, src in ((singles, T.f32), (np.concatenate(wide), T.f64)):
        for saturate in (True, False):
            if kind == T.e2m1:  # has no NaN; of float64 the oracle rounds twice
                x = x[~np.isnan(x)] if src == T.f32 else points[~np.isnan(points)]
            x = x[: len(x) // 2 * 2]
            got = convert(x, src, kind, len(x), flags=0 if saturate else 2)
            got = nibbles(got) if kind == T.e2m1 else got
            same(got, expected(x.astype(np.float64), kind, saturate), (kind, src, saturate))
            if src == T.f32 and not saturate and kind != T.e2m1:  # of float32 ml_dtypes rounds once
                with np.errstate(over="ignore", invalid="ignore"):
                    same(got, x.astype(numpy_of[kind]), (kind, "ml_dtypes"))
            checked += len(x)
print(checked)
"""

INTEGERS = r"""
rng = np.random.default_rng(1)
edges = [0, 1, -1, 127, 128, -128, -129, 255, 256, 32767, 32768, 65535, 65536, 2**31 - 1, 2**31, -2**31, -2**31 - 1,
         2**32 - 1, 2**32, 2**53 + 1, 2**62 + 1, 2**63 - 1, -2**63]
wide = np.array(edges + list(rng.integers(-2**40, 2**40, 50)), np.int64)
for kind in (T.i8, T.u8, T.i16, T.u16, T.i32, T.u32, T.i64):
    info = np.iinfo(numpy_of[kind])
    got = convert(wide, T.i64, kind, len(wide))
    assert (got == np.clip(wide, info.min, info.max).astype(numpy_of[kind])).all(), kind
    back = convert(got, kind, T.i64, len(wide))
    assert (back == got.astype(np.int64)).all(), kind
# floats to integers: nearest even, saturating, NaN is 0
x = np.array([0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 126.5, 127.5, 128.5, -128.5, -129, 1e9, -1e9, np.inf, -np.inf, np.nan,
              0.49999997, -0.49999997, 1e-30], np.float32)
for kind in (T.i8, T.u8, T.i32):
    info = np.iinfo(numpy_of[kind])
    want = np.clip(np.rint(np.nan_to_num(x.astype(np.float64), nan=0.0, posinf=1e30, neginf=-1e30)), info.min, info.max)
    assert (convert(x, T.f32, kind, len(x)) == want.astype(numpy_of[kind])).all(), kind
# a fill: no source
out = columns(np.full((9, 3), -1, np.float16))
fill = Convert(m=7, n=3, batch=1, dst=operand(out, T.f16, ld=9), alpha=host(2.5))
ok(launch("convert", fill))
assert (out[:7] == 2.5).all() and (out[7:] == -1).all()
"""

SCALES = r"""
rng = np.random.default_rng(2)
rows, cols = 300, 70
def check(mode, scale, want_scale, inner_is_column, batch=1):
    x = columns(rng.integers(0, 255, (rows, cols)).astype(np.uint8).view(ml.float8_e4m3fn))
    out = columns(np.zeros((rows, cols), np.float32))
    args = Convert(m=rows, n=cols, batch=1, scale_mode=mode, flags=int(inner_is_column), src=operand(x, T.e4m3),
                   dst=operand(out, T.f32), alpha=host(3), scale=pointer(scale))
    ok(launch("convert", args))
    want = x.astype(np.float32) * want_scale.astype(np.float32) * np.float32(3)
    same(out, want, (mode, inner_is_column))

def tiled(outer, block, blocks):  # NVIDIA's layout of block scales: 128 x 4 tiles
    tile = (outer // 128) * -(-blocks // 4) + block // 4
    return tile * 512 + outer % 32 * 16 + outer % 128 // 32 * 4 + block % 4

for by_column in (False, True):
    inners, outers = (cols, rows) if by_column else (rows, cols)
    o, i = np.meshgrid(np.arange(outers), np.arange(inners), indexing="ij")
    logical = lambda table: table if by_column else table.T   # (outer, inner) -> (row, column)
    check(0, np.array([0.375], np.float32), np.full((rows, cols), 0.375), by_column)
    per_outer = rng.random(outers).astype(np.float32)
    check(3, per_outer, logical(per_outer[o]), by_column)
    blocks = -(-inners // 128)
    vec = rng.random(outers * blocks).astype(np.float32)
    check(4, vec, logical(vec[o + outers * (i // 128)]), by_column)
    ld = -(-blocks // 4) * 4
    blk = rng.random(ld * -(-outers // 128)).astype(np.float32)
    check(5, blk, logical(blk[i // 128 + ld * (o // 128)]), by_column)
    for mode, width, kind in ((1, 16, ml.float8_e4m3fn), (2, 32, ml.float8_e8m0fnu)):
        blocks = -(-inners // width)
        size = -(-outers // 128) * -(-blocks // 4) * 512
        codes = rng.integers(0, 0x7e if mode == 1 else 200, size).astype(np.uint8)
        at = np.vectorize(tiled)(o, i // width, blocks)
        check(mode, codes, logical(codes.view(kind).astype(np.float32)[at]), by_column)
"""


def test_every_code_decodes(lib_dir: Path) -> None:
    kernels.run(lib_dir, CONVERSIONS + DECODE)


def test_encodes_round_once_to_nearest_even(lib_dir: Path) -> None:
    done = kernels.run(lib_dir, CONVERSIONS + ENCODE)
    assert int(done.stdout) > 4_000_000


def test_integers_and_fills(lib_dir: Path) -> None:
    kernels.run(lib_dir, CONVERSIONS + INTEGERS)


def test_scales_of_narrow_types(lib_dir: Path) -> None:
    kernels.run(lib_dir, CONVERSIONS + SCALES)
