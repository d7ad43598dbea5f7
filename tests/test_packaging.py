"""The source distribution carries what a build needs without a network; the wheel works outside the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built without isolation and with every way to the network closed off."""
    out = tmp_path_factory.mktemp("sdist")
    env = dict(
        os.environ,
        PIP_NO_INDEX="1",
        PIP_FIND_LINKS="",
        http_proxy="http://127.0.0.1:9",
        https_proxy="http://127.0.0.1:9",
    )
    subprocess.run(
        [sys.executable, "-m", "build", "--sdist", "--no-isolation", "-o", str(out), str(ROOT)],
        check=True,
        env=env,
        capture_output=True,
    )
    (archive,) = out.glob("scale_x-*.tar.gz")
    return archive


def test_sdist_holds_specs_rows_and_ducc0(sdist: Path) -> None:
    names = {n.split("/", 1)[1] for n in tarfile.open(sdist).getnames() if "/" in n}
    for wanted in (
        "cublas/spec/cublas.jsonl",
        "cublas/rows/gemm.py",
        "core/src",
        "host",
        "third_party/ducc0.txt",
        "third_party/ducc0/src/ducc0/fft/fft.h",
        "LICENSE",
        "wrappers_gen/rows.py",
    ):
        assert any(n == wanted or n.startswith(wanted + "/") for n in names), wanted
    assert not [n for n in names if n.startswith((".venv/", "build/", ".git/"))]


@pytest.mark.slow
def test_wheel_outside_the_checkout(sdist: Path, tmp_path: Path) -> None:
    """sdist -> wheel (no network) -> a virtual environment of its own -> the libraries load and compute."""
    env = dict(os.environ, PIP_NO_INDEX="1")
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "-q",
            "--no-deps",
            "--no-build-isolation",
            "-w",
            str(tmp_path),
            str(sdist),
        ],
        check=True,
        env=env,
    )
    (wheel,) = tmp_path.glob("scale_x-*.whl")
    assert wheel.stat().st_size < 25 << 20
    tops = {n.split("/")[0] for n in zipfile.ZipFile(wheel).namelist()}
    assert {t for t in tops if not t.endswith(".dist-info")} == {"scale_x"}
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "-q", "install", str(wheel)], check=True)
    code = "from scale_x.bindings import cublas; print(cublas.get_cudart_version() > 0)"
    run = subprocess.run([python, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert run.stdout == "True\n", run.stderr
