// Level 3 functions with types as arguments, beside gemm_ex: trsm_ex, syrk_ex, geam_ex; and the list of gemm solutions.
#include <cmath>
#include <limits>
#include <vector>

#include "gemm_mixed.h"
#include "level3.h"

namespace sx::rb {

template <class T>
rocblas_status trsm(rocblas_handle h, rocblas_side side, rocblas_fill uplo, rocblas_operation trans,
                    rocblas_diagonal diag, i64 m, i64 n, const T* alpha, In<T> A, Arr<T> B, i64 batch);

namespace {

// ---- trsm_ex: the inverses of diagonal blocks that a caller may give are not needed -----------------------
struct Operand {
  const void* base;
  const void* table;
  i64 ld, stride;

  template <class T>
  Arr<T> as() const {
    return {static_cast<T*>(const_cast<void*>(base)), static_cast<T* const*>(table), ld, stride};
  }
};

rocblas_status trsm_ex(rocblas_handle h, rocblas_side side, rocblas_fill uplo, rocblas_operation trans,
                       rocblas_diagonal diag, i64 m, i64 n, const void* alpha, Operand A, Operand B, i64 batch,
                       rocblas_datatype compute) {
  const auto call = [&](auto v) {  // a type that it does not know comes before a NULL handle
    using T = decltype(v);
    if (!h) return rocblas_status_invalid_handle;
    return trsm<T>(h, side, uplo, trans, diag, m, n, static_cast<const T*>(alpha), A.as<const T>(), B.as<T>(), batch);
  };
  switch (compute) {
    case rocblas_datatype_f32_r:
      return call(float{});
    case rocblas_datatype_f64_r:
      return call(double{});
    case rocblas_datatype_f32_c:
      return call(cfloat{});
    case rocblas_datatype_f64_c:
      return call(cdouble{});
    default:
      return rocblas_status_not_implemented;
  }
}

// ---- syrk_ex ----------------------------------------------------------------------------------------------
struct Update {
  rocblas_fill uplo;
  rocblas_operation trans;
  i64 n, k;
  const void* alpha;
  const void* A;
  i64 lda;
  const void* beta;
  void* C;
  i64 ldc;
};

template <class Ti, class C>
std::vector<C> square_of(const Update& u, const Ti* A) {
  const bool none = u.trans == rocblas_operation_none;
  const auto ta = none ? rocblas_operation_none : rocblas_operation_transpose;
  const auto tb = none ? rocblas_operation_transpose : rocblas_operation_none;
  std::vector<C> product(static_cast<size_t>(u.n * u.n));
  if constexpr (std::is_same_v<C, double>) {
    const i64 rows = none ? u.n : u.k, columns = none ? u.k : u.n;
    std::vector<double> a(static_cast<size_t>(rows * columns));
    for (i64 j = 0; j < columns; ++j) std::copy_n(A + j * u.lda, rows, a.data() + j * rows);
    gemm_run(ta, tb, u.n, u.n, u.k, 1.0, a.data(), rows, a.data(), rows, 0.0, product.data(), u.n);
  } else {
    gemm_mixed(ta, tb, u.n, u.n, u.k, 1.0f, A, u.lda, A, u.lda, 0.0f, static_cast<const float*>(nullptr), u.n,
               product.data(), u.n);
  }
  return product;
}

template <class Ti, class To, class C>
rocblas_status syrk_ex(rocblas_handle h, const Update& u) {
  Scalar<C> a(C{}), b(C{});
  SX_TRY(level3_scalar(h, static_cast<const C*>(u.alpha), &a));
  SX_TRY(level3_scalar(h, static_cast<const C*>(u.beta), &b));
  const rocblas_status checked = check_rank_k(u.k, static_cast<const C*>(u.alpha), a, static_cast<const C*>(u.beta), b,
                                              u.A != nullptr, u.C != nullptr);
  if (checked != rocblas_status_continue) return checked;
  return launch(h, [=] {
    const C av = u.k ? a() : C(0), bv = b();
    const std::vector<C> product = av == C(0) ? std::vector<C>() : square_of<Ti, C>(u, static_cast<const Ti*>(u.A));
    for (i64 j = 0; j < u.n; ++j) {
      To* column = static_cast<To*>(u.C) + j * u.ldc;
      const i64 begin = u.uplo == rocblas_fill_upper ? 0 : j, end = u.uplo == rocblas_fill_upper ? j + 1 : u.n;
      for (i64 i = begin; i < end; ++i) {
        const C old = bv == C(0) ? C(0) : bv * static_cast<C>(up(column[i]));
        round_to(av == C(0) ? old : av * product[static_cast<size_t>(i + j * u.n)] + old, &column[i]);
      }
    }
  });
}

// ---- geam_ex: products of matrices in (min, +) and (sum, min) ---------------------------------------------
struct Tropical {
  rocblas_operation ta, tb;
  i64 m, n, k;
  const void *alpha, *A, *B, *beta, *C;
  void* D;
  i64 lda, ldb, ldc, ldd;
  bool min_plus;
};

template <class T>
rocblas_status geam_ex(rocblas_handle h, const Tropical& p) {
  using V = compute_t<T>;
  const Scalar<T> a = scalar(h, static_cast<const T*>(p.alpha)), b = scalar(h, static_cast<const T*>(p.beta));
  if (h->host_mode()) {
    if (p.k && up(a()) != V(0) && (!p.A || !p.B)) return rocblas_status_invalid_pointer;
    if (up(b()) != V(0) && !p.C) return rocblas_status_invalid_pointer;
  }
  return launch(h, [=] {
    const V av = p.k ? V(up(a())) : V(0), bv = up(b());
    const auto* A = static_cast<const T*>(p.A);
    const auto* B = static_cast<const T*>(p.B);
    const auto* C = static_cast<const T*>(p.C);
    auto* D = static_cast<T*>(p.D);
    split(p.n, 16384 / (p.m * (p.k + 1) + 1) + 1, [&](i64 j, i64 end) {
      for (; j < end; ++j)
        for (i64 i = 0; i < p.m; ++i) {
          V sum = p.min_plus ? std::numeric_limits<V>::infinity() : V(0);
          for (i64 l = 0; l < p.k; ++l) {
            const V x = av == V(0) ? V(0) : av * up(*at(p.ta, A, p.lda, i, l));
            const V y = av == V(0) ? V(0) : av * up(*at(p.tb, B, p.ldb, l, j));
            sum = p.min_plus ? std::fmin(sum, x + y) : sum + std::fmin(x, y);
          }
          const V old = bv == V(0) ? V(0) : bv * up(C[i + j * p.ldc]);
          round_to(p.min_plus ? std::fmin(old, sum) : old + sum, &D[i + j * p.ldd]);
        }
    });
  });
}

// One way to multiply: its list of solutions has one entry.
rocblas_status solutions(rocblas_handle h, rocblas_int* list, rocblas_int* size) {
  if (!h) return rocblas_status_invalid_handle;
  if (!size) return rocblas_status_invalid_pointer;
  if (!list)
    *size = 1;
  else if (*size > 0)
    list[0] = 1;
  return rocblas_status_success;
}

rocblas_status solutions_by_type(rocblas_handle h, rocblas_datatype compute, rocblas_int* list, rocblas_int* size) {
  const bool known = compute >= rocblas_datatype_f16_r && compute <= rocblas_datatype_bf16_c;
  return known ? solutions(h, list, size) : rocblas_status_not_implemented;  // before a NULL handle
}

}  // namespace
}  // namespace sx::rb

