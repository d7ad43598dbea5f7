"""Reductions to condensed form and their orthogonal factors: gebrd and orgbr, sytrd with orgtr and ormtr.

gebrd brings A to Q B P^H with B bidiagonal, sytrd a Hermitian A to Q T Q^H with T real and tridiagonal. The factors are
products of reflectors, kept below and above what is left of A as LAPACK keeps them; orgbr and orgtr write them out,
ormtr applies Q to another matrix. rocSOLVER has these with LAPACK's meaning, so each row is one call. The workspace's
length is not looked at: a buffer that is too small is replaced by memory of the stream's.
"""

from __future__ import annotations

from typing import Any

from scale_x.cusolver.rows._matrices import CLASSES, gaussian, general, hermitian, reflectors
from scale_x.cusolver.rows._spectral import (
    bidiagonal,
    bidiagonal_residual,
    np,
    orgbr,
    orgbr_residual,
    orgtr,
    orgtr_residual,
    ormtr,
    ormtr_residual,
    tridiagonal,
    tridiagonal_residual,
)
from scale_x.wrappers_gen.rows import (
    ADAPTED,
    INOUT,
    OUT,
    Buf,
    Check,
    DeviceInfo,
    Handle,
    Mat,
    NotNull,
    Path,
    Quick,
    Residual,
    Row,
    Scalar,
    Scratch,
    Size,
    Sweep,
    Vec,
    Work,
)

TITLE = "Reductions to condensed form"


