// gemm in groups of batches: sizes, operations and scalars by group, in host arrays; the arrays of pointers of all
// groups one after the other on the device. One batched gemm per group, once the arguments of all groups are found
// right.
#include "blas_types.h"

namespace {

// The arguments of S and D and of the form with types, whose integers are of either width.
template <class I>
struct Groups {
  const cublasOperation_t *transa, *transb;
  const I *m, *n, *k, *lda, *ldb, *ldc;
  int64_t count;
  const I* size;
};

// The number of the first bad argument of a group, 0 when all are right.
template <class I>
int bad_argument(const Groups<I>& g, int64_t i) {
  const auto known = [](cublasOperation_t op) { return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C; };
  const auto rows = [](I wanted) { return wanted > 1 ? wanted : I{1}; };
  if (g.size[i] < 0) return 15;
  if (!known(g.transa[i])) return 1;
  if (!known(g.transb[i])) return 2;
  if (g.m[i] < 0) return 3;
  if (g.n[i] < 0) return 4;
  if (g.k[i] < 0) return 5;
  if (g.lda[i] < rows(g.transa[i] == CUBLAS_OP_N ? g.m[i] : g.k[i])) return 8;
  if (g.ldb[i] < rows(g.transb[i] == CUBLAS_OP_N ? g.k[i] : g.n[i])) return 10;
  return g.ldc[i] < rows(g.m[i]) ? 13 : 0;
}

template <class I>
bool narrow(const Groups<I>& g, int64_t i) {
  return sx_fits(g.m[i]) && sx_fits(g.n[i]) && sx_fits(g.k[i]) && sx_fits(g.lda[i]) && sx_fits(g.ldb[i]) &&
         sx_fits(g.ldc[i]) && sx_fits(g.size[i]);
}

// One group's sizes as rocBLAS takes them.
struct Batch {
  rocblas_operation transa, transb;
  int m, n, k, lda, ldb, ldc, size;
};

// ``multiply(handle, batch, group, first)`` calls rocBLAS for one group; ``first`` is its place in the arrays of
// pointers.
template <class I, class Multiply>
cublasStatus_t each_group(cublasHandle_t handle, const char* routine, const Groups<I>& g, Multiply multiply) {
  for (int64_t i = 0; i < g.count; ++i) {
    if (const int number = bad_argument(g, i)) return sx_refuse(routine, number, CUBLAS_STATUS_INVALID_VALUE);
    if (!narrow(g, i)) return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  sx_blas_slot* const slot = sx_slot_of(handle, SX_KIND_BLAS);
  sx_borrowed blas(slot);
  if (blas.error != 0) return static_cast<cublasStatus_t>(blas.error);
  int64_t first = 0;
  rocblas_status status = rocblas_status_success;
  for (int64_t i = 0; i < g.count && status == rocblas_status_success; ++i) {
    const auto whole = [](I value) { return static_cast<int>(value); };
    const Batch batch{sx_to_rocblas_operation(g.transa[i]),
                      sx_to_rocblas_operation(g.transb[i]),
                      whole(g.m[i]),
                      whole(g.n[i]),
                      whole(g.k[i]),
                      whole(g.lda[i]),
                      whole(g.ldb[i]),
                      whole(g.ldc[i]),
                      whole(g.size[i])};
    if (batch.m > 0 && batch.n > 0 && batch.size > 0) status = multiply(blas.loan.handle, batch, i, first);
    first += batch.size;
  }
  return sx_from_rocblas_status(status);
}

template <class T, class I, class Gemm>
cublasStatus_t typed(Gemm gemm, cublasHandle_t handle, const char* routine, const Groups<I>& g, const T* alpha,
                     const T* const* A, const T* const* B, const T* beta, T* const* C) {
  if (gemm == nullptr) return CUBLAS_STATUS_NOT_SUPPORTED;
  return each_group(handle, routine, g, [=](rocblas_handle h, const Batch& b, int64_t i, int64_t first) {
    return gemm(h, b.transa, b.transb, b.m, b.n, b.k, alpha + i, A + first, b.lda, B + first, b.ldb, beta + i,
                C + first, b.ldc, b.size);
  });
}

template <class I>
cublasStatus_t untyped(cublasHandle_t handle, const Groups<I>& g, const void* alpha, const void* const* A,
                       const void* const* B, const void* beta, void* const* C, cudaDataType type) {
  const auto gemm = sx_rocm->rocblas_gemm_batched_ex;
  if (gemm == nullptr) return CUBLAS_STATUS_NOT_SUPPORTED;
  const rocblas_datatype data = sx_to_rocblas_datatype(type);
  const rocblas_datatype scalar = type == CUDA_R_64F ? rocblas_datatype_f64_r : rocblas_datatype_f32_r;
  const int64_t bytes = type == CUDA_R_64F ? 8 : 4;
  const auto at = [](const void* p, int64_t offset) { return static_cast<const char*>(p) + offset; };
  return each_group(handle, "GemmGroupedBatchedEx", g, [=](rocblas_handle h, const Batch& b, int64_t i, int64_t first) {
    void* const c = const_cast<void**>(C + first);
    return gemm(h, b.transa, b.transb, b.m, b.n, b.k, at(alpha, i * bytes), A + first, data, b.lda, B + first, data,
                b.ldb, at(beta, i * bytes), c, data, b.ldc, c, data, b.ldc, b.size, scalar, rocblas_gemm_algo_standard,
                0, 0);
  });
}

}  // namespace

cublasStatus_t sx_gemm_grouped(cublasHandle_t handle, const cublasOperation_t transa[],
                               const cublasOperation_t transb[], const int m[], const int n[], const int k[],
                               const float alpha[], const float* const A[], const int lda[], const float* const B[],
                               const int ldb[], const float beta[], float* const C[], const int ldc[], int group_count,
                               const int group_size[]) {
  const Groups<int> groups{transa, transb, m, n, k, lda, ldb, ldc, group_count, group_size};
  return typed<float>(sx_rocm->rocblas_sgemm_batched, handle, "SgemmGroupedBatched", groups, alpha, A, B, beta, C);
}

cublasStatus_t sx_gemm_grouped(cublasHandle_t handle, const cublasOperation_t transa[],
                               const cublasOperation_t transb[], const int m[], const int n[], const int k[],
                               const double alpha[], const double* const A[], const int lda[], const double* const B[],
                               const int ldb[], const double beta[], double* const C[], const int ldc[],
                               int group_count, const int group_size[]) {
  const Groups<int> groups{transa, transb, m, n, k, lda, ldb, ldc, group_count, group_size};
  return typed<double>(sx_rocm->rocblas_dgemm_batched, handle, "DgemmGroupedBatched", groups, alpha, A, B, beta, C);
}

cublasStatus_t sx_gemm_grouped(cublasHandle_t handle, const cublasOperation_t transa[],
                               const cublasOperation_t transb[], const int m[], const int n[], const int k[],
                               const void* alpha, const void* const A[], cudaDataType_t, const int lda[],
                               const void* const B[], cudaDataType_t, const int ldb[], const void* beta,
                               void* const C[], cudaDataType_t Ctype, const int ldc[], int group_count,
                               const int group_size[], cublasComputeType_t) {
  const Groups<int> groups{transa, transb, m, n, k, lda, ldb, ldc, group_count, group_size};
  return untyped(handle, groups, alpha, A, B, beta, C, Ctype);
}

cublasStatus_t sx_gemm_grouped(cublasHandle_t handle, const cublasOperation_t transa[],
                               const cublasOperation_t transb[], const int64_t m[], const int64_t n[],
                               const int64_t k[], const float alpha[], const float* const A[], const int64_t lda[],
                               const float* const B[], const int64_t ldb[], const float beta[], float* const C[],
                               const int64_t ldc[], int64_t group_count, const int64_t group_size[]) {
  const Groups<int64_t> groups{transa, transb, m, n, k, lda, ldb, ldc, group_count, group_size};
  return typed<float>(sx_rocm->rocblas_sgemm_batched, handle, "SgemmGroupedBatched", groups, alpha, A, B, beta, C);
}

cublasStatus_t sx_gemm_grouped(cublasHandle_t handle, const cublasOperation_t transa[],
                               const cublasOperation_t transb[], const int64_t m[], const int64_t n[],
                               const int64_t k[], const double alpha[], const double* const A[], const int64_t lda[],
                               const double* const B[], const int64_t ldb[], const double beta[], double* const C[],
                               const int64_t ldc[], int64_t group_count, const int64_t group_size[]) {
  const Groups<int64_t> groups{transa, transb, m, n, k, lda, ldb, ldc, group_count, group_size};
  return typed<double>(sx_rocm->rocblas_dgemm_batched, handle, "DgemmGroupedBatched", groups, alpha, A, B, beta, C);
}

cublasStatus_t sx_gemm_grouped(cublasHandle_t handle, const cublasOperation_t transa[],
                               const cublasOperation_t transb[], const int64_t m[], const int64_t n[],
                               const int64_t k[], const void* alpha, const void* const A[], cudaDataType_t,
                               const int64_t lda[], const void* const B[], cudaDataType_t, const int64_t ldb[],
                               const void* beta, void* const C[], cudaDataType_t Ctype, const int64_t ldc[],
                               int64_t group_count, const int64_t group_size[], cublasComputeType_t) {
  const Groups<int64_t> groups{transa, transb, m, n, k, lda, ldb, ldc, group_count, group_size};
  return untyped(handle, groups, alpha, A, B, beta, C, Ctype);
}
