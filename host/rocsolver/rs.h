// What every rocSOLVER source of the engine shares: how a family's functions are defined, checked and run.
//
// A family's argument list is written once, as a macro that names each argument's kind:
//   V(type, name)     by value, or an address that all problems share
//   MAT(I, T, p, ld)  a matrix: in a batched function an array of pointers
//   SMAT(I, T, p, ld) a matrix that is strided in a batched function too
//   VEC(T, p)         a vector: strided in both batched functions
//   EACH(T, p)        one element per problem
// It is expanded for the plain, batched and strided batched function, so that the compiler checks all of them against
// ROCm's declarations and one template serves all. I, J: types of sizes and of info (pivots have the sizes' type);
// T, R: the element's type and its real type.
//
// Facts about rocSOLVER's behaviour (order and content of checks, quick returns, what is written when) are from its
// sources, 3.28, and its documentation, 3.32.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "../rocblas/gemm.h"
#include "lapack.h"
#include "scalex/rocm_rocsolver.h"

namespace sx::rs {

using namespace rb;  // NOLINT

// ---- checks, in rocSOLVER's order: handle, values, sizes, and pointers unless only the workspace's size is asked for
// ----
inline rocblas_status check(rocblas_handle h, bool values, bool sizes, bool pointers) {
  if (!h) return rocblas_status_invalid_handle;
  if (!values) return rocblas_status_invalid_value;
  if (!sizes) return rocblas_status_invalid_size;
  return pointers || h->size_query ? rocblas_status_success : rocblas_status_invalid_pointer;
}
// A pointer that must not be NULL when ``needed``.
template <class P>
bool have(P needed, const void* p) {
  return !needed || p;
}
template <class T>
bool have(bool needed, const Arr<T>& a) {
  return !needed || !a.null();
}

// Real matrices have no conjugate transpose here, complex ones no plain one.
template <class T>
bool is_op_of(rocblas_operation t) {
  return t == rocblas_operation_none ||
         t == (is_complex<T> ? rocblas_operation_conjugate_transpose : rocblas_operation_transpose);
}

// ---- LAPACK's letters
// --------------------------------------------------------------------------------------------------
inline char letter(rocblas_operation t) {
  return t == rocblas_operation_none ? 'N' : t == rocblas_operation_transpose ? 'T' : 'C';
}
inline char letter(rocblas_fill u) { return u == rocblas_fill_upper ? 'U' : 'L'; }
inline char letter(rocblas_side s) { return s == rocblas_side_left ? 'L' : 'R'; }
inline char letter(rocblas_diagonal d) { return d == rocblas_diagonal_unit ? 'U' : 'N'; }

// ---- memory
// ------------------------------------------------------------------------------------------------------------
template <class T>
std::vector<T> scratch(i64 n) {
  return std::vector<T>(static_cast<size_t>(n > 0 ? n : 1));
}
// Bytes of ``count`` elements for each problem.
template <class T>
size_t bytes_of(i64 count, i64 batch) {
  return count <= 0 || batch <= 0 ? 0 : static_cast<size_t>(count) * static_cast<size_t>(batch) * sizeof(T);
}
// The workspace that LAPACK's blocked routines like for ``n`` columns.
inline i64 block_work(i64 n) { return 64 * std::max<i64>(n, 1); }

template <class T>
void copy_matrix(i64 m, i64 n, const T* from, i64 ldf, T* to, i64 ldt) {
  for (i64 j = 0; j < n; ++j) std::copy(from + j * ldf, from + j * ldf + m, to + j * ldt);
}
template <class T>
void clear_matrix(i64 m, i64 n, T* A, i64 lda) {
  for (i64 j = 0; j < n; ++j) std::fill(A + j * lda, A + j * lda + m, T(0));
}

// ---- running
// ----------------------------------------------------------------------------------------------------------- f(b) for
// each problem, on the stream; ``bytes`` is the device memory that rocSOLVER would borrow from the handle.
template <class F>
rocblas_status run(rocblas_handle h, size_t bytes, i64 batch, double work, F&& f) {
  if (h->size_query || bytes) {
    const rocblas_status status = need(h, bytes);
    if (h->size_query || status != rocblas_status_success) return status;
  }
  if (batch == 0) return rocblas_status_success;
  return launch(h, [=] { over_batch(batch, work, f); });
}

// Pivots of LAPACK, in rocSOLVER's integers.
template <class I>
void store_pivots(const std::vector<i64>& from, i64 n, I* to) {
  for (i64 i = 0; i < n; ++i) to[i] = static_cast<I>(from[static_cast<size_t>(i)]);
}
template <class I>
std::vector<i64> load_pivots(const I* from, i64 n) {
  return std::vector<i64>(from, from + n);
}

}  // namespace sx::rs

