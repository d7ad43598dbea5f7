# ruff: noqa: E501
"""ROCm's libraries by their own names: built from what is emitted, used by a program that knows only ROCm."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerDefSection, GNUVerSymSection

ROOT = Path(__file__).parent.parent

PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#define OK(x) do { int got_ = (x); if (got_) { fprintf(stderr, "%s: %d\n", #x, got_); exit(1); } } while (0)
int hipMalloc(void**, size_t); int hipFree(void*); int hipMemcpy(void*, const void*, size_t, int); int hipRuntimeGetVersion(int*);
int hipTexRefGetFlags(unsigned*, void*);
int rocblas_create_handle(void**); int rocblas_destroy_handle(void*);
int rocblas_saxpy(void*, int, const float*, const float*, int, float*, int);
int main(void) {
  float x[3] = {1, 2, 3}, y[3] = {10, 20, 30}, alpha = 2;
  void *dx, *dy, *h; int version;
  OK(hipMalloc(&dx, sizeof x)); OK(hipMalloc(&dy, sizeof y));
  OK(hipMemcpy(dx, x, sizeof x, 1)); OK(hipMemcpy(dy, y, sizeof y, 1));
  OK(rocblas_create_handle(&h)); OK(rocblas_saxpy(h, 3, &alpha, dx, 1, dy, 1)); OK(rocblas_destroy_handle(h));
  OK(hipMemcpy(y, dy, sizeof y, 2)); OK(hipFree(dx)); OK(hipFree(dy)); OK(hipRuntimeGetVersion(&version));
  printf("%g %g %g %d %d\n", y[0], y[1], y[2], version / 10000000, hipTexRefGetFlags(NULL, NULL));
  return 0;
}
"""


@pytest.fixture(scope="session")
def emitted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("gen")
    subprocess.run([sys.executable, "-S", "-m", "wrappers_gen", "emit", "--out", str(out)], cwd=ROOT, check=True)
    return out / "forwarders"


def build(emitted: Path, release: str, soname: str, to: Path) -> Path:
    library = to / soname
    source = emitted / release / f"{soname}.c"
    subprocess.run(["gcc", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", f"-I{ROOT / 'host' / 'forwarders'}",
                    str(source), "-o", str(library), f"-Wl,-soname,{soname}", "-Wl,-z,defs",
                    f"-Wl,--version-script,{source.with_suffix('.map')}", "-ldl"], check=True)  # fmt: skip
    return library


def versions(library: Path) -> dict[str, str]:
    with library.open("rb") as f:
        elf = ELFFile(f)
        nodes, index, symbols = {}, {}, elf.get_section_by_name(".dynsym")
        for section in elf.iter_sections():
            if isinstance(section, GNUVerDefSection):
                nodes = {v["vd_ndx"]: next(aux).name for v, aux in section.iter_versions()}
            if isinstance(section, GNUVerSymSection):
                index = {i: s["ndx"] for i, s in enumerate(section.iter_symbols())}
        return {s.name: nodes.get(index.get(i), "") for i, s in enumerate(symbols.iter_symbols()) if s["st_shndx"] != "SHN_UNDEF"}


@pytest.mark.parametrize("release, hip, blas", [("6.4", "6", "4"), ("7.2", "7", "5")])
def test_a_program_that_knows_only_rocm(
    release: str, hip: str, blas: str, emitted: Path, tmp_path: Path, lib_dir: Path, cc: Callable[..., Path],
    engine_env: dict[str, str],
) -> None:  # fmt: skip
    libraries = [build(emitted, release, f"libamdhip64.so.{hip}", tmp_path), build(emitted, release, f"librocblas.so.{blas}", tmp_path)]
    program = cc(PROGRAM, *map(str, libraries), f"-Wl,-rpath,{tmp_path}")
    env = {**engine_env, "SCALE_X_HOST_ENGINE": str(lib_dir / "libscalex_host.so.0"), "LD_BIND_NOW": "1"}
    done = subprocess.run([program], env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["12", "24", "36", hip, "801"]
    assert "hipTexRefGetFlags is not in the host engine" in done.stderr


def test_hip_carries_amds_version_nodes(emitted: Path, tmp_path: Path) -> None:
    found = versions(build(emitted, "7.2", "libamdhip64.so.7", tmp_path))
    assert found["hipMalloc"] == "hip_4.2" and found["hipMallocAsync"] == "hip_5.1" and found["hipStreamGetId"] == "hip_7.1"
    older = versions(build(emitted, "6.0", "libamdhip64.so.6", tmp_path))
    assert older["hipMalloc"] == "hip_4.2" and "hipStreamGetId" not in older and "hipEventRecordWithFlags" not in older


def test_each_release_has_its_own_functions(emitted: Path) -> None:
    old, new = ((emitted / r / s).read_text() for r, s in (("6.0", "librocblas.so.4.c"), ("7.2", "librocblas.so.5.c")))
    assert "X(rocblas_saxpy," in old and "X(rocblas_saxpy_64," not in old and "X(rocblas_saxpy_64," in new
    assert "X(rocblas_sgemm_kernel_name," in old and "X(rocblas_sgemm_kernel_name," not in new  # removed in 7.0
