// What cuBLAS and cuBLASLt answer alike without a device: statuses in words, versions.
#pragma once

#include <stddef.h>

#include "scalex/core.h"

struct sx_status_text {
  int value;
  const char *name, *text;
};
static const sx_status_text sx_cublas_statuses[] = {
    {0, "CUBLAS_STATUS_SUCCESS", "success"},
    {1, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
    {3, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {7, "CUBLAS_STATUS_INVALID_VALUE", "an unsupported value or parameter was passed to the function"},
    {8, "CUBLAS_STATUS_ARCH_MISMATCH", "the function requires an architectural feature absent from the device"},
    {11, "CUBLAS_STATUS_MAPPING_ERROR", "an access to GPU memory space failed"},
    {13, "CUBLAS_STATUS_EXECUTION_FAILED", "the function failed to launch on the GPU"},
    {14, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {15, "CUBLAS_STATUS_NOT_SUPPORTED", "the requested functionality is not supported"},
    {16, "CUBLAS_STATUS_LICENSE_ERROR", "the license check failed"},
};

static inline const char* sx_cublas_status_name(int status) {
  for (const sx_status_text& s : sx_cublas_statuses) {
    if (s.value == status) return s.name;
  }
  return "unrecognized status";
}

static inline const char* sx_cublas_status_text(int status) {
  for (const sx_status_text& s : sx_cublas_statuses) {
    if (s.value == status) return s.text;
  }
  return "unrecognized status";
}

// A part of the version 120903, which is 12.9.3; false for a part that there is not.
static inline bool sx_cublas_property(int version, int part, int* value) {
  if (part < 0 || part > 2) return false;
  *value = part == 0 ? version / 10000 : part == 1 ? version / 100 % 100 : version % 100;
  return true;
}

// The CUDA runtime whose interface belongs to it.
static inline size_t sx_cudart_version(int cuda_major) {
  return cuda_major == 11 ? 11080 : cuda_major == 12 ? 12090 : static_cast<size_t>(cuda_major) * 1000;
}
