"""Build the bindings' C module with the C compiler alone::

    python -m scale_x.bindings.build [--gen build/gen]

The sources are emitted first, which takes nothing but Python, so that the bindings also run where scale-x itself is not
built: on a machine with NVIDIA's libraries, Python and a C compiler.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FLAGS = ("-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror")


def emit(out: Path) -> None:
    """Write the emitted C and Python of the bindings below ``out``."""
    if not (ROOT / "scale_x" / "native").is_dir():
        raise SystemExit("the C sources are not here: build from a checkout (a wheel has the module built already)")
    from scale_x.wrappers_gen.emit import bindings
    from scale_x.wrappers_gen.model import Model

    files = bindings.emit(Model.load())
    for stale in (out / "bindings").glob("*.[ch]"):
        if f"bindings/{stale.name}" not in files:
            stale.unlink()
    for name, text in files.items():
        path = out / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def compile_module(sources: Path, out: Path, flags: tuple[str, ...] = (), jobs: int = 0) -> Path:
    """Compile and link; returns the module's file. ``CC`` names the compiler."""
    compiler = os.environ.get("CC", "cc").split()
    include = sysconfig.get_paths()["include"]
    if not (Path(include) / "Python.h").is_file():
        raise SystemExit(f"{include}/Python.h is missing: install this Python's development headers")
    target = out / f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        def one(source: Path) -> str:
            made = f"{scratch}/{source.stem}.o"
            subprocess.run([*compiler, *FLAGS, *flags, f"-I{include}", f"-I{sources}", "-c", str(source), "-o", made],
                           check=True)
            return made

        with ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
            objects = list(pool.map(one, sorted(sources.glob("*.c"))))
        fresh = f"{scratch}/{target.name}"
        subprocess.run([*compiler, "-shared", *objects, "-ldl", "-o", fresh], check=True)
        partial = target.with_suffix(".partial")
        partial.write_bytes(Path(fresh).read_bytes())
        partial.chmod(0o755)
        partial.replace(target)  # a running process keeps the file it has mapped
    return target


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m scale_x.bindings.build", description=__doc__)
    parser.add_argument("--gen", type=Path, default=ROOT / "build" / "gen", help="the generator's output folder")
    parser.add_argument("--sources", type=Path, help="compile these sources as they are, without emitting")
    parser.add_argument("--out", type=Path, help="where the module goes")
    parser.add_argument("--jobs", type=int, default=0)
    options = parser.parse_args(argv)
    if options.sources is None:
        emit(options.gen)
    out = options.out or options.gen / "scale_x" / "bindings"
    print(compile_module(options.sources or options.gen / "bindings", out, jobs=options.jobs))
    return 0


if __name__ == "__main__":
    sys.exit(main())
