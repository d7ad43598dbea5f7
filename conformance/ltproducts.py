"""Cases of cublasLtMatmul, its heuristic and its algorithms: types x epilogues, shapes, orders, batches, bad arguments.

What is accepted and what is refused, and with which status, was measured on an H200 (cuBLASLt 13.1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from scale_x.conformance import ltalgos, ltrandom, ltscales, lttable, ltusers
from scale_x.conformance import ltmatmul as lt
from scale_x.conformance.fftcases import Device
from scale_x.conformance.ltmatmul import Problem, Product
from scale_x.conformance.ltrun import WORKSPACE, Made, Run, only_exact, product

if TYPE_CHECKING:
    from scale_x.conformance.scripts import Script, Session

Entry = tuple[str, "Callable[[Session], None]", bool]
ALL = tuple(lt.EPILOGUES)
FORWARD = (1, 2, 4, 6, 32, 36, 130, 134, 160, 164)
#: which epilogues each kind has, transposed as the second and third say
TABLE: tuple[tuple[str, str, str, tuple[int, ...]], ...] = (
    *((kind, "N", "T", ALL) for kind in ("f32", "tf32", "f16", "f16-16f", "bf16", "f16-f32", "bf16-f32", "f64")),
    *((kind, "T", "N", tuple(e for e in ALL if e < 256)) for kind in ("f32", "f16", "bf16", "f64", "i8-i8", "i8-f32")),
    ("c32", "N", "C", (1,)), ("c64", "C", "N", (1,)), ("c32", "T", "T", (1,)), ("c64", "N", "N", (1,)),
    ("i8-i32", "T", "N", (1,)), ("i8-i32", "N", "N", (1,)), ("i8-i8", "N", "N", (1,)),
    *((kind, "T", "N", tuple(e for e in ALL if e < 256)) for kind in ("e4m3-bf16", "e4m3-f16", "e4m3-e5m2-bf16")),
    ("e4m3-f32", "T", "N", tuple(e for e in ALL if e < 256 and e not in (152, 164, 208))),
    ("e4m3-e4m3", "T", "N", FORWARD), ("e5m2-e4m3-e5m2", "T", "N", (1, 4)),
)  # fmt: skip
#: sizes that NVIDIA's 8-bit kernels take, and ragged ones for the others
EIGHT_BIT = ("i8-i32", "i8-i8", "e4m3-bf16", "e4m3-f16", "e4m3-f32", "e4m3-e4m3", "e4m3-e5m2-bf16", "e5m2-e4m3-e5m2")
FLOATS = ("f32", "f16", "bf16", "f64", "f16-f32")


def table() -> Iterator[tuple[Product, bool]]:
    for kind, ta, tb, epilogues in TABLE:
        eight = kind in EIGHT_BIT
        for e in epilogues:
            m, n, k = (32, 16, 48) if eight else (33, 17, 29)
            alpha = 1 / 16 if kind == "i8-i8" else 1.0  # NVIDIA's epilogues begin with saturated numbers
            yield Product(kind, m, n, k, ta, tb, e, alpha, 0.0 if e in (136, 192) else 2.0), False


def variations() -> Iterator[tuple[Product, bool]]:
    """The second says that only scale-x computes it: NVIDIA's chip has no kernel for the shape."""
    for kind in FLOATS:
        base = Product(kind, m=9, n=7, k=11, pad=3)
        yield base, False
        yield replace(base, alpha=-1.5, beta=0.5), False
        yield replace(base, beta=1.0, in_place=True), False
        yield replace(base, no_c=True), False
        yield replace(base, mode=1, alpha=0.5, beta=2.0), False
        yield replace(base, algo=False, alpha=0.25), False
        for rows in ("A", "B", "D", "AB", "AD", "BD", "ABD"):
            yield replace(base, rows=rows, beta=2.0), False
        yield replace(base, rows="D", epilogue=2), False
        yield replace(base, batch=3, beta=2.0), False
        yield replace(base, batch=3, shared="A", transb="T"), False
        yield replace(base, batch=3, shared="BC", transa="T", beta=1.0), False
        yield replace(base, batch=2, epilogue=4), False
        yield replace(base, batch=2, epilogue=6, bias_stride=True), False
        yield replace(base, batch=2, epilogue=134), False
        yield replace(base, batch=2, epilogue=164, bias_stride=True), False
        yield replace(base, batch=2, arrays=True, beta=0.5), False
        for m, n, k in ((1, 1, 1), (1, 2, 1), (2, 1, 3), (1, 33, 8), (33, 1, 8), (5, 5, 0), (64, 3, 100)):
            yield replace(base, m=m, n=n, k=k, beta=1.0), False
        for e in (1, 2, 6, 32, 130, 134, 160):
            yield replace(base, m=16, n=4, k=8, pad=0, epilogue=e, beta=1.0, special=True), False
    for kind in ("c32", "c64"):
        for rows in ("", "A", "D", "BD"):
            yield Product(kind, m=6, n=5, k=7, transa="T", rows=rows, alpha=1 + 2j, beta=0.5 - 1j), False
        yield Product(kind, m=6, n=5, k=7, transb="C", batch=2, mode=1, alpha=2j, beta=1.0), False
    tn: dict[str, Any] = {"transa": "T", "transb": "N"}
    for kind in ("i8-i8", "i8-f32"):
        yield Product(kind, m=32, n=9, k=16, alpha=0.125, beta=0.5, **tn), False
    yield Product("i8-i8", m=32, n=9, k=16, alpha=0.125, mode=4, **tn), False
    yield Product("i8-i32", m=32, n=9, k=16, alpha=-2.0, beta=3.0, **tn), False
    yield Product("i8-i32", m=7, n=5, k=9, **tn), True
    yield Product("i8-i8", m=7, n=5, k=9, epilogue=6, **tn), True
    scales = {"a_scale": 2.0, "b_scale": 0.5}
    yield Product("e4m3-bf16", m=32, n=16, k=64, scales=scales, **tn), False
    yield Product("e4m3-e4m3", m=32, n=16, k=64, scales=scales | {"d_scale": 4.0, "amax_d": 0.0}, **tn), False
    yield Product("e4m3-f32", m=32, n=16, k=64, batch=2, alpha=3.0, beta=1.0, **tn), False
    yield Product("e4m3-bf16", m=7, n=5, k=9), True


