"""The epilogue and the sums, through core's launch on the host engine, against NumPy in float64."""

from __future__ import annotations

from pathlib import Path

import kernels_on_host as kernels
import pytest

ORACLE = r"""
rng = np.random.default_rng(3)
REALS = [T.f32, T.f64, T.f16, T.bf16, T.e4m3, T.e5m2]
EPS = {T.f32: 2**-23, T.f64: 2**-52, T.f16: 2**-10, T.bf16: 2**-7, T.e4m3: 2**-3, T.e5m2: 2**-2, T.i8: 0, T.i32: 0}

def matrix(m, n, kind, ld=None, fill=None):
    "m x n inside ld rows; what is not the matrix is 77"
    whole = columns(np.full((ld or m, n), 77, np.float32).astype(numpy_of[kind]))
    whole[:m] = (rng.standard_normal((m, n)) * 2 if fill is None else np.full((m, n), fill)).astype(numpy_of[kind])
    return whole

def wide(x):
    return np.asarray(x).astype(np.float64)

def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))

def gelu_slope(x):
    t = np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))
    return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * np.sqrt(2 / np.pi) * (1 + 3 * 0.044715 * x * x)

def close(got, want, kind, what, terms=None, compute=T.f32):
    got, want = wide(got), np.asarray(want, np.float64)
    scale = np.abs(want) if terms is None else terms
    bound = EPS[kind] / 2 * np.abs(want) + 40 * EPS[compute] * scale + (2**-9 if kind == T.e4m3 else 2**-16)
    bad = ~(np.abs(got - want) <= bound)
    assert not bad.any(), (what, np.argwhere(bad)[:3], got[bad][:3], want[bad][:3])
"""

FORWARD = r"""
for kind, acc_kind, compute in [(k, a, T.f32) for k in (T.f32, T.f16, T.bf16, T.e4m3, T.e5m2) for a in (T.f32, k)] + [
        (T.f64, T.f64, T.f64)]:
    for m, n in ((1, 1), (7, 3), (8, 2), (33, 5), (300, 17)):
        for act in (0, 1, 2):
            for has_c in (False, True):
                ldd = -(-m // 8) * 8 + 8
                acc, c = matrix(m, n, acc_kind, m + 3), matrix(m, n, kind, ldd)
                d, bias = matrix(m, n, kind, ldd, np.nan), rng.standard_normal(m).astype(numpy_of[compute])
                a = Epilogue(m=m, n=n, batch=1, compute=compute, activation=act, acc=operand(acc, acc_kind),
                             d=operand(d, kind), bias=pointer(bias), bias_type=compute, alpha=host(1.25, compute),
                             beta=host(-0.5, compute))
                if has_c:
                    a.c = operand(c, kind)
                ok(launch("epilogue", a))
                x = 1.25 * wide(acc[:m]) - 0.5 * has_c * wide(c[:m]) + wide(bias)[:, None]
                size = 1.25 * abs(wide(acc[:m])) + 0.5 * abs(wide(c[:m])) + abs(wide(bias))[:, None]
                want = [x, np.maximum(x, 0), gelu(x)][act]
                close(d[:m], want, kind, (kind, acc_kind, m, n, act, has_c), size, compute)
                assert (wide(d[m:]) == 77).all() or kind in (T.e4m3, T.e5m2)
                assert d[m:].tobytes() == c[m:].tobytes()
"""

