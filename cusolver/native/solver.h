// How wrappers and bodies of cuSOLVER call rocSOLVER: a borrowed rocBLAS handle with memory to work in, NVIDIA's
// status, and info on the device.
//
// One call:        return sx_solver_call(slot, work, bytes, info, 1, [=](rocblas_handle h) { return f(h, ...); });
// Its memory:      return sx_solver_size(slot, lwork, sizeof(T), extra, least, [=](rocblas_handle h) { ...; });
// Several calls:   sx_solver s(handle); if (auto e = s.begin(work, bytes, pieces, query)) return e; s.take<T>(n) ...
//
// rocSOLVER takes its memory from the rocBLAS handle. A call gets the program's buffer when that suffices, else scratch
// of the stream, which grows only outside captures. rocSOLVER asks for memory before it does anything, so a buffer that
// is too small is found out by trying.
#pragma once

#include <limits.h>

#include <initializer_list>

#include "native.h"
#include "scalex/lend.h"

// core answers in cuBLAS's numbers
static inline cusolverStatus_t sx_solver_status(int core_status) {
  switch (core_status) {
    case 0:
      return CUSOLVER_STATUS_SUCCESS;
    case 1:
      return CUSOLVER_STATUS_NOT_INITIALIZED;
    case 3:
      return CUSOLVER_STATUS_ALLOC_FAILED;
    case 15:
      return CUSOLVER_STATUS_NOT_SUPPORTED;
    default:
      return CUSOLVER_STATUS_EXECUTION_FAILED;
  }
}

static inline sx_blas_slot* sx_solver_slot(cusolverDnHandle_t handle) {
  return reinterpret_cast<sx_blas_slot*>(handle);
}

template <class Count>
static inline size_t sx_solver_bytes(Count count, size_t size) {
  return count > 0 ? static_cast<size_t>(count) * size : 0;
}

// A borrowed rocBLAS handle, given back at the end of the scope.
struct sx_solver_loan {
  explicit sx_solver_loan(sx_blas_slot* slot) : error(sx_blas_begin(slot, &loan)) {}
  ~sx_solver_loan() {
    if (error == 0) sx_blas_end(&loan);
  }
  sx_solver_loan(const sx_solver_loan&) = delete;
  sx_solver_loan& operator=(const sx_solver_loan&) = delete;
  sx_loan loan;
  int error;
};

// ---- info on the device: written in the stream's order, nothing where there is no place for it
// -----------------------
static inline cusolverStatus_t sx_solver_info(hipStream_t stream, int* info, int value, size_t count = 1) {
  if (info == nullptr || count == 0) return CUSOLVER_STATUS_SUCCESS;
  const auto fill = sx_rocm->hipMemsetD32Async;
  if (fill == nullptr || fill(info, value, count, stream) != hipSuccess) return CUSOLVER_STATUS_EXECUTION_FAILED;
  return CUSOLVER_STATUS_SUCCESS;
}

// The same on the slot's device, whichever is the current one.
SX_COLD inline cusolverStatus_t sx_solver_write(sx_blas_slot* slot, int* info, int value, int64_t count) {
  if (info == nullptr || count <= 0) return CUSOLVER_STATUS_SUCCESS;
  const sx_solver_loan blas(slot);
  if (blas.error != 0) return sx_solver_status(blas.error);
  return sx_solver_info(slot->stream, info, value, static_cast<size_t>(count));
}

// An argument is refused: its number in the first info, 0 in the others, and the status.
SX_COLD inline cusolverStatus_t sx_solver_refuse(sx_blas_slot* slot, int* info, int value, int64_t count,
                                                 cusolverStatus_t status) {
  if (info != nullptr && count > 1) sx_solver_write(slot, info, 0, count);
  sx_solver_write(slot, info, value, 1);
  return status;
}