# --- refusals -------------------------------------------------------------------------------------------------------


def refused(p: Product, status: str, heuristic: str, spoil: Callable[[Run], None], since: int) -> Script:
    """What the product and the heuristic answer; D stays. An accepted heuristic finds something."""

    def script(x: Session) -> None:
        if x.cuda < since:
            return  # without the attribute
        with Made(x) as made, Device(x) as device:
            run = Run(x, made, device, Problem.of(p))
            spoil(run)
            said, count, _ = run.heuristic()
            assert said == heuristic, f"the heuristic answers {said}, expected {heuristic}"
            assert said != "SUCCESS" or count >= 1, f"the heuristic answers SUCCESS and {count} results"
            said = run.call()
            assert said == status, f"cublasLtMatmul answers {said}, expected {status}"
            after = device.get(run.d, run.sd.memory)
            assert after.tobytes() == run.sd.memory.tobytes(), "D changed"

    return script


def attribute(name: str, value: int) -> Callable[[Run], None]:
    nbytes = 8 if name in lt.WIDE else 4
    return lambda run: run.made.set("MatmulDesc", run.desc, lt.ATTRIBUTES[name], value, nbytes)


def raw(number: int, value: int, nbytes: int = 4) -> Callable[[Run], None]:
    return lambda run: run.made.set("MatmulDesc", run.desc, number, value, nbytes)


def layout(which: str, number: int, value: int, nbytes: int = 8) -> Callable[[Run], None]:
    return lambda run: run.made.set("MatrixLayout", run.layouts["ABCD".index(which)], number, value, nbytes)


def other_type(which: str, type_: int) -> Callable[[Run], None]:
    return lambda run: run.made.set("MatrixLayout", run.layouts["ABCD".index(which)], 0, type_, 4)


def every(*spoils: Callable[[Run], None]) -> Callable[[Run], None]:
    def spoil(run: Run) -> None:
        for one in spoils:
            one(run)

    return spoil


def no_descriptor(which: str) -> Callable[[Run], None]:
    def spoil(run: Run) -> None:
        run.layouts["ABCD".index(which)] = 0

    return spoil


