"""cublasLtMatmul as users' reports and users' logs see it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from scale_x.conformance.fftcases import Device
from scale_x.conformance.ltmatmul import Problem, Product
from scale_x.conformance.ltrun import Made, Run, only_exact, product

if TYPE_CHECKING:
    from scale_x.conformance.scripts import Script, Session

Entry = tuple[str, "Callable[[Session], None]", bool]


def ones(epilogue: int, beta: float, want: float) -> Script:
    """openxla/xla#46110: bias is added after alpha and beta, and not scaled; the activation comes last."""

    def script(x: Session) -> None:
        p = Product("f32", m=1, n=1, k=64, epilogue=epilogue, alpha=1 / 64, beta=beta)
        problem = Problem.of(p)
        assert problem.bias is not None
        problem.a[:], problem.b[:], problem.c[:], problem.bias[:] = 1, 1, 10, 3
        with Made(x) as made, Device(x) as device:
            run = Run(x, made, device, problem)
            assert run.call() == "SUCCESS"
            x.within(abs(float(run.outputs()["D"][0, 0, 0]) - want), 2e-5, "error of D")

    return script


def written(p: Product, low: int = -3, high: int = 4) -> Script:
    """Small integers: the product is exact in every element, to the last row and column."""

    def script(x: Session) -> None:
        problem, rng = Problem.of(p), np.random.default_rng(p.m)
        for matrix in (problem.a, problem.b, problem.c):
            matrix[:] = rng.integers(low, high, matrix.shape)
        with Made(x) as made, Device(x) as device:
            run = Run(x, made, device, problem)
            status, _, results = run.heuristic()
            assert status == "SUCCESS" and run.call(results) == "SUCCESS"
            run.check()

    return script


E4M3 = Product("e4m3-bf16", m=64, n=64, k=64, transa="T")
USERS: tuple[tuple[str, Script], ...] = (
    ("bias-alone", ones(4, 0.0, 4.0)), ("bias-beside-c", ones(4, 1.0, 14.0)), ("bias-relu", ones(6, 1.0, 14.0)),
    ("bias-gelu", ones(36, 0.0, 3.9999297)),
    # pytorch/pytorch#31421: no terms in the sum is C := beta C
    *((f"no-terms-{beta:g}", product(Product("f32", m=2, n=3, k=0, beta=beta))) for beta in (0.0, 2.0)),
    *((f"no-terms-batch-{beta:g}", product(Product("f32", m=2, n=3, k=0, batch=3, beta=beta))) for beta in (0.0, 2.0)),
    # NVIDIA/CUDALibrarySamples#242 and #172
    ("fp8-untransposed", only_exact(replace(E4M3, transa="N", transb="T"))),
    ("fp8-odd-rows", only_exact(replace(E4M3, m=63))),
    # pytorch/pytorch#106840
    ("i8-odd-columns", only_exact(Product("i8-i32", m=16, n=17, k=16))),
    # ROCm/rocm-libraries#12226 and #9055
    ("both-factors", written(Product("tf32", m=128, n=128, k=64, transb="T", alpha=1.2, beta=1.0))),
    ("last-tile", written(Product("bf16", m=546, n=130, k=40, transa="T"))),
)  # fmt: skip


# --- what the log says ----------------------------------------------------------------------------------------------

#: what the sentence about a refusal must name; by the refusal's name
FIELDS = {
    "A-descriptor": "A (nil)", "D-descriptor": "D (nil)", "ld-A-small": "leading dimension of A",
    "ld-A-zero": "leading dimension of A", "ld-A-negative": "leading dimension of A",
    "ld-D-zero": "leading dimension of D", "rows-A": "of D", "cols-A": "inner dimension of A",
    "rows-D": "rows or columns of D", "rows-C": "rows or columns of C", "batch-A": "BATCH_COUNT of A (2)",
    "type-C": "C (2)", "type-B": "B (2)", "order-D": "ORDER of C", "transc": "TRANSC", "fill-lower": "FILL_MODE",
    "fill-upper": "FILL_MODE", "compute-16f": "COMPUTE_TYPE 64", "scale-type": "SCALE_TYPE 4",
    "a-scale": "A_SCALE_POINTER", "d-scale": "D_SCALE_POINTER", "pointer-mode-2": "POINTER_MODE 2",
    "pointer-mode-3": "POINTER_MODE 3", "bias-unset": "BIAS_POINTER is not set", "bias-unwanted": "BIAS_POINTER is set",
    "bias-type": "BIAS_DATA_TYPE is 2", "bgrada-unset": "BIAS_POINTER is not set",
    "mask-unset": "EPILOGUE_AUX_POINTER is not set", "mask-ld-small": "EPILOGUE_AUX_LD",
    "mask-ld-odd": "EPILOGUE_AUX_LD", "gelu-ld-small": "EPILOGUE_AUX_LD (15)",
    "aux-unwanted": "EPILOGUE_AUX_POINTER is set", "bgradb-plain": "BGRADB", "bgrada-transposed": "BGRADA",
    "two-activations": "EPILOGUE 34", "two-gradients": "EPILOGUE 257", "row-bias": "row-major D",
    "complex-relu": "EPILOGUE 2", "int32-relu": "EPILOGUE 2", "e5m2-e5m2": "A (29), B (29)",
    "scale-modes": "B_SCALE_POINTER",
    "block-scales": "A_SCALE_MODE 5", "batch-of-none": "nothing to compute",

    "no-rows": "nothing to compute", "no-columns": "nothing to compute",
    "scale-of-d": "D_SCALE_MODE", "batch-mode": "BATCH_MODE 7", "factor-stride": "ALPHA_BATCH_STRIDE",
}  # fmt: skip
OWN = ("batch-mode", "factor-stride")  # NVIDIA's takes the one and does not know the other
Refusal = tuple[str, Product, str, str, "Callable[[Run], None]"]
Callback: Any = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)


def log(refusals: tuple[Refusal, ...], since: dict[str, int]) -> Script:
    """A refused call leaves one message of level 1, which names the field that is wrong."""

    def script(x: Session) -> None:
        said: list[tuple[int, str, str]] = []
        callback = Callback(lambda level, function, text: said.append((level, function.decode(), text.decode())))
        x.ok("cublasLtLoggerSetCallback", ctypes.cast(callback, ctypes.c_void_p).value or 0)
        x.ok("cublasLtLoggerSetLevel", 1)
        try:
            for name, p, _, _, spoil in refusals:
                if x.cuda < since.get(name, 11) or (name in OWN and not x.own):
                    continue
                with Made(x) as made, Device(x) as device:
                    run = Run(x, made, device, Problem.of(p))
                    spoil(run)
                    said.clear()
                    status = run.call()
                assert status != "SUCCESS" and (said or not x.own), name
                if x.own:  # NVIDIA's library has other words
                    assert [s[:2] for s in said] == [(1, "cublasLtMatmul")] and FIELDS[name] in said[0][2], (name, said)
        finally:
            x.ok("cublasLtLoggerSetLevel", 0)
            x.ok("cublasLtLoggerSetCallback", 0)

    return script


def cases(refusals: tuple[Refusal, ...], since: dict[str, int]) -> list[Entry]:
    return [*((f"user-{name}", script, False) for name, script in USERS), ("log", log(refusals, since), False)]
