"""Inputs that broke other people's programs, as explicit cases. Each note names the report they come from."""

from __future__ import annotations

from scale_x.conformance.cases import Case
from scale_x.conformance.subjects import Subject


def cases_of(subject: Subject) -> list[Case]:
    return []
