// cusolverRf's steps: setup, analysis, new values, factors, solutions; of one system or of several of one pattern.
#include <algorithm>

#include "rf.h"
#include "scalex/compat.h"

namespace {

// What Setup is given.
struct Given {
  int n, nnz_a;
  const int *row_a, *col_a;
  int nnz_l;
  const int *row_l, *col_l;
  int nnz_u;
  const int *row_u, *col_u;
  const int *p, *q;

  // What NVIDIA's Setup answers by accident, of its allocations and copies, here by looking.
  cusolverStatus_t check(const sx_rf* rf, bool on_device) const {
    if (n < 0 || nnz_a < 0) return CUSOLVER_STATUS_ALLOC_FAILED;
    if (n == 0) return CUSOLVER_STATUS_INVALID_VALUE;
    if (nnz_a == 0) return CUSOLVER_STATUS_EXECUTION_FAILED;
    if (!row_a || !col_a || !row_l || !col_l || !row_u || !col_u || !p || !q)
      return on_device ? CUSOLVER_STATUS_INTERNAL_ERROR : CUSOLVER_STATUS_EXECUTION_FAILED;
    // a factor may be empty only if its ones are left out
    const bool no_l = nnz_l < 0 || (nnz_l == 0 && rf->diagonal != CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L);
    const bool no_u = nnz_u < 0 || (nnz_u == 0 && rf->diagonal != CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U);
    return no_l || no_u ? CUSOLVER_STATUS_INTERNAL_ERROR : CUSOLVER_STATUS_SUCCESS;
  }
};

// M := A(p,q) of every system.
void load(sx_rf* rf) {
  for (int i = 0; i < rf->batch; ++i)
    sx_sp_math()->refactor_load(rf->factors, rf->a.data() + static_cast<size_t>(i) * rf->nnz, rf->factors_of(i));
  rf->factored = false;
}

// Everything on the host; ``values`` of A lie ``nnz`` apart. The values of L and U are not needed.
cusolverStatus_t set_up(sx_rf* rf, const Given& g, std::vector<double>&& values, int batch, bool batched) {
  const auto* math = sx_sp_math();
  if (math == nullptr) return CUSOLVER_STATUS_INTERNAL_ERROR;
  const sx_hm_csr a{SX_HM_D, g.n, g.n, g.nnz_a, 0, nullptr, g.row_a, g.col_a};
  const sx_hm_csr l{SX_HM_D, g.n, g.n, g.nnz_l, 0, nullptr, g.row_l, g.col_l};
  const sx_hm_csr u{SX_HM_D, g.n, g.n, g.nnz_u, 0, nullptr, g.row_u, g.col_u};
  int32_t status = SX_HM_OK;
  sx_hm_refactor* made = math->refactor_new(&a, &l, &u, g.p, g.q, rf->format == CUSOLVERRF_MATRIX_FORMAT_CSC,
                                            rf->ones_in_upper(), &status);
  if (made == nullptr) return sx_sp_status(status);
  rf->forget();
  rf->factors = made;
  rf->n = g.n;
  rf->nnz = g.nnz_a;
  rf->batched = batched;
  rf->a = std::move(values);
  const int32_t *row = nullptr, *col = nullptr;
  math->refactor_pattern(made, &row, &col);
  rf->row.assign(row, row + g.n + 1);
  rf->col.assign(col, col + row[g.n]);
  rf->m.resize(rf->entries() * static_cast<size_t>(batch));
  rf->pivot.assign(static_cast<size_t>(batch), -1);
  rf->report = CUSOLVERRF_NUMERIC_BOOST_NOT_USED;
  rf->batch = batch;
  load(rf);
  return CUSOLVER_STATUS_SUCCESS;
}

// Factors of the values that were set last, however often it is asked for them.
cusolverStatus_t factor(sx_rf* rf) {
  if (rf->factored) load(rf);
  cusolverStatus_t worst = CUSOLVER_STATUS_SUCCESS;
  rf->report = CUSOLVERRF_NUMERIC_BOOST_NOT_USED;
  for (int i = 0; i < rf->batch; ++i) {
    const int32_t status = sx_sp_math()->refactor_compute(rf->factors, rf->zero, rf->boost, rf->factors_of(i),
                                                          &rf->pivot[static_cast<size_t>(i)]);
    if (status == SX_HM_OK) continue;
    rf->report = CUSOLVERRF_NUMERIC_BOOST_USED;  // also without a boost, as NVIDIA's does
    if (status != SX_HM_ZERO_PIVOT || !(rf->boost > 0)) worst = sx_sp_status(status);
  }
  rf->factored = true;
  return worst;
}

// M on the device follows the host's.
void publish(sx_onhost* work, sx_rf* rf) {
  if (!rf->device_val || rf->batched) return;
  const auto values = work->room<double>(static_cast<int64_t>(rf->entries()));
  if (!values) return;
  sx_sp_math()->refactor_values(rf->factors, rf->m.data(), values.get());
  work->write(rf->device_val, values.get(), static_cast<int64_t>(rf->entries()));
  work->ready();
}

cusolverStatus_t refactor(sx_blas_slot* slot, sx_rf* rf) {
  sx_onhost work(slot);
  if (!work.ready()) return work.status();
  const cusolverStatus_t status = factor(rf);
  publish(&work, rf);
  return work.status() != CUSOLVER_STATUS_SUCCESS ? work.status() : status;
}

// The permutations of a call, on the host.
struct Orders {
  std::unique_ptr<int[]> p, q;
  Orders(sx_onhost* work, const int* device_p, const int* device_q, int n)
      : p(work->read(device_p, n)), q(work->read(device_q, n)) {}
};

// Right-hand sides on the device become solutions.
template <class Where>
cusolverStatus_t solve(sx_blas_slot* slot, sx_rf* rf, const int* p, const int* q, int nrhs, int ld,
                       const Where& where) {
  sx_onhost work(slot);
  const Orders orders(&work, p, q, rf->n);
  if (!work.ready()) return work.status();
  if (!rf->factored) factor(rf);
  for (int i = 0; i < rf->batch; ++i) {
    const auto x = work.read(where(i), rf->n, nrhs, ld);
    if (!work.ready()) return work.status();
    for (int j = 0; j < nrhs; ++j) {
      const int32_t status = sx_sp_math()->refactor_solve(rf->factors, rf->factors_of(i), orders.p.get(),
                                                          orders.q.get(), x.get() + int64_t{j} * rf->n);
      work.fail(sx_sp_status(status));
    }
    work.write(where(i), ld, x.get(), rf->n, nrhs);
    if (!work.ready()) return work.status();
  }
  return work.finish();
}

// NVIDIA's solves one right-hand side a call.
bool solvable(const sx_rf* rf, int nrhs, int ldt, int ldxf) {
  return nrhs > 0 && (nrhs == 1 || !sx_exact) && ldt >= rf->n && ldxf >= rf->n;
}

// The values of a system lie on the device at ``val``; a NULL is as good as zeros to NVIDIA's Setup.
std::vector<double> values_at(sx_onhost* work, const double* val, int nnz) {
  std::vector<double> out(static_cast<size_t>(nnz));
  if (val == nullptr) return out;
  const auto copy = work->read(val, nnz);
  if (work->ready()) std::copy(copy.get(), copy.get() + nnz, out.begin());
  return out;
}

}  // namespace

