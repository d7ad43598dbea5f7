// The BLAS-3 routines: each is sent to cublasXt or to the CPU's routine of the same name, with the same arguments.
#include "nvblas.h"

#include "own.h"

using namespace sx_nv;

namespace {

// A Fortran integer as a size; a negative one stays too large to be one, so that cublasXt refuses it.
size_t size(const int* n) { return static_cast<size_t>(static_cast<int64_t>(*n)); }

double work(const int* a, const int* b, const int* c) { return static_cast<double>(*a) * *b * *c; }

cublasOperation_t op(const char* letter) { return sx_own_enum<cublasOperation_t>(*letter); }
cublasFillMode_t fill(const char* letter) { return sx_own_enum<cublasFillMode_t>(*letter); }
cublasSideMode_t side_of(const char* letter) { return sx_own_enum<cublasSideMode_t>(*letter); }
cublasDiagType_t diagonal(const char* letter) { return sx_own_enum<cublasDiagType_t>(*letter); }

// Runs ``device()`` where that pays, else, or when it could not, the CPU's routine with the caller's own arguments.
template <class Device, class... Arguments>
void send(int routine, int type, double work, const Device& device, Arguments... arguments) {
  const State* const s = state();
  if (goes_to_device(s, routine, type, work) && !falls_back(s, routine, type, device(s->xt))) return;
  if (void* const cpu = cpu_routine(s, routine, type)) reinterpret_cast<void (*)(Arguments...)>(cpu)(arguments...);
}

}  // namespace

// What follows is one line per type: the argument lists are those of the BLAS, the letter picks cublasXt's function.

#define SX_GEMM(T)                                                                                              \
  const char *transa, const char *transb, const int *m, const int *n, const int *k, const T *alpha, const T *a, \
      const int *lda, const T *b, const int *ldb, const T *beta, T *c, const int *ldc
#define SX_GEMM_BODY(type, function)                                                                              \
  send(                                                                                                           \
      CUBLASXT_GEMM, type, work(m, n, k),                                                                         \
      [&](cublasXtHandle_t xt) {                                                                                  \
        return function(xt, op(transa), op(transb), size(m), size(n), size(k), alpha, a, size(lda), b, size(ldb), \
                        beta, c, size(ldc));                                                                      \
      },                                                                                                          \
      transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)

void sx_nv_gemm(SX_GEMM(float)) { SX_GEMM_BODY(kFloat, cublasXtSgemm); }
void sx_nv_gemm(SX_GEMM(double)) { SX_GEMM_BODY(kDouble, cublasXtDgemm); }
void sx_nv_gemm(SX_GEMM(cuComplex)) { SX_GEMM_BODY(kComplex, cublasXtCgemm); }
void sx_nv_gemm(SX_GEMM(cuDoubleComplex)) { SX_GEMM_BODY(kDoubleComplex, cublasXtZgemm); }

#define SX_SYMM(T)                                                                                            \
  const char *side, const char *uplo, const int *m, const int *n, const T *alpha, const T *a, const int *lda, \
      const T *b, const int *ldb, const T *beta, T *c, const int *ldc
#define SX_SYMM_BODY(routine, type, function)                                                                        \
  send(                                                                                                              \
      routine, type, work(m, n, *side == 'L' || *side == 'l' ? m : n),                                               \
      [&](cublasXtHandle_t xt) {                                                                                     \
        return function(xt, side_of(side), fill(uplo), size(m), size(n), alpha, a, size(lda), b, size(ldb), beta, c, \
                        size(ldc));                                                                                  \
      },                                                                                                             \
      side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc)

void sx_nv_symm(SX_SYMM(float)) { SX_SYMM_BODY(CUBLASXT_SYMM, kFloat, cublasXtSsymm); }
void sx_nv_symm(SX_SYMM(double)) { SX_SYMM_BODY(CUBLASXT_SYMM, kDouble, cublasXtDsymm); }
void sx_nv_symm(SX_SYMM(cuComplex)) { SX_SYMM_BODY(CUBLASXT_SYMM, kComplex, cublasXtCsymm); }
void sx_nv_symm(SX_SYMM(cuDoubleComplex)) { SX_SYMM_BODY(CUBLASXT_SYMM, kDoubleComplex, cublasXtZsymm); }
void sx_nv_hemm(SX_SYMM(cuComplex)) { SX_SYMM_BODY(CUBLASXT_HEMM, kComplex, cublasXtChemm); }
void sx_nv_hemm(SX_SYMM(cuDoubleComplex)) { SX_SYMM_BODY(CUBLASXT_HEMM, kDoubleComplex, cublasXtZhemm); }

#define SX_TRIANGULAR(T)                                                                                \
  const char *side, const char *uplo, const char *transa, const char *diag, const int *m, const int *n, \
      const T *alpha, const T *a, const int *lda, T *b, const int *ldb
#define SX_TRIANGULAR_BODY(routine, type, function, ...)                                                       \
  send(                                                                                                        \
      routine, type, work(m, n, *side == 'L' || *side == 'l' ? m : n) / 2,                                     \
      [&](cublasXtHandle_t xt) {                                                                               \
        return function(xt, side_of(side), fill(uplo), op(transa), diagonal(diag), size(m), size(n), alpha, a, \
                        size(lda), __VA_ARGS__);                                                               \
      },                                                                                                       \
      side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb)
