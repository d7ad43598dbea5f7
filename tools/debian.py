"""Prebuilt packages of newer Debian suites, for checks against AMD's own headers, libraries and programs.

They come from the machine's own Debian mirror and are unpacked into a cache directory; nothing is installed. A program
of such a suite runs under that suite's own loader and C library.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "scale-x"
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
TRIPLET = "x86_64-linux-gnu"


def mirror() -> str:
    """The address of this machine's Debian mirror."""
    if shutil.which("apt-get") is None:
        raise SystemExit("needs apt-get: AMD's files come as Debian packages")
    release = dict(line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines() if "=" in line)
    ask = ["apt-get", "indextargets", "--format", "$(REPO_URI)|$(RELEASE)|$(COMPONENT)", "Created-By: Packages"]
    out = subprocess.run(ask, capture_output=True, text=True, check=True)
    for line in out.stdout.splitlines():
        uri, suite, component = line.split("|")
        if suite == release.get("VERSION_CODENAME") and component == "main":
            return uri
    raise SystemExit("no Debian mirror among this machine's apt sources")


@dataclass(frozen=True)
class Packages:
    """Packages of ``suites`` (the last is preferred) in the cache directory ``into``."""

    into: Path
    suites: Sequence[str]

    def _apt(self, *arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
        settings = {
            "Dir::State::lists": self.into / "lists", "Dir::State::status": self.into / "status",
            "Dir::Cache": self.into, "Dir::Etc::sourcelist": self.into / "sources.list",
            "Dir::Etc::sourceparts": "-", "Dir::Etc::preferencesparts": "-", "Acquire::Check-Valid-Until": "false",
            "Acquire::Languages": "none", "APT::Sandbox::User": "", "APT::Default-Release": self.suites[-1],
        }  # fmt: skip
        command = ["apt-get", "-q", *(f"-o{key}={value}" for key, value in settings.items()), *arguments]
        return subprocess.run(command, check=True, text=True, **options)  # type: ignore[call-overload,no-any-return]

    def download(self, packages: Iterable[str], needed: bool = False) -> list[Path]:
        """The packages' files; with ``needed`` those of all that they depend on, too."""
        for folder in ("lists/partial", "archives/partial", "debs"):
            (self.into / folder).mkdir(parents=True, exist_ok=True)
        (self.into / "status").touch()
        signed = f" [signed-by={KEYRING}]" if KEYRING.exists() else ""
        lines = [f"deb{signed} {mirror()} {suite} main\n" for suite in self.suites]
        (self.into / "sources.list").write_text("".join(lines))
        self._apt("update")
        names = list(packages)
        if needed:
            asked = ["--print-uris", "-y", "--no-install-recommends", "install", *names]
            names = re.findall(r"^'\S+' (\w\S*?)_", self._apt(*asked, capture_output=True).stdout, re.M)
        self._apt("download", *names, cwd=self.into / "debs")
        shutil.rmtree(self.into / "lists")
        return [p for name in names for p in sorted((self.into / "debs").glob(f"{name}_*.deb"))]

    def unpack(self, name: str, packages: Iterable[str], only: str = "", needed: bool = False) -> Path:
        """The directory with the unpacked files, once for each ``name``; ``only`` those that match it."""
        root = self.into / "root"
        done = root / f".{name}"
        if not done.exists():
            root.mkdir(parents=True, exist_ok=True)
            for package in self.download(packages, needed):
                if not only:
                    subprocess.run(["dpkg", "-x", package, root], check=True)
                    continue
                stream = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE)
                subprocess.run(["tar", "-x", "-C", root, "--wildcards", only], stdin=stream.stdout,
                               stderr=subprocess.DEVNULL)  # fmt: skip
                stream.wait()
                package.unlink()  # some hold gigabytes of device code
            done.touch()
        return root


def loader(root: Path) -> Path:
    """The dynamic loader of an unpacked suite."""
    paths = (root / "usr/lib64/ld-linux-x86-64.so.2", root / "usr/lib" / TRIPLET / "ld-linux-x86-64.so.2")
    return next(p for p in paths if p.exists())
