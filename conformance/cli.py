"""``scale-x-conform``: run, list, coverage, compare."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from scale_x.conformance import coverage, differences, selection
from scale_x.conformance.providers import ProviderError, resolve
from scale_x.conformance.report import COMPLETE_FLOOR, SHOWN, Report, repro
from scale_x.conformance.runner import Order, Result, RunError, Runner
from scale_x.conformance.subjects import Subject, subjects
from scale_x.conformance.xfails import load as load_xfails

Chosen = dict[tuple[str, str], list[tuple[int, str, bool]]]


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(prog="scale-x-conform", description="Proves CUDA-X libraries against oracles.")
    commands = p.add_subparsers(dest="command", required=True)
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--cuda", type=int, choices=(11, 12, 13), default=13, help="CUDA major, which picks the sonames"
    )
    shared.add_argument("--library", action="append", help="cublas, cusolver, ...; may be repeated; all by default")
    shared.add_argument("-k", dest="expression", default="", metavar="EXPR", help="words in case ids: and, or, not")
    shared.add_argument("--level", choices=("quick", "full"), default="quick")
    run = commands.add_parser("run", parents=[shared], help="run cases and print a table")
    run.add_argument("--provider", default=os.environ.get("SCALE_X_CONFORM_PROVIDER", "host"),
                     help="host, rocm, nvidia, or a directory with the libraries")  # fmt: skip
    run.add_argument("--json", type=Path, metavar="FILE", help="write every outcome")
    run.add_argument("--junit", type=Path, metavar="FILE")
    run.add_argument("--repro", metavar="CASEID", help="run this one case and say everything about it")
    run.add_argument("--record", nargs="?", const="", metavar="FILE",
                     help="write what was observed, to conformance/goldens unless FILE says otherwise")  # fmt: skip
    run.add_argument("--workers", type=int, default=0, help="processes; 0: two, or one on a GPU")
    run.add_argument("--watchdog", type=float, default=30.0, metavar="SECONDS", help="per case")
    run.add_argument("--floor", type=int, default=0, help="fail when fewer cases ran")
    run.add_argument("--hazards", action="store_true",
                     help="also ask NVIDIA's libraries what makes them fault")  # fmt: skip
    commands.add_parser("list", parents=[shared], help="print case ids")
    cov = commands.add_parser("coverage", help="what is implemented, and how")
    cov.add_argument("--json", action="store_true")
    cov.add_argument("--library", action="append")
    cmp_ = commands.add_parser("compare", parents=[shared], help="two providers, or two files written by run --json")
    cmp_.add_argument("one")
    cmp_.add_argument("two")
    cmp_.add_argument("--json", type=Path, metavar="FILE")
    return p


def choose(options: argparse.Namespace) -> Chosen:
    keep = selection.Matcher(options.expression)
    if repro_id := getattr(options, "repro", None):
        library, _, rest = repro_id.partition("/")
        symbol = rest.partition("/")[2].partition("[")[0]
        if library not in selection.libraries() or symbol not in subjects(library, options.cuda):
            return {}
        levels = (options.level, "full")
        for level in levels:
            found = [c for c in _listed(library, symbol, options.cuda, level) if c[1] == repro_id]
            if found:
                options.level = level
                return {(library, symbol): found}
        return {}
    chosen: Chosen = {}
    for library in options.library or selection.libraries():
        if library not in selection.libraries():
            raise SystemExit(f"scale-x-conform: no library {library!r}; there are {', '.join(selection.libraries())}")
        for symbol, cases in selection.select(library, options.cuda, options.level, keep).items():
            chosen[(library, symbol)] = cases
    return chosen


def _listed(library: str, symbol: str, cuda: int, level: str) -> list[tuple[int, str, bool]]:
    return [(i, c.id, c.hazard) for i, c in enumerate(selection.cached(library, symbol, cuda, level))]


def skipped(subject: Subject, provider: str, hazard: bool, hazards: bool) -> str:
    """Why a case is not asked of this provider; empty when it is."""
    if provider in ("host", "rocm"):
        return ""
    if subject.row.kind == "stub":
        return "a stub here, real there"
    if (hazard or subject.row.nvidia.startswith("crash")) and not hazards:
        return "the original may fault here"
    return ""


def execute(options: argparse.Namespace, chosen: Chosen, show: bool = True) -> Report:
    """Runs the chosen cases on one provider."""
    report = Report(options.provider, options.cuda, options.level, load_xfails())
    resolve(options.provider, options.cuda)  # a clear message before any process starts
    orders = []
    for (library, symbol), cases in chosen.items():
        subject = subjects(library, options.cuda)[symbol]
        keep = []
        for index, case_id, hazard in cases:
            if why := skipped(subject, options.provider, hazard, getattr(options, "hazards", False)):
                report.add(Result(case_id, library, subject.family, symbol, "skipped", why))
            else:
                keep.append((index, case_id))
        if keep:
            orders.append(Order(library, subject.family, symbol, keep))
    total = sum(len(o.cases) for o in orders)
    workers = getattr(options, "workers", 0) or (2 if options.provider == "host" else 1)
    workers = min(workers, max(1, total // 50))  # a worker costs its start
    with _progress(show and total > 1) as advance:

        def heard(result: Result) -> None:
            report.add(
                differences.judged(result, subjects(result.library, options.cuda)[result.symbol], options.provider)
            )
            advance()

        advance(total)
        if orders:
            Runner(
                options.provider, options.cuda, options.level, workers, getattr(options, "watchdog", 30.0), heard
            ).run(orders)
    complete = not options.expression and not getattr(options, "repro", None) and not options.library
    floor = getattr(options, "floor", 0) or (COMPLETE_FLOOR if complete else 0)
    if complete and options.provider not in ("host", "rocm"):
        report.problems += differences.unseen(report, {key: subjects(key[0], options.cuda)[key[1]] for key in chosen})
    report.finish(complete, floor, sum(map(len, chosen.values())))
    return report


class _progress:
    """A progress bar when standard error is a terminal. ``advance(total)`` starts it, ``advance()`` moves it."""

    def __init__(self, show: bool) -> None:
        self.bar = None
        if show and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            self.bar = Progress(TextColumn("conformance"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
                                console=Console(stderr=True), transient=True)  # fmt: skip
        self.task: Any = None

    def __enter__(self):
        if self.bar:
            self.bar.start()
        return self.advance

    def __exit__(self, *_: object) -> None:
        if self.bar:
            self.bar.stop()

    def advance(self, total: int | None = None) -> None:
        if self.bar is None:
            return
        if self.task is None:
            self.task = self.bar.add_task("", total=total)
        else:
            self.bar.advance(self.task)


def _run(options: argparse.Namespace) -> int:
    from rich.console import Console

    out = Console(soft_wrap=True, highlight=False, markup=False)
    chosen = choose(options)
    if not chosen:
        what = options.repro or options.expression or "everything"
        print(f"scale-x-conform: no case matches {what!r}: nothing was proved", file=sys.stderr)
        return 2
    report = execute(options, chosen)
    if options.repro:
        for r in report.results:
            out.print(
                f"{r.id}\n  {r.result}  status {r.status}  message {r.xerbla or 'none'}  ratio {r.ratio:.3g}  "
                f"{r.pattern}  {r.message}"
            )
    for r in report.failures[:SHOWN]:
        out.print(f"{r.result.upper()} {r.id}\n    {r.message}\n    {repro(r, report)}")
    if len(report.failures) > SHOWN:
        out.print(f"... and {len(report.failures) - SHOWN} more (--json FILE has them all)")
    if not options.repro:
        _console().print(report.table())
    for problem in report.problems:
        out.print(f"PROBLEM: {problem}")
    if options.json:
        report.write_json(options.json)
    if options.junit:
        report.write_junit(options.junit)
    if options.record is not None:
        out.print(f"recorded {differences.record(report, options.record)}")
    return 0 if report.ok else 1


def _console():
    """Wide enough for the table when the output is a file or a pipe."""
    from rich.console import Console

    return Console() if sys.stdout.isatty() else Console(width=110)


def _list(options: argparse.Namespace) -> int:
    chosen = choose(options)
    for cases in chosen.values():
        for _, case_id, _ in cases:
            print(case_id)
    return 0 if chosen else 2


def main(arguments: list[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    try:
        if options.command == "run":
            return _run(options)
        if options.command == "list":
            return _list(options)
        if options.command == "coverage":
            return coverage.show(options)
        return differences.show(options)
    except KeyboardInterrupt:
        print("scale-x-conform: interrupted: nothing was proved", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    except (ProviderError, RunError, ValueError) as e:
        print(f"scale-x-conform: {e}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
