"""nvblas: every routine against NumPy; its configuration; what goes to the CPU's BLAS, and what is never loaded."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "programs" / "nvblas.py"

# A CPU BLAS of two routines, one of which calls the other by its public name, as some libraries do.
CPU_BLAS = r"""
#include <stdio.h>
void dgemm_(const char* ta, const char* tb, const int* m, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* b, const int* ldb, const double* beta, double* c,
            const int* ldc);
__attribute__((constructor)) static void loaded(void) { puts("cpu: loaded"); }
void dgemm_(const char* ta, const char* tb, const int* m, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* b, const int* ldb, const double* beta, double* c,
            const int* ldc) {
  printf("cpu: dgemm %c%c %d %d %d\n", *ta, *tb, *m, *n, *k);
  for (int j = 0; j < *n; ++j)
    for (int i = 0; i < *m; ++i) {
      double sum = 0;
      for (int l = 0; l < *k; ++l) sum += a[i + (long)l * *lda] * b[l + (long)j * *ldb];
      c[i + (long)j * *ldc] = *alpha * sum + *beta * c[i + (long)j * *ldc];
    }
}
void dsymm_(const char* side, const char* uplo, const int* m, const int* n, const double* alpha, const double* a,
            const int* lda, const double* b, const int* ldb, const double* beta, double* c, const int* ldc) {
  printf("cpu: dsymm %c%c\n", *side, *uplo);
  dgemm_("N", "N", m, n, m, alpha, a, lda, b, ldb, beta, c, ldc);
}
"""

# Calls dgemm_ and dsymm_ by name on matrices of ones, and says what came out.
CALLER = r"""
#include <stdio.h>
#include <stdlib.h>
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*, const int*,
            const double*, const int*, const double*, double*, const int*);
void dsymm_(const char*, const char*, const int*, const int*, const double*, const double*, const int*, const double*,
            const int*, const double*, double*, const int*);
