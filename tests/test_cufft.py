# ruff: noqa: E501
"""cuFFT's plans and executions on one device: results against scipy's in extended precision, statuses as NVIDIA's."""

from __future__ import annotations

from pathlib import Path

import cufft_process as process
import pytest

TRANSFORMS = r"""
def check(n, kind, batch=1, direction=-1, in_place=False):
    'One packed transform against the oracle.'
    i_type, o_type, size = types(kind)
    axes = tuple(range(1, len(n) + 1))
    half = tuple(n[:-1]) + (n[-1] // 2 + 1,)
    h = many(n, kind, batch)
    if kind in (C2C, Z2Z):
        x = sample((batch, *n), i_type)
        want = oracle.fftn(wide(x), axes=axes) if direction < 0 else oracle.ifftn(wide(x), axes=axes, norm="forward")
    elif kind in (R2C, D2Z):
        x = sample((batch, *n), i_type)
        want = oracle.rfftn(wide(x), axes=axes)
    else:
        x = oracle.rfftn(sample((batch, *n), np.float64), axes=axes).astype(i_type)
        want = oracle.irfftn(wide(x), s=n, axes=axes, norm="forward")
        if len(n) == 1:  # what a real signal cannot have is ignored
            x[:, 0] += 5j
            if n[0] % 2 == 0 and n[0] > 1:
                x[:, -1] += 7j
    if in_place:
        cplx = np.complex128 if size == 8 else np.complex64
        buffer = np.full((batch, *(n if kind in (C2C, Z2Z) else half)), np.nan, cplx)
        view = buffer if np.iscomplexobj(x) else buffer.view(i_type)[..., : n[-1]]
        view[...] = x
        p = dev(buffer)
        ok(execute(h, kind, p, p, direction))
        got = get(p, buffer.shape, cplx)
        if kind in (C2R, Z2D):
            got = got.view(o_type)[..., : n[-1]]
    else:
        p, o = dev(x), dev(np.full(want.shape, np.nan, o_type))
        ok(execute(h, kind, p, o, direction))
        got = get(o, want.shape, o_type)
        if kind not in (C2R, Z2D) or len(n) == 1:
            assert get(p, x.shape, i_type).tobytes() == x.tobytes(), "the input changed"
        ok(rt.cudaFree(o))
    ok(rt.cudaFree(p))
    ok(fft.cufftDestroy(h))
    error = l2(got, want)
    assert error <= bound(n, size), (n, NAMES[kind], batch, direction, in_place, error, bound(n, size))

count = 0
ones = [1, 2, 3, 4, 5, 7, 8, 13, 16, 30, 64, 97, 100, 128, 509, 1000, 1024, 2310, 4096, 8191, 8192]
for n in [(v,) for v in ones] + [(1, 8), (8, 1), (7, 5), (16, 16), (12, 31), (64, 50), (1, 1, 8), (4, 5, 6), (8, 8, 8), (3, 1, 7)]:
    for kind in NAMES:
        for batch, in_place in ((1, False), (1, True), (3, False), (3, True)):
            for direction in (-1, 1) if kind in (C2C, Z2Z) and batch == 3 else (-1,):
                check(n, kind, batch, direction, in_place)
                count += 1
print(count, "transforms")
"""

LONG = r"""
for n in ((1 << 18,), (1 << 20,), (300000,), (262146,), (131071,), (1000, 1009), (64, 64, 65)):
    for kind in NAMES:
        check(n, kind)
for kind in NAMES:
    check((1 << 18,), kind, in_place=True)
"""


@pytest.mark.parametrize("threads", ["1", "2"])
def test_transforms(lib_dir: Path, threads: str) -> None:
    out = process.run(lib_dir, TRANSFORMS, SCALE_X_HOST_THREADS=threads)
    assert out.split() == ["868", "transforms"]


def test_long_transforms(lib_dir: Path) -> None:
    process.run(lib_dir, TRANSFORMS.partition("count = 0")[0] + LONG, SCALE_X_HOST_THREADS="2")


