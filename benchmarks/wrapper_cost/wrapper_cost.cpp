// What a cuBLAS wrapper costs: cublasSgemm_v2 and cublasSaxpy_v2 of a built libcublas over backend functions that
// return at once, against calling those functions through a pointer with the same arguments.
//
//   wrapper_cost libcublas.so.13 librocblas.so.5     (environment: SCALE_X_PROVIDER=<directory of the null ROCm>)
//
// prints "name wrapper_ns direct_ns difference_ns", medians over interleaved runs.
#include "measure.h"

namespace {

using Handle = void*;
using Sgemm = int (*)(Handle, int, int, int, int, int, const float*, const float*, int, const float*, int, const float*,
                      float*, int);
using Saxpy = int (*)(Handle, int, const float*, const float*, int, float*, int);

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  Handle handle = nullptr;
  if (function<int (*)(Handle*)>(argv[1], "cublasCreate_v2")(&handle) != 0) return 1;
  static float a[64], b[64], c[64];
  const float alpha = 1.5f, beta = 0.5f;
  // n is 4 everywhere; the enumerators differ: cuBLAS's 0 and 1, rocBLAS's 111 and 112
  const auto sgemm = function<Sgemm>(argv[1], "cublasSgemm_v2"), sgemm0 = function<Sgemm>(argv[2], "rocblas_sgemm");
  const auto saxpy = function<Saxpy>(argv[1], "cublasSaxpy_v2"), saxpy0 = function<Saxpy>(argv[2], "rocblas_saxpy");
  measure(
      "sgemm", [&] { return sgemm(handle, 0, 1, 4, 4, 4, &alpha, a, 4, b, 4, &beta, c, 4); },
      [&] { return sgemm0(handle, 111, 112, 4, 4, 4, &alpha, a, 4, b, 4, &beta, c, 4); });
  measure(
      "saxpy", [&] { return saxpy(handle, 4, &alpha, a, 1, c, 1); },
      [&] { return saxpy0(handle, 4, &alpha, a, 1, c, 1); });
  return refused == 0 ? 0 : 1;
}
