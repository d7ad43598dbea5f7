"""Every real symbol says how well what it relies on of AMD's libraries is known."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from scale_x.conformance import coverage
from scale_x.wrappers_gen import evidence, rows
from scale_x.wrappers_gen.explain import explain
from scale_x.wrappers_gen.model import Model


@pytest.fixture(scope="module")
def model() -> Model:
    return Model.load()


def of(model: Model, name: str) -> str:
    return evidence.evidence(model, model.symbols[name])


def test_every_real_symbol_has_evidence(model: Model) -> None:
    known = {*evidence.STRENGTH, evidence.NONE}
    for library in model.cuda:
        found = Counter(evidence.evidence(model, s) for s in model.of(library) if s.kind != rows.STUB)
        assert set(found) <= known, library
        # a library of products that asked nothing of AMD's would mean that nobody wrote its facts down
        assert found[evidence.NONE] <= sum(found.values()) // 2, library


def test_the_weakest_fact_counts(model: Model) -> None:
    assert of(model, "cublasGetStatusName") == evidence.NONE
    assert of(model, "cublasGemmEx") == rows.INFERRED == of(model, "cublasLtMatmul")
    assert of(model, "cublasSaxpy_v2") == rows.SOURCE
    assert of(model, "cublasSaxpy_v2_64") == rows.DOCUMENTATION
    assert of(model, "sgemm_") == of(model, "cublasXtSgemm") != evidence.NONE
    assert of(model, "cusolverMgGetrf") == of(model, "cusolverDnDgetrf") != evidence.NONE
    s = model.symbols["cublasSaxpy_v2"]
    assert s.row is not None
    guessed = replace(s, row=replace(s.row, paths=(replace(s.row.paths[0], evidence=rows.INFERRED),)))
    assert evidence.evidence(model, guessed) == rows.INFERRED


def test_facts_are_checked(model: Model, tmp_path: Path) -> None:
    assert list(evidence.complaints(model)) == []
    (tmp_path / "rocm").mkdir()
    (tmp_path / "rocm" / "facts.toml").write_text("""
[[fact]]
name = "a"
says = "b"
evidence = "hearsay"
source = ""
symbols = "cublasNothing"
""")
    said = "\n".join(evidence.complaints(replace(model, root=tmp_path)))
    assert "hearsay" in said and "a source" in said and "no symbol" in said


def test_explain_names_facts(model: Model) -> None:
    assert "fact     source: hipBLASLt pointer modes" in explain(model, "cublasLtMatmul")


def test_coverage_says_the_weak_share(capsys: pytest.CaptureFixture[str]) -> None:
    listed = coverage.entries()
    assert all(e["evidence"] for e in listed if e["kind"] != rows.STUB)
    weak = {s["library"]: s["weak"] for s in coverage.summary(listed)}
    assert 0 < weak["cublas"] < 100 and weak["nvblas"] is None
    text = coverage.weakly_known(listed)
    assert "documentation" in text and "Weakly known" in text
    stub = [{"library": "x", "symbol": "cublasSgemm_v2", "kind": "stub", "evidence": ""}]
    assert "Nothing" in coverage.weakly_known(stub)
