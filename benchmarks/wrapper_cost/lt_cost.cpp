// What cublasLtMatmul and its heuristic cost over a hipBLASLt that returns at once, against calling hipblasLtMatmul
// through a pointer.
//
//   lt_cost libcublasLt.so.13 libhipblaslt.so.1     (environment: SCALE_X_PROVIDER=<directory of the null ROCm>)
//
// prints "name wrapper_ns direct_ns difference_ns", medians over interleaved runs:
//   same       a problem seen before, its bias where it was
//   changed    the same, the bias elsewhere in each call
//   heuristic  a problem seen before
#include <stdint.h>

#include "measure.h"

namespace {

using Object = void*;
using Create = int (*)(Object*);
using DescCreate = int (*)(Object*, int, int);
using LayoutCreate = int (*)(Object*, int, uint64_t, uint64_t, int64_t);
using Set = int (*)(Object, int, const void*, size_t);
using Heuristic = int (*)(Object, Object, Object, Object, Object, Object, Object, int, void*, int*);
using Matmul = int (*)(Object, Object, const void*, const void*, Object, const void*, Object, const void*, const void*,
                       Object, void*, Object, const void*, void*, size_t, void*);

constexpr int kCompute32F = 68, kFloat = 0, kEpilogue = 7, kBiasPointer = 8, kMaxWorkspace = 1, kBias = 4;
alignas(256) char workspace[8192];
float a[64], b[64], d[64], bias[2][16];

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto name = [&](const char* text) { return function<void*>(argv[1], text); };
  Object handle = nullptr, preference = nullptr, layout = nullptr, desc[2] = {};
  int bad = reinterpret_cast<Create>(name("cublasLtCreate"))(&handle);
  bad += reinterpret_cast<Create>(name("cublasLtMatmulPreferenceCreate"))(&preference);
  bad += reinterpret_cast<LayoutCreate>(name("cublasLtMatrixLayoutCreate"))(&layout, kFloat, 8, 8, 8);
  const size_t bytes = sizeof workspace;
  bad += reinterpret_cast<Set>(name("cublasLtMatmulPreferenceSetAttribute"))(preference, kMaxWorkspace, &bytes, 8);
  const auto set = reinterpret_cast<Set>(name("cublasLtMatmulDescSetAttribute"));
  for (int i = 0; i < 2; ++i) {
    bad += reinterpret_cast<DescCreate>(name("cublasLtMatmulDescCreate"))(&desc[i], kCompute32F, kFloat);
    const void* const at = bias[i];
    bad += set(desc[i], kEpilogue, &kBias, sizeof kBias) + set(desc[i], kBiasPointer, &at, sizeof at);
  }
  const auto ask = reinterpret_cast<Heuristic>(name("cublasLtMatmulAlgoGetHeuristic"));
  alignas(8) char result[96];
  int count = 0;
  bad += ask(handle, desc[0], layout, layout, layout, layout, preference, 1, result, &count);
  if (bad != 0 || count != 1) return 1;

  const auto matmul = reinterpret_cast<Matmul>(name("cublasLtMatmul"));
  const auto matmul0 = function<Matmul>(argv[2], "hipblasLtMatmul");
  const float one = 1, zero = 0;
  const auto call = [&](Matmul f, Object operation) {
    return f(handle, operation, &one, a, layout, b, layout, &zero, d, layout, d, layout, result, workspace, bytes,
             nullptr);
  };
  unsigned turn = 0;
  measure(
      "same", [&] { return call(matmul, desc[0]); }, [&] { return call(matmul0, desc[0]); });
  measure(
      "changed", [&] { return call(matmul, desc[++turn & 1]); }, [&] { return call(matmul0, desc[0]); });
  measure(
      "heuristic", [&] { return ask(handle, desc[0], layout, layout, layout, layout, preference, 1, result, &count); },
      [&] { return 0; });
  return refused == 0 ? 0 : 1;
}
