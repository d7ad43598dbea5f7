// gemm_ex and its batches: the types that rocBLAS's table has; everything else is not_implemented.
#include <vector>

#include "gemm.h"
#include "gemm_mixed.h"

namespace sx::rb {

namespace {

struct Product {
  rocblas_operation ta, tb;
  i64 m, n, k;
  const void *alpha, *beta;
  Arr<const void> A, B, C;
  Arr<void> D;
  i64 batch;
  rocblas_datatype a, b, c, d, compute;
  rocblas_gemm_algo algo;
};

template <class T>
Arr<T> typed(const Arr<std::conditional_t<std::is_const_v<T>, const void, void>>& x) {
  return {static_cast<T*>(x.base), reinterpret_cast<T* const*>(x.table), x.ld, x.stride};
}

template <class T>
void copy_matrix(i64 m, i64 n, const T* from, i64 ldf, T* to, i64 ldt) {
  for (i64 j = 0; j < n; ++j)
    memcpy(static_cast<void*>(to + j * ldt), from + j * ldf, static_cast<size_t>(m) * sizeof(T));
}

// Ti inputs, To outputs, Tc scalars (computed in their widened type).
template <class Ti, class To, class Tc>
rocblas_status run(rocblas_handle h, const Product& p, bool c_is_d) {
  using V = std::conditional_t<std::is_same_v<Tc, half>, float, Tc>;
  Scalar<Tc> a(Tc{}), b(Tc{});
  SX_TRY(level3_scalar(h, static_cast<const Tc*>(p.alpha), &a));
  SX_TRY(level3_scalar(h, static_cast<const Tc*>(p.beta), &b));
  const auto widen_scalar = [](Tc v) {
    if constexpr (std::is_same_v<Tc, half>)
      return up(v);
    else
      return v;
  };
  if (a.readable()) {
    if (p.C.null() && widen_scalar(b()) != V(0)) return rocblas_status_invalid_pointer;
    if (p.k && (p.A.null() || p.B.null()) && widen_scalar(a()) != V(0)) return rocblas_status_invalid_pointer;
  }
  if (c_is_d && p.C.ld != p.D.ld) return rocblas_status_invalid_size;
  const auto A = typed<const Ti>(p.A), B = typed<const Ti>(p.B);
  const auto C = typed<const To>(p.C);
  const auto D = typed<To>(p.D);
  const auto ta = p.ta, tb = p.tb;
  const i64 m = p.m, n = p.n, k = p.k, batch = p.batch;
  return launch(h, [=] {
    const V av = k ? widen_scalar(a()) : V(0), bv = widen_scalar(b());
    over_batch(batch, product_cost<compute_t<Ti>>(m, n, k), [&](i64 i) {
      const Ti *Ab = av == V(0) ? nullptr : A.at(i), *Bb = av == V(0) ? nullptr : B.at(i);
      const To* Cb = bv == V(0) ? nullptr : C.at(i);
      if constexpr (std::is_same_v<Ti, To> && std::is_same_v<Ti, Tc> && !std::is_same_v<Ti, half>) {
        if (Cb && Cb != D.at(i)) copy_matrix(m, n, Cb, C.ld, D.at(i), D.ld);
        gemm_run(ta, tb, m, n, av == V(0) ? 0 : k, av, Ab, A.ld, Bb, B.ld, bv, D.at(i), D.ld);
      } else {
        gemm_mixed(ta, tb, m, n, k, av, Ab, A.ld, Bb, B.ld, bv, Cb, C.ld, D.at(i), D.ld);
      }
    });
  });
}

rocblas_status dispatch(rocblas_handle h, const Product& p, bool c_is_d) {
  const auto types = [&](rocblas_datatype in, rocblas_datatype out, rocblas_datatype compute) {
    return p.a == in && p.b == in && p.c == out && p.d == out && p.compute == compute;
  };
  constexpr auto f16 = rocblas_datatype_f16_r, bf16 = rocblas_datatype_bf16_r, f32 = rocblas_datatype_f32_r;
  constexpr auto f64 = rocblas_datatype_f64_r, c32 = rocblas_datatype_f32_c, c64 = rocblas_datatype_f64_c;
  constexpr auto i8 = rocblas_datatype_i8_r, i32 = rocblas_datatype_i32_r;
  if (types(f64, f64, f64)) return run<double, double, double>(h, p, c_is_d);
  if (types(f32, f32, f32)) return run<float, float, float>(h, p, c_is_d);
  if (types(f16, f16, f16)) return run<half, half, half>(h, p, c_is_d);
  if (types(f16, f16, f32)) return run<half, half, float>(h, p, c_is_d);
  if (types(f16, f32, f32)) return run<half, float, float>(h, p, c_is_d);
  if (types(bf16, bf16, f32)) return run<bfloat16, bfloat16, float>(h, p, c_is_d);
  if (types(bf16, f32, f32)) return run<bfloat16, float, float>(h, p, c_is_d);
  if (types(i8, i32, i32)) return run<int8_t, int32_t, int32_t>(h, p, c_is_d);
  if (types(c32, c32, c32)) return run<cfloat, cfloat, cfloat>(h, p, c_is_d);
  if (types(c64, c64, c64)) return run<cdouble, cdouble, cdouble>(h, p, c_is_d);
  return rocblas_status_not_implemented;
}

rocblas_status gemm_ex(rocblas_handle h, const Product& p) {
  if (!h) return rocblas_status_invalid_handle;
  if (!is_op(p.ta) || !is_op(p.tb)) return rocblas_status_invalid_value;
  if (p.m < 0 || p.n < 0 || p.k < 0 || p.batch < 0) return rocblas_status_invalid_size;
  const bool na = p.ta == rocblas_operation_none, nb = p.tb == rocblas_operation_none;
  if (p.C.ld < p.m || p.D.ld < p.m || p.A.ld < (na ? p.m : p.k) || p.B.ld < (nb ? p.k : p.n))
    return rocblas_status_invalid_size;
  if (!p.m || !p.n || !p.batch) return h->size_query ? rocblas_status_size_unchanged : rocblas_status_success;
  if (h->size_query) return rocblas_status_size_unchanged;
  if ((p.k && !p.alpha) || !p.beta || p.D.null()) return rocblas_status_invalid_pointer;
  const bool c_is_d =
      p.C.table ? static_cast<const void*>(p.C.table) == static_cast<const void*>(p.D.table) : p.C.base == p.D.base;
  if (c_is_d && p.C.ld == p.D.ld && p.c != p.d) return rocblas_status_invalid_value;
  return dispatch(h, p, c_is_d);
}

Arr<const void> one(const void* p, i64 ld, i64 stride = 0) { return {p, nullptr, ld, stride}; }
Arr<void> one(void* p, i64 ld, i64 stride = 0) { return {p, nullptr, ld, stride}; }
Arr<const void> many(const void* p, i64 ld) {
  check_table(p);
  return {nullptr, static_cast<const void* const*>(p), ld, 0};
}
Arr<void> many(void* p, i64 ld) {
  check_table(p);
  return {nullptr, static_cast<void* const*>(p), ld, 0};
}

}  // namespace
}  // namespace sx::rb

