"""cuBLASLt on the embedded engine, through the C ABI."""

from __future__ import annotations

import ctypes as C
import subprocess
import sys
from pathlib import Path

import pytest

SIZES = {"libcublasLt.so.11": (184, 64, 80), "libcublasLt.so.12": (184, 64, 64), "libcublasLt.so.13": (256, 112, 96)}


@pytest.mark.parametrize("soname", SIZES)
def test_structs_of_each_release(lib_dir: Path, soname: str) -> None:
    """Structs on the stack, of each release's size: what is set stays, nothing is written beyond, copies are whole."""
    lt = C.CDLL(str(lib_dir / soname))
    desc, layout, preference = SIZES[soname]
    for name, size, arguments, attribute in (
        ("MatmulDesc", desc, (C.c_int(68), C.c_int(0)), 7),
        ("MatrixLayout", layout, (C.c_int(0), C.c_uint64(3), C.c_uint64(4), C.c_int64(5)), 1),
        ("MatmulPreference", preference, (), 0),
    ):
        block = C.create_string_buffer(b"\xa5" * 512, 512)
        assert getattr(lt, f"cublasLt{name}Init_internal")(block, C.c_size_t(size), *arguments) == 0
        value, got = C.c_int(6), C.c_int()
        assert getattr(lt, f"cublasLt{name}SetAttribute")(block, attribute, C.byref(value), C.c_size_t(4)) == 0
        assert block.raw[size:] == b"\xa5" * (512 - size), name
        copy = C.create_string_buffer(block.raw[:size], size)
        C.memset(block, 0, 512)
        assert getattr(lt, f"cublasLt{name}GetAttribute")(copy, attribute, C.byref(got), C.c_size_t(4), None) == 0
        assert got.value == 6, name


def test_attributes_belong_to_releases(lib_dir: Path) -> None:
    """What a number means, and whether it is there, depends on the CUDA release."""
    for major, preference_13, atomic in ((11, 4, None), (12, None, 4), (13, 8, None)):
        lt = C.CDLL(str(lib_dir / f"libcublasLt.so.{major}"))
        for name, number, want in (("MatmulPreference", 13, preference_13), ("MatmulDesc", 27, atomic)):
            struct, written = C.c_void_p(), C.c_size_t()
            assert getattr(lt, f"cublasLt{name}Create")(C.byref(struct), 68, 0) == 0
            status = getattr(lt, f"cublasLt{name}GetAttribute")(struct, number, None, C.c_size_t(0), C.byref(written))
            assert (status, written.value) == ((0, want) if want else (7, 0)), (major, name)
            assert getattr(lt, f"cublasLt{name}Destroy")(struct) == 0


def test_garbage_is_refused(lib_dir: Path) -> None:
    lt = C.CDLL(str(lib_dir / "libcublasLt.so.13"))
    zeros, out = C.create_string_buffer(256), C.create_string_buffer(8)
    for name in ("MatmulDesc", "MatrixLayout", "MatmulPreference"):
        assert getattr(lt, f"cublasLt{name}GetAttribute")(zeros, 0, out, C.c_size_t(4), None) == 7
        assert getattr(lt, f"cublasLt{name}Destroy")(zeros) == 7


# ---- problems seen before, per thread ------------------------------------------------------------------------------

