"""The types and epilogues of cublasLtMatmul as an H200 has them, all of them, accepted or refused.

With SCALE_X_COMPAT=exact every entry is answered as there. Without it, what the chip refuses only because of the shape
is computed, and must be right.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scale_x.conformance import ltmatmul as lt
from scale_x.conformance.fftcases import Device
from scale_x.conformance.ltmatmul import Problem, Product
from scale_x.conformance.ltrun import EXACT, Made, Run

if TYPE_CHECKING:
    from scale_x.conformance.scripts import Script, Session

ALL = frozenset(lt.EPILOGUES)
NONE: frozenset[int] = frozenset()
DEFAULT = frozenset({1})
NO_SUMS = ALL - {256, 512}
SQUARE, RAGGED = (128, 128, 128), (33, 65, 97)


@dataclass(frozen=True)
class Line:
    """Which epilogues the H200 has for 128 x 128 x 128, and for a ragged shape; ``types``: those refused by type."""

    kind: str
    ops: str
    square: frozenset[int]
    ragged: frozenset[int]
    types: frozenset[int]  # what has nothing to do with the shape


def same(kind: str, ops: str, epilogues: frozenset[int]) -> Line:
    return Line(kind, ops, epilogues, epilogues, epilogues)


def chip(kind: str, ops: str, square: frozenset[int], types: frozenset[int] | None = None) -> Line:
    """Ragged shapes have no kernel there."""
    return Line(kind, ops, square, NONE, types if types is not None else square)


LINES = (
    *(same(kind, "NN", ALL - {512})
      for kind in ("f32", "tf32", "f16", "f16-16f", "bf16", "f16-f32", "bf16-f32", "f64")),
    same("f16", "TN", NO_SUMS), same("bf16", "TN", NO_SUMS), same("f16", "TT", ALL - {256}), same("f16", "NT", ALL),
    same("c32", "NN", DEFAULT), same("c64", "NN", DEFAULT),
    chip("i8-i32", "TN", DEFAULT), chip("i8-i32", "NN", DEFAULT), chip("i8-i8", "NN", DEFAULT),
    chip("i8-i8", "TN", NO_SUMS), same("i8-f32", "TN", NO_SUMS),
    *(chip(kind, "TN", NO_SUMS) for kind in ("e4m3-bf16", "e4m3-e5m2-bf16", "e4m3-f16")),
    chip("e4m3-f32", "TN", NO_SUMS - {152, 164, 208}), chip("e4m3-e4m3", "TN", NO_SUMS - {136, 152, 192, 208}),
    *(chip("e4m3-bf16", ops, NONE, DEFAULT) for ops in ("NN", "NT", "TT")),
)  # fmt: skip


def line(entry: Line, shape: tuple[int, int, int], has: frozenset[int]) -> Script:
    def script(x: Session) -> None:
        accepted = has if EXACT or not x.own else entry.types
        checked = ALL if entry.types != DEFAULT or entry.kind[0] != "e" else DEFAULT
        for epilogue in sorted(checked):
            with Made(x) as made, Device(x) as device:
                alpha = 1 / 64 if entry.kind == "i8-i8" else 1.0  # so that nothing saturates
                p = Product(entry.kind, *shape, entry.ops[0], entry.ops[1], epilogue, alpha)
                run = Run(x, made, device, Problem.of(replace(p, beta=0.0 if epilogue in (136, 192) else 1.0)))
                said, count, _ = run.heuristic()
                want = "SUCCESS" if epilogue in accepted else "NOT_SUPPORTED"
                assert said == want, f"{lt.EPILOGUES[epilogue]}: the heuristic answers {said}, not {want}"
                assert (count > 0) == (said == "SUCCESS") or count < 0, f"{said} and {count} results"
                said = run.call()
                assert said == want, f"{lt.EPILOGUES[epilogue]}: cublasLtMatmul answers {said}, not {want}"
                if said == "SUCCESS":
                    run.check()

    return script


def cases() -> list[tuple[str, Callable[[Session], None], bool]]:
    return [
        (f"table-{entry.kind}-{entry.ops}-{name}", line(entry, shape, has), False)
        for entry in LINES
        for name, shape, has in (("square", SQUARE, entry.square), ("ragged", RAGGED, entry.ragged))
    ]
