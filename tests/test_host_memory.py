# ruff: noqa: E501
"""Device memory of the host engine: allocation, copies, fills, registration, pointer attributes, faults, strict mode."""

from __future__ import annotations

from pathlib import Path

import pytest
from hostengine import run


def test_allocation_is_aligned_counted_and_freed_once(lib_dir: Path) -> None:
    run(lib_dir, """
before = control("allocations")
sizes = [1, 255, 256, 4096, 100_000, 64 << 20]
blocks = [malloc(n) for n in sizes]
assert all(b.value % 256 == 0 for b in blocks)
assert all(x.value + n <= y.value or y.value + m <= x.value
           for i, (x, n) in enumerate(zip(blocks, sizes)) for y, m in list(zip(blocks, sizes))[i + 1:])
assert control("allocations") - before == len(sizes)
for b in blocks:
    ok(hip.hipFree(b))
    assert hip.hipFree(b) == 1          # a second time: invalid value
assert hip.hipFree(C.c_void_p(4096)) == 1
inner = malloc(1024)
assert hip.hipFree(C.c_void_p(inner.value + 256)) == 1
ok(hip.hipFree(inner))
ok(hip.hipFree(C.c_void_p()))
p = C.c_void_p(7)
ok(hip.hipMalloc(C.byref(p), 0)); assert p.value is None
assert hip.hipMalloc(C.c_void_p(), 8) == 1
assert control("leaks") == 0
""")


def test_freed_memory_is_found_again_and_merged(lib_dir: Path) -> None:
    run(lib_dir, """
rng = np.random.default_rng(1)
live = {}
for step in range(3000):
    if live and rng.random() < 0.5:
        p = list(live)[rng.integers(len(live))]
        n, value = live.pop(p)
        back = np.empty(n, np.uint8)
        ok(hip.hipMemcpy(ptr(back), C.c_void_p(p), n, C.c_int(D2H)))
        assert (back == value).all()
        ok(hip.hipFree(C.c_void_p(p)))
    else:
        n, value = int(rng.integers(1, 20000)), int(rng.integers(256))
        p = malloc(n).value
        ok(hip.hipMemset(C.c_void_p(p), C.c_int(value), n))
        live[p] = n, value
low = min(live); high = max(live)
assert high - low < 256 << 20            # not growing without end
""")


def test_too_much_memory_is_refused(lib_dir: Path) -> None:
    run(lib_dir, """
free, total = C.c_size_t(), C.c_size_t()
ok(hip.hipMemGetInfo(C.byref(free), C.byref(total)))
assert 0 < free.value <= total.value
p = C.c_void_p()
assert hip.hipMalloc(C.byref(p), total.value + 1) == 2
assert hip.hipMalloc(C.byref(p), (1 << 64) - 1) == 2
block = malloc(1 << 20)
now = C.c_size_t()
ok(hip.hipMemGetInfo(C.byref(now), C.byref(total)))
assert free.value - now.value == 1 << 20
""")


def test_the_size_of_a_device_can_be_set(lib_dir: Path) -> None:
    run(lib_dir, """
free, total = C.c_size_t(), C.c_size_t()
ok(hip.hipMemGetInfo(C.byref(free), C.byref(total))); assert total.value == 64 << 20
a = malloc(40 << 20); p = C.c_void_p()
assert hip.hipMalloc(C.byref(p), 40 << 20) == 2
ok(hip.hipFree(a)); ok(hip.hipMalloc(C.byref(p), 64 << 20))
""", SCALE_X_HOST_MEMORY="64")


def test_copies_by_kind_and_their_errors(lib_dir: Path) -> None:
    run(lib_dir, """
a = np.arange(1000.0); b = np.zeros_like(a)
x, y = malloc(8000), malloc(8000)
ok(hip.hipMemcpy(x, ptr(a), 8000, C.c_int(H2D)))
ok(hip.hipMemcpy(y, x, 8000, C.c_int(D2D)))
ok(hip.hipMemcpy(ptr(b), y, 8000, C.c_int(4)))
assert (a == b).all()
assert control("copies") == 3
assert hip.hipMemcpy(x, ptr(a), 8001, C.c_int(H2D)) == 1               # past the end of the allocation
assert hip.hipMemcpy(C.c_void_p(), ptr(a), 8, C.c_int(H2D)) == 1
assert hip.hipMemcpy(x, ptr(a), 8, C.c_int(9)) == 21                   # no such direction
assert hip.hipMemcpy(ptr(b), ptr(a), 8, C.c_int(H2D)) == 1             # no device memory in it
ok(hip.hipMemcpy(ptr(b), ptr(a), 8, C.c_int(0)))
ok(hip.hipMemcpy(C.c_void_p(), C.c_void_p(), 0, C.c_int(H2D)))
ok(hip.hipFree(y))
assert hip.hipMemcpy(ptr(b), y, 8, C.c_int(D2H)) == 1                  # freed
""")