def test_layouts(lib_dir: Path) -> None:
    process.run(
        lib_dir,
        r"""
def scatter(data, strides, dist, size, dtype):
    'data (batch, *n) laid out; the gaps hold a mark'
    out = np.full(size, 77, dtype)
    for index in np.ndindex(*data.shape):
        out[index[0] * dist + sum(i * s for i, s in zip(index[1:], strides))] = data[index]
    return out

def places(shape, strides, dist):
    return [i[0] * dist + sum(a * s for a, s in zip(i[1:], strides)) for i in np.ndindex(*shape)]

count = 0
for n in ((6,), (5, 4), (3, 4, 5)):
    for kind in NAMES:
        i_type, o_type, size = types(kind)
        half = tuple(n[:-1]) + (n[-1] // 2 + 1,)
        i_shape = half if kind in (C2R, Z2D) else n
        o_shape = half if kind in (R2C, D2Z) else n
        for istride, ostride, pad, interleaved in ((1, 1, 1, 0), (2, 3, 0, 0), (3, 2, 2, 0), (4, 4, 0, 1)):
            batch, axes = 4, tuple(range(1, len(n) + 1))
            def geometry(shape, stride):
                embed = [0] + [v + pad for v in shape[1:]]     # the first is not looked at
                strides, step = [], stride
                for v, e in zip(reversed(shape), reversed(embed)):
                    strides.insert(0, step)
                    step *= e
                extent = shape[0] * strides[0]
                return embed, strides, 1 if interleaved else extent + pad
            ie, i_strides, idist = geometry(i_shape, istride)
            oe, o_strides, odist = geometry(o_shape, ostride)
            if kind in (C2R, Z2D):
                x = oracle.rfftn(sample((batch, *n), np.float64), axes=axes).astype(i_type)
                want = oracle.irfftn(wide(x), s=n, axes=axes, norm="forward")
            else:
                x = sample((batch, *n), i_type)
                want = (oracle.fftn if kind in (C2C, Z2Z) else oracle.rfftn)(wide(x), axes=axes)
            at = places((batch, *i_shape), i_strides, idist)
            to = places((batch, *o_shape), o_strides, odist)
            flat = scatter(x, i_strides, idist, max(at) + 9, i_type)
            p, o = dev(flat), dev(np.full(max(to) + 9, 77, o_type))
            h = many(n, kind, batch, tuple(ie), istride, idist, tuple(oe), ostride, odist)
            ok(execute(h, kind, p, o))
            got = get(o, (max(to) + 9,), o_type)
            assert l2(got[to].reshape(want.shape), want) <= bound(n, size), (n, NAMES[kind], istride, ostride, pad)
            rest = np.ones(len(got), bool)
            rest[to] = False
            assert (got[rest] == 77).all(), "written between the elements"
            ok(fft.cufftDestroy(h))
            count += 1
assert count == 72, count
""",
    )


