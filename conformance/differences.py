"""Where providers differ: cases whose rows say so, recorded observations (goldens), and comparing two runs."""

from __future__ import annotations

import argparse
import copy
import gzip
import json
from pathlib import Path
from typing import Any

from scale_x.conformance.report import Report
from scale_x.conformance.runner import Result
from scale_x.conformance.selection import Matcher
from scale_x.conformance.subjects import Subject

GOLDENS = Path(__file__).resolve().parent / "goldens"
FIELDS = ("status", "xerbla", "pattern")


def judged(result: Result, subject: Subject, provider: str) -> Result:
    """On the original libraries a row that says "differs" or "crash" may fail: that is what it says. The words of a
    difference stand in the case's id, or in what was found wrong with it."""
    if provider in ("host", "rocm") or result.result not in ("failed", "crash"):
        return result
    told = _told(result)
    why = next((why for words, why in subject.row.differs.items() if Matcher(words)(told)), subject.row.nvidia)
    if result.pattern == "fault" and "crash" not in why and "fault" not in why:
        return result  # a device that is broken says nothing about the difference
    if why != "same":
        result.message = f"{why} ({result.message})"
        result.result = "differs"
    return result


def _told(result: Result) -> str:
    return f"{result.id} {result.message}"


def unseen(report: Report, subjects: dict[tuple[str, str], Subject]) -> list[str]:
    """Rows that say the original differs, while no case of theirs did."""
    differing: dict[tuple[str, str], list[str]] = {}
    for r in report.results:
        if r.result == "differs":
            differing.setdefault((r.library, r.symbol), []).append(_told(r))
    rows: dict[int, list[tuple[str, str]]] = {}
    for key, subject in subjects.items():
        rows.setdefault(id(subject.row), []).append(key)
    complaints = []
    for keys in rows.values():
        row, seen = subjects[keys[0]].row, [i for key in keys for i in differing.get(key, ())]
        said = [*row.differs, *([""] if row.nvidia.startswith("differs") else [])]
        for words in said:
            if not any(map(Matcher(words), seen)):
                of = f" on {words!r}" if words else ""
                complaints.append(f"{keys[0][1]} and kin: said to differ{of}, and no case did")
    return complaints


def observed(result: dict[str, Any]) -> dict[str, Any]:
    return {f: result[f] for f in FIELDS}


def record(report: Report, file: str = "") -> Path:
    """Writes status, message and shape of the outputs of every case that ran, one JSON line each."""
    path = Path(file) if file else GOLDENS / f"{report.provider}-cuda{report.cuda}-{report.level}.jsonl.gz"
    rows = [{"id": r["id"], **observed(r)} for r in report.as_json()["results"] if r["status"]]
    text = "".join(json.dumps(r, sort_keys=True) + "\n" for r in rows)
    with gzip.GzipFile(path, "wb", mtime=0) as f:
        f.write(text.encode())
    return path


def read(path: Path) -> dict[str, dict[str, Any]]:
    """Outcomes by case id, from a file of run --json or a golden."""
    if path.suffix == ".gz":
        with gzip.open(path, "rt", encoding="utf-8") as f:
            return {r["id"]: r for r in map(json.loads, f)}
    return {r["id"]: r for r in json.loads(path.read_text(encoding="utf-8"))["results"] if r["status"]}


def between(one: dict[str, dict], two: dict[str, dict]) -> list[dict[str, Any]]:
    """What differs in the cases that both ran."""
    found = []
    for case_id in sorted(one.keys() & two.keys()):
        a, b = one[case_id], two[case_id]
        fields = {f: [a[f], b[f]] for f in FIELDS if a[f] != b[f]}
        if fields:
            found.append({"id": case_id, **fields})
    return found


def _side(name: str, options: argparse.Namespace) -> dict[str, dict]:
    if Path(name).is_file():
        return read(Path(name))
    from scale_x.conformance.cli import choose, execute

    mine = copy.copy(options)
    mine.provider = name
    report = execute(mine, choose(mine))
    return {r["id"]: r for r in report.as_json()["results"] if r["status"]}


def show(options: argparse.Namespace) -> int:
    one, two = _side(options.one, options), _side(options.two, options)
    both = one.keys() & two.keys()
    found = between(one, two)
    for f in found:
        parts = [f"{k} {v[0] or 'none'} | {v[1] or 'none'}" for k, v in f.items() if k != "id"]
        print(f"{f['id']}\n    {'; '.join(parts)}")
    print(f"{len(both)} cases in both, {len(found)} differ; {len(one) - len(both)} only in {options.one}, "
          f"{len(two) - len(both)} only in {options.two}")  # fmt: skip
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if not both:
        print("nothing was compared")
        return 2
    return 1 if found else 0
