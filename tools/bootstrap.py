"""Makes the development environment: a virtual environment with the tools, and an editable install into ./build.

Standard library only: it runs before anything is installed. ``python tools/bootstrap.py .venv``
"""

import os
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main(target: str) -> int:
    if sys.version_info < (3, 11):  # noqa: UP036  someone may start make with an older one
        print(f"scale-x needs Python 3.11 or newer; this is {sys.version.split()[0]}", file=sys.stderr)
        return 1
    where = ROOT / target
    python = where / "bin" / "python"
    if not python.exists():
        venv.create(where, with_pip=True)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "-q"]
    subprocess.run([*pip, "install", "--upgrade", *project["dependency-groups"]["dev"]], check=True)
    env = dict(os.environ, CMAKE_BUILD_PARALLEL_LEVEL=os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count())))
    subprocess.run([*pip, "install", "--no-build-isolation", "--no-deps", "-e", str(ROOT)], check=True, env=env)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
