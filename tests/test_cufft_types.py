# ruff: noqa: E501
"""cuFFT's 16-bit types, properties of plans, callbacks and versions."""

from __future__ import annotations

from pathlib import Path

import cufft_process as process
import pytest

SONAMES = ("libcufft.so.10", "libcufft.so.11", "libcufft.so.12")


def test_half_types(lib_dir: Path) -> None:
    code = r"""
import ml_dtypes
R, CC = {np.float16: 2, ml_dtypes.bfloat16: 14}, {np.float16: 6, ml_dtypes.bfloat16: 15}
def plan(it, ot, et, n, batch=1):
    h, size = C.c_int(), C.c_size_t()
    ok(fft.cufftCreate(C.byref(h)))
    s = fft.cufftXtMakePlanMany(h, len(n), tuple(n), None, C.c_longlong(1), C.c_longlong(0), it, None, C.c_longlong(1),
                                C.c_longlong(0), ot, C.c_longlong(batch), C.byref(size), et)
    return s, h.value
for dtype, eps in ((np.float16, 2**-10), (ml_dtypes.bfloat16, 2**-7)):
    r, c = R[dtype], CC[dtype]
    for n in ((1,), (8,), (64,), (1024,), (8, 16), (4, 4, 4)):
        for kind, (it, ot) in (("c2c", (c, c)), ("r2c", (r, c)), ("c2r", (c, r))):
            for in_place in (False, True):
                batch, axes, half = 2, tuple(range(1, len(n) + 1)), tuple(n[:-1]) + (n[-1] // 2 + 1,)
                s, h = plan(it, ot, c, n, batch)
                ok(s)
                if kind == "c2r":
                    x = oracle.rfftn(rng.standard_normal((batch, *n)), axes=axes)
                else:
                    x = rng.standard_normal((batch, *n)) + (1j * rng.standard_normal((batch, *n)) if kind == "c2c" else 0)
                parts = np.stack([x.real, x.imag], -1) if kind != "r2c" else x.real[..., None]
                narrow = parts.astype(dtype)
                w = narrow.astype(np.float64)
                w = w[..., 0] + 1j * w[..., 1] if kind != "r2c" else w[..., 0]
                want = (oracle.fftn(w, axes=axes) if kind == "c2c" else oracle.rfftn(w, axes=axes) if kind == "r2c"
                        else oracle.irfftn(w, s=n, axes=axes, norm="forward"))
                room = (batch, *n[:-1], 2 * (n[-1] if kind == "c2c" else half[-1]))
                buffer = np.full(room, np.nan, dtype)
                if in_place:
                    buffer[..., : narrow.shape[-2] * narrow.shape[-1]] = narrow.reshape(*narrow.shape[:-2], -1)
                    p = o = dev(buffer.view(np.uint16))
                else:
                    p, o = dev(narrow.view(np.uint16)), dev(buffer.view(np.uint16))
                ok(fft.cufftXtExec(h, p, o, 1 if kind == "c2r" else -1))
                got = get(o, room, np.uint16).view(dtype).astype(np.float64)
                if kind == "c2r":
                    got = got[..., : n[-1]] if in_place else got.reshape(-1)[: want.size].reshape(want.shape)
                else:
                    got = got.reshape(*room[:-1], -1, 2) @ [1, 1j]
                assert l2(got, want) < 2 * eps, (dtype, n, kind, in_place, l2(got, want))
    s, h = plan(c, c, c, (12,))
    assert s == (16 if os.environ.get("SCALE_X_COMPAT") == "exact" else 0), s
# one precision in all three; the execution type may be real or complex
good = {(i, o, e) for r, c in ((0, 4), (1, 5), (2, 6), (14, 15)) for i, o in ((r, c), (c, r), (c, c)) for e in (r, c)}
for t in itertools.product((0, 1, 2, 14, 4, 5, 6, 15, 3), repeat=3):
    s, h = plan(*t, (8,))
    assert s == (0 if t in good else 3), (t, s)
    ok(fft.cufftDestroy(h))
"""
    process.run(lib_dir, code)
    process.run(lib_dir, code, SCALE_X_COMPAT="exact")


