# ruff: noqa: E501
"""cusolverRf beside its conformance cases: what touches the device, captures, handles, threads, exact mode."""

from __future__ import annotations

from pathlib import Path

from test_cusolversp import run

CODE = r"""
solver.cusolverRfSetNumericProperties.argtypes = [C.c_void_p, C.c_double, C.c_double]
lu = spl.splu(A.tocsc(), permc_spec="NATURAL", diag_pivot_thresh=0, options=dict(SymmetricMode=True))
L, U = (sp.csr_array(m) for m in (lu.L, lu.U))
order = np.arange(n, dtype=np.int32)
assert (lu.perm_r == order).all() and (lu.perm_c == order).all()
def parts(m): m.sort_indices(); return [m.indptr.astype(np.int32), m.indices.astype(np.int32), m.data.astype(np.float64)]
AP, LP, UP = (parts(m) for m in (A.copy(), L, U))
def create():
    h = C.c_void_p(); ok(solver.cusolverRfCreate(C.byref(h))); return h
def setup(h, move=p, name="cusolverRfSetupHost"):
    args = [n]
    for m in (AP, LP, UP): args += [len(m[1]), *(move(v) for v in m)]
    return getattr(solver, name)(*args, move(order), move(order), h)
def reset(h, values): return solver.cusolverRfResetValues(n, len(AP[1]), *(dev(v) for v in (AP[0], AP[1], values, order, order)), h)
def solve(h, right, nrhs=1):
    x = dev(right); return solver.cusolverRfSolve(h, dev(order), dev(order), nrhs, dev(np.zeros(n * nrhs)), n, x, n), get(x, right.copy())
"""


def test_host_functions_touch_no_device(lib_dir: Path) -> None:
    run(
        lib_dir,
        CODE
        + r"""
h = create()
before = counters()
ok(setup(h)); ok(solver.cusolverRfAnalyze(h))
out = (C.c_void_p * 8)()
ok(solver.cusolverRfExtractBundledFactorsHost(h, *(C.byref(out, 8 * k) for k in range(4))))
ok(solver.cusolverRfExtractSplitFactorsHost(h, *(C.byref(out, 8 * k) for k in range(8))))
assert counters() == before, (before, counters())
ok(reset(h, AP[2] * 3)); ok(solver.cusolverRfRefactor(h))
status, x = solve(h, b)
assert status == 0 and np.abs(3 * (A @ x) - b).max() < 1e-11 and counters() != before
""",
    )


def test_many_values_keep_one_object_small(lib_dir: Path) -> None:
    """The flow of a circuit simulator: one setup, many values; and a second setup of another pattern."""
    run(
        lib_dir,
        CODE
        + r"""
h = create()
ok(setup(h, dev, "cusolverRfSetupDevice")); ok(solver.cusolverRfAnalyze(h))
rng = np.random.default_rng(0)
for step in range(20):
    values = AP[2] * (1 + 0.1 * rng.random(len(AP[2])))
    M = sp.csr_array((values, AP[1], AP[0]), shape=A.shape)
    ok(reset(h, values)); ok(solver.cusolverRfRefactor(h))
    status, x = solve(h, b)
    assert status == 0 and np.abs(M @ x - b).max() < 1e-10
one = [np.array([0, 1], np.int32), np.zeros(1, np.int32), np.array([2.0])]
ok(solver.cusolverRfSetupHost(1, 1, *map(p, one), 1, *map(p, one), 1, *map(p, one), p(order), p(order), h))
x = dev(np.array([6.0])); ok(solver.cusolverRfSolve(h, dev(order), dev(order), 1, dev(b), 1, x, 1))
assert get(x, np.zeros(1))[0] == 3
""",
    )


def test_captures_are_refused_and_bad_handles_answered(lib_dir: Path) -> None:
    run(
        lib_dir,
        CODE
        + r"""
h = create(); ok(setup(h))
ok(solver.cusolverRfDestroy(h))
assert solver.cusolverRfDestroy(h) == 1 and solver.cusolverRfAnalyze(h) == 1 and setup(h) == 1
sparse = handle()
for wrong in (sparse, C.c_void_p(12345), p(order), C.c_void_p(0)):
    assert solver.cusolverRfRefactor(wrong) == 1 and solver.cusolverRfDestroy(wrong) == 1
assert solver.cusolverRfCreate(None) == 3
h = create(); ok(setup(h))
assert solver.cusolverRfGetAlgs(h, None, None) == 3 and solver.cusolverRfBatchZeroPivot(h, None) == 3
for missing in range(3):
    args = [dev(order), dev(order), dev(b)]; args[missing] = None
    assert solver.cusolverRfSolve(h, args[0], args[1], 1, dev(b), n, args[2], n) == 3
assert solver.cusolverRfSolve(h, dev(b.view(np.int32)), dev(order), 1, dev(b), n, dev(b), n) == 3  # no permutation
""",
    )


