"""Where ROCm's functions differ from CUDA-X's: one test per hazard, named after it.

Each first shows that the ROCm beneath behaves in its own way (the engine imitates it, in hostile mode), then that the
CUDA-X function behaves in NVIDIA's.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hazards_process import run
from test_gates import called, definitions, hiding, model, preprocessed, real, table_members

from scale_x.wrappers_gen import gates

__all__ = ["hiding", "preprocessed"]  # fixtures


def test_perf_degraded(lib_dir: Path) -> None:
    """A rocBLAS call that is right but short of memory says so by its status: SUCCESS to CUDA-X."""
    run(
        lib_dir,
        """
rocm, n = Rocm(), 200
a, x = np.tri(n, dtype=np.float32) + 9 * np.eye(n, dtype=np.float32), np.ones(n, np.float32)
dA, h = send(a), made(blas.cublasCreate_v2)
small = room(16)
def gemv(call, handle, op):
    y = room(4 * n)
    status = call(handle, op, n, n, pointer(1), dA, n, send(x), 1, pointer(0), y, 1)
    assert np.allclose(fetch(y, (n,), np.float32), a.T @ x)
    return status
raw = made(rocm.rocblas_create_handle)
ok(rocm.rocblas_set_workspace(raw, small, C.c_size_t(16)))
assert gemv(rocm.rocblas_sgemv, raw, 112) == 7, "rocblas_status_perf_degraded"
ok(blas.cublasSetWorkspace_v2(h, small, C.c_size_t(16)))
ok(gemv(blas.cublasSgemv_v2, h, 1))
""",
    )


def test_alpha_beta_order_of_checks(lib_dir: Path) -> None:
    """rocBLAS returns early before it looks at alpha and at leading dimensions of nothing; cuBLAS looks first."""
    run(
        lib_dir,
        """
rocm, h = Rocm(), made(blas.cublasCreate_v2)
raw, one, p = made(rocm.rocblas_create_handle), pointer(1), room(64)
def rocblas(m, n, k, alpha, lda, beta=one):
    return rocm.rocblas_sgemm(raw, 111, 111, m, n, k, alpha, p, lda, p, max(k, 1), beta, p, max(m, 1))
def cublas(m, n, k, alpha, lda, beta=one):
    return blas.cublasSgemm_v2(h, 0, 0, m, n, k, alpha, p, lda, p, max(k, 1), beta, p, max(m, 1))
ok(rocblas(0, 2, 2, one, 0)); assert cublas(0, 2, 2, one, 0) == 7, "lda = 0"
ok(rocblas(2, 2, 0, None, 2)); assert cublas(2, 2, 0, None, 2) == 7, "alpha = NULL, k = 0"
ok(rocblas(2, 0, 2, one, 2, None))
for m, n, k, alpha, lda in ((2, 2, 2, None, 1), (2, 2, 2, one, 1)):
    assert cublas(m, n, k, alpha, lda) == 7
""",
    )


def test_user_workspace_limits(lib_dir: Path) -> None:
    """To rocBLAS the user's workspace is a hard limit, to cuBLAS a hint; on the handle it limits rocSOLVER as well."""
    run(
        lib_dir,
        """
rocm, n, nrhs = Rocm(), 300, 100
a = np.asfortranarray(np.tri(n) + n * np.eye(n)); b = np.asfortranarray(np.ones((n, nrhs)))
dA, small = send(a), room(256)
def trsm(call, handle, left, lower, none, unit, B):
    return call(handle, left, lower, none, unit, n, nrhs, pointer(1, np.float64), dA, n, B, n)
raw, h = made(rocm.rocblas_create_handle), made(blas.cublasCreate_v2)
ok(rocm.rocblas_set_workspace(raw, small, C.c_size_t(256)))
assert trsm(rocm.rocblas_dtrsm, raw, 141, 122, 111, 131, send(b)) in (3, 7), "memory_error or perf_degraded"
for size in (256, 16, 1):
    ok(blas.cublasSetWorkspace_v2(h, small, C.c_size_t(size)))
    B, norm = send(b), np.zeros(1)
    ok(trsm(blas.cublasDtrsm_v2, h, 0, 0, 0, 0, B))
    assert np.allclose(a @ fetch(B, (n, nrhs), np.float64), b)
    ok(blas.cublasDnrm2_v2(h, n * nrhs, B, 1, P(norm.ctypes.data)))
    assert np.isclose(norm[0], np.linalg.norm(np.linalg.solve(a, b)))
info, pivots = room(16), room(8 * n)
arrays = send(np.array([dA.value], np.uint64))
ok(blas.cublasDgetrfBatched(h, n, arrays, n, pivots, info, 1))
lu = fetch(dA, (n, n), np.float64)
assert np.allclose((np.tril(lu, -1) + np.eye(n)) @ np.triu(lu), a)  # dominant: nothing is exchanged
assert fetch(info, (1,), np.int32)[0] == 0
""",
    )


