"""Where scale-x knowingly answers otherwise than NVIDIA's libraries: ``docs/differences.md``, from the rows."""

from __future__ import annotations

from .. import rows
from ..model import Model

HEAD = """# Differences from NVIDIA's libraries

Statuses, messages and what is written where follow measurements on NVIDIA's own libraries. Where those crash, leave the
device with an illegal address, or compute a wrong result, scale-x returns a status instead. This page is made from the
rows, and the conformance runner does not put these questions to NVIDIA's libraries.
"""


def functions(row: rows.Row) -> str:
    """The row's functions as people write them: ``cublas<T>axpy_v2``, T = S D C Z."""
    plain = row.symbols.replace("{_64}", "").replace("{T}", "<T>").replace("{t}", "<t>")
    names = ", ".join(f"`{p}`" for p in plain.split())
    if "<" not in names or not row.T:
        return names
    return f"{names} for {' '.join(row.T)}"


def emit(model: Model) -> dict[str, str]:
    other, null = [], []
    for page in model.pages:
        for row in page.rows:
            if row.nvidia != "same":
                kind, _, why = row.nvidia.partition(":")
                other.append(f"| {functions(row)} | {kind} | {why.strip()} | {row.why} |")
            for step in row.steps:
                if isinstance(step, rows.NotNull) and step.nvidia == "crash":
                    unless = f" unless `{step.unless}`" if step.unless else ""
                    null.append(f"| {functions(row)} | {', '.join(step.args)}{unless} | {step.status} |")
    lines = [HEAD]
    if other:
        lines += ["## By function", "", "| functions | NVIDIA | how | scale-x |", "|---|---|---|---|", *other, ""]
    if null:
        lines += ["## NULL pointers", "", "NVIDIA's dies of these or faults on the device; scale-x answers:", ""]
        lines += ["| functions | arguments | status |", "|---|---|---|", *null, ""]
    return {"docs/differences.md": "\n".join(lines)}
