// Level 3: gemm of s, d, c, z and h.
#include "gemm.h"

#include "define.h"
#include "gemm_mixed.h"
#include "small_batch.h"

namespace sx::rb {

template <class T>
static rocblas_status gemm(rocblas_handle h, rocblas_operation ta, rocblas_operation tb, i64 m, i64 n, i64 k,
                           const T* alpha, In<T> A, In<T> B, const T* beta, Arr<T> C, i64 batch) {
  using V = compute_t<T>;
  SX_TRY(enter(h));
  if (!is_op(ta) || !is_op(tb)) return rocblas_status_invalid_value;
  if (m < 0 || n < 0 || k < 0 || batch < 0) return rocblas_status_invalid_size;
  const i64 rows_a = ta == rocblas_operation_none ? m : k, rows_b = tb == rocblas_operation_none ? k : n;
  if (rows_a > A.ld || rows_b > B.ld || m > C.ld) return rocblas_status_invalid_size;
  if (!m || !n || !batch) return rocblas_status_success;
  if (!beta) return rocblas_status_invalid_pointer;
  Scalar<T> a(T{}), b(T{});
  SX_TRY(level3_scalar(h, alpha, &a));
  SX_TRY(level3_scalar(h, beta, &b));
  if (b.readable() && up(b()) == V(1)) {
    if (!k) return rocblas_status_success;
    if (!alpha) return rocblas_status_invalid_pointer;
    if (a.readable() && up(a()) == V(0)) return rocblas_status_success;
  }
  const bool operands_missing = !alpha || (a.readable() && up(a()) != V(0) && (A.null() || B.null()));
  if (C.null() || (k && operands_missing)) return rocblas_status_invalid_pointer;
  return launch(h, [=] {
    const V av = k ? V(up(a())) : V(0), bv = up(b());
    const double cost = product_cost<T>(m, n, k);
    if (av != V(0) && small::serves(static_cast<const T*>(nullptr), ta, m, n, k)) {
      if constexpr (std::is_same_v<T, V>)
        split(batch, static_cast<i64>(5e3 / cost) + 1,
              [&](i64 begin, i64 end) { small::gemms(tb, m, n, k, av, A, B, bv, C, begin, end); });
      return;
    }
    over_batch(batch, cost, [&](i64 i) {
      if constexpr (std::is_same_v<T, V>) {
        if (cost < 5e3 && av != V(0))  // small: the shortest way
          return gemm_here(ta, tb, m, n, k, av, A.at(i), A.ld, B.at(i), B.ld, bv, C.at(i), C.ld);
        gemm_run(ta, tb, m, n, av == V(0) ? 0 : k, av, av == V(0) ? nullptr : A.at(i), A.ld,
                 av == V(0) ? nullptr : B.at(i), B.ld, bv, C.at(i), C.ld);
      } else {
        gemm_mixed(ta, tb, m, n, k, av, av == V(0) ? nullptr : A.at(i), A.ld, av == V(0) ? nullptr : B.at(i), B.ld, bv,
                   static_cast<const T*>(C.at(i)), C.ld, C.at(i), C.ld);
      }
    });
  });
}

}  // namespace sx::rb

#define GEMM(V, CA, MA, CN, MN, I, T, R, S) \
  V(rocblas_operation, transA)              \
  V(rocblas_operation, transB)              \
  V(I, m) V(I, n) V(I, k) V(const T*, alpha) CA(I, T, A, lda) CA(I, T, B, ldb) V(const T*, beta) MA(I, T, C, ldc)
SX_FAMILY(gemm, gemm, GEMM)
SX_DEFINE_ALL(rocblas_hgemm, gemm, GEMM, SX_NONE, rocblas_half, float, float)
