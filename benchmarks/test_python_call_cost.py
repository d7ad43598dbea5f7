"""What a 14-argument call costs from Python, beside nvmath-python over the same null library in one run.

nvmath-python is NVIDIA's own binding; it starts without a GPU when a libcuda.so.1 that answers cuDriverGetVersion is in
reach. It is not a dependency of anything else here::

    pip install --no-deps nvmath-python cuda-bindings cuda-core cuda-pathfinder
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SGEMM = """
int cublasSgemm_v2(void* h, int ta, int tb, int m, int n, int k, const float* alpha, const float* a, int lda,
                   const float* b, int ldb, const float* beta, float* c, int ldc) { return 0; }
"""
DRIVER = "int cuDriverGetVersion(int* version) { *version = 13000; return 0; }"
ARGUMENTS = (0x7F1234567890, 0, 1, 512, 256, 128, 0x7F1234568890, 0x7F1234569890, 512, 0x7F123456A890, 256,
             0x7F123456B890, 0x7F123456C890, 512)
SCRIPT = Path(__file__).with_name("python_call.py")


def build(directory: Path, soname: str, source: str) -> None:
    (directory / f"{soname}.c").write_text(source)
    subprocess.run(["cc", "-O2", "-w", "-shared", "-fPIC", f"-Wl,-soname,{soname}", "-o", str(directory / soname),
                    str(directory / f"{soname}.c")], check=True)


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("null")
    for soname, source in (("libcublas.so.13", SGEMM), ("libcublasLt.so.13", ""), ("libcuda.so.1", DRIVER)):
        build(where, soname, source)
    return where


@pytest.fixture(scope="module")
def ratios(directory: Path) -> dict[str, dict[str, float]]:
    if importlib.util.find_spec("nvmath") is None:
        pytest.skip("nvmath-python is not installed; the head of this file says how")
    env = dict(os.environ, LD_LIBRARY_PATH=str(directory), PYTHONPATH=str(SCRIPT.parent.parent))
    command = [sys.executable, str(SCRIPT), str(directory)]
    run = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
    found: dict[str, dict[str, float]] = json.loads(run.stdout)
    return found


@pytest.mark.parametrize(("how", "limit"), [("released", 0.75), ("kept", 0.6)])
def test_sgemm_beside_nvmath(benchmark: Any, directory: Path, ratios: dict[str, dict[str, float]], how: str,
                             limit: float) -> None:
    """``released``: the GIL is given up around the call, as sgemm does; ``kept``: as a setter does."""
    from scale_x import bindings
    from scale_x.bindings import _native, _support, cublas

    before = (_support.state.provider, _support.state.cuda, _support.state.directories)
    bindings.load(directory)
    _native.releases_gil("cublasSgemm_v2", how == "released")
    benchmark.extra_info.update(ratios["ns"] | {"ratio": ratios["ratio"][how]})
    try:
        benchmark(cublas.sgemm, *ARGUMENTS)
    finally:
        _native.releases_gil("cublasSgemm_v2", True)
        _support.switch(*before)
    assert ratios["ratio"][how] <= limit, ratios
