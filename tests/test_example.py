"""The main job of `make conform`, for every CUDA major, in hostile mode."""

import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).resolve().parent.parent / "examples" / "least_squares" / "run.py"


@pytest.mark.parametrize("major", ["11", "12", "13"])
def test_least_squares(major: str, engine_env: dict[str, str]) -> None:
    run = subprocess.run([sys.executable, RUN, "--cuda", major], env=engine_env, capture_output=True, text=True)
    assert run.returncode == 0 and ": ok" in run.stdout, run.stdout + run.stderr
