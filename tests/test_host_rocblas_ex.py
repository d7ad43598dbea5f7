"""The host engine's rocBLAS functions with types as arguments: values, the table of types, statuses."""

from __future__ import annotations

import itertools

import ml_dtypes
import numpy as np
import pytest
from rocblas_on_host import (
    CONJ,
    INVALID_HANDLE,
    INVALID_POINTER,
    INVALID_SIZE,
    INVALID_VALUE,
    NONE,
    NOT_IMPLEMENTED,
    SUCCESS,
    TRANS,
    Engine,
    enumerate_options,
    eps,
    op,
    random,
    wide,
)

PAIRS = ((0.75 - 0.5j, 1.5 + 0.25j), (1, 0), (0, 0.5 + 0.5j), (-1.25, 1))


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return Engine(tmp_path_factory.mktemp("rocblas"))


def cast(t: object, *values: object) -> tuple[np.ndarray, ...]:
    return tuple(np.array(v if np.dtype(t).kind == "c" else np.real(v), t) for v in values)


# ---- gemm_ex -----------------------------------------------------------------------------------------------
F16, F32, F64, C32, C64, I8, I32, BF16 = 150, 151, 152, 154, 155, 160, 162, 168
NUMPY = {
    F16: np.float16, F32: np.float32, F64: np.float64, C32: np.complex64, C64: np.complex128, I8: np.int8,
    I32: np.int32, BF16: ml_dtypes.bfloat16,
}  # fmt: skip
EX_TYPES = [
    (F64, F64, F64), (F32, F32, F32), (F16, F16, F16), (F16, F16, F32), (F16, F32, F32), (BF16, BF16, F32),
    (BF16, F32, F32), (I8, I32, I32), (C32, C32, C32), (C64, C64, C64),
]  # fmt: skip


def integers(rng: np.random.Generator, shape: tuple, t: object) -> np.ndarray:
    return rng.integers(-128, 128, shape).astype(t)