def test_two_and_three_dimensions(lib_dir: Path) -> None:
    run(lib_dir, """
p, pitch = C.c_void_p(), C.c_size_t()
ok(hip.hipMallocPitch(C.byref(p), C.byref(pitch), 24, 5))
assert pitch.value >= 24 and pitch.value % 256 == 0
a = np.arange(5 * 24, dtype=np.uint8).reshape(5, 24); b = np.zeros((5, 32), np.uint8)
ok(hip.hipMemcpy2D(p, pitch, ptr(a), 24, 24, 5, C.c_int(H2D)))
ok(hip.hipMemcpy2D(ptr(b), 32, p, pitch, 24, 5, C.c_int(D2H)))
assert (b[:, :24] == a).all() and (b[:, 24:] == 0).all()
assert hip.hipMemcpy2D(ptr(b), 8, p, pitch, 24, 5, C.c_int(D2H)) == 12  # pitch below the width
ok(hip.hipMemset2D(p, pitch, C.c_int(9), 10, 3))
ok(hip.hipMemcpy2D(ptr(b), 32, p, pitch, 24, 5, C.c_int(D2H)))
want = a.copy(); want[:3, :10] = 9
assert (b[:, :24] == want).all()

class Pitched(C.Structure): _fields_ = [("ptr", C.c_void_p)] + [(n, C.c_size_t) for n in ("pitch", "xsize", "ysize")]
class Three(C.Structure): _fields_ = [(n, C.c_size_t) for n in "xyz"]
class Parms(C.Structure):
    _fields_ = [("srcArray", C.c_void_p), ("srcPos", Three), ("srcPtr", Pitched), ("dstArray", C.c_void_p),
                ("dstPos", Three), ("dstPtr", Pitched), ("extent", Three), ("kind", C.c_int)]
box = Pitched()
ok(hip.hipMalloc3D(C.byref(box), Three(16, 4, 3)))
v = np.arange(16 * 4 * 3, dtype=np.uint8).reshape(3, 4, 16); w = np.zeros_like(v)
up = Parms(srcPtr=Pitched(v.ctypes.data, 16, 16, 4), dstPtr=box, extent=Three(16, 4, 3), kind=H2D)
ok(hip.hipMemcpy3D(C.byref(up)))
down = Parms(srcPtr=box, srcPos=Three(2, 1, 1), dstPtr=Pitched(w.ctypes.data, 16, 16, 4), extent=Three(8, 2, 2), kind=D2H)
ok(hip.hipMemcpy3D(C.byref(down)))
assert (w[:2, :2, :8] == v[1:3, 1:3, 2:10]).all() and w[2:].sum() == 0
""")


def test_fills(lib_dir: Path) -> None:
    run(lib_dir, """
p = malloc(4096)
def read(dtype, n):
    out = np.empty(n, dtype); ok(hip.hipMemcpy(ptr(out), p, out.nbytes, C.c_int(D2H))); return out
ok(hip.hipMemset(p, C.c_int(0x1ab), 4096)); assert (read(np.uint8, 4096) == 0xab).all()
ok(hip.hipMemsetD16(p, C.c_ushort(0x1234), 100)); assert (read(np.uint16, 100) == 0x1234).all()
ok(hip.hipMemsetD32(p, C.c_int(-7), 50)); assert (read(np.int32, 50) == -7).all()
assert (read(np.uint8, 4096)[200:] == 0xab).all()
assert hip.hipMemset(p, C.c_int(0), 4097) == 1
host = np.zeros(8)
assert hip.hipMemset(ptr(host), C.c_int(0), 8) == 1
""")


def test_host_memory_and_pointer_attributes(lib_dir: Path) -> None:
    run(lib_dir, """
class Attributes(C.Structure):
    _fields_ = [("type", C.c_int), ("device", C.c_int), ("devicePointer", C.c_void_p), ("hostPointer", C.c_void_p),
                ("isManaged", C.c_int), ("flags", C.c_uint)]
def about(p):
    a = Attributes(); return hip.hipPointerGetAttributes(C.byref(a), p), a
d = malloc(100)
status, a = about(C.c_void_p(d.value + 50))
assert status == 0 and a.type == 2 and a.devicePointer == d.value + 50 and a.hostPointer is None
m = C.c_void_p(); ok(hip.hipMallocManaged(C.byref(m), 100, C.c_uint(1)))
assert about(m)[1].isManaged == 1
C.memset(m, 3, 100)                                              # the host may write it
h = C.c_void_p(); ok(hip.hipHostMalloc(C.byref(h), 100, C.c_uint(0)))
assert about(h)[1].type == 1
plain = np.zeros(64)
assert about(ptr(plain))[1].type == 0
ok(hip.hipHostRegister(ptr(plain), plain.nbytes, C.c_uint(0)))
assert about(ptr(plain))[1].type == 1
assert hip.hipHostRegister(ptr(plain), 8, C.c_uint(0)) == 712
ok(hip.hipHostUnregister(ptr(plain)))
assert hip.hipHostUnregister(ptr(plain)) == 713
assert hip.hipFree(h) == 1 and hip.hipHostFree(d) == 1           # each kind has its own free
ok(hip.hipHostFree(h)); ok(hip.hipFree(m)); ok(hip.hipFree(d))
""")


