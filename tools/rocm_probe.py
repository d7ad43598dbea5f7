"""Asks ROCm's C libraries what can be asked without a GPU, and prints the answers as one JSON object.

The libraries are AMD's (``--real``: sonames, found by the loader) or the embedded engine (``--engine``: its directory).
``tools/check_rocm.py`` runs it on both and compares. It needs the standard library only, because on AMD's libraries it
runs under another suite's loader.
"""

from __future__ import annotations

import argparse
import ctypes as C
import json
import os
import signal
from collections.abc import Callable, Iterator

Find = Callable[[str], "C._NamedFuncPointer | None"]
Question = tuple[str, Callable[[Find], object]]
ZEROS = (0,) * 28  # more than any function takes


class _Entry(C.Structure):
    _fields_ = [("name", C.c_char_p), ("fn", C.c_void_p)]


def real(paths: list[str]) -> Find:
    libraries = [C.CDLL(path, mode=C.RTLD_GLOBAL) for path in paths]
    return lambda name: next((getattr(lib, name) for lib in libraries if hasattr(lib, name)), None)


def engine(path: str, release: int, arch: str) -> Find:
    table = C.CDLL(path).sx_host_table
    table.restype, count = C.POINTER(_Entry), C.c_size_t()
    entries = table(release, arch.encode(), C.byref(count))
    found = {e.name.decode(): e.fn for e in entries[: count.value]}
    return lambda name: C.CFUNCTYPE(C.c_int)(found[name]) if name in found else None


def room(size: int = 64) -> C.Array[C.c_char]:
    return C.create_string_buffer(b"\0" * size, size)


# ---- questions ---------------------------------------------------------------------------------------------
def without_handle(names: list[str]) -> Iterator[Question]:
    """Every function that takes a rocBLAS handle first, called with nothing but zeros."""
    for name in names:
        yield f"{name}(NULL, ...)", lambda find, name=name: find(name)(*ZEROS)  # type: ignore[misc]


def text(find: Find, name: str, *arguments: int) -> str:
    function = find(name)
    address = C.CFUNCTYPE(C.c_char_p, *[C.c_int] * len(arguments))(C.cast(function, C.c_void_p).value)(*arguments)
    return (address or b"(null)").decode()


def texts() -> Iterator[Question]:
    for status in range(-1, 20):
        yield f"rocblas_status_to_string({status})", lambda f, s=status: text(f, "rocblas_status_to_string", s)
    for error in (*range(130), *range(200, 230), *range(300, 310), *range(400, 410), *range(500, 510), *range(600, 620),
                  *range(700, 725), *range(800, 805), *range(900, 920), 999, 1052, 1053, 5000):  # fmt: skip
        yield f"hipGetErrorName({error})", lambda f, e=error: text(f, "hipGetErrorName", e)
        yield f"hipGetErrorString({error})", lambda f, e=error: text(f, "hipGetErrorString", e)


def version(find: Find, name: str) -> str:
    """The status and the first two numbers of a version string; the third counts within a release."""
    out = room(256)
    status = find(name)(out, C.c_size_t(256))
    return f"{status} " + ".".join(out.value.decode().split(".")[:2])


def versions() -> Iterator[Question]:
    for library in ("rocblas", "rocsolver"):
        yield f"{library}_get_version_string", lambda f, n=library: version(f, f"{n}_get_version_string")
        yield f"{library}_get_version_string(NULL)", lambda f, n=library: f(f"{n}_get_version_string")(0, C.c_size_t(9))
        yield f"{library}_get_version_string(short)", (
            lambda f, n=library: f(f"{n}_get_version_string")(room(), C.c_size_t(2)))  # fmt: skip
        yield f"{library}_get_version_string_size(NULL)", lambda f, n=library: f(f"{n}_get_version_string_size")(0)


LT_ATTRIBUTES = (*range(-1, 40), *range(100, 108))


def attribute(kind: str, create: Callable[[Find, object], int], key: int, size: int) -> Question:
    """Setting and getting one attribute of a new descriptor: both statuses and what was read."""

    def ask(find: Find) -> object:
        made = C.c_void_p()
        if create(find, C.byref(made)):
            return "cannot be created"
        value, got, written = room(), room(), C.c_size_t(99)
        value[0] = 1
        first = find(f"hipblasLt{kind}GetAttribute")(made, key, got, C.c_size_t(size), C.byref(written))
        answer = [first, written.value if first == 0 else None, got.raw[:size].hex() if first == 0 else None,
                  find(f"hipblasLt{kind}SetAttribute")(made, key, value, C.c_size_t(size))]  # fmt: skip
        got = room()
        again = find(f"hipblasLt{kind}GetAttribute")(made, key, got, C.c_size_t(size), C.byref(written))
        answer += [again, got.raw[:size].hex() if again == 0 else None]
        find(f"hipblasLt{kind}Destroy")(made)
        return answer

    return f"hipblasLt{kind} attribute {key} of {size} bytes", ask


