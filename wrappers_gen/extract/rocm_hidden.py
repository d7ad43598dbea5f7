"""Parameters of the functions that rocSOLVER exports for hipSOLVER and hipBLAS without declaring them, and of two
families that only its own tests call.

``T`` is the scalar type, ``R`` its real type; ``i`` is ``const rocblas_int``, ``l`` ``const int64_t``, ``s`` ``const
rocblas_stride``, ``i*`` a pointer to rocblas_int. Any other word is a type of rocBLAS or rocSOLVER, passed as const.
"""

from __future__ import annotations

import re

_SVD = "svect left_svect, svect right_svect"
FAMILIES: dict[str, str] = {
    "geqrf_ptr_batched": "i m, i n, T*[] A, i lda, T*[] tau, i batch_count",
    "gesv_outofplace": "i n, i nrhs, T* A, i lda, i* ipiv, T* B, i ldb, T* X, i ldx, i* info",
    "gels_outofplace": "operation trans, i m, i n, i nrhs, T* A, i lda, T* B, i ldb, T* X, i ldx, i* info",
    "syevdx_inplace": "evect evect, erange erange, fill uplo, i n, T* A, i lda, R vl, R vu, i il, i iu, R abstol, "
                      "i* nev, R* W, i* info",
    "sygvdx_inplace": "eform itype, evect evect, erange erange, fill uplo, i n, T* A, i lda, T* B, i ldb, R vl, R vu, "
                      "i il, i iu, R abstol, i* h_nev, R* W, i* info",
    "gesvdj_notransv": f"{_SVD}, i m, i n, T* A, i lda, R abstol, R* residual, i max_sweeps, i* n_sweeps, R* S, T* U, "
                       "i ldu, T* V, i ldv, i* info",
    "gesvdj_notransv_strided_batched": f"{_SVD}, i m, i n, T* A, i lda, s strideA, R abstol, R* residual, "
                                       "i max_sweeps, i* n_sweeps, R* S, s strideS, T* U, i ldu, s strideU, T* V, "
                                       "i ldv, s strideV, i* info, i batch_count",
    "gesvdx_notransv_strided_batched": f"{_SVD}, srange srange, i m, i n, T* A, i lda, s strideA, R vl, R vu, i il, "
                                       "i iu, i* nsv, R* S, s strideS, T* U, i ldu, s strideU, T* V, i ldv, "
                                       "s strideV, i* ifail, s strideF, i* info, i batch_count",
    "getrf_info32": "l m, l n, T* A, l lda, l* ipiv, i* info",
    "getrf_npvt_info32": "l m, l n, T* A, l lda, i* info",
    "potrf_info32": "fill uplo, l n, T* A, l lda, i* info",
    "stedcj": "evect evect, i n, R* D, R* E, T* C, i ldc, i* info",
    "stedcx": "evect evect, erange erange, i n, R vl, R vu, i il, i iu, R* D, R* E, i* nev, R* W, T* C, i ldc, i* info",
}
#: exported, but used by AMD's own tests only
TESTED_ONLY = tuple(f"rocsolver_{t}{family}" for family in ("stedcj", "stedcx") for t in "cdsz")
_SCALAR = {"s": ("float", "float"), "d": ("double", "double"), "c": ("rocblas_float_complex", "float"),
           "z": ("rocblas_double_complex", "double")}
_INTEGERS = {"i": ("rocblas_int", "int"), "l": ("int64_t", "long"), "s": ("rocblas_stride", "long")}


def parameters(name: str) -> list[list[str]]:
    """[[name, type, canonical type], ...] of a hidden function; empty where they are not known."""
    match = re.fullmatch(r"rocsolver_([sdcz])(\w+)", name)
    if not match:
        return []
    family = FAMILIES.get(re.sub(r"^he(?=evdx|gvdx)", "sy", match[2]))
    if family is None:
        return []
    out = [["handle", "rocblas_handle", "struct _rocblas_handle *"]]
    for text in family.split(", "):
        kind, parameter = text.split()
        out.append([parameter, *_types(kind, *_SCALAR[match[1]])])
    return out


def _types(kind: str, scalar: str, real: str) -> tuple[str, str]:
    base, tail = re.fullmatch(r"(\w+)(.*)", kind).groups()  # type: ignore[union-attr]
    if base in "TR":
        spelled = canon = scalar if base == "T" else real
    elif base in _INTEGERS:
        spelled, canon = _INTEGERS[base]
    else:
        spelled, canon = f"rocblas_{base}", f"enum rocblas_{base}_"
    if tail == "*[]":
        return f"{spelled} *const[]", f"{canon} *const[]"
    if tail == "*":
        return f"{spelled} *", f"{canon} *"
    return f"const {spelled}", f"const {canon}"
