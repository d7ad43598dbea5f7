"""cuFFT on the CPU engine against scipy.fft's compute part, both on the same arrays, with one thread and with two.

scipy's is called on its C++ module with an output array, so that neither side allocates. Ratio = scipy's time / ours.
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scale_x.bindings._locate import own_directories

SHAPES = ((1 << 20,), (1000, 1009), (1024, 1024), (128, 128, 128), (16,), (1024,), (16384,))
KINDS = ("c2c-float", "r2c-float", "c2c-double", "r2c-double")
LEAST, MEAN, LONG_REAL = 0.95, 1.3, 1.2

MEASURE = r"""
import ctypes as C, json, os, statistics, sys, time
import numpy as np
from scipy.fft._pocketfft import pypocketfft as pocket
threads, rounds = int(sys.argv[1]), int(sys.argv[2])
lib = C.CDLL(os.path.join(os.environ["TEST_LIB"], "libcufft.so.12"))
rt = C.CDLL(os.path.join(os.environ["TEST_LIB"], "libcudart.so.13"))

def device(array):
    p = C.c_void_p()
    assert rt.cudaMalloc(C.byref(p), C.c_size_t(array.nbytes)) == 0
    assert rt.cudaMemcpy(p, C.c_void_p(array.ctypes.data), C.c_size_t(array.nbytes), 1) == 0
    return p

def repeat(call, times):
    start = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - start) / times

