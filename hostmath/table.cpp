// The table: C functions that find the element type and keep exceptions in.
#include "dense.h"
#include "dispatch.h"

extern "C" void scipy_openblas_set_num_threads64_(int threads);

namespace sx::hm {

const sx_hostmath_sparse* sparse_table();

namespace {

i64 geev_c(int32_t type, char jobvl, char jobvr, i64 n, void* a, i64 lda, void* wr, void* wi, void* vl, i64 ldvl,
           void* vr, i64 ldvr) {
  return by_type(type, SX_HM_NO_MEMORY, [&](auto zero) {
    using T = decltype(zero);
    return geev_of<T>(jobvl, jobvr, n, static_cast<T*>(a), lda, static_cast<T*>(wr), static_cast<T*>(wi),
                      static_cast<T*>(vl), ldvl, static_cast<T*>(vr), ldvr);
  });
}

i64 sytrf_c(int32_t type, int32_t hermitian, char uplo, i64 n, void* a, i64 lda, i64* ipiv) {
  return by_type(type, SX_HM_NO_MEMORY, [&](auto zero) {
    using T = decltype(zero);
    return Factors<T>::factor(hermitian != 0, uplo, n, static_cast<T*>(a), lda, ipiv);
  });
}

i64 sytrs_c(int32_t type, int32_t hermitian, char uplo, i64 n, i64 nrhs, const void* a, i64 lda, const i64* ipiv,
            void* b, i64 ldb) {
  return by_type(type, SX_HM_NO_MEMORY, [&](auto zero) {
    using T = decltype(zero);
    return Factors<T>::solve(hermitian != 0, uplo, n, nrhs, static_cast<const T*>(a), lda, ipiv, static_cast<T*>(b),
                             ldb);
  });
}

i64 sytri_c(int32_t type, int32_t hermitian, char uplo, i64 n, void* a, i64 lda, const i64* ipiv) {
  return by_type(type, SX_HM_NO_MEMORY, [&](auto zero) {
    using T = decltype(zero);
    return Factors<T>::invert(hermitian != 0, uplo, n, static_cast<T*>(a), lda, ipiv);
  });
}

sx_hostmath_table make_table() {
  scipy_openblas_set_num_threads64_(1);  // the callers' threads are the only parallelism
  sx_hostmath_table t{};
  t.bytes = sizeof t;
  t.geev = geev_c;
  t.sytrf = sytrf_c;
  t.sytrs = sytrs_c;
  t.sytri = sytri_c;
  t.sparse = sparse_table();
  return t;
}

}  // namespace
}  // namespace sx::hm

extern "C" __attribute__((visibility("default"))) const sx_hostmath_table* sx_hostmath_functions(void) {
  static const sx_hostmath_table table = sx::hm::make_table();
  return &table;
}