def test_handles_and_statuses(lib_dir: Path) -> None:
    process.run(
        lib_dir,
        r"""
h = [C.c_int(-7) for _ in range(4)]
for i in range(3):
    ok(fft.cufftCreate(C.byref(h[i])))
assert [v.value for v in h[:3]] == [1, 2, 3]
ok(fft.cufftDestroy(2)); ok(fft.cufftCreate(C.byref(h[3])))
assert h[3].value == 2
x, size = dev(np.zeros(64, np.complex64)), C.c_size_t(777)
for bad in (-1, 0, 12345, -2**31):
    assert fft.cufftDestroy(bad) == (0 if bad == -1 else 1)  # -1 is no plan, and let pass
    for status in (fft.cufftSetStream(bad, None), fft.cufftGetSize(bad, C.byref(size)),
                   fft.cufftSetWorkArea(bad, None), fft.cufftSetAutoAllocation(bad, 0), fft.cufftExecC2C(bad, x, x, -1),
                   fft.cufftXtExec(bad, x, x, -1), fft.cufftMakePlan1d(bad, 8, C2C, 1, C.byref(size)),
                   fft.cufftGetSize1d(bad, 8, C2C, 1, C.byref(size))):
        assert status == 1, (bad, status)
# created, not planned
assert fft.cufftExecC2C(1, x, x, -1) == 1 and fft.cufftGetSize(1, C.byref(size)) == 1 and size.value == 777
for v in (-1, 0, 2, 1):
    ok(fft.cufftSetAutoAllocation(1, v))
ok(fft.cufftSetStream(1, None)); ok(fft.cufftSetWorkArea(1, x))
# a failure leaves the handle usable and the size untouched; the type comes before the values
for rank, n, ie, istride, idist, kind, batch, status in (
        (0, (8,), None, 1, 8, C2C, 1, 4), (4, (2, 2, 2, 2), None, 1, 8, C2C, 1, 4), (0, (8,), None, 1, 8, 99, 1, 3),
        (1, None, None, 1, 8, C2C, 1, 4), (1, (0,), None, 1, 8, C2C, 0, 8), (1, (-1,), None, 1, 8, C2C, 1, 8),
        (1, (8,), None, 1, 8, C2C, 0, 8), (1, (8,), (8,), 0, 8, C2C, 1, 4), (1, (8,), (8,), 1, 0, C2C, 1, 4)):
    got = fft.cufftMakePlanMany(1, rank, ints(*n) if n else None, ints(*ie) if ie else None, istride, idist,
                                ints(*ie) if ie else None, 1, 8, kind, batch, C.byref(size))
    assert got == status and size.value == 777, (rank, n, got)
assert fft.cufftMakePlanMany(1, 1, ints(8), ints(8), 1, 8, None, 1, 8, C2C, 1, C.byref(size)) == 4
assert fft.cufftMakePlan1d(1, 8, C2C, 1, None) == 4
ok(fft.cufftMakePlan1d(1, 8, C2C, 1, C.byref(size)))
assert fft.cufftMakePlan1d(1, 16, C2C, 1, C.byref(size)) == 1
ok(fft.cufftExecC2C(1, x, x, -1)); ok(fft.cufftSetAutoAllocation(1, 0))
for d in (0, 2, -2, 99):
    assert fft.cufftExecC2C(1, x, x, d) == 4 and fft.cufftXtExec(1, x, x, d) == 4
assert fft.cufftExecC2C(1, C.c_void_p(x.value + 4), x, -1) == 4 and fft.cufftExecC2C(1, x, C.c_void_p(x.value + 4), -1) == 4
assert fft.cufftExecC2C(1, x, None, -1) == 6
ok(fft.cufftDestroy(1)); assert fft.cufftDestroy(1) == 1
plan = C.c_int(-77)
for nx, kind, batch, status in ((0, C2C, 1, 8), (8, C2C, 0, 8), (-1, 99, 0, 3), (8, 43, 1, 3)):
    assert fft.cufftPlan1d(C.byref(plan), nx, kind, batch) == status and plan.value == 0
    plan.value = -77
assert fft.cufftPlan1d(None, 8, C2C, 1) == 4 and fft.cufftCreate(None) == 4
# only the first length of two or three is checked; others count as one
ok(fft.cufftPlan2d(C.byref(plan), 8, -1, C2C)); assert plan.value == 1
y = np.arange(1, 9).astype(np.complex64); p, o = dev(y), dev(y)
ok(fft.cufftExecC2C(plan, p, o, -1)); assert l2(get(o, 8, np.complex64), oracle.fft(wide(y))) < 1e-6
ok(fft.cufftDestroy(plan)); assert fft.cufftPlan3d(C.byref(plan), -1, 4, 4, C2C) == 8
# the plan decides what is computed; only a backward real one refuses forward functions, and the other way round
for kind, accepted in ((C2C, "C2C R2C C2R Z2Z"), (R2C, "C2C R2C Z2Z"), (C2R, "C2R"), (D2Z, "C2C R2C Z2Z"), (Z2D, "C2R")):
    i, o = malloc(4096), malloc(4096)
    h = many((8,), kind)
    for other in (C2C, R2C, C2R, Z2Z):
        assert execute(h, other, i, o) == (0 if NAMES[other] in accepted.split() else 4), (kind, other)
# more handles than fit a page
numbers = []
for _ in range(3000):
    ok(fft.cufftCreate(C.byref(plan))); numbers.append(plan.value)
assert len(set(numbers)) == 3000 and numbers == sorted(numbers)
""",
    )


