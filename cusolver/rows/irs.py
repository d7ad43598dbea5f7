"""gesv and gels with iterative refinement, in every mixture of precisions.

The first letter is the precision of the matrices and of the solution; the second the lowest one that may be computed
in. Here every factorisation is of the first letter's precision: LU, and corrections with the same factors, so that a
solution is never worse than asked for and the count of corrections is one or two. Least squares are solved by QR, which
NVIDIA's own functions report as their fallback: minus the number of allowed iterations.

A matrix that is singular or not finite is SUCCESS with info 0 and -5 iterations; A then holds its factors. Bad
arguments are IRS_PARAMS_INVALID, with info on the device.
"""

from __future__ import annotations

from scale_x.wrappers_gen.rows import NATIVE, Check, DeviceInfo, Handle, NotNull, Quick, Row

TITLE = "Iterative refinement"

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
_DIFFERS = "differs: factors of the lowest precision, so more iterations, and other ones where A is ill-conditioned"
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
NO_SIZE = Quick("n == 0 or nrhs == 0", zero=("lwork_bytes",))

ROWS = (
    Row(
        symbols="cusolverDn{T}gesv_bufferSize",
        kind=NATIVE,
        T=PAIRS,
        why="what the call below takes, in bytes",
        steps=(Handle(), SIZE, *GESV_CHECKS, NO_SIZE),
        native="sx_irs_{T}_gesv_size",
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDn{T}gesv",
        kind=NATIVE,
        T=PAIRS,
        why=_WHY,
        steps=(Handle(nvidia="crash"), DeviceInfo("d_info"), *GESV_CHECKS, NOTHING, OPERANDS),
        native="sx_irs_{T}_gesv",
        nvidia=_DIFFERS,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDn{T}gels_bufferSize",
        kind=NATIVE,
        T=PAIRS,
        why="what the call below takes, in bytes",
        steps=(Handle(nvidia="crash"), SIZE, *GELS_CHECKS, NO_SIZE),
        native="sx_irs_{T}_gels_size",
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
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnIRSXgesv_bufferSize",
        kind=NATIVE,
        why="what the call below takes, in bytes",
        steps=(
            Handle(),
            NotNull(("params",), status="IRS_PARAMS_NOT_INITIALIZED"),
            SIZE,
            Check("n >= 0", status=INVALID),
            Check("nrhs >= 0", status=INVALID),
        ),
        native="sx_irs_x_gesv_size",
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
        nvidia=_DIFFERS,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnIRSXgels_bufferSize",
        kind=NATIVE,
        why="what the call below takes, in bytes",
        steps=(
            Handle(),
            NotNull(("params",), status="IRS_PARAMS_NOT_INITIALIZED"),
            SIZE,
            Check("m >= 0", status=INVALID),
            Check("n >= 0 and m >= n", status=INVALID),
            Check("nrhs >= 0", status=INVALID),
        ),
        native="sx_irs_x_gels_size",
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
            Check("n >= 0 and m >= n", 4, status=INVALID),
            Check("nrhs >= 0", 5, status=INVALID),
            Check("ldda >= max(1, m)", 7, status=INVALID),
            Check("lddb >= max(1, m)", 9, status=INVALID),
            Check("lddx >= max(1, n)", 11, status=INVALID),
            NOTHING,
            X_OPERANDS,
        ),
        native="sx_irs_x_gels",
        source=SOURCE,
    ),
)