@pytest.mark.parametrize("types", EX_TYPES)
def test_gemm_ex(engine: Engine, types: tuple[int, int, int]) -> None:
    (ti, to, compute), (t, o, s) = types, (NUMPY[v] for v in types)
    transposes = list(itertools.product((NONE, TRANS, CONJ), repeat=2))
    make = integers if ti == I8 else random
    # the type follows each pointer in the _ex functions: positions differ, so each form is spelled out here
    for i, ((ta, tb), (m, n, k), pair) in enumerate(
        enumerate_options(transposes, ((1, 1, 1), (33, 5, 0), (31, 40, 1100)), PAIRS)
    ):
        rng = np.random.default_rng([i, ti, to])
        alpha, beta = cast(s, *((2, 3) if ti == I8 and i % 2 else pair))
        shape_a, shape_b = (m, k) if ta == NONE else (k, m), (k, n) if tb == NONE else (n, k)
        batch, width = 3, ("", "_64")[i % 2]
        a, b = (np.stack([make(rng, sh, t) for _ in range(batch)]) for sh in (shape_a, shape_b))
        c = np.stack([make(rng, (m, n), o) for _ in range(batch)])
        if ti == I8:
            pairs = [(op(x, ta).astype(np.int64), op(y, tb).astype(np.int64)) for x, y in zip(a, b, strict=True)]
            want = np.stack([int(alpha) * (x @ y) for x, y in pairs]) + int(beta) * c.astype(np.int64)
            want = want.astype(np.int32)
            tolerance = 0.0
        else:
            want = np.stack([wide(alpha) * (wide(op(x, ta)) @ wide(op(y, tb))) for x, y in zip(a, b, strict=True)])
            want = want + wide(beta) * wide(c)
            unit = eps(np.float32) if t in (np.float16, ml_dtypes.bfloat16) else eps(t)
            tolerance = 8 * (k**0.5 + 4) * unit * 4 + eps(o) * float(np.abs(want).max(initial=1))
            if beta == 0:
                c[:] = np.nan
        store = lambda x: [np.asfortranarray(v) for v in x]  # noqa: E731
        fa, fb, fc = store(a), store(b), store(c)
        flags = (compute, 0, 0, 0)
        head = (engine.handle, ta, tb, m, n, k, np.array([alpha], s))
        be = np.array([beta], s)
        lda, ldb = max(shape_a[0], 1), max(shape_b[0], 1)

        def tables(arrays: list) -> np.ndarray:
            return np.array([v.ctypes.data for v in arrays], np.uint64)

        outputs = {}
        d = [np.zeros((m, n), o, order="F") for _ in range(batch)]
        name = f"rocblas_gemm_ex{width}"
        status = engine.call(name, *head, fa[0], ti, lda, fb[0], ti, ldb, be, fc[0], to, m, d[0], to, m, *flags)
        assert status == SUCCESS
        outputs["one"] = [d[0]]
        d = [np.zeros((m, n), o, order="F") for _ in range(batch)]
        name = f"rocblas_gemm_batched_ex{width}"
        status = engine.call(
            name,
            *head,
            tables(fa),
            ti,
            lda,
            tables(fb),
            ti,
            ldb,
            be,
            tables(fc),
            to,
            m,
            tables(d),
            to,
            m,
            batch,
            *flags,
        )
        assert status == SUCCESS
        outputs["batched"] = d
        flat_a, flat_b, flat_c = (
            np.concatenate([v.ravel(order="F") for v in x]) if x[0].size else np.zeros(1, t) for x in (fa, fb, fc)
        )
        name = f"rocblas_gemm_strided_batched_ex{width}"  # C is D
        status = engine.call(
            name, *head, flat_a, ti, lda, a[0].size, flat_b, ti, ldb, b[0].size, be, flat_c, to, m, m * n,
            flat_c, to, m, m * n, batch, *flags,
        )  # fmt: skip
        assert status == SUCCESS
        outputs["strided"] = [flat_c[j * m * n : (j + 1) * m * n].reshape(n, m).T for j in range(batch)]
        for form, got in outputs.items():
            for g, w in zip(got, want, strict=False):
                error = np.abs((wide(g) if g.dtype.kind in "fcV" else g.astype(np.int64)) - w)
                assert (error <= tolerance).all(), (
                    f"{form} {ta} {tb} {m} {n} {k} {alpha} {beta}: {error.max()} > {tolerance}"
                )


def test_gemm_ex_refuses(engine: Engine) -> None:
    a, one = np.ones((4, 4), np.float32), np.ones(1, np.float32)

    def ex(ti=F32, tc=F32, td=F32, compute=F32, c=a, ldc=4, d=a, ldd=4, handle=engine.handle, ta=NONE, beta=one, A=a):
        return engine.call(
            "rocblas_gemm_ex",
            handle,
            ta,
            NONE,
            4,
            4,
            4,
            one,
            A,
            ti,
            4,
            a,
            ti,
            4,
            beta,
            c,
            tc,
            ldc,
            d,
            td,
            ldd,
            compute,
            0,
            0,
            0,
        )

    out = np.zeros((8, 4), np.float32)
    assert ex(d=out, ldd=8) == SUCCESS
    assert ex(handle=None) == INVALID_HANDLE and ex(ta=7) == INVALID_VALUE and ex(ldc=3) == INVALID_SIZE
    assert (
        ex(d=None) == INVALID_POINTER and ex(c=None, d=out) == INVALID_POINTER and ex(A=None, d=out) == INVALID_POINTER
    )
    assert ex(c=None, beta=np.zeros(1, np.float32), d=out) == SUCCESS
    assert ex(ldc=8, c=out, d=out, ldd=9) == INVALID_SIZE
    for types in (
        (I8, F32, F32, F32),
        (F32, F64, F64, F64),
        (F16, F16, F16, I32),
        (BF16, BF16, BF16, BF16),
        (C32, C32, C32, F32),
    ):
        assert ex(*types, d=out) == NOT_IMPLEMENTED


def buffers(arrays: list[np.ndarray]) -> np.ndarray:
    return np.array([v.ctypes.data for v in arrays], np.uint64)


