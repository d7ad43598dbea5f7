"""The conformance runner must notice what is wrong: every fault of a small fake library is reported, where it is."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent / "data" / "fake_cublas.c"


@pytest.fixture(scope="session")
def fake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory that poses as a CUDA 13 installation."""
    where = tmp_path_factory.mktemp("fake")
    out = where / "libcublas.so.13"
    compiler = os.environ.get("CC", "gcc")
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-Wall", "-Werror", str(SOURCE), "-o", str(out)], check=True)
    shutil.copy(out, where / "libcudart.so.13")
    return where


def conform(*arguments: str, fault: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    env = dict(os.environ, SCALE_X_FAKE=fault, PYTHONPATH=os.pathsep.join(p for p in sys.path if p))
    command = [sys.executable, "-m", "scale_x.conformance.cli", *arguments]
    return subprocess.run(command, env=env, capture_output=True, text=True, cwd=cwd, timeout=120)


def run(fake: Path, tmp_path: Path, symbol: str, fault: str = "", *more: str) -> tuple[int, list[dict], str]:
    """Exit status, results, output of the cases of one function."""
    out = tmp_path / "r.json"
    done = conform("run", "--provider", str(fake), "-k", f"{symbol}[", "--json", str(out), *more, fault=fault)
    assert out.exists(), done.stderr
    return done.returncode, json.loads(out.read_text())["results"], done.stdout


def bad(results: list[dict]) -> list[dict]:
    return [r for r in results if r["result"] not in ("passed", "skipped")]


@pytest.mark.parametrize("symbol", ["cublasSaxpy_v2", "cublasSgemm_v2"])
def test_a_right_library_passes(fake: Path, tmp_path: Path, symbol: str) -> None:
    code, results, out = run(fake, tmp_path, symbol)
    assert code == 0, out
    assert sum(r["result"] == "passed" for r in results) >= 40
    assert not bad(results)


FAULTS = [
    # fault, symbol, result, what the message says, the id of some failing case
    ("value", "cublasSaxpy_v2", "failed", "wrong, first at (999,)", "n=1000"),
    ("nan", "cublasSaxpy_v2", "failed", "got nan", "n=1000"),
    ("padding", "cublasSaxpy_v2", "failed", "padding or an unreferenced part, element 1 of y", "incy=2"),
    ("guard", "cublasSaxpy_v2", "failed", "the guard band after y", "incy=1"),
    ("input", "cublasSaxpy_v2", "failed", "an input, element 0 of x", "n=17"),
    ("status", "cublasSaxpy_v2", "failed", "status SUCCESS, expected NOT_INITIALIZED", "handle=null"),
    ("hang", "cublasSaxpy_v2", "hang", "no answer in 2 s", "n=1,"),
    ("crash", "cublasSaxpy_v2", "crash", "SIGSEGV", "n=1,"),
    ("message", "cublasSgemm_v2", "failed", "message 'SGEMM 9', expected 'SGEMM 8'", "lda=-1"),
    ("beta", "cublasSgemm_v2", "failed", "got nan", "beta=0"),
    ("k0", "cublasSgemm_v2", "failed", "got 7.0", "k=0"),
]


@pytest.mark.parametrize(("fault", "symbol", "result", "message", "where"), FAULTS, ids=[f[0] for f in FAULTS])
def test_a_wrong_library_is_caught(
    fake: Path, tmp_path: Path, fault: str, symbol: str, result: str, message: str, where: str
) -> None:
    code, results, out = run(fake, tmp_path, symbol, fault, "--watchdog", "2")
    assert code == 1
    wrong = [r for r in bad(results) if message in r["message"]]
    assert wrong, out
    assert all(r["result"] == result for r in wrong)
    assert any(where in r["id"] for r in wrong)
    assert any(r["result"] == "passed" for r in results), "the rest still runs, behind a crash or a hang as well"


def test_what_an_older_library_lacks_is_skipped(fake: Path, tmp_path: Path) -> None:
    code, results, _ = run(fake, tmp_path, "cublasDsymm_v2")
    assert code != 0 and {r["result"] for r in results} == {"skipped"}  # nothing ran, so the run cannot be green
    assert any("does not export cublasDsymm_v2" in r["message"] for r in results)


def test_every_crash_belongs_to_its_case(fake: Path, tmp_path: Path) -> None:
    """The cases around a crash run, each once."""
    _, right, _ = run(fake, tmp_path, "cublasSaxpy_v2")
    _, results, _ = run(fake, tmp_path, "cublasSaxpy_v2", "crash")
    assert sorted(r["id"] for r in results) == sorted(r["id"] for r in right)
    assert all(("n=1," in r["id"]) == (r["result"] == "crash") for r in results if "incx=1" in r["id"] and "NULL" not in
               r["id"] and "handle" not in r["id"])  # fmt: skip


def test_the_repro_line_runs_the_one_case_again(fake: Path, tmp_path: Path) -> None:
    code, results, out = run(fake, tmp_path, "cublasSaxpy_v2", "value")
    line = next(text.strip() for text in out.splitlines() if "--repro" in text)
    wrong = next(r["id"] for r in bad(results))
    assert f"--repro '{wrong}'" in line
    again = conform("run", "--provider", str(fake), "--repro", wrong, fault="value")
    assert again.returncode == 1 and "wrong, first at" in again.stdout
    cured = conform("run", "--provider", str(fake), "--repro", wrong)
    assert cured.returncode == 0, cured.stdout


@pytest.mark.parametrize("expression", ["no_such_function", "cublasSaxpy and cublasDaxpy"])
def test_an_empty_selection_fails(fake: Path, expression: str) -> None:
    done = conform("run", "--provider", str(fake), "-k", expression)
    assert done.returncode == 2 and "nothing was proved" in done.stderr


def test_a_selection_below_the_floor_fails(fake: Path) -> None:
    done = conform("run", "--provider", str(fake), "-k", "cublasSaxpy_v2[", "--floor", "100000")
    assert done.returncode == 1 and "at least 100000 must" in done.stdout


def test_a_selection_of_skipped_cases_only_fails(fake: Path) -> None:
    done = conform("run", "--provider", str(fake), "-k", "cublasSaxpy_v2[ and handle=garbage")
    assert done.returncode == 1 and "0 cases ran" in done.stdout


def test_a_bad_expression_is_refused(fake: Path) -> None:
    done = conform("run", "--provider", str(fake), "-k", "axpy and (")
    assert done.returncode == 2 and "is not an expression" in done.stderr


def test_a_wrong_directory_is_named(tmp_path: Path) -> None:
    done = conform("run", "--provider", str(tmp_path))
    assert done.returncode == 2 and "libcudart.so.13 not found" in done.stderr and str(tmp_path) in done.stderr
    done = conform("run", "--provider", "no/such/place")
    assert done.returncode == 2 and "no/such/place" in done.stderr


def test_junit_and_compare(fake: Path, tmp_path: Path) -> None:
    right, wrong = tmp_path / "right.json", tmp_path / "wrong.json"
    junit = tmp_path / "junit.xml"
    shared = ("run", "--provider", str(fake), "-k", "cublasSaxpy_v2[")
    assert conform(*shared, "--json", str(right), "--junit", str(junit)).returncode == 0
    assert conform(*shared, "--json", str(wrong), fault="nan").returncode == 1
    assert "<testcase" in junit.read_text() and "<failure" not in junit.read_text()
    same = conform("compare", str(right), str(right))
    assert same.returncode == 0 and " 0 differ" in same.stdout
    differ = conform("compare", str(right), str(wrong))
    assert differ.returncode == 1 and "y:finite | y:some-nan" in differ.stdout
    sides = conform("compare", str(fake), str(right), "-k", "cublasSaxpy_v2[")
    assert sides.returncode == 0 and " 0 differ" in sides.stdout


def test_libraries_from_elsewhere_are_refused(fake: Path, tmp_path: Path) -> None:
    """A process that already holds another set cannot judge this one."""
    other = tmp_path / "libcublas.so.13"
    shutil.copy(fake / "libcublas.so.13", other)
    code = (
        "import ctypes, sys; from scale_x.conformance.providers import foreign_libraries, resolve;"
        f"ctypes.CDLL({str(other)!r}); print(foreign_libraries(resolve({str(fake)!r}, 13)))"
    )
    env = dict(os.environ, PYTHONPATH=os.pathsep.join(p for p in sys.path if p))
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert str(other) in done.stdout
