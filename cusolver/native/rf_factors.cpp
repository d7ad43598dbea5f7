// cusolverRf's factors: M = L + U - I on the device and on the host, and L and U apart.
#include <stdlib.h>

#include "rf.h"

namespace {

// Memory that the program frees.
template <class T>
T* given(const std::vector<T>& values) {
  auto* out = static_cast<T*>(malloc(sizeof(T) * (values.empty() ? 1 : values.size())));
  if (out && !values.empty()) memcpy(out, values.data(), sizeof(T) * values.size());
  return out;
}

struct Csr {
  std::vector<int> row, col;
  std::vector<double> val;
  cusolverStatus_t give(int* nnz, int** row_out, int** col_out, double** val_out) const {
    *nnz = static_cast<int>(col.size());
    *row_out = given(row);
    *col_out = given(col);
    *val_out = given(val);
    return *row_out && *col_out && *val_out ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
  }
};

Csr bundled(const sx_rf* rf) {
  Csr out{rf->row, rf->col, std::vector<double>(rf->entries())};
  sx_sp_math()->refactor_values(rf->factors, rf->m.data(), out.val.data());
  return out;
}

// L and U of M, each with a diagonal: M's where it belongs, ones in the other if the program stores them.
void split(const sx_rf* rf, Csr* lower, Csr* upper) {
  const Csr m = bundled(rf);
  const bool by_columns = rf->format == CUSOLVERRF_MATRIX_FORMAT_CSC;
  Csr* const of_m = rf->ones_in_upper() ? lower : upper;
  Csr* const of_ones = rf->ones_in_upper() ? upper : lower;
  const auto add = [](Csr* to, int j, double v) {
    to->col.push_back(j);
    to->val.push_back(v);
  };
  for (Csr* c : {lower, upper}) c->row.push_back(0);
  for (int i = 0; i < rf->n; ++i) {
    for (int k = m.row[static_cast<size_t>(i)]; k < m.row[static_cast<size_t>(i) + 1]; ++k) {
      const int j = m.col[static_cast<size_t>(k)];
      const double v = m.val[static_cast<size_t>(k)];
      if (j != i) {
        add((j < i) != by_columns ? lower : upper, j, v);
        continue;
      }
      add(of_m, i, v);
      if (rf->ones_stored()) add(of_ones, i, 1);
    }
    for (Csr* c : {lower, upper}) c->row.push_back(static_cast<int>(c->col.size()));
  }
}

template <class T>
cusolverStatus_t put(sx_onhost* work, T** device, const std::vector<T>& values) {
  if (*device == nullptr) {
    void* memory = nullptr;
    if (sx_rocm->hipMalloc(&memory, sizeof(T) * values.size()) != hipSuccess) return CUSOLVER_STATUS_ALLOC_FAILED;
    *device = static_cast<T*>(memory);
  }
  work->write(*device, values.data(), static_cast<int64_t>(values.size()));
  return work->status();
}

}  // namespace

cusolverStatus_t sx_cusolverRfAccessBundledFactorsDevice(cusolverRfHandle_t handle, int* nnzM, int** Mp, int** Mi,
                                                         double** Mx) {
  return sx_rf_call(handle, [&](sx_blas_slot* slot, sx_rf* rf) {
    if (!nnzM || !Mp || !Mi || !Mx) return CUSOLVER_STATUS_INVALID_VALUE;
    if (rf->empty()) {
      *nnzM = 0;
      return CUSOLVER_STATUS_SUCCESS;
    }
    sx_onhost work(slot);
    if (!work.ready()) return work.status();
    const Csr m = bundled(rf);
    work.fail(put(&work, &rf->device_row, m.row));
    work.fail(put(&work, &rf->device_col, m.col));
    work.fail(put(&work, &rf->device_val, m.val));
    const cusolverStatus_t status = work.finish();
    if (status != CUSOLVER_STATUS_SUCCESS) {
      rf->release();
      return status;
    }
    *nnzM = static_cast<int>(rf->entries());
    *Mp = rf->device_row;
    *Mi = rf->device_col;
    *Mx = rf->device_val;
    return status;
  });
}

cusolverStatus_t sx_cusolverRfExtractBundledFactorsHost(cusolverRfHandle_t handle, int* h_nnzM, int** h_Mp, int** h_Mi,
                                                        double** h_Mx) {
  return sx_rf_call(handle, [&](sx_blas_slot*, sx_rf* rf) {
    if (!h_nnzM || !h_Mp || !h_Mi || !h_Mx) return CUSOLVER_STATUS_INVALID_VALUE;
    if (rf->empty()) return CUSOLVER_STATUS_EXECUTION_FAILED;
    return bundled(rf).give(h_nnzM, h_Mp, h_Mi, h_Mx);
  });
}

cusolverStatus_t sx_cusolverRfExtractSplitFactorsHost(cusolverRfHandle_t handle, int* h_nnzL, int** h_csrRowPtrL,
                                                      int** h_csrColIndL, double** h_csrValL, int* h_nnzU,
                                                      int** h_csrRowPtrU, int** h_csrColIndU, double** h_csrValU) {
  return sx_rf_call(handle, [&](sx_blas_slot*, sx_rf* rf) {
    if (!h_nnzL || !h_csrRowPtrL || !h_csrColIndL || !h_csrValL || !h_nnzU || !h_csrRowPtrU || !h_csrColIndU ||
        !h_csrValU)
      return CUSOLVER_STATUS_INVALID_VALUE;
    if (rf->empty()) return CUSOLVER_STATUS_EXECUTION_FAILED;
    Csr lower, upper;
    split(rf, &lower, &upper);
    const cusolverStatus_t first = lower.give(h_nnzL, h_csrRowPtrL, h_csrColIndL, h_csrValL);
    const cusolverStatus_t second = upper.give(h_nnzU, h_csrRowPtrU, h_csrColIndU, h_csrValU);
    return first != CUSOLVER_STATUS_SUCCESS ? first : second;
  });
}
