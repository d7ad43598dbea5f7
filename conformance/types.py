"""Functions whose types are arguments: every combination of types that NVIDIA documents, taken or refused."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from scale_x.conformance.cases import RUN, Case, expect
from scale_x.conformance.subjects import Subject
from scale_x.conformance.sweep import Shaper, scalar_value

DATA = ("R_32F", "R_64F", "C_32F", "C_64F", "R_16F", "R_16BF", "R_8I", "R_32I", "C_8I", "R_8U")
COMPUTE = ("COMPUTE_32F", "COMPUTE_32F_PEDANTIC", "COMPUTE_32F_FAST_16F", "COMPUTE_32F_FAST_16BF",
           "COMPUTE_32F_FAST_TF32", "COMPUTE_64F", "COMPUTE_64F_PEDANTIC", "COMPUTE_16F", "COMPUTE_16F_PEDANTIC",
           "COMPUTE_32I", "COMPUTE_32I_PEDANTIC", 0, 1, 2, 10)  # fmt: skip
REFUSED = 12  # refusals asked per function at the quick level
#: compute types that NVIDIA lets lose accuracy, and by how much in units of single precision's
FAST = {"COMPUTE_32F_FAST_16F": 2.0**13, "COMPUTE_32F_FAST_TF32": 2.0**13, "COMPUTE_32F_FAST_16BF": 2.0**16}


def slack(case: Case) -> float:
    """How much wider the bound is because a fast compute type was asked for."""
    if case.values.get("Ctype") in ("R_32F", "C_32F"):
        return FAST.get(str(case.values.get("computeType")), 1.0)
    return 1.0


def cases_of(subject: Subject) -> Iterator[Case]:
    """For gemmEx and its kin: A and B of one type, C of any, every compute type."""
    row = subject.row
    if row.sweep is None or row.oracle is None or "Ctype" not in row.sweep.base or subject.wide:
        return
    shaper = Shaper(subject)
    base = {k: scalar_value(subject, k, v) for k, v in row.sweep.base.items()}
    base.update(m=8, n=4, k=12)  # multiples of four: what NVIDIA wants of eight-bit integers
    sized = shaper.complete(base)
    refused = 0
    computes = COMPUTE if "computeType" in subject.names else (None,)
    for a, c, compute in itertools.product(DATA, DATA, computes):
        values = {**sized, "Atype": a, "Btype": a, "Ctype": c}
        if compute is not None:
            values["computeType"] = compute
        case = Case(subject, "value", values)
        told = expect(case)
        if told.effect == RUN:
            yield case
            yield Case(subject, "value", values, mode="device")
        elif refused < REFUSED or (a, c) == ("R_32F", "R_32F"):
            refused += 1
            yield Case(subject, "argument", values, layout=sized)
    mixed = {**sized, "Atype": "R_32F", "Btype": "R_64F", "Ctype": "R_64F"}
    yield Case(subject, "argument", mixed, layout=sized)
