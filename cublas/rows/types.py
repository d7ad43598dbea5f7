"""cuBLAS enumerators and statuses beside rocBLAS's, and the short names that expressions in rows use.

The numbers of the two libraries never agree (operations 0.. against 111.., the two triangles are swapped), so each
map is emitted as an explicit switch over names.
"""

from __future__ import annotations

from scale_x.wrappers_gen.rows import EnumMap, StatusMap

ENUMS = (
    EnumMap(
        cuda="cublasOperation_t",
        rocm="rocblas_operation",
        values={
            "CUBLAS_OP_N": "rocblas_operation_none",
            "CUBLAS_OP_T": "rocblas_operation_transpose",
            "CUBLAS_OP_C": "rocblas_operation_conjugate_transpose",
            # CUBLAS_OP_CONJG (conjugate, no transpose) has no counterpart: rows reject or compose it
        },
        short={"N": "CUBLAS_OP_N", "T": "CUBLAS_OP_T", "C": "CUBLAS_OP_C", "CONJ": "CUBLAS_OP_CONJG"},
    ),
    EnumMap(
        cuda="cublasFillMode_t",
        rocm="rocblas_fill",
        values={
            "CUBLAS_FILL_MODE_LOWER": "rocblas_fill_lower",
            "CUBLAS_FILL_MODE_UPPER": "rocblas_fill_upper",
            "CUBLAS_FILL_MODE_FULL": "rocblas_fill_full",
        },
        short={
            "LOWER": "CUBLAS_FILL_MODE_LOWER",
            "UPPER": "CUBLAS_FILL_MODE_UPPER",
            "FULL": "CUBLAS_FILL_MODE_FULL",
        },
    ),
    EnumMap(
        cuda="cublasDiagType_t",
        rocm="rocblas_diagonal",
        values={
            "CUBLAS_DIAG_NON_UNIT": "rocblas_diagonal_non_unit",
            "CUBLAS_DIAG_UNIT": "rocblas_diagonal_unit",
        },
        short={"NON_UNIT": "CUBLAS_DIAG_NON_UNIT", "UNIT": "CUBLAS_DIAG_UNIT"},
    ),
    EnumMap(
        cuda="cublasSideMode_t",
        rocm="rocblas_side",
        values={"CUBLAS_SIDE_LEFT": "rocblas_side_left", "CUBLAS_SIDE_RIGHT": "rocblas_side_right"},
        short={"LEFT": "CUBLAS_SIDE_LEFT", "RIGHT": "CUBLAS_SIDE_RIGHT"},
    ),
    EnumMap(
        cuda="cublasPointerMode_t",
        rocm="rocblas_pointer_mode",
        values={
            "CUBLAS_POINTER_MODE_HOST": "rocblas_pointer_mode_host",
            "CUBLAS_POINTER_MODE_DEVICE": "rocblas_pointer_mode_device",
        },
        short={"POINTER_HOST": "CUBLAS_POINTER_MODE_HOST", "POINTER_DEVICE": "CUBLAS_POINTER_MODE_DEVICE"},
    ),
    EnumMap(
        cuda="cublasAtomicsMode_t",
        rocm="rocblas_atomics_mode",
        values={
            "CUBLAS_ATOMICS_NOT_ALLOWED": "rocblas_atomics_not_allowed",
            "CUBLAS_ATOMICS_ALLOWED": "rocblas_atomics_allowed",
        },
        short={"ATOMICS_NOT_ALLOWED": "CUBLAS_ATOMICS_NOT_ALLOWED", "ATOMICS_ALLOWED": "CUBLAS_ATOMICS_ALLOWED"},
    ),
    EnumMap(
        cuda="cudaDataType_t",
        rocm="rocblas_datatype",
        values={
            "CUDA_R_16F": "rocblas_datatype_f16_r",
            "CUDA_C_16F": "rocblas_datatype_f16_c",
            "CUDA_R_16BF": "rocblas_datatype_bf16_r",
            "CUDA_C_16BF": "rocblas_datatype_bf16_c",
            "CUDA_R_32F": "rocblas_datatype_f32_r",
            "CUDA_C_32F": "rocblas_datatype_f32_c",
            "CUDA_R_64F": "rocblas_datatype_f64_r",
            "CUDA_C_64F": "rocblas_datatype_f64_c",
            "CUDA_R_8I": "rocblas_datatype_i8_r",
            "CUDA_C_8I": "rocblas_datatype_i8_c",
            "CUDA_R_8U": "rocblas_datatype_u8_r",
            "CUDA_C_8U": "rocblas_datatype_u8_c",
            "CUDA_R_32I": "rocblas_datatype_i32_r",
            "CUDA_C_32I": "rocblas_datatype_i32_c",
            "CUDA_R_32U": "rocblas_datatype_u32_r",
            "CUDA_C_32U": "rocblas_datatype_u32_c",
        },
        short={
            "R_16F": "CUDA_R_16F",
            "C_16F": "CUDA_C_16F",
            "R_16BF": "CUDA_R_16BF",
            "C_16BF": "CUDA_C_16BF",
            "R_32F": "CUDA_R_32F",
            "C_32F": "CUDA_C_32F",
            "R_64F": "CUDA_R_64F",
            "C_64F": "CUDA_C_64F",
            "R_8I": "CUDA_R_8I",
            "C_8I": "CUDA_C_8I",
            "R_8U": "CUDA_R_8U",
            "C_8U": "CUDA_C_8U",
            "R_32I": "CUDA_R_32I",
            "C_32I": "CUDA_C_32I",
            "R_32U": "CUDA_R_32U",
            "C_32U": "CUDA_C_32U",
        },
    ),
    EnumMap(
        cuda="cublasComputeType_t",
        rocm="rocblas_datatype",
        # Reduced-precision and emulated modes compute in full precision, which is at least as accurate. A complex
        # problem's compute type is its data type: such paths pass Ctype instead.
        values={
            "CUBLAS_COMPUTE_16F": "rocblas_datatype_f16_r",
            "CUBLAS_COMPUTE_16F_PEDANTIC": "rocblas_datatype_f16_r",
            "CUBLAS_COMPUTE_32F": "rocblas_datatype_f32_r",
            "CUBLAS_COMPUTE_32F_PEDANTIC": "rocblas_datatype_f32_r",
            "CUBLAS_COMPUTE_32F_FAST_16F": "rocblas_datatype_f32_r",
            "CUBLAS_COMPUTE_32F_FAST_16BF": "rocblas_datatype_f32_r",
            "CUBLAS_COMPUTE_32F_FAST_TF32": "rocblas_datatype_f32_r",
            "CUBLAS_COMPUTE_32F_EMULATED_16BFX9": "rocblas_datatype_f32_r",
            "CUBLAS_COMPUTE_64F": "rocblas_datatype_f64_r",
            "CUBLAS_COMPUTE_64F_PEDANTIC": "rocblas_datatype_f64_r",
            "CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT": "rocblas_datatype_f64_r",
            "CUBLAS_COMPUTE_32I": "rocblas_datatype_i32_r",
            "CUBLAS_COMPUTE_32I_PEDANTIC": "rocblas_datatype_i32_r",
        },
        short={
            "COMPUTE_16F": "CUBLAS_COMPUTE_16F",
            "COMPUTE_16F_PEDANTIC": "CUBLAS_COMPUTE_16F_PEDANTIC",
            "COMPUTE_32F": "CUBLAS_COMPUTE_32F",
            "COMPUTE_32F_PEDANTIC": "CUBLAS_COMPUTE_32F_PEDANTIC",
            "COMPUTE_32F_FAST_16F": "CUBLAS_COMPUTE_32F_FAST_16F",
            "COMPUTE_32F_FAST_16BF": "CUBLAS_COMPUTE_32F_FAST_16BF",
            "COMPUTE_32F_FAST_TF32": "CUBLAS_COMPUTE_32F_FAST_TF32",
            "COMPUTE_32F_EMULATED_16BFX9": "CUBLAS_COMPUTE_32F_EMULATED_16BFX9",
            "COMPUTE_64F": "CUBLAS_COMPUTE_64F",
            "COMPUTE_64F_PEDANTIC": "CUBLAS_COMPUTE_64F_PEDANTIC",
            "COMPUTE_64F_EMULATED_FIXEDPOINT": "CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT",
            "COMPUTE_32I": "CUBLAS_COMPUTE_32I",
            "COMPUTE_32I_PEDANTIC": "CUBLAS_COMPUTE_32I_PEDANTIC",
        },
    ),
)