AUX = r"""
for kind in (T.f32, T.f16, T.bf16, T.f64):
    compute = T.f64 if kind == T.f64 else T.f32
    for m, n in ((1, 1), (9, 4), (130, 3), (128, 2)):
        ld = -(-m // 128) * 128
        acc, d = matrix(m, n, kind, m), matrix(m, n, kind, m, np.nan)
        acc[0, 0], acc[m - 1, n - 1] = np.nan, -0.0
        for nan_bit in (0, 1):
            mask = np.full(ld // 8 * n, 0xa5, np.uint8)
            a = Epilogue(m=m, n=n, batch=1, compute=compute, activation=1, aux_mode=1, flags=2 * nan_bit,
                         acc=operand(acc, kind), d=operand(d, kind), aux=Operand(pointer(mask), ld, 0, 0, 0),
                         alpha=host(1, compute), beta=host(0, compute))
            ok(launch("epilogue", a))
            bits = np.unpackbits(mask.reshape(n, ld // 8), axis=1, bitorder="little").T
            x = wide(acc)
            assert (bits[:m] == np.where(np.isnan(x), nan_bit, x >= 0)).all(), (kind, m, n)
            assert (bits[m:-(-m // 8) * 8] == 0).all()
            assert (mask.reshape(n, ld // 8)[:, -(-m // 8):] == 0xa5).all()
            assert np.array_equal(np.isnan(wide(d)), np.isnan(x))
            assert (wide(d)[~np.isnan(x)] == np.maximum(x, 0)[~np.isnan(x)]).all() and not np.signbit(wide(d)[-1, -1])
            # back: only where the bit is set, and a NaN elsewhere becomes 0
            grad, dx = matrix(m, n, kind, m), matrix(m, n, kind, m, np.nan)
            grad[m // 2, n // 2] = np.nan
            b = Epilogue(m=m, n=n, batch=1, compute=compute, aux_mode=3, acc=operand(grad, kind), d=operand(dx, kind),
                         aux=Operand(pointer(mask), ld, 0, 0, 0), alpha=host(2, compute), beta=host(0, compute))
            ok(launch("epilogue", b))
            want = np.where(bits[:m] == 1, 2 * wide(grad), 0)
            assert np.array_equal(wide(dx), want, equal_nan=True), (kind, m, n)
        # GELU with its pre-activation, and back
        acc[0, 0] = 0.5
        aux, d = matrix(m, n, kind, m, np.nan), matrix(m, n, kind, m, np.nan)
        a = Epilogue(m=m, n=n, batch=1, compute=compute, activation=2, aux_mode=2, acc=operand(acc, kind),
                     d=operand(d, kind), aux=operand(aux, kind), alpha=host(1, compute), beta=host(0, compute))
        ok(launch("epilogue", a))
        assert np.array_equal(wide(aux), wide(acc))
        close(d, gelu(wide(acc)), kind, ("gelu", kind, m), 1, compute)
        dx = matrix(m, n, kind, m, np.nan)
        b = Epilogue(m=m, n=n, batch=1, compute=compute, aux_mode=4, acc=operand(acc, kind), d=operand(dx, kind),
                     aux=operand(aux, kind), alpha=host(3, compute), beta=host(0, compute))
        ok(launch("epilogue", b))
        close(dx, 3 * wide(acc) * gelu_slope(wide(aux)), kind, ("dgelu", kind, m), abs(wide(acc)) * 4, compute)
"""

EDGES = r"""
# the measured values at the ends: GELU(-inf) NaN, GELU(inf) inf, its slope NaN at both; RELU keeps NaN, -0 becomes 0
x = np.array([-np.inf, np.inf, np.nan, -0.0, -1e30, 1e30, -20, 20, -1e-30], np.float32).reshape(-1, 1)
for kind, compute in ((T.f32, T.f32), (T.f64, T.f64)):
    v = columns(x.astype(numpy_of[kind]))
    out = columns(np.zeros_like(v))
    def run_one(**kw):
        ok(launch("epilogue", Epilogue(m=len(v), n=1, batch=1, compute=compute, d=operand(out, kind),
                                       alpha=host(1, compute), beta=host(0, compute), **kw)))
        return wide(out)[:, 0]
    got = run_one(activation=2, acc=operand(v, kind))
    assert np.isnan(got[[0, 2]]).all() and got[1] == np.inf and (got[[3, 4]] == 0).all() and got[5] == np.float32(1e30)
    assert abs(got[6]) < 1e-30 and got[7] == 20
    one = columns(np.ones_like(v))
    got = run_one(aux_mode=4, acc=operand(one, kind), aux=operand(v, kind))
    assert np.isnan(got[:3]).all() and (got[[3, 8]] == 0.5).all() and (abs(got[[4, 6]]) < 1e-30).all()
    assert (got[[5, 7]] == 1).all()
    got = run_one(activation=1, acc=operand(v, kind))
    assert np.isnan(got[2]) and got[0] == 0 and got[1] == np.inf and got[3] == 0 and not np.signbit(got[3])
# accuracy of GELU and its slope everywhere
t = np.linspace(-12, 12, 80001)
for kind, compute, limit in ((T.f32, T.f32, 2e-6), (T.f64, T.f64, 2e-14)):
    v = columns(t.astype(numpy_of[kind]).reshape(-1, 1))
    out, one = columns(np.zeros_like(v)), columns(np.ones_like(v))
    base = dict(m=len(t), n=1, batch=1, compute=compute, d=operand(out, kind), alpha=host(1, compute),
                beta=host(0, compute))
    ok(launch("epilogue", Epilogue(activation=2, acc=operand(v, kind), **base)))
    assert abs(wide(out)[:, 0] - gelu(wide(v)[:, 0])).max() < limit * 2, kind
    ok(launch("epilogue", Epilogue(aux_mode=4, acc=operand(one, kind), aux=operand(v, kind), **base)))
    assert abs(wide(out)[:, 0] - gelu_slope(wide(v)[:, 0])).max() < limit, kind
# beta 0 does not read C, alpha 0 does not read the product
m, n = 20, 6
nan = columns(np.full((m, n), np.nan, np.float32))
one = columns(np.ones((m, n), np.float32))
out = columns(np.zeros((m, n), np.float32))
base = dict(m=m, n=n, batch=1, compute=T.f32, d=operand(out, T.f32))
ok(launch("epilogue", Epilogue(acc=operand(one, T.f32), c=operand(nan, T.f32), alpha=host(1), beta=host(0), **base)))
assert (out == 1).all()
ok(launch("epilogue", Epilogue(acc=operand(nan, T.f32), c=operand(one, T.f32), alpha=host(0), beta=host(3), **base)))
assert (out == 3).all()
# nothing to do launches nothing
ok(launch("epilogue", Epilogue(m=0, n=5, batch=1)))
"""