def to_reduce(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """A general matrix of the class."""
    return {"A": general(rng, kind, a.m, a.n, a.letter)}


def hermitian_to_reduce(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """A Hermitian matrix of the class; NaN in the triangle that is not read."""
    full = hermitian(rng, kind, a.n, a.letter)
    rows, cols = np.indices(full.shape)
    return {"A": np.where(rows < cols if a.uplo == "LOWER" else rows > cols, np.nan, full)}


def bidiagonal_reflectors(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """Reflectors as gebrd leaves them: in columns (LEFT) or in rows (RIGHT)."""
    order = a.m if a.side == "LEFT" else a.n
    first = 0 if (order >= a.k if a.side == "LEFT" else a.k < order) else 1
    columns, tau = reflectors(rng, order, min(a.k, order - first), a.letter, first)
    whole = gaussian(rng, (order, a.n if a.side == "LEFT" else a.m), a.letter)
    kept = min(columns.shape[1], whole.shape[1])
    whole[:, :kept] = columns[:, :kept]
    factors = np.zeros(min(order, a.k), tau.dtype)
    factors[: tau.size] = tau
    if a.side == "LEFT":
        return {"A": whole, "tau": factors}
    return {"A": whole.T, "tau": factors}


def tridiagonal_reflectors(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """Reflectors as sytrd leaves them, and a matrix to apply them to."""
    side = getattr(a, "side", "LEFT")
    n = a.n if side == "RIGHT" or not hasattr(a, "m") else a.m
    whole = gaussian(rng, (n, n), a.letter)
    tau = np.zeros(max(n - 1, 0), whole.dtype)
    for i in range(n - 1):
        v = whole[i + 2 :, i] if a.uplo == "LOWER" else whole[:i, i + 1]
        tau[i] = 2 / (1 + np.vdot(v, v).real) if v.size else 0
    made = {"A": whole, "tau": tau}
    return {**made, "C": gaussian(rng, (a.m, a.n), a.letter)} if hasattr(a, "m") else made


ORGBR = {"Sorgbr": "S", "Dorgbr": "D", "Cungbr": "C", "Zungbr": "Z"}
SYTRD = {"Ssytrd": "S", "Dsytrd": "D", "Chetrd": "C", "Zhetrd": "Z"}
ORGTR = {"Sorgtr": "S", "Dorgtr": "D", "Cungtr": "C", "Zungtr": "Z"}
ORMTR = {"Sormtr": "S", "Dormtr": "D", "Cunmtr": "C", "Zunmtr": "Z"}

NEGATIVE = "does not look at sizes below 0 when it is asked for a length"
#: a pointer that a size is asked for without: it is not read
UNREAD = Buf(count="0")
INFO = Buf(count="1", T="I", dir=OUT)
SIZE = Scalar(T="I", dir=OUT, host=True)
WORK = Scratch(query="cusolverDn{T}_bufferSize", size="lwork")
SHAPES = ((0, 0), (1, 1), (2, 1), (3, 3), (5, 2), (31, 31), (33, 32), (64, 33), (100, 5))
ORDERS = (0, 1, 2, 3, 5, 31, 32, 33, 64, 100)
#: storage of reflectors: for Q in columns, for P in rows
IN_COLUMNS, IN_ROWS = {"storev": "rocblas_column_wise"}, {"storev": "rocblas_row_wise"}

ROWS = (
    Row(
        symbols="cusolverDn{T}gebrd_bufferSize",
        kind=ADAPTED,
        T="SDCZ",
        steps=(Handle(), Check("m >= 0"), Check("n >= 0"), NotNull(("Lwork",), nvidia="crash")),
        paths=(Path(call="rocsolver_{t}gebrd", args={"lda": "max(1, m)"}),),
        size=Size(arg="Lwork"),
        args={"Lwork": SIZE},
        differs={"m=-": NEGATIVE, "n=-": NEGATIVE},
        source="cuSOLVER 2.4.2.10",
    ),
    Row(
        symbols="cusolverDn{T}gebrd",
        kind=ADAPTED,
        T="SDCZ",
        steps=(
            Handle(),
            DeviceInfo("devInfo"),
            Check("m >= 0", 1),
            Check("n >= 0", 2),
            Check("lda >= max(1, m)", 4),
            Quick("m == 0 or n == 0"),
            NotNull(("A", "D", "TAUQ", "TAUP"), nvidia="crash"),
            NotNull(("E",), unless="min(m, n) <= 1", nvidia="crash"),
        ),
        paths=(Path(call="rocsolver_{t}gebrd"),),
        work=Work(arg="Work", size="Lwork"),
        args={
            "A": Mat(rows="m", cols="n", ld="lda", dir=INOUT),
            "D": Vec(n="min(m, n)", T="R", dir=OUT),
            "E": Vec(n="min(m, n) - 1", T="R", dir=OUT),
            "TAUQ": Vec(n="min(m, n)", dir=OUT),
            "TAUP": Vec(n="min(m, n)", dir=OUT),
            "Work": Scratch(query="cusolverDn{T}gebrd_bufferSize", size="Lwork"),
            "devInfo": INFO,
        },
        oracle=bidiagonal,
        compare=Residual(fn=bidiagonal_residual),
        sweep=Sweep(
            base={"m": 33, "n": 17},
            grid={"m n": SHAPES},
            vary={"m n": ((3, 7), (32, 64))},
            classes=CLASSES,
            make=to_reduce,
        ),
        differs={
            "(m=0, or n=0,) and died": "crashes where there is nothing to reduce",
            "(n=7, or n=64,) and not_supported,": "refuses fewer rows than columns",
        },
        source="cuSOLVER 2.4.2.10; LAPACK xGEBRD",
    ),
    Row(
        symbols="cusolverDn{T}_bufferSize",
        kind=ADAPTED,
        T=ORGBR,
        steps=(Handle(), NotNull(("lwork",), nvidia="crash")),
        # what is wrong with sizes is the computing function's to say: the nearest possible ones are asked about
        paths=(
            Path(
                call="rocsolver_{t}",
                when="side == RIGHT",
                args={
                    **IN_ROWS,
                    "m": "max(1, min(m, n))",
                    "n": "max(1, n)",
                    "k": "max(1, min(m, n))",
                    "lda": "max(1, min(m, n))",
                },
            ),
            Path(
                call="rocsolver_{t}",
                args={
                    **IN_COLUMNS,
                    "m": "max(1, m)",
                    "n": "max(1, min(m, n))",
                    "k": "max(1, min(m, n))",
                    "lda": "max(1, m)",
                },
            ),
        ),
        size=Size(arg="lwork"),
        args={"A": UNREAD, "tau": UNREAD, "lwork": SIZE},
        source="cuSOLVER 2.4.2.11",
    ),
    Row(
        symbols="cusolverDn{T}",
        kind=ADAPTED,
        T=ORGBR,
        steps=(
            Handle(),
            DeviceInfo("info"),
            Check("side in (LEFT, RIGHT)", 1),
            Check("m >= 0", 2),
            Check("n >= 0", 3),
            Check("side != LEFT or (n <= m and n >= min(m, k))", 3),
            Check("side != RIGHT or (m <= n and m >= min(n, k))", 3),
            Check("k >= 0", 4),
            Check("lda >= max(1, m)", 6),
            Quick("m == 0 or n == 0"),
            NotNull(("A",), nvidia="crash"),
            NotNull(("tau",), unless="k == 0", nvidia="crash"),
        ),
        paths=(
            Path(call="rocsolver_{t}", when="side == RIGHT", args={**IN_ROWS, "ipiv": "tau"}),
            Path(call="rocsolver_{t}", args={**IN_COLUMNS, "ipiv": "tau"}),
        ),
        work=Work(arg="work", size="lwork"),
        args={
            "A": Mat(rows="m", cols="n", ld="lda", dir=INOUT),
            "tau": Vec(n="min(m if side == LEFT else n, k)"),
            "work": WORK,
            "info": INFO,
        },
        oracle=orgbr,
        compare=Residual(fn=orgbr_residual),
        sweep=Sweep(
            base={"side": "LEFT", "m": 33, "n": 17, "k": 17},
            grid={
                "side m n k": (
                    ("LEFT", 1, 1, 1),
                    ("LEFT", 5, 3, 3),
                    ("LEFT", 33, 33, 17),
                    ("LEFT", 64, 10, 10),
                    ("RIGHT", 1, 1, 1),
                    ("RIGHT", 3, 5, 3),
                    ("RIGHT", 33, 33, 33),
                    ("RIGHT", 32, 64, 32),
                    ("LEFT", 0, 0, 0),
                ),
            },
            classes=("random",),
            make=bidiagonal_reflectors,
        ),
        source="cuSOLVER 2.4.2.11; LAPACK xORGBR, xUNGBR",
    ),
    Row(
        symbols="cusolverDn{T}_bufferSize",
        kind=ADAPTED,
        T=SYTRD,
        steps=(Handle(), Check("n >= 0"), NotNull(("lwork",), nvidia="crash")),
        paths=(Path(call="rocsolver_{t}", args={"uplo": "rocblas_fill_lower", "lda": "max(1, n)"}),),
        size=Size(arg="lwork"),
        args={"A": UNREAD, "d": UNREAD, "e": UNREAD, "tau": UNREAD, "lwork": SIZE},
        differs={"n=-": NEGATIVE},
        source="cuSOLVER 2.4.2.12",
    ),
    Row(
        symbols="cusolverDn{T}",
        kind=ADAPTED,
        T=SYTRD,
        steps=(
            Handle(),
            DeviceInfo("info"),
            Check("uplo in (LOWER, UPPER)", 1),
            Check("n >= 0", 2),
            Check("lda >= max(1, n)", 4),
            Quick("n == 0"),
            NotNull(("A", "d"), nvidia="crash"),
            NotNull(("e", "tau"), unless="n == 1", nvidia="crash"),
        ),
        paths=(Path(call="rocsolver_{t}"),),
        work=Work(arg="work", size="lwork"),
        args={
            "A": Mat(rows="n", cols="n", ld="lda", dir=INOUT, part="uplo"),
            "d": Vec(n="n", T="R", dir=OUT),
            "e": Vec(n="n - 1", T="R", dir=OUT),
            "tau": Vec(n="n - 1", dir=OUT),
            "work": WORK,
            "info": INFO,
        },
        oracle=tridiagonal,
        compare=Residual(fn=tridiagonal_residual),
        sweep=Sweep(
            base={"uplo": "LOWER", "n": 33},
            grid={"uplo": ("LOWER", "UPPER"), "n": ORDERS},
            classes=CLASSES,
            make=hermitian_to_reduce,
        ),
        source="cuSOLVER 2.4.2.12; LAPACK xSYTRD, xHETRD",
    ),
    Row(
        symbols="cusolverDn{T}_bufferSize",
        kind=ADAPTED,
        T=ORGTR,
        steps=(Handle(), Check("n >= 0"), NotNull(("lwork",), nvidia="crash")),
        paths=(Path(call="rocsolver_{t}", args={"uplo": "rocblas_fill_lower", "lda": "max(1, n)"}),),
        size=Size(arg="lwork"),
        args={"A": UNREAD, "tau": UNREAD, "lwork": SIZE},
        differs={"n=-2147483648 and changed,": "leaves a length where it refuses"},
        source="cuSOLVER 2.4.2.14",
    ),
    Row(
        symbols="cusolverDn{T}",
        kind=ADAPTED,
        T=ORGTR,
        steps=(
            Handle(),
            DeviceInfo("info"),
            Check("uplo in (LOWER, UPPER)", 1),
            Check("n >= 0", 2),
            Check("lda >= max(1, n)", 4),
            Quick("n == 0"),
            NotNull(("A",), nvidia="crash"),
            NotNull(("tau",), unless="n == 1", nvidia="crash"),
        ),
        paths=(Path(call="rocsolver_{t}", args={"ipiv": "tau"}),),
        work=Work(arg="work", size="lwork"),
        args={"A": Mat(rows="n", cols="n", ld="lda", dir=INOUT), "tau": Vec(n="n - 1"), "work": WORK, "info": INFO},
        oracle=orgtr,
        compare=Residual(fn=orgtr_residual),
        sweep=Sweep(
            base={"uplo": "LOWER", "n": 33},
            grid={"uplo": ("LOWER", "UPPER"), "n": ORDERS},
            classes=("random",),
            make=tridiagonal_reflectors,
        ),
        source="cuSOLVER 2.4.2.14; LAPACK xORGTR, xUNGTR",
    ),
    Row(
        symbols="cusolverDn{T}_bufferSize",
        kind=ADAPTED,
        T=ORMTR,
        steps=(Handle(), NotNull(("lwork",), nvidia="crash")),
        paths=(
            Path(
                call="rocsolver_{t}",
                args={
                    "side": "rocblas_side_right if side == RIGHT else rocblas_side_left",
                    "uplo": "rocblas_fill_lower",
                    "trans": "rocblas_operation_none",
                    "m": "max(m, 0)",
                    "n": "max(n, 0)",
                    "lda": "max(1, n if side == RIGHT else m)",
                    "ldc": "max(1, m)",
                },
            ),
        ),
        size=Size(arg="lwork"),
        args={"A": UNREAD, "tau": UNREAD, "C": UNREAD, "lwork": SIZE},
        differs={"handle= and success,": "answers without looking at the handle"},
        source="cuSOLVER 2.4.2.13; measured: sizes are not looked at",
    ),
    Row(
        symbols="cusolverDn{T}",
        kind=ADAPTED,
        T=ORMTR,
        steps=(
            Handle(),
            DeviceInfo("info"),
            Check("trans in (N, C) if complex_type else trans in (N, T)", 3),
            Check("side in (LEFT, RIGHT)", 1),
            Check("uplo in (LOWER, UPPER)", 2),
            Check("m >= 0", 4),
            Check("n >= 0", 5),
            Check("lda >= max(1, m if side == LEFT else n)", 7),
            Check("ldc >= max(1, m)", 10),
            Quick("m == 0 or n == 0"),
            NotNull(("A", "C"), nvidia="crash"),
            NotNull(("tau",), unless="(m if side == LEFT else n) == 1", nvidia="crash"),
        ),
        paths=(Path(call="rocsolver_{t}", args={"ipiv": "tau"}),),
        work=Work(arg="work", size="lwork"),
        args={
            "A": Mat(rows="m if side == LEFT else n", cols="m if side == LEFT else n", ld="lda"),
            "tau": Vec(n="(m if side == LEFT else n) - 1"),
            "C": Mat(rows="m", cols="n", ld="ldc", dir=INOUT),
            "work": WORK,
            "info": INFO,
        },
        oracle=ormtr,
        compare=Residual(fn=ormtr_residual),
        sweep=Sweep(
            base={"side": "LEFT", "uplo": "LOWER", "trans": "N", "m": 17, "n": 5},
            grid={
                "side": ("LEFT", "RIGHT"),
                "uplo": ("LOWER", "UPPER"),
                "m n": ((1, 1), (0, 3), (3, 0), (2, 5), (33, 7), (7, 33), (64, 64)),
            },
            vary={"trans": ("T", "C")},
            classes=("random",),
            make=tridiagonal_reflectors,
        ),
        source="cuSOLVER 2.4.2.13; LAPACK xORMTR, xUNMTR",
    ),
)