for shape, kind in json.loads(sys.argv[3]):
    real = np.float32 if kind.endswith("float") else np.float64
    cplx = np.complex64 if real is np.float32 else np.complex128
    rng = np.random.default_rng(0)
    forward = kind.startswith("c2c")
    x = rng.standard_normal(shape).astype(real)
    if forward:
        x = (x + 1j * rng.standard_normal(shape)).astype(cplx)
    half = tuple(shape) if forward else (*shape[:-1], shape[-1] // 2 + 1)
    out = np.empty(half, cplx)
    axes = tuple(range(len(shape)))
    code = {"c2c-float": 41, "r2c-float": 42, "c2c-double": 105, "r2c-double": 106}[kind]
    f = {41: lib.cufftExecC2C, 42: lib.cufftExecR2C, 105: lib.cufftExecZ2Z, 106: lib.cufftExecD2Z}[code]
    plan, size = C.c_int(), C.c_size_t()
    assert lib.cufftCreate(C.byref(plan)) == 0
    n = (C.c_int * len(shape))(*shape)
    assert lib.cufftMakePlanMany(plan, len(shape), n, None, 1, 0, None, 1, 0, code, 1, C.byref(size)) == 0
    i, o = device(x), device(out)
    arguments = (plan, i, o, -1) if forward else (plan, i, o)
    def ours():
        f(*arguments)
    def theirs():
        (pocket.c2c if forward else pocket.r2c)(x, axes, True, 0, out, threads)
    ours(), theirs()
    times = max(1, int(2e-3 / max(1e-7, repeat(theirs, 3))))
    a, b = [], []
    for _ in range(rounds):
        a.append(repeat(ours, times)); b.append(repeat(theirs, times))
    got = np.empty(half, cplx)
    rt.cudaMemcpy(C.c_void_p(got.ctypes.data), o, C.c_size_t(got.nbytes), 2)
    assert np.linalg.norm(got - out) <= 1e-5 * np.linalg.norm(out)
    print(json.dumps([shape, kind, statistics.median(a), statistics.median(b)]), flush=True)
    rt.cudaFree(i); rt.cudaFree(o)
"""


def measured(
    lib_dir: Path, threads: int, rounds: int, cases: list
) -> Iterator[tuple[tuple[int, ...], str, float, float]]:
    env = dict(os.environ, TEST_LIB=str(lib_dir), SCALE_X_PROVIDER="host", SCALE_X_HOST_THREADS=str(threads))
    command = [sys.executable, "-c", MEASURE, str(threads), str(rounds), json.dumps(cases)]
    out = subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        shape, kind, ours, theirs = json.loads(line)
        yield tuple(shape), kind, ours, theirs


@pytest.mark.parametrize("threads", [1, 2])
def test_against_scipy(benchmark, threads: int) -> None:
    cases = [(shape, kind) for shape in SHAPES for kind in KINDS]
    rows = benchmark.pedantic(lambda: list(measured(own_directories()[0], threads, 7, cases)), rounds=1)
    ratios = {}
    for shape, kind, ours, theirs in rows:
        ratios[shape, kind] = theirs / ours
        print(f"\n{'x'.join(map(str, shape))} {kind} {threads} threads: ours {ours * 1e6:.1f} us, "
              f"scipy {theirs * 1e6:.1f} us, ratio {theirs / ours:.2f}", end="")  # fmt: skip
    mean = math.exp(sum(math.log(r) for r in ratios.values()) / len(ratios))
    benchmark.extra_info.update(mean=mean, least=min(ratios.values()), target_mean=MEAN, target_least=LEAST)
    print(f"\ngeometric mean {mean:.2f} (target {MEAN}), least {min(ratios.values()):.2f} (target {LEAST})")
    assert mean >= MEAN
    assert min(ratios.values()) >= LEAST
    for kind in ("r2c-float", "r2c-double"):
        assert ratios[(1 << 20,), kind] >= LONG_REAL


def test_plans(benchmark) -> None:
    """A plan of 2^20 takes less than 20 ms, making and destroying an equal one again less than 20 us."""
    os.environ.setdefault("SCALE_X_PROVIDER", "host")
    lib = ctypes.CDLL(str(own_directories()[0] / "libcufft.so.12"))
    plan = ctypes.c_int()

    def once() -> None:
        assert lib.cufftPlan1d(ctypes.byref(plan), 1 << 20, 41, 1) == 0
        assert lib.cufftDestroy(plan) == 0

    once()
    benchmark(once)


NULL_HIPFFT = r"""
#include <stddef.h>
int hipfftCreate(void** plan) { static int one; *plan = &one; return 0; }
int hipfftDestroy(void* plan) { (void)plan; return 0; }
int hipfftSetAutoAllocation(void* plan, int on) { (void)plan; (void)on; return 0; }
int hipfftSetStream(void* plan, void* stream) { (void)plan; (void)stream; return 0; }
int hipfftSetWorkArea(void* plan, void* area) { (void)plan; (void)area; return 0; }
int hipfftXtMakePlanMany() { return 0; }
int hipfftXtExec(void* plan, void* in, void* out, int direction) {
  (void)plan; (void)in; (void)out;
  return direction + 1;
}
"""

WRAPPER = r"""
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return 1e9 * t.tv_sec + t.tv_nsec; }
int main(int argc, char** argv) {
  void* cufft = dlopen(argv[argc - 2], RTLD_NOW), *hipfft = dlopen(argv[argc - 1], RTLD_NOW);
  int (*plan)(int*, int, int, int) = (int (*)(int*, int, int, int))dlsym(cufft, "cufftPlan1d");
  int (*exec)(int, void*, void*, int) = (int (*)(int, void*, void*, int))dlsym(cufft, "cufftExecC2C");
  int (*direct)(void*, void*, void*, int) = (int (*)(void*, void*, void*, int))dlsym(hipfft, "hipfftXtExec");
  static double data[64];
  int handle = 0, refused = plan(&handle, 8, 41, 1);
  double wrapped = 1e9, plain = 1e9;
  for (int r = 0; r < 200; ++r) {
    double a = now();
    for (int i = 0; i < 10000; ++i) refused += exec(handle, data, data, -1);
    double b = now();
    for (int i = 0; i < 10000; ++i) refused += direct(&handle, data, data, -1);
    double c = now();
    if ((b - a) / 10000 < wrapped) wrapped = (b - a) / 10000;
    if ((c - b) / 10000 < plain) plain = (c - b) / 10000;
  }
  printf("%.2f\n", wrapped - plain);
  return refused;
}
"""


def test_exec_over_a_null_backend(benchmark, tmp_path: Path) -> None:
    """cufftExecC2C costs less than 20 ns more than hipFFT's function called through a pointer."""
    from test_wrapper_cost import compiled

    null = compiled(tmp_path)
    (tmp_path / "hipfft.c").write_text(NULL_HIPFFT)
    (tmp_path / "wrapper.c").write_text(WRAPPER)
    base = ["gcc", "-std=gnu99", "-O2"]
    subprocess.run(
        [*base, "-shared", "-fPIC", str(tmp_path / "hipfft.c"), "-o", str(null / "libhipfft.so.0")], check=True
    )
    subprocess.run([*base, str(tmp_path / "wrapper.c"), "-o", str(tmp_path / "wrapper"), "-ldl"], check=True)
    command = [str(tmp_path / "wrapper"), str(own_directories()[0] / "libcufft.so.12"), str(null / "libhipfft.so.0")]
    env = dict(os.environ, SCALE_X_PROVIDER=str(null))

    def once() -> float:
        return float(subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout)

    cost = benchmark.pedantic(once, rounds=1)
    benchmark.extra_info.update(difference_ns=cost, target=20)
    print(f"\ncufftExecC2C: {cost:.2f} ns more than hipfftXtExec (target 20)")
    assert cost < 20
