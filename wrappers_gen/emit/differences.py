"""Where scale-x knowingly answers otherwise than NVIDIA's libraries: ``docs/differences.md``, from the rows."""

from __future__ import annotations

from .. import rows
from ..model import Model

HEAD = """# Differences from NVIDIA's libraries

Statuses, messages and what is written where follow measurements on NVIDIA's own libraries. Where those crash, leave the
device with an illegal address, or compute a wrong result, scale-x returns a status instead. This page is made from the
rows: on NVIDIA's libraries the conformance runner must see what differs, and does not ask what they die of.
"""

DEADLY = """NVIDIA's library dies of these, or leaves the device with an illegal address; an argument without a
condition is NULL. What scale-x answers:"""

LIMITS = """NVIDIA's library refuses these shapes and alignments only because its chip cannot do them. scale-x computes
them; with `SCALE_X_COMPAT=exact` in the environment it refuses as NVIDIA does, for finding out whether a program will
run there."""


def functions(row: rows.Row) -> str:
    """The row's functions as people write them: ``cublas<T>axpy_v2``, T = S D C Z."""
    plain = row.symbols.replace("{_64}", "").replace("{T}", "<T>").replace("{t}", "<t>")
    names = ", ".join(f"`{p}`" for p in plain.split())
    if "<" not in names or not row.T:
        return names
    return f"{names} for {' '.join(row.T)}"


def deadly(step: rows.Step) -> list[str]:
    """What NVIDIA's library dies of, and what the wrapper answers."""
    if getattr(step, "nvidia", "same") == "same":
        return []
    assert isinstance(step, rows.Handle | rows.Check | rows.NotNull)
    if isinstance(step, rows.Handle):
        which = "not NULL and no live handle" if step.nvidia == "reads" else "no live handle"
        return [f"{step.arg} that is {which} | {step.status}"]
    if isinstance(step, rows.Check):
        return [f"`not ({step.holds})` | {step.status}"]
    unless = f" unless `{step.unless}`" if step.unless else ""
    lines = [f"{', '.join(step.args)}{unless} | {step.status}"]
    if step.unless and step.nvidia_unless is not None and step.nvidia_unless != step.unless:
        also = f" and not `{step.nvidia_unless}`" if step.nvidia_unless else ""
        lines.append(f"{', '.join(step.args)} if `{step.unless}`{also} | SUCCESS, it is not read")
    return lines


def emit(model: Model) -> dict[str, str]:
    other, null, limits = [], [], []
    for page in model.pages:
        for row in page.rows:
            if row.nvidia != "same":
                kind, _, why = row.nvidia.partition(":")
                other.append(f"| {functions(row)} | {kind} | {why.strip()} | {row.why} |")
            other += [f"| {functions(row)} | differs | {why} | |" for why in row.differs.values()]
            for step in row.steps:
                null += [f"| {functions(row)} | {line} |" for line in deadly(step)]
                if isinstance(step, rows.ChipLimit):
                    limits.append(f"| {functions(row)} | `{step.holds}` | {step.status} |")
    lines = [HEAD]
    if other:
        lines += ["## By function", "", "| functions | NVIDIA | how | scale-x |", "|---|---|---|---|", *other, ""]
    if limits:
        lines += ["## Limits of NVIDIA's chip", "", LIMITS, ""]
        lines += ["| functions | refused unless | status |", "|---|---|---|", *limits, ""]
    if null:
        lines += ["## Arguments", "", DEADLY, ""]
        lines += ["| functions | arguments | status |", "|---|---|---|", *null, ""]
    return {"docs/differences.md": "\n".join(lines)}