#define SX_TRMM_BODY(type, function) SX_TRIANGULAR_BODY(CUBLASXT_TRMM, type, function, b, size(ldb), b, size(ldb))
#define SX_TRSM_BODY(type, function) SX_TRIANGULAR_BODY(CUBLASXT_TRSM, type, function, b, size(ldb))

void sx_nv_trmm(SX_TRIANGULAR(float)) { SX_TRMM_BODY(kFloat, cublasXtStrmm); }
void sx_nv_trmm(SX_TRIANGULAR(double)) { SX_TRMM_BODY(kDouble, cublasXtDtrmm); }
void sx_nv_trmm(SX_TRIANGULAR(cuComplex)) { SX_TRMM_BODY(kComplex, cublasXtCtrmm); }
void sx_nv_trmm(SX_TRIANGULAR(cuDoubleComplex)) { SX_TRMM_BODY(kDoubleComplex, cublasXtZtrmm); }
void sx_nv_trsm(SX_TRIANGULAR(float)) { SX_TRSM_BODY(kFloat, cublasXtStrsm); }
void sx_nv_trsm(SX_TRIANGULAR(double)) { SX_TRSM_BODY(kDouble, cublasXtDtrsm); }
void sx_nv_trsm(SX_TRIANGULAR(cuComplex)) { SX_TRSM_BODY(kComplex, cublasXtCtrsm); }
void sx_nv_trsm(SX_TRIANGULAR(cuDoubleComplex)) { SX_TRSM_BODY(kDoubleComplex, cublasXtZtrsm); }

#define SX_ONE(T, R)                                                                                           \
  const char *uplo, const char *trans, const int *n, const int *k, const R *alpha, const T *a, const int *lda, \
      const R *beta, T *c, const int *ldc
#define SX_ONE_BODY(routine, type, function)                                                                   \
  send(                                                                                                        \
      routine, type, work(n, n, k) / 2,                                                                        \
      [&](cublasXtHandle_t xt) {                                                                               \
        return function(xt, fill(uplo), op(trans), size(n), size(k), alpha, a, size(lda), beta, c, size(ldc)); \
      },                                                                                                       \
      uplo, trans, n, k, alpha, a, lda, beta, c, ldc)

void sx_nv_syrk(SX_ONE(float, float)) { SX_ONE_BODY(CUBLASXT_SYRK, kFloat, cublasXtSsyrk); }
void sx_nv_syrk(SX_ONE(double, double)) { SX_ONE_BODY(CUBLASXT_SYRK, kDouble, cublasXtDsyrk); }
void sx_nv_syrk(SX_ONE(cuComplex, cuComplex)) { SX_ONE_BODY(CUBLASXT_SYRK, kComplex, cublasXtCsyrk); }
void sx_nv_syrk(SX_ONE(cuDoubleComplex, cuDoubleComplex)) { SX_ONE_BODY(CUBLASXT_SYRK, kDoubleComplex, cublasXtZsyrk); }
void sx_nv_herk(SX_ONE(cuComplex, float)) { SX_ONE_BODY(CUBLASXT_HERK, kComplex, cublasXtCherk); }
void sx_nv_herk(SX_ONE(cuDoubleComplex, double)) { SX_ONE_BODY(CUBLASXT_HERK, kDoubleComplex, cublasXtZherk); }

#define SX_TWO(T, R)                                                                                           \
  const char *uplo, const char *trans, const int *n, const int *k, const T *alpha, const T *a, const int *lda, \
      const T *b, const int *ldb, const R *beta, T *c, const int *ldc
#define SX_TWO_BODY(routine, type, function)                                                                     \
  send(                                                                                                          \
      routine, type, work(n, n, k),                                                                              \
      [&](cublasXtHandle_t xt) {                                                                                 \
        return function(xt, fill(uplo), op(trans), size(n), size(k), alpha, a, size(lda), b, size(ldb), beta, c, \
                        size(ldc));                                                                              \
      },                                                                                                         \
      uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc)

void sx_nv_syr2k(SX_TWO(float, float)) { SX_TWO_BODY(CUBLASXT_SYR2K, kFloat, cublasXtSsyr2k); }
void sx_nv_syr2k(SX_TWO(double, double)) { SX_TWO_BODY(CUBLASXT_SYR2K, kDouble, cublasXtDsyr2k); }
void sx_nv_syr2k(SX_TWO(cuComplex, cuComplex)) { SX_TWO_BODY(CUBLASXT_SYR2K, kComplex, cublasXtCsyr2k); }
void sx_nv_syr2k(SX_TWO(cuDoubleComplex, cuDoubleComplex)) {
  SX_TWO_BODY(CUBLASXT_SYR2K, kDoubleComplex, cublasXtZsyr2k);
}
void sx_nv_her2k(SX_TWO(cuComplex, float)) { SX_TWO_BODY(CUBLASXT_HER2K, kComplex, cublasXtCher2k); }
void sx_nv_her2k(SX_TWO(cuDoubleComplex, double)) { SX_TWO_BODY(CUBLASXT_HER2K, kDoubleComplex, cublasXtZher2k); }
