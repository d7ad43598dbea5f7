"""The host engine's hipBLASLt: what it refuses, in which release, and what it does of its own accord."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from hipblaslt_on_host import (
    BGRADA,
    BIAS,
    DEFAULT,
    DESC,
    DGELU_BGRAD,
    DRELU,
    F32,
    F64,
    GELU,
    GELU_AUX,
    GELU_AUX_BIAS,
    GELU_BIAS,
    I32,
    INTERNAL_ERROR,
    INVALID_ENUM,
    INVALID_VALUE,
    NOT_INITIALIZED,
    NOT_SUPPORTED,
    RELU_AUX,
    SUCCESS,
    TF32,
    Heuristic,
    Lt,
    Matmul,
)
from rocblas_on_host import Engine

f32, f16, bf16 = np.float32, np.float16, ml_dtypes.bfloat16
e4m3, fnuz = ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e4m3fnuz
TARGETS = [(600, "gfx90a"), (604, "gfx1100"), (702, "gfx942"), (1001, "gfx950")]


def make(directory: Path, release: int, arch: str, **settings: object) -> Lt:
    return Lt(Engine(directory, release=release, arch=arch, **settings))


@pytest.fixture(scope="module", params=TARGETS, ids=lambda t: f"{t[0]}-{t[1]}")
def any_lt(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Lt, int]:
    release, arch = request.param
    return make(tmp_path_factory.mktemp("lt"), release, arch), release


@pytest.fixture(scope="module")
def lt(tmp_path_factory: pytest.TempPathFactory) -> Lt:
    return make(tmp_path_factory.mktemp("lt"), 702, "gfx942")


# ---- descriptors -------------------------------------------------------------------------------------------
def test_handles(any_lt: tuple[Lt, int]) -> None:
    lt, release = any_lt
    version = ctypes.c_int()
    assert lt.call("hipblasLtCreate", None) == INVALID_VALUE
    assert lt.call("hipblasLtDestroy", None) == INVALID_VALUE
    assert lt.call("hipblasLtGetVersion", None, ctypes.addressof(version)) == NOT_INITIALIZED
    assert lt.call("hipblasLtGetVersion", lt.handle, ctypes.addressof(version)) == SUCCESS
    assert version.value == {600: 600, 604: 1200, 702: 100202, 1001: 100500}[release]
    assert ("hipblasLtSetSmCountTarget" in lt.engine.table) == (release >= 1000)
    if release >= 1000:
        count = ctypes.c_int32(7)
        assert lt.call("hipblasLtSetSmCountTarget", lt.handle, -1) == INVALID_VALUE
        assert lt.call("hipblasLtSetSmCountTarget", lt.handle, 5) == SUCCESS
        assert lt.call("hipblasLtGetSmCountTarget", lt.handle, ctypes.addressof(count)) == SUCCESS
        assert count.value == 5


def test_creation_of_descriptors(any_lt: tuple[Lt, int]) -> None:
    lt, release = any_lt
    out = ctypes.c_void_p()
    at = ctypes.addressof(out)
    assert lt.call("hipblasLtMatrixLayoutCreate", None, 0, 1, 1, 1) == INVALID_VALUE
    assert lt.call("hipblasLtMatrixLayoutCreate", at, 12345, 0, 5, -7) == SUCCESS  # nothing is looked at
    assert lt.call("hipblasLtMatrixLayoutDestroy", out.value) == SUCCESS
    for kind, status in (("MatrixLayout", INVALID_VALUE), ("MatmulDesc", INVALID_VALUE),
                         ("MatmulPreference", INVALID_VALUE), ("MatrixTransformDesc", SUCCESS)):  # fmt: skip
        assert lt.call(f"hipblasLt{kind}Destroy", None) == status
    assert lt.call("hipblasLtMatmulPreferenceCreate", None) == NOT_INITIALIZED
    assert lt.call("hipblasLtMatmulDescCreate", None, F32, 0) == INVALID_VALUE
    computes = {2, 4, 5, 6, 7, 9, 100, 101, 102, 103} | ({0} if release >= 604 else set())
    computes |= {104, 105, 106, 107} if release >= 603 else set()
    scales = {0, 1, 10} | ({4, 5} if release >= 1000 else set())
    for compute, scale in [(c, 0) for c in (*range(12), *range(99, 109))] + [(F32, s) for s in range(16)]:
        wanted = SUCCESS if compute in computes and scale in scales else INVALID_VALUE
        assert lt.call("hipblasLtMatmulDescCreate", at, compute, scale) == wanted, (compute, scale)
        assert (out.value is not None) == (wanted == SUCCESS)


def test_attributes(any_lt: tuple[Lt, int]) -> None:
    lt, release = any_lt
    desc, layout = lt.desc(F32, 0), lt.layout(f32, 2, 3, 4)
    eight, size = (ctypes.c_char * 8)(), ctypes.c_size_t()
    buf, written = ctypes.addressof(eight), ctypes.addressof(size)
    since = {14: 602, 22: 700, 23: 1000, 31: 700, 32: 700}
    for number, kind in DESC.values():
        width, known = 4 if kind == "i" else 8, release >= since.get(number, 0)
        assert lt.call("hipblasLtMatmulDescSetAttribute", None, number, buf, 8) == NOT_INITIALIZED
        assert lt.call("hipblasLtMatmulDescSetAttribute", desc, number, None, 8) == INVALID_VALUE
        assert lt.call("hipblasLtMatmulDescSetAttribute", desc, number, buf, width - 1) == INVALID_VALUE
        wanted = SUCCESS if known else INVALID_VALUE
        assert lt.call("hipblasLtMatmulDescSetAttribute", desc, number, buf, 8) == wanted, number
    for number, width in ((0, 4), (1, 8)):  # the only ones of a layout that can be read
        assert lt.call("hipblasLtMatrixLayoutGetAttribute", layout, number, buf, 8, written) == SUCCESS
        assert size.value == width
        assert lt.call("hipblasLtMatrixLayoutGetAttribute", layout, number, buf, 0, written) == INVALID_VALUE
        assert lt.call("hipblasLtMatrixLayoutGetAttribute", layout, number, None, 8, written) == INVALID_VALUE
        assert lt.call("hipblasLtMatrixLayoutGetAttribute", layout, number, buf, 0, None) == INVALID_VALUE
    for number in range(2, 9):
        got = SUCCESS if number == 7 and release >= 1000 else INVALID_VALUE
        assert lt.call("hipblasLtMatrixLayoutGetAttribute", layout, number, buf, 8, written) == got
        assert lt.call("hipblasLtMatrixLayoutSetAttribute", layout, number, buf, 8) == (
            INVALID_VALUE if number == 8 or (number == 7 and release < 1000) else SUCCESS
        )


def test_values_that_changed_their_meaning(any_lt: tuple[Lt, int]) -> None:
    lt, release = any_lt
    desc, pointer, back, size = lt.desc(F32, 0), ctypes.c_void_p(4096), ctypes.c_void_p(), ctypes.c_size_t()
    if release < 603:
        assert lt.set("MatmulDesc", desc, 102, pointer) == INVALID_VALUE
        return
    assert lt.set("MatmulDesc", desc, 102, pointer) == SUCCESS
    assert lt.call("hipblasLtMatmulDescGetAttribute", desc, 5, ctypes.addressof(back), 8, ctypes.addressof(size)) == 0
    assert (back.value == 4096) == (release < 700)  # a vector of factors of A; an argument of an activation
    if release >= 700:
        for mode in range(-1, 7):
            wanted = SUCCESS if mode in (0, 2, 3) else INVALID_VALUE
            assert lt.set("MatmulDesc", desc, 31, ctypes.c_int32(mode)) == wanted


def test_preferences_take_any_size(lt: Lt) -> None:
    preference, value, size = lt.preference(77), ctypes.c_uint64(99), ctypes.c_size_t()
    at, written = ctypes.addressof(value), ctypes.addressof(size)
    assert lt.call("hipblasLtMatmulPreferenceSetAttribute", preference, 1, at, 4) == SUCCESS
    assert lt.call("hipblasLtMatmulPreferenceSetAttribute", preference, 2, at, 8) == INVALID_VALUE
    assert lt.call("hipblasLtMatmulPreferenceSetAttribute", None, 1, at, 8) == INVALID_VALUE
    value.value = 0
    assert lt.call("hipblasLtMatmulPreferenceGetAttribute", preference, 1, at, 8, written) == SUCCESS
    assert value.value == 99 and size.value == 8


# ---- matmul ------------------------------------------------------------------------------------------------
class Bare:
    """One valid call whose arguments a test spoils."""

    def __init__(self, lt: Lt, **options: object) -> None:
        self.lt, self.problem = lt, Matmul(lt, 8, 8, 8, **({"epilogue": DEFAULT, "pad": 0} | options))
        self.desc, self.layouts = self.problem.describe()
        alpha, beta = self.problem.scalars()
        p = self.problem
        self.arguments = {"handle": lt.handle, "desc": self.desc, "alpha": alpha, "A": p.A, "a": self.layouts[0],
                          "B": p.B, "b": self.layouts[1], "beta": beta, "C": p.Cm, "c": self.layouts[2], "D": p.D,
                          "d": self.layouts[3], "algo": None, "workspace": None, "size": 0, "stream": 0}  # fmt: skip

    def __call__(self, **changes: object) -> int:
        return self.lt.call("hipblasLtMatmul", *(self.arguments | changes).values())


def test_arguments(any_lt: tuple[Lt, int]) -> None:
    lt, release = any_lt
    call = Bare(lt, a=f16)
    assert call() == SUCCESS
    for name in ("handle", "desc", "a", "b", "c", "d"):
        assert call(**{name: None}) == NOT_INITIALIZED
    for name in ("alpha", "beta", "C", "D", "A", "B"):
        assert call(**{name: None}) == INVALID_VALUE, name
    assert call(size=8) == INVALID_VALUE
    assert call(alpha=np.zeros(1, f32), A=None, B=None) == SUCCESS
    assert call(c=lt.layout(f32, 8, 8, 8, 1, 64)) == INVALID_ENUM  # C's type is not D's
    assert call(c=lt.layout(f16, 8, 8, 8, 2, 64)) == INVALID_VALUE
    assert call(a=lt.layout(f16, 8, 8, 8, 1, -1)) == INVALID_VALUE
    none = lt.layout(f16, 0, 8, 8)
    assert call(c=none, d=none) == SUCCESS
    refused = NOT_SUPPORTED if release >= 604 else INTERNAL_ERROR
    for options in ({"compute": TF32}, {"compute": I32}):
        assert Bare(lt, a=f16, **options)() == refused
    assert Bare(lt, a=f32, d=f16)() == refused
    assert call(stream=12345) == INTERNAL_ERROR


def test_epilogues_check_their_operands(lt: Lt) -> None:
    for epilogue in (BIAS, GELU_AUX, DGELU_BGRAD, BGRADA):
        assert Bare(lt, a=f16, epilogue=epilogue)() == SUCCESS
    assert Bare(lt, a=f16, epilogue=BIAS, attributes={"bias": 0})() == INVALID_VALUE
    assert Bare(lt, a=f16, epilogue=GELU_AUX, attributes={"aux": 0})() == INVALID_VALUE
    for spoiled in ({"aux_ld": 7}, {"aux_stride": 63}, {"aux_ld": 0, "aux_stride": 0}):  # the default ld is no stride
        assert Bare(lt, a=f16, epilogue=GELU_AUX, attributes=spoiled)() == INVALID_VALUE
    assert Bare(lt, a=f16, epilogue=GELU_AUX, attributes={"aux_ld": 0})() == SUCCESS
    mixed = {"scale_b": 4096, "scale_a": 4096, "mode_a": 3, "mode_b": 0}
    assert Bare(lt, a=fnuz, d=f16, attributes=mixed)() == INVALID_VALUE


def test_heuristic(any_lt: tuple[Lt, int]) -> None:
    lt, release = any_lt
    problem = Matmul(lt, 16, 24, 32, f16, epilogue=GELU_BIAS)
    desc, layouts = problem.describe()
    results, count = (Heuristic * 3)(), ctypes.c_int(77)
    preference = lt.preference(0)
    call = [lt.handle, desc, *layouts, preference, 3, ctypes.addressof(results), ctypes.addressof(count)]
    for i in (*range(7),):
        assert lt.call("hipblasLtMatmulAlgoGetHeuristic", *call[:i], None, *call[i + 1 :]) == NOT_INITIALIZED
        assert count.value == (0 if release >= 1001 else 77)  # left alone until 10.1
    call[7] = 0
    assert lt.call("hipblasLtMatmulAlgoGetHeuristic", *call) == INVALID_VALUE
    if release == 600 or release == 604:
        return
    sizes = [r.workspace for r in lt.heuristic(desc, layouts, 1 << 20)]
    assert sizes == sorted(sizes, reverse=True) and len(set(sizes)) == len(sizes) > 2 and sizes[-1] == 0
    assert [r.workspace for r in lt.heuristic(desc, layouts, sizes[1])] == sizes[1:]
    assert [r.workspace for r in lt.heuristic(desc, layouts, sizes[1] - 1)] == sizes[2:]
    assert [r.workspace for r in lt.heuristic(desc, layouts, 1 << 20, 2)] == sizes[:2]
    assert len(lt.heuristic(lt.desc(F32, 0, epilogue=GELU_BIAS), layouts)) == 1  # no bias yet: found all the same
    assert lt.heuristic(lt.desc(F32, 0, epilogue=GELU_AUX), layouts) == []  # no auxiliary matrix yet: not
    assert lt.heuristic(desc, [layouts[0], *lt_batches(lt), layouts[3]]) == []
    for which in range(len(sizes)):
        again = Matmul(lt, 16, 24, 32, f16, epilogue=GELU_BIAS, workspace=1 << 20)
        assert again.run(which) == SUCCESS and again.D.tobytes() == again_first(lt)


def lt_batches(lt: Lt) -> list[int]:
    return [lt.layout(f16, 32, 24, 32, 2), lt.layout(f16, 16, 24, 16, 2)]


def again_first(lt: Lt) -> bytes:
    problem = Matmul(lt, 16, 24, 32, f16, epilogue=GELU_BIAS)
    assert problem.run() == SUCCESS
    return problem.D.tobytes()


def test_algorithms(any_lt: tuple[Lt, int]) -> None:
    lt, release = any_lt
    call = Bare(lt, a=f16, epilogue=GELU)
    algo = lt.heuristic(call.desc, call.layouts, 1 << 20)[0]
    work = np.zeros(algo.workspace, np.uint8)
    at = ctypes.addressof(algo)
    assert call(algo=at, workspace=work, size=algo.workspace) == SUCCESS
    short = INVALID_VALUE if release >= 701 else INTERNAL_ERROR
    assert call(algo=at, workspace=work, size=algo.workspace - 1) == short
    assert call(algo=at) == short
    other = Bare(lt, a=bf16, epilogue=GELU)
    assert other(algo=at, workspace=work, size=algo.workspace) == INTERNAL_ERROR  # a kernel of other types
    for index in (0, -5, 1 << 30):
        algo.index = index
        assert call(algo=at, workspace=work, size=algo.workspace) == INTERNAL_ERROR


SUPPORT = [
    # epilogue, a, d, orientation, compute, where it is found
    (DEFAULT, np.float64, np.float64, "NN", F64, {600: True, 604: True, 702: True, 1001: True}),
    (GELU, np.float64, np.float64, "NN", F64, {600: False, 604: False, 702: False, 1001: False}),
    (GELU_BIAS, f32, f32, "NN", F32, {600: True, 604: True, 702: True, 1001: True}),
    (GELU_AUX, f32, f32, "NN", F32, {600: False, 604: False, 702: True, 1001: True}),
    (GELU_AUX_BIAS, f16, f16, "TN", F32, {600: True, 604: True, 702: True, 1001: True}),
    (DGELU_BGRAD, f16, f16, "NN", F32, {600: True, 604: False, 702: True, 1001: True}),
    (DGELU_BGRAD, bf16, bf16, "NN", F32, {600: False, 604: False, 702: True, 1001: True}),
    (BGRADA, f16, f16, "NN", F32, {600: True, 604: False, 702: True, 1001: False}),
    (RELU_AUX, f16, f16, "NN", F32, {600: False, 604: False, 702: True, 1001: False}),
    (DRELU, f16, f16, "NN", F32, {600: False, 604: False, 702: False, 1001: False}),
    (DEFAULT, np.complex64, np.complex64, "NN", F32, {600: False, 604: False, 702: False, 1001: True}),
    (DEFAULT, np.int8, np.int32, "NN", I32, {600: True, 604: True, 702: True, 1001: True}),
    (DEFAULT, np.int8, np.int8, "NN", I32, {600: False, 604: True, 702: True, 1001: True}),
    (DEFAULT, f32, f32, "NN", TF32, {600: True, 604: True, 702: True, 1001: True}),
    (DEFAULT, f32, f32, "NN", 5, {600: False, 604: False, 702: False, 1001: True}),
    (DEFAULT, f16, f16, "NN", 0, {600: None, 604: False, 702: True, 1001: True}),
    (BIAS, bf16, f32, "TN", F32, {600: False, 604: True, 702: True, 1001: True}),
    (BIAS, fnuz, f16, "TN", F32, {600: False, 604: False, 702: True, 1001: False}),
    (BIAS, e4m3, f16, "TN", F32, {600: False, 604: False, 702: False, 1001: True}),
]


@pytest.mark.parametrize("epilogue, a, d, ops, compute, where", SUPPORT)
def test_support(
    any_lt: tuple[Lt, int], epilogue: int, a: object, d: object, ops: str, compute: int, where: dict
) -> None:
    """What is found is computed, and what is not found is refused without an algorithm too."""
    lt, release = any_lt
    if np.dtype(d).kind == "c" and release < 1000:
        return  # no such scale type
    if where[release] is None:
        return
    problem = Matmul(lt, 8, 8, 8, a, d=d, compute=compute, ops=ops, epilogue=epilogue)
    assert (problem.run() == SUCCESS) == where[release]
    refused = NOT_SUPPORTED if release >= 604 else INTERNAL_ERROR
    options = {"a": a, "d": d, "compute": compute, "ops": ops, "epilogue": epilogue}
    assert Bare(lt, **options)() == (SUCCESS if where[release] else refused)


def test_orientations_of_a_release(tmp_path: Path) -> None:
    """bf16's training epilogues had kernels for one orientation each from 6.2 on."""
    lt = make(tmp_path, 603, "gfx942")
    for epilogue, only in ((GELU_AUX, "TN"), (208, "NN"), (512, "NT")):
        found = {o for o in ("NN", "NT", "TN", "TT") if Matmul(lt, 8, 8, 8, bf16, epilogue=epilogue, ops=o).run() == 0}
        assert found == {only}