SCALED = r"""
m, n, batch = 37, 9, 3
f = lambda v: pointer(np.array([v], np.float32))
for kind in (T.e4m3, T.e5m2, T.bf16):
    acc = [matrix(m, n, T.f32) for _ in range(batch)]
    c = [matrix(m, n, T.bf16) for _ in range(batch)]
    stacked = np.concatenate([x.reshape(-1, order="F") for x in acc])
    stacked_c = np.concatenate([x.reshape(-1, order="F") for x in c])
    out = np.zeros(batch * m * n, numpy_of[kind])
    row, column = rng.random(m).astype(np.float32), rng.random(n).astype(np.float32)
    alphas = rng.standard_normal((batch, m)).astype(np.float32)
    amax = np.array([0.25], np.float32)
    a = Epilogue(m=m, n=n, batch=batch, compute=T.f32, acc=Operand(pointer(stacked), m, m * n, T.f32, 0),
                 c=Operand(pointer(stacked_c), m, m * n, T.bf16, 0), d=Operand(pointer(out), m, m * n, kind, 0),
                 alpha=device(alphas, T.f32, mode=2, stride=m), beta=device(np.array([0.5], np.float16), T.f16),
                 a_scale=f(1.5), b_scale=f(0.5), c_scale=f(2), d_scale=f(4), row_scale=pointer(row),
                 column_scale=pointer(column), d_amax=pointer(amax))
    ok(launch("epilogue", a))
    most, size = 0.25, float(ml.finfo(numpy_of[kind]).max)
    for b in range(batch):
        x = alphas[b].astype(np.float64)[:, None] * 0.75 * row.astype(np.float64)[:, None] * column * wide(acc[b])
        x = x + wide(c[b])
        most = max(most, abs(x).max())
        got = out[b * m * n : (b + 1) * m * n].reshape(m, n, order="F")
        close(got, np.clip(4 * x, -size, size), kind, (kind, b), 40 * (abs(x) + 1))
    assert abs(amax[0] - most) <= 1e-5 * most
# by column: the caller swapped the operands
acc, d = matrix(m, n, T.f32), matrix(m, n, T.f32, None, np.nan)
bias, alphas = rng.random(n).astype(np.float32), rng.random(n).astype(np.float32)
ok(launch("epilogue", Epilogue(m=m, n=n, batch=1, compute=T.f32, flags=1, acc=operand(acc, T.f32), d=operand(d, T.f32),
                               bias=pointer(bias), bias_type=T.f32, alpha=device(alphas, mode=2), beta=host(0))))
close(d, alphas * wide(acc) + bias, T.f32, "by column", 10)
# arrays of pointers, and in place
xs = [matrix(m, n, T.f16) for _ in range(batch)]
before = [wide(x) for x in xs]
array = np.array([pointer(x) for x in xs], np.uint64)
ok(launch("epilogue", Epilogue(m=m, n=n, batch=batch, compute=T.f32, activation=1, alpha=host(2), beta=host(0),
                               acc=Operand(pointer(array), m, 0, T.f16, 1), d=Operand(pointer(array), m, 0, T.f16, 1))))
assert all((wide(x) == np.maximum(2 * y, 0)).all() for x, y in zip(xs, before))
"""

