"""Products of 16- and 8-bit matrices against the single-precision product of the same size, all in one run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from peers import together

import scale_x.bindings as bindings

N = 1024
R_32F, R_16F, R_8I, R_32I, R_16BF = 0, 2, 3, 10, 14
COMPUTE_32F, COMPUTE_32I = 68, 72
BF16 = ml_dtypes.bfloat16
#: name: (types of A and B, of C, of alpha; numpy's), CPU flag, how much faster than single precision at least
KINDS = {
    "float": ((R_32F, R_32F, COMPUTE_32F), (np.float32, np.float32, np.float32), "", 1.0),
    "half": ((R_16F, R_16F, COMPUTE_32F), (np.float16, np.float16, np.float32), "f16c", 1 / 1.05),
    "bfloat16": ((R_16BF, R_16BF, COMPUTE_32F), (BF16, BF16, np.float32), "avx512_bf16", 1.8),
    "int8": ((R_8I, R_32I, COMPUTE_32I), (np.int8, np.int32, np.int32), "avx512_vnni", 3.5),
}  # fmt: skip
CPU = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""


@pytest.fixture(scope="module")
def seconds() -> Iterator[dict[str, float]]:
    bindings.load(cuda=13)
    from scale_x.bindings import cublas

    handle = cublas.create()
    rng = np.random.default_rng(0)
    keep = []

    def call_of(kind: str) -> Callable[[], object]:
        (ab, c_type, compute), (t, tc, ts), *_ = KINDS[kind]
        a, b = (np.asfortranarray(rng.integers(-128, 128, (N, N)) if kind == "int8" else rng.uniform(-1, 1, (N, N)))
                .astype(t) for _ in "ab")  # fmt: skip
        c, one, zero = np.zeros((N, N), tc, "F"), np.ones(1, ts), np.zeros(1, ts)
        keep.append((a, b, c, one, zero))
        p1, pa, pb, p0, pc = (x.ctypes.data for x in (one, a, b, zero, c))
        return lambda: cublas.gemm_ex(handle, 0, 0, N, N, N, p1, pa, ab, N, pb, ab, N, p0, pc, c_type, N, compute, -1)

    yield together({kind: call_of(kind) for kind in KINDS})
    cublas.destroy(handle)


@pytest.mark.parametrize("kind", [k for k in KINDS if k != "float"])
def test_against_single_precision(benchmark, seconds: dict[str, float], kind: str) -> None:
    _, _, flag, at_least = KINDS[kind]
    if flag not in CPU:
        pytest.skip(f"the processor has no {flag}")
    ratio = seconds["float"] / seconds[kind]
    benchmark.extra_info.update(seconds=seconds[kind], ratio=ratio, target=at_least)
    benchmark.pedantic(lambda: None, rounds=1)  # measured above, interleaved
    print(f"\n{kind}: {seconds[kind] * 1e3:.2f} ms, float {seconds['float'] * 1e3:.2f} ms, ratio {ratio:.2f} "
          f"(target {at_least:.2f})")  # fmt: skip
    assert ratio >= at_least
