"""``make check-kernels``: AMD's run-time compiler takes every device kernel, for every architecture; without a GPU.

hipRTC of ROCm 6.4 and 7.2 comes as Debian packages into a cache directory . Each
kernel's text, as core would hand it over, is compiled with core's options. The code must take the argument block that
the host has, use no scratch memory and call nothing.

    python tools/check_kernels.py [--release 6.4] [--arch gfx942 ...]
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import debian

from scale_x.wrappers_gen.emit import kernels

ROOT = Path(__file__).resolve().parent.parent
ARCHITECTURES = ["gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1100", "gfx1201"]
#: release -> suites, number in the names of its packages
RELEASES = {"6.4": (["sid"], 6), "7.2": (["sid", "experimental"], 7)}

# Runs under the suite's own loader, so with the standard library only: COMPILER SOURCE OUTPUT OPTION...
COMPILE = r"""
import ctypes as C, sys
library, source, output, *options = sys.argv[1:]
rtc, program, size = C.CDLL(library), C.c_void_p(), C.c_size_t()
assert rtc.hiprtcCreateProgram(C.byref(program), open(source, "rb").read(), b"kernel", 0, None, None) == 0
result = rtc.hiprtcCompileProgram(program, len(options), (C.c_char_p * len(options))(*map(str.encode, options)))
if result:
    rtc.hiprtcGetProgramLogSize(program, C.byref(size))
    log = C.create_string_buffer(size.value + 1)
    rtc.hiprtcGetProgramLog(program, log)
    sys.exit(f"result {result}: {log.value.decode()}")
assert rtc.hiprtcGetCodeSize(program, C.byref(size)) == 0
code = C.create_string_buffer(size.value)
assert rtc.hiprtcGetCode(program, code) == 0
open(output, "wb").write(code.raw)
"""


def compiler(release: str) -> Path:
    """The directory of an unpacked suite with AMD's hipRTC."""
    suites, number = RELEASES[release]
    names = [f"libhiprtc{number}", f"libhiprtc-builtins{number}", "libamd-comgr3"]
    packages = debian.Packages(debian.CACHE / f"hiprtc-{release}", suites)
    return packages.unpack("hiprtc", names, "*.so*", needed=True)


def compile_kernel(root: Path, release: str, arch: str, name: str, into: Path) -> tuple[Path, str, float]:
    source, output = into / f"{name}.cpp", into / f"{name}-{release}-{arch}"
    path = [root / "usr" / "lib" / debian.TRIPLET, Path(sys.base_prefix) / "lib", f"/usr/lib/{debian.TRIPLET}"]
    library = f"libhiprtc.so.{RELEASES[release][1]}"
    command = [str(debian.loader(root)), "--library-path", ":".join(map(str, path)), os.path.realpath(sys.executable),
               "-S", "-c", COMPILE, library, str(source), str(output), *options(arch)]  # fmt: skip
    env = {k: v for k, v in os.environ.items() if not k.startswith(("LD_", "PYTHON"))}
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, env=env)
    error = (done.stderr or f"exit code {done.returncode}") if done.returncode else ""
    return output, error, time.monotonic() - start


def options(arch: str) -> list[str]:
    """As in ``core/src/launch_compile.cpp``."""
    text = (ROOT / "core" / "src" / "launch_compile.cpp").read_text()
    (line,) = re.findall(r"const char\* options\[\] = \{code->option.c_str\(\), (.*)\};", text)
    return [f"--offload-arch={arch}", *re.findall(r'"(.*?)"', line)]