L1_TYPES = {
    "axpy": [(F16, F16, F16, F32), (F32, F16, F16, F32), (BF16, BF16, BF16, F32), (F32, BF16, BF16, F32), (F16,) * 4,
             (F32,) * 4, (F64,) * 4, (C32,) * 4, (C64,) * 4],
    "scal": [(F16, F16, F32), (F32, F16, F32), (BF16, BF16, F32), (F32, BF16, F32), (F16,) * 3, (F32,) * 3, (F64,) * 3,
             (C32,) * 3, (C64,) * 3, (F32, C32, C32), (F64, C64, C64)],
    "dot": [(F16,) * 4, (F16, F16, F16, F32), (BF16, BF16, BF16, F32), (F32,) * 4, (F64,) * 4, (C32,) * 4, (C64,) * 4,
            (F32, F32, F64, F64)],
    "nrm2": [(F16, F16, F32), (BF16, BF16, F32), (F32,) * 3, (F64,) * 3, (C32, F32, F32), (C64, F64, F64)],
    "rot": [(BF16, BF16, BF16, F32), (F16, F16, F16, F32), (F32,) * 4, (F64,) * 4, (C32,) * 4, (C32, C32, F32, C32),
            (C64,) * 4, (C64, C64, F64, C64)],
}  # fmt: skip


@pytest.mark.parametrize("form", ["", "_batched", "_strided_batched"])
@pytest.mark.parametrize("width", ["", "_64"])
def test_level_1(engine: Engine, form: str, width: str) -> None:
    """Every accepted combination of types, in every form."""
    n, batch, h = 33, 3 if form else 1, engine.handle
    rng = np.random.default_rng([len(form), len(width)])

    def vectors(code: int) -> list[np.ndarray]:
        whole = random(rng, (batch, n), NUMPY[code])
        return list(whole)

    def pointer(v: list[np.ndarray]) -> np.ndarray:
        return buffers(v) if form == "_batched" else v[0]

    def array(v: list[np.ndarray], code: int) -> tuple:
        return (pointer(v), code, 1, *([n] if form == "_strided_batched" else []))

    count = [batch] if form else []

    def close(got: np.ndarray, want: np.ndarray, code: int, compute: int) -> None:
        unit = eps(NUMPY[code]) if code not in (F16, BF16) else eps(np.float32)
        error = np.abs(wide(np.asarray(got)) - want)
        limit = 8 * (n + 4) * max(unit, 0) + 2 * eps(NUMPY[code]) * np.abs(want)
        assert (error <= limit).all(), f"{form}{width} {code} {compute}: {error.max()}"

    for ta, tx, ty, te in L1_TYPES["axpy"]:
        x, y = vectors(tx), vectors(ty)
        (alpha,) = cast(NUMPY[ta], 0.75 - 0.5j)
        want = [wide(alpha) * wide(a) + wide(b) for a, b in zip(x, y, strict=True)]
        args = (h, n, alpha.reshape(1), ta, *array(x, tx), *array(y, ty), *count, te)
        assert engine.call(f"rocblas_axpy{form}_ex{width}", *args) == SUCCESS
        for g, w in zip(y, want, strict=True):
            close(g, w, ty, te)
    for ta, tx, te in L1_TYPES["scal"]:
        x = vectors(tx)
        (alpha,) = cast(NUMPY[ta], 1.5 - 0.5j)
        want = [wide(alpha) * wide(a) for a in x]
        args = (h, n, alpha.reshape(1), ta, *array(x, tx), *count, te)
        assert engine.call(f"rocblas_scal{form}_ex{width}", *args) == SUCCESS
        for g, w in zip(x, want, strict=True):
            close(g, w, tx, te)
    for name in ("dot", "dotc"):
        for tx, ty, tr, te in L1_TYPES["dot"]:
            x, y, out = vectors(tx), vectors(ty), np.zeros(batch, NUMPY[tr])
            want = [
                np.sum((wide(a).conj() if name == "dotc" else wide(a)) * wide(b)) for a, b in zip(x, y, strict=True)
            ]
            args = (h, n, *array(x, tx), *array(y, ty), *count, out, tr, te)
            assert engine.call(f"rocblas_{name}{form}_ex{width}", *args) == SUCCESS
            close(out, np.array(want), tr, te)
    for tx, tr, te in L1_TYPES["nrm2"]:
        x, out = vectors(tx), np.zeros(batch, NUMPY[tr])
        want = [np.sqrt(np.sum(np.abs(wide(a)) ** 2)) for a in x]
        assert engine.call(f"rocblas_nrm2{form}_ex{width}", h, n, *array(x, tx), *count, out, tr, te) == SUCCESS
        close(out, np.array(want), tr, te)
    for tx, ty, tc, te in L1_TYPES["rot"]:
        x, y = vectors(tx), vectors(ty)
        c, s = cast(NUMPY[tc], 0.6, 0.48 + 0.64j)
        u, v = [wide(a) for a in x], [wide(b) for b in y]
        args = (h, n, *array(x, tx), *array(y, ty), c.reshape(1), s.reshape(1), tc, *count, te)
        assert engine.call(f"rocblas_rot{form}_ex{width}", *args) == SUCCESS
        for i in range(batch):
            close(x[i], wide(c) * u[i] + wide(s) * v[i], tx, te)
            close(y[i], wide(c) * v[i] - wide(s).conj() * u[i], tx, te)


