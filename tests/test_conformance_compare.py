"""The measures of the conformance runner: what passes, what fails, where elements lie."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("ml_dtypes")

from scale_x.conformance import compare, differences, execute, layout, selection, sweep, xfails
from scale_x.conformance.cases import Case, expect
from scale_x.conformance.conditions import UNREADABLE, Situation, compiled
from scale_x.conformance.report import Report
from scale_x.conformance.runner import Result
from scale_x.conformance.subjects import subjects
from scale_x.wrappers_gen import rows as R

NAN, INF = float("nan"), float("inf")


def judge(got: list[float], want: list[float], bound: float = 1e-6, nan_free: bool = False) -> float:
    g = np.array(got, np.float32)
    return compare.componentwise(g, np.array(want), np.full(len(got), bound), nan_free)[0]


@pytest.mark.parametrize(
    ("got", "want", "ok"),
    [
        ([1, 2], [1, 2], True),
        ([1, 2.1], [1, 2], False),
        ([1, NAN], [1, 2], False),
        ([1, 2], [1, NAN], False),
        ([NAN, 2], [NAN, 2], True),
        ([INF, 2], [INF, 2], True),
        ([-INF, 2], [INF, 2], False),
        ([INF, 2], [1, 2], False),
        ([], [], True),
    ],
)
def test_componentwise(got: list[float], want: list[float], ok: bool) -> None:
    assert (judge(got, want) <= 1) is ok


def test_where_a_nan_may_or_may_not_spread() -> None:
    assert judge([5.0, 1.0], [NAN, 1.0], nan_free=True) <= 1
    assert judge([NAN, 1.0], [5.0, 1.0], nan_free=True) <= 1
    assert not judge([5.0, 2.0], [NAN, 1.0], nan_free=True) <= 1


def test_gemm_may_not_spread_a_nan_and_symm_may() -> None:
    known = subjects("cublas", 13)
    values = dict(alpha=0.0, beta=1.0)
    assert not execute.nan_may_spread(Case(known["cublasSgemm_v2"], "value", values, nan=("A",)))
    assert execute.nan_may_spread(Case(known["cublasSsymm_v2"], "value", values, nan=("A",)))
    assert not execute.nan_may_spread(Case(known["cublasSsymm_v2"], "value", values))


def test_an_undeclared_operation_is_reported() -> None:
    case = Case(subjects("cublas", 13)["cublasSgemm_v2"], "value", {})
    none = dict.fromkeys(execute.COUNTERS, 0)
    assert execute._operations(case, none) == ""
    assert "allocations 1 (declared 0)" in execute._operations(case, {**none, "allocations": 1})
    body = Case(subjects("cusolver", 13)["cusolverDnXpolar"], "value", {})
    told = execute._operations(body, {**none, "copies": 6, "syncs": 2})
    assert "copies 6 (declared 5)" in told and execute._operations(body, {**none, "copies": 5, "syncs": 1}) == ""


def test_a_nan_residual_fails() -> None:
    rule = R.Residual(fn=lambda a, got: float("nan"))
    got = {"x": ("D", np.zeros(2), None)}
    ratio, complaint = compare.outputs(rule, SimpleNamespace(), {}, {}, got, 1, False)
    assert not ratio <= 1 and complaint
    fine = R.Residual(fn=lambda a, got: 29.0)
    assert compare.outputs(fine, SimpleNamespace(), {}, {}, got, 1, False) == (29.0 / 30.0, "")


def test_an_output_that_the_oracle_forgets_fails() -> None:
    got = {"x": ("D", np.zeros(2), None)}
    assert compare.outputs(R.Exact(), SimpleNamespace(), {}, {}, got, 1, False)[0] == INF


def test_exact_is_bit_for_bit() -> None:
    assert compare.exact(np.array([1, 2], np.int32), np.array([1, 2]))[0] == 0
    assert compare.exact(np.array([1, 3], np.int32), np.array([1, 2]))[0] == INF
    assert compare.exact(np.array([np.nan, 0], np.float32), np.array([np.nan, 0]))[0] == 0


def test_the_bound_does_not_cancel() -> None:
    """c y - s x with c y = s x: the bound is that of the parts."""
    a = SimpleNamespace(c=0.5, s=-0.5, x=np.array([1.0, 2.0]), y=np.array([-1.0, -2.0]))
    m = compare.magnitudes(a)
    assert np.array_equal(np.asarray(m.c * m.y - np.conj(m.s) * m.x), [1.0, 2.0])
    assert np.array_equal(np.asarray(-m.s * m.x + m.y), [1.5, 3.0])


# --- layouts --------------------------------------------------------------------------------------------------------


def elements(which: layout.Layout) -> list[int]:
    return sorted(which.touched.tolist())


def test_matrices() -> None:
    full = layout.matrix(2, 3, 4, "full", False, -1, -1, False)
    assert elements(full) == [0, 1, 4, 5, 8, 9] and full.offsets[1, 2] == 9
    lower = layout.matrix(3, 3, 3, "LOWER", False, -1, -1, False)
    assert elements(lower) == [0, 1, 2, 4, 5, 8]
    unit = layout.matrix(3, 3, 3, "UPPER", False, -1, -1, True)
    assert elements(unit) == [3, 6, 7]


def test_packed_matrices() -> None:
    lower = layout.matrix(3, 3, 1, "LOWER", True, -1, -1, False)
    assert elements(lower) == [0, 1, 2, 3, 4, 5]
    assert [lower.offsets[i, j] for i, j in ((0, 0), (1, 0), (2, 0), (1, 1), (2, 1), (2, 2))] == [0, 1, 2, 3, 4, 5]
    upper = layout.matrix(3, 3, 1, "UPPER", True, -1, -1, False)
    assert [upper.offsets[i, j] for i, j in ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2))] == [0, 1, 2, 3, 4, 5]


def test_bands_are_lapacks() -> None:
    """AB(ku + i - j, j) = A(i, j)."""
    general = layout.matrix(4, 4, 5, "full", False, 1, 2, False)
    assert general.offsets[1, 1] == 2 + 5 and general.offsets[2, 1] == 3 + 5 and general.offsets[0, 2] == 0 + 10
    assert len(elements(general)) == 4 + 3 + 3 + 2


@pytest.mark.parametrize(("inc", "first", "last"), [(1, 0, 2), (2, 0, 4), (-1, 2, 0), (-3, 6, 0), (0, 0, 0)])
def test_vectors(inc: int, first: int, last: int) -> None:
    v = layout.vector(3, inc)
    assert (v.offsets[0], v.offsets[-1], v.elements) == (first, last, 1 + 2 * abs(inc))


def test_batches_do_not_overlap() -> None:
    one = layout.matrix(2, 2, 3, "full", False, -1, -1, False)
    array = layout.batched(one, 3, 0, True)
    assert len(set(elements(array))) == 12 and array.pitch > one.elements
    strided = layout.batched(one, 3, 7, False)
    assert strided.offsets[2, 1, 1] == 14 + 4


# --- conditions and expectations ------------------------------------------------------------------------------------


def ask(text: str, **values: object) -> object:
    nulls = values.pop("nulls", ())
    host = values.pop("host", True)
    situation = Situation(values, nulls, host)  # type: ignore[arg-type]
    names = frozenset({"transa", "m", "k", "lda", "alpha", "A", "C"})
    return compiled(text, names, frozenset({"N", "T", "C"}))(values, situation)


def test_conditions() -> None:
    assert ask("lda >= max(1, m if transa == N else k)", transa="T", m=9, k=3, lda=3)
    assert not ask("transa in (N, T, C)", transa=3)
    assert ask("null(A) and not null(C)", nulls=("A",))
    assert ask("value(alpha) == 0", alpha=0.0)
    assert not ask("value(alpha) == 0", alpha=0.0, host=False)
    assert not ask("value(alpha) != 0", alpha=1.0, host=False), "what cannot be read compares false"
    assert (UNREADABLE == 1) is False and (UNREADABLE != 1) is False
    with pytest.raises(NameError):
        ask("nothing == 1")


def test_the_first_step_that_speaks_decides() -> None:
    subject = subjects("cublas", 13)["cublasSgemm_v2"]
    good = dict(transa="N", transb="N", m=2, n=2, k=2, alpha=1.0, beta=0.0, lda=2, ldb=2, ldc=2)
    told = expect(Case(subject, "argument", {**good, "ldb": 1, "m": -1}))
    assert (told.status, told.xerbla, told.effect) == ("INVALID_VALUE", 3, "nothing")
    assert expect(Case(subject, "argument", {**good, "m": 0, "lda": 0})).xerbla == 8
    assert expect(Case(subject, "argument", good, handle="null")).status == "NOT_INITIALIZED"
    assert expect(Case(subject, "value", good)).effect == "run"


# --- selections -----------------------------------------------------------------------------------------------------


def test_every_real_cublas_function_of_a_row_has_cases() -> None:
    bare = [
        s for s, x in subjects("cublas", 13).items() if x.row.oracle and not selection.cached("cublas", s, 13, "quick")
    ]
    assert not bare


def test_case_ids_are_unique_and_stable() -> None:
    subject = subjects("cublas", 13)["cublasDgemm_v2"]
    ids = [c.id for c in selection.cases_of(subject, "quick")]
    assert len(ids) == len(set(ids)) and ids == [c.id for c in selection.cases_of(subject, "quick")]
    assert {c.id for c in selection.cases_of(subject, "quick")} <= {c.id for c in selection.cases_of(subject, "full")}


def test_the_automatic_axes_are_there() -> None:
    ids = [c.id for c in sweep.value_cases(subjects("cublas", 13)["cublasDgemm_v2"], "quick")]
    for part in ("mode=device", "stream=own", "beta=0", "A=NaN,B=NaN", "k=0", "scale=1e+08", "padded"):
        assert any(part in i for i in ids), part


def test_every_bad_argument_of_gemm_is_asked() -> None:
    cases = selection.cases_of(subjects("cublas", 13)["cublasSgemm_v2"], "quick")
    assert {expect(c).xerbla for c in cases} >= {1, 2, 3, 4, 5, 8, 10, 13}


@pytest.mark.parametrize(
    ("expression", "case_id", "kept"),
    [
        ("gemm", "cublas/gemm/cublasSgemm_v2[m=1]", True),
        ("gemm and not batched", "cublas/gemm/cublasSgemmBatched[m=1]", False),
        ("(trsm or GEMM) and m=1]", "cublas/gemm/cublasSgemm_v2[m=1]", True),
        ("", "anything", True),
    ],
)
def test_expressions(expression: str, case_id: str, kept: bool) -> None:
    assert selection.Matcher(expression)(case_id) is kept
    assert not kept or selection.Matcher(expression).may(case_id.partition("[")[0] + "[")


def test_xfails_have_reason_and_owner(tmp_path) -> None:
    assert isinstance(xfails.load(), list)
    file = tmp_path / "x.toml"
    file.write_text('[[xfail]]\ncase = "cublas/*"\nreason = ""\nowner = "someone"\n')
    with pytest.raises(ValueError, match="reason"):
        xfails.load(file)


# --- reports --------------------------------------------------------------------------------------------------------


def a_result(case_id: str, outcome: str) -> Result:
    return Result(case_id, "cublas", "cublas/gemm", "cublasSgemm_v2", outcome)


def a_report(*results: Result, known: tuple[xfails.Xfail, ...] = (), complete: bool = False) -> Report:
    report = Report("host", 13, "quick", list(known))
    for r in results:
        report.add(r)
    report.finish(complete, 0, len(results))
    return report


KNOWN = xfails.Xfail("cublas/gemm/cublasSgemm_v2[[]m=1*", "why", "who")


def test_a_known_failure_is_not_a_failure_until_it_passes() -> None:
    failing = a_report(a_result("cublas/gemm/cublasSgemm_v2[m=1]", "failed"), known=(KNOWN,))
    assert failing.ok and failing.results[0].result == "xfail"
    passing = a_report(a_result("cublas/gemm/cublasSgemm_v2[m=1]", "passed"), known=(KNOWN,))
    assert not passing.ok and passing.results[0].result == "xpass"


def test_a_known_failure_that_no_case_has_is_a_problem() -> None:
    other = a_result("cublas/gemm/cublasSgemm_v2[m=2]", "passed")
    assert a_report(other, known=(KNOWN,)).ok
    assert not a_report(other, known=(KNOWN,), complete=True).ok


def test_a_lost_outcome_is_a_problem() -> None:
    report = Report("host", 13, "quick", [])
    report.add(a_result("cublas/gemm/cublasSgemm_v2[m=2]", "passed"))
    report.finish(False, 0, 2)
    assert not report.ok and "1 outcomes for 2 cases" in report.problems[0]


def test_differences_must_be_seen() -> None:
    subject = subjects("cublas", 13)["cublasSgemm_v2"]
    said = replace(subject, row=replace(subject.row, nvidia="differs: rounds otherwise"))
    seen = differences.judged(a_result("x", "failed"), said, "nvidia")
    assert seen.result == "differs"
    assert differences.judged(a_result("x", "failed"), said, "host").result == "failed"
    assert differences.judged(a_result("x", "failed"), subject, "nvidia").result == "failed"
    assert not differences.unseen(a_report(seen), {("cublas", "cublasSgemm_v2"): said})
    assert differences.unseen(a_report(a_result("x", "passed")), {("cublas", "cublasSgemm_v2"): said})


def test_differences_of_some_cases_excuse_no_others() -> None:
    subject = subjects("cublas", 13)["cublasSgemm_v2"]
    said = replace(subject, row=replace(subject.row, differs={"huge and m=0": "refused"}))
    key = ("cublas", "cublasSgemm_v2")
    seen = differences.judged(a_result("cublas/gemm/cublasSgemm_v2[m=0,huge]", "failed"), said, "nvidia")
    assert seen.result == "differs"
    other = a_result("cublas/gemm/cublasSgemm_v2[m=1,huge]", "failed")
    assert differences.judged(other, said, "nvidia").result == "failed"
    assert not differences.unseen(a_report(seen), {key: said})
    assert differences.unseen(a_report(a_result("x", "passed")), {key: said})


def test_differences_in_what_was_found_excuse_nothing_else() -> None:
    subject = subjects("cublas", 13)["cublasSgemm_v2"]
    said = replace(subject, row=replace(subject.row, differs={"m=0 and changed,": "writes all the same"}))
    wrote, refused = (a_result("cublas/gemm/cublasSgemm_v2[m=0]", "failed") for _ in range(2))
    wrote.message, refused.message = "an output changed, nothing may", "status INVALID_VALUE, expected SUCCESS"
    assert differences.judged(wrote, said, "nvidia").result == "differs"
    assert differences.judged(refused, said, "nvidia").result == "failed"
    assert not differences.unseen(a_report(wrote), {("cublas", "cublasSgemm_v2"): said})


def test_two_bad_arguments_are_as_deadly_as_the_first() -> None:
    pairs = {c.id: c.hazard for c in selection.cached("cusolver", "cusolverDnDgetrf", 13, "quick") if c.note == "two"}
    assert pairs["cusolver/lu/cusolverDnDgetrf[m=-1,n=-1,lda=7,two]"]


def test_what_the_original_dies_of_is_marked() -> None:
    syrk = {c.id: c.hazard for c in selection.cached("cublas", "cublasSsyrk_v2", 13, "quick") if c.nulls == {"A"}}
    assert [h for i, h in syrk.items() if ",k=0," in i] == [False]
    assert [h for i, h in syrk.items() if ",alpha=0," in i] == [True]
    handles = {c.handle: c.hazard for c in selection.cached("cublas", "cublasXtSetBlockDim", 13, "quick") if not c.note}
    assert handles["zeroed"] and not handles["null"]
    assert all(c.hazard for c in selection.cached("cublas", "cublasSgemvBatched", 13, "quick") if c.handle != "live")
