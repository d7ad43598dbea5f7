"""Inputs that broke other people's programs, as explicit cases beside the swept ones.

Each entry says in its note which report it comes from. The reports are about many libraries; what is kept here is the
input, told in this project's words, and the right answer is the row's oracle or its steps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from scale_x.conformance.cases import Case
from scale_x.conformance.subjects import Subject
from scale_x.wrappers_gen import rows as R


@dataclass(frozen=True)
class Story:
    """``symbols`` is a pattern of symbol names; ``values`` depart from the row's base."""

    symbols: str
    note: str
    values: tuple[Mapping[str, Any], ...]
    data: Mapping[str, Any] = field(default_factory=dict)
    nan: tuple[str, ...] = ()
    nulls: tuple[str, ...] = ()
    shift: Mapping[str, int] = field(default_factory=dict)
    modes: tuple[str, ...] = ("host",)
    hazard: bool = False  # NVIDIA's library may die of it


ONES = {"A": 1.0, "B": 1.0, "x": 1.0, "y": 1.0, "C": 1.0}
THREE = {"m": 3, "n": 3, "k": 3}
GROWING = tuple({"batchCount": b, "m": 2, "n": 3, "k": 2} for b in (1, 2, 8, 3, 33, 5, 257, 1))

STORIES = (
    # pytorch/pytorch#31421: a product of (2, 0) and (0, 3) matrices left what was in C. k = 0 is C := beta C.
    Story("cublas.gemm(_v2|3m|StridedBatched|Batched)?(_64)?", "empty-sum",
          ({"m": 2, "n": 3, "k": 0, "alpha": 1.0, "beta": 0.0}, {"m": 2, "n": 3, "k": 0, "alpha": 1.0, "beta": 2.0}),
          modes=("host", "device")),
    # the same with operands that do not exist
    Story("cublas.gemm(_v2|StridedBatched)?(_64)?", "empty-sum",
          ({"m": 2, "n": 3, "k": 0, "alpha": 1.0, "beta": 2.0},), nulls=("A", "B")),
    # kokkos/kokkos-kernels#539: gemv of an empty matrix leaves y alone, whatever beta is; gemm does not.
    Story("cublas.gemv_v2(_64)?", "empty-matrix",
          tuple({"trans": t, "m": 0, "n": 5, "alpha": 1.0, "beta": b} for t in "NT" for b in (2.0, 0.0)),
          data={"y": [1, 2, 3, 4, 5]}),
    # ROCm/rocBLAS#538: frameworks hand over uninitialised outputs with beta = 0
    Story("cublas.(gemv_v2|gemm_v2|gemm|symm|hemm|syrk_v2|herk_v2|syr2k_v2|symv_v2|hemv_v2|gbmv_v2|sbmv_v2|spmv_v2)",
          "write-only", ({**THREE, "alpha": 1.0, "beta": 0.0},), data=ONES, modes=("host", "device")),
    Story("cublas.(gemv_v2|gemm_v2|gemm|gemmStridedBatched|ger_v2|gerc_v2|geru_v2)", "zero-factor",
          ({**THREE, "alpha": 0.0, "beta": 1.0},), nan=("A", "B", "x"), modes=("host", "device")),
    # alpha and beta both neither 0 nor 1, more than one tile, small integers: ROCm/rocm-libraries#12226
    Story("cublas[SDCZ]gemm_v2", "both-factors",
          ({"m": 128, "n": 128, "k": 64, "transb": "T", "alpha": 1.2, "beta": 1.0},
           {"m": 65, "n": 129, "k": 7, "alpha": 1.2, "beta": -0.5})),
    # ROCm/rocm-libraries#9055: rows beyond the last full tile stayed unwritten
    Story("cublas[SDHCZ]gemm(_v2)?", "last-tile",
          ({"m": 257, "n": 33, "k": 40, "transa": "T", "alpha": 1.0, "beta": 0.0},
           {"m": 1, "n": 257, "k": 3, "alpha": 1.0, "beta": 0.0})),
    # tensor4all/tenferro-rs#1870: complex scalars at 8 modulo 16, as C compilers may place them; NVIDIA's library loads
    # them as if they were aligned
    Story("cublasZ(geam|gemm_v2|gemv_v2|axpy_v2|scal_v2|symm_v2|syrk_v2|trsm_v2)(_64)?", "half-aligned",
          ({"alpha": 2 + 0j, "beta": 1j},), shift={"alpha": 8, "beta": 8}, modes=("host", "device"), hazard=True),
    # batch counts around 65535, where grids used to end, and counts that go up and down
    Story("cublas[SZ]gemm(Strided)?Batched", "many", tuple(
        {"batchCount": b, "m": 1, "n": 1, "k": 2} for b in (65535, 65536, 65537))),
    Story("cublas[SDCZ](gemm(Strided)?Batched|trsmBatched|gemv(Strided)?Batched)", "growing", GROWING),
    # the whole answer comes from small integers, so halves must be exact
    Story("cublasHgemm(Strided|Batched|StridedBatched)?", "small-integers",
          ({"m": 9, "n": 8, "k": 16, "alpha": 1.0, "beta": 2.0},)),
    # squares that overflow or vanish: the norm is scaled, as NVIDIA's is and the Reference BLAS's
    Story("cublas(S|Sc)nrm2_v2(_64)?", "huge", ({"n": 4, "incx": 1}, {"n": 4, "incx": 3}),
          data={"x": [1e20, -2e20, 3e19, 0]}),
    Story("cublas(S|Sc)nrm2_v2(_64)?", "tiny", ({"n": 4, "incx": 1},), data={"x": [1e-25, -2e-25, 3e-26, 0]}),
    Story("cublas(D|Dz)nrm2_v2(_64)?", "huge", ({"n": 4, "incx": 1}, {"n": 4, "incx": 3}),
          data={"x": [1e200, -2e200, 3e199, 0]}),
    Story("cublas(D|Dz)nrm2_v2(_64)?", "tiny", ({"n": 4, "incx": 1},), data={"x": [1e-200, -2e-200, 3e-201, 0]}),
    # ROCm/hipBLAS#498: eight-bit integers, sums exact in 32 bits, never saturated
    Story("cublasGemmEx", "eight-bit",
          ({"m": 4, "n": 2, "k": 3, "lda": 4, "ldb": 4, "ldc": 4, "alpha": 1.0, "beta": 0.0, "Atype": "R_8I",
            "Btype": "R_8I", "Ctype": "R_32I", "computeType": "COMPUTE_32I"},),
          data={"A": ((11, 7, 3), (10, 6, 2), (9, 5, 1), (8, 4, 0)), "B": ((1, 4), (2, 5), (3, 6))}),
    # NVIDIA/FasterTransformer#49: the scalars of half computations are halves, of single computations singles
    Story("cublasGemm(StridedBatched|Batched)?Ex", "half-scalars",
          tuple({"m": 2, "n": 2, "k": 2, "alpha": 1.0, "beta": 0.0, "Atype": "R_16F", "Btype": "R_16F",
                 "Ctype": "R_16F", "computeType": c, "batchCount": 2} for c in ("COMPUTE_16F", "COMPUTE_32F")),
          data={n: 1.0 for n in ("A", "B", "Aarray", "Barray")}, modes=("host", "device")),
    # QMCPACK/qmcpack#3341: NULL pivots mean no pivoting, in getrf and in what uses its factors
    Story("cublas[SDCZ]getrfBatched", "four-numbers", ({"n": 2, "batchSize": 1},), data={"A": ((4, 3), (6, 3))}),
    Story("cublas[SDCZ]getrfBatched", "four-numbers", ({"n": 2, "batchSize": 1},), data={"A": ((4, 3), (6, 3))},
          nulls=("P",)),
    Story("cublas[SDCZ]getr[fi]Batched", "no-pivoting",
          ({"n": 7, "batchSize": 3, "P": 1}, {"n": 33, "batchSize": 2, "P": 1}), nulls=("P",)),
    Story("cublas[SDCZ]getrsBatched", "no-pivoting",
          tuple({"trans": t, "n": n, "batchSize": 2, "devIpiv": 1} for t in "NTC" for n in (2, 33)),
          nulls=("devIpiv",)),
    # LAPACK's info names the first zero on the diagonal
    Story("cublas[SDCZ]getrfBatched", "singular", ({"n": 2, "batchSize": 1},), data={"A": ((1, 2), (2, 4))}),
    Story("cublas[SDCZ]getrfBatched", "zero", ({"n": 3, "batchSize": 2},), data={"A": 0.0}),
    Story("cublas[SDCZ]getrfBatched", "zero", ({"n": 3, "batchSize": 2},), data={"A": 0.0}, nulls=("P",)),
    Story("cublas[SDCZ]gelsBatched", "no-info", ({"m": 7, "n": 5, "nrhs": 2, "batchSize": 3},),
          nulls=("devInfoArray",)),
    Story("cublasS(getrf|matinv|gels)Batched", "many", ({"m": 1, "n": 1, "nrhs": 1, "batchSize": 65537},)),
    Story("cublas[SDCZ](getrf|matinv|geqrf|gels)Batched", "growing", tuple(
        {"m": 3, "n": 2, "nrhs": 2, "batchSize": b} for b in (1, 2, 8, 3, 33, 5, 257, 1))),
    # scalars behind void pointers may stand anywhere
    Story("cublas(Gemm(StridedBatched|Batched)?Ex|AxpyEx|ScalEx|SgemmEx|CgemmEx)(_64)?", "misaligned",
          ({"m": 5, "n": 4, "k": 3},), shift={"alpha": 1, "beta": 3}),
    # one element, one row, one column, lengths around the widths of registers and warps
    Story("cublas[SDCZ](gemm|gemv|ger|geru)_v2", "edges", tuple(
        {"m": m, "n": n, "k": k} for m, n, k in ((1, 1, 1), (1, 31, 32), (31, 1, 33), (64, 65, 1), (63, 64, 31)))),
    # uxlfoundation/oneMath#561: fewer rows than columns are refused, callers transpose; Xgesvdp and gesvdj take them
    Story("cusolverDn[SDCZX]gesvd", "wide", tuple({"m": 3, "n": 4, "jobu": j, "jobvt": j} for j in (65, 83, 78))),
    Story("cusolverDn(Xgesvdp|[SDCZ]gesvdj)", "wide", ({"m": 3, "n": 4, "econ": 1}, {"m": 3, "n": 4, "econ": 0})),
    # ROCm/rocSOLVER#295: a batch of tiny matrices whose eigenvalues are known
    Story("cusolverDn([SD]syevj|Xsyev)Batched", "tiny", ({"n": 3, "batchSize": 2},),
          data={"A": (((1, 2, 3), (2, 5, 4), (3, 4, 9)), ((2, 2, 3), (2, 6, 4), (3, 4, 10)))}),
    # ROCm/rocSOLVER#197: one number, of either sign or none: the sign goes into one of the vectors
    *(Story("cusolverDn([SDCZ]gesvdj?|Xgesvdp?|Xpolar)", f"one-number-{note}", ({"m": 1, "n": 1, "M": 1, "N": 1},),
            data={"A": ((x,),)}) for note, x in (("above", 1.23), ("below", -1.23), ("zero", 0.0))),
    # ROCm/rocm-libraries#8168: nothing to reflect: identities, diagonal matrices, columns and subcolumns of zeros
    *(Story("cusolverDn([SDCZ](geqrf|gebrd)|[SD]syevd|[CZ]heevd|[SD]sytrd|[CZ]hetrd|X(geqrf|syevd|gesvd))",
            f"still-{note}", ({"m": 4, "n": 4},), data={"A": matrix})
      for note, matrix in (
          ("identity", ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))),
          ("diagonal", ((1, 0, 0, 0), (0, 2, 0, 0), (0, 0, 3, 0), (0, 0, 0, 4))),
          ("column", ((1, 0, 2, 3), (0, 0, 0, 0), (2, 0, 5, 1), (3, 0, 1, 4))),
          ("subcolumn", ((1, 0, 0, 0), (0, 2, 1, 1), (0, 1, 3, 0), (0, 1, 0, 4))))),
    # JuliaGPU/CUDA.jl#2761: leading dimensions and places of U and V count although no vectors are asked for
    Story("cusolverDnXgesvdp", "values-only", tuple(
        {"m": 10, "n": 10, "jobz": "NOVECTOR", "econ": 1, "ldu": ld, "ldv": ld} for ld in (1, 10))),
    # cupy/cupy#9978: batches solve for one right side; one matrix for any number, and its info is written
    Story("cusolverDn[SDCZ]potrsBatched", "right-sides", tuple({"n": 3, "batchSize": 2, "nrhs": k} for k in (1, 4))),
    Story("cusolverDn([SDCZ]|X)potrs", "right-sides", tuple({"n": 3, "nrhs": k} for k in (1, 4))),
)  # fmt: skip