using namespace sx::rb;

extern "C" {

rocblas_status rocblas_trsm_ex(rocblas_handle handle, rocblas_side side, rocblas_fill uplo, rocblas_operation transA,
                               rocblas_diagonal diag, rocblas_int m, rocblas_int n, const void* alpha, const void* A,
                               rocblas_int lda, void* B, rocblas_int ldb, const void*, rocblas_int,
                               rocblas_datatype compute_type) try {
  return trsm_ex(handle, side, uplo, transA, diag, m, n, alpha, {A, nullptr, lda, 0}, {B, nullptr, ldb, 0}, 1,
                 compute_type);
} catch (...) {
  return failure();
}

rocblas_status rocblas_trsm_batched_ex(rocblas_handle handle, rocblas_side side, rocblas_fill uplo,
                                       rocblas_operation transA, rocblas_diagonal diag, rocblas_int m, rocblas_int n,
                                       const void* alpha, const void* A, rocblas_int lda, void* B, rocblas_int ldb,
                                       rocblas_int batch_count, const void*, rocblas_int,
                                       rocblas_datatype compute_type) try {
  const TableScope scope;
  check_table(A);
  check_table(B);
  return trsm_ex(handle, side, uplo, transA, diag, m, n, alpha, {nullptr, A, lda, 0}, {nullptr, B, ldb, 0}, batch_count,
                 compute_type);
} catch (...) {
  return failure();
}

rocblas_status rocblas_trsm_strided_batched_ex(rocblas_handle handle, rocblas_side side, rocblas_fill uplo,
                                               rocblas_operation transA, rocblas_diagonal diag, rocblas_int m,
                                               rocblas_int n, const void* alpha, const void* A, rocblas_int lda,
                                               rocblas_stride stride_A, void* B, rocblas_int ldb,
                                               rocblas_stride stride_B, rocblas_int batch_count, const void*,
                                               rocblas_int, rocblas_stride, rocblas_datatype compute_type) try {
  return trsm_ex(handle, side, uplo, transA, diag, m, n, alpha, {A, nullptr, lda, stride_A},
                 {B, nullptr, ldb, stride_B}, batch_count, compute_type);
} catch (...) {
  return failure();
}

rocblas_status rocblas_syrk_ex(rocblas_handle handle, rocblas_fill uplo, rocblas_operation transA, rocblas_int n,
                               rocblas_int k, const void* alpha, const void* A, rocblas_datatype a_type,
                               rocblas_int lda, const void* beta, void* C, rocblas_datatype c_type, rocblas_int ldc,
                               rocblas_datatype execution_type) try {
  SX_TRY(enter(handle));
  if (!n) return rocblas_status_success;
  const auto types = [&](rocblas_datatype a, rocblas_datatype c, rocblas_datatype e) {
    return a_type == a && c_type == c && execution_type == e;
  };
  constexpr auto f16 = rocblas_datatype_f16_r, bf16 = rocblas_datatype_bf16_r, f32 = rocblas_datatype_f32_r;
  constexpr auto f64 = rocblas_datatype_f64_r;
  const bool to16 = types(bf16, bf16, f32) || types(f16, f16, f32),
             to32 = types(bf16, f32, f32) || types(f16, f32, f32);
  if (!to16 && !to32 && !types(f32, f32, f64) && !types(f32, f64, f64)) return rocblas_status_not_implemented;
  if (!is_fill(uplo) || !is_op(transA)) return rocblas_status_invalid_value;
  if (n < 0 || k < 0 || ldc < n || lda < (transA == rocblas_operation_none ? n : k)) return rocblas_status_invalid_size;
  const Update u{uplo, transA, n, k, alpha, A, lda, beta, C, ldc};
  if (to16)
    return a_type == f16 ? syrk_ex<sx::rb::half, half, float>(handle, u)
                         : syrk_ex<sx::rb::bfloat16, sx::rb::bfloat16, float>(handle, u);
  if (to32)
    return a_type == f16 ? syrk_ex<sx::rb::half, float, float>(handle, u)
                         : syrk_ex<sx::rb::bfloat16, float, float>(handle, u);
  return c_type == f32 ? syrk_ex<float, float, double>(handle, u) : syrk_ex<float, double, double>(handle, u);
} catch (...) {
  return failure();
}

rocblas_status rocblas_geam_ex(rocblas_handle handle, rocblas_operation transA, rocblas_operation transB, rocblas_int m,
                               rocblas_int n, rocblas_int k, const void* alpha, const void* A, rocblas_datatype a_type,
                               rocblas_int lda, const void* B, rocblas_datatype b_type, rocblas_int ldb,
                               const void* beta, const void* C, rocblas_datatype c_type, rocblas_int ldc, void* D,
                               rocblas_datatype d_type, rocblas_int ldd, rocblas_datatype compute_type,
                               rocblas_geam_ex_operation geam_ex_op) try {
  SX_TRY(enter(handle));
  if (compute_type != rocblas_datatype_f16_r && compute_type != rocblas_datatype_f32_r &&
      compute_type != rocblas_datatype_f64_r)
    return rocblas_status_not_implemented;
  const auto plain = [](rocblas_operation t) {
    return t == rocblas_operation_none || t == rocblas_operation_transpose;
  };
  if (!plain(transA) || !plain(transB)) return rocblas_status_invalid_value;
  if (m < 0 || n < 0 || k < 0) return rocblas_status_invalid_size;
  const bool na = transA == rocblas_operation_none, nb = transB == rocblas_operation_none;
  if (ldc < m || ldd < m || lda < (na ? m : k) || ldb < (nb ? k : n) || (C == D && ldc != ldd))
    return rocblas_status_invalid_size;
  if (!m || !n) return rocblas_status_success;
  if (!beta || !D || (k && !alpha)) return rocblas_status_invalid_pointer;
  if (a_type != compute_type || b_type != compute_type || c_type != compute_type || d_type != compute_type)
    return rocblas_status_not_implemented;
  const Tropical p{transA, transB, m, n,   k,   alpha, A,   B,
                   beta,   C,      D, lda, ldb, ldc,   ldd, geam_ex_op == rocblas_geam_ex_operation_min_plus};
  if (compute_type == rocblas_datatype_f16_r) return geam_ex<half>(handle, p);
  return compute_type == rocblas_datatype_f32_r ? geam_ex<float>(handle, p) : geam_ex<double>(handle, p);
} catch (...) {
  return failure();
}

rocblas_status rocblas_gemm_ex_get_solutions(rocblas_handle handle, rocblas_operation, rocblas_operation, rocblas_int,
                                             rocblas_int, rocblas_int, const void*, const void*, rocblas_datatype,
                                             rocblas_int, const void*, rocblas_datatype, rocblas_int, const void*,
                                             const void*, rocblas_datatype, rocblas_int, void*, rocblas_datatype,
                                             rocblas_int, rocblas_datatype, rocblas_gemm_algo, uint32_t,
                                             rocblas_int* list_array, rocblas_int* list_size) {
  return solutions(handle, list_array, list_size);
}
rocblas_status rocblas_gemm_batched_ex_get_solutions(rocblas_handle handle, rocblas_operation, rocblas_operation,
                                                     rocblas_int, rocblas_int, rocblas_int, const void*, const void*,
                                                     rocblas_datatype, rocblas_int, const void*, rocblas_datatype,
                                                     rocblas_int, const void*, const void*, rocblas_datatype,
                                                     rocblas_int, void*, rocblas_datatype, rocblas_int, rocblas_int,
                                                     rocblas_datatype, rocblas_gemm_algo, uint32_t,
                                                     rocblas_int* list_array, rocblas_int* list_size) {
  return solutions(handle, list_array, list_size);
}
rocblas_status rocblas_gemm_strided_batched_ex_get_solutions(
    rocblas_handle handle, rocblas_operation, rocblas_operation, rocblas_int, rocblas_int, rocblas_int, const void*,
    const void*, rocblas_datatype, rocblas_int, rocblas_stride, const void*, rocblas_datatype, rocblas_int,
    rocblas_stride, const void*, const void*, rocblas_datatype, rocblas_int, rocblas_stride, void*, rocblas_datatype,
    rocblas_int, rocblas_stride, rocblas_int, rocblas_datatype, rocblas_gemm_algo, uint32_t, rocblas_int* list_array,
    rocblas_int* list_size) {
  return solutions(handle, list_array, list_size);
}
rocblas_status rocblas_gemm_ex_get_solutions_by_type(rocblas_handle handle, rocblas_datatype, rocblas_datatype,
                                                     rocblas_datatype compute_type, uint32_t, rocblas_int* list_array,
                                                     rocblas_int* list_size) {
  return solutions_by_type(handle, compute_type, list_array, list_size);
}
rocblas_status rocblas_gemm_batched_ex_get_solutions_by_type(rocblas_handle handle, rocblas_datatype, rocblas_datatype,
                                                             rocblas_datatype compute_type, uint32_t,
                                                             rocblas_int* list_array, rocblas_int* list_size) {
  return solutions_by_type(handle, compute_type, list_array, list_size);
}

}  // extern "C"
