"""AMD's own test program for rocSOLVER, run on the host engine: ``make check-amd-tests``.

Debian's sid carries the program prebuilt (ROCm 6.4). Its packages are downloaded from the machine's own Debian mirror
and unpacked into a cache directory; nothing is installed. The program runs under that suite's own loader and C library,
on the engine behind libraries with AMD's names (``cmake --build build --target forwarders``). It judges the ABI, checks
of bad arguments, quick returns, workspace queries, and numerics by AMD's bounds.

    python tools/amd_tests.py                         the quick families, in parallel, passed and failed by family
    python tools/amd_tests.py --filter 'checkin_lapack/GETRF.*' --verbose
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import debian

ROOT = Path(__file__).resolve().parent.parent
CACHE = debian.CACHE / "amd-tests"
SUITE = "sid"
PACKAGES = """librocsolver0-tests libfmt11 liblapack3 libblas3 libgfortran5 libquadmath0 libstdc++6 libgcc-s1
              libc6""".split()
RELEASE = "6.4"
#: all but the tests of logging, which the engine has not
QUICK = "checkin_lapack/*:checkin_misc_MEMORY*"


def fetch(into: Path) -> Path:
    """Downloads and unpacks AMD's test program and what it needs; the directory of the unpacked files."""
    return debian.Packages(into, [SUITE]).unpack("complete", PACKAGES)


# ---- the program ---------------------------------------------------------------------------------------------
def libraries() -> tuple[Path, Path]:
    """The directories of the libraries with AMD's names, and of the engine."""
    build = ["cmake", "--build", str(ROOT / "build"), "--target", "scalex_host", "forwarders"]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    return ROOT / "build" / "lib" / "rocm" / RELEASE, ROOT / "build" / "lib"


def command(root: Path) -> list[str]:
    forwarders, engine = libraries()
    usr = root / "usr" / "lib" / debian.TRIPLET
    program = next(p for p in root.rglob("rocsolver-test") if os.access(p, os.X_OK) and p.is_file())
    path = [forwarders, engine, usr, usr / "lapack", usr / "blas"]
    return [str(debian.loader(root)), "--library-path", ":".join(map(str, path)), str(program)]


def environment(hostile: bool = False) -> dict[str, str]:
    env = {k: v for k, v in os.environ.items() if not k.startswith(("SCALE_X_", "LD_"))}
    chosen = {"SCALE_X_HOST_ROCM": RELEASE, "SCALE_X_HOST_THREADS": "1", "SCALE_X_HOST_HOSTILE": str(int(hostile))}
    return {**env, **chosen, "OMP_NUM_THREADS": "1"}


def families(base: list[str], pattern: str) -> dict[str, int]:
    """gtest's suites that match, with the number of their tests."""
    listing = [*base, "--gtest_list_tests", f"--gtest_filter={pattern}"]
    out = subprocess.run(listing, env=environment(), capture_output=True, text=True)
    found: dict[str, int] = collections.Counter()
    suite = ""
    for line in out.stdout.splitlines():
        if line.startswith("  "):
            found[suite] += 1
        elif line.split("#")[0].strip().endswith("."):
            suite = line.split("#")[0].strip()[:-1]
    if not found:
        raise SystemExit(f"no tests match {pattern!r}:\n{out.stdout[-2000:]}{out.stderr[-2000:]}")
    return found


class Result(NamedTuple):
    family: str
    passed: int
    failed: list[str]
    skipped: int
    output: str


def run(base: list[str], suite: str, options: argparse.Namespace) -> Result:
    """One suite in a process of its own."""
    asked = [part for part in options.filter.split(":") if part.startswith(suite + ".")]
    pattern = ":".join(asked) or suite + ".*"
    command = [*base, f"--gtest_filter={pattern}"]
    try:
        env, limit = environment(options.hostile), options.timeout
        done = subprocess.run(command, env=env, capture_output=True, text=True, errors="replace", timeout=limit)
        text, code = done.stdout + done.stderr, done.returncode
    except subprocess.TimeoutExpired as error:
        text, code = (error.stdout or b"").decode(errors="replace"), 124
    passed = len(re.findall(r"^\[       OK \]", text, re.M))
    skipped = set(re.findall(r"^\[  SKIPPED \] (\S+/\S+?),? ", text, re.M))
    failed = sorted(set(re.findall(r"^\[  FAILED  \] (\S+/\S+?),? ", text, re.M)))
    if code and not failed:
        started = re.findall(r"^\[ RUN      \] (\S+)", text, re.M)
        failed = [f"{started[-1] if started else suite} (exit {code})"]
    return Result(suite, passed, failed, len(skipped), text)


def report(results: Iterable[Result], title: str, table: Path | None, verbose: bool) -> int:
    """Prints the results as they come, and keeps them in ``table``; 1 if a test failed or none passed."""
    lines, sums = [], [0, 0, 0]
    for result in results:
        counts = (result.passed, len(result.failed), result.skipped)
        sums = [a + b for a, b in zip(sums, counts, strict=True)]
        first = result.failed[0] if result.failed else ""
        words = zip(counts, ("passed", "failed", "skipped"), strict=True)
        print(f"{result.family:45}", *(f"{count:6} {word}" for count, word in words), first, flush=True)
        if result.failed and verbose:
            print(result.output)
        lines.append(f"| {result.family} | {' | '.join(map(str, counts))} | {first} |")
        if table:
            total = f"| **all** | {' | '.join(map(str, sums))} | |"
            head = ["| family | passed | failed | skipped | first failure |", "|---|---|---|---|---|"]
            table.write_text("\n".join([f"# {title}", "", *head, *lines, total, ""]))
    print(f"{sums[0]} passed, {sums[1]} failed, {sums[2]} skipped")
    return int(sums[1] > 0 or not sums[0])


def arguments(description: str) -> argparse.ArgumentParser:
    """The options of this program and of its twin for rocBLAS."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, default=CACHE, help="where the packages are kept (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--hostile", action="store_true", help="with the engine's legal but inconvenient behaviour")
    parser.add_argument("--table", type=Path, help="a file to keep the results in, by family")
    parser.add_argument("--verbose", action="store_true", help="print what failing families wrote")
    return parser


def main() -> int:
    parser = arguments(__doc__ or "")
    parser.add_argument("--filter", default=QUICK, help="gtest filter (default: %(default)s)")
    parser.add_argument("--timeout", type=int, default=900, help="seconds for one family")
    parser.add_argument("--list", action="store_true", help="only list the families")
    options = parser.parse_args()
    base = command(fetch(options.cache))
    found = families(base, options.filter)
    if options.list:
        print("\n".join(f"{count:6} {name}" for name, count in found.items()))
        return 0
    title = f"rocsolver-test (ROCm {RELEASE}) on the CPU engine: {options.filter}"
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda suite: run(base, suite, options), found)
        return report(results, title, options.table, options.verbose)


if __name__ == "__main__":
    sys.exit(main())