PROGRAM = """
import ctypes as C, os, resource, sys, threading
import numpy as np
from scale_x.bindings._locate import own_directories
lib = own_directories()[0]
lt, rt = C.CDLL(str(lib / "libcublasLt.so.13")), C.CDLL(str(lib / "libcudart.so.13"))
P, U = C.c_void_p, C.c_uint64

def made(name, *arguments):
    out = P()
    assert getattr(lt, "cublasLt" + name + "Create")(C.byref(out), *arguments) == 0
    return out

def send(array):
    p = P()
    assert rt.cudaMalloc(C.byref(p), C.c_size_t(array.nbytes)) == 0
    assert rt.cudaMemcpy(p, P(array.ctypes.data), C.c_size_t(array.nbytes), 1) == 0
    return p

def fetch(p, like):
    out = np.empty_like(like)
    assert rt.cudaMemcpy(P(out.ctypes.data), p, C.c_size_t(out.nbytes), 2) == 0
    return out

def product(handle, m, n, k, algo=None):
    "Small integers, so that the product is exact."
    a, b, d = np.ones((k, m), np.float32), np.full((n, k), 2, np.float32), np.full((n, m), np.nan, np.float32)
    at = [send(x) for x in (a, b, d)]
    desc = made("MatmulDesc", 68, 0)
    layouts = [made("MatrixLayout", 0, U(r), U(c), U(r)) for r, c in ((m, k), (k, n), (m, n))]
    one, zero = C.c_float(1), C.c_float(0)
    status = lt.cublasLtMatmul(handle, desc, C.byref(one), at[0], layouts[0], at[1], layouts[1], C.byref(zero), at[2],
                               layouts[2], at[2], layouts[2], algo, None, C.c_size_t(0), None)
    assert status == 0, status
    assert (fetch(at[2], d) == 2 * k).all(), (m, n, k)
    for p in at:
        rt.cudaFree(p)
    for p in layouts:
        lt.cublasLtMatrixLayoutDestroy(p)
    lt.cublasLtMatmulDescDestroy(desc)
"""


def run(text: str, env: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, "-c", PROGRAM + text, *arguments]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


def test_problems_seen_before_are_bounded(engine_env: dict[str, str]) -> None:
    """Thousands of problems, each twice: memory stays, and every product is right."""
    run(
        """
handle = P()
assert lt.cublasLtCreate(C.byref(handle)) == 0
for count in (500, 3000):
    for i in range(count):
        product(handle, 1 + i % 53, 1 + i % 31, 1 + i % 17)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    before = most if count == 500 else before
assert most - before < 4096, f"{most - before} KiB more"
""",
        engine_env,
    )


def test_threads_share_a_handle(engine_env: dict[str, str]) -> None:
    run(
        """
handle, wrong = P(), []
assert lt.cublasLtCreate(C.byref(handle)) == 0
def work(seed):
    try:
        for i in range(150):
            product(handle, 1 + (seed + i) % 13, 1 + i % 7, 1 + (seed * i) % 5)
    except BaseException as e:
        wrong.append(repr(e))
for _ in range(2):
    threads = [threading.Thread(target=work, args=(s,)) for s in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
assert not wrong, wrong
assert lt.cublasLtDestroy(handle) == 0
""",
        engine_env,
    )


def test_algorithms_mean_the_same_in_every_process(engine_env: dict[str, str], tmp_path: Path) -> None:
    """An algorithm is 64 bytes that a program may keep in a file."""
    ask = """
handle, found, preference = P(), C.c_int(), made("MatmulPreference")
assert lt.cublasLtCreate(C.byref(handle)) == 0
limit = U(1 << 22)
assert lt.cublasLtMatmulPreferenceSetAttribute(preference, 1, C.byref(limit), C.c_size_t(8)) == 0
desc, layouts = made("MatmulDesc", 68, 0), [made("MatrixLayout", 0, U(r), U(r), U(r)) for r in (64, 64, 64)]
results = C.create_string_buffer(96 * 8)
asked = (handle, desc, *layouts, layouts[2], preference, 8, results, C.byref(found))
assert lt.cublasLtMatmulAlgoGetHeuristic(*asked) == 0
assert found.value > 1
"""
    kept = tmp_path / "algos"
    run(ask + "open(sys.argv[1], 'wb').write(results.raw)", engine_env, str(kept))
    check = """
product(handle, 9, 9, 9)
assert open(sys.argv[1], "rb").read() == results.raw, "other algorithms than in the other process"
for i in range(found.value):
    algo, result = C.create_string_buffer(results.raw[96 * i : 96 * i + 64], 64), C.create_string_buffer(96)
    assert lt.cublasLtMatmulAlgoCheck(handle, desc, *layouts, layouts[2], algo, result) == 0
    assert result.raw[64:72] == results.raw[96 * i + 64 : 96 * i + 72], "its workspace"
"""
    run(ask + check, engine_env, str(kept))


