"""Counts outcomes, prints the table, writes JSON and JUnit files, and says whether the run is good."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from typing import Any

from scale_x.conformance.runner import Result
from scale_x.conformance.xfails import Xfail

GOOD = ("passed", "xfail", "skipped", "differs")
SHOWN = 25  # failures printed in full
FLOOR = 1  # cases that a run must at least have, and every family of a complete run
COMPLETE_FLOOR = 1000


class Report:
    """Everything a run found out."""

    def __init__(self, provider: str, cuda: int, level: str, xfails: list[Xfail]) -> None:
        self.provider, self.cuda, self.level = provider, cuda, level
        self.xfails = xfails
        self.used: set[Xfail] = set()
        self.results: list[Result] = []
        self.problems: list[str] = []  # of the run as a whole

    def add(self, result: Result) -> None:
        for x in self.xfails:
            if x.covers(result.id, self.provider):
                self.used.add(x)
                if result.result == "passed":
                    result.result, result.message = "xpass", f"passes although known to fail: {x.reason} ({x.owner})"
                elif result.result not in ("skipped", "differs"):
                    result.result, result.message = "xfail", f"{x.reason} ({x.owner}): {result.message}"
                break
        self.results.append(result)

    def finish(self, complete: bool, floor: int, wanted: int) -> None:
        """Judges the run as a whole; ``wanted`` cases were asked for."""
        executed = [r for r in self.results if r.result != "skipped"]
        if len(executed) < max(floor, FLOOR):
            self.problems.append(f"{len(executed)} cases ran, at least {max(floor, FLOOR)} must")
        if len(self.results) != wanted:
            self.problems.append(f"{len(self.results)} outcomes for {wanted} cases")
        if complete:
            for x in self.xfails:
                if x not in self.used and self.provider in x.providers:
                    self.problems.append(f"xfails.toml: no case matches {x.case!r}")

    @property
    def failures(self) -> list[Result]:
        return [r for r in self.results if r.result not in GOOD]

    @property
    def ok(self) -> bool:
        return not self.failures and not self.problems

    # --- outputs ----------------------------------------------------------------------------------------------------

    def families(self) -> dict[str, Counter]:
        found: dict[str, Counter] = {}
        for r in self.results:
            found.setdefault(r.family, Counter())[r.result] += 1
        return dict(sorted(found.items()))

    def worst(self, family: str) -> float:
        ratios = [r.ratio for r in self.results if r.family == family and r.result == "passed"]
        return max(ratios, default=0.0)

    def table(self) -> Any:
        from rich.table import Table

        t = Table(title=f"{self.provider}, CUDA {self.cuda}, {self.level} level", title_justify="left")
        for column in ("family", "functions", "passed", "failed", "skipped", "xfail", "worst error / bound"):
            t.add_column(column, justify="left" if column == "family" else "right")
        functions: dict[str, set[str]] = {}
        for r in self.results:
            functions.setdefault(r.family, set()).add(r.symbol)
        total: Counter = Counter()
        for family, counts in self.families().items():
            total += counts
            t.add_row(family, str(len(functions[family])), *_cells(counts), f"{self.worst(family):.2f}")
        t.add_section()
        every = max((self.worst(f) for f in functions), default=0.0)
        t.add_row("all", str(sum(map(len, functions.values()))), *_cells(total), f"{every:.2f}", style="bold")
        return t

    def as_json(self) -> dict[str, Any]:
        return {
            "provider": self.provider, "cuda": self.cuda, "level": self.level, "ok": self.ok, "problems": self.problems,
            "counts": dict(sorted(Counter(r.result for r in self.results).items())),
            "results": [_finite(r.as_json()) for r in sorted(self.results, key=lambda r: r.id)],
        }  # fmt: skip

    def write_json(self, path: Path) -> None:
        path.write_text(json.dumps(self.as_json(), indent=1) + "\n", encoding="utf-8")

    def write_junit(self, path: Path) -> None:
        suites = ET.Element("testsuites")
        for family in self.families():
            mine = [r for r in self.results if r.family == family]
            bad = sum(r.result not in GOOD for r in mine)
            suite = ET.SubElement(suites, "testsuite", name=family, tests=str(len(mine)), failures=str(bad))
            for r in mine:
                case = ET.SubElement(
                    suite, "testcase", classname=f"{family}/{r.symbol}", name=r.id, time=f"{r.seconds:.6f}"
                )
                if r.result not in GOOD:
                    ET.SubElement(case, "failure", message=f"{r.result}: {r.message}").text = repro(r, self)
                elif r.result != "passed":
                    ET.SubElement(case, "skipped", message=f"{r.result}: {r.message}")
        ET.ElementTree(suites).write(path, encoding="utf-8", xml_declaration=True)


def repro(r: Result, report: Report) -> str:
    """The command that runs this one case again."""
    level = "" if report.level == "quick" else f" --level {report.level}"
    return f"scale-x-conform run --provider {report.provider} --cuda {report.cuda}{level} --repro '{r.id}'"


def _cells(counts: Counter) -> tuple[str, ...]:
    bad = sum(v for k, v in counts.items() if k not in GOOD)
    return (str(counts["passed"]), f"[red]{bad}[/red]" if bad else "0", str(counts["skipped"] + counts["differs"]),
            str(counts["xfail"]))  # fmt: skip


def _finite(result: dict[str, Any]) -> dict[str, Any]:
    if not math.isfinite(result["ratio"]):
        result["ratio"] = None
    return result
