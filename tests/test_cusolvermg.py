# ruff: noqa: E501
"""cusolverMg beside its conformance cases: devices, workspaces, captures, handles, threads."""

from __future__ import annotations

from pathlib import Path

from test_cusolversp import run

CODE = r"""
mg = C.CDLL(os.path.join(LIB, "libcusolverMg.so.11"))
G, N, NB = int(os.environ["SCALE_X_HOST_DEVICES"]), 50, 7
ids = np.arange(G, dtype=np.int32)
def new(name, *args):
    out = C.c_void_p(); ok(getattr(mg, name)(C.byref(out), *args)); return out
def select():
    h = new("cusolverMgCreate"); ok(mg.cusolverMgDeviceSelect(h, G, p(ids))); return h
def descr(rows, cols, nb, kind):
    grid = new("cusolverMgCreateDeviceGrid", 1, G, p(ids), 0)
    d = new("cusolverMgCreateMatrixDesc", *(C.c_int64(v) for v in (rows, cols, rows, nb)), kind, grid)
    ok(mg.cusolverMgDestroyGrid(grid)); return d  # the descriptor outlives its grid
def spread(a):
    parts = []
    for k in range(G):
        cols = [j for j in range(a.shape[1]) if j // NB % G == k]
        ok(rt.cudaSetDevice(k)); parts.append(dev(np.ascontiguousarray(a[:, cols].T)).value or 0)
    ok(rt.cudaSetDevice(0)); return (C.c_void_p * G)(*parts)
def gather(parts, a):
    out = np.zeros_like(a)
    for k in range(G):
        cols = [j for j in range(a.shape[1]) if j // NB % G == k]
        if cols: out[:, cols] = get(C.c_void_p(parts[k]), np.zeros((len(cols), a.shape[0]))).T
    return out
def room(count):
    made = []
    for k in range(G): ok(rt.cudaSetDevice(k)); made.append(dev(np.zeros(count)).value)
    ok(rt.cudaSetDevice(0)); return (C.c_void_p * G)(*made)
rng = np.random.default_rng(0)
X = rng.standard_normal((N, N)); SPD = X @ X.T + N * np.eye(N)
def potrf(h, parts, d, work, lwork, info): return mg.cusolverMgPotrf(h, 0, N, parts, 1, 1, d, 1, work, C.c_int64(lwork), C.byref(info))
def lwork(h, parts, d):
    n = C.c_int64(); ok(mg.cusolverMgPotrf_bufferSize(h, 0, N, parts, 1, 1, d, 1, C.byref(n))); return n.value
def good(parts):
    L = np.tril(gather(parts, SPD)); return np.abs(L @ L.T - SPD).max() < 1e-11
"""


def test_the_callers_device_and_workspace_are_respected(lib_dir: Path) -> None:
    """A buffer of the told size is enough: nothing is allocated after the first call; a small one is no error."""
    run(
        lib_dir,
        CODE
        + r"""
h, d, info = select(), descr(N, N, NB, 1), C.c_int(9)
n = lwork(h, spread(SPD), d); work = room(n)
ok(potrf(h, spread(SPD), d, work, n, info))
ok(rt.cudaSetDevice(G - 1))
parts = spread(SPD); ok(rt.cudaSetDevice(G - 1))
before = counters()[0]
ok(potrf(h, parts, d, work, n, info))
assert counters()[0] == before and info.value == 0
now = C.c_int(); ok(rt.cudaGetDevice(C.byref(now))); assert now.value == G - 1
assert good(parts)
parts = spread(SPD)
ok(potrf(h, parts, d, work, 1, info)); assert good(parts) and counters()[0] > before
assert potrf(h, parts, d, None, n, info) == 3 and info.value == -9
""",
        SCALE_X_HOST_DEVICES="4",
    )


def test_one_device_and_more_devices_than_blocks(lib_dir: Path) -> None:
    for devices in ("1", "8"):
        run(
            lib_dir,
            CODE
            + r"""
h, d, info, parts = select(), descr(N, N, NB, 1), C.c_int(9), spread(SPD)
n = lwork(h, parts, d)
ok(potrf(h, parts, d, room(n), n, info)); assert good(parts)
NB = 25
d, parts = descr(N, N, NB, 1), spread(SPD)
n = lwork(h, parts, d)
ok(potrf(h, parts, d, room(n), n, info)); assert good(parts)
""",
            SCALE_X_HOST_DEVICES=devices,
        )


def test_objects_are_told_apart(lib_dir: Path) -> None:
    run(
        lib_dir,
        CODE
        + r"""
h, d, info, parts = select(), descr(N, N, NB, 1), C.c_int(9), spread(SPD)
bare = new("cusolverMgCreate")
work = room(10)
for wrong in (bare, d, C.c_void_p(0), C.c_void_p(12345), handle()):
    assert potrf(wrong, parts, d, work, 10, info) == 1
for wrong in (h, C.c_void_p(0), C.c_void_p(12345), descr(N, N, 0, 1)):
    info.value = 9
    assert potrf(h, parts, wrong, work, 10, info) == 3 and info.value == -6
assert mg.cusolverMgDestroyGrid(d) == 3 and mg.cusolverMgDestroyMatrixDesc(h) == 3
ok(mg.cusolverMgDestroyMatrixDesc(d)); assert mg.cusolverMgDestroyMatrixDesc(d) == 3
ok(mg.cusolverMgDestroy(h)); assert mg.cusolverMgDestroy(h) == 1 and potrf(h, parts, d, work, 10, info) == 1
assert mg.cusolverMgCreate(None) == 3 and mg.cusolverMgDeviceSelect(bare, 1, None) == 3
d, h = descr(N, N, NB, 1), select()
parts[1] = 0
assert potrf(h, parts, d, work, 10, info) == 3
""",
        SCALE_X_HOST_DEVICES="4",
    )


def test_a_captured_device_is_refused(lib_dir: Path) -> None:
    run(
        lib_dir,
        CODE
        + r"""
h, d, info, parts = select(), descr(N, N, NB, 1), C.c_int(9), spread(SPD)
n = lwork(h, parts, d); work = room(n)
stream, graph = C.c_void_p(), C.c_void_p()
ok(rt.cudaStreamCreate(C.byref(stream))); ok(rt.cudaStreamBeginCapture(stream, 0))
status = potrf(h, parts, d, work, n, info)
rt.cudaStreamEndCapture(stream, C.byref(graph)); rt.cudaGetLastError()
assert status != 0, status
assert (gather(parts, SPD) == SPD).all()
ok(potrf(h, parts, d, work, n, info)); assert good(parts)
""",
        SCALE_X_HOST_DEVICES="2",
    )


def test_threads_with_handles_of_their_own(lib_dir: Path) -> None:
    run(
        lib_dir,
        CODE
        + r"""
d, wrong = descr(N, N, NB, 1), []
def work():
    h, info = select(), C.c_int(9)
    for _ in range(3):
        parts = spread(SPD); n = lwork(h, parts, d)
        if potrf(h, parts, d, room(n), n, info) or not good(parts): wrong.append(1)
    ok(mg.cusolverMgDestroy(h))
threads = [threading.Thread(target=work) for _ in range(4)]
[t.start() for t in threads]; [t.join() for t in threads]
assert not wrong
""",
        SCALE_X_HOST_DEVICES="3",
    )
