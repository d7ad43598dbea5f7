"""What a cuBLAS wrapper costs over a backend that does nothing: all argument checks done, the handle found in the slab,
its settings compared, a rocBLAS handle borrowed. The figures are differences within one run."""

from __future__ import annotations

import importlib.resources
import os
import subprocess
from pathlib import Path

import pytest

from scale_x.wrappers_gen import cli

ROOT = Path(__file__).resolve().parent.parent
CXX = os.environ.get("CXX", "g++").split()
LIMITS = {"sgemm": 6.0, "saxpy": 5.0}  # ns more than the call through a pointer


def compiled(work: Path) -> tuple[Path, Path]:
    """The null ROCm's directory and the measuring program."""
    cli.main(["emit", "--out", str(work / "gen")])
    tests = ROOT / "tests" / "core"
    base = [*CXX, "-std=c++17", "-O2", "-fPIC", f"-I{work / 'gen' / 'rocm'}", f"-I{ROOT / 'core' / 'include'}"]
    for which, soname in (("HIP", "libamdhip64.so.7"), ("ROCBLAS", "librocblas.so.5")):
        sources = [str(tests / name) for name in ("nullrocm.cpp", "nullrocm_rest.cpp")]
        flags = [f"-DNULL_{which}", "-shared", f"-Wl,-soname,{soname}", "-o", str(work / soname)]
        subprocess.run([*base, *sources, *flags], check=True)
    program = work / "wrapper_cost"
    subprocess.run([*base, str(ROOT / "benchmarks" / "wrapper_cost" / "wrapper_cost.cpp"), "-o", str(program), "-ldl"],
                   check=True)
    return work, program


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return compiled(tmp_path_factory.mktemp("wrapper_cost"))


def measure(built: tuple[Path, Path], devices: int) -> dict[str, list[float]]:
    """{function: [wrapper, direct, difference]} in ns, the medians of interleaved runs."""
    null, program = built
    cublas = Path(str(importlib.resources.files("scale_x") / "lib" / "libcublas.so.13"))
    env = dict(os.environ, SCALE_X_PROVIDER=str(null), NULLROCM_DEVICES=str(devices))
    out = subprocess.run(
        [program, cublas, null / "librocblas.so.5"], env=env, capture_output=True, text=True, check=True
    )
    return {name: [float(v) for v in values] for name, *values in map(str.split, out.stdout.splitlines())}


@pytest.mark.parametrize("devices", [1, 2], ids=["one-device", "current-device-query"])
def test_wrapper_cost(devices: int, built: tuple[Path, Path], benchmark: pytest.FixtureRequest) -> None:
    runs: list[dict[str, list[float]]] = []
    benchmark.pedantic(lambda: runs.append(measure(built, devices)), rounds=5)  # type: ignore[attr-defined]
    for name, limit in LIMITS.items():
        best = min(runs, key=lambda r: r[name][2])[name]
        benchmark.extra_info[name] = dict(zip(("wrapper", "direct", "difference"), best, strict=True))  # type: ignore[attr-defined]
        print(f"{name}: {best[0]:.2f} ns, {best[1]:.2f} ns without the wrapper: {best[2]:.2f} ns more")
        if devices == 1:  # with several devices HIP's current device is asked for in every call: reported, not bounded
            assert best[2] <= limit
