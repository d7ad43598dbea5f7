"""Brings ./build and the installed copy up to date: cmake --build, then cmake --install when anything changed.

The editable install made by tools/bootstrap.py configured ./build; a second ``pip install`` would recompile everything.
"""

import argparse
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
SITE = Path(sysconfig.get_paths()["purelib"])


def newest(folder: Path) -> float:
    return max((p.stat().st_mtime for p in folder.rglob("*") if p.is_file()), default=0.0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", default="2")
    options = parser.parse_args()
    cmake = str(Path(sys.executable).parent / "cmake")
    result = subprocess.run([cmake, "--build", str(BUILD), "--parallel", options.jobs], capture_output=True, text=True)
    if result.returncode:
        sys.stderr.write(result.stdout + result.stderr)
        return result.returncode
    stamp = BUILD / "installed.stamp"
    changed = max(newest(BUILD / "lib"), newest(BUILD / "gen"))
    if not stamp.exists() or changed > stamp.stat().st_mtime or not (SITE / "scale_x" / "lib").is_dir():
        subprocess.run(
            [cmake, "--install", str(BUILD), "--prefix", str(SITE), "--component", "scale_x"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        stamp.touch()
    return 0


if __name__ == "__main__":
    sys.exit(main())