def test_chip_without_a_library(tmp_path: Path) -> None:
    lt = make(tmp_path, 702, "gfx1030")
    call = Bare(lt)
    assert call() == INVALID_VALUE
    results, count = Heuristic(), ctypes.c_int(5)
    assert lt.call("hipblasLtMatmulAlgoGetHeuristic", lt.handle, call.desc, *call.layouts, lt.preference(0), 1,
                   ctypes.addressof(results), ctypes.addressof(count)) == INVALID_VALUE  # fmt: skip
    assert count.value == 5


def test_device_mode_is_a_vector(lt: Lt) -> None:
    """HIPBLASLT_POINTER_MODE_DEVICE makes alpha a vector of m factors; beta stays on the host."""
    factors = np.arange(1, 34)
    problem = Matmul(lt, 33, 8, 9, vectors={"rows": factors}, beta=2)
    problem.attributes = {"pointer_mode": 1}
    problem.check()


# ---- hostile behaviour -------------------------------------------------------------------------------------
def test_quirks(tmp_path: Path) -> None:
    old = make(tmp_path, 603, "gfx942", hostile=True)
    desc, size = old.desc(F32, 0), ctypes.c_size_t()
    twelve = (ctypes.c_uint32 * 2)(7, 7)
    assert (
        old.call("hipblasLtMatmulDescGetAttribute", desc, 13, ctypes.addressof(twelve), 4, ctypes.addressof(size)) == 0
    )
    assert list(twelve) == [0, 0] and size.value == 4  # 8 bytes written, 4 told
    problem = Matmul(old, 8, 8, 8, f16, epilogue=RELU_AUX)
    assert problem.run() == SUCCESS  # the epilogue of a later release is left out
    problem.epilogue = DEFAULT
    assert np.allclose(problem.D[0, :, :8].T.astype(float), problem.want()["D"][0], atol=1e-2)
    problem = Matmul(old, 64, 64, 512, f32, compute=TF32)
    exact = problem.want()["D"][0]
    assert problem.run() == SUCCESS
    error = np.abs(problem.D[0, :, :64].T - exact).max()
    assert 1e-4 < error < 5e-2


def test_creation_in_a_capture(tmp_path: Path) -> None:
    """The library ends the process."""
    program = """
import ctypes, pathlib, sys
from rocblas_on_host import Engine
import hipblaslt_on_host
engine = Engine(pathlib.Path(sys.argv[1]), hostile=True)
hip = {n: ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 2)(engine.table[n]) for n in
       ("hipStreamCreate", "hipStreamBeginCapture")}
stream, handle = ctypes.c_void_p(), ctypes.c_void_p()
hip["hipStreamCreate"](ctypes.addressof(stream), None)
hip["hipStreamBeginCapture"](stream.value, 0)
engine.call("hipblasLtCreate", ctypes.addressof(handle))
sys.exit(77)
"""
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], env=os.environ | {"PYTHONPATH": path},
                          capture_output=True, timeout=60)  # fmt: skip
    assert done.returncode == 1 and b"hipblasLtCreate" in done.stderr
