"""What the pages of the 64-bit API share: its types, its two workspaces, its info (not a page: no rows)."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from scale_x.wrappers_gen.rows import INOUT, OUT, Buf, Check, DeviceInfo, Handle, Mat, NotNull, Scalar

SOURCE = "cuSOLVER 2.4.5, 64-bit API"
ELEMENT = "dataTypeA in (R_32F, R_64F, C_32F, C_64F)"
#: the real type of A's
REAL = "R_32F if dataTypeA in (R_32F, C_32F) else R_64F"
#: three ways in which types are refused: with info 0, in silence, as "not supported"
TYPE = Check(ELEMENT, 0)
COMPUTE = Check("computeType == dataTypeA", 0)
EIGENVALUES = Check(f"dataTypeW == ({REAL})", 0)
TYPE_UNHEARD = Check(ELEMENT)
RIGHT_SIDES_UNHEARD = Check("dataTypeB == dataTypeA")

HANDLE = Handle()
INFO = DeviceInfo("info")
PART = "uplo in (LOWER, UPPER)"
RANGE = "range in (RANGE_ALL, RANGE_I, RANGE_V)"
JOB = "jobz in (NOVECTOR, VECTOR)"

SIZE_STEPS = (HANDLE, NotNull(("workspaceInBytesOnDevice", "workspaceInBytesOnHost"), nvidia="crash"))
SIZES = {
    "workspaceInBytesOnDevice": Scalar(T="L", dir=OUT, host=True),
    "workspaceInBytesOnHost": Scalar(T="L", dir=OUT, host=True),
}
INFO_ARG = {"info": Buf(count="1", T="I", dir=OUT)}
#: A and what is computed in, for sweeps
TYPES = (("R_32F", "R_32F"), ("R_64F", "R_64F"), ("C_32F", "C_32F"), ("C_64F", "C_64F"))
#: A, W and what is computed in; and in other orders, for other functions
TYPES_W = (
    ("R_32F", "R_32F", "R_32F"),
    ("R_64F", "R_64F", "R_64F"),
    ("C_32F", "R_32F", "C_32F"),
    ("C_64F", "R_64F", "C_64F"),
)
TYPES_Z = tuple((r, t, t) for t, r, _ in TYPES_W)
TYPES_SVD = tuple((t, r, t, t, t) for t, r, _ in TYPES_W)
TYPES_PENCIL = tuple((t, t, r, t) for t, r, _ in TYPES_W)
#: of Xgeev, whose W is of A's type or complex
TYPES_GEEV = tuple(
    (t, w, t, t, t)
    for t, w in (
        ("R_32F", "R_32F"),
        ("R_32F", "C_32F"),
        ("R_64F", "R_64F"),
        ("R_64F", "C_64F"),
        ("C_32F", "C_32F"),
        ("C_64F", "C_64F"),
    )
)
TYPES_3 = tuple((t, t, t) for t, _ in TYPES)
TYPES_4 = tuple((t, t, t, t) for t, _ in TYPES)
DEVICE, HOST = "workspaceInBytesOnDevice", "workspaceInBytesOnHost"
WHOLE = Mat(rows="n", cols="n", ld="lda", T="dataTypeA", dir=INOUT)
ONE_INFO = Buf(count="1", T="I", dir=OUT)
BOUND = Scalar(T="dataTypeW", host=True)
COUNT = Scalar(T="L", dir=OUT, host=True)
UNHANDLED = "answers without looking at the handle"
WHY_SIZE = "what the call below takes, in bytes; nothing on the host"


def typed(a: Any, **names: str) -> Any:
    """An oracle's arguments as the typed function calls them: ``typed(a, devInfo="info")``."""
    out = SimpleNamespace(**vars(a))
    for theirs, ours in names.items():
        if hasattr(a, ours):
            setattr(out, theirs, getattr(a, ours))
    out.nulls = frozenset({ours: theirs for theirs, ours in names.items()}.get(n, n) for n in a.nulls)
    return out


def back(results: Mapping[str, Any], **names: str) -> dict[str, Any]:
    """Results of the typed function's oracle by the names here, the same way round as in :func:`typed`."""
    return {names.get(n, n): value for n, value in results.items()}


def forth(results: Mapping[str, Any], **names: str) -> dict[str, Any]:
    """What came back, by the typed function's names."""
    theirs = {ours: name for name, ours in names.items()}
    return {theirs.get(n, n): value for n, value in results.items()}


def member(a: Any, **arrays: Any) -> Any:
    """An oracle's arguments for one matrix of a batch."""
    return SimpleNamespace(**{**vars(a), **arrays})
