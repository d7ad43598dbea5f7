"""The ``scale-x`` command."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from . import __version__
from .errors import CUDAXError, LibraryNotFoundError, MissingSymbolError


def _prefix(options: argparse.Namespace) -> int:
    from .prefix import make

    print(make(options.cuda, options.out))
    return 0


def _answers(cuda: int) -> dict[str, str]:
    """What the libraries themselves say: versions, and the device that answers."""
    import ctypes

    from . import bindings
    from .bindings import cublas, cudart

    bindings.load(None, cuda)
    said: dict[str, str] = {}
    count = cudart.get_device_count()
    said["devices"] = str(count)
    if count:
        properties = ctypes.create_string_buffer(4096)
        cudart.get_device_properties(properties, 0)
        said["device 0"] = properties.value.decode(errors="replace")  # the name is the struct's first member
    said["runtime"] = str(cudart.runtime_get_version())
    handle = cublas.create()
    said["cublas"] = str(cublas.get_version(handle))
    cublas.destroy(handle)
    return said


def collect(cuda: int) -> dict[str, str]:
    """Everything ``scale-x info`` prints."""
    from .bindings import _locate

    provider = os.environ.get("SCALE_X_PROVIDER") or "unset: ROCm when a device answers, else the CPU engine"
    found = {"scale-x": __version__, "package": str(Path(__file__).parent), "python": sys.version.split()[0],
             "SCALE_X_PROVIDER": provider}
    own = _locate.own_directories()
    found["libraries"] = str(own[0]) if own else "not built or not installed"
    try:
        found |= _answers(cuda)
    except (CUDAXError, LibraryNotFoundError, MissingSymbolError, ImportError) as e:
        found["no answer"] = str(e)
    for name, what in (("libscalex_core.so", "core"), ("libscalex_host.so", "CPU engine"), ("librocblas.so", "rocBLAS"),
                       ("libamdhip64.so", "HIP"), ("libscipy_openblas64_.so", "OpenBLAS")):
        if path := _locate.mapped(name):
            found[what] = path
    nvidia = _locate.nvidia_directories(cuda)
    found["NVIDIA's libraries"] = ", ".join(map(str, nvidia)) or "none found"
    return found


def _info(options: argparse.Namespace) -> int:
    found = collect(options.cuda)
    if options.json:
        print(json.dumps(found, indent=2))
    else:
        width = max(map(len, found))
        print("\n".join(f"{key:{width}}  {value}" for key, value in found.items()))
    return 1 if "no answer" in found else 0


def _explain(options: argparse.Namespace) -> int:
    from scale_x.wrappers_gen.cli import main as generator

    return generator(["explain", options.symbol])


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(prog="scale-x", description="The open CUDA-X compatibility layer.")
    p.add_argument("--version", action="version", version=f"scale-x {__version__}")
    commands = p.add_subparsers(dest="command", required=True)

    c = commands.add_parser("prefix", help="make a toolkit-like directory (include/, lib64/) and print its path")
    c.add_argument("--cuda", type=int, choices=(11, 12, 13), default=13, help="CUDA release to look like")
    c.add_argument("--out", type=Path, help="make it here instead of in the user's cache")
    c.set_defaults(run=_prefix)

    c = commands.add_parser("info", help="provider, versions, and where everything is")
    c.add_argument("--cuda", type=int, choices=(11, 12, 13), default=13)
    c.add_argument("--json", action="store_true")
    c.set_defaults(run=_info)

    c = commands.add_parser("explain", help="the whole chain behind one exported symbol")
    c.add_argument("symbol", help="NVIDIA's name, such as cublasSgemm_v2")
    c.set_defaults(run=_explain)
    return p


def main(argv: list[str] | None = None) -> int:
    options = parser().parse_args(argv)
    try:
        return int(options.run(options))
    except LibraryNotFoundError as e:
        print(f"scale-x: {e}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
