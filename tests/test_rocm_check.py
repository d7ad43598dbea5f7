"""What `make check-rocm` asks: the engine can answer every question, and the assertions about headers can fail.

AMD's own headers and libraries are not needed here; `make check-rocm` fetches them.
"""

from __future__ import annotations

import dataclasses
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scale_x.wrappers_gen.emit import rocm_check
from scale_x.wrappers_gen.model import Model

PROBE = Path(__file__).resolve().parent.parent / "tools" / "rocm_probe.py"


@pytest.fixture(scope="module")
def model() -> Model:
    return Model.load()


def answers(lib_dir: Path, tmp_path: Path, release: int) -> dict[str, object]:
    names = tmp_path / "names"
    names.write_text("rocblas_sgemm\nrocsolver_dgetrf\n")
    env = {k: v for k, v in os.environ.items() if not k.startswith("SCALE_X_")}
    command = [sys.executable, str(PROBE), "--engine", str(lib_dir / "libscalex_host.so.0"), "--release", str(release)]
    done = subprocess.run([*command, "--names", str(names)], capture_output=True, text=True, env=env, check=True)
    result = json.loads(done.stdout.splitlines()[-1])
    assert isinstance(result, dict)
    return result


def test_engine_answers_every_question_as_recorded_from_amd(lib_dir: Path, tmp_path: Path) -> None:
    told = answers(lib_dir, tmp_path, 702)
    assert len(told) > 1000
    assert not [q for q, a in told.items() if a == "absent" or str(a).startswith(("signal", "exit"))]
    assert told["rocblas_sgemm(NULL, ...)"] == 1 and told["rocsolver_dgetrf(NULL, ...)"] == 1
    assert told["hipblasLtMatmulDesc attribute 31 of 4 bytes"] == [3, None, None, 3, 3, None]  # no mode was ever set
    assert told["hipblasLtMatmulDesc attribute 102 of 4 bytes"] == [3, None, None, 0, 3, None]  # can only be set
    assert told["hipGetErrorName(709)"] == "hipErrorContextIsDestroyed"


def test_an_older_release_lacks_what_came_later(lib_dir: Path, tmp_path: Path) -> None:
    told = answers(lib_dir, tmp_path, 600)
    assert told["hipblasLtMatmulDesc attribute 31 of 4 bytes"] == [3, None, None, 3, 3, None]
    assert told["hipblasLtMatmulDescCreate(104, 0)"] == 3  # OCP's 8-bit types came with 6.3
    assert answers(lib_dir, tmp_path, 603)["hipblasLtMatmulDescCreate(104, 0)"] == 0


def test_assertions_follow_the_release(model: Model) -> None:
    newer, older = (rocm_check.source(model, "hipblaslt", release)[0] for release in ("7.2", "6.4"))
    assert "(HIPBLASLT_EPILOGUE_SIGMOID_EXT)" in newer and "(HIPBLASLT_EPILOGUE_SIGMOID_EXT)" not in older


@pytest.mark.parametrize("release", ["6.4", "7.2"])
def test_every_function_that_rows_call_is_asserted(model: Model, release: str) -> None:
    for library in rocm_check.HEADERS:
        text, count = rocm_check.source(model, library, release)
        asserted = set(re.findall(r"\(&(\w+)\)", text))
        assert len(asserted) == count
        functions = model.rocm[library].functions.values()
        assert {f.name for f in functions if f.name in model.rocm_used and f.present(release) and f.header} <= asserted


HIPFFT = """
#include <stddef.h>
typedef struct hipfftHandle_t* hipfftHandle;
typedef int hipfftResult;
extern "C" hipfftResult hipfftDestroy(hipfftHandle plan);
"""


@pytest.mark.parametrize(("declared", "agrees"), [("hipfftHandle plan", True), ("hipfftHandle* plan", False)])
def test_an_assertion_fails_where_a_header_disagrees(
    model: Model, tmp_path: Path, declared: str, agrees: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "header.h").write_text(HIPFFT.replace("hipfftHandle plan", declared))
    library = model.rocm["hipfft"]
    only = {"hipfftDestroy": library.functions["hipfftDestroy"]}
    monkeypatch.setitem(model.rocm, "hipfft", dataclasses.replace(library, functions=only, enums={}, structs={}))
    monkeypatch.setitem(rocm_check.HEADERS, "hipfft", ("header.h",))
    text, count = rocm_check.source(model, "hipfft", "7.2")
    assert count == 1
    command = [os.environ.get("CXX", "g++"), "-std=c++17", "-x", "c++", "-fsyntax-only", f"-I{tmp_path}", "-"]
    assert (subprocess.run(command, input=text, text=True, capture_output=True).returncode == 0) is agrees
