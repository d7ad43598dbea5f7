// The sparse half of hostmath: matrices in CSR on the host, 0- or 1-based, columns of a row in any order, duplicates
// added. Every function checks the structure it is given and answers an sx_hm_status.
#pragma once

#include "scalex/hostmath.h"

extern "C" {

enum sx_hm_status : int32_t {
  SX_HM_OK = 0,
  SX_HM_INVALID = 1,      // no CSR matrix
  SX_HM_MEMORY = 2,       // working memory could not be had
  SX_HM_UNSUPPORTED = 3,  // too large for the method
  SX_HM_ORDER = 4,        // a step was left out (solve before factor)
  SX_HM_ZERO_PIVOT = 5,   // refactorisation met a zero
};

enum sx_hm_kind : int32_t { SX_HM_LU = 0, SX_HM_QR = 1, SX_HM_CHOLESKY = 2 };
// The first four are the numbers of cuSOLVER's ``reorder``.
enum sx_hm_ordering : int32_t { SX_HM_NATURAL = 0, SX_HM_RCM = 1, SX_HM_AMD = 2, SX_HM_DISSECTION = 3 };

struct sx_hm_csr {
  int32_t type;  // sx_hm_type
  int32_t m, n, nnz, base;
  const void* val;  // NULL: the pattern only
  const int32_t* row;
  const int32_t* col;
};

struct sx_hm_factor;    // a factorisation
struct sx_hm_refactor;  // cusolverRf's: new values for a known pattern and known pivots, double precision

struct sx_hostmath_sparse {
  int32_t (*check)(const sx_hm_csr* a);
  int32_t (*symmetric)(const sx_hm_csr* a, const int32_t* row_end, int32_t* yes);  // of the pattern

  // A x = b. singularity: -1, or the first j with |R(j,j)| <= tol (Cholesky: not positive), x untouched then.
  int32_t (*lsv)(int32_t kind, const sx_hm_csr* a, const void* b, double tol, int32_t reorder, void* x,
                 int32_t* singularity);
  // min |A x - b| with a basic solution: A(:,p) = Q R, rank the number of |R(j,j)| > tol; min_norm is real.
  int32_t (*least_squares)(const sx_hm_csr* a, const void* b, double tol, int32_t* rank, void* x, int32_t* p,
                           void* min_norm);
  // The eigenvalue closest to mu0, by inverse iteration from x0, until it moves by less than eps; x of norm 1.
  int32_t (*inverse_iteration)(const sx_hm_csr* a, const void* mu0, const void* x0, int32_t most, double eps, void* mu,
                               void* x);
  // How many eigenvalues lie in [left, right] x [bottom, top] of the complex plane.
  int32_t (*count_eigenvalues)(const sx_hm_csr* a, double left, double bottom, double right, double top,
                               int32_t* count);

  int32_t (*order)(int32_t ordering, const sx_hm_csr* a, int32_t* p);  // of A + A', A(p,p); 0-based
  // P with as many entries on the diagonal of A(P,:) as there can be, large ones first; how many there are.
  int32_t (*zero_free)(const sx_hm_csr* a, int32_t* p, int32_t* entries);
  // A(p,q) in place of the pattern, and the old place of each entry; ``map`` holds it before and is permuted likewise.
  int32_t (*permute)(int32_t m, int32_t n, int32_t nnz, int32_t base, int32_t* row, int32_t* col, const int32_t* p,
                     const int32_t* q, int32_t* map);

  // A factorisation in steps: analyse (pattern), factor (values; A - mu I when mu is given), then the rest.
  sx_hm_factor* (*factor_new)(int32_t kind);
  void (*factor_free)(sx_hm_factor* f);
  int32_t (*factor_analyse)(sx_hm_factor* f, const sx_hm_csr* pattern);
  int32_t (*factor_factor)(sx_hm_factor* f, const sx_hm_csr* a, const void* mu, double pivot_threshold);
  int32_t (*factor_zero_pivot)(sx_hm_factor* f, double tol, int32_t* position);
  int32_t (*factor_solve)(sx_hm_factor* f, const void* b, void* x);
  int32_t (*factor_diagonal)(sx_hm_factor* f, void* diagonal);                // of Cholesky's L, real
  int32_t (*factor_counts)(sx_hm_factor* f, int64_t* lower, int64_t* upper);  // entries; LU: without the ones of L
  // LU: A(p,q) = L U in CSR, without the ones of L; bases of the outputs.
  int32_t (*factor_extract)(sx_hm_factor* f, int32_t* p, int32_t* q, int32_t base_l, void* val_l, int32_t* row_l,
                            int32_t* col_l, int32_t base_u, void* val_u, int32_t* row_u, int32_t* col_u);

  // A(p,q) = L U: the patterns are known, all 0-based, by rows or by columns. The ones of L, or of U, may be in its
  // pattern or not. m has as many entries as M = L + U - I.
  sx_hm_refactor* (*refactor_new)(const sx_hm_csr* a, const sx_hm_csr* l, const sx_hm_csr* u, const int32_t* p,
                                  const int32_t* q, int32_t by_columns, int32_t ones_in_upper, int32_t* status);
  void (*refactor_free)(sx_hm_refactor* r);
  int32_t (*refactor_load)(const sx_hm_refactor* r, const double* a, double* m);  // values of A(p,q) into m
  // m becomes its factors. *pivot is -1, or the first that is at most ``zero`` in size: ZERO_PIVOT. Such pivots become
  // ``boost`` if that is positive.
  int32_t (*refactor_compute)(const sx_hm_refactor* r, double zero, double boost, double* m, int32_t* pivot);
  int32_t (*refactor_solve)(const sx_hm_refactor* r, const double* m, const int32_t* p, const int32_t* q, double* x);
  // M as the program stores matrices: its pattern, and its values from m.
  int32_t (*refactor_pattern)(const sx_hm_refactor* r, const int32_t** row, const int32_t** col);
  int32_t (*refactor_values)(const sx_hm_refactor* r, const double* m, double* out);
};

}  // extern "C"
