"""cusolverMg: matrices in blocks of columns on several devices.

**Nothing is distributed but the storage.** AMD has no library of this kind. A function gathers the columns it works on
onto the handle's first device, calls this project's cusolverDn there (rocSOLVER), and scatters the result: right
answers, the speed and the memory of one device. The matrix must fit on it. The program's workspace on that device is
used when it is as large as the size function says, memory of the call's own otherwise. A call waits for all devices
of the grid and is refused while one of them captures.

Column j of a matrix lies in block j / colBlockSize, block k on device k mod G as its block k / G, with a leading
dimension of numRows; rows are not divided (rowBlockSize is numRows). Pivots lie like a matrix of one row, at JA, and
count from IA.

Statuses were measured on NVIDIA's library (CUDA 13, two H200): LOWER only, TRANS N only, getrs with IA = JA = IB = 1,
syevd with IA = JA = 1; a workspace size too small is not looked at; a matrix that is not positive definite is
INTERNAL_ERROR with info. NVIDIA's dies of NULL and of handles without devices (here NOT_INITIALIZED and INVALID_VALUE),
calls potrf and potrs of order 0 INTERNAL_ERROR (here SUCCESS), and fails on types that this library computes.
Tested in tests/test_cusolvermg.py.
"""

from __future__ import annotations

from scale_x.wrappers_gen.rows import NATIVE, Row

TITLE = "cusolverMg: several devices"

_WHY = "gathered on one device, solved by cusolverDn there, scattered: not distributed"

ROWS = (
    Row(
        symbols="cusolverMg{T}",
        T=(
            "Create",
            "Destroy",
            "DeviceSelect",
            "CreateDeviceGrid",
            "DestroyGrid",
            "CreateMatrixDesc",
            "DestroyMatrixDesc",
        ),
        kind=NATIVE,
        why="slots of core with lists of devices",
        native="sx_cusolverMg{T}",
        source="cuSOLVER: cusolverMgCreate and kin",
    ),
    Row(
        symbols="cusolverMg{T}_bufferSize",
        T=("Getrf", "Getrs", "Potrf", "Potrs", "Potri", "Syevd"),
        kind=NATIVE,
        why="room for the whole on one device",
        native="sx_cusolverMg{T}_bufferSize",
        source="cuSOLVER: cusolverMgGetrf_bufferSize and kin",
    ),
    Row(
        symbols="cusolverMg{T}",
        T=("Getrf", "Getrs", "Potrf", "Potrs", "Potri", "Syevd"),
        kind=NATIVE,
        why=_WHY,
        native="sx_cusolverMg{T}",
        capture="refuse",
        source="cuSOLVER: cusolverMgGetrf and kin",
    ),
)
