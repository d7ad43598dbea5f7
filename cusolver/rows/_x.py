"""What the pages of the 64-bit API share: its types, its two workspaces, its info (not a page: no rows)."""

from __future__ import annotations

from typing import Any

from scale_x.wrappers_gen.rows import OUT, Buf, Check, DeviceInfo, Handle, NotNull, Scalar, lazy

np = lazy("numpy")

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
JOB = "jobz in (NOVECTOR, VECTOR)"

SIZE_STEPS = (HANDLE, NotNull(("workspaceInBytesOnDevice", "workspaceInBytesOnHost"), nvidia="crash"))
SIZES = {
    "workspaceInBytesOnDevice": Scalar(T="L", dir=OUT, host=True),
    "workspaceInBytesOnHost": Scalar(T="L", dir=OUT, host=True),
}
INFO_ARG = {"info": Buf(count="1", T="I", dir=OUT)}
#: A and what is computed in, for sweeps
TYPES = (("R_32F", "R_32F"), ("R_64F", "R_64F"), ("C_32F", "C_32F"), ("C_64F", "C_64F"))
WHY_SIZE = "what the call below takes, in bytes; nothing on the host"


def eps_of(data_type: str) -> float:
    """The machine epsilon of a type."""
    return float(np.finfo(np.float32 if data_type in ("R_32F", "C_32F") else np.float64).eps)


def one_norm(a: Any) -> float:
    """The 1-norm; 1 where that is 0, as a divisor."""
    return float(np.abs(a).sum(axis=0).max(initial=0.0)) or 1.0