def test_level_1_refuses(engine: Engine) -> None:
    h, x, one = engine.handle, np.ones(4, np.float32), np.ones(1, np.float32)
    assert engine.call("rocblas_axpy_ex", h, 4, one, F64, x, F32, 1, x, F32, 1, F32) == NOT_IMPLEMENTED
    assert engine.call("rocblas_axpy_ex", h, 0, None, F64, None, F32, 1, None, F32, 1, F32) == SUCCESS
    assert engine.call("rocblas_scal_ex", h, 4, one, F32, x, F32, 1, F64) == NOT_IMPLEMENTED
    assert engine.call("rocblas_dot_ex", h, 4, x, F32, 1, x, F16, 1, one, F32, F32) == NOT_IMPLEMENTED
    assert engine.call("rocblas_nrm2_ex", h, 4, x, I8, 1, one, F32, F32) == NOT_IMPLEMENTED
    assert engine.call("rocblas_rot_ex", h, 4, x, F32, 1, x, F32, 1, None, one, F32, F32) == INVALID_POINTER
    assert engine.call("rocblas_rot_ex", None, 4, x, F32, 1, x, F32, 1, one, one, F32, F32) == INVALID_HANDLE


def test_trsm_ex(engine: Engine) -> None:
    h, rng = engine.handle, np.random.default_rng(4)
    for code in (F32, F64, C32, C64):
        t = NUMPY[code]
        a = np.stack([random(rng, (9, 9), t) / 9 + 2 * np.eye(9, dtype=t) for _ in range(3)]).astype(t)
        b = np.stack([random(rng, (5, 9), t) for _ in range(3)])  # transposed: column major, 9 x 5
        (alpha,) = cast(t, 2 - 1j)
        want = [np.linalg.solve(np.triu(x.T), alpha * y.T) for x, y in zip(a, b, strict=True)]
        head = (h, 141, 121, NONE, 131, 9, 5, alpha.reshape(1))
        one, many, strided = b.copy(), b.copy(), b.copy()
        assert engine.call("rocblas_trsm_ex", *head, a[0], 9, one[0], 9, None, 0, code) == SUCCESS
        args = (*head, buffers(list(a)), 9, buffers(list(many)), 9, 3, None, 0, code)
        assert engine.call("rocblas_trsm_batched_ex", *args) == SUCCESS
        args = (*head, a, 9, 81, strided, 9, 45, 3, None, 0, 0, code)
        assert engine.call("rocblas_trsm_strided_batched_ex", *args) == SUCCESS
        for i in range(3):
            for got in (many[i], strided[i], *([one[0]] if i == 0 else [])):
                assert np.abs(got.T - want[i]).max() <= 64 * eps(t)
    assert engine.call("rocblas_trsm_ex", *head, a[0], 9, one[0], 9, None, 0, F16) == NOT_IMPLEMENTED


