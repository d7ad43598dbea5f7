"""``python -m wrappers_gen <command>``."""

from __future__ import annotations

import sys


def main(argv: list[str]) -> int:
    command, rest = (argv or [""])[0], argv[1:]
    if command == "extract":
        from .extract import main as extract

        return extract(rest)
    if command == "extract-rocm":
        from .extract import main_rocm

        return main_rocm(rest)
    print("usage: python -m wrappers_gen {extract,extract-rocm} ...", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
