"""The legacy interface of cublas.h: every function against its v2 twin, errors, and programs in C."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "programs" / "legacy.py"

SOURCE = r"""
#include <cublas.h>
#include <stdio.h>
int main(void) {
  cuDoubleComplex a[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}}, alpha = {0, 1}, dot, *d;
  if (cublasInit() != CUBLAS_STATUS_SUCCESS) return 1;
  if (cublasAlloc(4, sizeof *a, (void**)&d)) return 2;
  if (cublasSetVector(4, sizeof *a, a, 1, d, 1)) return 3;
  cublasZscal(4, alpha, d, 1);
  dot = cublasZdotu(2, d, 1, d, 1);
  cublasZgemm('N', 'q', 2, 2, 2, alpha, d, 2, d, 2, alpha, d, 2);
  if (cublasGetError() != CUBLAS_STATUS_INVALID_VALUE) return 4;
  if (cublasGetError() != CUBLAS_STATUS_SUCCESS) return 5;
  if (cublasFree(d) || cublasShutdown()) return 6;
  printf("%g %g\n", dot.x, dot.y);
  return 0;
}
"""


@pytest.mark.parametrize("streams", ["inline", "deferred"])
@pytest.mark.parametrize("major", [11, 12, 13])
def test_every_function(major: int, streams: str, lib_dir: Path, engine_env: dict[str, str]) -> None:
    env = dict(engine_env, SCALE_X_HOST_STREAMS=streams)
    run = subprocess.run([sys.executable, PROGRAM, lib_dir, str(major)], env=env, capture_output=True, text=True)
    lines = run.stdout.splitlines()
    assert run.returncode == 0 and lines[-1] == "ok", run.stdout + run.stderr
    assert [x.strip() for x in lines[:2]] == [
        "** On entry to SGEMM  parameter number 1 had an illegal value",
        "** On entry to SGEMM  parameter number 3 had an illegal value",
    ]


@pytest.mark.parametrize("major", [11, 12, 13])
def test_program_in_c(major: int, cc: Callable[..., Path], lib_dir: Path, include_dir: Path,
                      engine_env: dict[str, str]) -> None:  # fmt: skip
    flags = [f"-I{include_dir / str(major)}", f"-L{lib_dir}", f"-l:libcublas.so.{major}", f"-Wl,-rpath,{lib_dir}"]
    program = cc(SOURCE, *flags)
    run = subprocess.run([program], env=engine_env, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    # (i(1+2i))^2 + (i(3+4i))^2
    assert run.stdout.splitlines()[-1] == "10 -28"
