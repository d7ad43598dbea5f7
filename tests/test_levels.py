"""The quick conformance level is green in hostile mode on the releases and chips that the engine impersonates,
and with streams that run nothing until they must."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

CONFORM = Path(sys.executable).parent / "scale-x-conform"
AT_LEAST = 5000  # cases of the quick level; far fewer means that the selection broke


@pytest.mark.parametrize(
    ("release", "arch", "streams"),
    [
        ("6.0", "gfx90a", "inline"),
        ("6.4", "gfx1100", "inline"),
        ("7.2", "gfx942", "inline"),
        ("10.1", "gfx950", "inline"),
        ("7.2", "gfx942", "deferred"),
    ],
)
def test_quick_level_in_hostile_mode(
    release: str, arch: str, streams: str, engine_env: dict[str, str], tmp_path: Path
) -> None:
    env = dict(engine_env, SCALE_X_HOST_ROCM=release, SCALE_X_HOST_ARCH=arch, SCALE_X_HOST_STREAMS=streams)
    report = tmp_path / "report.json"
    run = subprocess.run(
        [CONFORM, "run", "--provider", "host", "--library", "cublas", "--level", "quick", "--json", report],
        env=env,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout[-8000:] + run.stderr[-2000:]
    assert len(json.loads(report.read_text())["results"]) >= AT_LEAST