def test_hipblaslt_device_pointer_mode(lib_dir: Path) -> None:
    """hipBLASLt takes a device alpha for a vector and reads beta on the host; cublasLtMatmul takes both as scalars."""
    run(
        lib_dir,
        """
m, n, k = 8, 5, 6
rng = np.random.default_rng(1)
a, b, c = (rng.standard_normal(s).astype(np.float32) for s in ((m, k), (k, n), (m, n)))
h, s = made(lt.cublasLtCreate), stream()
scalars = send(np.array([2, -3] + [np.nan] * 14, np.float32))
beta = P(scalars.value + 4)
D = room(4 * m * n)
def call(where=None):
    return matmul(h, m, n, k, send_a, send_b, send_c, D, [np.float32] * 4, scalars, beta,
                  attributes=((2, I(1)),), s=where)
send_a, send_b, send_c = send(a), send(b), send(c)
for _ in range(2):
    ok(call())
    assert np.allclose(fetch(D, (m, n), np.float32), 2 * a @ b - 3 * c, atol=1e-5)
ok(call(s)); ok(rt.cudaStreamSynchronize(s))
ok(capture(s, lambda: call(s)))
assert np.allclose(fetch(D, (m, n), np.float32), 2 * a @ b - 3 * c, atol=1e-5)
ok(rt.cudaMemset(scalars, 0, C.c_size_t(8)))  # a graph reads what is there when it runs
launch(s)
assert (fetch(D, (m, n), np.float32) == 0).all()
""",
    )


@pytest.mark.parametrize("release, arch", [("7.2", "gfx942"), ("6.2", "gfx90a"), ("10.1", "gfx950")])
def test_relu_aux(release: str, arch: str, lib_dir: Path) -> None:
    """cuBLASLt's RELU_AUX stores a bit mask, its leading dimension in bits; hipBLASLt's the matrix before the ReLU."""
    run(
        lib_dir,
        """
m, n, k, ld = 40, 5, 8, 128
rng = np.random.default_rng(2)
a, b = (rng.standard_normal(s).astype(np.float16) for s in ((m, k), (k, n)))
mask, D = room(ld // 8 * n + 64, 0xA5), room(2 * m * n)
ok(matmul(made(lt.cublasLtCreate), m, n, k, send(a), send(b), D, D, [np.float16] * 4, pointer(1), pointer(0),
          attributes=((7, I(130)), (11, P(mask.value)), (12, L(ld)))))
want = a.astype(np.float64) @ b.astype(np.float64)
assert np.allclose(fetch(D, (m, n), np.float16), np.maximum(want, 0), atol=1e-2)
seen = fetch(mask, (ld // 8 * n + 64,), np.uint8)
bits = np.unpackbits(seen[: ld // 8 * n].reshape(n, ld // 8), axis=1, bitorder="little").T[:m]
assert (bits == (want > 0)).all()
assert (seen[ld // 8 * n :] == 0xA5).all(), "a matrix of values would be larger"
""",
        SCALE_X_HOST_ROCM=release,
        SCALE_X_HOST_ARCH=arch,
    )


@pytest.mark.parametrize("release", ["6.2", "7.2"])
def test_order(release: str, lib_dir: Path) -> None:
    """hipBLASLt stores the order of a matrix and never reads it; to cublasLtMatmul it counts."""
    run(
        lib_dir,
        """
m, n, k = 3, 4, 5
rng = np.random.default_rng(3)
a, b, c = (rng.standard_normal(s).astype(np.float32) for s in ((m, k), (k, n), (m, n)))
h = made(lt.cublasLtCreate)
for bits in range(8):
    orders = tuple(bits >> i & 1 for i in (0, 1, 2, 2))
    A, B, Cm = (send(x.ravel("C" if o else "F")) for x, o in zip((a, b, c), orders))
    D = room(4 * m * n, 0xFF)
    ok(matmul(h, m, n, k, A, B, Cm, D, [np.float32] * 4, pointer(2), pointer(3), orders))
    flat = fetch(D, (m * n,), np.float32)
    assert np.allclose(flat.reshape((m, n), order="C" if orders[3] else "F"), 2 * a @ b + 3 * c, atol=1e-5), orders
""",
        SCALE_X_HOST_ROCM=release,
    )


