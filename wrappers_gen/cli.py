"""The generator's commands."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path


def emitters() -> dict[str, Callable[..., dict[str, str]]]:
    """Every emitter by name. Those of other owners are taken when they are there."""
    import importlib

    found = {}
    for name in (
        "rocm",
        "registry",
        "kernels",
        "maps",
        "abi",
        "translate",
        "stubs",
        "cpp",
        "headers",
        "bindings",
        "forwarders",
        "coverage",
        "differences",
        "manifest",
    ):
        if (Path(__file__).parent / "emit" / f"{name}.py").is_file():
            found[name] = importlib.import_module(f"{__package__}.emit.{name}").emit
    return found


def write_tree(out: Path, files: dict[str, str]) -> tuple[int, int]:
    """Make ``out`` hold exactly ``files``; unchanged ones keep their dates. Returns (written, removed)."""
    out.mkdir(parents=True, exist_ok=True)
    written = removed = 0
    for name, text in sorted(files.items()):
        path = out / name
        data = text.encode("utf-8")
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            written += 1
    # Only what an earlier emit wrote is stale: the build puts its own files beside (objects, the Python module).
    record = out / ".emitted"
    before = record.read_text(encoding="utf-8").split("\n") if record.is_file() else []
    for name in before:
        path = out / name
        if name and name not in files and path.is_file():
            path.unlink()
            removed += 1
    listing = "\n".join(sorted(files)) + "\n"
    if not record.is_file() or record.read_text(encoding="utf-8") != listing:
        record.write_text(listing, encoding="utf-8")
    return written, removed


def emit_all(model: object) -> dict[str, str]:
    files: dict[str, str] = {}
    for name, emitter in emitters().items():
        made = emitter(model, files) if name == "manifest" else emitter(model)
        files.update(made)
    return files


def _emit(args: argparse.Namespace) -> int:
    from .model import Model, ModelError

    try:
        files = emit_all(Model.load())
    except ModelError as e:
        print(e, file=sys.stderr)
        return 1
    written, removed = write_tree(Path(args.out), files)
    if args.verbose:
        print(f"{len(files)} files, {written} written, {removed} removed")
    return 0


def _check(_: argparse.Namespace) -> int:
    from .check import check
    from .model import Model, ModelError

    try:
        found = check(Model.load())
    except ModelError as e:
        found = [str(e)]
    for line in found:
        print(line)
    return 1 if found else 0


def _explain(args: argparse.Namespace) -> int:
    from .explain import explain
    from .model import Model

    model = Model.load()
    try:
        print(explain(model, args.symbol))
    except StopIteration:
        import difflib

        near = difflib.get_close_matches(args.symbol, model.symbols, n=3)
        hint = f"; did you mean {', '.join(near)}?" if near else ""
        print(f"no library exports {args.symbol}{hint}", file=sys.stderr)
        return 1
    return 0


def _list(args: argparse.Namespace) -> int:
    from .model import Model

    for s in Model.load().symbols.values():
        if (not args.library or s.library == args.library) and (not args.kind or s.kind == args.kind):
            print(f"{s.name:42} {s.library:10} {s.kind:9} {s.where}")
    return 0


def _parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(prog="wrappers_gen", description="Facts and rows in, wrappers out.")
    sub = p.add_subparsers(dest="command", required=True, metavar="COMMAND")
    sub.add_parser("extract", help="read the facts of NVIDIA's headers and libraries into */spec", add_help=False)
    sub.add_parser("extract-rocm", help="read the facts of AMD's headers into rocm/spec", add_help=False)
    e = sub.add_parser("emit", help="write everything that is generated")
    e.add_argument("--out", default="build/gen")
    e.add_argument("-v", "--verbose", action="store_true")
    e.set_defaults(run=_emit)
    sub.add_parser("check", help="refuse rows that cannot be true").set_defaults(run=_check)
    x = sub.add_parser("explain", help="the whole chain behind one exported symbol")
    x.add_argument("symbol")
    x.set_defaults(run=_explain)
    y = sub.add_parser("list", help="every exported symbol with its kind and page")
    y.add_argument("--library", default="")
    y.add_argument("--kind", default="")
    y.set_defaults(run=_list)
    return p


def main(argv: list[str]) -> int:
    if argv and argv[0] == "extract":
        from .extract import main as extract

        return extract(argv[1:])
    if argv and argv[0] == "extract-rocm":
        from .extract import main_rocm

        return main_rocm(argv[1:])
    args = _parser().parse_args(argv)
    return args.run(args)
