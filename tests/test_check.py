"""Every refusal of ``check`` is seen to happen, and the repository's own rows pass."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest
from rows_sample import COPY, CREATE, GEMM, REFUSED, SCAL, changed, model_of, real

from scale_x.wrappers_gen import check, rows

GOOD_PAGE = '''\
"""A page."""

from __future__ import annotations

import math
from typing import Any

from scale_x.cublas.rows._linalg import op
from scale_x.wrappers_gen.rows import DIRECT, Handle, Path, Row, lazy

np = lazy("numpy")
TITLE = "A page"


def oracle(a: Any) -> dict[str, Any]:
    """y := x."""
    return {"y": np.asarray([v for v in a.x]) if a.n else op("N", math.pi)}


STEPS = (Handle(),)
ROWS = (Row(symbols="cublasScopy_v2", kind=DIRECT, steps=(*STEPS,), paths=(Path(call="rocblas_scopy"),)),)
'''


def of_page(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "page.py"
    path.write_text(text)
    return list(check.page_source(path, "cublas/rows/page.py"))


def test_the_rows_of_the_repository_pass() -> None:
    assert check.check(real()) == []


def test_a_good_page_passes(tmp_path: Path) -> None:
    assert of_page(tmp_path, GOOD_PAGE) == []


@pytest.mark.parametrize(
    "old, new, says",
    [
        ("import math\n", "import numpy\n", ":5: imports numpy; take numpy, scipy and mpmath through lazy"),
        ("import math\n", "import os\n", ":5: imports os"),
        ("from scale_x.cublas.rows._linalg import op", "from scale_x.core import op", ":8: imports scale_x.core"),
        ("STEPS = (Handle(),)", "STEPS = tuple([Handle()])", ":20: logic outside oracles: tuple(...) is called"),
        (
            "STEPS = (Handle(),)",
            "STEPS = (Handle() if TITLE else 0,)",
            "logic outside oracles: Handle() if TITLE else 0",
        ),
        (
            "STEPS = (Handle(),)",
            "STEPS = [Handle() for _ in TITLE]",
            "logic outside oracles: [Handle() for _ in TITLE]",
        ),
        ("STEPS = (Handle(),)", "STEPS = (lambda: Handle(),)", "logic outside oracles: lambda"),
        ("STEPS = (Handle(),)", "for _ in TITLE:\n    STEPS = ()", ":20: logic outside oracles: a page holds"),
        ("STEPS = (Handle(),)", "if TITLE:\n    STEPS = ()", ":20: logic outside oracles: a page holds"),
        ("STEPS = (Handle(),)", "class Steps:\n    pass", ":20: logic outside oracles: a page holds"),
        ('    """y := x."""\n', "", "oracle does not say what it computes"),
        ("    return", "    import scipy\n    return", "an import inside oracle"),
    ],
)
def test_what_a_page_may_not_hold(tmp_path: Path, old: str, new: str, says: str) -> None:
    found = of_page(tmp_path, GOOD_PAGE.replace(old, new))
    assert any(says in line for line in found), found
    assert all(line.startswith("cublas/rows/page.py:") for line in found)


def test_unknown_source_of_a_row_is_named_by_page_and_line(tmp_path: Path) -> None:
    found = check.check(changed(GEMM, args={**GEMM.args, "D": rows.Scalar()}), root=tmp_path)
    assert "cublas/rows/sample.py:1: args: 'D' is no argument of cublasSgemm_v2" in found


def test_the_sample_passes_but_for_its_bodies(tmp_path: Path) -> None:
    assert check.check(model_of(), root=tmp_path) == [
        "cublas/rows/sample.py:5: cublasCreate_v2: no sx_sample_create in cublas/native",
        "cublas/rows/sample.py:3: cublasZscal_v2: no sx_zscal_rare in cublas/native",
    ]


def test_native_bodies_are_found(tmp_path: Path) -> None:
    folder = tmp_path / "cublas" / "native"
    folder.mkdir(parents=True)
    (folder / "sample.cpp").write_text(
        "cublasStatus_t sx_sample_create(cublasHandle_t* handle) {\n  return other(handle);\n}\n"
        "#define BODY(T, letter) cublasStatus_t sx_##letter##scal_rare(T) { return {}; }\n"
    )
    assert check.check(model_of(), root=tmp_path) == []
    (folder / "sample.cpp").write_text("int other() {\n  sx_sample_create(nullptr);\n}\nint sx_zscal_rare(int n) {}\n")
    assert len(check.check(model_of(), root=tmp_path)) == 1  # a call is no definition


@pytest.mark.parametrize(
    "row, fields, says",
    [
        (GEMM, {"kind": "magic"}, "unknown kind 'magic'"),
        (GEMM, {"nvidia": "differs"}, "gives no reason"),
        (GEMM, {"nvidia": "crash: "}, "gives no reason"),
        (GEMM, {"kind": rows.NATIVE}, "a native row names its body"),
        (GEMM, {"native": "sx_body"}, "no native body of its own"),
        (GEMM, {"paths": (rows.Path(native="sx_body"),)}, "have paths that call ROCm|has paths that call ROCm"),
        (GEMM, {"paths": (rows.Path(call="rocblas_sgemm", native="sx_body"),)}, "either a call or a native body"),
        (GEMM, {"paths": (rows.Path(call="rocblas_sgem"),)}, "'rocblas_sgem' is no function of rocm/spec"),
        (GEMM, {"paths": (rows.Path(call="rocblas_sgemv"),)}, "as many arguments"),
        (GEMM, {"capture": "maybe"}, "unknown capture 'maybe'"),
        (GEMM, {"T": ""}, "needs T"),
        (GEMM, {"symbols": "cublas{T}gemm_v3"}, "cublasSgemm_v3 is exported by no library of cublas/spec"),
        (
            GEMM,
            {"args": {**GEMM.args, "A": rows.Mat(rows="m", cols="q", ld="lda")}},
            "args['A'].cols: 'q' is no argument",
        ),
        (GEMM, {"args": {**GEMM.args, "A": rows.Mat(rows="m ^ 2", cols="k")}}, "args['A'].rows: 'm ^ 2'"),
        (GEMM, {"args": {}}, "nothing is said about the pointer 'alpha'"),
        (GEMM, {"steps": (rows.Handle(), rows.Check("x > 0"))}, "'x' is neither an argument nor an enumerator"),
        (GEMM, {"steps": (rows.Handle(), rows.Check("transa == UPPER"))}, "compares cublasOperation_t with"),
        (GEMM, {"steps": (rows.ChipLimit("m > 0"), rows.Check("m > 0"))}, "ChipLimit stands after all other"),
        (COPY, {"compare": None}, "an oracle and a way to compare come together"),
        (COPY, {"sweep": None}, "an oracle without a sweep is never asked"),
        (COPY, {"sweep": rows.Sweep(base={"N": 3})}, "sweep: 'N' is no argument"),
        (COPY, {"sweep": rows.Sweep(grid={"n": (1, "SIDEWAYS")})}, "sweep: n='SIDEWAYS' is no short name"),
        (COPY, {"compare": rows.Componentwise(length="len")}, "compare.length: 'len' is no argument"),
        (REFUSED, {"why": ""}, "a stub says why"),
        (REFUSED, {"native": "sx_body"}, "a stub has no paths and no native body"),
        (CREATE, {"paths": (rows.Path(call="rocblas_create_handle"),)}, "paths or a native body, not both"),
        (SCAL, {"paths": (rows.Path(call="rocblas_zscal", when="nn > 0"),)}, "'nn' is neither"),
    ],
)
def test_rows_that_cannot_be_true(tmp_path: Path, row: rows.Row, fields: dict, says: str) -> None:
    found = check.check(changed(row, **fields), root=tmp_path)
    assert any(any(s in line for s in says.split("|")) for line in found), found
    assert all(line.startswith("cublas/rows/sample.py:1: ") for line in found)


def test_two_rows_for_one_symbol(tmp_path: Path) -> None:
    found = check.check(model_of((GEMM, replace(GEMM, kind=rows.STUB, paths=(), why="again"))), root=tmp_path)
    assert "cublas/rows/sample.py:2: cublasSgemm_v2 has another row at cublas/rows/sample.py:1" in found


def test_enumerators_that_do_not_exist(tmp_path: Path) -> None:
    model = model_of(())
    good = model.types["cublas"]
    bad = replace(
        good.enums[0],
        values=MappingProxyType({"CUBLAS_OP_X": "rocblas_operation_none", "CUBLAS_OP_T": "rocblas_operation_x"}),
        short={"X": "CUBLAS_OP_Y"},
    )
    model.types = {"cublas": replace(good, enums=(bad,))}
    assert check.check(model, root=tmp_path) == [
        "cublas/rows/types.py:1: cublasOperation_t has no CUBLAS_OP_X",
        "cublas/rows/types.py:1: ROCm has no rocblas_operation_x",
        "cublas/rows/types.py:1: cublasOperation_t: X stands for CUBLAS_OP_Y, which does not exist",
    ]


@pytest.mark.parametrize(
    "text", ['getenv("SCALE_X_PROVIDER")', "dlopen(libscalex_host)", "sx_host_table(702)", "sx_provider_is(1)"]
)
def test_the_providers_identity_stays_in_core_and_host(tmp_path: Path, text: str) -> None:
    for folder in ("cublas/native", "core/src", "host/hip"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "f.cpp").write_text(f"int a;\nint b = {text};\n")
    found = check.check(model_of(()), root=tmp_path)
    assert len(found) == 1
    assert found[0].startswith("cublas/native/f.cpp:2: knows the provider (")


def test_a_provider_check_that_wrappers_need_is_fine(tmp_path: Path) -> None:
    (tmp_path / "cudart" / "native").mkdir(parents=True)
    (tmp_path / "cudart" / "native" / "f.cpp").write_text("if (!sx_provider_loaded) sx_provider_load();\n")
    assert check.check(model_of(()), root=tmp_path) == []