# ---- what the code says of itself: the metadata note, MessagePack --------------------------------------------
def unpack(data: bytes, at: int) -> tuple[object, int]:
    kind, at = data[at], at + 1
    if kind < 0x80 or kind >= 0xE0:
        return kind if kind < 0x80 else kind - 256, at
    if kind in (0xC2, 0xC3):
        return kind == 0xC3, at
    if 0xCC <= kind <= 0xCF:
        width = 1 << (kind - 0xCC)
        return int.from_bytes(data[at : at + width], "big"), at + width
    if 0xA0 <= kind < 0xC0 or 0xD9 <= kind <= 0xDB:
        width = 0 if kind < 0xC0 else 1 << (kind - 0xD9)
        size = kind & 31 if not width else int.from_bytes(data[at : at + width], "big")
        return data[at + width : at + width + size].decode(), at + width + size
    width = 0 if kind < 0xA0 else 2 if kind in (0xDC, 0xDE) else 4
    size = kind & 15 if not width else int.from_bytes(data[at : at + width], "big")
    at, mapping = at + width, kind < 0x90 or kind in (0xDE, 0xDF)
    items = []
    for _ in range(size * (2 if mapping else 1)):
        item, at = unpack(data, at)
        items.append(item)
    return (dict(zip(items[::2], items[1::2], strict=True)) if mapping else items), at


def metadata(code: bytes) -> dict[str, object]:
    at = code.index(b"amdhsa.kernels")
    found, _ = unpack(code, at + len("amdhsa.kernels"))
    assert isinstance(found, list) and len(found) == 1 and isinstance(found[0], dict)
    return found[0]


def argument_sizes() -> dict[str, int]:
    """Of the structures in kernels.h, as a C++ compiler of this machine lays them out."""
    text = '#include "scalex/kernels.h"\n#include <stdio.h>\nint main() {\n'
    text += "".join(f'  printf("{n} %zu\\n", sizeof(sx_{n}_args));\n' for n in kernels.names()) + "}\n"
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "sizes"
        command = [os.environ.get("CXX", "c++"), "-x", "c++", "-", f"-I{kernels.ROOT / 'include'}", "-o", str(program)]
        subprocess.run(command, input=text, text=True, check=True)
        out = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    return {name: int(size) for name, size in (line.split() for line in out.splitlines())}


# ---- the check -----------------------------------------------------------------------------------------------
def problems(kernel: dict[str, object], size: int) -> list[str]:
    arguments = [a for a in kernel[".args"] if not str(a[".value_kind"]).startswith("hidden")]  # type: ignore[attr-defined]
    sizes = [(a[".offset"], a[".size"]) for a in arguments]
    found = [] if sizes == [(0, size), (size, 4)] else [f"arguments (offset, size) {sizes}, the host has {size} bytes"]
    if kernel[".max_flat_workgroup_size"] != 256:
        found.append("is not compiled for blocks of 256")
    return found + [
        f"{key} {kernel[key]}" for key in (".private_segment_fixed_size", ".vgpr_spill_count") if kernel[key]
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--release", choices=RELEASES, nargs="*", default=list(RELEASES), help="default: both")
    parser.add_argument("--arch", nargs="*", default=ARCHITECTURES, help=f"default: {' '.join(ARCHITECTURES)}")
    parser.add_argument("--kernel", choices=kernels.names(), nargs="*", default=kernels.names(), help="default: all")
    options, failed, sizes = parser.parse_args(), 0, argument_sizes()
    roots = {release: compiler(release) for release in options.release}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        for name in options.kernel:
            (Path(folder) / f"{name}.cpp").write_text(kernels.flat(kernels.ROOT / f"{name}.cpp"))
        jobs = {(release, name, arch): pool.submit(compile_kernel, root, release, arch, name, Path(folder))
                for release, root in roots.items() for name in options.kernel for arch in options.arch}  # fmt: skip
        for (release, name, arch), job in jobs.items():
            output, error, seconds = job.result()
            kernel = {} if error else metadata(output.read_bytes())
            wrong = [error] if error else problems(kernel, sizes[name])
            failed += bool(wrong)
            said = "; ".join(wrong) or f"{kernel['.vgpr_count']} vector registers, {output.stat().st_size} bytes"
            print(f"{release} {arch} sx_{name}: {said} ({seconds:.1f} s)", flush=True)
    print(f"{len(jobs)} kernels compiled, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
