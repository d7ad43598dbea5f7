# ruff: noqa: E501
"""cuFFT Xt on several devices: descriptors, formats, and the same results as on one."""

from __future__ import annotations

from pathlib import Path

import cufft_process as process
import pytest

HELPERS = r"""
class XtDesc(C.Structure):
    _fields_ = [("version", C.c_int), ("nGPUs", C.c_int), ("GPUs", C.c_int * 64), ("data", C.c_void_p * 64),
                ("size", C.c_size_t * 64), ("state", C.c_void_p)]
class LibXtDesc(C.Structure):
    _fields_ = [("version", C.c_int), ("descriptor", C.POINTER(XtDesc)), ("library", C.c_int), ("subFormat", C.c_int),
                ("libDescriptor", C.c_void_p)]
INPUT, OUTPUT, INPLACE, SHUFFLED = range(4)
H2D, D2H, D2D = range(3)

def plan(n, kind, gpus, batch=1):
    h = C.c_int()
    ok(fft.cufftCreate(C.byref(h)))
    if len(gpus) > 1:
        ok(fft.cufftXtSetGPUs(h, len(gpus), ints(*gpus)))
    sizes = (C.c_size_t * 16)(*[777] * 16)
    ok(fft.cufftMakePlanMany(h, len(n), ints(*n), None, 1, 0, None, 1, 0, kind, batch, sizes))
    assert all(s == 777 for s in sizes[len(gpus):]) and all(s != 777 for s in sizes[: len(gpus)])
    return h.value

def malloc_desc(h, fmt):
    d = C.POINTER(LibXtDesc)()
    ok(fft.cufftXtMalloc(h, C.byref(d), fmt))
    return d

def copy(h, to, from_, kind):
    ok(fft.cufftXtMemcpy(h, C.cast(to, C.c_void_p) if not isinstance(to, np.ndarray) else to,
                         C.cast(from_, C.c_void_p) if not isinstance(from_, np.ndarray) else from_, kind))
"""


@pytest.mark.parametrize("gpus", ["0", "0,1", "0,1,2", "0,0", "2,1,3,0"])
def test_descriptors(lib_dir: Path, gpus: str) -> None:
    process.run(lib_dir, HELPERS + f"gpus = ({gpus},)\n" + r"""
for n, batch in (((64,), 1), ((30,), 5), ((8, 6), 1), ((7, 5), 1), ((6, 5, 4), 1), ((9, 8, 7), 1), ((4, 6), 7)):
    axes = tuple(range(1, len(n) + 1))
    for kind, back in ((C2C, C2C), (Z2Z, Z2Z), (R2C, C2R), (D2Z, Z2D)):
        i_type, o_type, size = types(kind)
        cplx = o_type
        half = (*n[:-1], n[-1] // 2 + 1)
        h, inverse = plan(n, kind, gpus, batch), plan(n, back, gpus, batch)
        x = sample((batch, *n), i_type)
        host = np.zeros((batch, *(n if kind == back else half)), cplx)
        (host if kind == back else host.view(i_type)[..., : n[-1]])[...] = x
        d = malloc_desc(h, INPLACE)
        assert d.contents.descriptor.contents.nGPUs == len(gpus)
        parts = d.contents.descriptor.contents
        assert sum(parts.size[: len(gpus)]) == host.nbytes and list(parts.GPUs[: len(gpus)]) == list(gpus)
        copy(h, d, host, H2D)
        if len(gpus) > 1:  # the first dimension, or whole batches, are spread
            rows = np.array_split(host if batch > 1 else host[0], len(gpus))
            for g, want in enumerate(rows):
                got = np.empty(want.shape, cplx)
                ok(rt.cudaMemcpy(got, C.c_void_p(parts.data[g]), C.c_size_t(got.nbytes), 2))
                assert got.tobytes() == np.ascontiguousarray(want).tobytes(), (n, g)
        exec_, exec_back = ("cufftXtExecDescriptor" + NAMES[k] for k in (kind, back))
        extra = ((-1,), (1,)) if kind == back else ((), ())
        ok(getattr(fft, exec_)(h, d, d, *extra[0]))
        want = (oracle.fftn if kind == back else oracle.rfftn)(wide(x), axes=axes)
        out = np.zeros_like(host)
        copy(h, out, d, D2H)
        assert l2(out, want) <= bound(n, size), (n, NAMES[kind], l2(out, want))
        if len(gpus) > 1:
            assert d.contents.subFormat == SHUFFLED
            if len(n) > 1 and batch == 1:  # now the second one is
                for g, part in enumerate(np.array_split(out[0], len(gpus), axis=1)):
                    got = np.empty(part.shape, cplx)
                    ok(rt.cudaMemcpy(got, C.c_void_p(parts.data[g]), C.c_size_t(got.nbytes), 2))
                    assert got.tobytes() == np.ascontiguousarray(part).tobytes(), (n, g)
        natural = malloc_desc(h, INPLACE)
        copy(h, natural, d, D2D)
        copy(h, out, natural, D2H)
        assert l2(out, want) <= bound(n, size)
        ok(getattr(fft, exec_back)(inverse, d, d, *extra[1]))
        copy(h, out, d, D2H)
        again = out if kind == back else out.view(i_type)[..., : n[-1]]
        assert l2(again / math.prod(n), wide(x)) <= 2 * bound(n, size), (n, NAMES[back])
        ok(fft.cufftXtFree(d)); ok(fft.cufftXtFree(natural)); ok(fft.cufftDestroy(h)); ok(fft.cufftDestroy(inverse))
""", SCALE_X_HOST_DEVICES="4")  # fmt: skip


