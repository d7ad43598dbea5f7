// A call that hostmath answers: wait for the handle's stream, copy to the host, compute, copy back. Refused while the
// stream is being captured, with the status that NVIDIA's functions give when they must wait there.
//
//   sx_onhost work(slot);
//   auto a = work.read(A, n, n, lda);             // packed, n apart; every read is queued,
//   if (!work.ready()) return work.status();      // and waited for here
//   ...
//   work.write(A, lda, a.get(), n, n);
//   return work.finish();                         // waits: the host's copies may go
#pragma once

#include <cusolver_common.h>

#include <memory>
#include <new>

#include "scalex/core.h"
#include "scalex/hostmath.h"

class sx_onhost {
 public:
  explicit sx_onhost(const sx_blas_slot* slot) : stream_(__atomic_load_n(&slot->stream, __ATOMIC_RELAXED)) {
    if (!sx_rocm->hipMemcpy2DAsync || !sx_rocm->hipMemcpyAsync || !sx_rocm->hipStreamSynchronize) {
      status_ = CUSOLVER_STATUS_NOT_SUPPORTED;
      return;
    }
    if (sx_core.device_count > 1 && sx_rocm->hipGetDevice(&restore_) == hipSuccess && restore_ != slot->device) {
      check(sx_rocm->hipSetDevice(slot->device));
    } else {
      restore_ = -1;
    }
    hipStreamCaptureStatus state = hipStreamCaptureStatusNone;
    if (sx_rocm->hipStreamIsCapturing) sx_rocm->hipStreamIsCapturing(stream_, &state);
    if (state != hipStreamCaptureStatusNone) status_ = CUSOLVER_STATUS_INTERNAL_ERROR;
    if (status_ == CUSOLVER_STATUS_SUCCESS && sx_hostmath() == nullptr) status_ = CUSOLVER_STATUS_INTERNAL_ERROR;
  }
  ~sx_onhost() {
    if (restore_ >= 0) sx_rocm->hipSetDevice(restore_);
  }
  sx_onhost(const sx_onhost&) = delete;
  sx_onhost& operator=(const sx_onhost&) = delete;

  cusolverStatus_t status() const { return status_; }
  void fail(cusolverStatus_t status) {
    if (status_ == CUSOLVER_STATUS_SUCCESS) status_ = status;
  }

  // Room on the host; nullptr, and ALLOC_FAILED, when there is none or a number says more than memory holds.
  template <class T>
  std::unique_ptr<T[]> room(int64_t rows, int64_t cols = 1) {
    int64_t count = 1, bytes = 0;
    const bool some = rows > 0 && cols > 0;
    const bool too_much = some && (__builtin_mul_overflow(rows, cols, &count) ||
                                   __builtin_mul_overflow(count, static_cast<int64_t>(sizeof(T)), &bytes));
    std::unique_ptr<T[]> p(too_much ? nullptr : new (std::nothrow) T[static_cast<size_t>(count)]);
    if (!p) fail(CUSOLVER_STATUS_ALLOC_FAILED);
    return p;
  }
  // A matrix of the device, packed.
  template <class T>
  std::unique_ptr<T[]> read(const T* device, int64_t rows, int64_t cols, int64_t ld) {
    auto host = room<T>(rows, cols);
    if (status_ == CUSOLVER_STATUS_SUCCESS) copy(host.get(), rows, device, ld, rows, cols, hipMemcpyDeviceToHost);
    return host;
  }
  template <class T>
  std::unique_ptr<T[]> read(const T* device, int64_t count) {
    return read(device, count, 1, count);
  }
  template <class T>
  void write(T* device, int64_t ld, const T* host, int64_t rows, int64_t cols) {
    if (status_ == CUSOLVER_STATUS_SUCCESS) copy(device, ld, host, rows, rows, cols, hipMemcpyHostToDevice);
  }
  template <class T>
  void write(T* device, const T* host, int64_t count) {
    write(device, count, host, count, 1);
  }

  bool ready() {
    if (status_ == CUSOLVER_STATUS_SUCCESS) check(sx_rocm->hipStreamSynchronize(stream_));
    return status_ == CUSOLVER_STATUS_SUCCESS;
  }
  cusolverStatus_t finish() {
    ready();
    return status_;
  }

 private:
  void check(hipError_t error) {
    if (error != hipSuccess) fail(CUSOLVER_STATUS_INTERNAL_ERROR);
  }
  template <class T>
  void copy(T* to, int64_t to_ld, const T* from, int64_t from_ld, int64_t rows, int64_t cols, hipMemcpyKind kind) {
    if (rows <= 0 || cols <= 0) return;
    const size_t width = sizeof(T) * static_cast<size_t>(rows);
    if (cols == 1 || (to_ld == rows && from_ld == rows)) {
      check(sx_rocm->hipMemcpyAsync(to, from, width * static_cast<size_t>(cols), kind, stream_));
    } else {
      check(sx_rocm->hipMemcpy2DAsync(to, sizeof(T) * static_cast<size_t>(to_ld), from,
                                      sizeof(T) * static_cast<size_t>(from_ld), width, static_cast<size_t>(cols), kind,
                                      stream_));
    }
  }

  hipStream_t stream_;
  int restore_ = -1;
  cusolverStatus_t status_ = CUSOLVER_STATUS_SUCCESS;
};
