"""Lint, as part of ``make test``: ruff, clang-format, and a few rules of this project that no linter knows."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
LONGEST = 450  # lines of a human file


def tracked(*patterns: str) -> list[str]:
    out = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", *patterns], cwd=ROOT, capture_output=True, text=True
    )
    return [f for f in out.stdout.split() if (ROOT / f).is_file()]


def long_files() -> list[str]:
    return [
        f"{f}: {n} lines, more than {LONGEST}"
        for f in tracked("*.py", "*.cpp", "*.h", "*.c")
        if (n := len((ROOT / f).read_text().splitlines())) > LONGEST
    ]


def main() -> int:
    failed = 0
    checks = [[str(BIN / "ruff"), "check", "-q", "."], [sys.executable, "-m", "wrappers_gen", "check"]]
    sources = tracked(
        *("core/*.h", "core/*.cpp", "host/*.h", "host/*.cpp", "hostmath/*.h", "hostmath/*.cpp", "kernels/*.h"),
        *("kernels/*.cpp", "*/native/*.cpp", "*/native/*.h", "examples/*.c"),
    )
    if sources:
        checks.append([str(BIN / "clang-format"), "--dry-run", "-Werror", *sources])
    for command in checks:
        failed |= subprocess.run(command, cwd=ROOT).returncode
    failed |= subprocess.run([sys.executable, "tools/docs.py", "--check"], cwd=ROOT).returncode
    failed |= subprocess.run([sys.executable, "tools/typing_tree.py"], cwd=ROOT).returncode
    for message in long_files():
        print(message, file=sys.stderr)
        failed = 1
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