def test_c_null(lib_dir: Path) -> None:
    """hipBLASLt refuses a NULL C whatever beta is; cublasLtMatmul takes it when beta is 0."""
    run(
        lib_dir,
        """
n = 4
a = np.arange(n * n, dtype=np.float32).reshape(n, n)
h, A, D = made(lt.cublasLtCreate), send(a), room(4 * n * n, 0xFF)
ok(matmul(h, n, n, n, A, A, None, D, [np.float32] * 4, pointer(1), pointer(0)))
assert (fetch(D, (n, n), np.float32) == a @ a).all()
assert matmul(h, n, n, n, A, A, None, D, [np.float32] * 4, pointer(1), pointer(1)) == 7
""",
    )


@pytest.mark.parametrize("arch", ["gfx942", "gfx950", "gfx90a"])
def test_fnuz_ocp_fp8_reencoding(arch: str, lib_dir: Path) -> None:
    """gfx942 multiplies fp8 numbers of another bias, whose 0x80 is NaN; CUDA's E4M3 means the same on every chip."""
    run(
        lib_dir,
        """
import ml_dtypes
m = n = 16; k = 256
codes = np.arange(256, dtype=np.uint8)
finite = np.where(codes & 0x7f == 0x7f, 0, codes).astype(np.uint8)
a = np.asfortranarray(np.stack([np.roll(finite, 7 * i) for i in range(m)], axis=1)).view(ml_dtypes.float8_e4m3fn)
b = np.asfortranarray(np.stack([np.roll(finite[::-1], 5 * i) for i in range(n)], axis=1)).view(ml_dtypes.float8_e4m3fn)
h, D = made(lt.cublasLtCreate), room(4 * m * n)
types = [ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e4m3fn, np.float32, np.float32]
def call(x, y):
    ok(matmul(h, m, n, k, send(x), send(y), D, D, types, pointer(1), pointer(0), ops=(1, 0)))
    return fetch(D, (m, n), np.float32)
want = a.astype(np.float64).T @ b.astype(np.float64)
bound = np.abs(a.astype(np.float64)).T @ np.abs(b.astype(np.float64)) * k * 2.0**-23
assert (np.abs(call(a, b) - want) <= bound).all()
minus = np.full((k, m), 0x80, np.uint8, order="F").view(ml_dtypes.float8_e4m3fn)
assert (call(minus, b) == 0).all(), "0x80 is minus zero"
nan = np.full((k, m), 0x7F, np.uint8, order="F").view(ml_dtypes.float8_e4m3fn)
assert np.isnan(call(nan, b)).all(), "0x7f is NaN"
""",
        SCALE_X_HOST_ROCM="7.2",
        SCALE_X_HOST_ARCH=arch,
    )


def test_exit_in_hipblasltcreate(lib_dir: Path) -> None:
    """hipblasLtCreate ends the process while capturing; cublasLtCreate and a first product may not."""
    run(
        lib_dir,
        """
n = 4
a = np.arange(n * n, dtype=np.float32).reshape(n, n)
A, D, s = send(a), room(4 * n * n), stream()
handles = []
status = capture(s, lambda: handles.append(made(lt.cublasLtCreate)) or
                 matmul(handles[0], n, n, n, A, A, D, D, [np.float32] * 4, pointer(1), pointer(0), s=s))
assert status in (0, 15), status
if status == 0:
    assert (fetch(D, (n, n), np.float32) == a @ a).all()
ok(matmul(handles[0], n, n, n, A, A, D, D, [np.float32] * 4, pointer(1), pointer(0)))
assert (fetch(D, (n, n), np.float32) == a @ a).all()
""",
    )
    with pytest.raises(AssertionError, match=r"^1\b"):
        run(
            lib_dir,
            """
rocm, s = Rocm(), stream()
ok(rt.cudaStreamBeginCapture(s, 0))
made(rocm.hipblasLtCreate)
os._exit(77)
""",
        )