@pytest.mark.parametrize(
    "types", [(BF16, BF16, F32), (BF16, F32, F32), (F16, F16, F32), (F16, F32, F32), (F32, F32, F64), (F32, F64, F64)]
)
def test_syrk_ex(engine: Engine, types: tuple[int, int, int]) -> None:
    (ta, tc, te), rng, n, k = types, np.random.default_rng(5), 21, 9
    for trans, uplo, (al, be) in itertools.product((NONE, TRANS), (121, 122), ((1.5, 0.5), (2, 0), (0, 0.5))):
        a = np.asfortranarray(random(rng, (n, k) if trans == NONE else (k, n), NUMPY[ta]))
        c = np.asfortranarray(random(rng, (n, n), NUMPY[tc]))
        mask = np.triu(np.ones((n, n), bool)) if uplo == 121 else np.tril(np.ones((n, n), bool))
        left = wide(op(a, trans))
        want = np.where(mask, al * (left @ left.T) + be * wide(c), wide(c))
        if be == 0:
            c[mask] = np.nan
        alpha, beta = cast(NUMPY[te], al, be)
        args = (engine.handle, uplo, trans, n, k, alpha.reshape(1), a, ta, len(a), beta.reshape(1), c, tc, n, te)
        assert engine.call("rocblas_syrk_ex", *args) == SUCCESS
        assert (np.abs(wide(c) - want) <= 2 * eps(NUMPY[tc]) * np.abs(want) + 1e-5).all()
    assert engine.call("rocblas_syrk_ex", *args[:7], I8, *args[8:]) == NOT_IMPLEMENTED


def test_geam_ex(engine: Engine) -> None:
    rng, m, n, k = np.random.default_rng(6), 7, 6, 5
    for code, operation, (ta, tb), (al, be) in itertools.product(
        (F16, F32, F64), (0, 1), ((NONE, TRANS), (TRANS, NONE)), ((2, 0.5), (1, 0))
    ):
        t = NUMPY[code]
        a = np.asfortranarray(random(rng, (m, k) if ta == NONE else (k, m), t))
        b = np.asfortranarray(random(rng, (k, n) if tb == NONE else (n, k), t))
        c, d = np.asfortranarray(random(rng, (m, n), t)), np.zeros((m, n), t, order="F")
        x, y = al * wide(op(a, ta))[:, :, None], al * wide(op(b, tb))[None, :, :]
        if operation == 0:
            want = np.minimum((x + y).min(axis=1), be * wide(c))
        else:
            want = np.minimum(x, y).sum(axis=1) + be * wide(c)
        alpha, beta = cast(t, al, be)
        args = (engine.handle, ta, tb, m, n, k, alpha.reshape(1), a, code, len(a), b, code, len(b), beta.reshape(1))
        assert engine.call("rocblas_geam_ex", *args, c, code, m, d, code, m, code, operation) == SUCCESS
        assert np.abs(wide(d) - want).max() <= 16 * eps(t)
    assert engine.call("rocblas_geam_ex", *args, c, F32, m, d, code, m, code, 0) == NOT_IMPLEMENTED


def test_solutions(engine: Engine) -> None:
    size, listed = np.zeros(1, np.int32), np.full(1, 9, np.int32)
    none = (
        engine.handle,
        NONE,
        NONE,
        4,
        4,
        4,
        None,
        None,
        F32,
        4,
        None,
        F32,
        4,
        None,
        None,
        F32,
        4,
        None,
        F32,
        4,
        F32,
        1,
        0,
    )
    assert engine.call("rocblas_gemm_ex_get_solutions", *none, None, size) == SUCCESS and size[0] == 1
    assert engine.call("rocblas_gemm_ex_get_solutions", *none, listed, size) == SUCCESS and listed[0] == 1
    assert (
        engine.call("rocblas_gemm_ex_get_solutions_by_type", engine.handle, F32, F32, F32, 0, None, None)
        == INVALID_POINTER
    )