def test_right_hand_sides_at_once_unless_exact(lib_dir: Path) -> None:
    """NVIDIA's takes one; INVALID_VALUE is its answer to more."""
    code = (
        CODE
        + r"""
h = create(); ok(setup(h))
both = np.concatenate([b, 2 * b])
status, x = solve(h, both, 2)
want = int(os.environ.get("WANT", "0"))
assert status == want, status
assert (x == both).all() if want else np.abs(A @ x.reshape(2, n).T - both.reshape(2, n).T).max() < 1e-10
"""
    )
    run(lib_dir, code)
    run(lib_dir, code, SCALE_X_COMPAT="exact", WANT="3")


def test_threads_share_an_object_and_have_their_own(lib_dir: Path) -> None:
    run(
        lib_dir,
        CODE
        + r"""
shared = create(); ok(setup(shared)); ok(solver.cusolverRfRefactor(shared))
wrong = []
def work():
    mine = create(); ok(setup(mine))
    for h in (mine, shared) * 5:
        ok(solver.cusolverRfRefactor(h))
        status, x = solve(h, b)
        if status or np.abs(A @ x - b).max() > 1e-10: wrong.append(status)
    ok(solver.cusolverRfDestroy(mine))
threads = [threading.Thread(target=work) for _ in range(4)]
[t.start() for t in threads]; [t.join() for t in threads]
assert not wrong, wrong
""",
    )


def test_factors_of_cusolversp_are_refactored(lib_dir: Path) -> None:
    """NVIDIA's sample: csrlu on the host gives P, Q, L (its ones not stored) and U, which cusolverRf takes."""
    run(
        lib_dir,
        CODE
        + r"""
handle_, info, val, row, col = handle(), C.c_void_p(), AP[2], AP[0], AP[1]
ok(solver.cusolverSpCreateCsrluInfoHost(C.byref(info)))
ok(solver.cusolverSpXcsrluAnalysisHost(handle_, n, len(val), descr, p(row), p(col), info))
a, w = C.c_size_t(), C.c_size_t()
ok(solver.cusolverSpDcsrluBufferInfoHost(handle_, n, len(val), descr, p(val), p(row), p(col), info, C.byref(a), C.byref(w)))
buffer = np.zeros(w.value)
ok(solver.cusolverSpDcsrluFactorHost(handle_, n, len(val), descr, p(val), p(row), p(col), info, C.c_double(1), p(buffer)))
nl, nu = C.c_int(), C.c_int()
ok(solver.cusolverSpXcsrluNnzHost(handle_, C.byref(nl), C.byref(nu), info))
P, Q = np.zeros(n, np.int32), np.zeros(n, np.int32)
L, U = ([np.zeros(k.value), np.zeros(n + 1, np.int32), np.zeros(k.value, np.int32)] for k in (nl, nu))
ok(solver.cusolverSpDcsrluExtractHost(handle_, p(P), p(Q), descr, *map(p, L), descr, *map(p, U), info, p(buffer)))
h = create()
ok(solver.cusolverRfSetMatrixFormat(h, 0, 2))
ok(solver.cusolverRfSetupHost(n, len(val), p(row), p(col), p(val), nl, p(L[1]), p(L[2]), p(L[0]), nu, p(U[1]), p(U[2]), p(U[0]), p(P), p(Q), h))
ok(solver.cusolverRfAnalyze(h))
ok(solver.cusolverRfResetValues(n, len(val), *(dev(v) for v in (row, col, val * 2, P, Q)), h)); ok(solver.cusolverRfRefactor(h))
x = dev(b); ok(solver.cusolverRfSolve(h, dev(P), dev(Q), 1, dev(b), n, x, n))
assert np.abs(2 * (A @ get(x, b.copy())) - b).max() < 1e-11
""",
    )
