"""`scale-x prefix` and `info`, and device memory, without a build of the libraries."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nullib
import numpy as np
import pytest

from scale_x import bindings, cli, errors, memory, prefix
from scale_x.bindings import _locate, _support
from scale_x.wrappers_gen import spec


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package's lib directory, with every soname, core and engine."""
    lib = tmp_path / "scale_x" / "lib"
    lib.mkdir(parents=True)
    for link, suffixes in spec.SONAMES.values():
        for suffix in suffixes.values():
            (lib / f"{link}.{suffix}").touch()
    for name in ("libscalex_core.so.0", "libscalex_host.so.0"):
        (lib / name).touch()
    (tmp_path / "include").mkdir()
    monkeypatch.setattr(_locate, "own_directories", lambda: [lib])
    monkeypatch.setattr(prefix, "include_directory", lambda cuda: tmp_path / "include")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return lib


@pytest.mark.parametrize("cuda", spec.MAJORS)
def test_prefix(cuda: int, installed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["prefix", "--cuda", str(cuda)]) == 0
    root = Path(capsys.readouterr().out.strip())
    assert root.is_relative_to(tmp_path / "cache")
    assert (root / "include").resolve() == tmp_path / "include"
    for link, suffixes in spec.SONAMES.values():
        assert os.readlink(root / "lib64" / link) == f"{link}.{suffixes[cuda]}"
        assert (root / "lib64" / link).resolve() == installed / f"{link}.{suffixes[cuda]}"
    assert (root / "lib64" / "libscalex_core.so.0").exists()
    assert (root / "lib64" / "libscalex_host.so.0").exists()
    assert (root / "lib64" / "libscipy_openblas64_.so").exists()  # $ORIGIN of the engine is lib64 there
    assert (root / "lib" / "libcublas.so").samefile(root / "lib64" / "libcublas.so")
    assert json.loads((root / "version.json").read_text())["cuda"]["version"].startswith(f"{cuda}.")


def test_prefix_is_refreshed_in_place(installed: Path, tmp_path: Path) -> None:
    out = tmp_path / "toolkit"
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: prefix.make(13, out), range(8))) == {out}
    inode = out.stat().st_ino
    (out / "lib64" / "libold.so").symlink_to("nowhere")
    prefix.make(12, out)
    assert out.stat().st_ino == inode
    assert not os.path.lexists(out / "lib64" / "libold.so")
    assert os.readlink(out / "lib64" / "libcublas.so") == "libcublas.so.12"
    assert not os.path.lexists(out / "lib64" / "libcublas.so.13")
    assert not [p for p in out.rglob(".*")]


@pytest.mark.skipif(shutil.which("pkg-config") is None, reason="pkg-config is not installed")
def test_pkgconfig(installed: Path, tmp_path: Path) -> None:
    root = prefix.make(13, tmp_path / "toolkit")
    env = dict(os.environ, PKG_CONFIG_PATH=str(root / "lib64" / "pkgconfig"))
    said = subprocess.run(["pkg-config", "--cflags", "--libs", "cusolver", "cudart-13.0"], env=env, check=True,
                          capture_output=True, text=True).stdout.split()  # fmt: skip
    assert {f"-I{root}/include", f"-L{root}/lib64", "-lcusolver", "-lcublas", "-lcudart"} <= set(said)


CMAKE = """
cmake_minimum_required(VERSION 3.25)
project(program C)
find_package(CUDAToolkit 12 REQUIRED)
add_executable(program program.c)
target_link_libraries(program CUDA::cublas CUDA::cublasLt CUDA::cusolver CUDA::cufft CUDA::cufftw CUDA::cudart)
"""
PROGRAM = """
#include <cublas_v2.h>
#include <cuda_runtime.h>
int main(void) {
  cublasHandle_t handle;
  float two = 2, x[3] = {1, 2, 3}, *d;
  if (cublasCreate(&handle) || cudaMalloc((void**)&d, sizeof x) || cublasSetVector(3, 4, x, 1, d, 1)) return 1;
  if (cublasSscal(handle, 3, &two, d, 1) || cublasGetVector(3, 4, d, 1, x, 1) || cublasDestroy(handle)) return 2;
  return x[0] == 2 && x[2] == 6 ? 0 : 3;
}
"""


