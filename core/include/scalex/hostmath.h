// What no GPU library of AMD has, on the CPU for every provider: libscalex_hostmath.so.0, LAPACK and sparse solvers
// behind one private table of C functions, loaded at first use. Pointers are to the host's memory, matrices
// column-major, integers of LAPACK 64 bits wide. ``type`` is an sx_hm_type; complex elements are pairs.
//
//   const sx_hostmath_table* math = sx_hostmath();
//   if (math == nullptr) return CUSOLVER_STATUS_INTERNAL_ERROR;  // core said why on stderr
//   const int64_t info = math->geev(SX_HM_D, 'N', 'V', n, a, lda, wr, wi, nullptr, 1, vr, ldvr);
#pragma once

#include <stddef.h>
#include <stdint.h>

extern "C" {

enum sx_hm_type : int32_t { SX_HM_S = 0, SX_HM_D = 1, SX_HM_C = 2, SX_HM_Z = 3 };

// An INFO that LAPACK never gives: working memory could not be had.
#define SX_HM_NO_MEMORY INT64_MIN

struct sx_hostmath_table {
  size_t bytes;  // sizeof(sx_hostmath_table) of the library

  // ---- LAPACK ----
  // Each returns INFO and takes its own workspace.
  // xGEEV: of a real matrix the eigenvalues in wr and wi and packed vectors; of a complex one in wr, and wi is ignored.
  // A matrix with a NaN or an infinity has NaN for results, and INFO n.
  int64_t (*geev)(int32_t type, char jobvl, char jobvr, int64_t n, void* a, int64_t lda, void* wr, void* wi, void* vl,
                  int64_t ldvl, void* vr, int64_t ldvr);
  // xSYTRF, or xHETRF for a complex type when ``hermitian``: Bunch-Kaufman, ipiv as LAPACK's (negative for 2x2 blocks).
  int64_t (*sytrf)(int32_t type, int32_t hermitian, char uplo, int64_t n, void* a, int64_t lda, int64_t* ipiv);
  // xSYTRS, xHETRS; ipiv NULL: factors without interchanges, of 1x1 blocks.
  int64_t (*sytrs)(int32_t type, int32_t hermitian, char uplo, int64_t n, int64_t nrhs, const void* a, int64_t lda,
                   const int64_t* ipiv, void* b, int64_t ldb);
  // xSYTRI, xHETRI: the inverse's triangle from the factors; ipiv NULL as above.
  int64_t (*sytri)(int32_t type, int32_t hermitian, char uplo, int64_t n, void* a, int64_t lda, const int64_t* ipiv);

  const struct sx_hostmath_sparse* sparse;  // scalex/hostmath_sparse.h
};

// The table; NULL, and a line on stderr, when the library or the OpenBLAS beneath it cannot be loaded. Any thread.
const sx_hostmath_table* sx_hostmath(void);

// The library's one export.
const sx_hostmath_table* sx_hostmath_functions(void);

}  // extern "C"