BAD, NO, OK = "INVALID_VALUE", "NOT_SUPPORTED", "SUCCESS"
P = Product("f32", m=16, n=16, k=16)
ROWS, COLS, LD, BATCH, ORDER = 2, 3, 4, 5, 1
#: attributes that came with later CUDA releases
SINCE = {"batch-mode": 12, "factor-stride": 13, "scale-of-d": 12, "scale-modes": 12, "block-scales": 12}
#: name, product, status, the heuristic's status, what is wrong
REFUSALS: tuple[tuple[str, Product, str, str, Callable[[Run], None]], ...] = (
    ("A-descriptor", P, BAD, BAD, no_descriptor("A")),
    ("D-descriptor", P, BAD, BAD, no_descriptor("D")),
    ("ld-A-small", P, BAD, BAD, layout("A", LD, 15)),
    ("ld-A-zero", P, BAD, BAD, layout("A", LD, 0)),
    ("ld-A-negative", P, BAD, BAD, layout("A", LD, -16)),
    ("ld-D-zero", P, BAD, BAD, layout("D", LD, 0)),
    ("rows-A", P, BAD, BAD, layout("A", ROWS, 15)),
    ("cols-A", P, BAD, BAD, layout("A", COLS, 15)),
    ("rows-D", P, BAD, BAD, layout("D", ROWS, 15)),
    ("rows-C", P, BAD, BAD, layout("C", ROWS, 8)),
    ("batch-A", P, BAD, BAD, layout("A", BATCH, 2, 4)),
    ("batch-of-none", replace(P, batch=2), "EXECUTION_FAILED", OK,
     every(*(layout(w, BATCH, 0, 4) for w in "ABCD"))),
    ("type-C", P, BAD, BAD, other_type("C", 2)),
    ("type-B", P, BAD, BAD, other_type("B", 2)),
    ("order-D", P, BAD, BAD, layout("D", ORDER, 1, 4)),
    ("transc", P, NO, NO, raw(5, 1)),
    ("fill-lower", P, NO, NO, raw(6, 0)),
    ("fill-upper", P, NO, NO, raw(6, 1)),
    ("compute-16f", P, NO, NO, every(raw(0, 64), raw(1, 2))),
    ("scale-type", P, BAD, BAD, raw(1, 4)),
    ("a-scale", P, BAD, BAD, attribute("a_scale", 256)),
    ("d-scale", P, BAD, BAD, attribute("d_scale", 256)),
    ("pointer-mode-2", P, NO, NO, attribute("pointer_mode", 2)),
    ("pointer-mode-3", P, NO, NO, attribute("pointer_mode", 3)),
    ("bias-unset", replace(P, epilogue=4), BAD, OK, attribute("bias", 0)),
    ("bias-unwanted", P, BAD, OK, attribute("bias", 256)),
    ("bias-type", replace(P, epilogue=4), BAD, BAD, raw(26, 2)),
    ("bgrada-unset", replace(P, epilogue=256), BAD, OK, attribute("bias", 0)),
    ("mask-unset", replace(P, epilogue=130), NO, OK, attribute("aux", 0)),
    ("mask-ld-small", replace(P, epilogue=130), BAD, BAD, attribute("aux_ld", 0)),
    ("mask-ld-odd", replace(P, epilogue=130), BAD, BAD, attribute("aux_ld", 136)),
    ("gelu-ld-small", replace(P, epilogue=160), BAD, BAD, attribute("aux_ld", 15)),
    ("aux-unwanted", replace(P, epilogue=2), NO, OK, attribute("aux", 256)),
    ("bgradb-plain", P, NO, NO, attribute("epilogue", 512)),
    ("bgrada-transposed", replace(P, transa="T"), NO, NO, attribute("epilogue", 256)),
    ("two-activations", P, BAD, BAD, attribute("epilogue", 34)),
    ("two-gradients", P, NO, NO, attribute("epilogue", 257)),
    ("row-bias", replace(P, rows="D"), NO, NO, attribute("epilogue", 4)),
    ("complex-relu", Product("c32"), NO, NO, attribute("epilogue", 2)),
    ("int32-relu", Product("i8-i32", transa="T"), NO, NO, attribute("epilogue", 2)),
    ("e5m2-e5m2", Product("e4m3-bf16", transa="T"), NO, NO, every(other_type("A", 29), other_type("B", 29))),
    ("scale-modes", Product("e4m3-bf16", transa="T", m=128, n=128, k=128), BAD, BAD, attribute("b_mode", 3)),
    ("no-rows", replace(P, m=0), "EXECUTION_FAILED", OK, lambda run: None),
    ("no-columns", replace(P, n=0, batch=2), "EXECUTION_FAILED", OK, lambda run: None),
    ("batch-mode", replace(P, batch=2), BAD, BAD, every(*(layout(w, 8, 7, 4) for w in "ABCD"))),
    ("factor-stride", replace(P, mode=1), NO, NO, raw(39, 1, 8)),
    ("scale-of-d", Product("e4m3-e4m3", transa="T"), BAD, BAD, raw(34, 2)),
    ("block-scales", Product("e4m3-bf16", transa="T", m=128, n=128, k=128), BAD, BAD,
     every(attribute("a_mode", 5), attribute("b_mode", 5))),
)  # fmt: skip


