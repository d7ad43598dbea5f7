"""Fixtures that more than one test file uses: where the built libraries are, and a C compiler on real headers."""

from __future__ import annotations

import importlib.resources
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from scale_x.bindings._locate import own_directories


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the exhaustive levels too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--slow"):
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="exhaustive: run with --slow"))


@pytest.fixture(scope="session")
def lib_dir() -> Path:
    """The directory of the installed libraries."""
    return own_directories()[0]


@pytest.fixture(scope="session")
def include_dir() -> Path:
    """Holds one include directory per CUDA major: 11, 12, 13."""
    return Path(str(importlib.resources.files("scale_x") / "include"))


@pytest.fixture(scope="session")
def engine_env() -> dict[str, str]:
    """The environment of a program that must run on the embedded engine, in hostile mode."""
    env = dict(os.environ, SCALE_X_PROVIDER="host", SCALE_X_HOST_HOSTILE="1")
    for name in ("LD_LIBRARY_PATH", "ROCM_PATH", "SCALE_X_HOST_ROCM", "SCALE_X_HOST_ARCH", "SCALE_X_HOST_STREAMS"):
        env.pop(name, None)
    return env


@pytest.fixture
def cc(tmp_path: Path) -> Callable[..., Path]:
    """``cc(source_text, *flags, language="c")`` compiles a program and returns its path."""

    def compile_(source: str, *flags: str, language: str = "c", name: str = "program") -> Path:
        text = tmp_path / f"{name}.{'c' if language == 'c' else 'cpp'}"
        text.write_text(source)
        program = tmp_path / name
        compiler = os.environ.get("CC", "gcc") if language == "c" else os.environ.get("CXX", "g++")
        standard = "-std=gnu99" if language == "c" else "-std=c++17"
        subprocess.run(
            [compiler, standard, "-Wall", "-Wextra", "-Werror", str(text), "-o", str(program), *flags], check=True
        )
        return program

    return compile_