def test_work_areas(lib_dir: Path) -> None:
    process.run(
        lib_dir,
        r"""
for n, kind in ((8, C2C), (97, R2C), (1 << 16, C2C), (1000003, C2C), (16, C2R), (8191, Z2D)):
    i_type, o_type, size = types(kind)
    h, need = C.c_int(), C.c_size_t()
    ok(fft.cufftCreate(C.byref(h))); ok(fft.cufftSetAutoAllocation(h, 0))
    ok(fft.cufftMakePlan1d(h, n, kind, 1, C.byref(need)))
    same = C.c_size_t()
    ok(fft.cufftGetSize(h, C.byref(same))); assert same.value == need.value
    ok(fft.cufftEstimate1d(n, kind, 1, C.byref(same))); assert same.value == need.value
    ok(fft.cufftGetSize1d(h, n, kind, 1, C.byref(same))); assert same.value == need.value
    assert need.value > 0  # in hostile mode
    i, o = dev(np.ones(n, np.complex128)), malloc(16 * n + 16)
    assert execute(h.value, kind, i, o) == 13
    ok(fft.cufftSetWorkArea(h, None)); assert execute(h.value, kind, i, o) == 13
    guard = np.full(64, 0x5a, np.uint8)
    area = malloc(need.value + 128); put(area, guard); put(C.c_void_p(area.value + 64 + need.value), guard)
    ok(fft.cufftSetWorkArea(h, C.c_void_p(area.value + 64)))
    ok(execute(h.value, kind, i, o))
    assert (get(area, 64, np.uint8) == 0x5a).all() and (get(C.c_void_p(area.value + 64 + need.value), 64, np.uint8) == 0x5a).all()
    ok(fft.cufftSetWorkArea(h, None)); assert execute(h.value, kind, i, o) == 13
    ok(fft.cufftDestroy(h))
""",
    )


def test_huge_lengths(lib_dir: Path) -> None:
    process.run(
        lib_dir,
        r"""
for n, batch, kind, status in ((2**31 - 1, 1, C2C, 1), (2147483659, 1, C2C, 1), (2**33, 1, C2C, 0), (2**62, 1, C2C, 0),
                               (8, 2**40, C2C, 0), (8, 2**62, C2C, 0), (2**33, 1, R2C, 0), (2**40, 1, C2R, 0), (3 * 2**31, 1, C2C, 0),
                               ((2**31 - 1) * 2, 1, C2C, 1)):
    h, size = C.c_int(), C.c_size_t(777)
    ok(fft.cufftCreate(C.byref(h))); ok(fft.cufftSetAutoAllocation(h, 0))
    got = fft.cufftMakePlanMany64(h, 1, (n,), None, C.c_longlong(1), C.c_longlong(n), None, C.c_longlong(1), C.c_longlong(n),
                                  kind, C.c_longlong(batch), C.byref(size))
    assert got == status, (n, batch, kind, got)
    ok(fft.cufftDestroy(h))
plan = C.c_int(-7)
assert fft.cufftPlan1d(C.byref(plan), 1 << 24, C2C, 1 << 24) == 5 and plan.value == 0
""",
        timeout=30,
    )


def test_streams_and_capture(lib_dir: Path) -> None:
    for mode in ("inline", "async", "deferred"):
        process.run(lib_dir, r"""
s = C.c_void_p(); ok(rt.cudaStreamCreateWithFlags(C.byref(s), 1))
for kind in (C2C, C2R):
    n = 64
    i_type, o_type, size = types(kind)
    if kind == C2C:
        x = sample((n,), i_type); want = oracle.fft(wide(x))
    else:
        x = oracle.rfft(rng.standard_normal(n)).astype(i_type); want = oracle.irfft(wide(x), n, norm="forward")
    h = many((n,), kind)
    p, o = dev(np.zeros_like(x)), malloc(16 * n)
    ok(fft.cufftSetStream(h, s))
    ok(rt.cudaMemcpyAsync(p, x, C.c_size_t(x.nbytes), 1, s))
    ok(execute(h, kind, p, o)); ok(rt.cudaStreamSynchronize(s))
    assert l2(get(o, want.shape, o_type), want) <= bound((n,), size)
    graph, run_ = C.c_void_p(), C.c_void_p()
    ok(rt.cudaStreamBeginCapture(s, 2))
    ok(execute(h, kind, p, o))
    other, need = C.c_int(), C.c_size_t()
    ok(fft.cufftCreate(C.byref(other))); ok(fft.cufftSetStream(other, s))
    assert fft.cufftMakePlan1d(other, 48, C2C, 1, C.byref(need)) == 5
    ok(fft.cufftDestroy(other))
    ok(rt.cudaStreamEndCapture(s, C.byref(graph)))
    ok(rt.cudaGraphInstantiate(C.byref(run_), graph, C.c_ulonglong(0)))
    for _ in range(2):
        put(p, x); put(o, np.zeros(2 * n, np.complex64))
        ok(rt.cudaGraphLaunch(run_, s)); ok(rt.cudaStreamSynchronize(s))
        assert l2(get(o, want.shape, o_type), want) <= bound((n,), size)
""", SCALE_X_HOST_STREAMS=mode)  # fmt: skip


