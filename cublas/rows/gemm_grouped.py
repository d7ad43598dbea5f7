"""gemm in groups of batches: each group has sizes, operations, leading dimensions and scalars of its own.

They stand in arrays on the host, one element per group, and are checked group by group with gemm's numbers (15 is a
group of negative size); nothing is computed unless all are right. The matrices of all groups follow each other in
arrays of pointers on the device. rocBLAS has no such function: one batched gemm per group. Device pointer mode is
NOT_SUPPORTED.
"""

from __future__ import annotations

from scale_x.wrappers_gen.rows import (
    IN,
    NATIVE,
    Arg,
    Buf,
    Check,
    Handle,
    NotNull,
    Quick,
    Row,
    Sweep,
)

TITLE = "gemm in groups"

HOST_ARRAYS = ("transa_array", "transb_array", "m_array", "n_array", "k_array", "lda_array", "ldb_array", "ldc_array")
GROUPS = (
    Check("group_count >= 0", 14),
    Check("host_mode", status="NOT_SUPPORTED"),
    Quick("group_count == 0"),
    NotNull((*HOST_ARRAYS, "alpha_array", "beta_array", "group_size", "Aarray", "Barray", "Carray"), nvidia="crash"),
)
TABLE = (
    "Atype == Btype and Atype == Ctype and ("
    "Atype == R_32F and computeType in (COMPUTE_32F, COMPUTE_32F_PEDANTIC, COMPUTE_32F_FAST_TF32)"
    " or Atype == R_64F and computeType == COMPUTE_64F"
    " or Atype in (R_16F, R_16BF) and computeType == COMPUTE_32F)"
)
# a negative number of groups has no first group to look at
DIFFERS = {"group_count=-": "reads the first group all the same, and names what is wrong in it"}
INTEGERS: dict[str, Arg] = {
    "transa_array": Buf(count="group_count", T="I", dir=IN, host=True),
    "transb_array": Buf(count="group_count", T="I", dir=IN, host=True),
}

ROWS = (
    Row(
        symbols="cublas{T}gemmGroupedBatched{_64}",
        kind=NATIVE,
        T="SD",
        xerbla="{T}gemmGroupedBatched",
        steps=(Handle(), *GROUPS),
        native="sx_gemm_grouped",
        args=INTEGERS,
        differs=DIFFERS,
        source="cuBLAS 2.7.5",
    ),
    Row(
        symbols="cublasGemmGroupedBatchedEx{_64}",
        kind=NATIVE,
        xerbla="GemmGroupedBatchedEx",
        steps=(Handle(), Check(TABLE, status="NOT_SUPPORTED"), *GROUPS),
        native="sx_gemm_grouped",
        args=INTEGERS,
        sweep=Sweep(base={"Atype": "R_32F", "Btype": "R_32F", "Ctype": "R_32F", "computeType": "COMPUTE_32F"}),
        differs=DIFFERS,
        source="cuBLAS 2.8.15",
    ),
)
