# ruff: noqa: E501
"""cusolverSp beside its conformance cases: what touches the device, captures, foreign descriptors, threads, speed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PRELUDE = r"""
import ctypes as C, os, threading, time
import numpy as np, scipy.sparse as sp, scipy.sparse.linalg as spl
LIB = os.environ["TEST_LIB"]
solver, rt = (C.CDLL(os.path.join(LIB, n)) for n in ("libcusolver.so.11", "libcudart.so.12"))
control = None
def counters():
    global control
    if control is None:
        control = C.CDLL(os.path.join(LIB, "libscalex_host.so.0")).sx_host_control
        control.argtypes, control.restype = [C.c_char_p, C.c_long], C.c_long
    return [control(n, 0) for n in (b"allocations", b"copies", b"syncs", b"launches", b"calls")]
def ok(s): assert s == 0, s
def p(a): return C.c_void_p(a.ctypes.data)
def dev(a):
    d = C.c_void_p(); ok(rt.cudaMalloc(C.byref(d), C.c_size_t(max(a.nbytes, 1)))); ok(rt.cudaMemcpy(d, p(a), C.c_size_t(a.nbytes), 1)); return d
def get(d, a): ok(rt.cudaMemcpy(p(a), d, C.c_size_t(a.nbytes), 2)); return a
def handle():
    h = C.c_void_p(); ok(solver.cusolverSpCreate(C.byref(h))); return h
line = sp.diags_array([-np.ones(9), 2 * np.ones(10), -np.ones(9)], offsets=[-1, 0, 1])
A = sp.csr_array(sp.kron(line, sp.eye_array(10)) + sp.kron(sp.eye_array(10), line))
n, val, row, col = 100, A.data.astype(np.float64), A.indptr.astype(np.int32), A.indices.astype(np.int32)
descr = (C.c_int * 4)(0, 0, 0, 0)
b = np.arange(100.0)
"""


def run(lib_dir: Path, code: str, timeout: float = 60, **environment: str) -> str:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("SCALE_X_")}
    env = {**clean, "TEST_LIB": str(lib_dir), "SCALE_X_PROVIDER": "host", "SCALE_X_HOST_HOSTILE": "1", **environment}
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + code], env=env, capture_output=True, text=True, timeout=timeout
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


SOLVE = r"""
def solve(name, tol=0.0, reorder=0, on_device=False, h=None):
    x, s = np.full(n, np.nan), np.full(1, 9, np.int32)
    move = dev if on_device else p
    out = move(x)
    status = getattr(solver, name)(h or handle(), n, len(val), descr, move(val), move(row), move(col), move(b), C.c_double(tol), reorder, out, p(s))
    return status, get(out, x) if on_device and status == 0 else x, int(s[0])
"""


def test_host_functions_touch_no_device(lib_dir: Path) -> None:
    run(
        lib_dir,
        SOLVE
        + r"""
h = handle()
before = counters()
for name in ("csrlsvluHost", "csrlsvqrHost", "csrlsvcholHost"):
    status, x, s = solve("cusolverSpD" + name, h=h)
    assert status == 0 and s == -1 and np.abs(A @ x - b).max() < 1e-11
assert counters() == before, (before, counters())
status, x, s = solve("cusolverSpDcsrlsvchol", on_device=True, h=h)
assert status == 0 and np.abs(A @ x - b).max() < 1e-11 and counters() != before
""",
    )


def test_a_captured_solve_is_refused(lib_dir: Path) -> None:
    run(
        lib_dir,
        r"""
