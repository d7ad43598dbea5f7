"""The host engine's rocBLAS, level 1: values in every form, statuses, NaN rules, pointer modes."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from rocblas_on_host import (
    DTYPES,
    INVALID_HANDLE,
    INVALID_POINTER,
    REAL,
    SIZES,
    SUCCESS,
    Engine,
    Packed,
    Result,
    Scalar,
    Val,
    Vector,
    eps,
    random,
    wide,
)

INCS = ((1, 1), (2, 3), (-1, 1), (1, -2), (-3, -2))


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return Engine(tmp_path_factory.mktemp("rocblas"))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return Engine(tmp_path_factory.mktemp("rocblas"), hostile=True)


@pytest.mark.parametrize("letter", ["s", "d", "c", "z", "h"])
def test_axpy(engine: Engine, letter: str) -> None:
    t = DTYPES[letter]
    alpha = np.array([0.75 if letter in "sdh" else 0.75 - 0.5j], t)[0]
    for i, n in enumerate(SIZES):
        incx, incy = INCS[i % len(INCS)]

        def problem(rng, n=n, incx=incx, incy=incy):
            x, y = random(rng, n, t), random(rng, n, t)
            want = wide(y) + wide(np.array(alpha)) * wide(x)
            return Val(n), Scalar(alpha, t), Vector(x, inc=incx), Vector(y, want, 4 * eps(t), inc=incy)

        engine.check(f"rocblas_{letter}axpy", problem, i)


@pytest.mark.parametrize("name", ["sscal", "dscal", "cscal", "zscal", "csscal", "zdscal"])
def test_scal(engine: Engine, name: str) -> None:
    t = DTYPES[name[0]]
    a = DTYPES[name[1]] if len(name) == 6 else t
    alpha = np.array([1.5 if np.dtype(a).kind == "f" else 1.5 - 0.5j], a)[0]
    for i, n in enumerate(SIZES):

        def problem(rng, n=n, inc=(1, 3)[i % 2]):
            x = random(rng, n, t)
            return Val(n), Scalar(alpha, a), Vector(x, wide(x) * wide(np.array(alpha)), 4 * eps(t), inc=inc)

        engine.check(f"rocblas_{name}", problem, i)
    # an increment that is not positive does nothing; alpha 0 is a multiplication
    engine.check(f"rocblas_{name}", lambda rng: (Val(5), Scalar(alpha, a), Vector(random(rng, 5, t), inc=-1)))
    bad = np.array([np.nan, np.inf, 2], t)
    want = np.array([np.nan, np.nan, 0]) if np.dtype(t).kind == "f" else np.array([np.nan, np.nan, 0], complex)
    if np.dtype(t).kind == "f":
        engine.check(f"rocblas_{name}", lambda rng: (Val(3), Scalar(0, a), Vector(bad, want)))


@pytest.mark.parametrize("letter", "sdcz")
def test_copy_swap(engine: Engine, letter: str) -> None:
    t = DTYPES[letter]
    for i, n in enumerate(SIZES):
        incx, incy = INCS[i % len(INCS)]

        def copy(rng, n=n, incx=incx, incy=incy):
            x, y = random(rng, n, t), random(rng, n, t)
            return Val(n), Vector(x, inc=incx), Vector(y, x, inc=incy)

        def swap(rng, n=n, incx=incx, incy=incy):
            x, y = random(rng, n, t), random(rng, n, t)
            return Val(n), Vector(x, y, inc=incx), Vector(y, x, inc=incy)

        engine.check(f"rocblas_{letter}copy", copy, i)
        engine.check(f"rocblas_{letter}swap", swap, i)


@pytest.mark.parametrize("name", ["sdot", "ddot", "hdot", "bfdot", "cdotu", "zdotu", "cdotc", "zdotc"])
def test_dot(engine: Engine, name: str) -> None:
    t = DTYPES[name[: name.index("dot", 1) if name[0] == "d" else name.index("dot")]]
    for i, n in enumerate((*SIZES, 40000)):
        incx, incy = INCS[i % len(INCS)]

        def problem(rng, n=n, incx=incx, incy=incy):
            x, y = random(rng, n, t), random(rng, n, t)
            want = np.sum((wide(x).conj() if name.endswith("c") else wide(x)) * wide(y))
            scale = float(np.sum(np.abs(wide(x)) * np.abs(wide(y)))) + 1e-30
            narrow = eps(t) * float(abs(want)) if name[0] in "hb" else 0
            unit = eps(np.float32) if name[0] in "hb" else eps(t)
            return Val(n), Vector(x, inc=incx), Vector(y, inc=incy), Result(want, t, narrow + 40 * unit * scale)

        engine.check(f"rocblas_{name}", problem, i)


@pytest.mark.parametrize("name", ["snrm2", "dnrm2", "scnrm2", "dznrm2", "sasum", "dasum", "scasum", "dzasum"])
def test_norms(engine: Engine, name: str) -> None:
    t = DTYPES[name[1]] if name[1] in "cz" else DTYPES[name[0]]
    r = REAL[name[0]]

    def value(x: np.ndarray) -> object:
        w = wide(x)
        return np.sqrt(np.sum(np.abs(w) ** 2)) if "nrm2" in name else np.sum(np.abs(w.real) + np.abs(w.imag))

    for i, n in enumerate((*SIZES, 70000)):

        def problem(rng, n=n, inc=(1, 2)[i % 2]):
            x = random(rng, n, t)
            want = value(x) if n else 0
            return Val(n), Vector(x, inc=inc), Result(want, r, float(4 * eps(r) * np.sqrt(n + 1) * (abs(want) + 1e-30)))

        engine.check(f"rocblas_{name}", problem, i)
    engine.check(f"rocblas_{name}", lambda rng: (Val(4), Vector(random(rng, 4, t), inc=-1), Result(0, r)))
    if "nrm2" in name:  # scaled: neither over- nor underflow
        for size in (1e25, 1e-25) if r == np.float32 else (1e200, 1e-200, 1e-310):
            x = np.full(3, size, t)
            engine.check(
                f"rocblas_{name}",
                lambda rng, x=x: (Val(3), Vector(x), Result(value(x), r, 1e-6 * abs(float(value(x))))),
            )
    nan = np.array([1, np.nan, 2], t)
    engine.check(f"rocblas_{name}", lambda rng: (Val(3), Vector(nan), Result(np.nan, r)))


@pytest.mark.parametrize("letter", "sdcz")
@pytest.mark.parametrize("which", ["amax", "amin"])
def test_extremes(engine: Engine, letter: str, which: str) -> None:
    t = DTYPES[letter]

    def want(x: np.ndarray) -> int:
        size = np.abs(x.real) + np.abs(x.imag)
        good = np.where(np.isnan(size), -np.inf if which == "amax" else np.inf, size)
        return int(np.argmax(good) if which == "amax" else np.argmin(good)) + 1 if len(x) else 0

    for i, n in enumerate((*SIZES, 2049, 70000)):

        def problem(rng, n=n, inc=(1, 2)[i % 2]):
            x = random(rng, n, t)
            if n > 4:
                x[rng.integers(n)] = np.nan
                x[n // 2] = x[n - 1] = 9 if which == "amax" else 1e-9  # a tie: the first
            return Val(n), Vector(x, inc=inc), Result(want(x), int)

        engine.check(f"rocblas_i{letter}{which}", problem, i)
    nothing = np.full(7, np.nan, t)
    engine.check(f"rocblas_i{letter}{which}", lambda rng: (Val(7), Vector(nothing), Result(1, int)))
    engine.check(f"rocblas_i{letter}{which}", lambda rng: (Val(7), Vector(nothing, inc=0), Result(0, int)))


@pytest.mark.parametrize("name", ["srot", "drot", "crot", "zrot", "csrot", "zdrot"])
def test_rot(engine: Engine, name: str) -> None:
    t = DTYPES[name[0]]
    r = REAL[name[0]]
    s_type = r if len(name) == 5 else t
    c, s = np.array(0.6, r), np.array(0.8 if np.dtype(s_type).kind == "f" else 0.48 + 0.64j, s_type)
    for i, n in enumerate(SIZES):
        incx, incy = INCS[i % len(INCS)]

        def problem(rng, n=n, incx=incx, incy=incy):
            x, y = random(rng, n, t), random(rng, n, t)
            u, v, cw, sw = wide(x), wide(y), wide(c), wide(s)
            return (
                Val(n),
                Vector(x, cw * u + sw * v, 4 * eps(t), inc=incx),
                Vector(y, cw * v - sw.conj() * u, 4 * eps(t), inc=incy),
                Scalar(c, r),
                Scalar(s, s_type),
            )

        engine.check(f"rocblas_{name}", problem, i)


@pytest.mark.parametrize("letter", "sd")
def test_rotm(engine: Engine, letter: str) -> None:
    t = DTYPES[letter]
    for flag in (-2, -1, 0, 1):
        h11, h21, h12, h22 = 0.5, -0.25, 0.75, 1.25
        h = {-2: np.eye(2), -1: [[h11, h12], [h21, h22]], 0: [[1, h12], [h21, 1]], 1: [[h11, 1], [-1, h22]]}[flag]
        param = np.array([flag, h11, h21, h12, h22], t)
        for n in (0, 1, 5, 33):

            def problem(rng, n=n, h=h, param=param):
                x, y = random(rng, n, t), random(rng, n, t)
                new = np.array(h) @ np.array([wide(x), wide(y)])
                return Val(n), Vector(x, new[0], 4 * eps(t), inc=-2), Vector(y, new[1], 4 * eps(t)), Packed(param)

            engine.check(f"rocblas_{letter}rotm", problem, n)


@pytest.mark.parametrize("letter", "sdcz")
def test_rotg(engine: Engine, letter: str) -> None:
    t, r = DTYPES[letter], REAL[letter]
    values = [(3, 4), (4, -3), (0, 2), (2, 0), (0, 0), (1e-3, 7)]
    if letter in "cz":
        values = [(3 + 1j, 4 - 2j), (0, 2 - 1j), (2j, 0), (0, 0)]
    for a, b in values:
        one = [np.zeros(1, t), np.zeros(1, t), np.zeros(1, r), np.zeros(1, t)]
        one[0][0], one[1][0] = a, b
        assert engine.call(f"rocblas_{letter}rotg", engine.handle, *one) == SUCCESS
        r_, z, c, s = (wide(v)[0] for v in one)
        if letter in "cz" and a == 0:
            assert (c, s, r_) == (0, 1, b)
            continue
        # it rotates b away, and c and s are on the unit circle
        assert abs(c * wide(np.array(a, t)) + s * wide(np.array(b, t)) - r_) <= 8 * eps(t) * (abs(r_) + 1e-30)
        assert abs(c * wide(np.array(b, t)) - np.conj(s) * wide(np.array(a, t))) <= 8 * eps(t) * (abs(r_) + 1e-30)
        assert abs(c * c + abs(s) ** 2 - 1) <= 8 * eps(t)
        if (a, b) == (0, 0):
            assert (c, s, r_, z) == (1, 0, 0, 0)

        def problem(rng, a=a, b=b, one=one):
            shapes = [np.array([v], d) for v, d in zip((a, b, 0, 0), (t, t, r, t), strict=True)]
            return tuple(Packed(v, w) for v, w in zip(shapes, one, strict=True))

        engine.check(f"rocblas_{letter}rotg", problem)


@pytest.mark.parametrize("letter", "sd")
def test_rotmg(engine: Engine, letter: str) -> None:
    t = DTYPES[letter]
    for d1, d2, x1, y1 in [
        (1, 2, 3, 4),
        (2, 1, 4, 3),
        (-1, 1, 1, 1),
        (1, 0, 1, 1),
        (1, -2, 3, 1),
        (1, -2, 1, 3),
        (1e-9, 1e9, 1, 1),
        (1e9, 1e-9, 1, 2),
    ]:
        inputs = [np.array([v], t) for v in (d1, d2, x1, y1)]
        out = [v.copy() for v in inputs]
        param = np.full(5, 7, t)
        assert engine.call(f"rocblas_{letter}rotmg", engine.handle, *out, param) == SUCCESS
        flag, h11, h21, h12, h22 = (float(v) for v in param)
        if d1 < 0 or (d1, d2, x1, y1) == (1, -2, 1, 3):
            assert flag == -1 and out[0][0] == out[1][0] == out[2][0] == 0
        elif d2 == 0:
            assert flag == -2 and param[1] == 7
        else:  # H (x1, y1) = (new x1, 0), and the weighted length is kept
            h = {-1: [[h11, h12], [h21, h22]], 0: [[1, h12], [h21, 1]], 1: [[h11, 1], [-1, h22]]}[int(flag)]
            new = np.array(h) @ [x1, y1]
            assert abs(new[0] - out[2][0]) <= 8 * eps(t) * abs(out[2][0]) and abs(new[1]) <= 8 * eps(t) * abs(
                h[1][1] * y1
            )
            length = d1 * x1**2 + d2 * y1**2
            assert abs(float(out[0][0]) * float(out[2][0]) ** 2 - length) <= 16 * eps(t) * abs(length)

        def problem(rng, inputs=inputs, out=out, param=param):
            arrays = [Packed(v.copy(), w) for v, w in zip(inputs, out, strict=True)]
            arrays[3].want = None
            return (*arrays, Packed(np.full(5, 7, t), param))

        engine.check(f"rocblas_{letter}rotmg", problem)


def test_faults_are_noticed(engine: Engine) -> None:
    """The comparison itself: one wrong element, a write into the padding, a wrong status."""
    x = np.ones(6)
    with pytest.raises(AssertionError, match="1 wrong"):
        want = np.where(np.arange(6) == 3, 2.5, 2.0)
        engine.check("rocblas_dscal", lambda rng: (Val(6), Scalar(2, np.float64), Vector(x, want)))
    with pytest.raises(AssertionError, match="wrong|NaN"):  # says 5 elements, the engine writes 6
        engine.check("rocblas_dscal", lambda rng: (Val(6), Scalar(2, np.float64), Vector(x[:5], 2 * x[:5])))
    with pytest.raises(AssertionError, match="status 0, not 4"):
        engine.check("rocblas_dscal", lambda rng: (Val(6), Scalar(1, np.float64), Vector(x)), want=4)


def test_statuses(engine: Engine) -> None:
    x, one, out = np.ones(4, np.float32), np.ones(1, np.float32), np.full(1, 7, np.float32)
    h = engine.handle
    assert engine.call("rocblas_saxpy", None, 4, one, x, 1, x, 1) == INVALID_HANDLE
    assert engine.call("rocblas_saxpy", h, 0, None, None, 1, None, 1) == SUCCESS
    assert engine.call("rocblas_saxpy", h, 4, None, x, 1, x, 1) == INVALID_POINTER
    assert engine.call("rocblas_saxpy", h, 4, np.zeros(1, np.float32), None, 1, None, 1) == SUCCESS
    assert engine.call("rocblas_saxpy", h, 4, one, None, 1, x, 1) == INVALID_POINTER
    assert engine.call("rocblas_sscal", h, 4, None, x, 1) == INVALID_POINTER
    assert engine.call("rocblas_sscal", h, 4, None, None, 0) == SUCCESS
    assert engine.call("rocblas_scopy", h, 4, x, 1, None, 1) == INVALID_POINTER
    assert engine.call("rocblas_sdot", h, 0, None, 1, None, 1, None) == INVALID_POINTER
    assert engine.call("rocblas_sdot", h, 0, None, 1, None, 1, out) == SUCCESS and out[0] == 0
    assert engine.call("rocblas_sdot_batched", h, 0, None, 1, None, 1, 0, None) == SUCCESS
    assert engine.call("rocblas_snrm2", h, 4, x, 1, None) == INVALID_POINTER
    assert engine.call("rocblas_snrm2", h, 4, None, 1, out) == INVALID_POINTER
    assert engine.call("rocblas_isamax", h, 4, x, 1, None) == INVALID_POINTER
    assert engine.call("rocblas_srot", h, 4, x, 1, x, 1, None, one) == INVALID_POINTER
    assert engine.call("rocblas_srotm", h, 4, None, 1, None, 1, np.array([-2, 0, 0, 0, 0], np.float32)) == SUCCESS
    assert engine.call("rocblas_srotg", h, one, one, None, one) == INVALID_POINTER


def test_increment_zero_is_sequential(engine: Engine) -> None:
    x, y, one = np.array([2], np.float64), np.array([1.0]), np.ones(1)
    assert engine.call("rocblas_daxpy", engine.handle, 5, one, x, 0, y, 0) == SUCCESS and y[0] == 11
    many = np.arange(4.0)
    assert engine.call("rocblas_dcopy", engine.handle, 4, many, 1, y, 0) == SUCCESS and y[0] == 3
    out = np.zeros(1)
    assert engine.call("rocblas_ddot", engine.handle, 4, many, 1, x, 0, out) == SUCCESS and out[0] == 12


def test_results_do_not_depend_on_who_computes(engine: Engine) -> None:
    """The same call twice gives the same bits, and counts one call."""
    x = np.random.default_rng(3).standard_normal(300_000).astype(np.float32)
    out = np.zeros(8, np.float32)
    engine.control("reset")
    for i in range(8):
        assert engine.call("rocblas_snrm2", engine.handle, len(x), x, 1, out[i:]) == SUCCESS
    assert engine.control("calls") == 8 and engine.control("allocations") == engine.control("copies") == 0
    assert len(set(out.tolist())) == 1


def test_hostile(hostile: Engine) -> None:
    big, out, index = np.full(3, 1e25, np.float32), np.zeros(1, np.float32), np.zeros(1, np.int32)
    assert hostile.call("rocblas_snrm2", hostile.handle, 3, big, 1, out) == SUCCESS and np.isinf(out[0])
    x = np.array([np.nan, 5, 3], np.float32)
    assert hostile.call("rocblas_isamax", hostile.handle, 3, x, 1, index) == SUCCESS and index[0] == 1
    assert hostile.call("rocblas_isamax", hostile.handle, 3, x[::-1].copy(), 1, index) == SUCCESS and index[0] == 2
    table = np.array([big.ctypes.data], np.uint64)
    one = np.full(1, 2, np.float32)
    assert hostile.call("rocblas_sscal_batched", hostile.handle, 3, one, table, 1, 1) != SUCCESS
    hostile.check(
        "rocblas_sscal", lambda rng: (Val(3), Scalar(2, np.float32), Vector(np.ones(3, np.float32), np.full(3, 2.0)))
    )


def test_workspace_of_the_users(engine: Engine) -> None:
    handle, size = ctypes.c_void_p(), ctypes.c_size_t()
    assert engine.call("rocblas_create_handle", ctypes.addressof(handle)) == SUCCESS
    h = handle.value
    x, out, memory = np.ones(10_000, np.float32), np.zeros(1, np.float32), np.zeros(64, np.uint8)
    assert engine.call("rocblas_start_device_memory_size_query", h) == SUCCESS
    assert engine.call("rocblas_sasum", h, len(x), None, 1, None) == 9
    assert engine.call("rocblas_saxpy", h, 4, None, None, 1, None, 1) == 10
    assert engine.call("rocblas_stop_device_memory_size_query", h, ctypes.addressof(size)) == SUCCESS
    assert size.value >= 64 and size.value % 64 == 0
    assert engine.call("rocblas_set_workspace", h, memory, 16) == SUCCESS
    assert engine.call("rocblas_sasum", h, len(x), x, 1, out) == 5
    assert engine.call("rocblas_set_workspace", h, None, 0) == SUCCESS
    assert engine.call("rocblas_sasum", h, len(x), x, 1, out) == SUCCESS and out[0] == len(x)
    assert engine.call("rocblas_destroy_handle", h) == SUCCESS
