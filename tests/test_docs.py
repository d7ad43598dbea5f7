"""Every command that a document shows is run, or is one that CI itself is."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

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
