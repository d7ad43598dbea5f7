// A hipBLASLt whose functions do nothing and succeed, beside nullrocm.cpp. Objects have addresses of their own; the
// heuristic finds two algorithms, the second without workspace.
#include <stdlib.h>
#include <string.h>

#include "scalex/rocm_table.h"

#define NULL_EXPORT extern "C" __attribute__((visibility("default")))

template <class T>
static hipblasStatus_t make(T* object) {
  *object = reinterpret_cast<T>(calloc(1, 64));
  return *object ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_ALLOC_FAILED;
}
template <class T>
static hipblasStatus_t end(T object) {
  free(const_cast<void*>(static_cast<const void*>(object)));
  return HIPBLAS_STATUS_SUCCESS;
}

NULL_EXPORT hipblasStatus_t hipblasLtCreate(hipblasLtHandle_t* handle) { return make(handle); }
NULL_EXPORT hipblasStatus_t hipblasLtDestroy(const hipblasLtHandle_t handle) { return end(handle); }
NULL_EXPORT hipblasStatus_t hipblasLtMatmulDescCreate(hipblasLtMatmulDesc_t* desc, hipblasComputeType_t, hipDataType) {
  return make(desc);
}
NULL_EXPORT hipblasStatus_t hipblasLtMatmulDescDestroy(const hipblasLtMatmulDesc_t desc) { return end(desc); }
NULL_EXPORT hipblasStatus_t hipblasLtMatrixLayoutCreate(hipblasLtMatrixLayout_t* layout, hipDataType, uint64_t,
                                                        uint64_t, int64_t) {
  return make(layout);
}
NULL_EXPORT hipblasStatus_t hipblasLtMatrixLayoutDestroy(const hipblasLtMatrixLayout_t layout) { return end(layout); }
NULL_EXPORT hipblasStatus_t hipblasLtMatmulPreferenceCreate(hipblasLtMatmulPreference_t* preference) {
  return make(preference);
}
NULL_EXPORT hipblasStatus_t hipblasLtMatmulPreferenceDestroy(const hipblasLtMatmulPreference_t preference) {
  return end(preference);
}
NULL_EXPORT hipblasStatus_t hipblasLtMatmulAlgoGetHeuristic(hipblasLtHandle_t, hipblasLtMatmulDesc_t,
                                                            hipblasLtMatrixLayout_t, hipblasLtMatrixLayout_t,
                                                            hipblasLtMatrixLayout_t, hipblasLtMatrixLayout_t,
                                                            hipblasLtMatmulPreference_t, const int requested,
                                                            hipblasLtMatmulHeuristicResult_t results[], int* count) {
  *count = requested < 2 ? requested : 2;
  for (int i = 0; i < *count; ++i) {
    memset(static_cast<void*>(&results[i]), 0, sizeof results[i]);
    results[i].workspaceSize = i == 0 ? 4096 : 0;
  }
  return HIPBLAS_STATUS_SUCCESS;
}
