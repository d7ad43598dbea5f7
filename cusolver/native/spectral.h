// What the bodies of eigenvalue and singular value routines share: rocSOLVER's functions by element type, sizes, and
// the objects that hold what Jacobi's method is told and what it says.
#pragma once

#include "solver.h"

// ---- rocSOLVER's and rocBLAS's functions by CUDA element type -------------------------------------------------------
// A function of rocSOLVER, or where that library is missing one that refuses.
template <class... A>
rocblas_status sx_absent(A...) {
  return rocblas_status_not_implemented;
}
template <class... A>
auto sx_or_absent(rocblas_status (*function)(A...)) {
  return function != nullptr ? function : &sx_absent<A...>;
}

template <class T>
struct sx_spectral;

#define SX_SPECTRAL(cuda_type, letter, sy)                                                                       \
  template <>                                                                                                    \
  struct sx_spectral<cuda_type> {                                                                                \
    static auto syevd() { return sx_or_absent(sx_rocm->rocsolver_##letter##sy##evd); }                           \
    static auto syevdx_inplace() { return sx_rocm->rocsolver_##letter##sy##evdx_inplace; }                       \
    static auto syevx() { return sx_or_absent(sx_rocm->rocsolver_##letter##sy##evx); }                           \
    static auto syevj() { return sx_or_absent(sx_rocm->rocsolver_##letter##sy##evj); }                           \
    static auto syevj_batch() { return sx_or_absent(sx_rocm->rocsolver_##letter##sy##evj_strided_batched); }     \
    static auto sygvd() { return sx_or_absent(sx_rocm->rocsolver_##letter##sy##gvd); }                           \
    static auto sygvdx_inplace() { return sx_rocm->rocsolver_##letter##sy##gvdx_inplace; }                       \
    static auto sygvx() { return sx_or_absent(sx_rocm->rocsolver_##letter##sy##gvx); }                           \
    static auto sygvj() { return sx_or_absent(sx_rocm->rocsolver_##letter##sy##gvj); }                           \
    static auto gesvd() { return sx_or_absent(sx_rocm->rocsolver_##letter##gesvd); }                             \
    static auto gesvd_batch() { return sx_or_absent(sx_rocm->rocsolver_##letter##gesvd_strided_batched); }       \
    static auto gesvdj_batch() { return sx_or_absent(sx_rocm->rocsolver_##letter##gesvdj_strided_batched); }     \
    static auto gesvdj_notransv_batch() { return sx_rocm->rocsolver_##letter##gesvdj_notransv_strided_batched; } \
    static auto gesvdx_batch() { return sx_or_absent(sx_rocm->rocsolver_##letter##gesvdx_strided_batched); }     \
    static auto gesvdx_notransv_batch() { return sx_rocm->rocsolver_##letter##gesvdx_notransv_strided_batched; } \
    static auto gemm_batch() { return sx_rocm->rocblas_##letter##gemm_strided_batched; }                         \
    static auto geam_batch() { return sx_rocm->rocblas_##letter##geam_strided_batched; }                         \
  }
SX_SPECTRAL(float, s, sy);
SX_SPECTRAL(double, d, sy);
SX_SPECTRAL(cuComplex, c, he);
SX_SPECTRAL(cuDoubleComplex, z, he);
#undef SX_SPECTRAL

template <class T>
using sx_real = typename sx_solver_type<T>::real;

// DEFINE(type, real type) for the four types.
#define SX_SPECTRAL_TYPES(DEFINE) \
  DEFINE(float, float)            \
  DEFINE(double, double)          \
  DEFINE(cuComplex, float)        \
  DEFINE(cuDoubleComplex, double)

// ---- sizes --------------------------------------------------------------------------------------------
template <class... Size>
static inline bool sx_fit_int(Size... sizes) {
  return (sx_fits(sizes) && ...);
}
static inline int sx_at_least(int64_t value, int least = 0) { return value > least ? static_cast<int>(value) : least; }
static inline size_t sx_count(int64_t a, int64_t b = 1, int64_t c = 1) {
  return a > 0 && b > 0 && c > 0 ? static_cast<size_t>(a) * static_cast<size_t>(b) * static_cast<size_t>(c) : 0;
}
template <class T>
static inline size_t sx_lwork_bytes(int lwork) {
  return lwork > 0 ? static_cast<size_t>(lwork) * sizeof(T) : 0;
}

// What a bufferSize function answers, in elements of T: never 0, as programs allocate it and pass the address.
template <class T>
static inline cusolverStatus_t sx_tell_lwork(cusolverStatus_t asked, size_t bytes, int* lwork) {
  return asked != CUSOLVER_STATUS_SUCCESS ? asked : sx_solver_tell(bytes, sizeof(T), 0, 1, lwork);
}

// ---- results on the host
// ----------------------------------------------------------------------------------------------
static inline bool sx_fetch(hipStream_t stream, void* to, const void* from, size_t bytes) {
  return bytes == 0 || sx_rocm->hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToHost, stream) == hipSuccess;
}
static inline bool sx_wait(hipStream_t stream) { return sx_rocm->hipStreamSynchronize(stream) == hipSuccess; }

// ---- what Jacobi's method is told, and what it says of its last run
// ---------------------------------------------------
enum : uint32_t { SX_KIND_SYEVJ = 0x535800A1, SX_KIND_GESVDJ = 0x535800B1 };

struct sx_jacobi {  // in a slot of core's
  uint32_t state;
  int32_t max_sweeps;
  double tolerance;
  double residual;
  int32_t sort;
  int32_t sweeps;
  int32_t known;  // residual and sweeps are of the last run, which was of one matrix

  int limit() const { return max_sweeps > 0 ? max_sweeps : 100; }
  void ran(int count, double left) { sweeps = count, residual = left, known = 1; }
};
static_assert(sizeof(sx_jacobi) <= 504, "it fits in a slot");

static inline sx_jacobi* sx_jacobi_of(const void* object, uint32_t kind) {
  return reinterpret_cast<sx_jacobi*>(sx_slot_of(object, kind));
}

template <class T>
constexpr double sx_eps = sizeof(sx_real<T>) == 4 ? 1.1920928955078125e-07 : 2.220446049250313e-16;

// The relative tolerance that counts.
template <class T>
static inline sx_real<T> sx_tolerance(const sx_jacobi& j) {
  return static_cast<sx_real<T>>(j.tolerance > 0 ? j.tolerance : sx_eps<T>);
}
// Whether the caller wants all that the precision has: nothing said, or as good as nothing.
template <class T>
static inline bool sx_wants_all(const sx_jacobi& j) {
  return !(j.tolerance > 32 * sx_eps<T>)&&j.limit() >= 15;
}

// Infos on the device are renumbered, in the stream's order: 1..upto become ``becomes``, from above + 1 on they start
// again from 1 (above 0: none do).
cusolverStatus_t sx_renumber(const sx_solver& s, int* info, int64_t count, int upto, int becomes, int above);
