"""The quick conformance level is green in hostile mode on the releases and chips that the engine impersonates, with
streams that run nothing until they must, and in friendly mode, where calls make the device operations they declare."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

CONFORM = Path(sys.executable).parent / "scale-x-conform"
#: cases of the quick level; far fewer means that the selection broke
AT_LEAST = {"cublas": 20000, "cusolver": 14000}
PLACES = (
    ("6.0", "gfx90a", "inline", "1"),
    ("6.4", "gfx1100", "inline", "1"),
    ("7.2", "gfx942", "inline", "1"),
    ("10.1", "gfx950", "inline", "1"),
    ("7.2", "gfx942", "deferred", "1"),
    ("7.2", "gfx942", "inline", "0"),  # only a friendly engine counts nothing but what the wrappers do
)


@pytest.mark.parametrize("library", AT_LEAST)
@pytest.mark.parametrize(("release", "arch", "streams", "hostile"), PLACES)
def test_quick_level(
    release: str, arch: str, streams: str, hostile: str, library: str, engine_env: dict[str, str], tmp_path: Path
) -> None:
    place = {"SCALE_X_HOST_ROCM": release, "SCALE_X_HOST_ARCH": arch, "SCALE_X_HOST_STREAMS": streams}
    report = tmp_path / "report.json"
    run = subprocess.run(
        [CONFORM, "run", "--provider", "host", "--library", library, "--level", "quick", "--json", report],
        env=engine_env | place | {"SCALE_X_HOST_HOSTILE": hostile},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout[-8000:] + run.stderr[-2000:]
    assert len(json.loads(report.read_text())["results"]) >= AT_LEAST[library]
