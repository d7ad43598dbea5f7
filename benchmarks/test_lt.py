"""A transformer's linear layer with bias and GELU through cuBLASLt on the CPU engine: against PyTorch's eager operators
and NumPy, all with the same threads, and against the engine's own plain product.

PyTorch is asked of the Python that ``SCALE_X_TORCH_PYTHON`` names, else of this one; AMX is switched off for all, since
the engine's bfloat16 uses AVX512-BF16. Ratio = peer's time / ours; extra cost = ours / ours plain - 1.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scale_x.bindings._locate import own_directories

MEASURE = r"""
import ctypes as C, json, os, statistics, sys, time
import numpy as np
try:
    import torch
    torch.set_num_threads(len(os.sched_getaffinity(0)))
except ImportError:
    torch = None
kind, rounds = sys.argv[1], int(sys.argv[2])
lt = C.CDLL(os.path.join(os.environ["TEST_LIB"], "libcublasLt.so.13"))
M, N, K = 512, 4096, 1024
F32, BF16 = 0, 14
TYPE, SIZE = (F32, 4) if kind == "f32" else (BF16, 2)
DEFAULT, GELU_BIAS, GELU_AUX_BIAS, DGELU_BGRAD = 1, 36, 164, 208
TRANSA, TRANSB, EPILOGUE, BIAS, AUX, AUX_LD = 3, 4, 7, 8, 11, 12

def ok(status):
    assert status == 0, status

handle = C.c_void_p()
ok(lt.cublasLtCreate(C.byref(handle)))

def aligned(count, dtype=np.float32):
    raw = np.zeros(count * np.dtype(dtype).itemsize + 64, np.uint8)
    at = -raw.ctypes.data % 64
    return raw[at : at + count * np.dtype(dtype).itemsize].view(dtype)

rng = np.random.default_rng(0)
x, weight = aligned(N * K).reshape(N, K), aligned(M * K).reshape(M, K)
x[:], weight[:] = rng.standard_normal((N, K)), rng.standard_normal((M, K)) / 32
bias = rng.standard_normal(M).astype(np.float32)

def stored(a):
    if kind == "f32":
        return a
    bits = np.ascontiguousarray(a).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)

def floats(a):
    return a if a.dtype == np.float32 else (a.astype(np.uint32) << 16).view(np.float32)

A, B, V = (stored(a) for a in (weight, x, bias))
out, aux, gradient = (np.zeros((N, M), A.dtype) for _ in range(3))
db = np.zeros(M, A.dtype)
one, zero = C.c_float(1), C.c_float(0)

def layout(rows, cols):
    made = C.c_void_p()
    ok(lt.cublasLtMatrixLayoutCreate(C.byref(made), TYPE, C.c_uint64(rows), C.c_uint64(cols), C.c_int64(rows)))
    return made

def matmul(epilogue, d, bias=None, aux=None, transa=1):
    desc = C.c_void_p()
    ok(lt.cublasLtMatmulDescCreate(C.byref(desc), 68, F32))
    def attribute(number, value):
        ok(lt.cublasLtMatmulDescSetAttribute(desc, number, C.byref(value), C.c_size_t(C.sizeof(value))))
    attribute(TRANSA, C.c_int(transa))
    attribute(EPILOGUE, C.c_int(epilogue))
    if bias is not None:
        attribute(BIAS, C.c_void_p(bias.ctypes.data))
    if aux is not None:
        attribute(AUX, C.c_void_p(aux.ctypes.data))
        attribute(AUX_LD, C.c_int64(M))
    la, lb, ld = layout(K, M), layout(K, N), layout(M, N)
    p = C.c_void_p
    arguments = (handle, desc, C.byref(one), p(A.ctypes.data), la, p(B.ctypes.data), lb, C.byref(zero),
                 p(d.ctypes.data), ld, p(d.ctypes.data), ld, None, None, C.c_size_t(0), None)
    def call():
        ok(lt.cublasLtMatmul(*arguments))
    return call

