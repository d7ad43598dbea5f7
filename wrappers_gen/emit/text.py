"""Small helpers that every emitter shares."""

from __future__ import annotations

BANNER = "emitted by wrappers_gen"


def banner(source: str, comment: str = "//") -> str:
    """First line of an emitted file: what to edit instead."""
    return f"{comment} {BANNER} from {source}; do not edit"


def identifier(name: str) -> str:
    """A file or soname as a C identifier."""
    return "".join(c if c.isalnum() else "_" for c in name)