def test_threads(lib_dir: Path) -> None:
    process.run(
        lib_dir,
        r"""
failures = []
def work(seed):
    try:
        r = np.random.default_rng(seed)
        for _ in range(40):
            n = int(r.integers(1, 200))
            x = (r.standard_normal(n) + 1j * r.standard_normal(n)).astype(np.complex128)
            h = many((n,), Z2Z)
            p = dev(x)
            ok(execute(h, Z2Z, p, p))
            assert l2(get(p, n, np.complex128), oracle.fft(wide(x))) <= bound((n,), 8)
            ok(rt.cudaFree(p)); ok(fft.cufftDestroy(h))
    except BaseException as e:
        failures.append(repr(e))
threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
for t in threads: t.start()
for t in threads: t.join()
assert not failures, failures
""",
    )


def test_equal_plans_are_kept(lib_dir: Path) -> None:
    out = process.run(
        lib_dir,
        r"""
import time
h = C.c_int()
def once():
    ok(fft.cufftPlan1d(C.byref(h), 1 << 12, C2C, 1)); ok(fft.cufftDestroy(h))
start = time.perf_counter(); ok(fft.cufftPlan1d(C.byref(h), 1 << 20, C2C, 1)); first = time.perf_counter() - start
ok(fft.cufftDestroy(h)); once()
best = 1.0
for _ in range(30):
    start = time.perf_counter()
    for _ in range(20):
        once()
    best = min(best, (time.perf_counter() - start) / 20)
print(first, best)
""",
        SCALE_X_HOST_HOSTILE="0",
    )
    first, best = map(float, out.split())
    assert first < 0.5 and best < 100e-6  # 20 ms and 20 us on a quiet machine


@pytest.mark.parametrize(("release", "arch"), [("6.0", "gfx90a"), ("6.4", "gfx1100"), ("10.1", "gfx950")])
def test_other_releases(lib_dir: Path, release: str, arch: str) -> None:
    process.run(lib_dir, TRANSFORMS.partition("count = 0")[0] + "for k in NAMES:\n    check((12, 10), k)\n    check((30,), k, 2)\n",
                SCALE_X_HOST_ROCM=release, SCALE_X_HOST_ARCH=arch)  # fmt: skip


def test_in_place_between_layouts_that_differ(lib_dir: Path) -> None:
    process.run(
        lib_dir,
        r"""
x = sample((2, 6), np.complex64)
buffer = np.full(2 * 18, 77, np.complex64)
buffer[:12] = x.reshape(-1)
p = dev(buffer)
ok(fft.cufftExecC2C(many((6,), C2C, 2, (6,), 1, 6, (6,), 3, 18), p, p, -1))
assert l2(get(p, (2, 6, 3), np.complex64)[:, :, 0], oracle.fft(wide(x), axis=1)) < 1e-6
z = oracle.rfft(rng.standard_normal((2, 8)), axis=1)
p = dev(np.concatenate([z.reshape(-1), np.zeros(10)]).astype(np.complex128))
ok(fft.cufftExecZ2D(many((8,), Z2D, 2, (5,), 1, 5, (8,), 1, 8), p, p))
assert l2(get(p, (2, 8), np.float64), oracle.irfft(wide(z), 8, axis=1, norm="forward")) < 1e-14
""",
    )


def test_strict_memory(lib_dir: Path) -> None:
    code = (
        TRANSFORMS.partition("count = 0")[0]
        + "for k in NAMES:\n    check((12, 10), k)\n    check((31,), k, 2, in_place=True)\n    check((32,), k)\n"
    )
    process.run(lib_dir, code, SCALE_X_HOST_STRICT="1")
