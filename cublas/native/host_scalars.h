// Scalars of a body's own, on the host, whatever the handle's pointer mode is.
#pragma once

#include "scalex/core.h"

class sx_host_scalars {
 public:
  sx_host_scalars(rocblas_handle handle, bool already) : handle_(handle), already_(already) {
    if (!already_) sx_rocm->rocblas_set_pointer_mode(handle_, rocblas_pointer_mode_host);
  }
  ~sx_host_scalars() {
    if (!already_) sx_rocm->rocblas_set_pointer_mode(handle_, rocblas_pointer_mode_device);
  }
  sx_host_scalars(const sx_host_scalars&) = delete;
  sx_host_scalars& operator=(const sx_host_scalars&) = delete;

 private:
  rocblas_handle handle_;
  bool already_;
};