// ---- memory
// ----------------------------------------------------------------------------------------------------------- Bytes
// that ``call`` takes from the handle. rocSOLVER then looks at no pointer and runs nothing.
template <class Call>
rocblas_status sx_solver_need(rocblas_handle blas, size_t* bytes, Call call) {
  if (sx_rocm->rocblas_start_device_memory_size_query == nullptr) return rocblas_status_not_implemented;
  const rocblas_status begun = sx_rocm->rocblas_start_device_memory_size_query(blas);
  if (begun != rocblas_status_success) return begun;
  const rocblas_status asked = call(blas);
  const rocblas_status ended = sx_rocm->rocblas_stop_device_memory_size_query(blas, bytes);
  const bool good = asked == rocblas_status_success || asked == rocblas_status_size_increased ||
                    asked == rocblas_status_size_unchanged;
  return good ? ended : asked;
}

// The buffer's size that a program is told, in elements of ``unit`` bytes.
static inline cusolverStatus_t sx_solver_tell(size_t bytes, size_t unit, int64_t extra, int least, int* lwork) {
  const size_t count = bytes / unit + (bytes % unit != 0) + static_cast<size_t>(extra > 0 ? extra : 0);
  if (count > INT_MAX) return CUSOLVER_STATUS_ALLOC_FAILED;
  *lwork = sx_max(static_cast<int>(count), least);
  return CUSOLVER_STATUS_SUCCESS;
}
static inline cusolverStatus_t sx_solver_tell(size_t bytes, size_t unit, int64_t extra, int least, size_t* lwork) {
  const size_t count = bytes / unit + (bytes % unit != 0) + static_cast<size_t>(extra > 0 ? extra : 0);
  *lwork = count > static_cast<size_t>(least) ? count : static_cast<size_t>(least);
  return CUSOLVER_STATUS_SUCCESS;
}

template <class Count, class Call>
cusolverStatus_t sx_solver_size(sx_blas_slot* slot, Count* lwork, size_t unit, int64_t extra, int least, Call call) {
  const sx_solver_loan blas(slot);
  if (blas.error != 0) return sx_solver_status(blas.error);
  size_t bytes = 0;
  const rocblas_status asked = sx_solver_need(blas.loan.handle, &bytes, call);
  if (asked != rocblas_status_success) return sx_from_rocblas_status(asked);
  return sx_solver_tell(bytes, unit, extra, least, lwork);
}

// ---- one call
// --------------------------------------------------------------------------------------------------------- Runs
// ``call`` with scratch of the stream.
template <class Call>
rocblas_status sx_solver_with_scratch(sx_blas_slot* slot, const sx_loan& loan, Call call) {
  size_t bytes = 0;
  const rocblas_status asked = sx_solver_need(loan.handle, &bytes, call);
  if (asked != rocblas_status_success) return asked;
  if (sx_lend_scratch(slot, &loan, 0, bytes) == nullptr) return rocblas_status_memory_error;
  return call(loan.handle);
}

// ``told``: infos to set to 0 after a call that has none of its own.
template <class Call>
cusolverStatus_t sx_solver_call(sx_blas_slot* slot, void* work, size_t bytes, int* told, int64_t infos, Call call) {
  const sx_solver_loan blas(slot);
  if (blas.error != 0) return sx_solver_status(blas.error);
  rocblas_status status = rocblas_status_memory_error;
  if (work != nullptr && bytes > 0 && sx_aligned(work, 16) && sx_lend(slot, &blas.loan, work, bytes) == 0) {
    status = call(blas.loan.handle);
  }
  if (status == rocblas_status_memory_error) status = sx_solver_with_scratch(slot, blas.loan, call);
  const cusolverStatus_t answer = sx_from_rocblas_status(status);
  if (answer != CUSOLVER_STATUS_SUCCESS || told == nullptr || infos <= 0) return answer;
  return sx_solver_info(slot->stream, told, 0, static_cast<size_t>(infos));
}

