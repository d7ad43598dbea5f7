"""potrf"""

from __future__ import annotations

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
    Row,
    Scalar,
    Scratch,
    Size,
    Work,
)

TITLE = "Cholesky"

ROWS = (
    Row(
        symbols="cusolverDn{T}potrf_bufferSize",
        kind=ADAPTED,
        T="SDCZ",
        steps=(Handle(), NotNull(("Lwork",))),
        paths=(Path(call="rocsolver_{t}potrf"),),
        size=Size(arg="Lwork"),
        args={"A": Buf(count="0"), "Lwork": Scalar(T="I", dir=OUT, host=True)},
    ),
    Row(
        symbols="cusolverDn{T}potrf",
        kind=ADAPTED,
        T="SDCZ",
        steps=(
            Handle(nvidia="crash"),
            DeviceInfo("devInfo"),
            Check("uplo in (LOWER, UPPER)", 1),
            Check("n >= 0", 2),
            Check("lda >= max(1, n)", 4),
            NotNull(("devInfo",), nvidia="crash"),
            Quick("n == 0"),
            NotNull(("A",), nvidia="crash"),
        ),
        paths=(Path(call="rocsolver_{t}potrf", args={"info": "devInfo"}),),
        work=Work(arg="Workspace", size="Lwork"),
        args={
            "A": Mat(rows="n", cols="n", ld="lda", dir=INOUT, part="uplo"),
            "Workspace": Scratch(query="cusolverDn{T}potrf_bufferSize", size="Lwork"),
            "devInfo": Buf(count="1", T="I", dir=OUT),
        },
    ),
)
