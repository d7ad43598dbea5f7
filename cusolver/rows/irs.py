"""gesv and gels with iterative refinement, in every mixture of precisions.

The first letter is the precision of the matrices and of the solution; the second the lowest one that may be computed
in. Here every factorisation is of the first letter's precision: LU, and corrections with the same factors, so that a
solution is never worse than asked for and the count of corrections is one or two. Least squares are solved by QR, which
NVIDIA's own functions report as their fallback: minus the number of allowed iterations.

A matrix that is singular or not finite is SUCCESS with info 0 and -5 iterations; A then holds its factors. Bad
arguments are IRS_PARAMS_INVALID, with info on the device.
"""

from __future__ import annotations

from typing import Any

from scale_x.cusolver.rows._linalg import finite, norm, solve_error
from scale_x.cusolver.rows._matrices import gaussian
from scale_x.cusolver.rows._matrices import general as any_general
from scale_x.cusolver.rows._x import back, forth
from scale_x.wrappers_gen.rows import (
    INOUT,
    NATIVE,
    OUT,
    Arg,
    Buf,
    Check,
    DeviceInfo,
    Handle,
    Mat,
    NotNull,
    Ops,
    Quick,
    Residual,
    Row,
    Scalar,
    Scratch,
    Sweep,
    lazy,
)

np = lazy("numpy")

TITLE = "Iterative refinement"


def gesv(a: Any) -> dict[str, Any]:
    """X of A X = B; A is kept."""
    return {"dA": a.dA, "dX": np.linalg.solve(a.dA, a.dB), "iter": 1, "d_info": 0}


def gesv_residual(a: Any, got: Any) -> float:
    """|A X - B| / (n |A| |X| eps), with A kept and some count of iterations; -5 of them, and A changed, for a matrix
    that is singular or not finite."""
    count, kept = int(np.ravel(got["iter"])[0]), bool(np.array_equal(got["dA"], a.dA, equal_nan=True))
    if got["d_info"][0] != 0 or count > 50:
        return np.inf
    broken = not finite(a.dA) or (np.linalg.matrix_rank(a.dA) < a.n if a.n else False)
    if count < 0:
        return 0.0 if broken and count == -5 else np.inf
    if not finite(a.dA) or not kept:
        return np.inf
    return solve_error(a.dA, got["dX"], a.dB, a.eps)