STATUS = StatusMap(
    cuda="cublasStatus_t",
    rocm="rocblas_status",
    prefix="CUBLAS_STATUS_",
    values={
        "rocblas_status_success": "CUBLAS_STATUS_SUCCESS",
        # these three tell about speed and workspace: the result is there
        "rocblas_status_perf_degraded": "CUBLAS_STATUS_SUCCESS",
        "rocblas_status_size_increased": "CUBLAS_STATUS_SUCCESS",
        "rocblas_status_size_unchanged": "CUBLAS_STATUS_SUCCESS",
        "rocblas_status_invalid_handle": "CUBLAS_STATUS_NOT_INITIALIZED",
        "rocblas_status_not_implemented": "CUBLAS_STATUS_NOT_SUPPORTED",
        "rocblas_status_excluded_from_build": "CUBLAS_STATUS_NOT_SUPPORTED",
        "rocblas_status_invalid_pointer": "CUBLAS_STATUS_INVALID_VALUE",
        "rocblas_status_invalid_size": "CUBLAS_STATUS_INVALID_VALUE",
        "rocblas_status_invalid_value": "CUBLAS_STATUS_INVALID_VALUE",
        "rocblas_status_memory_error": "CUBLAS_STATUS_ALLOC_FAILED",
        "rocblas_status_arch_mismatch": "CUBLAS_STATUS_ARCH_MISMATCH",
        # rocBLAS answers this when HIP refuses a launch; NVIDIA answers EXECUTION_FAILED after a device fault
        "rocblas_status_internal_error": "CUBLAS_STATUS_EXECUTION_FAILED",
    },
    default="CUBLAS_STATUS_INTERNAL_ERROR",
)
