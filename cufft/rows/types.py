"""cuFFT's statuses beside hipFFT's. Types and directions have the same numbers in both, and are passed by value."""

from __future__ import annotations

from scale_x.wrappers_gen.rows import StatusMap

ENUMS = ()

STATUS = StatusMap(
    cuda="cufftResult_t",
    rocm="hipfftResult",
    prefix="CUFFT_",
    values={
        "HIPFFT_SUCCESS": "CUFFT_SUCCESS",
        "HIPFFT_INVALID_PLAN": "CUFFT_INVALID_PLAN",
        # NVIDIA answers INTERNAL_ERROR when a plan's memory cannot be had (measured)
        "HIPFFT_ALLOC_FAILED": "CUFFT_INTERNAL_ERROR",
        "HIPFFT_INVALID_TYPE": "CUFFT_INVALID_TYPE",
        "HIPFFT_INVALID_VALUE": "CUFFT_INVALID_VALUE",
        "HIPFFT_INTERNAL_ERROR": "CUFFT_INTERNAL_ERROR",
        "HIPFFT_EXEC_FAILED": "CUFFT_EXEC_FAILED",
        "HIPFFT_SETUP_FAILED": "CUFFT_SETUP_FAILED",
        "HIPFFT_INVALID_SIZE": "CUFFT_INVALID_SIZE",
        "HIPFFT_UNALIGNED_DATA": "CUFFT_UNALIGNED_DATA",
        "HIPFFT_INVALID_DEVICE": "CUFFT_INVALID_DEVICE",
        # what rocFFT cannot plan; the number is not in CUDA 13's enumeration
        "HIPFFT_PARSE_ERROR": "CUFFT_INTERNAL_ERROR",
        "HIPFFT_NO_WORKSPACE": "CUFFT_NO_WORKSPACE",
        "HIPFFT_NOT_IMPLEMENTED": "CUFFT_NOT_IMPLEMENTED",
        "HIPFFT_NOT_SUPPORTED": "CUFFT_NOT_SUPPORTED",
    },
    default="CUFFT_INTERNAL_ERROR",
)