calls = {"plain": matmul(DEFAULT, out), "forward": matmul(GELU_BIAS, out, V),
         "training": matmul(GELU_AUX_BIAS, out, V, aux), "backward": matmul(DGELU_BGRAD, gradient, db, aux)}
if torch:
    as_torch = (lambda a: torch.from_numpy(a)) if kind == "f32" else (
        lambda a: torch.from_numpy(a.view(np.int16)).view(torch.bfloat16))
    tx, tw, tb = as_torch(B), as_torch(A), as_torch(V)
    linear, gelu = torch.nn.functional.linear, torch.nn.functional.gelu
    def eager():
        with torch.inference_mode():
            return gelu(linear(tx, tw, tb), approximate="tanh")
    calls["torch"] = eager
if kind == "f32":
    y, t, wt = np.zeros((N, M), np.float32), np.zeros((N, M), np.float32), weight.T
    half, c0, c1, plus = (np.float32(v) for v in (0.5, 0.7978845608, 0.044715, 1))
    def numpy_layer():
        np.matmul(x, wt, out=y)
        np.add(y, bias, out=y)
        np.multiply(y, y, out=t)
        np.multiply(t, c1, out=t)
        np.add(t, plus, out=t)
        np.multiply(t, y, out=t)
        np.multiply(t, c0, out=t)
        np.tanh(t, out=t)
        np.add(t, plus, out=t)
        np.multiply(t, y, out=t)
        np.multiply(t, half, out=t)
        return t
    calls["numpy"] = numpy_layer

def oracle():
    v = floats(B).astype(float) @ floats(A).astype(float).T + floats(V)
    return 0.5 * v * (1 + np.tanh(np.sqrt(2 / np.pi) * (v + 0.044715 * v**3)))

calls["training"]()
calls["backward"]()
calls["forward"]()
want, bound = oracle(), 1e-5 if kind == "f32" else 2**-7
assert (abs(floats(out) - want) <= bound * (abs(want) + 1)).all()
for name in ("torch", "numpy"):
    if name in calls:
        got = calls[name]()
        got = got.float().numpy() if name == "torch" else got
        assert (abs(got - want) <= 4 * bound * (abs(want) + 1)).all(), name

times = {name: [] for name in calls}
for _ in range(rounds):
    for name, call in calls.items():
        time.sleep(0.03)
        call()
        for _ in range(3):
            start = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - start)
print(json.dumps({name: [statistics.median(t), min(t)] for name, t in times.items()}))
"""


def measure(lib: Path, kind: str) -> dict[str, tuple[float, float]]:
    env = {**os.environ, "TEST_LIB": str(lib), "SCALE_X_PROVIDER": "host", "ONEDNN_MAX_CPU_ISA": "AVX512_CORE_BF16"}
    env.pop("SCALE_X_HOST_HOSTILE", None)
    python = os.environ.get("SCALE_X_TORCH_PYTHON", sys.executable)
    rounds = os.environ.get("SCALE_X_BENCH_ROUNDS", "9")
    done = subprocess.run([python, "-c", MEASURE, kind, rounds], env=env, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr
    return {name: (median, least) for name, (median, least) in json.loads(done.stdout).items()}


@pytest.mark.parametrize("kind", ["f32", "bf16"])
def test_linear_gelu(benchmark, kind: str) -> None:
    times = benchmark.pedantic(lambda: measure(own_directories()[0], kind), rounds=1)
    for name, (median, least) in times.items():
        print(f"\n{kind} {name}: median {median * 1e3:.2f} ms, least {least * 1e3:.2f} ms", end="")
    ratios = {name: times[name][0] / times["forward"][0] for name in ("torch", "numpy") if name in times}
    extra = {name: times[name][1] / times["plain"][1] - 1 for name in ("forward", "training", "backward")}
    print("\nratios", {k: round(v, 3) for k, v in ratios.items()}, "extra", {k: round(v, 4) for k, v in extra.items()})
    benchmark.extra_info.update(ratios=ratios, extra=extra)
    assert all(r >= (1.1 if kind == "f32" else 1.0) for r in ratios.values()), ratios
    assert extra["forward"] < 0.04 and extra["backward"] < 0.06, extra