def bad_pointers(x: Session) -> None:
    """A, B, D, C beside a beta, the workspace: refused before anything is computed."""
    with Made(x) as made, Device(x) as device:
        run = Run(x, made, device, Problem.of(P))
        h, (a, b, c, d) = made.handle, run.layouts
        area = device.put(np.zeros(WORKSPACE, np.uint8))
        one, zero = run.scalar(1.0), run.scalar(0.0)

        def call(status: str, A: int = run.a, B: int = run.b, C: int = run.c, D: int = run.d, beta: int = zero,
                 handle: int = h, workspace: int = area, size: int = WORKSPACE, algo: int = 0) -> None:  # fmt: skip
            said = x.call(
                "cublasLtMatmul", handle, run.desc, one, A, a, B, b, beta, C, c, D, d, algo, workspace, size, 0
            )
            assert said == status, f"{said}, expected {status}"

        for name in "ABD":
            call(BAD, **{name: 0})
        call(BAD, C=0, beta=one)
        call(OK, C=0)
        call(BAD, workspace=0)
        call(OK, workspace=0, size=0)
        call(OK, size=0)
        call(BAD, workspace=area + 16, size=64)
        call("NOT_INITIALIZED", handle=0)
        call("NOT_INITIALIZED", handle=run.desc)
        call(NO, algo=x.room(64, 0))
        call(OK, algo=x.room(64, 0xFF))
        blas = x.got("cublasCreate_v2", bits=64)
        call(OK, handle=blas)
        x.ok("cublasDestroy_v2", blas)


def broadcast(x: Session) -> None:
    """A leading dimension 0 of C: one column for all."""
    with Made(x) as made, Device(x) as device:
        problem = Problem.of(replace(P, beta=2.0, m=16, n=5))
        problem.c[:] = problem.c[:, :, :1]
        run = Run(x, made, device, problem)
        made.set("MatrixLayout", run.layouts[2], LD, 0, 8)
        assert run.call() == OK
        run.check()


def conjugate(x: Session) -> None:
    """CUBLAS_OP_CONJG is N for real matrices and refused for complex ones."""
    with Made(x) as made, Device(x) as device:
        run = Run(x, made, device, Problem.of(P))
        made.set("MatmulDesc", run.desc, lt.ATTRIBUTES["transa"], 3, 4)
        assert run.call() == OK
        run.check()
        run = Run(x, made, device, Problem.of(Product("c32")))
        made.set("MatmulDesc", run.desc, lt.ATTRIBUTES["transa"], 3, 4)
        assert run.call() == NO


def entries(products: Iterator[tuple[Product, bool]]) -> Iterator[Entry]:
    for p, chip in products:
        yield f"{p.name}{'-shape' if chip else ''}", only_exact(p) if chip else product(p), False


SCRIPTS: dict[str, tuple[Entry, ...]] = {
    "cublasLtMatmul": (
        *entries(table()), *entries(variations()),
        *((f"random-{i}-{p.name}", product(p), False) for i, p in enumerate(ltrandom.products())),
        *((f"refused-{name}", refused(p, status, said, spoil, SINCE.get(name, 11)), False)
          for name, p, status, said, spoil in REFUSALS),
        ("pointers", bad_pointers, True), ("broadcast", broadcast, False), ("conjugate", conjugate, False),
        *ltscales.MATMUL, *lttable.cases(), *ltusers.cases(REFUSALS, SINCE),
    ),
    **ltalgos.SCRIPTS,
}  # fmt: skip
