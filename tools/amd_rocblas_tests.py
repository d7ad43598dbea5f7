"""AMD's own test program for rocBLAS, run on the host engine.

    python tools/amd_rocblas_tests.py                      the quick level, a sample of each function's tests
    python tools/amd_rocblas_tests.py --functions gemm,trsm --sample 500 --verbose

As tools/amd_tests.py: Debian's sid carries the program prebuilt (ROCm 6.4); nothing is installed. It also needs C++
parts of AMD's librocblas (280 MB to download, 1 GB on disk), so that library is loaded and the engine's functions are
put in front of it. The program makes a test of each of 1.6 million records and needs 10 GB for that; it is given a file
with the records that are asked for instead. Tests of 64-bit sizes are left out: they allocate what only a large GPU
has.
"""

from __future__ import annotations

import concurrent.futures
import re
import resource
import subprocess
import sys
from pathlib import Path

import amd_tests as base
import debian

PACKAGES = ["librocblas4-tests", "librocblas4-tests-data", "librocm-smi64-1", "libroctx64-4"]
# The data file: a header, then one record per test.
HEADER, RECORD = 592, 576
CATEGORY = slice(128, 134)
SIZES = range(288, 440, 8)  # 64-bit integers: dimensions, leading dimensions, increments, batch
# Inner C++ functions of AMD's library, its kernels, its log files: nothing of the C ABI that the engine answers.
LEFT_OUT = re.compile(r"check_numerics|logging|internal_interfaces|operators|ostream|helper_utilities")
MEMORY_MIB, ADDRESS_SPACE, TIMEOUT = 3000, 12 << 30, 120  # the program must not take the machine with it


def fetch(cache: Path) -> Path:
    """What tools/amd_tests.py fetches, and rocBLAS's program beside it; of its library not the 4 GB of kernels."""
    base.fetch(cache)
    packages = debian.Packages(cache, [base.SUITE])
    packages.unpack("rocblas-library", ["librocblas4"], only=f"./usr/lib/{debian.TRIPLET}/librocblas.so*")
    return packages.unpack("rocblas", PACKAGES)


def name_of(record: bytes) -> str:
    """The function that a record tests, without the mark of tests of bad arguments."""
    return record[:64].split(b"\0")[0].decode().replace("_bad_arg", "")


def select(data: Path, to: Path, sample: int) -> list[str]:
    """Writes the quick records: all of bad arguments, ``sample`` others of each function. Returns the functions."""
    kept: dict[str, list[bytes]] = {}
    others: dict[str, list[bytes]] = {}
    with data.open("rb") as f:
        head = f.read(HEADER)
        while len(record := f.read(RECORD)) == RECORD:
            if record[CATEGORY] != b"quick\0" or b"ex3" in record[:64]:  # gemm_ex3 left rocBLAS in 7.0
                continue
            if LEFT_OUT.search(name_of(record)):
                continue
            if max(abs(int.from_bytes(record[i : i + 8], "little", signed=True)) for i in SIZES) > 1 << 21:
                continue
            (kept if b"bad_arg" in record[:64] else others).setdefault(name_of(record), []).append(record)
    for name, records in others.items():
        step = max(1, len(records) // sample)
        kept.setdefault(name, []).extend(records[::step][:sample])
    to.write_bytes(head + b"".join(r for name in sorted(kept) for r in kept[name]))
    return sorted(kept)


def command(root: Path, work: Path) -> list[str]:
    forwarders, engine = base.libraries()
    hip, front = work / "hip", work / "libscalex_front.so"
    hip.mkdir(parents=True, exist_ok=True)
    (hip / "libamdhip64.so.6").unlink(missing_ok=True)
    (hip / "libamdhip64.so.6").symlink_to(forwarders / "libamdhip64.so.6")
    emitted = base.ROOT / "build" / "gen" / "forwarders" / base.RELEASE / "librocblas.so.4.c"
    flags = ["-O1", "-fPIC", "-shared", f"-I{base.ROOT / 'host' / 'forwarders'}", f"-Wl,-soname,{front.name}"]
    subprocess.run(["cc", *flags, emitted, "-o", front, "-ldl"], check=True)
    usr = root / "usr" / "lib" / debian.TRIPLET
    program = next(p for p in root.rglob("rocblas-test") if p.is_file())
    path = ":".join(map(str, (hip, engine, usr, usr / "lapack", usr / "blas")))
    loader, data = usr / "ld-linux-x86-64.so.2", work / "quick.data"
    return [str(loader), "--preload", str(front), "--library-path", path, str(program), "--data", str(data)]


def run(command_line: list[str], engine: Path, function: str, hostile: bool) -> base.Result:
    """One function in a process of its own."""
    env = base.environment(hostile)
    env.update(SCALE_X_HOST_ENGINE=str(engine), SCALE_X_HOST_MEMORY=str(MEMORY_MIB))
    try:
        done = subprocess.run(
            [*command_line, f"--gtest_filter=_/{function}.*quick*-*I64*", "--gtest_brief=1"],
            env=env, capture_output=True, text=True, errors="replace", timeout=TIMEOUT,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE)),
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return base.Result(function, 0, [f"{function} (more than {TIMEOUT} s)"], 0, "")
    text = done.stdout + done.stderr
    passed = re.search(r"^\[  PASSED  \] (\d+) test", text, re.M)
    skipped = re.search(r"^\[  SKIPPED \] (\d+) test", text, re.M)
    failed = sorted(set(re.findall(r"^\[  FAILED  \] (_/\S+), where", text, re.M)))
    if done.returncode < 0:
        failed.append(f"{function} (exit {done.returncode})")
    return base.Result(function, int(passed[1]) if passed else 0, failed, int(skipped[1]) if skipped else 0, text)


def main() -> int:
    parser = base.arguments(__doc__ or "")
    parser.add_argument("--functions", help="comma-separated; all by default")
    parser.add_argument("--sample", type=int, default=100, help="tests of each function beside those of bad arguments")
    options = parser.parse_args()
    root, work = fetch(options.cache), options.cache / "rocblas"
    work.mkdir(parents=True, exist_ok=True)
    found = select(next(root.rglob("rocblas_gtest.data")), work / "quick.data", options.sample)
    chosen = options.functions.split(",") if options.functions else found
    line, engine = command(root, work), base.libraries()[1] / "libscalex_host.so.0"
    title = (
        f"rocblas-test (ROCm {base.RELEASE}) on the CPU engine: quick, {options.sample} of a function and bad arguments"
    )
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda f: run(line, engine, f, options.hostile), chosen)
        return base.report(results, title, options.table, options.verbose)


if __name__ == "__main__":
    sys.exit(main())