// ---- definitions
// -------------------------------------------------------------------------------------------------------
#define SX_RD_V(type, name) , type name
#define SX_RU_V(type, name) , ::sx::rb::nat(name)

#define SX_RD_A_one(I, T, p, ld) , T *p, I ld
#define SX_RD_A_batched(I, T, p, ld) , T *const p[], I ld
#define SX_RD_A_strided(I, T, p, ld) , T *p, I ld, rocblas_stride stride_##p
#define SX_RU_A_one(I, T, p, ld) , ::sx::rb::arr(p, ld)
#define SX_RU_A_batched(I, T, p, ld) , ::sx::rb::arr(p, ld)
#define SX_RU_A_strided(I, T, p, ld) , ::sx::rb::arr(p, ld, stride_##p)

#define SX_RD_M_one SX_RD_A_one
#define SX_RD_M_batched SX_RD_A_strided
#define SX_RD_M_strided SX_RD_A_strided
#define SX_RU_M_one SX_RU_A_one
#define SX_RU_M_batched SX_RU_A_strided
#define SX_RU_M_strided SX_RU_A_strided

#define SX_RD_S_one(T, p) , T* p
#define SX_RD_S_batched(T, p) , T *p, rocblas_stride stride_##p
#define SX_RD_S_strided(T, p) , T *p, rocblas_stride stride_##p
#define SX_RU_S_one(T, p) , ::sx::rb::arr(p, 1)
#define SX_RU_S_batched(T, p) , ::sx::rb::arr(p, 1, stride_##p)
#define SX_RU_S_strided(T, p) , ::sx::rb::arr(p, 1, stride_##p)

#define SX_RD_O(T, p) , T* p
#define SX_RU_O(T, p) , ::sx::rb::arr(p, 1, 1)

#define SX_RD_B_one(I)
#define SX_RD_B_batched(I) , I batch_count
#define SX_RD_B_strided(I) , I batch_count
#define SX_RU_B_one , 1
#define SX_RU_B_batched , batch_count
#define SX_RU_B_strided , batch_count

#define SX_SOLVER(name, impl, LIST, F, I, J, T, R)                                                                   \
  extern "C" rocblas_status name(rocblas_handle handle LIST(SX_RD_V, SX_RD_A_##F, SX_RD_M_##F, SX_RD_S_##F, SX_RD_O, \
                                                            I, J, T, R) SX_RD_B_##F(I)) try {                        \
    return ::sx::rs::impl(handle LIST(SX_RU_V, SX_RU_A_##F, SX_RU_M_##F, SX_RU_S_##F, SX_RU_O, I, J, T, R)           \
                              SX_RU_B_##F);                                                                          \
  } catch (...) {                                                                                                    \
    return ::sx::rb::failure();                                                                                      \
  }

// The plain function; all three.
#define SX_SOLVER_1(name, impl, LIST, T, R) SX_SOLVER(name, impl, LIST, one, rocblas_int, rocblas_int, T, R)
#define SX_SOLVER_3(name, impl, LIST, T, R)                                      \
  SX_SOLVER_1(name, impl, LIST, T, R)                                            \
  SX_SOLVER(name##_batched, impl, LIST, batched, rocblas_int, rocblas_int, T, R) \
  SX_SOLVER(name##_strided_batched, impl, LIST, strided, rocblas_int, rocblas_int, T, R)
#define SX_SOLVER_1_64(name, impl, LIST, T, R) SX_SOLVER(name##_64, impl, LIST, one, int64_t, int64_t, T, R)
#define SX_SOLVER_3_64(name, impl, LIST, T, R)                              \
  SX_SOLVER_1_64(name, impl, LIST, T, R)                                    \
  SX_SOLVER(name##_batched_64, impl, LIST, batched, int64_t, int64_t, T, R) \
  SX_SOLVER(name##_strided_batched_64, impl, LIST, strided, int64_t, int64_t, T, R)

// Sizes and pivots of 64 bits with an info of 32.
#define SX_SOLVER_INFO32(name, impl, LIST, T, R) SX_SOLVER(name, impl, LIST, one, int64_t, rocblas_int, T, R)

// Families over types; X is one of the above.
#define SX_SOLVER_SD(X, op, impl, LIST)        \
  X(rocsolver_s##op, impl, LIST, float, float) \
  X(rocsolver_d##op, impl, LIST, double, double)
#define SX_SOLVER_CZ(X, op, impl, LIST)                        \
  X(rocsolver_c##op, impl, LIST, rocblas_float_complex, float) \
  X(rocsolver_z##op, impl, LIST, rocblas_double_complex, double)
#define SX_SOLVER_ALL(X, op, impl, LIST) SX_SOLVER_SD(X, op, impl, LIST) SX_SOLVER_CZ(X, op, impl, LIST)
