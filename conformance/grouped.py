"""Scripts for gemm in groups, whose sizes stand in arrays: groups of several shapes against numpy, bad arguments."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np

if TYPE_CHECKING:
    from scale_x.conformance.scripts import Script, Session

#: transa, transb, m, n, k, members, alpha, beta of each group; the second has nothing to do
GROUPS: tuple[Any, ...] = (
    ("N", "N", 5, 4, 3, 2, 1.5, -0.5),
    ("T", "N", 0, 4, 3, 3, 1.0, 1.0),
    ("N", "T", 2, 7, 9, 1, 1.0, 0.0),
    ("C", "T", 33, 1, 8, 3, -1.0, 2.0),
)
OPERATIONS = {"N": 0, "T": 1, "C": 2}
PADDING = 2
TYPES = {0: np.dtype(np.float32), 1: np.dtype(np.float64), 2: np.dtype(np.float16), 14: np.dtype(ml_dtypes.bfloat16)}
EPS = {0: 2.0**-24, 1: 2.0**-53, 2: 2.0**-11, 14: 2.0**-8}
COMPUTE_32F, COMPUTE_64F = 68, 70


def _shapes(group: tuple[Any, ...]) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int]]:
    transa, transb, m, n, k, *_ = group
    return (m, k) if transa == "N" else (k, m), (k, n) if transb == "N" else (n, k), (m, n)


class Problem:
    """Matrices of every member in device memory, and what must become of them."""

    def __init__(self, x: Session, dtype: np.dtype, wide: bool) -> None:
        self.x, self.dtype, self.integer = x, dtype, np.dtype(np.int64 if wide else np.int32)
        numbers = np.random.default_rng(7)
        self.members: list[list[np.ndarray]] = [[], [], []]
        for group in GROUPS:
            for _ in range(group[5]):
                for which, (rows, cols) in enumerate(_shapes(group)):
                    values = np.round(numbers.uniform(-1, 1, (rows + PADDING, cols)) * 8) / 8
                    self.members[which].append(np.asfortranarray(values).astype(dtype, order="F"))
        self.addresses = [[self._send(m) for m in of_one] for of_one in self.members]
        self.arrays = [self._send(np.array(a, np.uint64)) for a in self.addresses]

    def _send(self, values: np.ndarray) -> int:
        address = self.x.calls.malloc(max(values.nbytes, 8))
        if values.nbytes:
            assert self.x.calls.copy(address, np.asfortranarray(values).ctypes.data, values.nbytes, 1) == 0
        return address

    def host(self, values: list[Any], dtype: np.dtype | None = None) -> int:
        """The address of an array in host memory."""
        array = np.array(values, dtype or self.integer)
        address = self.x.room(array.nbytes)
        ctypes.memmove(address, array.ctypes.data, array.nbytes)
        return address

    def judge(self, eps: float) -> None:
        """Every C against numpy; padding untouched."""
        at = 0
        for group in GROUPS:
            transa, transb, m, n, k, size, alpha, beta = group
            for _ in range(size):
                a, b, c = (of_one[at] for of_one in self.members)
                got = np.empty_like(c, order="F")
                if c.nbytes:
                    assert self.x.calls.copy(got.ctypes.data, self.addresses[2][at], c.nbytes, 2) == 0
                wide = [v.astype(np.float64)[: v.shape[0] - PADDING] for v in (a, b, c)]
                left = wide[0] if transa == "N" else wide[0].T
                right = wide[1] if transb == "N" else wide[1].T
                want = alpha * left @ right + (beta * wide[2] if beta else 0)
                bound = abs(alpha) * np.abs(left) @ np.abs(right) + abs(beta) * np.abs(wide[2])
                error = np.abs(got[:m].astype(np.float64) - want)
                assert (error <= 2 * (k + 2) * eps * bound + 1e-300).all(), f"member {at}: off by {error.max()}"
                assert got[m:].tobytes() == c[m:].tobytes(), f"member {at}: wrote into the padding"
                at += 1


def _arguments(p: Problem, scalar: np.dtype, types: tuple[int, ...] | None, change: dict[str, list[int]]) -> list[int]:
    def ints(name: str, values: list[int]) -> int:
        return p.host(change.get(name, values))

    def scalars(which: int) -> int:
        return p.host([g[which] for g in GROUPS], scalar)

    shapes = [_shapes(g) for g in GROUPS]
    lds = [[s[which][0] + PADDING for s in shapes] for which in range(3)]
    count = change.get("group_count", [len(GROUPS)])[0]
    transposes = [p.host([OPERATIONS[g[i]] for g in GROUPS], np.dtype(np.int32)) for i in (0, 1)]
    sizes = [ints(name, [g[i] for g in GROUPS]) for name, i in (("m", 2), ("n", 3), ("k", 4))]
    kinds = [[types[0]], [types[0]], [types[0]]] if types else [[], [], []]
    matrices: list[int] = []
    for which, name in enumerate(("lda", "ldb", "ldc")):
        if which == 2:
            matrices.append(scalars(7))
        matrices += [p.arrays[which], *kinds[which], ints(name, lds[which])]
    rest = [count, ints("group_size", [g[5] for g in GROUPS]), *(types[1:] if types else ())]
    return [*transposes, *sizes, scalars(6), *matrices, *rest]


def grouped(symbol: str, type_: int, compute: int | None = None) -> Script:
    """All groups right; then one thing wrong at a time, and nothing is computed."""

    def script(x: Session) -> None:
        dtype, scalar = TYPES[type_], np.dtype(np.float64 if type_ == 1 else np.float32)
        types = (type_, compute) if compute is not None else None
        h = x.handle()
        p = Problem(x, dtype, symbol.endswith("_64"))
        bad: dict[str, list[int]]
        for bad in ({"group_count": [-1]}, {"group_size": [2, 3, 1, -1]}, {"m": [5, 0, 2, -1]}, {"ldc": [7, 2, 4, 1]}):
            status = x.call(symbol, h, *_arguments(p, scalar, types, bad))
            assert status == "INVALID_VALUE", f"{bad} answers {status}"
        x.ok(symbol, h, *_arguments(p, scalar, types, {"group_count": [0]}))
        x.ok(symbol, h, *_arguments(p, scalar, types, {}))
        assert x.calls.synchronise() == 0
        p.judge(EPS[type_])
        x.ok("cublasSetPointerMode_v2", h, 1)
        status = x.call(symbol, h, *_arguments(p, scalar, types, {}))
        assert status == "NOT_SUPPORTED", f"device pointer mode answers {status}"
        x.ok("cublasDestroy_v2", h)

    return script


SCRIPTS: dict[str, tuple[tuple[str, Script, bool], ...]] = {
    "cublasSgemmGroupedBatched": (("groups", grouped("cublasSgemmGroupedBatched", 0), False),),
    "cublasDgemmGroupedBatched": (("groups", grouped("cublasDgemmGroupedBatched", 1), False),),
    "cublasSgemmGroupedBatched_64": (("groups", grouped("cublasSgemmGroupedBatched_64", 0), False),),
    "cublasDgemmGroupedBatched_64": (("groups", grouped("cublasDgemmGroupedBatched_64", 1), False),),
    "cublasGemmGroupedBatchedEx": (
        ("single", grouped("cublasGemmGroupedBatchedEx", 0, COMPUTE_32F), False),
        ("double", grouped("cublasGemmGroupedBatchedEx", 1, COMPUTE_64F), False),
        ("half", grouped("cublasGemmGroupedBatchedEx", 2, COMPUTE_32F), False),
        ("bfloat16", grouped("cublasGemmGroupedBatchedEx", 14, COMPUTE_32F), False),
    ),
    "cublasGemmGroupedBatchedEx_64": (
        ("single", grouped("cublasGemmGroupedBatchedEx_64", 0, COMPUTE_32F), False),
        ("half", grouped("cublasGemmGroupedBatchedEx_64", 2, COMPUTE_32F), False),
    ),
}
