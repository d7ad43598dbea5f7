// One mechanism that defines every exported function of a routine family.
//
// A family's argument list is written once, as a macro that names each argument's kind:
//   V(type, name)        a value or a scalar's address
//   CA/MA(I, T, p, ld)   const / mutable array with its leading dimension or increment
//   CN/MN(T, p)          const / mutable array without one
// It is expanded as declaration and as call for three forms (one, batched, strided) and two integer widths, so that the
// compiler checks all six against ROCm's declarations and one template serves all six. I is the integer type; T, R and
// S are the types that a family needs.
#pragma once

#include "rb.h"

#define SX_NONE(...)

#define SX_D_V(type, name) , type name
#define SX_U_V(type, name) , ::sx::rb::nat(name)

#define SX_D_CA_one(I, T, p, ld) , const T *p, I ld
#define SX_D_MA_one(I, T, p, ld) , T *p, I ld
#define SX_D_CN_one(T, p) , const T* p
#define SX_D_MN_one(T, p) , T* p
#define SX_U_A_one(I, T, p, ld) , ::sx::rb::arr(p, ld)
#define SX_U_N_one(T, p) , ::sx::rb::arr(p, 1)
#define SX_SCOPE_one
#define SX_D_B_one(I)
#define SX_U_B_one , 1

#define SX_D_CA_batched(I, T, p, ld) , const T *const p[], I ld
#define SX_D_MA_batched(I, T, p, ld) , T *const p[], I ld
#define SX_D_CN_batched(T, p) , const T* const p[]
#define SX_D_MN_batched(T, p) , T* const p[]
#define SX_U_A_batched(I, T, p, ld) , ::sx::rb::arr(p, ld)
#define SX_U_N_batched(T, p) , ::sx::rb::arr(p, 1)
#define SX_SCOPE_batched const ::sx::rb::TableScope scope_;
#define SX_D_B_batched(I) , I batch_count
#define SX_U_B_batched , batch_count

#define SX_D_CA_strided(I, T, p, ld) , const T *p, I ld, rocblas_stride stride_##p
#define SX_D_MA_strided(I, T, p, ld) , T *p, I ld, rocblas_stride stride_##p
#define SX_D_CN_strided(T, p) , const T *p, rocblas_stride stride_##p
#define SX_D_MN_strided(T, p) , T *p, rocblas_stride stride_##p
#define SX_U_A_strided(I, T, p, ld) , ::sx::rb::arr(p, ld, stride_##p)
#define SX_U_N_strided(T, p) , ::sx::rb::arr(p, 1, stride_##p)
#define SX_SCOPE_strided
#define SX_D_B_strided(I) , I batch_count
#define SX_U_B_strided , batch_count

#define SX_LIST_DECL(LIST, F, I, T, R, S) LIST(SX_D_V, SX_D_CA_##F, SX_D_MA_##F, SX_D_CN_##F, SX_D_MN_##F, I, T, R, S)
#define SX_LIST_USE(LIST, F, I, T, R, S) LIST(SX_U_V, SX_U_A_##F, SX_U_A_##F, SX_U_N_##F, SX_U_N_##F, I, T, R, S)

// TAIL: arguments after the batch count (results).
#define SX_DEFINE(name, impl, LIST, TAIL, F, I, T, R, S)                                               \
  extern "C" rocblas_status name(rocblas_handle handle SX_LIST_DECL(LIST, F, I, T, R, S) SX_D_B_##F(I) \
                                     SX_LIST_DECL(TAIL, F, I, T, R, S)) try {                          \
    SX_SCOPE_##F return ::sx::rb::impl(handle SX_LIST_USE(LIST, F, I, T, R, S)                         \
                                           SX_U_B_##F SX_LIST_USE(TAIL, F, I, T, R, S));               \
  } catch (...) {                                                                                      \
    return ::sx::rb::failure();                                                                        \
  }

#define SX_DEFINE_32(name, impl, LIST, TAIL, T, R, S)                        \
  SX_DEFINE(name, impl, LIST, TAIL, one, rocblas_int, T, R, S)               \
  SX_DEFINE(name##_batched, impl, LIST, TAIL, batched, rocblas_int, T, R, S) \
  SX_DEFINE(name##_strided_batched, impl, LIST, TAIL, strided, rocblas_int, T, R, S)

#define SX_DEFINE_ONE(name, impl, LIST, TAIL, T, R, S)         \
  SX_DEFINE(name, impl, LIST, TAIL, one, rocblas_int, T, R, S) \
  SX_DEFINE(name##_64, impl, LIST, TAIL, one, int64_t, T, R, S)

#define SX_DEFINE_BATCHES(name, impl, LIST, TAIL, T, R, S)                           \
  SX_DEFINE(name##_batched, impl, LIST, TAIL, batched, rocblas_int, T, R, S)         \
  SX_DEFINE(name##_batched_64, impl, LIST, TAIL, batched, int64_t, T, R, S)          \
  SX_DEFINE(name##_strided_batched, impl, LIST, TAIL, strided, rocblas_int, T, R, S) \
  SX_DEFINE(name##_strided_batched_64, impl, LIST, TAIL, strided, int64_t, T, R, S)

#define SX_DEFINE_ALL(name, impl, LIST, TAIL, T, R, S) \
  SX_DEFINE_ONE(name, impl, LIST, TAIL, T, R, S)       \
  SX_DEFINE_BATCHES(name, impl, LIST, TAIL, T, R, S)

// Families over the four types; the real ones, the complex ones.
#define SX_FAMILY_SD(op, impl, LIST)                                     \
  SX_DEFINE_ALL(rocblas_s##op, impl, LIST, SX_NONE, float, float, float) \
  SX_DEFINE_ALL(rocblas_d##op, impl, LIST, SX_NONE, double, double, double)
#define SX_FAMILY_CZ(op, impl, LIST)                                                                     \
  SX_DEFINE_ALL(rocblas_c##op, impl, LIST, SX_NONE, rocblas_float_complex, float, rocblas_float_complex) \
  SX_DEFINE_ALL(rocblas_z##op, impl, LIST, SX_NONE, rocblas_double_complex, double, rocblas_double_complex)
#define SX_FAMILY(op, impl, LIST) \
  SX_FAMILY_SD(op, impl, LIST)    \
  SX_FAMILY_CZ(op, impl, LIST)
