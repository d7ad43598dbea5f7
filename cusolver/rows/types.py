"""cuSOLVER's enumerators and statuses beside rocBLAS's and rocSOLVER's; what it shares with cuBLAS is written there."""

from __future__ import annotations

from scale_x.cublas.rows.types import ENUMS as CUBLAS
from scale_x.wrappers_gen.rows import EnumMap, StatusMap

_SHARED = ("cublasOperation_t", "cublasFillMode_t", "cublasDiagType_t", "cublasSideMode_t", "cudaDataType_t")

ENUMS = (
    *(e for e in CUBLAS if e.cuda in _SHARED),
    EnumMap(
        cuda="cusolverEigMode_t",
        rocm="rocblas_evect",
        values={
            "CUSOLVER_EIG_MODE_NOVECTOR": "rocblas_evect_none",
            "CUSOLVER_EIG_MODE_VECTOR": "rocblas_evect_original",
        },
        short={"NOVECTOR": "CUSOLVER_EIG_MODE_NOVECTOR", "VECTOR": "CUSOLVER_EIG_MODE_VECTOR"},
    ),
    EnumMap(
        cuda="cusolverEigType_t",
        rocm="rocblas_eform",
        values={
            "CUSOLVER_EIG_TYPE_1": "rocblas_eform_ax",
            "CUSOLVER_EIG_TYPE_2": "rocblas_eform_abx",
            "CUSOLVER_EIG_TYPE_3": "rocblas_eform_bax",
        },
        short={"TYPE_1": "CUSOLVER_EIG_TYPE_1", "TYPE_2": "CUSOLVER_EIG_TYPE_2", "TYPE_3": "CUSOLVER_EIG_TYPE_3"},
    ),
    EnumMap(
        cuda="cusolverEigRange_t",
        rocm="rocblas_erange",
        values={
            "CUSOLVER_EIG_RANGE_ALL": "rocblas_erange_all",
            "CUSOLVER_EIG_RANGE_I": "rocblas_erange_index",
            "CUSOLVER_EIG_RANGE_V": "rocblas_erange_value",
        },
        short={
            "RANGE_ALL": "CUSOLVER_EIG_RANGE_ALL",
            "RANGE_I": "CUSOLVER_EIG_RANGE_I",
            "RANGE_V": "CUSOLVER_EIG_RANGE_V",
        },
    ),
)

STATUS = StatusMap(
    cuda="cusolverStatus_t",
    rocm="rocblas_status",
    prefix="CUSOLVER_STATUS_",
    values={
        "rocblas_status_success": "CUSOLVER_STATUS_SUCCESS",
        # these three tell about speed and workspace: the result is there
        "rocblas_status_perf_degraded": "CUSOLVER_STATUS_SUCCESS",
        "rocblas_status_size_increased": "CUSOLVER_STATUS_SUCCESS",
        "rocblas_status_size_unchanged": "CUSOLVER_STATUS_SUCCESS",
        "rocblas_status_invalid_handle": "CUSOLVER_STATUS_NOT_INITIALIZED",
        "rocblas_status_not_implemented": "CUSOLVER_STATUS_NOT_SUPPORTED",
        "rocblas_status_excluded_from_build": "CUSOLVER_STATUS_NOT_SUPPORTED",
        "rocblas_status_invalid_pointer": "CUSOLVER_STATUS_INVALID_VALUE",
        "rocblas_status_invalid_size": "CUSOLVER_STATUS_INVALID_VALUE",
        "rocblas_status_invalid_value": "CUSOLVER_STATUS_INVALID_VALUE",
        "rocblas_status_memory_error": "CUSOLVER_STATUS_ALLOC_FAILED",
        "rocblas_status_arch_mismatch": "CUSOLVER_STATUS_ARCH_MISMATCH",
        # rocSOLVER answers this when HIP refuses what it does, a synchronisation in a capture for one
        "rocblas_status_internal_error": "CUSOLVER_STATUS_EXECUTION_FAILED",
    },
    default="CUSOLVER_STATUS_INTERNAL_ERROR",
)
