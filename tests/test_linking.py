"""Programs link against the libraries as against NVIDIA's, and several majors live in one process."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

SUFFIX = {11: ("11", "11.0"), 12: ("12", "12"), 13: ("13", "13")}

PROGRAM = r"""
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <stdio.h>
int main(void) {
  cublasHandle_t h;
  int version = 0, runtime = 0;
  float x[3] = {1, 2, 3}, alpha = 2, *d, result = 0;
  if (cudaRuntimeGetVersion(&runtime)) return 1;
  if (cublasCreate(&h)) return 2;
  if (cublasGetVersion(h, &version)) return 3;
  if (cudaMalloc((void**)&d, sizeof x) || cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice)) return 4;
  if (cublasSscal(h, 3, &alpha, d, 1)) return 5;
  if (cublasSasum(h, 3, d, 1, &result)) return 6;
  if (cudaFree(d) || cublasDestroy(h)) return 7;
  printf("%d %d %g\n", version / 10000, runtime / 1000, result);
  return CUBLAS_VER_MAJOR == version / 10000 && CUDART_VERSION / 1000 == runtime / 1000 ? 0 : 8;
}
"""


def link_flags(lib_dir: Path, include_dir: Path, major: int) -> list[str]:
    blas, runtime = SUFFIX[major]
    return [
        f"-I{include_dir / str(major)}",
        f"-L{lib_dir}",
        f"-l:libcublas.so.{blas}",
        f"-l:libcudart.so.{runtime}",
        f"-Wl,-rpath,{lib_dir}",
    ]


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("major", [11, 12, 13])
def test_a_plain_program(
    major: int, language: str, cc: Callable[..., Path], lib_dir: Path, include_dir: Path, engine_env: dict[str, str]
) -> None:
    program = cc(PROGRAM, *link_flags(lib_dir, include_dir, major), language=language)
    run = subprocess.run([program], env=engine_env, capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (0, f"{major} {major} 12\n"), run.stderr


def test_program_uses_nvidias_node(cc: Callable[..., Path], lib_dir: Path, include_dir: Path) -> None:
    program = cc(PROGRAM, *link_flags(lib_dir, include_dir, 12))
    wanted = subprocess.run(
        ["readelf", "--version-info", "--wide", program], capture_output=True, text=True, check=True
    ).stdout
    assert "libcublas.so.12" in wanted and "libcudart.so.12" in wanted


TWO_MAJORS = """
import ctypes, sys
import numpy, scipy.linalg            # each brings its own OpenBLAS
import scipy_openblas64
ctypes.CDLL(scipy_openblas64.get_lib_dir() + "/libscipy_openblas64_.so")
lib = sys.argv[1]
P = ctypes.c_void_p
libdl = ctypes.CDLL(None)
libdl.dlclose.argtypes = [P]
for round in range(3):
    opened = [ctypes.CDLL(f"{lib}/libcublas.so.{m}") for m in (11, 12, 13)]
    a, b = P(), P()
    assert opened[1].cublasCreate_v2(ctypes.byref(a)) == 0
    assert opened[2].cublasCreate_v2(ctypes.byref(b)) == 0
    v = ctypes.c_int()
    answers = []
    for l in opened:
        assert l.cublasGetVersion_v2(b, ctypes.byref(v)) == 0    # handles are shared across majors
        answers.append(v.value // 10000)
    assert answers == [11, 12, 13], answers
    assert opened[2].cublasDestroy_v2(a) == 0
    assert opened[0].cublasDestroy_v2(b) == 0
    assert opened[1].cublasDestroy_v2(b) == 1                   # destroyed: NOT_INITIALIZED, not a crash
    assert numpy.allclose(numpy.eye(50) @ numpy.ones((50, 50)), 1)
    assert scipy.linalg.inv(numpy.eye(3)).shape == (3, 3)
    for l in opened:
        libdl.dlclose(P(l._handle))
print("ok")
"""


@pytest.mark.parametrize("bind_now", [False, True])
def test_two_majors_reload_and_other_blas(bind_now: bool, lib_dir: Path, engine_env: dict[str, str]) -> None:
    env = dict(engine_env, **({"LD_BIND_NOW": "1"} if bind_now else {}))
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(TWO_MAJORS), str(lib_dir)], env=env, capture_output=True, text=True
    )
    assert run.stdout == "ok\n", run.stderr


def test_prefix_is_a_toolkit(cc: Callable[..., Path], engine_env: dict[str, str]) -> None:
    """`scale-x prefix` gives what CUDA_PATH names: include/, lib64/ with link names."""
    scale_x = Path(sys.executable).parent / "scale-x"
    prefix = Path(
        subprocess.run([scale_x, "prefix", "--cuda", "12"], check=True, capture_output=True, text=True).stdout.strip()
    )
    program = cc(
        PROGRAM, f"-I{prefix}/include", f"-L{prefix}/lib64", "-lcublas", "-lcudart", f"-Wl,-rpath,{prefix}/lib64"
    )
    assert subprocess.run([program], env=engine_env).returncode == 0
    assert os.path.lexists(prefix / "lib64" / "libcublasLt.so")