def lt() -> Iterator[Question]:
    makers: dict[str, Callable[[Find, object], int]] = {
        "MatmulDesc": lambda f, d: f("hipblasLtMatmulDescCreate")(d, 2, 0),
        "MatrixLayout": lambda f, d: f("hipblasLtMatrixLayoutCreate")(d, 0, C.c_uint64(8), C.c_uint64(8), C.c_int64(8)),
        "MatmulPreference": lambda f, d: f("hipblasLtMatmulPreferenceCreate")(d),
        "MatrixTransformDesc": lambda f, d: f("hipblasLtMatrixTransformDescCreate")(d, 0),
    }
    for kind, create in makers.items():
        for key in LT_ATTRIBUTES if kind == "MatmulDesc" else range(-1, 12):
            for size in (0, 1, 4, 8):
                yield attribute(kind, create, key, size)
        for verb in ("SetAttribute", "GetAttribute"):
            name = f"hipblasLt{kind}{verb}"
            yield f"{name}(NULL)", lambda f, n=name: f(n)(0, 0, room(), C.c_size_t(4), 0)
        yield f"hipblasLt{kind}Create(NULL)", lambda f, c=create: c(f, None)
        yield f"hipblasLt{kind}Destroy(NULL)", lambda f, n=f"hipblasLt{kind}Destroy": f(n)(0)
    for compute in (*range(-1, 14), *range(99, 109)):
        for scale in (0, 1, 2, 3, 4, 5, 10, 14, 28, 255):
            yield f"hipblasLtMatmulDescCreate({compute}, {scale})", (
                lambda f, c=compute, s=scale: f("hipblasLtMatmulDescCreate")(C.byref(C.c_void_p()), c, s))  # fmt: skip
    for rows, cols, ld in ((0, 0, 0), (4, 4, 1), (4, 4, -4), (2**40, 1, 2**40)):
        yield f"hipblasLtMatrixLayoutCreate({rows}, {cols}, {ld})", (
            lambda f, r=rows, c=cols, d=ld: f("hipblasLtMatrixLayoutCreate")(
                C.byref(C.c_void_p()), 0, C.c_uint64(r), C.c_uint64(c), C.c_int64(d)))  # fmt: skip
    for name in ("hipblasLtGetVersion", "hipblasLtGetGitRevision", "hipblasLtDestroy", "hipblasLtMatmul",
                 "hipblasLtMatmulAlgoGetHeuristic", "hipblasLtMatrixTransform"):  # fmt: skip
        yield f"{name}(NULL, ...)", lambda f, n=name: f(n)(*ZEROS)


def fft() -> Iterator[Question]:
    plan = C.c_void_p
    for n, kind, batch in ((8, 41, 1), (-1, 41, 1), (0, 41, 1), (8, 41, -1), (8, 41, 0), (8, 99, 1)):
        yield f"hipfftPlan1d({n}, {kind}, {batch})", (
            lambda f, a=(n, kind, batch): f("hipfftPlan1d")(C.byref(plan()), *a))  # fmt: skip
    for sizes in ((-1, 8), (8, -1), (0, 8), (8, 0)):
        yield f"hipfftPlan2d{sizes}", lambda f, a=sizes: f("hipfftPlan2d")(C.byref(plan()), *a, 41)
    yield "hipfftDestroy(NULL)", lambda f: f("hipfftDestroy")(0)
    for prop in range(-1, 4):
        yield f"hipfftGetProperty({prop})", lambda f, p=prop: f("hipfftGetProperty")(p, C.byref(C.c_int()))
    yield "hipfftCreate(NULL)", lambda f: f("hipfftCreate")(0)


def questions(names: list[str]) -> list[Question]:
    return [*without_handle(names), *texts(), *versions(), *lt(), *fft()]


# ---- asking, each in a process that may die ----------------------------------------------------------------
def ask(find: Find, asked: list[Question]) -> dict[str, object]:
    answers: dict[str, object] = {}
    at = 0
    while at < len(asked):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            for name, question in asked[at:]:
                signal.alarm(3)  # some loop for ever
                try:
                    answer = question(find)
                except TypeError:  # a function that this library lacks
                    answer = "absent"
                os.write(writer, (json.dumps([name, answer]) + "\n").encode())
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as lines:
            for line in lines:
                name, answer = json.loads(line)
                answers[name] = answer
                at += 1
        _, status = os.waitpid(child, 0)
        if at < len(asked):
            died = os.WTERMSIG(status)
            answers[asked[at][0]] = f"signal {died}" if died else f"exit {os.waitstatus_to_exitcode(status)}"
            at += 1
    return answers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", nargs="+", metavar="SONAME")
    parser.add_argument("--engine", metavar="LIBRARY")
    parser.add_argument("--release", type=int, default=702)
    parser.add_argument("--arch", default="gfx942")
    parser.add_argument("--names", required=True, help="a file: functions that take a rocBLAS handle, one a line")
    parser.add_argument("--symbols", help="a file: functions of which the absent ones are printed instead")
    options = parser.parse_args()
    find = real(options.real) if options.real else engine(options.engine, options.release, options.arch)
    if options.symbols:
        with open(options.symbols) as f:
            print(json.dumps([name for name in f.read().split() if find(name) is None]))
        return
    with open(options.names) as f:
        names = f.read().split()
    print(json.dumps(ask(find, questions(names))))


if __name__ == "__main__":
    main()