#define SX_RF_GIVEN(X)                                                                                             \
  const Given given {                                                                                              \
    n, nnzA, X##csrRowPtrA, X##csrColIndA, nnzL, X##csrRowPtrL, X##csrColIndL, nnzU, X##csrRowPtrU, X##csrColIndU, \
        X##P, X##Q                                                                                                 \
  }

cusolverStatus_t sx_cusolverRfSetupHost(int n, int nnzA, int* h_csrRowPtrA, int* h_csrColIndA, double* h_csrValA,
                                        int nnzL, int* h_csrRowPtrL, int* h_csrColIndL, double*, int nnzU,
                                        int* h_csrRowPtrU, int* h_csrColIndU, double*, int* h_P, int* h_Q,
                                        cusolverRfHandle_t handle) {
  SX_RF_GIVEN(h_);
  return sx_rf_call(handle, [&](sx_blas_slot*, sx_rf* rf) {
    if (const cusolverStatus_t bad = given.check(rf, false)) return bad;
    if (h_csrValA == nullptr) return CUSOLVER_STATUS_EXECUTION_FAILED;
    return set_up(rf, given, std::vector<double>(h_csrValA, h_csrValA + nnzA), 1, false);
  });
}

cusolverStatus_t sx_cusolverRfSetupDevice(int n, int nnzA, int* csrRowPtrA, int* csrColIndA, double* csrValA, int nnzL,
                                          int* csrRowPtrL, int* csrColIndL, double*, int nnzU, int* csrRowPtrU,
                                          int* csrColIndU, double*, int* P, int* Q, cusolverRfHandle_t handle) {
  SX_RF_GIVEN();
  return sx_rf_call(handle, [&](sx_blas_slot* slot, sx_rf* rf) {
    if (const cusolverStatus_t bad = given.check(rf, true)) return bad;
    sx_onhost work(slot);
    const int64_t rows = int64_t{n} + 1;
    const auto row_a = work.read(given.row_a, rows), row_l = work.read(given.row_l, rows);
    const auto row_u = work.read(given.row_u, rows), col_a = work.read(given.col_a, nnzA);
    const auto col_l = work.read(given.col_l, nnzL), col_u = work.read(given.col_u, nnzU);
    const Orders orders(&work, given.p, given.q, n);
    std::vector<double> values = values_at(&work, csrValA, nnzA);
    if (!work.ready()) return work.status();
    const Given host{n,           nnzA, row_a.get(), col_a.get(), nnzL,           row_l.get(),
                     col_l.get(), nnzU, row_u.get(), col_u.get(), orders.p.get(), orders.q.get()};
    work.fail(set_up(rf, host, std::move(values), 1, false));
    return work.finish();
  });
}