def test_fresh_memory_is_poisoned_in_hostile_mode(lib_dir: Path) -> None:
    run(lib_dir, """
out = np.zeros(100); p = malloc(800)
ok(hip.hipMemcpy(ptr(out), p, 800, C.c_int(D2H)))
assert np.isnan(out).all()
""")


def test_injected_faults(lib_dir: Path) -> None:
    run(lib_dir, """
p = C.c_void_p()
control("fail_next_malloc", 2)
ok(hip.hipMalloc(C.byref(p), 8))
assert hip.hipMalloc(C.byref(p), 8) == 2
ok(hip.hipMalloc(C.byref(p), 8))
control("sticky_error", 700)
assert hip.hipMemset(p, C.c_int(0), 8) == 700 and hip.hipDeviceSynchronize() == 700
assert hip.hipGetLastError() == 700
e = event()
assert hip.hipEventQuery(e) == 700
ok(hip.hipDeviceReset())
p = malloc(8)
ok(hip.hipMemset(p, C.c_int(0), 8))
assert control("no such command") == -1
""")


def test_strict_mode_names_the_culprit(lib_dir: Path) -> None:
    good = """
p = malloc(800); a = np.arange(100.0); b = np.zeros(100)
ok(hip.hipMemcpy(p, ptr(a), 800, C.c_int(H2D)))
ok(hip.hipMemset(p, C.c_int(0), 8))
ok(hip.hipMemcpy(ptr(b), p, 800, C.c_int(D2H)))
assert b[0] == 0 and (b[1:] == a[1:]).all()
"""
    run(lib_dir, good + "ok(hip.hipFree(p))", SCALE_X_HOST_STRICT="1")
    done = run(lib_dir, good + "C.string_at(p, 8)", check=False, SCALE_X_HOST_STRICT="1")
    assert done.returncode < 0
    assert "strict: the host touched device memory" in done.stderr and "program's own code" in done.stderr


def test_strict_mode_reports_leaks(lib_dir: Path) -> None:
    done = run(lib_dir, "malloc(1234)", SCALE_X_HOST_STRICT="1")
    assert "leak: 1234 bytes of device memory" in done.stderr
    assert "leak" not in run(lib_dir, "ok(hip.hipFree(malloc(1234)))", SCALE_X_HOST_STRICT="1").stderr


@pytest.mark.parametrize("threads", ["1", "2", "5"])
def test_large_copies_use_the_pool(lib_dir: Path, threads: str) -> None:
    run(lib_dir, """
n = 40_000_003
a = np.arange(n, dtype=np.uint8); b = np.zeros_like(a)
p = malloc(n)
assert control("threads") == int(os.environ["SCALE_X_HOST_THREADS"])
ok(hip.hipMemcpy(p, ptr(a), n, C.c_int(H2D))); ok(hip.hipMemcpy(ptr(b), p, n, C.c_int(D2H)))
assert (a == b).all()
""", SCALE_X_HOST_THREADS=threads)


def test_the_pool_serves_many_callers_and_a_forked_child(lib_dir: Path) -> None:
    run(lib_dir, """
n = 20_000_000
def work(results, i):
    a = np.full(n, i, np.uint8); b = np.zeros_like(a); p = malloc(n)
    for _ in range(5):
        ok(hip.hipMemcpy(p, ptr(a), n, C.c_int(H2D))); ok(hip.hipMemcpy(ptr(b), p, n, C.c_int(D2H)))
    results[i] = bool((a == b).all())
def both():
    results = {}
    threads = [threading.Thread(target=work, args=(results, i)) for i in range(4)]
    [t.start() for t in threads]; [t.join() for t in threads]
    return results == {i: True for i in range(4)}
assert both()
child = os.fork()
if child == 0:
    os._exit(0 if both() else 1)
assert os.waitpid(child, 0)[1] == 0
assert both()
""", SCALE_X_HOST_THREADS="3")