def cases_of(subject: Subject) -> Iterator[Case]:
    """The stories that concern one symbol."""
    from scale_x.conformance.sweep import Shaper, scalar_value

    row = subject.row
    if row.sweep is None or row.oracle is None:
        return
    shaper = Shaper(subject)
    for story in STORIES:
        if not re.fullmatch(story.symbols, subject.symbol):
            continue
        for i, change in enumerate(story.values):
            known = {k: v for k, v in change.items() if k in subject.names}
            base = {k: scalar_value(subject, k, v) for k, v in {**row.sweep.base, **known}.items()}
            values = shaper.complete(base, padded=i % 2 == 1)
            mine = {n: a for n, a in row.args.items() if a.dir != R.OUT}
            data = {n: _fitting(v, subject, n, values) for n, v in story.data.items() if n in mine}
            for mode in story.modes:
                yield Case(
                    subject, "user", values, mode=mode, nulls=frozenset(story.nulls), note=story.note,
                    nan=tuple(n for n in story.nan if n in mine and mine[n].dir == R.IN), data=data,
                    shift={n: b for n, b in story.shift.items() if n in mine}, hazard=story.hazard,
                )  # fmt: skip


def _fitting(value: Any, subject: Subject, name: str, values: Mapping[str, Any]) -> Any:
    """Given contents, cut to the length that the case asks for."""
    if not isinstance(value, list):
        return value
    from scale_x.conformance import layout
    from scale_x.conformance.conditions import Situation

    situation = Situation(values)
    place = layout.of(subject.row.args[name], lambda text: subject.evaluate(text, situation))
    return value[: place.offsets.shape[-1]]
