"""SCALE_X_COMPAT=exact: limits that only NVIDIA's chip has are answered as NVIDIA's library does; otherwise such calls
are computed."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_cublas_bodies import run

GEMM = """
import os
exact = os.environ.get("SCALE_X_COMPAT") == "exact"
R_32I, I32, F32 = 10, 72, 68
h, k, one = create(), 8, np.ones(1, np.int32)
rng = np.random.default_rng(0)
def tried(kind, lda, ldb, ldc, oa=0, ob=0, sa=0, sb=0, c_type=R_32I, m=3, trans=0):
    "8-bit matrices that begin oa, ob bytes behind an aligned address; the status, after looking at the values."
    n, count = 2, 1 if kind == "one" else 2
    scalar = np.ones(1, np.float32 if c_type == R_32F else np.int32)
    zero = np.zeros_like(scalar)
    a, b = (rng.integers(-128, 128, 400).astype(np.int8) for _ in "ab")
    c = np.full((count, n, ldc), 99, scalar.dtype)
    da, db, dc = send(a), send(b), send(c)
    pa, pb = P(da.value + oa), P(db.value + ob)
    compute = F32 if c_type == R_32F else I32
    head = (h, trans, 0, m, n, k, P(scalar.ctypes.data))
    beta = P(zero.ctypes.data)
    if kind == "one":
        s = blas.cublasGemmEx(*head, pa, R_8I, lda, pb, R_8I, ldb, beta, dc, c_type, ldc, compute, -1)
    elif kind == "strided":
        L = C.c_longlong
        s = blas.cublasGemmStridedBatchedEx(*head, pa, R_8I, lda, L(sa), pb, R_8I, ldb, L(sb), beta, dc, c_type, ldc,
                                            L(n * ldc), count, compute, -1)
    else:
        tables = [pointers(*(P(x.value + i * y) for i in range(count))) for x, y in
                  ((pa, sa), (pb, sb), (dc, n * ldc * scalar.itemsize))]
        s = blas.cublasGemmBatchedEx(*head, tables[0], R_8I, lda, tables[1], R_8I, ldb, beta, tables[2], c_type, ldc,
                                     count, compute, -1)
    got = fetch(dc, c)
    if s != 0 or m == 0:
        assert (got == 99).all(), "refused, or nothing to do, and written"
        return s
    for i in range(count):
        left = a[oa + i * sa:].astype(int)
        left = np.array([[left[r + q * lda] if trans == 0 else left[q + r * lda] for q in range(k)] for r in range(m)])
        right = np.array([[int(b[ob + i * sb + q + r * ldb]) for r in range(n)] for q in range(k)])
        assert np.array_equal(got[i, :, :m].T, left @ right), (kind, lda, ldb, oa, ob, sa, sb)
    return s
refused = 15 if exact else 0
for kind in ("one", "strided", "array"):
    assert tried(kind, 4, 8, 3, sa=64, sb=64) == 0  # m, n, ldc are free
    assert tried(kind, 5, 8, 3, sa=64, sb=64) == refused
    assert tried(kind, 4, 9, 3, sa=64, sb=64) == refused
    assert tried(kind, 10, 8, 3, sa=64, sb=64, trans=1) == refused
    assert tried(kind, 5, 9, 3, sa=63, sb=65, c_type=R_32F) == 0  # into single precision anything goes
    assert tried(kind, 5, 9, 3, oa=1, m=0) == 0  # nothing to do: nothing is asked
for kind in ("one", "strided"):
    assert tried(kind, 4, 8, 3, oa=4, ob=4, sa=64, sb=64) == 0
    assert tried(kind, 4, 8, 3, oa=1, sa=64, sb=64) == refused
    assert tried(kind, 4, 8, 3, ob=2, sa=64, sb=64) == refused
assert tried("strided", 4, 8, 3, sa=65, sb=64) == refused
assert tried("strided", 4, 8, 3, sa=64, sb=66) == refused
"""


@pytest.mark.parametrize("compat", ["", "exact"])
def test_eight_bit_gemm(lib_dir: Path, engine_env: dict[str, str], compat: str) -> None:
    run(GEMM, lib_dir, engine_env, SCALE_X_COMPAT=compat)