@pytest.mark.parametrize("release", ["6.0", "6.4", "7.2", "10.1"])
def test_trmm_two_abis(release: str, lib_dir: Path) -> None:
    """rocBLAS 4 changed trmm under the same name to 14 arguments, out of place: what older ROCm has is not loaded."""
    for name in ("rocblas_strmm", "rocblas_ztrmm"):
        assert len(model().rocm_functions[name].params) == 14
    run(
        lib_dir,
        """
m, n = 4, 3
a = np.tril(np.arange(1, 17, dtype=np.float32).reshape(4, 4)); b = np.ones((m, n), np.float32)
h, A, B, D = made(blas.cublasCreate_v2), send(a), send(b), room(4 * m * n)
ok(blas.cublasStrmm_v2(h, 0, 0, 0, 0, m, n, pointer(2), A, m, B, m, D, m))
assert (fetch(D, (m, n), np.float32) == 2 * a @ b).all() and (fetch(B, (m, n), np.float32) == b).all()
ok(blas.cublasStrmm_v2(h, 0, 0, 0, 0, m, n, pointer(2), A, m, B, m, B, m))
assert (fetch(B, (m, n), np.float32) == 2 * a @ b).all()
""",
        SCALE_X_HOST_ROCM=release,
    )
    run(lib_dir, "assert blas.cublasCreate_v2(C.byref(P())) == 1", SCALE_X_HOST_ROCM="5.7")


@pytest.mark.parametrize("release", ["6.4", "7.2"])
def test_atomics_defaults(release: str, lib_dir: Path) -> None:
    """rocBLAS allowed atomics by default before ROCm 7.0; cuBLAS does not, so every rocBLAS handle is told."""
    run(
        lib_dir,
        """
rocm, h = Rocm(), made(blas.cublasCreate_v2)
def mode(handle):
    out = I(-1)
    ok(rocm.rocblas_get_atomics_mode(handle, C.byref(out)))
    return out.value
assert mode(made(rocm.rocblas_create_handle)) == (1 if os.environ["SCALE_X_HOST_ROCM"] < "7" else 0)
x, out = send(np.ones(4, np.float32)), np.zeros(1, np.float32)
def used():  # the rocBLAS handle that a cuBLAS handle keeps (sx_blas_slot::cached)
    ok(blas.cublasSasum_v2(h, 4, x, 1, P(out.ctypes.data)))
    return P.from_address(h.value + 32)
assert used().value and mode(used()) == 0
for wish in (1, 0):
    ok(blas.cublasSetAtomicsMode(h, wish))
    assert mode(used()) == wish
""",
        SCALE_X_HOST_ROCM=release,
    )


def test_hipfft_null_plans(lib_dir: Path) -> None:
    """hipFFT follows a NULL plan; cufftHandle is a number, and one without a plan behind it is INVALID_PLAN."""
    run(
        lib_dir,
        """
x = send(np.ones(16, np.complex64))
h = I()
ok(fft.cufftCreate(C.byref(h)))
size, n = C.c_size_t(), (I * 1)(8)
for plan in (h, I(0), I(-1), I(12345)):
    assert fft.cufftExecC2C(plan, x, x, -1) == 1, plan
    assert fft.cufftXtExec(plan, x, x, -1) == 1, plan
for plan in (I(0), I(-1), I(12345)):
    for status in (fft.cufftSetStream(plan, None), fft.cufftSetWorkArea(plan, x), fft.cufftSetAutoAllocation(plan, 1),
                   fft.cufftGetSize(plan, C.byref(size)), fft.cufftMakePlan1d(plan, 8, 41, 1, C.byref(size))):
        assert status == 1, (plan, status)
    assert fft.cufftDestroy(plan) == (0 if plan.value == -1 else 1)  # measured
ok(fft.cufftDestroy(h))
assert fft.cufftExecC2C(h, x, x, -1) == 1 and fft.cufftDestroy(h) == 1
""",
    )


def test_rocsolver_hidden_exports(lib_dir: Path, hiding: Path, preprocessed: dict[str, str]) -> None:  # noqa: F811
    """What no header declares may go any day: without it the same results come from declared functions."""
    m = model()
    hidden = {n for n, f in m.rocm_functions.items() if f.hidden}
    files = {f for f, text in preprocessed.items() if table_members(text) & hidden}
    assert files
    bodies = {name for f in files for name in definitions(preprocessed[f])}
    users = []
    for s in real(m):
        named = {s.names.fill(n) for n in (s.row.native, *(p.native for p in s.row.paths)) if n}
        if set(gates.calls(s)) & hidden or named & bodies:
            users.append(f"{s.library}/{s.name}")
    assert "cusolver/cusolverDnXgetrf" in users
    answers = called(lib_dir, users, SCALE_X_HOST_ENGINE=str(hiding), TEST_HIDE=" ".join(sorted(hidden)),
                     TEST_ENGINE=str(lib_dir / "libscalex_host.so.0"))  # fmt: skip
    assert len({a["symbol"] for a in answers if a["result"] == "passed"}) >= 20
    assert [a for a in answers if a["result"] not in ("passed", "nothing to ask")] == []


