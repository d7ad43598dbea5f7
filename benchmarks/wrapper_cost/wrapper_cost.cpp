// What a cuBLAS wrapper costs: cublasSgemm_v2 and cublasSaxpy_v2 of a built libcublas over backend functions that return
// at once, against calling those functions through a pointer with the same arguments.
//
//   wrapper_cost libcublas.so.13 librocblas.so.5     (environment: SCALE_X_PROVIDER=<directory of the null ROCm>)
//
// prints "name wrapper_ns direct_ns difference_ns", medians over interleaved runs.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <algorithm>
#include <vector>

namespace {

using Handle = void*;
using Sgemm = int (*)(Handle, int, int, int, int, int, const float*, const float*, int, const float*, int, const float*,
                      float*, int);
using Saxpy = int (*)(Handle, int, const float*, const float*, int, float*, int);

constexpr int kCalls = 20000, kRuns = 101;
int refused = 0;

double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

template <class F>
F function(const char* library, const char* name) {
  void* opened = dlopen(library, RTLD_NOW);
  void* found = opened ? dlsym(opened, name) : nullptr;
  if (found == nullptr) {
    fprintf(stderr, "%s: %s\n", name, dlerror());
    exit(1);
  }
  return reinterpret_cast<F>(found);
}

template <class Call>
double per_call(Call call) {
  const double start = now();
  for (int i = 0; i < kCalls; ++i) refused += call() != 0;
  return (now() - start) / kCalls;
}

double median(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + kRuns / 2, v.end());
  return v[kRuns / 2];
}

template <class Wrapper, class Direct>
void measure(const char* name, Wrapper wrapper, Direct direct) {
  std::vector<double> w, d, difference;
  for (int i = 0; i < kRuns; ++i) {
    w.push_back(per_call(wrapper));
    d.push_back(per_call(direct));
    difference.push_back(w.back() - d.back());
  }
  printf("%s %.2f %.2f %.2f\n", name, median(w), median(d), median(difference));
}

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
  measure("sgemm", [&] { return sgemm(handle, 0, 1, 4, 4, 4, &alpha, a, 4, b, 4, &beta, c, 4); },
          [&] { return sgemm0(handle, 111, 112, 4, 4, 4, &alpha, a, 4, b, 4, &beta, c, 4); });
  measure("saxpy", [&] { return saxpy(handle, 4, &alpha, a, 1, c, 1); },
          [&] { return saxpy0(handle, 4, &alpha, a, 1, c, 1); });
  return refused == 0 ? 0 : 1;
}
