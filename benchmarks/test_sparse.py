"""Sparse systems: cusolverSp on the host against scipy.sparse.linalg.spsolve, both on one thread."""

from __future__ import annotations

import ctypes as C
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as spl

from scale_x.bindings._locate import own_directories


def laplacian(k: int) -> sp.csr_array:
    line = sp.diags_array([-np.ones(k - 1), 2 * np.ones(k), -np.ones(k - 1)], offsets=[-1, 0, 1])
    return sp.csr_array(sp.kron(line, sp.eye_array(k)) + sp.kron(sp.eye_array(k), line))


def test_spd_solve_against_scipy() -> None:
    """The 2D Laplacian of a 300 x 300 grid: at least 1.5 times scipy's default."""
    lib = Path(own_directories()[0])
    solver = C.CDLL(str(lib / "libcusolver.so.12"))
    handle = C.c_void_p()
    assert solver.cusolverSpCreate(C.byref(handle)) == 0
    a = laplacian(300)
    n, b, x, place = a.shape[0], np.ones(a.shape[0]), np.zeros(a.shape[0]), np.zeros(1, np.int32)
    row, col, descr = a.indptr.astype(np.int32), a.indices.astype(np.int32), (C.c_int * 4)()
    pointers = [C.c_void_p(v.ctypes.data) for v in (a.data, row, col, b)]
    ours, theirs = [], []
    for _ in range(3):
        start = time.process_time()
        out = C.c_void_p(x.ctypes.data), C.c_void_p(place.ctypes.data)
        assert solver.cusolverSpDcsrlsvcholHost(handle, n, a.nnz, descr, *pointers, C.c_double(0), 0, *out) == 0
        ours.append(time.process_time() - start)
        start = time.process_time()
        want = spl.spsolve(a.tocsc(), b)
        theirs.append(time.process_time() - start)
    assert np.abs(x - want).max() < 1e-9 * np.abs(want).max()
    print(
        f"csrlsvcholHost {min(ours) * 1e3:.0f} ms, spsolve {min(theirs) * 1e3:.0f} ms: {min(theirs) / min(ours):.2f}x"
    )
    assert min(theirs) / min(ours) >= 1.5
