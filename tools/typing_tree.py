"""Type checks: mypy and pyright over ``build/typing``, the package as it is when installed.

In a checkout ``scale_x`` extends its path to the repository's folders and to what the generator emitted; a type checker
does not run that code. ``build/typing/scale_x`` is the same package as links: ``scale_x/``, the folders that the wheel
puts below it, and the emitted modules with their stubs.

    python tools/typing_tree.py

pyright runs where node is installed; without it, it would have to fetch one.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TREE = ROOT / "build" / "typing"
EMITTED = ROOT / "build" / "gen" / "scale_x"


def wanted() -> dict[str, Path]:
    """Every link of the tree: path below it -> the file."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = project["tool"]["scikit-build"]["wheel"]["packages"]
    links: dict[str, Path] = {}
    for package, folder in sorted(packages.items()):
        for path in sorted((ROOT / folder).rglob("*.py*")):
            if path.suffix in (".py", ".pyi"):
                links[f"{package}/{path.relative_to(ROOT / folder)}"] = path
    links["scale_x/py.typed"] = ROOT / "scale_x" / "py.typed"
    for path in sorted(EMITTED.rglob("*.py*")):
        if path.suffix in (".py", ".pyi"):
            links[f"scale_x/{path.relative_to(EMITTED)}"] = path
    return links


def make() -> None:
    """Bring the tree up to date."""
    links = wanted()
    for name, target in links.items():
        path = TREE / name
        if not (path.is_symlink() and os.readlink(path) == str(target)):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            path.symlink_to(target)
    for path in TREE.rglob("*.py*"):
        if path.is_symlink() and str(path.relative_to(TREE)) not in links:
            path.unlink()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.parse_args()
    if not (EMITTED / "bindings" / "cublas.pyi").is_file():
        print("typing: nothing is emitted yet: python -m wrappers_gen emit", file=sys.stderr)
        return 1
    make()
    binaries = Path(sys.executable).parent
    settings = ["--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(ROOT / "build" / "mypy")]
    checks = [[str(binaries / "mypy"), *settings, "scale_x"]]
    if shutil.which("node"):
        checks.append([str(binaries / "pyright"), "--pythonpath", sys.executable, "-p", str(TREE)])
        settings = {"include": ["scale_x"], "ignore": ["scale_x/wrappers_gen/extract"], "typeCheckingMode": "standard"}
        (TREE / "pyrightconfig.json").write_text(json.dumps(settings))  # extract: over libclang's untyped bindings
    else:
        print("typing: pyright not run: node is not installed", file=sys.stderr)
    runs = [subprocess.run(command, cwd=TREE, capture_output=True, text=True) for command in checks]
    for run in runs:
        if run.returncode:
            sys.stderr.write(run.stdout + run.stderr)
    return max(run.returncode for run in runs)


if __name__ == "__main__":
    sys.exit(main())