def test_info_mapping(lib_dir: Path) -> None:
    """rocSOLVER's info never says which argument is bad, and QR and its like have none: cuSOLVER's devInfo does."""
    run(
        lib_dir,
        """
n = 4
h, info = made(solver.cusolverDnCreate), room(16, 0xFF)
def told():
    value = int(fetch(info, (1,), np.int32)[0])
    ok(rt.cudaMemset(info, 0xFF, C.c_size_t(4)))
    return value
def size(call, *arguments):
    out = I()
    ok(call(h, *arguments, C.byref(out)))
    return out.value
a = np.diag([1.0, 2.0, 3.0, 4.0]); singular = np.diag([1.0, 2.0, 0.0, 4.0]); indefinite = np.diag([1.0, 2.0, 3.0, -4.0])
A, tau, pivots = send(a), room(64), room(64)
lwork = size(solver.cusolverDnDgeqrf_bufferSize, n, n, A, n); W = room(8 * lwork + 64)
ok(solver.cusolverDnDgeqrf(h, n, n, A, n, tau, W, lwork, info)); assert told() == 0, "geqrf has no info"
ok(solver.cusolverDnDormqr(h, 0, 0, n, n, n, A, n, tau, send(a), n, W, lwork, info)); assert told() == 0
lwork = size(solver.cusolverDnDgetrf_bufferSize, n, n, A, n); W = room(8 * lwork + 64)
for matrix, want in ((singular, 3), (a, 0)):
    ok(solver.cusolverDnDgetrf(h, n, n, send(matrix), n, W, pivots, info)); assert told() == want
lwork = size(solver.cusolverDnDpotrf_bufferSize, 0, n, A, n); W = room(8 * lwork + 64)
for matrix, want in ((indefinite, 4), (a, 0)):
    ok(solver.cusolverDnDpotrf(h, 0, n, send(matrix), n, W, lwork, info)); assert told() == want
assert solver.cusolverDnDpotrf(h, 0, n, send(a), n - 1, W, lwork, info) == 3 and told() == -4
""",
    )


def test_gesvdj_v(lib_dir: Path) -> None:
    """rocSOLVER gives V transposed and conjugated, and 1 for what does not converge; cuSOLVER V, and min(m, n) + 1."""
    run(
        lib_dir,
        """
m, n = 6, 4
rng = np.random.default_rng(7)
a = (rng.standard_normal((m, n)) + 1j * rng.standard_normal((m, n))).astype(np.complex128)
h, params = made(solver.cusolverDnCreate), made(solver.cusolverDnCreateGesvdjInfo)
def svd(a, econ, ldv):
    A, S, U, V, info, lwork = send(a), room(8 * n), room(16 * m * m), room(16 * ldv * n), room(16, 0xFF), I()
    ok(solver.cusolverDnZgesvdj_bufferSize(h, 1, econ, m, n, A, m, S, U, m, V, ldv, C.byref(lwork), params))
    W = room(16 * lwork.value + 64)
    ok(solver.cusolverDnZgesvdj(h, 1, econ, m, n, A, m, S, U, m, V, ldv, W, lwork, info, params))
    return (fetch(S, (n,), np.float64), fetch(U, (m, m), np.complex128), fetch(V, (ldv, n), np.complex128)[:n],
            int(fetch(info, (1,), np.int32)[0]))
for econ in (0, 1):
    for ldv in (n, n + 3):
        s, u, v, info = svd(a, econ, ldv)
        assert info == 0 and np.allclose((u[:, :n] * s) @ v.conj().T, a, atol=1e-6), "A = U S V^H, with V and not V^H"
assert not np.allclose((u[:, :n] * s) @ v, a, atol=1e-3)
ok(solver.cusolverDnXgesvdjSetMaxSweeps(params, 1))
ok(solver.cusolverDnXgesvdjSetTolerance(params, C.c_double(1e-300)))
assert svd(a, 1, n)[3] in (0, n + 1)
""",
    )