int main(int argc, char** argv) {
  double one = 1, zero = 0;
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (int i = 1; i < argc; ++i) {
    int n = abs(atoi(argv[i])), asked = atoi(argv[i]);
    double *a = malloc(sizeof *a * n * n), *b = malloc(sizeof *b * n * n), *c = malloc(sizeof *c * n * n);
    for (int j = 0; j < n * n; ++j) a[j] = b[j] = 1, c[j] = -1;
    dgemm_("N", "N", &n, &asked, &n, &one, a, &n, b, &n, &zero, c, &n);
    printf("dgemm %d: %g %g\n", asked, c[0], c[n * n - 1]);
    if (asked > 0) {
      dsymm_("L", "U", &n, &n, &one, a, &n, b, &n, &one, c, &n);
      printf("dsymm %d: %g %g\n", asked, c[0], c[n * n - 1]);
    }
    free(a), free(b), free(c);
  }
  return 0;
}
"""


@pytest.mark.parametrize(
    ("major", "devices", "streams", "words"),
    [(11, 1, "inline", "NVBLAS_AUTOPIN_MEM_ENABLED"), (12, 3, "deferred", "NVBLAS_GPU_LIST 2 0"),
     (13, 4, "async", "NVBLAS_GPU_LIST ALL\nNVBLAS_AUTOPIN_MEM_ENABLED")],
)  # fmt: skip
def test_every_routine(major: int, devices: int, streams: str, words: str, lib_dir: Path, engine_env: dict[str, str],
                       tmp_path: Path) -> None:  # fmt: skip
    config = tmp_path / "some.conf"
    config.write_text(f"# small tiles\n{words}\n NVBLAS_TILE_DIM  16\nNVBLAS_LOGFILE {tmp_path}/log\n")
    env = dict(engine_env, SCALE_X_HOST_DEVICES=str(devices), SCALE_X_HOST_STREAMS=streams)
    env["NVBLAS_CONFIG_FILE"] = str(config)
    command = [sys.executable, PROGRAM, lib_dir, str(major), str(devices)]
    run = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert (run.returncode, run.stdout) == (0, "ok\n"), run.stdout + run.stderr
    log = (tmp_path / "log").read_text().splitlines()
    assert log == ["[NVBLAS] NVBLAS_CPU_BLAS_LIB is not set: what no device takes cannot be computed"]


class Preloaded:
    """A program that is linked with some BLAS and runs with nvblas before it; nvblas falls back to another one."""

    def __init__(self, cc: Callable[..., Path], lib_dir: Path, env: dict[str, str], home: Path) -> None:
        self.home = home
        linked = cc(CPU_BLAS.replace("cpu:", "linked:"), "-shared", "-fPIC", name="liblinked.so")
        self.program = cc(CALLER, str(linked), f"-Wl,-rpath,{linked.parent}", name="caller")
        self.cpu = cc(CPU_BLAS, "-shared", "-fPIC", "-O1", name="libcpublas.so")
        self.nvblas = lib_dir / "libnvblas.so.12"
        self.env = dict(env, LD_PRELOAD=str(self.nvblas), SCALE_X_HOST_DEVICES="2")
        self.env.pop("NVBLAS_CONFIG_FILE", None)

    def run(self, *sizes: int, config: str | None = None, named: bool = True) -> tuple[list[str], str]:
        if config is not None:
            (self.home / "nvblas.conf").write_text(config)
        env = dict(self.env, NVBLAS_CONFIG_FILE=str(self.home / "nvblas.conf")) if named else self.env
        run = subprocess.run([self.program, *map(str, sizes)], env=env, capture_output=True, text=True, cwd=self.home,
                             timeout=120)  # fmt: skip
        assert run.returncode == 0, run.stdout + run.stderr
        lines = run.stdout.splitlines()
        assert lines[0] == "linked: loaded" and not any(x.startswith("linked") for x in lines[1:])
        return lines[1:], run.stderr


@pytest.fixture
def preloaded(cc: Callable[..., Path], lib_dir: Path, engine_env: dict[str, str], tmp_path: Path) -> Preloaded:
    home = tmp_path / "home"
    home.mkdir()
    return Preloaded(cc, lib_dir, engine_env, home)


def test_small_problems_and_bad_arguments_go_to_the_cpu(preloaded: Preloaded) -> None:
    config = f"NVBLAS_CPU_BLAS_LIB {preloaded.cpu}\nNVBLAS_TRACE_LOG_ENABLED\nNVBLAS_TILE_DIM 64\n"
    out, log = preloaded.run(3, 130, -130, config=config)
    assert out[0] == "cpu: loaded"
    assert out[1:] == [
        "cpu: dgemm NN 3 3 3", "dgemm 3: 3 3",
        # the library's own dgemm, not nvblas again
        "cpu: dsymm LU", "cpu: dgemm NN 3 3 3", "dsymm 3: 6 6",
        "dgemm 130: 130 130", "dsymm 130: 260 260",
        "cpu: dgemm NN 130 -130 130", "dgemm -130: -1 -1",
    ]  # fmt: skip
    lines = [x for x in log.splitlines() if x.startswith("[NVBLAS]")]
    assert lines == [f"[NVBLAS] {x}" for x in ("DGEMM[cpu]", "DSYMM[cpu]", "DGEMM[gpu]", "DSYMM[gpu]", "DGEMM[cpu]")]


def test_routines_can_be_kept_from_the_gpu_or_shared(preloaded: Preloaded) -> None:
    shared = "NVBLAS_GPU_DISABLED_DSYMM\nNVBLAS_CPU_RATIO_DGEMM 0.25 # a quarter\n"
    config = f"NVBLAS_CPU_BLAS_LIB\t{preloaded.cpu}\n{shared}"
    out, _ = preloaded.run(200, config=config)
    assert out[1:] == ["cpu: dgemm NN 200 50 200", "dgemm 200: 200 200", "cpu: dsymm LU", "cpu: dgemm NN 200 200 200",
                       "dsymm 200: 400 400"]  # fmt: skip


def test_configuration_of_the_current_directory_must_be_the_users(preloaded: Preloaded) -> None:
    config = f"NVBLAS_CPU_BLAS_LIB {preloaded.cpu}\nNVBLAS_GPU_DISABLED_DGEMM\n"
    assert "cpu: dgemm NN 150 150 150" in preloaded.run(150, config=config, named=False)[0]
    if os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    os.chown(preloaded.home / "nvblas.conf", 12345, -1)
    out, log = preloaded.run(150, named=False)
    assert "cpu: dgemm NN 150 150 150" not in out and "dgemm 150: 150 150" in out
    assert "NVBLAS_CPU_BLAS_LIB is not set" in log


@pytest.mark.parametrize("path", ["./libother.so", "sub/libother.so", "libother.so", "../home/libother.so"])
def test_nothing_is_loaded_from_the_current_directory(path: str, preloaded: Preloaded, cc: Callable[..., Path]) -> None:
    other = cc(CPU_BLAS.replace("cpu:", "other:"), "-shared", "-fPIC", name="libother.so")
    (preloaded.home / "sub").mkdir()
    for place in (preloaded.home, preloaded.home / "sub"):
        (place / "libother.so").write_bytes(other.read_bytes())
    out, log = preloaded.run(3, config=f"NVBLAS_CPU_BLAS_LIB {path}\n")
    assert "other: loaded" not in out and "dgemm 3: 3 3" in out
    assert f"NVBLAS_CPU_BLAS_LIB {path}: " in log


def test_nvblas_is_not_its_own_cpu_blas(preloaded: Preloaded, lib_dir: Path) -> None:
    for major in (11, 12, 13):
        config = f"NVBLAS_CPU_BLAS_LIB {lib_dir}/libnvblas.so.{major}\nNVBLAS_GPU_DISABLED_DGEMM\n"
        out, log = preloaded.run(3, config=config)
        assert out == ["dgemm 3: -1 -1", "dsymm 3: 2 2"]
        assert "DGEMM: no CPU BLAS has it; nothing is computed" in log


def test_without_a_device_the_cpu_does_everything(preloaded: Preloaded) -> None:
    out, log = preloaded.run(150, config=f"NVBLAS_CPU_BLAS_LIB {preloaded.cpu}\nNVBLAS_GPU_LIST 7\n")
    assert "cpu: dgemm NN 150 150 150" in out and "dgemm 150: 150 150" in out
    assert "no device of NVBLAS_GPU_LIST can be used" in log


def test_bad_arguments_without_a_cpu_blas_change_nothing(preloaded: Preloaded) -> None:
    out, log = preloaded.run(-3, -200, config="NVBLAS_TILE_DIM 32\n")
    assert out == ["dgemm -3: -1 -1", "dgemm -200: -1 -1"]
    assert log.count("DGEMM failed with status 7") == 2
