"""The cases of cublasLtMatmul on the releases and chips that the engine impersonates, with streams that run nothing
until they must; as NVIDIA's chip answers; and as one that claims compute capability 10.0."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


def conform(env: dict[str, str], expression: str, at_least: int, report: Path) -> None:
    command = [sys.executable, "-m", "scale_x.conformance.cli", "run", "--provider", "host", "--library", "cublaslt"]
    run = subprocess.run([*command, "-k", expression, "--json", report], env=env, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-8000:] + run.stderr[-2000:]
    assert len(json.loads(report.read_text())["results"]) >= at_least


@pytest.mark.parametrize(
    ("release", "arch", "streams"),
    [
        ("6.0", "gfx90a", "inline"),
        ("6.4", "gfx1100", "inline"),
        ("7.2", "gfx942", "deferred"),
        ("10.1", "gfx950", "inline"),
    ],
)
def test_products(release: str, arch: str, streams: str, engine_env: dict[str, str], tmp_path: Path) -> None:
    env = dict(engine_env, SCALE_X_HOST_ROCM=release, SCALE_X_HOST_ARCH=arch, SCALE_X_HOST_STREAMS=streams)
    conform(env, "cublasLtMatmul and not table", 550, tmp_path / "report.json")


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["1", "2", "3"])
@pytest.mark.parametrize(("release", "arch"), [("6.0", "gfx90a"), ("7.2", "gfx942"), ("10.1", "gfx950")])
def test_random_products(seed: str, release: str, arch: str, engine_env: dict[str, str], tmp_path: Path) -> None:
    env = dict(engine_env, SCALE_X_HOST_ROCM=release, SCALE_X_HOST_ARCH=arch, SCALE_X_CONFORM_SEED=seed)
    conform(env, "random", 500, tmp_path / "report.json")


@pytest.mark.parametrize("compat", ["", "exact"])
def test_table_of_types_and_epilogues(compat: str, engine_env: dict[str, str], tmp_path: Path) -> None:
    """Every entry of the H200's table; with exact, refused where it is refused there."""
    conform(dict(engine_env, SCALE_X_COMPAT=compat), "table", 54, tmp_path / "report.json")


@pytest.mark.parametrize("arch", ["gfx942", "gfx950"])
def test_block_scales_of_blackwell(arch: str, engine_env: dict[str, str], tmp_path: Path) -> None:
    """mxfp8 and nvfp4 when compute capability 10.0 is claimed."""
    env = dict(engine_env, SCALE_X_COMPUTE_CAPABILITY="10.0", SCALE_X_HOST_ARCH=arch)
    conform(env, "mx", 7, tmp_path / "report.json")