def square(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """Matrices with the singular values of a class; "singular": with a column of zeros."""
    m = any_general(rng, "random" if kind == "singular" else kind, a.n, a.n, a.letter)
    if kind == "singular" and a.n:
        m[:, a.n // 2] = 0
    return {"dA": m, "dB": gaussian(rng, (a.n, a.nrhs), a.letter)}


def gels(a: Any) -> dict[str, Any]:
    """X of the least |A X - B|, m >= n."""
    return {"dX": np.linalg.lstsq(a.dA, a.dB, rcond=None)[0], "iter": -50, "d_info": 0}


def gels_residual(a: Any, got: Any) -> float:
    """|A^H (A X - B)| / (m |A| (|A| |X| + |B|) eps): the residual stands on A's columns."""
    x, adjoint = got["dX"], a.dA.conj().T
    if got["d_info"][0] != 0 or int(np.ravel(got["iter"])[0]) not in (-5, -50):
        return np.inf
    error = float(np.abs(adjoint @ (a.dA @ x - a.dB)).sum(axis=0).max(initial=0.0))
    size = norm(adjoint) * (norm(a.dA) * norm(x) + norm(a.dB)) * max(a.m, 1) * a.eps
    return error / size


def x_gesv(a: Any) -> dict[str, Any]:
    """X of A X = B, in the double precision that the object of parameters says."""
    return back(gesv(a), iter="niters")


def x_gesv_residual(a: Any, got: Any) -> float:
    """|A X - B| / (n |A| |X| eps), as of the typed function."""
    return gesv_residual(a, forth(got, iter="niters"))


def x_gels(a: Any) -> dict[str, Any]:
    """X of the least |A X - B|, in double precision."""
    return back(gels(a), iter="niters")


def x_gels_residual(a: Any, got: Any) -> float:
    """|A^H (A X - B)| / (m |A| (|A| |X| + |B|) eps), as of the typed function."""
    return gels_residual(a, forth(got, iter="niters"))


def tall(a: Any, kind: str, rng: Any) -> dict[str, Any]:
    """Matrices of full rank, with the singular values of a class."""
    return {"dA": any_general(rng, kind, a.m, a.n, a.letter), "dB": gaussian(rng, (a.m, a.nrhs), a.letter)}


PAIRS = {
    "ZZ": "Z", "ZC": "Z", "ZK": "Z", "ZE": "Z", "ZY": "Z",
    "CC": "C", "CK": "C", "CE": "C", "CY": "C",
    "DD": "D", "DS": "D", "DH": "D", "DB": "D", "DX": "D",
    "SS": "S", "SH": "S", "SB": "S", "SX": "S",
}  # fmt: skip
INVALID = "IRS_PARAMS_INVALID"
SOURCE = "cuSOLVER 2.4.2, cusolverDn<t1><t2>gesv and gels"
_WHY = "LU of rocSOLVER in the main precision, residuals by gemm, corrections with the same factors"
_WHY_LS = "rocsolver_<t>gels in the main precision"
_LOWEST = "factors of the lowest precision, so more iterations, and other ones where A is ill-conditioned or not finite"
_REFINED = {"(graded] or nan]) and residual:": _LOWEST}
_UNLOOKED = {
    "success,": "answers SUCCESS to sizes below 0 and short leading dimensions",
    "changed,": "reports to niters or to info where there is nothing to solve",
}
_SQUARE = "refines the solution of a square matrix, and counts the iterations as gesv does"
#: copies of A, B and the residual, the info, and B again for each of the 50 corrections that are allowed
REFINED = Ops(copies=55, syncs=1)
GESV_CHECKS = (
    Check("n >= 0", 1, status=INVALID),
    Check("nrhs >= 0", 2, status=INVALID),
    Check("ldda >= max(1, n)", 4, status=INVALID),
    Check("lddb >= max(1, n)", 7, status=INVALID),
    Check("lddx >= max(1, n)", 9, status=INVALID),
)
X_GESV_CHECKS = (
    Check("n >= 0", 3, status=INVALID),
    Check("nrhs >= 0", 4, status=INVALID),
    Check("ldda >= max(1, n)", 6, status=INVALID),
    Check("lddb >= max(1, n)", 8, status=INVALID),
    Check("lddx >= max(1, n)", 10, status=INVALID),
)
GELS_CHECKS = (
    Check("m >= 0", 1, status=INVALID),
    Check("n >= 0 and m >= n", 2, status=INVALID),
    Check("nrhs >= 0", 3, status=INVALID),
    Check("ldda >= max(1, m)", 5, status=INVALID),
    Check("lddb >= max(1, m)", 7, status=INVALID),
    Check("lddx >= max(1, n)", 9, status=INVALID),
)
#: what gels finds out before it looks at the handle
GELS_NOTHING = (
    "m >= n and n >= 0 and nrhs >= 0 and ldda >= max(1, m) and lddb >= max(1, m) and lddx >= max(1, n)"
    " and (n == 0 or nrhs == 0)"
)
OPERANDS = NotNull(("dA", "dB", "dX", "iter", "d_info"), nvidia="crash")
X_OPERANDS = NotNull(("dA", "dB", "dX", "d_info"), nvidia="crash")
NOTHING = Quick("n == 0 or nrhs == 0", info=None)
SIZE = NotNull(("lwork_bytes",), nvidia="crash")
LWORK: dict[str, Arg] = {"lwork_bytes": Scalar(T="L", dir=OUT, host=True)}
REPORT: dict[str, Arg] = {
    "iter": Scalar(T="I", dir=OUT, host=True),
    "d_info": Buf(count="1", T="I", dir=OUT),
}
NO_SIZE = Quick("n == 0 or nrhs == 0", zero=("lwork_bytes",))

ROWS = (
    Row(
        symbols="cusolverDn{T}gesv_bufferSize",
        kind=NATIVE,
        T=PAIRS,
        why="what the call below takes, in bytes",
        steps=(Handle(), SIZE, *GESV_CHECKS, NO_SIZE),
        native="sx_irs_{T}_gesv_size",
        args=LWORK,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDn{T}gesv",
        kind=NATIVE,
        T=PAIRS,
        why=_WHY,
        steps=(Handle(nvidia="crash"), DeviceInfo("d_info"), *GESV_CHECKS, NOTHING, OPERANDS),
        native="sx_irs_{T}_gesv",
        ops=REFINED,
        args={
            "dA": Mat(rows="n", cols="n", ld="ldda", dir=INOUT),
            "dipiv": Buf(count="n", T="I", dir=OUT),
            "dB": Mat(rows="n", cols="nrhs", ld="lddb"),
            "dX": Mat(rows="n", cols="nrhs", ld="lddx", dir=OUT),
            "dWorkspace": Scratch(query="cusolverDn{T}gesv_bufferSize", size="lwork_bytes", T="bytes"),
            **REPORT,
        },
        oracle=gesv,
        compare=Residual(fn=gesv_residual),
        sweep=Sweep(
            base={"n": 7, "nrhs": 2},
            grid={"n": (0, 1, 2, 3, 5, 31, 33, 100)},
            vary={"nrhs": (0, 1, 5, 33)},
            classes=("random", "big", "small", "identity", "graded", "clustered", "singular", "zero", "nan"),
            make=square,
        ),
        differs=_REFINED,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDn{T}gels_bufferSize",
        kind=NATIVE,
        T=PAIRS,
        why="what the call below takes, in bytes",
        steps=(Handle(nvidia="crash"), SIZE, *GELS_CHECKS, NO_SIZE),
        native="sx_irs_{T}_gels_size",
        args=LWORK,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDn{T}gels",
        kind=NATIVE,
        T=PAIRS,
        why=_WHY_LS,
        steps=(
            Quick(GELS_NOTHING),
            Handle(nvidia="crash"),
            DeviceInfo("d_info"),
            *GELS_CHECKS,
            OPERANDS,
        ),
        native="sx_irs_{T}_gels",
        ops=Ops(copies=3, syncs=1),
        args={
            "dA": Mat(rows="m", cols="n", ld="ldda", dir=INOUT),
            "dB": Mat(rows="m", cols="nrhs", ld="lddb"),
            "dX": Mat(rows="n", cols="nrhs", ld="lddx", dir=OUT),
            "dWorkspace": Scratch(query="cusolverDn{T}gels_bufferSize", size="lwork_bytes", T="bytes"),
            **REPORT,
        },
        oracle=gels,
        compare=Residual(fn=gels_residual),
        sweep=Sweep(
            base={"m": 9, "n": 5, "nrhs": 2},
            grid={"m n": ((0, 0), (3, 0), (1, 1), (5, 5), (31, 3), (33, 32), (100, 17))},
            vary={"nrhs": (0, 1, 5, 33)},
            classes=("random", "big", "small", "identity", "clustered"),
            make=tall,
        ),
        differs={"(m=1,n=1, or m=5,n=5,) and residual:": _SQUARE},
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnIRSXgesv_bufferSize",
        kind=NATIVE,
        why="what the call below takes, in bytes",
        steps=(
            Handle(nvidia="crash"),
            NotNull(("params",), status="IRS_PARAMS_NOT_INITIALIZED", nvidia="crash"),
            SIZE,
            Check("n >= 0", status=INVALID),
            Check("nrhs >= 0", status=INVALID),
        ),
        native="sx_irs_x_gesv_size",
        args=LWORK,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnIRSXgesv",
        kind=NATIVE,
        why=_WHY,
        steps=(
            Handle(nvidia="crash"),
            DeviceInfo("d_info"),
            NotNull(("gesv_irs_params",), status="IRS_PARAMS_NOT_INITIALIZED"),
            NotNull(("gesv_irs_infos",), status="IRS_INFOS_NOT_INITIALIZED"),
            *X_GESV_CHECKS,
            NOTHING,
            X_OPERANDS,
        ),
        native="sx_irs_x_gesv",
        ops=REFINED,
        differs=_REFINED | _UNLOOKED,
        args={
            "dA": Mat(rows="n", cols="n", ld="ldda", T="D", dir=INOUT),
            "dB": Mat(rows="n", cols="nrhs", ld="lddb", T="D"),
            "dX": Mat(rows="n", cols="nrhs", ld="lddx", T="D", dir=OUT),
            "dWorkspace": Scratch(query="cusolverDnIRSXgesv_bufferSize", size="lwork_bytes", T="bytes"),
            "niters": Scalar(T="I", dir=OUT, host=True),
            "d_info": Buf(count="1", T="I", dir=OUT),
        },
        oracle=x_gesv,
        compare=Residual(fn=x_gesv_residual),
        sweep=Sweep(
            base={"n": 7, "nrhs": 2},
            grid={"n": (0, 1, 2, 3, 5, 31, 33, 100), "nrhs": (0, 1, 5)},
            classes=("random", "big", "small", "identity", "graded", "clustered", "singular", "zero", "nan"),
            make=square,
        ),
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnIRSXgels_bufferSize",
        kind=NATIVE,
        why="what the call below takes, in bytes",
        differs={"m=0, and success,": "takes fewer rows than columns"},
        steps=(
            Handle(nvidia="crash"),
            NotNull(("params",), status="IRS_PARAMS_NOT_INITIALIZED", nvidia="crash"),
            SIZE,
            Check("m >= 0", status=INVALID),
            Check("n >= 0 and m >= n", status=INVALID),
            Check("nrhs >= 0", status=INVALID),
        ),
        native="sx_irs_x_gels_size",
        args=LWORK,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnIRSXgels",
        kind=NATIVE,
        why=_WHY_LS,
        steps=(
            Handle(nvidia="crash"),
            DeviceInfo("d_info"),
            NotNull(("gels_irs_params",), status="IRS_PARAMS_NOT_INITIALIZED"),
            NotNull(("gels_irs_infos",), status="IRS_INFOS_NOT_INITIALIZED"),
            Check("m >= 0", 3, status=INVALID),
            Check("n >= 0 and m >= n", status="IRS_NOT_SUPPORTED"),
            Check("nrhs >= 0", 5, status=INVALID),
            Check("ldda >= max(1, m)", 7, status=INVALID),
            Check("lddb >= max(1, m)", 9, status=INVALID),
            Check("lddx >= max(1, n)", 11, status=INVALID),
            NOTHING,
            X_OPERANDS,
        ),
        native="sx_irs_x_gels",
        ops=Ops(copies=3, syncs=1),
        args={
            "dA": Mat(rows="m", cols="n", ld="ldda", T="D", dir=INOUT),
            "dB": Mat(rows="m", cols="nrhs", ld="lddb", T="D"),
            "dX": Mat(rows="n", cols="nrhs", ld="lddx", T="D", dir=OUT),
            "dWorkspace": Scratch(query="cusolverDnIRSXgels_bufferSize", size="lwork_bytes", T="bytes"),
            "niters": Scalar(T="I", dir=OUT, host=True),
            "d_info": Buf(count="1", T="I", dir=OUT),
        },
        oracle=x_gels,
        compare=Residual(fn=x_gels_residual),
        sweep=Sweep(
            base={"m": 9, "n": 5, "nrhs": 2},
            grid={"m n": ((0, 0), (3, 0), (1, 1), (5, 5), (31, 3), (33, 32), (100, 17)), "nrhs": (0, 1, 5)},
            classes=("random", "big", "small", "identity", "clustered"),
            make=tall,
        ),
        differs={
            "(m=1,n=1, or m=5,n=5,) and residual:": _SQUARE,
            **_UNLOOKED,
        },
        source=SOURCE + "; measured: fewer rows than columns are not supported",
    ),
)
