# ruff: noqa: E501
"""Streams, events, capture and graphs of the host engine, in each of its modes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hostengine import run

MODES = ("inline", "async", "deferred")


@pytest.mark.parametrize("mode", MODES)
def test_work_of_a_stream_runs_in_order(lib_dir: Path, mode: str) -> None:
    run(lib_dir, """
s = stream(); n = 1000
p = malloc(8 * n); a = pinned(n); b = pinned(n)
a[:] = np.arange(n); b[:] = 0
for _ in range(20):
    ok(hip.hipMemcpyAsync(p, ptr(a), 8 * n, C.c_int(H2D), s))
    ok(hip.hipMemsetAsync(p, C.c_int(0), 8 * (n // 2), s))
    ok(hip.hipMemcpyAsync(ptr(b), p, 8 * n, C.c_int(D2H), s))
ok(hip.hipStreamSynchronize(s))
assert (b[: n // 2] == 0).all() and (b[n // 2:] == a[n // 2:]).all()
ok(hip.hipStreamDestroy(s))
assert hip.hipStreamSynchronize(s) == 709
assert hip.hipStreamDestroy(C.c_void_p(0x1234)) == 709 and hip.hipStreamDestroy(C.c_void_p()) == 400
""", SCALE_X_HOST_STREAMS=mode)


def test_deferred_work_waits_for_a_call_that_waits(lib_dir: Path) -> None:
    run(lib_dir, """
s, t = stream(1), stream(1)
a = pinned(1); b = pinned(1); a[0] = 5; b[0] = 0; p = malloc(8)
ok(hip.hipMemcpyAsync(p, ptr(a), 8, C.c_int(H2D), s))
ok(hip.hipMemcpyAsync(ptr(b), p, 8, C.c_int(D2H), s))
assert b[0] == 0 and hip.hipStreamQuery(s) == 600
ok(hip.hipStreamSynchronize(t)); assert b[0] == 0          # another stream's business
ok(hip.hipStreamSynchronize(s)); assert b[0] == 5
assert hip.hipStreamQuery(s) == 0 and hip.hipGetLastError() == 0
""", SCALE_X_HOST_STREAMS="deferred")


def test_deferred_mode_shows_a_missing_dependency(lib_dir: Path) -> None:
    code = """
s, t = stream(1), stream(1)
a = pinned(1); b = pinned(1); a[0] = 5; b[0] = 0; p = malloc(8)
ok(hip.hipMemset(p, C.c_int(0), 8)); ok(hip.hipDeviceSynchronize())
e = event()
ok(hip.hipMemcpyAsync(p, ptr(a), 8, C.c_int(H2D), s))
ok(hip.hipEventRecord(e, s))
if ORDERED: ok(hip.hipStreamWaitEvent(t, e, C.c_uint(0)))
ok(hip.hipMemcpyAsync(ptr(b), p, 8, C.c_int(D2H), t))
ok(hip.hipDeviceSynchronize())
assert b[0] == (5 if ORDERED else 0), b[0]
"""
    run(lib_dir, "ORDERED = True\n" + code, SCALE_X_HOST_STREAMS="deferred")
    run(lib_dir, "ORDERED = False\n" + code, SCALE_X_HOST_STREAMS="deferred")
    run(lib_dir, "ORDERED = True\n" + code, SCALE_X_HOST_STREAMS="async")


@pytest.mark.parametrize("mode", MODES)
def test_the_legacy_stream_waits_for_blocking_streams_and_they_for_it(lib_dir: Path, mode: str) -> None:
    run(lib_dir, """
s = stream(0)
a = pinned(1); b = pinned(1); a[0] = 5; b[0] = 0; p, q = malloc(8), malloc(8)
for i in range(50):
    a[0] = i
    ok(hip.hipMemcpyAsync(p, ptr(a), 8, C.c_int(H2D), s))
    ok(hip.hipMemcpyAsync(q, p, 8, C.c_int(D2D), C.c_void_p()))        # legacy stream
    ok(hip.hipMemcpyAsync(ptr(b), q, 8, C.c_int(D2H), s))
    ok(hip.hipStreamSynchronize(s))
    assert b[0] == i
""", SCALE_X_HOST_STREAMS=mode)


@pytest.mark.parametrize("mode", MODES)
def test_pageable_copies_and_blocking_calls_are_done_on_return(lib_dir: Path, mode: str) -> None:
    run(lib_dir, """
s = stream(); p = malloc(8); a = np.array([3.0]); b = np.zeros(1)
ok(hip.hipMemcpyAsync(p, ptr(a), 8, C.c_int(H2D), s)); a[0] = -1
ok(hip.hipMemcpyAsync(ptr(b), p, 8, C.c_int(D2H), s))
assert b[0] == 3
ok(hip.hipMemcpy(ptr(b), p, 8, C.c_int(D2H))); assert b[0] == 3
""", SCALE_X_HOST_STREAMS=mode)


@pytest.mark.parametrize("mode", MODES)
def test_events(lib_dir: Path, mode: str) -> None:
    run(lib_dir, """
s = stream(); a, b, c = event(), event(), event(2)
ms = C.c_float()
assert hip.hipEventElapsedTime(C.byref(ms), a, b) == 400            # never recorded
assert hip.hipEventQuery(a) == 0
ok(hip.hipEventRecord(a, s)); p = malloc(1 << 20); ok(hip.hipMemsetAsync(p, C.c_int(1), 1 << 20, s))
ok(hip.hipEventRecord(b, s)); ok(hip.hipEventSynchronize(b))
assert hip.hipEventQuery(b) == 0
ok(hip.hipEventElapsedTime(C.byref(ms), a, b)); assert ms.value >= 0
ok(hip.hipEventRecord(c, s))
assert hip.hipEventElapsedTime(C.byref(ms), a, c) == 400            # without timing
for i in range(100):
    if hip.hipEventQuery(c) == 0: break
    assert hip.hipEventQuery(c) in (0, 600)
ok(hip.hipDeviceSynchronize())
ok(hip.hipEventDestroy(a)); assert hip.hipEventDestroy(a) == 400 and hip.hipEventRecord(a, s) == 400
assert hip.hipEventCreateWithFlags(C.byref(a), C.c_uint(0x80)) == 1
""", SCALE_X_HOST_STREAMS=mode)


@pytest.mark.parametrize("mode", MODES)
def test_host_functions_run_in_order(lib_dir: Path, mode: str) -> None:
    run(lib_dir, """
s = stream(); seen = []
calls = [HOST_FUNCTION(lambda data, i=i: seen.append(i)) for i in range(10)]
for f in calls: ok(hip.hipLaunchHostFunc(s, f, C.c_void_p(0)))
ok(hip.hipStreamSynchronize(s)); assert seen == list(range(10))
""", SCALE_X_HOST_STREAMS=mode)


@pytest.mark.parametrize("mode", MODES)
def test_capture_records_and_the_graph_repeats(lib_dir: Path, mode: str) -> None:
    run(lib_dir, """
s, t = stream(1), stream(1); n = 16
a = pinned(n); b = pinned(n); p, q = malloc(8 * n), malloc(8 * n)
a[:] = 1; b[:] = -1
fork, join = event(2), event(2)
ok(hip.hipStreamBeginCapture(s, C.c_int(0)))
status = C.c_int(); ok(hip.hipStreamIsCapturing(s, C.byref(status))); assert status.value == 1
ok(hip.hipMemcpyAsync(p, ptr(a), 8 * n, C.c_int(H2D), s))
ok(hip.hipEventRecord(fork, s)); ok(hip.hipStreamWaitEvent(t, fork, C.c_uint(0)))
ok(hip.hipStreamIsCapturing(t, C.byref(status))); assert status.value == 1
ok(hip.hipMemcpyAsync(q, p, 8 * n, C.c_int(D2D), t))
ok(hip.hipEventRecord(join, t)); ok(hip.hipStreamWaitEvent(s, join, C.c_uint(0)))
ok(hip.hipMemcpyAsync(ptr(b), q, 8 * n, C.c_int(D2H), s))
g, x = C.c_void_p(), C.c_void_p()
ok(hip.hipStreamEndCapture(s, C.byref(g)))
assert (b == -1).all()                                             # nothing ran
count = C.c_size_t(); ok(hip.hipGraphGetNodes(g, C.c_void_p(), C.byref(count))); assert count.value == 3
ok(hip.hipGraphInstantiate(C.byref(x), g, C.c_void_p(), C.c_void_p(), 0)); ok(hip.hipGraphDestroy(g))
for k in range(3):
    a[:] = k
    ok(hip.hipGraphLaunch(x, t)); ok(hip.hipStreamSynchronize(t))
    assert (b == k).all()
ok(hip.hipGraphExecDestroy(x)); assert hip.hipGraphLaunch(x, t) == 1 and hip.hipGraphDestroy(g) == 1
""", SCALE_X_HOST_STREAMS=mode)


@pytest.mark.parametrize("mode", MODES)
def test_threads_share_the_engine(lib_dir: Path, mode: str) -> None:
    run(lib_dir, """
bad = []
def work(k):
    try:
        n = 5 << 20                                      # large enough for the pool
        s, e = stream(k % 2), event()
        own = C.c_void_p(2)                              # the per-thread stream
        p, h = malloc(n), pinned(n, np.uint8)
        for i in range(8):
            h[:] = i
            ok(hip.hipMemcpyAsync(p, ptr(h), n, C.c_int(H2D), s))
            ok(hip.hipEventRecord(e, s)); ok(hip.hipStreamWaitEvent(own, e, C.c_uint(0)))
            ok(hip.hipMemcpyAsync(ptr(h), p, n, C.c_int(D2H), own))
            ok(hip.hipMemsetAsync(p, C.c_int(1), n // 2, own))
            if i % 4 == 0: ok(hip.hipStreamSynchronize(C.c_void_p()))
            ok(hip.hipStreamSynchronize(own))
            assert h[0] == i and h[-1] == i
            z = stream(); ok(hip.hipMemsetAsync(p, C.c_int(3), 100, z)); ok(hip.hipStreamDestroy(z))
            ok(hip.hipFree(malloc(1000 + i)))
            if k == 1:
                g, x = C.c_void_p(), C.c_void_p()
                ok(hip.hipStreamBeginCapture(s, C.c_int(2))); ok(hip.hipMemsetAsync(p, C.c_int(9), 10, s))
                ok(hip.hipStreamEndCapture(s, C.byref(g)))
                ok(hip.hipGraphInstantiate(C.byref(x), g, C.c_void_p(), C.c_void_p(), 0)); ok(hip.hipGraphDestroy(g))
                ok(hip.hipGraphLaunch(x, s)); ok(hip.hipStreamSynchronize(s)); ok(hip.hipGraphExecDestroy(x))
        ok(hip.hipFree(p)); ok(hip.hipEventDestroy(e)); ok(hip.hipStreamDestroy(s))
    except BaseException as error:
        bad.append(repr(error))
threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
[t.start() for t in threads]; [t.join() for t in threads]
assert not bad, bad
""", SCALE_X_HOST_STREAMS=mode, SCALE_X_HOST_THREADS="3")


@pytest.mark.parametrize("act, want", [
    ("hip.hipMalloc(C.byref(p), 8)", 900),
    ("hip.hipFree(d)", 900),
    ("hip.hipStreamSynchronize(s)", 900),
    ("hip.hipDeviceSynchronize()", 900),
    ("hip.hipMemcpy(d, ptr(h), 8, C.c_int(1))", 900),
    ("hip.hipStreamQuery(s)", 900),
])  # fmt: skip
def test_capture_refuses_and_is_invalid_afterwards(lib_dir: Path, act: str, want: int) -> None:
    run(lib_dir, f"""
s = stream(1); d = malloc(8); h = np.zeros(1); p = C.c_void_p(); g = C.c_void_p()
ok(hip.hipStreamBeginCapture(s, C.c_int(0)))
assert {act} == {want}
status = C.c_int(); ok(hip.hipStreamIsCapturing(s, C.byref(status))); assert status.value == 2
assert hip.hipMemsetAsync(d, C.c_int(0), 8, s) == 901
assert hip.hipStreamEndCapture(s, C.byref(g)) == 901 and not g.value
ok(hip.hipMalloc(C.byref(p), 8))
""")


def test_capture_rules(lib_dir: Path) -> None:
    run(lib_dir, """
g = C.c_void_p(); d = malloc(8)
assert hip.hipStreamBeginCapture(C.c_void_p(), C.c_int(0)) == 900           # not on the legacy stream
s, t = stream(0), stream(1)
assert hip.hipStreamEndCapture(s, C.byref(g)) == 401                        # nothing to end
ok(hip.hipStreamBeginCapture(s, C.c_int(2)))
assert hip.hipStreamBeginCapture(s, C.c_int(2)) == 401
assert hip.hipMemsetAsync(d, C.c_int(0), 8, C.c_void_p()) == 906            # the legacy stream would wait for it
assert hip.hipStreamEndCapture(s, C.byref(g)) == 901
e = event(2)
ok(hip.hipStreamBeginCapture(s, C.c_int(2)))
ok(hip.hipMalloc(C.byref(g), 8))                                            # relaxed: allowed
ok(hip.hipMemsetAsync(d, C.c_int(0), 8, s)); ok(hip.hipEventRecord(e, s))
assert hip.hipEventSynchronize(e) == 907
ok(hip.hipStreamWaitEvent(t, e, C.c_uint(0))); ok(hip.hipMemsetAsync(d, C.c_int(1), 8, t))
assert hip.hipStreamEndCapture(t, C.byref(g)) == 903                        # not where it began
assert hip.hipStreamEndCapture(s, C.byref(g)) == 904                        # t never came back
status = C.c_int(); ok(hip.hipStreamIsCapturing(t, C.byref(status))); assert status.value == 0
ok(hip.hipMemsetAsync(d, C.c_int(0), 8, t))
""")


def test_devices_and_streams_of_each(lib_dir: Path) -> None:
    run(lib_dir, """
n = C.c_int(); ok(hip.hipGetDeviceCount(C.byref(n))); assert n.value == 3
assert hip.hipSetDevice(C.c_int(3)) == 101 and hip.hipSetDevice(C.c_int(-1)) == 101
ok(hip.hipSetDevice(C.c_int(2)))
d = C.c_int()
def other(): ok(hip.hipGetDevice(C.byref(d)))
t = threading.Thread(target=other); t.start(); t.join(); assert d.value == 0   # a new thread begins on device 0
s = stream(); ok(hip.hipStreamGetDevice(s, C.byref(d))); assert d.value == 2
e = event(); ok(hip.hipSetDevice(C.c_int(0)))
assert hip.hipEventRecord(e, C.c_void_p()) == 400                              # an event of another device
ok(hip.hipEventRecord(e, s))
p = malloc(8)
class A(C.Structure): _fields_ = [("type", C.c_int), ("device", C.c_int), ("rest", C.c_char * 24)]
a = A(); ok(hip.hipPointerGetAttributes(C.byref(a), p)); assert a.device == 0
can = C.c_int(); ok(hip.hipDeviceCanAccessPeer(C.byref(can), C.c_int(0), C.c_int(1))); assert can.value == 1
ok(hip.hipDeviceEnablePeerAccess(C.c_int(1), C.c_uint(0))); assert hip.hipDeviceEnablePeerAccess(C.c_int(1), C.c_uint(0)) == 704
""", SCALE_X_HOST_DEVICES="3")