h, stream, graph = handle(), C.c_void_p(), C.c_void_p()
ok(rt.cudaStreamCreate(C.byref(stream)))
ok(solver.cusolverSpSetStream(h, stream))
x, s = np.full(n, 3.0), np.full(1, 9, np.int32)
out, data = dev(x), [dev(v) for v in (val, row, col, b)]
ok(rt.cudaStreamBeginCapture(stream, 2))
status = solver.cusolverSpDcsrlsvqr(h, n, len(val), descr, *data, C.c_double(0), 0, out, p(s))
ok(rt.cudaStreamEndCapture(stream, C.byref(graph)))
assert status == 7 and (get(out, x) == 3).all() and s[0] == 9, status
ok(solver.cusolverSpDcsrlsvqr(h, n, len(val), descr, *data, C.c_double(0), 0, out, p(s)))
assert np.abs(A @ get(out, x) - b).max() < 1e-11
""",
    )


def test_the_programs_cusparse_reads_its_own_descriptors(lib_dir: Path, tmp_path: Path) -> None:
    """A library named libcusparse in the process is asked; its descriptors need not look like anybody else's."""
    source = tmp_path / "cusparse.c"
    source.write_text(
        "struct m { long rubbish[3]; int base, type; };\n"
        "int cusparseGetMatType(struct m *d) { return d->type; }\n"
        "int cusparseGetMatIndexBase(struct m *d) { return d->base; }\n"
    )
    made = tmp_path / "libcusparse.so.12"
    subprocess.run(["gcc", "-shared", "-fPIC", "-Wl,-soname,libcusparse.so.12", source, "-o", made], check=True)
    run(
        lib_dir,
        SOLVE
        + f"""
C.CDLL({str(made)!r})
class Descr(C.Structure):
    _fields_ = [("rubbish", C.c_long * 3), ("base", C.c_int), ("type", C.c_int)]
d = Descr((9, 9, 9), 1, 0)
descr = C.byref(d)
row, col = row + 1, col + 1
status, x, s = solve("cusolverSpDcsrlsvluHost")
assert status == 0 and np.abs(A @ x - b).max() < 1e-11
d.type = 2
assert solve("cusolverSpDcsrlsvluHost")[0] == 8
""",
    )


def test_handles_are_checked_and_threads_share_nothing(lib_dir: Path) -> None:
    run(
        lib_dir,
        SOLVE
        + r"""
h = handle()
ok(solver.cusolverSpDestroy(h))
assert solver.cusolverSpDestroy(h) == 1 and solve("cusolverSpDcsrlsvluHost", h=h)[0] == 1
assert solver.cusolverSpDestroy(C.c_void_p(12345)) == 1 and solver.cusolverSpDestroyCsrqrInfo(C.c_void_p(0)) == 0
wrong = []
def work():
    mine = handle()
    for _ in range(5):
        status, x, s = solve("cusolverSpDcsrlsvqr", on_device=True, h=mine)
        if status or np.abs(A @ x - b).max() > 1e-11: wrong.append(status)
threads = [threading.Thread(target=work) for _ in range(4)]
[t.start() for t in threads]; [t.join() for t in threads]
assert not wrong, wrong
""",
    )


def test_singular_of_any_size(lib_dir: Path) -> None:
    """Empty lines, dependent columns and NaN: named, never a crash."""
    run(
        lib_dir,
        r"""
h = handle()
def ask(name, a, tol):
    a = sp.csr_array(a).astype(np.float64); m = a.shape[0]
    v, r, c = a.data, a.indptr.astype(np.int32), a.indices.astype(np.int32)
    x, s, y = np.full(m, 3.0), np.full(1, 99, np.int32), np.ones(m)
    ok(getattr(solver, name)(h, m, len(v), descr, p(v), p(r), p(c), p(y), C.c_double(tol), 0, p(x), p(s)))
    assert s[0] < 0 or (x == 3).all()
    assert s[0] >= 0 or np.isfinite(x).all() or np.isnan(v).any()
    return int(s[0]) if np.isfinite(x).all() else "NaN"
rng = np.random.default_rng(0)
for m in (6, 150, 450):
    full = sp.csr_array(sp.random_array((m, m), density=0.05, rng=rng) + 4 * sp.eye_array(m)).toarray()
    for name in ("cusolverSpDcsrlsvluHost", "cusolverSpDcsrlsvqrHost"):
        assert ask(name, full, 1e-10) == -1
        hollow = full.copy(); hollow[:, 4] = 0
        assert ask(name, hollow, 1e-10) == 4, (m, name, ask(name, hollow, 1e-10))
        hollow = full.copy(); hollow[3, :] = 0
        assert 0 <= ask(name, hollow, 1e-10) < m
        twice = full.copy(); twice[:, 5] = twice[:, 2]
        assert 0 <= ask(name, twice, 1e-10) < m and (m > 200 or ask(name, twice, 1e-10) == 5)
        nan = full.copy(); nan[2, 2] = np.nan
        assert ask(name, nan, 1e-10) == "NaN"
    bad = np.eye(m); bad[3, 3] = -1
    assert 0 <= ask("cusolverSpDcsrlsvcholHost", bad, 0) < m
    bad[3, 3] = np.nan
    assert ask("cusolverSpDcsrlsvcholHost", bad, 0) == "NaN"
""",
    )


@pytest.mark.parametrize("major", ["11", "12"])
def test_extracted_factors_in_both_sonames(lib_dir: Path, major: str) -> None:
    run(lib_dir, f"C.CDLL(os.path.join(LIB, 'libcusolver.so.{major}')).cusolverSpDcsrluExtractHost\n")
