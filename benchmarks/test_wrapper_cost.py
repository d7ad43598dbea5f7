"""What a cuBLAS wrapper costs over a backend that does nothing: all argument checks done, the handle found in the slab,
its settings compared, a rocBLAS handle borrowed; for cuBLASLt, the problem found among those seen before. The figures
are differences within one run."""

from __future__ import annotations

import importlib.resources
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from scale_x.wrappers_gen import cli

ROOT = Path(__file__).resolve().parent.parent
CXX = os.environ.get("CXX", "g++").split()
LIMITS = {"sgemm": 6.0, "saxpy": 5.0}  # ns more than the call through a pointer
LT_LIMITS = {"same": 60.0, "changed": 150.0, "heuristic": 200.0}
LIBRARIES = {
    "HIP": ("libamdhip64.so.7", "nullrocm.cpp"),
    "ROCBLAS": ("librocblas.so.5", "nullrocm.cpp"),
    "HIPBLASLT": ("libhipblaslt.so.1", "nullhipblaslt.cpp"),
}


def compiled(work: Path) -> Path:
    """The null ROCm's directory, which also holds the measuring programs."""
    cli.main(["emit", "--out", str(work / "gen")])
    tests = ROOT / "tests" / "core"
    base = [*CXX, "-std=c++17", "-O2", "-fPIC", f"-I{work / 'gen' / 'rocm'}", f"-I{ROOT / 'core' / 'include'}"]
    for which, (soname, source) in LIBRARIES.items():
        sources = [str(tests / name) for name in (source, "nullrocm_rest.cpp")]
        flags = [f"-DNULL_{which}", "-shared", f"-Wl,-soname,{soname}", "-o", str(work / soname)]
        subprocess.run([*base, *sources, *flags], check=True)
    for program in ("wrapper_cost", "lt_cost"):
        source = ROOT / "benchmarks" / "wrapper_cost" / f"{program}.cpp"
        subprocess.run([*base, str(source), "-o", str(work / program), "-ldl"], check=True)
    return work


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("wrapper_cost"))


def measure(null: Path, program: str, library: str, backend: str, devices: int) -> dict[str, list[float]]:
    """{function: [wrapper, direct, difference]} in ns, the medians of interleaved runs."""
    ours = Path(str(importlib.resources.files("scale_x") / "lib" / library))
    env = dict(os.environ, SCALE_X_PROVIDER=str(null), NULLROCM_DEVICES=str(devices))
    out = subprocess.run([null / program, ours, null / backend], env=env, capture_output=True, text=True, check=True)
    return {name: [float(v) for v in values] for name, *values in map(str.split, out.stdout.splitlines())}


def within(runs: list[dict[str, list[float]]], limits: dict[str, float], bounded: bool, benchmark: Any) -> None:
    for name, limit in limits.items():
        best = min(runs, key=lambda r: r[name][2])[name]
        benchmark.extra_info[name] = dict(zip(("wrapper", "direct", "difference"), best, strict=True))
        print(f"{name}: {best[0]:.2f} ns, {best[1]:.2f} ns without the wrapper: {best[2]:.2f} ns more")
        if bounded:
            assert best[2] <= limit


@pytest.mark.parametrize("devices", [1, 2], ids=["one-device", "current-device-query"])
def test_wrapper_cost(devices: int, built: Path, benchmark: Any) -> None:
    runs: list[dict[str, list[float]]] = []
    arguments = (built, "wrapper_cost", "libcublas.so.13", "librocblas.so.5", devices)
    benchmark.pedantic(lambda: runs.append(measure(*arguments)), rounds=5)
    within(runs, LIMITS, devices == 1, benchmark)  # with several, HIP's current device is asked for in every call


def test_cublaslt_cost(built: Path, benchmark: Any) -> None:
    runs: list[dict[str, list[float]]] = []
    arguments = (built, "lt_cost", "libcublasLt.so.13", "libhipblaslt.so.1", 1)
    benchmark.pedantic(lambda: runs.append(measure(*arguments)), rounds=5)
    within(runs, LT_LIMITS, True, benchmark)
