"""nvblas: the Fortran names of BLAS-3, with and without the underscore, through cublasXt.

Large problems go to the devices of NVBLAS_GPU_LIST, small ones and what a device cannot take go to the routine of the
same name in NVBLAS_CPU_BLAS_LIB, which also reports bad arguments, as Fortran programs expect. Matrices are the host's.
What the routines compute is told on the level-3 pages; tests/test_nvblas.py compares each with NumPy.
"""

from __future__ import annotations

from scale_x.wrappers_gen.rows import NATIVE, Row

TITLE = "nvblas"

_SOURCE = "NVBLAS documentation; Reference BLAS"
_WHY = "cublasXt for large problems, the configured CPU BLAS for the rest"

ROWS = (
    Row(symbols="{t}gemm {t}gemm_", kind=NATIVE, T="SDCZ", why=_WHY, native="sx_nv_gemm", source=_SOURCE),
    Row(symbols="{t}symm {t}symm_", kind=NATIVE, T="SDCZ", why=_WHY, native="sx_nv_symm", source=_SOURCE),
    Row(symbols="{t}hemm {t}hemm_", kind=NATIVE, T="CZ", why=_WHY, native="sx_nv_hemm", source=_SOURCE),
    Row(symbols="{t}trmm {t}trmm_", kind=NATIVE, T="SDCZ", why=_WHY, native="sx_nv_trmm", source=_SOURCE),
    Row(symbols="{t}trsm {t}trsm_", kind=NATIVE, T="SDCZ", why=_WHY, native="sx_nv_trsm", source=_SOURCE),
    Row(symbols="{t}syrk {t}syrk_", kind=NATIVE, T="SDCZ", why=_WHY, native="sx_nv_syrk", source=_SOURCE),
    Row(symbols="{t}herk {t}herk_", kind=NATIVE, T="CZ", why=_WHY, native="sx_nv_herk", source=_SOURCE),
    Row(symbols="{t}syr2k {t}syr2k_", kind=NATIVE, T="SDCZ", why=_WHY, native="sx_nv_syr2k", source=_SOURCE),
    Row(symbols="{t}her2k {t}her2k_", kind=NATIVE, T="CZ", why=_WHY, native="sx_nv_her2k", source=_SOURCE),
)
