// The table's functions that need no element type's arithmetic.
#pragma once

#include "scalex/hostmath_sparse.h"

namespace sx::hm {

int32_t symmetric(const sx_hm_csr* a, const int32_t* row_end, int32_t* yes);
int32_t permute(int32_t m, int32_t n, int32_t nnz, int32_t base, int32_t* row, int32_t* col, const int32_t* p,
                const int32_t* q, int32_t* map);
int32_t zero_free(const sx_hm_csr* a, int32_t* p, int32_t* entries);
bool permutation(const int32_t* p, int32_t n);

sx_hm_refactor* refactor_new(const sx_hm_csr* a, const sx_hm_csr* l, const sx_hm_csr* u, const int32_t* p,
                             const int32_t* q, int32_t by_columns, int32_t ones_in_upper, int32_t* status);
void refactor_free(sx_hm_refactor* r);
int32_t refactor_load(const sx_hm_refactor* r, const double* a, double* m);
int32_t refactor_compute(const sx_hm_refactor* r, double zero, double boost, double* m, int32_t* pivot);
int32_t refactor_solve(const sx_hm_refactor* r, const double* m, const int32_t* p, const int32_t* q, double* x);
int32_t refactor_pattern(const sx_hm_refactor* r, const int32_t** row, const int32_t** col);
int32_t refactor_values(const sx_hm_refactor* r, const double* m, double* out);

}  // namespace sx::hm
