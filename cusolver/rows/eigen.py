"""Hermitian eigenproblems by divide and conquer: syevd, the part that syevdx asks for, and generalised sygvd, sygvdx.

Eigenvalues ascend; with VECTOR their vectors replace A, without A is destroyed. The generalised problems are A x = w
B x, A B x = w x and B A x = w x with B positive definite, which is replaced by its Cholesky factor; info n + i says
that its minor i is not positive, i up to n that the iteration did not converge. A part of the spectrum is il..iu
counted from 1, or what lies in (vl, vu]; how many they are is written to host memory, so these calls wait.
The workspace's length is not looked at, as NVIDIA does not: what does not fit is taken from memory of the stream's.
"""

from __future__ import annotations

from typing import Any

from scale_x.cusolver.rows._matrices import BROKEN, CLASSES, DEFINITE, definite, hermitian
from scale_x.cusolver.rows._spectral import (
    eigen,
    syevd_residual,
    syevdx,
    syevdx_residual,
    sygv,
    sygv_residual,
    sygvdx_residual,
)
from scale_x.wrappers_gen.rows import (
    INOUT,
    NATIVE,
    OUT,
    Buf,
    Check,
    DeviceInfo,
    Handle,
    Info,
    Mat,
    NotNull,
    Quick,
    Residual,
    Row,
    Scalar,
    Scratch,
    Sweep,
    Vec,
)

TITLE = "Hermitian eigenproblems"


