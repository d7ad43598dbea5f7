"""``make check-rocm``: what rocm/spec says and what the embedded engine answers, against AMD's headers and libraries.

ROCm 6.4 and 7.2 come as Debian packages into a cache directory (3 GB to download on first use); no GPU is needed.
Three parts, by release:

headers    a program of assertions (signatures, enumerators, layouts) is compiled against AMD's headers
symbols    every ROCm function that rows, native bodies and core call, in the release that should have it, is looked up
           in AMD's libraries
answers    what can be asked without a device (version strings, texts, NULL handles, hipBLASLt's descriptors, hipFFT's
           checks) is asked of AMD's libraries and of the engine as that release; differences are the engine's faults

    python tools/check_rocm.py [--release 7.2] [--part headers] [--verbose]
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import debian

from scale_x.wrappers_gen import rocm_spec
from scale_x.wrappers_gen.emit import rocm_check
from scale_x.wrappers_gen.model import Model

ROOT = Path(__file__).resolve().parent.parent
PROBE = ROOT / "tools" / "rocm_probe.py"
HEADERS = ["libamdhip64-dev", "librocblas-dev", "librocsolver-dev", "libhipblaslt-dev", "libhipblas-common-dev",
           "libhipfft-dev", "libhsa-runtime-dev"]  # fmt: skip
#: release -> (suites, packages of libraries, sonames in loading order, libraries that the suite has of another release)
RELEASES: dict[str, tuple[list[str], list[str], list[str], dict[str, str]]] = {
    "7.2": (["sid", "experimental"], ["librocblas5", "librocsolver0", "libhipblaslt1", "libhipfft0", "libamdhip64-7"],
            ["libamdhip64.so.7", "librocblas.so.5", "librocsolver.so.0", "libhipblaslt.so.1", "libhipfft.so.0",
             "libhiprtc.so.7"], {}),
    "6.4": (["sid"], ["librocblas4", "librocsolver0", "libhipblaslt1", "libhipfft0", "libamdhip64-6"],
            ["libamdhip64.so.6", "librocblas.so.4", "librocsolver.so.0", "libhipblaslt.so.1", "libhipfft.so.0"],
            {"hipblaslt": "7.1"}),
}  # fmt: skip
#: Questions whose answers may differ, and why.
ACCEPTED: list[tuple[str, str]] = [
    (r"hipfftPlan.*\(\d", "a plan that could be made needs a device in AMD's library"),
    (r"rocsolver_[sd]csrrf_", "the engine has no csrrf, and no row calls it"),
    (r"hipblasLtMatmulDesc attribute 10[01] ", "AMD's library never initialises these input types"),
    (r"6.4 hipGetError(Name|String)\(91[12]\)|6.4 hipfftGetProperty\((-1|3)\)", "the engine answers as 7.2 does"),
]


def packages(release: str) -> debian.Packages:
    return debian.Packages(debian.CACHE / f"rocm-{release}", RELEASES[release][0])


def check_headers(model: Model, release: str, verbose: bool) -> bool:
    include = packages(release).unpack("headers", HEADERS) / "usr" / "include"
    ok = True
    for library in rocm_check.HEADERS:
        at = RELEASES[release][3].get(library, release)
        text, count = rocm_check.source(model, library, at)
        command = [os.environ.get("CXX", "g++"), "-std=c++17", "-x", "c++", "-fsyntax-only", "-w", "-fmax-errors=0",
                   "-D__HIP_PLATFORM_AMD__", "-DROCBLAS_BETA_FEATURES_API", f"-I{include}", "-"]  # fmt: skip
        done = subprocess.run(command, input=text, capture_output=True, text=True)
        errors = [line for line in done.stderr.splitlines() if " error: " in line]
        ok &= done.returncode == 0
        print(f"headers {at:5} {library:10} {count:5} signatures, {len(errors)} assertions fail", flush=True)
        if errors:
            print("\n".join(errors if verbose else errors[:5]))
    return ok


def run_real(root: Path, arguments: list[str]) -> object:
    """The probe on AMD's libraries, under their suite's loader and C library."""
    folder = root / "usr" / "lib" / debian.TRIPLET
    own = Path(sys.base_prefix) / "lib"
    command = [str(debian.loader(root)), "--library-path", f"{folder}:{own}:/usr/lib/{debian.TRIPLET}",
               os.path.realpath(sys.executable), "-S", str(PROBE), *arguments]  # fmt: skip
    env = {k: v for k, v in os.environ.items() if not k.startswith(("LD_", "PYTHON"))}
    done = subprocess.run(command, capture_output=True, text=True, env=env)
    if done.returncode:
        raise SystemExit(f"the probe of AMD's libraries ends with {done.returncode}:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def run_engine(release: str, arguments: list[str]) -> object:
    library = ROOT / "build" / "lib" / "libscalex_host.so.0"
    env = {k: v for k, v in os.environ.items() if not k.startswith("SCALE_X_")}
    command = [sys.executable, str(PROBE), "--engine", str(library), "--release", str(rocm_spec.number(release)),
               *arguments]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def written(folder: Path, name: str, names: list[str]) -> str:
    (folder / name).write_text("\n".join(names))
    return str(folder / name)


def present(model: Model, library: str, release: str, sonames: dict[str, str]) -> list[rocm_spec.Function]:
    at = sonames.get(library, release)
    return [f for f in model.rocm[library].functions.values() if f.present(at)]


def check_symbols(model: Model, release: str, folder: Path) -> bool:
    suites, names, sonames, other = RELEASES[release]
    root = packages(release).unpack("libraries", names, only="*.so*", needed=True)
    wanted = [f.name for library in rocm_check.HEADERS for f in present(model, library, release, other)
              if f.name in model.rocm_used]  # fmt: skip
    missing = run_real(root, ["--real", *sonames, "--names", os.devnull, "--symbols", written(folder, "used", wanted)])
    assert isinstance(missing, list)
    print(f"symbols {release:5} {len(wanted) - len(missing)} of {len(wanted)} that rows use are in AMD's libraries",
          *missing)  # fmt: skip
    return not missing


def reason(release: str, question: str) -> str:
    """Why this answer may differ; empty if it may not."""
    asked = (question, f"{release} {question}")
    return next((why for pattern, why in ACCEPTED if any(re.match(pattern, q) for q in asked)), "")


def check_answers(model: Model, release: str, folder: Path, verbose: bool) -> bool:
    _, names, sonames, other = RELEASES[release]
    root = packages(release).unpack("libraries", names, only="*.so*", needed=True)
    handled = [f.name for library in ("rocblas", "rocsolver") for f in present(model, library, release, other)
               if f.header and f.params and f.params[0].type == "rocblas_handle"]  # fmt: skip
    file = ["--names", written(folder, "handled", handled)]
    theirs, ours = run_real(root, ["--real", *sonames, *file]), run_engine(release, file)
    assert isinstance(theirs, dict) and isinstance(ours, dict)
    counted: collections.Counter[str] = collections.Counter()
    for question, answer in theirs.items():
        excused = reason(release, question)
        if other and question.startswith("hipblasLt"):
            excused = excused or "this suite's hipBLASLt is of another release"
        if str(answer).startswith("signal"):
            excused = "AMD's library dies"
        same = ours[question] == answer
        counted["same" if same else "accepted" if excused else "different"] += 1
        if not same and (verbose or not excused) and counted["different"] <= (10**6 if verbose else 20):
            print(f"  {question}: AMD {answer!r}, engine {ours[question]!r}{'  (' + excused + ')' if excused else ''}")
    print(f"answers {release:5} {counted['same']} of {len(theirs)} the same, {counted['different']} differ, "
          f"{counted['accepted']} accepted")  # fmt: skip
    return not counted["different"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--release", choices=sorted(RELEASES), action="append", help="all by default")
    parser.add_argument("--part", choices=("headers", "symbols", "answers"), action="append", help="all by default")
    parser.add_argument("--verbose", action="store_true", help="list every difference")
    options = parser.parse_args()
    model, ok = Model.load(), True
    with tempfile.TemporaryDirectory() as folder:
        for release in options.release or sorted(RELEASES, reverse=True):
            parts = options.part or ("headers", "symbols", "answers")
            if "headers" in parts:
                ok &= check_headers(model, release, options.verbose)
            if "symbols" in parts:
                ok &= check_symbols(model, release, Path(folder))
            if "answers" in parts:
                ok &= check_answers(model, release, Path(folder), options.verbose)
    return int(not ok)


if __name__ == "__main__":
    sys.exit(main())
