"""Known failures, from ``xfails.toml``: strict, each with a reason and an owner."""

from __future__ import annotations

import fnmatch
import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Xfail:
    case: str
    reason: str
    owner: str
    providers: tuple[str, ...] = ("host", "rocm")

    def covers(self, case_id: str, provider: str) -> bool:
        return provider in self.providers and fnmatch.fnmatchcase(case_id, self.case)


def load(path: Path = HERE / "xfails.toml") -> list[Xfail]:
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get("xfail", [])
    for e in entries:
        missing = {"case", "reason", "owner"} - {k for k, v in e.items() if v}
        if missing:
            raise ValueError(f"{path.name}: an entry lacks {', '.join(sorted(missing))}: {e}")
    return [Xfail(e["case"], e["reason"], e["owner"], tuple(e.get("providers", ("host", "rocm")))) for e in entries]