// ---- bodies of several calls
// ------------------------------------------------------------------------------------------
class sx_solver {
 public:
  explicit sx_solver(cusolverDnHandle_t handle) : slot_(sx_solver_slot(handle)), blas_(slot_) {}

  // Room for the body's own ``pieces`` (in bytes) and for what ``query(handle)``, a rocSOLVER call, takes: in ``work``
  // when both fit, else in scratch. Pieces are taken in order.
  template <class Query>
  cusolverStatus_t begin(void* work, size_t bytes, std::initializer_list<size_t> pieces, Query query) {
    if (blas_.error != 0) return sx_solver_status(blas_.error);
    size_t need = 0;
    const rocblas_status asked = sx_solver_need(handle(), &need, query);
    if (asked != rocblas_status_success) return sx_from_rocblas_status(asked);
    return place(work, bytes, total(pieces), need);
  }
  // The same for a body that makes no rocSOLVER call.
  cusolverStatus_t begin(void* work, size_t bytes, std::initializer_list<size_t> pieces) {
    return blas_.error != 0 ? sx_solver_status(blas_.error) : place(work, bytes, total(pieces), 0);
  }

  // Bytes that begin() wants of the program's buffer: what a bufferSize function answers.
  template <class Query>
  cusolverStatus_t size(size_t* bytes, std::initializer_list<size_t> pieces, Query query) {
    if (blas_.error != 0) return sx_solver_status(blas_.error);
    const rocblas_status asked = sx_solver_need(handle(), bytes, query);
    *bytes += total(pieces);
    return sx_from_rocblas_status(asked);
  }

  // The next piece.
  template <class T>
  T* take(size_t count) {
    char* const piece = next_;
    next_ += rounded(count * sizeof(T));
    return reinterpret_cast<T*>(piece);
  }

  cusolverStatus_t info(int* where, int value, size_t count = 1) const {
    return sx_solver_info(slot_->stream, where, value, count);
  }
  rocblas_handle handle() const { return blas_.loan.handle; }
  hipStream_t stream() const { return slot_->stream; }

 private:
  static size_t rounded(size_t bytes) { return (bytes + 255) / 256 * 256; }
  static size_t total(std::initializer_list<size_t> pieces) {
    size_t sum = 0;
    for (const size_t bytes : pieces) sum += rounded(bytes);
    return sum;
  }
  cusolverStatus_t place(void* work, size_t bytes, size_t own, size_t need) {
    if (work != nullptr && sx_aligned(work, 16) && bytes >= own + need) {
      next_ = static_cast<char*>(work);
      return need == 0 ? CUSOLVER_STATUS_SUCCESS : sx_solver_status(sx_lend(slot_, &blas_.loan, next_ + own, need));
    }
    next_ = static_cast<char*>(sx_lend_scratch(slot_, &blas_.loan, own, need));
    return next_ == nullptr ? CUSOLVER_STATUS_ALLOC_FAILED : CUSOLVER_STATUS_SUCCESS;
  }

  sx_blas_slot* slot_;
  sx_solver_loan blas_;
  char* next_ = nullptr;
};

// ---- ROCm's types
// -----------------------------------------------------------------------------------------------------
template <class T>
struct sx_solver_type {
  using type = T;
  using real = T;
  static constexpr bool complex = false;
};
template <>
struct sx_solver_type<cuComplex> {
  using type = rocblas_float_complex;
  using real = float;
  static constexpr bool complex = true;
};
template <>
struct sx_solver_type<cuDoubleComplex> {
  using type = rocblas_double_complex;
  using real = double;
  static constexpr bool complex = true;
};
template <class T>
static inline typename sx_solver_type<T>::type* sx_rocm_ptr(T* p) {
  return reinterpret_cast<typename sx_solver_type<T>::type*>(p);
}
template <class T>
static inline const typename sx_solver_type<T>::type* sx_rocm_ptr(const T* p) {
  return reinterpret_cast<const typename sx_solver_type<T>::type*>(p);
}
