"""cublasXt: every function against NumPy, tiles smaller than the matrices, one device and several."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "programs" / "xt.py"


@pytest.mark.parametrize(
    ("major", "devices", "streams", "release", "arch", "mode"),
    [
        (12, 1, "inline", "7.2", "gfx942", ""),
        (13, 4, "inline", "7.2", "gfx942", ""),
        (13, 4, "deferred", "7.2", "gfx942", ""),
        (11, 2, "async", "7.2", "gfx942", "pinned"),
        (12, 3, "deferred", "6.0", "gfx90a", "pinned"),
    ],
)
def test_every_function(major: int, devices: int, streams: str, release: str, arch: str, mode: str, lib_dir: Path,
                        engine_env: dict[str, str]) -> None:  # fmt: skip
    env = dict(engine_env, SCALE_X_HOST_STREAMS=streams, SCALE_X_HOST_DEVICES=str(devices), SCALE_X_HOST_ROCM=release,
               SCALE_X_HOST_ARCH=arch)  # fmt: skip
    command = [sys.executable, PROGRAM, lib_dir, str(major), str(devices), *mode.split()]
    run = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)
    assert (run.returncode, run.stdout) == (0, "ok\n"), run.stdout + run.stderr


def test_in_strict_mode(lib_dir: Path, engine_env: dict[str, str]) -> None:
    """Tiles stay in their room, device memory is not touched from the host, and nothing is leaked."""
    env = dict(engine_env, SCALE_X_HOST_STRICT="1", SCALE_X_HOST_DEVICES="2")
    command = [sys.executable, PROGRAM, lib_dir, "13", "2", "few"]
    run = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)
    assert (run.returncode, run.stdout) == (0, "ok\n"), run.stdout + run.stderr
    assert "leak" not in run.stderr