def test_statuses(lib_dir: Path) -> None:
    process.run(lib_dir, HELPERS + r"""
h, size, d = C.c_int(), (C.c_size_t * 16)(), C.POINTER(LibXtDesc)()
ok(fft.cufftCreate(C.byref(h)))
assert fft.cufftXtSetGPUs(h, 1, ints(0)) == 4 and fft.cufftXtSetGPUs(h, 0, ints(0)) == 4
assert fft.cufftXtSetGPUs(h, 2, ints(0, 1)) == 11 and fft.cufftXtSetGPUs(h, 1, ints(99)) == 4
assert fft.cufftXtSetGPUs(h, 2, None) == 4 and fft.cufftXtSetGPUs(-1, 2, ints(0, 0)) == 1
assert fft.cufftXtMalloc(h, C.byref(d), INPLACE) == 1 and fft.cufftXtSetWorkAreaPolicy(h, 0, None) == 1
ok(fft.cufftMakePlan1d(h, 8, C2C, 1, size))
assert fft.cufftXtSetGPUs(h, 2, ints(0, 0)) == 1
assert [fft.cufftXtQueryPlan(h, np.zeros(96, np.uint8), q) for q in (0, 1, 2)] == [1, 4, 4]
assert [fft.cufftXtSetWorkAreaPolicy(h, p, size) for p in (-1, 0, 1, 2, 3)] == [0, 8, 1, 1, 0]
ok(fft.cufftXtMalloc(h, C.byref(d), INPLACE))
assert fft.cufftXtMalloc(h, None, INPLACE) == 4 and fft.cufftXtMalloc(h, C.byref(d), 99) == 4
x = np.arange(8).astype(np.complex64)
copy(h, d, x, H2D)
assert fft.cufftXtMemcpy(h, d, x, 9) == 4 and fft.cufftXtMemcpy(h, None, x, H2D) == 4
assert fft.cufftXtExecDescriptorC2C(h, d, d, 0) == 4 and fft.cufftXtExecDescriptorC2C(h, None, d, -1) == 4
assert fft.cufftXtExecDescriptorC2C(-1, d, d, -1) == 1
ok(fft.cufftXtExecDescriptor(h, d, d, -1))
out = np.zeros(8, np.complex64); copy(h, out, d, D2H)
assert l2(out, oracle.fft(wide(x))) < 1e-6
ok(fft.cufftXtFree(d)); assert fft.cufftXtFree(None) == 4
areas = (C.c_void_p * 1)(malloc(1 << 16).value)
ok(fft.cufftXtSetWorkArea(h, areas)); assert fft.cufftXtSetWorkArea(-1, areas) == 1
# one line on several devices keeps its order: the factors say so
g = plan((64,), C2C, (0, 0))
f = np.zeros(12, np.int64); ok(fft.cufftXtQueryPlan(g, f, 0))
assert f[:2].tolist() == [64, 2] and f[4] == 64 and f[5] == 1
assert fft.cufftExecC2C(g, malloc(512), malloc(512), -1) == 1
""")  # fmt: skip


def test_the_plan_belongs_to_its_device(lib_dir: Path) -> None:
    process.run(
        lib_dir,
        r"""
h = many((8,), C2C)
x = dev(np.ones(8, np.complex64))
ok(rt.cudaSetDevice(1)); assert fft.cufftExecC2C(h, x, x, -1) == 11
ok(rt.cudaSetDevice(0)); ok(fft.cufftExecC2C(h, x, x, -1))
""",
        SCALE_X_HOST_DEVICES="2",
    )
