"""Every command that a document shows is run, or is one that CI itself is."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from scale_x.conformance import cli

ROOT = Path(__file__).resolve().parent.parent
FENCE = re.compile(r"```(\w+)\n(.*?)```", re.S)
ELSEWHERE = ("make ",)  # the two commands and the benches: CI runs them


def blocks() -> list[tuple[str, str, str]]:
    out = []
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]:
        out += [(page.name, language, text) for language, text in FENCE.findall(page.read_text())]
    return out


def shell_blocks() -> list[tuple[str, str]]:
    out = []
    for page, language, text in blocks():
        lines = [line for line in text.splitlines() if line and not line.startswith(ELSEWHERE)]
        if language == "sh" and lines:
            out.append((page, "\n".join(lines)))
    return out


@pytest.mark.parametrize(("page", "script"), shell_blocks(), ids=lambda v: v[:40])
def test_shell_commands(page: str, script: str) -> None:
    run = subprocess.run(["bash", "-euc", script], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, f"{page}:\n{script}\n{run.stdout}{run.stderr}"


@pytest.mark.parametrize("text", [t for _, language, t in blocks() if language == "python"])
def test_python_examples(text: str) -> None:
    run = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    for expected in re.findall(r"print\(.*\)\s+# (.*)", text):
        assert expected in run.stdout


def amd_commands() -> list[str]:
    """What an owner of an AMD GPU is asked to run, and cannot be run here."""
    text = "\n".join(t for page, language, t in blocks() if page == "amd.md" and language == "console")
    return [line.removeprefix("$ ") for line in text.splitlines() if "scale-x-conform" in line]


@pytest.mark.parametrize("command", amd_commands())
def test_commands_for_amd_hardware_select_cases(command: str) -> None:
    options = cli.parser().parse_args(shlex.split(command)[1:])
    if options.command == "run":
        chosen = cli.choose(options)
        assert sum(map(len, chosen.values())) >= 50


def test_the_readme_links_every_page() -> None:
    text = (ROOT / "README.md").read_text()
    assert "docs/amd.md" in text and "docs/capture.md" in text