def test_cmake_takes_it_for_a_toolkit(tmp_path: Path, engine_env: dict[str, str]) -> None:
    """FindCUDAToolkit, as programs use it, on the built libraries (ggml-org/llama.cpp#1078)."""
    root = prefix.make(12, tmp_path / "toolkit")
    (tmp_path / "CMakeLists.txt").write_text(CMAKE)
    (tmp_path / "program.c").write_text(PROGRAM)
    cmake = Path(sys.executable).parent / "cmake"
    subprocess.run([cmake, "-S", tmp_path, "-B", tmp_path / "b", f"-DCUDAToolkit_ROOT={root}"], check=True,
                   stdout=subprocess.DEVNULL)  # fmt: skip
    subprocess.run([cmake, "--build", tmp_path / "b"], check=True, stdout=subprocess.DEVNULL)
    assert subprocess.run([tmp_path / "b" / "program"], env=engine_env).returncode == 0


def test_nothing_built_is_one_message(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(_locate, "own_directories", list)
    assert cli.main(["prefix"]) == 1
    assert capsys.readouterr().err == "scale-x: no libraries: scale_x/lib is not built or not installed\n"
    assert cli.main(["info", "--json"]) == 1
    assert "not built" in json.loads(capsys.readouterr().out)["no answer"]


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", "cublasSgemm_v2"]) == 0
    said = capsys.readouterr().out
    assert "scale_x.bindings.cublas.sgemm\n" in said
    assert "rocblas_sgemm" in said


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[ctypes.CDLL]:
    """A CUDA runtime whose device memory is malloc's."""
    state = (_support.state.provider, _support.state.cuda, _support.state.directories)
    made = nullib.build(tmp_path / "runtime", "libcudart.so.13", nullib.CUDART)
    bindings.load(made.parent)
    yield ctypes.CDLL(str(made))
    _support.switch(*state)


def allocated(runtime: ctypes.CDLL) -> int:
    return ctypes.c_int.in_dll(runtime, "allocated").value


@pytest.mark.parametrize("order", ["C", "F"])
def test_copies_keep_shape_type_and_order(runtime: ctypes.CDLL, order: memory.Order) -> None:
    values = np.asarray(np.arange(24).reshape(2, 3, 4) * 1.5j, np.complex64, order=order)
    with memory.to_device(values) as x:
        got = memory.to_host(x)
        assert (got == values).all() and got.dtype == values.dtype
        assert got.flags[f"{order}_CONTIGUOUS"] and x.strides == values.strides
        assert ctypes.string_at(x.ptr, x.nbytes) == values.tobytes(order="A")
        interface = x.__cuda_array_interface__
        assert interface["data"] == (x.ptr, False) and interface["shape"] == (2, 3, 4)
        assert interface["strides"] == (None if order == "C" else values.strides)
        x.set(values[:, ::-1])
        assert (x.get() == values[:, ::-1]).all()
        with pytest.raises(ValueError, match="shape"):
            x.set(values[0])
        assert allocated(runtime) == 1
    assert x.ptr == 0 and allocated(runtime) == 0


def test_memory_is_freed_once_and_by_who_made_it(runtime: ctypes.CDLL) -> None:
    x = memory.to_device([1.0, 2.0])
    x.free()
    x.free()
    assert allocated(runtime) == 0
    y = memory.empty(3)
    del y
    assert allocated(runtime) == 0
    z = memory.empty((0, 5))
    assert z.ptr == 0 and z.get().shape == (0, 5) and allocated(runtime) == 0
    w = memory.empty(4)
    bindings.load(Path(_support.state.directories[0]))
    w.free()  # another set of libraries serves now: not theirs to free
    assert w.ptr == 0 and allocated(runtime) == 1
    with pytest.raises(errors.CudartError, match="cudaErrorMemoryAllocation"):
        memory.empty(10**6, np.float64)
