"""Copies the emitted pages of documentation into docs/, or with --check says which of them are stale."""

import filecmp
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    pages = sorted((ROOT / "build" / "gen" / "docs").glob("*.md"))
    stale = [p for p in pages if not (t := ROOT / "docs" / p.name).exists() or not filecmp.cmp(p, t, shallow=False)]
    if "--check" in sys.argv:
        for page in stale:
            print(f"docs/{page.name} is stale: run make docs", file=sys.stderr)
        return int(bool(stale) or not pages)
    for page in stale:
        shutil.copyfile(page, ROOT / "docs" / page.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