def test_captured_after_the_heuristic(engine_env: dict[str, str]) -> None:
    """A product whose algorithm was asked for, with the workspace that it wants, can be captured at its first call."""
    run(
        """
handle, stream = P(), P()
assert lt.cublasLtCreate(C.byref(handle)) == 0 and rt.cudaStreamCreate(C.byref(stream)) == 0
room, limit = send(np.zeros(1 << 20, np.uint8)), U(1 << 20)
preference, n = made("MatmulPreference"), 16
assert lt.cublasLtMatmulPreferenceSetAttribute(preference, 1, C.byref(limit), C.c_size_t(8)) == 0

def put(desc, number, value):
    assert lt.cublasLtMatmulDescSetAttribute(desc, number, C.byref(value), C.c_size_t(C.sizeof(value))) == 0

# types of the product, of A and B, of D, their bits of 1 and of 17, the scalars
KINDS = ((68, 0, 0, 0, np.float32, np.float32, 1, 17, C.c_float),
         (70, 1, 1, 1, np.float64, np.float64, 1, 17, C.c_double),
         (68, 0, 2, 2, np.float16, np.float16, 1, 17, C.c_float), (72, 0, 3, 3, np.int8, np.int8, 1, 17, C.c_float),
         (68, 0, 28, 14, np.uint8, np.uint16, 0x38, 0x4188, C.c_float))
for compute, scale, ab, d, in_type, out_type, one, seventeen, scalar in KINDS:
    for epilogue in (4, 6):
        bias_type = np.float32 if d == 3 else out_type
        bias = np.full(n, 0x3F80 if d == 14 else 1, bias_type)
        a, out = send(np.full((n, n), one, in_type)), send(np.zeros((n, n), out_type))
        desc = made("MatmulDesc", compute, scale)
        put(desc, 3, C.c_int(1)), put(desc, 7, C.c_int(epilogue)), put(desc, 8, send(bias))
        x, y = (made("MatrixLayout", t, U(n), U(n), U(n)) for t in (ab, d))
        result, found, al, be = C.create_string_buffer(96), C.c_int(), scalar(1), scalar(0)
        status = lt.cublasLtMatmulAlgoGetHeuristicForStream(handle, desc, x, x, y, y, preference, 1, result,
                                                            C.byref(found), stream)
        assert (status, found.value) == (0, 1)
        need = int.from_bytes(result.raw[64:72], "little")
        assert rt.cudaStreamBeginCapture(stream, 0) == 0
        status = lt.cublasLtMatmul(handle, desc, C.byref(al), a, x, a, x, C.byref(be), out, y, out, y, result,
                                   room if need else None, C.c_size_t(need), stream)
        graph, ready = P(), P()
        assert (status, rt.cudaStreamEndCapture(stream, C.byref(graph))) == (0, 0), (compute, d, epilogue, status)
        assert rt.cudaGraphInstantiate(C.byref(ready), graph, C.c_ulonglong(0)) == 0
        for _ in range(2):
            assert rt.cudaGraphLaunch(ready, stream) == 0
        assert rt.cudaStreamSynchronize(stream) == 0
        got = fetch(out, np.zeros((n, n), out_type))
        assert (got == seventeen).all(), (compute, d, epilogue, got[0, 0])
""",
        engine_env,
    )


def test_log_says_how_a_product_is_computed(engine_env: dict[str, str]) -> None:
    said = run("handle = P()\nlt.cublasLtCreate(C.byref(handle))\nproduct(handle, 3, 4, 5)\n",
               dict(engine_env, CUBLASLT_LOG_LEVEL="5"))  # fmt: skip
    assert "[Trace][cublasLtMatmul] A=0x" in said and "Bdesc=[type=R_32F rows=5 cols=4 ld=5]" in said
    assert "[Hint][cublasLtMatmul] computed by hipBLASLt" in said