using namespace sx::rb;

#define SX_GEMM_EX(suffix, I)                                                                                          \
  extern "C" rocblas_status rocblas_gemm_ex##suffix(                                                                   \
      rocblas_handle handle, rocblas_operation transA, rocblas_operation transB, I m, I n, I k, const void* alpha,     \
      const void* a, rocblas_datatype a_type, I lda, const void* b, rocblas_datatype b_type, I ldb, const void* beta,  \
      const void* c, rocblas_datatype c_type, I ldc, void* d, rocblas_datatype d_type, I ldd,                          \
      rocblas_datatype compute_type, rocblas_gemm_algo algo, int32_t, uint32_t) try {                                  \
    return gemm_ex(handle, {transA, transB, m, n, k, alpha, beta, one(a, lda), one(b, ldb), one(c, ldc), one(d, ldd),  \
                            1, a_type, b_type, c_type, d_type, compute_type, algo});                                   \
  } catch (...) {                                                                                                      \
    return failure();                                                                                                  \
  }                                                                                                                    \
  extern "C" rocblas_status rocblas_gemm_batched_ex##suffix(                                                           \
      rocblas_handle handle, rocblas_operation transA, rocblas_operation transB, I m, I n, I k, const void* alpha,     \
      const void* a, rocblas_datatype a_type, I lda, const void* b, rocblas_datatype b_type, I ldb, const void* beta,  \
      const void* c, rocblas_datatype c_type, I ldc, void* d, rocblas_datatype d_type, I ldd, I batch_count,           \
      rocblas_datatype compute_type, rocblas_gemm_algo algo, int32_t, uint32_t) try {                                  \
    const TableScope scope;                                                                                            \
    return gemm_ex(handle, {transA, transB, m, n, k, alpha, beta, many(a, lda), many(b, ldb), many(c, ldc),            \
                            many(d, ldd), batch_count, a_type, b_type, c_type, d_type, compute_type, algo});           \
  } catch (...) {                                                                                                      \
    return failure();                                                                                                  \
  }                                                                                                                    \
  extern "C" rocblas_status rocblas_gemm_strided_batched_ex##suffix(                                                   \
      rocblas_handle handle, rocblas_operation transA, rocblas_operation transB, I m, I n, I k, const void* alpha,     \
      const void* a, rocblas_datatype a_type, I lda, rocblas_stride stride_a, const void* b, rocblas_datatype b_type,  \
      I ldb, rocblas_stride stride_b, const void* beta, const void* c, rocblas_datatype c_type, I ldc,                 \
      rocblas_stride stride_c, void* d, rocblas_datatype d_type, I ldd, rocblas_stride stride_d, I batch_count,        \
      rocblas_datatype compute_type, rocblas_gemm_algo algo, int32_t, uint32_t) try {                                  \
    return gemm_ex(handle, {transA, transB, m, n, k, alpha, beta, one(a, lda, stride_a), one(b, ldb, stride_b),        \
                            one(c, ldc, stride_c), one(d, ldd, stride_d), batch_count, a_type, b_type, c_type, d_type, \
                            compute_type, algo});                                                                      \
  } catch (...) {                                                                                                      \
    return failure();                                                                                                  \
  }

SX_GEMM_EX(, rocblas_int)
SX_GEMM_EX(_64, int64_t)
