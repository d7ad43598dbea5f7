#ifdef __cplusplus
/* The strategy of cuBLAS and that of library_types.h have the same values. */
static inline cublasStatus_t cublasSetEmulationStrategy(cublasHandle_t handle, cudaEmulationStrategy strategy)
{
    return cublasSetEmulationStrategy(handle, static_cast<cublasEmulationStrategy_t>(strategy));
}

static inline cublasStatus_t cublasGetEmulationStrategy(cublasHandle_t handle, cudaEmulationStrategy *strategy)
{
    cublasEmulationStrategy_t own = CUBLAS_EMULATION_STRATEGY_DEFAULT;
    const cublasStatus_t status = cublasGetEmulationStrategy(handle, strategy ? &own : nullptr);
    if (strategy && status == CUBLAS_STATUS_SUCCESS) {
        *strategy = static_cast<cudaEmulationStrategy>(own);
    }
    return status;
}
#endif