def test_properties_and_callbacks(lib_dir: Path) -> None:
    process.run(
        lib_dir,
        r"""
h, v, size = C.c_int(), C.c_longlong(-77), C.c_size_t()
ok(fft.cufftCreate(C.byref(h)))
one = C.c_longlong(1)
ok(fft.cufftGetPlanPropertyInt64(h, 1, C.byref(v))); assert v.value == 0
ok(fft.cufftSetPlanPropertyInt64(h, 1, one)); ok(fft.cufftGetPlanPropertyInt64(h, 1, C.byref(v))); assert v.value == 1
ok(fft.cufftResetPlanProperty(h, 1)); ok(fft.cufftGetPlanPropertyInt64(h, 1, C.byref(v))); assert v.value == 0
for p, s in ((0, 4), (2, 16), (3, 4), (99, 4)):
    assert fft.cufftSetPlanPropertyInt64(h, p, one) == s and fft.cufftGetPlanPropertyInt64(h, p, C.byref(v)) == s
    assert fft.cufftGetPlanPropertyInt64(h, p, None) == 4
ok(fft.cufftMakePlan1d(h, 8, C2C, 1, C.byref(size)))
assert [fft.cufftSetPlanPropertyInt64(h, p, one) for p in (0, 1, 2)] == [16] * 3
assert fft.cufftSetPlanPropertyInt64(-1, 1, one) == 1
assert fft.cufftXtSetCallback(h, None, 0, None) == 14 and fft.cufftXtClearCallback(h, 8) == 14
assert fft.cufftXtSetCallbackSharedSize(h, 0, C.c_size_t(16)) == 1
j = C.c_int(); ok(fft.cufftCreate(C.byref(j)))
ok(fft.cufftXtSetJITCallback(j, b"x", np.zeros(64, np.uint8), C.c_size_t(64), 0, None))
assert fft.cufftMakePlan1d(j, 8, C2C, 1, C.byref(size)) == 5
""",
    )


@pytest.mark.parametrize("soname", SONAMES)
def test_versions(lib_dir: Path, soname: str) -> None:
    process.run(
        lib_dir,
        r"""
v = C.c_int(); ok(fft.cufftGetVersion(C.byref(v)))
parts = []
for t in range(3):
    p = C.c_int(); ok(fft.cufftGetProperty(t, C.byref(p))); parts.append(p.value)
assert v.value == parts[0] * 1000 + parts[1] * 100 + parts[2] and parts[0] == int(CUFFT.rsplit(".", 1)[1]), (v.value, parts)
assert fft.cufftGetProperty(3, C.byref(v)) == 3 and fft.cufftGetProperty(0, None) == 4 and fft.cufftGetVersion(None) == 4
""",
        TEST_CUFFT=soname,
    )


def test_host_callbacks(lib_dir: Path) -> None:
    code = r"""
LOAD = C.CFUNCTYPE(C.c_float, C.c_void_p, C.c_size_t, C.c_void_p, C.c_void_p)
class Pair(C.Structure):
    _fields_ = [("x", C.c_float), ("y", C.c_float)]
STORE = C.CFUNCTYPE(None, C.c_void_p, C.c_size_t, Pair, C.c_void_p, C.c_void_p)
scale = C.c_float(3)
def load(data, offset, info, shared):
    return C.cast(data, C.POINTER(C.c_float))[offset] * C.cast(info, C.POINTER(C.c_float))[0]
def store(data, offset, element, info, shared):
    C.cast(data, C.POINTER(Pair))[offset] = Pair(element.x, -element.y)
load, store = LOAD(load), STORE(store)
def pointers(p):
    return (C.c_void_p * 1)(C.cast(p, C.c_void_p))
x = sample((3, 12), np.float32)
i, o = dev(x), malloc(3 * 7 * 8)
h = many((12,), R2C, 3)
allowed = os.environ.get("SCALE_X_HOST_CALLBACKS") == "1"
first = fft.cufftXtSetCallback(h, pointers(load), 2, pointers(C.pointer(scale)))
second = fft.cufftXtSetCallback(h, pointers(store), 4, None)
assert [first, second] == ([0, 0] if allowed else [14, 14])
ok(fft.cufftExecR2C(h, i, o))
want = oracle.rfft(wide(x), axis=1)
assert l2(get(o, (3, 7), np.complex64), 3 * want.conj() if allowed else want) < 1e-6
if allowed:
    assert fft.cufftXtSetCallback(h, pointers(load), 0, None) == 4  # not of this plan's input
    ok(fft.cufftXtClearCallback(h, 2)); ok(fft.cufftXtClearCallback(h, 4))
    ok(fft.cufftExecR2C(h, i, o)); assert l2(get(o, (3, 7), np.complex64), want) < 1e-6
ok(fft.cufftXtSetCallback(h, pointers(load), 2, pointers(C.pointer(scale))) if allowed else 0)
ok(fft.cufftDestroy(h))
h = many((12,), R2C, 3)  # not the plan with callbacks
ok(fft.cufftExecR2C(h, i, o)); assert l2(get(o, (3, 7), np.complex64), want) < 1e-6
"""
    process.run(lib_dir, code)
    process.run(lib_dir, code, SCALE_X_HOST_CALLBACKS="1")