INTEGERS = r"""
m, n = 21, 5
acc = columns(rng.integers(-2**31, 2**31, (m, n)).astype(np.int32))
c = columns(rng.integers(-99, 99, (m, n)).astype(np.int32))
d = columns(np.zeros((m, n), np.int32))
ok(launch("epilogue", Epilogue(m=m, n=n, batch=1, compute=T.i32, acc=operand(acc, T.i32), c=operand(c, T.i32),
                               d=operand(d, T.i32), alpha=host(3, T.i32), beta=host(-2, T.i32))))
assert (d == (3 * acc.astype(np.int64) - 2 * c).astype(np.int32)).all()
small = columns(np.arange(-400, 401, dtype=np.int32).reshape(-1, 1))
out = columns(np.zeros((801, 1), np.int8))
ok(launch("epilogue", Epilogue(m=801, n=1, batch=1, compute=T.f32, acc=operand(small, T.i32), d=operand(out, T.i8),
                               alpha=host(0.5), beta=host(0))))
assert (out == np.clip(np.rint(small * 0.5), -128, 127)).all()
for kind, real in ((T.c32, T.f32), (T.c64, T.f64)):
    make = lambda: columns((rng.standard_normal((m, n)) + 1j * rng.standard_normal((m, n))).astype(numpy_of[kind]))
    acc, c, d = make(), make(), make()
    ok(launch("epilogue", Epilogue(m=m, n=n, batch=1, compute=kind, acc=operand(acc, kind), c=operand(c, kind),
                                   d=operand(d, kind), alpha=host(2 - 1j, kind), beta=host(0.5 + 3j, kind))))
    want = (2 - 1j) * acc.astype(complex) + (0.5 + 3j) * c
    assert abs(d - want).max() <= 60 * EPS[real]
"""

SUMS = r"""
for kind, out_kind in ((T.f32, T.f32), (T.f64, T.f64), (T.f16, T.f16), (T.bf16, T.f32), (T.e4m3, T.bf16)):
    for m, n in ((1, 1), (9, 200), (130, 7), (64, 129)):
        for by_column in (0, 1):
            x = matrix(m, n, kind, m + 2)
            length = n if by_column else m
            out = np.full(length + 1, 55, numpy_of[out_kind])
            ok(launch("sums", Sums(m=m, n=n, batch=1, by_column=by_column, in_=operand(x, kind), out=pointer(out),
                                   out_type=out_kind)))
            axis = 0 if by_column else 1
            want, size = wide(x[:m]).sum(axis=axis), np.abs(wide(x[:m])).sum(axis=axis)
            close(out[:length], want, out_kind, (kind, m, n, by_column), size, T.f64 if kind == T.f64 else T.f32)
            assert wide(out)[length] == 55
            # in parts, then the parts: the same within rounding, and the same bits every time
            parts = np.zeros((length, 6), np.float64 if kind == T.f64 else np.float32, order="F")
            of = T.f64 if kind == T.f64 else T.f32
            again = np.zeros(length, numpy_of[out_kind])
            for _ in range(2):
                ok(launch("sums", Sums(m=m, n=n, batch=1, by_column=by_column, in_=operand(x, kind), out=pointer(parts),
                                       out_type=of, parts=6, part_stride=length)))
                last = again.copy()
                ok(launch("sums", Sums(m=length, n=6, batch=1, in_=operand(parts, of), out=pointer(again),
                                       out_type=out_kind)))
            assert last.tobytes() == again.tobytes()
            close(again, want, out_kind, (kind, m, n, "parts"), size, of)
codes = np.array([0, 1, 2, 3, 4, 9, -2], np.int32)
ok(launch("codes", Codes(codes=pointer(codes), count=6, upto=1, becomes=8, above=3)))
assert codes.tolist() == [0, 8, 2, 3, 1, 6, -2]
"""


@pytest.mark.parametrize("part", ["FORWARD", "AUX", "EDGES", "SCALED", "INTEGERS", "SUMS"])
def test_numbers(lib_dir: Path, part: str) -> None:
    kernels.run(lib_dir, ORACLE + globals()[part])
