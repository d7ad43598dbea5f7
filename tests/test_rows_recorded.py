"""What the rows promise about arguments, beside what NVIDIA's cuBLAS answered on an H200.

``conformance/goldens/cublas_status.jsonl`` holds one line per function and pointer mode: the base arguments, for each
change of them the status, with the parameter number of the message on stdout (``7@8``), or ``crash``.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from scale_x.conformance.cases import Case, expect
from scale_x.conformance.subjects import Subject, subjects
from scale_x.wrappers_gen import rows as R

GOLDENS = Path(__file__).parent.parent / "conformance" / "goldens" / "cublas_status.jsonl"
RECORDED = [json.loads(line) for line in GOLDENS.read_text().splitlines()]

#: (function, change) where the row leaves the answer to rocBLAS's own check, which knows the type behind a pointer
LEFT_TO_ROCBLAS = {("cublasGemmEx", "B=NULL"), ("cublasGemmEx", "C=NULL")}
#: where we answer something else on purpose
DIFFERS = {
    # a result pointer of NULL: INTERNAL_ERROR on the device, a crash in host mode; INVALID_VALUE in both here
    ("cublasSdot_v2", "n=0,result=NULL"),
    # batches that run into each other or out of their array: nothing can see that in advance
    ("cublasCgemmStridedBatched", "strideA=-1"),
    ("cublasHgemmStridedBatched", "strideA=-1"),
    ("cublasSgemvStridedBatched", "strideA=-1"),
    ("cublasHSSgemvStridedBatched", "strideA=-1"),
}


@cache
def symbols() -> dict[str, Subject]:
    return {n: s for n, s in subjects("cublas", 13).items() if s.row.kind != R.STUB}


def named(subject: Subject, parameter: str, number: int) -> Any:
    """An enumerator by its short name, as cases hold it."""
    kind = subject.kinds[parameter]
    if not kind.startswith("enum:"):
        return number
    names = {v: n for n, v in subject.tables.short[kind[5:]].items()}
    return names.get(number, number)


def case_of(subject: Subject, record: dict[str, Any], change: str) -> Case:
    values: dict[str, Any] = {n: named(subject, n, v) for n, v in record["base"].items()}
    values |= {n: 1.5 for n in ("alpha", "beta") if n in subject.names}
    nulls, handle = set(), "live"
    for name, _, text in (part.partition("=") for part in change.split(",") if part):
        if text != "NULL":
            values[name] = named(subject, name, int(text))
        elif subject.kinds[name] == "handle":
            handle = "null"
        else:
            nulls.add(name)
    return Case(subject, "argument", values, nulls=frozenset(nulls), handle=handle, mode=record["mode"])


COVERED = [r for r in RECORDED if r["function"] in symbols()]


@pytest.mark.parametrize("record", COVERED, ids=lambda r: f"{r['function']}-{r['mode']}-{len(r['answers'])}")
def test_rows_promise_what_was_recorded(record: dict[str, Any]) -> None:
    subject = symbols()[record["function"]]
    wrong = []
    for change, answer in record["answers"].items():
        if (record["function"], change) in LEFT_TO_ROCBLAS | DIFFERS:
            continue
        told = expect(case_of(subject, record, change))
        status = subject.tables.statuses[subject.tables.prefix + told.status]
        if answer == "crash":
            if status == 0:
                wrong.append(f"{change}: NVIDIA crashes, the row accepts it")
            continue
        promised = f"{status}@{told.xerbla}" if told.xerbla else str(status)
        if promised != answer:
            wrong.append(f"{change or 'base'}: recorded {answer}, promised {promised}")
    assert not wrong, "\n".join(wrong)
    if any("@" in a for a in record["answers"].values()):
        assert subject.xerbla == record["routine"]


def test_enough_is_recorded() -> None:
    """Levels 1 to 3 and gemm: an empty selection would pass the test above."""
    assert sum(len(r["answers"]) for r in COVERED) >= 8000
    assert {"cublasSgemm_v2", "cublasStrsm_v2", "cublasCher_v2", "cublasGemmEx", "cublasIsamax_v2"} <= set(symbols())