def matrix(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """A of the class."""
    return {"A": hermitian(rng, kind, a.n, a.letter)}


def pair(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """A and a positive definite B of the class."""
    return {"A": hermitian(rng, kind, a.n, a.letter), "B": definite(rng, kind, a.n, a.letter)}


SYEVD = {"Ssyevd": "S", "Dsyevd": "D", "Cheevd": "C", "Zheevd": "Z"}
SYEVDX = {"Ssyevdx": "S", "Dsyevdx": "D", "Cheevdx": "C", "Zheevdx": "Z"}
SYGVD = {"Ssygvd": "S", "Dsygvd": "D", "Chegvd": "C", "Zhegvd": "Z"}
SYGVDX = {"Ssygvdx": "S", "Dsygvdx": "D", "Chegvdx": "C", "Zhegvdx": "Z"}

A = Mat(rows="n", cols="n", ld="lda", dir=INOUT)
B = Mat(rows="n", cols="n", ld="ldb", dir=INOUT)
W = Vec(n="n", T="R", dir=OUT)
INFO = Buf(count="1", T="I", dir=OUT)
SIZE = Scalar(T="I", dir=OUT, host=True)
WORK = Scratch(query="cusolverDn{T}_bufferSize", size="lwork")
SIZES = (0, 1, 2, 3, 5, 31, 32, 33, 64, 100)
LETTERS = (Check("jobz in (NOVECTOR, VECTOR)", 1), Check("uplo in (LOWER, UPPER)", 2))
#: NVIDIA refuses a missing workspace with an info of 0
NO_WORK = NotNull(("work",), number=0)

ROWS = (
    Row(
        symbols="cusolverDn{T}_bufferSize",
        kind=NATIVE,
        T=SYEVD,
        steps=(Handle(), Check("n >= 0"), NotNull(("lwork",), nvidia="crash")),
        native="sx_syevd_size",
        args={"lwork": SIZE},
        differs={"n=-2147483648 and success,": "does not see that the least integer is below 0"},
        source="cuSOLVER 2.4.2.15",
    ),
    Row(
        symbols="cusolverDn{T}",
        kind=NATIVE,
        T=SYEVD,
        steps=(
            Handle(),
            DeviceInfo("info"),
            *LETTERS,
            Check("n >= 0", 3),
            Check("lda >= max(1, n)", 5),
            NO_WORK,
            Quick("n == 0"),
            NotNull(("A", "W"), nvidia="crash"),
        ),
        native="sx_syevd",
        args={"A": A, "W": W, "work": WORK, "info": INFO},
        oracle=eigen,
        compare=Residual(fn=syevd_residual),
        sweep=Sweep(
            base={"jobz": "VECTOR", "uplo": "LOWER", "n": 33},
            grid={"jobz": ("NOVECTOR", "VECTOR"), "uplo": ("LOWER", "UPPER"), "n": SIZES},
            classes=CLASSES + BROKEN,
            make=matrix,
        ),
        source="cuSOLVER 2.4.2.15; LAPACK xSYEVD",
    ),
    Row(
        symbols="cusolverDn{T}_bufferSize",
        kind=NATIVE,
        T=SYEVDX,
        steps=(Handle(), Check("n >= 0"), NotNull(("lwork",), nvidia="crash")),
        native="sx_syevdx_size",
        args={"meig": Scalar(T="I", dir=OUT, host=True, count="0"), "lwork": SIZE},
        differs={"n=-2147483648 and success,": "does not see that the least integer is below 0"},
        source="cuSOLVER 2.4.2.16",
    ),
    Row(
        symbols="cusolverDn{T}",
        kind=NATIVE,
        T=SYEVDX,
        steps=(
            Handle(),
            DeviceInfo("info"),
            Check("jobz in (NOVECTOR, VECTOR)", 1),
            Check("range in (RANGE_ALL, RANGE_I, RANGE_V)", 2),
            Check("uplo in (LOWER, UPPER)", 3),
            Check("n >= 0", 4),
            Check("lda >= max(1, n)", 6),
            Check("range != RANGE_V or n == 0 or vl < vu", 8),
            Check("range != RANGE_I or (il >= 1 and il <= max(1, n))", 9),
            Check("range != RANGE_I or (iu >= min(n, il) and iu <= n)", 10),
            NO_WORK,
            NotNull(("meig",), nvidia="crash"),
            Quick("n == 0", zero=("meig",)),
            NotNull(("A", "W"), nvidia="crash"),
        ),
        native="sx_syevdx",
        args={"A": A, "meig": Scalar(T="I", dir=OUT, host=True), "W": W, "work": WORK, "info": INFO},
        oracle=syevdx,
        compare=Residual(fn=syevdx_residual),
        sweep=Sweep(
            base={
                "jobz": "VECTOR",
                "range": "RANGE_V",
                "uplo": "LOWER",
                "n": 33,
                "vl": -0.5,
                "vu": 1.5,
                "il": 1,
                "iu": 1,
            },
            grid={
                "jobz": ("NOVECTOR", "VECTOR"),
                "uplo": ("LOWER", "UPPER"),
                "n range vl vu il iu": (
                    (1, "RANGE_ALL", 0.0, 0.0, 0, 0),
                    (2, "RANGE_I", 0.0, 0.0, 2, 2),
                    (5, "RANGE_I", 0.0, 0.0, 1, 5),
                    (31, "RANGE_I", 0.0, 0.0, 7, 19),
                    (33, "RANGE_V", -1.0, 2.0, 0, 0),
                    (33, "RANGE_V", 1e6, 2e6, 0, 0),
                    (64, "RANGE_ALL", 0.0, 0.0, 0, 0),
                    (100, "RANGE_I", 0.0, 0.0, 90, 100),
                ),
            },
            classes=CLASSES + BROKEN,
            make=matrix,
        ),
        source="cuSOLVER 2.4.2.16; LAPACK xSYEVX",
    ),
    Row(
        symbols="cusolverDn{T}_bufferSize",
        kind=NATIVE,
        T=SYGVD,
        steps=(
            Handle(),
            Check("n >= 0"),
            NotNull(("lwork",), nvidia="crash"),
            Info("lwork"),
            Check("uplo in (LOWER, UPPER)"),
        ),
        native="sx_sygvd_size",
        args={"lwork": SIZE},
        source="cuSOLVER 2.4.2.17; measured: a bad uplo leaves a length of 0",
    ),
    Row(
        symbols="cusolverDn{T}",
        kind=NATIVE,
        T=SYGVD,
        steps=(
            Handle(),
            DeviceInfo("info"),
            Check("itype in (TYPE_1, TYPE_2, TYPE_3)", 1),
            Check("jobz in (NOVECTOR, VECTOR)", 2),
            Check("uplo in (LOWER, UPPER)", 3),
            Check("n >= 0", 4),
            Check("lda >= max(1, n)", 6),
            Check("ldb >= max(1, n)", 8),
            NO_WORK,
            Quick("n == 0"),
            NotNull(("A", "B", "W"), nvidia="crash"),
        ),
        native="sx_sygvd",
        args={"A": A, "B": B, "W": W, "work": WORK, "info": INFO},
        oracle=sygv,
        compare=Residual(fn=sygv_residual),
        sweep=Sweep(
            base={"itype": "TYPE_1", "jobz": "VECTOR", "uplo": "LOWER", "n": 33},
            grid={
                "itype": ("TYPE_1", "TYPE_2", "TYPE_3"),
                "uplo": ("LOWER", "UPPER"),
                "n": (0, 1, 2, 5, 33, 64),
            },
            vary={"jobz": ("NOVECTOR",)},
            classes=DEFINITE,
            make=pair,
        ),
        source="cuSOLVER 2.4.2.17; LAPACK xSYGVD",
    ),
    Row(
        symbols="cusolverDn{T}_bufferSize",
        kind=NATIVE,
        T=SYGVDX,
        steps=(Handle(), Check("n >= 0"), NotNull(("lwork",), nvidia="crash")),
        native="sx_sygvdx_size",
        args={"meig": Scalar(T="I", dir=OUT, host=True, count="0"), "lwork": SIZE},
        source="cuSOLVER 2.4.2.18",
    ),
    Row(
        symbols="cusolverDn{T}",
        kind=NATIVE,
        T=SYGVDX,
        steps=(
            Handle(),
            DeviceInfo("info"),
            Check("itype in (TYPE_1, TYPE_2, TYPE_3)", 1),
            Check("jobz in (NOVECTOR, VECTOR)", 2),
            Check("range in (RANGE_ALL, RANGE_I, RANGE_V)", 3),
            Check("uplo in (LOWER, UPPER)", 4),
            Check("n >= 0", 5),
            Check("lda >= max(1, n)", 7),
            Check("ldb >= max(1, n)", 9),
            Check("range != RANGE_V or n == 0 or vl < vu", 11),
            Check("range != RANGE_I or (il >= 1 and il <= max(1, n))", 12),
            Check("range != RANGE_I or (iu >= min(n, il) and iu <= n)", 13),
            NO_WORK,
            NotNull(("meig",), nvidia="crash"),
            Quick("n == 0", zero=("meig",)),
            NotNull(("A", "B", "W"), nvidia="crash"),
        ),
        native="sx_sygvdx",
        args={"A": A, "B": B, "meig": Scalar(T="I", dir=OUT, host=True), "W": W, "work": WORK, "info": INFO},
        oracle=sygv,
        compare=Residual(fn=sygvdx_residual),
        sweep=Sweep(
            base={
                "itype": "TYPE_1",
                "jobz": "VECTOR",
                "range": "RANGE_I",
                "uplo": "LOWER",
                "n": 33,
                "vl": -0.5,
                "vu": 1.5,
                "il": 3,
                "iu": 9,
            },
            grid={
                "itype": ("TYPE_1", "TYPE_2", "TYPE_3"),
                "uplo": ("LOWER", "UPPER"),
                "n range vl vu il iu": (
                    (1, "RANGE_ALL", 0.0, 0.0, 0, 0),
                    (5, "RANGE_I", 0.0, 0.0, 2, 4),
                    (33, "RANGE_V", -1.0, 2.0, 0, 0),
                    (64, "RANGE_I", 0.0, 0.0, 1, 64),
                ),
            },
            vary={"jobz": ("NOVECTOR",)},
            classes=DEFINITE,
            make=pair,
        ),
        source="cuSOLVER 2.4.2.18; LAPACK xSYGVX",
    ),
)