cusolverStatus_t sx_cusolverRfBatchSetupHost(int batchSize, int n, int nnzA, int* h_csrRowPtrA, int* h_csrColIndA,
                                             double* h_csrValA_array[], int nnzL, int* h_csrRowPtrL, int* h_csrColIndL,
                                             double*, int nnzU, int* h_csrRowPtrU, int* h_csrColIndU, double*, int* h_P,
                                             int* h_Q, cusolverRfHandle_t handle) {
  SX_RF_GIVEN(h_);
  return sx_rf_call(handle, [&](sx_blas_slot*, sx_rf* rf) {
    const bool sizes = batchSize > 0 && n > 0 && nnzA > 0;
    if (!sizes || given.check(rf, false) != CUSOLVER_STATUS_SUCCESS || h_csrValA_array == nullptr)
      return CUSOLVER_STATUS_INVALID_VALUE;
    std::vector<double> values;
    values.reserve(static_cast<size_t>(batchSize) * static_cast<size_t>(nnzA));
    for (int i = 0; i < batchSize; ++i) {
      if (h_csrValA_array[i] == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
      values.insert(values.end(), h_csrValA_array[i], h_csrValA_array[i] + nnzA);
    }
    return set_up(rf, given, std::move(values), batchSize, true);
  });
}
#undef SX_RF_GIVEN

// Setup has looked at all there is to know.
cusolverStatus_t sx_cusolverRfAnalyze(cusolverRfHandle_t handle) {
  return sx_rf_call(handle, [](sx_blas_slot*, sx_rf*) { return CUSOLVER_STATUS_SUCCESS; });
}
cusolverStatus_t sx_cusolverRfBatchAnalyze(cusolverRfHandle_t handle) {
  return sx_rf_call(handle, [](sx_blas_slot*, sx_rf* rf) {
    return rf->batched ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INTERNAL_ERROR;
  });
}

cusolverStatus_t sx_cusolverRfResetValues(int n, int nnzA, int*, int*, double* csrValA, int*, int*,
                                          cusolverRfHandle_t handle) {
  return sx_rf_call(handle, [&](sx_blas_slot* slot, sx_rf* rf) {
    if (n != rf->n || rf->batched || rf->empty()) return CUSOLVER_STATUS_INVALID_VALUE;
    if (nnzA == 0) return CUSOLVER_STATUS_EXECUTION_FAILED;
    if (nnzA != rf->nnz || csrValA == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
    sx_onhost work(slot);
    std::vector<double> values = values_at(&work, csrValA, nnzA);
    if (!work.ready()) return work.status();
    rf->a = std::move(values);
    load(rf);
    publish(&work, rf);
    return work.finish();
  });
}

cusolverStatus_t sx_cusolverRfBatchResetValues(int batchSize, int n, int nnzA, int*, int*, double* csrValA_array[],
                                               int*, int*, cusolverRfHandle_t handle) {
  return sx_rf_call(handle, [&](sx_blas_slot* slot, sx_rf* rf) {
    if (n != rf->n || !rf->batched || nnzA != rf->nnz || batchSize != rf->batch || csrValA_array == nullptr)
      return CUSOLVER_STATUS_INVALID_VALUE;
    sx_onhost work(slot);
    const auto where = work.read(csrValA_array, batchSize);
    if (!work.ready()) return work.status();
    std::vector<double> values;
    for (int i = 0; i < batchSize; ++i) {
      if (where[static_cast<size_t>(i)] == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
      const std::vector<double> part = values_at(&work, where[static_cast<size_t>(i)], nnzA);
      values.insert(values.end(), part.begin(), part.end());
    }
    if (!work.ready()) return work.status();
    rf->a = std::move(values);
    load(rf);
    return work.finish();
  });
}

cusolverStatus_t sx_cusolverRfRefactor(cusolverRfHandle_t handle) {
  return sx_rf_call(handle, [](sx_blas_slot* slot, sx_rf* rf) {
    if (rf->batched) return CUSOLVER_STATUS_INVALID_VALUE;
    return rf->empty() ? CUSOLVER_STATUS_SUCCESS : refactor(slot, rf);
  });
}
// Zero pivots of a batch are BatchZeroPivot's to tell.
cusolverStatus_t sx_cusolverRfBatchRefactor(cusolverRfHandle_t handle) {
  return sx_rf_call(handle, [](sx_blas_slot* slot, sx_rf* rf) {
    if (!rf->batched) return CUSOLVER_STATUS_INVALID_VALUE;
    const cusolverStatus_t status = refactor(slot, rf);
    return status == CUSOLVER_STATUS_ZERO_PIVOT ? CUSOLVER_STATUS_SUCCESS : status;
  });
}

cusolverStatus_t sx_cusolverRfBatchZeroPivot(cusolverRfHandle_t handle, int* position) {
  return sx_rf_call(handle, [&](sx_blas_slot*, sx_rf* rf) {
    if (position == nullptr || !rf->batched) return CUSOLVER_STATUS_INVALID_VALUE;
    cusolverStatus_t status = CUSOLVER_STATUS_SUCCESS;
    for (int i = 0; i < rf->batch; ++i) {
      position[i] = rf->boost > 0 ? -1 : rf->pivot[static_cast<size_t>(i)];
      if (position[i] >= 0) status = CUSOLVER_STATUS_ZERO_PIVOT;
    }
    return status;
  });
}

cusolverStatus_t sx_cusolverRfSolve(cusolverRfHandle_t handle, int* P, int* Q, int nrhs, double*, int ldt, double* XF,
                                    int ldxf) {
  return sx_rf_call(handle, [&](sx_blas_slot* slot, sx_rf* rf) {
    if (!solvable(rf, nrhs, ldt, ldxf) || rf->batched) return CUSOLVER_STATUS_INVALID_VALUE;
    if (rf->empty()) return CUSOLVER_STATUS_SUCCESS;
    if (!P || !Q || !XF) return CUSOLVER_STATUS_INVALID_VALUE;
    return solve(slot, rf, P, Q, nrhs, ldxf, [&](int) { return XF; });
  });
}

cusolverStatus_t sx_cusolverRfBatchSolve(cusolverRfHandle_t handle, int* P, int* Q, int nrhs, double*, int ldt,
                                         double* XF_array[], int ldxf) {
  return sx_rf_call(handle, [&](sx_blas_slot* slot, sx_rf* rf) {
    if (!solvable(rf, nrhs, ldt, ldxf) || rf->empty()) return CUSOLVER_STATUS_INVALID_VALUE;
    if (!rf->batched) return CUSOLVER_STATUS_EXECUTION_FAILED;
    if (!P || !Q || !XF_array) return CUSOLVER_STATUS_INVALID_VALUE;
    sx_onhost work(slot);
    const auto where = work.read(XF_array, rf->batch);
    if (!work.ready()) return work.status();
    if (std::find(where.get(), where.get() + rf->batch, nullptr) != where.get() + rf->batch)
      return CUSOLVER_STATUS_INVALID_VALUE;
    return solve(slot, rf, P, Q, nrhs, ldxf, [&](int i) { return where[static_cast<size_t>(i)]; });
  });
}
