"""Singular values by the 64-bit API: Xgesvd (bidiagonal), Xgesvdp (polar), Xgesvdr (randomised).

Xgesvd numbers its arguments as the typed gesvd does and wants m >= n. Xgesvdp solves wide matrices by their transpose
and numbers U and V accordingly; its V is no V^H. Xgesvdr names the last of several bad arguments, NULL pointers among
them.
"""

from __future__ import annotations

from scale_x.cusolver.rows._x import ELEMENT, HANDLE, INFO, JOB, REAL, SIZE_STEPS, SIZES, SOURCE, WHY_SIZE
from scale_x.wrappers_gen.rows import NATIVE, Check, DeviceInfo, NotNull, Quick, Row, Zero

TITLE = "64-bit API: singular values"

#: 65 A, 83 S, 79 O, 78 N
JOBS = "(65, 83, 79, 78)"
TYPE = Check(ELEMENT)
COMPUTE = Check("computeType == dataTypeA")
SKETCH = "(83, 78)"

ROWS = (
    Row(
        symbols="cusolverDnXgesvd_bufferSize",
        kind=NATIVE,
        why=WHY_SIZE,
        steps=SIZE_STEPS,
        native="sx_x_gesvd_size",
        args=SIZES,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXgesvd",
        kind=NATIVE,
        why="cusolverDn<t>gesvd of the type",
        steps=(
            HANDLE,
            INFO,
            TYPE,
            Check(f"dataTypeS == ({REAL})"),
            Check("dataTypeU == dataTypeA"),
            Check("dataTypeVT == dataTypeA"),
            COMPUTE,
            Check(f"jobu in {JOBS}", 1),
            Check(f"jobvt in {JOBS}", 2),
            Check("jobu != 79 or jobvt != 79", 2),
            Check("m >= 0", 3),
            Check("n >= 0", 4),
            Check("m >= n or m == 0"),
            Check("lda >= max(1, m)", 6),
            Check("ldu >= (max(1, m) if jobu in (65, 83) else 1)", 9),
            Check("ldvt >= (max(1, n) if jobvt in (65, 83) else 1)", 11),
            Quick("m == 0 or n == 0"),
            NotNull(("A", "S"), nvidia="crash"),
            NotNull(("U",), unless="jobu in (79, 78)", nvidia="crash"),
            NotNull(("VT",), unless="jobvt in (79, 78)", nvidia="crash"),
        ),
        native="sx_x_gesvd",
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXgesvdp_bufferSize",
        kind=NATIVE,
        why=WHY_SIZE,
        steps=SIZE_STEPS,
        native="sx_x_gesvdp_size",
        args=SIZES,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXgesvdp",
        kind=NATIVE,
        why="rocsolver_<t>gesvd, and V from its V^H by geam; nothing is perturbed, so h_err_sigma is 0",
        steps=(
            TYPE,
            Check(f"dataTypeS == ({REAL})"),
            Check("dataTypeU == dataTypeA"),
            Check("dataTypeV == dataTypeA"),
            COMPUTE,
            Check("n >= 0"),
            Check("m >= 0", nvidia="crash"),
            Check("m >= n or lda >= max(1, m)"),
            Zero(("h_err_sigma",)),
            HANDLE,
            DeviceInfo("d_info"),
            Check(JOB, 1),
            Check("m < n or lda >= max(1, m)", 6),
            Check("m < n or ldu >= max(1, m)", 9),
            Check("m < n or ldv >= max(1, n)", 11),
            Check("m >= n or ldv >= max(1, n)", 9),
            Check("m >= n or ldu >= max(1, m)", 11),
            NotNull(("bufferOnDevice",), number=12),
            Quick("m == 0 or n == 0"),
            NotNull(("A", "S", "d_info"), nvidia="crash"),
            NotNull(("U", "V"), unless="jobz == NOVECTOR", nvidia="crash"),
        ),
        native="sx_x_gesvdp",
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXgesvdr_bufferSize",
        kind=NATIVE,
        why="what the call below takes, in bytes; on the host the random numbers",
        steps=(
            *SIZE_STEPS,
            TYPE,
            COMPUTE,
            Check(f"dataTypeSrand == ({REAL})"),
            Check("dataTypeUrand == dataTypeA"),
            Check("dataTypeVrand == dataTypeA"),
            Check(f"jobu in {SKETCH}"),
            Check(f"jobv in {SKETCH}"),
            Check("k >= 0"),
            Check("p >= 0"),
            Check("m >= 0"),
            Check("n >= 0"),
            Check("niters >= 0"),
            Check("k + p <= min(m, n)"),
            Check("lda >= max(1, m)"),
            Check("ldUrand >= max(1, m)"),
            Check("ldVrand >= max(1, n)"),
        ),
        native="sx_x_gesvdr_size",
        args=SIZES,
        source=SOURCE,
    ),
    Row(
        symbols="cusolverDnXgesvdr",
        kind=NATIVE,
        why="a randomised range finder of rocBLAS's gemm and rocSOLVER's QR, then rocsolver_<t>gesvd of what is left",
        steps=(
            HANDLE,
            DeviceInfo("d_info"),
            NotNull(("bufferOnHost",), number=23),
            NotNull(("bufferOnDevice",), number=21),
            Check("computeType == dataTypeA or not dataTypeA in (R_32F, R_64F, C_32F, C_64F)", 20),
            Check("ldVrand >= max(1, n)", 19),
            NotNull(("Vrand",), number=18),
            Check("dataTypeVrand in (R_32F, R_64F, C_32F, C_64F)", 17),
            Check("ldUrand >= max(1, m)", 16),
            NotNull(("Urand",), number=15),
            Check("dataTypeUrand in (R_32F, R_64F, C_32F, C_64F)", 14),
            NotNull(("Srand",), number=13),
            Check("dataTypeSrand in (R_32F, R_64F)", 12),
            Check("lda >= m", 11),
            NotNull(("A",), number=10),
            Check(ELEMENT, 9),
            Check("dataTypeVrand == dataTypeA", 17),
            Check("dataTypeUrand == dataTypeA", 14),
            Check(f"dataTypeSrand == ({REAL})", 12),
            Check("niters >= 0", 8),
            Check("p >= 0", 7),
            Check("k + p <= min(m, n)", 7),
            Check("k >= 0", 6),
            Check("n >= 0", 5),
            Check("m >= 0", 4),
            Check(f"jobv in {SKETCH}", 3),
            Check(f"jobu in {SKETCH}", 2),
            Quick("k == 0"),
            NotNull(("d_info",), nvidia="crash"),
        ),
        native="sx_x_gesvdr",
        source=SOURCE + "; Halko, Martinsson, Tropp: Finding structure with randomness, 2011",
    ),
)
